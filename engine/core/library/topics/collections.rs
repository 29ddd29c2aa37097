//! Functions of collections of game objects: counting, selecting, summing, sorting.
//!
//! A zone or a space represents the pieces in it, so `hand.count("color", "red")` needs no loop.

use super::facts::known_facts;
use super::zones::check_has_order;
use crate::decision::{Choice, HandleList, List, Type, Value};
use crate::library::context::fact_table::{read, with_fact};
use crate::library::context::facts::Item;
use crate::library::context::fault::{Answer, Failure, Fault};
use crate::library::context::plain::{check_plain, describe_value};
use crate::library::context::{Context, OBJECTS_PER_OPERATION};
use crate::library::entry::argument::{Argument, FunctionArgument, Handle};
use crate::library::entry::builder::RegistryBuilder;
use crate::library::entry::caller::Caller;
use crate::library::pattern::NameRole;
use crate::library::score::ScoreTotal;
use crate::library::unknown_name::unknown_quoted;
use crate::library::well_known::{CONTAINS, FIRST, IS_EMPTY, LAST};
use crate::model::{ComponentId, PieceId, Seat, SpaceId, ZoneId};
use crate::table::Table;
use arcstr::ArcStr;
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A collection of game objects of one type, or a zone or space that represents its pieces.
pub(super) trait Collection: Argument + Clone + 'static {
    type Of: Item + Handle;

    /// Iterates over the elements in order.
    fn things<'t>(&'t self, table: &'t Table) -> impl Iterator<Item = Self::Of> + 't;

    /// Returns the number of elements.
    fn number(&self, table: &Table) -> usize;

    /// Charges the work of iterating over the elements.
    fn charge(&self, ctx: &Context<'_>) {
        ctx.charge(self.number(&ctx.table) / OBJECTS_PER_OPERATION);
    }

    /// Collects the elements.
    fn items(&self, ctx: &Context<'_>) -> SmallVec<[Self::Of; 32]> {
        self.charge(ctx);
        self.things(&ctx.table).collect()
    }

    /// Checks that the elements have an order. `word` is the name of the function that requires it.
    fn check_has_order(&self, ctx: &Context<'_>, word: &str) -> Answer<()> {
        let _ = (ctx, word);
        Ok(())
    }
}

impl<T: Item + Handle> Collection for HandleList<T> {
    type Of = T;

    fn things<'t>(&'t self, _table: &'t Table) -> impl Iterator<Item = T> + 't {
        self.iter().copied()
    }

    fn number(&self, _table: &Table) -> usize {
        self.len()
    }

    fn items(&self, ctx: &Context<'_>) -> SmallVec<[T; 32]> {
        self.charge(ctx);
        SmallVec::from_slice(self)
    }
}

impl Collection for ZoneId {
    type Of = PieceId;

    fn things<'t>(&'t self, table: &'t Table) -> impl Iterator<Item = PieceId> + 't {
        table.pieces(*self)
    }

    fn number(&self, table: &Table) -> usize {
        table.count(*self)
    }

    fn check_has_order(&self, ctx: &Context<'_>, word: &str) -> Answer<()> {
        check_has_order(ctx, *self, word)
    }
}

impl Collection for SpaceId {
    type Of = PieceId;

    fn things<'t>(&'t self, table: &'t Table) -> impl Iterator<Item = PieceId> + 't {
        table.stack(*self)
    }

    fn number(&self, table: &Table) -> usize {
        table.height(*self)
    }

    fn check_has_order(&self, ctx: &Context<'_>, word: &str) -> Answer<()> {
        check_has_order(ctx, ctx.table.layout().zone_of(*self), word)
    }
}

pub(super) fn register(registry: &mut RegistryBuilder) {
    registry.topic("Lists");
    add_queries::<HandleList<PieceId>>(registry, true);
    add_queries::<ZoneId>(registry, false);
    add_queries::<SpaceId>(registry, false);
    add_queries::<HandleList<SpaceId>>(registry, false);
    add_queries::<HandleList<ZoneId>>(registry, false);
    add_queries::<HandleList<ComponentId>>(registry, false);
    add_queries::<HandleList<Seat>>(registry, false);
    add_changes::<PieceId>(registry, true);
    add_changes::<SpaceId>(registry, false);
    add_changes::<ZoneId>(registry, false);
    add_changes::<ComponentId>(registry, false);
    add_changes::<Seat>(registry, false);
    add_equality(registry);
    add_list_functions(registry);
}

/// Returns `example` if `first` is set, otherwise an empty string. A function is added for several types, but the reference shows its
/// example only once.
pub(super) fn example_once(first: bool, example: &'static str) -> &'static str {
    if first { example } else { "" }
}

fn add_queries<L: Collection>(registry: &mut RegistryBuilder, first: bool) {
    add_counting::<L>(registry, first);
    add_ranking::<L>(registry, first);
    add_selecting::<L>(registry, first);
}

/// Adds functions that count and select by a fact.
fn add_counting<L: Collection>(registry: &mut RegistryBuilder, first: bool) {
    registry.function(
        "count",
        "list",
        "Number of entries.",
        example_once(first, "deck.count() // 8"),
        |ctx: &mut Context<'_>, list: L| -> i64 {
            let number = list.number(&ctx.table);
            ctx.charge(number / OBJECTS_PER_OPERATION);
            number as i64
        },
    );
    registry.function(
        "count",
        "list name:fact is:comparable",
        "Number of entries whose property `name` equals `is`.",
        example_once(first, "deck.count(\"suit\", \"red\") // 4"),
        |ctx: &mut Context<'_>, list: L, name: ArcStr, is: Value| -> Answer<i64> {
            let mut count = 0;
            matching(ctx, &list, (&name, EQUAL, &is), |_| {
                count += 1;
                true
            })?;
            Ok(count)
        },
    );
    registry.function(
        IS_EMPTY,
        "list",
        "Returns whether there are no entries.",
        example_once(first, "discard.is_empty() // true"),
        |ctx: &mut Context<'_>, list: L| -> bool {
            list.charge(ctx);
            list.things(&ctx.table).next().is_none()
        },
    );
    registry.function(
        "where",
        "list name:fact is:comparable -> several",
        "The entries whose property `name` equals `is`.",
        example_once(first, "deck.where(\"suit\", \"red\").count() // 4"),
        |ctx: &mut Context<'_>, list: L, name: ArcStr, is: Value| -> Answer<HandleList<L::Of>> {
            all_matching(ctx, &list, (&name, EQUAL, &is))
        },
    );
    registry.function(
        "where",
        "list name:fact relation:relation to:comparable -> several",
        "The entries whose property `name` has a relation to a value: `==`, `!=`, `<`, `<=`, `>`, `>=`, or `in` a list.",
        example_once(first, "deck.where(\"points\", \">\", 2).count() // 4"),
        |ctx: &mut Context<'_>, list: L, name: ArcStr, relation: ArcStr, to: Value| -> Answer<HandleList<L::Of>> {
            all_matching(ctx, &list, (&name, &relation, &to))
        },
    );
    registry.function(
        "find",
        "list name:fact is:comparable -> one?",
        "The first entry whose property `name` equals `is`, or `()`.",
        example_once(first, "deck.find(\"suit\", \"blue\").suit // \"blue\""),
        |ctx: &mut Context<'_>, list: L, name: ArcStr, is: Value| -> Answer<Value> {
            let mut found = Value::Nothing;
            matching(ctx, &list, (&name, EQUAL, &is), |item| {
                found = item.into();
                false
            })?;
            Ok(found)
        },
    );
}

/// Adds functions that aggregate or sort by a fact.
fn add_ranking<L: Collection>(registry: &mut RegistryBuilder, first: bool) {
    registry.function(
        "sum",
        "list name:measure",
        "The sum of a numeric property over all entries.",
        example_once(first, "deck.sum(\"points\") // 32"),
        |ctx: &mut Context<'_>, list: L, name: ArcStr| -> Answer<i64> {
            let sum =
                number_facts(ctx, &list, &name)?.iter().try_fold(0_i64, |sum, (_, number)| sum.checked_add(*number));
            sum.ok_or_else(|| sum_overflow(&name).into())
        },
    );
    registry.function(
        "largest",
        "list name:measure -> number?",
        "The largest value of a numeric property, or `()` if there are no entries.",
        example_once(first, "deck.largest(\"points\") // 11"),
        |ctx: &mut Context<'_>, list: L, name: ArcStr| -> Answer<Value> {
            Ok(number_facts(ctx, &list, &name)?.iter().map(|(_, number)| *number).max().into())
        },
    );
    registry.function(
        "smallest",
        "list name:measure -> number?",
        "The smallest value of a numeric property, or `()` if there are no entries.",
        example_once(first, "deck.smallest(\"points\") // 1"),
        |ctx: &mut Context<'_>, list: L, name: ArcStr| -> Answer<Value> {
            Ok(number_facts(ctx, &list, &name)?.iter().map(|(_, number)| *number).min().into())
        },
    );
    registry.function(
        "with_most",
        "list name:measure -> several",
        "The entries with the largest value of a numeric property; several if they tie.",
        example_once(first, "deck.with_most(\"points\").count() // 1"),
        |ctx: &mut Context<'_>, list: L, name: ArcStr| -> Answer<HandleList<L::Of>> {
            items_with_extreme_fact(ctx, &list, &name, Ordering::Greater)
        },
    );
    registry.function(
        "with_least",
        "list name:measure -> several",
        "The entries with the smallest value of a numeric property; several if they tie.",
        example_once(first, "deck.with_least(\"points\").count() // 2"),
        |ctx: &mut Context<'_>, list: L, name: ArcStr| -> Answer<HandleList<L::Of>> {
            items_with_extreme_fact(ctx, &list, &name, Ordering::Less)
        },
    );
    registry.function(
        "sort_by",
        "list name:fact -> several",
        "The entries sorted by a property, smallest first. Equal entries keep their order.",
        example_once(first, "deck.sort_by(\"points\").last.points // 11"),
        |ctx: &mut Context<'_>, list: L, name: ArcStr| -> Answer<HandleList<L::Of>> {
            let keyed = facts_of(ctx, &list, &name)?;
            ctx.spend(keyed.len() / 2)?;
            Ok(sort_by_key(keyed))
        },
    );
}

/// Adds functions that return elements.
fn add_selecting<L: Collection>(registry: &mut RegistryBuilder, first: bool) {
    registry.function(
        "different",
        "list name:fact -> list<its_fact>",
        "The distinct values of a property, in order of first appearance.",
        example_once(first, "deck.different(\"suit\").len() // 2"),
        |ctx: &mut Context<'_>, list: L, name: ArcStr| -> Answer<Vec<Value>> {
            let keyed = facts_of(ctx, &list, &name)?;
            Ok(deduplicate(ctx, keyed.into_iter().map(|(_, fact)| fact)))
        },
    );
    registry.function(
        CONTAINS,
        "list item",
        "Returns whether an item is in the list.",
        example_once(first, "deck.contains(deck.top) // true"),
        |ctx: &mut Context<'_>, list: L, item: L::Of| -> bool {
            list.charge(ctx);
            list.things(&ctx.table).any(|other| other == item)
        },
    );
    registry.function(
        "without",
        "list item -> several",
        "The list without an item.",
        example_once(first, "deck.without(deck.top).count() // 7"),
        |ctx: &mut Context<'_>, list: L, item: L::Of| -> HandleList<L::Of> {
            list.charge(ctx);
            list.things(&ctx.table).filter(|other| *other != item).collect()
        },
    );
    registry.function(
        "without",
        "list others -> several",
        "The list without the items of another set.",
        example_once(first, "deck.without(deck.where(\"suit\", \"red\")).count() // 4"),
        |ctx: &mut Context<'_>, list: L, others: HandleList<L::Of>| -> HandleList<L::Of> {
            let items = list.items(ctx);
            without_all(ctx, items, &others)
        },
    );
    registry.function(
        "without",
        "list others:list<one> -> several",
        "The list without the items of another list.",
        example_once(first, "seats.without([first]).count() // 2"),
        |ctx: &mut Context<'_>, list: L, others: List| -> Answer<HandleList<L::Of>> {
            let (items, others) = (list.items(ctx), list_to_collection::<L::Of>(&others)?);
            Ok(without_all(ctx, items, &others))
        },
    );
    registry.function(
        "take",
        "list count -> several",
        "The first `count` entries, or all if there are fewer.",
        example_once(first, "deck.take(3).count() // 3"),
        |ctx: &mut Context<'_>, list: L, count: i64| -> Answer<HandleList<L::Of>> {
            let count = usize::try_from(count).unwrap_or(0);
            list.check_has_order(ctx, "take")?;
            list.charge(ctx);
            Ok(list.things(&ctx.table).take(count).collect())
        },
    );
    registry.mark_ordered();
    registry.function(
        "reversed",
        "list -> several",
        "The entries in reverse order.",
        example_once(first, "deck.reversed().last == deck.top // true"),
        |ctx: &mut Context<'_>, list: L| -> Answer<HandleList<L::Of>> {
            list.check_has_order(ctx, "reversed")?;
            Ok(list.items(ctx).into_iter().rev().collect())
        },
    );
    registry.mark_ordered();
    registry.property(
        FIRST,
        "list -> one?",
        "The first entry, or `()` if there are none.",
        example_once(first, "deck.pieces.first == deck.top // true"),
        |ctx: &mut Context<'_>, list: L| -> Answer<Value> {
            list.check_has_order(ctx, FIRST)?;
            list.charge(ctx);
            Ok(list.things(&ctx.table).next().into())
        },
    );
    registry.mark_ordered();
    registry.property(
        LAST,
        "list -> one?",
        "The last entry, or `()` if there are none.",
        example_once(first, "deck.pieces.last == deck.bottom // true"),
        |ctx: &mut Context<'_>, list: L| -> Answer<Value> {
            list.check_has_order(ctx, LAST)?;
            list.charge(ctx);
            Ok(list.things(&ctx.table).last().into())
        },
    );
    registry.mark_ordered();
}

fn add_changes<T: Item + Handle>(registry: &mut RegistryBuilder, first: bool) {
    if T::OF != Type::Zone {
        registry.index(
            "list at -> one",
            "The entry at an index, counted from 0.",
            example_once(first, "deck.pieces[0] == deck.top // true"),
            |list: HandleList<T>, at: i64| -> Answer<T> {
                usize::try_from(at).ok().and_then(|at| list.get(at)).copied().ok_or_else(|| {
                    let fault = Fault::new(
                        "out-of-range",
                        format!("there is no position {at} in a list of {}", list.len()),
                        "positions count from 0",
                    );
                    fault.into()
                })
            },
        );
    }
    registry.function(
        "push",
        "list item",
        "Appends an item to a list.",
        example_once(
            first,
            "let some = deck.where(\"suit\", \"red\"); some.push(deck.find(\"suit\", \"blue\")); some.count() // 5",
        ),
        |list: &mut HandleList<T>, item: T| -> Answer<()> {
            if list.len() >= MAX_LENGTH {
                return Err(too_long());
            }
            list.to_mut().push(item);
            Ok(())
        },
    );
    registry.function(
        "shift",
        "list -> one?",
        "Removes the first entry of a list and returns it; `()` if the list is empty.",
        example_once(first, "let some = deck.pieces; some.shift(); some.count() // 7"),
        |ctx: &mut Context<'_>, list: &mut HandleList<T>| -> Value {
            ctx.charge(list.len() / OBJECTS_PER_OPERATION);
            if list.is_empty() { Value::Nothing } else { list.to_mut().remove(0).into() }
        },
    );
    registry.mark_ordered();
    registry.function(
        "pop",
        "list -> one?",
        "Removes the last entry of a list and returns it; `()` if the list is empty.",
        example_once(first, "let some = deck.pieces; some.pop(); some.count() // 7"),
        |ctx: &mut Context<'_>, list: &mut HandleList<T>| -> Value {
            ctx.charge(list.len() / OBJECTS_PER_OPERATION);
            list.to_mut().pop().map_or(Value::Nothing, Into::into)
        },
    );
    registry.function(
        "remove",
        "list item",
        "Removes an item from a list.",
        example_once(first, "let some = deck.pieces; some.remove(deck.top); some.count() // 7"),
        |ctx: &mut Context<'_>, list: &mut HandleList<T>, item: T| {
            ctx.charge(list.len() / OBJECTS_PER_OPERATION);
            list.to_mut().retain(|other| *other != item);
        },
    );
    registry.operator(
        "+",
        "a b",
        "The entries of both lists, beginning with those of the first list.",
        example_once(first, "(deck.where(\"suit\", \"red\") + deck.where(\"suit\", \"blue\")).count() // 8"),
        |ctx: &mut Context<'_>, a: HandleList<T>, b: HandleList<T>| -> Answer<HandleList<T>> {
            ctx.charge((a.len() + b.len()) / OBJECTS_PER_OPERATION);
            if a.len() + b.len() > MAX_LENGTH {
                Err(too_long())
            } else {
                Ok(a.iter().chain(b.iter()).copied().collect())
            }
        },
    );
    registry.operator(
        "+",
        "list item",
        "The list with an item appended.",
        example_once(first, "(deck.where(\"suit\", \"red\") + deck.find(\"suit\", \"blue\")).count() // 5"),
        |ctx: &mut Context<'_>, list: HandleList<T>, item: T| -> Answer<HandleList<T>> {
            ctx.charge(list.len() / OBJECTS_PER_OPERATION);
            if list.len() >= MAX_LENGTH { Err(too_long()) } else { Ok(list.iter().copied().chain([item]).collect()) }
        },
    );
}

/// Converts a list to a collection.
fn list_to_collection<T: Item + Handle>(list: &List) -> Answer<HandleList<T>> {
    let thing = |one: &Value| {
        T::take(&mut one.clone()).ok_or_else(|| {
            let message = format!("a list of {} was expected, not one with {} in it", T::SEVERAL.word(), one.kind());
            Fault::new("wrong-type", message, format!("not {} alone", T::SEVERAL.word())).into()
        })
    };
    list.iter().map(thing).collect()
}

/// Maximum number of elements of a collection.
const MAX_LENGTH: usize = 10_000;

/// Creates the fault for a collection with more elements than [`MAX_LENGTH`].
pub(super) fn too_long() -> Box<Failure> {
    Fault::new("too-long", format!("a list holds at most {MAX_LENGTH} things"), "too many").into()
}

fn add_equality(registry: &mut RegistryBuilder) {
    fn register_equality<T: Item + Handle>(registry: &mut RegistryBuilder) {
        let first = T::OF == Type::Piece;
        let (same, other) = ("deck.top == deck.pieces.first // true", "deck.top != deck.bottom // true");
        registry.function(
            "==",
            "a b",
            "Returns whether both are the same.",
            example_once(first, same),
            |a: T, b: T| a == b,
        );
        registry.function(
            "!=",
            "a b",
            "Returns whether the two are different.",
            example_once(first, other),
            |a: T, b: T| a != b,
        );
    }
    register_equality::<PieceId>(registry);
    register_equality::<SpaceId>(registry);
    register_equality::<ZoneId>(registry);
    register_equality::<ComponentId>(registry);
    register_equality::<Seat>(registry);
}

/// Adds the functions of lists. If the closure passed to `sort` fails, `sort` fails with the same fault.
fn add_list_functions(registry: &mut RegistryBuilder) {
    registry.function("count", "list", "Number of entries.", "", |list: List| -> i64 { list.len() as i64 });
    registry.function(
        "sum",
        "list:list<number> -> number",
        "The sum of the numbers in a list.",
        "[3, 1, 2].sum() // 6",
        |ctx: &mut Context<'_>, list: List| -> Answer<i64> {
            ctx.charge(list.len() / OBJECTS_PER_OPERATION);
            let number = |one: &Value| match one {
                Value::Number(number) => Ok(*number),
                other => {
                    Err(Fault::new("wrong-type", format!("numbers were expected, not {}", other.kind()), "no number"))
                }
            };
            list.iter()
                .try_fold(0_i64, |sum, one| sum.checked_add(number(one)?).ok_or_else(|| sum_overflow("[…]").into()))
        },
    );
    registry.function(
        "total",
        "score",
        "The value of a score: the sum of its parts, each calculated as at the end of the game.",
        "total(#{ cash: 3, tricks: [[2, 5], 1] }) // 14",
        |ctx: &mut Context<'_>, score: Value| -> Answer<i64> {
            ctx.spend(2 * score.cost())?;
            let number =
                Choice::from_value(&score).and_then(|score| ScoreTotal::parse(&score)).map(|total| total.number);
            number.ok_or_else(|| {
                let fault = Fault::new("bad-score", "this is no score", "neither a number nor a map of parts");
                fault.help("give a number, or parts as `score` does: `#{ cash: 3, bonus: [[2, 5], 1] }`").into()
            })
        },
    );
    registry.function(
        "sort",
        "list:list<T> less:(T,T)=>flag!asks",
        "Sorts a list. The function takes two entries, and returns whether the first of them must come before the second.",
        "let some = [3, 1, 2]; some.sort(|a, b| a > b); some // [3, 2, 1]",
        |ctx: &mut Caller<'_, '_>, list: &mut List, _less: FunctionArgument| -> Answer<()> {
            let asking = std::mem::replace(&mut ctx.permissions.may_ask, false);
            let sorted = merge_sort(ctx, list);
            ctx.permissions.may_ask = asking;
            *list = Arc::new(sorted?);
            Ok(())
        },
    );
}

fn merge_sort(ctx: &mut Caller<'_, '_>, list: &[Value]) -> Answer<Vec<Value>> {
    if list.len() < 2 {
        return Ok(list.to_vec());
    }
    let (left, right) = list.split_at(list.len() / 2);
    let mut left = merge_sort(ctx, left)?.into_iter().peekable();
    let mut right = merge_sort(ctx, right)?.into_iter().peekable();
    let mut merged = Vec::with_capacity(list.len());
    loop {
        match (left.peek(), right.peek()) {
            (Some(a), Some(b)) => {
                // The right element is taken only if it must come first, which keeps the sort stable.
                let right_first: bool = ctx.call_closure(&[b.clone(), a.clone()])?;
                merged.extend(if right_first { right.next() } else { left.next() });
            }
            (Some(_), None) => merged.extend(left.by_ref()),
            (None, _) => {
                merged.extend(right.by_ref());
                return Ok(merged);
            }
        }
    }
}

/// A condition on a fact: name of the fact, relation and operand.
type Condition<'c> = (&'c str, &'c str, &'c Value);

/// Calls `wants_more` with each element whose fact satisfies the condition, until `wants_more` returns `false`.
fn matching<L: Collection>(
    ctx: &mut Context<'_>,
    list: &L,
    (name, relation, to): Condition<'_>,
    mut wants_more: impl FnMut(L::Of) -> bool,
) -> Answer<()> {
    check_plain(to)?;
    let facts = known_facts::<L::Of>(ctx, name)?;
    // Equality is by far the most common relation, so it is not looked up, and called indirectly only for rare types.
    let asks_for_same = relation == EQUAL;
    let holds = if asks_for_same { Value::is_same } else { relation_named(relation)? };
    let number = list.number(&ctx.table);
    ctx.charge(number / OBJECTS_PER_OPERATION);
    ctx.spend(number / 8)?;
    // Types are checked only until an element matches, since a match proves that the comparison can be true.
    let mut is_first = true;
    let may_be_wrong = matches!(to, Value::Text(_) | Value::List(_));
    for item in list.things(&ctx.table) {
        let is_so = with_fact(item, &ctx.table, facts, |fact| -> Answer<bool> {
            let is_so = match (fact, to) {
                (Value::Number(fact), Value::Number(to)) if asks_for_same => fact == to,
                (Value::Text(fact), Value::Text(to)) if asks_for_same => fact == to,
                _ => holds(fact, to),
            };
            if !is_so && is_first && may_be_wrong && is_never_text(fact) {
                check_comparable(name, fact, to)?;
            }
            Ok(is_so)
        });
        if is_so.unwrap_or(Ok(false))? {
            is_first = false;
            if !wants_more(item) {
                break;
            }
        }
    }
    Ok(())
}

/// Collects the elements whose fact satisfies the condition.
#[inline]
fn all_matching<L: Collection>(ctx: &mut Context<'_>, list: &L, condition: Condition<'_>) -> Answer<HandleList<L::Of>> {
    let mut found = SmallVec::new();
    matching(ctx, list, condition, |item| {
        found.push(item);
        true
    })?;
    Ok(HandleList::from(found))
}

/// Returns whether a fact is a single game object or a Boolean, which never equals a string.
#[inline]
const fn is_never_text(fact: &Value) -> bool {
    matches!(
        fact,
        Value::Component(_) | Value::Flag(_) | Value::Piece(_) | Value::Zone(_) | Value::Space(_) | Value::Seat(_)
    )
}

/// Checks that a fact may be compared with `to`. If `to` is a string, or a list whose first entry is a string, the fact must not be a game
/// object or a Boolean: these never equal a string, even if the string looks like one of them.
fn check_comparable(name: &str, fact: &Value, to: &Value) -> Answer<()> {
    let word = match to {
        Value::List(all) => all.first(),
        one => Some(one),
    };
    let Some(Value::Text(word)) = word else { return Ok(()) };
    let fault = || {
        let message = format!("`{name}` is {}, not a text", describe_value(fact));
        Fault::new("wrong-type", message, "compared with a text")
    };
    match fact {
        Value::Component(_) => Err(fault().help(format!("write `component(\"{word}\")`")).into()),
        Value::Flag(_) => Err(fault().help("write `true` or `false` without quotes").into()),
        Value::Piece(_) | Value::Zone(_) | Value::Space(_) | Value::Seat(_) => Err(fault().into()),
        _ => Ok(()),
    }
}

type Relation = fn(&Value, &Value) -> bool;

/// Name of the equality relation.
const EQUAL: &str = "==";

const RELATIONS: [(&str, Relation); 7] = [
    (EQUAL, Value::is_same),
    ("!=", |a, b| !a.is_same(b)),
    ("<", |a, b| number_order(a, b) == Some(Ordering::Less)),
    ("<=", |a, b| matches!(number_order(a, b), Some(Ordering::Less | Ordering::Equal))),
    (">", |a, b| number_order(a, b) == Some(Ordering::Greater)),
    (">=", |a, b| matches!(number_order(a, b), Some(Ordering::Greater | Ordering::Equal))),
    ("in", |a, b| b.has(a)),
];

fn number_order(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => Some(a.cmp(b)),
        _ => None,
    }
}

/// Iterates over the relations that scripts can write.
pub(crate) fn relation_names() -> impl Iterator<Item = &'static str> {
    RELATIONS.iter().map(|(name, _)| *name)
}

fn relation_named(name: &str) -> Answer<Relation> {
    let found = RELATIONS.iter().find(|(known, _)| *known == name).map(|(_, holds)| *holds);
    found.ok_or_else(|| unknown_quoted(&[NameRole::Relation], name, relation_names()).into())
}

/// Returns each element with the value of a fact, or with `()` if the element does not have the fact.
pub(super) fn facts_of<L: Collection>(ctx: &mut Context<'_>, list: &L, name: &str) -> Answer<Vec<(L::Of, Value)>> {
    let facts = known_facts::<L::Of>(ctx, name)?;
    let items = list.items(ctx);
    ctx.spend(items.len() / 8)?;
    Ok(items.into_iter().map(|item| (item, read(item, &ctx.table, facts).unwrap_or_default())).collect())
}

/// Sorts elements by their keys in ascending order. The sort is stable.
pub(super) fn sort_by_key<T: Item + Handle>(keyed: Vec<(T, Value)>) -> HandleList<T> {
    let number = |(item, is): &(T, Value)| if let Value::Number(number) = is { Some((*item, *number)) } else { None };
    if let Some(mut numbered) = keyed.iter().map(number).collect::<Option<Vec<(T, i64)>>>() {
        numbered.sort_by_key(|(_, number)| *number);
        return numbered.into_iter().map(|(item, _)| item).collect();
    }
    let key = |(item, is): (T, Value)| (item, Choice::from_value(&is).unwrap_or_default());
    let mut keyed: Vec<(T, Choice)> = keyed.into_iter().map(key).collect();
    keyed.sort_by(|a, b| a.1.cmp(&b.1));
    keyed.into_iter().map(|(item, _)| item).collect()
}

/// Maximum number of entries for which comparing with every entry is faster than searching a sorted copy.
const MAX_LINEAR_SEARCH: usize = 16;

/// Returns the items that are not among `others`. Sorts long lists of `others` first, to avoid quadratic time.
fn without_all<T: Item>(ctx: &Context<'_>, items: SmallVec<[T; 32]>, others: &[T]) -> HandleList<T> {
    ctx.charge((items.len() + others.len()) / OBJECTS_PER_OPERATION);
    if others.len() <= MAX_LINEAR_SEARCH {
        return items.into_iter().filter(|item| !others.contains(item)).collect();
    }
    let mut sorted = others.to_vec();
    sorted.sort_unstable();
    items.into_iter().filter(|item| sorted.binary_search(item).is_err()).collect()
}

/// Returns the values without duplicates, in order of first appearance.
pub(super) fn deduplicate(ctx: &Context<'_>, all: impl Iterator<Item = Value>) -> Vec<Value> {
    let mut seen: Vec<Value> = Vec::new();
    // Sorted copy of the values seen, for longer lists. Comparing with each value would take quadratic time.
    let mut sorted: BTreeSet<Choice> = BTreeSet::new();
    for one in all {
        ctx.charge(seen.len().min(MAX_LINEAR_SEARCH) / OBJECTS_PER_OPERATION);
        if seen.len() == MAX_LINEAR_SEARCH && sorted.is_empty() {
            sorted = seen.iter().filter_map(Choice::from_value).collect();
        }
        // A value that has no corresponding `Choice`, such as a function, is compared with each value.
        let is_known = match Choice::from_value(&one).filter(|_| sorted.len() >= MAX_LINEAR_SEARCH) {
            Some(choice) => !sorted.insert(choice),
            None => seen.iter().any(|known| known.is_same(&one)),
        };
        if !is_known {
            seen.push(one);
        }
    }
    seen
}

/// Returns each element with the value of a numeric fact. Fails if an element's fact is missing or not a number.
pub(super) fn number_facts<L: Collection>(ctx: &mut Context<'_>, list: &L, name: &str) -> Answer<Vec<(L::Of, i64)>> {
    let facts = known_facts::<L::Of>(ctx, name)?;
    let items = list.items(ctx);
    ctx.spend(items.len() / 8)?;
    let mut all = Vec::with_capacity(items.len());
    for item in items {
        let number = with_fact(item, &ctx.table, facts, |fact| match fact {
            Value::Number(number) => Ok(*number),
            other => Err(number_expected(name, other)),
        });
        all.push((item, number.unwrap_or_else(|| Err(number_expected(name, &Value::Nothing)))?));
    }
    Ok(all)
}

#[cold]
fn number_expected(name: &str, fact: &Value) -> Fault {
    let message = format!("`{name}` is {}, not a number", describe_value(fact));
    Fault::new("not-a-number", message, "needs a number of each")
        .help("ask only those that have one: `.where(…)` first")
}

/// Creates the fault for a sum that overflows.
pub(super) fn sum_overflow(name: &str) -> Fault {
    Fault::new(
        "arithmetic",
        format!("the sum of `{name}` is a larger number than rules can hold"),
        "cannot be calculated",
    )
}

fn items_with_extreme_fact<L: Collection>(
    ctx: &mut Context<'_>,
    list: &L,
    name: &str,
    wanted: Ordering,
) -> Answer<HandleList<L::Of>> {
    Ok(items_with_extreme_number(&number_facts(ctx, list, name)?, wanted))
}

/// Returns the items with the largest number, or the smallest if `wanted` is `Less`.
pub(super) fn items_with_extreme_number<T: Item + Handle>(all: &[(T, i64)], wanted: Ordering) -> HandleList<T> {
    let best = all.iter().map(|(_, number)| *number).reduce(|a, b| if b.cmp(&a) == wanted { b } else { a });
    all.iter().filter(|(_, number)| Some(*number) == best).map(|(item, _)| *item).collect()
}
