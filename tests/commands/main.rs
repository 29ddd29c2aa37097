//! Tests of the program as people and other programs use it, with a file for each topic.

#![allow(clippy::unwrap_used, clippy::disallowed_types, clippy::disallowed_methods, reason = "tests are to be read")]

#[path = "../support/editor.rs"]
mod editor;
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
#[path = "../support/visitor.rs"]
mod visitor;

mod cli;
mod counting;
mod editing;
mod elsewhere;
mod export;
mod guide;
mod guide_games;
mod how_do_i;
mod large_options;
mod lobby;
mod map_pages;
mod notes;
mod picks;
mod playing;
mod print;
mod scripted;
mod serve;
mod small_defects;
mod strangers;
mod table;
mod tooling;
mod unseen;
