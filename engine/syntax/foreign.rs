//! Characters that look like symbols of rules but are not, such as full-width brackets and typographic quotes.

use super::symbol::SYMBOLS;
use super::tree::Span;
use crate::diagnostic::{Diagnostic, Place, QUOTES, Source, is_quote, plain};
use std::sync::Arc;

/// An occurrence of confusable text in a source.
#[derive(Debug, Clone)]
pub(super) struct Foreign {
    pub span: Span,
    /// The text as messages show it. Quoted text is shortened.
    pub theirs: String,
    /// The replacement as messages show it.
    pub ours: String,
}

/// A confusable symbol at the beginning of a text.
pub(super) struct ForeignSymbol {
    /// Length in bytes.
    pub length: usize,
    /// Like [`Confusable::found`].
    pub theirs: String,
    /// Like [`Confusable::replacement`].
    pub ours: String,
    /// The token that was meant.
    pub meant: Meant,
}

/// The token that a confusable symbol stands for.
pub(super) enum Meant {
    /// A symbol of the language.
    Symbol(&'static str),
    /// A quoted text.
    Text(String),
    /// A decimal digit.
    Digit(u8),
}

/// Returns the confusable symbol at the beginning of `rest`, if there is one.
pub(super) fn at(rest: &str) -> Option<ForeignSymbol> {
    let first = rest.chars().next().filter(|c| !c.is_ascii())?;
    let length = first.len_utf8();
    if let Some((_, close)) = QUOTES.iter().find(|(open, _)| *open == first)
        && let Some(found) = quoted(rest, first, *close)
    {
        return Some(found);
    }
    if is_quote(first) {
        let (theirs, ours) = (format!("`{first}`"), "`\"`".to_owned());
        return Some(ForeignSymbol { length, theirs, ours, meant: Meant::Text(String::new()) });
    }
    let unlike = plain(first)?;
    let written = unlike.ours.trim_matches('`');
    let digit = written.parse::<u8>().ok().map(Meant::Digit);
    let symbol = || SYMBOLS.iter().find(|symbol| **symbol == written).map(|symbol| Meant::Symbol(symbol));
    let meant = digit.or_else(symbol)?;
    Some(ForeignSymbol { length, theirs: unlike.theirs, ours: unlike.ours, meant })
}

/// Matches a text in confusable quotes, which ends on the same line.
fn quoted(rest: &str, open: char, close: char) -> Option<ForeignSymbol> {
    let inner = &rest.lines().next()?[open.len_utf8()..];
    let end = inner.find([close, open])?;
    let closing = inner[end..].chars().next()?;
    let text = inner[..end].to_owned();
    Some(ForeignSymbol {
        length: open.len_utf8() + end + closing.len_utf8(),
        theirs: format!("`{open}…{closing}`"),
        ours: format!("`\"{text}\"`"),
        meant: Meant::Text(text),
    })
}

/// Returns one diagnostic for each line with confusables, together with the index of the line.
pub(super) fn reported(source: &Arc<Source>, foreign: &[Foreign]) -> Vec<(usize, Diagnostic)> {
    let mut lines: Vec<(usize, Vec<&Foreign>)> = Vec::new();
    for symbol in foreign {
        let line = line_of(source, symbol.span);
        match lines.last_mut() {
            Some((last, symbols)) if *last == line => symbols.push(symbol),
            _ => lines.push((line, vec![symbol])),
        }
    }
    lines.into_iter().map(|(line, symbols)| (line, in_line(source, &symbols))).collect()
}

/// Returns the index of the line on which a span begins, from 0.
pub(super) fn line_of(source: &Source, span: Span) -> usize {
    source.text[..span.start as usize].matches('\n').count()
}

fn in_line(source: &Arc<Source>, symbols: &[&Foreign]) -> Diagnostic {
    let theirs = unlike(symbols.iter().map(|symbol| symbol.theirs.as_str()));
    let is = if theirs.len() == 1 { "is not a symbol" } else { "are not symbols" };
    let found = Diagnostic::error("syntax", format!("{} {is} of rules", listed(&theirs)));
    let mark = |found: Diagnostic, symbol: &&Foreign| {
        found.mark(Place { source: source.clone(), span: symbol.span.range() }, "not as rules write it")
    };
    let ours = unlike(symbols.iter().map(|symbol| symbol.ours.as_str()));
    symbols.iter().fold(found, mark).help(format!("write {}", listed(&ours)))
}

/// Collects texts without duplicates, in order of first occurrence.
fn unlike<'s>(symbols: impl Iterator<Item = &'s str>) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    for symbol in symbols {
        if !seen.iter().any(|known| known == symbol) {
            seen.push(symbol.to_owned());
        }
    }
    seen
}

/// Joins texts as an enumeration: "`（`, `，` and `）`".
fn listed(symbols: &[String]) -> String {
    match symbols {
        [several @ .., last] if !several.is_empty() => format!("{} and {last}", several.join(", ")),
        symbols => symbols.concat(),
    }
}
