//! Plays games of Stockpile with random choices, without files, threads, clocks or entropy.
//!
//! Prints a number that is computed from the final tables. If the variable `EXPECTED` is set during the build, the program fails unless the
//! number is equal to it. `check.sh` uses this to compare WebAssembly with the machine that it runs on.

use include_dir::{Dir, include_dir};
use parlour::session::{Session, Setup, Status};
use parlour::table::Chance;
use std::process::ExitCode;

static GAME: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../games/stockpile");

/// Number of games to play.
const GAMES: u64 = 5;

fn main() -> ExitCode {
    let mut texts = Vec::new();
    read(&GAME, &mut texts);
    let Ok(game) = parlour::load_texts("stockpile", texts) else { return ExitCode::from(2) };
    let mut number = 0_u64;
    for seed in 0..GAMES {
        let Ok(mut session) = Session::start(&game, &Setup::seats(4).seed(seed)) else { return ExitCode::from(3) };
        let mut chance = Chance::new(seed, "players");
        while let Status::Waiting(decision) = session.status() {
            let at = chance.below(decision.count() as u32) as usize;
            if session.choose(at).is_err() {
                return ExitCode::from(4);
            }
        }
        if session.outcome().is_none() {
            return ExitCode::from(5);
        }
        number = number.rotate_left(8) ^ session.fingerprint();
    }
    println!("{number:016x}");
    match option_env!("EXPECTED") {
        Some(expected) if expected != format!("{number:016x}") => ExitCode::from(1),
        _ => ExitCode::SUCCESS,
    }
}

/// Collects the text files of a folder, each with its path in the game.
fn read(folder: &Dir<'_>, texts: &mut Vec<(String, String)>) {
    for file in folder.files() {
        if let Some(text) = file.contents_utf8() {
            texts.push((file.path().to_string_lossy().into_owned(), text.to_owned()));
        }
    }
    folder.dirs().for_each(|inner| read(inner, texts));
}
