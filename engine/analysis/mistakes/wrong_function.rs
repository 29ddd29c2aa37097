//! `unknown-function`, `wrong-arity`, `shared-name` and `taken-name`: a function that the flow calls is missing or takes something
//! else, or one is called like something that every script knows.

use super::super::program::{Code, Program};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::library::{INVARIANT, SCORING};
use crate::model::Named;

/// Looks at what the flow calls, and at the names of all functions.
pub(crate) fn wrong_functions(program: &Program<'_>, found: &mut Vec<Diagnostic>) {
    let named = named_by_flow(program);
    let mut missing: Vec<&str> = Vec::new();
    for one in &named {
        check_called(program, one, &named, &mut missing, found);
    }
    for code in &program.codes {
        check_name(program, code, found);
    }
}

/// The functions that the flow calls, with their places, over all models.
fn named_by_flow<'a>(program: &Program<'a>) -> Vec<&'a Named> {
    let mut named: Vec<&Named> = Vec::new();
    for one in program.models.iter().flat_map(|model| &model.flow.named) {
        if !named.contains(&one) {
            named.push(one);
        }
    }
    named
}

/// Checks a function the flow calls; of one that is missing every place is told at once.
fn check_called<'a>(
    program: &Program<'a>,
    one: &'a Named,
    all: &[&Named],
    missing: &mut Vec<&'a str>,
    found: &mut Vec<Diagnostic>,
) {
    let (name, arity) = (&*one.call.function, usize::from(one.call.takes_seat));
    match program.code(name) {
        Some(code) if code.tree.params.len() == arity => {}
        Some(code) => found.push(wrong_parameters(code, arity, "the flow").mark(one.place.clone(), "called here")),
        None if missing.contains(&name) => {}
        None => {
            missing.push(name);
            found.push(undefined(program, all, name, arity));
        }
    }
}

fn undefined(program: &Program<'_>, all: &[&Named], name: &str, arity: usize) -> Diagnostic {
    let mut found = Diagnostic::error("unknown-function", format!("the flow calls `{name}`, which no script defines"));
    for named in all.iter().filter(|named| *named.call.function == *name) {
        found = found.mark(named.place.clone(), "no function of the rules");
    }
    let names = program.codes.iter().map(Code::name);
    let write = || format!("write `fn {name}({})` in a file of rules/", if arity == 1 { "seat" } else { "" });
    found.help(did_you_mean(name, names).unwrap_or_else(write))
}

fn wrong_parameters(code: &Code<'_>, arity: usize, caller: &str) -> Diagnostic {
    let name = code.name();
    let gives = if arity == 1 { "a seat" } else { "nothing" };
    let takes = match code.tree.params.len() {
        0 => "nothing".to_owned(),
        1 => "1 thing".to_owned(),
        count => format!("{count} things"),
    };
    let write = if arity == 1 { format!("write `fn {name}(seat)`") } else { format!("write `fn {name}()`") };
    Diagnostic::error("wrong-arity", format!("`{name}` takes {takes}, and {caller} gives it {gives}"))
        .mark(code.place(), format!("takes {takes}"))
        .help(write)
}

fn check_name(program: &Program<'_>, code: &Code<'_>, found: &mut Vec<Diagnostic>) {
    let (name, arity) = (code.name(), code.tree.params.len());
    if name.starts_with(INVARIANT) && arity > 0 {
        found.push(wrong_parameters(code, 0, "the engine"));
    }
    if SCORING.contains(&name) && arity != 1 {
        found.push(wrong_parameters(code, 1, "the engine"));
    }
    if let Some(what) = program.what_is(name) {
        found.push(
            Diagnostic::error("shared-name", format!("a function and {what} `{name}` share a name"))
                .mark(code.place(), "a function of the same name")
                .help("give the function another name: a verb for what it does"),
        );
    }
    if !program.language.functions(name).is_empty() {
        found.push(
            Diagnostic::error("taken-name", format!("`{name}` is a word of the vocabulary"))
                .mark(code.place(), "a function of the same name")
                .help(format!("give the function another name, as `{name}_…`")),
        );
    }
}
