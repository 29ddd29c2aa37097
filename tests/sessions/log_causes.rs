//! Each sentence of a log lists only the moves that it caused.
//!
//! The test plays a game in which every coin is moved for one known reason, and the name of the coin states this reason.

use crate::folder::owned_files;
use parlour::model::Language;
use parlour::session::{Session, Setup};
use parlour::table::Chance;
use parlour::wording::Wording;

const DATA: &str = r#"
[game]
id = "causes"
players = { min = 2, max = 3 }

[kinds.card]
fields = { when_called = { type = ["function"], default = [] }, works = { type = ["function"], default = [] } }

[zones.bank]
shape = "hand"
starts_with = ["coin", "answer"]
seen_by = "everybody"
[zones.used]
shape = "hand"
seen_by = "everybody"
[zones.supply]
shape = "hand"
starts_with = ["card"]
seen_by = "everybody"
[zones.field]
per = "seat"
shape = "hand"
seen_by = "everybody"
in_force = true
[zones.own]
per = "seat"
shape = "hand"
starts_with = ["secret"]
[zones.laid]
per = "seat"
shape = "pile"
face = "down"

[zones.pool]
shape = "pile"
starts_with = ["omen"]
face = "down"

[decisions.pick]
ask = "Which card do you use?"
tell = "{seat} uses {choice}"
[decisions.act]
ask = "What do you do?"
tell = "{seat} acts: {choice}"
[decisions.bet]
ask = "How much do you bet?"
tell = "{seat} bets {choice}"
[decisions.steal]
ask = "Do you steal?"
tell = "{seat} decides: {choice}"

[says]
begun = "The wheel turns"

[flow]
setup = ["lay_out"]
round = ["play"]
rounds = 4
[phases.play]
steps = [{ each_seat = "act" }, "upkeep", "wager", "raise", "spin", "tidy"]
"#;

const BOX: &str = r#"
[[coin]]
id = "upkeep"
name = "Upkeep Coin"
count = 40
[[coin]]
id = "wager"
name = "Wager Coin"
count = 40
[[coin]]
id = "spin"
name = "Spin Coin"
count = 40
[[coin]]
id = "fox_coin"
name = "Red Coin"
count = 40
[[coin]]
id = "owl_coin"
name = "Grey Coin"
count = 40
[[coin]]
id = "hawk_coin"
name = "Blue Coin"
count = 80
[[omen]]
id = "omen"
name = "Omen"
[[answer]]
id = "answer"
name = "Answer"
each = "seat"
count = 40
[[card]]
id = "fox"
name = "Fox"
when_called = ["fetch"]
count = 3
[[card]]
id = "owl"
name = "Owl"
when_called = ["fetch", "ask_and_fetch"]
works = ["fetch"]
count = 3
[[card]]
id = "hawk"
name = "Hawk"
works = ["fetch_twice"]
count = 3
[[secret]]
id = "secret"
name = "Secret"
each = "seat"
count = 4
"#;

const RULES: &str = r#"
fn lay_out() {
    for seat in seats {
        supply.find("component", component("fox")).move_to(seat.field);
        supply.find("component", component("owl")).move_to(seat.field);
        supply.find("component", component("hawk")).move_to(seat.field);
    }
}

fn pay(id) { bank.find("component", id).move_to(used); }

fn pay_answer(seat) { bank.where("owner", seat).where("kind", "answer").first.move_to(used); }

fn act(seat) {
    for turn in 1..=2 {
        switch choose(seat, "act", ["pay", "call", "show", "lay", "use", "pick", "turn", "wait"]) {
            "pay" => { pay_answer(seat); }
            "call" => { pay_answer(seat); trigger("when_called", seat); }
            "show" => { any_of(seat.own.pieces).reveal(); }
            "lay" => {
                if !seat.laid.is_empty() { seat.laid.move_to(seat.own); }
                seat.own.pieces.first.move_to(seat.laid);
                seat.laid.top.turn_up();
            }
            "use" => {
                let hawk = seat.field.find("component", component("hawk"));
                hawk.works(seat);
                pay(component("upkeep"));
            }
            "pick" => {
                let card = choose(seat, "pick", seat.field.where("component", component("hawk")));
                card.works(seat);
            }
            "turn" => { pool.top.turn_up(); pool.top.turn_down(); }
            _ => { }
        }
    }
}

/// Carries out the effect of another card in the middle of its own.
fn fetch_twice(card, seat) {
    pay(component("hawk_coin"));
    seat.field.find("component", component("owl")).works(seat);
    together(seats, |one| choose_number(one, "bet", 0, 2));
    pay(component("hawk_coin"));
    if confirm(seat, "steal") { pay_answer(seat); }
}

fn upkeep() { pay(component("upkeep")); }

fn wager() {
    let bets = together(seats, |seat| choose_number(seat, "bet", 0, 2));
    for seat in seats { if bets[seat] > 0 { pay(component("wager")); } }
}

fn raise() {
    for seat in seats { choose_number(seat, "bet", 0, 2); }
    pay(component("wager"));
}

fn spin() {
    pay(component("upkeep"));
    say("begun", #{});
    for n in 1..=roll(2) { pay(component("spin")); }
}

fn tidy() { pay(component("upkeep")); }

fn fetch(card, seat) { pay(if card.component == component("fox") { component("fox_coin") } else { component("owl_coin") }); }

fn ask_and_fetch(card, seat) {
    if confirm(seat, "steal") { pay_answer(seat); }
}

fn score(seat) { 0 }
"#;

/// Plays a game at random. Returns its log.
fn log_of(seed: u64, seats: u8, language: Language) -> Vec<String> {
    let texts = [("game.toml", DATA), ("components/box.toml", BOX), ("rules/play.rhai", RULES)];
    let game = parlour::load_texts("causes", owned_files(texts)).unwrap_or_else(|found| panic!("{found}"));
    let mut session = Session::start(&game, &Setup::seats(seats).seed(seed)).unwrap();
    let mut chance = Chance::new(seed, "causes");
    while let Some(count) = session.decision().map(|decision| decision.count() as u32) {
        session.choose(chance.below(count) as usize).unwrap();
    }
    assert!(session.outcome().is_some(), "{:?}", session.status());
    let wording = Wording::new(session.model().clone(), session.setup().clone(), language);
    let lines = wording.narrate(session.events());
    lines.into_iter().map(|line| line.trim().to_owned()).collect()
}

/// Players of the games.
const NAMES: [&str; 3] = ["Ann", "Ben", "Cho"];

/// Returns why a line of the English log is wrong, if it is.
fn mistake(line: &str) -> Option<&'static str> {
    let begins = |what: &str| NAMES.iter().any(|name| line.starts_with(&format!("{name}{what}")));
    let names_answer = NAMES.iter().any(|name| line.contains(&format!("{name} ")) && !line.contains("reveals"));
    for name in NAMES {
        let own = [" acts: pay", " acts: call", "'s Owl: NAME decides: yes", "'s Hawk: NAME decides: yes"];
        let is_own = own.iter().any(|own| line.starts_with(&format!("{name}{}", own.replace("NAME", name))));
        if line.contains(&format!("{name}'s Answer")) && !is_own {
            return Some("an answer coin is moved by the answer of its player");
        }
        let reveals = line.contains(&format!("{name} reveals {name}'s Secret"));
        let is_shown = [" acts: show", " acts: lay"].iter().any(|act| line.starts_with(&format!("{name}{act}")));
        if reveals != is_shown {
            return Some("a player reveals a card by their own answer, and the line says so");
        }
    }
    if line.contains("Upkeep Coin")
        && (names_answer
            || line.contains("wheel")
            || [" uses", "'s Owl", "'s Fox", "'s Hawk"].iter().any(|what| begins(what)))
    {
        return Some("an upkeep coin is moved by a step of its own");
    }
    if line.contains("Wager Coin") && (names_answer || line.contains("wheel")) {
        return Some("a wager coin is moved after the answers of all players");
    }
    if line.contains("Spin Coin") && !line.starts_with("The wheel turns — ") {
        return Some("a spin coin is moved after the announcement");
    }
    if line.contains("Red Coin") && !begins("'s Fox — ") || line.contains("Grey Coin") && !begins("'s Owl — ") {
        return Some("the line about an effect names the card");
    }
    if line.contains("Blue Coin") && !begins("'s Hawk — ") && !begins(" uses Hawk — ") {
        return Some("the line about an effect names the card that the rules have called");
    }
    if line.contains("decides") && !begins("'s Owl: ") && !begins("'s Hawk: ") {
        return Some("an answer to the question of an effect names the card");
    }
    if line.contains("Omen")
        && !NAMES.iter().any(|name| line.contains(&format!("{name} acts: turn — {name} reveals Omen (Pool)")))
    {
        return Some("a player reveals a card of a shared pile");
    }
    None
}

#[test]
fn sentences_list_only_the_moves_that_they_caused() {
    let mut caused = 0;
    for seed in 1..=3 {
        for seats in [2, 3] {
            let log = log_of(seed, seats, Language::English);
            for line in &log {
                if let Some(why) = mistake(line) {
                    panic!("seed {seed}, {seats} players: {why}: {line}\n{}", log.join("\n"));
                }
            }
            caused += log.iter().filter(|line| line.contains(" — ")).count();
            // Both languages say the same, line by line.
            assert_eq!(log_of(seed, seats, Language::TraditionalChinese).len(), log.len(), "seed {seed}");
        }
    }
    assert!(caused > 100, "only {caused} sentences with moves");
}
