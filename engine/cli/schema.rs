//! `parlour schema`: what makes editors of TOML complete and check a game's files.

use super::examples;
use super::output::{Failure, Output};
use super::saving::write_whole;
use crate::desk::{bundle, opening};
use crate::diagnostic::{Diagnostics, shown};
use crate::loader::{Files, Package, schemas};
use clap::Args;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The folder in a game's folder that is made for editors.
const FOLDER: &str = ".parlour";

/// The folder in a game's folder that the language server of the scripts finds definitions in.
pub(super) const DEFINITIONS: &str = "definitions";

/// What the settings of editors begin with when this program has written them.
const WRITTEN: &str = "# Written by `parlour schema`.";

/// Writes JSON Schemas that make editors of TOML complete and check a game's files
///
/// For a game, the schemas know its kinds, fields, zones and other names: run it again when these have changed. They are written
/// into the folder `.parlour` of the game's folder, with settings for Tombi and Taplo (Even Better TOML) beside it.
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour schema games/my-game          with the game's own names",
    "parlour schema --out schemas          for any game",
    "parlour schema stockpile --out here",
))]
pub(super) struct Schema {
    /// A folder, or the name of a game that comes with the program; any game when left out
    game: Option<String>,
    /// Where to write [default: the game's folder, or this one]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Schema {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let package = self.game.as_ref().map(|game| package(game, output)).transpose()?;
        let folder = out_folder(self.game.as_deref(), self.out.as_ref());
        let schemas = schemas(package.as_ref());
        let files: [(&str, &Value); 3] =
            [("game", &schemas.game), ("components", &schemas.components), ("overlay", &schemas.overlay)];
        for (name, schema) in files {
            let text = serde_json::to_string_pretty(schema)? + "\n";
            write(&folder.join(FOLDER).join(format!("{name}.schema.json")), &text, output)?;
        }
        write_settings(&folder.join(".taplo.toml"), &taplo(), output)?;
        write_settings(&folder.join("tombi.toml"), &tombi(), output)
    }
}

/// Where files for editors go: the folder given, or that of the game, or this one.
pub(super) fn out_folder(game: Option<&str>, out: Option<&PathBuf>) -> PathBuf {
    let game = game.map(Path::new);
    let own = game.map(|path| opening::folder_of(path).unwrap_or(path)).filter(|path| path.is_dir());
    out.cloned().unwrap_or_else(|| own.unwrap_or(Path::new(".")).to_path_buf())
}

/// The data of a game; what is wrong in it does not matter as long as it can be read.
pub(super) fn package(game: &str, output: &mut Output) -> Result<Package, Failure> {
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

/// Writes a file, and says so.
pub(super) fn write(path: &Path, text: &str, output: &mut Output) -> Result<(), Failure> {
    write_whole(path, text)?;
    output.line(shown(path))
}

/// Writes settings of editors, unless somebody has settings of their own there.
fn write_settings(path: &Path, text: &str, output: &mut Output) -> Result<(), Failure> {
    let is_other = std::fs::read_to_string(path).is_ok_and(|known| !known.starts_with(WRITTEN));
    if is_other {
        return output.remark(format!("`{}` is yours, and left alone: see docs/src/editor.md", shown(path)));
    }
    write(path, text, output)
}

/// Which schema is for which files.
const RULES: [(&str, &[&str]); 3] = [
    ("game", &["game.toml", "**/game.toml"]),
    ("components", &["components/*.toml", "**/components/*.toml"]),
    ("overlay", &["overlays/*.toml", "**/overlays/*.toml"]),
];

fn patterns(patterns: &[&str]) -> String {
    patterns.iter().map(|pattern| format!("\"{pattern}\"")).collect::<Vec<_>>().join(", ")
}

fn taplo() -> String {
    let rule = |(name, files): (&str, &[&str])| {
        let path = format!("{FOLDER}/{name}.schema.json");
        format!("\n[[rule]]\ninclude = [{}]\n\n[rule.schema]\npath = \"{path}\"\nenabled = true\n", patterns(files))
    };
    format!("{WRITTEN}\n{}", RULES.map(rule).concat())
}

fn tombi() -> String {
    let schema = |(name, files): (&str, &[&str])| {
        format!("\n[[schemas]]\npath = \"{FOLDER}/{name}.schema.json\"\ninclude = [{}]\n", patterns(files))
    };
    format!("{WRITTEN}\n{}", RULES.map(schema).concat())
}
