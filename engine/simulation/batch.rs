//! Playing many games side by side, with the same figures however many play at once.

use super::figures::{Figures, Record};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::model::Seat;
use crate::session::{Game, Player, Setup};
use rayon::prelude::*;

/// What is to be played.
#[derive(Debug, Clone)]
pub struct Batch {
    /// How many games.
    pub games: u64,
    /// Where the seeds of the games come from.
    pub seed: u64,
    /// How many games are played at once.
    pub jobs: usize,
    /// The setup of every game; its seed is not used.
    pub setup: Setup,
}

/// Games handed out together before they are counted, for each of those played at once.
const PORTION: u64 = 64;

/// The seed of a game of a batch. It has 53 bits, so that whatever reads JSON keeps it.
pub fn game_seed(seed: u64, game: u64) -> u64 {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let hash = blake3::keyed_hash(&key, &game.to_le_bytes());
    u64::from_le_bytes(hash.as_bytes()[..8].try_into().expect("a hash has 32 bytes")) >> 11
}

/// Plays a batch. `seat_player` gives the player of a seat for a game's seed; `done` is called after each game.
///
/// # Errors
/// Every mistake in the game's files, and in the setup; faults of single games are among the figures.
pub fn simulate(
    game: &Game,
    batch: &Batch,
    seat_player: &(dyn Fn(u64, Seat) -> Box<dyn Player> + Sync),
    done: &(dyn Fn() + Sync),
) -> Result<Figures, Diagnostics> {
    let (layout, _) = game.host(&batch.setup)?;
    let mut figures = Figures::new(layout.model.seats, layout.model.endings.len());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(batch.jobs).build().map_err(|error| no_threads(&error))?;
    let play = |at: u64| {
        let setup = batch.setup.clone().seed(game_seed(batch.seed, at));
        let players = layout.model.all_seats().map(|seat| seat_player(setup.seed, seat)).collect();
        let record = game.play(&setup, players, false).map(Record::from);
        done();
        record
    };
    let portion = PORTION * batch.jobs.max(1) as u64;
    for begin in (0..batch.games).step_by(portion as usize) {
        let end = batch.games.min(begin + portion);
        let records: Vec<_> = pool.install(|| (begin..end).into_par_iter().map(play).collect());
        for (at, record) in (begin..end).zip(records) {
            figures.add(at, game_seed(batch.seed, at), record?);
        }
    }
    Ok(figures)
}

pub(super) fn no_threads(error: &rayon::ThreadPoolBuildError) -> Diagnostics {
    Diagnostics(vec![
        Diagnostic::error("no-threads", format!("the games cannot be played side by side: {error}"))
            .help("give a smaller number of `--jobs`"),
    ])
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
