//! Folders of a test's own, and what lies in folders.

#![allow(dead_code, clippy::unwrap_used, reason = "each test program uses a part of it")]

use parlour::diagnostic::{GAME, Role};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Counts them, so that tests that run at once have their own though they call them alike.
static MADE: AtomicU32 = AtomicU32::new(0);

/// A folder of a test's own among the temporary files, deleted afterwards.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("parlour-{}-{number}-{name}", std::process::id()));
        // What was left there by a process of the same number is gone.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// The path of the folder, as a command is given it.
    pub(crate) fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }

    /// The path of something in it.
    pub(crate) fn at(&self, below: &str) -> PathBuf {
        self.0.join(below)
    }

    /// The path of something in it, as a command is given it.
    pub(crate) fn named(&self, below: &str) -> String {
        self.at(below).to_str().unwrap().to_owned()
    }

    pub(crate) fn read(&self, below: &str) -> String {
        fs::read_to_string(self.at(below)).unwrap_or_else(|error| panic!("{below}: {error}"))
    }

    /// Writes a file, in folders that are made; its path, as a command is given it.
    pub(crate) fn write(&self, below: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.at(below);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        self.named(below)
    }

    /// Changes the first place of a file where something stands.
    pub(crate) fn change(&self, below: &str, from: &str, to: &str) {
        let text = self.read(below);
        assert!(text.contains(from), "`{from}` stands in {below}");
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
        // A test may have taken it away itself, or put a file in its place.
        let _ = fs::remove_dir_all(&self.0);
        let _ = fs::remove_file(&self.0);
    }
}

/// Every file below a folder, in order.
pub(crate) fn files(folder: impl AsRef<Path>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

/// Every file below a folder by its path below it, written with `/`, with its bytes.
pub(crate) fn contents(folder: impl AsRef<Path>) -> BTreeMap<String, Vec<u8>> {
    let below = |path: &Path| path.strip_prefix(folder.as_ref()).unwrap().to_str().unwrap().replace('\\', "/");
    files(folder.as_ref()).iter().map(|path| (below(path), fs::read(path).unwrap())).collect()
}

/// The files below a folder that are texts.
pub(crate) fn texts(folder: impl AsRef<Path>) -> Vec<(String, String)> {
    let text = |(path, bytes)| Some((path, String::from_utf8(bytes).ok()?));
    contents(folder).into_iter().filter_map(text).collect()
}

/// Those of them whose name has one of these endings.
pub(crate) fn texts_ending(folder: impl AsRef<Path>, endings: &[&str]) -> Vec<(String, String)> {
    let has_one =
        |path: &str| Path::new(path).extension().is_some_and(|ending| endings.iter().any(|one| ending == *one));
    texts(folder).into_iter().filter(|(path, _)| has_one(path)).collect()
}

/// The texts of a game that are read before it is played: no pictures, playscripts, or what is said about it.
pub(crate) fn game(folder: impl AsRef<Path>) -> Vec<(String, String)> {
    let is_read = |path: &str| match path.split_once('/') {
        Some((folder, _)) => Role::of_folder(folder).is_some_and(|role| !matches!(role, Role::Face | Role::Play)),
        None => path == GAME,
    };
    texts(folder).into_iter().filter(|(path, _)| is_read(path)).collect()
}

/// Every folder that holds a game: those that come with the program, and the examples.
pub(crate) fn games() -> Vec<PathBuf> {
    let parents = ["games", "examples/games"].map(|parent| fs::read_dir(parent).unwrap());
    let mut folders: Vec<PathBuf> = parents.into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    folders.retain(|folder| folder.join(GAME).is_file());
    folders.sort();
    folders
}

/// Paths and texts as files of a game are given.
pub(crate) fn owned<'t>(files: impl IntoIterator<Item = (&'t str, &'t str)>) -> Vec<(String, String)> {
    files.into_iter().map(|(path, text)| (path.to_owned(), text.to_owned())).collect()
}

/// A text as another system writes it: `\r\n` behind each line, and a mark of the byte order in front.
pub(crate) fn elsewhere(text: &str) -> String {
    format!("\u{feff}{}", text.trim_start_matches('\u{feff}').replace('\n', "\r\n"))
}
