//! The house: which part uses which, that the engine names no game, and where what it says in several languages stands.

#![allow(clippy::unwrap_used, reason = "tests are to be read")]

#[path = "../support/folder.rs"]
mod folder;
#[path = "../support/sources.rs"]
mod sources;

mod circles;
mod documents;
mod files;
mod folders;
mod layers;
mod messages;
mod phrases;
mod reading;
mod vendored;
mod words;
