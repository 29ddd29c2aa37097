//! `unknown-function`, `wrong-arity` and `taken-name` of fields that name functions of the rules: whether these are there, and take
//! what they are given where they are called.

use super::super::program::{Code, Program};
use super::wrong_call::things;
use crate::diagnostic::{Diagnostic, Place, did_you_mean};
use crate::library::MOST_TAKEN;
use crate::model::NamedFunction;

/// Looks at what the data name.
pub(crate) fn wrong_names(program: &Program<'_>, found: &mut Vec<Diagnostic>) {
    for named in named_functions(program) {
        match program.code(&named.function) {
            None => found.push(unknown(program, named)),
            Some(function) if !(1..=MOST_TAKEN).contains(&function.tree.params.len()) => {
                found.push(not_callable(function, named));
            }
            Some(_) => {}
        }
    }
    found.extend(program.function_fields.iter().filter_map(|field| taken(program, field)));
}

/// Looks at a call of what a field names: every function that any row names there must take so many things.
pub(crate) fn wrong_call_of_field(
    program: &Program<'_>,
    field: &str,
    here: &Place,
    total: usize,
    found: &mut Vec<Diagnostic>,
) {
    let mut told: Vec<&str> = Vec::new();
    for named in named_functions(program).filter(|named| *named.field == *field) {
        let function = program.code(&named.function).filter(|function| function.tree.params.len() != total);
        let Some(function) = function.filter(|function| !told.contains(&function.name())) else { continue };
        told.push(function.name());
        let (name, arity) = (function.name(), function.tree.params.len());
        let message = format!("`{name}` takes {}, and `{field}` gives it {total}", things(&[arity]));
        found.push(
            Diagnostic::error("wrong-arity", message)
                .mark(here.clone(), format!("given {total}, what stands before the dot first"))
                .mark(function.place(), format!("takes {arity}"))
                .mark(named.place.clone(), "named here"),
        );
    }
}

/// The functions that fields name, over all models.
fn named_functions<'a>(program: &Program<'a>) -> impl Iterator<Item = &'a NamedFunction> {
    program.models.iter().flat_map(|model| model.named_functions.iter())
}

fn unknown(program: &Program<'_>, named: &NamedFunction) -> Diagnostic {
    let function = &named.function;
    let own = program.codes.iter().map(Code::name);
    let help = did_you_mean(function, own);
    Diagnostic::error("unknown-function", format!("`{}` names `{function}`, which no script defines", named.field))
        .mark(named.place.clone(), "not a function of the rules")
        .help(help.unwrap_or_else(|| format!("write `fn {function}(…)` in a file of rules/")))
}

fn not_callable(function: &Code<'_>, named: &NamedFunction) -> Diagnostic {
    let (name, arity) = (function.name(), function.tree.params.len());
    let takes = things(&[arity]);
    let found = Diagnostic::error("wrong-arity", format!("`{}` names `{name}`, which takes {takes}", named.field))
        .mark(named.place.clone(), "named here")
        .mark(function.place(), format!("takes {takes}"));
    if arity == 0 {
        found.help(format!("let it take the thing that names it: `fn {name}(card)`"))
    } else {
        found.help(format!("let it take at most {MOST_TAKEN} things"))
    }
}

/// A call of such a field must not mean something else as well.
fn taken(program: &Program<'_>, field: &str) -> Option<Diagnostic> {
    let is_word = !program.language.functions(field).is_empty();
    let own = program.code(field);
    let what = if is_word { "a word of the vocabulary" } else { own.map(|_| "a function of the rules")? };
    let message = format!("the field `{field}` names functions and is called like {what}");
    let mut found = Diagnostic::error("taken-name", message).help("give the field another name");
    for named in named_functions(program).filter(|named| *named.field == *field).take(1) {
        found = found.mark(named.place.clone(), "a field that names a function");
    }
    for own in own.into_iter().filter(|_| !is_word) {
        found = found.mark(own.place(), "a function");
    }
    Some(found)
}
