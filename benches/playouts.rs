//! Plays games with random players from fixed seeds, for tools that count instructions. Arguments: `GAME SEATS GAMES [MODE]`, where `GAME`
//! is a bundled game, a sample or a folder.
//!
//! Modes: `walked` runs the rules with the tree-walking interpreter that tests compare with the virtual machine; `batch` plays the games as
//! a batch with statistics; `written` also formats the lines that `--out` writes to files.
//!
//! `benches/instructions` runs this program under callgrind and compares the counts with recorded ones.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "a benchmark may panic on wrong arguments")]

use parlour::agents::Random;
use parlour::model::Seat;
use parlour::report::{GameRows, Rows};
use parlour::session::{Game, Player, Setup};
use parlour::simulation::{Batch, Follower, Record, simulate};
use std::io::Write;
use std::path::PathBuf;

/// Global allocator, the same as in `parlour`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    // Cargo passes `--bench` to benchmarks.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let [name, seats, games, how @ ..] = arguments.as_slice() else { return };
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let path = ["", "games", "examples/games", "benches/rivals"].map(|parent| root.join(parent).join(name));
    let game = parlour::load(path.iter().find(|path| path.is_dir()).unwrap()).unwrap();
    let game = if how == ["walked"] { game.walked() } else { game };
    let setup = Setup::seats(seats.parse().unwrap());
    let many = games.parse().unwrap();
    if how == ["batch"] {
        println!("{}", batch(&game, setup, many, &()));
        return;
    }
    if how == ["written"] {
        let model = game.layout(&setup).unwrap().model.clone();
        println!("{}", batch(&game, setup, many, &LineFormatter(Rows::new(model, vec!["random".to_owned()]))));
        return;
    }
    // The first game compiles the rules, which must not be counted.
    playouts(&game, &setup, 1..2);
    println!("{}", counted_playouts(&game, &setup, many));
}

/// Plays games from consecutive seeds. `benches/instructions` counts only the instructions of this function, so it must not be inlined.
#[inline(never)]
fn counted_playouts(game: &Game, setup: &Setup, games: u64) -> u64 {
    playouts(game, setup, 0..games)
}

/// Plays a game for each seed. Returns the number of decisions.
fn playouts(game: &Game, setup: &Setup, seeds: std::ops::Range<u64>) -> u64 {
    seeds
        .map(|seed| {
            let agent = |seat| Box::new(Random::new(seed, &format!("agent {seat}"))) as Box<dyn Player>;
            let players = (0..setup.seats).map(agent).collect();
            let played = game.play(&setup.clone().seed(seed), players, false).unwrap();
            played.outcome.unwrap();
            played.decisions
        })
        .sum()
}

/// Follower that formats the lines of every game and discards them.
struct LineFormatter(Rows);

impl Follower for LineFormatter {
    type GameData = GameRows;

    fn keep(&self, record: &Record) -> GameRows {
        self.0.game_rows(record)
    }

    fn take(&self, kept: GameRows) -> std::io::Result<()> {
        [kept.games, kept.seats, kept.details, kept.lines].iter().try_for_each(|lines| std::io::sink().write_all(lines))
    }
}

/// Plays games as a batch. Returns the number of decisions.
fn batch(game: &Game, setup: Setup, games: u64, follower: &impl Follower) -> u64 {
    let agent = |seed, seat: Seat| Box::new(Random::new(seed, &format!("agent {}", seat.0))) as Box<dyn Player>;
    let batch = Batch { games: 0..games, seed: 0, jobs: 1, setup, prospects: None, campaigns: false };
    simulate(game, &batch, &agent, follower).unwrap().asked
}
