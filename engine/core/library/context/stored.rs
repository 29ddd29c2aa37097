//! Conversion of values between rules and the slots of the table.

use crate::decision::{Value, word};
use crate::model::{self, ComponentId, Model, Owner, PieceId, Seat, SpaceId, ValueId, ValueType};
use crate::table::{Holder, Table};
use std::sync::Arc;

/// A stored value, with the conversion from its slots to the value that rules read.
#[derive(Debug, Clone)]
pub(crate) struct Stored {
    /// Id of the value.
    pub id: ValueId,
    kind: Kind,
    /// Slot of each holder, by the holder's index. `None` if the slot or its visibility must be looked up on the table (see [`slots_of`]).
    slots: Option<Arc<[Option<u32>]>>,
}

/// Meaning of the number in a slot.
#[derive(Debug, Clone)]
enum Kind {
    Number,
    Flag,
    Word(Arc<[Value]>),
    Seat,
    Component,
    Space,
    Piece,
    /// Length of a list. The entries are in the following slots.
    List(Arc<Kind>),
}

impl Stored {
    /// Creates the conversion for a value.
    pub(crate) fn new(model: &Model, id: ValueId) -> Self {
        let kind = match &model.value(id).kind {
            ValueType::Number => Kind::Number,
            ValueType::Flag => Kind::Flag,
            ValueType::Word(words) => Kind::Word(words.iter().map(|text| Value::Text(word(text))).collect()),
            ValueType::Seat => Kind::Seat,
            ValueType::Component(_) => Kind::Component,
            ValueType::Space(_) => Kind::Space,
            ValueType::Piece => Kind::Piece,
        };
        let is_list = model.value(id).most.is_some();
        Self { id, kind: if is_list { Kind::List(Arc::new(kind)) } else { kind }, slots: slots_of(model, id) }
    }

    /// Returns whether the value is a list, which rules can change in place.
    pub(crate) const fn is_list(&self) -> bool {
        matches!(self.kind, Kind::List(_))
    }

    /// Reads the value of a holder. Returns `None` if the holder does not have the value.
    #[inline]
    pub(crate) fn read(&self, table: &Table, holder: Holder) -> Option<Value> {
        let (slot, raw) = if let Some(slots) = &self.slots {
            let slot = slots[holder_index(holder)?].map(|slot| slot as usize);
            debug_assert_eq!(slot, table.slot(self.id, holder), "the slot computed at load is the table's");
            (slot?, table.value(slot?))
        } else {
            let slot = table.slot(self.id, holder)?;
            (slot, table.last_known(self.id, holder, slot).unwrap_or_else(|| table.value(slot)))
        };
        if raw == model::Value::NOTHING {
            return Some(Value::Nothing);
        }
        Some(match &self.kind {
            Kind::Number => Value::Number(raw),
            Kind::List(of) => of.decode_list(table.entries(self.id, slot)),
            other => other.decode(raw),
        })
    }
}

/// Returns the index of a holder among the holders of its type. `None` for pieces and pairs.
#[inline]
fn holder_index(holder: Holder) -> Option<usize> {
    match holder {
        Holder::Game => Some(0),
        Holder::Seat(seat) => Some(seat.index()),
        Holder::Component(component) => Some(component.index()),
        Holder::Space(space) => Some(space.index()),
        Holder::Piece(_) | Holder::Pair(..) => None,
    }
}

/// Returns the slot of each holder of a value, by the holder's index. Returns `None` for values of pieces and pairs, whose slots are looked
/// up on the table. Also returns `None` if not everybody sees the value, since its reads must be recorded.
fn slots_of(model: &Model, id: ValueId) -> Option<Arc<[Option<u32>]>> {
    let value = model.value(id);
    if !value.is_public() {
        return None;
    }
    let slot = |offset: usize| (value.slot + offset * value.width) as u32;
    Some(match value.owner {
        Owner::Game => [Some(slot(0))].into(),
        Owner::Seat => (0..usize::from(model.seats)).map(|seat| Some(slot(seat))).collect(),
        Owner::Component(kind) => {
            let mut all = vec![None; model.components.len()];
            for (offset, component) in model.kinds[kind.index()].components.iter().enumerate() {
                all[component.index()] = Some(slot(offset));
            }
            all.into()
        }
        Owner::Space(family) => {
            let first = model.zones[usize::from(model.family(family).zones.start)].spaces.start;
            let is_in = |space: usize| model.zone(model.spaces[space].zone).family == family;
            let offset = |space: usize| is_in(space).then(|| slot(space - usize::from(first)));
            (0..model.spaces.len()).map(offset).collect()
        }
        Owner::Piece(_) | Owner::Pair(..) => return None,
    })
}

impl Kind {
    /// Converts the number in a slot to a value.
    fn decode(&self, raw: i64) -> Value {
        match self {
            Self::Number | Self::List(_) => Value::Number(raw),
            Self::Flag => Value::from(raw != 0),
            Self::Word(words) => words[raw as usize].clone(),
            Self::Seat => Value::from(Seat(raw as u8)),
            Self::Component => Value::from(ComponentId(raw as u16)),
            Self::Space => Value::from(SpaceId(raw as u16)),
            Self::Piece => Value::from(PieceId(raw as u16)),
        }
    }

    /// Converts the entries of a list to a value. Game objects become a collection, so that all collection functions can be used.
    fn decode_list(&self, entries: &[i64]) -> Value {
        match self {
            Self::Seat => Value::Seats(entries.iter().map(|raw| Seat(*raw as u8)).collect()),
            Self::Component => Value::Components(entries.iter().map(|raw| ComponentId(*raw as u16)).collect()),
            Self::Space => Value::Spaces(entries.iter().map(|raw| SpaceId(*raw as u16)).collect()),
            Self::Piece => Value::Pieces(entries.iter().map(|raw| PieceId(*raw as u16)).collect()),
            _ => Value::list(entries.iter().map(|raw| self.decode(*raw)).collect()),
        }
    }
}
