//! Immutable facts about a table. They are computed once from the model, because play needs them constantly.

use super::seat_set::{SeatSet, only};
use super::value::expiring_slots;
use super::{InitialState, Stream};
use crate::model::{
    ComponentId, FaceDownVisibility, FamilyId, Model, Owner, Party, ResetPeriod, Seat, Shape, SpaceId, Tessellation,
    ValueId, ValueType, ZoneId,
};
use crate::table::grid::geometry::{Adjacency, Direction, Plan, Steps, corner};
use crate::table::grid::lattice::Lattice;
use crate::table::grid::topmost::CellTraits;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// A model with the facts derived from it.
#[derive(Debug)]
pub struct Layout {
    /// The game.
    pub model: Arc<Model>,
    /// All seats of this game.
    pub everybody: SeatSet,
    zones: Vec<ZoneTraits>,
    /// Zone of each space.
    zones_of_spaces: Vec<ZoneId>,
    /// Neighbors of each space, indexed by [`Direction::number`].
    steps: Vec<Steps>,
    /// Neighbors of all spaces. The first entry has only neighbors across edges, the second also those across corners.
    pub(super) adjacency: [Adjacency; 2],
    /// Coordinates of each zone's hexagons; `None` for zones without hexagons.
    plans: Vec<Option<Arc<Plan>>>,
    /// Ground of each space: for an overlay, the space of the grid below it; otherwise the space itself.
    grounds: Vec<SpaceId>,
    backs: Vec<u16>,
    /// Zones in force for each seat: their pieces alter the effects of the seat's actions.
    in_force: Vec<Vec<ZoneId>>,
    /// Values of pieces, if some seats cannot see them.
    pub(super) hidden_piece_values: Vec<ValueId>,
    /// All values whose holders are pieces.
    pub(super) of_pieces: Vec<ValueId>,
    /// Slots of values that last only for a turn, phase or round, each with its start value.
    pub(super) expiring: Vec<(ResetPeriod, Vec<(usize, i64)>)>,
    /// Values that store references to pieces.
    pub(super) piece_references: Vec<ValueId>,
    /// Lattice of each zone, once it has been computed. Only grids on which pieces cover several spaces need one.
    lattices: Vec<OnceLock<Arc<Lattice>>>,
    pub(super) cells: CellTraits,
    pub(super) names: NameHashes,
    /// Stream of each handle: the stream of the piece that has the handle when the box is opened.
    pub(super) piece_streams: Vec<Stream>,
    /// State of the opened box, once it has been computed.
    pub(super) opened: OnceLock<InitialState>,
}

/// Facts about a zone that determine the effects of moving a piece into or out of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct ZoneTraits {
    /// Seats that see the faces of face-down pieces in the zone.
    pub(super) seers: SeatSet,
    /// Whether seats that do not see into the zone lose track of individual pieces.
    pub(super) unordered: bool,
    /// Whether only the topmost face-up piece is visible.
    pub(super) shows_top: bool,
    /// Whether pieces arrive face up.
    pub(super) face_up: bool,
    /// Shape of the zone.
    pub(super) shape: Shape,
    /// Number of columns. For shapes other than grids, the number of spaces.
    pub(super) columns: i16,
    /// Number of rows.
    pub(super) rows: i16,
    /// Least column and least row in the labels of a grid's spaces.
    pub(super) corner: (i16, i16),
    /// Id of the zone's first space.
    start: u16,
    /// Id of the zone's last space plus one.
    end: u16,
}

/// Hashes of names, for fingerprints.
#[derive(Debug)]
pub(super) struct NameHashes {
    pub(super) components: Vec<u64>,
    pub(super) spaces: Vec<u64>,
    pub(super) values: Vec<u64>,
    pub(super) phases: Vec<u64>,
}

impl Layout {
    /// Derives the layout of a model.
    pub fn new(model: Arc<Model>) -> Self {
        let everybody = ((1_u32 << model.seats) - 1) as SeatSet;
        let zones = (0..model.zones.len()).map(|zone| traits(&model, ZoneId::at(zone), everybody)).collect();
        let zones_of_spaces = model.spaces.iter().map(|space| space.zone).collect();
        let plans = (0..model.zones.len()).map(ZoneId::at).map(|zone| plan(&model, zone)).collect();
        let (backs, names, cells) = (backs(&model), name_hashes(&model), CellTraits::new(&model));
        let piece_streams = piece_streams(&model, &names);
        let grounds = (0..model.spaces.len()).map(|space| ground(&model, SpaceId::at(space))).collect();
        let values = (0..model.values.len()).map(ValueId::at);
        let of_pieces: Vec<ValueId> =
            values.clone().filter(|id| matches!(model.value(*id).owner, Owner::Piece(_))).collect();
        let hidden_piece_values = of_pieces.iter().copied().filter(|id| !model.value(*id).is_public()).collect();
        let piece_references = values.filter(|id| model.value(*id).kind == ValueType::Piece).collect();
        let in_force = model.all_seats().map(|seat| in_force(&model, seat)).collect();
        let lattices = (0..model.zones.len()).map(|_| OnceLock::new()).collect();
        let (expiring, steps) = (expiring_slots(&model), Vec::new());
        let mut layout = Self {
            model,
            everybody,
            zones,
            zones_of_spaces,
            steps,
            adjacency: Default::default(),
            plans,
            grounds,
            backs,
            in_force,
            of_pieces,
            hidden_piece_values,
            expiring,
            piece_references,
            lattices,
            cells,
            names,
            piece_streams,
            opened: OnceLock::new(),
        };
        layout.steps = (0..layout.grounds.len()).map(|space| layout.steps_from(SpaceId::at(space))).collect();
        layout.adjacency = [false, true].map(|corners| Adjacency::new(&layout, corners));
        layout
    }

    /// Returns the next space in a direction; `None` at the edge.
    #[inline]
    pub fn step(&self, space: SpaceId, direction: Direction) -> Option<SpaceId> {
        self.steps[space.index()][direction.number()]
    }

    /// Returns the coordinates of a zone's hexagons; `None` if it has no hexagons.
    pub(super) fn plan(&self, zone: ZoneId) -> Option<&Arc<Plan>> {
        self.plans[zone.index()].as_ref()
    }

    /// Returns the lattice of a zone.
    pub(super) fn lattice(&self, zone: ZoneId) -> &Arc<Lattice> {
        self.lattices[zone.index()].get_or_init(|| {
            let traits = self.traits_of(zone);
            let (columns, rows) = (traits.columns.max(1) as usize, traits.rows.max(1) as usize);
            let neighbors = Direction::to_neighbors(traits.shape.tessellation());
            let steps = neighbors.map(|step| (i32::from(step.dx), i32::from(step.dy)));
            let spaces = self.spaces_of(zone);
            let cells = spaces.clone().map(|space| {
                let (x, y) = self.cell(SpaceId(space));
                (x as usize, y as usize)
            });
            Arc::new(Lattice::new(spaces.start, columns, rows, steps, cells))
        })
    }

    /// Returns the grid that a zone lies over. If the zone lies over no other, returns the zone itself.
    pub(super) fn ground_zone(&self, zone: ZoneId) -> ZoneId {
        self.zone_of(self.ground_space(SpaceId(self.spaces_of(zone).start)))
    }

    #[inline]
    pub(super) fn traits_of(&self, zone: ZoneId) -> ZoneTraits {
        self.zones[zone.index()]
    }

    /// Returns the code of the back of a component. Backs that look alike have the same code.
    pub(super) fn back_of(&self, component: ComponentId) -> u16 {
        self.backs[component.index()]
    }

    /// Returns the space of the grid under an overlay zone. For spaces of other zones, returns the space itself.
    #[inline]
    pub fn ground_space(&self, space: SpaceId) -> SpaceId {
        self.grounds[space.index()]
    }

    /// Returns the space of `zone` that is at the same position as `space`: the space itself, or one above or below it. Returns `None` if
    /// the two zones are not on the same grid.
    pub fn counterpart(&self, space: SpaceId, zone: ZoneId) -> Option<SpaceId> {
        let (own, start) = (self.zone_of(space), self.model.zone(zone).spaces.start);
        let ground_of = |space| self.zone_of(self.ground_space(space));
        let offset = space.0 - self.model.zone(own).spaces.start;
        (own == zone || ground_of(space) == ground_of(SpaceId(start))).then(|| SpaceId(start + offset))
    }

    /// Returns the zones in force for a seat: their pieces alter the effects of the seat's actions.
    pub(crate) fn in_force(&self, seat: Seat) -> &[ZoneId] {
        &self.in_force[seat.index()]
    }

    /// Returns the zone of a space.
    #[inline]
    pub fn zone_of(&self, space: SpaceId) -> ZoneId {
        self.zones_of_spaces[space.index()]
    }

    /// Returns the ids of a zone's spaces.
    #[inline]
    pub(super) fn spaces_of(&self, zone: ZoneId) -> Range<u16> {
        let ZoneTraits { start, end, .. } = self.zones[zone.index()];
        start..end
    }

    /// Returns the random number stream of a component, which is used for its dice rolls.
    pub fn stream_of_component(&self, component: ComponentId) -> Stream {
        Stream::from_hash(self.names.components[component.index()])
    }

    /// Returns the random number stream of a space, for its shuffles and for draws from it.
    pub fn stream_of_space(&self, space: SpaceId) -> Stream {
        Stream::from_hash(self.names.spaces[space.index()])
    }

    /// Returns the set that contains only `seat`.
    pub const fn only(seat: Seat) -> SeatSet {
        only(seat)
    }
}

fn traits(model: &Model, id: ZoneId, everybody: SeatSet) -> ZoneTraits {
    let zone = model.zone(id);
    let family = model.family_of(id);
    let seers = match family.seen_by {
        FaceDownVisibility::Nobody => 0,
        FaceDownVisibility::Owner => zone.seat.map_or(0, Layout::only),
        FaceDownVisibility::Team => {
            zone.seat.map_or_else(|| team_seats(model, zone.team(model)), |seat| teammates(model, seat))
        }
        FaceDownVisibility::Everybody => everybody,
    };
    let (columns, rows) = match family.shape {
        Shape::Grid(_) => (family.columns as i16, family.rows as i16),
        Shape::Pile | Shape::Hand | Shape::Bag | Shape::Row | Shape::Ring => (zone.spaces.len() as i16, 1),
    };
    ZoneTraits {
        seers,
        unordered: family.shape.is_unordered(),
        shows_top: family.shows_top,
        face_up: family.face_up,
        shape: family.shape,
        columns,
        rows,
        corner: corner(model, id),
        start: zone.spaces.start,
        end: zone.spaces.end,
    }
}

/// Returns the seats of the team that a component represents; the empty set if it represents none.
pub(super) fn team_seats(model: &Model, component: Option<ComponentId>) -> SeatSet {
    let team = component.and_then(|component| model.team(component));
    team.into_iter().flat_map(|team| &team.seats).fold(0, |set, seat| set | Layout::only(*seat))
}

/// Returns the seats of a seat's team. Without teams, returns only the seat.
pub(super) fn teammates(model: &Model, seat: Seat) -> SeatSet {
    model.team_of(seat).map_or_else(|| Layout::only(seat), |team| team_seats(model, Some(team.component)))
}

fn plan(model: &Model, zone: ZoneId) -> Option<Arc<Plan>> {
    match model.family_of(zone).shape.tessellation() {
        // Every cell of the rectangle has a space, so the coordinates of a space are computed from its index.
        Tessellation::Square => None,
        Tessellation::Hex(_) => Some(Arc::new(Plan::new(model, zone))),
    }
}

fn in_force(model: &Model, seat: Seat) -> Vec<ZoneId> {
    let families = model.families.iter().filter(|family| family.in_force);
    let zones = families.flat_map(|family| family.zones.clone().map(ZoneId));
    let is_of_seat = |zone: &ZoneId| {
        let zone = model.zone(*zone);
        let team = zone.team(model).and_then(|of| model.team(of));
        zone.seat.is_none_or(|of| of == seat) && team.is_none_or(|team| team.seats.contains(&seat))
    };
    zones.filter(is_of_seat).collect()
}

fn ground(model: &Model, space: SpaceId) -> SpaceId {
    let mut zone = model.spaces[space.index()].zone;
    let offset = space.0 - model.zone(zone).spaces.start;
    while let Some(over) = model.family_of(zone).over {
        zone = matching_zone(model, zone, over);
    }
    SpaceId(model.zone(zone).spaces.start + offset)
}

/// Returns the zone of `family` that corresponds to `zone`: it has the same seat, component and copy, if the zones of the family have
/// these. If there is no such zone, returns the family's first zone.
fn matching_zone(model: &Model, zone: ZoneId, family: FamilyId) -> ZoneId {
    let zones = || model.family(family).zones.clone().map(ZoneId);
    let original = model.zone(zone);
    let is_same = |other: &ZoneId| {
        let other = model.zone(*other);
        (other.seat.is_none() || other.seat == original.seat)
            && other.components().all(|of| original.components().any(|original| original == of))
            && (other.copy.is_none() || other.copy == original.copy)
    };
    zones().find(is_same).or_else(|| zones().next()).expect("a declaration has a zone")
}

fn backs(model: &Model) -> Vec<u16> {
    let first_alike =
        |back: &Arc<str>| model.kinds.iter().position(|kind| kind.back == *back).unwrap_or_default() as u16;
    (0..model.components.len()).map(|at| first_alike(&model.kind_of(ComponentId::at(at)).back)).collect()
}

/// Derives a stream for each piece from the name of its component, its owner, and its index among equal pieces.
fn piece_streams(model: &Model, names: &NameHashes) -> Vec<Stream> {
    let mut copies = vec![0_u32; model.components.len() * (model.seats as usize + 1)];
    let mut name = |new: &crate::model::NewPiece| {
        let owner = new.owner.map_or(0, |seat| seat.index() + 1);
        let copy = &mut copies[owner * model.components.len() + new.component.index()];
        *copy += 1;
        Stream::from_hash(names.components[new.component.index()]).nth_substream((owner as u32) << 16 | *copy)
    };
    model.pieces.iter().map(&mut name).collect()
}

/// Hashes a name. The result is the same on every machine and in every version.
pub(super) fn name_hash(parts: &[&str]) -> u64 {
    let mut hasher = blake3::Hasher::new_derive_key("parlour name 1");
    for part in parts {
        hasher.update(part.as_bytes());
        hasher.update(&[0]);
    }
    let bytes = hasher.finalize();
    u64::from_le_bytes(bytes.as_bytes()[..8].try_into().expect("a hash has 32 bytes"))
}

fn name_hashes(model: &Model) -> NameHashes {
    NameHashes {
        components: model.components.iter().map(|c| name_hash(&["component", &c.id])).collect(),
        spaces: model.spaces.iter().map(|space| space_hash(model, space)).collect(),
        values: model
            .values
            .iter()
            .map(|v| name_hash(&["value", &format!("{:?}", owner_name(model, v)), &v.id]))
            .collect(),
        phases: model.phases.iter().map(|p| name_hash(&["phase", &p.id])).collect(),
    }
}

fn space_hash(model: &Model, space: &crate::model::Space) -> u64 {
    let zone = model.zone(space.zone);
    let seat = zone.seat.map_or_else(String::new, |seat| seat.number().to_string());
    name_hash(&["space", &zone.path, &seat, &space.label.to_string()])
}

fn owner_name(model: &Model, value: &crate::model::Value) -> String {
    match value.owner {
        Owner::Game => "game".to_owned(),
        Owner::Seat => "seat".to_owned(),
        Owner::Component(kind) => model.kinds[kind.index()].id.to_string(),
        Owner::Piece(_) => "piece".to_owned(),
        Owner::Space(family) => model.family(family).id.to_string(),
        Owner::Pair(one, other) => [one, other].map(|party| party_name(model, party)).join("*"),
    }
}

fn party_name(model: &Model, party: Party) -> String {
    match party {
        Party::Seat => "seat".to_owned(),
        Party::Component(kind) => model.kinds[kind.index()].id.to_string(),
    }
}
