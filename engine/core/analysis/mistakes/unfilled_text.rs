//! `unfilled-text`: an announcement or a question has a placeholder that is not filled.

use crate::diagnostic::{Diagnostic, Place, did_you_mean, sentence};

const CODE: &str = "unfilled-text";

/// Category of text that contains the placeholder.
#[derive(Clone, Copy)]
pub(crate) enum TextCategory {
    /// An announcement.
    Text,
    /// The question of a decision.
    Question,
}

pub(crate) fn unfilled_text<'n>(
    kind: TextCategory,
    name: &str,
    room: &str,
    (given, idle): (&[&str], impl Iterator<Item = &'n str>),
    here: Place,
) -> Diagnostic {
    let (what, place, found) = match kind {
        TextCategory::Text => {
            let found = Diagnostic::error(CODE, format!("the text `{name}` needs `{room}`, which is not given"));
            let found = found.mark(here, format!("has room for `{{{room}}}`"));
            let names: Vec<String> = given.iter().map(|name| format!("`{{{name}}}`")).collect();
            let other = match names.as_slice() {
                [] => String::new(),
                names => format!(", or write {} in `says.{name}`", names.join(" or ")),
            };
            ("text", "the text", found.help(format!("write `{room}: …` in the `#{{…}}`{other}")))
        }
        TextCategory::Question => ("question", "`ask`", sentence::unfilled_question(name, room).at(here)),
    };
    match did_you_mean(room, idle) {
        Some(meant) => found.help(format!("in {place}, {meant} It is given, and the {what} has no room for it")),
        None => found,
    }
}
