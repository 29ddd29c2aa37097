//! Data for tracing a mistake about a parameter back to the calls that pass the wrong argument.

use super::types::{Tags, Type};
use crate::diagnostic::Diagnostic;
use crate::syntax::Expr;

/// A mistake about a parameter of a function.
pub(crate) struct Blame {
    /// Index of the function.
    pub function: usize,
    /// Index of the function's parameter.
    pub param: usize,
    /// Whether a part of the argument is wrong, rather than the argument itself.
    pub is_part: bool,
    /// Tags that the argument has but must not have.
    pub bad: Tags,
    /// The diagnostic at the place where the parameter is used.
    pub found: Diagnostic,
}

/// A call of a rule function.
pub(crate) struct Site<'a> {
    /// Index of the calling function.
    pub caller: usize,
    /// Index of the called function.
    pub called: usize,
    /// Argument expressions, with the receiver first. `None` if the function is called through a field or by a trigger.
    pub arguments: Option<&'a [Expr]>,
    /// The types of the arguments.
    pub types: Vec<Type>,
}
