//! Mutation tests of the type checker: measures how many random type errors in all games `check` finds before play.
//!
//! `PARLOUR_SLIPS=400 cargo test --test mistakes mutation::type_errors -- --nocapture` makes 400 mutations in each game, `PARLOUR_SEED`
//! selects different ones, and `PARLOUR_TELL` prints those that are not found.

use super::type_mutation::{Operator, TypeMutation, TypeMutations};
use super::verdict::{before_play, has_error};
use super::{setting, texts_of};
use crate::folder;
use parlour::diagnostic::{Diagnostic, Severity, render};
use parlour::table::Chance;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Default number of mutations per game.
const MUTATIONS: u64 = 20;

/// Minimum percentage of mutations that must be found.
const MIN_PERCENT: u32 = 95;

/// Results of the mutations in one or several games.
#[derive(Default)]
struct Tally {
    /// Number of mutations, and number of mutations that were found before play, for each operator.
    counts: BTreeMap<Operator, [u32; 2]>,
    missed: Vec<String>,
    bad: Vec<String>,
}

impl Tally {
    /// Adds the result of a mutation. `before` contains the diagnostics of the game without the mutation.
    fn add(&mut self, mutation: &TypeMutation, before: &[Diagnostic], found: Result<Vec<Diagnostic>, ()>) {
        let [all, known] = self.counts.entry(mutation.operator).or_default();
        *all += 1;
        // A new warning counts like an error. Warnings that the game has without the mutation do not count.
        let is_new = |found: &[Diagnostic]| {
            let is_known =
                |one: &Diagnostic| before.iter().any(|known| (known.code, &known.message) == (one.code, &one.message));
            found.iter().any(|one| one.severity == Severity::Error || !is_known(one))
        };
        match found {
            Ok(found) if is_new(&found) => {
                *known += 1;
                let is_bad = |found: &&Diagnostic| found.marks.is_empty() || found.code == "internal";
                for found in found.iter().filter(is_bad) {
                    self.bad.push(format!("{mutation}\nis reported without a location:\n{}", render(found, false)));
                }
            }
            Ok(_) => self.missed.push(mutation.to_string()),
            Err(()) => self.bad.push(format!("{mutation}\npanics")),
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

/// Minimum percentage for each operator. It is lower than the overall minimum because few mutations are drawn for some operators.
const MIN_PERCENT_PER_OPERATOR: u32 = 80;

/// Returns the percentage of mutations that were found.
fn percent([all, known]: [u32; 2]) -> u32 {
    known * 100 / all.max(1)
}

fn games() -> Vec<String> {
    folder::games().iter().map(|folder| folder.to_str().unwrap().replace('\\', "/")).collect()
}

fn mutate_game(game: &str) -> Tally {
    let texts = texts_of(game);
    let mut tally = Tally::default();
    let before = before_play(texts.clone());
    if has_error(&before) {
        let errors: String = before.iter().map(|found| render(found, false)).collect();
        tally.bad.push(format!("{game} has errors without a mutation:\n{errors}"));
        return tally;
    }
    let mutations = TypeMutations::new(texts);
    let mut chance = Chance::new(setting("PARLOUR_SEED", 1), game);
    for _ in 0..setting("PARLOUR_SLIPS", MUTATIONS) {
        let mutation = mutations.draw(&mut chance);
        let found = catch_unwind(AssertUnwindSafe(|| before_play(mutation.texts.clone()))).map_err(|_| ());
        tally.add(&mutation, &before, found);
    }
    if std::env::var_os("PARLOUR_TELL").is_some() {
        let counts: Vec<String> =
            Operator::ALL.iter().map(|one| format!("{}: {}", one.title(), mutations.count(*one))).collect();
        println!("{game}: {}", counts.join(", "));
    }
    tally
}

#[test]
fn type_errors_are_found_before_play() {
    let threads: Vec<_> = games().into_iter().map(|game| std::thread::spawn(move || mutate_game(&game))).collect();
    let mut all = Tally::default();
    for thread in threads {
        all.join(thread.join().unwrap());
    }
    println!("{}", all.report());
    if std::env::var_os("PARLOUR_TELL").is_some() {
        println!("not found:\n{}", all.missed.join("\n"));
    }
    assert!(all.bad.is_empty(), "{} mutations panic or lack a location:\n\n{}", all.bad.len(), all.bad.join("\n"));
    assert!(percent(all.sum()) >= MIN_PERCENT, "too few mutations are found:\n\n{}", all.missed.join("\n"));
    for (operator, counts) in &all.counts {
        let title = operator.title();
        assert!(
            percent(*counts) >= MIN_PERCENT_PER_OPERATOR,
            "{title}: too few mutations are found:\n\n{}",
            all.missed.join("\n")
        );
    }
}
