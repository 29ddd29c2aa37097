//! Playing a batch, or two versions of a game side by side: games handed out to threads, and counted in their order.

use super::batch::{Batch, BatchError, Side};
use super::compare::Comparison;
use super::figures::Figures;
use super::follower::Follower;
use super::game::SeatPlayer;
use super::ledger::Ledger;
use super::precision::LOOK;
use super::queue::in_order;
use crate::diagnostic::Diagnostics;
use crate::session::{Game, Halt};
use std::ops::Range;

/// Plays a batch, and returns its figures: those of fewer games if the follower stops it or has enough, always of the first ones.
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
    let (mut figures, halt) = (Figures::new(seats), follower.halt());
    let sides = Side::of_threads(game, batch, seat_player)?;
    let play = |thread: usize, range: Range<u64>| -> Result<(Figures, Vec<F::Kept>, bool), Diagnostics> {
        let (mut ledger, mut kept) = (Ledger::new(seats), Vec::new());
        for at in range {
            if follower.stops() {
                return Ok((ledger.close(), kept, false));
            }
            let record = sides[thread].play(at, &halt)?;
            if halt.is_called() {
                return Ok((ledger.close(), kept, false));
            }
            ledger.add(&record);
            kept.push(follower.keep(&record));
            sides[thread].take_back(record);
        }
        Ok((ledger.close(), kept, true))
    };
    in_order(batch, &play, |(part, kept, is_whole)| {
        figures.merge(&part);
        kept.into_iter().try_for_each(|kept| follower.take(kept))?;
        follower.counted(&figures)?;
        let is_look = (batch.games.start + figures.games).is_multiple_of(LOOK);
        Ok(is_whole && !(is_look && follower.is_enough(&figures)))
    })?;
    Ok(figures)
}

/// Plays the first game of each fault again, where the figures have been read from a file: then they know no more than that
/// there was one, and now what is to be reported of it.
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
        let record = side.play(group.game, &Halt::default()).map_err(BatchError::Game)?;
        group.first = record.fault.map(|fault| *fault);
    }
    Ok(())
}

/// Plays two versions side by side, each by its own players. The batches have the same games; with the same seed both are
/// played on the same luck.
///
/// # Errors
/// Every mistake in the files of the games, and in what was chosen.
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
    let a = Side::of_threads(game_a, batch_a, players_a)?;
    // Both are played by the same threads.
    let batch_b = Batch { jobs: batch_a.jobs, ..batch_b.clone() };
    let b = Side::of_threads(game_b, &batch_b, players_b)?;
    let play = |thread: usize, range: Range<u64>| -> Result<(Comparison, Vec<F::Kept>, bool), Diagnostics> {
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
            a[thread].take_back(one);
            b[thread].take_back(two);
        }
        [part.a, part.b] = ledgers.map(Ledger::close);
        Ok((part, kept, is_whole))
    };
    let mut whole = new();
    in_order(batch_a, &play, |(part, kept, is_whole)| {
        whole.merge(&part);
        kept.into_iter().try_for_each(|kept| follower.take(kept))?;
        follower.compared(&whole)?;
        Ok(is_whole)
    })?;
    Ok(whole)
}
