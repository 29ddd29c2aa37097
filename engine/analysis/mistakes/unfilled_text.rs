//! `unfilled-text`: a text or a question is not given what it has room for.

use crate::diagnostic::{Diagnostic, Place, did_you_mean};

pub(crate) fn unfilled_question<'n>(
    decision: &str,
    room: &str,
    idle: impl Iterator<Item = &'n str>,
    here: Place,
) -> Diagnostic {
    let help = match did_you_mean(room, idle) {
        Some(meant) => format!("in `ask`, {meant} It is given, and the question has no room for it"),
        None => format!("write `#{{ {room}: … }}` behind the name of the decision"),
    };
    Diagnostic::error("unfilled-text", format!("the question `{decision}` needs `{room}`, which is not given"))
        .mark(here, format!("`ask` has room for `{{{room}}}`"))
        .help(help)
}

pub(crate) fn unfilled_text<'n>(
    text: &str,
    room: &str,
    idle: impl Iterator<Item = &'n str>,
    here: Place,
) -> Diagnostic {
    let help = match did_you_mean(room, idle) {
        Some(meant) => format!("in the text, {meant} It is given, and the text has no room for it"),
        None => format!("write `{room}: …` in the `#{{…}}`"),
    };
    Diagnostic::error("unfilled-text", format!("the text `{text}` needs `{room}`, which is not given"))
        .mark(here, format!("has room for `{{{room}}}`"))
        .help(help)
}
