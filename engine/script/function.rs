//! The functions of rules and of agents' files by name.

use crate::diagnostic::Place;

/// A function of the rules.
#[derive(Debug, Clone)]
pub struct RuleFunction {
    /// Its name.
    pub name: String,
    /// How many parameters it takes.
    pub arity: usize,
    /// Where its name is written.
    pub place: Place,
}
