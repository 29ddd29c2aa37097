//! Measures the cost of agents and the strength of search: `cargo bench --bench search`, or with `-- stockpile` for the games whose name
//! contains "stockpile".
//!
//! A search agent plays each game against the game's own heuristic. It plays in each seat in turn, each time with another deal. Its number
//! of playouts per choice was calibrated so that a choice takes at most about 50 milliseconds; `-- calibrate` repeats the calibration and
//! prints the lines for `CONTESTS`. Times are processor times of the thread. `GAMES=20` plays 20 games instead of the hundred that the
//! table in the guide is based on.

#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a benchmark reads clocks, divides, and may panic"
)]

#[allow(dead_code, reason = "other benchmarks use other parts of it")]
#[path = "../play/clock.rs"]
mod clock;

use parlour::agents::{AgentShelf, Spec};
use parlour::session::{Game, NoAnswer, Observation, Player, Setup};
use parlour::simulation::wilson;
use std::cell::Cell;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

/// Global allocator, the same as in `parlour`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Game with its number of seats, the name of its heuristic, and the search agent's number of playouts per choice.
struct Contest {
    game: &'static str,
    seats: u8,
    heuristic: &'static str,
    playouts: u32,
}

const fn contest(game: &'static str, seats: u8, heuristic: &'static str, playouts: u32) -> Contest {
    Contest { game, seats, heuristic, playouts }
}

/// Games of the benchmark. The numbers of playouts are fixed. They were calibrated so that a choice takes at most about 50 milliseconds.
const CONTESTS: [Contest; 6] = [
    contest("nettles", 3, "gardener", 450),
    contest("stockpile", 3, "trader", 80),
    contest("wall-street-1920", 3, "speculator", 90),
    contest("last-will", 3, "heir", 44),
    contest("monga-alley", 3, "boss", 54),
    contest("revolution-1828", 2, "campaigner", 86),
];

/// Target time of a choice in seconds.
const TARGET_SECONDS: f64 = 0.05;

/// Number of games in which all seats play the heuristic, for measuring the heuristic's time.
const HEURISTIC_GAMES: u64 = 300;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let calibrates = words.iter().any(|word| word == "calibrate");
    let named: Vec<&String> = words.iter().filter(|word| *word != "calibrate").collect();
    let games = std::env::var("GAMES").ok().map_or(100, |games| games.parse().unwrap());
    if !calibrates {
        println!(
            "| game | seats | playouts | ms a choice | games | won (95 %) | fair share | {HEURISTIC_GAMES} games of heuristics, s |"
        );
        println!("| --- | ---: | ---: | ---: | ---: | --- | ---: | ---: |");
    }
    for contest in CONTESTS.iter().filter(|one| named.is_empty() || named.iter().any(|word| one.game.contains(&**word)))
    {
        let game = load(contest.game);
        if calibrates {
            contest.calibrate(&game);
        } else {
            contest.measure(&game, games);
        }
    }
}

fn load(name: &str) -> Game {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let path = ["games", "examples/games"].map(|parent| root.join(parent).join(name));
    parlour::load(path.iter().find(|path| path.is_dir()).unwrap()).unwrap()
}

/// Wrapper of a player that adds up the player's processor time.
struct Timed {
    player: Box<dyn Player>,
    spent: Rc<Cell<Duration>>,
    choices: Rc<Cell<u32>>,
}

impl Player for Timed {
    fn choose(&mut self, observation: &Observation<'_>) -> Result<usize, NoAnswer> {
        let begin = clock::now();
        let chosen = self.player.choose(observation);
        self.spent.set(self.spent.get() + clock::now().saturating_sub(begin));
        self.choices.set(self.choices.get() + 1);
        chosen
    }

    fn imagines(&self) -> bool {
        self.player.imagines()
    }

    fn looks_back(&self) -> bool {
        self.player.looks_back()
    }
}

impl Contest {
    fn spec(&self, game: &Game, name: &str) -> Spec {
        let agents = game.layout(&Setup::seats(self.seats)).unwrap().model.agents.clone();
        Spec::parse(name, &AgentShelf { agents: &agents, ..AgentShelf::EMPTY }).unwrap()
    }

    /// Plays games with one search agent. Returns the number of its wins and the seconds per choice. A win shared by several players counts
    /// as a fraction.
    fn play(&self, game: &Game, playouts: u32, games: u64) -> (f64, f64) {
        let heuristic = self.spec(game, self.heuristic);
        let search = self.spec(game, &format!("search:{playouts}:{}", self.heuristic));
        let (spent, choices) = (Rc::new(Cell::new(Duration::ZERO)), Rc::new(Cell::new(0)));
        let mut won = 0.0;
        for number in 0..games {
            let (seed, own) = (number, (number % u64::from(self.seats)) as usize);
            let player = |seat: usize| -> Box<dyn Player> {
                if seat != own {
                    return heuristic.player(seed, seat);
                }
                Box::new(Timed { player: search.player(seed, seat), spent: spent.clone(), choices: choices.clone() })
            };
            let players = (0..usize::from(self.seats)).map(player).collect();
            let outcome = game.play(&Setup::seats(self.seats).seed(seed), players, false).unwrap().outcome.unwrap();
            if outcome.standings[own].rank == 1 {
                won += 1.0 / outcome.winners().count() as f64;
            }
        }
        (won, spent.get().as_secs_f64() / f64::from(choices.get().max(1)))
    }

    /// Returns the seconds that [`HEURISTIC_GAMES`] games take if all seats play the heuristic.
    fn heuristic_seconds(&self, game: &Game) -> f64 {
        let heuristic = self.spec(game, self.heuristic);
        let begin = clock::now();
        for seed in 0..HEURISTIC_GAMES {
            let players = (0..usize::from(self.seats)).map(|seat| heuristic.player(seed, seat)).collect();
            game.play(&Setup::seats(self.seats).seed(seed), players, false).unwrap();
        }
        clock::now().saturating_sub(begin).as_secs_f64()
    }

    fn measure(&self, game: &Game, games: u64) {
        let (won, seconds) = self.play(game, self.playouts, games);
        let share = wilson(won, games);
        println!(
            "| {} | {} | {} | {:.0} | {games} | {:.1} % ({:.1} to {:.1}) | {:.1} % | {:.1} |",
            self.game,
            self.seats,
            self.playouts,
            1_000.0 * seconds,
            100.0 * won / games as f64,
            100.0 * share.low,
            100.0 * share.high,
            100.0 / f64::from(self.seats),
            self.heuristic_seconds(game),
        );
    }

    /// Estimates the number of playouts for which a choice takes [`TARGET_SECONDS`], and prints the contest with this number.
    fn calibrate(&self, game: &Game) {
        let mut playouts = 100;
        for _ in 0..3 {
            let (_, seconds) = self.play(game, playouts, u64::from(self.seats));
            playouts = ((f64::from(playouts) * TARGET_SECONDS / seconds) as u32).max(10);
        }
        println!("contest({:?}, {}, {:?}, {playouts}),", self.game, self.seats, self.heuristic);
    }
}
