//! The formats that files are written in: everything that comes with the program or is written by it says so, and what a newer
//! program has written is refused in so many words.

#![allow(clippy::unwrap_used, clippy::disallowed_types, reason = "tests are to be read")]

use parlour::diagnostic::Role;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn parlour(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_parlour")).current_dir(folder).args(arguments).output().expect("it runs")
}

/// A folder of its own, deleted afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("parlour-formats-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Every file below a folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in folder.read_dir().unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

/// The files of games and playscripts below a folder that do not say their format; how many say it.
fn unsaid(folder: &Path) -> (Vec<PathBuf>, usize) {
    let mut found = Vec::new();
    files(folder, &mut found);
    let says = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap_or_default();
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
        match path.file_name().unwrap().to_str().unwrap() {
            "game.toml" => Some(text.contains("[game]\nformat = 1\n")),
            name if Role::Play.is_called(name) => Some(lines.next() == Some("format 1")),
            _ => None,
        }
    };
    let (said, unsaid): (Vec<PathBuf>, Vec<PathBuf>) =
        found.into_iter().filter(|path| says(path).is_some()).partition(|path| says(path) == Some(true));
    (unsaid, said.len())
}

#[test]
fn every_game_and_playscript_that_comes_with_the_program_says_its_format() {
    for folder in ["games", "examples"] {
        let (unsaid, said) = unsaid(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
        assert!(unsaid.is_empty() && said > 10, "{folder}: {unsaid:?}, {said}");
    }
}

#[test]
fn whatever_the_program_writes_says_its_format() {
    let folder = Folder::new("written");
    assert!(parlour(&folder.0, &["new", "mine"]).status.success());
    assert!(parlour(&folder.0, &["run", "mine", "-s", "1", "--record", "recorded.play"]).status.success());
    assert!(parlour(&folder.0, &["run", "mine", "--from", "recorded.play", "--record", "more.play"]).status.success());
    let quits = ["play", "mine", "-s", "1", "--agents", "human,random", "--save", "kept.play"];
    assert!(parlour(&folder.0, &quits).status.success());
    let (unsaid, said) = unsaid(&folder.0);
    assert!(unsaid.is_empty() && said >= 5, "{unsaid:?}, {said}");
}

#[test]
fn every_document_and_every_run_says_its_format() {
    let folder = Folder::new("documents");
    assert!(parlour(&folder.0, &["new", "mine"]).status.success());
    for arguments in ["run mine -s 1", "simulate mine -s 1 --games 4", "info mine", "test mine"] {
        let arguments: Vec<&str> = arguments.split(' ').chain(["--format", "json"]).collect();
        let output = parlour(&folder.0, &arguments);
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(document["format"], 1, "{arguments:?}");
    }
    let games = ["-s", "1", "--games", "4", "--out", "out"];
    for command in [vec!["simulate", "mine"], vec!["arena", "mine", "--agents", "random,first"]] {
        let _ = fs::remove_dir_all(folder.0.join("out"));
        assert!(parlour(&folder.0, &[&command[..], &games[..]].concat()).status.success(), "{command:?}");
        let manifest = folder.0.join("out/manifest.json");
        let text = fs::read_to_string(&manifest).unwrap();
        assert!(text.contains("\"format\": 1,"), "{command:?}: {text}");
        for (format, why) in [
            ("\"format\": 2,", "it is written in format 2, and this program reads format 1"),
            ("", "its manifest names no format"),
        ] {
            fs::write(&manifest, text.replacen("\"format\": 1,", format, 1)).unwrap();
            let output = parlour(&folder.0, &[command[0], "--resume", "out"]);
            let told = String::from_utf8(output.stderr).unwrap();
            assert!(output.status.code() == Some(2) && told.contains(why), "{command:?}: {told}");
        }
    }
}
