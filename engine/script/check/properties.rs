//! Properties: whether anything has a field, value, zone or part of that name.

use super::super::vocabulary::Type;
use super::{Visit, place};
use crate::diagnostic::{Diagnostic, did_you_mean};
use rhai::Position;

/// Checks the name behind a dot.
pub(super) fn check(visit: &mut Visit<'_>, of: Option<Type>, name: &str, at: Position) {
    let known = visit.known;
    // What has unlike types may be anything: a map of the script's own, or what a decision gave.
    let of = of.filter(|kind| has_names(*kind));
    if known.has_property(of, name) {
        return;
    }
    let takes = if of.is_some() { of } else { None };
    let function = known
        .functions_named(name)
        .find(|word| word.params.len() == 1 && takes.is_none_or(|kind| word.types[0] == kind));
    let found = Diagnostic::error("unknown-field", format!("{} `{name}`", having(of)));
    let here = place::of_name(visit.source, at, name);
    let found = match of {
        Some(kind) => found.mark(here, format!("not a field, value or zone of {}", owner(kind))),
        None => found.mark(here, "no field, value, zone or part has this name"),
    };
    visit.found.push(match (function, did_you_mean(name, known.properties(of))) {
        (Some(_), _) => found.help(format!("write `{name}()`")),
        (None, Some(help)) => found.help(help),
        (None, None) => match owners(visit, name) {
            Some(help) => found.help(help),
            None => found,
        },
    });
}

/// Whether everything that may follow a dot after this type has a name we know.
const fn has_names(kind: Type) -> bool {
    !matches!(kind, Type::Any | Type::Map | Type::Nothing)
}

/// What has a fact of this name instead.
fn owners(visit: &Visit<'_>, name: &str) -> Option<String> {
    let kinds = [Type::Seat, Type::Piece, Type::Component, Type::Space, Type::Zone, Type::Game];
    let kind = kinds.into_iter().find(|kind| visit.known.has_property(Some(*kind), name))?;
    Some(format!("ask {} for its `{name}`", owner(kind)))
}

fn having(of: Option<Type>) -> String {
    match of {
        None => "nothing has a".to_owned(),
        Some(Type::Game) => "the game has no".to_owned(),
        Some(kind) if kind.word().ends_with('s') => format!("{} have no", kind.word()),
        Some(kind) => format!("a {} has no", kind.word()),
    }
}

fn owner(kind: Type) -> String {
    match kind {
        Type::Game => "the game".to_owned(),
        kind if kind.word().ends_with('s') => kind.word().to_owned(),
        kind => format!("a {}", kind.word()),
    }
}
