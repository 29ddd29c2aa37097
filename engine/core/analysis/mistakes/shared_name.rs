//! `shared-name`: a field, value, derived value or zone has the name of a built-in property, or a function has a name that the game already
//! uses.

use super::super::program::Program;
use crate::decision::Type;
use crate::diagnostic::Diagnostic;
use crate::library::context::facts::{Fact, is_of_teams, names_of};
use crate::library::reserved_properties;
use crate::model::{Derived, Model, Owner, Party};

/// Returns diagnostics for fields, values, derived values and zones that have the name of a reserved property of their owner's type.
pub(crate) fn shared_facts(model: &Model) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut reported: Vec<String> = Vec::new();
    for kind in [Type::Component, Type::Piece, Type::Seat, Type::Space, Type::Zone] {
        let facts = names_of(kind, model);
        let is_there = |name: &str| !model.teams.is_empty() || !is_of_teams(kind, name);
        let reserved: Vec<&str> = reserved_properties(kind).iter().copied().filter(|name| is_there(name)).collect();
        for (name, fact) in facts.iter().filter(|(name, _)| reserved.contains(&&**name)) {
            let Some(what) = declaration(model, fact) else { continue };
            if !reported.contains(&what) {
                found.push(shared_by_all(model, name, &what, kind));
                reported.push(what);
            }
        }
        let of_kind = |derived: &&Derived| match derived.owner {
            Owner::Seat => kind == Type::Seat,
            Owner::Component(_) => kind == Type::Component,
            Owner::Piece(_) => kind == Type::Piece,
            _ => false,
        };
        for derived in model.derived.iter().filter(of_kind).filter(|derived| reserved.contains(&&*derived.id)) {
            let message =
                format!("a derived value is called `{}`, which every {} has already", derived.id, kind.word());
            found.push(
                Diagnostic::error("shared-name", message)
                    .mark(derived.named.place.clone(), "of a value whose name is taken")
                    .help("give it another name in the game's files"),
            );
        }
    }
    found
}

/// Reports functions whose names also refer to something else in the rules.
pub(super) fn report_shared_functions(program: &Program<'_>, found: &mut Vec<Diagnostic>) {
    for code in &program.codes {
        let name = code.name();
        // A call never refers to a name of the engine, so a function may have the same name. Two names declared by the game would probably
        // be confused.
        let Some(what) = program.what_is(name).filter(|_| program.language.name(name).is_none()) else { continue };
        found.push(
            Diagnostic::error("shared-name", format!("a function and {what} `{name}` share a name"))
                .mark(code.place(), "a function of the same name")
                .help("give the function another name: a verb for what it does"),
        );
    }
}

fn shared_by_all(model: &Model, name: &str, what: &str, kind: Type) -> Diagnostic {
    let message = format!("{what} is called `{name}`, which every {} has already", kind.word());
    let found = Diagnostic::error("shared-name", message).help("give it another name in the game's files");
    match model.mentions.get(name) {
        Some(mention) => found.mark(mention.place.clone(), "a name that is taken"),
        None => found,
    }
}

/// Describes a field, value or zone that the author declared. Returns `None` for built-in facts.
fn declaration(model: &Model, fact: &Fact) -> Option<String> {
    match fact {
        Fact::BuiltIn(_) => None,
        Fact::Field(id) | Fact::Components(id) => {
            let kinds: Vec<&str> =
                model.kinds.iter().filter(|kind| kind.fields.contains_key(id)).map(|kind| &*kind.id).collect();
            Some(format!("a field of the kind `{}`", kinds.join("`, `")))
        }
        Fact::SpaceField(name) => {
            let space = model.spaces.iter().find(|space| space.fields.contains_key(name))?;
            Some(format!("a field of the spaces of `{}`", model.family_of(space.zone).id))
        }
        Fact::CellField(_) => Some("a field of cells".to_owned()),
        Fact::Zones(family) => Some(format!("the zone `{}`", model.family(*family).id)),
        Fact::Value(id) | Fact::Entries(id) => {
            let value = model.value(*id);
            Some(match value.owner {
                Owner::Game => "a value of the game".to_owned(),
                Owner::Pair(Party::Seat, _) => "a table of each seat".to_owned(),
                Owner::Pair(Party::Component(kind), _) => {
                    format!("a table of the kind `{}`", model.kinds[kind.index()].id)
                }
                Owner::Seat => "a value of each seat".to_owned(),
                Owner::Component(kind) | Owner::Piece(Some(kind)) => {
                    format!("a value of the kind `{}`", model.kinds[kind.index()].id)
                }
                Owner::Piece(None) => "a value of each piece".to_owned(),
                Owner::Space(family) => format!("a value of the spaces of `{}`", model.family(family).id),
            })
        }
    }
}
