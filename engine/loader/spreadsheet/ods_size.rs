//! Computes the size of the sheets of an `.ods` file before the file is loaded. A tiny file can describe a huge sheet, because cells and
//! rows have repetition counts.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// Sizes of the sheets of a file: maxima and totals.
#[derive(Debug, Default)]
pub(super) struct Area {
    /// Name of the last sheet.
    pub(super) sheet: String,
    /// Maximum number of rows of a sheet, up to the last row that is not empty.
    pub(super) rows: usize,
    /// Maximum number of columns of a sheet, up to the last column that is not empty.
    pub(super) columns: usize,
    /// Total number of cells, counting each row up to its last cell that is not empty.
    pub(super) cells: usize,
    /// Sum of rows times columns over all sheets. Empty cells between other cells take memory too.
    pub(super) spanned: usize,
    /// Total size in bytes of the text and formulas of all cells, including repetitions.
    pub(super) text_bytes: usize,
    /// Size in bytes of the content of the largest cell.
    pub(super) longest: usize,
}

/// State of the parser: the sizes so far, and counters for the current sheet, row and cell.
#[derive(Default)]
struct SheetSummary {
    area: Area,
    /// Number of rows before the current row, including repetitions.
    row: usize,
    row_repeats: usize,
    /// Number of cells before the current cell in its row, including repetitions.
    column: usize,
    last_filled: usize,
    /// Number of repetitions of the current cell.
    cell_repeats: usize,
    is_in_cell: bool,
    is_in_row: bool,
    is_in_table: bool,
    /// Number of rows of the current sheet, up to the last row that is not empty.
    rows: usize,
    columns: usize,
    /// Number of bytes of text in the current cell.
    cell_bytes: usize,
    row_bytes: usize,
}

/// Computes the sizes of the sheets from the bytes of `content.xml`. Returns an error for malformed XML, for a file that ends within a
/// table, and for nested tables, rows or cells.
pub(super) fn measure(content: Vec<u8>) -> Result<Area, Box<dyn std::error::Error>> {
    let content = String::from_utf8(content)?;
    let mut reader = Reader::from_str(&content);
    reader.config_mut().expand_empty_elements = true;
    let mut sheet = SheetSummary::default();
    loop {
        match reader.read_event()? {
            Event::Start(tag) if sheet.is_nested(tag.name().into_inner()) => return Err(NESTED.into()),
            Event::Start(tag) => sheet.start_tag(&tag),
            Event::End(tag) => sheet.end_tag(tag.name().into_inner()),
            Event::Text(text) => sheet.add_text(text.len(), !text.trim().is_empty()),
            Event::CData(text) => sheet.add_text(text.len(), true),
            Event::GeneralRef(name) => sheet.add_text(name.len(), true),
            Event::Eof if sheet.is_in_table => return Err(UNCLOSED.into()),
            Event::Eof => return Ok(sheet.area),
            _ => {}
        }
    }
}

// Message for nested tables, rows and cells: a table within a cell would be counted as a separate sheet.
const NESTED: &str = "a table lies within a table";

// Message for a file that ends within a table. The library would look for the end of the table forever.
const UNCLOSED: &str = "it ends within a table";

impl SheetSummary {
    fn is_nested(&self, tag: &str) -> bool {
        match tag {
            "table:table" => self.is_in_table,
            "table:table-row" => self.is_in_row,
            "table:table-cell" | "table:covered-table-cell" => self.is_in_cell,
            _ => false,
        }
    }

    /// Counts text in the current cell. Blank text does not make a cell non-empty.
    fn add_text(&mut self, length: usize, is_seen: bool) {
        if self.is_in_cell {
            self.cell_bytes = self.cell_bytes.saturating_add(length);
            if is_seen {
                self.mark_filled();
            }
        }
    }

    fn start_tag(&mut self, tag: &BytesStart<'_>) {
        match tag.name().into_inner() {
            "table:table" => {
                (self.row, self.rows, self.columns, self.is_in_table) = (0, 0, 0, true);
                self.area.sheet = text(tag, "table:name").unwrap_or_default();
            }
            "table:table-row" => {
                (self.column, self.last_filled, self.row_bytes, self.is_in_row) = (0, 0, 0, true);
                self.row_repeats = number(tag, "table:number-rows-repeated");
            }
            "table:table-cell" | "table:covered-table-cell" => {
                (self.is_in_cell, self.cell_bytes) = (true, 0);
                self.cell_repeats = number(tag, "table:number-columns-repeated");
                let has_content = |name: &str| name.starts_with("office:") || name == "table:formula";
                for attribute in tag.attributes().flatten().filter(|attribute| has_content(attribute.key.into_inner()))
                {
                    self.add_text(attribute.value.len(), true);
                }
            }
            // A run of spaces, with its length.
            "text:s" => self.add_text(number(tag, "text:c"), false),
            // All other `text:` elements, such as paragraphs, line breaks and tabs, count as one byte.
            name if name.starts_with("text:") => self.add_text(1, false),
            _ => {}
        }
    }

    fn end_tag(&mut self, tag: &str) {
        match tag {
            "table:table-row" => {
                self.row = self.row.saturating_add(self.row_repeats);
                self.is_in_row = false;
                if self.last_filled > 0 {
                    (self.rows, self.columns) = (self.row, self.columns.max(self.last_filled));
                    self.area.text_bytes =
                        self.area.text_bytes.saturating_add(self.row_bytes.saturating_mul(self.row_repeats));
                    self.area.rows = self.area.rows.max(self.row);
                    self.area.columns = self.area.columns.max(self.last_filled);
                    self.area.cells = self.area.cells.saturating_add(self.last_filled.saturating_mul(self.row_repeats));
                }
            }
            "table:table-cell" | "table:covered-table-cell" => {
                self.column = self.column.saturating_add(self.cell_repeats);
                self.is_in_cell = false;
                self.row_bytes = self.row_bytes.saturating_add(self.cell_bytes.saturating_mul(self.cell_repeats));
                self.area.longest = self.area.longest.max(self.cell_bytes);
            }
            "table:table" => {
                self.is_in_table = false;
                self.area.spanned = self.area.spanned.saturating_add(self.rows.saturating_mul(self.columns));
            }
            _ => {}
        }
    }

    /// Records that the current cell is not empty.
    fn mark_filled(&mut self) {
        if self.is_in_cell {
            self.last_filled = self.column.saturating_add(self.cell_repeats);
        }
    }
}

fn text(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = tag.attributes().flatten().find(|attribute| attribute.key.into_inner() == name)?;
    Some(attribute.value.into_owned())
}

/// Returns a repetition count. Defaults to 1 if missing, and to `usize::MAX` if malformed, which exceeds every limit.
fn number(tag: &BytesStart<'_>, name: &str) -> usize {
    text(tag, name).map_or(1, |text| text.parse().unwrap_or(usize::MAX))
}
