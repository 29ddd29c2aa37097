//! `parlour reference`: every word that rules may use.

use super::examples;
use super::output::{Failure, Output};
use super::reference_page::{markdown, topics};
use crate::diagnostic::did_you_mean;
use crate::script::{Form, Host, Word};
use clap::{Args, ValueEnum};

/// Prints the words that rules are written in
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour reference",
    "parlour reference decisions     one topic",
    "parlour reference draw          one word",
    "parlour reference --format markdown   the page of the guide",
))]
pub(super) struct Reference {
    /// A topic or a word; everything when left out
    topic: Option<String>,
    /// How to print it: `markdown` is the page of the guide
    #[arg(long, default_value = "text", conflicts_with = "topic")]
    format: Format,
}

/// How the reference is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Markdown,
}

impl Reference {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let words = Host::vocabulary();
        if self.format == Format::Markdown {
            return output.line(markdown(&words).trim_end());
        }
        let found: Vec<&Word> = match &self.topic {
            None => words.iter().collect(),
            Some(wanted) => words.iter().filter(|word| is_wanted(word, wanted)).collect(),
        };
        if let Some(wanted) = self.topic.as_ref().filter(|_| found.is_empty()) {
            let known = words.iter().flat_map(|word| [word.topic, &word.name]);
            let help =
                did_you_mean(wanted, known).unwrap_or_else(|| format!("the topics are {}", topics(&words).join(", ")));
            return Err(Failure::Usage(format!("there is no topic or word `{wanted}`"), Some(help)));
        }
        let mut topic = "";
        for word in found {
            if word.topic != topic {
                output.line(format!("{}{}", if topic.is_empty() { "" } else { "\n" }, word.topic))?;
                topic = word.topic;
            }
            output.line(format!("\n  {}", signature(word)))?;
            output.line(format!("      {}", word.doc))?;
            if !word.example.is_empty() {
                output.line(format!("      > {}", word.example))?;
            }
        }
        Ok(())
    }
}

fn is_wanted(word: &Word, wanted: &str) -> bool {
    word.topic.eq_ignore_ascii_case(wanted) || word.name == wanted
}

/// Whether two words differ in the types they take alone.
pub(super) fn is_alike(one: &Word, other: &Word) -> bool {
    (one.topic, &one.name, one.form, &one.params, one.doc)
        == (other.topic, &other.name, other.form, &other.params, other.doc)
}

fn signature(word: &Word) -> String {
    let typed: Vec<String> =
        word.params.iter().zip(&word.types).map(|(name, kind)| format!("{name}: {}", kind.word())).collect();
    named(word, &typed)
}

/// A word as it is written with some parameters.
pub(super) fn named(word: &Word, params: &[String]) -> String {
    let rest = || params[1..].join(", ");
    match word.form {
        Form::Function => format!("{}({})", word.name, params.join(", ")),
        Form::Property => format!("({}).{}", params[0], word.name),
        Form::Setter => format!("({}).{} = {}", params[0], word.name, rest()),
        Form::Index => format!("({})[{}]", params[0], rest()),
    }
}
