//! Arguments that several commands share.

use super::output::{Failure, usage};
use crate::agents;
use crate::diagnostic::did_you_mean;
use crate::model::{Language, Seat};
use crate::session::{Game, Player, Setup};
use clap::{Args, ValueEnum};
use std::collections::BTreeSet;
use std::time::{SystemTime, UNIX_EPOCH};

/// What is chosen about a game before it is played.
#[derive(Args, Debug)]
pub(super) struct Chosen {
    /// A folder, or the name of a game that comes with the program
    pub(super) game: String,
    /// Choose an option of the game; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = pair)]
    options: Vec<(String, String)>,
    /// Change a number of the game, such as `params.start_cash=25`; may be given several times
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = pair)]
    sets: Vec<(String, String)>,
}

impl Chosen {
    /// The setup for a number of seats, without a seed.
    pub(super) fn setup(&self, seats: u8) -> Setup {
        Setup { options: self.options.clone(), sets: self.sets.clone(), ..Setup::seats(seats) }
    }
}

/// How what was asked for is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people
    Text,
    /// For other programs
    Json,
}

/// Who chooses: one agent for all seats, or one for each.
#[derive(Args, Debug)]
pub(super) struct Agents {
    /// Who plays: one agent for all seats, or one for each seat, from `random` and `first`
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', default_value = "random")]
    agents: Vec<String>,
}

impl Agents {
    /// Checks the names for a number of seats.
    pub(super) fn check(&self, seats: u8) -> Result<(), Failure> {
        for name in &self.agents {
            if agents::named(name, 0, 0).is_none() {
                let known = agents::NAMES.join("`, `");
                let help = did_you_mean(name, agents::NAMES).unwrap_or(format!("the agents are `{known}`"));
                return Err(Failure::Usage(format!("there is no agent `{name}`"), Some(help)));
            }
        }
        if self.agents.len() != 1 && self.agents.len() != seats as usize {
            let given = self.agents.len();
            return Err(usage(format!(
                "`--agents` names {given} agents, and there are {seats} seats: name 1 or {seats}"
            )));
        }
        Ok(())
    }

    /// Agents by their names, as they were given.
    pub(super) fn named(agents: Vec<String>) -> Self {
        Self { agents }
    }

    /// The names as they were given.
    pub(super) fn list(&self) -> &[String] {
        &self.agents
    }

    /// The name of the agent in a seat.
    pub(super) fn name(&self, seat: Seat) -> &str {
        if self.agents.len() == 1 { &self.agents[0] } else { &self.agents[seat.index()] }
    }

    /// The agent in a seat of a game with a seed.
    pub(super) fn player(&self, seed: u64, seat: Seat) -> Box<dyn Player> {
        agents::named(self.name(seat), seed, seat.index()).expect("names of agents are checked before play")
    }

    /// What a command needs so that the same agents play.
    pub(super) fn words(&self) -> String {
        if self.agents.iter().all(|name| name == "random") {
            String::new()
        } else {
            format!(" --agents {}", self.agents.join(","))
        }
    }
}

/// A name and a value with `=` between.
fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.trim().to_owned())),
        _ => Err("write a name, `=` and a value".to_owned()),
    }
}

/// A language by its tag.
pub(super) fn language(tag: &str) -> Result<Language, String> {
    Language::from_tag(tag).ok_or_else(|| {
        let known = Language::ALL.map(Language::tag);
        did_you_mean(tag, known).unwrap_or(format!("the languages are `{}`", known.join("`, `")))
    })
}

/// Checks a number of players.
pub(super) fn check_players(game: &Game, players: u8) -> Result<(), Failure> {
    let range = game.players();
    if range.contains(&players) {
        return Ok(());
    }
    let (min, max) = (range.start(), range.end());
    let number = if min == max { format!("{min}") } else { format!("{min} to {max}") };
    let message = format!("`{}` is for {number} players, not {players}", game.id());
    Err(Failure::Usage(message, Some(format!("give `--players {min}`"))))
}

/// The names of the players, if they were given.
pub(super) fn check_names(names: &[String], players: u8) -> Result<(), Failure> {
    if names.is_empty() {
        return Ok(());
    }
    if names.len() != players as usize {
        return Err(usage(format!("`--names` has {} names, and there are {players} players", names.len())));
    }
    let different: BTreeSet<&String> = names.iter().collect();
    if different.len() != names.len() || names.iter().any(|name| name.trim().is_empty()) {
        return Err(usage("`--names` needs a different name for each player"));
    }
    Ok(())
}

/// A seed nobody has chosen.
pub(super) fn fresh_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.as_nanos() as u64 % 1_000_000
}
