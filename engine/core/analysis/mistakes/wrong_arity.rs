//! `wrong-arity`: a function is called with the wrong number of arguments.

use super::super::program::{Code, Program};
use crate::diagnostic::{Diagnostic, Place};
use crate::library::{Entry, INVARIANT, MAX_FIELD_ARGUMENTS, Pattern};
use crate::model::{Derived, NamedFunction, Op, Owner, SCORING};

/// Reports functions that the flow, the engine or the game's data calls with the wrong number of arguments.
pub(super) fn report_wrong_arities(program: &Program<'_>, found: &mut Vec<Diagnostic>) {
    for named in program.named_by_flow() {
        let arity = usize::from(named.call.takes_seat);
        if let Some(code) = program.code(&named.call.function).filter(|code| !code.tree.takes(arity)) {
            let message = wrong_parameters(code, arity, "the flow").mark(named.place.clone(), "called here");
            let is_for_seat = arity == 0 && code.tree.params.len() == 1 && is_step(program, code.name());
            found.push(if is_for_seat { for_each_seat(message, code.name()) } else { message });
        }
    }
    for code in program.rules() {
        let name = code.name();
        if name.starts_with(INVARIANT) && !code.tree.takes(0) {
            found.push(wrong_parameters(code, 0, "the engine"));
        }
        if SCORING.contains(&name) && !code.tree.takes(1) {
            found.push(wrong_parameters(code, 1, "the engine"));
        }
    }
    for named in program.named_functions() {
        let function = program.code(&named.function);
        if let Some(function) = function.filter(|code| !(1..=MAX_FIELD_ARGUMENTS).any(|count| code.tree.takes(count))) {
            found.push(not_callable(function, named));
        }
    }
    for named in program.option_functions() {
        if let Some(function) = program.code(&named.function).filter(|code| !code.tree.takes(2)) {
            found.push(not_for_options(function, named));
        }
    }
    for derived in program.derived() {
        let arity = usize::from(derived.owner != Owner::Game);
        if let Some(function) = program.code(&derived.named.function).filter(|code| !code.tree.takes(arity)) {
            found.push(not_for_values(function, derived));
        }
    }
}

/// Returns whether the flow uses a function as a step, rather than to evaluate a condition or an order.
fn is_step(program: &Program<'_>, name: &str) -> bool {
    let mut ops = program.models.iter().flat_map(|model| &model.flow.ops);
    ops.any(|op| matches!(op, Op::Call(call) if *call.function == *name))
}

/// Adds a help text for a step whose function takes a seat: the step should probably run for each seat.
fn for_each_seat(found: Diagnostic, name: &str) -> Diagnostic {
    found.help(format!("write `{{ each_seat = \"{name}\" }}` in the flow, which passes each seat, or `fn {name}()`"))
}

fn wrong_parameters(code: &Code<'_>, arity: usize, caller: &str) -> Diagnostic {
    let name = code.name();
    let passes = if arity == 1 { "a seat" } else { "none" };
    let takes = format_counts(&[code.tree.params.len()]);
    let write = if arity == 1 { format!("write `fn {name}(seat)`") } else { format!("write `fn {name}()`") };
    Diagnostic::error("wrong-arity", format!("`{name}` takes {takes}, and {caller} passes {passes}"))
        .mark(code.place(), format!("takes {takes}"))
        .help(write)
}

fn not_for_options(function: &Code<'_>, named: &NamedFunction) -> Diagnostic {
    let (name, takes) = (function.name(), format_counts(&[function.tree.params.len()]));
    let message = format!("`{name}` takes {takes}, and `{}` passes a seat and an option", named.field);
    Diagnostic::error("wrong-arity", message)
        .mark(function.place(), format!("takes {takes}"))
        .mark(named.place.clone(), "named here")
        .help(format!("write `fn {name}(seat, option)`"))
}

fn not_for_values(function: &Code<'_>, derived: &Derived) -> Diagnostic {
    let (name, takes) = (function.name(), format_counts(&[function.tree.params.len()]));
    let (passes, param) = match derived.owner {
        Owner::Game => ("nothing", ""),
        Owner::Seat => ("a seat", "seat"),
        Owner::Piece(_) => ("a piece", "piece"),
        _ => ("a component", "component"),
    };
    Diagnostic::error("wrong-arity", format!("`{name}` takes {takes}, and `{}` passes {passes}", derived.named.field))
        .mark(function.place(), format!("takes {takes}"))
        .mark(derived.named.place.clone(), "named here")
        .help(format!("write `fn {name}({param})`"))
}

fn not_callable(function: &Code<'_>, named: &NamedFunction) -> Diagnostic {
    let (name, arity) = (function.name(), function.tree.params.len());
    let takes = format_counts(&[arity]);
    let found = Diagnostic::error("wrong-arity", format!("`{}` names `{name}`, which takes {takes}", named.field))
        .mark(named.place.clone(), "named here")
        .mark(function.place(), format!("takes {takes}"));
    if arity == 0 {
        found.help(format!("let it take what names it: `fn {name}(card)`"))
    } else {
        found.help(format!("let it take at most {MAX_FIELD_ARGUMENTS} arguments"))
    }
}

/// Reports functions that are named in the field `field` but do not take `total` arguments.
pub(crate) fn wrong_call_of_field(
    program: &Program<'_>,
    field: &str,
    here: &Place,
    total: usize,
    found: &mut Vec<Diagnostic>,
) {
    let mut reported: Vec<&str> = Vec::new();
    for named in program.named_functions().filter(|named| *named.field == *field) {
        let function = program.code(&named.function).filter(|function| !function.tree.takes(total));
        let Some(function) = function.filter(|function| !reported.contains(&function.name())) else { continue };
        reported.push(function.name());
        let (name, arity) = (function.name(), function.tree.params.len());
        let message = format!("`{name}` takes {}, and `{field}` passes {total}", format_counts(&[arity]));
        found.push(
            Diagnostic::error("wrong-arity", message)
                .mark(here.clone(), format!("passes {total}, what stands before the dot first"))
                .mark(function.place(), format!("takes {arity}"))
                .mark(named.place.clone(), "named here"),
        );
    }
}

/// Creates the diagnostic for a call through a field, if the function that the field names takes a different number of arguments.
pub(crate) fn wrong_number_for_field(
    name: &str,
    takes: usize,
    field: &str,
    total: usize,
    here: Place,
    function: Place,
) -> Diagnostic {
    Diagnostic::error(
        "wrong-arity",
        format!("`{name}` takes {}, and `{field}` passes {total}", format_counts(&[takes])),
    )
    .mark(here, format!("passes {total}, what stands before the dot first"))
    .mark(function, format!("takes {takes}"))
}

/// Creates the diagnostic for a call of a function of the rules with the wrong number of arguments.
pub(crate) fn wrong_number_for(own: &Code<'_>, given: usize, here: Place) -> Diagnostic {
    let takes = own.tree.params.len();
    Diagnostic::error("wrong-arity", format!("`{}` takes {}, got {given}", own.name(), format_counts(&[takes])))
        .mark(here, format!("given {given}"))
        .mark(own.place(), format!("takes {takes}"))
}

/// Creates the diagnostic for a call of a stored closure with the wrong number of arguments.
pub(crate) fn wrong_number_for_kept(takes: usize, passed: usize, here: Place) -> Diagnostic {
    let message = format!("this function takes {}, got {passed}", format_counts(&[takes]));
    Diagnostic::error("wrong-arity", message).mark(here, format!("given {passed}"))
}

/// Creates the diagnostic for a call of a library function with the wrong number of arguments.
pub(crate) fn wrong_number(
    program: &Program<'_>,
    name: &str,
    known: &[usize],
    given: usize,
    is_method: bool,
    here: Place,
) -> Diagnostic {
    let counts: Vec<usize> = known.iter().filter_map(|count| count.checked_sub(usize::from(is_method))).collect();
    let within = if is_method { " in its brackets" } else { "" };
    let found =
        Diagnostic::error("wrong-arity", format!("`{name}` takes {}{within}, got {given}", format_counts(&counts)))
            .mark(here, format!("given {given}"));
    match forms(program.language.functions(name), is_method) {
        forms if forms.is_empty() => found,
        forms => found.help(format!("write {}", forms.join(" or "))),
    }
}

/// Returns the parameters of a library function, as they are written in an example call. A parameter that takes a closure is written as a
/// closure.
fn params(word: &Entry) -> Vec<String> {
    let describe_param = |(takes, param): (&Pattern, &String)| match takes {
        Pattern::Function(takes, ..) => {
            let names = ["a", "b", "c"][..takes.len().min(3)].join(", ");
            format!("|{names}| {param}")
        }
        _ => param.clone(),
    };
    word.takes.iter().zip(&word.params).map(describe_param).collect()
}

/// Returns at most four example calls, one for each signature of a library function.
fn forms(words: &[&Entry], is_method: bool) -> Vec<String> {
    let mut forms: Vec<String> = words
        .iter()
        .map(|word| match &*params(word) {
            [first, rest @ ..] if is_method => format!("`{first}.{}({})`", word.name, rest.join(", ")),
            all => format!("`{}({})`", word.name, all.join(", ")),
        })
        .collect();
    let mut seen: Vec<String> = Vec::new();
    forms.retain(|form| {
        let form = form.split_once('.').map_or(form.as_str(), |(_, form)| form).to_owned();
        let is_new = !seen.contains(&form);
        seen.push(form);
        is_new
    });
    forms.truncate(4);
    forms
}

/// Formats numbers of arguments: "no argument", "1 argument", "2 or 3 arguments".
fn format_counts(counts: &[usize]) -> String {
    match counts {
        [0] => "no argument".to_owned(),
        [1] => "1 argument".to_owned(),
        counts => {
            let counts: Vec<String> = counts.iter().map(usize::to_string).collect();
            format!("{} arguments", counts.join(" or "))
        }
    }
}

/// Creates the diagnostic for a closure with the wrong number of parameters.
pub(crate) fn wrong_function(name: &str, passes: usize, takes: usize, here: Place) -> Diagnostic {
    let message =
        format!("`{name}` passes the function {}, and it takes {}", format_counts(&[passes]), format_counts(&[takes]));
    let names = ["a", "b", "c"][..passes.min(3)].join(", ");
    Diagnostic::error("wrong-arity", message).mark(here, format!("takes {takes}")).help(if passes == 0 {
        "write `|| …`".to_owned()
    } else {
        format!("write `|{names}| …`")
    })
}
