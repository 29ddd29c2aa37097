//! The files that an editor has open, and the games they are of.

use super::position::Encoding;
use super::uri::path_of;
use crate::desk::game_folder::enclosing_game_folder;
use crate::diagnostic::{Diagnostics, Role, shown};
use crate::ide::Workbench;
use crate::loader::Files;
use lsp_types::Position;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A file of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OpenFile {
    /// The game's folder.
    pub folder: PathBuf,
    /// The path below it.
    pub path: String,
}

/// What an editor has open.
pub(super) struct Documents {
    encoding: Encoding,
    open: BTreeMap<String, (OpenFile, String)>,
    games: BTreeMap<PathBuf, Workbench>,
    /// Games that cannot be read as they are saved.
    broken: BTreeMap<PathBuf, Diagnostics>,
}

impl Documents {
    /// Nothing.
    pub(super) fn new(encoding: Encoding) -> Self {
        Self { encoding, open: BTreeMap::new(), games: BTreeMap::new(), broken: BTreeMap::new() }
    }

    /// Where a file of a game lies, and its game.
    pub(super) fn game(&mut self, uri: &str) -> Option<(OpenFile, &mut Workbench)> {
        let place = self.open.get(uri).map(|(place, _)| place.clone()).or_else(|| place_of(uri))?;
        let bench = self.bench(&place.folder)?;
        Some((place, bench))
    }

    /// The text of a file.
    pub(super) fn text(&mut self, uri: &str) -> Option<String> {
        if let Some((_, text)) = self.open.get(uri) {
            return Some(text.clone());
        }
        let (place, bench) = self.game(uri)?;
        bench.text(&place.path).map(str::to_owned)
    }

    /// The game in a folder.
    pub(super) fn bench(&mut self, folder: &Path) -> Option<&mut Workbench> {
        if !self.games.contains_key(folder) {
            self.read(folder);
        }
        self.games.get_mut(folder)
    }

    /// The folders of the games that are open.
    pub(super) fn folders(&self) -> Vec<PathBuf> {
        self.games.keys().cloned().collect()
    }

    /// What keeps a folder from being read.
    pub(super) fn broken(&self, folder: &Path) -> Option<&Diagnostics> {
        self.broken.get(folder)
    }

    /// The files of a game as they are now.
    pub(super) fn files(&self, folder: &Path) -> Option<Result<Files, Diagnostics>> {
        self.games.get(folder).map(Workbench::files)
    }

    /// The plays of a game that are open, by their paths below its folder.
    pub(super) fn open_plays(&self, folder: &Path) -> Vec<String> {
        let here = self.open.values().filter(|(place, _)| place.folder == folder);
        here.map(|(place, _)| place.path.clone()).filter(|path| Role::of(path) == Some(Role::Play)).collect()
    }

    /// Forgets what was found out about games: it may be half done.
    pub(super) fn forget_known(&mut self) {
        let folders: Vec<PathBuf> = self.games.keys().cloned().collect();
        for folder in folders {
            self.read(&folder);
        }
    }

    /// Reads the files of a game as they are saved, and lays those that are open over them.
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

    /// Takes in what an editor says; returns the games that are to be looked at.
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

    /// Files of a game were saved: it is read again, unless they are open here, where their texts are known. Whether it was.
    pub(super) fn take_up(&mut self, folder: &Path, saved: &BTreeSet<String>) -> bool {
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

/// The game that a file lies in the folder of.
fn place_of(uri: &str) -> Option<OpenFile> {
    let file = path_of(uri)?;
    let folder = enclosing_game_folder(&file)?;
    let path = shown(file.strip_prefix(&folder).ok()?);
    Some(OpenFile { folder, path })
}

/// Changes a text as an editor did.
fn apply(text: &mut String, change: &Value, encoding: Encoding) {
    let new = change.get("text").and_then(Value::as_str).unwrap_or_default();
    let position = |which: &str| {
        let number = |name: &str| change.pointer(&format!("/range/{which}/{name}")).and_then(Value::as_u64);
        Some(Position::new(number("line")? as u32, number("character")? as u32))
    };
    match (position("start"), position("end")) {
        (Some(start), Some(end)) => {
            let (start, end) = (encoding.byte(text, start), encoding.byte(text, end));
            text.replace_range(start.min(end)..end.max(start), new);
        }
        _ => new.clone_into(text),
    }
}
