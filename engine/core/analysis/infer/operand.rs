//! An expression together with its inferred type.

use super::super::types::Type;
use crate::syntax::Expr;

/// An operand of an operator, or an argument of a call.
#[derive(Clone, Copy)]
pub(super) struct Operand<'a> {
    pub expr: &'a Expr,
    /// Type of the expression.
    pub ty: Type,
}
