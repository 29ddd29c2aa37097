//! Plays the games of a batch one after the other, for builds without threads.

use super::batch::{Batch, BatchError};
use super::precision::LOOK;
use crate::diagnostic::Diagnostics;
use std::ops::Range;

/// Plays the games of a batch in chunks, one after the other. `play` is called with the thread index 0. The results are passed to `take` in
/// the order of the games, until `take` returns `false`.
pub(super) fn run_in_order<T: Send>(
    batch: &Batch,
    play: &(dyn Fn(usize, Range<u64>) -> Result<T, Diagnostics> + Sync),
    mut take: impl FnMut(T) -> std::io::Result<bool>,
) -> Result<(), BatchError> {
    let Range { mut start, end } = batch.games;
    while start < end {
        // The stopping rule is checked at multiples of `LOOK` and only between chunks, so a chunk must not cross a multiple.
        let until = end.min((start / LOOK + 1).saturating_mul(LOOK));
        let part = play(0, start..until).map_err(BatchError::Game)?;
        if !take(part).map_err(BatchError::Output)? {
            break;
        }
        start = until;
    }
    Ok(())
}
