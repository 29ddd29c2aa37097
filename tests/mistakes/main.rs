//! What is said about mistakes: a file of cases for every code, under `tests/cases/`, and every message with its place.

#![allow(clippy::unwrap_used, reason = "tests are to be read")]

mod case;
mod codes;
mod limits;
mod loader;
mod plays;
#[path = "../sampler/mod.rs"]
mod sampler;
mod scripts;
