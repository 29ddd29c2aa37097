//! Knowledge of faces: which seats know the face of which piece.
//!
//! Every piece has the set of seats that know its face. The other seats know the *mix* that the piece is in: which
//! faces went into the mix, but not which piece has which face. If only some seats knew a face when it went in, it
//! remains an output of the older mix for the others, so that mixes form a directed acyclic graph. Pieces with
//! different backs are in the same mix only if they were shuffled together.
//!
//! All updates depend only on public facts (which pieces were mixed, and who knows them), or on faces known to every
//! seat that could notice the difference. Otherwise the structure of the mixes would reveal hidden faces.

use crate::model::{Content, PieceId, Seat, SpaceId, ZoneId};
use crate::table::knowledge::mix::{Input, Mix, Mixes};
use crate::table::{Layout, NONE, Piece, SeatSet, Table};
use smallvec::SmallVec;

/// Maximum number of connected mixes. If there are more, they are merged into one mix. This loses information, but records nothing false.
const MAX_CONNECTED_MIXES: usize = 32;

impl Table {
    /// Returns the seats that see the face of a piece where it lies.
    #[inline]
    pub fn watchers(&self, piece: PieceId) -> SeatSet {
        let entry = &self.pieces[piece.index()];
        let traits = self.layout.traits_of(self.layout.zone_of(entry.at));
        if entry.up && (!traits.shows_top || entry.above == NONE) { self.layout.everybody } else { traits.seers }
    }

    /// Returns the seats that know the face of a piece: they see it, or have seen it and not lost track of the piece
    /// since.
    #[inline]
    pub fn knowers(&self, piece: PieceId) -> SeatSet {
        self.pieces[piece.index()].known
    }

    /// Returns whether a pile has different pieces and some seat knows the face of one of them. A face-up piece on top does not count.
    pub fn is_order_seen(&self, space: SpaceId) -> bool {
        let traits = self.layout.traits_of(self.layout.zone_of(space));
        let identity = |piece: PieceId| self.pieces[piece.index()].face.identity;
        let top = self.top(space);
        let is_seen = |piece: PieceId| self.knowers(piece) != 0 && !(Some(piece) == top && self.is_up(piece));
        !traits.unordered
            && self.stack(space).any(|piece| Some(identity(piece)) != top.map(identity))
            && self.stack(space).any(is_seen)
    }

    /// Returns the number of mixes, a measure of the cost of tracking knowledge.
    pub const fn mix_count(&self) -> usize {
        self.mixes.len()
    }

    /// Makes public that every piece currently in a zone is of a kind, or is a certain component.
    pub fn narrow(&mut self, zone: ZoneId, content: Content) {
        let handles: Vec<PieceId> = self.pieces(zone).collect();
        for handle in handles {
            let narrowed = &mut self.pieces[handle.index()].narrowed;
            if !matches!(narrowed, Some(Content::Component(_))) {
                *narrowed = Some(content);
            }
        }
    }

    /// Mixes the initial contents of hands and bags, for all seats that do not see into them. If nobody sees into a hand, nothing is mixed:
    /// the players who set up the game have chosen these pieces.
    pub(in crate::table) fn begin_hidden(&mut self) {
        for index in 0..self.stacks.len() {
            let space = SpaceId::at(index);
            let traits = self.layout.traits_of(self.layout.zone_of(space));
            let identity = |handle: PieceId| self.pieces[handle.index()].face.identity;
            let are_alike = || self.stack(space).all(|handle| Some(identity(handle)) == self.top(space).map(identity));
            if traits.unordered && traits.seers != 0 && !are_alike() {
                self.confuse(space, traits.seers);
            }
        }
    }

    /// Returns whether every seat sees the face of a piece.
    pub(crate) fn is_watched_by_all(&self, piece: PieceId) -> bool {
        self.watchers(piece) == self.layout.everybody
    }

    /// Makes the seats forget every face that they do not see. Used for positions that are set up by hand.
    pub fn hide_what_is_hidden(&mut self) {
        let everybody = self.layout.everybody;
        let hidden: Vec<PieceId> = self.all_pieces().filter(|handle| self.watchers(*handle) != everybody).collect();
        if hidden.len() < 2 {
            return;
        }
        for handles in self.by_back(&hidden) {
            self.form_mix(&handles, 0);
            for handle in handles {
                self.reveal_to(handle, self.watchers(handle));
                self.clear_references(&[handle], self.followers(handle), false);
            }
        }
    }

    /// Groups pieces by their backs.
    fn by_back(&self, handles: &[PieceId]) -> SmallVec<[SmallVec<[PieceId; 32]>; 4]> {
        let mut groups: SmallVec<[(u16, SmallVec<[PieceId; 32]>); 4]> = SmallVec::new();
        for &handle in handles {
            let back = self.layout.back_of(self.identity(handle).component);
            match groups.iter_mut().find(|(other, _)| *other == back) {
                Some((_, group)) => group.push(handle),
                None => groups.push((back, SmallVec::from_slice(&[handle]))),
            }
        }
        groups.into_iter().map(|(_, group)| group).collect()
    }

    /// Lets seats learn the face of a piece.
    pub(in crate::table) fn reveal_to(&mut self, piece: PieceId, seats: SeatSet) {
        let Piece { at, known, .. } = self.pieces[piece.index()];
        if seats & !known != 0 {
            self.note_disclosed(at, seats & !known, known);
        }
        let entry = &mut self.pieces[piece.index()];
        entry.known |= seats;
        entry.turn_known |= seats;
        if entry.mix != Mixes::NONE && entry.known == self.layout.everybody {
            self.settle(piece);
        }
    }

    /// Updates knowledge after a piece has left a space. The piece below it may be visible now.
    pub(in crate::table) fn uncover(&mut self, space: SpaceId) {
        if self.layout.traits_of(self.layout.zone_of(space)).shows_top
            && let Some(top) = self.top(space)
        {
            self.reveal_to(top, self.watchers(top));
        }
    }

    /// Makes the seats that do not see into a hand or bag lose track of the individual pieces in it. Called before a blind draw, and after
    /// pieces have entered the hand or were turned face down in it.
    pub fn lose_track(&mut self, space: SpaceId) {
        let traits = self.layout.traits_of(self.layout.zone_of(space));
        if traits.unordered {
            self.confuse(space, traits.seers);
        }
    }

    /// Records that pieces of a hand or bag were shown to some seats, which keep track of these pieces for now.
    pub fn look_on(&mut self, space: SpaceId, seats: SeatSet) {
        if !self.layout.traits_of(self.layout.zone_of(space)).unordered {
            return;
        }
        match self.looked_at.iter_mut().find(|(other, _)| *other == space) {
            Some((_, looking)) => *looking |= seats,
            None => self.looked_at.push((space, seats)),
        }
    }

    /// Ends the showing of hands and bags, before a seat is asked or after a step. A hand that was shown to the asked seat stays shown. In
    /// the other hands, seats lose track of which piece is which.
    pub fn look_away(&mut self, asked: Option<Seat>) {
        if self.looked_at.is_empty() {
            return;
        }
        let (kept, over) = std::mem::take(&mut self.looked_at).into_iter().partition(|(space, looking)| {
            let seers = self.layout.traits_of(self.layout.zone_of(*space)).seers;
            asked.is_some_and(|seat| looking & !seers & Layout::only(seat) != 0)
        });
        self.looked_at = kept;
        let over: SmallVec<[(SpaceId, SeatSet); 1]> = over;
        over.into_iter().for_each(|(space, _)| self.lose_track(space));
    }

    /// Makes all seats forget the faces of pieces that are about to be shuffled.
    pub(in crate::table) fn mix(&mut self, handles: &[PieceId]) {
        self.clear_references(handles, 0, true);
        self.agree_on_narrowed(handles);
        if !self.are_alike(handles, 0) || self.are_told_apart(handles, true) {
            self.form_mix(handles, 0);
        }
    }

    /// Puts the face-down pieces of a hand or bag that have the same back into one mix, for all seats that do not see
    /// into it.
    fn confuse(&mut self, space: SpaceId, seers: SeatSet) {
        if seers == self.layout.everybody || self.height(space) < 2 {
            return;
        }
        let hidden: SmallVec<[PieceId; 32]> =
            self.stack(space).filter(|handle| !self.pieces[handle.index()].up).collect();
        if hidden.len() < 2 {
            return;
        }
        for handles in self.by_back(&hidden) {
            // A piece whose back is unique here can still be tracked.
            if handles.len() > 1 {
                self.clear_references(&handles, seers, false);
            }
            self.agree_on_narrowed(&handles);
            if !self.are_alike(&handles, seers) || self.are_told_apart(&handles, false) {
                self.form_mix(&handles, seers);
            }
        }
    }

    /// Returns whether these pieces are already in one mix and none of them is known to any seat outside `seers`.
    fn are_alike(&self, handles: &[PieceId], seers: SeatSet) -> bool {
        let mix = self.pieces[handles[0].index()].mix;
        mix != Mixes::NONE
            && handles.iter().all(|handle| {
                let entry = &self.pieces[handle.index()];
                entry.mix == mix && entry.known & !seers == 0
            })
    }

    /// Drops public facts about the pieces to be mixed, unless the same facts hold for all of them.
    fn agree_on_narrowed(&mut self, handles: &[PieceId]) {
        let Some(first) = handles.first() else { return };
        let narrowed = self.pieces[first.index()].narrowed;
        if handles.iter().any(|handle| self.pieces[handle.index()].narrowed != narrowed) {
            self.lost_track = self.layout.everybody;
            for handle in handles {
                self.pieces[handle.index()].narrowed = None;
            }
        }
    }

    /// Puts pieces into a new mix. Afterwards, a seat knows the face of a piece only if the seat knew it before and is one of `seers`.
    pub(in crate::table) fn form_mix(&mut self, handles: &[PieceId], seers: SeatSet) {
        let tags = self.tags_of(handles);
        let mut mix = Mix { order: 0, open: Vec::new(), special: Vec::new(), outputs: handles.len() as u32 };
        for (at, handle) in handles.iter().enumerate() {
            let Piece { mix: older, known, face, .. } = self.pieces[handle.index()];
            let tag = tags.get(at).copied().unwrap_or_default();
            match older {
                Mixes::NONE => mix.open.push(face.identity),
                older => mix.special.push(Input { identity: face.identity, known, older, tag }),
            }
        }
        let keep_all = handles.iter().fold(seers, |keep, handle| keep & self.pieces[handle.index()].known);
        self.lost_track |= self.layout.everybody & !keep_all;
        self.mixes.flatten(&mut mix, self.layout.everybody);
        if seers == 0 && self.forget_learned_within(&mut mix) {
            self.mixes.flatten(&mut mix, self.layout.everybody);
        }
        let id = self.mixes.add(mix);
        for handle in handles {
            let entry = &mut self.pieces[handle.index()];
            entry.mix = id;
            entry.known &= seers;
        }
        if self.mixes.len() > MAX_CONNECTED_MIXES {
            let connected = self.mixes.connected(id);
            if connected.len() > MAX_CONNECTED_MIXES {
                self.unite(&connected);
            }
        }
    }

    /// Merges each group of connected mixes into one mix.
    pub(in crate::table) fn unite_connected(&mut self) {
        while let Some(connected) = self.mixes.first_connected() {
            self.unite(&connected);
        }
    }

    /// Merges connected mixes into one. The inputs of the merged mix are those inputs of the connected mixes that every seat knows. There
    /// is one for each piece that comes out.
    fn unite(&mut self, ids: &[u16]) {
        self.lost_track = self.layout.everybody;
        let mut open = Vec::new();
        for &id in ids {
            open.extend_from_slice(&self.mixes.remove(id).open);
        }
        let outputs = open.len() as u32;
        let united = self.mixes.add(Mix { order: 0, open, special: Vec::new(), outputs });
        self.forget_learned_of_lost();
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

    /// Removes a piece whose face everybody knows from its mix, together with an input that has the same face. Does nothing if the removal
    /// would reveal something to a seat.
    fn settle(&mut self, piece: PieceId) {
        let identity = self.pieces[piece.index()].face.identity;
        while self.pieces[piece.index()].mix != Mixes::NONE {
            let mix = self.pieces[piece.index()].mix;
            let Some((older, tag)) = self.mixes.take(mix, identity, self.layout.everybody) else { return };
            self.pieces[piece.index()].mix = older;
            self.update_conditions_after_removal(piece, tag);
        }
    }
}
