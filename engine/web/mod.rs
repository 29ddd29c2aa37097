//! A table in a browser: every seat has a page of its own, made from what the seat sees.
//!
//! What is shown of a game lies in `scene.rs` (the table), `question.rs` (what is asked), `piece.rs` and `grid.rs` (drawings) and
//! `marks.rs` (what options speak of); `table.rs` plays it, on a thread of its own. Who may come in stands in `links.rs`, what a
//! request must be like in `guard.rs`, what it leads to in `server.rs`, and how connections are kept apart in `listening.rs`. Games that are
//! played beside a table are in `trial.rs`.

mod grid;
mod guard;
mod links;
mod listening;
mod marks;
mod pages;
mod piece;
mod question;
mod scene;
mod server;
mod table;
#[cfg(test)]
mod tests;
mod trial;

use crate::desk::refusal::{Refusal, Unopened};
use crate::desk::seating::Unseated;
use crate::diagnostic::Diagnostics;
use crate::model::Text;
use crate::session::{Game, Setup};
use links::Viewer;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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
    /// Whoever watches.
    Onlooker,
    /// Whoever decides.
    Host,
}

/// Why no table is served.
pub(crate) enum Unserved {
    /// The game is not opened.
    Opened(Unopened),
    /// Nobody can sit down.
    Seated(Unseated),
}

impl From<Unopened> for Unserved {
    fn from(why: Unopened) -> Self {
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

impl From<Unseated> for Unserved {
    fn from(why: Unseated) -> Self {
        Self::Seated(why)
    }
}

/// The name of the only table in addresses.
const ONLY: &str = "table";

/// Opens a table and serves it until it is stopped; `tell` is told of the table and its links once it can be reached.
pub(crate) fn serve(
    opening: Opening,
    host: IpAddr,
    port: u16,
    stop: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(&Opened, &[Link]) -> bool,
) -> Result<(), Unserved> {
    let failed = |error: std::io::Error| {
        let refusal = Refusal::new(format!("`{}` cannot be listened at: {error}", SocketAddr::new(host, port)));
        Unserved::from(refusal.help("another port: `--port N`, or `--port 0` for any that is free"))
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(failed)?;
    let ended = Arc::new(AtomicBool::new(false));
    let result = runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind((host, port)).await.map_err(failed)?;
        let place = listener.local_addr().map_err(failed)?;
        let pages = Arc::new(pages::Pages::new());
        let (table, opened) = table::Table::open(opening, pages.clone(), ended.clone())?;
        let links = links_of(&table.links, &opened, place);
        if tell(&opened, &links) {
            let router = server::router(server::Server::new(pages, vec![(ONLY.to_owned(), table)]));
            listening::serve(listener, router, stop).await;
        }
        Ok(())
    });
    ended.store(true, Ordering::SeqCst);
    runtime.shutdown_background();
    crate::agents::end_programs();
    result
}

/// The links of people, of whoever watches and of the host.
fn links_of(links: &links::Links, opened: &Opened, place: SocketAddr) -> Vec<Link> {
    let link = |(viewer, token): (Viewer, &links::Token)| {
        let who = match viewer {
            Viewer::Seat(seat) if !opened.people.contains(&seat) => return None,
            Viewer::Seat(seat) => Who::Player(opened.names[usize::from(seat)].clone()),
            Viewer::Onlooker => Who::Onlooker,
            Viewer::Host => Who::Host,
        };
        let address = format!("http://{place}/{ONLY}/{}/enter/{}", viewer.path(), token.text());
        Some(Link { who, address })
    };
    links.all().filter_map(link).collect()
}
