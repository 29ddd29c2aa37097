//! `no-effect`: an expression whose value is discarded, or a variable that is never used.

use super::super::program::{Callee, Code, Program};
use super::unreachable::report_unreachable;
use super::unused_function::is_called_externally;
use crate::diagnostic::{Diagnostic, Place, Source};
use crate::library::{Effects, changes_in_place};
use crate::syntax::{
    BinaryOp, Expr, ExprKind, Name, Node, Segment, Span, Statement, StatementKind, each_expr, each_expr_in, each_node,
    each_statement,
};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Reports code without effect in all functions.
pub(crate) fn report_unused_code(program: &Program<'_>, found: &mut Vec<Diagnostic>) {
    let discarded = discarded_calls(program);
    for code in &program.codes {
        let reader = EffectReader { program, source: code.source };
        let is_dropped = is_only_step(program, code);
        reader.check_nested(&code.tree.body.statements, is_dropped, found);
        // A result that all callers discard is not a mistake. A comparison as the last statement, however, was probably meant to be an
        // assignment.
        if let Some(last) = code.tree.body.statements.last().filter(|last| !is_dropped && is_comparison(last))
            && is_result_discarded(program, code, &discarded)
        {
            found.extend(reader.without_effect(last));
        }
        report_unused_variables(code, found);
    }
}

/// Reports code without effect in a playscript, where the last statement may be the result.
pub(crate) fn report_in_playscript(program: &Program<'_>, code: &Code<'_>, found: &mut Vec<Diagnostic>) {
    let is_statement = code.source.text.trim_end().trim_end_matches('}').trim_end().ends_with(';');
    let reader = EffectReader { program, source: code.source };
    reader.check_nested(&code.tree.body.statements, is_statement, found);
}

/// Returns whether a function is used only as a step of the flow. The result of a step is discarded.
fn is_only_step(program: &Program<'_>, code: &Code<'_>) -> bool {
    let named = || program.model.flow.named.iter().filter(|named| *named.call.function == *code.name());
    named().next().is_some()
        && named().all(|named| named.is_step)
        && program.calls_to(Callee::Own(code.key())).next().is_none()
}

/// Returns whether a statement is only a comparison with `==`.
fn is_comparison(statement: &Statement) -> bool {
    let StatementKind::Expr(expr) = &statement.kind else { return false };
    matches!(expr.kind, ExprKind::Binary { op: BinaryOp::Equal, .. })
}

/// Returns whether a function is called only by statements that discard its result, and is not named in the data.
fn is_result_discarded(program: &Program<'_>, code: &Code<'_>, discarded: &FxHashSet<(usize, Span)>) -> bool {
    let mut calls = program.calls_to(Callee::Own(code.key())).peekable();
    calls.peek().is_some()
        && !is_called_externally(program, code)
        && calls.all(|call| discarded.contains(&(source_id(call.from.source), call.span)))
}

/// Returns the calls of rule functions whose result is discarded. A call is identified by its file and the span of the function's name.
fn discarded_calls(program: &Program<'_>) -> FxHashSet<(usize, Span)> {
    let mut found = FxHashSet::default();
    for code in &program.codes {
        let source = source_id(code.source);
        let mut add = |name: Span| {
            found.insert((source, name));
        };
        add_discarded(&code.tree.body.statements, false, &mut add);
        each_node(&code.tree.body.statements, &mut |node| {
            if let Node::Block(block) = node {
                add_discarded(&block.statements, false, &mut add);
            }
        });
    }
    found
}

/// Calls `add` with the span of the function name in each call of a rule function whose result the statements discard. `is_dropped` means
/// that the result of the last statement is also discarded.
fn add_discarded(statements: &[Statement], is_dropped: bool, add: &mut impl FnMut(Span)) {
    let count = statements.len() - usize::from(!is_dropped && !statements.is_empty());
    for statement in &statements[..count] {
        let StatementKind::Expr(expr) = &statement.kind else { continue };
        add_discarded_in(expr, add);
    }
}

fn add_discarded_in(expr: &Expr, add: &mut impl FnMut(Span)) {
    match &expr.kind {
        ExprKind::OwnCall { name, .. } => add(name.span),
        ExprKind::Block(block) => add_discarded(&block.statements, true, add),
        ExprKind::If { then, otherwise, .. } => {
            add_discarded(&then.statements, true, add);
            if let Some(otherwise) = otherwise {
                add_discarded_in(otherwise, add);
            }
        }
        ExprKind::For { body, .. } | ExprKind::While { body, .. } | ExprKind::DoWhile { body, .. } => {
            add_discarded(&body.statements, true, add);
        }
        _ => {}
    }
}

/// Identifies a file within a program.
fn source_id(source: &Arc<Source>) -> usize {
    Arc::as_ptr(source).addr()
}

struct EffectReader<'r, 'a> {
    program: &'r Program<'a>,
    source: &'r Arc<Source>,
}

impl EffectReader<'_, '_> {
    /// Checks statements and all nested blocks. `is_dropped` means that the result of the last statement is discarded.
    fn check_nested(&self, statements: &[Statement], is_dropped: bool, found: &mut Vec<Diagnostic>) {
        self.check_statements(statements, is_dropped, found);
        // The result of a loop body is discarded. The result of a block is discarded if the block is a statement by itself and the result
        // of this statement is discarded.
        let spans = statements.iter().filter(|_| is_dropped).map(|statement| statement.span);
        let mut dropped: Vec<Span> = spans.collect();
        each_node(statements, &mut |node| match node {
            Node::Expr(expr) => match &expr.kind {
                ExprKind::For { body, .. } | ExprKind::While { body, .. } | ExprKind::DoWhile { body, .. } => {
                    dropped.push(body.span);
                }
                _ => {}
            },
            Node::Block(block) => self.check_statements(&block.statements, dropped.contains(&block.span), found),
            Node::Statement(_) => {}
        });
    }

    fn check_statements(&self, statements: &[Statement], is_dropped: bool, found: &mut Vec<Diagnostic>) {
        report_unreachable(self.source, statements, found);
        let count = statements.len() - usize::from(!is_dropped && !statements.is_empty());
        found.extend(statements[..count].iter().filter_map(|statement| self.without_effect(statement)));
    }

    fn without_effect(&self, statement: &Statement) -> Option<Diagnostic> {
        let StatementKind::Expr(expr) = &statement.kind else { return None };
        let is_named = matches!(&expr.kind, ExprKind::Name(name) if self.program.code(name).is_some());
        if is_named || !self.is_pure(expr) {
            return None;
        }
        let found = Diagnostic::warning("no-effect", "the value of this expression is not used")
            .mark(Place::word_at(self.source, statement.span.range().start), "has no effect");
        Some(match &expr.kind {
            ExprKind::Binary { op: BinaryOp::Equal, .. } => found.help("write `=` to set"),
            _ => found.help("remove it, or use its result"),
        })
    }

    /// Returns whether evaluating an expression certainly has no effects. Calls of the game's own functions, closures and control flow
    /// never qualify. Calls of library functions must be read-only.
    fn is_pure(&self, expr: &Expr) -> bool {
        let mut is_pure = true;
        each_expr_in(expr, &mut |expr| {
            is_pure &= match &expr.kind {
                ExprKind::Call { name, .. } | ExprKind::Method { name, .. } => self.is_read_only(name),
                ExprKind::Template(segments) => segments.iter().all(|one| matches!(one, Segment::Text(_))),
                ExprKind::Missing
                | ExprKind::OwnCall { .. }
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
        is_pure
    }

    /// Returns whether `name` is a library function that is read-only in all its forms.
    fn is_read_only(&self, name: &Name) -> bool {
        let words = self.program.language.functions(&name.text);
        !words.is_empty() && words.iter().all(|word| word.effects == Effects::NONE) && !changes_in_place(&name.text)
    }
}

/// Reports variables that are never used.
fn report_unused_variables(code: &Code<'_>, found: &mut Vec<Diagnostic>) {
    let statements = &code.tree.body.statements;
    let mut used = FxHashSet::default();
    each_expr(statements, &mut |expr| {
        if let ExprKind::Name(name) = &expr.kind {
            used.insert(name);
        }
    });
    each_statement(statements, &mut |statement| {
        let StatementKind::Let { name, value } = &statement.kind else { return };
        if used.contains(&name.text) || name.text.starts_with('_') {
            return;
        }
        let unused = Diagnostic::warning("no-effect", format!("nothing uses `{}`", name.text))
            .mark(code.at(name.span), "not used elsewhere in the function");
        found.push(if value.as_ref().is_some_and(has_call) {
            unused.help(format!("use it, or remove `let {} =`", name.text))
        } else {
            unused.help("use it, or remove the line")
        });
    });
}

/// Returns whether an expression contains a call.
fn has_call(expr: &Expr) -> bool {
    let mut has_call = false;
    each_expr_in(expr, &mut |expr| {
        has_call |= matches!(expr.kind, ExprKind::Call { .. } | ExprKind::Method { .. } | ExprKind::OwnCall { .. });
    });
    has_call
}
