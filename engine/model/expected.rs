//! What the author knows of who wins before any game is played.

use super::{ComponentId, DecisionId, FieldId, KindId};

/// That seats win more with some things than with others: by design, and so no news.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expected {
    /// With which things.
    pub what: Subject,
    /// Which of them are the better ones.
    pub by: Bias,
}

/// What something is expected of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The components of a kind, when they are acquired.
    Kind(KindId),
    /// One component.
    Component(ComponentId),
    /// The options of a decision, when they are picked.
    Decision(DecisionId),
}

/// Which things are expected to be better than their like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bias {
    /// Those with more of a printed number.
    Field(FieldId),
    /// Larger numbers, where options are numbers.
    Number,
    /// This one.
    Strong,
    /// All others.
    Weak,
}
