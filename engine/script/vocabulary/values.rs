//! Values as scripts see them and as the table stores them.

use super::super::context::Context;
use super::super::fault::{Answer, Fault, refused};
use super::facts::describe;
use crate::decision::{Choice, Happening, Value, look, word};
use crate::diagnostic::did_you_mean;
use crate::model::{self, ComponentId, Model, Seat, SpaceId, ValueId, ValueType};
use crate::table::{Holder, Table};
use std::rc::Rc;

/// A value that things have, as rules read it.
#[derive(Debug, Clone)]
pub(crate) struct Stored {
    /// Which.
    pub id: ValueId,
    kind: Kind,
}

/// What the number of a slot means.
#[derive(Debug, Clone)]
enum Kind {
    Number,
    Flag,
    Word(Rc<[Value]>),
    Seat,
    Component,
    Space,
}

impl Stored {
    /// A value of a game.
    pub(super) fn new(model: &Model, id: ValueId) -> Self {
        let kind = match &model.value(id).kind {
            ValueType::Number => Kind::Number,
            ValueType::Flag => Kind::Flag,
            ValueType::Word(words) => Kind::Word(words.iter().map(|text| Value::Text(word(text))).collect()),
            ValueType::Seat => Kind::Seat,
            ValueType::Component(_) => Kind::Component,
            ValueType::Space(_) => Kind::Space,
        };
        Self { id, kind }
    }

    /// What a holder has of it, if it has it.
    #[inline]
    pub(super) fn read(&self, table: &Table, holder: Holder) -> Option<Value> {
        let raw = table.value(table.slot(self.id, holder)?);
        if raw == model::Value::NOTHING {
            return Some(Value::Nothing);
        }
        Some(match &self.kind {
            Kind::Number => Value::Number(raw),
            Kind::Flag => Value::Flag(raw != 0),
            Kind::Word(words) => words[raw as usize].clone(),
            Kind::Seat => Value::Seat(Seat(raw as u8)),
            Kind::Component => Value::Component(ComponentId(raw as u16)),
            Kind::Space => Value::Space(SpaceId(raw as u16)),
        })
    }
}

/// How the table stores what a script gives a value.
fn raw_of(model: &Model, id: ValueId, given: &Value) -> Result<i64, Fault> {
    let value = model.value(id);
    let raw = match (&value.kind, given) {
        (ValueType::Number, Value::Number(number)) => Some(*number),
        (ValueType::Flag, Value::Flag(flag)) => Some(i64::from(*flag)),
        (ValueType::Word(words), Value::Text(text)) => words.iter().position(|w| **w == **text).map(|at| at as i64),
        (ValueType::Seat, Value::Seat(seat)) => Some(i64::from(seat.0)),
        (ValueType::Component(None), Value::Component(id)) => Some(i64::from(id.0)),
        (ValueType::Component(Some(kind)), Value::Component(id)) if model.component(*id).kind == *kind => {
            Some(i64::from(id.0))
        }
        (ValueType::Space(None), Value::Space(space)) => Some(i64::from(space.0)),
        (ValueType::Space(Some(family)), Value::Space(space))
            if model.zone(model.space(*space).zone).family == *family =>
        {
            Some(i64::from(space.0))
        }
        (ValueType::Seat | ValueType::Component(_) | ValueType::Space(_), Value::Nothing) => {
            Some(model::Value::NOTHING)
        }
        _ => None,
    };
    raw.ok_or_else(|| wrong_value(model, value, &Choice::from_value(given).unwrap_or_default()))
}

/// What a value may be, for messages.
pub(crate) fn wanted(model: &Model, value: &model::Value) -> String {
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

#[cold]
fn wrong_value(model: &Model, value: &model::Value, given: &Choice) -> Fault {
    let wanted = wanted(model, value);
    let help = match (&value.kind, given) {
        (ValueType::Word(words), Choice::Word(word)) => did_you_mean(word, words.iter().map(|w| &**w)),
        _ => None,
    };
    Fault::new("wrong-value", format!("`{}` is {wanted}, not {}", value.id, describe(given)), "set to something else")
        .maybe_help(help)
}

/// Changes a value of a holder and notes it.
pub(super) fn write_value(ctx: &mut Context<'_>, id: ValueId, holder: Holder, given: &Value) -> Answer<()> {
    ctx.changing()?;
    let Some(slot) = ctx.table.slot(id, holder) else {
        let name = ctx.table.model().value(id).id.clone();
        let fault = Fault::new("unknown-field", format!("this has no `{name}`"), "another kind has this value");
        return Err(fault.into());
    };
    let raw = raw_of(ctx.table.model(), id, given)?;
    let old = refused(ctx.table.set_value(id, slot, raw))?;
    let new = ctx.table.value(slot);
    if old != new {
        if let Holder::Piece(piece) = holder {
            ctx.charge_look(piece);
        }
        let to = ctx.table.value_seers(id, holder);
        ctx.note_to(to, |table| {
            let look = if let Holder::Piece(piece) = holder { Some(look(table, piece)) } else { None };
            Happening::Set { value: id, holder, look, old, new }
        });
    }
    Ok(())
}
