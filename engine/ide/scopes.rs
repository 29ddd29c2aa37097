//! Variables of rules: where each is given its name, and where it is used.

use crate::analysis::variables::{self, Met, Variable};
use crate::syntax::{Expr, Function, Name, Node, Span, Statement};
use std::sync::Arc;

/// A name that stands alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Use {
    /// The name.
    pub name: Arc<str>,
    /// Where it stands.
    pub span: Span,
    /// Where the variable it stands for got its name; nothing for what is no variable.
    pub given: Option<Span>,
    /// Whether that is a parameter.
    pub is_param: bool,
}

/// The names that stand alone in a function.
pub(super) fn in_function(function: &Function) -> Vec<Use> {
    let mut uses = Vec::new();
    variables::in_function(function, &mut |met, there| uses.extend(used(&met, there)));
    uses
}

/// The names that stand alone in statements.
pub(super) fn in_statements(statements: &[Statement]) -> Vec<Use> {
    let mut uses = Vec::new();
    variables::in_statements(statements, &mut |met, there| uses.extend(used(&met, there)));
    uses
}

/// The name that is met, if one is.
fn used(met: &Met<'_>, there: &[Variable<'_>]) -> Option<Use> {
    match *met {
        Met::Given(Variable { name: Name { text, span }, is_param }) => {
            Some(Use { name: text.clone(), span: *span, given: Some(*span), is_param })
        }
        Met::Named { name, span, .. } => {
            let found = there.iter().rev().find(|variable| variable.name.text == *name);
            let (given, is_param) = found.map_or((None, false), |found| (Some(found.name.span), found.is_param));
            Some(Use { name: name.clone(), span, given, is_param })
        }
        Met::Begun(_) | Met::Ended(_) => None,
    }
}

/// The variables that are there at a byte of a function, inner ones last.
pub(super) fn variables_at(function: &Function, at: usize) -> Vec<Arc<str>> {
    let mut found = Vec::new();
    variables::in_function(function, &mut |met, there| note(&mut found, at as u32, &met, there));
    found
}

/// The variables that are there at a byte of some statements, inner ones last.
pub(super) fn variables_in(statements: &[Statement], at: usize) -> Vec<Arc<str>> {
    let mut found = Vec::new();
    variables::in_statements(statements, &mut |met, there| note(&mut found, at as u32, &met, there));
    found
}

/// Notes what is there, if a byte lies here: the innermost place wins, which comes last.
fn note(found: &mut Vec<Arc<str>>, at: u32, met: &Met<'_>, there: &[Variable<'_>]) {
    let is_here = match met {
        Met::Begun(span) => span.start <= at && at <= span.end,
        Met::Ended(span) => at >= span.end,
        Met::Given(_) | Met::Named { .. } => false,
    };
    if is_here {
        *found = there.iter().map(|variable| variable.name.text.clone()).collect();
    }
}

/// The expressions of a function that satisfy something, outer ones first.
pub(super) fn expressions<'t>(function: &'t Function) -> Vec<&'t Expr> {
    let mut found = Vec::new();
    function.each_node(&mut |node: Node<'t>| {
        if let Node::Expr(expr) = node {
            found.push(expr);
        }
    });
    found
}
