//! Batches of games: results that do not depend on threads, statistically valid figures, planted effects that are found, and files of
//! runs.

#![allow(clippy::unwrap_used, clippy::disallowed_types, reason = "tests are to be read")]

#[path = "../support/folder.rs"]
mod folder;
#[path = "../support/program.rs"]
mod program;
#[path = "../support/recorded.rs"]
mod recorded;
#[path = "../support/thorough.rs"]
mod thorough;
#[path = "../support/unix.rs"]
mod unix;

mod campaigns;
mod choices;
mod commands;
mod dice_game;
mod findings;
mod interruption;
mod planted_effects;
mod report_page;
mod resuming;
mod statistics;
mod stopping;
mod summary;
mod teams;
mod together;
mod tuning;
mod untrusted_runs;
mod win_probability;
