//! Facts that change during play: one number each, in slots.

use super::{Chance, Layout, SeatSet, Table, TableError};
use crate::model::{ComponentId, Lasts, Model, Owner, PieceId, Seat, Seen, SpaceId, Value, ValueId, ValueType, ZoneId};
use smallvec::SmallVec;

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

/// What has the slot of a value at a position.
fn holder_of(model: &Model, value: &Value, at: usize) -> Holder {
    match value.owner {
        Owner::Game => Holder::Game,
        Owner::Seat => Holder::Seat(Seat(at as u8)),
        Owner::Component(kind) => Holder::Component(model.kinds[kind.index()].components[at]),
        Owner::Piece(_) => Holder::Piece(PieceId::at(at)),
        Owner::Space(family) => {
            let first = model.zones[model.family(family).zones.start as usize].spaces.start;
            Holder::Space(SpaceId(first + at as u16))
        }
    }
}

/// What a value might be that somebody cannot see: of a number anything within its bounds, where it has no bounds anything
/// between its start and what the one who wonders has; of flags, words and names any.
fn drawn(model: &Model, id: ValueId, at: usize, own: Option<i64>, chance: &mut Chance) -> i64 {
    let value = model.value(id);
    let start = start(model, id, at);
    let mut among = |first: i64, last: i64| {
        let width = u32::try_from(last.saturating_sub(first)).unwrap_or(u32::MAX - 1);
        first + i64::from(chance.below(width + 1))
    };
    let or_start = |drawn: i64| if drawn < 0 { start } else { drawn };
    match &value.kind {
        ValueType::Number => {
            let other = own.unwrap_or(start);
            let (low, high) = (start.min(other), start.max(other));
            among(
                value.min.filter(|_| value.max.is_some()).unwrap_or(low),
                value.max.filter(|_| value.min.is_some()).unwrap_or(high),
            )
        }
        ValueType::Flag => among(0, 1),
        ValueType::Word(words) => among(0, words.len() as i64 - 1),
        ValueType::Seat => or_start(among(-1, i64::from(model.seats) - 1)),
        ValueType::Component(Some(kind)) => {
            let all = &model.kinds[kind.index()].components;
            let at = among(-1, all.len() as i64 - 1);
            usize::try_from(at).map_or(start, |at| i64::from(all[at].0))
        }
        ValueType::Component(None) => or_start(among(-1, model.components.len() as i64 - 1)),
        ValueType::Space(Some(family)) => {
            let zones = &model.family(*family).zones;
            let zones = &model.zones[usize::from(zones.start)..usize::from(zones.end)];
            let all: Vec<u16> = zones.iter().flat_map(|zone| zone.spaces.clone()).collect();
            let at = among(-1, all.len() as i64 - 1);
            usize::try_from(at).map_or(start, |at| i64::from(all[at]))
        }
        ValueType::Space(None) => or_start(among(-1, model.spaces.len() as i64 - 1)),
    }
}

impl Table {
    /// The slot of a value that a holder has, if it has it.
    pub fn slot(&self, id: ValueId, holder: Holder) -> Option<usize> {
        let value = self.layout.model.value(id);
        if let (Owner::Piece(Some(_)), Holder::Piece(piece)) = (value.owner, holder) {
            self.note_read(piece);
        }
        if !value.is_public() {
            self.note_unknown_to(!self.value_seers(id, holder));
        }
        self.slot_in(value, holder)
    }

    /// The same for what goes on below the rules, who learn nothing by it.
    pub(super) fn slot_of(&self, id: ValueId, holder: Holder) -> Option<usize> {
        self.slot_in(self.layout.model.value(id), holder)
    }

    #[inline]
    fn slot_in(&self, value: &Value, holder: Holder) -> Option<usize> {
        let model = &self.layout.model;
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
                let right = kind.is_none_or(|kind| model.component(self.print(piece).component).kind == kind);
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

    /// The seats that see a value of something: of a piece its owner is the seat whose color it has, or else the seat in whose
    /// zone it lies, if that seat can tell the piece; of a space the seat whose zone it is of.
    pub fn value_seers(&self, id: ValueId, holder: Holder) -> SeatSet {
        let seen_by = self.model().value(id).seen_by;
        if seen_by == Seen::Everybody {
            return self.layout.everybody;
        }
        if seen_by == Seen::Nobody {
            return 0;
        }
        let of_zone = |space: SpaceId| self.model().zone(self.layout.zone_of(space)).seat.map_or(0, Layout::only);
        match holder {
            Holder::Seat(seat) => Layout::only(seat),
            Holder::Piece(piece) => {
                let owner = self.print(piece).owner.map(Layout::only);
                self.knowers(piece) & owner.unwrap_or_else(|| of_zone(self.space_of(piece)))
            }
            Holder::Space(space) => of_zone(space),
            Holder::Game | Holder::Component(_) => 0,
        }
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

    /// Draws every value anew that a seat may not know; `now` is this table, or a later one by which the seat may have lost
    /// track of a piece, or have come to see what it did not. What is drawn hangs on nothing that the seat cannot see.
    pub(super) fn redraw_values(&mut self, now: &Self, seat: Seat, chance: &mut Chance) {
        let model = self.model().clone();
        let hidden = model.values.iter().enumerate().filter(|(_, value)| !value.is_public());
        for (index, value) in hidden {
            let id = ValueId::at(index);
            let is_seen = |at: usize| {
                let (holder, slot) = (holder_of(&model, value, at), value.slot + at);
                let sees = |table: &Self| table.value_seers(id, holder) & Layout::only(seat) != 0;
                sees(now) && (sees(self) || self.values[slot] == now.values[slot])
            };
            let slots: Vec<usize> = (0..value.slots).filter(|at| !is_seen(*at)).collect();
            let own = (value.owner == Owner::Seat && value.seen_by == Seen::Owner)
                .then(|| self.values[value.slot + seat.index()]);
            for at in slots {
                self.values[value.slot + at] = drawn(&model, ValueId::at(index), at, own, chance);
            }
        }
    }

    /// The values of a piece, in the order in which they are declared, if a seat sees all that it has.
    pub fn values_seen(&self, piece: PieceId, seat: Seat) -> Option<SmallVec<[i64; 4]>> {
        let held = self.layout.of_pieces.iter().filter_map(|id| Some((*id, self.slot_of(*id, Holder::Piece(piece))?)));
        let sees = |id: ValueId| self.value_seers(id, Holder::Piece(piece)) & Layout::only(seat) != 0;
        held.map(|(id, slot)| sees(id).then(|| self.values[slot])).collect()
    }

    /// The seats that see every value of two pieces, and see no difference. A value that a seat does not see may differ: where
    /// one is, the pieces are not the same to that seat, whatever the value is.
    pub fn same_values_to(&self, a: PieceId, b: PieceId) -> SeatSet {
        let same = |id: ValueId| {
            let [a, b] = [a, b].map(Holder::Piece);
            match [a, b].map(|holder| self.slot_of(id, holder)) {
                [None, None] => self.layout.everybody,
                [Some(one), Some(other)] if self.values[one] == self.values[other] => {
                    self.value_seers(id, a) & self.value_seers(id, b)
                }
                _ => 0,
            }
        };
        self.layout.of_pieces.iter().fold(self.layout.everybody, |seats, id| seats & same(*id))
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
