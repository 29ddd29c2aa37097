//! Opens a table or a lobby and serves it until the program ends.

use super::address::{Address, ListenHost, PublicUrl};
use super::links::Viewer;
use super::lobby::{self, LobbySettings};
use super::server::{self, ServedContent, Server};
use super::table::Table;
use super::{OpenTable, ServeError, TableSettings, game_watcher, links, listening, pages};
use crate::desk::refusal::Refusal;
use std::sync::Arc;

/// Link to a table.
pub(crate) struct Link {
    /// Recipient of the link.
    pub(crate) who: LinkRecipient,
    /// The address.
    pub(crate) address: String,
}

/// Recipient of a link.
pub(crate) enum LinkRecipient {
    /// The player with this name.
    Player(String),
    /// An onlooker.
    Onlooker,
    /// The host.
    Host,
}

/// An open lobby.
pub(crate) struct OpenLobby {
    /// The host's link.
    pub(crate) link: String,
    /// Address where anybody on this machine sees the open tables; `None` if other machines can reach the lobby.
    pub(crate) front: Option<String>,
    /// Names of the open tables.
    pub(crate) tables: Vec<String>,
    /// Remark that the links of an earlier lobby were replaced, because their file was not written here; `None` if they were not replaced.
    pub(crate) remark: Option<String>,
}

/// Returns whether a folder is not itself a game but contains games.
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

/// Name of a table that is served without a lobby, as it appears in addresses.
const ONLY: &str = "table";

/// Opens a table and serves it until `stop` returns true. Calls `announce` with the table and its links once the server is listening. If
/// `announce` returns false, the table is not served.
pub(crate) fn serve(
    opening: TableSettings,
    listen: &Listen,
    stop: &dyn Fn() -> bool,
    announce: &mut dyn FnMut(&OpenTable, &[Link]) -> bool,
) -> Result<(), ServeError> {
    serve_at(listen, stop, |address, pages| {
        let (table, opened) = Table::open(opening, pages.clone(), &game_watcher::GameWatcher::default())?;
        let links = links_of(&table.links, &opened, &address.base());
        Ok(announce(&opened, &links).then(|| ServedContent::Table(ONLY, Arc::new(table))))
    })
}

/// Opens a lobby and serves it until `stop` returns true. Calls `announce` once the server is listening. If `announce` returns false, the
/// lobby is not served.
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
            remark: lobby.remark(),
        };
        Ok(announce(&opened).then(|| ServedContent::Lobby(Arc::new(lobby))))
    })
}

/// Addresses of a server: where it listens, and how browsers reach it.
pub(crate) struct Listen {
    /// Host at which the server listens.
    pub(crate) host: ListenHost,
    /// Port at which the server listens; 0 for any free port.
    pub(crate) port: u16,
    /// Public origin, if a proxy is in front of the server.
    pub(crate) public: Option<PublicUrl>,
}

/// Listens at an address and serves the content that `open` returns. Stops once `stop` returns true. If `open` returns `None`, serves
/// nothing and returns at once.
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
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime =
        runtime.worker_threads(2).thread_stack_size(crate::system::STACK).enable_all().build().map_err(failed)?;
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
