//! Many games that are played with one setup.

use super::game::{self, Record, SeatPlayer};
use super::notebook::Notebook;
use super::prospects::{self, Prospects};
use super::scheme::Scheme;
use crate::diagnostic::Diagnostics;
use crate::session::{Game, Halt, Setup};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// What is to be played.
#[derive(Debug, Clone)]
pub struct Batch {
    /// Which games, counted from 0: a part of a larger batch is a range of its games.
    pub games: Range<u64>,
    /// Where the seeds of the games come from.
    pub seed: u64,
    /// How many games are played at once.
    pub jobs: usize,
    /// The setup of every game; its seed is not used.
    pub setup: Setup,
    /// Whether it is also measured how likely seats are to win while games go on.
    pub prospects: Option<Prospects>,
}

impl Batch {
    /// The numbers of the threads that play it.
    pub(super) fn threads(&self) -> Range<usize> {
        0..self.jobs.max(1)
    }
}

/// Why a batch was given up.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// Mistakes in the game's files, or in the setup.
    #[error("{0}")]
    Game(Diagnostics),
    /// What was kept could not be put where it belongs.
    #[error("what was played cannot be kept: {0}")]
    Output(std::io::Error),
}

/// The seed of a game of a batch. It has 53 bits, so that whatever reads JSON keeps it. The streams of the table, of every
/// zone and die on it, and of every agent are derived from it by their names.
pub fn game_seed(seed: u64, game: u64) -> u64 {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let hash = blake3::keyed_hash(&key, &game.to_le_bytes());
    u64::from_le_bytes(hash.as_bytes()[..8].try_into().expect("a hash has 32 bytes")) >> 11
}

/// A number for what a file holds, in hexadecimal.
pub fn number_of(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..16].to_owned()
}

/// A game with everything that a game of a batch is played with.
pub(super) struct Side<'a> {
    game: Game,
    batch: &'a Batch,
    seat_player: SeatPlayer<'a>,
    scheme: Arc<Scheme>,
    /// That of a game before, to be written in anew.
    notebook: Mutex<Option<Notebook>>,
}

impl<'a> Side<'a> {
    pub(super) fn new(game: &Game, batch: &'a Batch, seat_player: SeatPlayer<'a>) -> Result<Self, BatchError> {
        let (layout, host) = game.host(&batch.setup).map_err(BatchError::Game)?;
        let scheme = Arc::new(Scheme::new(&layout.model, host.moves_first()));
        Ok(Self { game: game.clone(), batch, seat_player, scheme, notebook: Mutex::default() })
    }

    /// One for each thread that plays the batch.
    pub(super) fn of_threads(
        game: &Game,
        batch: &'a Batch,
        seat_player: SeatPlayer<'a>,
    ) -> Result<Vec<Self>, BatchError> {
        let Self { game, scheme, .. } = Self::new(game, batch, seat_player)?;
        let new = |_| {
            let (game, scheme) = (game.apart(), scheme.clone());
            Self { game, batch, seat_player, scheme, notebook: Mutex::default() }
        };
        Ok(batch.threads().map(new).collect())
    }

    /// Plays one game of the batch.
    pub(super) fn play(&self, at: u64, halt: &Halt) -> Result<Record, Diagnostics> {
        let setup = self.batch.setup.clone().seed(game_seed(self.batch.seed, at));
        let players = self.scheme.model.all_seats().map(|seat| (self.seat_player)(setup.seed, seat)).collect();
        let before = self.notebook.lock().unwrap_or_else(PoisonError::into_inner).take();
        let notebook = before.map_or_else(|| Notebook::new(self.scheme.clone()), Notebook::anew);
        let mut record = game::play(&self.game, &setup, at, players, notebook)?;
        if let (Some(prospects), Some(outcome)) = (self.batch.prospects, &record.outcome) {
            let asked = (&record.notes().answers[..], &record.notes().asked[..]);
            record.numbers.extend(prospects::numbers(&self.game, &setup, asked, outcome, prospects, halt)?);
        }
        Ok(record)
    }

    /// Takes back what a game was written down in, when it has been counted.
    pub(super) fn take_back(&self, record: Record) {
        *self.notebook.lock().unwrap_or_else(PoisonError::into_inner) = Some(record.notebook);
    }
}

#[cfg(test)]
mod tests {
    use super::game_seed;

    #[test]
    fn the_seeds_of_a_batch_never_change() {
        assert_eq!([game_seed(7, 0), game_seed(7, 1), game_seed(8, 0)], PINNED);
        assert!(PINNED.iter().all(|seed| *seed < 1 << 53));
    }

    const PINNED: [u64; 3] = [8_203_282_155_840_019, 5_653_755_010_492_230, 3_005_576_242_978_324];
}
