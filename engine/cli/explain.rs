//! `parlour explain`: explains the code of a message.

use super::examples;
use super::output::{Failure, Output};
use crate::diagnostic::{Example, Explanation, FIRST_RULES, GAME, Role, did_you_mean, explain, explanations};
use clap::Args;

/// Explains the code of a message, with an example and its fix
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour explain empty-zone    what `error[empty-zone]` means",
    "parlour explain               every code in a line",
))]
pub(super) struct Explain {
    /// Code as printed in brackets in a message [default: all codes]
    code: Option<String>,
}

impl Explain {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let Some(code) = &self.code else { return list(output) };
        let code = code.rsplit('[').next().unwrap_or(code).trim_end_matches(']');
        let Some(found) = explain(code) else {
            let known: Vec<&str> = explanations().map(|known| known.code).collect();
            let help = did_you_mean(code, known).unwrap_or("`parlour explain` lists all codes".to_owned());
            return Err(Failure::Usage(format!("no message has the code `{code}`"), Some(help)));
        };
        output.write(&render(&found))
    }
}

fn list(output: &mut Output) -> Result<(), Failure> {
    let all: Vec<Explanation> = explanations().collect();
    let width = all.iter().map(|known| known.code.len()).max().unwrap_or_default();
    for known in all {
        let sentence = known.meaning.split_once(". ").map_or(known.meaning.trim_end_matches('.'), |(first, _)| first);
        output.line(format!("{:width$}  {sentence}", known.code))?;
    }
    Ok(())
}

fn render(found: &Explanation) -> String {
    let mut text = format!("{} ({})\n\n{}\n", found.code, found.kind.to_lowercase(), found.meaning);
    for (heading, example) in [("For example", found.wrong), ("Better", found.right)] {
        text.extend(example.map(|example| format!("\n{heading}{}\n", block(&example))));
    }
    text
}

/// Formats the files of an example, each with its name. The result follows the heading of the example.
fn block(example: &Example) -> String {
    let home = match example.language {
        "toml" => GAME.to_owned(),
        "play" => "a playscript".to_owned(),
        "text" => String::new(),
        _ => Role::Rules.path(FIRST_RULES),
    };
    let mut parts = example.text.split("=== ");
    let first = parts.next().filter(|text| !text.is_empty()).map(|text| (&*home, text));
    let others = parts.map(|part| part.split_once('\n').unwrap_or((part, "")));
    let files = first.into_iter().chain(others).enumerate().map(|(at, (name, text))| {
        let name = match name {
            "change" => "with this change of the game's data".to_owned(),
            "bare" => "without a score".to_owned(),
            name => match name.split_once(' ') {
                Some(("link", path)) => format!("{path} as a symbolic link"),
                Some(("folder", path)) => format!("{path} as a folder"),
                Some(("bytes", path)) => format!("{path} in another encoding"),
                _ => name.to_owned(),
            },
        };
        let lines = text.lines().flat_map(|line| line.split("\\n")).map(|line| format!("\n    {line}"));
        let text: String = lines.collect();
        // The first file name follows the heading; each further name begins a line.
        let name = match at {
            _ if name.is_empty() => name,
            0 => format!(", {name}"),
            _ => format!("and {name}"),
        };
        if text.is_empty() { format!("{name}:") } else { format!("{name}:\n{text}\n") }
    });
    files.collect::<String>().trim_end().to_owned()
}
