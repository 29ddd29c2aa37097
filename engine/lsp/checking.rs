//! Games are checked beside the conversation: what is found is reported to the editor as soon as it is known.

use super::convert;
use super::documents::Documents;
use super::position::Encoding;
use super::uri::uri_of;
use crate::agents;
use crate::diagnostic::{Diagnostic, Diagnostics, Source};
use crate::ide;
use crate::loader::Files;
use crate::playscript::{Cast, unknown_game};
use crate::session::Game;
use lsp_server::{Message, Notification, Request, RequestId};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Rules of games may lie deep in each other: as much stack as the program has for them elsewhere would not do in a thread.
pub(super) const STACK: usize = 64 << 20;

/// How long a check waits for more keystrokes.
const PAUSE: Duration = Duration::from_millis(10);

/// How long plays that are not open wait for more keystrokes before they are looked at: what is written next is to be looked at at once.
const CALM: Duration = Duration::from_millis(150);

/// How long plays wait for more keystrokes before they are run.
const REST: Duration = Duration::from_millis(300);

/// How a scene came out: what it did, or why it failed.
pub(super) type Outcome = (Option<String>, Result<String, String>);

/// What is known of games.
#[derive(Default)]
pub(super) struct Shared {
    /// By their folders.
    pub games: BTreeMap<PathBuf, Checked>,
}

/// What is known of a game.
#[derive(Default)]
pub(super) struct Checked {
    /// The game when it could last be played.
    pub game: Option<Game>,
    /// Whether it can be played as it is.
    is_well: bool,
    /// What is wrong with it.
    pub found: Vec<Diagnostic>,
    /// What is wrong with its plays, by their paths.
    pub plays: BTreeMap<String, Vec<Diagnostic>>,
    /// How the scenes of plays came out, by their paths.
    pub scenes: BTreeMap<String, Vec<Outcome>>,
    /// What did not hold in these.
    pub failures: BTreeMap<String, Vec<Diagnostic>>,
}

/// A game to be checked.
struct Job {
    folder: PathBuf,
    files: Result<Files, Diagnostics>,
    /// The plays that are open.
    open: Vec<String>,
    number: u64,
}

impl Job {
    fn plays(&self) -> impl Iterator<Item = &Arc<Source>> {
        self.files.iter().flat_map(|files| &files.plays)
    }
}

/// Tells the editor something.
pub(super) type Editor = Arc<dyn Fn(Message) + Send + Sync>;

/// Checks games on a thread of its own.
pub(super) struct Checker {
    jobs: Sender<Job>,
    newest: Arc<AtomicU64>,
    editor: Editor,
}

impl Checker {
    /// Begins to check.
    ///
    /// # Errors
    /// That there is no thread for it.
    pub(super) fn start(
        editor: Editor,
        shared: Arc<Mutex<Shared>>,
        encoding: Encoding,
        can_refresh: bool,
    ) -> io::Result<Self> {
        let (jobs, waiting) = channel();
        let newest = Arc::new(AtomicU64::new(0));
        let worker = Worker {
            editor: editor.clone(),
            shared,
            encoding,
            can_refresh,
            newest: newest.clone(),
            reported: BTreeMap::new(),
            refreshes: 0,
        };
        thread::Builder::new().name("checker".to_owned()).stack_size(STACK).spawn(move || worker.work(&waiting))?;
        Ok(Self { jobs, newest, editor })
    }

    /// Shows the author the result of a command.
    pub(super) fn show(&self, text: &str) {
        let params = json!({ "type": 3, "message": text });
        (self.editor)(Notification::new("window/showMessage".to_owned(), params).into());
    }

    /// Has a game checked as it is now.
    pub(super) fn check(&self, folder: &Path, documents: &Documents) {
        let number = self.newest.fetch_add(1, Ordering::Relaxed) + 1;
        let broken = documents.broken(folder).cloned().map(Err);
        let Some(files) = broken.or_else(|| documents.files(folder)) else { return };
        let open = documents.open_plays(folder);
        // The thread ends with the program.
        let _ = self.jobs.send(Job { folder: folder.to_path_buf(), files, open, number });
    }
}

struct Worker {
    editor: Editor,
    shared: Arc<Mutex<Shared>>,
    encoding: Encoding,
    can_refresh: bool,
    newest: Arc<AtomicU64>,
    /// The files of which something was reported.
    reported: BTreeMap<PathBuf, BTreeSet<String>>,
    refreshes: i32,
}

impl Worker {
    fn work(mut self, waiting: &Receiver<Job>) {
        while let Ok(first) = waiting.recv() {
            // The last of what comes at once stands for all; each game keeps its own.
            let mut jobs: BTreeMap<PathBuf, Job> = BTreeMap::from([(first.folder.clone(), first)]);
            while let Ok(next) = waiting.recv_timeout(PAUSE) {
                jobs.insert(next.folder.clone(), next);
                if jobs.len() > 64 {
                    break;
                }
            }
            let mut rest: Vec<Job> = Vec::new();
            for job in jobs.into_values() {
                if catch_unwind(AssertUnwindSafe(|| self.check(&job))).is_ok() {
                    rest.push(job);
                }
            }
            for job in rest {
                let _ = catch_unwind(AssertUnwindSafe(|| self.check_plays(&job)));
                let _ = catch_unwind(AssertUnwindSafe(|| self.run(&job)));
            }
        }
    }

    /// Looks at what is being written: the game, and the plays that are open. What is known of other plays stays as it was.
    fn check(&mut self, job: &Job) {
        let (found, game) = match &job.files {
            Ok(files) => ide::check_game(files.clone()),
            Err(found) => (found.0.clone(), None),
        };
        let here = job.plays().filter(|source| job.open.contains(&source.path));
        let plays: Vec<(String, Vec<Diagnostic>)> = here
            .map(|source| (source.path.clone(), ide::check_play(game.as_ref(), source, &agents::in_play)))
            .collect();
        {
            let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
            let checked = shared.games.entry(job.folder.clone()).or_default();
            checked.found = found;
            checked.plays.extend(plays);
            checked.plays.retain(|path, _| job.plays().any(|source| source.path == *path));
            checked.is_well = game.is_some();
            if game.is_some() {
                checked.game = game;
            }
        }
        self.report(&job.folder);
    }

    /// Looks at the other plays, until something else is written.
    fn check_plays(&mut self, job: &Job) {
        if !self.is_calm(job, CALM) {
            return;
        }
        let Some(game) = self.playable(&job.folder) else { return };
        let mut is_other = false;
        for source in job.plays().filter(|source| !job.open.contains(&source.path)) {
            if self.is_stale(job) {
                break;
            }
            let found = ide::check_play(Some(&game), source, &agents::in_play);
            let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
            let checked = shared.games.entry(job.folder.clone()).or_default();
            let before = checked.plays.insert(source.path.clone(), found);
            is_other |= before.unwrap_or_default() != checked.plays[&source.path];
        }
        if is_other {
            self.report(&job.folder);
        }
    }

    /// Waits for a while; whether nothing is written meanwhile.
    fn is_calm(&self, job: &Job, time: Duration) -> bool {
        let begun = Instant::now();
        while begun.elapsed() < time && !self.is_stale(job) {
            thread::sleep(PAUSE);
        }
        !self.is_stale(job)
    }

    fn is_stale(&self, job: &Job) -> bool {
        self.newest.load(Ordering::Relaxed) != job.number
    }

    /// The game in a folder, if it can be played as it is.
    fn playable(&self, folder: &Path) -> Option<Game> {
        let shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        shared.games.get(folder).filter(|checked| checked.is_well)?.game.clone()
    }

    /// Tells the editor what is wrong with the files of a game.
    fn report(&mut self, folder: &Path) {
        let mut by_file: BTreeMap<String, Vec<lsp_types::Diagnostic>> = BTreeMap::new();
        {
            let shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(checked) = shared.games.get(folder) else { return };
            for one in
                checked.found.iter().chain(checked.plays.values().flatten()).chain(checked.failures.values().flatten())
            {
                let (path, shown) = convert::diagnostic(one, folder, self.encoding);
                // What a play says may have been found as it is written, and again as it was run.
                let here = by_file.entry(uri_of(&folder.join(path))).or_default();
                if !here.iter().any(|known| known.range == shown.range && known.message == shown.message) {
                    here.push(shown);
                }
            }
        }
        let now: BTreeSet<String> = by_file.keys().cloned().collect();
        let before = self.reported.insert(folder.to_path_buf(), now.clone()).unwrap_or_default();
        // What is well again is reported to be.
        for uri in before.difference(&now) {
            by_file.insert(uri.clone(), Vec::new());
        }
        let game = uri_of(&folder.join(crate::diagnostic::GAME));
        by_file.entry(game).or_default();
        for (uri, diagnostics) in by_file {
            let params = json!({ "uri": uri, "diagnostics": diagnostics });
            (self.editor)(Notification::new("textDocument/publishDiagnostics".to_owned(), params).into());
        }
    }

    /// Runs the plays that are open, once nobody types any more.
    fn run(&mut self, job: &Job) {
        if job.open.is_empty() || !self.is_calm(job, REST) {
            return;
        }
        let Some(game) = self.playable(&job.folder) else { return };
        let of_this =
            |wanted: &str| if wanted == game.id() { Ok(game.clone()) } else { Err(unknown_game(wanted, [game.id()])) };
        let cast = Cast { game: &of_this, agent: &agents::in_play, covering: false };
        let (mut scenes, mut failures) = (BTreeMap::new(), BTreeMap::new());
        for source in job.plays().filter(|source| job.open.contains(&source.path)) {
            let Some(results) = ide::results(source, &cast, &|| self.is_stale(job)) else { continue };
            let failed = results.iter().filter_map(|(_, result)| Some((**result.as_ref().err()?).clone()));
            failures.insert(source.path.clone(), failed.collect::<Vec<Diagnostic>>());
            let outcome = |(scene, result): (Option<String>, Result<String, Box<Diagnostic>>)| {
                (scene, result.map_err(|failure| failure.message))
            };
            scenes.insert(source.path.clone(), results.into_iter().map(outcome).collect::<Vec<Outcome>>());
        }
        if self.is_stale(job) {
            return;
        }
        let is_other = {
            let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
            let checked = shared.games.entry(job.folder.clone()).or_default();
            let is_other = checked.scenes != scenes || checked.failures != failures;
            checked.scenes = scenes;
            checked.failures = failures;
            is_other
        };
        if is_other {
            self.report(&job.folder);
            self.refresh();
        }
    }

    /// Asks the editor to ask for lenses again.
    fn refresh(&mut self) {
        if self.can_refresh {
            self.refreshes += 1;
            let id = RequestId::from(format!("lenses {}", self.refreshes));
            (self.editor)(Request::new(id, "workspace/codeLens/refresh".to_owned(), json!(null)).into());
        }
    }
}
