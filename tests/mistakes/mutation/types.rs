//! Slips of types, drawn at random in every bundled game and every small one: how many of them `check` finds before play.
//!
//! `PARLOUR_SLIPS=400 cargo test --test mistakes mutation::types -- --nocapture` makes as many in each game; `PARLOUR_SEED` makes
//! others, and `PARLOUR_TELL` shows those that are not found.

use super::slip::{Operator, Slip, Slips};
use super::verdict::{before_play, is_said};
use super::{setting, texts_of};
use crate::folder;
use parlour::diagnostic::{Diagnostic, render};
use parlour::table::Chance;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How many slips are made in each game.
const SLIPS: u64 = 20;

/// How many of a hundred are found at least.
const LEAST: u32 = 95;

/// What became of the slips of some games.
#[derive(Default)]
struct Tally {
    /// By operator: all, and those found before play.
    counts: BTreeMap<Operator, [u32; 2]>,
    missed: Vec<String>,
    bad: Vec<String>,
}

impl Tally {
    fn add(&mut self, slip: &Slip, found: Result<Vec<Diagnostic>, ()>) {
        let [all, known] = self.counts.entry(slip.operator).or_default();
        *all += 1;
        match found {
            Ok(found) if is_said(&found) => {
                *known += 1;
                let is_bad = |said: &&Diagnostic| said.marks.is_empty() || said.code == "internal";
                for said in found.iter().filter(is_bad) {
                    self.bad.push(format!("{slip}\nis told without a place:\n{}", render(said, false)));
                }
            }
            Ok(_) => self.missed.push(slip.to_string()),
            Err(()) => self.bad.push(format!("{slip}\nstops the program")),
        }
    }

    fn join(&mut self, other: Self) {
        for (operator, [all, known]) in other.counts {
            let sum = self.counts.entry(operator).or_default();
            *sum = [sum[0] + all, sum[1] + known];
        }
        self.missed.extend(other.missed);
        self.bad.extend(other.bad);
    }

    fn sum(&self) -> [u32; 2] {
        self.counts.values().fold([0, 0], |[all, known], [more, found]| [all + more, known + found])
    }

    fn report(&self) -> String {
        let mut text = String::new();
        let mut line = |title: &str, [all, known]: [u32; 2]| {
            writeln!(text, "{title:<30} {all:>6} {known:>6} {:>4} %", percent([all, known])).unwrap();
        };
        for (operator, counts) in &self.counts {
            line(operator.title(), *counts);
        }
        line("all", self.sum());
        text
    }
}

/// So many of a hundred slips of one operator are found, of which few may be drawn.
const LEAST_OF_EACH: u32 = 80;

/// How many of a hundred are found.
fn percent([all, known]: [u32; 2]) -> u32 {
    known * 100 / all.max(1)
}

fn games() -> Vec<String> {
    folder::games().iter().map(|folder| folder.to_str().unwrap().replace('\\', "/")).collect()
}

fn work(game: &str) -> Tally {
    let texts = texts_of(game);
    let mut tally = Tally::default();
    let found = before_play(texts.clone());
    if is_said(&found) {
        let said: String = found.iter().map(|found| render(found, false)).collect();
        tally.bad.push(format!("{game} is not well as it is:\n{said}"));
        return tally;
    }
    let slips = Slips::new(texts);
    let mut chance = Chance::new(setting("PARLOUR_SEED", 1), game);
    for _ in 0..setting("PARLOUR_SLIPS", SLIPS) {
        let slip = slips.draw(&mut chance);
        let found = catch_unwind(AssertUnwindSafe(|| before_play(slip.texts.clone()))).map_err(|_| ());
        tally.add(&slip, found);
    }
    if std::env::var_os("PARLOUR_TELL").is_some() {
        let counts: Vec<String> =
            Operator::ALL.iter().map(|one| format!("{}: {}", one.title(), slips.count(*one))).collect();
        println!("{game}: {}", counts.join(", "));
    }
    tally
}

#[test]
fn slips_of_types_are_found_before_play() {
    let threads: Vec<_> = games().into_iter().map(|game| std::thread::spawn(move || work(&game))).collect();
    let mut all = Tally::default();
    for thread in threads {
        all.join(thread.join().unwrap());
    }
    println!("{}", all.report());
    if std::env::var_os("PARLOUR_TELL").is_some() {
        println!("not found:\n{}", all.missed.join("\n"));
    }
    assert!(all.bad.is_empty(), "{} slips are answered badly:\n\n{}", all.bad.len(), all.bad.join("\n"));
    assert!(percent(all.sum()) >= LEAST, "too few slips are found:\n\n{}", all.missed.join("\n"));
    for (operator, counts) in &all.counts {
        let title = operator.title();
        assert!(percent(*counts) >= LEAST_OF_EACH, "{title}: too few slips are found:\n\n{}", all.missed.join("\n"));
    }
}
