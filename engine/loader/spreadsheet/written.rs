//! Sheets as files: `.xlsx`, `.ods`, and CSV.

use super::cell::written_as_text;
use super::columns::{Filled, WrittenSheet};
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, Worksheet, XlsxError};
use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// The mark by which spreadsheet programs know UTF-8.
const MARK: &str = "\u{feff}";

impl WrittenSheet {
    /// As the text of a CSV file.
    pub fn comma_separated(&self) -> Vec<u8> {
        let mut writer = csv::Writer::from_writer(MARK.as_bytes().to_vec());
        let texts = self.rows.iter().map(|row| row.iter().map(Filled::text).collect());
        for row in std::iter::once(self.columns.clone()).chain(texts) {
            let row: Vec<String> = row;
            // An empty line would be passed over.
            writer.write_record(&row).expect("a table in memory takes every line");
        }
        writer.into_inner().expect("a table in memory takes every line")
    }
}

impl Filled {
    /// The text of a cell in a spreadsheet that knows numbers, if it is one.
    fn as_text(&self) -> Option<String> {
        match self {
            Self::Text(text) => Some(written_as_text(text)),
            Self::Toml(text) => Some(text.clone()),
            // As a truth value, LibreOffice would save it in an `.xlsx` file as the number 1 or 0.
            Self::Flag(flag) => Some(flag.to_string()),
            Self::Nothing | Self::Number(_) => None,
        }
    }
}

/// Sheets as an `.xlsx` file.
///
/// # Errors
/// A sheet that cannot be called so there, or is too large.
pub fn xlsx(sheets: &[WrittenSheet]) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    // The same game makes the same file.
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

fn write_cell(page: &mut Worksheet, row: u32, column: u16, cell: &Filled) -> Result<(), XlsxError> {
    match cell {
        Filled::Nothing => {}
        Filled::Number(number) => {
            match i32::try_from(*number) {
                Ok(number) => page.write_number(row, column, number)?,
                // A text of digits is read as a number.
                Err(_) => page.write_string(row, column, number.to_string())?,
            };
        }
        Filled::Flag(_) | Filled::Text(_) | Filled::Toml(_) => {
            let text = cell.as_text().unwrap_or_default();
            // It stays a text when the author writes in the cell.
            page.write_string_with_format(row, column, text, &Format::new().set_quote_prefix())?;
        }
    }
    Ok(())
}

/// What an `.ods` file is beside its cells.
const KIND: &str = "application/vnd.oasis.opendocument.spreadsheet";

/// Sheets as an `.ods` file, as small as the standard lets it be (Open Document 1.3, part 2, 2.2.4 and 3.8).
pub fn ods(sheets: &[WrittenSheet]) -> std::io::Result<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let plain = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let packed = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    // What sort of file it is stands first, and is not packed.
    archive.start_file("mimetype", plain)?;
    archive.write_all(KIND.as_bytes())?;
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
         <manifest:file-entry manifest:full-path=\"/\" manifest:version=\"1.3\" manifest:media-type=\"{KIND}\"/>\
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
            escaped(&sheet.name),
            sheet.columns.len().max(1)
        );
        let heading: Vec<Filled> = sheet.columns.iter().cloned().map(Filled::Text).collect();
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

fn add_cell(text: &mut String, cell: &Filled) {
    let _ = match cell {
        Filled::Nothing => write!(text, "<table:table-cell/>"),
        Filled::Number(number) => write!(
            text,
            "<table:table-cell office:value-type=\"float\" office:value=\"{number}\"><text:p>{number}</text:p></table:table-cell>"
        ),
        Filled::Flag(_) | Filled::Text(_) | Filled::Toml(_) => {
            let lines = cell.as_text().unwrap_or_default();
            let lines: Vec<String> = lines.split('\n').map(spaced).collect();
            let lines = lines.join("</text:p><text:p>");
            write!(text, "<table:table-cell office:value-type=\"string\"><text:p>{lines}</text:p></table:table-cell>")
        }
    };
}

/// A line with its tabs, and with blanks that stand together, as elements: the standard has readers take several for one.
fn spaced(line: &str) -> String {
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
            Some(character) => text.push_str(&escaped(character.encode_utf8(&mut [0; 4]))),
            None => {}
        }
    }
    text
}

fn escaped(text: &str) -> String {
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
