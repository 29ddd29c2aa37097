//! Tests that run the scenes of the small games under `tests/sessions/scenes`.

use parlour::diagnostic::{Source, render};
use parlour::model::Language;
use parlour::playscript::{Cast, parse, run};
use parlour::session::{Session, Setup};
use parlour::wording::Wording;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sessions/scenes");

/// Runs the scenes of a game. Returns their number and the failures.
fn scenes_of(folder: &Path) -> (usize, Vec<String>) {
    let path = folder.join("plays/scenes.play");
    let text = fs::read_to_string(&path).unwrap();
    let play = parse(&Arc::new(Source { path: path.display().to_string(), text })).unwrap();
    let cast = Cast { game: &|_: &str| parlour::load(folder), agent: &parlour::agents::in_play, covering: false };
    let reports = run(&play, &cast);
    let failures = reports.iter().filter_map(|report| report.failure.as_ref()).map(|found| render(found, false));
    (reports.len(), failures.collect())
}

#[test]
fn all_scenes_of_the_small_games_pass() {
    let mut games: Vec<PathBuf> = fs::read_dir(GAMES).unwrap().map(|entry| entry.unwrap().path()).collect();
    games.sort();
    let all: Vec<(usize, Vec<String>)> = games.iter().map(|game| scenes_of(game)).collect();
    let failures: Vec<String> = all.iter().flat_map(|(_, failures)| failures.clone()).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    assert!(all.iter().map(|(count, _)| count).sum::<usize>() >= 35, "scenes were found");
}

/// Starts a game for four players and replays the given answers.
fn played(game: &str, answers: &[usize]) -> Session {
    let game = parlour::load(Path::new(GAMES).join(game)).unwrap();
    let mut session = Session::start(&game, &Setup::seats(4)).unwrap();
    for at in answers {
        session.choose(*at).unwrap();
    }
    session
}

#[test]
fn eliminations_are_logged_in_both_languages_and_listed() {
    let session = played("eliminated-seats", &[1]);
    let told =
        |language| Wording::new(session.model().clone(), session.setup().clone(), language).narrate(session.events());
    assert!(told(Language::English).join("\n").contains("Ann is out of the game"));
    assert!(told(Language::TraditionalChinese).join("\n").contains("Ann出局"));
    let rows = session.listing(None);
    assert!(rows.iter().any(|row| row.place == "eliminated" && row.content == "Ann"), "{rows:?}");
}

#[test]
fn turns_given_to_other_seats_affect_the_fingerprint() {
    let [one_more, two_more] = [1, 2].map(|at| played("given-turns", &[at]));
    assert_eq!(one_more.listing(None), two_more.listing(None));
    assert_ne!(one_more.fingerprint(), two_more.fingerprint());
}
