//! Finds the names that rules use without a dot, and the declarations of variables.

use crate::analysis::variables::{self, Variable, VariableEvent};
use crate::syntax::{Expr, Function, Name, Node, Span, Statement};
use std::sync::Arc;

/// Use of a name without a dot, or declaration of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NameUse {
    /// Name of the variable or of another object that can be used without a dot.
    pub name: Arc<str>,
    /// Span of the name.
    pub span: Span,
    /// Span of the variable's declaration; `None` if the name is not a variable.
    pub declaration: Option<Span>,
    /// Whether the variable is a parameter.
    pub is_param: bool,
}

/// Returns the names used without a dot in a function.
pub(super) fn name_uses(function: &Function) -> Vec<NameUse> {
    let mut uses = Vec::new();
    variables::visit_function(function, &mut |event, in_scope| uses.extend(to_use(&event, in_scope)));
    uses
}

/// Returns the names used without a dot in statements.
pub(super) fn name_uses_in_statements(statements: &[Statement]) -> Vec<NameUse> {
    let mut uses = Vec::new();
    variables::visit_statements(statements, &mut |event, in_scope| uses.extend(to_use(&event, in_scope)));
    uses
}

/// Converts a visitor event to a name use. Returns `None` if the event is the start or end of a scope.
fn to_use(event: &VariableEvent<'_>, in_scope: &[Variable<'_>]) -> Option<NameUse> {
    match *event {
        VariableEvent::Declared(Variable { name: Name { text, span }, is_param }) => {
            Some(NameUse { name: text.clone(), span: *span, declaration: Some(*span), is_param })
        }
        VariableEvent::Used { name, span, .. } => {
            let found = in_scope.iter().rev().find(|variable| variable.name.text == *name);
            let (declaration, is_param) = found.map_or((None, false), |found| (Some(found.name.span), found.is_param));
            Some(NameUse { name: name.clone(), span, declaration, is_param })
        }
        VariableEvent::Starts(_) | VariableEvent::Ends(_) => None,
    }
}

/// Returns the variables in scope at a byte offset of a function, from the outermost to the innermost.
pub(super) fn variables_at(function: &Function, at: usize) -> Vec<Arc<str>> {
    let mut found = Vec::new();
    variables::visit_function(function, &mut |event, in_scope| record_scope(&mut found, at as u32, &event, in_scope));
    found
}

/// Returns the variables in scope at a byte offset of statements, from the outermost to the innermost.
pub(super) fn variables_in(statements: &[Statement], at: usize) -> Vec<Arc<str>> {
    let mut found = Vec::new();
    variables::visit_statements(statements, &mut |event, in_scope| {
        record_scope(&mut found, at as u32, &event, in_scope);
    });
    found
}

/// Updates the variables in scope at an offset. Events are visited in order, so the innermost span that contains the offset comes last and
/// wins.
fn record_scope(found: &mut Vec<Arc<str>>, at: u32, event: &VariableEvent<'_>, in_scope: &[Variable<'_>]) {
    let is_here = match event {
        VariableEvent::Starts(span) => span.start <= at && at <= span.end,
        VariableEvent::Ends(span) => at >= span.end,
        VariableEvent::Declared(_) | VariableEvent::Used { .. } => false,
    };
    if is_here {
        *found = in_scope.iter().map(|variable| variable.name.text.clone()).collect();
    }
}

/// Returns all expressions of a function, outer ones before inner ones.
pub(super) fn expressions<'t>(function: &'t Function) -> Vec<&'t Expr> {
    let mut found = Vec::new();
    function.each_node(&mut |node: Node<'t>| {
        if let Node::Expr(expr) = node {
            found.push(expr);
        }
    });
    found
}
