//! Games that nobody would play: zones of every shape, pieces of every sort, and rules that move them about at random. What
//! holds of every game holds of these too.

use crate::case::Case;
use crate::telling::{LANGUAGES, hold_log_against_table, hold_logs_of_seats_against_views};
use parlour::session::Setup;
use parlour::table::Chance;
use std::fmt::Write as _;

/// So many games are invented.
const GAMES: u64 = 60;

/// What is in the box, where it lies, and what is asked. The sentences of answers tell all, some or nothing of them.
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

/// What every game has.
const COMMON: &str = r#"
/// Lays some of it out.
fn lay_out() {
    deck.shuffle();
    for space in stalls.spaces { deck.draw(1, space, "up"); }
    for space in board.spaces { sack.draw(space); }
    for seat in seats { deck.draw(1, seat.hand); }
}
/// Where pieces may go.
fn places(seat) {
    [heap, deck, lots[1], lots[2], stalls[1], stalls[3], wheel["east"], board.at(1, 2), seat.hand, seat.crew, seat.rack[1], next(seat).hand]
}
/// Moves a piece where it may lie.
fn send(piece, to) {
    if piece.kind != "coin" && piece.kind != "cube" || to == heap { piece.move_to(to); }
}
/// The pieces that a seat sees to be there, and its own hand.
fn seen(seat) {
    stalls.pieces + heap.pieces.take(2) + lots.pieces.take(2) + board.pieces.take(2) + seat.hand.pieces + seat.crew.pieces
}
fn score(seat) { seat.points }
"#;

/// Places that hold pieces, in the words of rules.
const PLACES: [&str; 9] =
    ["stalls", "heap", "wheel", "board", "lots", "seat.hand", "seat.crew", "seat.rack", "next(seat).crew"];

/// Places where a piece may go.
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

/// A statement of a rule that is carried out for a seat; `number` tells its variables from those of others.
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

/// The rules of an invented game.
fn rules(seed: u64) -> String {
    let mut chance = Chance::new(seed, "invented");
    let mut written = COMMON.to_owned();
    let mut block = |head: &str, tail: &str| {
        let _ = writeln!(written, "{head}");
        for number in 0..2 + chance.below(4) {
            let _ = writeln!(written, "    {}", statement(&mut chance, number as usize));
        }
        let _ = writeln!(written, "{tail}");
    };
    block("/// A turn.\nfn turn_of(seat) {", "}");
    block("/// Between rounds.\nfn between_rounds() {\n    let seat = first;", "}");
    written
}

pub(crate) fn invented(seed: u64) -> Case {
    let texts = [("game.toml", DATA), ("components/box.toml", BOX), ("rules/play.rhai", &rules(seed))];
    let game = parlour::load_texts("invented", crate::folder::owned(texts));
    let game = game.unwrap_or_else(|found| panic!("{found}\n{}", rules(seed)));
    Case { game, setup: Setup::seats(2 + (seed % 2) as u8) }
}

#[test]
fn a_log_of_an_invented_game_tells_where_every_piece_lies() {
    let mut happened = 0;
    for seed in 0..GAMES {
        let case = invented(seed);
        for (seed, language) in (1..).zip(LANGUAGES) {
            happened += hold_log_against_table(&case, seed, language).events().len();
        }
    }
    assert!(happened > 5_000, "little happens: {happened}");
}

#[test]
fn a_log_of_an_invented_game_tells_every_seat_where_the_pieces_lie_that_it_sees() {
    for seed in 0..GAMES {
        hold_logs_of_seats_against_views(&invented(seed), 3);
    }
}

#[test]
fn compiled_rules_of_an_invented_game_and_walked_ones_go_in_lock_step() {
    crate::lockstep::lock_steps((0..GAMES / 3).map(|seed| (invented(seed), seed)).collect());
}

#[test]
fn a_world_imagined_in_an_invented_game_looks_the_same_to_the_seat_that_imagines_it() {
    for seed in 0..GAMES / 3 {
        crate::knowledge::hold_worlds_against_views(&invented(seed), seed);
    }
}
