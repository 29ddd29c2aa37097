//! Many games: batches and their figures. It knows no terminals and does not choose who plays.

mod batch;
mod fault;
mod figures;
mod spread;

pub use batch::{Batch, game_seed, simulate};
pub use fault::FaultGroup;
pub use figures::{Figures, SeatFigures};
pub use spread::{Interval, Spread, wilson};
