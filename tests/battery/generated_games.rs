//! Games with generated rules, which move pieces of every kind between zones of every shape. They must have the same properties as all
//! other games.

use crate::case::Case;
use crate::log_consistency::{LANGUAGES, check_log, check_logs_of_seats};
use parlour::session::Setup;
use parlour::table::Chance;
use std::fmt::Write as _;

/// Number of generated games.
const GAMES: u64 = 60;

/// `game.toml` of all generated games. The log texts of the decisions mention all, some or none of the parts of an answer.
const DATA: &str = r#"
[game]
id = "invented"
players = { min = 2, max = 3 }

[zones.deck]
shape = "pile"
starts_with = ["good", "hero"]
face = "down"
refill = "heap"
[zones.heap]
shape = "pile"
[zones.sack]
shape = "bag"
starts_with = ["chip"]
[zones.stalls]
shape = "row"
spaces = 4
[zones.wheel]
shape = "ring"
spaces = ["north", "east", "south"]
[zones.board]
shape = "grid"
columns = 2
rows = 2
[zones.lots]
shape = "pile"
copies = 3
[zones.hand]
per = "seat"
shape = "hand"
[zones.crew]
per = "seat"
shape = "hand"
seen_by = "everybody"
[zones.purse]
per = "seat"
shape = "hand"
starts_with = ["coin"]
accepts = ["coin"]
seen_by = "everybody"
[zones.rack]
per = "seat"
shape = "row"
spaces = 2
face = "down"
seen_by = "owner"
[zones.tray]
shape = "pile"
starts_with = ["cube"]

[values.game]
star = { type = "hero" }
thief = { type = "seat" }
spot = { type = "stalls" }
trend = 0
marked = { type = "piece" }
[values.seat]
points = 0
plan = { type = "piece", seen_by = "owner" }
kept = { type = ["piece"], most = 3, seen_by = "owner" }
liked = { type = ["hero"], most = 4 }
guess = { type = ["number"], most = 3, min = 0, max = 5, seen_by = "owner" }
owed = { start = 0, per = "seat" }
taken = { start = 0, per = "hero", seen_by = "owner" }
debt = { type = ["number"], most = 9, per = "seat", lasts = "round" }
mood = { words = ["calm", "wild"], start = "calm" }
[values.hero]
fame = 0

[decisions.all]
ask = "Which?"
tell = "{seat} sends {who} to {to}"
parts = { who = "any", to = "any" }
[decisions.some]
ask = "Which?"
tell = { en = "{seat} sends {who} to {to}", zh-Hant = "{seat}派出{who}" }
parts = { who = "any", to = "any" }
[decisions.none]
ask = "Which?"
tell = "{seat} does something"
parts = { who = "any", to = "any" }
[decisions.plain]
ask = "Which?"
tell = "{seat} takes {choice}"
[decisions.untold]
ask = "Which?"
[decisions.still]
ask = "Which?"
quiet = true
[decisions.still.parts]
who = "any"
to = "any"

[says]
look = "{what} is looked at"

[flow]
setup = ["lay_out"]
round = ["play"]
rounds = 3
[phases.play]
steps = [{ each_seat = "turn_of" }, "between_rounds"]
"#;

/// Components of all generated games.
const BOX: &str = r#"
[[good]]
id = "cotton"
count = 5
[[good]]
id = "wool"
count = 2
[[hero]]
id = "ada"
[[hero]]
id = "bob"
[[hero]]
id = "cyd"
[[chip]]
id = "red"
count = 3
[[chip]]
id = "blue"
count = 3
[[coin]]
id = "coin"
count = 2
each = "seat"
[[cube]]
id = "cube"
faces = [3, 4, 5]
"#;

/// Rules that all generated games share.
const COMMON: &str = r#"
/// Lays out some of the pieces.
fn lay_out() {
    deck.shuffle();
    for space in stalls.spaces { deck.draw(1, space, "up"); }
    for space in board.spaces { sack.draw(space); }
    for seat in seats { deck.draw(1, seat.hand); }
}
/// Returns the places where pieces may be put.
fn places(seat) {
    [heap, deck, lots[1], lots[2], stalls[1], stalls[3], wheel["east"], board.at(1, 2), seat.hand, seat.crew, seat.rack[1], next(seat).hand]
}
/// Moves a piece, unless it is of a kind that may only lie in the heap.
fn send(piece, to) {
    if piece.kind != "coin" && piece.kind != "cube" || to == heap { piece.move_to(to); }
}
/// Returns some of the pieces that a seat can see on the table, and its own hand.
fn seen(seat) {
    stalls.pieces + heap.pieces.take(2) + lots.pieces.take(2) + board.pieces.take(2) + seat.hand.pieces + seat.crew.pieces
}
fn score(seat) { seat.points }
"#;

/// Expressions for places that hold pieces.
const PLACES: [&str; 9] =
    ["stalls", "heap", "wheel", "board", "lots", "seat.hand", "seat.crew", "seat.rack", "next(seat).crew"];

/// Expressions for places to which a piece may be moved.
const TARGETS: [&str; 9] = [
    "heap",
    "lots[3]",
    "stalls[2]",
    "wheel[\"north\"]",
    "board.at(2, 1)",
    "seat.hand",
    "seat.crew",
    "seat.rack[2]",
    "next(seat).hand",
];

fn one_of<'a>(chance: &mut Chance, all: &[&'a str]) -> &'a str {
    all[chance.below(all.len() as u32) as usize]
}

/// Generates a statement for a function with the parameter `seat`. `number` makes the names of its variables unique.
fn statement(chance: &mut Chance, number: usize) -> String {
    let (from, to, also) = (one_of(chance, &PLACES), one_of(chance, &TARGETS), one_of(chance, &TARGETS));
    let asked = one_of(chance, &["all", "some", "none", "still"]);
    let single = one_of(chance, &["plain", "untold"]);
    let it = format!("it_{number}");
    let sent = one_of(chance, &["to", "elsewhere", "hand"]);
    let sent = match sent {
        "to" => format!("send({it}.who, {it}.to);"),
        "elsewhere" => format!("send({it}.who, {also});"),
        _ => format!("send({it}.who, seat.hand);"),
    };
    match chance.below(21) {
        0 => format!("for piece in {from}.pieces {{ send(piece, {to}); }}"),
        1 => format!("for piece in {from}.pieces {{ send(piece, {to}); send(piece, {also}); }}"),
        2 => format!("for piece in {from}.pieces {{ let at = piece.space; send(piece, {to}); send(piece, at); }}"),
        3 | 4 => format!(
            "let {it} = choose_if_any(seat, \"{asked}\", each_of(#{{ who: seen(seat), to: places(seat) }})); if {it} != () {{ {sent} }}"
        ),
        5 => format!(
            "let {it} = choose_if_any(seat, \"{asked}\", each_of(#{{ who: seen(seat), to: [{to}, {also}] }})); if {it} != () {{ {sent} game.trend += 1; }}"
        ),
        6 => format!("let {it} = choose_if_any(seat, \"{single}\", seen(seat)); if {it} != () {{ send({it}, {to}); }}"),
        7 => format!("let {it} = choose(seat, \"{single}\", components(\"hero\")); game.star = {it}; {it}.fame += 1;"),
        8 => format!("let {it} = choose(seat, \"{single}\", seats); game.thief = {it}; {it}.points += 1;"),
        9 => format!(
            "let {it} = choose(seat, \"{single}\", stalls.spaces); game.spot = {it}; {it}.pieces.move_to({to});"
        ),
        10 => format!("deck.draw_up_to(2, {to}, \"up\");"),
        11 => format!("deck.draw_up_to(1, {to}); heap.move_to(deck); deck.shuffle();"),
        12 => "tray.top.roll(); seat.purse.pieces.take(1).move_to(heap); heap.where(\"kind\", \"coin\").move_to(seat.purse);"
            .to_owned(),
        13 => "seat.mood = if seat.mood == \"calm\" { \"wild\" } else { \"calm\" }; seat.hand.pieces.take(1).show(next(seat)); seat.hand.pieces.take(2).show(next(seat));"
            .to_owned(),
        14 => format!(
            "at_once(|| {{ for piece in {from}.pieces {{ send(piece, {to}); }} }}); stalls.pieces.take(1).turn_down();"
        ),
        15 => format!(
            "let {it} = stalls.pieces; if !{it}.is_empty() {{ game.marked = {it}[0]; }} if game.marked != () {{ send(game.marked, {to}); }}"
        ),
        16 => format!(
            "let {it} = choose_if_any(seat, \"{single}\", seat.hand.pieces); seat.plan = {it}; if seat.plan != () {{ seat.points += 1; }} seat.kept = seat.hand.pieces.take(2);"
        ),
        17 => format!(
            "let {it} = choose(seat, \"{single}\", components(\"hero\")); if seat.liked.count() > 3 {{ seat.liked.shift(); }} seat.liked.push({it}); seat.taken[{it}] += 2;"
        ),
        18 => format!(
            "seat.guess = [round, 2]; seat.guess.push({number}); seat.guess[0] = 5; seat.owed[next(seat)] += {number}; let other_{number} = next(seat); other_{number}.owed[seat] -= 1;"
        ),
        19 => format!(
            "let other_{number} = next(seat); other_{number}.debt[seat].push({number}); next(seat).debt[other_{number}].push(7); if seat.debt[seat].is_empty() {{ seat.debt[seat] = [1, 2]; }} seat.debt[seat][0] += 1; seat.points += seat.owed.sum();"
        ),
        _ => format!(
            "say(\"look\", #{{ what: {from} }}); sack.draw_up_to(1, {to}); {from}.pieces.take(2).move_to({to});"
        ),
    }
}

/// Generates the rules of a game.
fn rules(seed: u64) -> String {
    let mut chance = Chance::new(seed, "invented");
    let mut text = COMMON.to_owned();
    let mut block = |head: &str, tail: &str| {
        let _ = writeln!(text, "{head}");
        for number in 0..2 + chance.below(4) {
            let _ = writeln!(text, "    {}", statement(&mut chance, number as usize));
        }
        let _ = writeln!(text, "{tail}");
    };
    block("/// A turn.\nfn turn_of(seat) {", "}");
    block("/// Between rounds.\nfn between_rounds() {\n    let seat = first;", "}");
    text
}

/// Returns the generated game for a seed, with two or three players.
pub(crate) fn generated_case(seed: u64) -> Case {
    let texts = [("game.toml", DATA), ("components/box.toml", BOX), ("rules/play.rhai", &rules(seed))];
    let game = parlour::load_texts("invented", crate::folder::owned_files(texts));
    let game = game.unwrap_or_else(|found| panic!("{found}\n{}", rules(seed)));
    Case { game, setup: Setup::seats(2 + (seed % 2) as u8) }
}

#[test]
fn logs_of_generated_games_determine_the_position() {
    let mut happened = 0;
    for seed in 0..GAMES {
        let case = generated_case(seed);
        for (seed, language) in (1..).zip(LANGUAGES) {
            happened += check_log(&case, seed, language).events().len();
        }
    }
    assert!(happened > 5_000, "only {happened} events");
}

#[test]
fn logs_of_seats_in_generated_games_match_what_they_see() {
    for seed in 0..GAMES {
        check_logs_of_seats(&generated_case(seed), 3);
    }
}

#[test]
fn compiled_and_interpreted_generated_games_are_identical() {
    crate::lockstep::compare_all((0..GAMES / 3).map(|seed| (generated_case(seed), seed)).collect());
}

#[test]
fn imagined_worlds_of_generated_games_look_the_same_to_the_seat() {
    for seed in 0..GAMES / 3 {
        crate::imagined_worlds::check_imagined_worlds(&generated_case(seed), seed);
    }
}
