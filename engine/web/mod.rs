//! A table in a browser: every seat has a page of its own, made from what the seat sees.
//!
//! What is shown of a game lies in `scene.rs` (the table), `question.rs` (what is asked), `piece.rs` and `grid.rs` (drawings) and
//! `marks.rs` (what options speak of); `table.rs` plays it, on a thread of its own. Who may come in stands in `links.rs`, what a
//! request must be like in `guard.rs`, what it leads to in `server.rs`, how connections are kept apart in `listening.rs` and
//! `streams.rs`. Games that are
//! played beside a table are in `trial.rs`, files that are edited meanwhile in `folders.rs`, and tables that are opened from a page in `lobby/`.

mod address;
mod clock;
mod folders;
mod grid;
mod guard;
mod laying;
mod links;
mod listening;
mod lobby;
mod marks;
mod pages;
mod piece;
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
pub(crate) use lobby::Rooms;
use server::{Served, Server};
use std::path::PathBuf;
use std::sync::Arc;

/// What is put on the table.
pub(crate) struct Opening {
    /// The game; none where the file says which.
    pub(crate) game: Option<Game>,
    /// How it is set up, where it begins.
    pub(crate) setup: Setup,
    /// Who sits where; where nobody is named as the file says, or people in all seats.
    pub(crate) agents: Vec<String>,
    /// The file that the game is kept in, and that it goes on from if it is there.
    pub(crate) file: PathBuf,
    /// The folder of the game, where its files are watched: what is saved there is played by.
    pub(crate) folder: Option<PathBuf>,
}

/// A table that is open.
#[derive(Debug)]
pub(crate) struct Opened {
    /// What is played.
    pub(crate) title: String,
    /// What the game is called.
    pub(crate) game: Text,
    /// Where it is kept.
    pub(crate) file: PathBuf,
    /// What the players are called.
    pub(crate) names: Vec<String>,
    /// The seats of people, from 0.
    pub(crate) people: Vec<u8>,
}

/// A link to the table: whose it is, and the address.
pub(crate) struct Link {
    /// For whom.
    pub(crate) who: Who,
    /// The address.
    pub(crate) address: String,
}

/// Whom a link is for.
pub(crate) enum Who {
    /// A player, by name.
    Player(String),
    /// An onlooker.
    Onlooker,
    /// The host, who decides.
    Host,
}

/// Why no table is served.
pub(crate) enum Unserved {
    /// The game is not opened.
    Opened(OpenError),
    /// Nobody can sit down.
    Seated(SeatingError),
}

impl From<OpenError> for Unserved {
    fn from(why: OpenError) -> Self {
        Self::Opened(why)
    }
}

impl From<Refusal> for Unserved {
    fn from(why: Refusal) -> Self {
        Self::Opened(why.into())
    }
}

impl From<Diagnostics> for Unserved {
    fn from(why: Diagnostics) -> Self {
        Self::Opened(why.into())
    }
}

impl From<SeatingError> for Unserved {
    fn from(why: SeatingError) -> Self {
        Self::Seated(why)
    }
}

/// A lobby that is open.
pub(crate) struct OpenedLobby {
    /// The host's link.
    pub(crate) link: String,
    /// Where anybody on this machine sees what is under way; nowhere if it is served beyond it.
    pub(crate) front: Option<String>,
    /// The tables that are open.
    pub(crate) tables: Vec<String>,
}

/// Whether there are games below a folder that is none itself.
pub(crate) fn is_shelf(folder: &std::path::Path) -> bool {
    lobby::has_games(folder)
}

/// Where chance begins where nobody says it: drawn by the system.
///
/// # Errors
/// When the system draws nothing.
pub(crate) fn fresh_seed() -> Result<u64, Refusal> {
    links::seed()
}

/// The name of the only table in addresses.
const ONLY: &str = "table";

/// Opens a table and serves it until it is stopped; `announce` gets the table and its links once it can be reached.
pub(crate) fn serve(
    opening: Opening,
    listen: &Listen,
    stop: &dyn Fn() -> bool,
    announce: &mut dyn FnMut(&Opened, &[Link]) -> bool,
) -> Result<(), Unserved> {
    serve_at(listen, stop, |address, pages| {
        let (table, opened) = table::Table::open(opening, pages.clone(), &folders::Folders::default())?;
        let links = links_of(&table.links, &opened, &address.base());
        Ok(announce(&opened, &links).then(|| Served::Table(ONLY, Arc::new(table))))
    })
}

/// Opens a lobby and serves it until it is stopped; `announce` gets it once it can be reached.
pub(crate) fn serve_lobby(
    rooms: Rooms,
    listen: &Listen,
    stop: &dyn Fn() -> bool,
    announce: &mut dyn FnMut(&OpenedLobby) -> bool,
) -> Result<(), Unserved> {
    serve_at(listen, stop, |address, pages| {
        let (is_here, base) = (address.is_here(), address.base());
        let lobby = lobby::Lobby::open(rooms, pages.clone(), !is_here)?;
        let opened = OpenedLobby {
            link: format!("{base}/lobby/enter/{}", lobby.token().text()),
            front: is_here.then(|| format!("{base}/")),
            tables: lobby.tables(),
        };
        Ok(announce(&opened).then(|| Served::Lobby(Arc::new(lobby))))
    })
}

/// Where to listen, and what browsers know the server by.
pub(crate) struct Listen {
    /// The host to listen at.
    pub(crate) host: ListenHost,
    /// The port; 0 for any that is free.
    pub(crate) port: u16,
    /// The origin that browsers reach it by through a proxy.
    pub(crate) public: Option<PublicUrl>,
}

/// Listens at an address, and serves what is opened there until it is stopped.
fn serve_at(
    listen: &Listen,
    stop: &dyn Fn() -> bool,
    open: impl FnOnce(&Address, &Arc<pages::Pages>) -> Result<Option<Served>, Unserved>,
) -> Result<(), Unserved> {
    let (host, port) = (listen.host.name(), listen.port);
    let failed = |error: std::io::Error| {
        let refusal = Refusal::new(format!("`{host}`, port {port}, cannot be listened at: {error}"));
        Unserved::from(refusal.help("another port: `--port N`, or `--port 0` for any that is free"))
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

/// The links of people, of onlookers and of the host.
fn links_of(links: &links::Links, opened: &Opened, base: &str) -> Vec<Link> {
    let link = |(viewer, token): (Viewer, links::Token)| {
        let who = match viewer {
            Viewer::Seat(seat) if !opened.people.contains(&seat) => return None,
            Viewer::Seat(seat) => Who::Player(opened.names[usize::from(seat)].clone()),
            Viewer::Onlooker => Who::Onlooker,
            Viewer::Host => Who::Host,
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
