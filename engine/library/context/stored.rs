//! Values as scripts see them and as the table stores them.

use crate::decision::{Value, word};
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
    pub(crate) fn new(model: &Model, id: ValueId) -> Self {
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
    pub(crate) fn read(&self, table: &Table, holder: Holder) -> Option<Value> {
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
