//! From an error of the script engine to a diagnostic: the place in the file, the calls that led there, our own words.

use super::explain::explain;
use super::host::{Host, place_of_function};
use crate::diagnostic::{Diagnostic, Mark, Place, Source};
use rhai::{EvalAltResult, Position};
use std::ops::Range;
use std::sync::Arc;

/// An error in a call of a function of the rules.
pub(super) fn diagnose(host: &Host, function: &str, error: &EvalAltResult) -> Diagnostic {
    follow(host, host.source_of(function).cloned(), function.to_owned(), error)
}

/// An error in a text that is not part of the rules: an expression of a play, or of the reference.
pub(super) fn diagnose_in(host: &Host, source: &Arc<Source>, error: &EvalAltResult) -> Diagnostic {
    follow(host, Some(source.clone()), String::new(), error)
}

/// Walks down the calls to the place of the error.
fn follow(host: &Host, source: Option<Arc<Source>>, function: String, error: &EvalAltResult) -> Diagnostic {
    let (mut source, mut function, mut error) = (source, function, error);
    let mut calls: Vec<(String, Option<Place>)> = vec![(function.clone(), None)];
    let mut at = Position::NONE;
    while let EvalAltResult::ErrorInFunctionCall(name, _, inner, position) = error {
        if host.source_of(name).is_some() {
            if *name != function || !position.is_none() {
                calls.push((name.clone(), place(source.as_ref(), *position)));
            }
            source = host.source_of(name).cloned();
            function.clone_from(name);
        } else {
            at = *position;
        }
        error = inner;
    }
    let position = if error.position().is_none() { at } else { error.position() };
    if is_stop(error) {
        let own = source.as_ref().filter(|source| function.is_empty() && repeats(&source.text));
        let place = own.and_then(|own| place(Some(own), position)).or_else(|| stopped_at(host, &function, position));
        let fault = explain(error);
        let mut diagnostic = Diagnostic::from(fault.clone());
        diagnostic.marks.extend(place.map(|place| Mark { place, note: fault.note }));
        diagnostic.trace = trace(&calls);
        return diagnostic;
    }
    let fault = explain(error);
    let note = fault.note.clone();
    let mut diagnostic = Diagnostic::from(fault);
    let whole = || source.as_ref().map(|source| place_of_function(source, &function));
    if let Some(place) = place(source.as_ref(), position).or_else(whole) {
        diagnostic = diagnostic.mark(place, note);
    }
    diagnostic.trace = trace(&calls);
    diagnostic
}

fn place(source: Option<&Arc<Source>>, position: Position) -> Option<Place> {
    let source = source?;
    let place = Place::at(source, position.line()?, position.position()?);
    let is_dot = &source.text[place.span.clone()] == ".";
    // Of `a.b` the script engine gives the place of the dot.
    Some(if is_dot { Place::at(source, position.line()?, position.position()? + 1) } else { place })
}

/// Whether the script engine gave up the whole run: it then does not say in which function.
fn is_stop(error: &EvalAltResult) -> bool {
    matches!(
        error,
        EvalAltResult::ErrorTerminated(..)
            | EvalAltResult::ErrorTooManyOperations(_)
            | EvalAltResult::ErrorStackOverflow(_)
            | EvalAltResult::ErrorTooManyVariables(_)
            | EvalAltResult::ErrorDataTooLarge(..)
    )
}

/// Whether a text that is no function repeats anything itself: then it is what does not end, rather than what it calls.
fn repeats(text: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .any(|word| matches!(word, "loop" | "while" | "for"))
}

/// Where a run was given up: at a position that lies in one function alone, the one it began in before others; or else at
/// the function it began in.
fn stopped_at(host: &Host, function: &str, position: Position) -> Option<Place> {
    let own = host.source_of(function);
    let begins = own.map(|source| place_of_function(source, function));
    let inside = |name: &str, source: &Arc<Source>| -> Option<Place> {
        let place = place(Some(source), position)?;
        body(source, name).contains(&place.span.start).then_some(place)
    };
    if let Some(place) = own.and_then(|source| inside(function, source)) {
        return Some(place);
    }
    let mut found: Vec<Place> = Vec::new();
    for other in host.functions().iter().filter(|other| !other.name.starts_with("anon$")) {
        found.extend(inside(&other.name, &other.source));
    }
    match found.len() {
        1 => found.pop(),
        _ => begins,
    }
}

/// The bytes of a function: from its name to the next function.
fn body(source: &Arc<Source>, function: &str) -> Range<usize> {
    let start = place_of_function(source, function).span.start;
    let end = source.text[start..].find("\nfn ").map_or(source.text.len(), |at| start + at);
    start..end
}

/// The most calls that are listed.
const MOST_CALLS: usize = 8;

/// The calls, innermost first, each with where it was called from.
pub(super) fn trace(calls: &[(String, Option<Place>)]) -> Vec<String> {
    let named: Vec<&(String, Option<Place>)> = calls.iter().filter(|(name, _)| !name.is_empty()).collect();
    let mut lines = Vec::new();
    for pair in named.windows(2).rev() {
        let ((outer, _), (inner, from)) = (pair[0], pair[1]);
        let from = from.as_ref().map_or_else(String::new, |place| {
            let (line, column) = place.line_column();
            format!(" ({}:{line}:{column})", place.source.path.rsplit('/').next().unwrap_or_default())
        });
        lines.push(format!("{}, called from {}{from}", called(inner), called(outer)));
    }
    if lines.len() > MOST_CALLS {
        let left_out = lines.len() - MOST_CALLS + 1;
        lines.splice(MOST_CALLS / 2..MOST_CALLS / 2 + left_out, [format!("{left_out} more calls")]);
    }
    if lines.is_empty()
        && let Some((name, _)) = named.last()
    {
        lines.push(called(name));
    }
    lines
}

fn called(function: &str) -> String {
    if function.starts_with("anon$") { "a function `|…|`".to_owned() } else { format!("`{function}`") }
}
