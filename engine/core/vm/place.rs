//! Reading and assigning fields and entries.

use super::code::{Program, Step};
use super::context::Context;
use super::fault::{Answer, boxed_fault, not_indexed};
use super::operator::{check_length, is_game_value, letter, position};
use super::standard;
use crate::decision::{Map, Value};
use crate::diagnostic::{Fault, sentence};
use arcstr::ArcStr;
use std::sync::Arc;

/// Reads a field: a key of a map, a property of a built-in type, or a field of a game object.
#[inline(always)]
pub(super) fn field<C: Context>(context: &mut C, program: &Program, of: &Value, number: u16) -> Answer<Value> {
    let name = program.symbol(number);
    match of {
        Value::Map(map) => match map.get(name.text()) {
            Some(value) => Ok(value.clone()),
            None => Err(unknown_key(name.text())),
        },
        thing if is_game_value(thing) => context.field(thing, name),
        other => {
            let property = program.properties[usize::from(number)].and_then(|code| standard::property(other, code));
            property.map_or_else(|| context.field(other, name), Ok)
        }
    }
}

fn unknown_key(name: &str) -> Box<Fault> {
    Box::new(sentence::unknown_part(name))
}

fn out_of_range(what: &str, index: i64, length: usize) -> Box<Fault> {
    let message = format!("there is no position {index} in a {what} of {length}");
    let help = match length {
        0 => format!("ask first whether the {what} is empty: `is_empty()`"),
        length => format!("the last position is {}", length - 1),
    };
    Fault::new("out-of-range", message, "positions count from 0").help(help).into()
}

/// Reads `of[index]`.
pub(super) fn index<C: Context>(context: &mut C, of: &Value, index: &Value) -> Answer<Value> {
    match (of, index) {
        (Value::List(items), Value::Number(at)) => match position(*at, items.len()) {
            Some(at) => Ok(items[at].clone()),
            None => Err(out_of_range("list", *at, items.len())),
        },
        (Value::Text(text), Value::Number(at)) => {
            let length = text.chars().count();
            let found = position(*at, length).and_then(|at| text.chars().nth(at));
            found.map(letter).ok_or_else(|| out_of_range("text", *at, length))
        }
        (Value::Map(map), Value::Text(name)) => match map.get(name) {
            Some(value) => Ok(value.clone()),
            None => Err(unknown_key(name)),
        },
        _ if is_game_value(of) => context.index(of, index),
        _ => Err(not_indexed(of, index)),
    }
}

/// Path from a value to one of its parts.
#[derive(Clone, Copy)]
pub(super) struct PartPath<'a> {
    pub steps: &'a [Step],
    /// Values of the indices in `steps`.
    pub indices: &'a [Value],
}

/// Assigns to a part of a value. If `is_put_back` is set, `new` was read from this part and changed in place. Parts of game objects are
/// then written only if they are collections that can be assigned.
pub(super) fn store<C: Context>(
    context: &mut C,
    program: &Program,
    root: &mut Value,
    PartPath { steps, indices }: PartPath<'_>,
    new: Value,
    is_put_back: bool,
) -> Answer<()> {
    let Some((step, rest)) = steps.split_first() else {
        *root = new;
        return Ok(());
    };
    match (step, &mut *root) {
        (Step::Name(name), Value::Map(map)) => {
            let name = &program.names[usize::from(*name)];
            store_in_map(
                context,
                program,
                Arc::make_mut(map),
                name,
                PartPath { steps: rest, indices },
                new,
                is_put_back,
            )
        }
        // Only collections are changed in place, so a single value of a game object has not changed.
        (_, thing) if is_put_back && !is_collection(&new) && !owns_entries(thing) => Ok(()),
        (Step::Name(name), thing) if rest.is_empty() && is_put_back => {
            context.put_back(thing, program.symbol(*name), &new)
        }
        (Step::Name(name), thing) if rest.is_empty() => context.set_field(thing, program.symbol(*name), new),
        (Step::Name(name), thing) => {
            let mut inner = field(context, program, thing, *name)?;
            store(context, program, &mut inner, PartPath { steps: rest, indices }, new, is_put_back)?;
            if is_collection(&inner) { context.put_back(thing, program.symbol(*name), &inner) } else { Ok(()) }
        }
        (Step::Index, Value::Map(map)) => {
            let (Value::Text(name), indices) = split_index(indices)? else { return Err(key_expected()) };
            store_in_map(
                context,
                program,
                Arc::make_mut(map),
                name,
                PartPath { steps: rest, indices },
                new,
                is_put_back,
            )
        }
        (Step::Index, Value::List(items)) => {
            let (Value::Number(at), indices) = split_index(indices)? else { return Err(position_expected()) };
            let length = items.len();
            let at = position(*at, length).ok_or_else(|| out_of_range("list", *at, length))?;
            store(context, program, &mut Arc::make_mut(items)[at], PartPath { steps: rest, indices }, new, is_put_back)
        }
        (Step::Index, thing) if !rest.is_empty() => {
            let (at, indices) = split_index(indices)?;
            let mut inner = index(context, thing, at)?;
            store(context, program, &mut inner, PartPath { steps: rest, indices }, new, is_put_back)?;
            let is_kept = matches!(thing, Value::Entries(_)) && is_collection(&inner);
            if is_kept { context.set_index(thing, at, inner) } else { Ok(()) }
        }
        // The result of indexing a game object is computed and cannot be written back, except for entries of value
        // tables.
        (Step::Index, thing) if is_put_back && !matches!(thing, Value::Entries(_)) => Ok(()),
        (Step::Index, thing) => {
            let (at, _) = split_index(indices)?;
            context.set_index(thing, at, new)
        }
    }
}

/// Assigns to an entry of a map, or to a part of an entry. Assigning to a missing key adds it.
fn store_in_map<C: Context>(
    context: &mut C,
    program: &Program,
    map: &mut Map,
    name: &ArcStr,
    path: PartPath<'_>,
    new: Value,
    is_put_back: bool,
) -> Answer<()> {
    if path.steps.is_empty() {
        map.set(name.clone(), new);
        return check_length(map.len());
    }
    match map.get_mut(name) {
        Some(part) => store(context, program, part, path, new, is_put_back),
        None => Err(unknown_key(name)),
    }
}

fn split_index(indices: &[Value]) -> Answer<(&Value, &[Value])> {
    indices.split_first().ok_or_else(|| boxed_fault("internal", "a path has an index too few"))
}

fn key_expected() -> Box<Fault> {
    boxed_fault("not-indexed", "parts of a map are named by a text")
}

fn position_expected() -> Box<Fault> {
    boxed_fault("not-indexed", "entries of a list are named by their position")
}

/// Moves the part at the end of `steps` out of a value and leaves `()` there. The part then has a single owner and can be changed without a
/// copy.
///
/// Parts of game objects are copied instead.
pub(super) fn lift<C: Context>(
    context: &mut C,
    program: &Program,
    root: &mut Value,
    steps: &[Step],
    indices: &[Value],
) -> Answer<Value> {
    let Some((step, rest)) = steps.split_first() else { return Ok(std::mem::take(root)) };
    match (step, &mut *root) {
        (Step::Name(name), Value::Map(map)) => {
            let name = &program.names[usize::from(*name)];
            match Arc::make_mut(map).get_mut(name) {
                Some(part) => lift(context, program, part, rest, indices),
                None => Err(unknown_key(name)),
            }
        }
        (Step::Name(name), thing) => {
            let mut inner = field(context, program, thing, *name)?;
            lift(context, program, &mut inner, rest, indices)
        }
        (Step::Index, Value::Map(map)) => {
            let (Value::Text(name), indices) = split_index(indices)? else { return Err(key_expected()) };
            match Arc::make_mut(map).get_mut(name) {
                Some(part) => lift(context, program, part, rest, indices),
                None => Err(unknown_key(name)),
            }
        }
        (Step::Index, Value::List(items)) => {
            let (Value::Number(at), indices) = split_index(indices)? else { return Err(position_expected()) };
            let length = items.len();
            let at = position(*at, length).ok_or_else(|| out_of_range("list", *at, length))?;
            lift(context, program, &mut Arc::make_mut(items)[at], rest, indices)
        }
        (Step::Index, thing) => {
            let (at, indices) = split_index(indices)?;
            let mut inner = index(context, thing, at)?;
            lift(context, program, &mut inner, rest, indices)
        }
    }
}

/// Moves a lifted value back into a copy of its variable, for backtraces. Returns `None` if the value is no longer available.
pub(super) fn restore(
    program: &Program,
    root: &mut Value,
    PartPath { steps, indices }: PartPath<'_>,
    lifted: Value,
) -> Option<()> {
    let Some((step, rest)) = steps.split_first() else {
        *root = lifted;
        return (*root != Value::Nothing).then_some(());
    };
    let later = indices.get(1..).unwrap_or_default();
    let (inner, indices) = match (step, root, indices.first()) {
        (Step::Name(name), Value::Map(map), _) => {
            (Arc::make_mut(map).get_mut(&program.names[usize::from(*name)])?, indices)
        }
        (Step::Index, Value::Map(map), Some(Value::Text(name))) => (Arc::make_mut(map).get_mut(name)?, later),
        (Step::Index, Value::List(items), Some(Value::Number(at))) => {
            let at = position(*at, items.len())?;
            (&mut Arc::make_mut(items)[at], later)
        }
        _ => return Some(()),
    };
    restore(program, inner, PartPath { steps: rest, indices }, lifted)
}

/// Returns whether a value is a list or a collection of game objects. Functions may change such values in place.
const fn is_collection(value: &Value) -> bool {
    matches!(
        value,
        Value::List(_) | Value::Pieces(_) | Value::Spaces(_) | Value::Zones(_) | Value::Components(_) | Value::Seats(_)
    )
}

/// Returns whether a value stores its entries itself, instead of referring to game objects.
const fn owns_entries(value: &Value) -> bool {
    matches!(value, Value::List(_) | Value::Map(_))
}
