//! Temporary folders for tests, and helpers that read whole folders.

#![allow(dead_code, clippy::unwrap_used, reason = "each test program uses a part of it")]

use parlour::diagnostic::{GAME, Role};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Number of folders created so far. It makes paths unique if tests that run in parallel use the same name.
static CREATED: AtomicU32 = AtomicU32::new(0);

/// Temporary folder of one test. It is deleted on drop.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let number = CREATED.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("parlour-{}-{number}-{name}", std::process::id()));
        // An earlier process with the same id may have left a folder behind.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Returns the path of the folder as a command-line argument.
    pub(crate) fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }

    /// Returns the path of a file or folder inside this folder.
    pub(crate) fn at(&self, below: &str) -> PathBuf {
        self.0.join(below)
    }

    /// Like [`Folder::at`], but returns the path as a command-line argument.
    pub(crate) fn path_of(&self, below: &str) -> String {
        self.at(below).to_str().unwrap().to_owned()
    }

    pub(crate) fn read(&self, below: &str) -> String {
        fs::read_to_string(self.at(below)).unwrap_or_else(|error| panic!("{below}: {error}"))
    }

    /// Writes a file and creates its parent folders. Returns the file's path as a command-line argument.
    pub(crate) fn write(&self, below: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.at(below);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        self.path_of(below)
    }

    /// Replaces the first occurrence of `from` in a file. Panics if there is none.
    pub(crate) fn change(&self, below: &str, from: &str, to: &str) {
        let text = self.read(below);
        assert!(text.contains(from), "{below} does not contain `{from}`");
        self.write(below, text.replacen(from, to, 1));
    }
}

impl AsRef<Path> for Folder {
    fn as_ref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // The test may have deleted the folder or replaced it with a file.
        let _ = fs::remove_dir_all(&self.0);
        let _ = fs::remove_file(&self.0);
    }
}

/// Returns all files below a folder, sorted by path.
pub(crate) fn files(folder: impl AsRef<Path>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

/// Reads all files below a folder. Keys are paths relative to the folder, with `/` on every system.
pub(crate) fn contents(folder: impl AsRef<Path>) -> BTreeMap<String, Vec<u8>> {
    let below = |path: &Path| path.strip_prefix(folder.as_ref()).unwrap().to_str().unwrap().replace('\\', "/");
    files(folder.as_ref()).iter().map(|path| (below(path), fs::read(path).unwrap())).collect()
}

/// Returns the relative path and text of each UTF-8 file below a folder.
pub(crate) fn texts(folder: impl AsRef<Path>) -> Vec<(String, String)> {
    let text = |(path, bytes)| Some((path, String::from_utf8(bytes).ok()?));
    contents(folder).into_iter().filter_map(text).collect()
}

/// Like [`texts`], but returns only files with one of these extensions.
pub(crate) fn texts_with_extension(folder: impl AsRef<Path>, extensions: &[&str]) -> Vec<(String, String)> {
    let matches =
        |path: &str| Path::new(path).extension().is_some_and(|found| extensions.iter().any(|one| found == *one));
    texts(folder).into_iter().filter(|(path, _)| matches(path)).collect()
}

/// Returns the text files from which a game is loaded. Excludes faces, playscripts and documentation.
pub(crate) fn game_texts(folder: impl AsRef<Path>) -> Vec<(String, String)> {
    let is_read = |path: &str| match path.split_once('/') {
        Some((folder, _)) => Role::of_folder(folder).is_some_and(|role| !matches!(role, Role::Face | Role::Play)),
        None => path == GAME,
    };
    texts(folder).into_iter().filter(|(path, _)| is_read(path)).collect()
}

/// Returns the sorted folders of all games under `games/` and `examples/games/`.
pub(crate) fn games() -> Vec<PathBuf> {
    let parents = ["games", "examples/games"].map(|parent| fs::read_dir(parent).unwrap());
    let mut folders: Vec<PathBuf> = parents.into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    folders.retain(|folder| folder.join(GAME).is_file());
    folders.sort();
    folders
}

/// Converts paths and texts to the owned form that the loader takes.
pub(crate) fn owned_files<'t>(files: impl IntoIterator<Item = (&'t str, &'t str)>) -> Vec<(String, String)> {
    files.into_iter().map(|(path, text)| (path.to_owned(), text.to_owned())).collect()
}

/// Converts a text to `\r\n` line endings with a leading byte order mark, as some editors on Windows save it.
pub(crate) fn with_crlf_and_bom(text: &str) -> String {
    format!("\u{feff}{}", text.trim_start_matches('\u{feff}').replace('\n', "\r\n"))
}
