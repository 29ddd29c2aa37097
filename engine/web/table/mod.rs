//! One table: a thread that plays a game, and the pages of its viewers.
//!
//! The session belongs to the thread (`host.rs`). Requests that change something are sent to it; requests that only look are answered with
//! the page that was rendered last, so that nobody waits while an agent thinks. A viewer is notified only if its own page has changed.
//! The other files do the thread's tasks: rendering, looking back, undo, edited files, seats, held answers.

mod beats;
mod fair_queue;
mod held_answers;
mod host;
mod log_lines;
mod past;
mod saved;
mod seats;
mod showing;
mod tokens;
mod undo;

use super::game_watcher::{GameWatcher, Reload};
use super::links::{Links, Viewer};
use super::pages::Pages;
use super::trial::Trials;
use super::{OpenTable, ServeError, TableSettings};
use crate::desk::refusal::Refusal;
use crate::desk::thinking::AgentChoice;
use crate::diagnostic::shown;
use crate::faces::{Addresses, CardPicture, Faces, colors};
use crate::model::{Language, Seat, Text};
use crate::phrases::Phrases;
use crate::session::{Game, Session};
#[cfg(test)]
pub(super) use beats::playback;
use fair_queue::{CloseOnDrop, FairQueue, PushResult};
use host::host;
use past::{GameHistory, HistoryThread};
pub(super) use seats::offered_agents;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{oneshot, watch};
use tokio::time::Instant;

/// Request of a viewer, or a message of the table's own threads.
#[derive(Debug)]
pub(super) enum TableRequest {
    /// Render the page for the first time.
    Page,
    /// Choose the option at an index.
    Choose { question: String, at: usize },
    /// Choose a number.
    Number { question: String, number: i64 },
    /// Take the last pick back.
    TakeBack { question: String },
    /// Explain why something is not offered.
    Why(String),
    /// Find options by a text, if there are too many to list.
    Find(String),
    /// Show the whole log.
    Log,
    /// Show the table at a moment, by default the last one. The host may ask for the view of a seat.
    Moment { at: Option<usize>, seat: Option<u8> },
    /// Take back the last choice.
    Undo { token: String },
    /// Agree that another player takes back a choice, or refuse.
    Agree { is_so: bool, token: String },
    /// Add a note.
    Note(String),
    /// Show the notes.
    Notes,
    /// Adopt new rules up to the first choice that does not hold under them, or keep the old ones.
    Rules { is_new: bool, token: String },
    /// The game's files were saved. Sent by the file watcher.
    Saved(Saving),
    /// An agent has chosen. Sent by the agents' thread.
    Thought(AgentChoice),
    /// Start the next game of the campaign.
    Follow { token: String },
    /// Give a seat to an agent or a person.
    Give { seat: u8, agent: String, token: String },
}

/// A reloaded game.
pub(super) struct Saving(Reload);

impl std::fmt::Debug for Saving {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Saving").field(&self.0.is_ok()).finish()
    }
}

/// Result of a request.
#[derive(Debug)]
pub(super) enum Answer {
    /// Done. The page shows the result.
    Done,
    /// A part of a page.
    Html(String),
    /// Refused, with the reason.
    Refused(String),
}

/// A queued request with the channel for its answer.
struct Request {
    viewer: Viewer,
    language: Language,
    wish: TableRequest,
    reply: oneshot::Sender<Answer>,
}

/// Handle of a table's threads.
pub(super) struct Table {
    pub(super) links: Arc<Links>,
    game: Text,
    names: Vec<String>,
    /// Set to end the threads.
    stop: Arc<AtomicBool>,
    requests: Arc<FairQueue<Request>>,
    /// Requests for the thread that looks back.
    past: Arc<FairQueue<Request>>,
    shown: Arc<SharedState>,
    /// Batches that run beside the table.
    pub(super) trials: Arc<Trials>,
}

/// State that the threads share with request handlers.
struct SharedState {
    pages: Mutex<BTreeMap<(Viewer, &'static str), Arc<str>>>,
    /// Faces by language, rendered when they are first shown.
    faces: Mutex<BTreeMap<&'static str, Arc<Faces>>>,
    /// Everything that determines the game so far.
    played: Mutex<Option<GameHistory>>,
    /// Summary of the game for others than its viewers.
    standing: Mutex<Standing>,
    /// Time of each viewer's last request.
    visits: Mutex<BTreeMap<Viewer, Instant>>,
    changes: BTreeMap<Viewer, watch::Sender<u64>>,
}

/// How long a viewer without an open page counts as present after its last request.
const STAYS: Duration = Duration::from_mins(10);

/// Summary of a game, for the lobby.
#[derive(Debug, Clone, Default)]
pub(super) struct Standing {
    /// Name of each seat's agent; `None` for a person.
    pub(super) agents: Vec<Option<String>>,
    /// Seats of the people who are asked.
    asked: Vec<Seat>,
    /// Number of choices, without answers that are still hidden.
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
            // The session may still have the model of earlier files that play the same, so the faces are made from the
            // current files.
            let layout = game.layout(session.setup());
            let model = layout.as_ref().map_or_else(|_| session.model(), |layout| &layout.model);
            let faces = Arc::new(Faces::new(model, language, &Addresses::Below("picture/".to_owned()), &read));
            // While the thread that looks back still has replaced rules, it must not store their faces.
            if self.played().as_ref().is_none_or(|played| played.game.0 == *number) {
                self.faces().insert(language.tag(), faces.clone());
            }
            faces
        })
    }

    /// Records a request of a viewer.
    fn note_visit(&self, viewer: Viewer) {
        self.visits.lock().unwrap_or_else(PoisonError::into_inner).insert(viewer, Instant::now());
    }

    /// Returns whether a viewer has its page open or has sent a request lately.
    fn is_there(&self, viewer: Viewer) -> bool {
        let is_open = self.changes.get(&viewer).is_some_and(|changes| changes.receiver_count() > 0);
        let visits = self.visits.lock().unwrap_or_else(PoisonError::into_inner);
        is_open || visits.get(&viewer).is_some_and(|last| last.elapsed() < STAYS)
    }

    fn page(&self, viewer: Viewer, language: Language) -> Option<Arc<str>> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner).get(&(viewer, language.tag())).cloned()
    }
}

/// A closed table, whose thread may still be running.
pub(super) struct ClosedTable(Weak<SharedState>);

impl ClosedTable {
    /// Returns whether the thread has ended, so that nobody writes the file any more.
    pub(super) fn is_over(&self) -> bool {
        self.0.strong_count() == 0
    }
}

impl Table {
    /// Opens a table. Its thread replays the recording first, if there is one.
    pub(super) fn open(
        opening: TableSettings,
        pages: Arc<Pages>,
        watcher: &GameWatcher,
    ) -> Result<(Self, OpenTable), ServeError> {
        let stop = Arc::new(AtomicBool::new(false));
        let pages_of_past = pages.clone();
        let (folder, ended) = (opening.folder.clone(), stop.clone());
        let requests = Arc::new(FairQueue::new());
        let inbox = requests.clone();
        let (opened_to, answer) = sync_channel(1);
        std::thread::Builder::new()
            .name("table".to_owned())
            .spawn(move || {
                let inbox = CloseOnDrop(inbox);
                host(opening, pages, &inbox.0, &ended, &opened_to);
            })
            .map_err(|error| Refusal::new(format!("no table can be opened: {error}")))?;
        let gone = || Refusal::new("the table was closed while it was opened");
        let (links, shown, trials, opened) = answer.recv().map_err(|_| gone())??;
        let (game, names) = (opened.game.clone(), opened.names.clone());
        let past = Arc::new(FairQueue::new());
        let looks_back = past.clone();
        let seen = shown.clone();
        std::thread::Builder::new()
            .name("past".to_owned())
            .spawn(move || {
                let inbox = CloseOnDrop(looks_back);
                HistoryThread::new(pages_of_past, seen).run(&inbox.0);
            })
            .map_err(|error| Refusal::new(format!("no table can be opened: {error}")))?;
        let table = Self { links: Arc::new(links), game, names, stop: stop.clone(), requests, past, shown, trials };
        if let Some(folder) = folder {
            table.subscribe(watcher, &folder, stop)?;
        }
        Ok((table, opened))
    }

    /// Subscribes the table to edits of its game's files.
    fn subscribe(&self, watcher: &GameWatcher, folder: &Path, stop: Arc<AtomicBool>) -> Result<(), Refusal> {
        let requests = self.requests.clone();
        let edited = move |edited: Reload| {
            let (reply, _) = oneshot::channel();
            let wish = TableRequest::Saved(Saving(edited));
            // If the table has been closed meanwhile, the message is dropped.
            requests.push_own(Request { viewer: Viewer::Host, language: Language::default(), wish, reply });
        };
        let unwatched = |error: String| Refusal::new(format!("`{}` cannot be watched: {error}", shown(folder)));
        watcher.subscribe(folder, stop, edited).map_err(unwatched)
    }

    /// Sends a request and waits for its result. Returns `None` if the viewer's queue is full.
    pub(super) async fn ask(&self, viewer: Viewer, language: Language, wish: TableRequest) -> Option<Answer> {
        self.shown.note_visit(viewer);
        let (reply, answer) = oneshot::channel();
        let asks = match &wish {
            TableRequest::Log | TableRequest::Moment { .. } | TableRequest::Notes => &self.past,
            // Only a seat that is asked sees options. Other requests are refused without waiting for the thread.
            TableRequest::Why(_) | TableRequest::Find(_)
                if !self.shown.standing().asked.iter().any(|seat| Viewer::Seat(seat.0) == viewer) =>
            {
                return Some(Answer::Refused(Phrases::for_language(language).web.not_asked.to_owned()));
            }
            _ => &self.requests,
        };
        let failed = || Some(Answer::Refused(Phrases::for_language(language).web.table_failed.to_owned()));
        match asks.push(viewer, Request { viewer, language, wish, reply }) {
            PushResult::Waits => answer.await.ok().or_else(failed),
            PushResult::Full => None,
            // The thread of this table has ended. Other tables are not affected.
            PushResult::Closed => failed(),
        }
    }

    /// Returns the page of a viewer.
    pub(super) async fn page(&self, viewer: Viewer, language: Language) -> Option<Arc<str>> {
        self.shown.note_visit(viewer);
        if let Some(page) = self.shown.page(viewer, language) {
            return Some(page);
        }
        self.ask(viewer, language, TableRequest::Page).await?;
        self.shown.page(viewer, language)
    }

    /// Returns the name and the text of the style sheet of faces.
    pub(super) fn style(&self, language: Language) -> Option<(String, String)> {
        let faces = self.shown.faces().get(language.tag())?.clone();
        Some((faces.style_name(), [faces.style(), &*colors()].concat()))
    }

    /// Returns a picture of a face by its name.
    pub(super) fn picture(&self, name: &str) -> Option<CardPicture> {
        self.shown.faces().values().find_map(|faces| faces.picture(name).cloned())
    }

    /// Returns the title of a page: the viewer and the game.
    pub(super) fn title(&self, viewer: Viewer, language: Language) -> String {
        let web = &Phrases::for_language(language).web;
        let whose = match viewer {
            Viewer::Seat(seat) => self.names.get(usize::from(seat)).map_or("", String::as_str),
            Viewer::Onlooker => web.onlooker,
            Viewer::Host => web.host,
        };
        format!("{whose} · {}", self.game.get(language))
    }

    /// Returns the names of the players.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the summary of the game.
    pub(super) fn standing(&self) -> Standing {
        self.shown.standing().clone()
    }

    /// Closes the table. The recording has the game up to the last choice.
    pub(super) fn close(&self) -> ClosedTable {
        self.stop.store(true, Ordering::SeqCst);
        self.trials.stop();
        self.requests.close();
        self.past.close();
        ClosedTable(Arc::downgrade(&self.shown))
    }

    /// Subscribes to changes of a viewer's page.
    pub(super) fn changes(&self, viewer: Viewer) -> Option<watch::Receiver<u64>> {
        Some(self.shown.changes.get(&viewer)?.subscribe())
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        self.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Setup;

    #[test]
    fn a_table_whose_thread_has_failed_says_so() {
        let folder = Path::new(env!("OUT_DIR")).join("failed-table");
        std::fs::create_dir_all(&folder).unwrap();
        let game = crate::load(Path::new("examples/games/tic-tac-toe")).unwrap();
        let setup = Setup::seats(2);
        let name = game.layout(&setup).unwrap().model.name.clone();
        let links = Links::of(&folder.join("kept.play"), 2).unwrap_or_else(|why| panic!("{}", why.message));
        let [requests, past] = [(); 2].map(|()| Arc::new(FairQueue::new()));
        drop([&requests, &past].map(|queue| CloseOnDrop(queue.clone())));
        let shown = SharedState {
            pages: Mutex::default(),
            faces: Mutex::default(),
            played: Mutex::default(),
            standing: Mutex::default(),
            visits: Mutex::default(),
            changes: BTreeMap::new(),
        };
        let table = Table {
            links: Arc::new(links),
            game: name,
            names: Vec::new(),
            stop: Arc::default(),
            requests,
            past,
            shown: Arc::new(shown),
            trials: Arc::new(Trials::new(game, setup, None)),
        };
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
        for wish in [TableRequest::Page, TableRequest::Log] {
            let answer = runtime.block_on(table.ask(Viewer::Host, Language::English, wish));
            assert!(matches!(&answer, Some(Answer::Refused(why)) if why.contains("has stopped")), "{answer:?}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
