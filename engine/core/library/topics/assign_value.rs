//! Assignments to values of items and of the game.

use super::facts::missing_fact;
use crate::decision::{Choice, EventKind, Value, look};
use crate::diagnostic::{UnknownField, did_you_mean, sentence};
use crate::library::context::Context;
use crate::library::context::fact_table::Column;
use crate::library::context::facts::Item;
use crate::library::context::fault::{Answer, Fault, table_result};
use crate::library::context::plain::{check_plain, describe};
use crate::library::context::stored::Stored;
use crate::model::{self, FaceDownVisibility, Model, PieceId, ValueId, ValueType};
use crate::table::Holder;
use std::sync::Arc;

/// Assigns to a value of an item. `columns` are the facts called `name`.
pub(crate) fn set_fact<T: Item>(
    ctx: &mut Context<'_>,
    item: T,
    columns: &[Column],
    name: &str,
    given: &Value,
) -> Answer<()> {
    check_plain(given)?;
    let holder = item.holder();
    let has = |stored: &&Stored| holder.is_some_and(|holder| ctx.table.slot(stored.id, holder).is_some());
    let stored = columns.iter().filter_map(Column::stored).find(has);
    match (stored, holder) {
        (Some(stored), Some(holder)) => write_value(ctx, stored.id, holder, given),
        _ => Err(missing_fact(item, &ctx.table, name).into()),
    }
}

/// Assigns to a value of the game itself.
pub(crate) fn set_game_value(ctx: &mut Context<'_>, id: ValueId, given: &Value) -> Answer<()> {
    check_plain(given)?;
    write_value(ctx, id, Holder::Game, given)
}

/// Converts a script's value to the content of a slot.
fn to_slot(model: &Model, id: ValueId, given: &Value) -> Result<i64, Fault> {
    let value = model.value(id);
    let raw = match (&value.kind, given) {
        (ValueType::Number, Value::Number(number)) => Some(*number),
        (ValueType::Flag, Value::Flag(flag)) => Some(i64::from(flag.get())),
        (ValueType::Word(words), Value::Text(text)) => words.iter().position(|w| **w == **text).map(|at| at as i64),
        (ValueType::Seat, Value::Seat(seat)) => Some(i64::from(seat.get().0)),
        (ValueType::Component(None), Value::Component(id)) => Some(i64::from(id.get().0)),
        (ValueType::Component(Some(kind)), Value::Component(id)) if model.component(id.get()).kind == *kind => {
            Some(i64::from(id.get().0))
        }
        (ValueType::Space(None), Value::Space(space)) => Some(i64::from(space.get().0)),
        (ValueType::Space(Some(family)), Value::Space(space))
            if model.zone(model.space(space.get()).zone).family == *family =>
        {
            Some(i64::from(space.get().0))
        }
        (ValueType::Seat | ValueType::Component(_) | ValueType::Space(_), Value::Nothing) => {
            Some(model::Value::NOTHING)
        }
        (ValueType::Piece, Value::Piece(piece)) => Some(i64::from(piece.get().0)),
        _ => None,
    };
    raw.ok_or_else(|| wrong_value(model, value, &Choice::from_value(given).unwrap_or_default()))
}

/// Describes the allowed contents of a value, for messages.
pub(crate) fn describe_allowed(model: &Model, value: &model::Value) -> String {
    if value.most.is_some() {
        let one = model::Value { most: None, ..value.clone() };
        return format!("a list, each entry of it {}", describe_allowed(model, &one).trim_end_matches(" or `()`"));
    }
    match &value.kind {
        ValueType::Piece => "a piece or `()`".to_owned(),
        ValueType::Number => "a number".to_owned(),
        ValueType::Flag => "`true` or `false`".to_owned(),
        ValueType::Word(words) => format!("one of `{}`", words.join("`, `")),
        ValueType::Seat => "a seat or `()`".to_owned(),
        ValueType::Component(None) => "a component or `()`".to_owned(),
        ValueType::Component(Some(kind)) => format!("a component of kind `{}` or `()`", model.kinds[kind.index()].id),
        ValueType::Space(None) => "a space or `()`".to_owned(),
        ValueType::Space(Some(family)) => format!("a space of `{}` or `()`", model.family(*family).id),
    }
}

#[cold]
fn wrong_value(model: &Model, value: &model::Value, given: &Choice) -> Fault {
    let wanted = describe_allowed(model, value);
    let help = match (&value.kind, given) {
        (ValueType::Word(words), Choice::Word(word)) => did_you_mean(word, words.iter().map(|w| &**w)),
        _ => None,
    };
    let given = match (&value.kind, given) {
        (ValueType::Component(Some(_)), Choice::Component(id)) => {
            format!("a component of kind `{}`", model.kinds[model.component(*id).kind.index()].id)
        }
        _ => describe(given),
    };
    sentence::wrong_value(&value.id, &wanted, &given).maybe_help(help)
}

/// Changes a value of a holder and records the change.
pub(super) fn write_value(ctx: &mut Context<'_>, id: ValueId, holder: Holder, given: &Value) -> Answer<()> {
    let is_held = ctx.table.model().value(id).is_held();
    // Code that only reads may write a list back unchanged. For lists and pieces, the permission is therefore checked only once a change is
    // found.
    if !is_held {
        ctx.check_may_change()?;
    }
    let Some(slot) = ctx.table.slot(id, holder) else {
        let name = ctx.table.model().value(id).id.clone();
        let found = UnknownField::of_one("this", &name).note("another kind has this value");
        return Err(Fault::from(found).into());
    };
    if let Holder::Piece(piece) = holder
        && !ctx.table.keeps_value(id, piece)
    {
        return Err(value_out_of_place(ctx, id, piece).into());
    }
    if is_held {
        return write_entries(ctx, id, holder, slot, given);
    }
    let raw = to_slot(ctx.table.model(), id, given)?;
    let old = table_result(ctx.table.set_value(id, slot, raw))?;
    let new = ctx.table.value(slot);
    if old != new {
        if let Holder::Piece(piece) = holder {
            ctx.charge_look(piece);
        }
        let to = ctx.table.value_seers(id, holder);
        ctx.note_to(to, |table| {
            let look = if let Holder::Piece(piece) = holder { Some(look(table, piece)) } else { None };
            EventKind::Set { value: id, holder, look, old, new }
        });
    }
    Ok(())
}

/// Creates the fault for assigning a value that a piece does not have in its current zone.
fn value_out_of_place(ctx: &Context<'_>, id: ValueId, piece: PieceId) -> Fault {
    let model = ctx.table.model();
    let value = model.value(id);
    let on: Vec<String> = value.on.iter().map(|family| format!("`{}`", model.family(*family).id)).collect();
    let lies = &model.zone(ctx.table.zone_of(piece)).path;
    let message = format!("`{}` lives on {} alone, and this piece lies on `{lies}`", value.id, on.join(" and "));
    Fault::new("value-out-of-place", message, "would be lost at once").help(format!(
        "set it while the piece lies there, or add the zone to `on` of `{}` under `[values.piece]`",
        value.id
    ))
}

/// Changes a value that is a list or a piece, and records the change.
fn write_entries(ctx: &mut Context<'_>, id: ValueId, holder: Holder, slot: usize, given: &Value) -> Answer<()> {
    ctx.charge(given.cost());
    let entries = entries_of(ctx.table.model(), id, given)?;
    let seers = ctx.table.value_seers(id, holder);
    if ctx.table.model().value(id).kind == ValueType::Piece {
        let is_lost = |raw: &&i64| seers & !ctx.table.followers(PieceId(**raw as u16)) != 0;
        if entries.iter().any(|raw| is_lost(&raw)) {
            return Err(not_followed(ctx.table.model().value(id)).into());
        }
    }
    if ctx.table.entries(id, slot) == entries {
        return Ok(());
    }
    ctx.check_may_change()?;
    table_result(ctx.table.set_entries(id, slot, &entries))?;
    let entries: Arc<[i64]> = ctx.table.entries(id, slot).into();
    let is_piece = ctx.table.model().value(id).kind == ValueType::Piece;
    // The event contains the entries, and descriptions of the pieces among them.
    ctx.journal.weight += entries.len();
    ctx.note_to(seers, |table| {
        let pieces = entries.iter().filter(|_| is_piece).map(|raw| PieceId(*raw as u16));
        let appearances = pieces.map(|piece| (piece, look(table, piece))).collect();
        EventKind::Held { value: id, holder, entries, appearances }
    });
    Ok(())
}

/// Converts a script's value to the entries of a list, as the table stores them.
fn entries_of(model: &Model, id: ValueId, given: &Value) -> Result<Vec<i64>, Fault> {
    fn all<T: Copy + Into<Value>>(model: &Model, id: ValueId, things: &[T]) -> Result<Vec<i64>, Fault> {
        things.iter().map(|thing| to_slot(model, id, &(*thing).into())).collect()
    }
    let value = model.value(id);
    if value.most.is_none() {
        return if *given == Value::Nothing { Ok(Vec::new()) } else { Ok(vec![to_slot(model, id, given)?]) };
    }
    match given {
        Value::List(list) if list.contains(&Value::Nothing) => Err(wrong_value(model, value, &Choice::Nothing)),
        Value::List(list) => list.iter().map(|entry| to_slot(model, id, entry)).collect(),
        Value::Seats(set) => all(model, id, set),
        Value::Spaces(set) => all(model, id, set),
        Value::Components(set) => all(model, id, set),
        Value::Pieces(set) => all(model, id, set),
        other => Err(wrong_value(model, value, &Choice::from_value(other).unwrap_or_default())),
    }
}

#[cold]
fn not_followed(value: &model::Value) -> Fault {
    let who = match value.seen_by {
        FaceDownVisibility::Everybody => "everybody",
        FaceDownVisibility::Team => "its team",
        _ => "its owner",
    };
    let message = format!("`{}` is seen by {who}, who cannot follow this piece where it lies", value.id);
    Fault::new("not-followed", message, "face down among others")
        .help("set it while the piece lies in sight, or say at the value who sees it: `seen_by`")
}
