//! Mistakes in playscripts. A case is a play of the sampler, whose rules are those below; `=== rules/play.rhai` gives
//! others, and `=== unrun` tells what is found without running it. Other games are those of `examples/games/`.

use crate::case::{Case, check};
use crate::sampler;
use parlour::diagnostic::Diagnostics;
use parlour::playscript::{Cast, mistakes, parse, run, unknown_game};
use parlour::session::Game;
use std::path::Path;

const RULES: &str = r#"
fn set_up() { deck.shuffle(); deck.draw(discard); }
fn turn_of(seat) {
    let bid = choose(seat, "bid", each_of(#{ lot: lots, price: [1, 2] }));
    seat.cash -= bid.price;
}
fn score(seat) { seat.cash }
fn toss() { game.trend = roll(6); any_of(cup.pieces).move_to(discard); }
"#;

pub(crate) fn said(case: &Case) -> String {
    let play = match parse(&crate::play::source(&*case.text)) {
        Ok(play) => play,
        Err(found) => return found.to_string(),
    };
    let rules = case.more.iter().find(|(name, _)| name == "rules/play.rhai").map_or(RULES, |(_, rules)| rules);
    let sampler = |name: &str| -> Result<Game, Diagnostics> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/games").join(name.replace('_', "-"));
        match name {
            "sampler" => parlour::load_texts(name, sampler::texts(rules)),
            _ if folder.is_dir() => parlour::load(folder),
            _ => Err(unknown_game(name, ["sampler"])),
        }
    };
    let cast = Cast { game: &sampler, agent: &parlour::agents::in_play, covering: false };
    let failures = || run(&play, &cast).into_iter().filter_map(|report| report.failure).map(|found| *found).collect();
    let found = if case.has("unrun") { mistakes(&play, &cast) } else { failures() };
    if found.is_empty() { "nothing".to_owned() } else { Diagnostics(found).to_string() }
}

#[test]
fn mistakes_of_plays_are_told_with_their_place() {
    check("plays", said);
}
