//! Advantages that the author intends, so that reports do not present them as findings.

use super::{ComponentId, DecisionId, FieldId, KindId};

/// An intended advantage: seats win more often with some components or options than with others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expected {
    /// The components or options that are compared.
    pub what: Subject,
    /// Criterion that tells which of the compared components or options are better.
    pub by: Bias,
}

/// Components or options whose effect on winning is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// Components of a kind, when a seat acquires them.
    Kind(KindId),
    /// One component.
    Component(ComponentId),
    /// Options of a decision, when a seat picks them.
    Decision(DecisionId),
}

/// Criterion for the components or options that are expected to be better than the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bias {
    /// Components with a larger number in this printed field are better.
    Field(FieldId),
    /// Larger numbers are better, for options that are numbers.
    Number,
    /// The component is better than the others of its kind.
    Strong,
    /// The component is worse than the others of its kind.
    Weak,
}
