//! Tables in a browser. Each seat has its own page, made only from the information that the seat has.
//!
//! `scene.rs` lays out the table and `question.rs` the open decision; `piece.rs`, `disc.rs`, `grid.rs` and `map.rs` draw pieces, grids and
//! maps, and `dom_ids.rs` links options to drawn elements. `table/` plays one game on its own thread. `links.rs` and `guard.rs` decide who
//! may send which requests, `serve.rs` opens tables and lobbies, `server.rs` routes requests, and `listening.rs` and `streams.rs` limit
//! connections. `trial.rs` runs batches beside a table, `game_watcher.rs` reports edited files, and `lobby/` opens tables from a page.

#[cfg(feature = "web")]
mod address;
mod axis_names;
mod clock;
mod disc;
mod dom_ids;
mod entropy;
mod form_fields;
#[cfg(feature = "web")]
mod game_watcher;
mod grid;
#[cfg(feature = "web")]
mod guard;
mod links;
#[cfg(feature = "web")]
mod listening;
#[cfg(feature = "web")]
mod lobby;
mod map;
#[cfg(not(feature = "system"))]
mod page_batch;
mod pages;
mod piece;
mod placement_preview;
mod question;
mod scene;
#[cfg(feature = "web")]
mod serve;
#[cfg(feature = "web")]
mod server;
mod set_up;
#[cfg(feature = "web")]
mod streams;
mod table;
#[cfg(test)]
mod tests;
mod trial;
#[cfg(not(feature = "system"))]
mod workspace;

use crate::desk::refusal::{OpenError, Refusal};
use crate::desk::seating::SeatingError;
use crate::diagnostic::Diagnostics;
use crate::model::Text;
use crate::session::{Game, Setup};
#[cfg(not(feature = "system"))]
pub use workspace::{PageRequest, PageResponse, Workspace};

#[cfg(feature = "web")]
pub(crate) use address::{ListenHost, PublicUrl};
#[cfg(feature = "web")]
pub(crate) use lobby::LobbySettings;
#[cfg(feature = "web")]
pub(crate) use pages::{SHELL, STATIC_FILES};
#[cfg(feature = "web")]
pub(crate) use serve::{Link, LinkRecipient, Listen, OpenLobby, fresh_seed, is_shelf, serve, serve_lobby};
use std::path::PathBuf;
use std::sync::Arc;

/// Result of reloading a game after an edit: the game, or its diagnostics.
type Reload = Arc<Result<Game, Diagnostics>>;

/// Settings of a table.
pub(crate) struct TableSettings {
    /// The game; `None` if the recording names it.
    pub(crate) game: Option<Game>,
    /// Setup of a new game.
    pub(crate) setup: Setup,
    /// Agents of the seats. If the list is empty, the recording's agents are used. Without a recording, people play all seats.
    pub(crate) agents: Vec<String>,
    /// Path of the recording. If the file exists, the game continues from there.
    pub(crate) file: PathBuf,
    /// Folder of the game, if its files are watched for edits.
    pub(crate) folder: Option<PathBuf>,
}

/// An open table.
#[derive(Debug)]
pub(crate) struct OpenTable {
    /// Title that names the game and its setup.
    pub(crate) title: String,
    /// Name of the game.
    pub(crate) game: Text,
    /// Path of the recording.
    pub(crate) file: PathBuf,
    /// Names of the players.
    pub(crate) names: Vec<String>,
    /// Zero-based indices of the places that people have. The same index in `names` is the name of the person at the place.
    pub(crate) people: Vec<u8>,
    /// Remarks about the recording from which the game continues and about its file of links, if there are any.
    pub(crate) remark: Option<String>,
}

/// Reason why a table or lobby cannot be served.
pub(crate) enum ServeError {
    /// The game cannot be opened.
    Opened(OpenError),
    /// The agents cannot be seated.
    Seated(SeatingError),
}

impl From<OpenError> for ServeError {
    fn from(why: OpenError) -> Self {
        Self::Opened(why)
    }
}

impl From<Refusal> for ServeError {
    fn from(why: Refusal) -> Self {
        Self::Opened(why.into())
    }
}

impl From<Diagnostics> for ServeError {
    fn from(why: Diagnostics) -> Self {
        Self::Opened(why.into())
    }
}

impl From<SeatingError> for ServeError {
    fn from(why: SeatingError) -> Self {
        Self::Seated(why)
    }
}

/// Parses a links file, for fuzzing.
#[cfg(feature = "fuzzing")]
pub(crate) fn read_links(text: &str) {
    drop(links::read(text));
}
