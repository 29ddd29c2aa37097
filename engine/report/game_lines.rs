//! Reads per-game lines from the files of a run.

use super::run_file::{FolderError, at};
use crate::files::{Directory, Size};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Take};
use std::path::{Path, PathBuf};

/// Maximum length of a line in bytes.
const LONGEST_LINE: u64 = 16 << 20;

/// Reader of a file with one or more lines for each game.
pub(super) struct GameLines {
    path: PathBuf,
    reader: BufReader<Take<File>>,
    /// Current line.
    pub line: Vec<u8>,
    /// Key of the current line: the number of players, and the number of the game among those with this number of players.
    pub key: (u64, u64),
}

impl GameLines {
    /// Opens a file to read its first `length` bytes. Does not read a line yet.
    pub(super) fn open(folder: &Directory, name: &str, length: u64) -> Result<Self, FolderError> {
        let path = folder.path().join(name);
        let file = folder.open_file(name).map_err(|error| at(&path, error))?;
        Ok(Self { path, reader: BufReader::new(file.take(length)), line: Vec::new(), key: (0, 0) })
    }

    /// Reads the next line and its key. Returns `false` at the end of the file.
    pub(super) fn next(&mut self) -> Result<bool, FolderError> {
        self.line.clear();
        let mut reader = self.reader.by_ref().take(LONGEST_LINE);
        let read = reader.read_until(b'\n', &mut self.line).map_err(|error| at(&self.path, error))?;
        if read as u64 == LONGEST_LINE && !self.line.ends_with(b"\n") {
            let refused = io::Error::other(format!("a line of it is longer than {}", Size(LONGEST_LINE)));
            return Err(at(&self.path, refused));
        }
        // A spreadsheet program may have changed the line breaks to `\r\n`.
        if self.line.ends_with(b"\r\n") {
            self.line.truncate(self.line.len() - 2);
            self.line.push(b'\n');
        }
        self.key = key(&self.line);
        Ok(read > 0)
    }
}

/// Parses the number of players and the number of the game, which begin every line.
fn key(line: &[u8]) -> (u64, u64) {
    let mut numbers = line.split(|byte| !byte.is_ascii_digit()).filter(|digits| !digits.is_empty());
    let mut next = || numbers.next().and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok()).unwrap_or(0);
    (next(), next())
}

/// Returns whether a file is a table, which begins with a line of headings.
pub(super) fn is_table(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "csv")
}
