//! Persistent state of a lobby: the host's secret and the list of tables. The state is stored beside the recordings.

use crate::desk::refusal::Refusal;
use crate::diagnostic::shown;
use crate::files::{Busy, Directory};
use crate::web::links::{Token, foreign_links, read_links, write_links};
use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Name of the state file in the folder of the tables.
const FILE: &str = "lobby.links";

/// Version of the format of the state file, written in the file's first line. A file without such a line has version 1.
const FORMAT: u32 = 1;

/// Handle to the persistent state of a lobby. The handle keeps the folder locked.
#[derive(Debug)]
pub(super) struct SavedLobby {
    file: PathBuf,
    /// Secret that identifies the host's browser.
    token: Mutex<Token>,
    /// Remark for the user if the secret in the state file was not accepted.
    pub(super) remark: Option<String>,
    /// Lock on the folder, which prevents another lobby from opening these tables; `None` if the system cannot lock folders.
    _lock: Option<File>,
}

/// Saved entry of a table in a lobby.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KeptTable {
    /// Name of the table.
    pub(super) name: String,
    /// Key of the table's game on the shelf.
    pub(super) game: String,
    /// Whether the lobby reopens the table when it starts: false only for tables that the host has closed.
    pub(super) is_open: bool,
}

impl SavedLobby {
    /// Opens the state in a folder, and returns it with the saved tables. Creates the folder if it does not exist. Draws a new secret for
    /// the host if none is saved, or if this user's program did not write the state file at this place.
    ///
    /// # Errors
    /// Fails if another lobby has locked the folder, if the state file has another format version, or if the folder or file cannot be read
    /// or written.
    pub(super) fn of(folder: &Path) -> Result<(Self, Vec<KeptTable>), Refusal> {
        let directory = Directory::create(folder)
            .map_err(|error| Refusal::new(format!("`{}` cannot be made: {error}", shown(folder))))?;
        let lock = directory.lock().map_err(|Busy| {
            let refusal = Refusal::new(format!("the tables in `{}` are served already", shown(folder)));
            refusal.help("end the other lobby, or keep tables elsewhere: `--save FOLDER`")
        })?;
        let file = folder.join(FILE);
        let found = read_links(&file)?;
        let remark = found.as_ref().filter(|found| !found.is_own).map(|_| foreign_links(&file));
        let text = found.map_or_else(String::new, |found| found.text);
        if let Some(other) = other_format(&text) {
            let refusal =
                Refusal::new(format!("`{}` is of format {other}, and this program reads {FORMAT}", shown(&file)));
            return Err(refusal.help("take the program that wrote it, or keep tables elsewhere: `--save FOLDER`"));
        }
        let own = text.lines().filter(|_| remark.is_none());
        let token = own.into_iter().find_map(|line| Token::read(line.strip_prefix("host ")?.trim()));
        let tables: Vec<KeptTable> = text.lines().filter_map(read).collect();
        let is_new = token.is_none();
        let kept = Self { file, token: Mutex::new(token.map_or_else(Token::fresh, Ok)?), remark, _lock: lock };
        if is_new {
            kept.write(&tables)?;
        }
        Ok((kept, tables))
    }

    /// Returns the host's secret.
    pub(super) fn token(&self) -> Token {
        self.own_token().clone()
    }

    fn own_token(&self) -> MutexGuard<'_, Token> {
        self.token.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives the host a new secret. The old one and all sessions obtained with it are invalid when this returns.
    ///
    /// # Errors
    /// Fails if the secret cannot be drawn or saved. The old one then stays valid.
    pub(super) fn renew(&self, tables: &[KeptTable]) -> Result<Token, Refusal> {
        let mut token = self.own_token();
        let fresh = Token::fresh()?;
        self.write_with(&fresh, tables)?;
        *token = fresh.clone();
        Ok(fresh)
    }

    /// Saves the list of tables. It is on the disk when this returns.
    pub(super) fn write(&self, tables: &[KeptTable]) -> Result<(), Refusal> {
        self.write_with(&self.own_token(), tables)
    }

    fn write_with(&self, token: &Token, tables: &[KeptTable]) -> Result<(), Refusal> {
        let mut text = format!("format {FORMAT}\nhost {}\n", token.text());
        for KeptTable { name, game, is_open } in tables {
            let _ = writeln!(text, "{} {name} {game}", if *is_open { OPEN } else { CLOSED });
        }
        write_links(&self.file, &text)
    }
}

/// Returns the version in the first line of a state file; `None` if the version is current or missing.
fn other_format(text: &str) -> Option<&str> {
    let said = text.lines().next()?.strip_prefix("format ")?.trim();
    (said != FORMAT.to_string()).then_some(said)
}

const OPEN: &str = "open";
const CLOSED: &str = "closed";

fn read(line: &str) -> Option<KeptTable> {
    let (state, rest) = line.split_once(' ')?;
    let (name, game) = rest.split_once(' ')?;
    let is_open = match state {
        OPEN => true,
        CLOSED => false,
        _ => return None,
    };
    // The name becomes part of a file name, so only these characters are allowed.
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    is_name.then(|| KeptTable { name: name.to_owned(), game: game.to_owned(), is_open })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_formats_are_detected_by_the_first_line() {
        assert_eq!(other_format("format 2\nhost 0123\n"), Some("2"));
        for ours in ["format 1\nhost 0123\n", "host 0123\nopen a-1 .\n", ""] {
            assert_eq!(other_format(ours), None, "{ours}");
        }
    }

    #[test]
    fn table_lines_are_parsed_and_invalid_ones_rejected() {
        let table =
            |name: &str, game: &str, is_open| KeptTable { name: name.to_owned(), game: game.to_owned(), is_open };
        assert_eq!(read("open tricks-2 my games/tricks"), Some(table("tricks-2", "my games/tricks", true)));
        assert_eq!(read("closed a-1 ."), Some(table("a-1", ".", false)));
        for other in ["host 0123", "open", "open a-1", "open ../a .", "open  .", "gone a-1 ."] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
