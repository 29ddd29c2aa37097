//! Plays many games and prints their statistics: `cargo run --release --example run_a_batch`.
//!
//! The figures do not depend on the number of threads. `parlour::report` writes the figures as report pages, as `parlour simulate --out`
//! does.

use parlour::agents::Random;
use parlour::model::Seat;
use parlour::session::{Player, Setup};
use parlour::simulation::{Batch, Measure, simulate};
use std::error::Error;
use std::thread;

fn main() -> Result<(), Box<dyn Error>> {
    let game = parlour::load("games/stockpile")?;
    let jobs = thread::available_parallelism()?.get();
    let batch = Batch { games: 0..200, seed: 7, jobs, setup: Setup::seats(4), prospects: None, campaigns: false };

    // Creates the player for a game's seed and a seat.
    let random =
        |seed, seat: Seat| -> Box<dyn Player> { Box::new(Random::new(seed, &format!("agent {}", seat.number()))) };
    // `()` is a follower that does nothing. A follower of your own can inspect every game and stop the batch.
    let figures = simulate(&game, &batch, &random, &())?;

    println!("{} of {} games came to an end", figures.finished, figures.games);
    let length = figures.estimate(&Measure::Decisions);
    println!("decisions a game: {:.1}, from {:.1} to {:.1}", length.value, length.interval.low, length.interval.high);
    for seat in 0..figures.seats {
        let share = figures.estimate(&Measure::Win(seat));
        let percent = [share.value, share.interval.low, share.interval.high].map(|part| 100.0 * part);
        println!("seat {} wins {:.1} %, from {:.1} to {:.1}", seat + 1, percent[0], percent[1], percent[2]);
    }
    Ok(())
}
