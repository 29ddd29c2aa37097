//! Types of closures in calls: their arguments and results, and the number of arguments of stored closures.

use super::super::mistakes;
use super::super::types::{Tags, Type};
use super::call::{Bound, function_in};
use super::inference::Inference;
use super::operand::Operand;
use super::walk::Walk;
use crate::decision::Type as Tag;
use crate::diagnostic::Diagnostic;
use crate::library::{BuiltinCode, Entry, Form, LoopCode, Pattern, builtin_codes};
use crate::syntax::{BinaryOp, CallForm, Expr, ExprKind, Name, Statement, StatementKind, each_expr};

impl<'a> Walk<'_, 'a> {
    /// Checks `object.call(…)`: `object` must be a closure that takes this number of arguments.
    pub(super) fn check_stored_closure(
        &mut self,
        name: &'a Name,
        Operand { expr: object, ty }: Operand<'a>,
        passed: usize,
    ) {
        let bad = self.bad(ty, Tags::new(&[Tag::Function]));
        if bad.has(Tag::Nothing) {
            return self.report_for(
                object,
                bad,
                mistakes::nothing_here(&name.text, self.tags(ty), self.place(name.span)),
            );
        }
        if !bad.is_empty() {
            return self.report_for(object, bad, mistakes::not_a_function(bad, self.place(object.span)));
        }
        let ExprKind::Name(variable) = &object.kind else { return };
        let takes = self.env.find(variable).and_then(|at| self.env.variables[at].takes);
        if let Some(takes) = takes.filter(|takes| *takes != passed) {
            self.report(mistakes::wrong_number_for_kept(takes, passed, self.place(name.span)));
        }
    }

    /// Analyzes a closure with the types of its arguments, and checks the type of its result.
    pub(super) fn bind_closure(
        &mut self,
        one: &'static Entry,
        at: usize,
        params: &'a [Name],
        body: &'a Statement,
        expr: &'a Expr,
        bound: &mut Bound,
    ) {
        let Some((takes, result)) = function_with_arity(&one.takes[at], params.len()) else {
            self.closure(params, body, &[]);
            return;
        };
        if takes.len() != params.len() {
            let found = mistakes::wrong_function(&one.name, takes.len(), params.len(), self.place(expr.span));
            self.report(found);
        }
        let types: Vec<Type> = takes.iter().map(|pattern| self.pattern_type(pattern, bound)).collect();
        let ty = self.closure(params, body, &types);
        if one.code == Some(BuiltinCode::Loop(LoopCode::Reduce)) && one.takes.len() == 2 {
            self.check_reduce(params, body, &types);
        }
        let bad = self.refused(result, ty, bound);
        if !bad.is_empty() && self.inference.types.is_known(ty) {
            let wanted = self.accepted(result, bound);
            let value = value_of(body);
            let found = mistakes::wrong_result_of_function(
                wanted,
                bad,
                self.place(value.map_or(body.span, |value| value.span)),
            );
            match value {
                Some(value) => self.report_for(value, bad, found),
                None => self.report(found),
            }
        }
        self.bind(result, ty, expr, bound);
        let is_of_entries = takes.first() == Some(&Pattern::Variable('T'));
        let own = builtin_codes(Form::Function, &one.name).and_then(|own| own.looped);
        if is_of_entries
            && own.is_some_and(|own| matches!(own.code, LoopCode::Filter | LoopCode::Find))
            && let Some(left) = self.type_if_accepted(params, body, &types)
        {
            bound.narrow('T', left);
        }
    }

    /// Checks `reduce` without an initial value. The accumulator is `()` at first. If the closure fails on `()` and has
    /// no branches, it always fails.
    fn check_reduce(&mut self, params: &'a [Name], body: &'a Statement, types: &[Type]) {
        if !self.reports || self.env.is_dead || !is_branchless(body) {
            return;
        }
        let mut at_first = types.to_vec();
        at_first[0] = Type::NOTHING;
        let Inference { found, blames, sites, .. } = &*self.inference;
        let (known, blamed, called) = (found.len(), blames.len(), sites.len());
        self.closure(params, body, &at_first);
        self.inference.blames.truncate(blamed);
        self.inference.sites.truncate(called);
        let more = self.inference.found.split_off(known);
        let is_new = |one: &Diagnostic| self.inference.found.iter().all(|known| known.marks != one.marks);
        if let Some(one) = more.into_iter().find(is_new) {
            let names: Vec<&str> = params.iter().map(|param| &*param.text).collect();
            let help = format!(
                "`{}` is `()` at first: give what to begin with, as in `reduce(|{}| …, 0)`",
                names[0],
                names.join(", ")
            );
            self.report(one.help(help));
        }
    }
}

/// Returns whether the body of a closure has no branches.
fn is_branchless(body: &Statement) -> bool {
    let mut is_branchless = true;
    each_expr(std::slice::from_ref(body), &mut |expr| {
        is_branchless &= match &expr.kind {
            ExprKind::Binary { op, .. } => !matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Coalesce),
            ExprKind::Field { is_optional, .. }
            | ExprKind::Index { is_optional, .. }
            | ExprKind::Method { is_optional, .. } => !is_optional,
            ExprKind::OwnCall { form, .. } => *form != CallForm::OptionalMethod,
            ExprKind::If { .. }
            | ExprKind::Switch { .. }
            | ExprKind::While { .. }
            | ExprKind::DoWhile { .. }
            | ExprKind::For { .. }
            | ExprKind::Closure { .. } => false,
            _ => true,
        };
    });
    is_branchless
}

/// Returns the parameter patterns and the result pattern of a closure pattern. If several closure patterns are possible, prefers the one
/// with `count` parameters.
fn function_with_arity(pattern: &Pattern, count: usize) -> Option<(&[Pattern], &Pattern)> {
    let of_count = |one: &Pattern| function_in(one).is_some_and(|(takes, _)| takes.len() == count);
    match pattern {
        Pattern::Union(all) => all.iter().find(|one| of_count(one)).and_then(function_in),
        _ => None,
    }
    .or_else(|| function_in(pattern))
}

/// Returns the expression that the body of a closure ends with.
fn value_of(body: &Statement) -> Option<&Expr> {
    let StatementKind::Expr(expr) = &body.kind else { return None };
    match &expr.kind {
        ExprKind::Block(block) => block.statements.last().and_then(value_of),
        _ => Some(expr),
    }
}
