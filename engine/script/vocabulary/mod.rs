//! Every word a script may use, in one table.
//!
//! A word is written once: its name, its parameters, one sentence, an example with its result, and the function behind
//! it. From this come what the script engine knows, the reference, the definitions for editors, the static checks, and a
//! test of every example.

#![allow(clippy::needless_pass_by_value, reason = "a word takes its arguments by value")]

mod altered;
mod arranging;
mod assigning;
mod book;
mod built_in;
mod chance;
mod columns;
mod decisions;
mod facts;
mod flow;
mod grids;
mod judging;
mod links;
mod lists;
mod moves;
mod named;
mod numbers;
mod question;
mod seats;
mod tiles;
mod values;
mod zones;

use crate::analysis::infer::Language;
use book::Book;
use std::sync::LazyLock;

pub use crate::library::{Form, Word};
pub(super) use book::{Call, Caller, Entry, Library, Reply};
pub(super) use built_in::names as built_in_names;
pub(super) use columns::{Column, Columns, FactTable, fact, game_value, set_fact, set_game_value};
pub(super) use decisions::{begin_together, end_together};
#[cfg(feature = "walker")]
pub(super) use facts::Item;
pub(super) use facts::{Fact, describe, names_of, owned_names, setting_value};
pub(super) use lists::{THINGS, relation_names};
pub(super) use named::named;
pub(super) use question::Question;
pub(super) use values::Stored;

/// Every word, topic by topic in the order of the reference.
pub(super) fn library() -> &'static Library {
    static LIBRARY: LazyLock<Library> = LazyLock::new(|| {
        let mut book = Book::default();
        write(&mut book);
        book.finish()
    });
    &LIBRARY
}

/// The same by name, for whoever works out types.
pub(super) fn language() -> &'static Language {
    static LANGUAGE: LazyLock<Language> = LazyLock::new(|| Language::new(&library().words, relation_names()));
    &LANGUAGE
}

fn write(book: &mut Book) {
    decisions::write(book);
    seats::write(book);
    zones::write(book);
    lists::write(book);
    judging::write(book);
    assigning::write(book);
    built_in::write(book);
    facts::write(book);
    altered::write(book);
    moves::write(book);
    grids::write(book);
    tiles::write(book);
    links::write(book);
    chance::write(book);
    flow::write(book);
    numbers::write(book);
    arranging::write(book);
}
