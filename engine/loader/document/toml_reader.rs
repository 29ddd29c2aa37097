//! Parses TOML text into nodes.

use crate::diagnostic::{Diagnostic, Place, Role, Source, find_invisible};
use crate::loader::document::node::{Data, KeyedNode, Node, Table};
use crate::loader::document::toml_help::syntax_help;
use crate::loader::report::Report;
use std::cell::Cell;
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Error};

/// Maximum nesting depth of tables and lists.
const MAX_DEPTH: usize = 32;

/// Maximum absolute value of a number.
const MAX_NUMBER: i64 = 1_000_000_000_000;

/// Parses a whole file as a table. Reports the first invisible character, the first syntax error, duplicate keys, and values that are not
/// allowed. Returns `None` if there is any error.
pub(in crate::loader) fn parse(source: &Arc<Source>, report: &Report) -> Option<Node> {
    if let Some((at, character)) = find_invisible(&source.text) {
        let place = Place { source: source.clone(), span: at..at + character.len_utf8() };
        report.add(Diagnostic::unseen(character, place));
        return None;
    }
    let (document, mut errors) = DeTable::parse_recoverable(&source.text);
    if !errors.is_empty() && source.text.contains("\r\n") {
        // Before a carriage return, the parser describes an unclosed string differently, so the errors are computed again with plain line
        // ends. The replacement has the same length, so the offsets stay valid.
        errors = DeTable::parse_recoverable(&source.text.replace("\r\n", "\n ")).1;
    }
    let reader = TomlReader { source, offset: 0, report, takes_fractions: Cell::new(false) };
    let span = document.span();
    let document = Spanned::new(span, DeValue::Table(document.into_inner()));
    reader.finish(document, &errors)
}

/// Parses the text of a source from byte `offset` as one value. A bare word counts as a string.
pub(in crate::loader) fn parse_value(source: &Arc<Source>, offset: usize, report: &Report) -> Option<Node> {
    let text = &source.text[offset..];
    if is_bare_word(text) {
        let place = Place { source: source.clone(), span: offset..source.text.len() };
        return Some(Node { place, data: Data::Text(text.into()) });
    }
    let (value, errors) = DeValue::parse_recoverable(text);
    let takes_fractions = Cell::new(source.text.starts_with(FRACTIONS));
    TomlReader { source, offset, report, takes_fractions }.finish(value, &errors)
}

/// Parses a decimal integer. Returns `None` if `text` is not an integer or exceeds the allowed range.
pub(in crate::loader) fn parse_in_bounds(text: &str) -> Option<i64> {
    text.parse().ok().filter(|number| is_in_bounds(*number))
}

fn is_in_bounds(number: i64) -> bool {
    (-MAX_NUMBER..=MAX_NUMBER).contains(&number)
}

fn is_bare_word(text: &str) -> bool {
    let starts = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let is_word = text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    starts && is_word && !matches!(text, "true" | "false" | "inf" | "nan")
}

/// Beginning of the TOML parser's message about duplicate keys.
const DUPLICATE: &str = "duplicate key";

/// The section in which numbers may have a fraction.
const FRACTIONS: &str = "targets";

struct TomlReader<'a> {
    source: &'a Arc<Source>,
    /// Offset of the parsed text in its source.
    offset: usize,
    report: &'a Report,
    /// Whether numbers in the table that is being read may have a fraction.
    takes_fractions: Cell<bool>,
}

impl TomlReader<'_> {
    /// Converts a parsed value to a node, or reports the errors of the parser.
    fn finish(&self, value: Spanned<DeValue<'_>>, errors: &[Error]) -> Option<Node> {
        if errors.is_empty() {
            return self.node(value, 0);
        }
        // Only the first syntax error is reported, because later errors are mostly its consequences.
        let (duplicates, others): (Vec<&Error>, Vec<&Error>) = errors.iter().partition(|error| is_duplicate(error));
        let begin = |error: &Error| error.span().map_or(0, |span| span.start);
        let first = others.into_iter().min_by_key(|error| begin(error));
        let place = |error: &Error| self.place(error.span().unwrap_or_default());
        if let Some(error) = first {
            self.report.add(syntax_error(error.message(), place(error)));
        }
        let is_echo = |error: &Error| first.is_some_and(|first| begin(error) > begin(first));
        let duplicates: Vec<Place> = duplicates.into_iter().filter(|error| !is_echo(error)).map(place).collect();
        let heads: Vec<&Place> = duplicates.iter().filter(|place| header(place).is_some()).collect();
        // If a table header is repeated, every key that both tables have is a duplicate as well. Only the repeated header is reported.
        let places = if heads.is_empty() { duplicates.iter().collect() } else { heads };
        let mut known: Vec<&str> = Vec::new();
        for place in places {
            let key = &place.source.text[place.span.clone()];
            if !(header(place).is_some() && known.contains(&key)) {
                self.report.add(duplicate_key(key, place));
            }
            known.push(key);
        }
        drop_iteratively(value.into_inner());
        None
    }

    fn node(&self, value: Spanned<DeValue<'_>>, depth: usize) -> Option<Node> {
        let place = self.place(value.span());
        let value = value.into_inner();
        if depth > MAX_DEPTH {
            self.report.add(too_deep(place));
            drop_iteratively(value);
            return None;
        }
        let data = match value {
            DeValue::String(text) => match find_invisible(&text) {
                Some((_, character)) => return self.refuse(Diagnostic::unseen(character, place)),
                None => Data::Text(text.as_ref().into()),
            },
            DeValue::Boolean(flag) => Data::Flag(flag),
            DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
                Ok(number) if is_in_bounds(number) => Data::Number(number),
                _ => return self.refuse(too_large(place)),
            },
            DeValue::Float(number) => match millionths(number.as_str()).filter(|_| self.takes_fractions.get()) {
                Some(millionths) => Data::Fraction(millionths),
                None => return self.refuse(no_fraction(place)),
            },
            DeValue::Datetime(_) => return self.refuse(no_date(place)),
            DeValue::Array(list) => self.list(list, depth)?,
            DeValue::Table(table) => self.table(table, depth)?,
        };
        Some(Node { place, data })
    }

    fn list(&self, list: toml::de::DeArray<'_>, depth: usize) -> Option<Data> {
        let read: Vec<Option<Node>> = list.into_iter().map(|entry| self.node(entry, depth + 1)).collect();
        read.into_iter().collect::<Option<Vec<Node>>>().map(Data::List)
    }

    fn table(&self, table: DeTable<'_>, depth: usize) -> Option<Data> {
        let mut entries: Vec<_> = table.into_iter().collect();
        // The parser sorts keys by name. Diagnostics and components must follow the order of the file.
        entries.sort_by_key(|(key, _)| key.span().start);
        let mut read = Table::with_capacity(entries.len());
        let mut is_complete = true;
        for (key, value) in entries {
            let place = self.place(key.span());
            if let Some((_, character)) = find_invisible(key.get_ref()) {
                self.report.add(Diagnostic::unseen(character, place.clone()));
                is_complete = false;
            }
            let in_figures = depth == 0 && key.get_ref() == FRACTIONS;
            if in_figures {
                self.takes_fractions.set(true);
            }
            let node = self.node(value, depth + 1);
            if in_figures {
                self.takes_fractions.set(false);
            }
            match node {
                Some(node) => drop(read.insert(key.into_inner().as_ref().into(), KeyedNode { key: place, node })),
                None => is_complete = false,
            }
        }
        is_complete.then_some(Data::Table(read))
    }

    fn refuse(&self, diagnostic: Diagnostic) -> Option<Node> {
        self.report.add(diagnostic);
        None
    }

    fn place(&self, span: std::ops::Range<usize>) -> Place {
        let end = self.source.text.len();
        let (start, stop) = ((span.start + self.offset).min(end), (span.end + self.offset).min(end));
        Place { source: self.source.clone(), span: start..stop.max(start) }
    }
}

/// Drops a value without recursion: a malicious file may have thousands of nested levels, which would overflow the stack.
fn drop_iteratively(value: DeValue<'_>) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            DeValue::Array(list) => open.extend(list.into_iter().map(Spanned::into_inner)),
            DeValue::Table(table) => open.extend(table.into_iter().map(|(_, value)| value.into_inner())),
            _ => {}
        }
    }
}

/// Parses a decimal fraction into millionths. Returns `None` if the number has an exponent or more than six decimals, is not finite, or
/// overflows.
fn millionths(text: &str) -> Option<i64> {
    let text = text.replace('_', "");
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(&text)),
    };
    let (integer, decimals) = digits.split_once('.')?;
    if decimals.len() > 6 {
        return None;
    }
    let (integer, decimals): (i64, i64) = (integer.parse().ok()?, format!("{decimals:0<6}").parse().ok()?);
    Some(sign * integer.checked_mul(1_000_000)?.checked_add(decimals)?)
}

fn is_duplicate(error: &Error) -> bool {
    error.message().starts_with(DUPLICATE)
}

fn syntax_error(message: &str, place: Place) -> Diagnostic {
    if message.contains("recursion limit") {
        return too_deep(place);
    }
    let note = if place.span.is_empty() { "here" } else { "at this" };
    let help = syntax_help(&place);
    let found = Diagnostic::error("toml-syntax", format!("this is not TOML: {message}")).mark(place, note);
    match help {
        Some(help) => found.help(help),
        None => found,
    }
}

/// Returns the path in the table header at a place, such as `zones.deck`. Returns `None` if the line of the place is not a table header.
fn header(place: &Place) -> Option<&str> {
    let text = &place.source.text;
    let begin = text[..place.span.start].rfind('\n').map_or(0, |line_break| line_break + 1);
    let line = text[begin..].lines().next()?.trim_start();
    Some(line.strip_prefix('[')?.trim_start_matches('[').split(']').next()?.trim())
}

fn duplicate_key(key: &str, place: &Place) -> Diagnostic {
    let Some(path) = header(place) else {
        return Diagnostic::error("duplicate-key", format!("`{key}` is written twice in one table"))
            .mark(place.clone(), "the second time")
            .help("remove one of the two");
    };
    let found = Diagnostic::error("duplicate-key", format!("the table `[{path}]` is defined twice"))
        .mark(place.clone(), "the second time");
    if path == key && place.source.role() == Some(Role::Components) {
        found.help(format!("write `[[{key}]]` for each row of several"))
    } else {
        found.help("write the keys of both into one, or give one of them another name")
    }
}

fn too_deep(place: Place) -> Diagnostic {
    Diagnostic::error("too-deep", format!("tables and lists are nested more than {MAX_DEPTH} deep"))
        .mark(place, "one level too many")
}

/// Creates the diagnostic for a number beyond the allowed range.
pub(in crate::loader) fn too_large(place: Place) -> Diagnostic {
    Diagnostic::error("out-of-range", "the number is too large").mark(place, "beyond 10 to the power of 12")
}

fn no_fraction(place: Place) -> Diagnostic {
    Diagnostic::error("wrong-type", "numbers must be whole")
        .mark(place, "a number with a fraction")
        .help("count in smaller units")
}

fn no_date(place: Place) -> Diagnostic {
    Diagnostic::error("wrong-type", "dates are not supported in a game's files")
        .mark(place, "a date or a time")
        .help("write it in quotes")
}
