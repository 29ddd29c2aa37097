//! Tests that effects planted in copies of a real game are found and reported.

use crate::dice_game::{batch, figures, random};
use crate::thorough::is_thorough;
use parlour::agents::FirstOption;
use parlour::model::Seat;
use parlour::report::{ComparedPlayers, Weight, comparison_page, findings};
use parlour::session::{Game, Player, Setup};
use parlour::simulation::{Follower, Margin, Measure, Record, Verdict, compare, simulate};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("games/stockpile")
}

/// Loads Stockpile after replacing `old` with `new` in the file whose name contains `file`.
fn stockpile(file: &str, old: &str, new: &str) -> Game {
    let folder = folder();
    let mut texts = Vec::new();
    for below in ["", "components", "rules", "overlays", "agents"] {
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
    assert!(text.contains(old), "{file} does not contain `{old}`");
    *text = text.replace(old, new);
    parlour::load_texts("stockpile", texts).unwrap()
}

/// Plays random games and returns the texts of the findings, except for notes.
fn findings_in(game: &Game, games: u64) -> Vec<String> {
    let setup = Setup::seats(4);
    let model = game.layout(&setup).unwrap().model.clone();
    let told = findings(&model, &figures(game, &setup, 7, games));
    told.into_iter().filter(|finding| finding.weight != Weight::Note).map(|finding| finding.text).collect()
}

#[test]
fn a_seat_with_more_cash_is_found() {
    let old = "fn deal_starting_shares() {";
    let game =
        stockpile("1_setup", old, &format!("{old} for seat in seats {{ if seat.number == 1 {{ seat.cash += 5; }} }}"));
    let plain = parlour::load(folder()).unwrap();
    let batch = batch(&Setup::seats(4), 7, PAIRS);
    let first = |_: u64, _: Seat| Box::new(FirstOption) as Box<dyn Player>;
    let comparison = compare((&plain, &batch), (&game, &batch), [&first, &first], &()).unwrap();
    let rows = comparison.rows(Margin::default());
    let higher: Vec<_> =
        rows.iter().filter(|row| row.verdict == Verdict::Higher).map(|row| row.measure.clone()).collect();
    let scores = (0..4).filter(|seat| higher.contains(&Some(Measure::Score(*seat)))).collect::<Vec<_>>();
    assert_eq!(scores, [0], "{higher:?}");
    let model = game.layout(&Setup::seats(4)).unwrap().model.clone();
    let rules = [String::new(), String::new()];
    let before = plain.layout(&Setup::seats(4)).unwrap().model.clone();
    let compared = ComparedPlayers {
        model: &model,
        before: &before,
        agents: [&[], &[]],
        commands: &[],
        suggested_agent: None,
        planned: PAIRS,
        rules: &rules,
        comparison: &comparison,
        rows: &rows,
    };
    let page = comparison_page("", "", [&["first".to_owned()]; 2].map(<[String; 1]>::as_slice), &[compared], &[]);
    assert!(page.contains("Score, seat 1 is higher in B"), "the page names the difference");
    assert!(page.contains("1_setup.rhai</code> 1 line added, 1 removed"), "the page shows the changed rule");
    assert!(page.contains("Seats are less balanced"), "the verdict states the effect");

    let told = findings(&model, &comparison.b).into_iter().map(|finding| finding.text).collect::<Vec<_>>();
    let wins = |text: &&String| text.contains("more than the fair");
    let favoured: Vec<&str> = told.iter().filter(wins).map(|text| &text[..6]).collect();
    assert_eq!(favoured, ["Seat 1"], "{told:#?}");
}

#[test]
fn a_worthless_card_is_found() {
    let old = "    company.marker.price\n";
    let game = stockpile("5_action", old, &format!("    if company.id == \"epic\" {{ return 0; }}\n{old}"));
    let told = findings_in(&game, CARD_GAMES);
    assert!(told.iter().any(|text| text.starts_with("Epic Electric stock is weak for its kind")), "{told:#?}");
    let others = told.iter().filter(|text| text.contains("is weak for its kind")).count();
    assert_eq!(others, 1, "{told:#?}");
}

#[test]
fn an_unchanged_copy_with_other_seeds_shows_no_difference() {
    let (plain, copy) = (parlour::load(folder()).unwrap(), stockpile("game.toml", "", ""));
    let setup = Setup::seats(4);
    let mut quiet = 0;
    let repetitions = if is_thorough() { 100 } else { 40 };
    for round in 0..repetitions {
        let (a, b) = (batch(&setup, 2 * round, COPY_GAMES), batch(&setup, 2 * round + 1, COPY_GAMES));
        let found = compare((&plain, &a), (&copy, &b), [&random, &random], &()).unwrap();
        quiet += u64::from(found.rows(Margin::default()).iter().all(|row| !row.verdict.is_finding()));
    }
    assert!(quiet * 20 >= repetitions * 19, "{quiet} of {repetitions}");
}

/// Number of paired games in the comparison with a game that gives one seat more cash. In both versions, agents take the first option,
/// because such agents keep the additional cash; random agents waste it.
const PAIRS: u64 = 400;
const CARD_GAMES: u64 = 2_000;
const COPY_GAMES: u64 = 25;

/// Follower that collects the fingerprints of games in order.
#[derive(Default)]
struct Fingerprints(Mutex<Vec<u64>>);

impl Follower for Fingerprints {
    type GameData = u64;

    fn keep(&self, record: &Record) -> u64 {
        record.fingerprint
    }

    fn take(&self, kept: u64) -> std::io::Result<()> {
        self.0.lock().unwrap().push(kept);
        Ok(())
    }
}

#[test]
fn results_do_not_depend_on_threads_or_parts() {
    let game = parlour::load(folder()).unwrap();
    let setup = Setup::seats(3);
    let play = |games: std::ops::Range<u64>, jobs: usize| {
        let kept = Fingerprints::default();
        let batch = parlour::simulation::Batch {
            games,
            seed: 3,
            jobs,
            setup: setup.clone(),
            prospects: None,
            campaigns: false,
        };
        let figures = simulate(&game, &batch, &random, &kept).unwrap();
        (figures, kept.0.into_inner().unwrap())
    };
    let (one, many) = (play(0..90, 1), play(0..90, 3));
    assert!(one == many);
    let (mut first, second) = (play(0..37, 2), play(37..90, 2));
    first.0.merge(&second.0);
    first.1.extend(second.1);
    assert!(first == one);
    assert_eq!(one.0.histogram(&Measure::Decisions).total(), 90);
}
