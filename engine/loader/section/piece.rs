//! Creates the pieces of a game.

use crate::diagnostic::{Diagnostic, Place};
use crate::loader::mistake::too_many;
use crate::loader::section::declared::Start;
use crate::loader::section::draft::Draft;
use crate::model::{Component, ComponentId, Content, NewPiece, Per, Seat, ZoneId};

/// Maximum number of pieces in a game.
const MAX_PIECES: usize = 8192;

impl Draft<'_> {
    /// Returns all pieces of the game, each with its initial zone, sorted by zone and component. Pieces that no zone contains at the start
    /// are in the box.
    pub(in crate::loader) fn pieces(&self) -> Vec<NewPiece> {
        let number = self.components.iter().map(|component| self.pieces_of(component)).sum();
        if number > MAX_PIECES {
            self.mistake(too_many("pieces", number, MAX_PIECES, None));
            return Vec::new();
        }
        let mut pieces = Vec::with_capacity(number);
        for (at, component) in self.components.iter().enumerate() {
            self.add_pieces(ComponentId::at(at), component, &mut pieces);
        }
        pieces.sort_by_key(|piece| (piece.zone, piece.component));
        pieces
    }

    fn pieces_of(&self, component: &Component) -> usize {
        let seats = if component.each_seat { usize::from(self.seats) } else { 1 };
        usize::from(component.count) * seats
    }

    fn add_pieces(&self, id: ComponentId, component: &Component, pieces: &mut Vec<NewPiece>) {
        let start = self.start_of(id, component);
        let owners: Vec<Option<Seat>> =
            if component.each_seat { (0..self.seats).map(|seat| Some(Seat(seat))).collect() } else { vec![None] };
        for owner in owners {
            let zone = start.and_then(|start| self.start_zone(start, id, owner)).unwrap_or(ZoneId(0));
            pieces.extend((0..component.count).map(|_| NewPiece { component: id, owner, zone }));
        }
    }

    /// Returns the [`Start`] that applies to a component. A [`Start`] that names the component takes precedence over one that names its
    /// kind. Reports a component to which two of them apply equally.
    fn start_of(&self, id: ComponentId, component: &Component) -> Option<&Start> {
        let starts_of = |content: Content| self.starts.iter().filter(move |start| start.content == content);
        let own: Vec<&Start> = starts_of(Content::Component(id)).collect();
        let found = if own.is_empty() { starts_of(Content::Kind(component.kind)).collect() } else { own };
        if let [first, second, ..] = found[..] {
            self.mistake(two_starts(self.content_name(first.content), first, second));
        }
        found.first().copied()
    }

    /// Returns the zone of the family in which a piece starts. Reports a mistake if not exactly one zone is suitable.
    fn start_zone(&self, start: &Start, id: ComponentId, owner: Option<Seat>) -> Option<ZoneId> {
        let family = &self.families[start.family.index()];
        let name = &self.components[id.index()].id;
        let has_own = family.per.contains(&Per::Kind(self.components[id.index()].kind));
        let by_seat = family.per.contains(&Per::Seat);
        if by_seat && owner.is_none() {
            self.mistake(no_owner(name, &family.id, &start.place));
            return None;
        }
        let fits = |zone: &ZoneId| {
            let zone = &self.zones[zone.index()];
            (!has_own || zone.components().any(|component| component == id)) && (!by_seat || zone.seat == owner)
        };
        let zones: Vec<ZoneId> = family.zones.clone().map(ZoneId).filter(fits).collect();
        if let [zone] = zones[..] {
            return Some(zone);
        }
        self.mistake(ambiguous_zone(name, &family.id, zones.len(), &start.place));
        None
    }
}

fn two_starts(name: &str, first: &Start, second: &Start) -> Diagnostic {
    Diagnostic::error("two-starts", format!("two zones start with `{name}`"))
        .mark(second.place.clone(), "the second zone")
        .mark(first.place.clone(), "the first zone")
}

fn no_owner(name: &str, zone: &str, place: &Place) -> Diagnostic {
    Diagnostic::error("no-owner", format!("each seat has its own `{zone}`, but `{name}` belongs to no seat"))
        .mark(place.clone(), "in whose zone?")
        .help(format!("write `each = \"seat\"` in the row of `{name}`, or deal it in a script"))
}

fn ambiguous_zone(name: &str, zone: &str, number: usize, place: &Place) -> Diagnostic {
    Diagnostic::error(
        "which-zone",
        format!("`{name}` starts in one of {number} zones `{zone}`, but it is not declared in which"),
    )
    .mark(place.clone(), "in which of them?")
    .help("move it there in a setup function")
}
