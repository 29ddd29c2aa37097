//! How much a value of a script holds.

use crate::decision::{OptionSet, Set};
use crate::model::{ComponentId, PieceId, Seat, SpaceId, ZoneId};
use rhai::{Array, Dynamic, FnPtr, ImmutableString, Map};
use std::any::TypeId;
use std::sync::Arc;

/// Takes the room a value needs, in entries of lists; says no as soon as there is none left.
pub(super) fn takes(value: &Dynamic, room: &mut usize) -> bool {
    take(1, room) && (value.is_int() || value.is_unit() || value.is_bool() || many(value, room))
}

/// A value of so much weight is gone through in the time of one operation of the script engine.
const WEIGHT: usize = 4;

/// What it takes to go through a value or to copy it, in operations of the script engine.
pub(super) fn cost(value: &Dynamic) -> usize {
    if value.is_int() || value.is_unit() || value.is_bool() || is_handle(value) {
        return 0;
    }
    let mut room = MOST_TOLD;
    takes(value, &mut room);
    (MOST_TOLD - room) / WEIGHT
}

/// Whether a value is a thing of the game or several: of these the words that go through them count the work.
fn is_handle(value: &Dynamic) -> bool {
    fn is_one_or_many<T: Copy + 'static>(id: TypeId) -> bool {
        id == TypeId::of::<T>() || id == TypeId::of::<Set<T>>()
    }
    let id = value.type_id();
    is_one_or_many::<PieceId>(id)
        || is_one_or_many::<Seat>(id)
        || is_one_or_many::<SpaceId>(id)
        || is_one_or_many::<ZoneId>(id)
        || is_one_or_many::<ComponentId>(id)
}

/// What weighs more costs as much.
const MOST_TOLD: usize = 1 << 16;

fn many(value: &Dynamic, room: &mut usize) -> bool {
    if let Some(list) = value.read_lock::<Array>() {
        return list.iter().all(|entry| takes(entry, room));
    }
    if let Some(map) = value.read_lock::<Map>() {
        return map.values().all(|entry| take(3, room) && takes(entry, room));
    }
    if let Some(text) = value.read_lock::<ImmutableString>() {
        return take(text.len() / 16, room);
    }
    if let Some(function) = value.read_lock::<FnPtr>() {
        return function.iter_curry().all(|entry| takes(entry, room));
    }
    let held = None
        .or_else(|| length::<PieceId>(value))
        .or_else(|| length::<SpaceId>(value))
        .or_else(|| length::<ZoneId>(value))
        .or_else(|| length::<ComponentId>(value))
        .or_else(|| length::<Seat>(value))
        .or_else(|| value.read_lock::<Arc<OptionSet>>().map(|options| options.weight()));
    take(held.unwrap_or(0) / 8, room)
}

fn length<T: Copy + 'static>(value: &Dynamic) -> Option<usize> {
    value.read_lock::<Set<T>>().map(|set| set.len())
}

fn take(needed: usize, room: &mut usize) -> bool {
    match room.checked_sub(needed) {
        Some(left) => {
            *room = left;
            true
        }
        None => false,
    }
}
