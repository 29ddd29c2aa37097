//! Many games: batches and their figures. It knows no terminals and does not choose who plays.

mod arena;
mod batch;
mod fault;
mod figures;
mod spread;

pub use arena::{Contest, Contestant, Ladder, arena};
pub use batch::{Batch, game_seed, simulate};
pub use fault::FaultGroup;
pub use figures::{Figures, SeatFigures};
pub use spread::{Interval, Spread, wilson, wilson_at};

/// Does something with each of several things, on every core; the results come in the order of the things.
pub fn in_parallel<T: Sync, R: Send>(things: &[T], run: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    use rayon::prelude::*;
    things.par_iter().map(run).collect()
}
