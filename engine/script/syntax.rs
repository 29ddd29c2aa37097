//! Reading files of rules: every syntax error and every unknown name at once, in our words.
//!
//! The compiler of the script engine stops at its first error. A file it refuses is read again function by function, and a
//! function with an unknown name again with that name made known, so that an author sees all mistakes together.

use super::check::standard_names;
use super::wording::{Said, describe};
use crate::diagnostic::{Diagnostic, Place, Source, nearest};
use rhai::{AST, Engine, ParseError, ParseErrorType, Scope};
use std::ops::Range;
use std::sync::Arc;

/// Unknown names of one function beyond these are not looked for.
const MOST_NAMES: usize = 20;

/// What scripts may name without declaring it, for suggestions.
pub(super) struct Names {
    /// Zones, params, options and what every game has.
    pub global: Vec<String>,
    /// Properties of things, each with a word for what has it.
    pub properties: Vec<(String, &'static str)>,
    /// The functions of all files.
    pub functions: Vec<String>,
}

/// Compiles a file; what of it can be compiled in spite of mistakes is given back for further checks.
pub(super) fn compile(
    engine: &Engine,
    scope: &Scope<'_>,
    names: &Names,
    source: &Arc<Source>,
    found: &mut Vec<Diagnostic>,
) -> AST {
    let error = match engine.compile_with_scope(scope, &source.text) {
        Ok(ast) => return ast,
        Err(error) => error,
    };
    let before = found.len();
    let mut all = AST::empty();
    for part in parts(&source.text) {
        let text = alone(&source.text, &part);
        if let Some(ast) = compile_part(engine, scope, names, source, &part, &text, found) {
            all = all.merge(&ast);
        }
    }
    if found.len() == before {
        found.push(match error.err_type() {
            ParseErrorType::VariableUndefined(name) => unknown_name(names, source, name, &error, &source.text),
            _ => parse_error(source, &error, None),
        });
    }
    all
}

fn compile_part(
    engine: &Engine,
    scope: &Scope<'_>,
    names: &Names,
    source: &Arc<Source>,
    part: &Range<usize>,
    text: &str,
    found: &mut Vec<Diagnostic>,
) -> Option<AST> {
    let mut scope = scope.clone();
    // A function may be named before it is defined, and in another file.
    for function in &names.functions {
        scope.push(function.as_str(), ());
    }
    for _ in 0..MOST_NAMES {
        let error = match engine.compile_with_scope(&scope, text) {
            Ok(ast) => return Some(ast),
            Err(error) => error,
        };
        let ParseErrorType::VariableUndefined(name) = error.err_type() else {
            found.push(parse_error(source, &error, Some(part)));
            return None;
        };
        found.push(unknown_name(names, source, name, &error, text));
        scope.push(name.as_str(), ());
    }
    None
}

/// The functions of a file, each from its `fn` up to the next, and what stands before the first.
fn parts(text: &str) -> Vec<Range<usize>> {
    let mut starts = vec![0];
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if at > 0 && (line.starts_with("fn ") || line.starts_with("private fn ")) {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts
        .iter()
        .copied()
        .zip(ends)
        .map(|(start, end)| start..end)
        .filter(|part| !text[part.clone()].trim().is_empty())
        .collect()
}

/// A text in which everything but one part is blank, so that places stay where they are.
fn alone(text: &str, part: &Range<usize>) -> String {
    let mut alone = String::with_capacity(text.len());
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if part.contains(&at) && !line.starts_with("//") {
            alone.push_str(line);
        } else if line.ends_with('\n') {
            alone.push('\n');
        }
        at += line.len();
    }
    alone
}

/// The names of the functions that are written in texts, whether they can be compiled or not.
pub(super) fn function_names<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for text in texts {
        for (word, name) in tokens(text).zip(tokens(text).skip(1)) {
            if word == "fn" && !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
    }
    names
}

/// What the compiler of the script engine says, in our words.
pub(super) fn parse_error(source: &Arc<Source>, error: &ParseError, part: Option<&Range<usize>>) -> Diagnostic {
    let Said { code, message, note, help, before } = describe(error.err_type());
    let place = match (error.position().line(), error.position().position()) {
        (Some(line), Some(column)) if before => end_before(source, &Place::at(source, line, column)),
        (Some(line), Some(column)) => Place::at(source, line, column),
        _ => end_of(source, part),
    };
    let diagnostic = Diagnostic::error(code, message).mark(place, note);
    match help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

/// The end of what stands before a place, where something is missing.
fn end_before(source: &Arc<Source>, place: &Place) -> Place {
    let before = source.text[..place.span.start].trim_end();
    let line = before.rsplit('\n').next().unwrap_or_default();
    if before.is_empty() || line.trim_start().starts_with("//") {
        return place.clone();
    }
    let last = before.chars().next_back().map_or(0, char::len_utf8);
    Place { source: source.clone(), span: before.len() - last..before.len() }
}

/// Where a text, or a part of it, ends.
fn end_of(source: &Arc<Source>, part: Option<&Range<usize>>) -> Place {
    let part = part.cloned().unwrap_or(0..source.text.len());
    let mut lines = source.text[part.clone()].lines().filter(|line| !line.trim().is_empty() && !line.starts_with("//"));
    let last = lines.next_back().unwrap_or_default();
    let end = source.text[part.clone()].rfind(last).map_or(part.end, |at| part.start + at + last.trim_end().len());
    let start = source.text[..end].char_indices().next_back().map_or(0, |(at, _)| at);
    Place { source: source.clone(), span: start..end }
}

fn unknown_name(names: &Names, source: &Arc<Source>, name: &str, error: &ParseError, text: &str) -> Diagnostic {
    let (line, column) = (error.position().line().unwrap_or(1), error.position().position().unwrap_or(1));
    let found = Diagnostic::error("unknown-name", format!("there is no `{name}`"))
        .mark(Place::at(source, line, column), "not a variable, zone, param or option");
    let locals = local_names(text);
    if names.functions.iter().any(|known| known == name) {
        return found.help(format!("write `|| {name}(…)` to hand the function on"));
    }
    if let Some((_, owner)) = names.properties.iter().find(|(known, _)| known == name) {
        return found.help(format!("say whose it is: `….{name}`, of {owner}"));
    }
    let known = locals.iter().map(String::as_str).chain(names.global.iter().map(String::as_str));
    match nearest(name, known.filter(|known| *known != name)) {
        Some(near) => found.help(format!("did you mean `{near}`?")),
        None if standard_names().any(|known| known == name) => found.help(format!("write `{name}(…)`")),
        None => found,
    }
}

/// The names a text gives to parameters and variables.
fn local_names(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut gives = false;
    let mut brackets = None;
    for word in tokens(text) {
        match (word, brackets) {
            ("let" | "const" | "for", _) => gives = true,
            ("fn", _) => brackets = Some(")"),
            ("|", None) => brackets = Some("|"),
            (word, Some(end)) if word == end => brackets = None,
            ("=" | "in" | "{" | ";", _) => (gives, brackets) = (false, None),
            (word, _) if (gives || brackets.is_some()) && word.starts_with(|c: char| c.is_alphabetic() || c == '_') => {
                names.push(word.to_owned());
            }
            _ => {}
        }
    }
    names
}

/// The words and signs of a text, without what stands in quotes.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            rest = rest.trim_start();
            let first = rest.chars().next()?;
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let length = if first == '"' {
                rest[1..].find('"').map_or(rest.len(), |end| end + 2)
            } else if is_word(first) {
                rest.find(|c| !is_word(c)).unwrap_or(rest.len())
            } else {
                first.len_utf8()
            };
            let (token, after) = rest.split_at(length);
            rest = after;
            if !token.starts_with('"') {
                return Some(token);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{alone, local_names, parts};

    #[test]
    fn a_file_is_taken_apart_at_its_functions() {
        let text = "let x = 1;\n/// One.\nfn one() {\n}\n/// Two.\nfn two() {}\n";
        let found: Vec<&str> = parts(text).into_iter().map(|part| &text[part]).collect();
        assert_eq!(found, ["let x = 1;\n/// One.\n", "fn one() {\n}\n/// Two.\n", "fn two() {}\n"]);
        assert_eq!(alone(text, &parts(text)[1]), "\n\nfn one() {\n}\n\n\n");
    }

    #[test]
    fn names_are_found_where_they_are_given() {
        let text = "fn bid(seat, lot) { let price = 3; for (piece, at) in lot { x(|card| card.y == \"let z\") } }";
        assert_eq!(local_names(text), ["bid", "seat", "lot", "price", "piece", "at", "card"]);
    }
}
