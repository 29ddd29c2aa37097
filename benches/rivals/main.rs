//! Compares the engine with programs written for a single game: `cargo bench --bench rivals`, or with `-- ridge` for the games whose name
//! contains "ridge".
//!
//! Random players play each game with the engine, with the engine's tree-walking interpreter, and with plain programs in Rust (`by_hand`)
//! and Python (`python`). They also play it with `OpenSpiel`, if the Python interpreter (environment variable `PYTHON`, or `python3`) has
//! that package. All programs play on one thread, alternating in rounds. Figures are medians of the rounds' processor times.
//!
//! `cargo bench --bench rivals -- check` checks that all programs play the same game: lengths and outcomes must agree within statistical
//! error.

#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a benchmark reads clocks, divides, and may panic"
)]

mod by_hand;
mod check;
#[allow(dead_code, reason = "other benchmarks use other parts of it")]
#[path = "../play/clock.rs"]
mod clock;
mod python;

use by_hand::{Lots, RIVALS, Rival};
use parlour::agents::Random;
use parlour::session::{Game, PlayedGame, Player, Setup};
use python::Python;
use std::hint::black_box;
use std::path::PathBuf;

/// Global allocator, the same as in `parlour`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Number of rounds.
const ROUNDS: usize = 7;

/// Seconds per round for each program.
const SECONDS: f64 = 0.25;

/// Maximum number of games over which the mean length is calculated.
const SAMPLE: u64 = 400;

/// Time limit in seconds for calculating the mean length. [`SMALLEST_SAMPLE`] games are played even if they take longer.
const SAMPLE_SECONDS: f64 = 5.0;

/// Minimum number of games over which the mean length is calculated.
const SMALLEST_SAMPLE: u64 = 40;

/// Games with their numbers of players.
const CONTESTS: [(&str, u8); 17] = [
    ("ridge-race", 2),
    ("stockpile", 4),
    ("connect-four", 2),
    ("tic-tac-toe", 2),
    ("breakthrough", 2),
    ("goofspiel", 2),
    ("kuhn-poker", 2),
    ("leduc-poker", 2),
    ("chess", 2),
    ("go", 2),
    ("othello", 2),
    ("checkers", 2),
    ("nine-mens-morris", 2),
    ("backgammon", 2),
    ("hearts", 4),
    ("gin-rummy", 2),
    ("cribbage", 2),
];

/// Settings that turn a game into the variant that `OpenSpiel` implements: a single hand instead of several.
const SETTINGS: [(&str, &str, &str); 2] = [("hearts", "params.target", "1"), ("gin-rummy", "params.most_hands", "1")];

/// Names of games that are also written in Python, with their modules.
const IN_PYTHON: [(&str, &str); 2] = [("ridge-race", "ridge_race"), ("stockpile", "stockpile")];

/// Game and the other programs that play it, besides the engine.
struct Contest {
    name: &'static str,
    seats: u8,
    setup: Setup,
    game: Game,
    rival: Option<Rival>,
    module: Option<&'static str>,
}

/// Measurements of one program.
struct Line {
    name: &'static str,
    /// Seconds per game in each round.
    seconds: Vec<f64>,
    /// Mean number of decisions per game.
    decisions: f64,
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    if wanted.first().is_some_and(|word| word == "check") {
        std::process::exit(i32::from(!check::all_agree(&contests(&wanted[1..]), Python::start())));
    }
    let mut python = Python::start();
    if python.is_none() {
        println!("there is no Python: set PYTHON to one\n");
    } else if !python.as_ref().is_some_and(Python::has_spiel) {
        println!("this Python has no OpenSpiel: `pip install open_spiel`, and set PYTHON to that Python\n");
    }
    println!(
        "{:<14} {:>7} {:<16} {:>12} {:>14} {:>14} {:>12}",
        "game", "players", "played by", "games/s", "decisions/s", "decisions/game", "Parlour = 1"
    );
    for contest in contests(&wanted) {
        print(&contest, &measure(&contest, python.as_mut()));
    }
    println!("\nWalked: rules whose tree is walked by the script engine, as tests compare the machine with.");
    println!("Figures of one thread, a second of computing; medians of {ROUNDS} rounds in which all play in turns.");
}

/// Returns the contests whose name contains one of the words, or all if there are no words.
fn contests(wanted: &[String]) -> Vec<Contest> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|part| name.contains(part.as_str()));
    let contest = |(name, seats): (&'static str, u8)| {
        let folders = ["games", "examples/games", "examples/gallery", "benches/rivals"]
            .map(|parent| root.join(parent).join(name));
        let folder = folders.iter().find(|folder| folder.is_dir()).expect("the game is there");
        let rival = RIVALS.iter().find(|(known, _)| *known == name).map(|(_, rival)| *rival);
        let module = IN_PYTHON.iter().find(|(known, _)| *known == name).map(|(_, module)| *module);
        let own = SETTINGS.iter().filter(|(game, ..)| *game == name);
        let setup = own.fold(Setup::seats(seats), |setup, (_, path, value)| setup.set(path, value));
        Contest { name, seats, setup, game: parlour::load(folder).unwrap(), rival, module }
    };
    CONTESTS.into_iter().filter(|(name, _)| is_wanted(name)).map(contest).collect()
}

/// Measures all programs alternately. Returns a line for each program.
fn measure(contest: &Contest, mut python: Option<&mut Python>) -> Vec<Line> {
    let mut lines = lines(contest, python.as_deref_mut());
    let mut runs = vec![0; lines.len()];
    let walked = contest.game.walked();
    let mut lots = Lots(7);
    // The first round is a warm-up.
    for round in 0..=ROUNDS {
        for (line, runs) in lines.iter_mut().zip(&mut runs) {
            let seconds = match (line.name, &mut python) {
                ("Python", Some(python)) => {
                    python.time(contest.module.expect("it is in Python"), contest.seats, SECONDS)
                }
                ("OpenSpiel, C++", Some(python)) => python.spiel_time(contest.name, SECONDS),
                ("Rust", _) => {
                    let rival = contest.rival.expect("it is in Rust");
                    clock::pass(&mut |_| _ = black_box(rival(usize::from(contest.seats), &mut lots)), runs, SECONDS)
                }
                (name, _) => {
                    let game = if name == "Parlour" { &contest.game } else { &walked };
                    clock::pass(&mut |seed| _ = black_box(play(game, &contest.setup, seed)), runs, SECONDS)
                }
            };
            if round > 0 {
                line.seconds.push(seconds);
            }
        }
    }
    lines
}

/// Returns a line for each program that plays the game, with its mean length but without times.
fn lines(contest: &Contest, mut python: Option<&mut Python>) -> Vec<Line> {
    let Contest { name, seats, setup, game, rival, module } = contest;
    let ours = mean_length(game, setup);
    let mut lines = vec![Line::new("Parlour", ours), Line::new("Parlour, walked", ours)];
    if let Some(rival) = rival {
        let (games, mut lots) = (SAMPLE * 10, Lots(7));
        let decisions: u64 = (0..games).map(|_| rival(usize::from(*seats), &mut lots).decisions).sum();
        lines.push(Line::new("Rust", decisions as f64 / games as f64));
    }
    if let (Some(python), Some(module)) = (&mut python, module) {
        lines.push(Line::new("Python", python.length(module, *seats, SECONDS)));
    }
    lines.extend(python.and_then(|python| python.spiel_length(name)).map(|theirs| Line::new("OpenSpiel, C++", theirs)));
    lines
}

/// Returns the mean number of decisions per game.
fn mean_length(game: &Game, setup: &Setup) -> f64 {
    let (begin, mut games, mut decisions) = (clock::now(), 0, 0);
    let has_time = || clock::now().saturating_sub(begin).as_secs_f64() < SAMPLE_SECONDS;
    while games < SAMPLE && (games < SMALLEST_SAMPLE || has_time()) {
        decisions += play(game, setup, games).decisions;
        games += 1;
    }
    decisions as f64 / games as f64
}

impl Line {
    fn new(name: &'static str, decisions: f64) -> Self {
        Self { name, seconds: Vec::new(), decisions }
    }
}

fn print(contest: &Contest, lines: &[Line]) {
    for line in lines {
        let games = 1.0 / median(line.seconds.clone());
        let against = line.seconds.iter().zip(&lines[0].seconds).map(|(theirs, ours)| ours / theirs);
        let decisions = line.decisions;
        println!(
            "{:<14} {:>7} {:<16} {games:>12.1} {:>14.0} {decisions:>14.1} {:>12.2}",
            contest.name,
            contest.seats,
            line.name,
            games * decisions,
            median(against.collect()),
        );
    }
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// Plays a game with random players.
fn play(game: &Game, setup: &Setup, seed: u64) -> PlayedGame {
    let agent = |seat| Box::new(Random::new(seed, &format!("agent {seat}"))) as Box<dyn Player>;
    let played = game.play(&setup.clone().seed(seed), (0..setup.seats).map(agent).collect(), false).unwrap();
    assert!(played.outcome.is_ok(), "{} with seed {seed} came to no end", game.id());
    played
}
