//! Words on a terminal.

use crate::agents;
use crate::model::Language;
use crate::session::{Setup, Wording};
use std::process::ExitCode;

/// Runs the program with the arguments it was given.
pub fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    let seats: u8 = args[2].parse().expect("players");
    let seed: u64 = args[3].parse().expect("seed");
    let game = match crate::load(&args[1]) {
        Ok(game) => game,
        Err(found) => {
            eprintln!("{found}");
            return ExitCode::from(1);
        }
    };
    let setup = Setup::seats(seats).seed(seed);
    let n: u64 = args.get(4).map_or(1, |n| n.parse().expect("n"));
    let start = std::time::Instant::now();
    let mut decisions = 0;
    for i in 0..n {
        let setup = setup.clone().seed(seed + i);
        let players = (0..seats).map(|seat| agents::named("random", seed + i, seat as usize).expect("known")).collect();
        let played = match game.play(&setup, players, n == 1) {
            Ok(played) => played,
            Err(found) => {
                eprintln!("{found}");
                return ExitCode::from(1);
            }
        };
        decisions += played.decisions;
        if n == 1 {
            let layout = game.layout(&setup).expect("loads");
            let wording = Wording::new(layout.model.clone(), setup.clone(), Language::English);
            for line in wording.narrate(&played.events) {
                println!("{line}");
            }
        }
        match played.outcome {
            Ok(outcome) => {
                if n == 1 {
                    println!("{outcome:?} {}", played.decisions);
                }
            }
            Err(found) => {
                println!("{}", crate::diagnostic::render(&found, false));
                return ExitCode::from(1);
            }
        }
    }
    let t = start.elapsed().as_secs_f64();
    eprintln!("{n} games {:.0}/s {:.0} dec/s", n as f64 / t, decisions as f64 / t);
    ExitCode::SUCCESS
}
