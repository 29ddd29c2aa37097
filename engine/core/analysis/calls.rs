//! Checks that each called function exists, accepts the number of arguments, and may be called in this code.

use super::mistakes::not_arranging::not_arranging;
use super::mistakes::unknown_function::unknown_function;
use super::mistakes::wrong_arity::{wrong_call_of_field, wrong_number, wrong_number_for};
use super::program::{Code, Program};
use crate::diagnostic::Diagnostic;
use crate::library::Effects;
use crate::syntax::{CALL, ExprKind, Name, each_expr};
use std::sync::Arc;

/// Reports the wrong calls in a function, or in code in a playscript.
pub(crate) fn report_wrong_calls(program: &Program<'_>, code: &Code<'_>, found: &mut Vec<Diagnostic>) {
    each_expr(&code.tree.body.statements, &mut |expr| match &expr.kind {
        ExprKind::Call { name, arguments } => {
            if let Some(field) = program.language.event(name, arguments) {
                // The triggered functions receive the piece in place of the event name, so they take as many arguments as `trigger`.
                wrong_call_of_field(program, field, &code.at(name.span), arguments.len(), found);
            }
            check(program, code, name, arguments.len(), false, found);
        }
        ExprKind::Method { name, arguments, .. } => check(program, code, name, arguments.len(), true, found),
        _ => {}
    });
}

/// Checks a call that binding has not resolved to a function of the game. The call must name a known function and pass a valid number of
/// arguments. `count` is the number of arguments in parentheses.
fn check(
    program: &Program<'_>,
    code: &Code<'_>,
    called: &Name,
    count: usize,
    is_method: bool,
    found: &mut Vec<Diagnostic>,
) {
    let name = &*called.text;
    let total = count + usize::from(is_method);
    if name == CALL || name.is_empty() {
        return;
    }
    let here = code.at(called.span);
    let known = arities(program, name);
    if total > 0 && program.function_fields.iter().any(|field| **field == *name) {
        // The number of arguments depends on the thing whose field names the function, so type inference checks it.
        return;
    }
    if is_setup_only(program, name) && !code.is_text() {
        return found.push(not_arranging(here));
    }
    if known.contains(&total) {
        return;
    }
    // An agent's functions can be called only from its own file.
    let own = program.codes_of(name).find(|own| !own.is_agent || Arc::ptr_eq(own.source, code.source));
    found.push(match (own, known.as_slice()) {
        (Some(own), _) => wrong_number_for(own, total, here),
        (None, []) => unknown_function(program, name, count, is_method, here),
        (None, known) => wrong_number(program, name, known, count, is_method, here),
    });
}

/// Returns whether a function may only be used in playscripts, to set up positions.
fn is_setup_only(program: &Program<'_>, name: &str) -> bool {
    let words = program.language.functions(name);
    !words.is_empty() && words.iter().all(|word| word.effects.has(Effects::ARRANGES))
}

/// Returns the argument counts that library functions of this name accept.
fn arities(program: &Program<'_>, name: &str) -> Vec<usize> {
    let words = program.language.functions(name).iter().map(|word| word.params.len());
    let mut counts: Vec<usize> = words.collect();
    counts.sort_unstable();
    counts.dedup();
    counts
}
