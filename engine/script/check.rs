//! What can be said about scripts before anything runs.

use super::host::{Function, place_of_function};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::model::{Model, Op};
use rhai::{Engine, Scope};

/// Checks the rules of a game against its model and the vocabulary.
pub(super) fn check(
    engine: &mut Engine,
    scope: &Scope<'_>,
    model: &Model,
    functions: &[Function],
    found: &mut Vec<Diagnostic>,
) {
    let _ = (engine, scope);
    for (name, arity) in called_by_flow(model) {
        check_called(&name, arity, functions, found);
    }
}

/// The functions the flow calls, with how many things it gives them.
fn called_by_flow(model: &Model) -> Vec<(String, usize)> {
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
        Some(function) => {
            let takes = if arity == 1 { "the seat on turn" } else { "nothing" };
            found.push(
                Diagnostic::error(
                    "wrong-arity",
                    format!("`{name}` is called by the flow with {takes}, but takes {} parameters", function.arity),
                )
                .mark(place_of_function(&function.source, name), "takes something else")
                .help(if arity == 1 {
                    format!("write `fn {name}(seat)`")
                } else {
                    format!("write `fn {name}()`")
                }),
            );
        }
        None => {
            let known = functions.iter().map(|f| f.name.as_str());
            let diagnostic =
                Diagnostic::error("unknown-function", format!("the flow calls `{name}`, which no script defines"));
            found.push(match did_you_mean(name, known) {
                Some(help) => diagnostic.help(help),
                None => diagnostic
                    .help(format!("write `fn {name}({})` in a file of rules/", if arity == 1 { "seat" } else { "" })),
            });
        }
    }
}
