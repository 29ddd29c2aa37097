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
}

/// The largest of each of all sheets.
pub(super) fn area(content: Vec<u8>) -> Result<Area, Box<dyn std::error::Error>> {
    let content = String::from_utf8(content)?;
    let mut reader = Reader::from_str(&content);
    reader.config_mut().expand_empty_elements = true;
    let mut sheet = SheetSummary::default();
    loop {
        match reader.read_event()? {
            Event::Start(tag) => sheet.begins(&tag),
            Event::End(tag) => sheet.ends(tag.name().into_inner()),
            Event::Text(text) if !text.trim().is_empty() => sheet.is_filled(),
            Event::CData(_) | Event::GeneralRef(_) => sheet.is_filled(),
            Event::Eof => return Ok(sheet.area),
            _ => {}
        }
    }
}

impl SheetSummary {
    fn begins(&mut self, tag: &BytesStart<'_>) {
        match tag.name().into_inner() {
            "table:table" => {
                self.row = 0;
                self.area.sheet = text(tag, "table:name").unwrap_or_default();
            }
            "table:table-row" => {
                (self.column, self.last) = (0, 0);
                self.times = number(tag, "table:number-rows-repeated");
            }
            "table:table-cell" | "table:covered-table-cell" => {
                self.is_in_cell = true;
                self.repeated = number(tag, "table:number-columns-repeated");
                let says = |name: &str| name.starts_with("office:") || name == "table:formula";
                if tag.attributes().flatten().any(|attribute| says(attribute.key.into_inner())) {
                    self.is_filled();
                }
            }
            _ => {}
        }
    }

    fn ends(&mut self, tag: &str) {
        match tag {
            "table:table-row" => {
                self.row = self.row.saturating_add(self.times);
                if self.last > 0 {
                    self.area.rows = self.area.rows.max(self.row);
                    self.area.columns = self.area.columns.max(self.last);
                    self.area.cells = self.area.cells.saturating_add(self.last.saturating_mul(self.times));
                }
            }
            "table:table-cell" | "table:covered-table-cell" => {
                self.column = self.column.saturating_add(self.repeated);
                self.is_in_cell = false;
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
