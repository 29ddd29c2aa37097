//! Knowledge at one point of a function: the types of variables, the types that conditions have established for other expressions, and the
//! expressions that have been checked for `()`.

use super::super::types::{Type, Types};
use crate::syntax::{Expr, ExprKind};
use std::borrow::Cow;

/// Whether an expression has been checked for `()`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    /// Not checked.
    Open,
    /// Checked, on all paths or only on some.
    Asked,
    /// Known to be `()` because of a condition.
    IsNothing,
}

impl Question {
    /// Returns the combined state of an expression where two paths meet.
    fn join(self, other: Self) -> Self {
        if self == other { self } else { Self::Asked }
    }

    /// Returns whether the expression has been checked for `()` on at least one path.
    pub(super) fn is_asked(self) -> bool {
        self != Self::Open
    }
}

/// A variable with its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Variable<'a> {
    pub name: &'a str,
    pub ty: Type,
    /// Index of the parameter that the variable represents. `None` for other variables, and if the function assigns to the parameter.
    pub param: Option<usize>,
    /// Whether the initial value is certainly `()`, as in `let best = ();`, or certainly not `()`. If a loop assigns to the variable, the
    /// variable is assumed not to be `()` after the loop.
    pub begins_empty: bool,
    /// Whether each part of the initial map is certainly `()`, as in `let best = #{ who: () };`, or certainly not `()`.
    pub parts_begin_empty: bool,
    /// Whether the variable has been checked for `()`.
    pub question: Question,
    /// Number of parameters of the closure, if the variable is declared with a closure as its value.
    pub takes: Option<usize>,
}

impl<'a> Variable<'a> {
    pub(super) fn new(name: &'a str, ty: Type) -> Self {
        Self {
            name,
            ty,
            param: None,
            begins_empty: false,
            parts_begin_empty: false,
            question: Question::Open,
            takes: None,
        }
    }
}

/// Knowledge at one point of a function: types, and checks for `()`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Environment<'a> {
    /// The variables, from the outermost to the innermost.
    pub variables: Vec<Variable<'a>>,
    /// Types that conditions have established for expressions other than variables, by source text.
    pub facts: Vec<(&'a str, Type)>,
    /// Expressions other than variables that have been checked for `()`, by source text.
    pub asked: Vec<Cow<'a, str>>,
    /// Whether this point is never reached.
    pub is_dead: bool,
}

impl<'a> Environment<'a> {
    /// Returns the index of the innermost variable called `name`.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.variables.iter().rposition(|variable| variable.name == name)
    }

    /// Merges the knowledge at the end of another path into this knowledge.
    pub(super) fn join(&mut self, other: &Self, types: &mut Types) {
        // A path that never reaches this point contributes nothing.
        if other.is_dead {
            return;
        }
        if self.is_dead {
            let length = self.variables.len();
            self.clone_from(other);
            // Variables declared on the other path are out of scope here.
            self.variables.truncate(length);
            return;
        }
        for (one, other) in self.variables.iter_mut().zip(&other.variables) {
            one.ty = types.join(one.ty, other.ty);
            one.param = one.param.filter(|_| one.param == other.param);
            one.begins_empty &= other.begins_empty;
            one.parts_begin_empty &= other.parts_begin_empty;
            one.question = one.question.join(other.question);
            one.takes = one.takes.filter(|_| one.takes == other.takes);
        }
        self.facts.retain_mut(|(text, ty)| {
            let known = other.facts.iter().find(|(known, _)| known == text);
            if let Some((_, other)) = known {
                *ty = types.join(*ty, *other);
            }
            known.is_some()
        });
        self.add_checked_expressions(other);
    }

    /// Records that an expression has been checked for `()`.
    pub(super) fn mark_checked(&mut self, place: Cow<'a, str>) {
        if !self.asked.contains(&place) {
            self.asked.push(place);
        }
    }

    /// Forgets the checks of an expression and of all expressions that begin with this expression.
    pub(super) fn forget_asked(&mut self, place: &str) {
        self.asked.retain(|asked| !asked.starts_with(place));
    }

    /// Returns whether an expression has been checked for `()`.
    pub(super) fn is_asked(&self, place: &str) -> bool {
        self.asked.iter().any(|known| known == place)
    }

    /// Adds the checks made in code that may or may not have run.
    pub(super) fn add_checks(&mut self, other: &Self) {
        for (one, other) in self.variables.iter_mut().zip(&other.variables) {
            one.question = one.question.join(other.question);
        }
        self.add_checked_expressions(other);
    }

    fn add_checked_expressions(&mut self, other: &Self) {
        for place in &other.asked {
            self.mark_checked(place.clone());
        }
    }

    /// Returns the type that conditions have established for an expression.
    pub(super) fn fact(&self, text: &str) -> Option<Type> {
        self.facts.iter().rev().find(|(known, _)| *known == text).map(|(_, ty)| *ty)
    }

    /// Records a type that a condition has established.
    pub(super) fn learn(&mut self, text: &'a str, ty: Type) {
        self.facts.retain(|(known, _)| *known != text);
        self.facts.push((text, ty));
    }

    /// Forgets the established types of all expressions in which `name` occurs.
    pub(super) fn forget_facts(&mut self, name: &str) {
        self.facts.retain(|(text, _)| !has_word(text, name));
    }

    /// Forgets the established types and the checks of all expressions in which `name` occurs.
    pub(super) fn forget(&mut self, name: &str) {
        self.forget_facts(name);
        self.asked.retain(|text| !has_word(text, name));
    }
}

/// Returns whether `text` contains `word` as a whole word.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back().is_some_and(is_part);
        let behind = text[at + word.len()..].chars().next().is_some_and(is_part);
        !before && !behind
    })
}

/// Returns the variable at the beginning of an access expression: `x` for `x.part[0]`.
pub(super) fn root_of(place: &Expr) -> Option<&str> {
    match &place.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Field { receiver: of, .. } | ExprKind::Index { receiver: of, .. } => root_of(of),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assigning_a_name_forgets_the_facts_that_contain_it() {
        let mut environment = Environment::default();
        environment.learn("next_slot(card)", Type::NUMBER);
        environment.learn("game.winner", Type::SEAT);
        environment.forget("car");
        assert_eq!(environment.fact("next_slot(card)"), Some(Type::NUMBER));
        environment.forget("card");
        assert_eq!(environment.fact("next_slot(card)"), None);
        assert_eq!(environment.fact("game.winner"), Some(Type::SEAT));
    }
}
