//! Manifest of a run: everything needed to repeat the run, and to decide whether two runs are parts of a larger one.

use crate::model::{AUTOMA, Model, Seat};
use crate::simulation::Prospects;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Version of the format of a run's folder.
pub const FORMAT: u32 = 1;

/// One of several parts of a run that are played separately.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Index of the part, from 1.
    pub part: u32,
    /// Number of parts.
    pub of: u32,
}

impl Shard {
    /// Returns the range of games that belong to this part of a run of `games` games.
    pub fn games(self, games: u64) -> Range<u64> {
        let bound = |part: u32| (u128::from(games) * u128::from(part) / u128::from(self.of.max(1))) as u64;
        bound(self.part.saturating_sub(1))..bound(self.part)
    }
}

/// Description of the games with one number of players.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchManifest {
    /// Number of players.
    pub players: u8,
    /// Fingerprint of the game's files and all settings, in hexadecimal.
    pub rules: String,
    /// Ranges of the games that were played. Their ends are exclusive.
    pub played: Vec<(u64, u64)>,
    /// Number of games after which the condition `until` was met. Later games do not belong to the batch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enough: Option<u64>,
}

impl BatchManifest {
    /// Returns the number of games played.
    pub fn count(&self) -> u64 {
        self.played.iter().map(|(begin, end)| end.saturating_sub(*begin)).sum()
    }
}

/// Description of a run: its settings, and which games were played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of the folder's format.
    pub format: u32,
    /// Version of the program.
    pub parlour: String,
    /// Name of the game as given on the command line.
    pub game: String,
    /// Path of the game.
    pub path: String,
    /// Working directory relative to the run's folder; relative paths start from there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// Seed from which the seeds of all games are derived.
    pub seed: u64,
    /// Number of games per batch; the maximum if `until` is set.
    pub games: u64,
    /// Precision at which a batch has enough games, as given on the command line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// Agents: one for all seats, or one per seat.
    pub agents: Vec<String>,
    /// Files that define agents, each with the hash of the content in hexadecimal.
    #[serde(default)]
    pub agent_files: Vec<(String, String)>,
    /// Options that were chosen.
    pub options: Vec<(String, String)>,
    /// Settings that were changed, each with its path and value.
    pub sets: Vec<(String, String)>,
    /// Whether invariants were checked at every decision.
    pub invariants: bool,
    /// Whether each game of the run is a whole campaign.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub campaigns: bool,
    /// Number of worlds used to estimate win probabilities during games, if they were estimated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prospects: Option<u32>,
    /// Part of the run that was played; `None` if the whole run was played.
    pub shard: Option<Shard>,
    /// One batch for each number of players, in ascending order.
    pub batches: Vec<BatchManifest>,
    /// Whether all games of the run, or of this part, were played.
    pub complete: bool,
    /// Files that existed at the end of the run, with their sizes in bytes.
    #[serde(default)]
    pub files: Vec<(String, u64)>,
}

impl Manifest {
    /// Returns the agent of a seat.
    pub fn agent(&self, seat: usize) -> &str {
        self.agents.get(seat).or(self.agents.first()).map_or("", String::as_str)
    }

    /// Returns the name of a seat's player: its agent, or `automa`.
    pub(super) fn player(&self, model: &Model, seat: u8) -> &str {
        if model.automas.contains(&Seat(seat)) { AUTOMA } else { self.agent(usize::from(seat)) }
    }

    /// Returns the range of games in each batch of this run or part, regardless of `enough`.
    pub fn range(&self) -> Range<u64> {
        self.shard.map_or(0..self.games, |shard| shard.games(self.games))
    }

    /// Returns the range of games in one batch of this run or part, taking `enough` into account.
    pub fn range_of(&self, batch: &BatchManifest) -> Range<u64> {
        let all = self.range();
        all.start..batch.enough.map_or(all.end, |enough| enough.clamp(all.start, all.end))
    }

    /// Returns a description of the first contradiction in the manifest, which may have been edited by hand; `None` if it is consistent.
    pub(super) fn find_contradiction(&self) -> Option<String> {
        if let Some(Shard { part, of }) = self.shard.filter(|shard| !(1..=shard.of).contains(&shard.part)) {
            return Some(format!("there is no part {part} of {of}"));
        }
        let worlds = Prospects::LEAST..=Prospects::MOST;
        if let Some(prospects) = self.prospects.filter(|prospects| !worlds.contains(prospects)) {
            return Some(format!("prospects cannot be measured by {prospects} imagined worlds"));
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

    /// Returns the total number of games in all batches once this run or part is complete.
    pub fn count(&self) -> u64 {
        self.batches
            .iter()
            .map(|batch| self.range_of(batch))
            .map(|range| range.end - range.start)
            .fold(0, u64::saturating_add)
    }

    /// Returns whether all games of all batches were played.
    pub fn is_complete(&self) -> bool {
        self.batches.iter().all(|batch| {
            let range = self.range_of(batch);
            batch.played == Vec::from_iter((!range.is_empty()).then_some((range.start, range.end)))
        })
    }

    /// Returns the name of the first property that differs between two manifests, among those in which all parts of a run must agree.
    pub fn first_difference(&self, other: &Self) -> Option<&'static str> {
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
            ("campaigns", self.campaigns != other.campaigns),
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
