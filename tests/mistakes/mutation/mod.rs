//! Mutation tests of `check`: single typing mistakes in games without errors.
//!
//! Each run makes the same few mutations in every published game. `PARLOUR_EDITS=1000 cargo test --test mistakes mutation -- --nocapture`
//! makes 1,000 mutations in each game, and `PARLOUR_SEED` selects different ones. `check` must find every misspelled name before it plays,
//! must not crash, and must give every message a location.

mod game_facts;
mod name_mutation;
mod token;
mod type_errors;
mod type_mutation;
mod verdict;

use self::name_mutation::{Edit, Kind, MutationSites};
use self::verdict::Verdict;
use crate::folder;
use parlour::diagnostic::{Diagnostic, render};
use parlour::table::Chance;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// Default number of mutations per game.
const EDITS: u64 = 25;

/// Timeout for one mutation in seconds. It is generous, because the machine may be busy.
const TIMEOUT: u64 = 120;

/// Reads a number from an environment variable.
fn setting(name: &str, default: u64) -> u64 {
    std::env::var_os(name).map_or(default, |number| number.to_str().unwrap().parse().unwrap())
}

/// Results of the mutations in one game.
#[derive(Default)]
struct Tally {
    /// Number of mutations that were found before play, found while playing, not found, and merely renamings, keyed by the index in
    /// [`Kind::ALL`].
    counts: BTreeMap<usize, [u32; 4]>,
    /// Misspelled names that were not found before play.
    missed: Vec<String>,
    /// Panics, and messages without a location.
    bad: Vec<String>,
}

/// Message from a thread: the mutation that is being checked, or the final results.
enum Progress {
    Checking(String),
    Done(Box<Tally>),
}

/// Returns the files of a game to which mutations are applied.
fn texts_of(folder: &str) -> Vec<(String, String)> {
    folder::texts_with_extension(folder, &["toml", "rhai"])
}

/// Makes mutations in a game, and sends the progress and results to a channel.
fn mutate_game(game: &str, sender: &Sender<Progress>) {
    let sites = MutationSites::new(texts_of(&format!("games/{game}")));
    let mut tally = Tally::default();
    // The unchanged game must have no diagnostics. Otherwise, each mutation would count as found.
    for found in verdict::classify(sites.texts.clone()).diagnostics() {
        tally.bad.push(format!("{game} has diagnostics without a mutation:\n{}", render(found, false)));
    }
    let mut chance = Chance::new(setting("PARLOUR_SEED", 1), game);
    for at in 1..=setting("PARLOUR_EDITS", EDITS) {
        let edit = sites.edit(&mut chance);
        sender.send(Progress::Checking(format!("{game}, edit {at}: {edit}"))).unwrap();
        judge(&edit, &mut tally);
    }
    sender.send(Progress::Done(Box::new(tally))).unwrap();
}

/// Checks a mutated game and counts the result.
fn judge(edit: &Edit, tally: &mut Tally) {
    let texts = edit.texts.clone();
    let Ok(verdict) = catch_unwind(AssertUnwindSafe(|| verdict::classify(texts))) else {
        return tally.bad.push(format!("{edit}\npanics"));
    };
    let is_bad = |found: &&Diagnostic| found.marks.is_empty() || found.code == "internal";
    for found in verdict.diagnostics().iter().filter(is_bad) {
        tally.bad.push(format!("{edit}\nis reported without a location:\n{}", render(found, false)));
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
        let found: String = verdict.diagnostics().iter().map(|found| render(found, false)).collect();
        tally.missed.push(format!("{edit}\n{found}"));
    }
    if std::env::var_os("PARLOUR_TELL").is_some() && at > 0 {
        println!("{at} {edit}");
    }
}

/// Waits for the results of a game's thread. Panics if one mutation takes too long.
fn receive_tally(game: &str, receiver: &Receiver<Progress>) -> Tally {
    let mut at = String::new();
    loop {
        match receiver.recv_timeout(Duration::from_secs(TIMEOUT)) {
            Ok(Progress::Checking(mutation)) => at = mutation,
            Ok(Progress::Done(tally)) => return *tally,
            Err(error) => panic!("{game} hangs or aborts at: {at} ({error})"),
        }
    }
}

fn report(game: &str, tally: &Tally) -> String {
    let mut text = String::new();
    writeln!(text, "{game:<25} before play  by playing  missed  renamed").unwrap();
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
fn misspelled_names_are_found_before_play() {
    let games = ["last-will", "monga-alley", "revolution-1828", "stockpile", "wall-street-1920"];
    let threads: Vec<_> = games
        .into_iter()
        .map(|game| {
            let (sender, receiver) = channel();
            std::thread::spawn(move || mutate_game(game, &sender));
            (game, receiver)
        })
        .collect();
    let tallies: Vec<(&str, Tally)> =
        threads.iter().map(|(game, receiver)| (*game, receive_tally(game, receiver))).collect();
    for (game, tally) in &tallies {
        println!("{}", report(game, tally));
    }
    let bad: Vec<&String> = tallies.iter().flat_map(|(_, tally)| &tally.bad).collect();
    let missed: Vec<&String> = tallies.iter().flat_map(|(_, tally)| &tally.missed).collect();
    let lines = |list: &[&String]| list.iter().map(|one| one.as_str()).collect::<Vec<_>>().join("\n");
    assert!(bad.is_empty(), "{} mutations panic or lack a location:\n\n{}", bad.len(), lines(&bad));
    assert!(missed.is_empty(), "{} misspelled names are not found before play:\n\n{}", missed.len(), lines(&missed));
}
