//! Properties: whether anything has a field, value, zone or part of that name.

use super::super::vocabulary::Word;
use super::evident::takes;
use super::known::habit;
use super::{Visit, place};
use crate::decision::Type;
use crate::diagnostic::{Diagnostic, did_you_mean, how_to_give};
use rhai::Position;

/// Checks the name behind a dot.
pub(super) fn check(visit: &mut Visit<'_>, of: Option<Type>, name: &str, at: Position) {
    let known = visit.known;
    // What has unlike types may be anything: a map of the script's own, or what a decision gave.
    let of = of.filter(|kind| has_names(*kind));
    if known.has_property(of, name) {
        return;
    }
    let here = place::of_name(visit.source, at, name);
    if let Some(word) = known.functions_named(name).filter(|word| is_of(word, of)).min_by_key(|word| word.params.len())
    {
        let brackets = if word.params.len() == 1 { "()" } else { "(…)" };
        let found = Diagnostic::error("not-called", format!("`{name}` is named, and not called"));
        visit.found.push(found.mark(here, "without brackets").help(format!("write `{name}{brackets}`")));
        return;
    }
    let found = Diagnostic::error("unknown-field", format!("{} `{name}`", having(of)));
    let found = match of {
        Some(kind) => found.mark(here, format!("not a field, value or zone of {}", owner(kind))),
        None => found.mark(here, "no field, value, zone or part has this name"),
    };
    let alone = known.what_is(name).map(|what| format!("write `{name}` alone: {what} is nobody's own"));
    let help = alone
        .or_else(|| habit(name))
        .or_else(|| did_you_mean(name, known.properties(of)))
        .or_else(|| owners(visit, name))
        .or_else(|| how_to_give(of?.word(), name));
    visit.found.push(help.into_iter().fold(found, Diagnostic::help));
}

/// Whether a word may be written behind a dot after a type, or after anything.
fn is_of(word: &Word, of: Option<Type>) -> bool {
    !word.params.is_empty() && of.is_none_or(|of| takes(word.types[0], of))
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
