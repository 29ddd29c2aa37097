//! Narrows types by conditions, both where a condition holds and where it does not.

use super::super::types::{IdSet, Tags, Type};
use super::environment::{Question, Variable};
use super::walk::Walk;
use crate::decision::Type as Tag;
use crate::syntax::{BinaryOp, Expr, ExprKind, Name, Statement, StatementKind, UnaryOp};
use std::sync::Arc;

impl<'a> Walk<'_, 'a> {
    /// Narrows types under the assumption that a condition holds, or does not hold.
    pub(super) fn assume(&mut self, condition: &'a Expr, holds: bool) {
        match &condition.kind {
            ExprKind::Unary { op: UnaryOp::Not, operand } => self.assume(operand, !holds),
            ExprKind::Binary { op: BinaryOp::And, left, right, .. } => self.assume_both(left, right, holds),
            ExprKind::Binary { op: BinaryOp::Or, left, right, .. } => self.assume_either(left, right, holds),
            ExprKind::Binary { op: op @ (BinaryOp::Equal | BinaryOp::Unequal), left, right, .. } => {
                let is_same = (*op == BinaryOp::Equal) == holds;
                self.assume_same(left, right, is_same);
                self.assume_same(right, left, is_same);
            }
            ExprKind::Binary { op: op @ (BinaryOp::In | BinaryOp::NotIn), left, right, .. } => {
                self.assume_in(left, right, (*op == BinaryOp::In) == holds);
            }
            ExprKind::Flag(flag) if *flag != holds => self.env.is_dead = true,
            _ => {}
        }
    }

    fn assume_both(&mut self, left: &'a Expr, right: &'a Expr, holds: bool) {
        if holds {
            self.assume(left, true);
            self.assume(right, true);
            return;
        }
        self.assume_one_of((left, false), (right, false), (left, true));
    }

    fn assume_either(&mut self, left: &'a Expr, right: &'a Expr, holds: bool) {
        if !holds {
            self.assume(left, false);
            self.assume(right, false);
            return;
        }
        self.assume_one_of((left, true), (right, true), (left, false));
    }

    /// Assumes that at least one of two conditions has its given value. The second condition is evaluated only if the condition in `before`
    /// has its given value.
    fn assume_one_of(&mut self, one: (&'a Expr, bool), other: (&'a Expr, bool), before: (&'a Expr, bool)) {
        let start = self.env.clone();
        self.assume(one.0, one.1);
        let mut after = std::mem::replace(&mut self.env, start);
        self.assume(before.0, before.1);
        self.assume(other.0, other.1);
        let env = std::mem::take(&mut self.env);
        self.join_into(&mut after, &env);
        self.env = after;
    }

    /// Returns the type of a closure's first parameter, under the assumption that the closure returns `true`. Returns `None` if this type
    /// is unknown.
    pub(super) fn type_if_accepted(&mut self, params: &'a [Name], body: &'a Statement, types: &[Type]) -> Option<Type> {
        let StatementKind::Expr(condition) = &body.kind else { return None };
        let ty = *types.first()?;
        let name: &'a str = &params.first()?.text;
        if !self.inference.types.is_known(ty) || ty == Type::NEVER {
            return None;
        }
        let before = self.env.clone();
        self.env.forget(name);
        let at = self.env.variables.len();
        self.env.variables.push(Variable::new(name, ty));
        self.assume(condition, true);
        let left = self.env.variables[at].ty;
        self.env = before;
        (left != Type::NEVER).then_some(left)
    }

    /// Narrows `expr` under the assumption that it equals `other`, or does not equal `other` if `is_same` is not set.
    fn assume_same(&mut self, expr: &'a Expr, other: &'a Expr, is_same: bool) {
        match &other.kind {
            ExprKind::Unit => {
                let ty = self.type_without_reports(expr);
                let left = if is_same { self.types().only_nothing(ty) } else { self.types().without_nothing(ty) };
                self.record_check(expr, ty);
                self.narrow_to(expr, left);
                if is_same {
                    self.mark_nothing(expr);
                }
            }
            ExprKind::Text(word) => self.assume_word(expr, std::slice::from_ref(word), is_same),
            ExprKind::Number(_) | ExprKind::Flag(_) if is_same => {
                let ty = self.type_without_reports(expr);
                let there = self.types().without_nothing(ty);
                self.narrow_to(expr, there);
            }
            ExprKind::Name(_) | ExprKind::Field { .. } | ExprKind::Call { .. } | ExprKind::OwnCall { .. }
                if is_same =>
            {
                let wanted = self.type_without_reports(other);
                if self.inference.types.is_known(wanted) && !self.inference.types.may_be_nothing(wanted) {
                    let ty = self.type_without_reports(expr);
                    let there = self.types().without_nothing(ty);
                    self.narrow_to(expr, there);
                }
            }
            _ => {}
        }
    }

    /// Narrows an expression to `words` if `is_one` is set, otherwise to all values except `words`.
    fn assume_word(&mut self, expr: &'a Expr, words: &[Arc<str>], is_one: bool) {
        let ty = self.type_without_reports(expr);
        let text = self.types().restrict_words(ty, words, is_one);
        let left = if is_one {
            let text = self.types().without_nothing(text);
            if self.inference.types.is_known(text) {
                self.types().restrict(text, Tags::new(&[Tag::Text]))
            } else {
                text
            }
        } else {
            text
        };
        self.narrow_to(expr, left);
        if let ExprKind::Field { receiver: of, name, .. } = &expr.kind
            && &*name.text == "kind"
        {
            self.assume_kind(of, words, is_one);
        }
    }

    /// Narrows the object of `.kind` to `kinds` if `is_one` is set, otherwise to all kinds except `kinds`.
    fn assume_kind(&mut self, object: &'a Expr, kinds: &[Arc<str>], is_one: bool) {
        let ids = kinds.iter().fold(0, |ids: IdSet, kind| ids | self.inference.symbols.kind(kind).unwrap_or(0));
        if ids == 0 {
            return;
        }
        let ids = if is_one { ids } else { !ids };
        let ty = self.type_without_reports(object);
        let pieces = self.types().restrict_kinds(ty, Tag::Piece, ids);
        let left = self.types().restrict_kinds(pieces, Tag::Component, ids);
        self.narrow_to(object, left);
    }

    fn assume_in(&mut self, item: &'a Expr, container: &'a Expr, is_in: bool) {
        if let ExprKind::List(items) = &container.kind {
            let words: Option<Vec<Arc<str>>> = items
                .iter()
                .map(|item| match &item.kind {
                    ExprKind::Text(word) => Some(word.clone()),
                    _ => None,
                })
                .collect();
            if let Some(words) = words {
                self.assume_word(item, &words, is_in);
            }
            return;
        }
        let ty = self.type_without_reports(container);
        if let ExprKind::Text(name) = &item.kind
            && self.inference.types.is_known(ty)
            && self.tags(ty).has(Tag::Map)
        {
            let left = self.types().with_part(ty, name, is_in);
            // `in` also tests for a substring in a text.
            let words = self.inference.types.known_words(ty).unwrap_or_default();
            let having: Vec<Arc<str>> = words.iter().filter(|word| word.contains(&**name) == is_in).cloned().collect();
            let left = if words.is_empty() { left } else { self.types().restrict_words(left, &having, true) };
            // No known shape has the part, but the condition shows that some map has it: the map has unknown parts.
            let left = if self.tags(left).is_empty() && is_in { Type::MAP } else { left };
            self.narrow_to(container, left);
        }
    }

    /// Narrows the subject of a `switch` to the words of a case.
    pub(super) fn assume_case(&mut self, subject: &'a Expr, patterns: &'a [Expr]) {
        if let Some(words) = words_of(patterns) {
            self.assume_word(subject, &words, true);
        }
    }

    /// Narrows the subject of a `switch` to the values that a case does not cover.
    pub(super) fn exclude_case(&mut self, subject: &'a Expr, patterns: &'a [Expr]) {
        if patterns.is_empty() {
            self.env.is_dead = true;
        }
        if let Some(words) = words_of(patterns) {
            self.assume_word(subject, &words, false);
        }
        if patterns.iter().any(|pattern| matches!(pattern.kind, ExprKind::Unit)) {
            let ty = self.type_without_reports(subject);
            let there = self.types().without_nothing(ty);
            self.record_check(subject, ty);
            self.narrow_to(subject, there);
        }
    }

    /// Returns the type of an expression without reporting mistakes or changing the environment.
    pub(super) fn type_without_reports(&mut self, expr: &'a Expr) -> Type {
        if let ExprKind::Name(name) = &expr.kind
            && let Some(at) = self.env.find(name)
        {
            return self.env.variables[at].ty;
        }
        let reports = std::mem::replace(&mut self.reports, false);
        let is_raw = std::mem::replace(&mut self.is_raw, true);
        let env = self.env.clone();
        let ty = self.expr(expr);
        self.env = env;
        self.is_raw = is_raw;
        self.reports = reports;
        ty
    }

    /// Records that a variable is certainly `()`.
    fn mark_nothing(&mut self, expr: &'a Expr) {
        if let ExprKind::Name(name) = &expr.kind
            && let Some(at) = self.env.find(name)
        {
            self.env.variables[at].question = Question::IsNothing;
        }
    }

    /// Records the narrowed type of an expression. A comparison with a value other than `()` narrows the type, but does not count as a check
    /// for `()`: after `if x == 0 { … }`, `x` may still be `()`.
    fn narrow_to(&mut self, expr: &'a Expr, ty: Type) {
        match &expr.kind {
            ExprKind::Name(name) => {
                if let Some(at) = self.env.find(name) {
                    let variable = &mut self.env.variables[at];
                    variable.ty = ty;
                    if variable.question.is_asked() {
                        variable.question = Question::Asked;
                    }
                } else if self.inference.symbols.global(name).is_some() {
                    self.env.learn(name, ty);
                }
            }
            ExprKind::Field { .. }
            | ExprKind::Index { .. }
            | ExprKind::Call { .. }
            | ExprKind::Method { .. }
            | ExprKind::OwnCall { .. } => {
                let text = self.text(expr.span);
                self.env.learn(text, ty);
            }
            _ => {}
        }
    }
}

fn words_of(patterns: &[Expr]) -> Option<Vec<Arc<str>>> {
    let word = |pattern: &Expr| match &pattern.kind {
        ExprKind::Text(word) => Some(word.clone()),
        _ => None,
    };
    let words: Option<Vec<Arc<str>>> = patterns.iter().map(word).collect();
    words.filter(|words| !words.is_empty())
}
