//! Characters that look like symbols of the rules language, such as full-width brackets and typographic quotes.

use super::symbol::SYMBOLS;
use super::tree::Span;
use crate::diagnostic::{Diagnostic, Place, QUOTES, Source, is_quote, plain};
use std::sync::Arc;

/// An occurrence of confusable characters in a source.
#[derive(Debug, Clone)]
pub(super) struct Confusable {
    pub span: Span,
    /// The confusable characters as shown in messages. A quoted string is shortened to its quotes and `…`.
    pub found: String,
    /// The replacement as shown in messages.
    pub replacement: String,
}

/// Match of a confusable symbol at the beginning of a string.
pub(super) struct ConfusableSymbol {
    /// Length in bytes.
    pub length: usize,
    /// Like [`Confusable::found`].
    pub found: String,
    /// Like [`Confusable::replacement`].
    pub replacement: String,
    /// The token that the author probably meant.
    pub meaning: Meaning,
}

/// The token that a confusable symbol stands for.
pub(super) enum Meaning {
    /// A symbol of the rules language.
    Symbol(&'static str),
    /// A string literal.
    Text(String),
    /// A decimal digit.
    Digit(u8),
}

/// Returns the confusable symbol at the beginning of `rest`, if there is one.
pub(super) fn match_at_start(rest: &str) -> Option<ConfusableSymbol> {
    let first = rest.chars().next().filter(|c| !c.is_ascii())?;
    let length = first.len_utf8();
    if let Some((_, close)) = QUOTES.iter().find(|(open, _)| *open == first)
        && let Some(found) = match_quoted(rest, first, *close)
    {
        return Some(found);
    }
    if is_quote(first) {
        let (found, replacement) = (format!("`{first}`"), "`\"`".to_owned());
        return Some(ConfusableSymbol { length, found, replacement, meaning: Meaning::Text(String::new()) });
    }
    let lookalike = plain(first)?;
    let replacement = lookalike.ours.trim_matches('`');
    let digit = replacement.parse::<u8>().ok().map(Meaning::Digit);
    let symbol = || SYMBOLS.iter().find(|symbol| **symbol == replacement).map(|symbol| Meaning::Symbol(symbol));
    let meaning = digit.or_else(symbol)?;
    Some(ConfusableSymbol { length, found: lookalike.theirs, replacement: lookalike.ours, meaning })
}

/// Matches a string in confusable quotes. The closing quote must be on the same line.
fn match_quoted(rest: &str, open: char, close: char) -> Option<ConfusableSymbol> {
    let inner = &rest.lines().next()?[open.len_utf8()..];
    let end = inner.find([close, open])?;
    let closing = inner[end..].chars().next()?;
    let text = inner[..end].to_owned();
    Some(ConfusableSymbol {
        length: open.len_utf8() + end + closing.len_utf8(),
        found: format!("`{open}…{closing}`"),
        replacement: format!("`\"{text}\"`"),
        meaning: Meaning::Text(text),
    })
}

/// Returns one diagnostic for each line with confusables, together with the index of the line.
pub(super) fn diagnose_by_line(source: &Arc<Source>, confusables: &[Confusable]) -> Vec<(usize, Diagnostic)> {
    let mut lines: Vec<(usize, Vec<&Confusable>)> = Vec::new();
    for symbol in confusables {
        let line = line_index(source, symbol.span);
        match lines.last_mut() {
            Some((last, symbols)) if *last == line => symbols.push(symbol),
            _ => lines.push((line, vec![symbol])),
        }
    }
    lines.into_iter().map(|(line, symbols)| (line, line_diagnostic(source, &symbols))).collect()
}

/// Returns the zero-based index of the line on which a span begins.
pub(super) fn line_index(source: &Source, span: Span) -> usize {
    source.text[..span.start as usize].matches('\n').count()
}

fn line_diagnostic(source: &Arc<Source>, symbols: &[&Confusable]) -> Diagnostic {
    let found_texts = distinct(symbols.iter().map(|symbol| symbol.found.as_str()));
    let is = if found_texts.len() == 1 { "is not a symbol" } else { "are not symbols" };
    let diagnostic = Diagnostic::error("syntax", format!("{} {is} of rules", join_with_and(&found_texts)));
    let mark = |diagnostic: Diagnostic, symbol: &&Confusable| {
        diagnostic.mark(Place { source: source.clone(), span: symbol.span.range() }, "not as rules write it")
    };
    let replacements = distinct(symbols.iter().map(|symbol| symbol.replacement.as_str()));
    symbols.iter().fold(diagnostic, mark).help(format!("write {}", join_with_and(&replacements)))
}

/// Collects strings without duplicates, in order of first occurrence.
fn distinct<'s>(symbols: impl Iterator<Item = &'s str>) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    for symbol in symbols {
        if !seen.iter().any(|known| known == symbol) {
            seen.push(symbol.to_owned());
        }
    }
    seen
}

/// Joins strings into an English list: "`（`, `，` and `）`".
fn join_with_and(symbols: &[String]) -> String {
    match symbols {
        [several @ .., last] if !several.is_empty() => format!("{} and {last}", several.join(", ")),
        symbols => symbols.concat(),
    }
}
