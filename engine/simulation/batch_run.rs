//! Runs a batch, or a comparison of two versions of a game. Games are distributed among threads and counted in order.

use super::batch::{Batch, BatchError, GameRunner};
use super::compare::Comparison;
use super::figures::Figures;
use super::follower::Follower;
use super::game::SeatPlayer;
use super::ledger::Ledger;
#[cfg(not(feature = "system"))]
use super::one_by_one::run_in_order;
use super::precision::LOOK;
#[cfg(feature = "system")]
use super::queue::run_in_order;
use crate::diagnostic::Diagnostics;
use crate::session::{Game, Halt};
use std::ops::Range;

/// Plays a batch and returns its figures. If the follower stops the batch early, the figures cover only the games counted until then.
///
/// # Errors
/// Returns mistakes in the game's files or the setup, or an error of the follower. Faults of single games are part of the figures.
pub fn simulate<F: Follower>(
    game: &Game,
    batch: &Batch,
    seat_player: SeatPlayer<'_>,
    follower: &F,
) -> Result<Figures, BatchError> {
    let seats = batch.setup.seats;
    let (mut figures, halt) = (Figures::new(seats), follower.halt());
    let runners = GameRunner::one_per_thread(game, batch, seat_player)?;
    let play = |thread: usize, range: Range<u64>| -> Result<(Figures, Vec<F::GameData>, bool), Diagnostics> {
        let (mut ledger, mut kept) = (Ledger::new(seats), Vec::new());
        for at in range {
            if follower.stops() {
                return Ok((ledger.into_figures(), kept, false));
            }
            let record = runners[thread].play(at, &halt)?;
            if halt.is_called() {
                return Ok((ledger.into_figures(), kept, false));
            }
            ledger.add(&record);
            kept.push(follower.keep(&record));
            runners[thread].recycle(record);
        }
        Ok((ledger.into_figures(), kept, true))
    };
    run_in_order(batch, &play, |(part, kept, is_whole)| {
        figures.merge(&part);
        kept.into_iter().try_for_each(|kept| follower.take(kept))?;
        follower.counted(&figures)?;
        // Checked only at multiples of `LOOK`, so that the number of games does not depend on the number of threads.
        let is_look = (batch.games.start + figures.games).is_multiple_of(LOOK);
        Ok(is_whole && !(is_look && follower.is_enough(&figures)))
    })?;
    Ok(figures)
}

/// Restores the missing diagnostics of fault groups that were read from a file, by replaying the first game of each group.
///
/// # Errors
/// Returns mistakes in the game's files or the setup.
pub fn replay_faults(
    figures: &mut Figures,
    game: &Game,
    batch: &Batch,
    seat_player: SeatPlayer<'_>,
) -> Result<(), BatchError> {
    if figures.faults.iter().all(|group| group.first.is_some()) {
        return Ok(());
    }
    let runner = GameRunner::new(game, batch, seat_player)?;
    for group in figures.faults.iter_mut().filter(|group| group.first.is_none()) {
        let record = runner.play(group.game, &Halt::default()).map_err(BatchError::Game)?;
        group.first = record.fault.map(|fault| *fault);
    }
    Ok(())
}

/// Plays two versions of a game, each with its own players. Both batches must cover the same range of games. With the same seed, both
/// versions use the same random numbers.
///
/// # Errors
/// Returns mistakes in the files of either game or in the setups, or an error of the follower.
pub fn compare<F: Follower>(
    (game_a, batch_a): (&Game, &Batch),
    (game_b, batch_b): (&Game, &Batch),
    seat_players: [SeatPlayer<'_>; 2],
    follower: &F,
) -> Result<Comparison, BatchError> {
    let seats = batch_a.setup.seats;
    let new = || Comparison::new(seats);
    let halt = follower.halt();
    let [players_a, players_b] = seat_players;
    let a = GameRunner::one_per_thread(game_a, batch_a, players_a)?;
    // The same threads play both versions, so both need the same number of runners.
    let batch_b = Batch { jobs: batch_a.jobs, ..batch_b.clone() };
    let b = GameRunner::one_per_thread(game_b, &batch_b, players_b)?;
    let play = |thread: usize, range: Range<u64>| -> Result<(Comparison, Vec<F::GameData>, bool), Diagnostics> {
        let (mut part, mut kept) = (new(), Vec::new());
        let mut ledgers = [Ledger::new(seats), Ledger::new(seats)];
        let mut is_whole = true;
        for at in range {
            is_whole = !follower.stops();
            if !is_whole {
                break;
            }
            let (one, two) = (a[thread].play(at, &halt)?, b[thread].play(at, &halt)?);
            is_whole = !halt.is_called();
            if !is_whole {
                break;
            }
            ledgers.iter_mut().zip([&one, &two]).for_each(|(ledger, record)| ledger.add(record));
            part.add(&one, &two);
            kept.push(follower.keep_pair(&one, &two));
            a[thread].recycle(one);
            b[thread].recycle(two);
        }
        [part.a, part.b] = ledgers.map(Ledger::into_figures);
        Ok((part, kept, is_whole))
    };
    let mut whole = new();
    run_in_order(batch_a, &play, |(part, kept, is_whole)| {
        whole.merge(&part);
        kept.into_iter().try_for_each(|kept| follower.take(kept))?;
        follower.compared(&whole)?;
        Ok(is_whole)
    })?;
    Ok(whole)
}
