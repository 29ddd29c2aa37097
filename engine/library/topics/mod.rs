//! Every function, property and name that a script may use, in one table: the registry.
//!
//! An entry is written once: its name, its parameters, one sentence, an example with its result, and the function behind
//! it. From this come what the machine calls, the reference, what editors show, the static checks, and a
//! test of every example.

#![allow(clippy::needless_pass_by_value, reason = "a function takes its arguments by value")]

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
mod operators;
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
use super::entry::code::{LaidOut, OwnCodes};
use super::entry::registry::Registry;
use super::entry::{Entry, Form};
use super::pattern::{NameRole, Pattern};
use crate::decision::Type;
use crate::table::Way;
use rustc_hash::FxHashSet;
use std::sync::LazyLock;

/// Every entry, topic by topic in the order of the reference.
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

/// Whether a function or property of a name goes by the order in which things lie, which a bag has not.
pub fn goes_by_order(name: &str) -> bool {
    static ALL: LazyLock<FxHashSet<&str>> = LazyLock::new(|| names_of(|entry| entry.is_ordered));
    ALL.contains(name)
}

/// Whether a function of the library goes by what a function `|…|` results in for each of several things, all of which may be
/// known before: those that lists have with code of the machine's own are not among them.
pub fn gathers(name: &str) -> bool {
    static ALL: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
        let own = names_of(Entry::is_own);
        let gathers = |entry: &Entry| entry.takes.iter().any(|takes| takes.called_with() == Some(&[Pattern::One]));
        names_of(|entry| !own.contains(&*entry.name) && gathers(entry))
    });
    ALL.contains(name)
}

/// The code of the machine that functions of a name run, or what values have of that name behind a dot, where it is of the
/// language's own types.
pub fn own_codes(form: Form, name: &str) -> Option<OwnCodes> {
    registry().own.get(&(form, name)).copied()
}

/// How the machine lays out a call of a function of the game's own, if it does so.
pub(crate) fn laid_out(name: &str) -> Option<LaidOut> {
    static ALL: LazyLock<Vec<(&str, LaidOut)>> = LazyLock::new(|| {
        let all = registry().entries.iter();
        all.filter_map(|entry| Some((entry.name.as_str(), entry.laid_out?))).collect()
    });
    ALL.iter().find(|(known, _)| *known == name).map(|(_, code)| *code)
}

/// Whether a call of a function asks what is in force for a seat, with so many arguments.
pub(crate) fn asks_in_force(name: &str, arguments: usize) -> bool {
    let mut meant = asking(name).filter(|entry| entry.types.len() == arguments).peekable();
    meant.peek().is_some() && meant.all(|entry| entry.types.contains(&Type::Seat))
}

/// Where facts stand in a call that asks what standing effects alter, with so many arguments; nothing inside where it takes
/// none, and nothing where it asks for no such thing.
pub(crate) fn facts_asked_with(name: &str, arguments: usize) -> Option<Option<usize>> {
    asking(name).next()?;
    let mut meant = asking(name).filter(|entry| entry.types.len() == arguments);
    Some(meant.find_map(|entry| entry.types.iter().position(|of| *of == Type::Map)))
}

/// The functions of a name that ask what standing effects alter.
fn asking(name: &str) -> impl Iterator<Item = &'static Entry> {
    let is_asking = |entry: &Entry| entry.takes.first() == Some(&Pattern::Name(NameRole::Alteration));
    registry()
        .entries
        .iter()
        .filter(move |entry| entry.form == Form::Function && entry.name == name && is_asking(entry))
}

/// What every game calls something that rules name in quotes.
pub(crate) fn fixed_words(role: NameRole) -> Vec<&'static str> {
    match role {
        NameRole::Onto => grids::onto_names().collect(),
        NameRole::Side => moves::side_names().collect(),
        NameRole::Way => Way::ALL.map(Way::word).to_vec(),
        _ => Vec::new(),
    }
}

fn names_of(is_meant: impl Fn(&Entry) -> bool) -> FxHashSet<&'static str> {
    registry().entries.iter().filter(|entry| is_meant(entry)).map(|entry| entry.name.as_str()).collect()
}

fn names_with(effects: Effects) -> FxHashSet<&'static str> {
    names_of(|entry| entry.effects.has(effects))
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
    operators::write(registry);
    own::write(registry);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn are(is: impl Fn(&str) -> bool) -> Vec<&'static str> {
        let all: FxHashSet<&str> = names_of(|_| true);
        let mut found: Vec<&str> = all.into_iter().filter(|name| is(name)).collect();
        found.sort_unstable();
        found
    }

    fn gives_position(name: &str) -> bool {
        own_codes(Form::Function, name).and_then(|own| own.looped).is_some_and(|own| own.gives_position)
    }

    #[test]
    fn what_functions_do_with_functions_follows_from_what_they_take() {
        let gathering = ["count", "different", "largest", "smallest", "sort_by", "sum", "with_least", "with_most"];
        assert_eq!(are(gathers), gathering);
        let positions = ["all", "drain", "filter", "find", "find_map", "map", "reduce", "retain", "some"];
        assert_eq!(are(gives_position), positions);
    }

    #[test]
    fn what_asks_for_standing_effects_is_known_by_what_it_takes() {
        assert_eq!(are(|name| facts_asked_with(name, 0).is_some()), ["altered", "altering"]);
        assert_eq!(facts_asked_with("altered", 4), Some(Some(3)));
        assert_eq!(facts_asked_with("altered", 3), Some(None));
        assert_eq!(facts_asked_with("altering", 3), Some(Some(2)));
        assert!(asks_in_force("altering", 3) && asks_in_force("altered", 3) && !asks_in_force("altered", 4));
    }

    #[test]
    fn what_goes_by_order_says_so() {
        let ordered = ["bottom", "first", "last", "move_under", "reversed", "shift", "shuffle", "take", "top"];
        assert_eq!(are(goes_by_order), ordered);
        // What a bag is refused goes by it.
        let topics = [include_str!("zones.rs"), include_str!("moves.rs"), include_str!("several.rs")];
        let refused = topics.iter().flat_map(|text| text.split("in_order(ctx").skip(1));
        let last = |call: &str| {
            let argument = call.lines().next()?.strip_suffix(")?;")?.rsplit(", ").next()?;
            // A name that is recognized elsewhere too stands in a constant, which is called like it.
            Some(argument.trim_matches('"').to_lowercase())
        };
        let refused: Vec<String> = refused.filter_map(last).collect();
        assert!(refused.len() > 9 && refused.iter().all(|word| goes_by_order(word)), "{refused:?}");
    }
}
