//! `not-called`: a function of the rules is named without brackets, so it is not called.

use super::super::names::quoted_names;
use super::super::program::{Code, Program};
use crate::decision::Type;
use crate::diagnostic::{Diagnostic, Place};
use crate::syntax::{Expr, ExprKind, each_expr};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Reports functions that are named without brackets.
pub(crate) fn report_uncalled_functions(program: &Program<'_>, code: &Code<'_>, found: &mut Vec<Diagnostic>) {
    let assigned = code.assignment_counts();
    let mut wanted: FxHashMap<u32, &str> = FxHashMap::default();
    each_expr(&code.tree.body.statements, &mut |expr| match &expr.kind {
        ExprKind::Call { name, arguments } => {
            record_quoted_params(program, &name.text, &arguments.iter().collect::<Vec<_>>(), &mut wanted);
        }
        ExprKind::Method { receiver: of, name, arguments, .. } => {
            let all: Vec<&Expr> = std::iter::once(&**of).chain(arguments).collect();
            record_quoted_params(program, &name.text, &all, &mut wanted);
        }
        ExprKind::Name(name) => {
            let Some(function) = program.code(name).filter(|_| program.what_is(name).is_none()) else { return };
            let span = expr.span;
            if assigned.contains_key(&**name) {
                return;
            }
            let here = code.at(span);
            found.push(match wanted.get(&span.start) {
                Some(param) => in_quotes(program, here, name, param),
                None => not_called(here, name, function.tree.params.len()),
            });
        }
        _ => {}
    });
}

/// Records arguments that are names without quotes where the parameter takes a text. Maps the offset of the argument to the name of the
/// parameter.
fn record_quoted_params(
    program: &Program<'_>,
    name: &str,
    arguments: &[&Expr],
    wanted: &mut FxHashMap<u32, &'static str>,
) {
    let named = arguments.iter().enumerate().filter(|(_, argument)| matches!(argument.kind, ExprKind::Name(_)));
    for (at, argument) in named {
        let mut words = program.language.functions(name).iter().filter(|word| word.params.len() == arguments.len());
        if let Some(word) = words.find(|word| word.types[at] == Type::Text) {
            wanted.insert(argument.span.start, &word.params[at]);
        }
    }
}

fn in_quotes(program: &Program<'_>, here: Place, name: &Arc<str>, param: &str) -> Diagnostic {
    let is_id = quoted_names(program.model).iter().any(|(known, _)| **known == **name);
    let help = if is_id { format!("write `\"{name}\"`") } else { format!("write the name of a {param} in quotes") };
    Diagnostic::error("not-called", format!("`{param}` is a name in quotes, and `{name}` is a function"))
        .mark(here, "without quotes")
        .help(help)
}

/// Creates the diagnostic for a function that is named without brackets. `takes` is its number of parameters.
pub(crate) fn not_called(here: Place, name: &str, takes: usize) -> Diagnostic {
    let call = if takes == 0 { format!("{name}()") } else { format!("{name}(…)") };
    let is_given = here.source.text[..here.span.start].trim_end().ends_with(['(', ',', '[', ':']);
    let given = ["x", "y", "z"].get(..takes).map(|given| given.join(", "));
    let more = match given {
        Some(given) if is_given => format!(", or `|{given}| {name}({given})` to hand the function on"),
        _ => String::new(),
    };
    Diagnostic::error("not-called", format!("the function `{name}` is named, and not called"))
        .mark(here, "without brackets")
        .help(format!("write `{call}`{more}"))
}

/// Creates the diagnostic for a library function that is named after a dot without brackets.
pub(crate) fn not_called_behind(here: Place, name: &str, takes_more: bool) -> Diagnostic {
    let brackets = if takes_more { "(…)" } else { "()" };
    let found = Diagnostic::error("not-called", format!("`{name}` is named, and not called"));
    found.mark(here, "without brackets").help(format!("write `{name}{brackets}`"))
}
