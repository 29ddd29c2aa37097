//! What never changes about a table: the model, and facts about it that play asks for all the time.

use super::seat_set::{SeatSet, only};
use super::value::lasting;
use super::{Opened, Stream};
use crate::model::{
    ComponentId, FamilyId, Lasts, Model, Owner, Party, Seat, Seen, Shape, SpaceId, ValueId, ValueType, ZoneId,
};
use crate::table::grid::geometry::{Direction, Plan, Steps};
use crate::table::grid::topmost::CellTraits;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// The model of a table with what can be calculated from it once.
#[derive(Debug)]
pub struct Layout {
    /// The game.
    pub model: Arc<Model>,
    /// Every seat at this table.
    pub everybody: SeatSet,
    zones: Vec<ZoneTraits>,
    /// By space: those beside it, at [`Direction::number`].
    steps: Vec<Steps>,
    /// By zone: where its hexagons lie.
    plans: Vec<Option<Arc<Plan>>>,
    /// By space: that of the grid under a zone that lies over it, or the space itself.
    grounds: Vec<SpaceId>,
    backs: Vec<u16>,
    /// By seat: the zones whose pieces have a word in what it does.
    in_force: Vec<Vec<ZoneId>>,
    /// Those of the values of pieces that not all see.
    pub(super) hidden_of_pieces: Vec<ValueId>,
    /// The values that pieces have.
    pub(super) of_pieces: Vec<ValueId>,
    /// The slots of values that last only for a turn, a phase or a round, each with what it starts as.
    pub(super) lasting: Vec<(Lasts, Vec<(usize, i64)>)>,
    /// The values that hold pieces.
    pub(super) of_held_pieces: Vec<ValueId>,
    pub(super) cells: CellTraits,
    pub(super) names: NameNumbers,
    /// By handle: a name for the piece that comes out of the box with it.
    pub(super) births: Vec<Stream>,
    /// The opened box, once it has been unpacked.
    pub(super) opened: OnceLock<Opened>,
}

/// What moving a piece into or out of a zone depends on.
#[derive(Debug, Clone, Copy)]
pub(super) struct ZoneTraits {
    /// The seats that see face-down pieces.
    pub(super) seers: SeatSet,
    /// Whether a seat that does not see in loses track of single pieces.
    pub(super) unordered: bool,
    /// Whether of face-up pieces only the top one is seen.
    pub(super) shows_top: bool,
    /// How pieces arrive.
    pub(super) face_up: bool,
    /// The shape.
    pub(super) shape: Shape,
    /// Columns, or how many spaces a row or ring has.
    pub(super) columns: i16,
    /// Rows.
    pub(super) rows: i16,
}

/// Numbers that stand for names in a fingerprint.
#[derive(Debug)]
pub(super) struct NameNumbers {
    pub(super) components: Vec<u64>,
    pub(super) spaces: Vec<u64>,
    pub(super) values: Vec<u64>,
    pub(super) phases: Vec<u64>,
}

impl Layout {
    /// The layout of a model.
    pub fn new(model: Arc<Model>) -> Self {
        let everybody = ((1_u32 << model.seats) - 1) as SeatSet;
        let zones = (0..model.zones.len()).map(|zone| traits(&model, ZoneId::at(zone), everybody)).collect();
        let plans = (0..model.zones.len()).map(ZoneId::at).map(|zone| plan(&model, zone)).collect();
        let (backs, names, cells) = (backs(&model), names(&model), CellTraits::new(&model));
        let births = births(&model, &names);
        let grounds = (0..model.spaces.len()).map(|space| ground(&model, SpaceId::at(space))).collect();
        let values = (0..model.values.len()).map(ValueId::at);
        let of_pieces: Vec<ValueId> =
            values.clone().filter(|id| matches!(model.value(*id).owner, Owner::Piece(_))).collect();
        let hidden_of_pieces = of_pieces.iter().copied().filter(|id| !model.value(*id).is_public()).collect();
        let of_held_pieces = values.filter(|id| model.value(*id).kind == ValueType::Piece).collect();
        let in_force = model.all_seats().map(|seat| in_force(&model, seat)).collect();
        let (lasting, steps) = (lasting(&model), Vec::new());
        let mut layout = Self {
            model,
            everybody,
            zones,
            steps,
            plans,
            grounds,
            backs,
            in_force,
            of_pieces,
            hidden_of_pieces,
            lasting,
            of_held_pieces,
            cells,
            names,
            births,
            opened: OnceLock::new(),
        };
        layout.steps = (0..layout.grounds.len()).map(|space| layout.steps_from(SpaceId::at(space))).collect();
        layout
    }

    /// The next space in a direction, if there is one.
    pub fn step(&self, space: SpaceId, direction: Direction) -> Option<SpaceId> {
        self.steps[space.index()][direction.number()]
    }

    /// The spaces beside some, by the number of the direction.
    pub(super) fn steps(&self, spaces: Range<usize>) -> &[Steps] {
        &self.steps[spaces]
    }

    /// Where the hexagons of a zone lie, if it has hexagons.
    pub(super) fn plan(&self, zone: ZoneId) -> Option<&Arc<Plan>> {
        self.plans[zone.index()].as_ref()
    }

    pub(super) fn traits_of(&self, zone: ZoneId) -> ZoneTraits {
        self.zones[zone.index()]
    }

    /// A number for what the pieces of a component look like from behind.
    pub(super) fn back_of(&self, component: ComponentId) -> u16 {
        self.backs[component.index()]
    }

    /// The space of the grid under a zone that lies over it, or the space itself.
    pub fn ground_space(&self, space: SpaceId) -> SpaceId {
        self.grounds[space.index()]
    }

    /// The space of a zone that is a space, or lies above or below it; none where the zone and its own do not lie over one grid.
    pub fn counterpart(&self, space: SpaceId, zone: ZoneId) -> Option<SpaceId> {
        let (own, start) = (self.zone_of(space), self.model.zone(zone).spaces.start);
        let ground_of = |space| self.zone_of(self.ground_space(space));
        let offset = space.0 - self.model.zone(own).spaces.start;
        (own == zone || ground_of(space) == ground_of(SpaceId(start))).then(|| SpaceId(start + offset))
    }

    /// The zones whose pieces have a word in what a seat does.
    pub(crate) fn in_force(&self, seat: Seat) -> &[ZoneId] {
        &self.in_force[seat.index()]
    }

    /// The zone a space is in.
    pub fn zone_of(&self, space: SpaceId) -> ZoneId {
        self.model.spaces[space.index()].zone
    }

    /// The stream of chance that a component has: of its throws, and of its place in a shuffle.
    pub fn name_of(&self, component: ComponentId) -> Stream {
        Stream::hashed(self.names.components[component.index()])
    }

    /// The stream of chance that a space has: of its shuffles, and of draws from it.
    pub fn shuffles_of(&self, space: SpaceId) -> Stream {
        Stream::hashed(self.names.spaces[space.index()])
    }

    /// The seat alone, as a set.
    pub const fn only(seat: Seat) -> SeatSet {
        only(seat)
    }
}

fn traits(model: &Model, id: ZoneId, everybody: SeatSet) -> ZoneTraits {
    let zone = model.zone(id);
    let family = model.family_of(id);
    let seers = match family.seen_by {
        Seen::Nobody => 0,
        Seen::Owner => zone.seat.map_or(0, Layout::only),
        Seen::Team => zone.seat.map_or_else(|| of_team(model, zone.team(model)), |seat| of_seat(model, seat)),
        Seen::Everybody => everybody,
    };
    let (columns, rows) = match family.shape {
        Shape::Grid | Shape::Hex(_) => (family.columns as i16, family.rows as i16),
        _ => (zone.spaces.len() as i16, 1),
    };
    ZoneTraits {
        seers,
        unordered: family.shape.is_unordered(),
        shows_top: family.shows_top,
        face_up: family.face_up,
        shape: family.shape,
        columns,
        rows,
    }
}

/// The seats of the team that a component stands for; nobody where it stands for none.
pub(super) fn of_team(model: &Model, component: Option<ComponentId>) -> SeatSet {
    let team = component.and_then(|component| model.team(component));
    team.into_iter().flat_map(|team| &team.seats).fold(0, |set, seat| set | Layout::only(*seat))
}

/// The seats of a seat's team; it alone where there are no teams.
pub(super) fn of_seat(model: &Model, seat: Seat) -> SeatSet {
    model.team_of(seat).map_or_else(|| Layout::only(seat), |team| of_team(model, Some(team.component)))
}

fn plan(model: &Model, zone: ZoneId) -> Option<Arc<Plan>> {
    model.family_of(zone).shape.tops().map(|_| Arc::new(Plan::new(model, zone)))
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
        zone = same_of(model, zone, over);
    }
    SpaceId(model.zone(zone).spaces.start + offset)
}

/// The zone of a declaration that belongs with another zone: of the same seat, component and copy, as far as it has these.
fn same_of(model: &Model, zone: ZoneId, family: FamilyId) -> ZoneId {
    let zones = || model.family(family).zones.clone().map(ZoneId);
    let own = model.zone(zone);
    let is_same = |other: &ZoneId| {
        let other = model.zone(*other);
        (other.seat.is_none() || other.seat == own.seat)
            && other.components().all(|of| own.components().any(|own| own == of))
            && (other.copy.is_none() || other.copy == own.copy)
    };
    zones().find(is_same).or_else(|| zones().next()).expect("a declaration has a zone")
}

fn backs(model: &Model) -> Vec<u16> {
    let first_alike =
        |back: &Arc<str>| model.kinds.iter().position(|kind| kind.back == *back).unwrap_or_default() as u16;
    (0..model.components.len()).map(|at| first_alike(&model.kind_of(ComponentId::at(at)).back)).collect()
}

/// Pieces by the names of their components, their owners, and their numbers among alike ones.
fn births(model: &Model, names: &NameNumbers) -> Vec<Stream> {
    let mut copies = vec![0_u32; model.components.len() * (model.seats as usize + 1)];
    let mut name = |new: &crate::model::NewPiece| {
        let owner = new.owner.map_or(0, |seat| seat.index() + 1);
        let copy = &mut copies[owner * model.components.len() + new.component.index()];
        *copy += 1;
        Stream::hashed(names.components[new.component.index()]).number((owner as u32) << 16 | *copy)
    };
    model.pieces.iter().map(&mut name).collect()
}

/// A number for a name that is the same on every machine and in every version.
pub(super) fn name_hash(parts: &[&str]) -> u64 {
    let mut hasher = blake3::Hasher::new_derive_key("parlour name 1");
    for part in parts {
        hasher.update(part.as_bytes());
        hasher.update(&[0]);
    }
    let bytes = hasher.finalize();
    u64::from_le_bytes(bytes.as_bytes()[..8].try_into().expect("a hash has 32 bytes"))
}

fn names(model: &Model) -> NameNumbers {
    NameNumbers {
        components: model.components.iter().map(|c| name_hash(&["component", &c.id])).collect(),
        spaces: model.spaces.iter().map(|space| space_hash(model, space)).collect(),
        values: model
            .values
            .iter()
            .map(|v| name_hash(&["value", &format!("{:?}", owner_word(model, v)), &v.id]))
            .collect(),
        phases: model.phases.iter().map(|p| name_hash(&["phase", &p.id])).collect(),
    }
}

fn space_hash(model: &Model, space: &crate::model::Space) -> u64 {
    let zone = model.zone(space.zone);
    let seat = zone.seat.map_or_else(String::new, |seat| seat.number().to_string());
    name_hash(&["space", &zone.path, &seat, &space.label.to_string()])
}

fn owner_word(model: &Model, value: &crate::model::Value) -> String {
    match value.owner {
        Owner::Game => "game".to_owned(),
        Owner::Seat => "seat".to_owned(),
        Owner::Component(kind) => model.kinds[kind.index()].id.to_string(),
        Owner::Piece(_) => "piece".to_owned(),
        Owner::Space(family) => model.family(family).id.to_string(),
        Owner::Pair(one, other) => [one, other].map(|party| party_word(model, party)).join("*"),
    }
}

fn party_word(model: &Model, party: Party) -> String {
    match party {
        Party::Seat => "seat".to_owned(),
        Party::Component(kind) => model.kinds[kind.index()].id.to_string(),
    }
}
