//! Tests of diagnostics: a case file under `tests/cases/` for each code, mutation tests, and size limits.

#![allow(clippy::unwrap_used, reason = "tests are to be read")]

#[path = "../support/folder.rs"]
mod folder;
#[path = "../support/play.rs"]
mod play;
#[path = "../support/recorded.rs"]
mod recorded;
#[path = "../support/sampler.rs"]
mod sampler;
#[path = "../support/unix.rs"]
mod unix;

mod broken_stockpile;
mod case;
mod codes;
mod limits;
mod line_endings;
mod loader;
mod mutation;
mod plays;
mod scripts;
