//! `parlour upgrade`: upgrades the files of a game to the current format.

use super::examples;
use super::output::{Failure, Output, usage};
use super::saving::write_below;
use crate::desk::{bundle, opening};
use crate::diagnostic::{GAME, shown};
use crate::files::{Directory, Refused};
use crate::loader::{FORMAT, Files, Package};
use crate::playscript::{self, LARGEST as LARGEST_PLAY, parse};
use clap::Args;
use std::path::Path;

/// Maximum size of a file in bytes. The loader has its own limits for each kind of file.
const LARGEST: u64 = LARGEST_PLAY as u64;

/// Byte order mark that some editors write at the start of files.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Upgrades the files of a game to the current format
///
/// Changes are listed file by file; comments and the order of lines are preserved. Files without a format number get one, so that later
/// versions of this program know how to read them.
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour upgrade my-game           changes the files in the folder",
    "parlour upgrade my-game --check   shows what would be changed, and exits with 1 where anything would be",
))]
pub(super) struct Upgrade {
    /// The game's folder
    game: String,
    /// Show what would be changed, without changing it
    #[arg(long)]
    check: bool,
}

impl Upgrade {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let path = Path::new(&self.game);
        let folder = opening::folder_of(path).unwrap_or(path);
        if !folder.is_dir() {
            return Err(self.no_folder());
        }
        let files = Files::read(folder).map_err(|mistakes| output.mistakes(&mistakes))?;
        // Newer formats and syntax errors are reported by the loader.
        let package = Package::parse(files.clone()).map_err(|mistakes| output.mistakes(&mistakes))?;
        let mut changed: Vec<(String, String)> = Vec::new();
        if !package.declares_format() {
            let game = text_of(folder, GAME)?;
            let with = with_format(&game).ok_or_else(|| {
                let message = format!("`{GAME}` has no line `[game]` to write `format = {FORMAT}` below");
                Failure::Usage(message, Some("add it to the table `game`".to_owned()))
            })?;
            changed.push((GAME.to_owned(), with));
        }
        for play in &files.plays {
            // Only an unsupported format stops the upgrade. Other mistakes in playscripts are left to `check`.
            let newer = parse(play).err().filter(|found| found.0.iter().any(|one| one.code == "unknown-format"));
            if let Some(newer) = newer {
                return Err(output.mistakes(&newer));
            }
            let text = text_of(folder, &play.path)?;
            changed.extend(playscript::with_format(&text).map(|text| (play.path.clone(), text)));
        }
        if changed.is_empty() {
            return output.line(format!("`{}` is written in the newest format", shown(folder)));
        }
        for (path, text) in &changed {
            if !self.check {
                write_below(folder, path, text)?;
            }
            let path = folder.join(path);
            let does = if self.check { "would say" } else { "says now" };
            let format = if path.ends_with(GAME) { FORMAT } else { playscript::FORMAT };
            output.line(format!("{}: {does} that it is written in format {format}", shown(&path)))?;
        }
        if self.check { Err(Failure::Fault) } else { Ok(()) }
    }

    fn no_folder(&self) -> Failure {
        let name = &self.game;
        if bundle::files(name).is_some() {
            let message = format!("`{name}` comes with the program, and is written in its format");
            let help = format!("`parlour new my-{name} --from {name}` makes a copy of your own");
            return Failure::Usage(message, Some(help));
        }
        Failure::Usage(format!("there is no folder `{}`", shown(Path::new(name))), None)
    }
}

/// Reads a file, including its byte order mark.
fn text_of(folder: &Path, path: &str) -> Result<String, Failure> {
    let read = Directory::open(folder).map_err(Refused::from).and_then(|folder| folder.read_text(path, LARGEST));
    read.map_err(|error| usage(format!("`{}` cannot be read: {error}", shown(folder.join(path)))))
}

/// Adds a line with the format to a `game.toml`, below the header of its `[game]` table. Returns `None` if there is no such header.
fn with_format(text: &str) -> Option<String> {
    let is_head = |line: &str| {
        let line = line.trim_start_matches(BYTE_ORDER_MARK).split('#').next().unwrap_or_default().trim();
        line.strip_prefix('[').and_then(|line| line.strip_suffix(']')).is_some_and(|name| name.trim() == "game")
    };
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let head = lines.iter().position(|line| is_head(line))?;
    let at: usize = lines[..=head].iter().map(|line| line.len()).sum();
    let before = &text[..at];
    let gap = if before.ends_with('\n') { "" } else { line_end(text) };
    Some(format!("{before}{gap}format = {FORMAT}{}{}", line_end(text), &text[at..]))
}

/// Returns the line ending of a text.
fn line_end(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}
