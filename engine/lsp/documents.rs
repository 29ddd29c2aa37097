//! The files that are open in an editor, and their games.

use super::position::Encoding;
use super::recent_folders::RecentFolders;
use super::uri::path_of;
use crate::desk::game_folder::enclosing_game_folder;
use crate::diagnostic::{Diagnostics, Role, shown};
use crate::ide::Workbench;
use crate::loader::Files;
use lsp_types::Position;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Location of a file in a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OpenFile {
    /// Folder of the game.
    pub folder: PathBuf,
    /// Path relative to the folder.
    pub path: String,
}

/// The open files and games.
pub(super) struct Documents {
    encoding: Encoding,
    open: BTreeMap<String, (OpenFile, String)>,
    games: BTreeMap<PathBuf, Workbench>,
    /// Games whose analyses stay in memory. Other games are analyzed again when the editor asks about them.
    recent: RecentFolders,
    /// Errors of games whose saved files cannot be read.
    broken: BTreeMap<PathBuf, Diagnostics>,
}

impl Documents {
    /// Creates an empty state without files and games.
    pub(super) fn new(encoding: Encoding) -> Self {
        Self {
            encoding,
            open: BTreeMap::new(),
            games: BTreeMap::new(),
            recent: RecentFolders::default(),
            broken: BTreeMap::new(),
        }
    }

    /// Returns the location of a file, and the workbench of its game.
    pub(super) fn game(&mut self, uri: &str) -> Option<(OpenFile, &mut Workbench)> {
        let place = self.open.get(uri).map(|(place, _)| place.clone()).or_else(|| place_of(uri))?;
        let bench = self.bench(&place.folder)?;
        Some((place, bench))
    }

    /// Returns the current text of a file, which need not be open.
    pub(super) fn text(&mut self, uri: &str) -> Option<String> {
        if let Some((_, text)) = self.open.get(uri) {
            return Some(text.clone());
        }
        let (place, bench) = self.game(uri)?;
        bench.text(&place.path).map(str::to_owned)
    }

    /// Returns the workbench of the game in a folder. Reads the game if it is not open yet.
    pub(super) fn bench(&mut self, folder: &Path) -> Option<&mut Workbench> {
        if !self.games.contains_key(folder) {
            self.read(folder);
        }
        if let Some(oldest) = self.recent.mark_used(folder)
            && let Some(bench) = self.games.get_mut(&oldest)
        {
            bench.forget_analysis();
        }
        self.games.get_mut(folder)
    }

    /// Returns the folders of all open games.
    pub(super) fn folders(&self) -> Vec<PathBuf> {
        self.games.keys().cloned().collect()
    }

    /// Returns the errors of a game whose saved files cannot be read.
    pub(super) fn broken(&self, folder: &Path) -> Option<&Diagnostics> {
        self.broken.get(folder)
    }

    /// Returns the current files of a game.
    pub(super) fn files(&self, folder: &Path) -> Option<Result<Files, Diagnostics>> {
        self.games.get(folder).map(Workbench::files)
    }

    /// Returns the paths of the open playscripts of a game.
    pub(super) fn open_plays(&self, folder: &Path) -> Vec<String> {
        let here = self.open.values().filter(|(place, _)| place.folder == folder);
        here.map(|(place, _)| place.path.clone()).filter(|path| Role::of(path) == Some(Role::Play)).collect()
    }

    /// Reads all games again after a panic, because their analyses may be incomplete.
    pub(super) fn discard_analyses(&mut self) {
        let folders: Vec<PathBuf> = self.games.keys().cloned().collect();
        for folder in folders {
            self.read(&folder);
        }
    }

    /// Reads the saved files of a game. The texts of open files override them.
    fn read(&mut self, folder: &Path) {
        match Files::read(folder) {
            Ok(files) => {
                self.broken.remove(folder);
                let open = self.open.values().filter(|(place, _)| place.folder == folder);
                if let Some(bench) = self.games.get_mut(folder) {
                    bench.save(files);
                    return;
                }
                let mut bench = Workbench::new(files);
                for (place, text) in open {
                    bench.set(&place.path, Some(text.clone()));
                }
                self.games.insert(folder.to_path_buf(), bench);
            }
            Err(found) => drop(self.broken.insert(folder.to_path_buf(), found)),
        }
    }

    /// Handles a notification. Returns the folders of the games that must be checked.
    pub(super) fn note(&mut self, method: &str, params: &Value) -> BTreeSet<PathBuf> {
        let mut changed = BTreeSet::new();
        let uri = params.pointer("/textDocument/uri").and_then(Value::as_str).unwrap_or_default().to_owned();
        match method {
            "textDocument/didOpen" => {
                let text = params.pointer("/textDocument/text").and_then(Value::as_str).unwrap_or_default();
                if let Some(place) = place_of(&uri) {
                    self.open.insert(uri, (place.clone(), text.to_owned()));
                    self.set(&place, Some(text.to_owned()));
                    changed.insert(place.folder);
                }
            }
            "textDocument/didChange" => {
                let encoding = self.encoding;
                if let Some((place, text)) = self.open.get_mut(&uri) {
                    for change in params.get("contentChanges").and_then(Value::as_array).into_iter().flatten() {
                        apply(text, change, encoding);
                    }
                    let (place, text) = (place.clone(), text.clone());
                    self.set(&place, Some(text));
                    changed.insert(place.folder);
                }
            }
            "textDocument/didClose" => {
                if let Some((place, _)) = self.open.remove(&uri) {
                    self.set(&place, None);
                    self.read(&place.folder);
                    changed.insert(place.folder);
                }
            }
            "textDocument/didSave" => {
                if let Some(place) = self.open.get(&uri).map(|(place, _)| place.clone()) {
                    self.read(&place.folder);
                    changed.insert(place.folder);
                }
            }
            "workspace/didChangeWatchedFiles" => {
                let all = params.get("changes").and_then(Value::as_array).into_iter().flatten();
                let uris = all.filter_map(|change| change.get("uri")?.as_str());
                let folders: BTreeSet<PathBuf> = uris.filter_map(place_of).map(|place| place.folder).collect();
                for folder in folders.into_iter().filter(|folder| self.games.contains_key(folder)).collect::<Vec<_>>() {
                    self.read(&folder);
                    changed.insert(folder);
                }
            }
            _ => {}
        }
        changed
    }

    /// Reads a game again after other programs have saved files in it, unless all of these files are open in the editor. Returns whether
    /// the game was read.
    pub(super) fn reload_saved(&mut self, folder: &Path, saved: &BTreeSet<String>) -> bool {
        let is_open =
            |path: &String| self.open.values().any(|(place, _)| place.folder == *folder && place.path == *path);
        if saved.iter().all(is_open) {
            return false;
        }
        self.read(folder);
        true
    }

    fn set(&mut self, place: &OpenFile, text: Option<String>) {
        if let Some(bench) = self.bench(&place.folder) {
            bench.set(&place.path, text);
        }
    }
}

/// Returns the location of a file within its game.
fn place_of(uri: &str) -> Option<OpenFile> {
    let file = path_of(uri)?;
    let folder = enclosing_game_folder(&file)?;
    let path = shown(file.strip_prefix(&folder).ok()?);
    Some(OpenFile { folder, path })
}

/// Applies a change from the editor to a text.
fn apply(text: &mut String, change: &Value, encoding: Encoding) {
    let new = change.get("text").and_then(Value::as_str).unwrap_or_default();
    let position = |which: &str| {
        let number = |name: &str| change.pointer(&format!("/range/{which}/{name}")).and_then(Value::as_u64);
        Some(Position::new(number("line")? as u32, number("character")? as u32))
    };
    match (position("start"), position("end")) {
        (Some(start), Some(end)) => {
            let (start, end) = (encoding.byte(text, start), encoding.byte(text, end));
            // A malformed range may be reversed, which would panic.
            text.replace_range(start.min(end)..end.max(start), new);
        }
        _ => new.clone_into(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::recent_folders::MAX_RECENT;
    use std::rc::Rc;

    #[test]
    fn few_analyses_stay_in_memory() {
        let mut documents = Documents::new(Encoding::negotiate(&Value::Null));
        let mut analyses = Vec::new();
        for number in 0..=MAX_RECENT {
            let folder = PathBuf::from(number.to_string());
            let texts = [("game.toml".to_owned(), "[game]\nid = \"tiny\"\n".to_owned())];
            let files = Files::from_texts("tiny", texts).unwrap();
            documents.games.insert(folder.clone(), Workbench::new(files));
            let known = documents.bench(&folder).unwrap().known().unwrap();
            analyses.push((folder, Rc::downgrade(&known)));
        }
        let alive: Vec<bool> = analyses.iter().map(|(_, known)| known.strong_count() > 0).collect();
        assert_eq!(alive, [false, true, true, true, true]);
        assert!(documents.bench(&analyses[0].0).unwrap().known().is_ok());
        assert_eq!(analyses[1].1.strong_count(), 0);
    }
}
