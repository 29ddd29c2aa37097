//! Files: of games, playscripts, and what the program writes.

#![allow(clippy::unwrap_used, clippy::disallowed_types, reason = "tests are to be read")]

#[path = "../support/folder.rs"]
mod folder;
#[path = "../support/play.rs"]
mod play;
#[path = "../support/program.rs"]
mod program;
#[path = "../support/unix.rs"]
mod unix;

mod each;
mod formats;
mod grammar;
mod keys;
mod line_ends;
mod links;
mod loader;
mod loader_fuzz;
mod playscript;
mod playscript_text;
mod schema;
mod spreadsheet;
mod whole_files;
