//! Formats backtraces for people.

use crate::diagnostic::Place;
use crate::vm::ANONYMOUS;

/// Maximum number of lines in a formatted backtrace. In a longer backtrace, one of these lines counts the calls that are left out.
const MAX_CALLS_SHOWN: usize = 8;

/// Formats a backtrace, innermost call first: one line for each call, with the caller and the place of the call. `calls` begins with the
/// outermost call.
pub(super) fn trace(calls: &[(String, Option<Place>)]) -> Vec<String> {
    let named: Vec<&(String, Option<Place>)> = calls.iter().filter(|(name, _)| !name.is_empty()).collect();
    let mut lines = Vec::new();
    for pair in named.windows(2).rev() {
        let ((outer, _), (inner, from)) = (pair[0], pair[1]);
        let from = from.as_ref().map_or_else(String::new, |place| {
            let (line, column) = place.line_column();
            format!(" ({}:{line}:{column})", place.source.path.rsplit('/').next().unwrap_or_default())
        });
        lines.push(format!("{}, called from {}{from}", function_name(inner), function_name(outer)));
    }
    if lines.len() > MAX_CALLS_SHOWN {
        let left_out = lines.len() - MAX_CALLS_SHOWN + 1;
        lines.splice(MAX_CALLS_SHOWN / 2..MAX_CALLS_SHOWN / 2 + left_out, [format!("{left_out} more calls")]);
    }
    if lines.is_empty()
        && let Some((name, _)) = named.last()
    {
        lines.push(function_name(name));
    }
    lines
}

/// Returns the name of a function as messages show it.
pub(super) fn function_name(function: &str) -> String {
    if function.starts_with(ANONYMOUS) { "a function `|…|`".to_owned() } else { format!("`{function}`") }
}
