//! What is known at a place of a function: the types of variables, and what conditions on the way say.

use super::super::types::{Type, Types};
use crate::syntax::{Expr, ExprKind};
use std::borrow::Cow;

/// Whether it has been asked of something whether it is `()`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    /// Not yet.
    Open,
    /// On the way, or perhaps.
    Asked,
    /// A condition on the way says that it is.
    IsNothing,
}

impl Question {
    /// What is known where two ways meet.
    fn or(self, other: Self) -> Self {
        if self == other { self } else { Self::Asked }
    }

    /// Whether it has been asked.
    pub(super) fn is_asked(self) -> bool {
        self != Self::Open
    }
}

/// A variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Variable<'a> {
    pub name: &'a str,
    pub is: Type,
    /// The parameter it is, as long as it is given nothing else.
    pub param: Option<usize>,
    /// Whether, where it may be `()`, that is what it begins with: `let best = ();`.
    pub begins_empty: bool,
    /// The same of the parts of a map: `let best = #{ who: () };`.
    pub parts_begin_empty: bool,
    /// Whether it has been asked on the way whether it is `()`.
    pub question: Question,
    /// How many arguments the function `|…|` takes that it was given where it begins.
    pub takes: Option<usize>,
}

impl<'a> Variable<'a> {
    /// One that is given something.
    pub(super) fn new(name: &'a str, is: Type) -> Self {
        Self {
            name,
            is,
            param: None,
            begins_empty: false,
            parts_begin_empty: false,
            question: Question::Open,
            takes: None,
        }
    }
}

/// What is known at a place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Environment<'a> {
    /// The variables, inner ones last.
    pub variables: Vec<Variable<'a>>,
    /// What conditions say of other expressions, by their text.
    pub facts: Vec<(&'a str, Type)>,
    /// Of what else it has been asked whether it is `()`, by its text.
    pub asked: Vec<Cow<'a, str>>,
    /// Whether the place is never reached.
    pub is_dead: bool,
}

impl<'a> Environment<'a> {
    /// The variable of a name.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.variables.iter().rposition(|variable| variable.name == name)
    }

    /// What is known where two ways meet.
    pub(super) fn join(&mut self, other: &Self, types: &mut Types) {
        if other.is_dead {
            return;
        }
        if self.is_dead {
            let length = self.variables.len();
            self.clone_from(other);
            self.variables.truncate(length);
            return;
        }
        for (one, other) in self.variables.iter_mut().zip(&other.variables) {
            one.is = types.join(one.is, other.is);
            one.param = one.param.filter(|_| one.param == other.param);
            one.begins_empty &= other.begins_empty;
            one.parts_begin_empty &= other.parts_begin_empty;
            one.question = one.question.or(other.question);
            one.takes = one.takes.filter(|_| one.takes == other.takes);
        }
        self.facts.retain_mut(|(text, is)| {
            let known = other.facts.iter().find(|(known, _)| known == text);
            if let Some((_, other)) = known {
                *is = types.join(*is, *other);
            }
            known.is_some()
        });
        self.ask_paths(other);
    }

    /// Notes of something that is no variable that it has been asked whether it is `()`.
    pub(super) fn ask(&mut self, place: Cow<'a, str>) {
        if !self.asked.contains(&place) {
            self.asked.push(place);
        }
    }

    /// Forgets what has been asked of a place, and of what stands behind it.
    pub(super) fn forget_asked(&mut self, place: &str) {
        self.asked.retain(|asked| !asked.starts_with(place));
    }

    /// Whether that has been asked.
    pub(super) fn is_asked(&self, place: &str) -> bool {
        self.asked.iter().any(|known| known == place)
    }

    /// Takes over what has been asked in what may have been evaluated.
    pub(super) fn ask_also(&mut self, other: &Self) {
        for (one, other) in self.variables.iter_mut().zip(&other.variables) {
            one.question = one.question.or(other.question);
        }
        self.ask_paths(other);
    }

    fn ask_paths(&mut self, other: &Self) {
        for place in &other.asked {
            self.ask(place.clone());
        }
    }

    /// What conditions say of an expression.
    pub(super) fn fact(&self, text: &str) -> Option<Type> {
        self.facts.iter().rev().find(|(known, _)| *known == text).map(|(_, is)| *is)
    }

    /// Keeps what a condition says.
    pub(super) fn learn(&mut self, text: &'a str, is: Type) {
        self.facts.retain(|(known, _)| *known != text);
        self.facts.push((text, is));
    }

    /// Forgets what conditions said of whatever has a name in it.
    pub(super) fn forget_facts(&mut self, name: &str) {
        self.facts.retain(|(text, _)| !has_word(text, name));
    }

    /// Forgets what conditions said, and what has been asked, of whatever has a name in it.
    pub(super) fn forget(&mut self, name: &str) {
        self.forget_facts(name);
        self.asked.retain(|text| !has_word(text, name));
    }
}

/// Whether a text has a word in it.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back().is_some_and(is_part);
        let behind = text[at + word.len()..].chars().next().is_some_and(is_part);
        !before && !behind
    })
}

/// The variable that a place is in: `x` of `x.part[0]`.
pub(super) fn root_of(place: &Expr) -> Option<&str> {
    match &place.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Field { of, .. } | ExprKind::Index { of, .. } => root_of(of),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_conditions_say_is_forgotten_where_a_name_in_it_changes() {
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
