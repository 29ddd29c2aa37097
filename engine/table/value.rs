//! Facts that change during play: one number each, in slots, or of a list how long it is and then its entries.

use super::layout::{of_seat, of_team};
use super::{Chance, Layout, SeatSet, Table, TableError};
use crate::model::{
    ComponentId, Lasts, Model, Owner, Party, PieceId, Seat, Seen, SpaceId, Value, ValueId, ValueType, ZoneId,
};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::Arc;

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
    /// A pair: the first has a table, in which the other has an entry.
    Pair(Member, Member),
}

impl From<Member> for Holder {
    fn from(member: Member) -> Self {
        match member {
            Member::Seat(seat) => Self::Seat(seat),
            Member::Component(component) => Self::Component(component),
        }
    }
}

/// One side of a pair that has a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Member {
    /// A seat.
    Seat(Seat),
    /// A component.
    Component(ComponentId),
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

/// The slots of values that last only so long, each with what it starts as.
pub(super) fn lasting(model: &Model) -> Vec<(Lasts, Vec<(usize, i64)>)> {
    let mut found: Vec<(Lasts, Vec<(usize, i64)>)> = Vec::new();
    for (index, value) in model.values.iter().enumerate().filter(|(_, value)| value.lasts != Lasts::Game) {
        let slots = (0..value.slots).map(|at| (value.slot + at, start(model, ValueId::at(index), at)));
        match found.iter_mut().find(|(lasts, _)| *lasts == value.lasts) {
            Some((_, known)) => known.extend(slots),
            None => found.push((value.lasts, slots.collect())),
        }
    }
    found
}

/// What a slot of a value starts as: a list is empty. The start of a space value is a position in its zone: the zone of the
/// same component, where the zone is one for each.
fn start(model: &Model, id: ValueId, at: usize) -> i64 {
    let value = model.value(id);
    if value.most.is_some() {
        return 0;
    }
    let ValueType::Space(Some(family)) = value.kind else { return value.start };
    if value.start == Value::NOTHING {
        return value.start;
    }
    let zones = &model.family(family).zones;
    let zone = if zones.len() > at { zones.start as usize + at } else { zones.start as usize };
    i64::from(model.zones[zone].spaces.start) + value.start
}

/// How many there are of one side of a table.
fn members(model: &Model, party: Party) -> usize {
    match party {
        Party::Seat => usize::from(model.seats),
        Party::Component(kind) => model.kinds[kind.index()].components.len(),
    }
}

/// One of one side of a table, by its position.
pub(super) fn member(model: &Model, party: Party, at: usize) -> Member {
    match party {
        Party::Seat => Member::Seat(Seat(at as u8)),
        Party::Component(kind) => Member::Component(model.kinds[kind.index()].components[at]),
    }
}

/// The position of one of one side of a table; nothing where it is none of them.
fn position(model: &Model, party: Party, member: Member) -> Option<usize> {
    match (party, member) {
        (Party::Seat, Member::Seat(seat)) => Some(seat.index()),
        (Party::Component(kind), Member::Component(component)) => {
            model.kinds[kind.index()].components.binary_search(&component).ok()
        }
        _ => None,
    }
}

/// What has the slots of a value at a position among its holders.
pub(crate) fn holder_of(model: &Model, value: &Value, at: usize) -> Holder {
    match value.owner {
        Owner::Game => Holder::Game,
        Owner::Seat => Holder::Seat(Seat(at as u8)),
        Owner::Component(kind) => Holder::Component(model.kinds[kind.index()].components[at]),
        Owner::Piece(_) => Holder::Piece(PieceId::at(at)),
        Owner::Space(family) => {
            let first = model.zones[model.family(family).zones.start as usize].spaces.start;
            Holder::Space(SpaceId(first + at as u16))
        }
        Owner::Pair(one, other) => {
            let width = members(model, other);
            Holder::Pair(member(model, one, at / width), member(model, other, at % width))
        }
    }
}

/// What a value might be that a seat cannot see: of a number anything within its bounds, where it has no bounds anything
/// between its start and what the seat itself has; of flags, words and names any. Nothing it may be only where what the seat itself has is not
/// something: rules that give everybody one count on that.
fn drawn(model: &Model, id: ValueId, at: usize, own: Option<i64>, chance: &mut Chance) -> i64 {
    let value = model.value(id);
    let start = start(model, id, at);
    let mut among = |first: i64, last: i64| {
        let width = u32::try_from(last.saturating_sub(first)).unwrap_or(u32::MAX - 1);
        first + i64::from(chance.below(width + 1))
    };
    let least = if has_something(own) { 0 } else { -1 };
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
        ValueType::Seat => or_start(among(least, i64::from(model.seats) - 1)),
        ValueType::Component(Some(kind)) => {
            let all = &model.kinds[kind.index()].components;
            let at = among(least, all.len() as i64 - 1);
            usize::try_from(at).map_or(start, |at| i64::from(all[at].0))
        }
        ValueType::Component(None) => or_start(among(least, model.components.len() as i64 - 1)),
        ValueType::Space(Some(family)) => {
            let zones = &model.family(*family).zones;
            let zones = &model.zones[usize::from(zones.start)..usize::from(zones.end)];
            let all: Vec<u16> = zones.iter().flat_map(|zone| zone.spaces.clone()).collect();
            let at = among(least, all.len() as i64 - 1);
            usize::try_from(at).map_or(start, |at| i64::from(all[at]))
        }
        ValueType::Space(None) => or_start(among(least, model.spaces.len() as i64 - 1)),
        // Pieces are drawn by where they lie, which the table knows.
        ValueType::Piece => Value::NOTHING,
    }
}

/// Whether what a seat itself has of a value, if it has one, is something.
fn has_something(own: Option<i64>) -> bool {
    own.is_some_and(|own| own != Value::NOTHING)
}

impl Table {
    /// The slot of a value that a holder has, if it has it.
    pub fn slot(&self, id: ValueId, holder: Holder) -> Option<usize> {
        let value = self.layout.model.value(id);
        if let (Owner::Piece(Some(_)), Holder::Piece(piece)) = (value.owner, holder) {
            self.note_read(piece);
        }
        if !value.is_public() {
            let seers = self.value_seers(id, holder);
            let seers = seers & self.tried.as_ref().map_or(seers, |tried| tried.value_seers(id, holder));
            self.note_unknown_to(!seers);
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
            (Owner::Pair(one, other), Holder::Pair(a, b)) => {
                position(model, one, a)? * members(model, other) + position(model, other, b)?
            }
            _ => return None,
        };
        Some(value.slot + offset * value.width)
    }

    /// The seats that see a value of something: of a piece its owner is the seat whose color it has, or else the seat in whose
    /// zone it lies, if that seat can tell the piece; of a space the seat whose zone it is of; of a pair its first seat. Where the
    /// team sees it, these are the seats of that seat's team, and of what belongs to a team those of the team.
    pub fn value_seers(&self, id: ValueId, holder: Holder) -> SeatSet {
        let seen_by = self.model().value(id).seen_by;
        if seen_by == Seen::Everybody {
            return self.layout.everybody;
        }
        if seen_by == Seen::Nobody {
            return 0;
        }
        let model = self.model();
        let of_seat = |seat: Seat| if seen_by == Seen::Team { of_seat(model, seat) } else { Layout::only(seat) };
        let of_team = |of: Option<ComponentId>| if seen_by == Seen::Team { of_team(model, of) } else { 0 };
        let of_zone = |space: SpaceId| {
            let zone = model.zone(self.layout.zone_of(space));
            zone.seat.map_or_else(|| of_team(zone.team(model)), of_seat)
        };
        match holder {
            Holder::Pair(Member::Component(component), _) if model.team(component).is_some() => {
                of_team(Some(component))
            }
            Holder::Seat(seat)
            | Holder::Pair(Member::Seat(seat), _)
            | Holder::Pair(Member::Component(_), Member::Seat(seat)) => of_seat(seat),
            Holder::Piece(piece) => {
                let owner = self.print(piece).owner.map(of_seat);
                self.knowers(piece) & owner.unwrap_or_else(|| of_zone(self.space_of(piece)))
            }
            Holder::Space(space) => of_zone(space),
            Holder::Component(component) => of_team(Some(component)),
            Holder::Game | Holder::Pair(..) => 0,
        }
    }

    /// What is in a slot.
    pub fn value(&self, slot: usize) -> i64 {
        self.values[slot]
    }

    /// The first slots of the values that were `arranged` otherwise than they were `before`, and came out on this table as they did where nothing
    /// was arranged: what has run since has set them itself.
    pub(crate) fn undone(&self, before: &Self, arranged: &Self, otherwise: &Self) -> FxHashSet<usize> {
        let values = self.layout.model.values.iter();
        let slots = values.flat_map(|value| {
            (value.slot..value.slot + value.slots).step_by(value.width).map(|at| at..at + value.width)
        });
        let is_undone = |slots: &Range<usize>| {
            let [now, was, set, else_is] =
                [self, before, arranged, otherwise].map(|table| &table.values[slots.clone()]);
            set != was && now != set && now == else_is
        };
        slots.filter(is_undone).map(|slots| slots.start).collect()
    }

    /// From here on rules set none of the values in these slots.
    pub(crate) fn hold(&mut self, slots: FxHashSet<usize>) {
        self.held = (!slots.is_empty()).then(|| Arc::new(slots));
    }

    fn is_held_fast(&self, slot: usize) -> bool {
        self.held.as_ref().is_some_and(|held| held.contains(&slot))
    }

    /// Sets a slot of a value; returns what was there.
    ///
    /// # Errors
    /// [`TableError::OutOfBounds`] when a number leaves its bounds and the value does not stop there.
    pub fn set_value(&mut self, id: ValueId, slot: usize, number: i64) -> Result<i64, TableError> {
        let new = bounded(self.layout.model.value(id), number)?;
        if self.is_held_fast(slot) {
            return Ok(self.values[slot]);
        }
        Ok(std::mem::replace(&mut self.values[slot], new))
    }

    /// The entries in the slots of a value from one on: those of a list, or the one that it is, if it is anything.
    pub fn held(&self, id: ValueId, slot: usize) -> &[i64] {
        if self.layout.model.value(id).most.is_some() {
            let length = self.values[slot] as usize;
            return &self.values[slot + 1..=slot + length];
        }
        let is_there = self.values[slot] != Value::NOTHING;
        &self.values[slot..slot + usize::from(is_there)]
    }

    /// Sets the entries in the slots of a value from one on.
    ///
    /// # Errors
    /// [`TableError::TooLong`] of more entries than the list may have, [`TableError::OutOfBounds`] as of a number alone.
    pub fn set_held(&mut self, id: ValueId, slot: usize, entries: &[i64]) -> Result<(), TableError> {
        if self.is_held_fast(slot) {
            return Ok(());
        }
        let model = self.layout.model.clone();
        let value = model.value(id);
        let Some(most) = value.most else {
            self.values[slot] = entries.first().copied().unwrap_or(Value::NOTHING);
            return Ok(());
        };
        if entries.len() > usize::from(most) {
            return Err(TableError::TooLong { value: value.id.to_string(), length: entries.len(), most });
        }
        let entries = entries.iter().map(|number| bounded(value, *number)).collect::<Result<Vec<i64>, _>>()?;
        self.write_list(slot, value.width, &entries);
        Ok(())
    }

    /// What lies behind the last entry is always the same, so that lists that are alike are stored alike.
    fn write_list(&mut self, slot: usize, width: usize, entries: &[i64]) {
        let slots = &mut self.values[slot..slot + width];
        slots.fill(0);
        slots[0] = entries.len() as i64;
        slots[1..=entries.len()].copy_from_slice(entries);
    }

    /// The seats that can follow a piece where it lies: all, but where it lies face down in a hand or bag, among others.
    pub fn followers(&self, piece: PieceId) -> SeatSet {
        let traits = self.layout.traits_of(self.zone_of(piece));
        if traits.unordered && !self.is_up(piece) { traits.seers | self.knowers(piece) } else { self.layout.everybody }
    }

    /// Lets go of these pieces wherever a value holds one and is seen by a seat that cannot follow it from here on: by any
    /// but these seats.
    pub(super) fn let_go(&mut self, pieces: &[PieceId], followers: SeatSet, is_shuffled: bool) {
        if self.layout.of_held_pieces.is_empty() {
            return;
        }
        let layout = self.layout.clone();
        for id in &layout.of_held_pieces {
            let value = layout.model.value(*id);
            for at in 0..value.slots / value.width {
                let slot = value.slot + at * value.width;
                let is_gone = |raw: &i64| pieces.iter().any(|piece| i64::from(piece.0) == *raw);
                if !self.held(*id, slot).iter().any(is_gone) {
                    continue;
                }
                let seers = self.value_seers(*id, holder_of(&layout.model, value, at));
                if !is_shuffled && seers & !followers == 0 {
                    continue;
                }
                let left: Vec<i64> = self.held(*id, slot).iter().copied().filter(|raw| !is_gone(raw)).collect();
                match value.most {
                    Some(_) => self.write_list(slot, value.width, &left),
                    None => self.values[slot] = Value::NOTHING,
                }
            }
        }
    }

    /// Draws every value anew that a seat may not know; `now` is this table, or a later one by which the seat may have lost
    /// track of a piece, or have come to see what it did not. What is drawn hangs on nothing that the seat cannot see.
    pub(super) fn redraw_values(&mut self, now: &Self, seat: Seat, chance: &mut Chance) {
        let model = self.model().clone();
        let hidden = model.values.iter().enumerate().filter(|(_, value)| !value.is_public());
        for (index, value) in hidden {
            let id = ValueId::at(index);
            let slots = |at: usize| value.slot + at * value.width..value.slot + (at + 1) * value.width;
            let is_seen = |at: usize| {
                let holder = holder_of(&model, value, at);
                let sees = |table: &Self| table.value_seers(id, holder) & Layout::only(seat) != 0;
                sees(now) && (sees(self) || self.values[slots(at)] == now.values[slots(at)])
            };
            let unseen: Vec<usize> = (0..value.slots / value.width).filter(|at| !is_seen(*at)).collect();
            let own = (value.owner == Owner::Seat && value.seen_by == Seen::Owner)
                .then(|| self.held(id, slots(seat.index()).start).first().copied())
                .flatten();
            for at in unseen {
                let slot = slots(at).start;
                let seers = self.value_seers(id, holder_of(&model, value, at));
                let Some(most) = value.most else {
                    self.values[slot] = self.drawn(id, at, own, seers, chance).unwrap_or(Value::NOTHING);
                    continue;
                };
                let length = chance.below(u32::from(most) + 1);
                let entries: Vec<i64> = (0..length).filter_map(|_| self.drawn(id, at, own, seers, chance)).collect();
                let entries: Vec<i64> = entries.into_iter().filter(|raw| *raw != Value::NOTHING).collect();
                self.write_list(slot, value.width, &entries);
            }
        }
    }

    /// What a value or an entry of it might be; a piece is any in play that those who see the value can follow, by the order
    /// of places.
    fn drawn(&self, id: ValueId, at: usize, own: Option<i64>, seers: SeatSet, chance: &mut Chance) -> Option<i64> {
        if self.layout.model.value(id).kind != ValueType::Piece {
            return Some(drawn(&self.layout.model, id, at, own, chance));
        }
        let spaces = (0..self.stacks.len()).map(SpaceId::at).filter(|space| self.layout.zone_of(*space) != ZoneId(0));
        let pieces = spaces.flat_map(|space| self.stack(space));
        let able: Vec<PieceId> = pieces.filter(|piece| seers & !self.followers(*piece) == 0).collect();
        let nothing = u32::from(!has_something(own) || able.is_empty());
        let drawn = chance.below(able.len() as u32 + nothing) as usize;
        able.get(drawn).map(|piece| i64::from(piece.0))
    }

    /// The slots of values that hold a piece, each with the seats that see it.
    fn holding(&self, piece: PieceId) -> SmallVec<[(usize, SeatSet); 4]> {
        let mut found = SmallVec::new();
        for id in &self.layout.of_held_pieces {
            let value = self.model().value(*id);
            for at in 0..value.slots / value.width {
                let slot = value.slot + at * value.width;
                if self.held(*id, slot).contains(&i64::from(piece.0)) {
                    found.push((slot, self.value_seers(*id, holder_of(self.model(), value, at))));
                }
            }
        }
        found
    }

    /// The values of a piece, in the order in which they are declared, if a seat sees all that it has, and which values that the
    /// seat sees hold it.
    pub fn values_seen(&self, piece: PieceId, seat: Seat) -> Option<SmallVec<[i64; 4]>> {
        let held = self.layout.of_pieces.iter().filter_map(|id| Some((*id, self.slot_of(*id, Holder::Piece(piece))?)));
        let sees = |id: ValueId| self.value_seers(id, Holder::Piece(piece)) & Layout::only(seat) != 0;
        let mut found: SmallVec<[i64; 4]> =
            held.map(|(id, slot)| sees(id).then(|| self.values[slot])).collect::<Option<_>>()?;
        if !self.layout.of_held_pieces.is_empty() {
            let seen = self.holding(piece).into_iter().filter(|(_, seers)| seers & Layout::only(seat) != 0);
            found.extend(seen.map(|(slot, _)| slot as i64));
        }
        Some(found)
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
        let same = self.layout.of_pieces.iter().fold(self.layout.everybody, |seats, id| seats & same(*id));
        if self.layout.of_held_pieces.is_empty() {
            return same;
        }
        // A seat that sees that a value holds one of both sees a difference.
        let [one, other] = [a, b].map(|piece| self.holding(piece));
        let unlike =
            one.iter().filter(|held| !other.contains(held)).chain(other.iter().filter(|held| !one.contains(held)));
        unlike.fold(same, |seats, (_, seers)| seats & !seers)
    }

    /// Returns every value that lasts only so long to its start.
    pub fn expire(&mut self, span: Lasts) {
        let Self { layout, values, .. } = self;
        for (slot, start) in layout.lasting.iter().filter(|(lasts, ..)| *lasts == span).flat_map(|(_, slots)| slots) {
            values[*slot] = *start;
        }
    }

    /// Who sees each of the values of a piece that not all see.
    pub(super) fn seers_of_hidden_values(&self, piece: PieceId) -> SmallVec<[SeatSet; 2]> {
        let hidden = self.layout.hidden_of_pieces.iter();
        hidden.map(|id| self.value_seers(*id, Holder::Piece(piece))).collect()
    }

    /// Returns values of a piece that live only on certain zones to their start when it has left these. Until the step is over they are
    /// remembered for what is triggered in it.
    pub(super) fn reset_values_left_behind(&mut self, piece: PieceId, left: SpaceId, zone: ZoneId) {
        if self.layout.of_pieces.is_empty() {
            return;
        }
        let layout = self.layout.clone();
        let model = &layout.model;
        let [from, to] = [layout.zone_of(left), zone].map(|zone| model.zone(zone).family);
        for id in &layout.of_pieces {
            let value = model.value(*id);
            if value.on.is_empty() || value.on.contains(&to) {
                continue;
            }
            if value.on.contains(&from) {
                // Pieces have no lists: each of their values is one slot.
                let slot = value.slot + piece.index();
                self.last_known.insert(slot, self.values[slot]);
            }
            self.reset(model, *id, piece);
        }
    }

    /// Whether a piece keeps a value where it lies.
    pub(crate) fn keeps_value(&self, id: ValueId, piece: PieceId) -> bool {
        let model = self.model();
        let on = &model.value(id).on;
        on.is_empty() || on.contains(&model.zone(self.zone_of(piece)).family)
    }

    /// Whether rules read what values of pieces were when these left the zones they keep them in: while what was triggered is carried
    /// out.
    pub(crate) fn recall(&mut self, is_so: bool) {
        self.recalls = is_so;
    }

    /// Forgets what values of pieces were when these left the zones they keep them in: the step is over.
    pub(crate) fn forget_last_known(&mut self) {
        self.last_known.clear();
        self.recalls = false;
    }

    /// The number that rules read of a piece which has left the zones it keeps a value in, in place of the one in its slot: the last one it had
    /// there. `None` where such are not recalled.
    #[inline]
    pub(crate) fn last_known(&self, id: ValueId, holder: Holder, slot: usize) -> Option<i64> {
        match holder {
            Holder::Piece(piece) if self.recalls && !self.keeps_value(id, piece) => self.last_known.get(&slot).copied(),
            _ => None,
        }
    }

    /// Returns a value of a piece to its start.
    fn reset(&mut self, model: &Model, id: ValueId, piece: PieceId) {
        let slot = model.value(id).slot + piece.index();
        self.values[slot] = start(model, id, piece.index());
    }

    /// Returns every value of a piece to its start.
    pub(super) fn forget_piece_values(&mut self, piece: PieceId) {
        let layout = self.layout.clone();
        for id in &layout.of_pieces {
            self.reset(&layout.model, *id, piece);
        }
    }
}

/// A number within the bounds of a value.
#[inline]
fn bounded(value: &Value, number: i64) -> Result<i64, TableError> {
    if !matches!(value.kind, ValueType::Number) {
        return Ok(number);
    }
    let low = value.min.unwrap_or(i64::MIN);
    let high = value.max.unwrap_or(i64::MAX);
    if number < low || number > high {
        if !value.stops {
            return Err(out_of_bounds(value, number));
        }
        return Ok(number.clamp(low, high));
    }
    Ok(number)
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
