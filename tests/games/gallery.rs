//! Known facts about the games under `examples/gallery/`.

use parlour::agents::{AgentShelf, Spec};
use parlour::loader::{Files, Package};
use parlour::model::Language;
use parlour::session::{Game, Halt, Session, Setup};
use parlour::simulation::{CountDetails, GameTree};
use std::fs;
use std::path::PathBuf;

fn game(folder: &str) -> Game {
    parlour::load(format!("examples/gallery/{folder}")).unwrap_or_else(|found| panic!("{found}"))
}

// ----- chess

/// Six standard positions for testing move generators (<https://www.chessprogramming.org/Perft_Results>), with the numbers of sequences of
/// 1, 2, … moves.
const CHESS: [(&str, &[u64]); 6] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &[20, 400, 8_902, 197_281]),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", &[48, 2_039, 97_862, 4_085_603]),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2_812, 43_238]),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", &[6, 264, 9_467, 422_333]),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", &[44, 1_486, 62_379, 2_103_487]),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", &[46, 2_079, 89_890, 3_894_594]),
];

/// Tests up to 50,000 sequences for each position. `PERFT=5000000` tests all of them, which requires a release build.
#[test]
fn chess_has_the_known_numbers_of_moves() {
    let most = std::env::var_os("PERFT").map_or(50_000, |most| most.to_str().unwrap().parse().unwrap());
    let game = game("chess");
    let count = |(position, known): &(&str, &[u64])| {
        let setup = Setup::seats(2).set("params.position", &format!("\"{position}\""));
        let tree = GameTree::new(Session::start(&game, &setup).unwrap());
        for (at, known) in known.iter().enumerate().filter(|(_, known)| **known <= most) {
            let count = tree.count(at as u64 + 1, CountDetails::default(), &Halt::default()).unwrap();
            assert_eq!(count.lines, *known, "{position}, {} moves", at + 1);
        }
    };
    std::thread::scope(|scope| {
        for position in &CHESS {
            scope.spawn(move || count(position));
        }
    });
}

// ----- othello

/// Known numbers of sequences of 1, 2, … moves from the start (<https://aartbik.blogspot.com/2009/02/perft-for-reversi.html>). Nobody has
/// to pass before the ninth move.
#[test]
fn othello_has_the_known_numbers_of_moves() {
    let tree = GameTree::new(Session::start(&game("othello"), &Setup::seats(2)).unwrap());
    for (at, known) in [4, 12, 56, 244, 1_396, 8_200].into_iter().enumerate() {
        assert_eq!(tree.count(at as u64 + 1, CountDetails::default(), &Halt::default()).unwrap().lines, known);
    }
}

// ----- all games

/// Returns the folders of all games in the gallery.
fn games() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> =
        fs::read_dir("examples/gallery").unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders
}

#[test]
fn gallery_games_load_without_diagnostics_and_have_both_languages() {
    for folder in games() {
        let package = Package::parse(Files::read(&folder).unwrap()).unwrap_or_else(|found| panic!("{found}"));
        let found = package.check();
        assert!(found.0.is_empty(), "{}\n{found}", folder.display());
        assert_ne!(package.name().get(Language::English), package.name().get(Language::TraditionalChinese));
        assert!(folder.join("README.md").is_file() && folder.join("faces").is_dir(), "{}", folder.display());
    }
}

/// Games, each with the number of times that its heuristic plays against random agents, and the minimum number of wins.
const CONTESTS: [(&str, u64, usize); 9] = [
    ("backgammon", 10, 8),
    ("checkers", 10, 9),
    ("chess", 4, 4),
    ("cribbage", 10, 9),
    ("gin-rummy", 4, 4),
    ("go", 4, 4),
    ("hearts", 10, 6),
    ("nine-mens-morris", 10, 9),
    ("othello", 10, 7),
];

#[test]
fn heuristics_of_the_gallery_beat_random_agents() {
    assert_eq!(games().len(), CONTESTS.len());
    for (name, games, wanted) in CONTESTS {
        let game = game(name);
        let agent = game.agents()[0].path["agents/".len()..].trim_end_matches(".rhai").to_owned();
        let seats = *game.players().end();
        let read = |path: &str| Err(format!("{path}: agents are not read from files here"));
        let shelf = AgentShelf { agents: game.agents(), read: &read };
        let spec = |name: &str| Spec::parse(name, &shelf).unwrap_or_else(|unknown| panic!("{}", unknown.message));
        let won = (0..games).filter(|seed| {
            let own = *seed as usize % usize::from(seats);
            let player = |seat: usize| spec(if seat == own { &agent } else { "random" }).player(*seed, seat);
            let players = (0..usize::from(seats)).map(player).collect();
            let setup = Setup::seats(seats).seed(*seed);
            let played = game.play(&setup, players, false).unwrap_or_else(|found| panic!("{found}"));
            let outcome = played.outcome.unwrap_or_else(|found| panic!("{name}: {}", found.message));
            outcome.standings[own].rank == 1
        });
        let won = won.count();
        assert!(won >= wanted, "{name}: `{agent}` won {won} of {games}");
    }
}
