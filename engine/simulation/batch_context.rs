//! Data derived from the model and shared by all games of a batch.

use crate::model::{FamilyId, Model, Owner, Party, Seat, ValueType, ZoneId};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Data derived from the model, shared by all games of a batch.
#[derive(Debug)]
pub(super) struct BatchContext {
    pub(super) model: Arc<Model>,
    /// Whether all players win or lose together.
    pub(super) is_cooperative: bool,
    /// Whether the rules can change which seat goes first.
    pub(super) moves_first: bool,
    /// Index of each seat's team; empty without teams.
    pub(super) sides: Vec<u8>,
    /// First seat of each team, or every seat without teams.
    pub(super) leaders: Vec<usize>,
    /// Values that are read at the end of rounds.
    pub(super) values: Vec<TrackedValue>,
    /// For each zone, the first seat's counterpart of the zone; `None` for zones that do not belong to a seat.
    first_seat_zones: Vec<Option<ZoneId>>,
    /// Pairs of a component and a zone family such that a seat has the component in a zone of this family at the start.
    pub(super) homes: FxHashSet<(u16, FamilyId)>,
}

/// A value that is read at the end of rounds.
#[derive(Debug, Clone, Copy)]
pub(super) struct TrackedValue {
    pub(super) value: u16,
    pub(super) owner: Owner,
    pub(super) is_space: bool,
}

/// Maximum number of components in a kind whose values are tracked.
const MAX_HOLDERS: usize = 24;

impl BatchContext {
    /// Derives the data from a model.
    pub(super) fn new(model: &Arc<Model>, moves_first: bool) -> Self {
        let of_seats = model.pieces.iter().filter(|piece| model.zone(piece.zone).seat.is_some());
        let sides = model.side_indices();
        let is_first = |seat: &usize| !sides[..*seat].contains(&sides[*seat]);
        Self {
            model: model.clone(),
            is_cooperative: model.is_cooperative(),
            moves_first,
            leaders: (0..sides.len()).filter(is_first).collect(),
            sides: if model.teams.is_empty() { Vec::new() } else { sides.iter().map(|side| *side as u8).collect() },
            values: tracked_values(model),
            first_seat_zones: (0..model.zones.len()).map(|zone| first_seat_zone(model, ZoneId::at(zone))).collect(),
            homes: of_seats.map(|piece| (piece.component.0, model.zone(piece.zone).family)).collect(),
        }
    }

    /// Returns the first seat's counterpart of a seat's zone, and the number of seats from `chooser` clockwise to the owner of `zone`.
    /// Returns `None` if `zone` does not belong to a seat.
    pub(super) fn first_seat_zone(&self, model: &Model, zone: ZoneId, chooser: Seat) -> Option<(ZoneId, u8)> {
        let first = self.first_seat_zones[zone.index()]?;
        Some((first, seats_ahead(model, model.zone(zone).seat?, chooser)))
    }
}

/// Returns the values of a game that are read at the end of rounds.
fn tracked_values(model: &Model) -> Vec<TrackedValue> {
    let values = model.values.iter().enumerate().filter(|(_, value)| {
        let counts = matches!(value.kind, ValueType::Number | ValueType::Space(_)) && value.most.is_none();
        let few = match value.owner {
            Owner::Game | Owner::Seat => true,
            Owner::Component(kind) => model.kinds[kind.index()].components.len() <= MAX_HOLDERS,
            Owner::Pair(one, other) => [one, other].into_iter().all(|party| match party {
                Party::Seat => true,
                Party::Component(kind) => model.kinds[kind.index()].components.len() <= MAX_HOLDERS,
            }),
            Owner::Piece(_) | Owner::Space(_) => false,
        };
        counts && few && value.lasts == crate::model::ResetPeriod::Game
    });
    values
        .map(|(at, value)| TrackedValue {
            value: at as u16,
            owner: value.owner,
            is_space: matches!(value.kind, ValueType::Space(_)),
        })
        .collect()
}

/// Returns the number of seats from the chooser to a seat, clockwise.
pub(super) fn seats_ahead(model: &Model, seat: Seat, chooser: Seat) -> u8 {
    (seat.0 + model.seats - chooser.0) % model.seats
}

/// Returns the first seat's counterpart of a seat's zone; `None` if the zone does not belong to a seat.
fn first_seat_zone(model: &Model, zone: ZoneId) -> Option<ZoneId> {
    let own = model.zone(zone);
    own.seat?;
    let is_same = |other: &u16| {
        let other = &model.zones[usize::from(*other)];
        other.seat == Some(Seat(0)) && other.components().eq(own.components()) && other.copy == own.copy
    };
    model.family_of(zone).zones.clone().find(is_same).map(ZoneId)
}
