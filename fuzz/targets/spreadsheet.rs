//! Reads arbitrary bytes as a spreadsheet of a game: as a CSV file, as a workbook, and as the cells of a workbook. Mistakes must be
//! reported without a panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use parlour::diagnostic::render;
use parlour::loader::{FileContent, Files, Package};
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

const GAME: &str = "[game]\nid = \"fuzz\"\nplayers = { min = 2, max = 2 }\n[flow]\nrounds = 1\nround = [\"play\"]\n[phases.play]\nsteps = [\"act\"]\n[endings.over]\n";

/// Packs files into a ZIP archive without compression.
fn packed(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, bytes) in parts {
        archive.start_file(*name, options).expect("it is in memory");
        archive.write_all(bytes).expect("it is in memory");
    }
    archive.finish().expect("it is in memory").into_inner()
}

/// Packs the content of a spreadsheet as an OpenDocument file.
fn ods(content: &[u8]) -> Vec<u8> {
    let manifest = b"<manifest:manifest xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\"/>";
    let kind = b"application/vnd.oasis.opendocument.spreadsheet";
    packed(&[("mimetype", kind), ("META-INF/manifest.xml", manifest), ("content.xml", content)])
}

/// Packs a worksheet as an Office Open XML workbook.
fn xlsx(sheet: &[u8]) -> Vec<u8> {
    const OF: &str = "http://schemas.openxmlformats.org";
    let relation = |target: &str, sort: &str| {
        format!(
            "<Relationships xmlns=\"{OF}/package/2006/relationships\"><Relationship Id=\"r1\" Type=\"{OF}/officeDocument/2006/relationships/{sort}\" Target=\"{target}\"/></Relationships>"
        )
    };
    let book = format!(
        "<workbook xmlns=\"{OF}/spreadsheetml/2006/main\" xmlns:r=\"{OF}/officeDocument/2006/relationships\"><sheets><sheet name=\"card\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>"
    );
    packed(&[
        ("_rels/.rels", relation("xl/workbook.xml", "officeDocument").as_bytes()),
        ("xl/_rels/workbook.xml.rels", relation("worksheets/sheet1.xml", "worksheet").as_bytes()),
        ("xl/workbook.xml", book.as_bytes()),
        ("xl/worksheets/sheet1.xml", sheet),
    ])
}

fuzz_target!(|bytes: &[u8]| {
    let Some((sort, bytes)) = bytes.split_first() else { return };
    let (path, bytes) = match sort % 5 {
        0 => ("components/card.csv", bytes.to_vec()),
        1 => ("components/a.ods", bytes.to_vec()),
        2 => ("components/a.xlsx", bytes.to_vec()),
        3 => ("components/a.ods", ods(bytes)),
        _ => ("components/a.xlsx", xlsx(bytes)),
    };
    let files = [("game.toml", FileContent::from(GAME)), (path, FileContent::from(bytes))];
    let files = files.map(|(path, content)| (path.to_owned(), content));
    let found = match Files::from_texts("fuzz", files).and_then(Package::parse) {
        Ok(package) => package.check(),
        Err(found) => found,
    };
    found.0.iter().for_each(|mistake| drop(render(mistake, false)));
});
