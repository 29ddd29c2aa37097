//! What is the same of all games of a batch, computed once.

use crate::model::{FamilyId, Model, Owner, Party, Seat, ValueType, ZoneId};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// What is the same of all games of a batch, computed once.
#[derive(Debug)]
pub(super) struct Scheme {
    pub(super) model: Arc<Model>,
    /// Whether rules change who goes first.
    pub(super) moves_first: bool,
    /// In a game of teams, the number of each seat's team.
    pub(super) sides: Vec<u8>,
    /// One seat for each who wins and loses as one, in order.
    pub(super) leaders: Vec<usize>,
    /// The values that are read at the end of rounds.
    pub(super) values: Vec<Watched>,
    /// For each zone of a seat, the first seat's zone that is to it what this one is to its seat.
    of_first_seat: Vec<Option<ZoneId>>,
    /// The components that lie in zones of seats when the box is opened, with these.
    pub(super) homes: FxHashSet<(u16, FamilyId)>,
}

/// A value that is read at the end of rounds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Watched {
    pub(super) value: u16,
    pub(super) owner: Owner,
    pub(super) is_space: bool,
}

/// Values of more components than this are not read one by one.
const MOST_HOLDERS: usize = 24;

impl Scheme {
    /// That of a game.
    pub(super) fn new(model: &Arc<Model>, moves_first: bool) -> Self {
        let of_seats = model.pieces.iter().filter(|piece| model.zone(piece.zone).seat.is_some());
        let sides = model.side_of_each();
        let is_first = |seat: &usize| !sides[..*seat].contains(&sides[*seat]);
        Self {
            model: model.clone(),
            moves_first,
            leaders: (0..sides.len()).filter(is_first).collect(),
            sides: if model.teams.is_empty() { Vec::new() } else { sides.iter().map(|side| *side as u8).collect() },
            values: watched(model),
            of_first_seat: (0..model.zones.len()).map(|zone| of_first_seat(model, ZoneId::at(zone))).collect(),
            homes: of_seats.map(|piece| (piece.component.0, model.zone(piece.zone).family)).collect(),
        }
    }

    /// The first seat's zone that is to it what a zone of a seat is to that one, and how many seats this comes after the chooser.
    pub(super) fn of_first_seat(&self, model: &Model, zone: ZoneId, chooser: Seat) -> Option<(ZoneId, u8)> {
        let first = self.of_first_seat[zone.index()]?;
        Some((first, ahead(model, model.zone(zone).seat?, chooser)))
    }
}

/// The values of a game that are read at the end of rounds.
fn watched(model: &Model) -> Vec<Watched> {
    let values = model.values.iter().enumerate().filter(|(_, value)| {
        let counts = matches!(value.kind, ValueType::Number | ValueType::Space(_)) && value.most.is_none();
        let few = match value.owner {
            Owner::Game | Owner::Seat => true,
            Owner::Component(kind) => model.kinds[kind.index()].components.len() <= MOST_HOLDERS,
            Owner::Pair(one, other) => [one, other].into_iter().all(|party| match party {
                Party::Seat => true,
                Party::Component(kind) => model.kinds[kind.index()].components.len() <= MOST_HOLDERS,
            }),
            Owner::Piece(_) | Owner::Space(_) => false,
        };
        counts && few && value.lasts == crate::model::Lasts::Game
    });
    values
        .map(|(at, value)| Watched {
            value: at as u16,
            owner: value.owner,
            is_space: matches!(value.kind, ValueType::Space(_)),
        })
        .collect()
}

/// How many seats one comes after another.
pub(super) fn ahead(model: &Model, seat: Seat, chooser: Seat) -> u8 {
    (seat.0 + model.seats - chooser.0) % model.seats
}

/// The first seat's zone that is to it what a zone of a seat is to that one.
fn of_first_seat(model: &Model, zone: ZoneId) -> Option<ZoneId> {
    let own = model.zone(zone);
    own.seat?;
    let is_same = |other: &u16| {
        let other = &model.zones[usize::from(*other)];
        other.seat == Some(Seat(0)) && other.components().eq(own.components()) && other.copy == own.copy
    };
    model.family_of(zone).zones.clone().find(is_same).map(ZoneId)
}
