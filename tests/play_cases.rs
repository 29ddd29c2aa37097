//! Plays that are wrong, each with the message that says so: `tests/cases/plays/<name>.play` and `<name>.txt`.
//!
//! A file is named after the code of the first mistake told of it; `BLESS=1` rewrites the messages.

#![allow(clippy::unwrap_used, reason = "a test fails where it unwraps nothing")]

use parlour::diagnostic::{Diagnostics, Source, render};
use parlour::playscript::{Cast, parse, run};
use parlour::session::Game;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const FOLDER: &str = "tests/cases/plays";

fn cases() -> Vec<PathBuf> {
    let entries = fs::read_dir(FOLDER).unwrap().map(|entry| entry.unwrap().path());
    let mut cases: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|it| it == "play")).collect();
    cases.sort();
    assert!(cases.len() > 20, "the cases were not found");
    cases
}

/// A game by its id, which small games write with an underscore.
fn game(name: &str) -> Result<Game, Diagnostics> {
    let folder = Path::new("examples/games").join(name.replace('_', "-"));
    if folder.is_dir() { parlour::load(folder) } else { Err(Diagnostics::default()) }
}

fn told(path: &Path) -> Diagnostics {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let source = Arc::new(Source { path: name, text: fs::read_to_string(path).unwrap() });
    match parse(&source) {
        Err(found) => found,
        Ok(play) => {
            let cast = Cast { game: &game, agent: &parlour::agents::named, covering: false };
            Diagnostics(run(&play, &cast).into_iter().filter_map(|report| report.failure).map(|found| *found).collect())
        }
    }
}

#[test]
fn every_wrong_play_is_told_as_written_beside_it() {
    for path in cases() {
        let found = told(&path);
        let code = path.file_stem().unwrap().to_string_lossy().into_owned();
        let first = found.0.first().unwrap_or_else(|| panic!("{code}: nothing is wrong"));
        assert!(code.starts_with(first.code), "{code} tells {}", first.code);
        let text: Vec<String> = found.0.iter().map(|one| render(one, false)).collect();
        let text = text.join("\n\n") + "\n";
        let expected = path.with_extension("txt");
        if std::env::var_os("BLESS").is_some() {
            fs::write(&expected, &text).unwrap();
        }
        let known = fs::read_to_string(&expected).unwrap_or_default();
        assert_eq!(text, known, "set BLESS to rewrite {}", expected.display());
    }
}

#[test]
fn every_message_stands_at_a_place_and_begins_in_lower_case() {
    for path in cases() {
        for found in told(&path).0 {
            assert!(!found.marks.is_empty(), "{}: {}", path.display(), found.message);
            let first = found.message.split(' ').next().unwrap_or_default();
            assert!(["Ann", "Ben"].contains(&first) || !first.starts_with(char::is_uppercase), "{}", found.message);
            assert!(!found.message.ends_with('.'), "{}", found.message);
        }
    }
}
