//! Measures how costs grow with the size of a game: `cargo bench --bench growth`, or with `-- hand` for the series whose name contains
//! "hand".
//!
//! Each series is a small generated game in which one quantity grows and everything else stays the same. For each size, the benchmark plays
//! a few decisions in a session and measures single operations, as `cargo bench --bench play` does. `-- --plot FILE` draws the cost of
//! decisions as an SVG file.

#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a benchmark reads clocks, divides, and may panic"
)]

#[allow(dead_code, reason = "other benchmarks use other parts of it")]
#[path = "../play/clock.rs"]
mod clock;
mod plot;
mod synthetic;

use parlour::session::{Session, Setup};
use parlour::table::Chance;
use std::hint::black_box;
use synthetic::{SERIES, Series};

/// Global allocator, the same as in `parlour`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Number of decisions over which the cost of a decision is averaged.
const DECISIONS: usize = 20;

/// Names of the measured costs, in microseconds.
const COSTS: [&str; 6] = ["decision", "back and on", "fork", "view", "memory", "imagine"];

/// Size of the game, and its [`COSTS`].
type Row = (usize, [f64; 6]);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let (words, plot) = match arguments.iter().position(|argument| argument == "--plot") {
        Some(at) => (&arguments[..at], Some(&arguments[at + 1])),
        None => (&arguments[..], None),
    };
    let is_wanted = |series: &Series| words.is_empty() || words.iter().any(|word| series.name.contains(word.as_str()));
    let measured: Vec<(&Series, Vec<Row>)> =
        SERIES.iter().filter(|series| is_wanted(series)).map(|series| (series, rows(series))).collect();
    println!(
        "\ndecision: by a session, with its log and its kept copies; back and on: a decision taken back, and taken again; the other"
    );
    println!(
        "columns as in `cargo bench --bench play`. Microseconds; below them the power of the size that the cost grows with,"
    );
    println!("from the third of the sizes to the last: 0 is flat, 1 grows as the size does.");
    if let Some(path) = plot {
        std::fs::write(path, plot::picture(&measured)).unwrap();
    }
}

/// Measures a series. Prints a row for each size, and an estimate of the exponent with which each cost grows.
fn rows(series: &Series) -> Vec<Row> {
    println!("\n{}: {}\n", series.name, series.about);
    print!("{:>8}", "size");
    for cost in COSTS {
        print!(" {cost:>12}");
    }
    println!();
    let rows: Vec<Row> = series.sizes.iter().map(|size| row(series, *size)).collect();
    print!("{:>8}", "power");
    let (middle, last) = (rows[2.min(rows.len() - 2)], rows[rows.len() - 1]);
    for at in 0..COSTS.len() {
        let power = (last.1[at] / middle.1[at]).ln() / (last.0 as f64 / middle.0 as f64).ln();
        print!(" {power:>12.2}");
    }
    println!();
    rows
}

fn row(series: &Series, size: usize) -> Row {
    let costs = costs(&position(series, size)).map(|seconds| seconds * 1e6);
    print!("{size:>8}");
    for cost in costs {
        print!(" {cost:>12.2}");
    }
    println!();
    (size, costs)
}

/// Starts a session of the series' game and plays it up to the position at which costs are measured.
fn position(series: &Series, size: usize) -> Session {
    let game = synthetic::game(series, size);
    let setup = Setup::seats(*game.players().start());
    let mut session = Session::start(&game, &setup.seed(7)).unwrap_or_else(|found| panic!("{found}"));
    play_on(&mut session, (series.after)(size));
    session
}

/// Answers a number of decisions, cycling through the options.
fn play_on(session: &mut Session, decisions: usize) {
    for at in 0..decisions {
        let count = session.decision().expect("the game goes on").count();
        session.choose(at % count).unwrap();
    }
}

/// Measures [`COSTS`] at the position of a session, in seconds.
fn costs(session: &Session) -> [f64; 6] {
    let fork = clock::operation(|_| _ = black_box(session.fork()));
    let played = clock::operation(|_| {
        let mut copy = session.fork();
        play_on(&mut copy, DECISIONS);
    });
    let mut copy = session.fork();
    let back = clock::operation(|_| {
        copy.undo().unwrap();
        copy.choose(0).unwrap();
    });
    let seat = session.decision().expect("somebody is asked").seat;
    let view = clock::operation(|_| _ = black_box(session.view(seat).digest()));
    let memory = clock::operation(|_| _ = black_box(session.view(seat).memory_digest()));
    let imagination =
        session.observation().and_then(|observation| observation.imagination()).expect("somebody is asked");
    let mut chance = Chance::new(7, "imagined");
    let imagine = clock::operation(|_| _ = black_box(imagination.world(&mut chance)));
    [(played - fork) / DECISIONS as f64, back, fork, view, memory, imagine]
}
