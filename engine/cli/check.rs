//! `parlour check`: everything that can be said of a game without playing it, then a few games.

use super::output::{Failure, Output};
use super::{examples, opening};
use crate::agents;
use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::session::{Game, Setup};
use clap::Args;

/// How many games are played for each number of players.
const GAMES: u64 = 3;

/// Looks for mistakes in a game: in its files, then in a few games, in which the invariants of its rules are held
#[derive(Args, Debug)]
#[command(help_template = examples!("parlour check games/my-game", "parlour check stockpile"))]
pub(super) struct Check {
    /// A folder, or the name of a game that comes with the program
    game: String,
}

impl Check {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let game = opening::open(&self.game, output)?.holding_invariants();
        let mut found = Found(game.warnings().0);
        let mut played = 0;
        let mut remarks: Option<Vec<Diagnostic>> = None;
        for setup in setups(&game) {
            let (_, host) = match game.host(&setup) {
                Err(mistakes) => {
                    found.extend(mistakes);
                    continue;
                }
                Ok(built) => built,
            };
            // What is of no use with one option may be of use with another.
            let here = host.warnings();
            remarks = Some(remarks.map_or_else(|| here.to_vec(), |known| common(known, here)));
            if setup.options.is_empty() {
                played += play(&game, &setup, &mut found);
            }
        }
        found.extend(Diagnostics(remarks.unwrap_or_default()));
        found.tell(&game, played, output)
    }
}

/// What was found both times.
fn common(known: Vec<Diagnostic>, here: &[Diagnostic]) -> Vec<Diagnostic> {
    known.into_iter().filter(|one| here.contains(one)).collect()
}

/// Every number of players, with nothing chosen and with each value of each option.
fn setups(game: &Game) -> Vec<Setup> {
    let options = game.option_values();
    let chosen: Vec<(&String, &String)> =
        options.iter().flat_map(|(name, values)| values.iter().map(move |value| (name, value))).collect();
    let with_options = |seats| chosen.iter().map(move |(name, value)| Setup::seats(seats).option(name, value));
    game.players().flat_map(|seats| std::iter::once(Setup::seats(seats)).chain(with_options(seats))).collect()
}

/// Plays a few games at random; gives how many.
fn play(game: &Game, setup: &Setup, found: &mut Found) -> u64 {
    for seed in 1..=GAMES {
        let setup = setup.clone().seed(seed);
        let seats = 0..setup.seats as usize;
        let players = seats.map(|seat| agents::named("random", seed, seat).expect("there is a random agent")).collect();
        match game.play(&setup, players, false) {
            Err(mistakes) => found.extend(mistakes),
            Ok(played) => found.extend(Diagnostics(played.outcome.err().into_iter().map(|boxed| *boxed).collect())),
        }
    }
    GAMES
}

/// What was found, each mistake once.
struct Found(Vec<Diagnostic>);

impl Found {
    fn extend(&mut self, more: Diagnostics) {
        for diagnostic in more.0 {
            let is_known = |known: &Diagnostic| {
                (known.code, &known.message, &known.marks) == (diagnostic.code, &diagnostic.message, &diagnostic.marks)
            };
            if !self.0.iter().any(is_known) {
                self.0.push(diagnostic);
            }
        }
    }

    fn tell(&self, game: &Game, played: u64, output: &mut Output) -> Result<(), Failure> {
        for diagnostic in &self.0 {
            output.diagnostic(diagnostic)?;
        }
        let errors = self.0.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count();
        let warnings = self.0.len() - errors;
        let name = game.id();
        let remarks = if warnings == 0 { String::new() } else { format!(", {}", counted(warnings, "warning")) };
        if errors > 0 {
            output.line(format!("{name}: {}{remarks}", counted(errors, "mistake")))?;
            return Err(Failure::Fault);
        }
        output.line(format!("{name}: no mistakes found{remarks} ({} played)", counted(played as usize, "game")))
    }
}

/// A number of things, in English.
pub(super) fn counted(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}
