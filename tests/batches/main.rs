//! Tests of batches: results do not depend on threads, figures are statistically valid, planted effects are found, and the files of runs
//! are consistent.

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
