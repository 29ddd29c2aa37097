//! The sheets of `.xlsx` and `.ods` files, cell by cell.
//!
//! A file may come from a stranger: it is unpacked no further than it may be large, and cells are counted before anything of the
//! size of a sheet is made.

use super::grid::Grid;
#[cfg(feature = "workbooks")]
use crate::diagnostic::Place;
use crate::diagnostic::{Diagnostic, Source};
use crate::loader::document::budget::Budget;
use crate::loader::mistake::whole;
use crate::loader::report::Report;
use std::ops::Range;
#[cfg(feature = "workbooks")]
use std::sync::Arc;

/// The sheets of a workbook by name. What cannot be read of it is reported as `syntax`; a sheet that no kind is called like is left
/// out, and remarked.
#[cfg(feature = "workbooks")]
pub(in crate::loader) fn sheets(
    path: &str,
    bytes: &[u8],
    budget: &Budget,
    syntax: &Report,
    remarks: &Report,
) -> Vec<(String, Grid)> {
    match reading::sheets(path, bytes, (budget, syntax)) {
        Ok(sheets) => {
            sheets.into_iter().filter_map(|(name, cells)| sheet(path, name, cells, syntax, remarks)).collect()
        }
        Err(mistake) => {
            syntax.add(mistake);
            Vec::new()
        }
    }
}

/// None: this library was built without what reads them.
#[cfg(not(feature = "workbooks"))]
pub(in crate::loader) fn sheets(path: &str, _: &[u8], _: &Budget, syntax: &Report, _: &Report) -> Vec<(String, Grid)> {
    syntax.add(
        Diagnostic::error("unreadable", format!("`{path}` cannot be read here: this library reads texts alone"))
            .mark(whole(path), "a workbook")
            .help("save each of its sheets as CSV, called like the kind"),
    );
    Vec::new()
}

#[cfg(feature = "workbooks")]
fn sheet(
    path: &str,
    name: String,
    cells: Vec<reading::FilledCell>,
    syntax: &Report,
    remarks: &Report,
) -> Option<(String, Grid)> {
    if name.starts_with(super::rows::ASIDE) {
        return None;
    }
    let kind = name.rsplit('.').next().unwrap_or_default();
    if !kind.starts_with(|first: char| first.is_ascii_lowercase()) {
        remarks.add(not_a_kind(path, &name));
        return None;
    }
    let grid = grid(path, &name, cells);
    if let Some((at, character)) = crate::diagnostic::unseen_in(&grid.source.text) {
        let place = Place { source: grid.source.clone(), span: at..at + character.len_utf8() };
        syntax.add(Diagnostic::unseen(character, place));
        return None;
    }
    Some((name, grid))
}

/// A sheet as a text: a line for each row, with tabs between the cells, so that a place in it knows its cell.
#[cfg(feature = "workbooks")]
fn grid(path: &str, name: &str, cells: Vec<reading::FilledCell>) -> Grid {
    use super::grid::Cell;
    let (mut text, mut rows) = (String::new(), vec![Vec::new()]);
    for found in cells {
        while rows.len() <= found.row {
            text.push('\n');
            rows.push(Vec::new());
        }
        let row = rows.last_mut().expect("there is a row");
        while row.len() < found.column {
            row.push(Cell { text: String::new(), span: text.len()..text.len(), stray: None });
            text.push('\t');
        }
        let start = text.len();
        text.extend(
            found.text.chars().map(|character| if matches!(character, '\n' | '\t' | '\r') { ' ' } else { character }),
        );
        row.push(Cell { text: found.text, span: start..text.len(), stray: found.stray });
        text.push('\t');
    }
    Grid { source: Arc::new(Source::of_sheet(path, name, text)), rows }
}

/// Where the cells stand in the text of a sheet of a workbook, row by row.
pub(in crate::loader) fn cells_of_sheet(source: &Source) -> Vec<Vec<Range<usize>>> {
    let mut start = 0;
    let row = |line: &str| {
        let cells = line.split('\t').map(|cell| {
            let span = start..start + cell.len();
            start = span.end + 1;
            span
        });
        cells.collect::<Vec<_>>()
    };
    source.text.split('\n').map(row).collect()
}

#[cfg(feature = "workbooks")]
fn not_a_kind(path: &str, name: &str) -> Diagnostic {
    Diagnostic::warning("stray-file", format!("the sheet `{name}` is not read: no kind can be called so"))
        .mark(whole(path), "passed over")
        .help("call a sheet like the kind of its rows; a name that begins with `#` makes it one of notes")
}

#[cfg(feature = "workbooks")]
mod reading {
    use super::super::grid::{Cell, MOST_CELLS, MOST_COLUMNS, MOST_ROWS, Stray};
    use super::super::repeated::{self, Area};
    use super::{Budget, Diagnostic, Report, whole};
    use calamine::{Data, DataRef, Ods, Reader, Xlsx, XlsxError};
    use std::io::{Cursor, Read};
    use zip::ZipArchive;

    /// The most bytes that the parts of a workbook may unpack to.
    const LARGEST: u64 = 16 * 1024 * 1024;

    /// The most parts of a workbook.
    const MOST_PARTS: usize = 2048;

    /// The most bytes that are read of all sheets together: a workbook may name one part as many sheets.
    const MOST_READ: u64 = 128 * 1024 * 1024;

    /// The most characters of a cell.
    const LONGEST_CELL: usize = 64 * 1024;

    /// The most cells of all sheets of an `.ods` file, with the empty ones before the last of each row.
    const MOST_SPANNED: usize = 2 * MOST_CELLS;

    /// A cell that something stands in. They come row by row.
    pub(super) struct FilledCell {
        pub(super) row: usize,
        pub(super) column: usize,
        pub(super) text: String,
        pub(super) stray: Option<Stray>,
    }

    /// The budget, and where what is beyond it is reported.
    type Room<'a> = (&'a Budget, &'a Report);

    pub(super) fn sheets(
        path: &str,
        bytes: &[u8],
        room: Room<'_>,
    ) -> Result<Vec<(String, Vec<FilledCell>)>, Diagnostic> {
        let (parts, largest) = unpacked(path, bytes)?;
        let mut sheets = if path.rsplit('.').next() == Some("ods") {
            ods(path, bytes, parts, room)?
        } else {
            xlsx(path, bytes, largest, room)?
        };
        for (_, cells) in &mut sheets {
            // The program that wrote the file may have put rows anywhere.
            cells.sort_by_key(|cell| (cell.row, cell.column));
            cells.dedup_by_key(|cell| (cell.row, cell.column));
        }
        Ok(sheets)
    }

    /// Unpacks a workbook, no further than it may be large: the cells of an `.ods` file, and the bytes of the largest part.
    fn unpacked(path: &str, bytes: &[u8]) -> Result<(Vec<u8>, u64), Diagnostic> {
        let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| broken(path, &error))?;
        if archive.len() > MOST_PARTS {
            return Err(too_large(path, &format!("has more than {MOST_PARTS} parts")));
        }
        let (mut room, mut largest) = (LARGEST, 0);
        let mut cells = Vec::new();
        for at in 0..archive.len() {
            let mut part = archive.by_index(at).map_err(|error| broken(path, &error))?;
            // Whatever a part is called, a workbook may say that cells lie in it.
            let is_cells = part.name().is_ok_and(|name| name == "content.xml");
            let mut unpacked = Vec::new();
            part.by_ref().take(room + 1).read_to_end(&mut unpacked).map_err(|error| broken(path, &error))?;
            room = room
                .checked_sub(unpacked.len() as u64)
                .ok_or_else(|| too_large(path, &format!("unpacks to more than {} MB", LARGEST / 1024 / 1024)))?;
            largest = largest.max(unpacked.len() as u64);
            if is_cells {
                cells = unpacked;
            }
        }
        Ok((cells, largest))
    }

    fn xlsx(
        path: &str,
        bytes: &[u8],
        largest: u64,
        room: Room<'_>,
    ) -> Result<Vec<(String, Vec<FilledCell>)>, Diagnostic> {
        let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(|error| broken(path, &error))?;
        let names = book.sheet_names();
        if (names.len() as u64).saturating_mul(largest) > MOST_READ {
            return Err(too_large(path, &format!("names {} sheets, which is too many for their size", names.len())));
        }
        let mut sheets = Vec::new();
        for name in names {
            let mut reader = match book.worksheet_cells_reader(&name) {
                Ok(reader) => reader,
                // A sheet of charts.
                Err(XlsxError::NotAWorksheet(_)) => continue,
                Err(error) => return Err(broken(path, &error)),
            };
            let mut cells = Vec::new();
            while let Some(cell) = reader.next_cell().map_err(|error| broken(path, &error))? {
                let (row, column) = cell.get_position();
                let (text, stray) = match cell.get_value() {
                    DataRef::Empty => continue,
                    // One text may stand in all cells.
                    DataRef::SharedString(text) if !has_room(path, &name, text.len(), room)? => continue,
                    DataRef::SharedString(text) => ((*text).to_owned(), None),
                    DataRef::String(text) => (text.clone(), None),
                    DataRef::Int(number) => (number.to_string(), None),
                    DataRef::Float(number) => (number.to_string(), None),
                    DataRef::Bool(flag) => (flag.to_string(), None),
                    DataRef::Error(error) => (error.to_string(), Some(Stray::Failure)),
                    DataRef::DateTime(date) => (date.to_string(), Some(Stray::Date)),
                    DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => (text.clone(), Some(Stray::Date)),
                };
                let cell = FilledCell { row: row as usize, column: column as usize, text, stray };
                add(&mut cells, path, &name, cell, room)?;
            }
            sheets.push((name, cells));
        }
        Ok(sheets)
    }

    fn ods(
        path: &str,
        bytes: &[u8],
        content: Vec<u8>,
        room: Room<'_>,
    ) -> Result<Vec<(String, Vec<FilledCell>)>, Diagnostic> {
        // Cells are made of one that is repeated before anybody could count them.
        let area = repeated::area(content).map_err(|error| broken(path, &*error))?;
        if area.rows > MOST_ROWS || area.columns > MOST_COLUMNS || area.cells > MOST_CELLS {
            return Err(too_many_cells(path, &area.sheet));
        }
        if area.longest > LONGEST_CELL {
            return Err(too_long(path, &area.sheet));
        }
        let Area { spanned, letters, .. } = area;
        if spanned > MOST_SPANNED {
            return Err(too_many_cells(path, &area.sheet));
        }
        // The library keeps each cell and its formula.
        let size = spanned.saturating_mul(size_of::<Data>() + size_of::<String>()).saturating_add(letters);
        if !room.0.charge(size, &|| whole(path), room.1) {
            return Ok(Vec::new());
        }
        let mut book: Ods<_> = Ods::new(Cursor::new(bytes)).map_err(|error| broken(path, &error))?;
        let mut sheets = Vec::new();
        for name in book.sheet_names() {
            let range = book.worksheet_range(&name).map_err(|error| broken(path, &error))?;
            let (first_row, first_column) = range.start().unwrap_or_default();
            let mut cells = Vec::new();
            for (row, column, data) in range.used_cells() {
                let (text, stray) = match data {
                    Data::Empty => continue,
                    Data::String(text) => (text.clone(), None),
                    Data::Int(number) => (number.to_string(), None),
                    Data::Float(number) => (number.to_string(), None),
                    Data::Bool(flag) => (flag.to_string(), None),
                    Data::Error(error) => (error.to_string(), Some(Stray::Failure)),
                    Data::DateTime(date) => (date.to_string(), Some(Stray::Date)),
                    Data::DateTimeIso(text) | Data::DurationIso(text) => (text.clone(), Some(Stray::Date)),
                };
                let (row, column) = (row + first_row as usize, column + first_column as usize);
                add(&mut cells, path, &name, FilledCell { row, column, text, stray }, room)?;
            }
            sheets.push((name, cells));
        }
        Ok(sheets)
    }

    /// Charges a cell's text twice: for the cell, and for the text of the sheet that places lie in. Returns whether there was room.
    fn has_room(path: &str, sheet: &str, letters: usize, (budget, report): Room<'_>) -> Result<bool, Diagnostic> {
        if letters > LONGEST_CELL {
            return Err(too_long(path, sheet));
        }
        let size = 2 * letters + size_of::<FilledCell>() + size_of::<Cell>();
        Ok(budget.charge(size, &|| whole(path), report))
    }

    fn add(
        cells: &mut Vec<FilledCell>,
        path: &str,
        sheet: &str,
        cell: FilledCell,
        room: Room<'_>,
    ) -> Result<(), Diagnostic> {
        if cell.stray.is_none() && cell.text.trim().is_empty() {
            return Ok(());
        }
        if cell.row >= MOST_ROWS || cell.column >= MOST_COLUMNS || cells.len() >= MOST_CELLS {
            return Err(too_many_cells(path, sheet));
        }
        if has_room(path, sheet, cell.text.len(), room)? {
            cells.push(cell);
        }
        Ok(())
    }

    fn too_long(path: &str, sheet: &str) -> Diagnostic {
        let most = LONGEST_CELL / 1024;
        Diagnostic::error(
            "too-large",
            format!("a cell of the sheet `{sheet}` of `{path}` has more than {most} KB of text"),
        )
        .mark(whole(path), "too large")
        .help("write shorter texts")
    }

    fn too_many_cells(path: &str, sheet: &str) -> Diagnostic {
        let most = format!("{MOST_ROWS} rows, {MOST_COLUMNS} columns and {MOST_CELLS} cells");
        Diagnostic::error("too-large", format!("the sheet `{sheet}` of `{path}` has cells beyond {most}"))
            .mark(whole(path), "too large")
            .help("delete the rows and columns behind the last that says something, and save it again")
    }

    fn too_large(path: &str, how: &str) -> Diagnostic {
        Diagnostic::error("too-large", format!("`{path}` {how}"))
            .mark(whole(path), "too large")
            .help("keep nothing but the sheets of the game in it")
    }

    fn broken(path: &str, error: &dyn std::error::Error) -> Diagnostic {
        let ending = path.rsplit('.').next().unwrap_or_default();
        Diagnostic::error("unreadable", format!("`{path}` cannot be read: {error}"))
            .mark(whole(path), format!("not a workbook as `.{ending}` files are"))
            .help("open it in a spreadsheet program, and save it again without a password")
    }
}
