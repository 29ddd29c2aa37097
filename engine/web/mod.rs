//! Tables in a browser. Each seat has its own page, made only from what that seat sees.
//!
//! `scene.rs` lays out the table and `question.rs` the open decision; `piece.rs`, `disc.rs`, `grid.rs` and `map.rs`
//! draw pieces, grids and maps, and `dom_ids.rs` links options to what is drawn. `table/` plays one game on its own
//! thread. `links.rs` and `guard.rs` decide who may send which requests, `server.rs` routes requests, and
//! `listening.rs` and `streams.rs` limit connections. `trial.rs` runs batches beside a table, `game_watcher.rs` reports
//! edited files, and `lobby/` opens tables from a page.

mod address;
mod clock;
mod disc;
mod dom_ids;
mod game_watcher;
mod grid;
mod guard;
mod links;
mod listening;
mod lobby;
mod map;
mod pages;
mod piece;
mod placement_preview;
mod question;
mod scene;
mod server;
mod streams;
mod table;
#[cfg(test)]
mod tests;
mod trial;

use crate::desk::refusal::{OpenError, Refusal};
use crate::desk::seating::SeatingError;
use crate::diagnostic::Diagnostics;
use crate::model::Text;
use crate::session::{Game, Setup};
use address::Address;
pub(crate) use address::{ListenHost, PublicUrl};
use links::Viewer;
pub(crate) use lobby::LobbySettings;
use server::{ServedContent, Server};
use std::path::PathBuf;
use std::sync::Arc;

/// Settings of a table.
pub(crate) struct TableSettings {
    /// The game; `None` if the recording names it.
    pub(crate) game: Option<Game>,
    /// Setup of a new game.
    pub(crate) setup: Setup,
    /// Agents of the seats. If empty, those of the recording, or people in all seats.
    pub(crate) agents: Vec<String>,
    /// Path of the recording. If it exists, the game goes on from there.
    pub(crate) file: PathBuf,
    /// Folder of the game, if its files are watched for edits.
    pub(crate) folder: Option<PathBuf>,
}

/// An open table.
#[derive(Debug)]
pub(crate) struct OpenTable {
    /// Title of the game with its setup.
    pub(crate) title: String,
    /// Name of the game.
    pub(crate) game: Text,
    /// Path of the recording.
    pub(crate) file: PathBuf,
    /// Names of the players.
    pub(crate) names: Vec<String>,
    /// Indices of the seats of people.
    pub(crate) people: Vec<u8>,
}

/// Link to a table.
pub(crate) struct Link {
    /// Whose link it is.
    pub(crate) who: LinkRecipient,
    /// The address.
    pub(crate) address: String,
}

/// Recipient of a link.
pub(crate) enum LinkRecipient {
    /// The player of that name.
    Player(String),
    /// An onlooker.
    Onlooker,
    /// The host.
    Host,
}

/// Reason why a table or lobby is not served.
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

/// An open lobby.
pub(crate) struct OpenLobby {
    /// The host's link.
    pub(crate) link: String,
    /// Address where anybody on this machine sees the open tables; `None` if the lobby is served beyond it.
    pub(crate) front: Option<String>,
    /// Names of the open tables.
    pub(crate) tables: Vec<String>,
}

/// Returns whether a folder is no game itself but has games below it.
pub(crate) fn is_shelf(folder: &std::path::Path) -> bool {
    lobby::has_games(folder)
}

/// Draws a seed from the operating system.
///
/// # Errors
/// Fails if the operating system returns no random bytes.
pub(crate) fn fresh_seed() -> Result<u64, Refusal> {
    links::seed()
}

/// Name in addresses of a table that is served without a lobby.
const ONLY: &str = "table";

/// Opens a table and serves it until `stop` returns true. Calls `announce` with the table and its links once it can be reached.
pub(crate) fn serve(
    opening: TableSettings,
    listen: &Listen,
    stop: &dyn Fn() -> bool,
    announce: &mut dyn FnMut(&OpenTable, &[Link]) -> bool,
) -> Result<(), ServeError> {
    serve_at(listen, stop, |address, pages| {
        let (table, opened) = table::Table::open(opening, pages.clone(), &game_watcher::GameWatcher::default())?;
        let links = links_of(&table.links, &opened, &address.base());
        Ok(announce(&opened, &links).then(|| ServedContent::Table(ONLY, Arc::new(table))))
    })
}

/// Opens a lobby and serves it until `stop` returns true. Calls `announce` once it can be reached.
pub(crate) fn serve_lobby(
    rooms: LobbySettings,
    listen: &Listen,
    stop: &dyn Fn() -> bool,
    announce: &mut dyn FnMut(&OpenLobby) -> bool,
) -> Result<(), ServeError> {
    serve_at(listen, stop, |address, pages| {
        let (is_here, base) = (address.is_here(), address.base());
        let lobby = lobby::Lobby::open(rooms, pages.clone(), !is_here)?;
        let opened = OpenLobby {
            link: format!("{base}/lobby/enter/{}", lobby.token().text()),
            front: is_here.then(|| format!("{base}/")),
            tables: lobby.tables(),
        };
        Ok(announce(&opened).then(|| ServedContent::Lobby(Arc::new(lobby))))
    })
}

/// Where to listen, and the public address.
pub(crate) struct Listen {
    /// The host to listen at.
    pub(crate) host: ListenHost,
    /// The port; 0 for any free port.
    pub(crate) port: u16,
    /// Public origin, if a proxy is in front of the server.
    pub(crate) public: Option<PublicUrl>,
}

/// Listens at an address and serves what `open` returns until `stop` returns true.
fn serve_at(
    listen: &Listen,
    stop: &dyn Fn() -> bool,
    open: impl FnOnce(&Address, &Arc<pages::Pages>) -> Result<Option<ServedContent>, ServeError>,
) -> Result<(), ServeError> {
    let (host, port) = (listen.host.name(), listen.port);
    let failed = |error: std::io::Error| {
        let refusal = Refusal::new(format!("`{host}`, port {port}, cannot be listened at: {error}"));
        ServeError::from(refusal.help("another port: `--port N`, or `--port 0` for any that is free"))
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(failed)?;
    let result = runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind((host.as_str(), port)).await.map_err(failed)?;
        let place = listener.local_addr().map_err(failed)?;
        let pages = Arc::new(pages::Pages::new());
        let address = Address::new(place, &listen.host, listen.public.clone());
        if let Some(what) = open(&address, &pages)? {
            let server = Server::new(pages, what, address);
            listening::serve(listener, server::router(server.clone()), stop).await;
            server.end();
        }
        Ok(())
    });
    runtime.shutdown_background();
    crate::agents::end_programs();
    result
}

/// Returns the links of people, onlookers and the host.
fn links_of(links: &links::Links, opened: &OpenTable, base: &str) -> Vec<Link> {
    let link = |(viewer, token): (Viewer, links::Token)| {
        let who = match viewer {
            Viewer::Seat(seat) if !opened.people.contains(&seat) => return None,
            Viewer::Seat(seat) => LinkRecipient::Player(opened.names[usize::from(seat)].clone()),
            Viewer::Onlooker => LinkRecipient::Onlooker,
            Viewer::Host => LinkRecipient::Host,
        };
        let address = format!("{base}/{ONLY}/{}/enter/{}", viewer.path(), token.text());
        Some(Link { who, address })
    };
    links.all().into_iter().filter_map(link).collect()
}

/// Reads a file of links, for fuzzing.
#[cfg(feature = "fuzzing")]
pub(crate) fn read_links(text: &str) {
    drop(links::read(text));
}
