//! One table: a thread that plays a game, and the pages of its viewers.
//!
//! The session belongs to the thread (`host.rs`). Requests that change something are sent to this thread. Requests that only read are
//! answered with the page that was rendered last, so that nobody waits while an agent thinks. A second thread (`past.rs`) looks back at
//! earlier moments. A viewer is notified only if the viewer's own page has changed. The other files contain the tasks of the first thread:
//! rendering, undo, edited files, seats, held answers.

mod beats;
mod fair_queue;
mod held_answers;
mod host;
#[cfg(not(feature = "system"))]
mod local;
mod log_lines;
mod past;
mod places;
mod saved;
mod seats;
#[cfg(feature = "web")]
mod served;
mod showing;
mod tokens;
mod undo;

use super::Reload;
use super::clock::Instant;
use super::links::Viewer;
use crate::desk::thinking::AgentChoice;
use crate::faces::{Addresses, CardPicture, Faces};
use crate::model::{Language, Text};
use crate::phrases::Phrases;
use crate::session::{Game, Session};
#[cfg(test)]
pub(super) use beats::playback;
#[cfg(not(feature = "system"))]
pub(super) use local::LocalTable;
use past::GameHistory;
pub(super) use seats::offered_agents;
#[cfg(feature = "web")]
pub(super) use served::{ClosedTable, Table};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{oneshot, watch};

/// Request of a viewer, or a message of the table's own threads.
#[derive(Debug)]
pub(super) enum TableRequest {
    /// Render the page for the first time.
    Page,
    /// Choose the option at an index.
    Choose { question: String, at: usize },
    /// Choose a number.
    Number { question: String, number: i64 },
    /// Take back the last pick.
    TakeBack { question: String },
    /// Explain why an option is not offered.
    Why(String),
    /// Find options that match a text, if there are too many to list.
    Find(String),
    /// Show the whole log.
    Log,
    /// Show the table at a moment, by default the last one. For the host, `seat` selects the seat whose view is shown.
    Moment { at: Option<usize>, seat: Option<u8> },
    /// Take back the last choice.
    Undo { token: String },
    /// Allow another player to take back a choice, or refuse.
    Agree { is_so: bool, token: String },
    /// Add a note.
    Note(String),
    /// Show the notes.
    Notes,
    /// Adopt new rules up to the first choice that is not valid under them, or keep the old ones.
    Rules { is_new: bool, token: String },
    /// The game's files were saved. Sent by the file watcher.
    Saved(Saving),
    /// An agent has chosen. Sent by the thread of the agents.
    Thought(AgentChoice),
    /// Start the next game of the campaign.
    Follow { token: String },
    /// Play again with the same options. If seats rotate, each player moves to the previous seat.
    Again { token: String },
    /// Give a seat to an agent or a person.
    Give { seat: u8, agent: String, token: String },
}

/// Result of reloading a game after an edit.
pub(super) struct Saving(Reload);

impl std::fmt::Debug for Saving {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Saving").field(&self.0.is_ok()).finish()
    }
}

/// Returns the title of a viewer's page: the viewer and the game.
fn title(game: &Text, names: &[String], viewer: Viewer, language: Language) -> String {
    let web = &Phrases::for_language(language).web;
    let whose = match viewer {
        Viewer::Seat(seat) => names.get(usize::from(seat)).map_or("", String::as_str),
        Viewer::Onlooker => web.onlooker,
        Viewer::Host => web.host,
    };
    format!("{whose} · {}", game.get(language))
}

/// Result of a request.
#[derive(Debug)]
pub(super) enum Answer {
    /// The request was carried out, or there was nothing to do. The page shows the result.
    Done,
    /// HTML of a part of a page.
    Html(String),
    /// The request was refused, for this reason.
    Refused(String),
}

/// A queued request with the channel for its answer.
struct QueuedRequest {
    viewer: Viewer,
    language: Language,
    request: TableRequest,
    reply: oneshot::Sender<Answer>,
}

/// State shared by the threads of a table and the request handlers.
struct SharedState {
    pages: Mutex<BTreeMap<(Viewer, &'static str), Arc<str>>>,
    /// Faces by language, rendered when they are first shown.
    faces: Mutex<BTreeMap<&'static str, Arc<Faces>>>,
    /// Everything that determines the game so far.
    played: Mutex<Option<GameHistory>>,
    /// Summary of the game, for the lobby.
    standing: Mutex<Standing>,
    /// Time of each viewer's last request.
    visits: Mutex<BTreeMap<Viewer, Instant>>,
    changes: BTreeMap<Viewer, watch::Sender<u64>>,
}

/// Time after the last request during which a viewer without an open page still counts as present.
const PRESENCE_TIMEOUT: Duration = Duration::from_mins(10);

/// Summary of a game, for the lobby.
#[derive(Debug, Clone, Default)]
pub(super) struct Standing {
    /// Name of the agent at each place, or of the automa that the rules play; `None` for a person.
    pub(super) agents: Vec<Option<String>>,
    /// Places of the people who are asked.
    asked: Vec<u8>,
    /// Number of answers in the game, without those that are still hidden.
    pub(super) choices: usize,
    /// Whether the game is over.
    pub(super) is_over: bool,
}

impl SharedState {
    fn faces(&self) -> MutexGuard<'_, BTreeMap<&'static str, Arc<Faces>>> {
        self.faces.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn played(&self) -> MutexGuard<'_, Option<GameHistory>> {
        self.played.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn standing(&self) -> MutexGuard<'_, Standing> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the faces in a language. Renders them once per language and version of the game.
    fn faces_of(&self, (number, game): &(u64, Game), session: &Session, language: Language) -> Arc<Faces> {
        let known = self.faces().get(language.tag()).cloned();
        known.unwrap_or_else(|| {
            let read = |name: &str| game.picture(name, CardPicture::LARGEST);
            // If an edit does not affect play, the session may still have the model from before the edit. The faces are therefore made from
            // the current files.
            let layout = game.layout(session.setup());
            let model = layout.as_ref().map_or_else(|_| session.model(), |layout| &layout.model);
            let faces = Arc::new(Faces::new(model, language, &Addresses::Below("picture/".to_owned()), &read));
            // `HistoryThread` may still use the replaced rules. Then it must not store their faces.
            if self.played().as_ref().is_none_or(|played| played.game.0 == *number) {
                self.faces().insert(language.tag(), faces.clone());
            }
            faces
        })
    }

    /// Records the time of a viewer's request.
    fn note_visit(&self, viewer: Viewer) {
        self.visits.lock().unwrap_or_else(PoisonError::into_inner).insert(viewer, Instant::now());
    }

    /// Returns whether the page of a viewer is open, or the viewer's last request is more recent than [`PRESENCE_TIMEOUT`].
    fn is_there(&self, viewer: Viewer) -> bool {
        let is_open = self.changes.get(&viewer).is_some_and(|changes| changes.receiver_count() > 0);
        let visits = self.visits.lock().unwrap_or_else(PoisonError::into_inner);
        is_open || visits.get(&viewer).is_some_and(|last| last.elapsed() < PRESENCE_TIMEOUT)
    }

    fn page(&self, viewer: Viewer, language: Language) -> Option<Arc<str>> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner).get(&(viewer, language.tag())).cloned()
    }
}
