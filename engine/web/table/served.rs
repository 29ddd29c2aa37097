//! A table that is served: the threads that play the game and look back, and the requests that are sent to them.

use super::fair_queue::{CloseOnDrop, FairQueue, PushResult};
use super::host::host;
use super::past::HistoryThread;
use super::{Answer, QueuedRequest, Saving, SharedState, Standing, TableRequest};
use crate::desk::refusal::Refusal;
use crate::diagnostic::shown;
use crate::faces::{CardPicture, colors};
use crate::model::{Language, Text};
use crate::phrases::Phrases;
use crate::web::game_watcher::GameWatcher;
use crate::web::links::{Links, Viewer};
use crate::web::pages::Pages;
use crate::web::trial::Trials;
use crate::web::{OpenTable, Reload, ServeError, TableSettings};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Weak};
use tokio::sync::{oneshot, watch};

/// Handle of the threads of a table.
pub(in crate::web) struct Table {
    pub(in crate::web) links: Arc<Links>,
    game: Text,
    names: Vec<String>,
    /// Flag that ends the thread of the game and the subscription to edits.
    stop: Arc<AtomicBool>,
    requests: Arc<FairQueue<QueuedRequest>>,
    /// Requests for the thread that looks back.
    past: Arc<FairQueue<QueuedRequest>>,
    shown: Arc<SharedState>,
    /// Batches that run in the background while the table is open.
    pub(in crate::web) trials: Arc<Trials>,
}

/// A closed table, whose threads may still be running.
pub(in crate::web) struct ClosedTable(Weak<SharedState>);

impl ClosedTable {
    /// Returns whether all threads of the table have ended, so that nobody writes the recording any more.
    pub(in crate::web) fn is_over(&self) -> bool {
        self.0.strong_count() == 0
    }
}

impl Table {
    /// Opens a table. If there is a recording, the table's thread replays it first.
    pub(in crate::web) fn open(
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
        crate::system::thread("table")
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
        crate::system::thread("past")
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
            let request = TableRequest::Saved(Saving(edited));
            // If the table has been closed meanwhile, the message is dropped.
            requests.push_own(QueuedRequest { viewer: Viewer::Host, language: Language::default(), request, reply });
        };
        let unwatched = |error: String| Refusal::new(format!("`{}` cannot be watched: {error}", shown(folder)));
        watcher.subscribe(folder, stop, edited).map_err(unwatched)
    }

    /// Sends a request and waits for its result. Returns `None` if the viewer's queue is full.
    pub(in crate::web) async fn ask(
        &self,
        viewer: Viewer,
        language: Language,
        request: TableRequest,
    ) -> Option<Answer> {
        self.shown.note_visit(viewer);
        let (reply, answer) = oneshot::channel();
        let asks = match &request {
            TableRequest::Log | TableRequest::Moment { .. } | TableRequest::Notes => &self.past,
            // Only a seat that is asked sees options. Other requests are refused without waiting for the thread.
            TableRequest::Why(_) | TableRequest::Find(_)
                if !self.shown.standing().asked.iter().any(|place| Viewer::Seat(*place) == viewer) =>
            {
                return Some(Answer::Refused(Phrases::for_language(language).web.not_asked.to_owned()));
            }
            _ => &self.requests,
        };
        let failed = || Some(Answer::Refused(Phrases::for_language(language).web.table_failed.to_owned()));
        match asks.push(viewer, QueuedRequest { viewer, language, request, reply }) {
            PushResult::Waits => answer.await.ok().or_else(failed),
            PushResult::Full => None,
            // The thread of this table has ended. Other tables are not affected.
            PushResult::Closed => failed(),
        }
    }

    /// Returns the page of a viewer, and renders it at the viewer's first request. Returns `None` if the viewer's queue is full or the
    /// table has failed.
    pub(in crate::web) async fn page(&self, viewer: Viewer, language: Language) -> Option<Arc<str>> {
        self.shown.note_visit(viewer);
        if let Some(page) = self.shown.page(viewer, language) {
            return Some(page);
        }
        self.ask(viewer, language, TableRequest::Page).await?;
        self.shown.page(viewer, language)
    }

    /// Returns the name and the text of the style sheet of faces; `None` before a page in this language has been rendered.
    pub(in crate::web) fn style(&self, language: Language) -> Option<(String, String)> {
        let faces = self.shown.faces().get(language.tag())?.clone();
        Some((faces.style_name(), [faces.style(), &*colors()].concat()))
    }

    /// Returns the picture called `name`, if a rendered face uses it.
    pub(in crate::web) fn picture(&self, name: &str) -> Option<CardPicture> {
        self.shown.faces().values().find_map(|faces| faces.picture(name).cloned())
    }

    /// Returns the title of a page: the viewer and the game.
    pub(in crate::web) fn title(&self, viewer: Viewer, language: Language) -> String {
        super::title(&self.game, &self.names, viewer, language)
    }

    /// Returns the names of the players, in the order of their places.
    pub(in crate::web) fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the summary of the game.
    pub(in crate::web) fn standing(&self) -> Standing {
        self.shown.standing().clone()
    }

    /// Closes the table and stops its batches. The recording contains the game up to the last choice.
    pub(in crate::web) fn close(&self) -> ClosedTable {
        self.stop.store(true, Ordering::SeqCst);
        self.trials.stop();
        self.requests.close();
        self.past.close();
        ClosedTable(Arc::downgrade(&self.shown))
    }

    /// Returns the version of a viewer's page: the number of its changes.
    pub(in crate::web) fn version(&self, viewer: Viewer) -> u64 {
        self.shown.changes.get(&viewer).map_or(0, |changes| *changes.borrow())
    }

    /// Subscribes to changes of a viewer's page.
    pub(in crate::web) fn changes(&self, viewer: Viewer) -> Option<watch::Receiver<u64>> {
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
    use std::collections::BTreeMap;
    use std::sync::Mutex;

    #[test]
    fn requests_to_a_table_with_a_failed_thread_are_refused() {
        let folder = Path::new(env!("OUT_DIR")).join("failed-table");
        std::fs::create_dir_all(&folder).unwrap();
        let game = crate::load(Path::new("examples/games/tic-tac-toe")).unwrap();
        let setup = Setup::seats(2);
        let name = game.layout(&setup).unwrap().model.name.clone();
        let links = Links::of(&folder.join("kept.play"), vec!["Ann".to_owned(), "Ben".to_owned()])
            .unwrap_or_else(|why| panic!("{}", why.message));
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
        for request in [TableRequest::Page, TableRequest::Log] {
            let answer = runtime.block_on(table.ask(Viewer::Host, Language::English, request));
            assert!(matches!(&answer, Some(Answer::Refused(why)) if why.contains("has stopped")), "{answer:?}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
