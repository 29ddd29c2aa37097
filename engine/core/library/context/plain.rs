//! Plain values, which rules can store, compare and show.

use super::fault::{Answer, Failure, Fault};
use crate::decision::{Choice, Value};

/// Describes a value for a message.
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

/// Like [`describe`], but takes a [`Value`].
pub(crate) fn describe_value(value: &Value) -> String {
    describe(&Choice::from_value(value).unwrap_or_default())
}

/// Converts a value to a [`Choice`].
///
/// # Errors
/// `wrong-value` if the value cannot be stored or compared, such as a closure.
pub(crate) fn plain(given: &Value) -> Answer<Choice> {
    Choice::from_value(given).ok_or_else(|| not_plain(given))
}

/// Checks that a value is plain: that rules can store, compare and show it.
///
/// # Errors
/// `wrong-value` if the value is not plain.
#[inline]
pub(crate) fn check_plain(given: &Value) -> Answer<()> {
    let is_common = matches!(given, Value::Text(_) | Value::Number(_) | Value::Seat(_) | Value::Component(_));
    if is_common || given.is_plain() { Ok(()) } else { Err(not_plain(given)) }
}

/// Label for a value that is not plain.
pub(crate) const NOT_PLAIN: &str = "not a number, a word, a flag or a thing of the game";

#[cold]
fn not_plain(given: &Value) -> Box<Failure> {
    let message = format!("{} cannot be stored or compared", given.kind());
    Fault::new("wrong-value", message, NOT_PLAIN).into()
}
