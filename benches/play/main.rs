//! Measures the costs of the engine: `cargo bench --bench play`, or with `-- tic` for the games whose name contains "tic".
//!
//! Random players play every game under `games/` and `examples/games/` on one thread. All times are processor times, taken from the
//! second-fastest of several passes.

#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a benchmark reads clocks, divides, and may panic"
)]

mod clock;
mod placements;

use parlour::agents::Random;
use parlour::diagnostic::Source;
use parlour::model::Seat;
use parlour::playscript;
use parlour::script::Host;
use parlour::session::{Game, PlayedGame, Player, Session, Setup};
use parlour::table::Chance;
use std::hint::black_box;
use std::path::PathBuf;
use std::sync::Arc;

/// Global allocator, the same as in `parlour`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Number of seats for measuring single operations, or the nearest number that the game allows.
const SEATS: u8 = 4;

/// Number of games over which the mean length is calculated.
const SAMPLE: u64 = 200;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|part| name.contains(part.as_str()));
    let games: Vec<(String, PathBuf)> = folders().into_iter().filter(|(name, _)| is_wanted(name)).collect();
    if games.is_empty() {
        eprintln!("no game has a name with {}", wanted.join(" or "));
        std::process::exit(2);
    }
    random_games(&games);
    single_operations(&games);
    measure_placements(&games);
    playscripts();
}

/// Returns the names and folders of all games.
fn folders() -> Vec<(String, PathBuf)> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for parent in ["games", "examples/games"] {
        for entry in std::fs::read_dir(root.join(parent)).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.join("game.toml").is_file() {
                found.push((path.file_name().unwrap().to_string_lossy().into_owned(), path));
            }
        }
    }
    found.sort();
    found
}

/// Prints games and decisions per second for every game and number of players.
fn random_games(games: &[(String, PathBuf)]) {
    println!("random games on one thread\n");
    println!(
        "{:<18} {:>7} {:>10} {:>12} {:>12} {:>14} {:>14}",
        "game", "players", "games/s", "decisions/s", "answers/s", "decisions/game", "by session"
    );
    for (name, path) in games {
        let game = parlour::load(path).unwrap();
        for seats in game.players() {
            let setup = Setup::seats(seats);
            let (mut decisions, mut answers) = (0, 0);
            for seed in 0..SAMPLE {
                let played = play(&game, &setup, seed);
                decisions += played.decisions;
                answers += played.decisions + played.forced;
            }
            let per_game = decisions as f64 / SAMPLE as f64;
            let answers = answers as f64 / SAMPLE as f64;
            let times = clock::games(&mut [&mut |seed| _ = black_box(play(&game, &setup, seed)), &mut |seed| {
                _ = black_box(by_session(&game, &setup, seed));
            }]);
            let (inline, session) = (times[0], times[1]);
            println!(
                "{name:<18} {seats:>7} {:>10} {:>12} {:>12} {per_game:>14.1} {:>12}/s",
                thousands(1.0 / inline),
                thousands(per_game / inline),
                thousands(answers / inline),
                thousands(per_game / session),
            );
        }
    }
    println!("\ndecisions: questions with more than one answer; answers: all of them; by session: decisions");
    println!("through a session that suspends at each, keeps a log and can be forked\n");
}

/// Prints the cost of single operations at a decision in the middle of a game.
fn single_operations(games: &[(String, PathBuf)]) {
    println!("one operation, in microseconds, at a decision in the middle of a game\n");
    let names = ["check", "open", "compile", "start", "fork", "fork+choose", "table", "view", "memory", "imagine"];
    print!("{:<18} {:>7}", "game", "players");
    for name in names {
        print!(" {name:>11}");
    }
    println!();
    for (name, path) in games {
        let game = parlour::load(path).unwrap();
        let seats = SEATS.clamp(*game.players().start(), *game.players().end());
        let setup = Setup::seats(seats);
        print!("{name:<18} {seats:>7}");
        for cost in opening(path, &game, &setup).into_iter().chain(midgame(&game, &setup)) {
            let cell = cost.map_or_else(|| "-".to_owned(), |seconds| format!("{:.1}", seconds * 1e6));
            print!(" {cell:>11}");
        }
        println!();
    }
    println!(
        "\ncheck: files to models, all mistakes looked for; open: files to the model of one table; compile: the rules for it;"
    );
    println!(
        "fork+choose: the waiting step is copied and goes on to the next question, the mean over all questions in the middle third;"
    );
    println!(
        "table: a copy of it alone; view, memory: read in full by the seat that is asked; imagine: a world which that seat cannot tell from the real one\n"
    );
}

/// Returns the seconds that it takes to check the game, to open it, to compile its rules and to start a session.
fn opening(path: &PathBuf, game: &Game, setup: &Setup) -> [Option<f64>; 4] {
    let model = game.layout(setup).unwrap().model.clone();
    let check = clock::operation(|_| _ = black_box(parlour::load(path).unwrap()));
    let open = clock::operation(|_| _ = black_box(parlour::open(path).unwrap().layout(setup).unwrap()));
    let compile = clock::operation(|_| _ = black_box(Host::new(model.clone()).unwrap()));
    let start = clock::operation(|seed| _ = black_box(Session::start(game, &setup.clone().seed(seed)).unwrap()));
    [Some(check), Some(open), Some(compile), Some(start)]
}

/// Returns the seconds that each operation takes in the middle of a game: fork, fork and choose, copy the table, digest the view, digest
/// the memory, and imagine a world. The last is `None` if no world is found.
fn midgame(game: &Game, setup: &Setup) -> [Option<f64>; 6] {
    let middle = middle_third(game, setup);
    let session = &middle[middle.len() / 2];
    let decision = session.decision().expect("halfway a question is open").clone();
    let fork = clock::operation(|_| _ = black_box(session.fork()));
    let choose = |at: u64| {
        let (place, turn) = (at as usize % middle.len(), at as usize / middle.len());
        let mut copy = middle[place].fork();
        let count = copy.decision().expect("a question is open").count();
        copy.choose(turn % count).unwrap();
        copy
    };
    let fork_choose = clock::operation(|at| _ = black_box(choose(at)));
    let table = clock::operation(|_| _ = black_box(session.table().clone()));
    let view = clock::operation(|_| _ = black_box(session.view(decision.seat).digest()));
    let memory = clock::operation(|_| _ = black_box(session.view(decision.seat).memory_digest()));
    let mut chance = Chance::new(7, "imagined");
    let imagination =
        session.observation().and_then(|observation| observation.imagination()).expect("somebody is asked");
    let possible = imagination.world(&mut chance).is_ok();
    let imagine = possible.then(|| clock::operation(|_| _ = black_box(imagination.world(&mut chance))));
    [Some(fork), Some(fork_choose), Some(table), Some(view), Some(memory), imagine]
}

/// Returns sessions at each decision in the middle third of a game of about median length.
fn middle_third(game: &Game, setup: &Setup) -> Vec<Session> {
    let mut games: Vec<Session> = (0..9).map(|seed| by_session(game, setup, seed)).collect();
    games.sort_by_key(|session| session.answers().len());
    let whole = &games[games.len() / 2];
    let answers = whole.answers().to_vec();
    let third = answers.len() / 3;
    let at = |place: usize| Session::replay(game, whole.setup(), &answers[..place]).unwrap();
    (third..=third * 2).map(at).filter(|session| session.decision().is_some()).collect()
}

/// Prints the cost of listing and filtering placements.
fn measure_placements(games: &[(String, PathBuf)]) {
    println!("placements of 5 tiles on maps of 25, in microseconds: means of 16 maps\n");
    println!(
        "{:<18} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}",
        "game", "candidates", "listed", "narrowed", "quiet", "joining", "outcomes"
    );
    for (name, path) in games {
        placements::placements(name, path);
    }
    println!(
        "\nnarrowed: listed, and all that a rule asks of protected cells, and of the regions of eight spaces and one more\n"
    );
}

/// Prints the cost of parsing and printing long playscripts.
fn playscripts() {
    let line = |at: u32| format!("Ann: bid lot={} price={} @ {at:016x}\n", at % 5, at % 25);
    println!("a playscript of choices, read and printed\n");
    println!("{:>10} {:>12} {:>12} {:>16}", "choices", "read, ms", "print, ms", "read, ns/choice");
    for choices in [1_000_u32, 10_000, 100_000] {
        let text: String = (0..choices).map(line).collect();
        let source = Arc::new(Source { path: "long.play".to_owned(), text });
        let play = playscript::parse(&source).unwrap();
        let read = clock::operation(|_| _ = black_box(playscript::parse(&source).unwrap()));
        let print = clock::operation(|_| _ = black_box(play.to_string()));
        let each = read * 1e9 / f64::from(choices);
        println!("{choices:>10} {:>12.1} {:>12.1} {each:>16.0}", read * 1e3, print * 1e3);
    }
    println!();
}

/// Plays a game with random players without a session.
fn play(game: &Game, setup: &Setup, seed: u64) -> PlayedGame {
    let players = (0..setup.seats).map(|seat| Box::new(agent(seed, seat)) as Box<dyn Player>).collect();
    let played = game.play(&setup.clone().seed(seed), players, false).unwrap();
    assert!(played.outcome.is_ok(), "{} with seed {seed} came to no end", game.id());
    played
}

/// Plays a game with random players in a session.
fn by_session(game: &Game, setup: &Setup, seed: u64) -> Session {
    let mut agents: Vec<Random> = (0..setup.seats).map(|seat| agent(seed, seat)).collect();
    let mut session = Session::start(game, &setup.clone().seed(seed)).unwrap();
    while let Some(decision) = session.decision() {
        let choice = agents[decision.seat.index()].choose(&session.observation().unwrap()).unwrap();
        session.choose(choice).unwrap();
    }
    session
}

fn agent(seed: u64, seat: u8) -> Random {
    Random::new(seed, &format!("agent {}", Seat(seat).index()))
}

/// Formats a number with a space between thousands, or with one decimal if it is below 100.
fn thousands(number: f64) -> String {
    if number < 100.0 {
        return format!("{number:.1}");
    }
    let digits = format!("{number:.0}");
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            grouped.push(' ');
        }
        grouped.push(digit);
    }
    grouped
}
