//! Why something is `()`: what an expression is, or what its variable was given, that results in nothing.

use super::inference::Tree;
use super::walk::Walk;
use crate::syntax::{Expr, ExprKind, Statement, StatementKind, each_statement};

impl<'a> Walk<'_, 'a> {
    /// What to do about an expression that is `()`, where what it was given shows why.
    pub(super) fn why_nothing(&self, expr: &'a Expr) -> Option<String> {
        let value = self.given_last(expr);
        match &value.kind {
            ExprKind::Switch { .. } if self.open_switches.contains(&value.span) => {
                Some("add a case for everything else: `_ => …`".to_owned())
            }
            _ => None,
        }
    }

    /// What a variable was given last before it stands there, or the expression itself.
    fn given_last(&self, expr: &'a Expr) -> &'a Expr {
        let ExprKind::Name(name) = &expr.kind else { return expr };
        let statements = match self.inference.functions[self.at].tree {
            Tree::Function(function) => &function.body.statements[..],
            Tree::Text(statements, _) => statements,
            Tree::Settled => return expr,
        };
        let mut last: Option<&'a Expr> = None;
        each_statement(statements, &mut |statement: &'a Statement| {
            let value = match &statement.kind {
                StatementKind::Let { name: known, value: Some(value), .. } if known.text == *name => value,
                StatementKind::Assign { target, op: None, value, .. } if matches!(&target.kind, ExprKind::Name(known) if known == name) => {
                    value
                }
                _ => return,
            };
            if value.span.end <= expr.span.start && last.is_none_or(|last| last.span.start < value.span.start) {
                last = Some(value);
            }
        });
        last.unwrap_or(expr)
    }
}
