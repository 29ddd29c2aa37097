//! Tests of properties that hold over whole games, for individual games.

#![allow(clippy::unwrap_used, reason = "tests are to be read")]

#[path = "../support/finished_game.rs"]
mod finished_game;

mod gallery;
mod last_will;
mod monga_alley;
mod revolution_1828;
mod rivals;
mod small_games;
mod stockpile;
mod wall_street;
