//! `unfilled-text`: a text or a question is not given what it has room for.

use crate::diagnostic::{Diagnostic, Place, did_you_mean};

/// What has room for something.
#[derive(Clone, Copy)]
pub(crate) enum Sentence {
    /// A text that is said.
    Text,
    /// The question of a decision.
    Question,
}

pub(crate) fn unfilled_text<'n>(
    (of, name): (Sentence, &str),
    room: &str,
    idle: impl Iterator<Item = &'n str>,
    here: Place,
) -> Diagnostic {
    let (what, place, missing) = match of {
        Sentence::Text => ("text", "the text", format!("write `{room}: …` in the `#{{…}}`")),
        Sentence::Question => {
            ("question", "`ask`", format!("write `#{{ {room}: … }}` behind the name of the decision"))
        }
    };
    let help = match did_you_mean(room, idle) {
        Some(meant) => format!("in {place}, {meant} It is given, and the {what} has no room for it"),
        None => missing,
    };
    Diagnostic::error("unfilled-text", format!("the {what} `{name}` needs `{room}`, which is not given"))
        .mark(here, format!("has room for `{{{room}}}`"))
        .help(help)
}
