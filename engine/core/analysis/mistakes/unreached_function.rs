//! `unreached-function`: a function that has callers, but all of them are unreachable.

use super::super::program::Code;
use crate::diagnostic::Diagnostic;

/// Creates the diagnostic for a function whose callers are all unreachable. `callers` are the names of these callers.
pub(super) fn unreached_function(code: &Code<'_>, callers: &[String]) -> Diagnostic {
    let only = callers.join(" and ");
    let calls = if callers.len() == 1 { "calls" } else { "call" };
    let message = format!("only {only} {calls} `{}`, and nothing leads there", code.name());
    Diagnostic::warning("unreached-function", message)
        .mark(code.place(), "no step, score or field of the data reaches it")
        .help("call one of them, or remove them all")
}
