//! The entries of the registry: every function, property and name that scripts may use.
//!
//! Each entry is written only once, with its name, parameters, description, example and implementation. The machine, the reference,
//! editors, the static checks, and a test of all examples are derived from the entries.

#![allow(clippy::needless_pass_by_value, reason = "a function takes its arguments by value")]

mod arrange;
pub(crate) mod assign_value;
mod built_in;
mod chance;
pub(crate) mod collections;
mod core_types;
pub(crate) mod data_functions;
pub(crate) mod decisions;
pub(crate) mod facts;
mod flow;
mod grids;
mod learning;
mod links;
mod modifiers;
mod moves;
mod numbers;
mod operators;
mod optimal_assignment;
mod predicates;
mod routes;
pub(crate) mod seats;
mod space_paths;
mod tiles;
mod trials;
mod triggers;
pub(crate) mod value_tables;
mod wild_cards;
mod zones;

use super::effect::Effects;
use super::entry::builder::RegistryBuilder;
use super::entry::code::{BuiltinCodes, InlinedCall};
use super::entry::registry::Registry;
use super::entry::{Entry, Form};
use super::pattern::{NameRole, Pattern};
use super::well_known::{IS_EMPTY, WHERE};
use crate::decision::Type;
use crate::table::RelativePosition;
use rustc_hash::FxHashSet;
use std::sync::LazyLock;

/// Returns the registry. Its entries are sorted by topic, in the order of the reference.
pub(crate) fn registry() -> &'static Registry {
    static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
        let mut registry = RegistryBuilder::default();
        register(&mut registry);
        registry.finish()
    });
    &REGISTRY
}

/// Returns whether a function changes its receiver in place. Some of these functions exist both for built-in types and
/// for collections of game objects.
pub fn changes_in_place(name: &str) -> bool {
    static ALL: LazyLock<FxHashSet<&str>> = LazyLock::new(|| names_with(Effects::IN_PLACE));
    ALL.contains(name)
}

/// Returns whether a library function stores the closure that it is given.
pub fn stores_closure(name: &str) -> bool {
    static ALL: LazyLock<FxHashSet<&str>> = LazyLock::new(|| names_with(Effects::KEEPS));
    ALL.contains(name)
}

/// Returns whether a library function asks a seat.
pub fn asks(name: &str) -> bool {
    static ALL: LazyLock<FxHashSet<&str>> = LazyLock::new(|| names_with(Effects::ASKS));
    ALL.contains(name)
}

/// Returns whether a function or property depends on the order of its receiver. Bags have no order.
pub fn depends_on_order(name: &str) -> bool {
    static ALL: LazyLock<FxHashSet<&str>> = LazyLock::new(|| names_of(|entry| entry.is_ordered));
    ALL.contains(name)
}

/// Returns whether a library function has a parameter for the name of a fact or a kind.
pub fn looks_up_name(name: &str) -> bool {
    static ALL: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
        let is_looked_up =
            |takes: &Pattern| matches!(takes, Pattern::Name(role) if role.is_fact() || *role == NameRole::Kind);
        names_of(|entry| entry.takes.iter().any(is_looked_up))
    });
    ALL.contains(name)
}

/// Functions that have the same result for a zone or space as for the list of its pieces, and that need no order.
const PIECE_QUERIES: [&str; 10] =
    ["count", IS_EMPTY, WHERE, "find", "sum", "largest", "smallest", "with_most", "with_least", "different"];

/// Returns whether a call has the same result for a zone or space as for the list of its pieces. `texts` is a bit mask of the arguments
/// that are known to be strings.
///
/// Calls that fail because of the types of other arguments are excluded, because the fault names the type of the first one.
pub(crate) fn is_piece_query(name: &str, arguments: usize, texts: u8) -> bool {
    PIECE_QUERIES.contains(&name) && {
        let dispatch = registry().dispatch_of_call(name, arguments, texts);
        [Type::Zone, Type::Space, Type::Pieces].into_iter().all(|first| dispatch.is_decided_by(first))
    }
}

/// Returns whether a library function needs only the closure's results for all elements, so that they can be computed in advance. Returns
/// `false` for functions that the machine implements.
pub fn needs_only_results(name: &str) -> bool {
    static ALL: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
        let own = names_of(Entry::is_own);
        let takes_elements =
            |entry: &Entry| entry.takes.iter().any(|takes| takes.function_params() == Some(&[Pattern::One]));
        names_of(|entry| !own.contains(&*entry.name) && takes_elements(entry))
    });
    ALL.contains(name)
}

/// Returns the codes of the built-in functions or properties called `name`; `None` if there are none.
pub fn builtin_codes(form: Form, name: &str) -> Option<BuiltinCodes> {
    registry().own.get(&(form, name)).copied()
}

/// Returns how the compiler inlines the closures of a library function; `None` if it does not inline them.
pub(crate) fn inlined_call(name: &str) -> Option<InlinedCall> {
    static ALL: LazyLock<Vec<(&str, InlinedCall)>> = LazyLock::new(|| {
        let all = registry().entries.iter();
        all.filter_map(|entry| Some((entry.name.as_str(), entry.inlined_call?))).collect()
    });
    ALL.iter().find(|(known, _)| *known == name).map(|(_, code)| *code)
}

/// Returns whether a call queries the modifiers of the pieces that are in force for a seat.
pub(crate) fn queries_pieces_in_force(name: &str, arguments: usize) -> bool {
    let mut meant = modifier_queries(name).filter(|entry| entry.types.len() == arguments).peekable();
    meant.peek().is_some() && meant.all(|entry| entry.types.contains(&Type::Seat))
}

/// Returns the index of the argument that contains the facts of a query for modifiers.
///
/// The outer `None` means that the function is not a query for modifiers, and the inner `None` means that the query takes no facts.
pub(crate) fn modifier_facts_position(name: &str, arguments: usize) -> Option<Option<usize>> {
    modifier_queries(name).next()?;
    let mut meant = modifier_queries(name).filter(|entry| entry.types.len() == arguments);
    Some(meant.find_map(|entry| entry.types.iter().position(|of| *of == Type::Map)))
}

/// Iterates over those overloads of the function `name` that query modifiers.
fn modifier_queries(name: &str) -> impl Iterator<Item = &'static Entry> {
    let is_query = |entry: &Entry| entry.takes.first() == Some(&Pattern::Name(NameRole::Alteration));
    registry().entries.iter().filter(move |entry| entry.form == Form::Function && entry.name == name && is_query(entry))
}

/// Returns the names for a role whose names are the same in all games. Returns an empty list for other roles.
pub(crate) fn fixed_words(role: NameRole) -> Vec<&'static str> {
    match role {
        NameRole::Onto => grids::onto_names().collect(),
        NameRole::Side => moves::side_names().collect(),
        NameRole::Way => RelativePosition::ALL.map(RelativePosition::word).to_vec(),
        _ => Vec::new(),
    }
}

fn names_of(is_meant: impl Fn(&Entry) -> bool) -> FxHashSet<&'static str> {
    registry().entries.iter().filter(|entry| is_meant(entry)).map(|entry| entry.name.as_str()).collect()
}

fn names_with(effects: Effects) -> FxHashSet<&'static str> {
    names_of(|entry| entry.effects.has(effects))
}

fn register(registry: &mut RegistryBuilder) {
    decisions::register(registry);
    seats::register(registry);
    zones::register(registry);
    collections::register(registry);
    predicates::register(registry);
    wild_cards::register(registry);
    built_in::register(registry);
    facts::register(registry);
    value_tables::register(registry);
    modifiers::register(registry);
    triggers::register(registry);
    moves::register(registry);
    learning::register(registry);
    grids::register(registry);
    tiles::register(registry);
    space_paths::register(registry);
    links::register(registry);
    chance::register(registry);
    trials::register(registry);
    flow::register(registry);
    numbers::register(registry);
    arrange::register(registry);
    operators::register(registry);
    core_types::register(registry);
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
        builtin_codes(Form::Function, name).and_then(|own| own.looped).is_some_and(|own| own.gives_position)
    }

    #[test]
    fn closure_use_follows_from_signatures() {
        let gathering = ["count", "different", "largest", "smallest", "sort_by", "sum", "with_least", "with_most"];
        assert_eq!(are(needs_only_results), gathering);
        let positions = ["all", "drain", "filter", "find", "find_map", "map", "reduce", "retain", "some"];
        assert_eq!(are(gives_position), positions);
    }

    #[test]
    fn modifier_queries_follow_from_signatures() {
        assert_eq!(are(|name| modifier_facts_position(name, 0).is_some()), ["altered", "altering"]);
        assert_eq!(modifier_facts_position("altered", 4), Some(Some(3)));
        assert_eq!(modifier_facts_position("altered", 3), Some(None));
        assert_eq!(modifier_facts_position("altering", 3), Some(Some(2)));
        assert!(
            queries_pieces_in_force("altering", 3)
                && queries_pieces_in_force("altered", 3)
                && !queries_pieces_in_force("altered", 4)
        );
    }

    #[test]
    fn order_dependent_functions_are_marked() {
        let ordered = ["bottom", "first", "last", "move_under", "reversed", "shift", "shuffle", "take", "top"];
        assert_eq!(are(depends_on_order), ordered);
        // The names passed to `check_has_order` must be marked as dependent on order.
        let topics = [include_str!("zones.rs"), include_str!("moves.rs"), include_str!("collections.rs")];
        let refused = topics.iter().flat_map(|text| text.split("check_has_order(ctx").skip(1));
        let last = |call: &str| {
            let argument = call.lines().next()?.strip_suffix(")?;")?.rsplit(", ").next()?;
            // An argument may be a constant whose name is the function's name in upper case.
            Some(argument.trim_matches('"').to_lowercase())
        };
        let refused: Vec<String> = refused.filter_map(last).collect();
        assert!(refused.len() > 9 && refused.iter().all(|word| depends_on_order(word)), "{refused:?}");
    }
}
