//! Dice game with known statistics: every seat rolls three dice, and the highest sum wins.

use crate::folder::Folder;
use crate::program;
use parlour::agents;
use parlour::model::Seat;
use parlour::session::{Game, Player, Setup};
use parlour::simulation::{Batch, Figures, simulate};

pub(crate) const GAME: &str = r#"
[game]
id = "dice"
name = "Dice"
players = { min = 2, max = 3 }

[options.luck]
values = ["fair", "loaded"]

[params]
sides = 6
gift = 0

[values.seat]
points = 0

[decisions.cheer]
ask = "Which color do you cheer for?"

[flow]
round = ["tossing"]
rounds = 3
ending = "thrown"

[phases.tossing]
steps = [{ each_seat = "toss" }]

[endings]
thrown = "Every die is thrown"
never = "This never happens"

[targets]
seat_win_gap = 0.2
"#;

pub(crate) const RULES: &str = r#"
/// A player throws a die and cheers; the first player may have a gift.
fn toss(seat) {
    let thrown = roll(sides);
    seat.points += thrown;
    if seat == first && round == 1 { seat.points += gift; }
    let color = choose(seat, "cheer", ["blue", "red", "green"]);
    tally("thrown", seat, thrown);
    if color == "red" { tally("red", 1); }
}

/// The points.
fn score(seat) { seat.points }
"#;

/// Loads the game after replacing text in its files.
pub(crate) fn game(replaced: &[(&str, &str)]) -> Game {
    let mut texts = [("game.toml", GAME.to_owned()), ("rules/play.rhai", RULES.to_owned())];
    for (old, new) in replaced {
        assert!(texts.iter().any(|(_, text)| text.contains(old)), "the game does not contain `{old}`");
        for (_, text) in &mut texts {
            *text = text.replace(old, new);
        }
    }
    parlour::load_texts("dice", texts.map(|(path, text)| (path.to_owned(), text))).unwrap()
}

/// Creates a random player for a seat.
pub(crate) fn random(seed: u64, seat: Seat) -> Box<dyn Player> {
    agents::named("random", seed, seat.index()).unwrap()
}

/// Returns a batch of games with this seed.
pub(crate) fn batch(setup: &Setup, seed: u64, games: u64) -> Batch {
    Batch { games: 0..games, seed, jobs: 2, setup: setup.clone(), prospects: None, campaigns: false }
}

/// Simulates a batch with random agents.
pub(crate) fn figures(game: &Game, setup: &Setup, seed: u64, games: u64) -> Figures {
    simulate(game, &batch(setup, seed, games), &random, &()).unwrap()
}

/// Creates a folder that contains the game as `dice`.
pub(crate) fn with_dice(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("dice/game.toml", GAME);
    folder.write("dice/rules/play.rhai", RULES);
    folder
}

/// Runs the program in a folder. Returns its exit code, standard output and standard error output.
pub(crate) fn parlour(folder: &Folder, arguments: &str) -> (i32, String, String) {
    let output = program::parlour(folder, &arguments.split(' ').collect::<Vec<_>>());
    (output.code, output.out, output.err)
}

/// Returns JSON output without the timing, which comes last.
pub(crate) fn untimed(output: &str) -> String {
    output.split("\"timing\"").next().unwrap().to_owned()
}
