//! `parlour reference`: every word that rules may use.

use super::examples;
use super::output::{Failure, Output};
use crate::diagnostic::did_you_mean;
use crate::script::{Form, Host, Word};
use clap::Args;

/// Prints the words that rules are written in
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour reference",
    "parlour reference decisions     one topic",
    "parlour reference draw          one word",
))]
pub(super) struct Reference {
    /// A topic or a word; everything when left out
    topic: Option<String>,
}

impl Reference {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let words = Host::vocabulary();
        let mut found: Vec<&Word> = match &self.topic {
            None => words.iter().collect(),
            Some(wanted) => words.iter().filter(|word| is_wanted(word, wanted)).collect(),
        };
        if let Some(wanted) = self.topic.as_ref().filter(|_| found.is_empty()) {
            found = words.iter().filter(|word| speaks_of(word.topic, wanted)).collect();
        }
        if let Some(wanted) = self.topic.as_ref().filter(|_| found.is_empty()) {
            let known = words.iter().flat_map(|word| [word.topic, &word.name]);
            let help = did_you_mean(wanted, known).unwrap_or_else(|| format!("the topics are {}", topics(&words)));
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

/// Whether a topic has a word in its name, in the plural or not.
fn speaks_of(topic: &str, wanted: &str) -> bool {
    let stem = |word: &str| word.to_lowercase().trim_end_matches('s').to_owned();
    topic.split(|c: char| !c.is_alphanumeric()).any(|word| stem(word) == stem(wanted))
}

fn is_wanted(word: &Word, wanted: &str) -> bool {
    word.topic.eq_ignore_ascii_case(wanted) || word.name == wanted
}

fn topics(words: &[Word]) -> String {
    let mut topics: Vec<&str> = words.iter().map(|word| word.topic).collect();
    topics.dedup();
    topics.join(", ")
}

fn signature(word: &Word) -> String {
    let typed: Vec<String> =
        word.params.iter().zip(&word.types).map(|(name, kind)| format!("{name}: {}", kind.word())).collect();
    let rest = || typed[1..].join(", ");
    match word.form {
        Form::Function => format!("{}({})", word.name, typed.join(", ")),
        Form::Property => format!("({}).{}", typed[0], word.name),
        Form::Setter => format!("({}).{} = {}", typed[0], word.name, rest()),
        Form::Index => format!("({})[{}]", typed[0], rest()),
    }
}
