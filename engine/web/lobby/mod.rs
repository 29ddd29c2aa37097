//! A lobby: a shelf of games, and the tables at which they are played. The host opens and closes tables. A restarted lobby opens the same
//! tables again.
//!
//! `shelf.rs` has the games, `kept.rs` the persistent state, `showing.rs` the pages and `serving.rs` the routes.

mod kept;
mod serving;
mod shelf;
mod showing;

use super::game_watcher::GameWatcher;
use super::links::Token;
use super::pages::Pages;
use super::set_up::NewTable;
use super::table::{ClosedTable, Table};
use super::{ServeError, TableSettings};
use crate::desk::refusal::{OpenError, Refusal};
use crate::model::Language;
use crate::phrases::{Phrases, filled};
use crate::session::Setup;
use kept::{KeptTable, SavedLobby};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub(super) use serving::routes;
use shelf::Shelf;
pub(super) use shelf::has_games;

/// Maximum number of open tables, regardless of memory.
const MOST: usize = 64;

/// Folders and limits of a lobby.
pub(crate) struct LobbySettings {
    /// The folder of the games.
    pub(crate) games: PathBuf,
    /// The folder with one recording for each table.
    pub(crate) tables: PathBuf,
    /// Maximum number of open tables that fit in memory.
    pub(crate) most: usize,
}

/// A lobby: games, and the tables at which they are played.
pub(super) struct Lobby {
    pages: Arc<Pages>,
    /// Watcher that reports edits of games to tables.
    watcher: GameWatcher,
    shelf: Shelf,
    /// The folder of the recordings.
    folder: PathBuf,
    kept: SavedLobby,
    /// Maximum number of open tables.
    most: usize,
    /// Whether the list of tables is visible only to the host, because other machines can reach the lobby.
    is_for_host_alone: bool,
    entries: Mutex<Vec<Entry>>,
}

/// A table of the lobby.
struct Entry {
    name: String,
    /// Key of the table's game on the shelf.
    game: String,
    state: State,
}

enum State {
    /// The table is being opened.
    Opening,
    /// The table is open.
    Open(Arc<Table>),
    /// The table could not be opened, for this reason.
    Failed(String),
    /// The table is closed, and its recording keeps the game. If the table was open before, the handle shows whether its thread has ended.
    Closed(Option<ClosedTable>),
}

impl State {
    const fn counts_towards_limit(&self) -> bool {
        matches!(self, Self::Opening | Self::Open(_))
    }
}

impl Lobby {
    /// Returns the remark for the user if the saved secret was not accepted, because this user's program did not write the state file at
    /// this place.
    pub(super) fn remark(&self) -> Option<String> {
        self.kept.remark.clone()
    }

    /// Opens a lobby with its saved tables. Tables that were open when the lobby was last stopped are reopened. Tables whose recording does
    /// not exist are left out.
    pub(super) fn open(rooms: LobbySettings, pages: Arc<Pages>, is_for_host_alone: bool) -> Result<Self, Refusal> {
        let (kept, tables) = SavedLobby::of(&rooms.tables)?;
        let lobby = Self {
            pages,
            watcher: GameWatcher::default(),
            shelf: Shelf::new(rooms.games),
            folder: rooms.tables,
            kept,
            most: rooms.most.min(MOST),
            is_for_host_alone,
            entries: Mutex::default(),
        };
        for KeptTable { name, game, is_open } in tables {
            if !lobby.file(&name).is_file() {
                continue;
            }
            let is_full = lobby.tables().len() >= lobby.most;
            let state = if is_open && is_full {
                State::Failed(lobby.too_many(Language::English))
            } else if is_open {
                lobby
                    .reopen_table(&name, &game, Language::default())
                    .map_or_else(State::Failed, |table| State::Open(Arc::new(table)))
            } else {
                State::Closed(None)
            };
            lobby.entries().push(Entry { name, game, state });
        }
        Ok(lobby)
    }

    /// Returns the host's secret.
    pub(super) fn token(&self) -> Token {
        self.kept.token()
    }

    /// Replaces the host's secret.
    fn renew(&self) -> Result<Token, String> {
        self.kept.renew(&kept_tables(&self.entries())).map_err(|why| why.message)
    }

    /// Returns the names of the open tables.
    pub(super) fn tables(&self) -> Vec<String> {
        let is_open = |entry: &&Entry| matches!(entry.state, State::Open(_));
        self.entries().iter().filter(is_open).map(|entry| entry.name.clone()).collect()
    }

    /// Returns the open table called `name`. Returns `None` if there is no such table or it is not open.
    pub(super) fn table(&self, name: &str) -> Option<Arc<Table>> {
        self.entries().iter().find(|entry| entry.name == name).and_then(|entry| match &entry.state {
            State::Open(table) => Some(table.clone()),
            _ => None,
        })
    }

    /// Closes all open tables. They are reopened when the lobby starts again.
    pub(super) fn end(&self) {
        for entry in self.entries().iter() {
            if let State::Open(table) = &entry.state {
                table.close();
            }
        }
    }

    fn entries(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.play"))
    }

    /// Opens a table for a new game, and returns the name of the table.
    fn open_table(&self, game: &str, wanted: NewTable, language: Language) -> Result<String, String> {
        let web = &Phrases::for_language(language).web;
        let shelved = self.shelf.game(game).ok_or(web.no_such_page)?;
        let found = shelved.playable(language)?;
        let name = self.reserve_place(found.game.id(), game, language)?;
        let opening = TableSettings {
            game: Some(found.game.clone()),
            setup: wanted.setup,
            agents: wanted.agents,
            file: self.file(&name),
            folder: shelved.folder.clone(),
        };
        let table =
            Table::open(opening, self.pages.clone(), &self.watcher).map(|(table, _)| table).map_err(|why| said(&why));
        let result = self.settle(&name, table);
        if result.is_err() {
            self.entries().retain(|entry| entry.name != name);
        }
        result.map(|()| name)
    }

    /// Reopens a table that is closed or that could not be opened.
    fn reopen(&self, name: &str, language: Language) -> Result<(), String> {
        let web = &Phrases::for_language(language).web;
        let game = {
            let mut entries = self.entries();
            let is_full = entries.iter().filter(|entry| entry.state.counts_towards_limit()).count() >= self.most;
            let entry = entries.iter_mut().find(|entry| entry.name == name).ok_or(web.no_such_page)?;
            match &entry.state {
                State::Opening | State::Open(_) => return Ok(()),
                State::Closed(Some(closing)) if !closing.is_over() => return Err(web.still_closing.to_owned()),
                State::Closed(_) | State::Failed(_) if is_full => return Err(self.too_many(language)),
                State::Closed(_) | State::Failed(_) => {}
            }
            entry.state = State::Opening;
            entry.game.clone()
        };
        let table = self.reopen_table(name, &game, language);
        self.settle(name, table)
    }

    fn reopen_table(&self, name: &str, game: &str, language: Language) -> Result<Table, String> {
        let shelved = self.shelf.game(game).ok_or_else(|| format!("there is no game `{game}`"))?;
        let found = shelved.playable(language)?;
        let opening = TableSettings {
            game: Some(found.game.clone()),
            setup: Setup::seats(*found.game.players().start()),
            agents: Vec::new(),
            file: self.file(name),
            folder: shelved.folder.clone(),
        };
        Table::open(opening, self.pages.clone(), &self.watcher).map(|(table, _)| table).map_err(|why| said(&why))
    }

    /// Closes a table. Its recording keeps the game.
    fn close_table(&self, name: &str, language: Language) -> Result<(), String> {
        let mut entries = self.entries();
        let entry = entries
            .iter_mut()
            .find(|entry| entry.name == name)
            .ok_or_else(|| Phrases::for_language(language).web.no_such_page.to_owned())?;
        match &entry.state {
            State::Open(table) => entry.state = State::Closed(Some(table.close())),
            State::Failed(_) => entry.state = State::Closed(None),
            State::Opening | State::Closed(_) => return Ok(()),
        }
        self.write(&entries)
    }

    /// Adds an entry for a table that is being opened, and returns the table's name: the id of the game with the first free number.
    fn reserve_place(&self, id: &str, game: &str, language: Language) -> Result<String, String> {
        let mut entries = self.entries();
        if entries.iter().filter(|entry| entry.state.counts_towards_limit()).count() >= self.most {
            return Err(self.too_many(language));
        }
        let plain =
            |character: char| if character.is_ascii_alphanumeric() || character == '_' { character } else { '-' };
        let id: String = id.chars().map(plain).collect();
        let is_free = |name: &String| {
            entries.iter().all(|entry| !entry.name.eq_ignore_ascii_case(name)) && !self.file(name).exists()
        };
        let name = (1..=u32::MAX).map(|number| format!("{id}-{number}")).find(is_free);
        let name = name.expect("there are many numbers");
        entries.push(Entry { name: name.clone(), game: game.to_owned(), state: State::Opening });
        Ok(name)
    }

    fn too_many(&self, language: Language) -> String {
        filled(Phrases::for_language(language).web.too_many_tables, &[("most", &self.most)])
    }

    /// Records whether a table could be opened. Saves the list of tables if it could.
    fn settle(&self, name: &str, table: Result<Table, String>) -> Result<(), String> {
        let mut entries = self.entries();
        let Some(entry) = entries.iter_mut().find(|entry| entry.name == name) else { return Ok(()) };
        match table {
            Ok(table) => {
                entry.state = State::Open(Arc::new(table));
                self.write(&entries)
            }
            Err(why) => {
                entry.state = State::Failed(why.clone());
                Err(why)
            }
        }
    }

    fn write(&self, entries: &[Entry]) -> Result<(), String> {
        self.kept.write(&kept_tables(entries)).map_err(|why| why.message)
    }
}

/// Returns the entries of all tables as they are saved.
fn kept_tables(entries: &[Entry]) -> Vec<KeptTable> {
    let table = |entry: &Entry| KeptTable {
        name: entry.name.clone(),
        game: entry.game.clone(),
        is_open: !matches!(entry.state, State::Closed(_)),
    };
    entries.iter().map(table).collect()
}

/// Formats, for the host, the reason why a table could not be opened.
fn said(why: &ServeError) -> String {
    match why {
        ServeError::Opened(OpenError::Mistakes(mistakes)) => mistakes.in_plain_text(),
        ServeError::Opened(OpenError::Refused(why)) => why.message.clone(),
        ServeError::Seated(why) => why.message(),
    }
}
