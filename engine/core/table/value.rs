//! Values: facts that change during play, stored as numbers in slots. A list takes one slot for its length and one for each possible entry.
//! Any other value takes one slot.

use super::layout::{team_seats, teammates};
use super::{Chance, Layout, SeatSet, Table, TableError};
use crate::model::{
    ComponentId, FaceDownVisibility, Model, Owner, Party, PieceId, ResetPeriod, Seat, SpaceId, Value, ValueId,
    ValueType, ZoneId,
};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::Arc;

/// Entity that a value belongs to.
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
    /// A pair of members. The first member has a table with an entry for the second member.
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

/// One member of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Member {
    /// A seat.
    Seat(Seat),
    /// A component.
    Component(ComponentId),
}

/// Returns the start values of all slots.
pub(super) fn start_values(model: &Model) -> Vec<i64> {
    let mut slots = vec![0; model.slots];
    for (index, value) in model.values.iter().enumerate() {
        for (at, slot) in slots[value.slot..value.slot + value.slots].iter_mut().enumerate() {
            *slot = start_value(model, ValueId::at(index), at);
        }
    }
    slots
}

/// Returns the slots of all values with a limited lifetime, grouped by lifetime, each with its start value.
pub(super) fn expiring_slots(model: &Model) -> Vec<(ResetPeriod, Vec<(usize, i64)>)> {
    let mut found: Vec<(ResetPeriod, Vec<(usize, i64)>)> = Vec::new();
    for (index, value) in model.values.iter().enumerate().filter(|(_, value)| value.lasts != ResetPeriod::Game) {
        let slots = (0..value.slots).map(|at| (value.slot + at, start_value(model, ValueId::at(index), at)));
        match found.iter_mut().find(|(lasts, _)| *lasts == value.lasts) {
            Some((_, known)) => known.extend(slots),
            None => found.push((value.lasts, slots.collect())),
        }
    }
    found
}

/// Returns the start value of the slot at offset `at` of a value. Lists start empty.
///
/// The start value of a space reference is declared as an index in a zone. If the family of the zone has a zone at index `at`, as in a
/// family with one zone per holder, that zone is used; otherwise the family's first zone.
fn start_value(model: &Model, id: ValueId, at: usize) -> i64 {
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

/// Returns the number of possible members on one side of a pair.
fn member_count(model: &Model, party: Party) -> usize {
    match party {
        Party::Seat => usize::from(model.seats),
        Party::Component(kind) => model.kinds[kind.index()].components.len(),
    }
}

/// Returns the member at an index on one side of a pair.
pub(super) fn member_at(model: &Model, party: Party, at: usize) -> Member {
    match party {
        Party::Seat => Member::Seat(Seat(at as u8)),
        Party::Component(kind) => Member::Component(model.kinds[kind.index()].components[at]),
    }
}

/// Returns the index of a member on its side of a pair; `None` if the member cannot be on that side.
fn member_index(model: &Model, party: Party, member: Member) -> Option<usize> {
    match (party, member) {
        (Party::Seat, Member::Seat(seat)) => Some(seat.index()),
        (Party::Component(kind), Member::Component(component)) => {
            model.kinds[kind.index()].components.binary_search(&component).ok()
        }
        _ => None,
    }
}

/// Returns the holder at index `at` among all holders of a value.
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
            let width = member_count(model, other);
            Holder::Pair(member_at(model, one, at / width), member_at(model, other, at % width))
        }
    }
}

/// Draws random content for a value that a seat cannot see.
///
/// A number with both bounds is drawn between them. Other numbers are drawn between the start value and the seat's `own` number. Flags,
/// words, seats, components and spaces are drawn from all possible ones.
///
/// For seats, components and spaces, "nothing" is an additional candidate if the seat's own value is "nothing", or the start value if the
/// seat has no such value. It is left out otherwise, because the rules may give everybody a value and rely on it.
fn draw_content(model: &Model, id: ValueId, at: usize, own: Option<i64>, chance: &mut Chance) -> i64 {
    let value = model.value(id);
    let start = start_value(model, id, at);
    let mut draw_between = |first: i64, last: i64| {
        let width = u32::try_from(last.saturating_sub(first)).unwrap_or(u32::MAX - 1);
        first + i64::from(chance.below(width + 1))
    };
    let least = if own.unwrap_or(start) == Value::NOTHING { -1 } else { 0 };
    let or_nothing = |drawn: i64| if drawn < 0 { Value::NOTHING } else { drawn };
    match &value.kind {
        ValueType::Number => {
            let other = own.unwrap_or(start);
            let (low, high) = (start.min(other), start.max(other));
            draw_between(
                value.min.filter(|_| value.max.is_some()).unwrap_or(low),
                value.max.filter(|_| value.min.is_some()).unwrap_or(high),
            )
        }
        ValueType::Flag => draw_between(0, 1),
        ValueType::Word(words) => draw_between(0, words.len() as i64 - 1),
        ValueType::Seat => or_nothing(draw_between(least, i64::from(model.seats) - 1)),
        ValueType::Component(Some(kind)) => {
            let all = &model.kinds[kind.index()].components;
            let at = draw_between(least, all.len() as i64 - 1);
            usize::try_from(at).map_or(Value::NOTHING, |at| i64::from(all[at].0))
        }
        ValueType::Component(None) => or_nothing(draw_between(least, model.components.len() as i64 - 1)),
        ValueType::Space(Some(family)) => {
            let zones = &model.family(*family).zones;
            let zones = &model.zones[usize::from(zones.start)..usize::from(zones.end)];
            let all: Vec<u16> = zones.iter().flat_map(|zone| zone.spaces.clone()).collect();
            let at = draw_between(least, all.len() as i64 - 1);
            usize::try_from(at).map_or(Value::NOTHING, |at| i64::from(all[at]))
        }
        ValueType::Space(None) => or_nothing(draw_between(least, model.spaces.len() as i64 - 1)),
        // Pieces are drawn by `Table::draw_entry`, which knows where they are.
        ValueType::Piece => Value::NOTHING,
    }
}

/// Returns whether `own`, the seat's own value, exists and is not "nothing".
fn is_something(own: Option<i64>) -> bool {
    own.is_some_and(|own| own != Value::NOTHING)
}

impl Table {
    /// Returns the slot of a holder's value, and records the read. Returns `None` if the holder does not have the value.
    pub fn slot(&self, id: ValueId, holder: Holder) -> Option<usize> {
        let value = self.layout.model.value(id);
        if let (Owner::Piece(Some(_)), Holder::Piece(piece)) = (value.owner, holder) {
            self.note_read(piece);
        }
        if !value.is_public() {
            let seers = self.value_seers(id, holder);
            let seers = seers & self.trial_original.as_ref().map_or(seers, |original| original.value_seers(id, holder));
            self.note_unknown_to(!seers);
        }
        self.slot_in(value, holder)
    }

    /// Like [`slot`](Self::slot), but does not record the read. Use it only if the rules cannot observe the result.
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
                let right = kind.is_none_or(|kind| model.component(self.identity(piece).component).kind == kind);
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
                member_index(model, one, a)? * member_count(model, other) + member_index(model, other, b)?
            }
            _ => return None,
        };
        Some(value.slot + offset * value.width)
    }

    /// Returns the seats that see the value of a holder.
    ///
    /// If the value is visible to its owner, only the owner sees it. If it is visible to the team, all seats of the owner's team see it. If
    /// a team is the owner, its seats see only values that are visible to the team. The owner depends on the holder:
    ///
    /// - piece: the seat that determines its color; without a color, the owner of its zone. A seat must also know the piece to see its
    ///   value.
    /// - space: the seat or team that owns its zone.
    /// - component: the team that it represents.
    /// - seat: the seat itself.
    /// - pair: the first member if it is a team, otherwise the first seat.
    pub fn value_seers(&self, id: ValueId, holder: Holder) -> SeatSet {
        let seen_by = self.model().value(id).seen_by;
        if seen_by == FaceDownVisibility::Everybody {
            return self.layout.everybody;
        }
        if seen_by == FaceDownVisibility::Nobody {
            return 0;
        }
        let model = self.model();
        let owned_by =
            |seat: Seat| if seen_by == FaceDownVisibility::Team { teammates(model, seat) } else { Layout::only(seat) };
        let owned_by_team =
            |team: Option<ComponentId>| if seen_by == FaceDownVisibility::Team { team_seats(model, team) } else { 0 };
        let zone_owner = |space: SpaceId| {
            let zone = model.zone(self.layout.zone_of(space));
            zone.seat.map_or_else(|| owned_by_team(zone.team(model)), owned_by)
        };
        match holder {
            Holder::Pair(Member::Component(component), _) if model.team(component).is_some() => {
                owned_by_team(Some(component))
            }
            Holder::Seat(seat)
            | Holder::Pair(Member::Seat(seat), _)
            | Holder::Pair(Member::Component(_), Member::Seat(seat)) => owned_by(seat),
            Holder::Piece(piece) => {
                let owner = self.identity(piece).owner.map(owned_by);
                self.knowers(piece) & owner.unwrap_or_else(|| zone_owner(self.space_of(piece)))
            }
            Holder::Space(space) => zone_owner(space),
            Holder::Component(component) => owned_by_team(Some(component)),
            Holder::Game | Holder::Pair(..) => 0,
        }
    }

    /// Returns the content of a slot.
    pub fn value(&self, slot: usize) -> i64 {
        self.values[slot]
    }

    /// Returns the first slot of each value that was arranged by hand but overwritten by the rules that have run since.
    ///
    /// `before` and `arranged` are the tables before and after the arrangement. `otherwise` is the result of running the same rules without
    /// the arrangement. A value counts as overwritten if this table agrees with `otherwise` and not with `arranged`.
    pub(crate) fn overwritten_slots(&self, before: &Self, arranged: &Self, otherwise: &Self) -> FxHashSet<usize> {
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

    /// Pins these slots, so that rules no longer change their values. Replaces the previous set of pinned slots.
    pub(crate) fn pin_slots(&mut self, slots: FxHashSet<usize>) {
        self.pinned = (!slots.is_empty()).then(|| Arc::new(slots));
    }

    fn is_pinned(&self, slot: usize) -> bool {
        self.pinned.as_ref().is_some_and(|pinned| pinned.contains(&slot))
    }

    /// Sets a slot and returns its previous content. Pinned slots keep their content.
    ///
    /// # Errors
    /// Returns [`TableError::OutOfBounds`] if the number exceeds the bounds of a value that is not clamped.
    pub fn set_value(&mut self, id: ValueId, slot: usize, number: i64) -> Result<i64, TableError> {
        let new = check_bounds(self.layout.model.value(id), number)?;
        if self.is_pinned(slot) {
            return Ok(self.values[slot]);
        }
        Ok(std::mem::replace(&mut self.values[slot], new))
    }

    /// Returns the entries of a list. For any other value, returns its content as a slice of length one, or an empty slice for "nothing".
    pub fn entries(&self, id: ValueId, slot: usize) -> &[i64] {
        if self.layout.model.value(id).most.is_some() {
            let length = self.values[slot] as usize;
            return &self.values[slot + 1..=slot + length];
        }
        let is_there = self.values[slot] != Value::NOTHING;
        &self.values[slot..slot + usize::from(is_there)]
    }

    /// Replaces the entries of a list, or the content of another value. Pinned slots keep their content.
    ///
    /// # Errors
    /// For a list, returns [`TableError::TooLong`] if there are too many entries, or [`TableError::OutOfBounds`] as in
    /// [`set_value`](Self::set_value). The content of other values is not checked.
    pub fn set_entries(&mut self, id: ValueId, slot: usize, entries: &[i64]) -> Result<(), TableError> {
        if self.is_pinned(slot) {
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
        let entries = entries.iter().map(|number| check_bounds(value, *number)).collect::<Result<Vec<i64>, _>>()?;
        self.write_list(slot, value.width, &entries);
        Ok(())
    }

    /// Writes a list. Unused slots are zeroed, so that equal lists have equal slots.
    fn write_list(&mut self, slot: usize, width: usize, entries: &[i64]) {
        let slots = &mut self.values[slot..slot + width];
        slots.fill(0);
        slots[0] = entries.len() as i64;
        slots[1..=entries.len()].copy_from_slice(entries);
    }

    /// Returns the seats that can tell where a piece is. For a piece that lies face down in a hand or bag, these are the seats that see
    /// into the hand or bag and those that know the piece. For other pieces, these are all seats.
    pub fn followers(&self, piece: PieceId) -> SeatSet {
        let traits = self.layout.traits_of(self.zone_of(piece));
        if traits.unordered && !self.is_up(piece) { traits.seers | self.knowers(piece) } else { self.layout.everybody }
    }

    /// Removes `pieces` from all values that refer to them and are visible to a seat that is not among `followers`. If
    /// `is_shuffled` is set, removes them from all values.
    pub(super) fn clear_references(&mut self, pieces: &[PieceId], followers: SeatSet, is_shuffled: bool) {
        if self.layout.piece_references.is_empty() {
            return;
        }
        let layout = self.layout.clone();
        for id in &layout.piece_references {
            let value = layout.model.value(*id);
            for at in 0..value.slots / value.width {
                let slot = value.slot + at * value.width;
                let is_gone = |raw: &i64| pieces.iter().any(|piece| i64::from(piece.0) == *raw);
                if !self.entries(*id, slot).iter().any(is_gone) {
                    continue;
                }
                let seers = self.value_seers(*id, holder_of(&layout.model, value, at));
                if !is_shuffled && seers & !followers == 0 {
                    continue;
                }
                let left: Vec<i64> = self.entries(*id, slot).iter().copied().filter(|raw| !is_gone(raw)).collect();
                match value.most {
                    Some(_) => self.write_list(slot, value.width, &left),
                    None => self.values[slot] = Value::NOTHING,
                }
            }
        }
    }

    /// Redraws every value that `seat` may not know.
    ///
    /// `now` is this table or a later one, on which the seat may have lost track of a piece or see more than before. The results do not
    /// depend on anything that the seat cannot see.
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
            let own = (value.owner == Owner::Seat && value.seen_by == FaceDownVisibility::Owner)
                .then(|| self.entries(id, slots(seat.index()).start).first().copied())
                .flatten();
            for at in unseen {
                let slot = slots(at).start;
                let seers = self.value_seers(id, holder_of(&model, value, at));
                let Some(most) = value.most else {
                    self.values[slot] = self.draw_entry(id, at, own, seers, chance).unwrap_or(Value::NOTHING);
                    continue;
                };
                let length = chance.below(u32::from(most) + 1);
                let entries: Vec<i64> =
                    (0..length).filter_map(|_| self.draw_entry(id, at, own, seers, chance)).collect();
                let entries: Vec<i64> = entries.into_iter().filter(|raw| *raw != Value::NOTHING).collect();
                self.write_list(slot, value.width, &entries);
            }
        }
    }

    /// Draws random content for a value, or for one entry of a list. Draws pieces from those in play whose location is known to all
    /// `seers`, the seats that see the value. Returns `None` for "nothing" in a value that refers to pieces.
    fn draw_entry(&self, id: ValueId, at: usize, own: Option<i64>, seers: SeatSet, chance: &mut Chance) -> Option<i64> {
        if self.layout.model.value(id).kind != ValueType::Piece {
            return Some(draw_content(&self.layout.model, id, at, own, chance));
        }
        let spaces = (0..self.stacks.len()).map(SpaceId::at).filter(|space| self.layout.zone_of(*space) != ZoneId(0));
        let pieces = spaces.flat_map(|space| self.stack(space));
        let able: Vec<PieceId> = pieces.filter(|piece| seers & !self.followers(*piece) == 0).collect();
        let nothing = u32::from(!is_something(own) || able.is_empty());
        let drawn = chance.below(able.len() as u32 + nothing) as usize;
        able.get(drawn).map(|piece| i64::from(piece.0))
    }

    /// Returns the slots of values that refer to a piece, each with the seats that see the value.
    fn references_to(&self, piece: PieceId) -> SmallVec<[(usize, SeatSet); 4]> {
        let mut found = SmallVec::new();
        for id in &self.layout.piece_references {
            let value = self.model().value(*id);
            for at in 0..value.slots / value.width {
                let slot = value.slot + at * value.width;
                if self.entries(*id, slot).contains(&i64::from(piece.0)) {
                    found.push((slot, self.value_seers(*id, holder_of(self.model(), value, at))));
                }
            }
        }
        found
    }

    /// Returns a summary of everything that a seat sees of a piece's values: their contents in the order of declaration, then the slots of
    /// visible values that refer to the piece. Returns `None` if one of the piece's values is hidden from the seat.
    pub fn values_seen(&self, piece: PieceId, seat: Seat) -> Option<SmallVec<[i64; 4]>> {
        let held = self.layout.of_pieces.iter().filter_map(|id| Some((*id, self.slot_of(*id, Holder::Piece(piece))?)));
        let sees = |id: ValueId| self.value_seers(id, Holder::Piece(piece)) & Layout::only(seat) != 0;
        let mut found: SmallVec<[i64; 4]> =
            held.map(|(id, slot)| sees(id).then(|| self.values[slot])).collect::<Option<_>>()?;
        if !self.layout.piece_references.is_empty() {
            let seen = self.references_to(piece).into_iter().filter(|(_, seers)| seers & Layout::only(seat) != 0);
            found.extend(seen.map(|(slot, _)| slot as i64));
        }
        Some(found)
    }

    /// Returns the seats that see all values of two pieces and see no difference between them.
    ///
    /// Pieces with a hidden value never count as equal, even if their values are the same: the result must not reveal a hidden value.
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
        if self.layout.piece_references.is_empty() {
            return same;
        }
        // A visible value that refers to only one of the two pieces distinguishes them.
        let [one, other] = [a, b].map(|piece| self.references_to(piece));
        let unlike =
            one.iter().filter(|held| !other.contains(held)).chain(other.iter().filter(|held| !one.contains(held)));
        unlike.fold(same, |seats, (_, seers)| seats & !seers)
    }

    /// Resets all values whose lifetime is `span`.
    pub fn expire(&mut self, span: ResetPeriod) {
        let Self { layout, values, .. } = self;
        for (slot, start) in layout.expiring.iter().filter(|(lasts, ..)| *lasts == span).flat_map(|(_, slots)| slots) {
            values[*slot] = *start;
        }
    }

    /// Returns, for each hidden value of a piece, the seats that see it.
    pub(super) fn seers_of_hidden_values(&self, piece: PieceId) -> SmallVec<[SeatSet; 2]> {
        let hidden = self.layout.hidden_piece_values.iter();
        hidden.map(|id| self.value_seers(*id, Holder::Piece(piece))).collect()
    }

    /// Resets those values of a piece that exist only in certain zones, if the piece has left these zones. Triggers can read the old
    /// contents until the end of the step.
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
                // Pieces have no list values, so each of their values takes one slot.
                let slot = value.slot + piece.index();
                self.last_known.insert(slot, self.values[slot]);
            }
            self.reset(model, *id, piece);
        }
    }

    /// Returns whether a piece has a value in its current zone.
    pub(crate) fn keeps_value(&self, id: ValueId, piece: PieceId) -> bool {
        let model = self.model();
        let on = &model.value(id).on;
        on.is_empty() || on.contains(&model.zone(self.zone_of(piece)).family)
    }

    /// Sets whether rules read the last known value of a piece that has left the zones in which it has the value. Rules do so while
    /// triggers run.
    pub(crate) fn set_recalling(&mut self, is_on: bool) {
        self.recalls_last_known = is_on;
    }

    /// Forgets the last known values at the end of a step.
    pub(crate) fn forget_last_known(&mut self) {
        self.last_known.clear();
        self.recalls_last_known = false;
    }

    /// Returns the last known number of a piece that has left the zones of a value. Rules read this number instead of the slot. Returns
    /// `None` for other holders, and while recalling is off.
    #[inline]
    pub(crate) fn last_known(&self, id: ValueId, holder: Holder, slot: usize) -> Option<i64> {
        match holder {
            Holder::Piece(piece) if self.recalls_last_known && !self.keeps_value(id, piece) => {
                self.last_known.get(&slot).copied()
            }
            _ => None,
        }
    }

    /// Resets one value of a piece.
    fn reset(&mut self, model: &Model, id: ValueId, piece: PieceId) {
        let slot = model.value(id).slot + piece.index();
        self.values[slot] = start_value(model, id, piece.index());
    }

    /// Resets all values of a piece.
    pub(super) fn forget_piece_values(&mut self, piece: PieceId) {
        let layout = self.layout.clone();
        for id in &layout.of_pieces {
            self.reset(&layout.model, *id, piece);
        }
    }
}

/// Returns `number` if it is within the bounds of a value, or the nearest bound if the value is clamped. Only values that are numbers have
/// bounds.
///
/// # Errors
/// Returns [`TableError::OutOfBounds`] if the number is outside the bounds of a value that is not clamped.
#[inline]
fn check_bounds(value: &Value, number: i64) -> Result<i64, TableError> {
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
