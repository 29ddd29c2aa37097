//! Advantages that the author intends, so that reports do not present them as findings.

use super::{ComponentId, DecisionId, FieldId, KindId};

/// An intended advantage: seats win more often with some things than with others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expected {
    /// The things that are compared.
    pub what: Subject,
    /// Which of them are the better ones.
    pub by: Bias,
}

/// Things whose effect on winning is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// Components of a kind, when a seat acquires them.
    Kind(KindId),
    /// One component.
    Component(ComponentId),
    /// Options of a decision, when a seat picks them.
    Decision(DecisionId),
}

/// Which things are expected to be better than the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bias {
    /// Things with a larger printed number in this field.
    Field(FieldId),
    /// Larger numbers, for options that are numbers.
    Number,
    /// This one is better than the others.
    Strong,
    /// This one is worse than the others.
    Weak,
}
