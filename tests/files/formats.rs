//! The formats that files are written in: everything that comes with the program or is written by it says so, and what a newer
//! program has written is refused in so many words.

use crate::folder::{Folder, files};
use crate::program::{parlour, well};
use parlour::diagnostic::Role;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// The files of games and playscripts below a folder that do not say their format; how many say it.
fn unsaid(folder: &Path) -> (Vec<PathBuf>, usize) {
    let says = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap_or_default();
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
        match path.file_name().unwrap().to_str().unwrap() {
            "game.toml" => Some(text.contains("[game]\nformat = 1\n")),
            name if Role::Play.is_called(name) => Some(lines.next() == Some("format 2")),
            _ => None,
        }
    };
    let (said, unsaid): (Vec<PathBuf>, Vec<PathBuf>) =
        files(folder).into_iter().filter(|path| says(path).is_some()).partition(|path| says(path) == Some(true));
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
    well(&folder, &["new", "mine"]);
    well(&folder, &["run", "mine", "-s", "1", "--record", "recorded.play"]);
    well(&folder, &["run", "mine", "--from", "recorded.play", "--record", "more.play"]);
    let quits = ["play", "mine", "-s", "1", "--agents", "human,random", "--save", "kept.play"];
    well(&folder, &quits);
    let (unsaid, said) = unsaid(&folder.0);
    assert!(unsaid.is_empty() && said >= 5, "{unsaid:?}, {said}");
}

#[test]
fn every_document_and_every_run_says_its_format() {
    let folder = Folder::new("documents");
    well(&folder, &["new", "mine"]);
    for arguments in ["run mine -s 1", "simulate mine -s 1 --games 4", "info mine", "test mine"] {
        let arguments: Vec<&str> = arguments.split(' ').chain(["--format", "json"]).collect();
        let document: Value = serde_json::from_str(&parlour(&folder, &arguments).out).unwrap();
        assert_eq!(document["format"], 1, "{arguments:?}");
    }
    let games = ["-s", "1", "--games", "4", "--out", "out"];
    for command in [vec!["simulate", "mine"], vec!["arena", "mine", "--agents", "random,first"]] {
        let _ = fs::remove_dir_all(folder.at("out"));
        well(&folder, &[&command[..], &games[..]].concat());
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

/// Below `tests/formats` lies what programs have written, a folder for each format there has been: a game with its plays and a game
/// broken off, and the folder of a run. All of it stays readable, after `upgrade` where that is asked for.
#[test]
fn whatever_was_written_in_a_format_there_has_been_is_read_after_an_upgrade() {
    let formats = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats");
    let mut seen = 0;
    for format in fs::read_dir(formats).unwrap() {
        let format = format.unwrap().path();
        let folder = Folder::new("upgraded");
        for file in files(&format) {
            folder.write(file.strip_prefix(&format).unwrap().to_str().unwrap(), fs::read(&file).unwrap());
        }
        well(&folder, &["upgrade", "little-tricks"]);
        assert!(well(&folder, &["check", "little-tricks"]).contains("no mistakes found"), "{}", format.display());
        assert!(well(&folder, &["test", "little-tricks"]).contains("9 passed, 0 failed"), "{}", format.display());
        well(&folder, &["run", "--from", "little-tricks/kept.play"]);
        well(&folder, &["report", "run"]);
        seen += 1;
    }
    assert_eq!(seen, 2, "a folder for each format");
}

#[test]
fn a_game_and_playscripts_without_a_format_are_given_one_and_keep_all_else() {
    for end in ["\n", "\r\n"] {
        let folder = Folder::new("unsaid");
        well(&folder, &["new", "mine"]);
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
        let would = parlour(&folder, &["upgrade", "mine", "--check"]);
        assert!(would.code == 1 && would.out.lines().count() == 5, "{}", would.all());
        assert!(unsaid(&folder.0).0.len() == 5, "nothing has been changed");
        assert_eq!(well(&folder, &["upgrade", "mine"]).lines().count(), 5);
        for (path, text) in &before {
            assert_eq!(&fs::read_to_string(path).unwrap(), text, "{}", path.display());
        }
        assert!(well(&folder, &["upgrade", "mine"]).contains("is written in the newest format"));
    }
}

#[test]
fn plays_of_an_older_format_are_read_and_brought_to_the_newest() {
    let folder = Folder::new("older");
    well(&folder, &["new", "mine"]);
    let newest = folder.read("mine/plays/rules.play");
    let older = newest.replacen("format 2\n", "format   1 // of before\n", 1);
    folder.write("mine/plays/rules.play", &older);
    assert!(well(&folder, &["test", "mine"]).contains("8 passed, 0 failed"));
    assert!(well(&folder, &["upgrade", "mine"]).contains("rules.play: says now that it is written in format 2"));
    assert_eq!(folder.read("mine/plays/rules.play"), older.replacen("format   1 ", "format   2 ", 1));
}

#[test]
fn a_byte_order_mark_stays_in_front_of_the_format() {
    let folder = Folder::new("marked");
    well(&folder, &["new", "mine"]);
    folder
        .write("mine/plays/marked.play", "\u{feff}game mine\nplayers Ann Ben\nexpect Ann.hand.count() == hand_size\n");
    assert!(well(&folder, &["upgrade", "mine"]).contains("marked.play"));
    assert!(folder.read("mine/plays/marked.play").starts_with("\u{feff}format 2\ngame mine\n"));
    assert!(well(&folder, &["test", "mine"]).contains("9 passed, 0 failed"));
}

#[test]
fn an_upgrade_says_what_it_cannot_do() {
    let folder = Folder::new("stays");
    well(&folder, &["new", "mine"]);
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
