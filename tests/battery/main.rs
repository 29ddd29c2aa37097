//! What holds of every game, whatever its rules: the free battery.
//!
//! Every folder under `games/` and `examples/games/` is played with every number of players and every single value of every
//! option. Adding a game there is adding it here.

#![allow(clippy::unwrap_used, reason = "tests are to be read")]

#[path = "../support/folder.rs"]
mod folder;

mod case;
mod invented;
mod knowledge;
mod lockstep;
mod offers;
mod playing;
mod reached;
mod replaying;
mod table;
mod telling;
mod walk;
