//! Views: everything that a seat may see of a table and what it remembers.

use crate::model::{
    CellPrint, ComponentId, KindId, Model, Owner, PhaseId, PieceId, Seat, SpaceId, ValueId, ValueType, ZoneId,
};
use crate::table::fingerprint::{mix_hash, seat_code};
use crate::table::knowledge::conclusions::Conclusions;
use crate::table::knowledge::learned::JudgeSource;
use crate::table::value::holder_of;
use crate::table::{FaceIdentity, Holder, SeatSet, Table};
use std::cell::{OnceCell, RefCell};
use std::fmt::Write;
use std::sync::Arc;

/// A view of a table, which answers only what a seat may see. Agents and front ends have no other access.
///
/// A view identifies pieces by their places, counted from the bottom of a space. In a hand or bag, only the pieces that
/// the viewer knows have a place, and they are sorted by their faces.
///
/// Memory includes conclusions: faces that are the same in every world of the viewer's information set. Conclusions are
/// computed on demand.
#[derive(Clone)]
pub struct View<'a> {
    table: &'a Table,
    seat: Option<Seat>,
    remembers: bool,
    concludes: bool,
    sees_all: bool,
    conclusions: OnceCell<Box<Conclusions>>,
    /// The places of the space that was examined last.
    last_places: RefCell<Option<(SpaceId, Arc<[Place]>)>>,
    derived: Option<Arc<[DerivedNumber]>>,
    judges: Option<&'a dyn JudgeSource>,
}

/// A derived value: its index among the derived values of the game, its holder and its number.
pub type DerivedNumber = (usize, Holder, i64);

/// Knowledge about the pieces of a space whose faces the viewer does not know.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HiddenPieces {
    /// Number of hidden pieces.
    pub count: usize,
    /// Whether the viewer knows the same about each of the pieces.
    pub are_alike: bool,
    /// Faces known to be among the pieces, sorted, with repetitions. Empty in a hand or bag, where known faces have places in
    /// [`View::seen`].
    pub among: Vec<(ComponentId, Option<Seat>)>,
    /// The two or three possible faces of the other pieces; empty if there are more.
    pub others: Vec<(ComponentId, Option<Seat>)>,
    /// The pieces grouped by mix, topmost first. Empty in a hand or bag.
    pub sections: Vec<Section>,
}

impl HiddenPieces {
    /// Returns the section of the piece at a place (see [`View::seen`]).
    pub fn section_at(&self, place: usize) -> Option<&Section> {
        self.sections.iter().find(|section| section.places.contains(&place))
    }

    /// Returns the faces that are known to be among the pieces, but not to be in a particular section.
    pub fn among_any(&self) -> Vec<(ComponentId, Option<Seat>)> {
        let mut left: Vec<_> = self.sections.iter().flat_map(|section| section.among.iter().copied()).collect();
        let mut is_besides = |face: &(ComponentId, Option<Seat>)| match left.iter().position(|other| other == face) {
            Some(at) => {
                left.swap_remove(at);
                false
            }
            None => true,
        };
        self.among.iter().copied().filter(|face| is_besides(face)).collect()
    }
}

/// Pieces of a pile that have unknown faces and were mixed with each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Places of the pieces (see [`View::seen`]), topmost first.
    pub places: Vec<usize>,
    /// Whether the viewer knows the same about each of the pieces.
    pub are_alike: bool,
    /// Faces known to be among the pieces, sorted, with repetitions.
    pub among: Vec<(ComponentId, Option<Seat>)>,
}

/// A piece as the viewer sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VisiblePiece<'a> {
    /// Component of the piece and seat that determines its color, if the viewer knows the face.
    pub face: Option<(ComponentId, Option<Seat>)>,
    /// Name of the piece's back.
    pub back: &'a str,
    /// Whether the piece lies face up.
    pub up: bool,
    /// Number of clockwise turns, or the face that a die shows. `None` if the viewer does not know the face of the die.
    pub turned: Option<u8>,
}

/// A piece that a value refers to, as the viewer sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReferencedPiece<'a> {
    /// The piece as the viewer sees it.
    pub seen: VisiblePiece<'a>,
    /// Space of the piece.
    pub space: SpaceId,
    /// Place of the piece on its space, counted from the bottom; `None` in a hand or bag.
    pub place: Option<usize>,
}

/// Occupant of a place on a space.
#[derive(Clone, Copy)]
enum Place {
    /// A piece that the viewer can tell apart from the others.
    Piece(PieceId),
    /// A face that the viewer knows to be in a hand or bag, without knowing which piece has it.
    Among(FaceIdentity),
}

impl<'a> View<'a> {
    /// Creates the view of what a seat sees, or of what everybody sees if `seat` is `None`.
    pub const fn new(table: &'a Table, seat: Option<Seat>) -> Self {
        Self {
            table,
            seat,
            remembers: false,
            concludes: false,
            sees_all: false,
            conclusions: OnceCell::new(),
            last_places: RefCell::new(None),
            derived: None,
            judges: None,
        }
    }

    /// Creates the view of what a seat sees, remembers and can conclude.
    pub const fn memory(table: &'a Table, seat: Option<Seat>) -> Self {
        Self {
            table,
            seat,
            remembers: true,
            concludes: true,
            sees_all: false,
            conclusions: OnceCell::new(),
            last_places: RefCell::new(None),
            derived: None,
            judges: None,
        }
    }

    /// Like [`View::memory`], but without conclusions. They take time to compute, and there may be fewer of them in an
    /// imagined world.
    pub const fn memory_without_conclusions(table: &'a Table, seat: Option<Seat>) -> Self {
        Self {
            table,
            seat,
            remembers: true,
            concludes: false,
            sees_all: false,
            conclusions: OnceCell::new(),
            last_places: RefCell::new(None),
            derived: None,
            judges: None,
        }
    }

    /// Creates the view of the complete table, for the program that runs the game.
    pub const fn whole(table: &'a Table) -> Self {
        Self {
            table,
            seat: None,
            remembers: true,
            concludes: false,
            sees_all: true,
            conclusions: OnceCell::new(),
            last_places: RefCell::new(None),
            derived: None,
            judges: None,
        }
    }

    /// Adds the derived values that the viewer may know.
    #[must_use]
    pub fn with(self, derived: Arc<[DerivedNumber]>) -> Self {
        Self { derived: Some(derived), ..self }
    }

    /// Adds a source of judges. Without it, nothing is concluded from learned conditions.
    #[must_use]
    pub fn with_judges(self, judges: &'a dyn JudgeSource) -> Self {
        Self { judges: Some(judges), ..self }
    }

    /// Returns the derived value of a holder. `at` is the index among the derived values of the game. Returns `None` if the viewer cannot
    /// know the value, or if no derived values were added to the view.
    pub fn derived(&self, at: usize, holder: Holder) -> Option<i64> {
        let all = self.derived.as_deref().unwrap_or_default();
        all.iter().find(|(of, who, _)| *of == at && *who == holder).map(|(.., number)| *number)
    }

    /// Returns a derived value of the piece at a place (see [`View::seen`]).
    pub fn derived_of_piece(&self, at: usize, space: SpaceId, place: usize) -> Option<i64> {
        match self.at(space, place)? {
            Place::Piece(piece) => self.derived(at, Holder::Piece(piece)),
            Place::Among(_) => None,
        }
    }

    /// Returns whether the viewer knows everything that was read from `table` since its record of reads was last reset.
    pub(crate) fn tells_what_was_read(&self, table: &Table) -> bool {
        self.is_among(table.layout.everybody & !table.reads.unknown_to())
    }

    /// Returns the seat of the viewer; `None` if the view belongs to no seat.
    pub const fn seat(&self) -> Option<Seat> {
        self.seat
    }

    /// Returns the game's model.
    pub fn model(&self) -> &'a Arc<Model> {
        self.table.model()
    }

    /// Returns the number of the round, from 1; 0 before the first round.
    pub const fn round(&self) -> i64 {
        self.table.position.round
    }

    /// Returns the seat that goes first.
    pub const fn first(&self) -> Seat {
        self.table.position.first
    }

    /// Iterates over the seats that have been eliminated.
    pub fn eliminated(&self) -> impl Iterator<Item = Seat> + '_ {
        self.table.model().all_seats().filter(|seat| !self.table.position.is_in_play(*seat))
    }

    /// Returns the seat whose turn it is.
    pub const fn active(&self) -> Option<Seat> {
        self.table.position.active
    }

    /// Returns the running phase.
    pub const fn phase(&self) -> Option<PhaseId> {
        self.table.position.phase
    }

    /// Returns the number of pieces in a zone.
    pub fn count(&self, zone: ZoneId) -> usize {
        self.table.count(zone)
    }

    /// Returns the number of pieces on a space.
    pub fn height(&self, space: SpaceId) -> usize {
        self.table.height(space)
    }

    /// Returns whether any piece of a kind is outside the box. Also true for kinds without pieces. Everybody knows which kinds are used in
    /// a game.
    pub fn is_in_play(&self, kind: KindId) -> bool {
        let pieces =
            self.table.all_pieces().filter(|piece| self.model().component(self.table.component(*piece)).kind == kind);
        let mut pieces = pieces.peekable();
        pieces.peek().is_none() || pieces.any(|piece| self.table.zone_of(piece) != ZoneId(0))
    }

    /// Returns whether the viewer sees the face-down pieces of a zone.
    pub fn sees_into(&self, zone: ZoneId) -> bool {
        self.is_among(self.table.layout.traits_of(zone).seers)
    }

    /// Returns the pieces that have a place on a space, from the bottom up. In a hand or bag, these are only the pieces
    /// that the viewer knows, sorted by their faces.
    pub fn seen(&self, space: SpaceId) -> Vec<VisiblePiece<'a>> {
        self.places(space).iter().map(|place| self.look(*place)).collect()
    }

    /// Returns what the viewer knows about the hidden pieces of a space: those whose face the viewer does not know.
    pub fn hidden(&self, space: SpaceId) -> HiddenPieces {
        let places = self.places(space);
        let is_unknown = |place: &&Place| self.look(**place).face.is_none();
        let count = self.height(space) - (places.len() - places.iter().filter(is_unknown).count());
        let concluded = self.conclusions().filter(|_| count > 0);
        let Some(here) = concluded.and_then(|conclusions| conclusions.hidden(space)) else {
            return HiddenPieces { count, are_alike: true, ..HiddenPieces::default() };
        };
        let faces = |identities: &[FaceIdentity]| {
            identities.iter().map(|identity| (identity.component, identity.owner)).collect()
        };
        let among = if self.is_unordered(space) { Vec::new() } else { faces(&here.among) };
        let may_be = |place: &Place| match place {
            Place::Piece(piece) => concluded.map_or(&[][..], |conclusions| conclusions.faces(*piece)),
            Place::Among(_) => &[],
        };
        let are_alike = |mut unknown: Vec<&Place>| {
            unknown.dedup_by_key(|place| may_be(place));
            unknown.len() < 2
        };
        let section = |(pieces, among): &(Vec<PieceId>, Vec<FaceIdentity>)| {
            let is_of = |place: &Place| matches!(place, Place::Piece(piece) if pieces.contains(piece));
            let here: Vec<usize> = (0..places.len()).rev().filter(|at| is_of(&places[*at])).collect();
            let are_alike = are_alike(here.iter().map(|at| &places[*at]).collect());
            Section { places: here, are_alike, among: faces(among) }
        };
        let mut sections: Vec<Section> = here.sections.iter().map(section).collect();
        sections.sort_by(|one, other| other.places.cmp(&one.places));
        let are_alike = are_alike(places.iter().filter(is_unknown).collect());
        HiddenPieces { count, are_alike, among, others: faces(&here.others), sections }
    }

    /// Returns the possible faces of the piece at a place (see [`View::seen`]), if there are two or three. Returns an empty list if there
    /// are more, if the viewer knows the face, or if the view draws no conclusions.
    pub fn may_be(&self, space: SpaceId, place: usize) -> Vec<(ComponentId, Option<Seat>)> {
        let (Some(Place::Piece(piece)), Some(conclusions)) = (self.at(space, place), self.conclusions()) else {
            return Vec::new();
        };
        let faces = if self.known_identity(piece).is_none() { conclusions.faces(piece) } else { &[] };
        faces.iter().map(|identity| (identity.component, identity.owner)).collect()
    }

    /// Returns whether descriptions should mention which side of the piece at a place (see [`View::seen`]) is up.
    ///
    /// A face-up piece is worth mentioning in a zone for face-down pieces. A face-down piece is worth mentioning in an ordered space if the
    /// viewer knows its face, and if either the zone is for face-up pieces, or the viewer does not see into the zone and some other seat
    /// does not know the face.
    pub fn tells_side(&self, space: SpaceId, place: usize) -> bool {
        let Some(Place::Piece(piece)) = self.at(space, place) else { return false };
        let zone = self.table.layout.zone_of(space);
        let comes_up = self.table.layout.traits_of(zone).face_up;
        if self.table.is_up(piece) {
            return !comes_up;
        }
        let is_known = !self.sees_all && !self.is_unordered(space) && self.known_identity(piece).is_some();
        let is_open = self.sees_into(zone) || self.table.knowers(piece) == self.table.layout.everybody;
        is_known && (comes_up || !is_open)
    }

    /// Returns whether the pieces of a space have an order.
    pub fn is_ordered(&self, space: SpaceId) -> bool {
        !self.is_unordered(space)
    }

    /// Returns whether the viewer knows the face of a piece, by sight, memory or conclusion.
    pub fn knows(&self, piece: PieceId) -> bool {
        self.known_identity(piece).is_some()
    }

    /// Returns the number of pieces of a component that the viewer knows to be on some spaces.
    pub fn known_in(&self, spaces: &[SpaceId], component: ComponentId) -> usize {
        let here = spaces.iter().flat_map(|space| self.table.stack(*space));
        let seen: Vec<FaceIdentity> = here.filter_map(|piece| self.face(piece)).collect();
        let seen = seen.into_iter().filter(|identity| identity.component == component).count();
        if !self.remembers || self.sees_all {
            return seen;
        }
        let owners = std::iter::once(None).chain(self.model().all_seats().map(Some));
        let least = |owner| {
            let identity = FaceIdentity { component, owner };
            Conclusions::least(self.table, |seats| self.is_among(seats), self.judges, spaces, identity) as usize
        };
        seen + owners.map(least).sum::<usize>()
    }

    /// Returns the print of the visible square on a grid space. Returns `None` if no square is visible there, or if the viewer does not
    /// know the face of its piece.
    pub fn cell(&self, space: SpaceId) -> Option<&'a CellPrint> {
        self.known_identity(self.table.visible_piece(space)?)?;
        self.print_on(space)
    }

    fn print_on(&self, space: SpaceId) -> Option<&'a CellPrint> {
        self.table.print_at(space).map(|identity| &self.table.model().cells.prints[identity as usize])
    }

    /// Returns a value of the game, a seat, a component, a space or a pair. Returns `None` if the viewer may not know it, and for lists
    /// (see [`View::value_entries`]) and pieces (see [`View::piece_value`]).
    pub fn value(&self, id: ValueId, holder: Holder) -> Option<i64> {
        let slot = self.open_slot(id, holder).filter(|_| self.model().value(id).most.is_none());
        slot.map(|slot| self.table.value(slot))
    }

    /// Returns the entries of a list value. For other values, the list has the single entry, or none if the value is empty. Returns `None`
    /// if the viewer may not know the value.
    pub fn value_entries(&self, id: ValueId, holder: Holder) -> Option<&'a [i64]> {
        self.open_slot(id, holder).map(|slot| self.table.entries(id, slot))
    }

    fn open_slot(&self, id: ValueId, holder: Holder) -> Option<usize> {
        let is_open = !matches!(holder, Holder::Piece(_)) && self.is_among(self.table.value_seers(id, holder));
        is_open.then(|| self.table.slot_of(id, holder)).flatten()
    }

    /// Returns the piece that a value refers to. `raw` is the stored value.
    pub fn referenced_piece(&self, raw: i64) -> ReferencedPiece<'a> {
        let piece = PieceId(raw as u16);
        let space = self.table.space_of(piece);
        let is_ordered = !self.is_unordered(space);
        let below = || self.table.stack_from_bottom(space).take_while(|other| *other != piece).count();
        ReferencedPiece { seen: self.look(Place::Piece(piece)), space, place: is_ordered.then(below) }
    }

    /// Returns a value of the piece at a place (see [`View::seen`]); `None` if the viewer may not know the value. A piece with an unknown
    /// face counts as having every public value of pieces, since its kind is not known.
    pub fn piece_value(&self, id: ValueId, space: SpaceId, place: usize) -> Option<i64> {
        match self.at(space, place)? {
            Place::Piece(piece) => {
                let has_none = self.face(piece).is_none()
                    && self.known_identity(piece).is_some()
                    && self.table.slot_of(id, Holder::Piece(piece)).is_none();
                if has_none { None } else { self.value_on(id, piece) }
            }
            Place::Among(_) => None,
        }
    }

    /// Returns a code for a piece, computed only from what the viewer knows: its space, its face (or, if the face is unknown, its place in
    /// the stack), its orientation and its values.
    pub fn piece_code(&self, piece: PieceId) -> u64 {
        let space = self.table.space_of(piece);
        let values = self.table.layout.of_pieces.iter().map(|id| self.value_on(*id, piece));
        let worth =
            values.fold(0_u64, |sum, value| sum.wrapping_mul(31).wrapping_add(value.map_or(1, |v| v as u64 + 2)));
        let looks = u64::from(self.table.is_up(piece)) << 8 | u64::from(self.turned(piece).unwrap_or_default());
        let face =
            self.face(piece).map(|identity| u64::from(identity.component.0) << 8 | seat_code(identity.owner) | 1 << 32);
        let place = || self.table.stack_from_bottom(space).take_while(|other| *other != piece).count() as u64;
        mix_hash(&[u64::from(space.0), face.unwrap_or_else(place), looks, worth])
    }

    /// Returns a stable digest of the view. Conclusions are left out, because they take time to compute, and because there are fewer of
    /// them in imagined worlds in which mixes are merged.
    pub fn digest(&self) -> u64 {
        let mut parts = vec![self.round() as u64, seat_code(Some(self.first())), seat_code(self.active())];
        parts.extend(self.eliminated().map(|seat| mix_hash(&[u64::MAX, seat_code(Some(seat))])));
        parts.push(self.phase().map_or(u64::MAX, |phase| u64::from(phase.0)));
        parts.push(self.table.heard(self.seat));
        for at in 0..self.model().spaces.len() {
            self.digest_space(SpaceId::at(at), &mut parts);
        }
        for at in 0..self.model().values.len() {
            let id = ValueId::at(at);
            if !self.model().value(id).is_held() {
                parts.extend(self.holders(id).map(|holder| self.value(id, holder).map_or(1, |number| number as u64)));
                continue;
            }
            let is_piece = self.model().value(id).kind == ValueType::Piece;
            let code = |raw: i64| if is_piece { self.piece_code(PieceId(raw as u16)) } else { raw as u64 };
            for held in self.holders(id).map(|holder| self.value_entries(id, holder)) {
                parts.push(held.map_or(u64::MAX, |entries| entries.len() as u64));
                parts.extend(held.unwrap_or_default().iter().map(|raw| code(*raw)));
            }
        }
        mix_hash(&parts)
    }

    /// Like [`View::digest`], but includes what the viewer remembers.
    pub fn memory_digest(&self) -> u64 {
        Self::memory(self.table, self.seat).digest()
    }

    fn digest_space(&self, space: SpaceId, parts: &mut Vec<u64>) {
        parts.push(self.height(space) as u64);
        let shown = self.table.visible_piece(space).and_then(|piece| self.face(piece));
        if let Some(cell) = shown.and_then(|_| self.print_on(space)) {
            parts.push(cell.text.bytes().fold(0, |sum: u64, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte))));
        }
        for piece in self.single(space) {
            let back = u64::from(self.table.layout.back_of(self.table.identity(piece).component));
            let looks = u64::from(self.table.is_up(piece)) << 8
                | u64::from(self.turned(piece).unwrap_or_default())
                | back << 16;
            parts.extend([self.face_at(piece), looks]);
            let values = self.table.layout.of_pieces.iter().map(|id| self.value_on(*id, piece));
            parts.extend(values.map(|value| value.map_or(1, |number| number as u64)));
        }
    }

    /// Returns a code for the face of a piece; 0 if it is unknown.
    fn face_at(&self, piece: PieceId) -> u64 {
        self.face(piece)
            .map_or(0, |identity| u64::from(identity.component.0) << 8 | seat_code(identity.owner) | 1 << 32)
    }

    /// Renders the view as text, one line for each zone with pieces.
    pub fn describe(&self) -> String {
        let mut text = String::new();
        for (at, zone) in self.model().zones.iter().enumerate().filter(|(at, _)| self.count(ZoneId::at(*at)) > 0) {
            let whose = zone.seat.map_or_else(String::new, |seat| format!("seat {} ", seat.number()));
            let _ = write!(text, "{whose}{} ({})", zone.path, self.count(ZoneId::at(at)));
            for space in self.table.spaces(ZoneId::at(at)).filter(|&space| self.height(space) > 0) {
                let _ = write!(text, " {}:", self.model().space(space).label);
                for seen in self.seen(space) {
                    let _ = write!(text, " {}", self.word(&seen));
                }
            }
            text.push('\n');
        }
        text
    }

    fn word(&self, seen: &VisiblePiece) -> String {
        let name = seen.face.map_or_else(
            || "?".to_owned(),
            |(component, owner)| {
                let owner = owner.map_or_else(String::new, |seat| format!("/{}", seat.number()));
                format!("{}{owner}", self.model().component(component).id)
            },
        );
        if seen.up { format!("[{name}]") } else { name }
    }

    /// Iterates over all holders of a value except pieces.
    pub fn holders(&self, id: ValueId) -> Box<dyn Iterator<Item = Holder> + 'a> {
        let model = self.model();
        match model.value(id).owner {
            Owner::Game => Box::new(std::iter::once(Holder::Game)),
            Owner::Seat => Box::new(model.all_seats().map(Holder::Seat)),
            Owner::Component(kind) => {
                Box::new(model.kinds[kind.index()].components.iter().copied().map(Holder::Component))
            }
            Owner::Space(family) => {
                let zones = model.family(family).zones.clone();
                Box::new(
                    zones
                        .flat_map(|zone| model.zones[zone as usize].spaces.clone())
                        .map(|at| Holder::Space(SpaceId(at))),
                )
            }
            Owner::Piece(_) => Box::new(std::iter::empty()),
            Owner::Pair(..) => {
                let value = model.value(id);
                Box::new((0..value.slots / value.width).map(move |at| holder_of(model, value, at)))
            }
        }
    }

    /// Returns the places of a space. Callers ask for each place of a space in turn, so the places of the last space
    /// are cached. Sorting a hand again for each place would take quadratic time.
    fn places(&self, space: SpaceId) -> Arc<[Place]> {
        if let Some((known, places)) = &*self.last_places.borrow()
            && *known == space
        {
            return places.clone();
        }
        let places: Arc<[Place]> = self.sorted_places(space).into();
        *self.last_places.borrow_mut() = Some((space, places.clone()));
        places
    }

    fn sorted_places(&self, space: SpaceId) -> Vec<Place> {
        let single = self.single(space).into_iter().map(Place::Piece);
        if !self.is_unordered(space) {
            return single.collect();
        }
        let concluded = self.conclusions().and_then(|conclusions| conclusions.hidden(space));
        single.chain(concluded.into_iter().flat_map(|hidden| hidden.among.iter().copied().map(Place::Among))).collect()
    }

    /// Returns the occupant of a place on a space.
    fn at(&self, space: SpaceId, place: usize) -> Option<Place> {
        self.places(space).get(place).copied()
    }

    /// Returns the pieces that have a place on a space: all pieces or, in a hand or bag, those that the viewer can
    /// distinguish.
    fn single(&self, space: SpaceId) -> Vec<PieceId> {
        let pieces = self.table.stack_from_bottom(space);
        if !self.is_unordered(space) {
            return pieces.collect();
        }
        let mut known: Vec<PieceId> = pieces.filter(|&piece| self.face(piece).is_some()).collect();
        let values = |piece| self.table.layout.of_pieces.iter().map(move |id| self.value_on(*id, piece));
        let looks = |piece| (self.face(piece), self.table.is_up(piece), self.turned(piece));
        known.sort_by(|&a, &b| looks(a).cmp(&looks(b)).then_with(|| values(a).cmp(values(b))));
        known
    }

    fn is_unordered(&self, space: SpaceId) -> bool {
        self.table.layout.traits_of(self.table.layout.zone_of(space)).unordered
    }

    /// Returns the viewer's conclusions, which are computed on first use.
    fn conclusions(&self) -> Option<&Conclusions> {
        let may_conclude = self.concludes && self.table.mix_count() > 0;
        may_conclude.then(|| {
            let drawn = || Box::new(Conclusions::drawn(self.table, |seats| self.is_among(seats), self.judges));
            &**self.conclusions.get_or_init(drawn)
        })
    }

    fn look(&self, place: Place) -> VisiblePiece<'a> {
        let (face, back, up, turned) = match place {
            Place::Piece(piece) => (
                self.known_identity(piece),
                self.table.identity(piece).component,
                self.table.is_up(piece),
                self.turned(piece),
            ),
            Place::Among(identity) => {
                let is_die = !self.model().component(identity.component).faces.is_empty();
                (Some(identity), identity.component, false, if is_die { None } else { Some(0) })
            }
        };
        VisiblePiece {
            face: face.map(|identity| (identity.component, identity.owner)),
            back: &self.table.model().kind_of(back).back,
            up,
            turned,
        }
    }

    /// Returns the number of clockwise turns of a piece, or the index of the face that a die shows. Returns `None` for a die whose face the
    /// viewer does not know.
    fn turned(&self, piece: PieceId) -> Option<u8> {
        let seats = if self.remembers { self.table.turn_knowers(piece) } else { self.table.watchers(piece) };
        let is_die = !self.model().component(self.table.identity(piece).component).faces.is_empty();
        (!is_die || self.is_among(seats)).then(|| self.table.pieces[piece.index()].turned)
    }

    /// Returns the face of a piece if it is seen, remembered or concluded.
    fn known_identity(&self, piece: PieceId) -> Option<FaceIdentity> {
        self.face(piece).or_else(|| self.conclusions()?.face(piece))
    }

    /// Returns the face of a piece if it is seen or remembered.
    fn face(&self, piece: PieceId) -> Option<FaceIdentity> {
        let seats = self.table.watchers(piece);
        let seats = if self.remembers { seats | self.table.knowers(piece) } else { seats };
        self.is_among(seats).then(|| self.table.pieces[piece.index()].face.identity)
    }

    fn value_on(&self, id: ValueId, piece: PieceId) -> Option<i64> {
        let value = self.model().value(id);
        let known = self.is_among(self.table.knowers(piece));
        if !matches!(value.owner, Owner::Piece(_)) || !self.is_among(self.table.value_seers(id, Holder::Piece(piece))) {
            return None;
        }
        let slot = if known { self.table.slot_of(id, Holder::Piece(piece))? } else { value.slot + piece.index() };
        Some(self.table.value(slot))
    }

    /// Returns whether the viewer is one of these seats. A viewer without a seat counts as one of them only if `seats` contains all seats.
    /// Always true for a view of the complete table.
    fn is_among(&self, seats: SeatSet) -> bool {
        self.sees_all || self.seat.map_or(seats == self.table.layout.everybody, |seat| seats & 1 << seat.0 != 0)
    }
}

impl std::fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.describe())
    }
}
