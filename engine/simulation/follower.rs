//! Interface for following a batch while it is played.

use super::compare::Comparison;
use super::figures::Figures;
use super::game::Record;
use crate::session::Halt;

/// Follower of a batch that is being played. It keeps results of games and can stop the batch.
pub trait Follower: Sync {
    /// Data kept about a game, such as lines for a file.
    type GameData: Send;

    /// Extracts the data to keep about a game. Called on any thread and in any order.
    fn keep(&self, record: &Record) -> Self::GameData;

    /// Extracts the data to keep about a pair of games when two versions are compared. By default, this is the data of the second game.
    fn keep_pair(&self, _one: &Record, two: &Record) -> Self::GameData {
        self.keep(two)
    }

    /// Receives the data kept about a game. Called once for each game, in the order of the games.
    ///
    /// # Errors
    /// An error aborts the batch.
    fn take(&self, kept: Self::GameData) -> std::io::Result<()>;

    /// Receives the figures of all games taken so far, for example to save a checkpoint.
    ///
    /// # Errors
    /// An error aborts the batch.
    fn counted(&self, _figures: &Figures) -> std::io::Result<()> {
        Ok(())
    }

    /// Like [`counted`](Self::counted), but for a comparison of two versions.
    ///
    /// # Errors
    /// An error aborts the batch.
    fn compared(&self, _comparison: &Comparison) -> std::io::Result<()> {
        Ok(())
    }

    /// Returns whether the figures are precise enough to stop. Called whenever the number of games is a multiple of
    /// [`LOOK`](super::precision::LOOK). The result must depend only on the figures.
    fn is_enough(&self, _figures: &Figures) -> bool {
        false
    }

    /// Returns whether to stop the batch. Games in progress are finished.
    fn stops(&self) -> bool {
        false
    }

    /// Returns a signal that stops the batch and also aborts games in progress. Aborted games are not counted.
    fn halt(&self) -> Halt {
        Halt::default()
    }
}

/// Follower that keeps nothing and never stops.
impl Follower for () {
    type GameData = ();

    fn keep(&self, _record: &Record) {}

    fn take(&self, (): ()) -> std::io::Result<()> {
        Ok(())
    }
}
