//! Functions of rules and agent scripts.

use crate::diagnostic::Place;
use std::sync::Arc;

/// A function defined in a script.
#[derive(Debug, Clone)]
pub struct RuleFunction {
    /// Name of the function.
    pub name: String,
    /// Key of the function, by which calls find it.
    pub key: Arc<str>,
    /// Number of parameters.
    pub arity: usize,
    /// Place of the function's name in its definition.
    pub place: Place,
}
