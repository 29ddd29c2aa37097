//! What each seat can tell of the faces of pieces.
//!
//! Every piece has the set of seats that can tell its face. Whoever cannot, knows the *mix* the piece is in: which faces
//! went into it, though not which of them went where. A face that only some knew when it went in stays an output of the
//! older mix for the others, so that mixes form a graph without cycles. Everything here is decided by what is public (which
//! pieces were mixed, and who knows them), or by faces that all who could tell the difference know.

use super::{NONE, Piece, Print, SeatSet, Table};
use crate::model::{Content, PieceId, SpaceId, ZoneId};
use smallvec::SmallVec;
use std::sync::Arc;

/// How many mixes may hang together before they are made one. The one says less than the many, but nothing wrong.
const CONNECTED: usize = 32;

/// A face that went into a mix known to some seats alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Input {
    pub(super) print: Print,
    /// The seats that saw it go in.
    pub(super) known: SeatSet,
    /// The mix the others know it from.
    pub(super) older: u16,
}

/// Faces that went in and places that came out, as many, and nobody outside saw which is which.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mix {
    /// Larger than that of every mix its inputs come from.
    pub(super) order: u32,
    /// The inputs every seat knows.
    pub(super) open: Vec<Print>,
    /// The other inputs.
    pub(super) special: Vec<Input>,
    /// How many pieces, and inputs of younger mixes, come out of it.
    pub(super) outputs: u32,
}

/// The mixes of a table; clones share them until one changes.
#[derive(Debug, Clone, Default)]
pub(super) struct Mixes {
    list: Arc<Vec<Option<Arc<Mix>>>>,
    orders: u32,
    live: usize,
}

impl Mixes {
    /// The mix of a piece that every seat knows.
    pub(super) const NONE: u16 = u16::MAX;

    pub(super) fn get(&self, id: u16) -> &Mix {
        self.list[id as usize].as_deref().expect("a piece or an input names only mixes that are there")
    }

    pub(super) fn edit(&mut self, id: u16) -> &mut Mix {
        let entry = Arc::make_mut(&mut self.list)[id as usize].as_mut();
        Arc::make_mut(entry.expect("a piece or an input names only mixes that are there"))
    }

    /// Every mix, with its id.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u16, &Mix)> {
        self.list.iter().enumerate().filter_map(|(id, mix)| Some((id as u16, mix.as_deref()?)))
    }

    /// How many mixes there are.
    pub(super) const fn len(&self) -> usize {
        self.live
    }

    /// Whether two tables hold the very same mixes.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.list, &other.list)
    }

    fn add(&mut self, mut mix: Mix) -> u16 {
        self.orders += 1;
        self.live += 1;
        mix.order = self.orders;
        let list = Arc::make_mut(&mut self.list);
        let free = list.iter().position(Option::is_none).unwrap_or_else(|| {
            list.push(None);
            list.len() - 1
        });
        list[free] = Some(Arc::new(mix));
        free as u16
    }

    fn remove(&mut self, id: u16) -> Arc<Mix> {
        self.live -= 1;
        Arc::make_mut(&mut self.list)[id as usize].take().expect("a mix is removed once")
    }

    fn drop_output(&mut self, id: u16) {
        let mix = self.edit(id);
        mix.outputs -= 1;
        if mix.outputs == 0 {
            debug_assert!(mix.open.is_empty() && mix.special.is_empty(), "as many inputs as outputs");
            self.remove(id);
        }
    }

    /// Takes one input with a face everybody now knows out of a mix, if every seat would take the same one. Gives the mix the
    /// face is known from now: an older one, or [`Mixes::NONE`] if it is settled.
    fn take(&mut self, id: u16, print: Print, everybody: SeatSet) -> Option<u16> {
        let mix = self.get(id);
        if let Some(index) = mix.open.iter().position(|&open| open == print) {
            self.edit(id).open.swap_remove(index);
            self.drop_output(id);
            return Some(Self::NONE);
        }
        let index = self.the_only_input(mix, print, everybody)?;
        let input = self.edit(id).special.swap_remove(index);
        self.drop_output(id);
        Some(input.older)
    }

    /// The input with a face, if no seat could tell it from others that may have the face as well.
    fn the_only_input(&self, mix: &Mix, print: Print, everybody: SeatSet) -> Option<usize> {
        let mut found: Option<Input> = None;
        let mut index = None;
        for (at, &input) in mix.special.iter().enumerate() {
            let may = if input.known == everybody {
                input.print == print
            } else {
                self.may_supply(input.older, print, everybody, &mut SmallVec::new())
            };
            if !may {
                continue;
            }
            if found.is_some_and(|found| found.older != input.older || found.known != input.known) {
                return None;
            }
            found = Some(input);
            if input.print == print {
                index = Some(at);
            }
        }
        index
    }

    /// Whether, for all that is public, a face may come out of a mix.
    fn may_supply(&self, id: u16, print: Print, everybody: SeatSet, barren: &mut SmallVec<[u16; 16]>) -> bool {
        if barren.contains(&id) {
            return false;
        }
        barren.push(id);
        let mix = self.get(id);
        mix.open.contains(&print)
            || mix.special.iter().any(|input| {
                if input.known == everybody {
                    input.print == print
                } else {
                    self.may_supply(input.older, print, everybody, barren)
                }
            })
    }

    /// Replaces the inputs from older mixes that go into this one whole by what went into those.
    fn flatten(&mut self, mix: &mut Mix, everybody: SeatSet) {
        while let Some(older) = self.whole(mix, everybody) {
            let gone = self.remove(older);
            mix.special.retain(|input| input.older != older);
            mix.open.extend_from_slice(&gone.open);
            mix.special.extend_from_slice(&gone.special);
        }
    }

    /// An older mix of which everything goes into this one, and nobody has seen more of than of what went into it.
    fn whole(&self, mix: &Mix, everybody: SeatSet) -> Option<u16> {
        let mut from: SmallVec<[(u16, u32, SeatSet); 8]> = SmallVec::new();
        for input in &mix.special {
            match from.iter_mut().find(|(older, ..)| *older == input.older) {
                Some((_, count, known)) => {
                    *count += 1;
                    *known |= input.known;
                }
                None => from.push((input.older, 1, input.known)),
            }
        }
        let whole = from.into_iter().find(|&(older, count, known)| {
            let older = self.get(older);
            count == older.outputs
                && known & !older.special.iter().fold(everybody, |all, input| all & input.known) == 0
        });
        whole.map(|(older, ..)| older)
    }

    /// Some mixes that hang together, if any do.
    fn first_connected(&self) -> Option<Vec<u16>> {
        let (id, _) = self.iter().find(|(_, mix)| !mix.special.is_empty())?;
        Some(self.connected(id))
    }

    /// The mixes that hang together with one, itself included.
    fn connected(&self, id: u16) -> Vec<u16> {
        let mut group: Vec<usize> = (0..self.list.len()).collect();
        for (id, mix) in self.iter() {
            for input in &mix.special {
                let (a, b) = (root(&mut group, id as usize), root(&mut group, input.older as usize));
                group[a] = b;
            }
        }
        let mine = root(&mut group, id as usize);
        let ids: Vec<u16> = self.iter().map(|(id, _)| id).collect();
        ids.into_iter().filter(|&id| root(&mut group, id as usize) == mine).collect()
    }
}

fn root(group: &mut [usize], mut at: usize) -> usize {
    while group[at] != at {
        group[at] = group[group[at]];
        at = group[at];
    }
    at
}

impl Table {
    /// The seats that see the face of a piece where it lies now.
    pub fn watchers(&self, piece: PieceId) -> SeatSet {
        let entry = &self.pieces[piece.index()];
        let traits = self.layout.traits_of(self.layout.zone_of(entry.at));
        if entry.up && (!traits.shows_top || entry.above == NONE) { self.layout.everybody } else { traits.seers }
    }

    /// The seats that can tell the face of a piece: they see it, or have seen it and not lost track of it.
    pub fn knowers(&self, piece: PieceId) -> SeatSet {
        self.pieces[piece.index()].known
    }

    /// How many mixes the table keeps: a measure of what it costs to tell who knows what.
    pub const fn mix_count(&self) -> usize {
        self.mixes.len()
    }

    /// Makes public that every piece now in a zone is of a kind, or is one component.
    pub fn narrow(&mut self, zone: ZoneId, content: Content) {
        let handles: Vec<PieceId> = self.pieces(zone).collect();
        for handle in handles {
            let narrowed = &mut self.pieces[handle.index()].narrowed;
            if !matches!(narrowed, Some(Content::Component(_))) {
                *narrowed = Some(content);
            }
        }
    }

    /// Makes whoever does not see into a hand or bag lose track of its single pieces, as before a blind draw from it.
    pub fn lose_track(&mut self, space: SpaceId) {
        let traits = self.layout.traits_of(self.layout.zone_of(space));
        if traits.unordered {
            self.confuse(space, traits.seers);
        }
    }

    pub(super) fn see(&mut self, piece: PieceId, seats: SeatSet) {
        let entry = &mut self.pieces[piece.index()];
        entry.known |= seats;
        if entry.mix != Mixes::NONE && entry.known == self.layout.everybody {
            self.settle(piece);
        }
    }

    /// After a piece has left a space: what it covered may be seen now.
    pub(super) fn uncover(&mut self, space: SpaceId) {
        if self.layout.traits_of(self.layout.zone_of(space)).shows_top
            && let Some(top) = self.top(space)
        {
            self.see(top, self.watchers(top));
        }
    }

    /// After a piece has come into a zone, or was turned over in it.
    pub(super) fn arrive(&mut self, piece: PieceId, zone: ZoneId) {
        self.see(piece, self.watchers(piece));
        let traits = self.layout.traits_of(zone);
        let entry = &self.pieces[piece.index()];
        if traits.unordered && !entry.up {
            self.confuse(entry.at, traits.seers);
        }
    }

    /// Before the faces of these pieces are shuffled: nobody can tell any of them afterwards.
    pub(super) fn mix(&mut self, handles: &[PieceId]) {
        self.agree_on_narrowed(handles);
        if !self.are_alike(handles, 0) {
            self.form_mix(handles, 0);
        }
    }

    /// The face-down pieces of a hand or bag become one mix for all but those who see in.
    fn confuse(&mut self, space: SpaceId, seers: SeatSet) {
        if seers == self.layout.everybody || self.height(space) < 2 {
            return;
        }
        let hidden = self.stack(space).filter(|handle| !self.pieces[handle.index()].up);
        let handles: SmallVec<[PieceId; 32]> = hidden.collect();
        if handles.len() < 2 {
            return;
        }
        self.agree_on_narrowed(&handles);
        if !self.are_alike(&handles, seers) {
            self.form_mix(&handles, seers);
        }
    }

    /// Whether these pieces are of one mix already, and nobody but the seers can tell any of them.
    fn are_alike(&self, handles: &[PieceId], seers: SeatSet) -> bool {
        let mix = self.pieces[handles[0].index()].mix;
        mix != Mixes::NONE
            && handles.iter().all(|handle| {
                let entry = &self.pieces[handle.index()];
                entry.mix == mix && entry.known & !seers == 0
            })
    }

    /// What was made public of single pieces is lost when they are confused with others of which it was not.
    fn agree_on_narrowed(&mut self, handles: &[PieceId]) {
        let Some(first) = handles.first() else { return };
        let narrowed = self.pieces[first.index()].narrowed;
        if handles.iter().any(|handle| self.pieces[handle.index()].narrowed != narrowed) {
            for handle in handles {
                self.pieces[handle.index()].narrowed = None;
            }
        }
    }

    fn form_mix(&mut self, handles: &[PieceId], seers: SeatSet) {
        let mut mix = Mix { order: 0, open: Vec::new(), special: Vec::new(), outputs: handles.len() as u32 };
        for handle in handles {
            let Piece { mix: older, known, face, .. } = self.pieces[handle.index()];
            match older {
                Mixes::NONE => mix.open.push(face.print),
                older => mix.special.push(Input { print: face.print, known, older }),
            }
        }
        self.mixes.flatten(&mut mix, self.layout.everybody);
        let id = self.mixes.add(mix);
        for handle in handles {
            let entry = &mut self.pieces[handle.index()];
            entry.mix = id;
            entry.known &= seers;
        }
        if self.mixes.len() > CONNECTED {
            let connected = self.mixes.connected(id);
            if connected.len() > CONNECTED {
                self.unite(&connected);
            }
        }
    }

    /// Makes one mix of all that hang together, everywhere.
    pub(super) fn unite_connected(&mut self) {
        while let Some(connected) = self.mixes.first_connected() {
            self.unite(&connected);
        }
    }

    /// Makes one mix of all that hang together: of its inputs it keeps those that everybody knows, which are as many as the
    /// pieces that come out.
    fn unite(&mut self, ids: &[u16]) {
        let mut open = Vec::new();
        for &id in ids {
            open.extend_from_slice(&self.mixes.remove(id).open);
        }
        let outputs = open.len() as u32;
        let united = self.mixes.add(Mix { order: 0, open, special: Vec::new(), outputs });
        for index in 0..self.pieces.len() {
            if ids.contains(&self.pieces[index].mix) {
                self.pieces[index].mix = united;
            }
        }
        for index in 0..self.pieces.len() {
            if self.pieces[index].mix == united && self.pieces[index].known == self.layout.everybody {
                self.settle(PieceId::at(index));
            }
        }
    }

    /// Takes a piece that everybody knows out of its mix with one face alike, as far as no seat learns more by it.
    fn settle(&mut self, piece: PieceId) {
        let print = self.pieces[piece.index()].face.print;
        while self.pieces[piece.index()].mix != Mixes::NONE {
            let mix = self.pieces[piece.index()].mix;
            let Some(older) = self.mixes.take(mix, print, self.layout.everybody) else { return };
            self.pieces[piece.index()].mix = older;
        }
    }
}
