//! Functions of rules and agent scripts.

use crate::diagnostic::Place;

/// A function defined in a script.
#[derive(Debug, Clone)]
pub struct RuleFunction {
    /// Name of the function.
    pub name: String,
    /// Number of parameters.
    pub arity: usize,
    /// Place of its name in the definition.
    pub place: Place,
}
