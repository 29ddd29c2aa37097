//! `unknown-function`: a called or named function that does not exist.

use super::super::foreign_names::foreign_name_help;
use super::super::program::{Code, Program};
use super::super::types::{Tags, in_words};
use crate::diagnostic::{Diagnostic, Place, did_you_mean, nearest};
use crate::model::{FlowFunctionName, NamedFunction};

/// Reports functions that the flow or other game data names but that no script defines. All places in the flow that name the same function
/// share one diagnostic.
pub(super) fn report_missing_functions(program: &Program<'_>, found: &mut Vec<Diagnostic>) {
    let named = program.named_by_flow();
    let mut missing: Vec<&str> = Vec::new();
    for one in &named {
        let name = &*one.call.function;
        if program.code(name).is_none() && !missing.contains(&name) {
            missing.push(name);
            found.push(missing_flow_function(program, &named, name, usize::from(one.call.takes_seat)));
        }
    }
    let unnamed_of = |named| missing_named_function(program, named);
    let derived = program.derived().into_iter().map(|derived| &derived.named);
    let named = program.named_functions().chain(program.option_functions()).chain(derived);
    found.extend(named.filter(|named| program.code(&named.function).is_none()).map(unnamed_of));
}

fn missing_flow_function(program: &Program<'_>, all: &[&FlowFunctionName], name: &str, arity: usize) -> Diagnostic {
    let mut found = Diagnostic::error("unknown-function", format!("the flow calls `{name}`, which no script defines"));
    for named in all.iter().filter(|named| *named.call.function == *name) {
        found = found.mark(named.place.clone(), "no function of the rules");
    }
    let names = program.codes.iter().map(Code::name);
    let write = || format!("write `fn {name}({})` in a file of rules/", if arity == 1 { "seat" } else { "" });
    found.help(did_you_mean(name, names).unwrap_or_else(write))
}

fn missing_named_function(program: &Program<'_>, named: &NamedFunction) -> Diagnostic {
    let function = &named.function;
    let own = program.codes.iter().map(Code::name);
    let help = did_you_mean(function, own);
    Diagnostic::error("unknown-function", format!("`{}` names `{function}`, which no script defines", named.field))
        .mark(named.place.clone(), "not a function of the rules")
        .help(help.unwrap_or_else(|| format!("write `fn {function}(…)` in a file of rules/")))
}

/// Maximum number of functions that an unknown name is compared with. This limits the time for malicious files.
const MAX_COMPARED: usize = 1_000;

/// Creates the diagnostic for a call of a function that does not exist.
pub(crate) fn unknown_function(
    program: &Program<'_>,
    name: &str,
    given: usize,
    is_method: bool,
    here: Place,
) -> Diagnostic {
    let found = Diagnostic::error("unknown-function", format!("there is no function `{name}`"));
    if is_method && given == 0 && program.has_property(name) {
        let question = format!("is_{name}");
        if !program.language.functions(&question).is_empty() {
            let help = format!("write `{question}()` to ask; `{name}` without `()` is something else");
            return found.mark(here, "not called: it is simply there").help(help);
        }
        return found.mark(here, "not called: it is simply there").help(format!("write `{name}` without `()`"));
    }
    let found = found.mark(here, "not in the library and not in a file of rules/");
    if !is_method && program.what_is(name).is_some() {
        return found.help(format!("write `{name}` without `(…)`"));
    }
    if let Some(meant) = foreign_name_help(name) {
        return found.help(meant);
    }
    let own = program.codes.iter().map(Code::name).filter(|name| !name.is_empty());
    let mut all: Vec<&str> = own.take(MAX_COMPARED).collect();
    all.extend(program.language.function_names());
    let of_fields = if is_method { program.model.function_fields() } else { Vec::new() };
    all.extend(of_fields.iter().map(|field| &**field));
    match nearest(name, all) {
        Some(near) => found.help(format!("did you mean `{near}`?")),
        None if is_method => found,
        None => {
            let params = ["a", "b", "c", "d"];
            let params = params.iter().copied().cycle().take(given).collect::<Vec<_>>().join(", ");
            found.help(format!("write `fn {name}({params})` in a file of rules/"))
        }
    }
}

/// Creates the diagnostic for a call through a field that names functions, if values of the receiver's type do not have this field.
pub(crate) fn no_function_for(name: &str, tags: Tags, accepted: Tags, here: Place) -> Diagnostic {
    Diagnostic::error("unknown-function", format!("there is no `{name}` for {}", in_words(tags)))
        .mark(here, format!("named by fields of {}", in_words(accepted)))
}
