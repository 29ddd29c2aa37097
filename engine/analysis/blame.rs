//! Who is to blame where a parameter is of a type that the function can do nothing with: the calls that give it so.

use super::types::{Tags, Type};
use crate::diagnostic::Diagnostic;
use crate::syntax::Expr;

/// Something wrong with a parameter of a function.
pub(crate) struct Blame {
    /// The function.
    pub function: usize,
    /// Its parameter.
    pub param: usize,
    /// Whether it is a part of it that is wrong.
    pub is_part: bool,
    /// What it is and must not be.
    pub bad: Tags,
    /// What is said of it where it is used.
    pub found: Diagnostic,
}

/// A call of a function of the rules.
pub(crate) struct Site<'a> {
    /// The function that calls.
    pub caller: usize,
    /// The function that is called.
    pub called: usize,
    /// What it is given, where that is written in brackets.
    pub arguments: Option<&'a [Expr]>,
    /// The types of what it is given.
    pub types: Vec<Type>,
}
