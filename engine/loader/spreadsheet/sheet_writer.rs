//! Writes sheets as `.xlsx`, `.ods` and CSV files.

use super::cell::escape_typed_text;
use super::columns::{CellContent, WrittenSheet};
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, Worksheet, XlsxError};
use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// Byte order mark, which tells spreadsheet programs that the file is UTF-8.
const BYTE_ORDER_MARK: &str = "\u{feff}";

impl WrittenSheet {
    /// Returns the sheet as a CSV file.
    pub fn to_csv(&self) -> Vec<u8> {
        let mut writer = csv::Writer::from_writer(BYTE_ORDER_MARK.as_bytes().to_vec());
        let texts = self.rows.iter().map(|row| row.iter().map(CellContent::text).collect());
        for row in std::iter::once(self.columns.clone()).chain(texts) {
            let row: Vec<String> = row;
            // A row with a single empty cell is written as `""`, because an empty line would be skipped when the file is read.
            writer.write_record(&row).expect("a table in memory takes every line");
        }
        writer.into_inner().expect("a table in memory takes every line")
    }
}

impl CellContent {
    /// Returns the text of a cell for file formats that distinguish numbers from text. Returns `None` for numbers and empty cells.
    fn as_text(&self) -> Option<String> {
        match self {
            Self::Text(text) => Some(escape_typed_text(text)),
            Self::Toml(text) => Some(text.clone()),
            // LibreOffice would save a boolean in an `.xlsx` file as the number 1 or 0, so flags are written as text.
            Self::Flag(flag) => Some(flag.to_string()),
            Self::Nothing | Self::Number(_) => None,
        }
    }
}

/// Returns sheets as an `.xlsx` file.
///
/// # Errors
/// Fails if a sheet has a name that Excel does not allow, or is too large.
pub fn xlsx(sheets: &[WrittenSheet]) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    // A fixed creation time makes the file reproducible.
    let begin = ExcelDateTime::from_ymd(2000, 1, 1)?;
    book.set_properties(&DocProperties::new().set_creation_datetime(&begin));
    for sheet in sheets {
        let page = book.add_worksheet();
        page.set_name(&sheet.name)?.set_freeze_panes(1, 0)?;
        for (column, name) in sheet.columns.iter().enumerate() {
            page.write_string_with_format(0, column as u16, name, &Format::new().set_bold())?;
        }
        for (row, cells) in sheet.rows.iter().enumerate() {
            for (column, cell) in cells.iter().enumerate() {
                write_cell(page, row as u32 + 1, column as u16, cell)?;
            }
        }
        page.autofit();
    }
    book.save_to_buffer()
}

fn write_cell(page: &mut Worksheet, row: u32, column: u16, cell: &CellContent) -> Result<(), XlsxError> {
    match cell {
        CellContent::Nothing => {}
        CellContent::Number(number) => {
            match i32::try_from(*number) {
                Ok(number) => page.write_number(row, column, number)?,
                // `write_number` takes a float, which cannot represent all integers. A string of digits is read back as a number.
                Err(_) => page.write_string(row, column, number.to_string())?,
            };
        }
        CellContent::Flag(_) | CellContent::Text(_) | CellContent::Toml(_) => {
            let text = cell.as_text().unwrap_or_default();
            // Because of the quote prefix, the content remains text when someone edits the cell.
            page.write_string_with_format(row, column, text, &Format::new().set_quote_prefix())?;
        }
    }
    Ok(())
}

/// Media type of an `.ods` file.
const MEDIA_TYPE: &str = "application/vnd.oasis.opendocument.spreadsheet";

/// Returns sheets as a minimal `.ods` file (Open Document 1.3, part 2, 2.2.4 and 3.8).
///
/// # Errors
/// Returns an error if the archive cannot be written.
pub fn ods(sheets: &[WrittenSheet]) -> std::io::Result<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let plain = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let packed = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    // The media type must be the first entry, and must not be compressed.
    archive.start_file("mimetype", plain)?;
    archive.write_all(MEDIA_TYPE.as_bytes())?;
    archive.start_file("META-INF/manifest.xml", packed)?;
    archive.write_all(manifest().as_bytes())?;
    archive.start_file("content.xml", packed)?;
    archive.write_all(content(sheets).as_bytes())?;
    Ok(archive.finish()?.into_inner())
}

const XML: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

fn manifest() -> String {
    format!(
        "{XML}<manifest:manifest xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\" manifest:version=\"1.3\">\
         <manifest:file-entry manifest:full-path=\"/\" manifest:version=\"1.3\" manifest:media-type=\"{MEDIA_TYPE}\"/>\
         <manifest:file-entry manifest:full-path=\"content.xml\" manifest:media-type=\"text/xml\"/>\
         </manifest:manifest>\n"
    )
}

fn content(sheets: &[WrittenSheet]) -> String {
    let mut text = format!(
        "{XML}<office:document-content xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" \
         xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\" \
         xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\" office:version=\"1.3\">\
         <office:body><office:spreadsheet>"
    );
    for sheet in sheets {
        let _ = write!(
            text,
            "<table:table table:name=\"{}\"><table:table-column table:number-columns-repeated=\"{}\"/>",
            escape_xml(&sheet.name),
            sheet.columns.len().max(1)
        );
        let heading: Vec<CellContent> = sheet.columns.iter().cloned().map(CellContent::Text).collect();
        for row in std::iter::once(&heading).chain(&sheet.rows) {
            text.push_str("<table:table-row>");
            for cell in row {
                add_cell(&mut text, cell);
            }
            text.push_str("</table:table-row>");
        }
        text.push_str("</table:table>");
    }
    text.push_str("</office:spreadsheet></office:body></office:document-content>\n");
    text
}

fn add_cell(text: &mut String, cell: &CellContent) {
    let _ = match cell {
        CellContent::Nothing => write!(text, "<table:table-cell/>"),
        CellContent::Number(number) => write!(
            text,
            "<table:table-cell office:value-type=\"float\" office:value=\"{number}\"><text:p>{number}</text:p></table:table-cell>"
        ),
        CellContent::Flag(_) | CellContent::Text(_) | CellContent::Toml(_) => {
            let lines = cell.as_text().unwrap_or_default();
            let lines: Vec<String> = lines.split('\n').map(escape_line).collect();
            let lines = lines.join("</text:p><text:p>");
            write!(text, "<table:table-cell office:value-type=\"string\"><text:p>{lines}</text:p></table:table-cell>")
        }
    };
}

/// Escapes a line. Tabs, runs of spaces, and spaces at either end become elements, because readers would collapse or drop them.
fn escape_line(line: &str) -> String {
    let mut text = String::new();
    let mut blanks = 0_usize;
    for character in line.chars().map(Some).chain([None]) {
        if character == Some(' ') {
            blanks += 1;
            continue;
        }
        match blanks {
            0 => {}
            1 if !text.is_empty() && character.is_some() => text.push(' '),
            several => drop(write!(text, "<text:s text:c=\"{several}\"/>")),
        }
        blanks = 0;
        match character {
            Some('\t') => text.push_str("<text:tab/>"),
            Some(character) => text.push_str(&escape_xml(character.encode_utf8(&mut [0; 4]))),
            None => {}
        }
    }
    text
}

fn escape_xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            character => escaped.push(character),
        }
    }
    escaped
}
