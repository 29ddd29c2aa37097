//! Results of library calls.

use crate::decision::{Choice, Decision, ENTRY_BYTES, Type, Value};

/// Result of a library call.
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

/// A question that a library function asks, and the state with which the function continues after the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PendingQuestion {
    pub(super) decision: Decision,
    pub(super) then: Then,
    /// Type of the collection in which picked things are returned.
    pub(super) several: Type,
}

impl PendingQuestion {
    /// Estimates the number of bytes that the question takes.
    pub(crate) fn size(&self) -> usize {
        let left = if let Then::Order { left } = &self.then { left.as_slice() } else { &[] };
        let things = [&*self.decision.among, &self.decision.picked, left].into_iter().flatten();
        self.decision.options.size() + things.map(|thing| thing.weight() * ENTRY_BYTES).sum::<usize>()
    }
}

/// Continuation of a library function after an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Then {
    /// The answer is the result.
    One,
    /// The answer is one of several picks.
    Some,
    /// The answer is the next thing in an order. `left` contains the remaining things. Indistinguishable ones are adjacent.
    Order { left: Vec<Choice> },
}
