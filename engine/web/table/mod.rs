//! One table: a thread that plays a game, and what its viewers are shown of it.
//!
//! A session belongs to its thread. A viewer who wants something asks the thread; one who only looks is shown the page that was made
//! last, so that nobody waits while an agent thinks. A viewer gets a change only where its page has changed. The thread is
//! `host.rs`; beside it stands each of the things that it does: what is shown, looking back, taking back, files that are saved, seats.

mod fair_queue;
mod host;
mod past;
mod saved;
mod seats;
mod showing;
mod tokens;
mod undo;

use super::folders::{Edited, Folders};
use super::links::{Links, Viewer};
use super::pages::Pages;
use super::trial::Trials;
use super::{Opened, Opening, Unserved};
use crate::desk::refusal::Refusal;
use crate::desk::thinking::Thought;
use crate::diagnostic::shown;
use crate::faces::{Addresses, CardPicture, Faces, colors};
use crate::model::{Language, Seat, Text};
use crate::phrases::Phrases;
use crate::session::{Game, Session};
use fair_queue::{CloseOnDrop, FairQueue, Pushed};
use host::host;
use past::{Past, Played};
pub(super) use seats::offered_agents;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{oneshot, watch};
use tokio::time::Instant;

/// What a viewer wants of a table.
#[derive(Debug)]
pub(super) enum Wish {
    /// The page, which has not been made yet.
    Page,
    /// To choose the option at a position, of a question.
    Choose { question: String, at: usize },
    /// To choose a number.
    Number { question: String, number: i64 },
    /// To take the last pick back.
    TakeBack { question: String },
    /// To know why something is not offered.
    Why(String),
    /// The log from the beginning.
    Log,
    /// The table as it was at a moment; the last one where none is said. The host may wish to see it as a seat did.
    Moment { at: Option<usize>, seat: Option<u8> },
    /// To take back the last choice.
    Undo { token: String },
    /// To let another player take back a choice, or not.
    Agree { is_so: bool, token: String },
    /// To write something down.
    Note(String),
    /// What was written down.
    Notes,
    /// To go on by the new rules from where a choice does not hold, or by the old ones.
    Rules { is_new: bool, token: String },
    /// The files of the game have been saved: nobody outside wishes that.
    Saved(Saving),
    /// What an agent has thought of: nobody outside wishes that either.
    Thought(Thought),
    /// To go on with the game that follows in the campaign.
    Follow { token: String },
    /// To give a seat to an agent, or to a person.
    Give { seat: u8, agent: String, token: String },
}

/// A game as it was saved.
pub(super) struct Saving(Edited);

impl std::fmt::Debug for Saving {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Saving").field(&self.0.is_ok()).finish()
    }
}

/// What came of it.
#[derive(Debug)]
pub(super) enum Answer {
    /// It is done: the page shows it.
    Done,
    /// A part of a page.
    Html(String),
    /// It is not done.
    Refused(String),
}

/// A viewer's wish.
struct Request {
    viewer: Viewer,
    language: Language,
    wish: Wish,
    reply: oneshot::Sender<Answer>,
}

/// A table as the server knows it.
pub(super) struct Table {
    pub(super) links: Arc<Links>,
    game: Text,
    names: Vec<String>,
    /// Ends its threads.
    stop: Arc<AtomicBool>,
    requests: Arc<FairQueue<Request>>,
    /// To the thread that looks back.
    past: Arc<FairQueue<Request>>,
    shown: Arc<Shown>,
    /// What is played beside it.
    pub(super) trials: Arc<Trials>,
}

/// What viewers are shown.
struct Shown {
    pages: Mutex<BTreeMap<(Viewer, &'static str), Arc<str>>>,
    /// What the components of the game look like, by language; made when they are first shown.
    faces: Mutex<BTreeMap<&'static str, Arc<Faces>>>,
    /// The game as far as it was played.
    played: Mutex<Option<Played>>,
    /// Where the game stands.
    standing: Mutex<Standing>,
    /// When each viewer last asked for something.
    visits: Mutex<BTreeMap<Viewer, Instant>>,
    changes: BTreeMap<Viewer, watch::Sender<u64>>,
}

/// A viewer whose page is not open is there for so long after it asked for something.
const STAYS: Duration = Duration::from_mins(10);

/// Where a game stands, for those who do not sit at its table.
#[derive(Debug, Clone, Default)]
pub(super) struct Standing {
    /// Who sits in each seat: an agent by its name, or nobody but a person.
    pub(super) agents: Vec<Option<String>>,
    /// The person who is asked.
    asked: Option<Seat>,
    /// How many choices were made.
    pub(super) choices: usize,
    /// Whether the game is over.
    pub(super) is_over: bool,
}

impl Shown {
    fn faces(&self) -> MutexGuard<'_, BTreeMap<&'static str, Arc<Faces>>> {
        self.faces.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn played(&self) -> MutexGuard<'_, Option<Played>> {
        self.played.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn standing(&self) -> MutexGuard<'_, Standing> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What components look like: made once for each language, and anew when other rules are played by.
    fn faces_of(&self, (number, game): &(u64, Game), session: &Session, language: Language) -> Arc<Faces> {
        let known = self.faces().get(language.tag()).cloned();
        known.unwrap_or_else(|| {
            let read = |name: &str| game.picture(name, CardPicture::LARGEST);
            // A session may go by the model of other files by which the same is played: only their faces differ.
            let layout = game.layout(session.setup());
            let model = layout.as_ref().map_or_else(|_| session.model(), |layout| &layout.model);
            let faces = Arc::new(Faces::new(model, language, &Addresses::Below("picture/".to_owned()), &read));
            // What looks back at rules that are gone does not leave their faces here.
            if self.played().as_ref().is_none_or(|played| played.game.0 == *number) {
                self.faces().insert(language.tag(), faces.clone());
            }
            faces
        })
    }

    /// A viewer has asked for something.
    fn note_visit(&self, viewer: Viewer) {
        self.visits.lock().unwrap_or_else(PoisonError::into_inner).insert(viewer, Instant::now());
    }

    /// Whether a viewer has its page open, or has asked for something of late.
    fn is_there(&self, viewer: Viewer) -> bool {
        let is_open = self.changes.get(&viewer).is_some_and(|changes| changes.receiver_count() > 0);
        let visits = self.visits.lock().unwrap_or_else(PoisonError::into_inner);
        is_open || visits.get(&viewer).is_some_and(|last| last.elapsed() < STAYS)
    }

    fn page(&self, viewer: Viewer, language: Language) -> Option<Arc<str>> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner).get(&(viewer, language.tag())).cloned()
    }
}

/// A table that was closed: its thread may not know yet.
pub(super) struct Closing(Weak<Shown>);

impl Closing {
    /// Whether nobody writes into its file any more.
    pub(super) fn is_over(&self) -> bool {
        self.0.strong_count() == 0
    }
}

impl Table {
    /// Opens a table: its thread brings the game to where it stands.
    pub(super) fn open(opening: Opening, pages: Arc<Pages>, folders: &Folders) -> Result<(Self, Opened), Unserved> {
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
                Past::new(pages_of_past, seen).run(&inbox.0);
            })
            .map_err(|error| Refusal::new(format!("no table can be opened: {error}")))?;
        let table = Self { links: Arc::new(links), game, names, stop: stop.clone(), requests, past, shown, trials };
        if let Some(folder) = folder {
            table.follow(folders, &folder, stop)?;
        }
        Ok((table, opened))
    }

    /// Tells the table whenever files of its game are saved.
    fn follow(&self, folders: &Folders, folder: &Path, stop: Arc<AtomicBool>) -> Result<(), Refusal> {
        let requests = self.requests.clone();
        let edited = move |edited: Edited| {
            let (reply, _) = oneshot::channel();
            let wish = Wish::Saved(Saving(edited));
            // A table that is closed meanwhile needs to know of no files.
            requests.push_own(Request { viewer: Viewer::Host, language: Language::default(), wish, reply });
        };
        let unwatched = |error: String| Refusal::new(format!("`{}` cannot be watched: {error}", shown(folder)));
        folders.follow(folder, stop, edited).map_err(unwatched)
    }

    /// Asks for something, and waits for what comes of it.
    pub(super) async fn ask(&self, viewer: Viewer, language: Language, wish: Wish) -> Option<Answer> {
        self.shown.note_visit(viewer);
        let (reply, answer) = oneshot::channel();
        let asks = match &wish {
            Wish::Log | Wish::Moment { .. } | Wish::Notes => &self.past,
            // Nobody else sees why something is not offered, and has to wait for that.
            Wish::Why(_) if self.shown.standing().asked.map(|seat| Viewer::Seat(seat.0)) != Some(viewer) => {
                return Some(Answer::Refused(Phrases::of(language).web.not_asked.to_owned()));
            }
            _ => &self.requests,
        };
        let failed = || Some(Answer::Refused(Phrases::of(language).web.table_failed.to_owned()));
        match asks.push(viewer, Request { viewer, language, wish, reply }) {
            Pushed::Waits => answer.await.ok().or_else(failed),
            Pushed::Full => None,
            // Its thread is gone: other tables go on.
            Pushed::Closed => failed(),
        }
    }

    /// The table as a viewer sees it.
    pub(super) async fn page(&self, viewer: Viewer, language: Language) -> Option<Arc<str>> {
        self.shown.note_visit(viewer);
        if let Some(page) = self.shown.page(viewer, language) {
            return Some(page);
        }
        self.ask(viewer, language, Wish::Page).await?;
        self.shown.page(viewer, language)
    }

    /// The stylesheet of faces, and what it is called.
    pub(super) fn style(&self, language: Language) -> Option<(String, String)> {
        let faces = self.shown.faces().get(language.tag())?.clone();
        Some((faces.style_name(), [faces.style(), &*colors()].concat()))
    }

    /// A picture that faces show, by its name.
    pub(super) fn picture(&self, name: &str) -> Option<CardPicture> {
        self.shown.faces().values().find_map(|faces| faces.picture(name).cloned())
    }

    /// What a page is called: whose it is, and the game.
    pub(super) fn title(&self, viewer: Viewer, language: Language) -> String {
        let web = &Phrases::of(language).web;
        let whose = match viewer {
            Viewer::Seat(seat) => self.names.get(usize::from(seat)).map_or("", String::as_str),
            Viewer::Onlooker => web.onlooker,
            Viewer::Host => web.host,
        };
        format!("{whose} · {}", self.game.get(language))
    }

    /// What the players are called.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// Where the game stands.
    pub(super) fn standing(&self) -> Standing {
        self.shown.standing().clone()
    }

    /// Ends it, once nobody asks it any more: its game is kept up to the last choice.
    pub(super) fn close(&self) -> Closing {
        self.stop.store(true, Ordering::SeqCst);
        self.trials.stop();
        self.requests.close();
        self.past.close();
        Closing(Arc::downgrade(&self.shown))
    }

    /// When the page of a viewer changes.
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
        let shown = Shown {
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
        for wish in [Wish::Page, Wish::Log] {
            let answer = runtime.block_on(table.ask(Viewer::Host, Language::English, wish));
            assert!(matches!(&answer, Some(Answer::Refused(why)) if why.contains("has stopped")), "{answer:?}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
