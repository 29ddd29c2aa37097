//! Fingerprint of a table: a stable 64-bit hash.
//!
//! The fingerprint is the sum of the hashes of facts, such as "this component lies on that space" or "this value has that content". Each
//! hash is computed from names. Swapping equal pieces does not change the fingerprint. Empty zones, and values that have not changed since
//! the start, contribute nothing; an added zone, value or param therefore does not change the fingerprint of an old game.

use super::Table;
use super::layout::name_hash;
use super::value;
use crate::model::{Owner, PieceId, Seat, Value, ValueType};
use crate::table::value::Member;
use std::borrow::Cow;

impl Table {
    /// Returns the fingerprint of the current state.
    pub fn fingerprint(&self) -> u64 {
        self.pieces_hash().wrapping_add(self.values_hash()).wrapping_add(self.position_hash())
    }

    fn pieces_hash(&self) -> u64 {
        let mut sum = 0_u64;
        for space in self.occupied.iter_in(0..self.stacks.len() as u16) {
            let index = space.index();
            let ordered = !self.layout.traits_of(self.layout.zone_of(space)).unordered;
            for (height, handle) in self.stack_from_bottom(space).enumerate() {
                let piece = &self.pieces[handle.index()];
                let place = self.layout.names.spaces[index].wrapping_add(if ordered { height as u64 + 1 } else { 0 });
                let looks =
                    u64::from(piece.up) | u64::from(piece.turned) << 1 | seat_code(piece.face.identity.owner) << 16;
                let name = self.layout.names.components[piece.face.identity.component.index()];
                sum = sum.wrapping_add(mix_hash(&[place, name, looks]));
            }
        }
        self.for_each_layer_fact(|piece, rank, space, height| {
            let name = self.layout.names.components[self.identity(piece).component.index()];
            sum = sum.wrapping_add(mix_hash(&[name, rank, self.layout.names.spaces[space.index()], height]));
        });
        sum
    }

    fn values_hash(&self) -> u64 {
        let model = self.model();
        let opened = self.layout.opened.get().map(|opened| Cow::Borrowed(&opened.values));
        let starts = opened.unwrap_or_else(|| Cow::Owned(value::start_values(model)));
        let mut sum = 0_u64;
        for (index, value) in model.values.iter().enumerate() {
            for at in 0..value.slots {
                let slot = value.slot + at;
                if self.values[slot] != starts[slot] {
                    let name = self.layout.names.values[index];
                    let (holder, place) = (self.holder_hash(value, at / value.width), at % value.width);
                    let raw = self.raw_hash(value, slot, value.most.is_some() && place == 0);
                    sum = sum.wrapping_add(match place {
                        0 => mix_hash(&[name, holder, raw]),
                        place => mix_hash(&[name, holder, raw, place as u64]),
                    });
                }
            }
        }
        sum
    }

    fn holder_hash(&self, value: &Value, at: usize) -> u64 {
        let model = self.model();
        match value.owner {
            Owner::Game => 0,
            Owner::Seat => at as u64,
            Owner::Component(kind) => self.layout.names.components[model.kinds[kind.index()].components[at].index()],
            Owner::Piece(_) => self.layout.names.spaces[self.pieces[at].at.index()],
            Owner::Space(family) => {
                let first = model.zones[model.family(family).zones.start as usize].spaces.start as usize;
                self.layout.names.spaces[first + at]
            }
            Owner::Pair(..) => {
                let value::Holder::Pair(one, other) = value::holder_of(model, value, at) else { return 0 };
                let hash = |member| match member {
                    Member::Seat(seat) => seat_code(Some(seat)),
                    Member::Component(component) => self.layout.names.components[component.index()],
                };
                mix_hash(&[hash(one), hash(other)])
            }
        }
    }

    fn raw_hash(&self, value: &Value, slot: usize, is_length: bool) -> u64 {
        let raw = self.values[slot];
        match &value.kind {
            _ if is_length => raw as u64,
            _ if raw == Value::NOTHING => u64::MAX,
            ValueType::Piece => self.piece_hash(PieceId(raw as u16)),
            ValueType::Component(_) => self.layout.names.components[raw as usize],
            ValueType::Space(_) => self.layout.names.spaces[raw as usize],
            ValueType::Word(words) => name_hash(&["word", &words[raw as usize]]),
            _ => raw as u64,
        }
    }

    /// Hashes a piece by its component and its place.
    fn piece_hash(&self, piece: PieceId) -> u64 {
        let space = self.space_of(piece);
        let is_ordered = !self.layout.traits_of(self.layout.zone_of(space)).unordered;
        let below = || self.stack_from_bottom(space).take_while(|other| *other != piece).count() as u64 + 1;
        let name = self.layout.names.components[self.identity(piece).component.index()];
        mix_hash(&[name, self.layout.names.spaces[space.index()], if is_ordered { below() } else { 0 }])
    }

    fn position_hash(&self) -> u64 {
        let position = &self.position;
        let phase = position.phase.map_or(0, |phase| self.layout.names.phases[phase.index()]);
        let mut sum =
            mix_hash(&[position.round as u64, seat_code(Some(position.first)), seat_code(position.active), phase]);
        if position.eliminated != 0 {
            sum = sum.wrapping_add(mix_hash(&[u64::MAX, u64::from(position.eliminated)]));
        }
        // Extra turns that were granted and have not been taken yet.
        for (depth, turns) in position.loops.iter().enumerate() {
            let given = turns.given.iter().map(|at| seat_code(Some(turns.order[usize::from(*at)])));
            let again = (turns.again > 0).then_some(u64::from(turns.again));
            for (place, what) in again.into_iter().map(|again| (0, again)).chain((1..).zip(given)) {
                sum = sum.wrapping_add(mix_hash(&[depth as u64, place, what]));
            }
        }
        sum
    }
}

/// Returns the number that represents a seat in hashes; 0 for no seat.
pub(super) fn seat_code(seat: Option<Seat>) -> u64 {
    seat.map_or(0, |seat| u64::from(seat.0) + 1)
}

/// Hashes a list of numbers into one with the finalizer of `SplitMix64` (Steele, Lea and Flood 2014).
pub(crate) fn mix_hash(parts: &[u64]) -> u64 {
    parts.iter().fold(0x9e37_79b9_7f4a_7c15, |hash, &part| {
        let mut z = (hash ^ part).wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    })
}
