//! What files of the rules hold: functions, with the names and parameters the engine expects, and nothing else.

use super::super::host::{Function, place_of_function};
use super::super::vocabulary::{Fact, Form, names_of};
use super::code::is_unnamed;
use super::known::Known;
use super::{Script, place};
use crate::decision::Type;
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::library::{INVARIANT, SCORING};
use crate::model::{Model, Named, Owner};

/// Checks the functions of all files as a whole.
pub(super) fn check(known: &Known<'_>, scripts: &[Script], found: &mut Vec<Diagnostic>) {
    let mut missing: Vec<&str> = Vec::new();
    for named in known.named_by_flow() {
        check_called(known, named, &mut missing, found);
    }
    for function in known.functions.iter().filter(|f| !is_unnamed(f)) {
        check_name(known, function, found);
    }
    for script in scripts {
        check_statements(script, found);
    }
    check_shared_names(known, found);
}

/// Checks a function the flow calls; of one that is missing every place is told at once.
fn check_called<'k>(known: &'k Known<'_>, named: &'k Named, missing: &mut Vec<&'k str>, found: &mut Vec<Diagnostic>) {
    let (name, arity) = (&*named.call.function, usize::from(named.call.takes_seat));
    match known.functions.iter().find(|f| f.name == name) {
        Some(function) if function.arity == arity => {}
        Some(function) => {
            found.push(wrong_parameters(function, arity, "the flow").mark(named.place.clone(), "called here"));
        }
        None if missing.contains(&name) => {}
        None => {
            missing.push(name);
            found.push(undefined(known, name, arity));
        }
    }
}

fn undefined(known: &Known<'_>, name: &str, arity: usize) -> Diagnostic {
    let mut found = Diagnostic::error("unknown-function", format!("the flow calls `{name}`, which no script defines"));
    for named in known.named_by_flow().into_iter().filter(|named| *named.call.function == *name) {
        found = found.mark(named.place.clone(), "no function of the rules");
    }
    let names = known.functions.iter().filter(|f| !is_unnamed(f)).map(|f| f.name.as_str());
    let write = || format!("write `fn {name}({})` in a file of rules/", if arity == 1 { "seat" } else { "" });
    found.help(did_you_mean(name, names).unwrap_or_else(write))
}

fn wrong_parameters(function: &Function, arity: usize, caller: &str) -> Diagnostic {
    let name = &function.name;
    let gives = if arity == 1 { "a seat" } else { "nothing" };
    let takes = match function.arity {
        0 => "nothing".to_owned(),
        1 => "1 thing".to_owned(),
        count => format!("{count} things"),
    };
    let write = if arity == 1 { format!("write `fn {name}(seat)`") } else { format!("write `fn {name}()`") };
    Diagnostic::error("wrong-arity", format!("`{name}` takes {takes}, and {caller} gives it {gives}"))
        .mark(place_of_function(&function.source, name), format!("takes {takes}"))
        .help(write)
}

fn check_name(known: &Known<'_>, function: &Function, found: &mut Vec<Diagnostic>) {
    let name = function.name.as_str();
    if name.starts_with(INVARIANT) && function.arity > 0 {
        found.push(wrong_parameters(function, 0, "the engine"));
    }
    if SCORING.contains(&name) && function.arity != 1 {
        found.push(wrong_parameters(function, 1, "the engine"));
    }
    if let Some(what) = known.what_is(name) {
        found.push(
            Diagnostic::error("shared-name", format!("a function and {what} `{name}` share a name"))
                .mark(place_of_function(&function.source, name), "a function of the same name")
                .help("give the function another name: a verb for what it does"),
        );
    }
    if known.words.iter().any(|word| word.form == Form::Function && word.name == name) {
        found.push(
            Diagnostic::error("taken-name", format!("`{name}` is a word of the vocabulary"))
                .mark(place_of_function(&function.source, name), "a function of the same name")
                .help(format!("give the function another name, as `{name}_…`")),
        );
    }
}

fn check_statements(script: &Script, found: &mut Vec<Diagnostic>) {
    if let Some(statement) = script.ast.statements().first() {
        found.push(
            Diagnostic::error("outside-function", "a statement stands outside of every function")
                .mark(place::at_position(&script.source, statement.position()), "never carried out")
                .help("move it into a function; what scripts share is a param or a value in game.toml"),
        );
    }
}

/// A field, value or zone must not be called like what every thing of its type has.
fn check_shared_names(known: &Known<'_>, found: &mut Vec<Diagnostic>) {
    let mut told: Vec<String> = Vec::new();
    for kind in [Type::Component, Type::Piece, Type::Seat, Type::Space, Type::Zone] {
        let facts = names_of(kind, known.model);
        let built_in: Vec<&str> =
            facts.iter().filter(|(_, fact)| matches!(fact, Fact::BuiltIn(_))).map(|(n, _)| &**n).collect();
        let words = known.words.iter().filter(|word| word.form == Form::Property && word.types[0] == kind);
        let taken: Vec<&str> = built_in.into_iter().chain(words.map(|word| word.name.as_str())).collect();
        for (name, fact) in facts.iter().filter(|(name, _)| taken.contains(&&**name)) {
            let Some(what) = declared(known.model, fact) else { continue };
            if !told.contains(&what) {
                found.push(taken_by_all(known.model, name, &what, kind));
                told.push(what);
            }
        }
    }
}

fn taken_by_all(model: &Model, name: &str, what: &str, kind: Type) -> Diagnostic {
    let message = format!("{what} is called `{name}`, which every {} has already", kind.word());
    let found = Diagnostic::error("shared-name", message).help("give it another name in the game's files");
    match model.mentions.get(name) {
        Some(mention) => found.mark(mention.place.clone(), "a name that is taken"),
        None => found,
    }
}

/// What the author declared, in words; nothing for what was not declared.
fn declared(model: &Model, fact: &Fact) -> Option<String> {
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
        Fact::Value(id) => {
            let value = model.value(*id);
            Some(match value.owner {
                Owner::Game => "a value of the game".to_owned(),
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
