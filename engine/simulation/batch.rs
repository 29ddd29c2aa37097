//! Playing many games side by side, with the same figures however many play at once.

use super::compare::Comparison;
use super::figures::Figures;
use super::game::{self, Record, SeatPlayer};
use super::notebook::Scheme;
use super::queue::in_order;
use crate::diagnostic::Diagnostics;
use crate::session::{Game, Setup};
use std::ops::Range;
use std::sync::Arc;

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
    /// What is kept of a game, such as lines for a file.
    type Kept: Send;

    /// What is to be kept of a game. Called from any thread, in any order.
    fn keep(&self, record: &Record) -> Self::Kept;

    /// What was kept of a game, in the order of games.
    ///
    /// # Errors
    /// When it cannot be put where it belongs: the batch is given up.
    fn take(&self, kept: Self::Kept) -> std::io::Result<()>;

    /// What the games that were taken so far come to: enough to go on from here another time.
    ///
    /// # Errors
    /// As above.
    fn counted(&self, _figures: &Figures) -> std::io::Result<()> {
        Ok(())
    }

    /// The same where two versions are compared.
    ///
    /// # Errors
    /// As above.
    fn compared(&self, _comparison: &Comparison) -> std::io::Result<()> {
        Ok(())
    }

    /// Whether to stop: games under way are finished.
    fn stops(&self) -> bool {
        false
    }

    /// Whether to give up even the games under way: they are not counted.
    fn gives_up(&self) -> bool {
        false
    }
}

/// Follows nothing.
impl Follower for () {
    type Kept = ();

    fn keep(&self, _record: &Record) {}

    fn take(&self, (): ()) -> std::io::Result<()> {
        Ok(())
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

/// Plays a batch, and gives its figures: those of fewer games if the follower stops it, always of the first ones.
///
/// # Errors
/// Every mistake in the game's files, and in the setup; faults of single games are among the figures.
pub fn simulate<F: Follower>(
    game: &Game,
    batch: &Batch,
    seat_player: SeatPlayer<'_>,
    follower: &F,
) -> Result<Figures, BatchError> {
    let seats = batch.setup.seats;
    let mut figures = Figures::new(seats);
    let side = Side::new(game, batch, seat_player)?;
    let play = |range: Range<u64>| -> Result<(Figures, Vec<F::Kept>, bool), Diagnostics> {
        let (mut part, mut kept) = (Figures::new(seats), Vec::new());
        for at in range {
            if follower.stops() {
                return Ok((part, kept, false));
            }
            let record = side.play(at)?;
            if follower.gives_up() {
                return Ok((part, kept, false));
            }
            part.add(&record);
            kept.push(follower.keep(&record));
        }
        Ok((part, kept, true))
    };
    in_order(batch, &play, |(part, kept, is_whole)| {
        figures.merge(&part);
        kept.into_iter().try_for_each(|kept| follower.take(kept))?;
        follower.counted(&figures)?;
        Ok(is_whole)
    })?;
    Ok(figures)
}

/// Plays the first game of each fault again, where the figures have been read from a file: then they know no more than that
/// there was one, and now what is to be told of it.
///
/// # Errors
/// Every mistake in the game's files, and in the setup.
pub fn faults_again(
    figures: &mut Figures,
    game: &Game,
    batch: &Batch,
    seat_player: SeatPlayer<'_>,
) -> Result<(), BatchError> {
    if figures.faults.iter().all(|group| group.first.is_some()) {
        return Ok(());
    }
    let side = Side::new(game, batch, seat_player)?;
    for group in figures.faults.iter_mut().filter(|group| group.first.is_none()) {
        let record = side.play(group.game).map_err(BatchError::Game)?;
        group.first = record.fault.map(|fault| *fault);
    }
    Ok(())
}

/// A game with everything that a game of a batch is played with.
pub(super) struct Side<'a> {
    game: &'a Game,
    batch: &'a Batch,
    seat_player: SeatPlayer<'a>,
    scheme: Arc<Scheme>,
}

impl<'a> Side<'a> {
    pub(super) fn new(game: &'a Game, batch: &'a Batch, seat_player: SeatPlayer<'a>) -> Result<Self, BatchError> {
        let (layout, _) = game.host(&batch.setup).map_err(BatchError::Game)?;
        Ok(Self { game, batch, seat_player, scheme: Arc::new(Scheme::new(&layout.model)) })
    }

    /// Plays one game of the batch.
    pub(super) fn play(&self, at: u64) -> Result<Record, Diagnostics> {
        let setup = self.batch.setup.clone().seed(game_seed(self.batch.seed, at));
        let players = self.scheme.model.all_seats().map(|seat| (self.seat_player)(setup.seed, seat)).collect();
        game::play(self.game, &setup, at, players, &self.scheme)
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
