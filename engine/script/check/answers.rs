//! Answers with named parts: what is asked of the answer to a decision must be one of the parts it declares.

use super::chain::{Link, Links};
use super::code::Code;
use super::evident::{each_statement, is_unbound, times_given};
use super::known::Known;
use super::parts::{Part, unknown_part};
use super::{Visit, place};
use crate::model::Decision;
use rhai::{Expr, FnCallExpr, Position, Stmt};
use rustc_hash::FxHashMap;

/// The variables of a function that hold an answer and nothing else, each with what was asked.
pub(super) type Answers<'a> = FxHashMap<String, &'a Decision>;

/// The words that give one answer.
const ONE: [&str; 3] = ["choose", "choose_if_any", "choose_or_pass"];

/// The words that give several.
const SEVERAL: [&str; 2] = ["choose_some", "choose_order"];

impl<'a> Known<'a> {
    /// The variables of a function that hold answers with parts.
    pub(super) fn answers(&self, code: &Code) -> Answers<'a> {
        let times = times_given(code);
        let mut found = Answers::default();
        let mut changed: Vec<String> = Vec::new();
        each_statement(code, &mut |statement| match statement {
            Stmt::Var(var, ..) => found.extend(self.asked(&var.1, &ONE).map(|asked| (var.0.name.to_string(), asked))),
            Stmt::For(each, _) => {
                found.extend(self.asked(&each.2.expr, &SEVERAL).map(|asked| (each.0.name.to_string(), asked)));
            }
            // A script may add parts of its own.
            Stmt::Assignment(assignment) => {
                if let Expr::Variable(name, ..) = Links::of(&assignment.1.lhs).start {
                    changed.push(name.1.to_string());
                }
            }
            _ => {}
        });
        found.retain(|name, _| times[name.as_str()] == 1 && !changed.contains(name));
        found
    }

    /// The decision with parts whose answer an expression gives.
    fn asked(&self, expr: &Expr, words: &[&str]) -> Option<&'a Decision> {
        match expr {
            Expr::FnCall(call, _) => self.asked_by(call, 0, words),
            Expr::Dot(..) => match Links::of(expr).rest.last()? {
                Link::Dot(Expr::MethodCall(call, _)) => self.asked_by(call, 1, words),
                _ => None,
            },
            _ => None,
        }
    }

    /// The same of a call; `shift` is how many things stand before its dot.
    fn asked_by(&self, call: &FnCallExpr, shift: usize, words: &[&str]) -> Option<&'a Decision> {
        if !words.contains(&call.name.as_str()) || self.code(&call.name).is_some() {
            return None;
        }
        let Expr::StringConstant(name, _) = call.args.get(1 - shift)? else { return None };
        let mut all = self.models().iter().flat_map(|model| &model.decisions);
        all.find(|decision| *decision.id == **name).filter(|decision| !decision.parts.is_empty())
    }
}

/// The decision whose answer stands before the first dot of a chain.
pub(super) fn at_start<'a>(visit: &Visit<'a>, start: &Expr) -> Option<&'a Decision> {
    match start {
        Expr::Variable(name, ..) if !is_unbound(start) => visit.answers.get(name.1.as_str()).copied(),
        _ => visit.known.asked(start, &ONE),
    }
}

/// The decision whose answer a call behind a dot gives.
pub(super) fn behind<'a>(visit: &Visit<'a>, link: &Link<'_>) -> Option<&'a Decision> {
    let Link::Dot(Expr::MethodCall(call, _)) = link else { return None };
    visit.known.asked_by(call, 1, &ONE)
}

/// Checks what is asked of an answer: a part, or what things have, since an option may be a thing that is told as a part.
pub(super) fn check(visit: &mut Visit<'_>, decision: &Decision, name: &str, at: Position) {
    let declared: Vec<&str> = decision.parts.iter().map(|(name, _)| &**name).collect();
    if !declared.contains(&name) && !visit.known.is_of_things(name) {
        let part = Part { name: name.to_owned(), place: place::of_name(visit.source, at, name) };
        visit.found.push(unknown_part(&format!("the decision `{}` has no", decision.id), part, &declared));
    }
}
