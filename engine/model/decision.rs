//! Declared decisions and announcements.

use super::{FamilyId, KindId, NamedFunction, Text};
use std::sync::Arc;

/// The name that stands for the seat that is asked, in the sentence that tells an answer.
pub const TELLS_SEAT: &str = "seat";

/// The name that stands for the whole answer, in the sentence that tells it.
pub const TELLS_CHOICE: &str = "choice";

/// What a part of an option ranges over; it decides how the part is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartType {
    /// Anything, written in full.
    Any,
    /// A number.
    Number,
    /// Yes or no.
    Flag,
    /// A word.
    Word,
    /// A seat.
    Seat,
    /// A component, or a piece by what is printed on it.
    Component,
    /// A piece.
    Piece,
    /// A space of any zone.
    Space,
    /// A zone or space of a family, written by its label.
    Family(FamilyId),
    /// A component or piece of a kind.
    Kind(KindId),
}

/// A point where a script asks a seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// The word for it in scripts and plays.
    pub id: Arc<str>,
    /// The question, as it is put to people, with the names of what it is about where they go.
    pub ask: Text,
    /// The names that `ask` has room for, in any language, beside that of the seat that is asked: rules say what they stand for when they ask.
    pub about: Vec<Arc<str>>,
    /// The sentence that tells an answer, with `{seat}` and the parts, or `{choice}`, where they go.
    pub tell: Option<Text>,
    /// Sentences for answers of several sorts, by the word that was chosen (`yes` or `no` of a confirmation) or a part that
    /// the answer has; the first that suits, and for which the answer has every part, tells it, and if none does, `tell`.
    pub tells: Vec<(Arc<str>, Text)>,
    /// Whether an answer is not told: only what comes of it is.
    pub is_quiet: bool,
    /// What passing is called, as something a player does: "stop there".
    pub pass: Option<Text>,
    /// The function of the rules that says what an option costs and gives.
    pub costs: Option<NamedFunction>,
    /// The function of the rules that says how good an option is for a seat that the rules play.
    pub automa: Option<NamedFunction>,
    /// The named parts of an option, in the order they are written.
    pub parts: Vec<(Arc<str>, PartType)>,
    /// Whether no other seat learns that it was asked, nor the answer.
    pub is_secret: bool,
    /// Whether a seat that has nothing to choose, and may pass, is asked all the same: then that it is asked tells nothing.
    pub is_always: bool,
}

/// A sentence a script may announce, with `{name}` where a fact goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Say {
    /// The word for it in scripts.
    pub id: Arc<str>,
    /// The sentence.
    pub text: Text,
}
