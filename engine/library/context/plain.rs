//! Plain values: what rules can keep, compare and be shown.

use super::fault::{Answer, Failure, Fault};
use crate::decision::{Choice, Value};

/// What sort of thing it is, for messages.
pub(crate) fn describe(choice: &Choice) -> String {
    match choice {
        Choice::Nothing => "nothing".to_owned(),
        Choice::Flag(flag) => format!("`{flag}`"),
        Choice::Number(number) => format!("`{number}`"),
        Choice::Word(word) => format!("`\"{word}\"`"),
        Choice::Seat(_) => "a seat".to_owned(),
        Choice::Zone(_) => "a zone".to_owned(),
        Choice::Space(_) => "a space".to_owned(),
        Choice::Component(_) => "a component".to_owned(),
        Choice::Piece(_) => "a piece".to_owned(),
        Choice::Parts(_) => "a map".to_owned(),
        Choice::Many(_) => "a list".to_owned(),
    }
}

/// The same of a value.
pub(crate) fn describe_value(value: &Value) -> String {
    describe(&Choice::from_value(value).unwrap_or_default())
}

/// What a script gave, as a plain value.
pub(crate) fn plain(given: &Value) -> Answer<Choice> {
    Choice::from_value(given).ok_or_else(|| not_plain(given))
}

/// Refuses what is no plain value.
pub(crate) fn check_plain(given: &Value) -> Answer<()> {
    if given.is_plain() { Ok(()) } else { Err(not_plain(given)) }
}

/// What the words under the caret say of what is no plain value.
pub(crate) const NOT_PLAIN: &str = "neither a number, a word, a flag nor a thing of the game";

#[cold]
fn not_plain(given: &Value) -> Box<Failure> {
    let message = format!("{} cannot be kept or compared", given.kind());
    Fault::new("wrong-value", message, NOT_PLAIN).into()
}
