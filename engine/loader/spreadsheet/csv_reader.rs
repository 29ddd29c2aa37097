//! Parses CSV files into cells.

use super::grid::{Cell, Grid, MAX_CELLS, MAX_COLUMNS, StrayCell};
use crate::diagnostic::{Diagnostic, Place, Source};
use crate::loader::document::budget::Budget;
use crate::loader::report::Report;
use csv_core::{ReadFieldResult, Reader};
use std::sync::Arc;

/// Separators that other programs use instead of commas, each with its name for messages.
const SEPARATORS: [(char, &str); 3] = [(';', "`;`"), ('\t', "tabs"), ('|', "`|`")];

/// Parses a CSV file. Returns `None` and reports a mistake if its cells are not separated by commas, if it contains invisible characters,
/// or if it exceeds a limit.
pub(in crate::loader) fn parse_csv(source: &Arc<Source>, budget: &Budget, report: &Report) -> Option<Grid> {
    // Tabs are allowed, and a lone carriage return ends a line here, so neither is reported as an invisible character.
    let text = source.text.replace('\r', "\n");
    if let Some((at, character)) = crate::diagnostic::find_invisible(&text) {
        let place = Place { source: source.clone(), span: at..at + character.len_utf8() };
        report.add(Diagnostic::unseen(character, place));
        return None;
    }
    let heading = source.text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let other = SEPARATORS.into_iter().find(|(separator, _)| heading.contains(*separator) && !heading.contains(','));
    if let Some((separator, called)) = other {
        // `heading` is a slice of the text, so the difference of their addresses is its offset.
        let start = heading.as_ptr() as usize - source.text.as_ptr() as usize;
        let at = start + heading.find(separator).expect("it was found");
        report.add(other_separator(called, Place { source: source.clone(), span: at..at + 1 }));
        return None;
    }
    match parse_rows(&source.text) {
        Ok(rows) => {
            let size = rows.iter().map(|row| (row.len() + 1) * size_of::<Cell>()).sum::<usize>() + source.text.len();
            let place = || Place { source: source.clone(), span: 0..0 };
            budget.charge(size, &place, report).then(|| Grid { rows, source: source.clone() })
        }
        Err(at) => {
            report.add(too_many_cells(Place { source: source.clone(), span: at..at }));
            None
        }
    }
}

/// Parses the cells row by row. If there are too many cells, returns the offset of the first cell beyond the limits.
fn parse_rows(text: &str) -> Result<Vec<Vec<Cell>>, usize> {
    let mut reader = Reader::new();
    // Decoding never makes a cell longer, so a buffer of the length of the text is large enough.
    let mut buffer = vec![0; text.len() + 1];
    let (mut at, mut rows, mut row) = (0, Vec::new(), Vec::new());
    let (mut start, mut filled, mut number) = (0, 0, 0);
    loop {
        let (result, read, wrote) = reader.read_field(&text.as_bytes()[at..], &mut buffer[filled..]);
        at += read;
        filled += wrote;
        match result {
            // The next call reports the end.
            ReadFieldResult::InputEmpty => {}
            ReadFieldResult::OutputFull => unreachable!("there is room for all of the file"),
            ReadFieldResult::Field { record_end } => {
                let text_of = String::from_utf8_lossy(&buffer[..filled]).into_owned();
                row.push(cell(text, start..at, text_of));
                number += 1;
                if row.len() > MAX_COLUMNS || number > MAX_CELLS {
                    return Err(start);
                }
                (start, filled) = (at, 0);
                if record_end {
                    rows.push(std::mem::take(&mut row));
                }
            }
            ReadFieldResult::End => return Ok(rows),
        }
    }
}

/// Creates a cell from the `read` range of the text. The range may include preceding line breaks and the separator, which are not part of
/// the cell.
fn cell(text: &str, read: std::ops::Range<usize>, decoded: String) -> Cell {
    let raw = &text[read.clone()];
    let begin = read.start + (raw.len() - raw.trim_start_matches(['\r', '\n']).len());
    let raw = &text[begin..read.end];
    let raw = raw.strip_suffix([',', '\n', '\r']).unwrap_or(raw);
    let raw = raw.strip_suffix('\r').unwrap_or(raw);
    let is_open = raw.starts_with('"') && raw.matches('"').count() % 2 == 1;
    if is_open {
        return Cell { text: decoded, span: begin..begin + 1, stray: Some(StrayCell::Open) };
    }
    let inner = raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let span = match inner {
        Some(inner) => begin + 1..begin + 1 + inner.len(),
        None => begin..begin + raw.len(),
    };
    Cell { text: decoded, span, stray: None }
}

fn too_many_cells(place: Place) -> Diagnostic {
    Diagnostic::error("too-large", format!("a sheet has at most {MAX_COLUMNS} columns and {MAX_CELLS} cells"))
        .mark(place, "one too many")
        .help("delete the empty columns at the end, or split the file")
}

fn other_separator(called: &str, place: Place) -> Diagnostic {
    Diagnostic::error("bad-sheet", format!("the cells of this file are separated by {called}, and not by commas"))
        .mark(place, "not a comma")
        .help("save it with commas (in LibreOffice: Field delimiter `,`), or as `.xlsx` or `.ods`")
}
