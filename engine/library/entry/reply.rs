//! What a call of a function results in.

use crate::decision::{Choice, Decision, Type, Value};

/// What a call of a function results in.
#[derive(Debug)]
pub(crate) enum Reply {
    /// A value.
    Value(Value),
    /// A question that a seat has to answer first.
    Question(Box<PendingQuestion>),
}

impl From<Value> for Reply {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

/// A function that waits for an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PendingQuestion {
    pub(super) decision: Decision,
    pub(super) then: Then,
    /// What several of the options are.
    pub(super) several: Type,
}

/// What a function does with an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Then {
    /// It is the result.
    One,
    /// It is one of several that are picked.
    Some,
    /// It is the next of all of them: of these, in which alike ones stand together.
    Order { left: Vec<Choice> },
}
