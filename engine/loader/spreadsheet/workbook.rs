//! Parses the sheets of `.xlsx` and `.ods` workbooks into cells.
//!
//! A file may come from an untrusted source. It is unpacked only up to a limit, and cells are counted before memory for a sheet is
//! allocated.

use super::grid::Grid;
#[cfg(feature = "workbooks")]
use crate::diagnostic::Place;
use crate::diagnostic::{Diagnostic, Source};
use crate::loader::document::budget::Budget;
use crate::loader::mistake::whole_file;
use crate::loader::report::Report;
use std::ops::Range;
#[cfg(feature = "workbooks")]
use std::sync::Arc;

/// Returns the sheets of a workbook with their names. Leaves out sheets of notes. Also leaves out sheets whose names cannot belong to a
/// kind, and reports these to `remarks`. Reports unreadable workbooks and sheets to `syntax`.
#[cfg(feature = "workbooks")]
pub(in crate::loader) fn sheets(
    path: &str,
    bytes: &[u8],
    budget: &Budget,
    syntax: &Report,
    remarks: &Report,
) -> Vec<(String, Grid)> {
    match unpack::sheets(path, bytes, (budget, syntax)) {
        Ok(sheets) => {
            sheets.into_iter().filter_map(|(name, cells)| sheet(path, name, cells, syntax, remarks)).collect()
        }
        Err(mistake) => {
            syntax.add(mistake);
            Vec::new()
        }
    }
}

/// Reports that workbooks cannot be read, because the feature `workbooks` is disabled.
#[cfg(not(feature = "workbooks"))]
pub(in crate::loader) fn sheets(path: &str, _: &[u8], _: &Budget, syntax: &Report, _: &Report) -> Vec<(String, Grid)> {
    syntax.add(
        Diagnostic::error(
            "unreadable",
            format!("`{path}` cannot be read: this build of the library only reads text files"),
        )
        .mark(whole_file(path), "a workbook")
        .help("save each sheet as CSV, named after its kind"),
    );
    Vec::new()
}

#[cfg(feature = "workbooks")]
fn sheet(
    path: &str,
    name: String,
    cells: Vec<unpack::FilledCell>,
    syntax: &Report,
    remarks: &Report,
) -> Option<(String, Grid)> {
    if name.starts_with(super::rows::NOTE_PREFIX) {
        return None;
    }
    let kind = name.rsplit('.').next().unwrap_or_default();
    if !kind.starts_with(|first: char| first.is_ascii_lowercase()) {
        remarks.add(not_a_kind(path, &name));
        return None;
    }
    let grid = grid(path, &name, cells);
    if let Some((at, character)) = crate::diagnostic::find_invisible(&grid.source.text) {
        let place = Place { source: grid.source.clone(), span: at..at + character.len_utf8() };
        syntax.add(Diagnostic::unseen(character, place));
        return None;
    }
    Some((name, grid))
}

/// Builds the grid of a sheet. Its source text has a line for each row and a tab after each cell, so that places can refer to cells.
#[cfg(feature = "workbooks")]
fn grid(path: &str, name: &str, cells: Vec<unpack::FilledCell>) -> Grid {
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

/// Returns the spans of the cells in the text of a workbook's sheet, row by row.
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
    Diagnostic::warning("stray-file", format!("the sheet `{name}` is not read: this cannot be the name of a kind"))
        .mark(whole_file(path), "passed over")
        .help("name the sheet after the kind of its rows; sheets whose name begins with `#` are ignored")
}

#[cfg(feature = "workbooks")]
mod unpack {
    use super::super::grid::{Cell, MAX_CELLS, MAX_COLUMNS, MAX_ROWS, StrayCell};
    use super::super::ods_size::{self, Area};
    use super::{Budget, Diagnostic, Report, whole_file};
    use calamine::{Data, DataRef, Ods, Reader, Xlsx, XlsxError};
    use quick_xml::events::Event;
    use std::io::{Cursor, Read};
    use zip::ZipArchive;

    /// Maximum total size of the unpacked parts of a workbook, in bytes.
    const MAX_UNPACKED_BYTES: u64 = 16 * 1024 * 1024;

    /// Maximum number of parts in a workbook.
    const MAX_PARTS: usize = 2048;

    /// Maximum number of bytes to parse for all sheets of an `.xlsx` file together. Without this limit, a malicious workbook could make
    /// many sheets share one large part.
    const MAX_PARSED_BYTES: u64 = 128 * 1024 * 1024;

    /// Maximum length of a cell in bytes.
    const MAX_CELL_BYTES: usize = 64 * 1024;

    /// Maximum number of cells of all sheets of an `.ods` file, including empty cells between other cells.
    const MAX_SPANNED_CELLS: usize = 2 * MAX_CELLS;

    /// Suffix of the name of the part that contains the shared strings, in lower case.
    const SHARED_STRINGS: &str = "sharedstrings.xml";

    /// Attribute with the number of shared strings.
    const DECLARED_STRINGS: &str = "uniqueCount";

    /// A cell that is not empty.
    pub(super) struct FilledCell {
        pub(super) row: usize,
        pub(super) column: usize,
        pub(super) text: String,
        pub(super) stray: Option<StrayCell>,
    }

    /// Memory budget, and the report that receives a diagnostic if the budget is exceeded.
    type ReportedBudget<'a> = (&'a Budget, &'a Report);

    pub(super) fn sheets(
        path: &str,
        bytes: &[u8],
        budget: ReportedBudget<'_>,
    ) -> Result<Vec<(String, Vec<FilledCell>)>, Diagnostic> {
        let (parts, largest) = unpack_parts(path, bytes)?;
        let mut sheets = if path.rsplit('.').next() == Some("ods") {
            ods(path, bytes, parts, budget)?
        } else {
            xlsx(path, bytes, largest, budget)?
        };
        for (_, cells) in &mut sheets {
            // Workbooks may list cells in any order.
            cells.sort_by_key(|cell| (cell.row, cell.column));
            cells.dedup_by_key(|cell| (cell.row, cell.column));
        }
        // The grid of a sheet also stores the empty cells before other cells. The grids of all sheets are charged before the first one is
        // created.
        let empty = |(_, cells): &(String, Vec<FilledCell>)| {
            let ends = cells.chunk_by(|one, other| one.row == other.row).filter_map(|row| row.last());
            let spanned: usize = ends.map(|last| last.column + 1).sum();
            let rows = cells.last().map_or(0, |last| last.row + 1);
            (spanned - cells.len()) * (size_of::<Cell>() + 1) + rows * size_of::<Vec<Cell>>()
        };
        let size = sheets.iter().map(empty).sum();
        if !budget.0.charge(size, &|| whole_file(path), budget.1) {
            return Ok(Vec::new());
        }
        Ok(sheets)
    }

    /// Unpacks all parts of a workbook within the limits. Returns the content of `content.xml`, which contains the cells of an `.ods` file,
    /// and the size of the largest part.
    fn unpack_parts(path: &str, bytes: &[u8]) -> Result<(Vec<u8>, u64), Diagnostic> {
        let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| broken(path, &error))?;
        if archive.len() > MAX_PARTS {
            return Err(too_large(path, &format!("has more than {MAX_PARTS} parts")));
        }
        let (mut budget, mut largest) = (MAX_UNPACKED_BYTES, 0);
        let mut cells = Vec::new();
        for at in 0..archive.len() {
            let mut part = archive.by_index(at).map_err(|error| broken(path, &error))?;
            // The file system of the archive may ignore case, as the library does.
            let is_strings = part.name().is_ok_and(|name| name.to_lowercase().ends_with(SHARED_STRINGS));
            // All parts are unpacked, because a workbook can declare that any part contains cells.
            let is_cells = part.name().is_ok_and(|name| name == "content.xml");
            let mut unpacked = Vec::new();
            part.by_ref().take(budget + 1).read_to_end(&mut unpacked).map_err(|error| broken(path, &error))?;
            budget = budget.checked_sub(unpacked.len() as u64).ok_or_else(|| {
                too_large(path, &format!("unpacks to more than {} MB", MAX_UNPACKED_BYTES / 1024 / 1024))
            })?;
            largest = largest.max(unpacked.len() as u64);
            if is_strings && declares_more_strings_than_bytes(&unpacked) {
                return Err(too_large(path, "declares more shared strings than it has"));
            }
            if is_cells {
                cells = unpacked;
            }
        }
        Ok((cells, largest))
    }

    /// Returns whether a part with shared strings declares more strings than it has bytes. The library reserves memory for the declared
    /// number. The same XML reader as in the library is used, because it also decodes other encodings.
    fn declares_more_strings_than_bytes(part: &[u8]) -> bool {
        let mut reader = quick_xml::Reader::from_reader(part);
        let config = reader.config_mut();
        (config.check_end_names, config.expand_empty_elements) = (false, true);
        let mut event = Vec::new();
        loop {
            event.clear();
            match reader.read_event_into(&mut event) {
                Ok(Event::Start(tag)) if tag.local_name().into_inner() == "sst" => {
                    let counts = tag.split(DECLARED_STRINGS).skip(1).map(|rest| {
                        let digits = rest.trim_start_matches(|letter: char| !letter.is_ascii_digit());
                        let length = digits.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(digits.len());
                        digits[..length].parse().unwrap_or(usize::MAX)
                    });
                    return counts.into_iter().any(|count| count > part.len());
                }
                // The library refuses such a part, too.
                Ok(Event::Eof) | Err(_) => return false,
                Ok(_) => {}
            }
        }
    }

    fn xlsx(
        path: &str,
        bytes: &[u8],
        largest: u64,
        budget: ReportedBudget<'_>,
    ) -> Result<Vec<(String, Vec<FilledCell>)>, Diagnostic> {
        let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(|error| broken(path, &error))?;
        let names = book.sheet_names();
        if (names.len() as u64).saturating_mul(largest) > MAX_PARSED_BYTES {
            return Err(too_large(path, &format!("names {} sheets, which is too many for their size", names.len())));
        }
        let mut sheets = Vec::new();
        for name in names {
            let mut reader = match book.worksheet_cells_reader(&name) {
                Ok(reader) => reader,
                // A chart sheet has no cells.
                Err(XlsxError::NotAWorksheet(_)) => continue,
                Err(error) => return Err(broken(path, &error)),
            };
            let mut cells = Vec::new();
            while let Some(cell) = reader.next_cell().map_err(|error| broken(path, &error))? {
                let (row, column) = cell.get_position();
                let (text, stray) = match cell.get_value() {
                    DataRef::Empty => continue,
                    // Shared strings are copied into every cell that uses them, so they are charged for each cell.
                    DataRef::SharedString(text) if !has_room(path, &name, text.len(), budget)? => continue,
                    DataRef::SharedString(text) => ((*text).to_owned(), None),
                    DataRef::String(text) => (text.clone(), None),
                    DataRef::Int(number) => (number.to_string(), None),
                    DataRef::Float(number) => (number.to_string(), None),
                    DataRef::Bool(flag) => (flag.to_string(), None),
                    DataRef::Error(error) => (error.to_string(), Some(StrayCell::Failure)),
                    DataRef::DateTime(date) => (date.to_string(), Some(StrayCell::Date)),
                    DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => (text.clone(), Some(StrayCell::Date)),
                };
                let cell = FilledCell { row: row as usize, column: column as usize, text, stray };
                add_cell(&mut cells, path, &name, cell, budget)?;
            }
            sheets.push((name, cells));
        }
        Ok(sheets)
    }

    fn ods(
        path: &str,
        bytes: &[u8],
        content: Vec<u8>,
        budget: ReportedBudget<'_>,
    ) -> Result<Vec<(String, Vec<FilledCell>)>, Diagnostic> {
        // The library expands repeated cells while loading, so they must be counted first.
        let area = ods_size::measure(content).map_err(|error| broken(path, &*error))?;
        if area.rows > MAX_ROWS || area.columns > MAX_COLUMNS || area.cells > MAX_CELLS {
            return Err(too_many_cells(path, &area.sheet));
        }
        if area.longest > MAX_CELL_BYTES {
            return Err(too_long(path, &area.sheet));
        }
        let Area { spanned, text_bytes, .. } = area;
        if spanned > MAX_SPANNED_CELLS {
            return Err(too_many_cells(path, &area.sheet));
        }
        // The library stores a value and a formula for each cell.
        let size = spanned.saturating_mul(size_of::<Data>() + size_of::<String>()).saturating_add(text_bytes);
        if !budget.0.charge(size, &|| whole_file(path), budget.1) {
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
                    Data::Error(error) => (error.to_string(), Some(StrayCell::Failure)),
                    Data::DateTime(date) => (date.to_string(), Some(StrayCell::Date)),
                    Data::DateTimeIso(text) | Data::DurationIso(text) => (text.clone(), Some(StrayCell::Date)),
                };
                let (row, column) = (row + first_row as usize, column + first_column as usize);
                add_cell(&mut cells, path, &name, FilledCell { row, column, text, stray }, budget)?;
            }
            sheets.push((name, cells));
        }
        Ok(sheets)
    }

    /// Charges a cell's text twice: once for the cell, and once for the text of the sheet to which places refer. Returns whether the text
    /// fits in the budget. Returns an error if the text is longer than [`MAX_CELL_BYTES`].
    fn has_room(
        path: &str,
        sheet: &str,
        text_bytes: usize,
        (budget, report): ReportedBudget<'_>,
    ) -> Result<bool, Diagnostic> {
        if text_bytes > MAX_CELL_BYTES {
            return Err(too_long(path, sheet));
        }
        let size = 2 * text_bytes + size_of::<FilledCell>() + size_of::<Cell>();
        Ok(budget.charge(size, &|| whole_file(path), report))
    }

    fn add_cell(
        cells: &mut Vec<FilledCell>,
        path: &str,
        sheet: &str,
        cell: FilledCell,
        budget: ReportedBudget<'_>,
    ) -> Result<(), Diagnostic> {
        if cell.stray.is_none() && cell.text.trim().is_empty() {
            return Ok(());
        }
        if cell.row >= MAX_ROWS || cell.column >= MAX_COLUMNS || cells.len() >= MAX_CELLS {
            return Err(too_many_cells(path, sheet));
        }
        if has_room(path, sheet, cell.text.len(), budget)? {
            cells.push(cell);
        }
        Ok(())
    }

    fn too_long(path: &str, sheet: &str) -> Diagnostic {
        let most = MAX_CELL_BYTES / 1024;
        Diagnostic::error(
            "too-large",
            format!("a cell of the sheet `{sheet}` of `{path}` has more than {most} KB of text"),
        )
        .mark(whole_file(path), "too large")
        .help("write shorter texts")
    }

    fn too_many_cells(path: &str, sheet: &str) -> Diagnostic {
        let most = format!("{MAX_ROWS} rows, {MAX_COLUMNS} columns and {MAX_CELLS} cells");
        Diagnostic::error("too-large", format!("the sheet `{sheet}` of `{path}` has cells beyond {most}"))
            .mark(whole_file(path), "too large")
            .help("delete the empty rows and columns at the end, and save it again")
    }

    fn too_large(path: &str, how: &str) -> Diagnostic {
        Diagnostic::error("too-large", format!("`{path}` {how}"))
            .mark(whole_file(path), "too large")
            .help("keep nothing but the sheets of the game in it")
    }

    fn broken(path: &str, error: &dyn std::error::Error) -> Diagnostic {
        let ending = path.rsplit('.').next().unwrap_or_default();
        Diagnostic::error("unreadable", format!("`{path}` cannot be read: {error}"))
            .mark(whole_file(path), format!("not a workbook as `.{ending}` files are"))
            .help("open it in a spreadsheet program, and save it again without a password")
    }
}
