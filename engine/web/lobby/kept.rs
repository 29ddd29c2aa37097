//! What is kept of a lobby: its host's secret, and which tables there are. It lies beside their recordings, and not in them.

use crate::desk::refusal::Refusal;
use crate::diagnostic::shown;
use crate::files::{Busy, Directory, write_private};
use crate::web::links::{Token, read_links};
use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The file in the folder of the tables.
const FILE: &str = "lobby.links";

/// The format of that file, which its first line says; a file of before there was such a line is of the first.
const FORMAT: u32 = 1;

/// What is kept.
#[derive(Debug)]
pub(super) struct Kept {
    file: PathBuf,
    /// A browser that has it is the host's.
    token: Mutex<Token>,
    /// As long as it is held, no other lobby opens these tables; where folders cannot be locked nobody is kept away.
    _lock: Option<File>,
}

/// A table that there is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KeptTable {
    /// What it is called.
    pub(super) name: String,
    /// Its game on the shelf.
    pub(super) game: String,
    /// Whether it is open, and opened again with the lobby.
    pub(super) is_open: bool,
}

impl Kept {
    /// What is kept in a folder, which is made if it is not there; a new secret where there is none.
    pub(super) fn of(folder: &Path) -> Result<(Self, Vec<KeptTable>), Refusal> {
        let directory = Directory::create(folder)
            .map_err(|error| Refusal::new(format!("`{}` cannot be made: {error}", shown(folder))))?;
        let lock = directory.lock().map_err(|Busy| {
            let refusal = Refusal::new(format!("the tables in `{}` are served already", shown(folder)));
            refusal.help("end the other lobby, or keep tables elsewhere: `--save FOLDER`")
        })?;
        let file = folder.join(FILE);
        let text = read_links(&file)?.unwrap_or_default();
        if let Some(other) = other_format(&text) {
            let refusal =
                Refusal::new(format!("`{}` is of format {other}, and this program reads {FORMAT}", shown(&file)));
            return Err(refusal.help("take the program that wrote it, or keep tables elsewhere: `--save FOLDER`"));
        }
        let token = text.lines().find_map(|line| Token::read(line.strip_prefix("host ")?.trim()));
        let tables: Vec<KeptTable> = text.lines().filter_map(read).collect();
        let is_new = token.is_none();
        let kept = Self { file, token: Mutex::new(token.map_or_else(Token::fresh, Ok)?), _lock: lock };
        if is_new {
            kept.write(&tables)?;
        }
        Ok((kept, tables))
    }

    /// The host's secret.
    pub(super) fn token(&self) -> Token {
        self.own_token().clone()
    }

    fn own_token(&self) -> MutexGuard<'_, Token> {
        self.token.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives the host a new secret. The old one, and all sessions that it was exchanged for, end when this returns.
    ///
    /// # Errors
    /// When it cannot be drawn or written down: then the old one holds.
    pub(super) fn renew(&self, tables: &[KeptTable]) -> Result<Token, Refusal> {
        let mut token = self.own_token();
        let fresh = Token::fresh()?;
        self.write_with(&fresh, tables)?;
        *token = fresh.clone();
        Ok(fresh)
    }

    /// Writes down which tables there are. It is on the disk when this comes back.
    pub(super) fn write(&self, tables: &[KeptTable]) -> Result<(), Refusal> {
        self.write_with(&self.own_token(), tables)
    }

    fn write_with(&self, token: &Token, tables: &[KeptTable]) -> Result<(), Refusal> {
        let mut text = format!("format {FORMAT}\nhost {}\n", token.text());
        for KeptTable { name, game, is_open } in tables {
            let _ = writeln!(text, "{} {name} {game}", if *is_open { OPEN } else { CLOSED });
        }
        write_private(&self.file, text.as_bytes())
            .map_err(|error| Refusal::new(format!("`{}` cannot be written: {error}", shown(&self.file))))
    }
}

/// The format that a file says it is of, where that is another one.
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
    // The name becomes that of a file.
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    is_name.then(|| KeptTable { name: name.to_owned(), game: game.to_owned(), is_open })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_another_format_is_known_by_its_first_line() {
        assert_eq!(other_format("format 2\nhost 0123\n"), Some("2"));
        for ours in ["format 1\nhost 0123\n", "host 0123\nopen a-1 .\n", ""] {
            assert_eq!(other_format(ours), None, "{ours}");
        }
    }

    #[test]
    fn a_table_is_read_as_it_was_written() {
        let table =
            |name: &str, game: &str, is_open| KeptTable { name: name.to_owned(), game: game.to_owned(), is_open };
        assert_eq!(read("open tricks-2 my games/tricks"), Some(table("tricks-2", "my games/tricks", true)));
        assert_eq!(read("closed a-1 ."), Some(table("a-1", ".", false)));
        for other in ["host 0123", "open", "open a-1", "open ../a .", "open  .", "gone a-1 ."] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
