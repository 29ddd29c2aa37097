//! Tests of games in progress: grids, turns, visible and secret information, and agents.

#![allow(clippy::unwrap_used, reason = "tests are to be read")]

#[path = "../support/folder.rs"]
mod folder;
#[path = "../support/thorough.rs"]
mod thorough;

mod agents;
mod answers;
mod campaign;
mod costs;
mod derived;
mod drawing;
mod grid;
mod hexagons;
mod imagined;
mod large_options;
mod learned;
mod log_causes;
mod naming;
mod redeals;
mod scenes;
mod secrets;
mod showing;
mod simultaneous;
mod teams;
mod telling;
mod tiles;
mod triggers;
mod trying;
mod turns;
mod undone;
