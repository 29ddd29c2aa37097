//! `unknown-function`, `wrong-arity`, `wrong-call` and `not-arranging`: whether there is a function of the name that is called, for so
//! many things, and here.

use super::super::habits::habit;
use super::super::program::{Code, Program};
use super::named_function;
use crate::diagnostic::{Diagnostic, Place, nearest};
use crate::library::{Effects, Word, own_counts, own_functions};
use crate::syntax::{ExprKind, Name, each_expr};

/// The word of the script engine for what a function that is kept is made to do.
const CALL: &str = "call";

/// Looks at every call in a function.
pub(crate) fn wrong_calls(program: &Program<'_>, code: &Code<'_>, found: &mut Vec<Diagnostic>) {
    each_expr(&code.tree.body.statements, &mut |expr| match &expr.kind {
        ExprKind::Call { name, arguments } => check(program, code, (name, arguments.len(), false), found),
        ExprKind::Method { name, arguments, .. } => check(program, code, (name, arguments.len(), true), found),
        _ => {}
    });
}

/// Checks the name of a call and how many things it is given in its brackets.
fn check(
    program: &Program<'_>,
    code: &Code<'_>,
    (called, given, is_method): (&Name, usize, bool),
    found: &mut Vec<Diagnostic>,
) {
    let name = &*called.text;
    let total = given + usize::from(is_method);
    if name == CALL || name.is_empty() {
        return;
    }
    let here = code.at(called.span);
    if total > 0 && program.function_fields.iter().any(|field| **field == *name) {
        return named_function::wrong_call_of_field(program, name, &here, total, found);
    }
    let mut own = program.codes.iter().filter(|code| code.name() == name).peekable();
    let first = own.peek().copied();
    let known = arities(program, name);
    if is_for_plays(program, name) && first.is_none() && !code.is_text() {
        found.push(
            Diagnostic::error("not-arranging", format!("`{name}` is a word for `arrange` in plays, not for rules"))
                .mark(here, "not in the arrange of a play")
                .help("move a piece with `move_to`, or draw it from its pile"),
        );
        return;
    }
    if known.contains(&total) || own.any(|own| own.tree.params.len() == given) {
        return;
    }
    found.push(match (first, known.as_slice()) {
        (Some(own), _) => wrong_own(own, name, given, total, is_method, here),
        (None, []) => unknown(program, name, given, is_method, here),
        (None, known) => wrong_number(program, name, known, given, is_method, here),
    });
}

/// Whether a word sets up positions in plays, and does nothing else.
fn is_for_plays(program: &Program<'_>, name: &str) -> bool {
    let words = program.language.functions(name);
    !words.is_empty()
        && words.iter().all(|word| word.effects.has(Effects::ARRANGES))
        && own_counts(name).next().is_none()
}

/// How many things the functions of the language with this name take.
fn arities(program: &Program<'_>, name: &str) -> Vec<usize> {
    let words = program.language.functions(name).iter().map(|word| word.params.len());
    let mut counts: Vec<usize> = words.chain(own_counts(name)).collect();
    counts.sort_unstable();
    counts.dedup();
    counts
}

fn wrong_own(own: &Code<'_>, name: &str, given: usize, total: usize, is_method: bool, here: Place) -> Diagnostic {
    if is_method && own.tree.params.len() == total {
        let brackets = if own.tree.params.len() == 1 { "…" } else { "…, …" };
        return Diagnostic::error("wrong-call", format!("`{name}` is a function of the rules, not of a thing"))
            .mark(here, "called behind a dot")
            .help(format!("put what stands before the dot into the brackets: `{name}({brackets})`"));
    }
    Diagnostic::error("wrong-arity", format!("`{name}` takes {}, not {given}", things(&[own.tree.params.len()])))
        .mark(here, format!("given {given}"))
        .mark(own.place(), format!("takes {}", own.tree.params.len()))
}

fn wrong_number(
    program: &Program<'_>,
    name: &str,
    known: &[usize],
    given: usize,
    is_method: bool,
    here: Place,
) -> Diagnostic {
    let counts: Vec<usize> = known.iter().filter_map(|count| count.checked_sub(usize::from(is_method))).collect();
    let within = if is_method { " in its brackets" } else { "" };
    let found = Diagnostic::error("wrong-arity", format!("`{name}` takes {}{within}, not {given}", things(&counts)))
        .mark(here, format!("given {given}"));
    match forms(program.language.functions(name), is_method) {
        forms if forms.is_empty() => found,
        forms => found.help(format!("write {}", forms.join(" or "))),
    }
}

/// The ways to write a word.
fn forms(words: &[&Word], is_method: bool) -> Vec<String> {
    let mut forms: Vec<String> = words
        .iter()
        .map(|word| match word.params.split_first() {
            Some((first, rest)) if is_method => format!("`{first}.{}({})`", word.name, rest.join(", ")),
            _ => format!("`{}({})`", word.name, word.params.join(", ")),
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

/// "1 thing", "2 or 3 things", "nothing".
pub(super) fn things(counts: &[usize]) -> String {
    match counts {
        [0] => "nothing".to_owned(),
        [1] => "1 thing".to_owned(),
        counts => {
            let counts: Vec<String> = counts.iter().map(usize::to_string).collect();
            format!("{} things", counts.join(" or "))
        }
    }
}

fn unknown(program: &Program<'_>, name: &str, given: usize, is_method: bool, here: Place) -> Diagnostic {
    let found = Diagnostic::error("unknown-function", format!("there is no function `{name}`"));
    if is_method && given == 0 && program.has_property(name) {
        return found.mark(here, "not called: it is simply there").help(format!("write `{name}` without `()`"));
    }
    let found = found.mark(here, "neither in the vocabulary nor in a file of rules/");
    if !is_method && program.what_is(name).is_some() {
        return found.help(format!("write `{name}` without `(…)`"));
    }
    if let Some(meant) = habit(name) {
        return found.help(meant);
    }
    let mut all: Vec<&str> = program.codes.iter().map(Code::name).filter(|name| !name.is_empty()).collect();
    all.extend(program.language.function_names());
    all.extend(own_functions().iter().map(|own| own.name));
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
