//! What a seat may see, and what it remembers.

use crate::model::{
    CellPrint, ComponentId, KindId, Model, Owner, PhaseId, PieceId, Seat, SpaceId, ValueId, ValueType, ZoneId,
};
use crate::table::fingerprint::{fact, seat_code};
use crate::table::value::holder_of;
use crate::table::{Holder, Layout, Print, SeatSet, Table, label_text};
use std::fmt::Write;
use std::sync::Arc;

/// A lens on a table that answers only what a seat may see. Agents and front ends get nothing else.
///
/// It names places, never pieces: a place of a space is counted from the bottom. Of a hand or bag only those pieces have a
/// place that the viewer can tell, sorted by their faces.
#[derive(Clone, Copy)]
pub struct View<'a> {
    table: &'a Table,
    seat: Option<Seat>,
    remembers: bool,
    sees_all: bool,
}

/// One piece, as it is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen<'a> {
    /// The component and whose color it has, where the viewer can tell.
    pub face: Option<(ComponentId, Option<Seat>)>,
    /// What it looks like from behind.
    pub back: &'a str,
    /// Whether it lies face up.
    pub up: bool,
    /// How often it is turned clockwise, or which face a die shows; nothing for a die of which the viewer does not know it.
    pub turned: Option<u8>,
}

/// A piece that a value holds, as it is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pointed<'a> {
    /// What is seen of it.
    pub seen: Seen<'a>,
    /// Where it lies.
    pub space: SpaceId,
    /// Its place there, counted from the bottom; nothing in a hand or bag.
    pub place: Option<usize>,
}

/// What has a place on a space.
#[derive(Clone, Copy)]
enum Place {
    /// A piece.
    Piece(PieceId),
    /// A face of a hand of which the viewer knows that it is there, and not which of the pieces it is on.
    Among(Print),
}

impl<'a> View<'a> {
    /// What a seat sees of a table; without a seat, what everybody sees.
    pub const fn new(table: &'a Table, seat: Option<Seat>) -> Self {
        Self { table, seat, remembers: false, sees_all: false }
    }

    /// What a seat sees of a table, with the faces it has seen and can still place.
    pub const fn memory(table: &'a Table, seat: Option<Seat>) -> Self {
        Self { table, seat, remembers: true, sees_all: false }
    }

    /// The whole table, for whoever runs the game.
    pub const fn whole(table: &'a Table) -> Self {
        Self { table, seat: None, remembers: true, sees_all: true }
    }

    /// Who looks.
    pub const fn seat(&self) -> Option<Seat> {
        self.seat
    }

    /// The game.
    pub fn model(&self) -> &'a Arc<Model> {
        self.table.model()
    }

    /// The number of the round, from 1; 0 before the first.
    pub const fn round(&self) -> i64 {
        self.table.position.round
    }

    /// The seat that begins.
    pub const fn first(&self) -> Seat {
        self.table.position.first
    }

    /// The seat whose turn it is.
    pub const fn active(&self) -> Option<Seat> {
        self.table.position.active
    }

    /// The phase under way.
    pub const fn phase(&self) -> Option<PhaseId> {
        self.table.position.phase
    }

    /// How many pieces lie in a zone.
    pub fn count(&self, zone: ZoneId) -> usize {
        self.table.count(zone)
    }

    /// How many pieces lie on a space.
    pub fn height(&self, space: SpaceId) -> usize {
        self.table.height(space)
    }

    /// Whether any piece of a kind is in play: not all lie in the box. Everybody knows which kinds a game is played with.
    pub fn is_in_play(&self, kind: KindId) -> bool {
        let pieces =
            self.table.all_pieces().filter(|piece| self.model().component(self.table.component(*piece)).kind == kind);
        let mut pieces = pieces.peekable();
        pieces.peek().is_none() || pieces.any(|piece| self.table.zone_of(piece) != ZoneId(0))
    }

    /// Whether the viewer sees the face-down pieces of a zone.
    pub fn sees_into(&self, zone: ZoneId) -> bool {
        self.is_among(self.table.layout.traits_of(zone).seers)
    }

    /// The pieces that have a place on a space, from the bottom up: all of them, or those of a hand or bag that the viewer can
    /// tell, sorted by their faces.
    pub fn seen(&self, space: SpaceId) -> Vec<Seen<'a>> {
        self.places(space).into_iter().map(|place| self.look(place)).collect()
    }

    /// What is printed on the square that is seen on a space of a grid; nothing where none is seen, or one the viewer cannot
    /// tell.
    pub fn cell(&self, space: SpaceId) -> Option<&'a CellPrint> {
        self.face(self.table.shows(space)?)?;
        self.table.print_at(space).map(|print| &self.table.model().cells.prints[print as usize])
    }

    /// What the game, a seat, a component, a space or a pair has as a value that is no list, where the viewer may know it. Pieces
    /// are asked by their place, with [`View::piece_value`].
    pub fn value(&self, id: ValueId, holder: Holder) -> Option<i64> {
        let slot = self.open_slot(id, holder).filter(|_| self.model().value(id).most.is_none());
        slot.map(|slot| self.table.value(slot))
    }

    /// The entries of such a value: of a list all, of another the one that it is, if it is anything.
    pub fn held(&self, id: ValueId, holder: Holder) -> Option<&'a [i64]> {
        self.open_slot(id, holder).map(|slot| self.table.held(id, slot))
    }

    fn open_slot(&self, id: ValueId, holder: Holder) -> Option<usize> {
        let is_open = !matches!(holder, Holder::Piece(_)) && self.is_among(self.table.value_seers(id, holder));
        is_open.then(|| self.table.slot_of(id, holder)).flatten()
    }

    /// The piece that a value holds, as the table stores it.
    pub fn pointed(&self, raw: i64) -> Pointed<'a> {
        let piece = PieceId(raw as u16);
        let space = self.table.space_of(piece);
        let is_ordered = !self.table.layout.traits_of(self.table.layout.zone_of(space)).unordered;
        let below = || self.table.stack_from_bottom(space).take_while(|other| *other != piece).count();
        Pointed { seen: self.look(Place::Piece(piece)), space, place: is_ordered.then(below) }
    }

    /// What the piece at a place (see [`View::seen`]) has as a value, where the viewer may know it. A piece the viewer cannot
    /// tell has every public value of pieces, whatever kind it may be.
    pub fn piece_value(&self, id: ValueId, space: SpaceId, place: usize) -> Option<i64> {
        match self.places(space).get(place)? {
            Place::Piece(piece) => self.value_on(id, *piece),
            Place::Among(_) => None,
        }
    }

    /// A number for a piece, by what the viewer can tell of it: its face and where it lies, or its place in the stack there.
    pub fn piece_code(&self, piece: PieceId) -> u64 {
        let space = self.table.space_of(piece);
        let values = self.table.layout.of_pieces.iter().map(|id| self.value_on(*id, piece));
        let worth =
            values.fold(0_u64, |sum, value| sum.wrapping_mul(31).wrapping_add(value.map_or(1, |v| v as u64 + 2)));
        let looks = u64::from(self.table.is_up(piece)) << 8 | u64::from(self.turned(piece).unwrap_or_default());
        let face = self.face(piece).map(|print| u64::from(print.component.0) << 8 | seat_code(print.owner) | 1 << 32);
        let place = || self.table.stack_from_bottom(space).take_while(|other| *other != piece).count() as u64;
        fact(&[u64::from(space.0), face.unwrap_or_else(place), looks, worth])
    }

    /// A stable number computed from all this view gives, but for the faces that are only known to be in a hand: where mixes
    /// are made one in an imagined world, fewer of them are told.
    pub fn digest(&self) -> u64 {
        let mut parts = vec![self.round() as u64, seat_code(Some(self.first())), seat_code(self.active())];
        parts.push(self.phase().map_or(u64::MAX, |phase| u64::from(phase.0)));
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
            for held in self.holders(id).map(|holder| self.held(id, holder)) {
                parts.push(held.map_or(u64::MAX, |entries| entries.len() as u64));
                parts.extend(held.unwrap_or_default().iter().map(|raw| code(*raw)));
            }
        }
        fact(&parts)
    }

    /// The same number for what the viewer remembers.
    pub fn memory_digest(&self) -> u64 {
        Self::memory(self.table, self.seat).digest()
    }

    fn digest_space(&self, space: SpaceId, parts: &mut Vec<u64>) {
        parts.push(self.height(space) as u64);
        if let Some(cell) = self.cell(space) {
            parts.push(cell.text.bytes().fold(0, |sum: u64, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte))));
        }
        for place in self.places(space) {
            let Place::Piece(piece) = place else { continue };
            let back = u64::from(self.table.layout.back_of(self.table.print(piece).component));
            let looks = u64::from(self.table.is_up(piece)) << 8
                | u64::from(self.turned(piece).unwrap_or_default())
                | back << 16;
            parts.extend([self.face_at(piece), looks]);
            let values = self.table.layout.of_pieces.iter().map(|id| self.value_on(*id, piece));
            parts.extend(values.map(|value| value.map_or(1, |number| number as u64)));
        }
    }

    /// A number for the face of a piece, if it is seen.
    fn face_at(&self, piece: PieceId) -> u64 {
        self.face(piece).map_or(0, |print| u64::from(print.component.0) << 8 | seat_code(print.owner) | 1 << 32)
    }

    /// All that is seen, in plain lines: one for every zone with pieces.
    pub fn describe(&self) -> String {
        let mut text = String::new();
        for (at, zone) in self.model().zones.iter().enumerate().filter(|(at, _)| self.count(ZoneId::at(*at)) > 0) {
            let whose = zone.seat.map_or_else(String::new, |seat| format!("seat {} ", seat.number()));
            let _ = write!(text, "{whose}{} ({})", zone.path, self.count(ZoneId::at(at)));
            for space in self.table.spaces(ZoneId::at(at)).filter(|&space| self.height(space) > 0) {
                let _ = write!(text, " {}:", label_text(&self.model().space(space).label));
                for seen in self.seen(space) {
                    let _ = write!(text, " {}", self.word(&seen));
                }
            }
            text.push('\n');
        }
        text
    }

    fn word(&self, seen: &Seen) -> String {
        let name = seen.face.map_or_else(
            || "?".to_owned(),
            |(component, owner)| {
                let owner = owner.map_or_else(String::new, |seat| format!("/{}", seat.number()));
                format!("{}{owner}", self.model().component(component).id)
            },
        );
        if seen.up { format!("[{name}]") } else { name }
    }

    /// Everything that has a value, pieces left out.
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

    /// What has a place on a space.
    fn places(&self, space: SpaceId) -> Vec<Place> {
        let pieces = self.table.stack_from_bottom(space);
        let traits = self.table.layout.traits_of(self.table.layout.zone_of(space));
        if !traits.unordered {
            return pieces.map(Place::Piece).collect();
        }
        let mut told: Vec<PieceId> = pieces.filter(|&piece| self.face(piece).is_some()).collect();
        let values = |piece| self.table.layout.of_pieces.iter().map(move |id| self.value_on(*id, piece));
        let looks = |piece| (self.face(piece), self.table.is_up(piece), self.turned(piece));
        told.sort_by(|&a, &b| looks(a).cmp(&looks(b)).then_with(|| values(a).cmp(values(b))));
        let is_hand = self.remembers && !self.sees_all && traits.seers != 0;
        let among = if is_hand { self.table.known_among(space, self.seers()) } else { Vec::new() };
        told.into_iter().map(Place::Piece).chain(among.into_iter().map(Place::Among)).collect()
    }

    /// The viewer as a set of seats that all have to know something.
    fn seers(&self) -> SeatSet {
        self.seat.map_or(self.table.layout.everybody, Layout::only)
    }

    fn look(&self, place: Place) -> Seen<'a> {
        let (face, back, up, turned) = match place {
            Place::Piece(piece) => {
                (self.face(piece), self.table.print(piece).component, self.table.is_up(piece), self.turned(piece))
            }
            Place::Among(print) => {
                let is_die = !self.model().component(print.component).faces.is_empty();
                (Some(print), print.component, false, if is_die { None } else { Some(0) })
            }
        };
        Seen {
            face: face.map(|print| (print.component, print.owner)),
            back: &self.table.model().kind_of(back).back,
            up,
            turned,
        }
    }

    /// How a piece is turned; nothing for a die of which the viewer does not know what it shows.
    fn turned(&self, piece: PieceId) -> Option<u8> {
        let seats = if self.remembers { self.table.turn_knowers(piece) } else { self.table.watchers(piece) };
        let is_die = !self.model().component(self.table.print(piece).component).faces.is_empty();
        (!is_die || self.is_among(seats)).then(|| self.table.pieces[piece.index()].turned)
    }

    fn face(&self, piece: PieceId) -> Option<Print> {
        let seats = self.table.watchers(piece);
        let seats = if self.remembers { seats | self.table.knowers(piece) } else { seats };
        self.is_among(seats).then(|| self.table.pieces[piece.index()].face.print)
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

    /// Whether the viewer is one of these seats; who has no seat knows only what everybody knows.
    fn is_among(&self, seats: SeatSet) -> bool {
        self.sees_all || self.seat.map_or(seats == self.table.layout.everybody, |seat| seats & 1 << seat.0 != 0)
    }
}

impl std::fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.describe())
    }
}
