//! Tests of the structure of the source tree, such as the dependencies between modules, the files that may access the file system, and the
//! files that documents name.

#![allow(clippy::unwrap_used, reason = "tests are to be read")]

#[path = "../support/folder.rs"]
mod folder;
#[path = "../support/sources.rs"]
mod sources;

mod documents;
mod file_access;
mod folder_names;
mod game_names;
mod layers;
mod messages;
mod module_cycles;
mod phrases;
mod rust_tokens;
mod site;
mod threads;
mod vendored;
