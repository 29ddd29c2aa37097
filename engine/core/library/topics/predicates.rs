//! Functions of collections that take a closure. The closure returns a flag, a number or a sort key.

use super::collections::{Collection, deduplicate, example_once, items_with_extreme_number, sort_by_key, sum_overflow};
use crate::decision::{Choice, HandleList, OptionSet, Value};
use crate::library::context::Context;
use crate::library::context::fault::Answer;
use crate::library::context::plain::check_plain;
use crate::library::entry::argument::{Argument, FunctionArgument};
use crate::library::entry::builder::RegistryBuilder;
use crate::library::entry::caller::Caller;
use crate::model::{ComponentId, PieceId, Seat, SpaceId, ZoneId};
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::sync::Arc;

pub(super) fn register(registry: &mut RegistryBuilder) {
    registry.topic("Lists with functions");
    add_queries::<HandleList<PieceId>>(registry, true);
    add_queries::<ZoneId>(registry, false);
    add_queries::<SpaceId>(registry, false);
    add_queries::<HandleList<SpaceId>>(registry, false);
    add_queries::<HandleList<ZoneId>>(registry, false);
    add_queries::<HandleList<ComponentId>>(registry, false);
    add_queries::<HandleList<Seat>>(registry, false);
    add_option_functions(registry);
}

/// Adds the functions of options, which work element by element on any kind of option set.
fn add_option_functions(registry: &mut RegistryBuilder) {
    registry.function(
        "filter",
        "options:options<T> wanted:T=>flag -> options<T>",
        "The options for which a function returns `true`; at most 1,000.",
        "each_of(#{ low: [1, 2], high: [1, 2] }).filter(|pair| pair.low < pair.high).count() // 1",
        |ctx: &mut Caller<'_, '_>, options: Arc<OptionSet>, _wanted: FunctionArgument| -> Answer<OptionSet> {
            let mut kept = Vec::new();
            for option in options.iter() {
                if ctx.call_closure::<bool>(&[option.to_value()])? {
                    kept.push(option);
                }
            }
            Ok(OptionSet::List(kept.into()))
        },
    );
    registry.function(
        "find",
        "options:options<T> wanted:T=>flag -> T?",
        "The first option for which a function returns `true`, or `()`.",
        "options([1, 4]).find(|option| option > 2) // 4",
        |ctx: &mut Caller<'_, '_>, options: Arc<OptionSet>, _wanted: FunctionArgument| -> Answer<Value> {
            Ok(find_option(ctx, &options, true)?.map_or(Value::Nothing, |option| option.to_value()))
        },
    );
    registry.function(
        "some",
        "options:options<T> wanted:T=>flag",
        "Returns whether a function returns `true` for at least one option.",
        "options([1, 4]).some(|option| option > 2) // true",
        |ctx: &mut Caller<'_, '_>, options: Arc<OptionSet>, _wanted: FunctionArgument| -> Answer<bool> {
            Ok(find_option(ctx, &options, true)?.is_some())
        },
    );
    registry.function(
        "all",
        "options:options<T> wanted:T=>flag",
        "Returns whether a function returns `true` for every option.",
        "options([1, 4]).all(|option| option > 2) // false",
        |ctx: &mut Caller<'_, '_>, options: Arc<OptionSet>, _wanted: FunctionArgument| -> Answer<bool> {
            Ok(find_option(ctx, &options, false)?.is_none())
        },
    );
    registry.function(
        "map",
        "options:options<T> what:T=>U -> list<U>",
        "Calls a function for each option, and returns the list of its results.",
        "options([1, 4]).map(|option| option * 2) // [2, 8]",
        |ctx: &mut Caller<'_, '_>, options: Arc<OptionSet>, _what: FunctionArgument| -> Answer<Vec<Value>> {
            options.iter().map(|option| ctx.call_closure(&[option.to_value()])).collect()
        },
    );
}

/// Returns the first option for which the closure returns `says`.
fn find_option(ctx: &mut Caller<'_, '_>, options: &OptionSet, says: bool) -> Answer<Option<Choice>> {
    for option in options.iter() {
        if ctx.call_closure::<bool>(&[option.to_value()])? == says {
            return Ok(Some(option));
        }
    }
    Ok(None)
}

fn add_queries<L: Collection>(registry: &mut RegistryBuilder, first: bool) {
    registry.function(
        "count",
        "list wanted:one=>flag",
        "Number of entries for which a function returns `true`.",
        example_once(first, "deck.count(|card| card.points > 2) // 4"),
        |ctx: &mut Caller<'_, '_>, list: L, _wanted: FunctionArgument| -> Answer<i64> {
            let mut count = 0;
            for item in items(ctx, &list) {
                count += i64::from(ctx.call_closure::<bool>(&[item.into()])?);
            }
            Ok(count)
        },
    );
    registry.function(
        "filter",
        "list wanted:one=>flag -> several",
        "The entries for which a function returns `true`.",
        example_once(first, "deck.filter(|card| card.points > 2).count() // 4"),
        |ctx: &mut Caller<'_, '_>, list: L, _wanted: FunctionArgument| -> Answer<HandleList<L::Of>> {
            let items = items(ctx, &list);
            let mut kept = Vec::with_capacity(items.len());
            for item in items {
                if ctx.call_closure::<bool>(&[item.into()])? {
                    kept.push(item);
                }
            }
            Ok(kept.into_iter().collect())
        },
    );
    registry.function(
        "find",
        "list wanted:one=>flag -> one?",
        "The first entry for which a function returns `true`, or `()`.",
        example_once(first, "deck.find(|card| card.suit == \"blue\").suit // \"blue\""),
        |ctx: &mut Caller<'_, '_>, list: L, _wanted: FunctionArgument| -> Answer<Value> {
            let found = find_element(ctx, &list, true)?;
            Ok(found.map_or(Value::Nothing, Into::into))
        },
    );
    registry.function(
        "some",
        "list wanted:one=>flag",
        "Returns whether a function returns `true` for at least one entry.",
        example_once(first, "deck.some(|card| card.points > 10) // true"),
        |ctx: &mut Caller<'_, '_>, list: L, _wanted: FunctionArgument| -> Answer<bool> {
            Ok(find_element(ctx, &list, true)?.is_some())
        },
    );
    registry.function(
        "all",
        "list wanted:one=>flag",
        "Returns whether a function returns `true` for every entry.",
        example_once(first, "deck.all(|card| card.points > 10) // false"),
        |ctx: &mut Caller<'_, '_>, list: L, _wanted: FunctionArgument| -> Answer<bool> {
            Ok(find_element(ctx, &list, false)?.is_none())
        },
    );
    registry.function(
        "map",
        "list what:one=>T -> list<T>",
        "Calls a function for each entry, and returns the list of its results.",
        example_once(first, "deck.take(2).map(|card| card.points * 2).len() // 2"),
        |ctx: &mut Caller<'_, '_>, list: L, _what: FunctionArgument| -> Answer<Vec<Value>> {
            items(ctx, &list).into_iter().map(|item| ctx.call_closure(&[item.into()])).collect()
        },
    );
    registry.function(
        "sum",
        "list number:one=>number",
        "Calls a function for each entry, and returns the sum of its results.",
        example_once(first, "deck.sum(|card| 2 * card.points) // 64"),
        |ctx: &mut Caller<'_, '_>, list: L, _number: FunctionArgument| -> Answer<i64> {
            let all: Vec<(L::Of, i64)> = keys_of(ctx, &list)?;
            let sum = all.iter().try_fold(0_i64, |sum, (_, number)| sum.checked_add(*number));
            sum.ok_or_else(|| sum_overflow("|…| …").into())
        },
    );
    registry.function(
        "largest",
        "list number:one=>number -> number?",
        "Calls a function for each entry, and returns its largest result, or `()` if there are no entries.",
        example_once(first, "deck.largest(|card| 2 * card.points) // 22"),
        |ctx: &mut Caller<'_, '_>, list: L, _number: FunctionArgument| -> Answer<Value> {
            let all: Vec<(L::Of, i64)> = keys_of(ctx, &list)?;
            Ok(all.iter().map(|(_, number)| *number).max().into())
        },
    );
    registry.function(
        "smallest",
        "list number:one=>number -> number?",
        "Calls a function for each entry, and returns its smallest result, or `()` if there are no entries.",
        example_once(first, "deck.smallest(|card| 2 * card.points) // 2"),
        |ctx: &mut Caller<'_, '_>, list: L, _number: FunctionArgument| -> Answer<Value> {
            let all: Vec<(L::Of, i64)> = keys_of(ctx, &list)?;
            Ok(all.iter().map(|(_, number)| *number).min().into())
        },
    );
    registry.function(
        "with_most",
        "list number:one=>number -> several",
        "The entries for which a function returns the largest number; several if they tie.",
        example_once(first, "deck.with_most(|card| -card.points).count() // 2"),
        |ctx: &mut Caller<'_, '_>, list: L, _number: FunctionArgument| -> Answer<HandleList<L::Of>> {
            keys_of(ctx, &list).map(|all| items_with_extreme_number(&all, Ordering::Greater))
        },
    );
    registry.function(
        "with_least",
        "list number:one=>number -> several",
        "The entries for which a function returns the smallest number; several if they tie.",
        example_once(first, "deck.with_least(|card| -card.points).count() // 1"),
        |ctx: &mut Caller<'_, '_>, list: L, _number: FunctionArgument| -> Answer<HandleList<L::Of>> {
            keys_of(ctx, &list).map(|all| items_with_extreme_number(&all, Ordering::Less))
        },
    );
    registry.function(
        "sort_by",
        "list what:one=>T -> several",
        "The entries sorted by the result of a function for each entry, smallest first. Equal entries keep their order.",
        example_once(first, "deck.sort_by(|card| -card.points).first.points // 11"),
        |ctx: &mut Caller<'_, '_>, list: L, _what: FunctionArgument| -> Answer<HandleList<L::Of>> {
            let all: Vec<(L::Of, Value)> = keys_of(ctx, &list)?;
            all.iter().try_for_each(|(_, is)| check_plain(is))?;
            Ok(sort_by_key(all))
        },
    );
    registry.function(
        "different",
        "list what:one=>T -> list<T>",
        "Calls a function for each entry, and returns its distinct results, in order of first appearance.",
        example_once(first, "deck.different(|card| card.points > 2) // [false, true]"),
        |ctx: &mut Caller<'_, '_>, list: L, _what: FunctionArgument| -> Answer<Vec<Value>> {
            let all: Vec<(L::Of, Value)> = keys_of(ctx, &list)?;
            all.iter().try_for_each(|(_, is)| check_plain(is))?;
            Ok(deduplicate(ctx, all.into_iter().map(|(_, is)| is)))
        },
    );
}

fn items<L: Collection>(ctx: &Context<'_>, list: &L) -> SmallVec<[L::Of; 32]> {
    list.items(ctx)
}

/// Returns the first element for which the closure returns `says`.
fn find_element<L: Collection>(ctx: &mut Caller<'_, '_>, list: &L, says: bool) -> Answer<Option<L::Of>> {
    for item in items(ctx, list) {
        if ctx.call_closure::<bool>(&[item.into()])? == says {
            return Ok(Some(item));
        }
    }
    Ok(None)
}

/// Returns each element with the closure's result.
fn keys_of<L: Collection, T: Argument>(ctx: &mut Caller<'_, '_>, list: &L) -> Answer<Vec<(L::Of, T)>> {
    items(ctx, list).into_iter().map(|item| Ok((item, ctx.call_closure(&[item.into()])?))).collect()
}
