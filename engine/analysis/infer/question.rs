//! What it has been asked of whether it is `()`. Rules may go by the answer in ways that types do not follow, by a flag, a word,
//! a function: behind the question, however it is asked, they know what they do.

use super::super::types::Type;
use super::environment::{Question, Variable, root_of};
use super::inference::{AskedParts, Inference, Tree};
use super::walk::Walk;
use crate::syntax::{BinaryOp, Expr, ExprKind, Function, Statement, each_expr};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::Arc;

/// A parameter that a function hands on: to which parameter of which function, and what of it.
struct Handed<'a> {
    from: (usize, usize),
    to: (usize, usize),
    part: Cow<'a, str>,
}

/// What stands behind a list of whose entries it is asked.
const ENTRIES: &str = "[]";

/// How many functions a question is followed through.
const DEPTH: usize = 4;

impl<'a> Walk<'_, 'a> {
    /// Notes that it is asked whether something is `()`.
    pub(super) fn ask(&mut self, expr: &'a Expr, is: Type) {
        if self.inference.types.may_be_nothing(is) {
            self.ask_part(expr, "");
        }
    }

    /// Notes that it is asked of what stands behind an expression.
    fn ask_part(&mut self, expr: &'a Expr, part: &str) {
        match &expr.kind {
            ExprKind::Name(name) if part.is_empty() && self.env.find(name).is_some() => {
                let variable = self.env.find(name).map(|at| &mut self.env.variables[at]);
                ask_variable(variable.expect("it has been found"));
            }
            ExprKind::Name(_)
            | ExprKind::Field { .. }
            | ExprKind::Index { .. }
            | ExprKind::Call { .. }
            | ExprKind::Method { .. } => {
                let place = plain(self.text(expr.span));
                self.env.ask(if part.is_empty() { place } else { Cow::Owned(format!("{place}{part}")) });
            }
            _ => {}
        }
    }

    /// Notes that it is asked of the entries of a list.
    pub(super) fn ask_entries(&mut self, list: &'a Expr, is: Type) {
        let Some(entries) = self.inference.types.entries(is) else { return };
        let entries = self.types().softened(entries);
        let is = self.types().with_entries(is, entries);
        match &list.kind {
            ExprKind::Name(name) => {
                if let Some(at) = self.env.find(name) {
                    self.env.variables[at].is = is;
                }
            }
            ExprKind::Field { .. } | ExprKind::Index { .. } => {
                let text = self.text(list.span);
                self.env.learn(text, is);
            }
            _ => {}
        }
    }

    /// The same where statements ask it of a variable that stands for each.
    pub(super) fn ask_entries_by(&mut self, list: &'a Expr, is: Type, body: &'a [Statement], each: &str) {
        let may_be = |entries: Type| self.inference.types.may_be_nothing(entries);
        if self.inference.types.entries(is).is_some_and(may_be) && self.is_asked_in(body, each) {
            self.ask_entries(list, is);
        }
    }

    fn is_asked_in(&self, statements: &'a [Statement], name: &str) -> bool {
        let mut is_asked = false;
        each_expr(statements, &mut |expr| {
            is_asked |= question(expr).is_some_and(|asked| is_named(asked, name));
            if let ExprKind::Call { name: called, arguments } = &expr.kind
                && let Some(at) = self.inference.by_name.get(&*called.text)
            {
                let asks = &self.inference.functions[*at].asks;
                let mut all = asks.iter().zip(arguments);
                is_asked |= all.any(|(asked, argument)| is_named(argument, name) && asked.contains(&Arc::from("")));
            }
        });
        is_asked
    }

    /// Notes what a function of the rules asks of what it is given.
    pub(super) fn ask_by(&mut self, at: usize, arguments: &'a [Expr], types: &[Type]) {
        let asks = self.inference.functions[at].asks.clone();
        for ((parts, argument), is) in asks.iter().zip(arguments).zip(types) {
            for part in parts {
                if **part == *ENTRIES {
                    self.ask_entries(argument, *is);
                } else {
                    self.ask_part(argument, part);
                }
            }
        }
    }

    /// What something is behind a question.
    pub(super) fn behind_question(&mut self, expr: &'a Expr, is: Type) -> Type {
        if self.env.asked.is_empty() || self.is_raw || self.env.fact(self.text(expr.span)) == Some(Type::NOTHING) {
            return is;
        }
        let place = plain(self.text(expr.span));
        if self.env.is_asked(&place) { self.types().replaced(is) } else { is }
    }
}

impl<'a> Inference<'a> {
    /// Notes of which parameters functions ask whether they are `()`, or what of them is.
    pub(super) fn note_questions(&mut self) {
        let mut handed: Vec<Handed<'a>> = Vec::new();
        for at in 0..self.functions.len() {
            if let Tree::Function(function) = self.functions[at].tree {
                self.functions[at].asks = self.asked_of(at, function);
                self.hand_on(at, function, &mut handed);
            }
        }
        for _ in 0..DEPTH {
            for Handed { from, to, part } in &handed {
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

    /// What a function asks of each of its parameters.
    fn asked_of(&self, at: usize, function: &'a Function) -> AskedParts {
        let params = positions(function);
        let mut asks: AskedParts = vec![Vec::new(); function.params.len()];
        each_expr(&function.body.statements, &mut |expr| {
            let of_list = list_asked(expr).map(|asked| (asked, ENTRIES));
            let all = question(expr).map(|asked| (asked, "")).into_iter().chain(of_list);
            for (asked, behind) in all {
                let Some((param, part)) = self.part_of(at, &params, asked) else { continue };
                let part: Arc<str> = format!("{part}{behind}").into();
                if !asks[param].contains(&part) {
                    asks[param].push(part);
                }
            }
        });
        asks
    }

    /// What a function hands on of its parameters to others of the rules.
    fn hand_on(&self, at: usize, function: &'a Function, handed: &mut Vec<Handed<'a>>) {
        let params = positions(function);
        each_expr(&function.body.statements, &mut |expr| {
            let ExprKind::Call { name, arguments } = &expr.kind else { return };
            let Some(called) = self.by_name.get(&*name.text).copied() else { return };
            for (to, argument) in arguments.iter().enumerate() {
                if let Some((param, part)) = self.part_of(at, &params, argument) {
                    handed.push(Handed { from: (at, param), to: (called, to), part });
                }
            }
        });
    }

    /// The parameter that an expression is or begins with, and what stands behind it.
    fn part_of(&self, at: usize, params: &FxHashMap<&str, usize>, expr: &'a Expr) -> Option<(usize, Cow<'a, str>)> {
        let root = root_of(expr)?;
        let param = params.get(root).copied()?;
        let source: &'a crate::diagnostic::Source = self.sources[self.functions[at].source];
        let text = source.text.get(expr.span.range())?;
        Some((param, plain(text.strip_prefix(root)?)))
    }
}

fn ask_variable(variable: &mut Variable<'_>) {
    if variable.question == Question::Open {
        variable.question = Question::Asked;
    }
}

fn positions(function: &Function) -> FxHashMap<&str, usize> {
    function.params.iter().enumerate().map(|(at, param)| (&*param.text, at)).collect()
}

/// What an expression asks of whether it is `()`.
fn question(expr: &Expr) -> Option<&Expr> {
    let is_unit = |expr: &Expr| matches!(expr.kind, ExprKind::Unit);
    match &expr.kind {
        ExprKind::Binary { op: BinaryOp::Equal | BinaryOp::Unequal, left, right, .. } => match (&**left, &**right) {
            (asked, unit) if is_unit(unit) => Some(asked),
            (unit, asked) if is_unit(unit) => Some(asked),
            _ => None,
        },
        ExprKind::Binary { op: BinaryOp::In | BinaryOp::NotIn | BinaryOp::Coalesce, left, .. } => Some(left),
        ExprKind::Field { of, is_optional: true, .. }
        | ExprKind::Index { of, is_optional: true, .. }
        | ExprKind::Method { of, is_optional: true, .. } => Some(of),
        ExprKind::Switch { subject, cases } => {
            cases.iter().flat_map(|case| &case.patterns).any(is_unit).then_some(&**subject)
        }
        _ => None,
    }
}

/// The list of whose entries an expression asks whether they are `()`, by a variable that stands for each.
fn list_asked(expr: &Expr) -> Option<&Expr> {
    let asks = |body: &[Statement], each: &str| {
        let mut is_asked = false;
        each_expr(body, &mut |expr| is_asked |= question(expr).is_some_and(|asked| is_named(asked, each)));
        is_asked
    };
    match &expr.kind {
        ExprKind::Method { of, arguments, .. } => match arguments.first().map(|first| &first.kind) {
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

/// A place as it is written without `?`.
fn plain(place: &str) -> Cow<'_, str> {
    if place.contains('?') { Cow::Owned(place.replace('?', "")) } else { Cow::Borrowed(place) }
}
