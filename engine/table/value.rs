//! Facts that change during play: one number each, in slots.

use super::{Table, TableError};
use crate::model::{ComponentId, Lasts, Model, Owner, PieceId, Seat, SpaceId, Value, ValueId, ValueType, ZoneId};

/// What has a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holder {
    /// The game.
    Game,
    /// A seat.
    Seat(Seat),
    /// A component.
    Component(ComponentId),
    /// A piece.
    Piece(PieceId),
    /// A space.
    Space(SpaceId),
}

/// Every slot at its start.
pub(super) fn starts(model: &Model) -> Vec<i64> {
    let mut slots = vec![0; model.slots];
    for (index, value) in model.values.iter().enumerate() {
        for (at, slot) in slots[value.slot..value.slot + value.slots].iter_mut().enumerate() {
            *slot = start(model, ValueId::at(index), at);
        }
    }
    slots
}

/// What a value starts as. The start of a space value is a position in its zone: the zone of the same component,
/// where the zone is one for each.
fn start(model: &Model, id: ValueId, at: usize) -> i64 {
    let value = model.value(id);
    let ValueType::Space(Some(family)) = value.kind else { return value.start };
    if value.start == Value::NOTHING {
        return value.start;
    }
    let zones = &model.family(family).zones;
    let zone = if zones.len() > at { zones.start as usize + at } else { zones.start as usize };
    i64::from(model.zones[zone].spaces.start) + value.start
}

impl Table {
    /// The slot of a value that a holder has, if it has it.
    pub fn slot(&self, id: ValueId, holder: Holder) -> Option<usize> {
        let model = self.model();
        let value = model.value(id);
        let offset = match (value.owner, holder) {
            (Owner::Game, Holder::Game) => 0,
            (Owner::Seat, Holder::Seat(seat)) => seat.index(),
            (Owner::Component(kind), Holder::Component(component)) => {
                let found = model.component(component);
                if found.kind != kind {
                    return None;
                }
                model.kinds[kind.index()].components.binary_search(&component).ok()?
            }
            (Owner::Piece(kind), Holder::Piece(piece)) => {
                let right = kind.is_none_or(|kind| model.component(self.component(piece)).kind == kind);
                right.then_some(piece.index())?
            }
            (Owner::Space(family), Holder::Space(space)) => {
                let zone = self.layout.zone_of(space);
                if model.zone(zone).family != family {
                    return None;
                }
                let first = model.zones[model.family(family).zones.start as usize].spaces.start;
                (space.0 - first) as usize
            }
            _ => return None,
        };
        Some(value.slot + offset)
    }

    /// What is in a slot.
    pub fn value(&self, slot: usize) -> i64 {
        self.values[slot]
    }

    /// Sets a slot of a value; gives back what was there.
    ///
    /// # Errors
    /// [`TableError::OutOfBounds`] when a number leaves its bounds and the value does not stop there.
    pub fn set_value(&mut self, id: ValueId, slot: usize, number: i64) -> Result<i64, TableError> {
        let value = self.layout.model.value(id);
        let mut new = number;
        if matches!(value.kind, ValueType::Number) {
            let low = value.min.unwrap_or(i64::MIN);
            let high = value.max.unwrap_or(i64::MAX);
            if number < low || number > high {
                if !value.stops {
                    return Err(out_of_bounds(value, number));
                }
                new = number.clamp(low, high);
            }
        }
        Ok(std::mem::replace(&mut self.values[slot], new))
    }

    /// Whether two pieces have the same values.
    pub fn same_values(&self, a: PieceId, b: PieceId) -> bool {
        let values = self.model().values.iter().filter(|value| matches!(value.owner, Owner::Piece(_)));
        values.into_iter().all(|value| self.values[value.slot + a.index()] == self.values[value.slot + b.index()])
    }

    /// Returns every value that lasts only so long to its start.
    pub fn expire(&mut self, span: Lasts) {
        let layout = self.layout.clone();
        for (index, value) in layout.model.values.iter().enumerate() {
            if value.lasts == span {
                for at in 0..value.slots {
                    self.values[value.slot + at] = start(&layout.model, ValueId::at(index), at);
                }
            }
        }
    }

    /// Returns values of a piece that live only on certain zones to their start when it lies elsewhere.
    pub(super) fn reset_values_left_behind(&mut self, piece: PieceId, zone: ZoneId) {
        let family = self.layout.model.zone(zone).family;
        for value in &self.layout.model.values {
            if matches!(value.owner, Owner::Piece(_)) && !value.on.is_empty() && !value.on.contains(&family) {
                self.values[value.slot + piece.index()] = value.start;
            }
        }
    }

    /// Returns every value of a piece to its start.
    pub(super) fn forget_piece_values(&mut self, piece: PieceId) {
        for value in self.layout.model.values.iter().filter(|value| matches!(value.owner, Owner::Piece(_))) {
            self.values[value.slot + piece.index()] = value.start;
        }
    }
}

fn out_of_bounds(value: &Value, number: i64) -> TableError {
    let bounds = match (value.min, value.max) {
        (Some(min), Some(max)) => format!("{min} to {max}"),
        (Some(min), None) => format!("{min} up"),
        (None, Some(max)) => format!("{max} down"),
        (None, None) => "anything".to_owned(),
    };
    TableError::OutOfBounds { value: value.id.to_string(), number, bounds }
}
