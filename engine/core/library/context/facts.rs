//! Facts by name: printed fields, values, zones and built-in facts.

use crate::decision::{Choice, Type, Value, word};
use crate::library::built_in::{BuiltIn, FACTS, OF_TEAMS};
use crate::model::{
    ComponentId, FamilyId, FieldId, FieldType, Label, Model, Owner, Party, PieceId, Seat, SpaceId, TEAM, ValueId, Zone,
    ZoneId,
};
use crate::table::{Holder, Member, Table};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// A named fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fact {
    /// A printed field.
    Field(FieldId),
    /// A printed field that lists components.
    Components(FieldId),
    /// A printed field of a space.
    SpaceField(Arc<str>),
    /// A field of the cell that is visible on a space.
    CellField(usize),
    /// A value.
    Value(ValueId),
    /// A table of values.
    Entries(ValueId),
    /// The zones of this family that belong to the owner.
    Zones(FamilyId),
    /// A built-in fact.
    BuiltIn(BuiltIn),
}

/// An id of a game object that has facts.
pub(crate) trait Item: Copy + Into<Value> + Ord + 'static + std::fmt::Debug {
    /// Type of the object.
    const OF: Type;
    /// Name of the type.
    const WORD: &'static str = Self::OF.word();
    /// Index of the type in a `FactTable`.
    const TABLE: usize;

    fn choice(self) -> Choice;
    fn holder(self) -> Option<Holder>;
    /// Returns the key under which the object's unchanging facts are stored. For a piece, this is its component.
    fn key(self, table: &Table) -> usize;
    /// Returns the number of keys.
    fn keys(model: &Model) -> usize;
    /// Returns the current value of a built-in fact that changes during play.
    fn changing_fact(self, _table: &Table, _which: BuiltIn) -> Value {
        Value::Nothing
    }
    /// Returns the value of a built-in fact that never changes; `None` for all other facts.
    fn built_in(_model: &Model, _key: usize, _which: BuiltIn) -> Option<Value> {
        None
    }
    /// Returns the space whose visible cell provides the object's cell fields.
    fn visible_space(self) -> Option<SpaceId> {
        None
    }

    fn owns(_owner: Owner) -> bool {
        false
    }
    /// Returns the object as the owner of tables of values. Returns `None` for types that cannot own tables of values.
    fn member(self) -> Option<Member> {
        None
    }
    fn has_fields() -> bool {
        false
    }
    fn has_zone(_model: &Model, _family: FamilyId) -> bool {
        false
    }
    /// Returns whether a zone belongs to the object with the given key.
    fn owns_zone(_zone: &Zone, _key: usize) -> bool {
        false
    }
}

impl Item for PieceId {
    const OF: Type = Type::Piece;
    const TABLE: usize = 0;

    fn choice(self) -> Choice {
        Choice::Piece(self)
    }
    fn holder(self) -> Option<Holder> {
        Some(Holder::Piece(self))
    }
    fn key(self, table: &Table) -> usize {
        table.component(self).index()
    }
    fn keys(model: &Model) -> usize {
        model.components.len()
    }
    fn owns(owner: Owner) -> bool {
        matches!(owner, Owner::Piece(_))
    }
    fn has_fields() -> bool {
        true
    }
    fn built_in(model: &Model, key: usize, which: BuiltIn) -> Option<Value> {
        ComponentId::built_in(model, key, which).filter(|_| which == BuiltIn::Kind)
    }
    fn changing_fact(self, table: &Table, which: BuiltIn) -> Value {
        match which {
            BuiltIn::Component => table.component(self).into(),
            BuiltIn::Owner => table.owner(self).into(),
            BuiltIn::Zone => table.zone_of(self).into(),
            BuiltIn::Space => table.space_of(self).into(),
            BuiltIn::Up => table.is_up(self).into(),
            BuiltIn::Turned => i64::from(table.turned(self)).into(),
            _ => table.shown(self).map_or(Value::Nothing, |face| Choice::from(face).to_value()),
        }
    }
}

impl Item for ComponentId {
    const OF: Type = Type::Component;
    const TABLE: usize = 1;

    fn choice(self) -> Choice {
        Choice::Component(self)
    }
    fn holder(self) -> Option<Holder> {
        Some(Holder::Component(self))
    }
    fn key(self, _table: &Table) -> usize {
        self.index()
    }
    fn keys(model: &Model) -> usize {
        model.components.len()
    }
    fn owns(owner: Owner) -> bool {
        matches!(owner, Owner::Component(_) | Owner::Pair(Party::Component(_), _))
    }
    fn member(self) -> Option<Member> {
        Some(Member::Component(self))
    }
    fn has_fields() -> bool {
        true
    }
    fn has_zone(model: &Model, family: FamilyId) -> bool {
        matches!(model.family(family).per.first(), Some(crate::model::Per::Kind(_)))
    }
    fn owns_zone(zone: &Zone, key: usize) -> bool {
        zone.of == Some(Self::at(key))
    }
    fn built_in(model: &Model, key: usize, which: BuiltIn) -> Option<Value> {
        let component = &model.components[key];
        Some(match which {
            BuiltIn::Id => Value::Text(word(&component.id)),
            BuiltIn::Kind => Value::Text(word(&model.kinds[component.kind.index()].id)),
            BuiltIn::Count if component.each_seat => Value::Number(i64::from(component.count) * i64::from(model.seats)),
            BuiltIn::Count => Value::Number(i64::from(component.count)),
            BuiltIn::Seats if *model.kinds[component.kind.index()].id == *TEAM => {
                let team = model.team(Self::at(key));
                Value::Seats(team.into_iter().flat_map(|team| team.seats.iter().copied()).collect())
            }
            _ => return None,
        })
    }
}

impl Item for Seat {
    const OF: Type = Type::Seat;
    const TABLE: usize = 2;

    fn choice(self) -> Choice {
        Choice::Seat(self)
    }
    fn holder(self) -> Option<Holder> {
        Some(Holder::Seat(self))
    }
    fn key(self, _table: &Table) -> usize {
        self.index()
    }
    fn keys(model: &Model) -> usize {
        usize::from(model.seats)
    }
    fn owns(owner: Owner) -> bool {
        matches!(owner, Owner::Seat | Owner::Pair(Party::Seat, _))
    }
    fn member(self) -> Option<Member> {
        Some(Member::Seat(self))
    }
    fn has_zone(model: &Model, family: FamilyId) -> bool {
        matches!(model.family(family).per.first(), Some(crate::model::Per::Seat))
    }
    fn owns_zone(zone: &Zone, key: usize) -> bool {
        zone.seat.is_some_and(|seat| seat.index() == key)
    }
    fn changing_fact(self, table: &Table, _which: BuiltIn) -> Value {
        (!table.position.is_in_play(self)).into()
    }
    fn built_in(model: &Model, key: usize, which: BuiltIn) -> Option<Value> {
        let seat = Seat(key as u8);
        match which {
            BuiltIn::Team => model.team_of(seat).map(|team| team.component.into()),
            BuiltIn::Eliminated => None,
            _ => Some(seat.number().into()),
        }
    }
}

impl Item for SpaceId {
    const OF: Type = Type::Space;
    const TABLE: usize = 3;

    fn choice(self) -> Choice {
        Choice::Space(self)
    }
    fn holder(self) -> Option<Holder> {
        Some(Holder::Space(self))
    }
    fn key(self, _table: &Table) -> usize {
        self.index()
    }
    fn keys(model: &Model) -> usize {
        model.spaces.len()
    }
    fn owns(owner: Owner) -> bool {
        matches!(owner, Owner::Space(_))
    }
    fn visible_space(self) -> Option<SpaceId> {
        Some(self)
    }
    fn built_in(model: &Model, key: usize, which: BuiltIn) -> Option<Value> {
        let space = &model.spaces[key];
        Some(match (which, &space.label) {
            (BuiltIn::Zone, _) => space.zone.into(),
            (BuiltIn::Label, label) => label_value(label),
            (BuiltIn::X, Label::Cell(x, _)) => i64::from(*x).into(),
            (BuiltIn::Y, Label::Cell(_, y)) => i64::from(*y).into(),
            // Spaces of a row or ring are numbered from column 1.
            (BuiltIn::X, _) => (key as i64 - i64::from(model.zone(space.zone).spaces.start) + 1).into(),
            (BuiltIn::Y, _) => 1.into(),
            _ => return None,
        })
    }
    fn changing_fact(self, table: &Table, _which: BuiltIn) -> Value {
        table.top_owner(self).into()
    }
}

impl Item for ZoneId {
    const OF: Type = Type::Zone;
    const TABLE: usize = 4;

    fn choice(self) -> Choice {
        Choice::Zone(self)
    }
    fn holder(self) -> Option<Holder> {
        None
    }
    fn key(self, _table: &Table) -> usize {
        self.index()
    }
    fn keys(model: &Model) -> usize {
        model.zones.len()
    }
    fn built_in(model: &Model, key: usize, which: BuiltIn) -> Option<Value> {
        let id = Self::at(key);
        let (zone, family) = (model.zone(id), model.family_of(id));
        Some(match which {
            BuiltIn::Seat => zone.seat.into(),
            BuiltIn::Of => zone.of.into(),
            BuiltIn::Id => Value::Text(word(&family.id)),
            _ => match (&family.copies, zone.copy) {
                (Some(labels), Some(copy)) => label_value(&labels[copy as usize]),
                _ => Value::Nothing,
            },
        })
    }
}

/// Converts the label of a space or a copy to a value.
pub(crate) fn label_value(label: &Label) -> Value {
    match label {
        Label::Number(number) => Value::Number(*number),
        Label::Word(text) => Value::Text(word(text)),
        Label::Cell(x, y) => Value::list(vec![i64::from(*x).into(), i64::from(*y).into()]),
    }
}

/// Returns the fact for a printed field: [`Fact::Components`] if the field lists components, otherwise [`Fact::Field`].
fn field(model: &Model, id: FieldId) -> Fact {
    let lists = model.kinds.iter().filter_map(|kind| match kind.fields.get(&id) {
        Some(FieldType::List(of)) => Some(matches!(**of, FieldType::Component(_))),
        _ => None,
    });
    if lists.reduce(|a, b| a && b).unwrap_or(false) { Fact::Components(id) } else { Fact::Field(id) }
}

/// Returns all facts of a type, each with its name.
pub(crate) fn names<T: Item>(model: &Model) -> Vec<(Arc<str>, Fact)> {
    let is_there = |which: BuiltIn| !model.teams.is_empty() || !OF_TEAMS.contains(&which);
    let built_in = FACTS.iter().filter(|(of, which, ..)| *of == T::OF && is_there(*which));
    let mut names: Vec<(Arc<str>, Fact)> =
        built_in.map(|(_, which, name, ..)| ((*name).into(), Fact::BuiltIn(*which))).collect();
    if T::has_fields() {
        names.extend(model.fields.iter().enumerate().map(|(at, name)| (name.clone(), field(model, FieldId::at(at)))));
    }
    if T::OF == Type::Space {
        let mut seen = FxHashSet::default();
        let printed = model.spaces.iter().flat_map(|space| space.fields.keys()).filter(|name| seen.insert(*name));
        names.extend(printed.map(|name| (name.clone(), Fact::SpaceField(name.clone()))));
        names.extend(model.cells.fields.keys().enumerate().map(|(at, name)| (name.clone(), Fact::CellField(at))));
    }
    let values = model.values.iter().enumerate().filter(|(_, value)| T::owns(value.owner));
    names.extend(values.map(|(at, value)| {
        let id = ValueId::at(at);
        let fact = if matches!(value.owner, Owner::Pair(..)) { Fact::Entries(id) } else { Fact::Value(id) };
        (value.id.clone(), fact)
    }));
    let families = (0..model.families.len()).map(FamilyId::at).filter(|&family| T::has_zone(model, family));
    names.extend(families.map(|family| (model.family(family).id.clone(), Fact::Zones(family))));
    names
}

/// Returns whether a fact exists only in games with teams.
pub(crate) fn is_of_teams(kind: Type, name: &str) -> bool {
    FACTS.iter().any(|(of, which, known, ..)| *of == kind && *known == name && OF_TEAMS.contains(which))
}

/// Returns all facts of a type, each with its name. Empty for types without facts.
pub(crate) fn names_of(kind: Type, model: &Model) -> Vec<(Arc<str>, Fact)> {
    match kind {
        Type::Piece => names::<PieceId>(model),
        Type::Component => names::<ComponentId>(model),
        Type::Seat => names::<Seat>(model),
        Type::Space => names::<SpaceId>(model),
        Type::Zone => names::<ZoneId>(model),
        _ => Vec::new(),
    }
}

/// Returns all names of facts, each with a description of its owner. Used for the help on a name that is written
/// without an owner.
pub(crate) fn owned_names(model: &Model) -> Vec<(String, &'static str)> {
    let of = |kind: Type, owner: &'static str| {
        names_of(kind, model).into_iter().map(move |(name, _)| (name.to_string(), owner))
    };
    let game = model.values.iter().filter(|value| value.owner == Owner::Game);
    of(Type::Seat, "a seat")
        .chain(game.map(|value| (value.id.to_string(), "the game: `game.…`")))
        .chain(of(Type::Component, "a component or piece"))
        .chain(of(Type::Piece, "a piece"))
        .chain(of(Type::Space, "a space"))
        .collect()
}

/// Iterates over the values of the game itself, with their names.
pub(crate) fn game_values(model: &Model) -> impl Iterator<Item = (ValueId, &Arc<str>)> {
    let all = model.values.iter().enumerate().filter(|(_, value)| value.owner == Owner::Game);
    all.map(|(at, value)| (ValueId::at(at), &value.id))
}
