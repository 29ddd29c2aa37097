//! Properties that hold for every game, independent of its rules.
//!
//! All games under `games/` and `examples/games/` are played with every number of players and every single value of every option. New games
//! in these folders are included automatically.

#![allow(clippy::unwrap_used, reason = "tests are to be read")]

#[path = "../support/folder.rs"]
mod folder;
#[path = "../support/thorough.rs"]
mod thorough;

mod case;
mod generated_games;
mod imagined_worlds;
mod lockstep;
mod log_consistency;
mod log_sentences;
mod option_texts;
mod random_games;
mod random_walk;
mod reachability;
mod replay;
mod table;
