//! Parses cells. A cell contains an integer, `true` or `false`, a list or table in TOML, or otherwise text. Fractions and failed formulas
//! are reported. A leading `'` marks text that would otherwise have another type, or that a spreadsheet program would treat as a formula.

use super::grid::{Cell, Grid, StrayCell};
use crate::diagnostic::{Diagnostic, Mark, Place, Source};
use crate::loader::document::budget::{Budget, ITEM};
use crate::loader::document::node::{Data, Node};
use crate::loader::document::toml_reader::{parse_in_bounds, parse_value, too_large};
use crate::loader::report::Report;
use crate::model::is_formula;
use std::sync::Arc;

/// Type that the content of a cell is parsed as.
#[derive(Debug, PartialEq, Eq)]
enum CellType {
    Number,
    Fraction,
    Flag(bool),
    Toml,
    Failure,
    Text,
}

/// Results of failed formulas in spreadsheet programs. `LibreOffice` also writes `Err:` followed by a number.
const FAILURES: [&str; 10] =
    ["#REF!", "#N/A", "#VALUE!", "#DIV/0!", "#NAME?", "#NULL!", "#NUM!", "#SPILL!", "#CALC!", "#FIELD!"];

fn cell_type(text: &str) -> CellType {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // A number with leading zeros, such as an article number, is text.
    if is_digits(digits) && (digits == "0" || !digits.starts_with('0')) {
        return CellType::Number;
    }
    if digits.split_once('.').is_some_and(|(whole, part)| is_digits(whole) && is_digits(part)) {
        return CellType::Fraction;
    }
    if FAILURES.contains(&text) || text.strip_prefix("Err:").is_some_and(is_digits) {
        return CellType::Failure;
    }
    match text {
        "true" | "TRUE" => return CellType::Flag(true),
        "false" | "FALSE" => return CellType::Flag(false),
        _ => {}
    }
    if is_list(text) || is_table(text) { CellType::Toml } else { CellType::Text }
}

fn is_list(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('[') else { return false };
    text.ends_with(']') || rest.trim_start().starts_with(['"', '[', '{'])
}

/// Returns whether the text of a cell is meant as a TOML table: `{}`, or a key and `=` after the brace. Other text may begin with a
/// placeholder in braces.
fn is_table(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('{').map(str::trim_start) else { return false };
    let key = rest.trim_start_matches(|c: char| c.is_alphanumeric() || "_-.\"".contains(c));
    rest == "}" || key.len() < rest.len() && key.trim_start().starts_with('=')
}

/// Returns whether `text` needs a leading `'` in a cell. Without the `'`, the text would be ignored because it is empty, read as another
/// type, trimmed, or treated as a formula.
fn needs_quote(text: &str) -> bool {
    text.trim() != text
        || text.is_empty()
        || cell_type(text) != CellType::Text
        || is_formula(text)
        || text.strip_prefix('\'').is_some_and(needs_quote)
}

/// Formats text as the content of a cell. Adds a leading `'` if needed.
pub(super) fn escape_text(text: &str) -> String {
    if needs_quote(text) { format!("'{text}") } else { text.to_owned() }
}

/// Like [`escape_text`], but for file formats that distinguish text from formulas.
#[cfg(feature = "system")]
pub(super) fn escape_typed_text(text: &str) -> String {
    let is_plain =
        text.trim() == text && !text.is_empty() && !text.starts_with('\'') && cell_type(text) == CellType::Text;
    if is_plain { text.to_owned() } else { escape_text(text) }
}

/// Parses a cell. Returns `None` and reports a mistake if the cell cannot be parsed.
pub(super) fn read(cell: &Cell, grid: &Grid, budget: &Budget, report: &Report) -> Option<Node> {
    let place = grid.place(cell);
    if let Some(stray) = cell.stray {
        report.add(stray.mistake(cell, place));
        return None;
    }
    let text = cell.text.trim();
    let data = match cell_type(text) {
        CellType::Flag(flag) => Data::Flag(flag),
        CellType::Number => {
            let number = parse_in_bounds(text);
            if number.is_none() {
                report.add(too_large(place.clone()));
            }
            Data::Number(number?)
        }
        CellType::Fraction => {
            report.add(no_fraction(text, place));
            return None;
        }
        CellType::Failure => {
            report.add(StrayCell::Failure.mistake(cell, place));
            return None;
        }
        CellType::Toml => return parse_toml_value(text, &place, budget, report),
        CellType::Text => {
            // Leading spaces are part of the text only if the cell begins with `'`.
            let marked = cell.text.strip_prefix('\'').or_else(|| text.strip_prefix('\''));
            Data::Text(marked.filter(|text| needs_quote(text)).unwrap_or(text).into())
        }
    };
    Some(Node { place, data })
}

/// Parses a list or a table. All nodes within it have the place of the cell.
fn parse_toml_value(text: &str, place: &Place, budget: &Budget, report: &Report) -> Option<Node> {
    // An item of a list takes at least two characters.
    if !budget.charge(text.len() / 2 * ITEM, &|| place.clone(), report) {
        return None;
    }
    let source = Arc::new(Source { path: place.source.path.clone(), text: text.to_owned() });
    let found = Report::default();
    let node = parse_value(&source, 0, &found);
    for mut mistake in found.into_diagnostics().0 {
        let note = mistake.marks.first().map_or_else(String::new, |mark| mark.note.clone());
        mistake.marks = vec![Mark { place: place.clone(), note }];
        if mistake.help.is_none() {
            mistake.help = Some("write a list as `[\"wood\", \"iron\"]`, a table as `{ wood = 2 }`".to_owned());
        }
        report.add(mistake);
    }
    let mut node = node?;
    set_places(&mut node, place);
    Some(node)
}

fn set_places(node: &mut Node, place: &Place) {
    node.place = place.clone();
    match &mut node.data {
        Data::List(list) => list.iter_mut().for_each(|node| set_places(node, place)),
        Data::Table(table) => table.values_mut().for_each(|entry| {
            entry.key = place.clone();
            set_places(&mut entry.node, place);
        }),
        _ => {}
    }
}

fn no_fraction(text: &str, place: Place) -> Diagnostic {
    Diagnostic::error("bad-cell", "numbers must be whole")
        .mark(place, "a number with a fraction")
        .help(format!("count in smaller units, or write `'{text}` for a text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(text: &str) -> Data {
        let source = Arc::new(Source { path: "components/a.csv".to_owned(), text: text.to_owned() });
        let grid = Grid { source, rows: Vec::new() };
        let cell = Cell { text: text.to_owned(), span: 0..text.len(), stray: None };
        read(&cell, &grid, &Budget::default(), &Report::default()).expect("it is read").data
    }

    #[test]
    fn escaped_texts_are_read_back_unchanged() {
        let texts = [
            "ace",
            "",
            " ",
            "'",
            "''",
            "'3",
            "''3",
            "'tis",
            "3",
            "-3",
            "+3",
            "007",
            "3.5",
            "true",
            "TRUE",
            "True",
            "[1]",
            "[x",
            "[\"a\"",
            "{}",
            "{ a = 1 }",
            "{a} {b}",
            "=1+1",
            "+x",
            "-x",
            "@x",
            "\tx",
            "\rx",
            "'=1",
            "''=1",
            " =1",
            "= ",
            "a\nb",
            "a,b",
            "a;b",
            "\"",
            "\"a\"",
            "中文",
            " 'x",
            "' x",
            "#REF!",
            "Err:502",
        ];
        for text in texts {
            for cell in [escape_text(text), escape_typed_text(text)] {
                assert!(matches!(node(&cell), Data::Text(read) if *read == *text), "{text:?} as {cell:?}");
            }
            let first = escape_text(text).chars().next();
            assert!(!first.is_some_and(|first| "=+-@\t\r".contains(first)), "{text:?}");
        }
    }

    #[test]
    fn cells_are_parsed_by_type() {
        assert!(matches!(node(" 12 "), Data::Number(12)));
        assert!(matches!(node("-3"), Data::Number(-3)));
        assert!(matches!(node("TRUE"), Data::Flag(true)));
        assert!(matches!(node("[1, 2]"), Data::List(list) if list.len() == 2));
        assert!(matches!(node("{ wood = 2 }"), Data::Table(table) if table.contains_key("wood")));
        assert!(matches!(node("{suit}-{number}"), Data::Text(_)));
        assert!(matches!(node("007"), Data::Text(_)));
    }
}
