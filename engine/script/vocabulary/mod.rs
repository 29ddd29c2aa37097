//! Every word a script may use, in one table.
//!
//! A word is written once: its name, its parameters, one sentence, an example with its result, and the function behind
//! it. From this come what the script engine knows, the reference, the definitions for editors, the static checks, and a
//! test of every example.

#![allow(clippy::needless_pass_by_value, reason = "the script engine hands over its arguments by value")]

mod altered;
mod arranging;
mod assigning;
mod book;
mod built_in;
mod chance;
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
mod seats;
mod tiles;
mod values;
mod zones;

pub(super) use arranging::TOPIC as ARRANGING;
pub(super) use book::Book;
pub use book::{Form, Type, Word};
pub(super) use facts::{
    Fact, FactTable, GameHandle, describe, names_of, owned_names, register_names, setting_to_dynamic,
};
pub(super) use lists::relation_names;
pub(super) use named::{MOST_TAKEN, function_fields, register_calls};
pub(super) use values::wanted;
pub(super) use zones::{ORDERED, without_order};

/// Writes every word into a book, topic by topic in the order of the reference.
pub(super) fn write(book: &mut Book<'_>) {
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
