//! Batches: the same figures however they are played, figures that say what is true as often as they claim, planted effects that
//! are found, and files that belong together.

#![allow(clippy::unwrap_used, clippy::disallowed_types, reason = "tests are to be read")]

#[path = "../support/folder.rs"]
mod folder;
#[path = "../support/program.rs"]
mod program;
#[path = "../support/recorded.rs"]
mod recorded;
#[path = "../support/unix.rs"]
mod unix;

mod commands;
mod dice;
mod interruption;
mod page;
mod planted;
mod prospects;
mod resuming;
mod seats;
mod strangers;
mod summary;
mod teams;
mod truth;
mod until;
