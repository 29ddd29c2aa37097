//! `parlour cards`: writes the components of a game as a spreadsheet.

use super::examples;
use super::output::{Failure, Output};
use super::saving::{write_atomic, write_below};
use crate::desk::{bundle, opening};
use crate::diagnostic::{Diagnostics, OTHER_SPREADSHEETS, shown};
use crate::loader::{Files, Package, WrittenSheet, ods, xlsx};
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Writes the components of a game as a spreadsheet
///
/// There is one sheet per kind, with a row for each component, and further sheets for overlays, named after the overlay and the kind. To
/// use the spreadsheet in the game, put it into `components/`, and remove the rows from the files that contained them before. Existing
/// files are not overwritten.
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour cards stockpile --out cards.xlsx   for Excel and others",
    "parlour cards stockpile --out cards.ods    for LibreOffice and others",
    "parlour cards games/my-game --out cards    a folder with a CSV file for each kind",
))]
pub(super) struct Cards {
    /// A folder, or the name of a game that comes with the program
    game: String,
    /// File to write, ending in .xlsx or .ods, or a folder for CSV files
    #[arg(long, value_name = "PATH")]
    out: PathBuf,
}

impl Cards {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let package = package(&self.game, output)?;
        let sheets = package.sheets();
        if sheets.is_empty() {
            return Err(Failure::Usage("the game has no components".to_owned(), None));
        }
        match self.out.extension().and_then(|ending| ending.to_str()) {
            Some("xlsx") => self.write(xlsx(&sheets).map_err(|error| self.write_error(&error)), &sheets, output)?,
            Some("ods") => self.write(ods(&sheets).map_err(|error| self.write_error(&error)), &sheets, output)?,
            Some(ending) if ending == "csv" || OTHER_SPREADSHEETS.contains(&ending) => {
                return Err(unsupported_extension(ending));
            }
            _ => {
                for sheet in &sheets {
                    let file = format!("{}.csv", sheet.name);
                    let path = self.out.join(&file);
                    check_absent(&path)?;
                    write_below(&self.out, &file, sheet.to_csv())?;
                    output.line(format!("{}: {}", shown(&path), rows(sheet)))?;
                }
            }
        }
        print_row_sources(&sheets, output)
    }

    fn write(
        &self,
        bytes: Result<Vec<u8>, Failure>,
        sheets: &[WrittenSheet],
        output: &mut Output,
    ) -> Result<(), Failure> {
        check_absent(&self.out)?;
        write_atomic(&self.out, bytes?)?;
        let path = shown(&self.out);
        for sheet in sheets {
            output.line(format!("{path}, sheet {}: {}", sheet.name, rows(sheet)))?;
        }
        Ok(())
    }

    fn write_error(&self, error: &dyn std::error::Error) -> Failure {
        let why = format!("`{}` cannot be written: {error}", shown(&self.out));
        Failure::Usage(why, Some("write an `.ods` file, or a folder of CSV files".to_owned()))
    }
}

fn unsupported_extension(ending: &str) -> Failure {
    let help = if ending == "csv" {
        "name a folder: it gets a CSV file for each kind"
    } else {
        "name a file that ends in `.xlsx` or `.ods`, or a folder for CSV files"
    };
    Failure::Usage(format!("no `.{ending}` file is written"), Some(help.to_owned()))
}

fn check_absent(path: &Path) -> Result<(), Failure> {
    if path.symlink_metadata().is_ok() {
        let why = format!("`{}` is there already", shown(path));
        return Err(Failure::Usage(why, Some("choose another, or delete it".to_owned())));
    }
    Ok(())
}

fn rows(sheet: &WrittenSheet) -> String {
    match sheet.rows.len() {
        1 => "1 row".to_owned(),
        number => format!("{number} rows"),
    }
}

/// Prints which files contain the rows so far, so that the designer can remove the rows there.
fn print_row_sources(sheets: &[WrittenSheet], output: &mut Output) -> Result<(), Failure> {
    let mut files: Vec<&str> = sheets.iter().flat_map(|sheet| &sheet.files).map(String::as_str).collect();
    files.sort_unstable();
    files.dedup();
    let files: Vec<String> = files.iter().map(|file| format!("`{file}`")).collect();
    output.remark(format!("in `components/` it replaces the rows in {}: remove them there", files.join(", ")))
}

/// Parses the data of a game. Mistakes that do not prevent parsing are ignored.
fn package(game: &str, output: &mut Output) -> Result<Arc<Package>, Failure> {
    let package = files(game)?.and_then(Package::parse);
    package.map_err(|mistakes| output.mistakes(&mistakes))
}

fn files(game: &str) -> Result<Result<Files, Diagnostics>, Failure> {
    let folder = opening::folder_of(Path::new(game)).unwrap_or(Path::new(game));
    if folder.is_dir() {
        return Ok(Files::read(folder));
    }
    match bundle::files(game) {
        Some(texts) => Ok(Files::from_texts(game, texts)),
        None => Err(Failure::Usage(format!("there is no folder and no game `{game}`"), Some(opening::games(game)))),
    }
}
