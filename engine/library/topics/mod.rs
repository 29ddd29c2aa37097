//! Every function, property and name that a script may use, in one table: the registry.
//!
//! An entry is written once: its name, its parameters, one sentence, an example with its result, and the function behind
//! it. From this come what the script engine knows, the reference, what editors show, the static checks, and a
//! test of every example.

#![allow(clippy::needless_pass_by_value, reason = "a word takes its arguments by value")]

mod altered;
mod arranging;
mod assigning;
mod assignment;
mod built_in;
mod chance;
pub(crate) mod decisions;
pub(crate) mod entries;
pub(crate) mod facts;
mod flow;
mod grids;
mod judging;
mod learning;
mod links;
mod moves;
pub(crate) mod named;
mod numbers;
mod own;
mod routes;
pub(crate) mod seats;
pub(crate) mod setting;
pub(crate) mod several;
mod tiles;
mod triggers;
mod trying;
mod ways;
mod zones;

use super::effect::Effects;
use super::entry::builder::RegistryBuilder;
use super::entry::registry::Registry;
use rustc_hash::FxHashSet;
use std::sync::LazyLock;

/// Every word, topic by topic in the order of the reference.
pub(crate) fn registry() -> &'static Registry {
    static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
        let mut registry = RegistryBuilder::default();
        write(&mut registry);
        registry.finish()
    });
    &REGISTRY
}

/// Whether a function of a name changes what stands before its dot in place: one of the language's own types, or one of the
/// library that sets of things have as lists have it.
pub fn changes_in_place(name: &str) -> bool {
    static ALL: LazyLock<FxHashSet<&str>> = LazyLock::new(|| names_with(Effects::IN_PLACE));
    ALL.contains(name)
}

/// Whether a function of the library keeps the function `|…|` that it is given, to call it later.
pub fn keeps(name: &str) -> bool {
    static ALL: LazyLock<FxHashSet<&str>> = LazyLock::new(|| names_with(Effects::KEEPS));
    ALL.contains(name)
}

/// Whether a function of the library asks a seat.
pub fn asks(name: &str) -> bool {
    static ALL: LazyLock<FxHashSet<&str>> = LazyLock::new(|| names_with(Effects::ASKS));
    ALL.contains(name)
}

fn names_with(effects: Effects) -> FxHashSet<&'static str> {
    let words = registry().entries.iter().filter(|word| word.effects.has(effects));
    words.map(|word| word.name.as_str()).collect()
}

fn write(registry: &mut RegistryBuilder) {
    decisions::write(registry);
    seats::write(registry);
    zones::write(registry);
    several::write(registry);
    judging::write(registry);
    assigning::write(registry);
    built_in::write(registry);
    facts::write(registry);
    entries::write(registry);
    altered::write(registry);
    triggers::write(registry);
    moves::write(registry);
    learning::write(registry);
    grids::write(registry);
    tiles::write(registry);
    ways::write(registry);
    links::write(registry);
    chance::write(registry);
    trying::write(registry);
    flow::write(registry);
    numbers::write(registry);
    arranging::write(registry);
    own::write(registry);
}
