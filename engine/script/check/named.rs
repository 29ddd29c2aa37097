//! Fields that name functions of the rules: whether these are there, and take what they are given where they are called.

use super::super::host::{Function, place_of_function};
use super::super::vocabulary::{Form, MOST_TAKEN};
use super::calls::things;
use super::known::Known;
use super::{Visit, place};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::model::NamedFunction;
use rhai::{FnCallExpr, Position};

/// Checks what the data name.
pub(super) fn check(known: &Known<'_>, found: &mut Vec<Diagnostic>) {
    for named in known.named_functions() {
        match function(known, named) {
            None => found.push(unknown(known, named)),
            Some(function) if !(1..=MOST_TAKEN).contains(&function.arity) => found.push(not_callable(function, named)),
            Some(_) => {}
        }
    }
    for field in &known.function_fields {
        found.extend(taken(known, field));
    }
}

/// Checks a call of what a field names: every function that any row names there must take so many things.
pub(super) fn check_call(visit: &mut Visit<'_>, call: &FnCallExpr, at: Position, total: usize) {
    let known = visit.known;
    let mut told: Vec<&str> = Vec::new();
    for named in known.named_functions().filter(|named| *named.field == *call.name) {
        let Some(function) = function(known, named).filter(|function| function.arity != total) else { continue };
        if told.contains(&function.name.as_str()) {
            continue;
        }
        told.push(&function.name);
        let (field, takes) = (&named.field, things(&[function.arity]));
        visit.found.push(
            Diagnostic::error(
                "wrong-arity",
                format!("`{}` takes {takes}, and `{field}` gives it {total}", function.name),
            )
            .mark(place::of_name(visit.source, at, field), format!("given {total}, what stands before the dot first"))
            .mark(place_of_function(&function.source, &function.name), format!("takes {}", function.arity))
            .mark(named.place.clone(), "named here"),
        );
    }
}

fn function<'a>(known: &Known<'a>, named: &NamedFunction) -> Option<&'a Function> {
    known.functions.iter().find(|function| function.name == *named.function)
}

fn unknown(known: &Known<'_>, named: &NamedFunction) -> Diagnostic {
    let function = &named.function;
    let own = known.functions.iter().map(|function| function.name.as_str()).filter(|name| !name.starts_with("anon$"));
    let help = did_you_mean(function, own);
    Diagnostic::error("unknown-function", format!("`{}` names `{function}`, which no script defines", named.field))
        .mark(named.place.clone(), "not a function of the rules")
        .help(help.unwrap_or_else(|| format!("write `fn {function}(…)` in a file of rules/")))
}

fn not_callable(function: &Function, named: &NamedFunction) -> Diagnostic {
    let name = &function.name;
    let takes = things(&[function.arity]);
    let found = Diagnostic::error("wrong-arity", format!("`{}` names `{name}`, which takes {takes}", named.field))
        .mark(named.place.clone(), "named here")
        .mark(place_of_function(&function.source, name), format!("takes {takes}"));
    if function.arity == 0 {
        found.help(format!("let it take the thing that names it: `fn {name}(card)`"))
    } else {
        found.help(format!("let it take at most {MOST_TAKEN} things"))
    }
}

/// A call of such a field must not mean something else as well.
fn taken(known: &Known<'_>, field: &str) -> Option<Diagnostic> {
    let is_word = known.words.iter().any(|word| word.form == Form::Function && word.name == field);
    let own = known.functions.iter().find(|function| function.name == field);
    let what = if is_word { "a word of the vocabulary" } else { own.map(|_| "a function of the rules")? };
    let message = format!("the field `{field}` names functions and is called like {what}");
    let mut found = Diagnostic::error("taken-name", message).help("give the field another name");
    for named in known.named_functions().filter(|named| *named.field == *field).take(1) {
        found = found.mark(named.place.clone(), "a field that names a function");
    }
    for own in own.into_iter().filter(|_| !is_word) {
        found = found.mark(place_of_function(&own.source, field), "a function");
    }
    Some(found)
}
