//! A batch: many games with one setup.

use super::batch_context::BatchContext;
use super::campaign_runner::CampaignRunner;
use super::game::{self, Record, SeatPlayer};
use super::game_observer::GameObserver;
use super::win_probability::{self, Prospects};
use crate::diagnostic::Diagnostics;
use crate::session::{Game, Halt, Setup};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// Parameters of a batch.
#[derive(Debug, Clone)]
pub struct Batch {
    /// Numbers of the games to play, counted from 0. For a part of a larger batch, this is the range of that part's games.
    pub games: Range<u64>,
    /// Seed from which the seeds of the games are derived.
    pub seed: u64,
    /// Number of threads.
    pub jobs: usize,
    /// Setup of every game; its seed is ignored.
    pub setup: Setup,
    /// Parameters for estimating win probabilities during the games; `None` to skip the estimates. Not used for
    /// campaigns.
    pub prospects: Option<Prospects>,
    /// Whether each game is a campaign: a game with this setup and all games that follow it are counted as one game.
    pub campaigns: bool,
}

impl Batch {
    /// Returns the indices of the threads.
    pub(super) fn threads(&self) -> Range<usize> {
        0..self.jobs.max(1)
    }
}

/// Reason why a batch was aborted.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// Mistakes in the game's files or in the setup.
    #[error("{0}")]
    Game(Diagnostics),
    /// A result could not be written.
    #[error("what was played cannot be kept: {0}")]
    Output(std::io::Error),
}

/// Returns the seed of game number `game` of a batch.
///
/// The seed has 53 bits, so that JSON readers that parse numbers as floats keep it exactly. All random streams of the
/// game (table, zones, dice, agents) are derived from it by name.
pub fn game_seed(seed: u64, game: u64) -> u64 {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let hash = blake3::keyed_hash(&key, &game.to_le_bytes());
    u64::from_le_bytes(hash.as_bytes()[..8].try_into().expect("a hash has 32 bytes")) >> 11
}

/// Returns a hash of a file's content: 16 hexadecimal digits.
pub fn content_hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..16].to_owned()
}

/// Runner for the games of a batch on one thread.
pub(super) struct GameRunner<'a> {
    game: Game,
    batch: &'a Batch,
    seat_player: SeatPlayer<'a>,
    context: Arc<BatchContext>,
    /// Runner for campaigns, if each game of the batch is a campaign.
    campaign: Option<CampaignRunner<'a>>,
    /// Observer of an earlier game, kept to reuse its allocations. It is in a mutex because all threads share the list of runners, although
    /// each thread uses only its own runner.
    observer: Mutex<Option<GameObserver>>,
}

impl<'a> GameRunner<'a> {
    pub(super) fn new(game: &Game, batch: &'a Batch, seat_player: SeatPlayer<'a>) -> Result<Self, BatchError> {
        let (layout, host) = game.host(&batch.setup).map_err(BatchError::Game)?;
        let context = Arc::new(BatchContext::new(&layout.model, host.may_change_first_seat()));
        let campaign = batch.campaigns.then(|| CampaignRunner::new(game.clone(), seat_player));
        Ok(Self { game: game.clone(), batch, seat_player, context, campaign, observer: Mutex::default() })
    }

    /// Creates a runner for each thread of a batch.
    pub(super) fn one_per_thread(
        game: &Game,
        batch: &'a Batch,
        seat_player: SeatPlayer<'a>,
    ) -> Result<Vec<Self>, BatchError> {
        let Self { game, context, .. } = Self::new(game, batch, seat_player)?;
        let new = |_| {
            let (game, context) = (game.apart(), context.clone());
            let campaign = batch.campaigns.then(|| CampaignRunner::new(game.clone(), seat_player));
            Self { game, batch, seat_player, context, campaign, observer: Mutex::default() }
        };
        Ok(batch.threads().map(new).collect())
    }

    /// Plays game number `at` of the batch.
    pub(super) fn play(&self, at: u64, halt: &Halt) -> Result<Record, Diagnostics> {
        let setup = self.batch.setup.clone().seed(game_seed(self.batch.seed, at));
        if let Some(campaign) = &self.campaign {
            return campaign.play_whole(setup, at);
        }
        let players = self.context.model.all_seats().map(|seat| (self.seat_player)(setup.seed, seat)).collect();
        let before = self.observer.lock().unwrap_or_else(PoisonError::into_inner).take();
        let observer = before.map_or_else(|| GameObserver::new(self.context.clone()), GameObserver::reset);
        let mut record = game::play(&self.game, &setup, at, players, observer)?;
        if let (Some(prospects), Some(outcome)) = (self.batch.prospects, &record.outcome) {
            let (answers, asked) = (&record.stats().answers, &record.stats().asked);
            let found = win_probability::estimate(&self.game, &setup, answers, asked, outcome, prospects, halt)?;
            record.numbers.extend(found);
        }
        Ok(record)
    }

    /// Keeps the observer of a finished game for reuse in the next game.
    pub(super) fn recycle(&self, record: Record) {
        // The observer of a campaign depends on the model of one of its scenarios, so it is not reused.
        if self.campaign.is_none() {
            *self.observer.lock().unwrap_or_else(PoisonError::into_inner) = Some(record.observer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::game_seed;

    #[test]
    fn game_seeds_never_change() {
        assert_eq!([game_seed(7, 0), game_seed(7, 1), game_seed(8, 0)], PINNED);
        assert!(PINNED.iter().all(|seed| *seed < 1 << 53));
    }

    const PINNED: [u64; 3] = [8_203_282_155_840_019, 5_653_755_010_492_230, 3_005_576_242_978_324];
}
