//! Tests that agents that imagine worlds finish games in which cards are drawn into hands and passed on within one step, whatever the seats
//! learned about these hands. `PARLOUR_GAMES` sets the number of games per test.

use crate::folder::files;
use parlour::agents::{AgentShelf, Spec};
use parlour::diagnostic::{Source, render};
use parlour::session::{Game, Setup};
use std::path::Path;
use std::sync::Arc;

/// Game given as texts, with an agent that rates options by hands that it does not see.
struct Example {
    seats: u8,
    game: &'static str,
    components: &'static str,
    rules: &'static str,
    agent: &'static str,
}

impl Example {
    fn load(&self) -> Game {
        let texts =
            [("game.toml", self.game), ("components/all.toml", self.components), ("rules/play.rhai", self.rules)];
        let texts = texts.map(|(name, text)| (name.to_owned(), text.to_owned()));
        parlour::load_texts("example", texts).unwrap_or_else(|found| panic!("{found}"))
    }

    fn finishes(&self, games: u64) {
        finishes(&self.load(), self.seats, self.agent, games);
    }
}

/// Returns the environment variable `PARLOUR_GAMES`, or `few` if the variable is not set.
#[allow(clippy::disallowed_methods, reason = "whoever runs the test chooses how many games it plays")]
fn games_or(few: u64) -> u64 {
    std::env::var("PARLOUR_GAMES").map_or(few, |games| games.parse().unwrap())
}

/// Plays games with the agent in every seat, and asserts that it finds worlds without relaxing conditions. Returns the number of imagined
/// worlds.
fn finishes(game: &Game, seats: u8, agent: &str, games: u64) -> u64 {
    let games = games_or(games);
    let file = Arc::new(Source { path: "agents/looks.rhai".to_owned(), text: agent.to_owned() });
    let shelf = AgentShelf { agents: &[file], read: &|_| Err("there is no other".to_owned()) };
    let (mut imagined, mut warnings) = (0, Vec::new());
    for seed in 0..games {
        let player = |seat| {
            let spec = Spec::parse("looks", &shelf).unwrap_or_else(|unknown| panic!("{}", unknown.message));
            spec.player(seed, usize::from(seat))
        };
        let players = (0..seats).map(player).collect();
        let played = game.play(&Setup::seats(seats).seed(seed), players, false).unwrap();
        if let Err(fault) = played.outcome {
            panic!("seed {seed}: {}", render(&fault, false));
        }
        warnings.extend(played.worlds.warnings().iter().map(|found| format!("seed {seed}: {}", render(found, false))));
        imagined += played.worlds.imagined;
    }
    assert!(warnings.is_empty(), "{}", warnings.join("\n"));
    assert!(imagined > games, "{imagined} worlds in {games} games");
    imagined
}

/// Loads a game under `games/` and the text of one of its agents. `change` may change each file; it receives the file's name and text.
fn bundled(name: &str, agent: &str, change: impl Fn(&str, String) -> String) -> (Game, String) {
    let folder = Path::new("games").join(name);
    let texts = files(&folder)
        .into_iter()
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml" || ending == "rhai"))
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            let name = path.strip_prefix(&folder).unwrap().to_str().unwrap().replace('\\', "/");
            let text = change(&name, text);
            (name, text)
        });
    let game = parlour::load_texts(name, texts).unwrap_or_else(|found| panic!("{found}"));
    (game, std::fs::read_to_string(folder.join("agents").join(agent)).unwrap())
}

const DRAWN_AND_DISCARDED: Example = Example {
    seats: 2,
    game: r#"
[game]
format = 1
id = "noworld"
players = { min = 2, max = 2 }
[zones.deck]
shape = "pile"
face = "down"
starts_with = ["card"]
[zones.hand]
per = "seat"
shape = "hand"
[zones.discard]
shape = "pile"
[decisions.drop]
ask = "Which card do you discard?"
[flow]
setup = ["deal"]
round = ["play"]
rounds = 6
[phases.play]
steps = [{ each_seat = "turn" }]
"#,
    components: r#"
[[card]]
id = "c_{number}"
each = { number = "1..53" }
"#,
    rules: r#"
fn deal() {
    deck.shuffle();
    for seat in seats { deck.draw(4, seat.hand); }
}

/// All seats learn a condition on the hand that is always true. Then the seat draws a card and discards one face up.
fn turn(seat) {
    seats.learn(seat.hand, |card| true);
    deck.draw(seat.hand);
    choose(seat, "drop", seat.hand).move_to(discard, "up");
}

fn score(seat) { 0 }
"#,
    agent: r#"
fn rate_drop(seat, card) { card.number + next(seat).hand.sum("number") }
"#,
};

const TAKEN_FROM_THE_BANK: Example = Example {
    seats: 3,
    game: r#"
[game]
format = 1
id = "bankgame"
players = { min = 2, max = 4 }
[zones.bank]
shape = "pile"
face = "up"
starts_with = ["wood", "wool", "wheat"]
[zones.hand]
per = "seat"
shape = "hand"
[decisions.pay]
ask = "Which do you pay?"
[flow]
round = ["play"]
rounds = 6
[phases.play]
steps = [{ each_seat = "turn" }]
"#,
    components: r#"
[[resource]]
id = "wood"
count = 19
worth = 1
[[resource]]
id = "wool"
count = 19
worth = 2
[[resource]]
id = "wheat"
count = 19
worth = 3
"#,
    rules: r#"
fn turn(seat) {
    let kind = roll(3);
    bank.where("worth", kind).take(2).move_to(seat.hand);
    bank.where("worth", roll(3)).take(4).move_to(next(seat).hand);
    choose(seat, "pay", seat.hand).move_to(bank);
}
fn score(seat) { seat.hand.sum("worth") }
"#,
    agent: r#"
fn rate_pay(seat, card) { card.worth + next(seat).hand.sum("worth") }
"#,
};

const PASSED_ON: Example = Example {
    seats: 3,
    game: r#"
[game]
format = 1
id = "passing"
players = { min = 3, max = 3 }
[zones.deck]
shape = "pile"
face = "down"
starts_with = ["card"]
[zones.hand]
per = "seat"
shape = "hand"
[zones.trick]
shape = "pile"
[decisions.pass]
ask = "Which card do you pass?"
[decisions.follow]
ask = "Which card do you play?"
[flow]
setup = ["deal"]
round = ["pass", "play"]
rounds = 1
[phases.pass]
steps = [{ each_seat = "pass_on" }]
[phases.play]
steps = [{ run = "trick_turn", until = "tricks_done" }]
"#,
    components: r#"
[[card]]
id = "{suit}_{rank}"
each = { suit = ["red", "blue", "green"], rank = "1..9" }
"#,
    rules: r#"
fn deal() {
    deck.shuffle();
    for seat in seats { deck.draw(8, seat.hand); }
}
fn pass_on(seat) {
    choose(seat, "pass", seat.hand).move_to(next(seat).hand);
}
fn trick_turn() {
    let led = ();
    for seat in turn_order() {
        let fitting = if led == () { seat.hand.pieces } else { seat.hand.where("suit", led) };
        if fitting.is_empty() {
            others(seat).learn(seat.hand, |card| card.suit != led);
            fitting = seat.hand.pieces;
        }
        let card = choose(seat, "follow", fitting);
        card.move_to(trick, "up");
        if led == () { led = card.suit; }
    }
}
fn score(seat) { seat.hand.sum("rank") }
fn tricks_done() { seats.all(|seat| seat.hand.is_empty()) }
"#,
    agent: r#"
fn rate_pass(seat, card) { card.rank + next(seat).hand.sum("rank") }
fn rate_follow(seat, card) { card.rank + next(seat).hand.count("suit", card.suit) }
"#,
};

const TRADED: Example = Example {
    seats: 3,
    game: r#"
[game]
format = 1
id = "trading"
players = { min = 3, max = 4 }
[zones.bank]
shape = "pile"
face = "up"
starts_with = ["good"]
[zones.hand]
per = "seat"
shape = "hand"
[decisions.offer]
ask = "Which card do you offer?"
[decisions.answer]
ask = "What do you give for it?"
[flow]
round = ["play"]
rounds = 8
[phases.play]
steps = [{ each_seat = "turn" }]
"#,
    components: r#"
[[good]]
id = "good_{worth}"
each = { worth = "1..4" }
count = 15
"#,
    rules: r#"
fn turn(seat) {
    let n = roll(4);
    for other in turn_order(seat) {
        bank.where("worth", (n + other.number) % 4 + 1).take(2).move_to(other.hand);
    }
    let offered = choose_or_pass(seat, "offer", seat.hand);
    if offered == () { return; }
    for other in others(seat) {
        let given = choose_or_pass(other, "answer", other.hand);
        if given != () {
            given.move_to(seat.hand);
            offered.move_to(other.hand);
            break;
        }
    }
    let more = choose_or_pass(seat, "offer", seat.hand);
    if more != () { more.move_to(bank); }
}
fn score(seat) { seat.hand.sum("worth") }
"#,
    agent: r#"
fn rate_offer(seat, card) { if card == () { return 0; } card.worth + next(seat).hand.sum("worth") }
fn rate_answer(seat, card) { if card == () { 0 } else { next(seat).hand.sum("worth") % 5 - card.worth } }
"#,
};

#[test]
fn hands_with_draws_and_open_discards_can_be_imagined() {
    DRAWN_AND_DISCARDED.finishes(12);
}

#[test]
fn open_pieces_taken_into_hands_in_the_current_step_can_be_imagined() {
    TAKEN_FROM_THE_BANK.finishes(12);
}

#[test]
fn passed_cards_and_failure_to_follow_suit_can_be_imagined() {
    PASSED_ON.finishes(12);
}

#[test]
fn cards_traded_between_hidden_hands_in_one_step_can_be_imagined() {
    TRADED.finishes(8);
}

#[test]
fn answers_that_depend_on_hidden_hands_can_be_imagined() {
    let game = parlour::load(Path::new("examples/games/ripostes")).unwrap_or_else(|found| panic!("{found}"));
    let agent = r#"
fn rate_cast(seat, option) { if option == () { 0 } else { option.spell.power * 3 - option.at.hand.count("kind", "answer") } }
fn rate_answer(seat, card) { if card == () { 0 } else { next(seat).hand.count("kind", "answer") - 1 } }
"#;
    for seats in 2..=4 {
        finishes(&game, seats, agent, 6);
    }
}

#[test]
fn imagining_works_after_learning_that_no_matching_cards_remain() {
    let (game, agent) = bundled("stockpile", "trader.rhai", |_, text| text);
    finishes(&game, 3, &agent, 3);
}

#[test]
fn imagining_works_equally_well_for_turns_in_one_function() {
    let steps = r#"["begin_turn", { run = "make_a_move", until = "turn_is_over" }]"#;
    let one = r"
fn take_a_turn(seat) {
    begin_turn(seat);
    while !turn_is_over() { make_a_move(seat); }
}
";
    let (split, agent) = bundled("last-will", "heir.rhai", |_, text| text);
    let (whole, _) = bundled("last-will", "heir.rhai", |name, text| match name {
        "game.toml" => {
            assert!(text.contains(steps), "a turn is split into steps");
            text.replace(steps, r#""take_a_turn""#)
        }
        "rules/5_actions.rhai" => text + one,
        _ => text,
    });
    let [split, whole] = [split, whole].map(|game| finishes(&game, 2, &agent, 2));
    assert!(whole.abs_diff(split) * 5 < split, "{whole} and {split} worlds");
}
