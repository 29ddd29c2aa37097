//! Values as scripts see them and as the table stores them.

use super::super::context::Context;
use super::super::fault::{Answer, Fault, refused};
use super::facts::describe;
use crate::decision::{Choice, Happening, look};
use crate::diagnostic::did_you_mean;
use crate::model::{ComponentId, Model, Seat, SpaceId, Value, ValueId, ValueType};
use crate::table::Holder;

/// What a stored value means.
pub(super) fn value_to_choice(model: &Model, id: ValueId, raw: i64) -> Choice {
    if raw == Value::NOTHING {
        return Choice::Nothing;
    }
    match &model.value(id).kind {
        ValueType::Number => Choice::Number(raw),
        ValueType::Flag => Choice::Flag(raw != 0),
        ValueType::Word(words) => Choice::Word(words[raw as usize].clone()),
        ValueType::Seat => Choice::Seat(Seat(raw as u8)),
        ValueType::Component(_) => Choice::Component(ComponentId(raw as u16)),
        ValueType::Space(_) => Choice::Space(SpaceId(raw as u16)),
    }
}

/// How the table stores what a script gives a value.
fn choice_to_value(model: &Model, id: ValueId, given: &Choice) -> Result<i64, Fault> {
    let value = model.value(id);
    let raw = match (&value.kind, given) {
        (ValueType::Number, Choice::Number(number)) => Some(*number),
        (ValueType::Flag, Choice::Flag(flag)) => Some(i64::from(*flag)),
        (ValueType::Word(words), Choice::Word(word)) => words.iter().position(|w| w == word).map(|at| at as i64),
        (ValueType::Seat, Choice::Seat(seat)) => Some(i64::from(seat.0)),
        (ValueType::Component(None), Choice::Component(id)) => Some(i64::from(id.0)),
        (ValueType::Component(Some(kind)), Choice::Component(id)) if model.component(*id).kind == *kind => {
            Some(i64::from(id.0))
        }
        (ValueType::Space(None), Choice::Space(space)) => Some(i64::from(space.0)),
        (ValueType::Space(Some(family)), Choice::Space(space))
            if model.zone(model.space(*space).zone).family == *family =>
        {
            Some(i64::from(space.0))
        }
        (ValueType::Seat | ValueType::Component(_) | ValueType::Space(_), Choice::Nothing) => Some(Value::NOTHING),
        _ => None,
    };
    raw.ok_or_else(|| wrong_value(model, value, given))
}

/// What a value may be, for messages.
pub(crate) fn wanted(model: &Model, value: &Value) -> String {
    match &value.kind {
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

fn wrong_value(model: &Model, value: &Value, given: &Choice) -> Fault {
    let wanted = wanted(model, value);
    let help = match (&value.kind, given) {
        (ValueType::Word(words), Choice::Word(word)) => did_you_mean(word, words.iter().map(|w| &**w)),
        _ => None,
    };
    Fault::new("wrong-value", format!("`{}` is {wanted}, not {}", value.id, describe(given)), "set to something else")
        .maybe_help(help)
}

/// Changes a value of a holder and notes it.
pub(super) fn write_value(ctx: &mut Context<'_>, id: ValueId, holder: Holder, given: &Choice) -> Answer<()> {
    ctx.changing()?;
    let Some(slot) = ctx.table.slot(id, holder) else {
        let name = ctx.table.model().value(id).id.clone();
        let fault = Fault::new("unknown-field", format!("this has no `{name}`"), "another kind has this value");
        return Err(fault.into());
    };
    let raw = choice_to_value(ctx.table.model(), id, given)?;
    let old = refused(ctx.table.set_value(id, slot, raw))?;
    let new = ctx.table.value(slot);
    if old != new {
        let to = ctx.table.value_seers(id, holder);
        ctx.note_to(to, |table| {
            let look = if let Holder::Piece(piece) = holder { Some(look(table, piece)) } else { None };
            Happening::Set { value: id, holder, look, old, new }
        });
    }
    Ok(())
}
