//! `parlour check --watch`: a game checked, and its plays run, again whenever one of its files is saved.

use super::bundle;
use super::check::Check;
use super::opening;
use super::output::{Failure, Output};
use super::running::{is_stopped, listen};
use super::test::Test;
use crate::diagnostic::{Role, shown};
use notify::{Event, EventKind, RecursiveMode, Watcher};
use std::collections::{BTreeMap, BTreeSet};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// How long nothing may be saved before the files are looked at: editors write several times when they save once.
const QUIET: Duration = Duration::from_millis(80);

/// How often is looked whether somebody wants to end it.
const PATIENCE: Duration = Duration::from_millis(100);

/// Checks until somebody ends it.
pub(super) fn watch(check: &Check, output: &mut Output) -> Result<(), Failure> {
    let folder = folder(&check.game)?;
    listen();
    let (sender, changes) = channel();
    let mut watcher = notify::recommended_watcher(sender).map_err(|error| unwatched(&folder, &error))?;
    watcher.watch(&folder, RecursiveMode::Recursive).map_err(|error| unwatched(&folder, &error))?;
    let mut saved = BTreeSet::new();
    loop {
        // What is saved from here on is looked at again.
        let seen = contents(&folder);
        screen(check, &folder, &saved, output)?;
        saved = loop {
            match next(&changes, &folder) {
                // Some editors say twice that they save once.
                Some(_) if contents(&folder) == seen => {}
                Some(saved) => break saved,
                None => return output.line("ended"),
            }
        };
    }
}

/// The folder of a game that can be edited.
fn folder(game: &str) -> Result<PathBuf, Failure> {
    let path = Path::new(game);
    let folder = opening::folder_of(path).unwrap_or(path);
    if folder.is_dir() {
        return Ok(folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf()));
    }
    if bundle::names().contains(&game) {
        let help = format!("lay it out first: `parlour new my-{game} --from {game}`");
        return Err(Failure::Usage(format!("`{game}` is in the program, and has no files to watch"), Some(help)));
    }
    Err(Failure::Usage(format!("there is no folder `{game}`"), Some(opening::games(game))))
}

fn unwatched(folder: &Path, error: &notify::Error) -> Failure {
    Failure::Usage(format!("`{}` cannot be watched: {error}", shown(folder)), None)
}

/// One screen: what was saved, what is wrong, what the plays say.
fn screen(check: &Check, folder: &Path, saved: &BTreeSet<String>, output: &mut Output) -> Result<(), Failure> {
    if std::io::stdout().is_terminal() {
        output.clear_screen()?;
    }
    if !saved.is_empty() {
        let saved: Vec<&str> = saved.iter().map(String::as_str).collect();
        output.line(format!("saved: {}", saved.join(", ")))?;
    }
    let (can_be_played, checked) = check.once_before_plays(output);
    told(checked, output)?;
    if has_plays(folder) && can_be_played {
        output.write("plays: ")?;
        told(Test::all_of(&check.game).run(output), output)?;
    } else if has_plays(folder) {
        output.line("plays: not run before the game is well")?;
    }
    output.line(format!("watching {}: save a file to check again, Ctrl-C ends it", check.game))?;
    output.flush()
}

/// What has been told does not end it; what cannot be told does.
fn told(result: Result<(), Failure>, output: &mut Output) -> Result<(), Failure> {
    match result {
        Err(failure @ Failure::Output(_)) => Err(failure),
        Err(failure) => {
            let _ = output.fail(&failure);
            Ok(())
        }
        Ok(()) => Ok(()),
    }
}

fn has_plays(folder: &Path) -> bool {
    let Ok(mut files) = folder.join(Role::Play.folder()).read_dir() else { return false };
    files.any(|file| file.is_ok_and(|file| Role::Play.is_called(&file.file_name().to_string_lossy())))
}

/// What stands in the files of the game, by their paths; a file that cannot be read has nothing in it.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut contents = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(within) = folders.pop() {
        for entry in within.read_dir().into_iter().flatten().flatten() {
            let path = entry.path();
            let below = path.strip_prefix(folder).unwrap_or(&path);
            let is_folder = entry.file_type().is_ok_and(|sort| sort.is_dir());
            if is_folder && !entry.file_name().to_string_lossy().starts_with('.') {
                folders.push(path);
            } else if is_of_game(below) {
                let content = std::fs::read(&path).unwrap_or_default();
                contents.insert(path, content);
            }
        }
    }
    contents
}

/// Waits until files of the game have been saved: which; nothing once somebody ends it.
fn next(changes: &Receiver<notify::Result<Event>>, folder: &Path) -> Option<BTreeSet<String>> {
    let mut saved = BTreeSet::new();
    loop {
        if is_stopped() {
            return None;
        }
        let patience = if saved.is_empty() { PATIENCE } else { QUIET };
        match changes.recv_timeout(patience) {
            Ok(Ok(event)) => saved.extend(of_game(&event, folder)),
            // What cannot be told is told again with the next file that is saved.
            Ok(Err(_)) => {}
            Err(RecvTimeoutError::Timeout) if saved.is_empty() => {}
            Err(RecvTimeoutError::Timeout) => return Some(saved),
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}

/// The files of the game that an event is about, below its folder.
fn of_game(event: &Event, folder: &Path) -> Vec<String> {
    if matches!(event.kind, EventKind::Access(_)) {
        return Vec::new();
    }
    let below = event.paths.iter().filter_map(|path| path.strip_prefix(folder).ok());
    below.filter(|path| is_of_game(path)).map(shown).collect()
}

/// Whether a file is one that a check or a test reads; those that editors keep for themselves begin with a dot.
fn is_of_game(path: &Path) -> bool {
    let is_hidden = path.iter().any(|part| part.to_string_lossy().starts_with('.'));
    !is_hidden && path.extension().is_some_and(|ending| ["toml", "rhai", "play"].iter().any(|known| ending == *known))
}

#[cfg(test)]
mod tests {
    use super::is_of_game;
    use std::path::Path;

    #[test]
    fn only_files_that_a_check_reads_are_watched() {
        assert!(is_of_game(Path::new("game.toml")) && is_of_game(Path::new("plays/a.play")));
        assert!(!is_of_game(Path::new("README.md")) && !is_of_game(Path::new("rules/.play.rhai.swp")));
        assert!(!is_of_game(Path::new(".git/a.toml")) && !is_of_game(Path::new("plays")));
    }
}
