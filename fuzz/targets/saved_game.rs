//! Resumes arbitrary text as a saved game. Mistakes must be reported without a panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use parlour::diagnostic::{Diagnostics, Source, render};
use parlour::playscript::{Cast, parse, resume, unknown_game};
use parlour::session::Game;
use std::sync::{Arc, OnceLock};

static GAME: OnceLock<Game> = OnceLock::new();

fn game(name: &str) -> Result<Game, Diagnostics> {
    let known = GAME.get_or_init(|| {
        parlour::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/games/kuhn-poker")).expect("it is well")
    });
    if name == "kuhn_poker" { Ok(known.clone()) } else { Err(unknown_game(name, ["kuhn_poker"])) }
}

fuzz_target!(|text: &str| {
    let Ok(play) = parse(&Arc::new(Source { path: "fuzz.play".to_owned(), text: text.to_owned() })) else { return };
    // Agent programs that a recording names are never started.
    let cast = Cast { game: &game, agent: &parlour::agents::in_play, covering: false };
    if let Err(found) = resume(&play, &cast) {
        drop(render(&found, false));
    }
});
