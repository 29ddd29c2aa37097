//! Diagnostics of playscripts.
//!
//! A case is a playscript of the sampler with the rules below. `=== rules/play.rhai` replaces the rules. With `=== unrun`, the playscript
//! is checked but not run. Cases can also use the games in `examples/games/`.

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

/// Returns the diagnostics of a case, or `nothing`.
pub(crate) fn diagnostics(case: &Case) -> String {
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
fn diagnostics_of_playscripts_match_the_cases() {
    check("plays", diagnostics);
}
