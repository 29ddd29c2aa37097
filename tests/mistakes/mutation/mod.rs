//! One slip of the kinds people make, in a game that has none: what `check` says of it.
//!
//! The test run makes a few slips in every bundled game, the same ones each time. `PARLOUR_EDITS=1000 cargo test --test
//! mistakes mutation -- --nocapture` makes as many in each; `PARLOUR_SEED` makes others. A misspelled name is found before
//! anything is played, always; no slip stops the program, or is told without a place.

mod edit;
mod slip;
mod things;
mod token;
mod types;
mod verdict;

use self::edit::{Edit, Ground, Kind};
use self::verdict::Verdict;
use crate::folder;
use parlour::diagnostic::render;
use parlour::table::Chance;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// How many slips are made in each game.
const EDITS: u64 = 25;

/// How long one slip may take, in seconds, on a busy machine.
const PATIENCE: u64 = 120;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var_os(name).map_or(default, |number| number.to_str().unwrap().parse().unwrap())
}

/// What the slips of one game came to.
#[derive(Default)]
struct Tally {
    /// By kind: found before play, found by playing, not found, and called by another name.
    counts: BTreeMap<usize, [u32; 4]>,
    /// Misspelled names that were not found before play.
    missed: Vec<String>,
    /// Panics, and messages without a place.
    bad: Vec<String>,
}

/// What a thread says: what it is at, or what all came to.
enum Said {
    At(String),
    Done(Box<Tally>),
}

/// The files of a game that slips are made in.
fn texts_of(folder: &str) -> Vec<(String, String)> {
    folder::texts_ending(folder, &["toml", "rhai"])
}

/// Makes slips in a game.
fn work(game: &str, say: &Sender<Said>) {
    let ground = Ground::new(texts_of(&format!("games/{game}")));
    let mut tally = Tally::default();
    // A slip is only found where nothing is said without it.
    for said in verdict::of(ground.texts.clone()).said() {
        tally.bad.push(format!("{game} is not well as it is:\n{}", render(said, false)));
    }
    let mut chance = Chance::new(setting("PARLOUR_SEED", 1), game);
    for at in 1..=setting("PARLOUR_EDITS", EDITS) {
        let edit = ground.edit(&mut chance);
        say.send(Said::At(format!("{game}, edit {at}: {edit}"))).unwrap();
        judge(&edit, &mut tally);
    }
    say.send(Said::Done(Box::new(tally))).unwrap();
}

fn judge(edit: &Edit, tally: &mut Tally) {
    let texts = edit.texts.clone();
    let Ok(verdict) = catch_unwind(AssertUnwindSafe(|| verdict::of(texts))) else {
        return tally.bad.push(format!("{edit}\nstops the program"));
    };
    for said in verdict.said().iter().filter(|said| said.marks.is_empty() || said.code == "internal") {
        tally.bad.push(format!("{edit}\nis told without a place:\n{}", render(said, false)));
    }
    let at = match &verdict {
        Verdict::Static(_) => 0,
        _ if edit.kind.misspells() && edit.is_renaming => 3,
        Verdict::Played(_) => 1,
        Verdict::Passed => 2,
    };
    let kind = Kind::ALL.iter().position(|kind| *kind == edit.kind).unwrap();
    tally.counts.entry(kind).or_default()[at] += 1;
    if edit.kind.misspells() && (at == 1 || at == 2) {
        let said: String = verdict.said().iter().map(|said| render(said, false)).collect();
        tally.missed.push(format!("{edit}\n{said}"));
    }
    if std::env::var_os("PARLOUR_TELL").is_some() && at > 0 {
        println!("{at} {edit}");
    }
}

/// What a game's thread comes to; a slip that takes too long fails the test.
fn outcome(game: &str, said: &Receiver<Said>) -> Tally {
    let mut at = String::new();
    loop {
        match said.recv_timeout(Duration::from_secs(PATIENCE)) {
            Ok(Said::At(here)) => at = here,
            Ok(Said::Done(tally)) => return *tally,
            Err(error) => panic!("{game} does not come to an end, or stops the program, at: {at} ({error})"),
        }
    }
}

fn report(game: &str, tally: &Tally) -> String {
    let mut text = String::new();
    writeln!(text, "{game:<25} before play  by playing  passes  renamed").unwrap();
    let mut sum = [0; 4];
    for (kind, counts) in &tally.counts {
        writeln!(text, "  {}", line(Kind::ALL[*kind].title(), *counts)).unwrap();
        sum = std::array::from_fn(|at| sum[at] + counts[at]);
    }
    writeln!(text, "  {}", line("all", sum)).unwrap();
    text
}

fn line(title: &str, [found, played, passed, renamed]: [u32; 4]) -> String {
    let all = (found + played + passed).max(1);
    let share = |count: u32| format!("{count} ({}%)", count * 100 / all);
    format!("{title:<23} {:>11} {:>11} {:>7} {renamed:>8}", share(found), share(played), share(passed))
}

#[test]
fn every_misspelled_name_is_found_before_play_and_nothing_stops_the_program() {
    let games = ["last-will", "monga-alley", "revolution-1828", "stockpile", "wall-street-1920"];
    let threads: Vec<_> = games
        .into_iter()
        .map(|game| {
            let (say, said) = channel();
            std::thread::spawn(move || work(game, &say));
            (game, said)
        })
        .collect();
    let tallies: Vec<(&str, Tally)> = threads.iter().map(|(game, said)| (*game, outcome(game, said))).collect();
    for (game, tally) in &tallies {
        println!("{}", report(game, tally));
    }
    let bad: Vec<&String> = tallies.iter().flat_map(|(_, tally)| &tally.bad).collect();
    let missed: Vec<&String> = tallies.iter().flat_map(|(_, tally)| &tally.missed).collect();
    let told = |list: &[&String]| list.iter().map(|one| one.as_str()).collect::<Vec<_>>().join("\n");
    assert!(bad.is_empty(), "{} slips are answered badly:\n\n{}", bad.len(), told(&bad));
    assert!(missed.is_empty(), "{} misspelled names are not found before play:\n\n{}", missed.len(), told(&missed));
}
