//! Calls: whether a function of that name takes so many things.

use super::super::host::{Function, place_of_function};
use super::super::vocabulary::{Form, Word};
use super::{Visit, named, place};
use crate::analysis::habits::habit;
use crate::analysis::names::{not_called, quoted_names};
use crate::decision::Type;
use crate::diagnostic::{Diagnostic, Place, nearest};
use crate::library::{Effects, own_counts, own_functions};
use rhai::{ASTNode, Expr, FnCallExpr, Position, Stmt};

/// The words of the script engine for what a function that is kept is made to do.
const CALL: &str = "call";

/// Whether this is how the script engine hands a function `|…|` the variables it has taken hold of.
pub(super) fn is_capture(call: &FnCallExpr) -> bool {
    call.name == "curry" && matches!(call.args.first(), Some(Expr::DynamicConstant(..)))
}

/// Checks the name of a call and how many things it is given.
pub(super) fn check(visit: &mut Visit<'_>, call: &FnCallExpr, at: Position, is_method: bool) {
    let name = call.name.as_str();
    let (given, total) = (call.args.len(), call.args.len() + usize::from(is_method));
    if name == CALL || !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return;
    }
    if total > 0 && visit.known.function_fields.iter().any(|field| **field == *name) {
        return named::check_call(visit, call, at, total);
    }
    let own: Vec<&Function> = visit.known.functions.iter().filter(|f| f.name == name).collect();
    let known = arities(visit, name);
    if is_for_plays(visit, name) && own.is_empty() && !visit.is_play {
        let here = place::of_name(visit.source, at, name);
        visit.found.push(
            Diagnostic::error("not-arranging", format!("`{name}` is a word for `arrange` in plays, not for rules"))
                .mark(here, "not in the arrange of a play")
                .help("move a piece with `move_to`, or draw it from its pile"),
        );
        return;
    }
    if known.contains(&total) || own.iter().any(|f| f.arity == given) {
        return;
    }
    let here = place::of_name(visit.source, at, name);
    let found = match (own.first(), known.as_slice()) {
        (Some(own), _) => wrong_own(own, name, given, total, is_method, here),
        (None, []) => unknown(visit, name, given, is_method, here),
        (None, known) => wrong_number(visit, name, known, given, is_method, here),
    };
    visit.found.push(found);
}

/// A function of the rules that is named without brackets: nothing is called.
pub(super) fn check_named(visit: &mut Visit<'_>, path: &[ASTNode<'_>], expr: &Expr) {
    let (Some(function), Expr::Variable(_, _, at)) = (visit.known.named_function(expr), expr) else { return };
    let here = place::of_name(visit.source, *at, &function.name);
    visit.found.push(match text_wanted(visit, path, expr) {
        Some(param) => in_quotes(visit, here, &function.name, &param),
        None if visit.is_unnamed && is_variable(visit, &function.name) => hidden_by_function(here, &function.name),
        None => not_called(here, &function.name, function.arity > 0),
    });
}

/// Whether a variable of that name is given something anywhere in the file.
fn is_variable(visit: &Visit<'_>, name: &str) -> bool {
    visit.source.text.contains(&format!("let {name} ="))
}

/// The script engine hands functions `|…|` no variables that are called like functions.
fn hidden_by_function(here: Place, name: &str) -> Diagnostic {
    Diagnostic::error("not-called", format!("in a function `|…|`, `{name}` is the function, not the variable"))
        .mark(here, "the function of that name")
        .help("give the variable another name")
}

/// The parameter that takes a name in quotes where a function is named.
fn text_wanted(visit: &Visit<'_>, path: &[ASTNode<'_>], expr: &Expr) -> Option<String> {
    let [.., parent, _] = path else { return None };
    let (call, shift) = match parent {
        ASTNode::Expr(Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _)) => (call, 0),
        ASTNode::Expr(Expr::MethodCall(call, _)) => (call, 1),
        _ => return None,
    };
    let at = call.args.iter().position(|arg| std::ptr::eq(&raw const *arg, expr))? + shift;
    let mut words = visit.known.functions_named(&call.name).filter(|word| word.params.len() == call.args.len() + shift);
    words.find(|word| word.types[at] == Type::Text).map(|word| word.params[at].clone())
}

fn in_quotes(visit: &Visit<'_>, here: Place, name: &str, param: &str) -> Diagnostic {
    let is_id = quoted_names(visit.known.model).iter().any(|(known, _)| known == name);
    let help = if is_id { format!("write `\"{name}\"`") } else { format!("write the name of a {param} in quotes") };
    Diagnostic::error("not-called", format!("`{param}` is a name in quotes, and `{name}` is a function"))
        .mark(here, "without quotes")
        .help(help)
}

/// Whether a word sets up positions in plays, and does nothing else.
fn is_for_plays(visit: &Visit<'_>, name: &str) -> bool {
    let mut words = visit.known.functions_named(name).peekable();
    words.peek().is_some() && words.all(|word| word.effects.has(Effects::ARRANGES)) && own_counts(name).next().is_none()
}

/// How many things the functions of the vocabulary and of the script engine with this name take.
fn arities(visit: &Visit<'_>, name: &str) -> Vec<usize> {
    let words = visit.known.functions_named(name).map(|word| word.params.len());
    let mut counts: Vec<usize> = words.chain(own_counts(name)).collect();
    counts.sort_unstable();
    counts.dedup();
    counts
}

fn wrong_own(own: &Function, name: &str, given: usize, total: usize, is_method: bool, here: Place) -> Diagnostic {
    if is_method && own.arity == total {
        let brackets = if own.arity == 1 { "…" } else { "…, …" };
        return Diagnostic::error("wrong-call", format!("`{name}` is a function of the rules, not of a thing"))
            .mark(here, "called behind a dot")
            .help(format!("put what stands before the dot into the brackets: `{name}({brackets})`"));
    }
    Diagnostic::error("wrong-arity", format!("`{name}` takes {}, not {given}", things(&[own.arity])))
        .mark(here, format!("given {given}"))
        .mark(place_of_function(&own.source, name), format!("takes {}", own.arity))
}

fn wrong_number(
    visit: &Visit<'_>,
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
    match forms(visit.known.functions_named(name), is_method) {
        forms if forms.is_empty() => found,
        forms => found.help(format!("write {}", forms.join(" or "))),
    }
}

/// The ways to write a word.
fn forms<'a>(words: impl Iterator<Item = &'a Word>, is_method: bool) -> Vec<String> {
    let mut forms: Vec<String> = words
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

fn unknown(visit: &Visit<'_>, name: &str, given: usize, is_method: bool, here: Place) -> Diagnostic {
    let known = visit.known;
    let found = Diagnostic::error("unknown-function", format!("there is no function `{name}`"));
    if is_method && given == 0 && known.has_property(name) {
        return found.mark(here, "not called: it is simply there").help(format!("write `{name}` without `()`"));
    }
    let is_name = !is_method && known.is_global(name);
    let found = found.mark(here, "neither in the vocabulary nor in a file of rules/");
    if is_name {
        return found.help(format!("write `{name}` without `(…)`"));
    }
    let words = known.words.iter().filter(|word| word.form == Form::Function).map(|word| word.name.as_str());
    let own = known.functions.iter().map(|f| f.name.as_str()).filter(|name| !name.starts_with("anon$"));
    let mut all: Vec<&str> = own.chain(words).collect();
    all.extend(own_functions().iter().map(|own| own.name));
    if let Some(meant) = habit(name) {
        return found.help(meant);
    }
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
