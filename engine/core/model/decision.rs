//! Declared decisions and announcements.

use super::{FamilyId, KindId, NamedFunction, Text};
use std::sync::Arc;

/// Placeholder for the deciding seat in the sentence that reports an answer.
pub const TELLS_SEAT: &str = "seat";

/// Placeholder for the whole answer in the sentence that reports the answer.
pub const TELLS_CHOICE: &str = "choice";

/// Type of a part of an option. It determines the notation of the part in playscripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartType {
    /// Any value, written in full.
    Any,
    /// A number.
    Number,
    /// A Boolean.
    Flag,
    /// A word.
    Word,
    /// A seat.
    Seat,
    /// A component, or a piece identified by its component.
    Component,
    /// A piece.
    Piece,
    /// A space of any zone.
    Space,
    /// A zone of the family, or a space in one of its zones. Playscripts write only the label.
    Family(FamilyId),
    /// A component or piece of the kind.
    Kind(KindId),
}

/// A point at which a script asks a seat to choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// Identifier in scripts and playscripts.
    pub id: Arc<str>,
    /// The question shown to people, with placeholders.
    pub ask: Text,
    /// Names of the placeholders in `ask`, over all languages, except the placeholder for the deciding seat. Rules supply their values when
    /// they ask.
    pub about: Vec<Arc<str>>,
    /// Sentence that reports an answer in the log, with the placeholders `{seat}`, `{choice}` and one for each part.
    pub tell: Option<Text>,
    /// Sentences for certain answers, keyed by the chosen word (`yes` or `no` in confirmations) or by a part that the answer has.
    /// The first that matches and has all its placeholders filled is used; `tell` is the fallback.
    pub tells: Vec<(Arc<str>, Text)>,
    /// Whether the log omits the answer and shows only its effects.
    pub is_quiet: bool,
    /// Label for passing, as an action: "stop there".
    pub pass: Option<Text>,
    /// Rule function that returns the costs and gains of an option.
    pub costs: Option<NamedFunction>,
    /// Rule function that rates an option for a seat that is played by the rules.
    pub automa: Option<NamedFunction>,
    /// Named parts of an option, in the order in which they are written.
    pub parts: Vec<(Arc<str>, PartType)>,
    /// Whether the question and its answer are hidden from other seats.
    pub is_secret: bool,
    /// Whether a seat is asked even if passing is its only option. Being asked then reveals nothing to the others.
    pub is_always: bool,
}

/// A sentence that scripts can announce, with a placeholder `{name}` for each fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Say {
    /// Identifier in scripts.
    pub id: Arc<str>,
    /// The sentence.
    pub text: Text,
}
