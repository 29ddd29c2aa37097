//! What files of the rules hold: functions, with the names and parameters the engine expects, and nothing else.

use super::super::host::{Function, place_of_function};
use super::super::vocabulary::{Fact, Form, Type, names_of};
use super::known::Known;
use super::{Script, place};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::model::{Model, Op, Owner};

/// Checks the functions of all files as a whole.
pub(super) fn check(known: &Known<'_>, scripts: &[Script], found: &mut Vec<Diagnostic>) {
    for (name, arity) in called_by_flow(known.model) {
        check_called(&name, arity, known.functions, found);
    }
    for function in known.functions.iter().filter(|f| !f.name.starts_with("anon$")) {
        check_name(known, function, found);
    }
    for script in scripts {
        check_statements(script, found);
    }
    check_shared_names(known, found);
}

/// The functions the flow calls, with how many things it gives them.
pub(super) fn called_by_flow(model: &Model) -> Vec<(String, usize)> {
    let mut called: Vec<(String, usize)> = Vec::new();
    for op in &model.flow.ops {
        match op {
            Op::Call(call) => called.push((call.function.to_string(), usize::from(call.takes_seat))),
            Op::EachSeat { order: Some(function), .. }
            | Op::Turns { order: Some(function) }
            | Op::Until { function: Some(function), .. }
            | Op::PhaseBegins { when: Some(function), .. } => called.push((function.to_string(), 0)),
            _ => {}
        }
    }
    called.extend(model.flow.rounds_until.iter().map(|function| (function.to_string(), 0)));
    called.sort();
    called.dedup();
    called
}

fn check_called(name: &str, arity: usize, functions: &[Function], found: &mut Vec<Diagnostic>) {
    match functions.iter().find(|f| f.name == name) {
        Some(function) if function.arity == arity => {}
        Some(function) => found.push(wrong_parameters(function, arity, "the flow")),
        None => {
            let known = functions.iter().map(|f| f.name.as_str());
            let diagnostic =
                Diagnostic::error("unknown-function", format!("the flow calls `{name}`, which no script defines"));
            let write = || format!("write `fn {name}({})` in a file of rules/", if arity == 1 { "seat" } else { "" });
            found.push(diagnostic.help(did_you_mean(name, known).unwrap_or_else(write)));
        }
    }
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
    if name.starts_with("invariant_") && function.arity > 0 {
        found.push(wrong_parameters(function, 0, "the engine"));
    }
    if matches!(name, "score" | "rank" | "standing") && function.arity != 1 {
        found.push(wrong_parameters(function, 1, "the engine"));
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
            let message = format!("{what} is called `{name}`, which every {} has already", kind.word());
            if !told.contains(&what) {
                found.push(Diagnostic::error("shared-name", message).help("give it another name in the game's files"));
                told.push(what);
            }
        }
    }
}

/// What the author declared, in words; nothing for what was not declared.
fn declared(model: &Model, fact: &Fact) -> Option<String> {
    match fact {
        Fact::BuiltIn(_) => None,
        Fact::Field(id) => {
            let kinds: Vec<&str> =
                model.kinds.iter().filter(|kind| kind.fields.contains_key(id)).map(|kind| &*kind.id).collect();
            Some(format!("a field of the kind `{}`", kinds.join("`, `")))
        }
        Fact::SpaceField(name) => {
            let space = model.spaces.iter().find(|space| space.fields.contains_key(name))?;
            Some(format!("a field of the spaces of `{}`", model.family_of(space.zone).id))
        }
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
