//! A follower of games while they are played.

use super::compare::Comparison;
use super::figures::Figures;
use super::game::Record;
use crate::session::Halt;

/// A follower of a batch while it is played.
pub trait Follower: Sync {
    /// What is kept of a game, such as lines for a file.
    type Kept: Send;

    /// What is to be kept of a game. Called from any thread, in any order.
    fn keep(&self, record: &Record) -> Self::Kept;

    /// What is to be kept of a pair of games where two versions are compared: what is kept of the second.
    fn keep_pair(&self, _one: &Record, two: &Record) -> Self::Kept {
        self.keep(two)
    }

    /// What was kept of a game, in the order of games.
    ///
    /// # Errors
    /// When it cannot be put where it belongs: the batch is given up.
    fn take(&self, kept: Self::Kept) -> std::io::Result<()>;

    /// The figures of the games that were taken so far: enough to go on from here another time.
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

    /// Whether the figures of this batch so far are enough. Asked whenever the number of a game is a multiple of
    /// [`LOOK`](super::precision::LOOK): the answer must follow from the figures alone.
    fn is_enough(&self, _figures: &Figures) -> bool {
        false
    }

    /// Whether to stop: games under way are finished.
    fn stops(&self) -> bool {
        false
    }

    /// What says whether to give up even the games under way: they are not counted.
    fn halt(&self) -> Halt {
        Halt::default()
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
