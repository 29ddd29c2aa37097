//! From an error of the script engine to a diagnostic: the place in the file, the calls that led there, our own words.

use super::fault::Fault;
use super::host::Host;
use super::vocabulary::Word;
use crate::diagnostic::{Diagnostic, Place, Source, did_you_mean};
use rhai::{EvalAltResult, ParseError, ParseErrorType, Position};
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
    let (fault, note) = explain(error);
    let mut diagnostic = Diagnostic::from(fault);
    if let Some(place) = place(source.as_ref(), position) {
        diagnostic = diagnostic.mark(place, note);
    }
    diagnostic.trace = trace(&calls);
    diagnostic
}

fn place(source: Option<&Arc<Source>>, position: Position) -> Option<Place> {
    Some(Place::at(source?, position.line()?, position.position()?))
}

/// The calls, innermost first, each with where it was called from.
fn trace(calls: &[(String, Option<Place>)]) -> Vec<String> {
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

/// The error in our words, and what to write under the caret.
fn explain(error: &EvalAltResult) -> (Fault, String) {
    let fault = match error {
        EvalAltResult::ErrorRuntime(value, _) => match value.clone().try_cast::<Fault>() {
            Some(fault) => fault,
            None => Fault::new("fault", value.to_string(), "stopped here"),
        },
        EvalAltResult::ErrorFunctionNotFound(signature, _) => unknown_function(signature),
        EvalAltResult::ErrorVariableNotFound(name, _) => {
            Fault::new("unknown-name", format!("there is no `{name}`"), "not a name known here")
        }
        EvalAltResult::ErrorPropertyNotFound(name, _) => {
            Fault::new("unknown-part", format!("the map has no part `{name}`"), "not in it")
        }
        EvalAltResult::ErrorDotExpr(text, _) => dot_error(text),
        EvalAltResult::ErrorMismatchDataType(wanted, found, _)
        | EvalAltResult::ErrorMismatchOutputType(wanted, found, _) => {
            let message = format!("a {} was expected, not a {}", plain_type(wanted), plain_type(found));
            Fault::new("wrong-type", message, "of another type")
        }
        EvalAltResult::ErrorArrayBounds(length, at, _) => Fault::new(
            "out-of-range",
            format!("there is no position {at} in a list of {length}"),
            "positions count from 0",
        ),
        EvalAltResult::ErrorArithmetic(text, _) => {
            Fault::new("arithmetic", text.to_lowercase(), "cannot be worked out")
        }
        EvalAltResult::ErrorStackOverflow(_) => {
            Fault::new("too-deep", "functions call each other more than 32 levels deep", "one call too deep")
                .help("look for a function that calls itself without end")
        }
        EvalAltResult::ErrorDataTooLarge(what, _) => {
            Fault::new("too-large", format!("the {} grew too large", what.to_lowercase()), "too large here")
                .help("keep state on the table, not in lists")
        }
        EvalAltResult::ErrorTerminated(..) | EvalAltResult::ErrorTooManyOperations(_) => {
            Fault::new("endless", "the rules went on without asking anybody", "still running here")
                .help("look for a loop that never ends")
        }
        EvalAltResult::ErrorFor(_) => {
            Fault::new("not-a-list", "`for` goes through lists", "not a list").help("ask for its `pieces` or `spaces`")
        }
        EvalAltResult::ErrorIndexingType(kind, _) => Fault::new(
            "not-indexed",
            format!("a {} is not looked into with `[…]` like this", plain_type(kind)),
            "cannot be looked into",
        ),
        EvalAltResult::ErrorAssignmentToConstant(name, _) => {
            Fault::new("fixed-name", format!("`{name}` cannot be set"), "stands for something of the game")
                .help("keep what changes in a value, or in a variable of another name")
        }
        EvalAltResult::ErrorUnboundThis(_) => Fault::new("no-this", "`this` means nothing here", "not bound"),
        other => Fault::new("script", lower_first(&without_position(&other.to_string())), "here"),
    };
    let note = fault.note.clone();
    (fault, note)
}

/// `count (Zone, i64)` as the script engine writes a call that fits no function.
fn unknown_function(signature: &str) -> Fault {
    let name = signature.split([' ', '(']).next().unwrap_or_default();
    if let Some(property) = name.strip_prefix("get$").or_else(|| name.strip_prefix("set$")) {
        return dot_error(property);
    }
    let types = signature.split_once('(').map_or("", |(_, types)| types.trim_end_matches(')'));
    let given: Vec<String> = types.split(',').map(str::trim).filter(|t| !t.is_empty()).map(plain_type).collect();
    let words: Vec<Word> = Host::vocabulary();
    let known: Vec<&Word> = words.iter().filter(|word| word.name == name).collect();
    if known.is_empty() {
        let fault = Fault::new(
            "unknown-function",
            format!("there is no function `{name}` for ({})", given.join(", ")),
            "not known",
        );
        return fault.maybe_help(did_you_mean(name, words.iter().map(|word| word.name.as_str())));
    }
    let mut forms: Vec<String> = known
        .iter()
        .map(|word| {
            let params: Vec<String> =
                word.params.iter().zip(&word.types).map(|(p, t)| format!("{p}: {}", t.word())).collect();
            format!("`{name}({})`", params.join(", "))
        })
        .collect();
    forms.dedup();
    forms.truncate(4);
    Fault::new("wrong-arguments", format!("`{name}` does not take ({})", given.join(", ")), "given the wrong things")
        .help(format!("write {}", forms.join(" or ")))
}

fn dot_error(text: &str) -> Fault {
    let quoted: Vec<&str> = text.split('\'').collect();
    let name = text
        .strip_prefix("Unknown property ")
        .map(|rest| rest.trim_matches(['\'', '"', ' ']).split([' ', '\'', '"']).next().unwrap_or(rest))
        .or_else(|| quoted.get(1).copied())
        .unwrap_or(text);
    let kind = text.rsplit("type ").next().filter(|_| text.contains("type ")).map(plain_type);
    let message = match kind {
        Some(kind) => format!("a {kind} has no `{name}`"),
        None => format!("there is no `{name}` here"),
    };
    Fault::new("unknown-field", message, "not known")
}

/// The words for the types of the script engine.
fn plain_type(raw: &str) -> String {
    let raw = raw.trim().trim_matches(['\'', '"']);
    let known = [
        ("PieceId", "piece"),
        ("SpaceId", "space"),
        ("ZoneId", "zone"),
        ("ComponentId", "component"),
        ("Seat", "seat"),
        ("OptionSet", "options"),
        ("Answers", "answers"),
        ("GameHandle", "game"),
        ("ImmutableString", "text"),
        ("string", "text"),
        ("array", "list"),
        ("map", "map"),
        ("Fn", "function"),
        ("i64", "number"),
        ("bool", "flag"),
        ("()", "()"),
    ];
    let found = known.iter().find(|(part, _)| raw.contains(part)).map_or(raw, |(_, word)| *word);
    if raw.contains("Set<") { format!("{found}s") } else { found.to_owned() }
}

fn without_position(text: &str) -> String {
    text.split(" (line ").next().unwrap_or(text).to_owned()
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

/// What the compiler of the script engine says, in our words.
pub(super) fn parse_error(source: &Arc<Source>, error: &ParseError) -> Diagnostic {
    let (line, column) = (error.position().line(), error.position().position());
    let end = source.text.lines().count().max(1);
    let place = Place::at(source, line.unwrap_or(end), column.unwrap_or(1));
    let (code, message, note, help) = describe_parse_error(error.err_type());
    let diagnostic = Diagnostic::error(code, message).mark(place, note);
    match help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

fn describe_parse_error(error: &ParseErrorType) -> (&'static str, String, &'static str, Option<String>) {
    match error {
        ParseErrorType::MissingToken(token, what) => {
            ("syntax", format!("`{token}` is missing {what}"), "expected before this", Some(format!("add `{token}`")))
        }
        ParseErrorType::VariableUndefined(name) => {
            ("unknown-name", format!("there is no `{name}`"), "not a variable, zone, param or option", None)
        }
        ParseErrorType::ForbiddenVariable(name) | ParseErrorType::Reserved(name) => {
            ("reserved-name", format!("`{name}` is not a word of rules"), "reserved by the script language", None)
        }
        ParseErrorType::FnDuplicatedDefinition(name, _) => (
            "duplicate-function",
            format!("the function `{name}` is written twice"),
            "again here",
            Some("give one of them another name".to_owned()),
        ),
        ParseErrorType::ExprExpected(what) => {
            ("syntax", format!("{what} needs an expression"), "expected an expression here", None)
        }
        ParseErrorType::UnexpectedEOF => (
            "syntax",
            "the file ends too early".to_owned(),
            "something is not closed",
            Some("look for a `{`, `(` or `\"` without its end".to_owned()),
        ),
        other => ("syntax", lower_first(&other.to_string()), "here", None),
    }
}
