//! Tests of files: game files, playscripts, and files that the program writes.

#![allow(clippy::unwrap_used, clippy::disallowed_types, reason = "tests are to be read")]

#[path = "../support/folder.rs"]
mod folder;
#[path = "../support/play.rs"]
mod play;
#[path = "../support/program.rs"]
mod program;
#[path = "../support/unix.rs"]
mod unix;

mod editor_grammars;
mod file_writing;
mod formats;
mod keys;
mod line_endings;
mod links;
mod loader;
mod loader_fuzz;
mod playscript;
mod playscript_text;
mod row_expansion;
mod schema;
mod spreadsheet;
