//! Playing many games side by side, with the same figures however many play at once.

use super::figures::Figures;
use super::game::{self, Record, SeatPlayer};
use super::notebook::watched;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::session::{Game, Setup};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

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
}

/// Whoever follows a batch while it is played.
pub trait Follower: Sync {
    /// A game is over. Called from any thread, in any order.
    fn played(&self) {}

    /// What is to be kept of a game, such as lines for a file. Called from any thread, in any order.
    fn keep(&self, _record: &Record) -> Vec<u8> {
        Vec::new()
    }

    /// What was kept of a game, in the order of games.
    ///
    /// # Errors
    /// When it cannot be put where it belongs: the batch is given up.
    fn take(&self, _kept: &[u8]) -> std::io::Result<()> {
        Ok(())
    }

    /// Whether to stop: games under way are finished.
    fn stops(&self) -> bool {
        false
    }
}

/// Follows nothing.
impl Follower for () {}

/// Why a batch was given up.
#[derive(Debug)]
pub enum BatchError {
    /// Mistakes in the game's files, or in the setup.
    Game(Diagnostics),
    /// What was kept could not be put where it belongs.
    Output(std::io::Error),
}

/// Games handed out together before they are counted, for each of those played at once.
const PORTION: u64 = 64;

/// Games that one thread counts together.
const CHUNK: u64 = 16;

/// The seed of a game of a batch. It has 53 bits, so that whatever reads JSON keeps it. The streams of the table, of every
/// zone and die on it, and of every agent are derived from it by their names.
pub fn game_seed(seed: u64, game: u64) -> u64 {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let hash = blake3::keyed_hash(&key, &game.to_le_bytes());
    u64::from_le_bytes(hash.as_bytes()[..8].try_into().expect("a hash has 32 bytes")) >> 11
}

/// Plays a batch, and gives its figures: those of fewer games if the follower stops it, always of the first ones.
///
/// # Errors
/// Every mistake in the game's files, and in the setup; faults of single games are among the figures.
pub fn simulate(
    game: &Game,
    batch: &Batch,
    seat_player: SeatPlayer<'_>,
    follower: &dyn Follower,
) -> Result<Figures, BatchError> {
    let mut figures = Figures::new(batch.setup.seats);
    each(game, batch, seat_player, follower, &mut |part| figures.merge(part))?;
    Ok(figures)
}

/// What one thread has counted.
struct Part {
    figures: Figures,
    kept: Vec<u8>,
    is_whole: bool,
}

fn each(
    game: &Game,
    batch: &Batch,
    seat_player: SeatPlayer<'_>,
    follower: &dyn Follower,
    count: &mut dyn FnMut(&Figures),
) -> Result<(), BatchError> {
    let (layout, _) = game.host(&batch.setup).map_err(BatchError::Game)?;
    let values = watched(&layout.model);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(batch.jobs).build().map_err(|error| no_threads(&error))?;
    let stopped = AtomicBool::new(false);
    let play = |range: Range<u64>| -> Result<Part, Diagnostics> {
        let mut part = Part { figures: Figures::new(batch.setup.seats), kept: Vec::new(), is_whole: true };
        for at in range {
            if stopped.load(Ordering::Relaxed) || follower.stops() {
                stopped.store(true, Ordering::Relaxed);
                part.is_whole = false;
                break;
            }
            let setup = batch.setup.clone().seed(game_seed(batch.seed, at));
            let players = layout.model.all_seats().map(|seat| seat_player(setup.seed, seat)).collect();
            let record = game::play(game, &setup, at, players, (&layout.model, &values))?;
            part.figures.add(&record);
            part.kept.extend(follower.keep(&record));
            follower.played();
        }
        Ok(part)
    };
    let portion = PORTION * batch.jobs.max(1) as u64;
    let end = batch.games.end;
    for begin in batch.games.clone().step_by(portion as usize) {
        let chunks: Vec<Range<u64>> = (begin..end.min(begin + portion))
            .step_by(CHUNK as usize)
            .map(|begin| begin..end.min(begin + portion).min(begin + CHUNK))
            .collect();
        let parts: Vec<_> = pool.install(|| chunks.into_par_iter().map(play).collect());
        for part in parts {
            let part = part.map_err(BatchError::Game)?;
            count(&part.figures);
            follower.take(&part.kept).map_err(BatchError::Output)?;
            if !part.is_whole {
                return Ok(());
            }
        }
    }
    Ok(())
}

fn no_threads(error: &rayon::ThreadPoolBuildError) -> BatchError {
    BatchError::Game(Diagnostics(vec![
        Diagnostic::error("no-threads", format!("the games cannot be played side by side: {error}"))
            .help("give a smaller number of `--jobs`"),
    ]))
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
