//! Components in spreadsheets: they load like TOML, can be written and read back unchanged, and hostile files are refused.

use crate::folder::{game_texts, games};
use parlour::diagnostic::Diagnostics;
use parlour::loader::{Choices, FileContent, Files, Package, WrittenSheet, ods, xlsx};
use parlour::model::{FieldValue, Language, Model};
use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use std::sync::Arc;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

const GAME: &str = "
[game]
id = \"market\"
name = \"Market\"
players = { min = 2, max = 3 }
[options.year]
values = [\"good\", \"dry\"]
overlay = { dry = \"overlays/dry.toml\" }
[params.copies]
value = 2
[flow]
rounds = 1
round = [\"play\"]
[phases.play]
steps = [\"nothing\"]
[endings.over]
name = \"Over\"
";

/// Part of [`GAME`] that is removed for games without variants.
const VARIANTS: &str = "[options.year]\nvalues = [\"good\", \"dry\"]\noverlay = { dry = \"overlays/dry.toml\" }\n";

type Parts = Vec<(String, FileContent)>;

/// Returns the files of the game [`GAME`], together with the given files. Keeps the game's option only if one of the files belongs to a
/// variant.
fn market_files(files: &[(&str, &[u8])]) -> Parts {
    let is_varied = files.iter().any(|(path, _)| path.contains("dry") || path.contains("variants"));
    let game = GAME.replace(if is_varied { "#" } else { VARIANTS }, "");
    let mut all: Parts = vec![("game.toml".to_owned(), game.into())];
    all.extend(files.iter().map(|(path, bytes)| ((*path).to_owned(), bytes.to_vec().into())));
    all
}

fn package(files: Parts) -> Result<Arc<Package>, Diagnostics> {
    Package::parse(Files::from_texts("market", files)?)
}

fn built(package: &Arc<Package>, options: &[(&str, &str)]) -> Result<Model, Diagnostics> {
    let options = options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    package.build(&Choices { players: *package.players().start(), options, sets: Vec::new() })
}

fn model(files: Parts) -> Result<Model, Diagnostics> {
    built(&package(files)?, &[])
}

fn csv(text: &str) -> Result<Model, Diagnostics> {
    model(market_files(&[("components/fruit.csv", text.as_bytes())]))
}

/// Returns the rendered diagnostics of a game that does not load.
fn load_errors(found: Result<Model, Diagnostics>) -> String {
    found.unwrap_err().to_string()
}

fn field(model: &Model, component: &str, name: &str) -> FieldValue {
    let component = &model.components[model.find_component(component).unwrap().index()];
    component.fields[&model.find_field(name).unwrap()].clone()
}

/// Removes the rows of the given kinds from a TOML file.
fn without_rows(text: &str, kinds: &[String]) -> String {
    let mut kept = String::new();
    let mut is_row = false;
    for line in text.lines() {
        if line.starts_with('[') {
            let name = line.trim_matches(|c: char| "[] ".contains(c)).split(['.', ']']).next().unwrap();
            is_row = kinds.iter().any(|kind| kind == name) && (line.starts_with("[[") || is_row);
        }
        if !is_row {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// Returns the files of a game, with its component rows moved to spreadsheets.
fn with_spreadsheets(texts: &[(String, String)], sheets: &[WrittenSheet], spreadsheets: Parts) -> Parts {
    let kinds: Vec<String> = sheets.iter().map(|sheet| sheet.name.rsplit('.').next().unwrap().to_owned()).collect();
    let is_data = |path: &str| path.starts_with("components/") || path.starts_with("overlays/");
    let rest = texts.iter().map(|(path, text)| {
        let text = if is_data(path) { without_rows(text, &kinds) } else { text.clone() };
        (path.clone(), text.into())
    });
    rest.chain(spreadsheets).collect()
}

/// Formats the components of a model, without the source locations of their alterations.
fn components(model: &Model) -> String {
    let mut all = model.components.clone();
    all.iter_mut().flat_map(|component| &mut component.alters).for_each(|alteration| alteration.places.clear());
    format!("{all:?}")
}

#[test]
fn every_game_round_trips_through_spreadsheets() {
    let mut overlaid = 0;
    for folder in games() {
        let name = folder.file_name().unwrap().to_str().unwrap();
        let texts = game_texts(&folder);
        let package = Package::parse(Files::from_texts(name, texts.clone()).unwrap()).unwrap();
        let sheets = package.sheets();
        overlaid += sheets.iter().filter(|sheet| sheet.name.contains('.')).count();
        let folder_of_csv: Parts =
            sheets.iter().map(|sheet| (format!("components/{}.csv", sheet.name), sheet.to_csv().into())).collect();
        let forms: [(&str, Parts); 3] = [
            ("CSV", folder_of_csv),
            ("xlsx", vec![("components/cards.xlsx".to_owned(), xlsx(&sheets).unwrap().into())]),
            ("ods", vec![("components/cards.ods".to_owned(), ods(&sheets).unwrap().into())]),
        ];
        assert_eq!(xlsx(&sheets).unwrap(), xlsx(&sheets).unwrap(), "{name}: the output is deterministic");
        for (form, spreadsheets) in forms {
            let files = Files::from_texts(name, with_spreadsheets(&texts, &sheets, spreadsheets)).unwrap();
            let again = Package::parse(files).unwrap_or_else(|found| panic!("{name} as {form}:\n{found}"));
            assert_eq!(
                again.sheets().iter().map(|sheet| sheet.rows.len()).collect::<Vec<_>>(),
                sheets.iter().map(|sheet| sheet.rows.len()).collect::<Vec<_>>(),
                "{name} as {form}"
            );
            for players in package.players() {
                let choices = Choices { players, ..Choices::default() };
                let (one, other) = (package.build(&choices).unwrap(), again.build(&choices).unwrap());
                assert_eq!(one.fingerprint, other.fingerprint, "{name} as {form}");
                assert_eq!(components(&one), components(&other), "{name} as {form}");
                assert_eq!(format!("{:?}", one.kinds), format!("{:?}", other.kinds), "{name} as {form}");
                assert_eq!(one.fields, other.fields, "{name} as {form}");
                assert_eq!(one.pieces, other.pieces, "{name} as {form}");
            }
        }
    }
    assert!(overlaid > 1, "some games have overlays with rows");
}

#[test]
fn column_names_may_contain_paths_into_fields() {
    let text = "\u{feff}id,name,name.zh-Hant,count,count.3,worth,ripe,beside,cost.wood,cost.iron,#note\r\n\
                apple,Apple,蘋果,copies,,3,true,\"[\"\"pear\"\"]\",1,2,mine\r\n\
                \r\n\
                pear,Pear,梨,4,,-1,FALSE,[],0,0,\r\n\
                ,,,,,,,,,,only a note\r\n";
    let model = csv(text).unwrap();
    assert_eq!(model.components.len(), 2);
    assert_eq!(model.components[0].name.get(Language::TraditionalChinese), "蘋果");
    assert_eq!(model.components[0].name.get(Language::English), "Apple");
    assert_eq!((model.components[0].count, model.components[1].count), (2, 4));
    assert_eq!(field(&model, "pear", "worth"), FieldValue::Number(-1));
    assert_eq!(field(&model, "apple", "ripe"), FieldValue::Flag(true));
    assert!(model.find_field("#note").is_none());
    let toml = "
[[fruit]]
id = \"apple\"
name = { en = \"Apple\", zh-Hant = \"蘋果\" }
count = \"copies\"
worth = 3
ripe = true
beside = [\"pear\"]
cost = { wood = 1, iron = 2 }
[[fruit]]
id = \"pear\"
name = { en = \"Pear\", zh-Hant = \"梨\" }
count = 4
worth = -1
ripe = false
beside = []
cost = { wood = 0, iron = 0 }
";
    let same = self::model(market_files(&[("components/fruit.toml", toml.as_bytes())])).unwrap();
    assert_eq!(model.fingerprint, same.fingerprint);
}

#[test]
fn spreadsheet_rows_can_expand_with_each() {
    let text = "id,name,each.suit,each.number,count\n{suit}-{number},{suit} {number},\"[\"\"red\"\", \"\"blue\"\"]\",2..10,2\n";
    let model = csv(text).unwrap();
    assert_eq!(model.components.len(), 18);
    assert_eq!(field(&model, "blue-10", "number"), FieldValue::Number(10));
    assert_eq!(model.components[17].name.get(Language::English), "blue 10");
}

#[test]
fn overlays_can_be_in_spreadsheets() {
    let fruit: (&str, &[u8]) = ("components/fruit.csv", b"id,count\nplum,4\n");
    let dry = [WrittenSheet { name: "fruit".into(), ..sheet(&["id", "count"], &[&["plum", "1"]]) }];
    let beside = [WrittenSheet { name: "dry.fruit".into(), ..sheet(&["id", "count"], &[&["plum", "1"]]) }];
    let ways: [(&str, Vec<u8>); 5] = [
        ("overlays/dry.toml", b"[[fruit]]\nid = \"plum\"\ncount = 1\n".to_vec()),
        ("overlays/dry.fruit.csv", b"id,count\nplum,1\n".to_vec()),
        ("components/dry.fruit.csv", b"id,count\nplum,1\n".to_vec()),
        ("overlays/dry.ods", ods(&dry).unwrap()),
        ("components/variants.xlsx", xlsx(&beside).unwrap()),
    ];
    let mut prints = Vec::new();
    for (path, bytes) in ways {
        let package = package(market_files(&[fruit, (path, &bytes)])).unwrap();
        assert!(package.check().0.is_empty(), "{path}: {}", package.check());
        assert_eq!(built(&package, &[]).unwrap().pieces.len(), 4, "{path}");
        let dry = built(&package, &[("year", "dry")]).unwrap();
        assert_eq!(dry.pieces.len(), 1, "{path}");
        prints.push(dry.fingerprint);
    }
    prints.dedup();
    assert_eq!(prints.len(), 1, "all forms of the overlay are equivalent");
    // An option may also name the spreadsheet.
    let mut files = market_files(&[fruit, ("overlays/dry.ods", &ods(&dry).unwrap())]);
    files[0].1 = GAME.replace("overlays/dry.toml", "overlays/dry.ods").into();
    let package = package(files).unwrap();
    assert!(package.check().0.is_empty(), "{}", package.check());
    assert_eq!(built(&package, &[("year", "dry")]).unwrap().pieces.len(), 1);
}

/// Returns a sheet. Parses each cell as a number or a TOML value; empty texts are empty cells.
fn sheet(columns: &[&str], rows: &[&[&str]]) -> WrittenSheet {
    use parlour::loader::CellContent;
    let cell = |text: &&str| match text.parse() {
        Ok(number) => CellContent::Number(number),
        Err(_) if text.is_empty() => CellContent::Nothing,
        Err(_) => CellContent::Toml((*text).to_owned()),
    };
    WrittenSheet {
        name: "fruit".to_owned(),
        columns: columns.iter().map(|&name| name.to_owned()).collect(),
        rows: rows.iter().map(|row| row.iter().map(cell).collect()).collect(),
        files: Vec::new(),
    }
}

#[test]
fn diagnostics_name_the_cell() {
    let sheets =
        [sheet(&["id", "count", "worth"], &[&["apple", "2", "3"], &["pear", "2", "dear"], &["plum", "2", "4"]])];
    for (path, bytes) in
        [("components/box.xlsx", xlsx(&sheets).unwrap()), ("components/box.ods", ods(&sheets).unwrap())]
    {
        let found = load_errors(model(market_files(&[(path, &bytes)])));
        assert!(found.contains(&format!("{path}, sheet fruit, C3")), "{found}");
        assert!(found.contains("dear") && found.contains("\n3 |"), "{found}");
        let line = model(market_files(&[(path, &bytes)])).unwrap_err().0[0].in_a_line();
        assert!(line.contains(&format!("({path}, sheet fruit, C")), "{line}");
    }
    let found = load_errors(csv("id,count,worth\napple,2,3\npear,2,dear\nplum,2,4\n"));
    assert!(found.contains("components/fruit.csv:3:8"), "{found}");
}

#[test]
fn texts_like_formulas_are_escaped_and_round_trip() {
    let texts = [
        "=HYPERLINK(1)",
        "+1",
        "-1",
        "@SUM",
        "\tx",
        "'=1",
        "'quoted",
        "3",
        "true",
        "[1]",
        " a  b ",
        "a\nb",
        "",
        "1.5",
        "007",
    ];
    let mut toml = String::new();
    for (at, text) in texts.iter().enumerate() {
        let text = text.replace('\t', "\\t").replace('\n', "\\n");
        writeln!(toml, "[[fruit]]\nid = \"f{at}\"\nlabel = \"{text}\"").unwrap();
    }
    let package = package(market_files(&[("components/fruit.toml", toml.as_bytes())])).unwrap();
    let sheets = package.sheets();
    let plain = sheets[0].to_csv();
    let csv_text = String::from_utf8(plain.clone()).unwrap();
    for line in csv_text.lines().skip(1) {
        let cell = line.split_once(',').map_or("", |(_, cell)| cell).trim_start_matches('"');
        assert!(!cell.starts_with(['=', '+', '-', '@', '\t']), "{line:?}");
    }
    let print = built(&package, &[]).unwrap().fingerprint;
    for (path, bytes) in [
        ("components/fruit.csv", plain),
        ("components/box.xlsx", xlsx(&sheets).unwrap()),
        ("components/box.ods", ods(&sheets).unwrap()),
    ] {
        let again = model(market_files(&[(path, &bytes)])).unwrap();
        for (at, text) in texts.iter().enumerate() {
            assert_eq!(field(&again, &format!("f{at}"), "label"), FieldValue::Word((*text).into()), "{path}: {text:?}");
        }
        assert_eq!(again.fingerprint, print, "{path}");
    }
}

#[test]
fn files_in_other_dialects_and_encodings_are_reported_with_help() {
    let assert_message = |text: &str, what: &str| {
        let found = load_errors(csv(text));
        assert!(found.contains(what), "{text:?}\n{found}");
    };
    assert_message("id;name\na;b\n", "separated by `;`");
    assert_message("id\tname\na\tb\n", "separated by tabs");
    assert_message("id,worth\na,2.5\n", "numbers must be whole");
    assert_message("id,worth\na,\"x\n", "unterminated quote");
    assert_message("id,worth\na,1,5\n", "this row has more cells than the 2 columns of the first row");
    assert_message("id,worth,worth\na,1,5\n", "two columns are called `worth`");
    assert_message("id,name.\na,1\n", "cannot be the name of a column");
    assert_message("id,cost,cost.wood\na,1,5\n", "two cells of this row set `cost`");
    assert_message("id,with\na,\"[red, blue]\"\n", "this is not TOML");
    assert_message("id,worth\na,99999999999999\n", "the number is too large");
    assert_message("name,worth\nA,1\n", "needs `id`");
    assert_message("id,worth\na,3\nb,dear\n", "mixed-types");
    assert_message("id,name\na,b\u{202e}c\n", "unseen-character");
    // A CSV file that contains 名稱 in Big5, and one in UTF-16.
    let big5 = load_errors(model(market_files(&[("components/fruit.csv", b"id,name\na,\xa6W\xba\xd9\n")])));
    assert!(big5.contains("read as Big5, it says `名稱`") && big5.contains("CSV UTF-8"), "{big5}");
    let wide: Vec<u8> = "\u{feff}id,name\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let wide = load_errors(model(market_files(&[("components/fruit.csv", &wide)])));
    assert!(wide.contains("it is UTF-16"), "{wide}");
    let mut both = "id,name\na,名稱\nb,".as_bytes().to_vec();
    both.extend(b"\xa6W\n");
    let both = load_errors(model(market_files(&[("components/fruit.csv", &both)])));
    assert!(both.contains("two encodings are mixed"), "{both}");
}

/// Returns a ZIP archive with the given files.
fn zip_of(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, text) in parts {
        archive.start_file(*name, options).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// Returns an ODS workbook with one sheet, whose rows are the given XML.
fn ods_with_rows(rows: &str) -> Vec<u8> {
    let content = format!(
        "<office:document-content xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" \
         xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\" \
         xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\"><office:body><office:spreadsheet>\
         <table:table table:name=\"fruit\">{rows}</table:table></office:spreadsheet></office:body></office:document-content>"
    );
    let manifest = "<manifest:manifest xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\"/>";
    let kind = "application/vnd.oasis.opendocument.spreadsheet";
    zip_of(&[("mimetype", kind), ("META-INF/manifest.xml", manifest), ("content.xml", &content)])
}

/// Returns an XLSX workbook with one sheet, whose sheet data is the given XML.
fn xlsx_with_data(data: &str) -> Vec<u8> {
    let sheet = format!(
        "<worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"><sheetData>{data}</sheetData></worksheet>"
    );
    zip_of(&[
        ("[Content_Types].xml", "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"/>"),
        (
            "_rels/.rels",
            "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"r1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>",
        ),
        (
            "xl/_rels/workbook.xml.rels",
            "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"r1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet\" Target=\"worksheets/sheet1.xml\"/></Relationships>",
        ),
        (
            "xl/workbook.xml",
            "<workbook xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"><sheets><sheet name=\"fruit\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>",
        ),
        ("xl/worksheets/sheet1.xml", &sheet),
    ])
}

/// Returns an XLSX workbook with shared strings, in which all sheets refer to the same file.
fn xlsx_with_sheets(data: &str, shared: &str, sheets: usize) -> Vec<u8> {
    let of = "http://schemas.openxmlformats.org";
    let main = format!("{of}/spreadsheetml/2006/main");
    let relation = |id: &str, sort: &str, target: &str| {
        format!(
            "<Relationship Id=\"{id}\" Type=\"{of}/officeDocument/2006/relationships/{sort}\" Target=\"{target}\"/>"
        )
    };
    let relations =
        |all: &str| format!("<Relationships xmlns=\"{of}/package/2006/relationships\">{all}</Relationships>");
    let sheet = |at| format!("<sheet name=\"k{at}\" sheetId=\"{}\" r:id=\"r1\"/>", at + 1);
    let named = (0..sheets).map(sheet).collect::<Vec<_>>().concat();
    zip_of(&[
        ("[Content_Types].xml", &format!("<Types xmlns=\"{of}/package/2006/content-types\"/>")),
        ("_rels/.rels", &relations(&relation("r1", "officeDocument", "xl/workbook.xml"))),
        (
            "xl/_rels/workbook.xml.rels",
            &relations(
                &(relation("r1", "worksheet", "worksheets/sheet1.xml")
                    + relation("r2", "sharedStrings", "sharedStrings.xml").as_str()),
            ),
        ),
        (
            "xl/workbook.xml",
            &format!(
                "<workbook xmlns=\"{main}\" xmlns:r=\"{of}/officeDocument/2006/relationships\"><sheets>{named}</sheets></workbook>"
            ),
        ),
        ("xl/worksheets/sheet1.xml", &format!("<worksheet xmlns=\"{main}\"><sheetData>{data}</sheetData></worksheet>")),
        ("xl/sharedStrings.xml", &format!("<sst xmlns=\"{main}\">{shared}</sst>")),
    ])
}

const HEADING: &str = "<row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>id</t></is></c></row>";

#[test]
fn formula_results_are_read_and_dates_and_errors_are_reported() {
    let rows = format!("{HEADING}<row r=\"3\"><c r=\"A3\" t=\"str\"><f>B9</f><v>apple</v></c></row>");
    let read = model(market_files(&[("components/box.xlsx", &xlsx_with_data(&rows))])).unwrap();
    assert_eq!(&*read.components[0].id, "apple", "the cached result of a formula is read");
    let failure = xlsx_with_data(&format!("{HEADING}<row r=\"2\"><c r=\"A2\" t=\"e\"><v>#REF!</v></c></row>"));
    let failure = load_errors(model(market_files(&[("components/box.xlsx", &failure)])));
    assert!(failure.contains("results in `#REF!`") && failure.contains("sheet fruit, A2"), "{failure}");
    let date = ods_with_rows(
        "<table:table-row><table:table-cell office:value-type=\"string\"><text:p>id</text:p></table:table-cell></table:table-row>\
         <table:table-row table:number-rows-repeated=\"3\"><table:table-cell table:number-columns-repeated=\"1024\"/></table:table-row>\
         <table:table-row><table:table-cell office:value-type=\"date\" office:date-value=\"2024-02-01\"><text:p>2/1</text:p></table:table-cell></table:table-row>\
         <table:table-row table:number-rows-repeated=\"1048571\"><table:table-cell table:number-columns-repeated=\"1024\"/></table:table-row>",
    );
    let date = load_errors(model(market_files(&[("components/box.ods", &date)])));
    assert!(date.contains("dates are not supported") && date.contains("sheet fruit, A5"), "{date}");
}

#[test]
fn sheets_beginning_with_a_hash_are_ignored_and_unknown_ones_reported() {
    let named = |name: &str| WrittenSheet { name: name.to_owned(), ..sheet(&["id"], &[&["apple"]]) };
    let book = xlsx(&[named("fruit"), named("#ideas"), named("Sheet3")]).unwrap();
    let package = package(market_files(&[("components/box.xlsx", &book)])).unwrap();
    assert_eq!(built(&package, &[]).unwrap().components.len(), 1);
    let found = package.check().to_string();
    assert!(found.contains("the sheet `Sheet3` is not read") && !found.contains("ideas"), "{found}");
}

#[test]
fn hostile_workbooks_are_refused() {
    let assert_refused = |path: &str, bytes: &[u8], what: &str| {
        let found = load_errors(model(market_files(&[(path, bytes)])));
        assert!(found.contains(what), "{path}: {found}");
    };
    // Tests a cell in the last row and column, and a sheet with too many rows.
    let far = format!("{HEADING}<row r=\"1048576\"><c r=\"XFD1048576\"><v>1</v></c></row>");
    assert_refused("components/a.xlsx", &xlsx_with_data(&far), "cells beyond 10000 rows");
    let mut many = HEADING.to_owned();
    for row in 2..=200_000 {
        write!(many, "<row r=\"{row}\"><c r=\"A{row}\"><v>1</v></c></row>").unwrap();
    }
    assert_refused("components/a.xlsx", &xlsx_with_data(&many), "cells beyond 10000 rows");
    // Tests archives that are small but unpack to a large size.
    let bomb = xlsx_with_data(&" ".repeat(40 * 1024 * 1024));
    assert!(bomb.len() < 1024 * 1024);
    assert_refused("components/a.xlsx", &bomb, "unpacks to more than 16 MB");
    assert_refused("components/a.ods", &ods_with_rows(&" ".repeat(40 * 1024 * 1024)), "unpacks to more than 16 MB");
    let blanks = " ".repeat(40 * 1024 * 1024);
    assert_refused("components/a.xlsx", &zip_of(&[("xl/cells.bin", &blanks)]), "unpacks to more than 16 MB");
    // Tests cells and rows with large repetition counts.
    let cell = "<table:table-cell table:number-columns-repeated=\"16384\" office:value-type=\"float\" office:value=\"1\"><text:p>1</text:p></table:table-cell>";
    let row = format!("<table:table-row table:number-rows-repeated=\"1048576\">{cell}</table:table-row>");
    assert_refused("components/a.ods", &ods_with_rows(&row), "cells beyond 10000 rows");
    let rows = format!("<table:table-row>{cell}</table:table-row>").repeat(5000);
    assert_refused("components/a.ods", &ods_with_rows(&rows), "cells beyond 10000 rows");
    let endless = cell.replace("16384", "99999999999999999999");
    assert_refused(
        "components/a.ods",
        &ods_with_rows(&format!("<table:table-row>{endless}</table:table-row>")),
        "cells beyond",
    );
    let far = "<table:table-row><table:table-cell table:number-columns-repeated=\"4000000000\"/><table:table-cell office:value-type=\"string\"><text:p>x</text:p></table:table-cell></table:table-row>";
    assert_refused("components/a.ods", &ods_with_rows(far), "cells beyond");
    // Tests a file that ends within a table. The library looks for the end of the table forever.
    let cut =
        "<office:document-content><office:body><office:spreadsheet><table:table table:name=\"card\"><table:table-row>";
    for content in [cut.to_owned(), format!("{cut}</table:table-row>")] {
        assert_refused("components/a.ods", &zip_of(&[("content.xml", &content)]), "it ends within a table");
    }
    // Tests files that are not workbooks.
    assert_refused("components/a.xlsx", b"PK\x03\x04", "cannot be read");
    assert_refused("components/a.ods", b"", "cannot be read");
    assert_refused("components/a.xlsx", &ods_with_rows(""), "cannot be read");
    assert_refused("components/a.xlsx", &vec![0; 5 * 1024 * 1024], "larger than");
}

#[test]
fn repetitions_in_workbooks_are_counted_before_expansion() {
    let assert_refused = |path: &str, bytes: &[u8], what: &str| {
        assert!(bytes.len() < 1024 * 1024, "{path} itself is small");
        let found = load_errors(model(market_files(&[(path, bytes)])));
        let shown: String = found.chars().take(500).collect();
        assert!(found.contains(what) && found.len() < 5_000, "{path}: {} bytes: {shown}", found.len());
    };
    let too_much = "takes up more than 16 MB";
    let row = |cells: &str, times: usize| {
        format!("<table:table-row table:number-rows-repeated=\"{times}\">{cells}</table:table-row>")
    };
    let cell = |text: &str, times: usize| {
        format!(
            "<table:table-cell table:number-columns-repeated=\"{times}\" office:value-type=\"string\"><text:p>{text}</text:p></table:table-cell>"
        )
    };
    // Tests 12 GB of repeated text, repeated spaces, and repeated formulas.
    assert_refused("components/a.ods", &ods_with_rows(&row(&cell(&"x".repeat(60_000), 400), 500)), too_much);
    assert_refused(
        "components/a.ods",
        &ods_with_rows(&row(&cell("<text:s text:c=\"4000000000\"/>", 1), 1)),
        "has more than 64 KB of text",
    );
    let formula =
        format!("<table:table-cell table:number-columns-repeated=\"400\" table:formula=\"{}\"/>", "y".repeat(60_000));
    assert_refused("components/a.ods", &ods_with_rows(&row(&formula, 500)), too_much);
    // Tests two distant cells in each of many sheets.
    let sparse = [row(&cell("x", 512), 1), row("<table:table-cell/>", 9_998), row(&cell("x", 1), 1)].concat();
    let next = "</table:table><table:table table:name=\"fruit\">";
    assert_refused("components/a.ods", &ods_with_rows(&[&*sparse; 60].join(next)), "cells beyond");
    // Tests a table inside a cell. Its content must not be counted as one cell.
    let inner = format!("<table:table table:name=\"a\">{}</table:table>", row(&cell("x", 1), 1));
    assert_refused(
        "components/a.ods",
        &ods_with_rows(&row(&cell(&inner, 1_000), 10_000)),
        "a table lies within a table",
    );
    // Tests a long shared string in all cells, and one file that is used for many sheets.
    let text = format!("<t>{}</t>", "x".repeat(30_000));
    let row_of = |at| format!("<row r=\"{}\"><c r=\"A{0}\" t=\"s\"><v>0</v></c></row>", at + 1);
    let cells = (0..2_000).map(row_of).collect::<Vec<_>>().concat();
    assert_refused("components/a.xlsx", &xlsx_with_sheets(&cells, &format!("<si>{text}</si>"), 1), too_much);
    // All headings are the same long string. The message about them must not quote the row.
    let headings: Vec<String> = ('A'..='Y').map(|column| format!("<c r=\"{column}1\" t=\"s\"><v>0</v></c>")).collect();
    let headings = format!("<row r=\"1\">{}</row>", headings.concat());
    let shared = format!("<si>{text}</si>");
    assert_refused("components/a.xlsx", &xlsx_with_sheets(&format!("{headings}{cells}"), &shared, 1), too_much);
    let found = load_errors(model(market_files(&[("components/a.xlsx", &xlsx_with_sheets(&headings, &shared, 1))])));
    assert!(found.contains("two columns are called `xxx") && found.len() < 200_000, "{} bytes", found.len());
    let empty = format!("<row r=\"1\">{}</row>", "<c r=\"A1\"/>".repeat(100_000));
    assert_refused(
        "components/a.xlsx",
        &xlsx_with_sheets(&empty, "", 1_000),
        "names 1000 sheets, which is too many for their size",
    );
    // Tests a single distant cell in each row, which makes 240,000 cells of each sheet.
    let wide = |at| format!("<row r=\"{0}\"><c r=\"SR{0}\" t=\"inlineStr\"><is><t>x</t></is></c></row>", at + 1);
    let wide = (0..480).map(wide).collect::<Vec<_>>().concat();
    assert_refused("components/a.xlsx", &xlsx_with_sheets(&wide, "", 20), too_much);
}

#[test]
fn shared_strings_are_not_reserved_as_declared() {
    let declares = |count: &str| format!("<?xml version=\"1.0\"?><sst count='1' uniqueCount = {count}></sst>");
    for part in [declares("\"4000000000\""), declares("'99999999999999999999999'")] {
        for name in ["xl/sharedStrings.xml", "data/SHAREDSTRINGS.XML"] {
            let found = load_errors(model(market_files(&[("components/a.xlsx", &zip_of(&[(name, &part)]))])));
            assert!(found.contains("declares more shared strings than it has"), "{found}");
        }
    }
    let found = load_errors(model(market_files(&[(
        "components/a.xlsx",
        &zip_of(&[("xl/sharedStrings.xml", &declares("\"40\""))]),
    )])));
    assert!(!found.contains("declares more"), "{found}");
}

#[test]
fn csv_files_have_the_same_size_limits_as_workbooks() {
    let wide = (0..100_000).map(|at| format!("a{at},")).collect::<Vec<_>>().concat();
    assert!(load_errors(csv(&wide)).contains("at most 512 columns and 250000 cells"));
    assert!(load_errors(csv(&format!("id\n{}", ",".repeat(1_000_000)))).contains("at most 512 columns"));
}

#[test]
fn damaged_workbooks_do_not_crash_the_reader() {
    let sheets = [sheet(&["id", "count", "worth"], &[&["apple", "2", "3"], &["pear", "2", "4"]])];
    let mut seed = 7_u32;
    let mut next = move || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as usize
    };
    for (path, whole) in [("components/a.xlsx", xlsx(&sheets).unwrap()), ("components/a.ods", ods(&sheets).unwrap())] {
        for _ in 0..400 {
            let mut bytes = whole.clone();
            for _ in 0..=next() % 4 {
                let at = next() % bytes.len();
                bytes[at] = next() as u8;
            }
            bytes.truncate(bytes.len() - next() % 3 * (next() % 40));
            // Only a panic fails the test.
            let _ = model(market_files(&[(path, &bytes)]));
        }
    }
    // Damages the XML instead of the archive.
    let rows = "<table:table-row table:number-rows-repeated=\"2\"><table:table-cell table:number-columns-repeated=\"3\" office:value-type=\"string\"><text:p>id</text:p></table:table-cell></table:table-row>";
    let data =
        format!("{HEADING}<row r=\"2\"><c r=\"A2\" t=\"s\"><v>0</v></c><c r=\"ZZ9\" s=\"4\"><v>1e9</v></c></row>");
    for _ in 0..400 {
        let mut damage = |text: &str| {
            let mut text: Vec<char> = text.chars().collect();
            for _ in 0..=next() % 3 {
                let (at, sign) = (next() % text.len(), b"<>/\"=09a: &;"[next() % 12]);
                if next() % 2 == 0 {
                    text[at] = sign.into();
                } else {
                    text.remove(at);
                }
            }
            text.into_iter().collect::<String>()
        };
        let (data, rows) = (damage(&data), damage(rows));
        let _ = model(market_files(&[("components/a.xlsx", &xlsx_with_data(&data))]));
        let _ = model(market_files(&[("components/a.ods", &ods_with_rows(&rows))]));
    }
}
