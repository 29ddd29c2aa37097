//! Functions of rules and agent scripts.

use crate::diagnostic::Place;
use std::sync::Arc;

/// A function defined in a script.
#[derive(Debug, Clone)]
pub struct RuleFunction {
    /// Name of the function.
    pub name: String,
    /// Key by which calls refer to the function.
    pub key: Arc<str>,
    /// Number of parameters.
    pub arity: usize,
    /// Place of the function's name in its definition.
    pub place: Place,
}
