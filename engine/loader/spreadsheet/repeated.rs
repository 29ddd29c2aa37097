//! How large the sheets of an `.ods` file are, whose cells and rows may be repeated by a number.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// The largest sheet of a file.
#[derive(Debug, Default)]
pub(super) struct Area {
    /// What it is called.
    pub(super) sheet: String,
    /// How many rows it has down to the last that something stands in.
    pub(super) rows: usize,
    /// How many columns, likewise.
    pub(super) columns: usize,
    /// How many cells there are up to the last in each of these rows.
    pub(super) cells: usize,
    /// The sum over all sheets of rows times columns: cells between two that are filled take memory too.
    pub(super) spanned: usize,
    /// Bytes of all texts and formulas, as often as their cells are repeated.
    pub(super) letters: usize,
    /// Bytes of the longest text.
    pub(super) longest: usize,
}

/// What is known of the sheet that is being read.
#[derive(Default)]
struct SheetSummary {
    area: Area,
    /// Rows so far, and how often the row that is read stands there.
    row: usize,
    times: usize,
    /// Cells so far in the row, and up to the last that something stands in.
    column: usize,
    last: usize,
    /// How often the cell that is read stands there.
    repeated: usize,
    is_in_cell: bool,
    is_in_row: bool,
    is_in_table: bool,
    /// Rows and columns of the sheet that is read.
    rows: usize,
    columns: usize,
    /// Bytes of the cell that is read, and of its row.
    of_cell: usize,
    of_row: usize,
}

/// The largest of each of all sheets.
pub(super) fn area(content: Vec<u8>) -> Result<Area, Box<dyn std::error::Error>> {
    let content = String::from_utf8(content)?;
    let mut reader = Reader::from_str(&content);
    reader.config_mut().expand_empty_elements = true;
    let mut sheet = SheetSummary::default();
    loop {
        match reader.read_event()? {
            Event::Start(tag) if sheet.is_nested(tag.name().into_inner()) => return Err(NESTED.into()),
            Event::Start(tag) => sheet.begins(&tag),
            Event::End(tag) => sheet.ends(tag.name().into_inner()),
            Event::Text(text) => sheet.says(text.len(), !text.trim().is_empty()),
            Event::CData(text) => sheet.says(text.len(), true),
            Event::GeneralRef(name) => sheet.says(name.len(), true),
            Event::Eof => return Ok(sheet.area),
            _ => {}
        }
    }
}

/// A table within a cell would be counted as another sheet.
const NESTED: &str = "a table lies within a table";

impl SheetSummary {
    fn is_nested(&self, tag: &str) -> bool {
        match tag {
            "table:table" => self.is_in_table,
            "table:table-row" => self.is_in_row,
            "table:table-cell" | "table:covered-table-cell" => self.is_in_cell,
            _ => false,
        }
    }

    /// Notes text of a cell.
    fn says(&mut self, length: usize, is_seen: bool) {
        if self.is_in_cell {
            self.of_cell = self.of_cell.saturating_add(length);
            if is_seen {
                self.is_filled();
            }
        }
    }

    fn begins(&mut self, tag: &BytesStart<'_>) {
        match tag.name().into_inner() {
            "table:table" => {
                (self.row, self.rows, self.columns, self.is_in_table) = (0, 0, 0, true);
                self.area.sheet = text(tag, "table:name").unwrap_or_default();
            }
            "table:table-row" => {
                (self.column, self.last, self.of_row, self.is_in_row) = (0, 0, 0, true);
                self.times = number(tag, "table:number-rows-repeated");
            }
            "table:table-cell" | "table:covered-table-cell" => {
                (self.is_in_cell, self.of_cell) = (true, 0);
                self.repeated = number(tag, "table:number-columns-repeated");
                let says = |name: &str| name.starts_with("office:") || name == "table:formula";
                for attribute in tag.attributes().flatten().filter(|attribute| says(attribute.key.into_inner())) {
                    self.says(attribute.value.len(), true);
                }
            }
            // Blanks, as many as the number says.
            "text:s" => self.says(number(tag, "text:c"), false),
            // A line break, a tab.
            name if name.starts_with("text:") => self.says(1, false),
            _ => {}
        }
    }

    fn ends(&mut self, tag: &str) {
        match tag {
            "table:table-row" => {
                self.row = self.row.saturating_add(self.times);
                self.is_in_row = false;
                if self.last > 0 {
                    (self.rows, self.columns) = (self.row, self.columns.max(self.last));
                    self.area.letters = self.area.letters.saturating_add(self.of_row.saturating_mul(self.times));
                    self.area.rows = self.area.rows.max(self.row);
                    self.area.columns = self.area.columns.max(self.last);
                    self.area.cells = self.area.cells.saturating_add(self.last.saturating_mul(self.times));
                }
            }
            "table:table-cell" | "table:covered-table-cell" => {
                self.column = self.column.saturating_add(self.repeated);
                self.is_in_cell = false;
                self.of_row = self.of_row.saturating_add(self.of_cell.saturating_mul(self.repeated));
                self.area.longest = self.area.longest.max(self.of_cell);
            }
            "table:table" => {
                self.is_in_table = false;
                self.area.spanned = self.area.spanned.saturating_add(self.rows.saturating_mul(self.columns));
            }
            _ => {}
        }
    }

    fn is_filled(&mut self) {
        if self.is_in_cell {
            self.last = self.column.saturating_add(self.repeated);
        }
    }
}

fn text(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = tag.attributes().flatten().find(|attribute| attribute.key.into_inner() == name)?;
    Some(attribute.value.into_owned())
}

/// How often something is repeated; once where nothing is said, and too often where it is no number.
fn number(tag: &BytesStart<'_>, name: &str) -> usize {
    text(tag, name).map_or(1, |text| text.parse().unwrap_or(usize::MAX))
}
