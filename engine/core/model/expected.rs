//! Advantages that the author intends, so that reports do not present them as findings.

use super::{ComponentId, DecisionId, FieldId, KindId};

/// An intended advantage: seats win more often with some things than with others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expected {
    /// The things that are compared.
    pub what: Subject,
    /// Criterion that tells which of the compared things are better.
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

/// Criterion for the things that are expected to be better than the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bias {
    /// Things with a larger number in this printed field are better.
    Field(FieldId),
    /// Larger numbers are better, for options that are numbers.
    Number,
    /// The component is better than the others of its kind.
    Strong,
    /// The component is worse than the others of its kind.
    Weak,
}
