//! Checks games in a background thread, and reports diagnostics to the editor as soon as they are known.

use super::convert;
use super::documents::Documents;
use super::position::Encoding;
use super::recent_folders::RecentFolders;
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

/// Time to wait for further keystrokes before a check.
const DEBOUNCE: Duration = Duration::from_millis(10);

/// Time without keystrokes before playscripts that are not open are checked. The open files have priority.
const CHECK_DELAY: Duration = Duration::from_millis(150);

/// Time without keystrokes before the open playscripts are run.
const RUN_DELAY: Duration = Duration::from_millis(300);

/// Result of a scene: its name, and a summary or the failure.
pub(super) type Outcome = (Option<String>, Result<String, String>);

/// Results of checks, shared between the threads.
#[derive(Default)]
pub(super) struct SharedResults {
    /// Results of each game, by its folder.
    pub games: BTreeMap<PathBuf, Checked>,
    /// Games whose playable version stays in memory. Other games are opened again when they are needed.
    recent: RecentFolders,
}

impl SharedResults {
    /// Returns the last playable version of a game, if it is in memory.
    pub(super) fn playable(&mut self, folder: &Path) -> Option<Game> {
        let game = self.games.get(folder)?.game.clone()?;
        self.keep_game(folder, &game);
        Some(game)
    }

    /// Keeps a playable game in memory instead of the game that was used longest ago.
    pub(super) fn keep_game(&mut self, folder: &Path, game: &Game) {
        self.games.entry(folder.to_path_buf()).or_default().game = Some(game.clone());
        if let Some(oldest) = self.recent.mark_used(folder)
            && let Some(checked) = self.games.get_mut(&oldest)
        {
            checked.game = None;
        }
    }
}

/// Results for one game.
#[derive(Default)]
pub(super) struct Checked {
    /// The last playable version of the game; `None` if there is none, or if it is not in memory.
    game: Option<Game>,
    /// Whether the current version is playable.
    is_playable: bool,
    /// Diagnostics for the game's files other than playscripts.
    pub found: Vec<Diagnostic>,
    /// Diagnostics for the playscripts of the game, by path.
    pub plays: BTreeMap<String, Vec<Diagnostic>>,
    /// Results of the scenes, by path of the playscript.
    pub scenes: BTreeMap<String, Vec<Outcome>>,
    /// Failures of the scenes, by path of the playscript.
    pub failures: BTreeMap<String, Vec<Diagnostic>>,
}

/// Job of the checking thread: a game to check.
struct Job {
    folder: PathBuf,
    files: Result<Files, Diagnostics>,
    /// Paths of the open playscripts.
    open: Vec<String>,
    number: u64,
}

impl Job {
    fn plays(&self) -> impl Iterator<Item = &Arc<Source>> {
        self.files.iter().flat_map(|files| &files.plays)
    }
}

/// Callback that sends a message to the editor.
pub(super) type Editor = Arc<dyn Fn(Message) + Send + Sync>;

/// Handle of the checking thread.
pub(super) struct Checker {
    jobs: Sender<Job>,
    newest: Arc<AtomicU64>,
    editor: Editor,
}

impl Checker {
    /// Starts the checking thread.
    ///
    /// # Errors
    /// Fails if the thread cannot be started.
    pub(super) fn start(
        editor: Editor,
        shared: Arc<Mutex<SharedResults>>,
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
        crate::system::thread("checker").spawn(move || worker.run_jobs(&waiting))?;
        Ok(Self { jobs, newest, editor })
    }

    /// Shows a message to the author, such as the result of a command.
    pub(super) fn show(&self, text: &str) {
        let params = json!({ "type": 3, "message": text });
        (self.editor)(Notification::new("window/showMessage".to_owned(), params).into());
    }

    /// Queues a check of a game.
    pub(super) fn check(&self, folder: &Path, documents: &Documents) {
        let number = self.newest.fetch_add(1, Ordering::Relaxed) + 1;
        let broken = documents.broken(folder).cloned().map(Err);
        let Some(files) = broken.or_else(|| documents.files(folder)) else { return };
        let open = documents.open_plays(folder);
        // The send fails only while the process ends.
        let _ = self.jobs.send(Job { folder: folder.to_path_buf(), files, open, number });
    }
}

/// State of the checking thread.
struct Worker {
    editor: Editor,
    shared: Arc<Mutex<SharedResults>>,
    encoding: Encoding,
    can_refresh: bool,
    newest: Arc<AtomicU64>,
    /// URIs of the files with reported diagnostics, by game.
    reported: BTreeMap<PathBuf, BTreeSet<String>>,
    refreshes: i32,
}

impl Worker {
    fn run_jobs(mut self, waiting: &Receiver<Job>) {
        while let Ok(first) = waiting.recv() {
            // If there are several jobs for the same game, only the last one is done.
            let mut jobs: BTreeMap<PathBuf, Job> = BTreeMap::from([(first.folder.clone(), first)]);
            while let Ok(next) = waiting.recv_timeout(DEBOUNCE) {
                jobs.insert(next.folder.clone(), next);
                if jobs.len() > 64 {
                    break;
                }
            }
            let mut rest: Vec<Job> = Vec::new();
            for job in jobs.into_values() {
                // A panic must not end the thread, or nothing would be checked any more.
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

    /// Checks the game and the open playscripts. Diagnostics for other playscripts stay as they were.
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
            checked.is_playable = game.is_some();
            if let Some(game) = game {
                shared.keep_game(&job.folder, &game);
            }
        }
        self.report(&job.folder);
    }

    /// Checks the playscripts that are not open. Starts after [`CHECK_DELAY`] and stops when a newer job is queued.
    fn check_plays(&mut self, job: &Job) {
        if !self.is_idle_for(job, CHECK_DELAY) {
            return;
        }
        let Some(game) = self.playable(job) else { return };
        let mut has_changed = false;
        for source in job.plays().filter(|source| !job.open.contains(&source.path)) {
            if self.is_stale(job) {
                break;
            }
            let found = ide::check_play(Some(&game), source, &agents::in_play);
            let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
            let checked = shared.games.entry(job.folder.clone()).or_default();
            let before = checked.plays.insert(source.path.clone(), found);
            has_changed |= before.unwrap_or_default() != checked.plays[&source.path];
        }
        if has_changed {
            self.report(&job.folder);
        }
    }

    /// Waits for `time`, or until a newer job is queued. Returns whether `job` is still the newest job.
    fn is_idle_for(&self, job: &Job, time: Duration) -> bool {
        let begun = Instant::now();
        while begun.elapsed() < time && !self.is_stale(job) {
            thread::sleep(DEBOUNCE);
        }
        !self.is_stale(job)
    }

    /// Returns whether a newer job has been queued since.
    fn is_stale(&self, job: &Job) -> bool {
        self.newest.load(Ordering::Relaxed) != job.number
    }

    /// Returns the game of a job, if its current version is playable. Opens the game again if it is no longer in memory.
    fn playable(&self, job: &Job) -> Option<Game> {
        let shared = || self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        if !shared().games.get(&job.folder)?.is_playable {
            return None;
        }
        if let Some(game) = shared().playable(&job.folder) {
            return Some(game);
        }
        let (_, game) = ide::check_game(job.files.clone().ok()?);
        shared().keep_game(&job.folder, game.as_ref()?);
        game
    }

    /// Sends all diagnostics for the files of a game to the editor.
    fn report(&mut self, folder: &Path) {
        let mut by_file: BTreeMap<String, Vec<lsp_types::Diagnostic>> = BTreeMap::new();
        {
            let shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(checked) = shared.games.get(folder) else { return };
            for one in
                checked.found.iter().chain(checked.plays.values().flatten()).chain(checked.failures.values().flatten())
            {
                let (path, shown) = convert::diagnostic(one, folder, self.encoding);
                // A playscript may have the same diagnostic from checking and from running it.
                let here = by_file.entry(uri_of(&folder.join(path))).or_default();
                if !here.iter().any(|known| known.range == shown.range && known.message == shown.message) {
                    here.push(shown);
                }
            }
        }
        let now: BTreeSet<String> = by_file.keys().cloned().collect();
        let before = self.reported.insert(folder.to_path_buf(), now.clone()).unwrap_or_default();
        // An empty list clears the diagnostics of files that no longer have any.
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

    /// Runs the open playscripts after [`RUN_DELAY`]. Discards the results if a newer job is queued before all of these playscripts have
    /// run.
    fn run(&mut self, job: &Job) {
        if job.open.is_empty() || !self.is_idle_for(job, RUN_DELAY) {
            return;
        }
        let Some(game) = self.playable(job) else { return };
        let open_game =
            |wanted: &str| if wanted == game.id() { Ok(game.clone()) } else { Err(unknown_game(wanted, [game.id()])) };
        let cast = Cast { game: &open_game, agent: &agents::in_play, covering: false };
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
        let has_changed = {
            let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
            let checked = shared.games.entry(job.folder.clone()).or_default();
            let has_changed = checked.scenes != scenes || checked.failures != failures;
            checked.scenes = scenes;
            checked.failures = failures;
            has_changed
        };
        if has_changed {
            self.report(&job.folder);
            self.refresh();
        }
    }

    /// Asks the editor to request code lenses again, if it supports that.
    fn refresh(&mut self) {
        if self.can_refresh {
            self.refreshes += 1;
            let id = RequestId::from(format!("lenses {}", self.refreshes));
            (self.editor)(Request::new(id, "workspace/codeLens/refresh".to_owned(), json!(null)).into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::recent_folders::MAX_RECENT;

    #[test]
    fn few_playable_games_stay_in_memory() {
        let text = "[game]\nid = \"tiny\"\nplayers = { min = 2, max = 2 }\n[flow]\nround = [\"play\"]\nrounds = 1\n\
                    [phases.play]\nsteps = [{ each_seat = \"turn\" }]\n";
        let rules = "fn turn(seat) { }\nfn score(seat) { 0 }\n";
        let files = [("game.toml", text), ("rules/play.rhai", rules)];
        let texts = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
        let (_, game) = ide::check_game(Files::from_texts("tiny", texts).unwrap());
        let game = game.unwrap();
        let folders: Vec<PathBuf> = (0..MAX_RECENT + 2).map(|number| PathBuf::from(number.to_string())).collect();
        let mut shared = SharedResults::default();
        for folder in &folders {
            shared.keep_game(folder, &game);
            // The first game is used again and again.
            assert!(shared.playable(&folders[0]).is_some());
        }
        let is_open = |folder: &PathBuf| shared.games[folder].game.is_some();
        assert_eq!(folders.iter().map(is_open).collect::<Vec<_>>(), [true, false, false, true, true, true]);
    }
}
