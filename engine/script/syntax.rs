//! Reading files of rules: every syntax error and every unknown name at once, in our words.
//!
//! The compiler of the script engine stops at its first error. A file it refuses is read again function by function, and a
//! function with an unknown name again with that name made known, so that an author sees all mistakes together.

use super::check::{not_called, standard_names};
use super::cover;
use super::foreign_signs;
use super::wording::{Said, comparison, describe, foreign, fraction, of_call};
use crate::diagnostic::{Diagnostic, Place, Source, nearest};
use crate::model::Model;
use rhai::{AST, Engine, ParseError, ParseErrorType, Scope};
use std::ops::Range;
use std::sync::Arc;

/// Unknown names of one function beyond these are not looked for.
const MOST_NAMES: usize = 20;

/// What scripts may name without declaring it, for suggestions.
#[derive(Default)]
pub(super) struct Names {
    /// Zones, params, options and what every game has.
    pub global: Vec<String>,
    /// Properties of things, each with a word for what has it.
    pub properties: Vec<(String, &'static str)>,
    /// The functions of all files.
    pub functions: Vec<String>,
    /// The functions of the vocabulary, with whether each takes anything.
    pub words: Vec<(String, bool)>,
    /// What is named in quotes alone, each with a word for what it is.
    pub quoted: Vec<(String, &'static str)>,
}

/// What rules name in quotes alone: decisions, endings, texts, components, kinds and questions of standing effects.
pub(super) fn quoted_names(model: &Model) -> Vec<(String, &'static str)> {
    let all = || std::iter::once(model).chain(model.elsewhere.iter().map(|model| &**model));
    let named = |id: &str, what| (id.to_owned(), what);
    (all().flat_map(|model| model.decisions.iter().map(move |one| named(&one.id, "a decision"))))
        .chain(all().flat_map(|model| model.endings.iter().map(move |one| named(&one.id, "an ending"))))
        .chain(all().flat_map(|model| model.says.iter().map(move |one| named(&one.id, "a text"))))
        .chain(all().flat_map(|model| model.components.iter().map(move |one| named(&one.id, "a component"))))
        .chain(all().flat_map(|model| model.kinds.iter().map(move |one| named(&one.id, "a kind"))))
        .chain(all().flat_map(|model| model.altered.keys().map(move |id| named(id, "a question of `[altered]`"))))
        .collect()
}

/// Compiles a file; what of it can be compiled in spite of mistakes is given back for further checks.
pub(super) fn compile(
    engine: &Engine,
    scope: &Scope<'_>,
    names: &Names,
    source: &Arc<Source>,
    found: &mut Vec<Diagnostic>,
) -> AST {
    if let Some(at) = cover::endless_comment(&source.text) {
        let place = Place { source: source.clone(), span: at..at + 2 };
        let endless = Diagnostic::error("syntax", "the comment begun here has no end");
        found.push(endless.mark(place, "no `*/` follows").help("write `*/` where it ends"));
        return AST::empty();
    }
    let error = match engine.compile_with_scope(scope, &source.text) {
        Ok(ast) => return ast,
        Err(error) => error,
    };
    let before = found.len();
    let mut all = AST::empty();
    for part in parts(&source.text) {
        let text = alone(&source.text, &part);
        if let Some(ast) = compile_part(engine, scope, names, source, &text, found) {
            all = all.merge(&ast);
        }
    }
    if found.len() == before {
        found.push(match error.err_type() {
            // A function that is named without brackets: this is told where all calls are looked at.
            ParseErrorType::VariableUndefined(name) if names.functions.contains(name) => return all,
            ParseErrorType::VariableUndefined(name) => unknown_name(names, source, name, &error, &source.text),
            _ => parse_error(source, &source.text, &error),
        });
    }
    all
}

fn compile_part(
    engine: &Engine,
    scope: &Scope<'_>,
    names: &Names,
    source: &Arc<Source>,
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
        let signs = foreign_signs::told(source, text);
        if !signs.is_empty() {
            found.extend(signs);
            return None;
        }
        let ParseErrorType::VariableUndefined(name) = error.err_type() else {
            found.push(parse_error(source, text, &error));
            return None;
        };
        if let Some(Said { code, message, note, help, .. }) = foreign(name) {
            let diagnostic = Diagnostic::error(code, message).mark(place_of(source, &error), note);
            found.push(help.into_iter().fold(diagnostic, Diagnostic::help));
            return None;
        }
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
        } else {
            alone.extend(line.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
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

/// What the compiler of the script engine says of a text of a play; the names known in it are given.
pub(super) fn play_error(source: &Arc<Source>, names: &Names, error: &ParseError) -> Diagnostic {
    match error.err_type() {
        ParseErrorType::VariableUndefined(name) if foreign(name).is_none() => {
            unknown_name(names, source, name, error, &source.text)
        }
        _ => parse_error(source, &source.text, error),
    }
}

/// What the compiler of the script engine says of a text, in our words; the text has its places in the source.
pub(super) fn parse_error(source: &Arc<Source>, text: &str, error: &ParseError) -> Diagnostic {
    if let ParseErrorType::FnDuplicatedDefinition(name, _) = error.err_type() {
        return written_twice(source, name);
    }
    let place = place_of(source, error);
    if let Some(brace) = unhashed(source, place.span.start) {
        return without_hash(brace);
    }
    let Said { code, message, note, help, before } = match error.err_type() {
        ParseErrorType::PropertyExpected if is_fraction(source, &place) => fraction(),
        ParseErrorType::MissingToken(..) if source.text[place.span.start..].starts_with("==") => comparison(),
        ParseErrorType::MissingToken(..) => {
            foreign(&source.text[place.span.clone()]).unwrap_or_else(|| describe(error.err_type()))
        }
        ParseErrorType::AssignmentToInvalidLHS(_) if is_of_call(&place) => of_call(&source.text[place.span.clone()]),
        other => describe(other),
    };
    let place = if before || error.position().is_none() { end_before(source, text, &place) } else { place };
    let diagnostic = Diagnostic::error(code, message).mark(place, note);
    help.into_iter().fold(diagnostic, Diagnostic::help)
}

fn place_of(source: &Arc<Source>, error: &ParseError) -> Place {
    match (error.position().line(), error.position().position()) {
        (Some(line), Some(column)) => whole_sign(Place::at(source, line, column)),
        _ => Place { source: source.clone(), span: source.text.len()..source.text.len() },
    }
}

/// The place of a sign of several characters, as `==`.
fn whole_sign(place: Place) -> Place {
    let is_part = |c: char| "=+-!<>:&|*".contains(c);
    let rest = &place.source.text[place.span.start..];
    let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    if length == 0 {
        return place;
    }
    Place { span: place.span.start..place.span.start + length, ..place }
}

/// Whether a call stands at a place, and something behind a dot of what it gives.
fn is_of_call(place: &Place) -> bool {
    let behind = place.source.text[place.span.end..].lines().next().unwrap_or_default();
    behind.starts_with('(') && behind.split('=').next().is_some_and(|before| before.contains(")."))
}

/// The brace before a place, or a word that stands there, where named parts are meant: `{ name: …`, as something given.
fn unhashed(source: &Arc<Source>, at: usize) -> Option<Place> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let before = source.text[..at].trim_end().trim_end_matches(is_part).trim_end();
    let outside = before.strip_suffix('{')?;
    let name = source.text[before.len()..].trim_start();
    let behind = name.trim_start_matches(is_part);
    let is_named = behind.len() < name.len() && behind.trim_start().starts_with(':');
    let is_given = outside.trim_end().ends_with(['(', ',', '=', ':', '[']);
    (is_named && is_given).then(|| Place { source: source.clone(), span: outside.len()..before.len() })
}

fn without_hash(brace: Place) -> Diagnostic {
    Diagnostic::error("syntax", "`#` is missing: named parts stand in `#{ … }`")
        .mark(brace, "begins a block of statements")
        .help("write `#{`")
}

fn is_fraction(source: &Arc<Source>, place: &Place) -> bool {
    let mut before = source.text[..place.span.start].chars().rev();
    before.next() == Some('.')
        && before.next().is_some_and(|c| c.is_ascii_digit())
        && source.text[place.span.start..].starts_with(|c: char| c.is_ascii_digit())
}

fn written_twice(source: &Arc<Source>, name: &str) -> Diagnostic {
    let marks = source.text.match_indices(name).filter(|(at, _)| {
        source.text[..*at].trim_end().ends_with("fn") && source.text[at + name.len()..].trim_start().starts_with('(')
    });
    let places: Vec<Place> = marks.map(|(at, _)| Place { source: source.clone(), span: at..at + name.len() }).collect();
    let found = Diagnostic::error("duplicate-function", format!("the function `{name}` is written twice"))
        .help("give one of them another name");
    match places.as_slice() {
        [first, .., second] => found.mark(second.clone(), "again here").mark(first.clone(), "first here"),
        _ => found,
    }
}

/// The end of what stands before a place, where something is missing.
fn end_before(source: &Arc<Source>, text: &str, place: &Place) -> Place {
    let before = text[..place.span.start.min(text.len())].trim_end();
    match before.char_indices().next_back() {
        Some((start, _)) => Place { source: source.clone(), span: start..before.len() },
        None => place.clone(),
    }
}

fn unknown_name(names: &Names, source: &Arc<Source>, name: &str, error: &ParseError, text: &str) -> Diagnostic {
    let (line, column) = (error.position().line().unwrap_or(1), error.position().position().unwrap_or(1));
    if let Some(brace) = unhashed(source, Place::at(source, line, column).span.start) {
        return without_hash(brace);
    }
    let found = Diagnostic::error("unknown-name", format!("there is no `{name}`"))
        .mark(Place::at(source, line, column), "not a variable, zone, param or option");
    let locals = local_names(text);
    if let Some(given) = given_elsewhere(source, text, name) {
        return out_of_reach(name, Place::at(source, line, column), given);
    }
    if names.functions.iter().any(|known| known == name) {
        return not_called(Place::at(source, line, column), name, true);
    }
    if is_set(&Place::at(source, line, column), name) {
        return found.help(format!("write `let {name} = …` where a variable is given something first"));
    }
    if QUOTED.contains(&name) {
        return found.help(format!("write `\"{name}\"`"));
    }
    if let Some((_, what)) = names.quoted.iter().find(|(known, _)| known == name) {
        let thing = if *what == "a component" { format!(", or `component(\"{name}\")`") } else { String::new() };
        return found.help(format!("write `\"{name}\"`{thing}: {what} is named in quotes"));
    }
    if let Some((_, owner)) = names.properties.iter().find(|(known, _)| known == name) {
        return found.help(format!("say whose it is: `….{name}`, of {owner}"));
    }
    let known = locals.iter().map(String::as_str).chain(names.global.iter().map(String::as_str));
    let words = || names.words.iter().map(|(word, takes)| (&**word, *takes));
    let word = || words().chain(standard_names().map(|word| (word, true))).find(|(word, _)| *word == name);
    match (nearest(name, known.filter(|known| *known != name)), word()) {
        (Some(near), _) => found.help(format!("did you mean `{near}`?")),
        (None, Some((_, takes))) => not_called(Place::at(source, line, column), name, takes),
        (None, None) => found,
    }
}

/// Words of the engine that rules say in quotes.
const QUOTED: [&str; 5] = ["up", "down", "beside", "over", "under"];

/// Whether a statement sets a variable: the name is its beginning, and a `=` follows.
fn is_set(place: &Place, name: &str) -> bool {
    let (before, after) = place.source.text.split_at(place.span.start);
    let after = after.strip_prefix(name).map_or("", str::trim_start);
    let is_beginning = before.trim_end().ends_with(['{', '}', ';']);
    is_beginning && after.starts_with('=') && !after.starts_with("==")
}

/// Where a text gives a name to a variable by `let` or `for`.
fn given_elsewhere(source: &Arc<Source>, text: &str, name: &str) -> Option<Place> {
    let base = text.as_ptr() as usize;
    let words: Vec<&str> = tokens(text).collect();
    let given = words.windows(2).find(|pair| matches!(pair[0], "let" | "const" | "for") && pair[1] == name)?;
    let start = given[1].as_ptr() as usize - base;
    Some(Place { source: source.clone(), span: start..start + name.len() })
}

/// A variable that stands before its `let`, or outside of the block with its `let`.
fn out_of_reach(name: &str, here: Place, given: Place) -> Diagnostic {
    if here.span.start < given.span.start {
        return Diagnostic::error("unknown-name", format!("`{name}` is used before its `let`"))
            .mark(here, "not there yet")
            .mark(given, "first given here")
            .help("move the `let` up, before this line");
    }
    Diagnostic::error("unknown-name", format!("`{name}` is known only within the `{{ … }}` that gives it"))
        .mark(here, "outside of it")
        .mark(given, "given in there")
        .help(format!("write `let {name} = …;` before the `{{`, and set it in there"))
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
        assert_eq!(alone(text, &parts(text)[1]).trim(), "fn one() {\n}");
        assert_eq!(alone(text, &parts(text)[1]).len(), text.len());
    }

    #[test]
    fn names_are_found_where_they_are_given() {
        let text = "fn bid(seat, lot) { let price = 3; for (piece, at) in lot { x(|card| card.y == \"let z\") } }";
        assert_eq!(local_names(text), ["bid", "seat", "lot", "price", "piece", "at", "card"]);
    }
}
