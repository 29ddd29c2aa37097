//! Format versions of files: all files that the program includes or writes declare their format, old files can be upgraded, and newer files
//! are refused with a reason.

use crate::folder::{Folder, files};
use crate::program::{parlour, run_ok};
use parlour::diagnostic::Role;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the files of games and playscripts below a folder that do not declare their format, and the number of files that do.
fn without_format(folder: &Path) -> (Vec<PathBuf>, usize) {
    let declares_format = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap_or_default();
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
        match path.file_name().unwrap().to_str().unwrap() {
            "game.toml" => Some(text.contains("[game]\nformat = 1\n")),
            name if Role::Play.is_called(name) => Some(lines.next() == Some("format 2")),
            _ => None,
        }
    };
    let (declared, missing): (Vec<PathBuf>, Vec<PathBuf>) = files(folder)
        .into_iter()
        .filter(|path| declares_format(path).is_some())
        .partition(|path| declares_format(path) == Some(true));
    (missing, declared.len())
}

#[test]
fn included_games_and_playscripts_declare_their_format() {
    for folder in ["games", "examples"] {
        let (missing, declared) = without_format(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
        assert!(missing.is_empty() && declared > 10, "{folder}: {missing:?}, {declared}");
    }
}

#[test]
fn written_games_and_playscripts_declare_their_format() {
    let folder = Folder::new("written");
    run_ok(&folder, &["new", "mine"]);
    run_ok(&folder, &["run", "mine", "-s", "1", "--record", "recorded.play"]);
    run_ok(&folder, &["run", "mine", "--from", "recorded.play", "--record", "more.play"]);
    // Standard input is empty, so the program stops at the first question and saves the game.
    run_ok(&folder, &["play", "mine", "-s", "1", "--agents", "human,random", "--save", "kept.play"]);
    let (missing, declared) = without_format(&folder.0);
    assert!(missing.is_empty() && declared >= 5, "{missing:?}, {declared}");
}

#[test]
fn json_documents_and_runs_declare_their_format() {
    let folder = Folder::new("documents");
    run_ok(&folder, &["new", "mine"]);
    for arguments in ["run mine -s 1", "simulate mine -s 1 --games 4", "info mine", "test mine"] {
        let arguments: Vec<&str> = arguments.split(' ').chain(["--format", "json"]).collect();
        let document: Value = serde_json::from_str(&parlour(&folder, &arguments).out).unwrap();
        assert_eq!(document["format"], 1, "{arguments:?}");
    }
    let games = ["-s", "1", "--games", "4", "--out", "out"];
    for command in [vec!["simulate", "mine"], vec!["arena", "mine", "--agents", "random,first"]] {
        let _ = fs::remove_dir_all(folder.at("out"));
        run_ok(&folder, &[&command[..], &games[..]].concat());
        let manifest = folder.at("out/manifest.json");
        let text = fs::read_to_string(&manifest).unwrap();
        assert!(text.contains("\"format\": 1,"), "{command:?}: {text}");
        for (format, why) in [
            ("\"format\": 2,", "it is written in format 2, and this program reads format 1"),
            ("\"format\": \"1\",", "is \"1\", and must be a number: write `\"format\": 1`"),
            ("", "its manifest names no format"),
        ] {
            fs::write(&manifest, text.replacen("\"format\": 1,", format, 1)).unwrap();
            let said = parlour(&folder, &[command[0], "--resume", "out"]);
            assert!(said.code == 2 && said.err.contains(why), "{command:?}: {}", said.err);
        }
    }
}

/// `tests/formats` has a folder for each combination of formats so far. Each folder contains files that an earlier version wrote: a game
/// with its playscripts, a saved game, and the folder of a run.
#[test]
fn files_of_all_earlier_formats_can_be_read_after_an_upgrade() {
    let formats = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats");
    let mut seen = 0;
    for format in fs::read_dir(formats).unwrap() {
        let format = format.unwrap().path();
        let folder = Folder::new("upgraded");
        for file in files(&format) {
            folder.write(file.strip_prefix(&format).unwrap().to_str().unwrap(), fs::read(&file).unwrap());
        }
        run_ok(&folder, &["upgrade", "little-tricks"]);
        assert!(run_ok(&folder, &["check", "little-tricks"]).contains("no mistakes found"), "{}", format.display());
        assert!(run_ok(&folder, &["test", "little-tricks"]).contains("9 passed, 0 failed"), "{}", format.display());
        run_ok(&folder, &["run", "--from", "little-tricks/kept.play"]);
        run_ok(&folder, &["report", "run"]);
        seen += 1;
    }
    assert_eq!(seen, 2, "folders in tests/formats");
}

#[test]
fn upgrade_adds_missing_formats_and_changes_nothing_else() {
    for end in ["\n", "\r\n"] {
        let folder = Folder::new("missing_format");
        run_ok(&folder, &["new", "mine"]);
        let before: Vec<(PathBuf, String)> = files(folder.at("mine"))
            .into_iter()
            .map(|path| {
                let text = fs::read_to_string(&path).unwrap().replace('\n', end);
                (path, text)
            })
            .collect();
        for (path, text) in &before {
            let cut = text.replacen(&format!("[game]{end}format = 1{end}"), &format!("[game]{end}"), 1);
            fs::write(path, cut.replacen(&format!("{end}format 2{end}"), end, 1)).unwrap();
        }
        let check = parlour(&folder, &["upgrade", "mine", "--check"]);
        assert!(check.code == 1 && check.out.lines().count() == 5, "{}", check.all());
        assert!(without_format(&folder.0).0.len() == 5, "`--check` changes nothing");
        assert_eq!(run_ok(&folder, &["upgrade", "mine"]).lines().count(), 5);
        for (path, text) in &before {
            assert_eq!(&fs::read_to_string(path).unwrap(), text, "{}", path.display());
        }
        assert!(run_ok(&folder, &["upgrade", "mine"]).contains("is written in the newest format"));
    }
}

#[test]
fn playscripts_of_an_older_format_are_read_and_upgraded() {
    let folder = Folder::new("older");
    run_ok(&folder, &["new", "mine"]);
    let newest = folder.read("mine/plays/rules.play");
    let older = newest.replacen("format 2\n", "format   1 // of before\n", 1);
    folder.write("mine/plays/rules.play", &older);
    assert!(run_ok(&folder, &["test", "mine"]).contains("8 passed, 0 failed"));
    assert!(run_ok(&folder, &["upgrade", "mine"]).contains("rules.play: says now that it is written in format 2"));
    assert_eq!(folder.read("mine/plays/rules.play"), older.replacen("format   1 ", "format   2 ", 1));
}

#[test]
fn upgrade_inserts_the_format_after_a_byte_order_mark() {
    let folder = Folder::new("marked");
    run_ok(&folder, &["new", "mine"]);
    folder
        .write("mine/plays/marked.play", "\u{feff}game mine\nplayers Ann Ben\nexpect Ann.hand.count() == hand_size\n");
    assert!(run_ok(&folder, &["upgrade", "mine"]).contains("marked.play"));
    assert!(folder.read("mine/plays/marked.play").starts_with("\u{feff}format 2\ngame mine\n"));
    assert!(run_ok(&folder, &["test", "mine"]).contains("9 passed, 0 failed"));
}

#[test]
fn upgrade_reports_what_it_cannot_upgrade() {
    let folder = Folder::new("stays");
    run_ok(&folder, &["new", "mine"]);
    folder.change("mine/game.toml", "format = 1\n", "format = 2\n");
    let newer = parlour(&folder, &["upgrade", "mine"]);
    assert!(newer.code == 1 && newer.err.contains("error[unknown-format]"), "{}", newer.all());
    folder.change("mine/game.toml", "format = 2\n", "format = 1\n");
    folder.change("mine/plays/rules.play", "format 2\n", "format 3\n");
    let newer = parlour(&folder, &["upgrade", "mine"]);
    assert!(newer.code == 1 && newer.err.contains("error[unknown-format]"), "{}", newer.all());
    for (game, why) in [("stockpile", "comes with the program"), ("nowhere", "there is no folder `nowhere`")] {
        let said = parlour(&folder, &["upgrade", game]);
        assert!(said.code == 2 && said.err.contains(why), "{}", said.all());
    }
}
