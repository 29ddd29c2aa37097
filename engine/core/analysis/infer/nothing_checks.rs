//! Tracks which expressions the rules have checked for `()`. Rules may use the result of a check in ways that types cannot follow, for
//! example by storing it in a flag or by returning it from a function. Once an expression has been checked anywhere, a possible `()` is
//! therefore no longer reported.

use super::super::types::Type;
use super::environment::{Question, Variable, root_of};
use super::inference::{AskedParts, Inference, Tree};
use super::walk::Walk;
use crate::syntax::{BinaryOp, CallForm, Expr, ExprKind, Function, Statement, each_expr};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::Arc;

/// A parameter that a function passes to another function, possibly followed by a chain of fields and indices.
struct PassedParam<'a> {
    from: (usize, usize),
    to: (usize, usize),
    part: Cow<'a, str>,
}

/// Suffix that represents the entries of a list.
const ENTRIES_SUFFIX: &str = "[]";

/// Maximum number of calls through which a check is followed.
const MAX_DEPTH: usize = 4;

impl<'a> Walk<'_, 'a> {
    /// Records that an expression is checked for `()`.
    pub(super) fn record_check(&mut self, expr: &'a Expr, ty: Type) {
        if self.inference.types.may_be_nothing(ty) {
            self.record_part_check(expr, "");
        }
    }

    /// Records a check for `()`. The checked expression is `expr` with `part`, such as `.owner`, appended to its source text.
    fn record_part_check(&mut self, expr: &'a Expr, part: &str) {
        match &expr.kind {
            ExprKind::Name(name) if part.is_empty() && self.env.find(name).is_some() => {
                let variable = self.env.find(name).map(|at| &mut self.env.variables[at]);
                mark_checked(variable.expect("it has been found"));
            }
            ExprKind::Name(_)
            | ExprKind::Field { .. }
            | ExprKind::Index { .. }
            | ExprKind::Call { .. }
            | ExprKind::Method { .. }
            | ExprKind::OwnCall { .. } => {
                let place = without_question_marks(self.text(expr.span));
                self.env.mark_checked(if part.is_empty() { place } else { Cow::Owned(format!("{place}{part}")) });
            }
            _ => {}
        }
    }

    /// Records that the entries of a list are checked for `()`.
    pub(super) fn record_entry_check(&mut self, list: &'a Expr, ty: Type) {
        let Some(entries) = self.inference.types.entries(ty) else { return };
        let entries = self.types().soften_nothing(entries);
        let ty = self.types().with_entries(ty, entries);
        match &list.kind {
            ExprKind::Name(name) => {
                if let Some(at) = self.env.find(name) {
                    self.env.variables[at].ty = ty;
                }
            }
            ExprKind::Field { .. } | ExprKind::Index { .. } => {
                let text = self.text(list.span);
                self.env.learn(text, ty);
            }
            _ => {}
        }
    }

    /// Records that the entries of a list are checked, if `body` checks the variable `each`, which stands for each entry in turn.
    pub(super) fn record_loop_check(&mut self, list: &'a Expr, ty: Type, body: &'a [Statement], each: &str) {
        let may_be = |entries: Type| self.inference.types.may_be_nothing(entries);
        if self.inference.types.entries(ty).is_some_and(may_be) && self.is_asked_in(body, each) {
            self.record_entry_check(list, ty);
        }
    }

    fn is_asked_in(&self, statements: &'a [Statement], name: &str) -> bool {
        let mut is_asked = false;
        each_expr(statements, &mut |expr| {
            is_asked |= checked_expression(expr).is_some_and(|asked| is_named(asked, name));
            if let ExprKind::OwnCall { key, arguments, .. } = &expr.kind
                && let Some(at) = self.inference.by_key.get(&**key)
            {
                let asks = &self.inference.functions[*at].asks;
                let mut all = asks.iter().zip(arguments);
                is_asked |= all.any(|(asked, argument)| is_named(argument, name) && asked.contains(&Arc::from("")));
            }
        });
        is_asked
    }

    /// Records the checks that a called function makes of its arguments.
    pub(super) fn record_callee_checks(&mut self, at: usize, arguments: &'a [Expr], types: &[Type]) {
        let asks = self.inference.functions[at].asks.clone();
        for ((parts, argument), ty) in asks.iter().zip(arguments).zip(types) {
            for part in parts {
                if **part == *ENTRIES_SUFFIX {
                    self.record_entry_check(argument, *ty);
                } else {
                    self.record_part_check(argument, part);
                }
            }
        }
    }

    /// Returns the type of an expression, taking into account whether it has been checked.
    pub(super) fn type_after_check(&mut self, expr: &'a Expr, ty: Type) -> Type {
        if self.env.asked.is_empty() || self.is_raw || self.env.fact(self.text(expr.span)) == Some(Type::NOTHING) {
            return ty;
        }
        let place = without_question_marks(self.text(expr.span));
        if self.env.is_asked(&place) { self.types().soften_optional(ty) } else { ty }
    }
}

impl<'a> Inference<'a> {
    /// Determines which parameters, and which expressions that begin with a parameter, each function checks for `()`.
    pub(super) fn find_checks(&mut self) {
        let mut passed: Vec<PassedParam<'a>> = Vec::new();
        for at in 0..self.functions.len() {
            if let Tree::Function(function) = self.functions[at].tree {
                self.functions[at].asks = self.checks_in(at, function);
                self.collect_passed(at, function, &mut passed);
            }
        }
        // Each round propagates the checks of functions to their callers.
        for _ in 0..MAX_DEPTH {
            for PassedParam { from, to, part } in &passed {
                let more: Vec<Arc<str>> = self.functions[to.0].asks.get(to.1).cloned().unwrap_or_default();
                let asks = &mut self.functions[from.0].asks[from.1];
                for one in more.iter().map(|one| Arc::from(format!("{part}{one}"))) {
                    if !asks.contains(&one) {
                        asks.push(one);
                    }
                }
            }
        }
    }

    /// Returns, for each parameter, the expressions that the function itself checks for `()`.
    fn checks_in(&self, at: usize, function: &'a Function) -> AskedParts {
        let params = positions(function);
        let mut asks: AskedParts = vec![Vec::new(); function.params.len()];
        each_expr(&function.body.statements, &mut |expr| {
            let of_list = checked_list(expr).map(|asked| (asked, ENTRIES_SUFFIX));
            let all = checked_expression(expr).map(|asked| (asked, "")).into_iter().chain(of_list);
            for (asked, behind) in all {
                let Some((param, part)) = self.split_param(at, &params, asked) else { continue };
                let part: Arc<str> = format!("{part}{behind}").into();
                if !asks[param].contains(&part) {
                    asks[param].push(part);
                }
            }
        });
        asks
    }

    /// Collects the parameters, and the accesses that begin with a parameter, that a function passes to other functions of the rules.
    fn collect_passed(&self, at: usize, function: &'a Function, passed: &mut Vec<PassedParam<'a>>) {
        let params = positions(function);
        each_expr(&function.body.statements, &mut |expr| {
            let ExprKind::OwnCall { key, arguments, .. } = &expr.kind else { return };
            let Some(called) = self.by_key.get(&**key).copied() else { return };
            for (to, argument) in arguments.iter().enumerate() {
                if let Some((param, part)) = self.split_param(at, &params, argument) {
                    passed.push(PassedParam { from: (at, param), to: (called, to), part });
                }
            }
        });
    }

    /// Splits an expression into the parameter at its beginning and the text after it.
    fn split_param(&self, at: usize, params: &FxHashMap<&str, usize>, expr: &'a Expr) -> Option<(usize, Cow<'a, str>)> {
        let root = root_of(expr)?;
        let param = params.get(root).copied()?;
        let source: &'a crate::diagnostic::Source = self.sources[self.functions[at].source];
        let text = source.text.get(expr.span.range())?;
        Some((param, without_question_marks(text.strip_prefix(root)?)))
    }
}

fn mark_checked(variable: &mut Variable<'_>) {
    if variable.question == Question::Open {
        variable.question = Question::Asked;
    }
}

fn positions(function: &Function) -> FxHashMap<&str, usize> {
    function.params.iter().enumerate().map(|(at, param)| (&*param.text, at)).collect()
}

/// Returns the expression that `expr` checks for `()`, for example with `==`, `in`, `switch`, `??` or `?.`. Returns `None` if `expr` is not
/// a check.
fn checked_expression(expr: &Expr) -> Option<&Expr> {
    let is_unit = |expr: &Expr| matches!(expr.kind, ExprKind::Unit);
    match &expr.kind {
        ExprKind::Binary { op: BinaryOp::Equal | BinaryOp::Unequal, left, right, .. } => match (&**left, &**right) {
            (asked, unit) if is_unit(unit) => Some(asked),
            (unit, asked) if is_unit(unit) => Some(asked),
            _ => None,
        },
        ExprKind::Binary { op: BinaryOp::In | BinaryOp::NotIn | BinaryOp::Coalesce, left, .. } => Some(left),
        ExprKind::Field { receiver: of, is_optional: true, .. }
        | ExprKind::Index { receiver: of, is_optional: true, .. }
        | ExprKind::Method { receiver: of, is_optional: true, .. } => Some(of),
        ExprKind::OwnCall { arguments, form: CallForm::OptionalMethod, .. } => arguments.first(),
        ExprKind::Switch { subject, cases } => {
            cases.iter().flat_map(|case| &case.patterns).any(is_unit).then_some(&**subject)
        }
        _ => None,
    }
}

/// Returns the list whose entries `expr` checks for `()`. This is a loop or a method call with a closure that checks each entry, or a
/// search for `()` with `in`. Returns `None` for other expressions.
fn checked_list(expr: &Expr) -> Option<&Expr> {
    let asks = |body: &[Statement], each: &str| {
        let mut is_asked = false;
        each_expr(body, &mut |expr| is_asked |= checked_expression(expr).is_some_and(|asked| is_named(asked, each)));
        is_asked
    };
    match &expr.kind {
        ExprKind::Method { receiver: of, arguments, .. } => match arguments.first().map(|first| &first.kind) {
            Some(ExprKind::Closure { params, body }) => {
                let each = params.first()?;
                asks(std::slice::from_ref(body), &each.text).then_some(&**of)
            }
            _ => None,
        },
        ExprKind::For { name, list, body, .. } => asks(&body.statements, &name.text).then_some(&**list),
        ExprKind::Binary { op: BinaryOp::In | BinaryOp::NotIn, left, right, .. } => {
            matches!(left.kind, ExprKind::Unit).then_some(&**right)
        }
        _ => None,
    }
}

fn is_named(expr: &Expr, name: &str) -> bool {
    matches!(&expr.kind, ExprKind::Name(known) if **known == *name)
}

/// Returns the source text of an access expression without question marks, so that `a?.b` and `a.b` are equal.
fn without_question_marks(place: &str) -> Cow<'_, str> {
    if place.contains('?') { Cow::Owned(place.replace('?', "")) } else { Cow::Borrowed(place) }
}
