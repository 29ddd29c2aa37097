//! Effects planted in copies of a real game are found, and named in the words of the report.

use crate::dice::{figures, random};
use parlour::report::{Weight, findings};
use parlour::session::{Game, Setup};
use parlour::simulation::{Follower, Measure, Record, simulate};
use std::path::Path;
use std::sync::Mutex;

/// A copy of Stockpile with a text of its rules replaced.
fn stockpile(file: &str, old: &str, new: &str) -> Game {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("games/stockpile");
    let mut texts = Vec::new();
    for below in ["", "components", "rules", "overlays"] {
        let Ok(entries) = folder.join(below).read_dir() else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_file() {
                let name = path.strip_prefix(&folder).unwrap().to_str().unwrap().to_owned();
                texts.push((name, std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    let text = &mut texts.iter_mut().find(|(name, _)| name.contains(file)).unwrap().1;
    assert!(text.contains(old), "`{old}` is in {file}");
    *text = text.replace(old, new);
    parlour::load_texts("stockpile", texts).unwrap()
}

/// What a batch finds, in words.
fn found(game: &Game, games: u64) -> Vec<String> {
    let setup = Setup::seats(4);
    let figures = figures(game, &setup, 7, games);
    let model = game.layout(&setup).unwrap().model.clone();
    let told = findings(&model, &figures);
    told.into_iter().filter(|finding| finding.weight != Weight::Note).map(|finding| finding.text).collect()
}

#[test]
fn a_seat_that_starts_with_five_more_is_found_and_named() {
    let old = "fn deal_starting_shares() {";
    let game =
        stockpile("1_setup", old, &format!("{old} for seat in seats {{ if seat.number == 1 {{ seat.cash += 5; }} }}"));
    let told = found(&game, SEAT_GAMES);
    assert!(told.iter().any(|text| text.starts_with("Seat 1 wins") && text.contains("points more")), "{told:#?}");
}

#[test]
fn a_worthless_card_is_found_and_named() {
    let old = "    company.marker.price\n";
    let game = stockpile("5_action", old, &format!("    if company.id == \"epic\" {{ return 0; }}\n{old}"));
    let told = found(&game, CARD_GAMES);
    assert!(told.iter().any(|text| text.starts_with("Epic Electric stock is weak for its kind")), "{told:#?}");
    let others = told.iter().filter(|text| text.contains("is weak for its kind")).count();
    assert_eq!(others, 1, "{told:#?}");
}

const SEAT_GAMES: u64 = 2_000;
const CARD_GAMES: u64 = 2_000;

/// Keeps the fingerprints of games in their order.
#[derive(Default)]
struct Fingerprints(Mutex<Vec<u64>>);

impl Follower for Fingerprints {
    type Kept = u64;

    fn keep(&self, record: &Record) -> u64 {
        record.fingerprint
    }

    fn take(&self, kept: u64) -> std::io::Result<()> {
        self.0.lock().unwrap().push(kept);
        Ok(())
    }
}

#[test]
fn figures_and_games_are_the_same_on_one_thread_and_many_and_in_parts() {
    let game = parlour::load(Path::new(env!("CARGO_MANIFEST_DIR")).join("games/stockpile")).unwrap();
    let setup = Setup::seats(3);
    let play = |games: std::ops::Range<u64>, jobs: usize| {
        let kept = Fingerprints::default();
        let batch = parlour::simulation::Batch { games, seed: 3, jobs, setup: setup.clone() };
        let figures = simulate(&game, &batch, &random, &kept).unwrap();
        (figures, kept.0.into_inner().unwrap())
    };
    let (one, many) = (play(0..90, 1), play(0..90, 3));
    assert!(one == many);
    let (mut first, second) = (play(0..37, 2), play(37..90, 2));
    first.0.merge(&second.0);
    first.1.extend(second.1);
    assert!(first == one);
    assert_eq!(one.0.spread(&Measure::Decisions).total(), 90);
}
