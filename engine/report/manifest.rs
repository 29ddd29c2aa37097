//! What a run was: enough to run it again, and to know whether two runs are parts of one.

use crate::model::{AUTOMA, Model, Seat};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The format that the folder of a run is written in, and that is read.
pub const FORMAT: u32 = 1;

/// A part of a batch that is played in several places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Which part, from 1.
    pub part: u32,
    /// How many parts there are.
    pub of: u32,
}

impl Shard {
    /// The games of this part of so many.
    pub fn games(self, games: u64) -> Range<u64> {
        let bound = |part: u32| (u128::from(games) * u128::from(part) / u128::from(self.of.max(1))) as u64;
        bound(self.part.saturating_sub(1))..bound(self.part)
    }
}

/// The games for one number of players.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchManifest {
    /// How many play.
    pub players: u8,
    /// A number computed from everything in the game's files and everything chosen, in hexadecimal.
    pub rules: String,
    /// The games played, from the first of each pair up to but not including the second.
    pub played: Vec<(u64, u64)>,
    /// After how many games what `until` asks for was known narrowly enough: no more of them belong to the batch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enough: Option<u64>,
}

impl BatchManifest {
    /// How many games were played.
    pub fn count(&self) -> u64 {
        self.played.iter().map(|(begin, end)| end.saturating_sub(*begin)).sum()
    }
}

/// What a run was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The format of the folder's files.
    pub format: u32,
    /// The version of the program.
    pub parlour: String,
    /// The word for the game.
    pub game: String,
    /// Where the game was found.
    pub path: String,
    /// The working directory, seen from the folder of the run: where relative paths lead from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// Where the seeds come from.
    pub seed: u64,
    /// How many games each batch has when it is complete; at most, where there is `until`.
    pub games: u64,
    /// How narrowly which figure is to be known: then a batch has enough games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// Who played: one for all seats, or one for each.
    pub agents: Vec<String>,
    /// The files that agents are made of, each with a number computed from what it holds, in hexadecimal.
    #[serde(default)]
    pub agent_files: Vec<(String, String)>,
    /// Options chosen.
    pub options: Vec<(String, String)>,
    /// Data changed.
    pub sets: Vec<(String, String)>,
    /// Whether the invariants of the rules were asked at every decision.
    pub invariants: bool,
    /// In how many worlds each time it was measured how likely seats are to win while games go on, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prospects: Option<u32>,
    /// Which part of the whole this is, if it is one.
    pub shard: Option<Shard>,
    /// The batches, by number of players.
    pub batches: Vec<BatchManifest>,
    /// Whether every game of the whole, or of this part, was played.
    pub complete: bool,
    /// The files that were written with the games that were played, each with how many bytes it has.
    #[serde(default)]
    pub files: Vec<(String, u64)>,
}

impl Manifest {
    /// The agent of a seat.
    pub fn agent(&self, seat: usize) -> &str {
        self.agents.get(seat).or(self.agents.first()).map_or("", String::as_str)
    }

    /// Returns the name of what plays a seat: its agent, or that rules play it.
    pub(super) fn player(&self, model: &Model, seat: u8) -> &str {
        if model.automas.contains(&Seat(seat)) { AUTOMA } else { self.agent(usize::from(seat)) }
    }

    /// The games that are to be played here.
    pub fn range(&self) -> Range<u64> {
        self.shard.map_or(0..self.games, |shard| shard.games(self.games))
    }

    /// The games of one of its batches that are to be played here.
    pub fn range_of(&self, batch: &BatchManifest) -> Range<u64> {
        let all = self.range();
        all.start..batch.enough.map_or(all.end, |enough| enough.clamp(all.start, all.end))
    }

    /// Returns what in it no program has written: a manifest may have been changed by hand.
    pub(super) fn impossible(&self) -> Option<String> {
        if let Some(Shard { part, of }) = self.shard.filter(|shard| !(1..=shard.of).contains(&shard.part)) {
            return Some(format!("there is no part {part} of {of}"));
        }
        let range = self.range();
        for BatchManifest { players, played, .. } in &self.batches {
            let mut next = range.start;
            for (begin, end) in played {
                if *begin < next || end < begin || *end > range.end {
                    return Some(format!("with {players} players, games {begin} to {end} are not in their place"));
                }
                next = *end;
            }
        }
        let is_sorted = self.batches.windows(2).all(|two| two[0].players < two[1].players);
        (!is_sorted).then(|| "its numbers of players are not in their order".to_owned())
    }

    /// How many games are to be played here.
    pub fn count(&self) -> u64 {
        self.batches
            .iter()
            .map(|batch| self.range_of(batch))
            .map(|range| range.end - range.start)
            .fold(0, u64::saturating_add)
    }

    /// Whether every game was played, by the ranges.
    pub fn is_complete(&self) -> bool {
        self.batches.iter().all(|batch| {
            let range = self.range_of(batch);
            batch.played == Vec::from_iter((!range.is_empty()).then_some((range.start, range.end)))
        })
    }

    /// What must be the same in two parts of one run, in words; the first thing that is not.
    pub fn differs(&self, other: &Self) -> Option<&'static str> {
        let rules = |manifest: &Self| -> Vec<(u8, String)> {
            manifest.batches.iter().map(|batch| (batch.players, batch.rules.clone())).collect()
        };
        let players = |manifest: &Self| -> Vec<u8> { manifest.batches.iter().map(|batch| batch.players).collect() };
        [
            ("version of the program", self.parlour != other.parlour),
            ("game", self.game != other.game),
            ("master seed", self.seed != other.seed),
            ("number of games", self.games != other.games),
            ("width to be played until", self.until != other.until),
            ("agents", self.agents != other.agents),
            ("files of agents", self.agent_files != other.agent_files),
            ("options", self.options != other.options),
            ("changed data", self.sets != other.sets),
            ("invariants", self.invariants != other.invariants),
            ("worlds to measure prospects by", self.prospects != other.prospects),
            ("numbers of players", players(self) != players(other)),
            ("rules", rules(self) != rules(other)),
        ]
        .into_iter()
        .find_map(|(what, differs)| differs.then_some(what))
    }
}

#[cfg(test)]
mod tests {
    use super::Shard;

    #[test]
    fn shards_cover_every_game_once() {
        for (games, of) in [(10, 3), (7, 7), (3, 5), (1_000_000, 64)] {
            let mut next = 0;
            for part in 1..=of {
                let range = Shard { part, of }.games(games);
                assert_eq!(range.start, next);
                next = range.end;
            }
            assert_eq!(next, games);
        }
    }
}
