//! `no-effect`: what is evaluated and dropped, and what is given a name and never used.

use super::super::program::{Code, Program};
use super::unreachable::unreachable;
use crate::diagnostic::{Diagnostic, Place, Source};
use crate::library::{Effects, changes_in_place};
use crate::syntax::{
    BinaryOp, Expr, ExprKind, Name, Node, Segment, Span, Statement, StatementKind, each_expr, each_expr_in, each_node,
    each_statement,
};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Looks at every function.
pub(crate) fn idle(program: &Program<'_>, found: &mut Vec<Diagnostic>) {
    for code in &program.codes {
        let reader = EffectReader { program, source: code.source };
        reader.sequences(&code.tree.body.statements, is_only_step(program, code), found);
        unused_variables(code, found);
    }
}

/// Looks at a text of a play, in which a last statement may be the result.
pub(crate) fn idle_in_text(program: &Program<'_>, code: &Code<'_>, found: &mut Vec<Diagnostic>) {
    let is_statement = code.source.text.trim_end().trim_end_matches('}').trim_end().ends_with(';');
    let reader = EffectReader { program, source: code.source };
    reader.sequences(&code.tree.body.statements, is_statement, found);
}

/// Whether a function is a step of the flow, and nothing else: what it returns is for nobody.
fn is_only_step(program: &Program<'_>, code: &Code<'_>) -> bool {
    let named = || program.model.flow.named.iter().filter(|named| *named.call.function == *code.name());
    named().next().is_some() && named().all(|named| named.is_step) && program.to(code.name()).next().is_none()
}

struct EffectReader<'r, 'a> {
    program: &'r Program<'a>,
    source: &'r Arc<Source>,
}

impl EffectReader<'_, '_> {
    /// Looks at statements and at all blocks within them; `is_dropped` where the result of the last one is for nobody.
    fn sequences(&self, statements: &[Statement], is_dropped: bool, found: &mut Vec<Diagnostic>) {
        self.sequence(statements, is_dropped, found);
        // The result of the body of a loop is for nobody; that of a text that is a block as a whole is that of the block.
        let whole = statements.iter().filter(|_| is_dropped).map(|statement| statement.span);
        let mut dropped: Vec<Span> = whole.collect();
        each_node(statements, &mut |node| match node {
            Node::Expr(expr) => match &expr.kind {
                ExprKind::For { body, .. } | ExprKind::While { body, .. } | ExprKind::DoWhile { body, .. } => {
                    dropped.push(body.span);
                }
                _ => {}
            },
            Node::Block(block) => self.sequence(&block.statements, dropped.contains(&block.span), found),
            Node::Statement(_) => {}
        });
    }

    fn sequence(&self, statements: &[Statement], is_dropped: bool, found: &mut Vec<Diagnostic>) {
        unreachable(self.source, statements, found);
        let count = statements.len() - usize::from(!is_dropped && !statements.is_empty());
        found.extend(statements[..count].iter().filter_map(|statement| self.without_effect(statement)));
    }

    fn without_effect(&self, statement: &Statement) -> Option<Diagnostic> {
        let StatementKind::Expr(expr) = &statement.kind else { return None };
        let is_named = matches!(&expr.kind, ExprKind::Name(name) if self.program.code(name).is_some());
        if is_named || !self.is_idle(expr) {
            return None;
        }
        let found = Diagnostic::warning("no-effect", "this is evaluated, and nothing is done with it")
            .mark(Place::word_at(self.source, statement.span.range().start), "has no effect");
        Some(match &expr.kind {
            ExprKind::Binary { op: BinaryOp::Equal, .. } => found.help("write `=` to set"),
            _ => found.help("take it out, or use what it returns"),
        })
    }

    /// Whether working an expression out changes nothing: every call in it only looks.
    fn is_idle(&self, expr: &Expr) -> bool {
        let mut is_idle = true;
        each_expr_in(expr, &mut |expr| {
            is_idle &= match &expr.kind {
                ExprKind::Call { name, .. } | ExprKind::Method { name, .. } => self.only_looks(name),
                ExprKind::Template(segments) => segments.iter().all(|one| matches!(one, Segment::Text(_))),
                ExprKind::Missing
                | ExprKind::Closure { .. }
                | ExprKind::Block(_)
                | ExprKind::If { .. }
                | ExprKind::Switch { .. }
                | ExprKind::While { .. }
                | ExprKind::DoWhile { .. }
                | ExprKind::For { .. } => false,
                _ => true,
            };
        });
        is_idle
    }

    /// Whether a function is one of the language that only looks.
    fn only_looks(&self, name: &Name) -> bool {
        let words = self.program.language.functions(&name.text);
        !words.is_empty()
            && words.iter().all(|word| word.effects == Effects::NONE)
            && !changes_in_place(&name.text)
            && self.program.code(&name.text).is_none()
    }
}

/// Names that are given and never said again.
fn unused_variables(code: &Code<'_>, found: &mut Vec<Diagnostic>) {
    let statements = &code.tree.body.statements;
    let mut said = FxHashSet::default();
    each_expr(statements, &mut |expr| {
        if let ExprKind::Name(name) = &expr.kind {
            said.insert(name);
        }
    });
    each_statement(statements, &mut |statement| {
        let StatementKind::Let { name, value } = &statement.kind else { return };
        if said.contains(&name.text) || name.text.starts_with('_') {
            return;
        }
        let unused = Diagnostic::warning("no-effect", format!("nothing uses `{}`", name.text))
            .mark(code.at(name.span), "named nowhere else in the function");
        found.push(if value.as_ref().is_some_and(has_call) {
            unused.help(format!("use it, or leave out `let {} =`", name.text))
        } else {
            unused.help("use it, or take the line out")
        });
    });
}

/// Whether something is called to work an expression out.
fn has_call(expr: &Expr) -> bool {
    let mut has_call = false;
    each_expr_in(expr, &mut |expr| {
        has_call |= matches!(expr.kind, ExprKind::Call { .. } | ExprKind::Method { .. });
    });
    has_call
}
