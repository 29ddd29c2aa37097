//! What a condition says of variables and other expressions, where it holds and where it does not.

use super::super::types::{Tags, Type, Which};
use super::environment::{Question, Variable};
use super::walk::Walk;
use crate::decision::Type as Tag;
use crate::syntax::{BinaryOp, Expr, ExprKind, Name, Statement, StatementKind, UnaryOp};
use std::sync::Arc;

impl<'a> Walk<'_, 'a> {
    /// Goes by a condition that holds, or that does not.
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
        self.either((left, false), (right, false), (left, true));
    }

    fn assume_either(&mut self, left: &'a Expr, right: &'a Expr, holds: bool) {
        if !holds {
            self.assume(left, false);
            self.assume(right, false);
            return;
        }
        self.either((left, true), (right, true), (left, false));
    }

    /// One of two things holds; the other one only where `before` does.
    fn either(&mut self, one: (&'a Expr, bool), other: (&'a Expr, bool), before: (&'a Expr, bool)) {
        let start = self.env.clone();
        self.assume(one.0, one.1);
        let mut after = std::mem::replace(&mut self.env, start);
        self.assume(before.0, before.1);
        self.assume(other.0, other.1);
        let env = std::mem::take(&mut self.env);
        self.join_into(&mut after, &env);
        self.env = after;
    }

    /// What the first parameter of a function `|…|` still is where the function says yes; nothing where that cannot be told.
    pub(super) fn accepted_by(&mut self, params: &'a [Name], body: &'a Statement, given: &[Type]) -> Option<Type> {
        let StatementKind::Expr(condition) = &body.kind else { return None };
        let is = *given.first()?;
        let name: &'a str = &params.first()?.text;
        if !self.inference.types.is_known(is) || is == Type::NEVER {
            return None;
        }
        let before = self.env.clone();
        self.env.forget(name);
        let at = self.env.variables.len();
        self.env.variables.push(Variable::new(name, is));
        self.assume(condition, true);
        let left = self.env.variables[at].is;
        self.env = before;
        (left != Type::NEVER).then_some(left)
    }

    /// `expr == other`, or not.
    fn assume_same(&mut self, expr: &'a Expr, other: &'a Expr, is_same: bool) {
        match &other.kind {
            ExprKind::Unit => {
                let is = self.known(expr);
                let left = if is_same { self.types().nothing(is) } else { self.types().there(is) };
                self.learn(expr, left);
                if is_same {
                    self.empty(expr);
                }
            }
            ExprKind::Text(word) => self.assume_word(expr, std::slice::from_ref(word), is_same),
            ExprKind::Number(_) | ExprKind::Flag(_) if is_same => {
                let is = self.known(expr);
                let there = self.types().there(is);
                self.learn(expr, there);
            }
            ExprKind::Name(_) | ExprKind::Field { .. } | ExprKind::Call { .. } if is_same => {
                let wanted = self.known(other);
                if self.inference.types.is_known(wanted) && !self.inference.types.may_be_nothing(wanted) {
                    let is = self.known(expr);
                    let there = self.types().there(is);
                    self.learn(expr, there);
                }
            }
            _ => {}
        }
    }

    /// `expr` is one of some words, or none of them.
    fn assume_word(&mut self, expr: &'a Expr, words: &[Arc<str>], is_one: bool) {
        let is = self.known(expr);
        let text = self.types().among(is, words, is_one);
        let left = if is_one {
            let text = self.types().there(text);
            if self.inference.types.is_known(text) { self.types().keep(text, Tags::of(&[Tag::Text])) } else { text }
        } else {
            text
        };
        self.learn(expr, left);
        if let ExprKind::Field { of, name, .. } = &expr.kind
            && &*name.text == "kind"
        {
            self.assume_kind(of, words, is_one);
        }
    }

    /// `of.kind` is one of some kinds, or none of them.
    fn assume_kind(&mut self, of: &'a Expr, kinds: &[Arc<str>], is_one: bool) {
        let which = kinds.iter().fold(0, |which: Which, kind| which | self.inference.symbols.kind(kind).unwrap_or(0));
        if which == 0 {
            return;
        }
        let which = if is_one { which } else { !which };
        let is = self.known(of);
        let pieces = self.types().of_which(is, Tag::Piece, which);
        let left = self.types().of_which(pieces, Tag::Component, which);
        self.learn(of, left);
    }

    fn assume_in(&mut self, item: &'a Expr, of: &'a Expr, is_in: bool) {
        if let ExprKind::List(items) = &of.kind {
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
        let is = self.known(of);
        if let ExprKind::Text(name) = &item.kind
            && self.inference.types.is_known(is)
            && self.tags(is).has(Tag::Map)
        {
            let left = self.types().with_part(is, name, is_in);
            // A text has it in itself.
            let words = self.inference.types.known_words(is).unwrap_or_default();
            let having: Vec<Arc<str>> = words.iter().filter(|word| word.contains(&**name) == is_in).cloned().collect();
            let left = if words.is_empty() { left } else { self.types().among(left, &having, true) };
            // A map that has it for certain is none of those that are told apart, where none is left.
            let left = if self.tags(left).is_empty() && is_in { Type::MAP } else { left };
            self.learn(of, left);
        }
    }

    /// The words of a `switch` that a case is for.
    pub(super) fn assume_case(&mut self, subject: &'a Expr, patterns: &'a [Expr]) {
        if let Some(words) = words_of(patterns) {
            self.assume_word(subject, &words, true);
        }
    }

    /// Behind a case, none of its words is there any more.
    pub(super) fn exclude_case(&mut self, subject: &'a Expr, patterns: &'a [Expr]) {
        if patterns.is_empty() {
            self.env.is_dead = true;
        }
        if let Some(words) = words_of(patterns) {
            self.assume_word(subject, &words, false);
        }
        if patterns.iter().any(|pattern| matches!(pattern.kind, ExprKind::Unit)) {
            let is = self.known(subject);
            let there = self.types().there(is);
            self.learn(subject, there);
        }
    }

    /// The type of an expression, without telling anything.
    pub(super) fn known(&mut self, expr: &'a Expr) -> Type {
        if let ExprKind::Name(name) = &expr.kind
            && let Some(at) = self.env.find(name)
        {
            return self.env.variables[at].is;
        }
        let tells = std::mem::replace(&mut self.tells, false);
        let is_raw = std::mem::replace(&mut self.is_raw, true);
        let env = self.env.clone();
        let is = self.expr(expr);
        self.env = env;
        self.is_raw = is_raw;
        self.tells = tells;
        is
    }

    /// Keeps that a variable is `()` for certain.
    fn empty(&mut self, expr: &'a Expr) {
        if let ExprKind::Name(name) = &expr.kind
            && let Some(at) = self.env.find(name)
        {
            self.env.variables[at].question = Question::IsNothing;
        }
    }

    /// Keeps what is known of an expression.
    fn learn(&mut self, expr: &'a Expr, is: Type) {
        match &expr.kind {
            ExprKind::Name(name) => {
                if let Some(at) = self.env.find(name) {
                    let was = self.env.variables[at].is;
                    let is_asked = self.inference.types.may_be_nothing(was);
                    let variable = &mut self.env.variables[at];
                    variable.is = is;
                    if is_asked || variable.question.is_asked() {
                        variable.question = Question::Asked;
                    }
                } else if self.inference.symbols.global(name).is_some() {
                    self.env.learn(name, is);
                }
            }
            ExprKind::Field { .. } | ExprKind::Index { .. } | ExprKind::Call { .. } | ExprKind::Method { .. } => {
                let text = self.text(expr.span);
                self.env.learn(text, is);
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
