//! Facts by name: printed fields, values, zones, and what every thing has.

use super::super::context::Context;
use super::super::fault::{Answer, Fault};
use super::Book;
use super::book::Handle;
use super::values::{value_to_choice, write_value};
use crate::decision::Type;
use crate::decision::{Choice, Set, Value};
use crate::diagnostic::{did_you_mean, how_to_declare};
use crate::model::{
    ComponentId, FamilyId, FieldId, FieldType, Label, Model, Owner, PieceId, Seat, Setting, SpaceId, ValueId, ZoneId,
};
use crate::table::{Holder, Table};
use arcstr::ArcStr;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;

/// A named fact, looked up once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fact {
    /// A printed field.
    Field(FieldId),
    /// A printed field that lists components.
    Components(FieldId),
    /// A printed field of a space.
    SpaceField(Arc<str>),
    /// What the cell says that is seen on a space.
    CellField(usize),
    /// A value.
    Value(ValueId),
    /// The zone, or zones, of this declaration that belong to it.
    Zones(FamilyId),
    /// What every such thing has.
    BuiltIn(BuiltIn),
}

/// What every thing of some type has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BuiltIn {
    Component,
    Count,
    Id,
    Kind,
    Label,
    Number,
    Of,
    Owner,
    Seat,
    Shown,
    Space,
    Turned,
    Up,
    X,
    Y,
    Zone,
}

/// A thing that scripts hold by a handle.
pub(crate) trait Item: Handle + PartialEq + 'static + std::fmt::Debug {
    /// What people call such a thing.
    const WORD: &'static str;
    /// The facts every such thing has.
    const BUILT_IN: &'static [(&'static str, BuiltIn)];
    /// Where its facts stand in a [`FactTable`].
    const TABLE: usize;

    fn choice(self) -> Choice;
    fn holder(self) -> Option<Holder>;
    fn built_in(self, table: &Table, which: BuiltIn) -> Choice;

    fn owns(_owner: Owner) -> bool {
        false
    }
    fn has_fields() -> bool {
        false
    }
    fn has_zone(_model: &Model, _family: FamilyId) -> bool {
        false
    }
    fn field(self, _table: &Table, _field: FieldId) -> Option<Choice> {
        None
    }
    fn space_field(self, _table: &Table, _field: &str) -> Option<Choice> {
        None
    }
    fn cell_field(self, _table: &Table, _field: usize) -> Option<Choice> {
        None
    }
    fn zones(self, _table: &Table, _family: FamilyId) -> Vec<ZoneId> {
        Vec::new()
    }
}

impl Item for PieceId {
    const WORD: &'static str = "piece";
    const TABLE: usize = 0;
    const BUILT_IN: &'static [(&'static str, BuiltIn)] = &[
        ("component", BuiltIn::Component),
        ("kind", BuiltIn::Kind),
        ("owner", BuiltIn::Owner),
        ("zone", BuiltIn::Zone),
        ("space", BuiltIn::Space),
        ("is_up", BuiltIn::Up),
        ("turned", BuiltIn::Turned),
        ("shown", BuiltIn::Shown),
    ];

    fn choice(self) -> Choice {
        Choice::Piece(self)
    }
    fn holder(self) -> Option<Holder> {
        Some(Holder::Piece(self))
    }
    fn owns(owner: Owner) -> bool {
        matches!(owner, Owner::Piece(_))
    }
    fn has_fields() -> bool {
        true
    }
    fn field(self, table: &Table, field: FieldId) -> Option<Choice> {
        table.component(self).field(table, field)
    }
    fn built_in(self, table: &Table, which: BuiltIn) -> Choice {
        match which {
            BuiltIn::Component => Choice::Component(table.component(self)),
            BuiltIn::Owner => table.owner(self).map_or(Choice::Nothing, Choice::Seat),
            BuiltIn::Zone => Choice::Zone(table.zone_of(self)),
            BuiltIn::Space => Choice::Space(table.space_of(self)),
            BuiltIn::Up => Choice::Flag(table.is_up(self)),
            BuiltIn::Turned => Choice::Number(i64::from(table.turned(self))),
            BuiltIn::Shown => table.shown(self).map_or(Choice::Nothing, Choice::from),
            which => table.component(self).built_in(table, which),
        }
    }
}

impl Item for ComponentId {
    const WORD: &'static str = "component";
    const TABLE: usize = 1;
    const BUILT_IN: &'static [(&'static str, BuiltIn)] =
        &[("id", BuiltIn::Id), ("kind", BuiltIn::Kind), ("count", BuiltIn::Count)];

    fn choice(self) -> Choice {
        Choice::Component(self)
    }
    fn holder(self) -> Option<Holder> {
        Some(Holder::Component(self))
    }
    fn owns(owner: Owner) -> bool {
        matches!(owner, Owner::Component(_))
    }
    fn has_fields() -> bool {
        true
    }
    fn has_zone(model: &Model, family: FamilyId) -> bool {
        matches!(model.family(family).per.first(), Some(crate::model::Per::Kind(_)))
    }
    fn field(self, table: &Table, field: FieldId) -> Option<Choice> {
        table.model().component(self).fields.get(&field).map(Choice::from)
    }
    fn built_in(self, table: &Table, which: BuiltIn) -> Choice {
        let component = table.model().component(self);
        match which {
            BuiltIn::Id => Choice::Word(component.id.clone()),
            BuiltIn::Count if component.each_seat => {
                Choice::Number(i64::from(component.count) * i64::from(table.model().seats))
            }
            BuiltIn::Count => Choice::Number(i64::from(component.count)),
            _ => Choice::Word(table.model().kinds[component.kind.index()].id.clone()),
        }
    }
    fn zones(self, table: &Table, family: FamilyId) -> Vec<ZoneId> {
        zones_where(table.model(), family, |model, zone| model.zone(zone).of == Some(self))
    }
}

impl Item for Seat {
    const WORD: &'static str = "seat";
    const TABLE: usize = 2;
    const BUILT_IN: &'static [(&'static str, BuiltIn)] = &[("number", BuiltIn::Number)];

    fn choice(self) -> Choice {
        Choice::Seat(self)
    }
    fn holder(self) -> Option<Holder> {
        Some(Holder::Seat(self))
    }
    fn owns(owner: Owner) -> bool {
        owner == Owner::Seat
    }
    fn has_zone(model: &Model, family: FamilyId) -> bool {
        matches!(model.family(family).per.first(), Some(crate::model::Per::Seat))
    }
    fn built_in(self, _table: &Table, _which: BuiltIn) -> Choice {
        Choice::Number(self.number())
    }
    fn zones(self, table: &Table, family: FamilyId) -> Vec<ZoneId> {
        zones_where(table.model(), family, |model, zone| model.zone(zone).seat == Some(self))
    }
}

impl Item for SpaceId {
    const WORD: &'static str = "space";
    const TABLE: usize = 3;
    const BUILT_IN: &'static [(&'static str, BuiltIn)] = &[
        ("zone", BuiltIn::Zone),
        ("label", BuiltIn::Label),
        ("x", BuiltIn::X),
        ("y", BuiltIn::Y),
        ("owner", BuiltIn::Owner),
    ];

    fn choice(self) -> Choice {
        Choice::Space(self)
    }
    fn holder(self) -> Option<Holder> {
        Some(Holder::Space(self))
    }
    fn owns(owner: Owner) -> bool {
        matches!(owner, Owner::Space(_))
    }
    fn cell_field(self, table: &Table, field: usize) -> Option<Choice> {
        let is_grid = matches!(table.model().space(self).label, Label::Cell(..));
        is_grid.then(|| table.cell_field(self, field).map_or(Choice::Nothing, Choice::from))
    }
    fn space_field(self, table: &Table, field: &str) -> Option<Choice> {
        table.model().space(self).fields.get(field).map(Choice::from)
    }
    fn built_in(self, table: &Table, which: BuiltIn) -> Choice {
        match which {
            BuiltIn::Zone => Choice::Zone(table.layout().zone_of(self)),
            BuiltIn::Label => label(&table.model().space(self).label),
            BuiltIn::Owner => table.top_owner(self).map_or(Choice::Nothing, Choice::Seat),
            axis => match (&table.model().space(self).label, axis) {
                (Label::Cell(x, _), BuiltIn::X) => Choice::Number(i64::from(*x)),
                (Label::Cell(_, y), _) => Choice::Number(i64::from(*y)),
                (_, BuiltIn::X) => Choice::Number(i64::from(table.layout().cell(self).0) + 1),
                _ => Choice::Number(1),
            },
        }
    }
}

impl Item for ZoneId {
    const WORD: &'static str = "zone";
    const TABLE: usize = 4;
    const BUILT_IN: &'static [(&'static str, BuiltIn)] =
        &[("seat", BuiltIn::Seat), ("label", BuiltIn::Label), ("of", BuiltIn::Of), ("id", BuiltIn::Id)];

    fn choice(self) -> Choice {
        Choice::Zone(self)
    }
    fn holder(self) -> Option<Holder> {
        None
    }
    fn built_in(self, table: &Table, which: BuiltIn) -> Choice {
        let model = table.model();
        let zone = model.zone(self);
        match which {
            BuiltIn::Seat => zone.seat.map_or(Choice::Nothing, Choice::Seat),
            BuiltIn::Of => zone.of.map_or(Choice::Nothing, Choice::Component),
            BuiltIn::Id => Choice::Word(model.family_of(self).id.clone()),
            _ => match (&model.family_of(self).copies, zone.copy) {
                (Some(labels), Some(copy)) => label(&labels[copy as usize]),
                _ => Choice::Nothing,
            },
        }
    }
}

fn label(label: &Label) -> Choice {
    match label {
        Label::Number(number) => Choice::Number(*number),
        Label::Word(word) => Choice::Word(word.clone()),
        Label::Cell(x, y) => Choice::Many(Arc::new([Choice::Number(i64::from(*x)), Choice::Number(i64::from(*y))])),
    }
}

fn zones_where(model: &Model, family: FamilyId, wanted: impl Fn(&Model, ZoneId) -> bool) -> Vec<ZoneId> {
    model.family(family).zones.clone().map(ZoneId).filter(|&zone| wanted(model, zone)).collect()
}

/// A printed field: one that lists components gives a list that can be asked like any other.
fn field(model: &Model, id: FieldId) -> Fact {
    let lists = model.kinds.iter().filter_map(|kind| match kind.fields.get(&id) {
        Some(FieldType::List(of)) => Some(matches!(**of, FieldType::Component(_))),
        _ => None,
    });
    if lists.reduce(|a, b| a && b).unwrap_or(false) { Fact::Components(id) } else { Fact::Field(id) }
}

/// Every fact a type has, by name.
pub(crate) fn names<T: Item>(model: &Model) -> Vec<(Arc<str>, Fact)> {
    let mut names: Vec<(Arc<str>, Fact)> =
        T::BUILT_IN.iter().map(|(name, which)| ((*name).into(), Fact::BuiltIn(*which))).collect();
    if T::has_fields() {
        names.extend(model.fields.iter().enumerate().map(|(at, name)| (name.clone(), field(model, FieldId::at(at)))));
    }
    if T::WORD == SpaceId::WORD {
        for space in &model.spaces {
            for name in space.fields.keys() {
                if !names.iter().any(|(known, _)| known == name) {
                    names.push((name.clone(), Fact::SpaceField(name.clone())));
                }
            }
        }
        names.extend(model.cells.fields.keys().enumerate().map(|(at, name)| (name.clone(), Fact::CellField(at))));
    }
    let values = model.values.iter().enumerate().filter(|(_, value)| T::owns(value.owner));
    names.extend(values.map(|(at, value)| (value.id.clone(), Fact::Value(ValueId::at(at)))));
    let families = (0..model.families.len()).map(FamilyId::at).filter(|&family| T::has_zone(model, family));
    names.extend(families.map(|family| (model.family(family).id.clone(), Fact::Zones(family))));
    names
}

/// The facts of a type of thing in the vocabulary, by name; none of a type that has no facts.
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

/// The names that stand behind a dot alone, each with what has it: for whoever writes them alone.
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

/// Every fact of every type of thing, by name: several under one name where unlike kinds share it.
#[derive(Debug)]
pub(crate) struct FactTable([FxHashMap<Arc<str>, Rc<[Fact]>>; 5]);

impl FactTable {
    /// The facts of a game.
    pub(crate) fn new(model: &Model) -> Self {
        Self([
            by_name(names::<PieceId>(model)),
            by_name(names::<ComponentId>(model)),
            by_name(names::<Seat>(model)),
            by_name(names::<SpaceId>(model)),
            by_name(names::<ZoneId>(model)),
        ])
    }

    #[cfg(feature = "walker")]
    /// The facts of a type of thing, by name.
    pub(crate) fn of<T: Item>(&self) -> &FxHashMap<Arc<str>, Rc<[Fact]>> {
        &self.0[T::TABLE]
    }

    /// What a name stands for behind pieces, components, seats, spaces and zones.
    pub(crate) fn named(&self, name: &str) -> [Option<Rc<[Fact]>>; 5] {
        [0, 1, 2, 3, 4].map(|at| self.0[at].get(name).cloned())
    }

    fn find<T: Item>(&self, name: &str) -> Option<&Rc<[Fact]>> {
        self.0[T::TABLE].get(name)
    }
}

fn by_name(names: Vec<(Arc<str>, Fact)>) -> FxHashMap<Arc<str>, Rc<[Fact]>> {
    let mut gathered: Vec<(Arc<str>, Vec<Fact>)> = Vec::new();
    for (name, fact) in names {
        match gathered.iter_mut().find(|(known, _)| *known == name) {
            Some((_, facts)) => facts.push(fact),
            None => gathered.push((name, vec![fact])),
        }
    }
    gathered.into_iter().map(|(name, facts)| (name, facts.into())).collect()
}

/// The facts with a name, or a fault that suggests one.
pub(super) fn known_facts<T: Item>(ctx: &Context<'_>, name: &str) -> Answer<Rc<[Fact]>> {
    if let Some(found) = ctx.facts().find::<T>(name) {
        return Ok(found.clone());
    }
    let all = names::<T>(ctx.table.model());
    let fault = Fault::new(
        "unknown-field",
        format!("a {} has no `{name}`", T::WORD),
        format!("not a field, value or zone of any {}", T::WORD),
    );
    Err(fault.maybe_help(did_you_mean(name, all.iter().map(|(known, _)| &**known))).into())
}

/// What a fact of an item is.
pub(super) fn read<T: Item>(item: T, table: &Table, facts: &[Fact]) -> Option<Choice> {
    facts.iter().find_map(|fact| match fact {
        Fact::Field(field) | Fact::Components(field) => item.field(table, *field),
        Fact::SpaceField(name) => item.space_field(table, name),
        Fact::CellField(field) => item.cell_field(table, *field),
        Fact::BuiltIn(which) => Some(item.built_in(table, *which)),
        Fact::Value(id) => {
            let slot = table.slot(*id, item.holder()?)?;
            Some(value_to_choice(table.model(), *id, table.value(slot)))
        }
        Fact::Zones(family) => {
            let zones = item.zones(table, *family);
            match zones.as_slice() {
                [zone] if table.model().family(*family).copies.is_none() => Some(Choice::Zone(*zone)),
                zones => Some(Choice::Many(zones.iter().copied().map(Choice::Zone).collect())),
            }
        }
    })
}

/// What sort of thing it is, for messages.
pub(in crate::script) fn describe(choice: &Choice) -> String {
    match choice {
        Choice::Nothing => "nothing".to_owned(),
        Choice::Flag(flag) => format!("`{flag}`"),
        Choice::Number(number) => format!("`{number}`"),
        Choice::Word(word) => format!("`\"{word}\"`"),
        Choice::Seat(_) => "a seat".to_owned(),
        Choice::Zone(_) => "a zone".to_owned(),
        Choice::Space(_) => "a space".to_owned(),
        Choice::Component(_) => "a component".to_owned(),
        Choice::Piece(_) => "a piece".to_owned(),
        Choice::Parts(_) => "a map".to_owned(),
        Choice::Many(_) => "a list".to_owned(),
    }
}

/// The values of the game as a whole, with their names.
pub(crate) fn game_values(model: &Model) -> impl Iterator<Item = (ValueId, &Arc<str>)> {
    let all = model.values.iter().enumerate().filter(|(_, value)| value.owner == Owner::Game);
    all.map(|(at, value)| (ValueId::at(at), &value.id))
}

/// A value of the game as a whole.
pub(crate) fn game_value(ctx: &Context<'_>, id: ValueId) -> Value {
    let slot = ctx.table.slot(id, Holder::Game).expect("the game has its own values");
    value_to_choice(ctx.table.model(), id, ctx.table.value(slot)).to_value()
}

/// Sets a value of the game as a whole.
pub(crate) fn set_game_value(ctx: &mut Context<'_>, id: ValueId, given: &Value) -> Answer<()> {
    let given = plain(given)?;
    write_value(ctx, id, Holder::Game, &given)
}

/// A fact of a thing by a name that stands for some facts.
pub(crate) fn fact<T: Item>(ctx: &Context<'_>, item: T, facts: &[Fact], name: &str) -> Answer<Value> {
    match read(item, &ctx.table, facts) {
        Some(choice) => {
            let value = to_rules(&choice, facts);
            ctx.charge(value.cost());
            Ok(value)
        }
        None => Err(lacks(item, &ctx.table, name).into()),
    }
}

/// Sets the value of a thing that is among some facts of one name.
pub(crate) fn set_fact<T: Item>(
    ctx: &mut Context<'_>,
    item: T,
    facts: &[Fact],
    name: &str,
    given: &Value,
) -> Answer<()> {
    let given = plain(given)?;
    let values = facts.iter().filter_map(|fact| if let Fact::Value(id) = fact { Some(*id) } else { None });
    let holder = item.holder();
    let mut own = values.filter(|id| holder.is_some_and(|holder| ctx.table.slot(*id, holder).is_some()));
    match (own.next(), holder) {
        (Some(id), Some(holder)) => write_value(ctx, id, holder, &given),
        _ => Err(lacks(item, &ctx.table, name).into()),
    }
}

/// A fact as rules see it: several zones are a set of zones, several components one of components.
fn to_rules(choice: &Choice, facts: &[Fact]) -> Value {
    let Choice::Many(all) = choice else { return choice.to_value() };
    if facts.iter().any(|fact| matches!(fact, Fact::Components(_))) {
        let component = |one: &Choice| if let Choice::Component(component) = one { Some(*component) } else { None };
        return Value::Components(all.iter().filter_map(component).collect());
    }
    let zones: Option<Vec<ZoneId>> =
        all.iter().map(|one| if let Choice::Zone(zone) = one { Some(*zone) } else { None }).collect();
    match zones {
        Some(zones) if !zones.is_empty() => Value::Zones(zones.into_iter().collect()),
        _ => choice.to_value(),
    }
}

/// What a param or an option is in rules.
pub(crate) fn setting_value(setting: &Setting) -> Value {
    match setting {
        Setting::List(list) => Value::list(list.iter().map(setting_value).collect()),
        setting => Choice::from(setting).to_value(),
    }
}

/// What a script gave, as a plain value.
pub(super) fn plain(given: &Value) -> Answer<Choice> {
    Choice::from_value(given).ok_or_else(|| {
        let fault = Fault::new(
            "wrong-value",
            format!("{} cannot be kept or compared", given.kind()),
            "neither a number, a word, a flag nor a thing of the game",
        );
        fault.into()
    })
}

fn lacks<T: Item>(item: T, table: &Table, name: &str) -> Fault {
    let kind = match item.choice() {
        Choice::Piece(piece) => Some(table.component(piece)),
        Choice::Component(component) => Some(component),
        _ => None,
    };
    let what = kind.map_or_else(
        || format!("this {}", T::WORD),
        |component| {
            format!("`{}` (kind `{}`)", table.model().component(component).id, table.model().kind_of(component).id)
        },
    );
    Fault::new("unknown-field", format!("{what} has no `{name}`"), "other kinds have it, this one does not")
        .help("ask for its `kind` first")
}

pub(super) fn write(book: &mut Book) {
    book.topic("Facts");
    book.word(
        "component",
        "id",
        "The component with an id.",
        "component(\"ace\").points // 11",
        |ctx: &mut Context<'_>, id: ArcStr| find_component(ctx, &id),
    );
    book.word(
        "components",
        "kind",
        "Every component of a kind, in the order of the files.",
        "components(\"card\").count() // 4",
        |ctx: &mut Context<'_>, kind: ArcStr| components(ctx, &kind),
    );
    book.word(
        "fact",
        "thing name",
        "A field, value or zone by its name, for a name that is itself data.",
        "fact(component(\"ace\"), \"points\") // 11",
        |ctx: &mut Context<'_>, thing: Value, name: ArcStr| -> Answer<Value> { fact_of(ctx, &thing, &name) },
    );
}

fn find_component(ctx: &Context<'_>, id: &str) -> Answer<ComponentId> {
    let model = ctx.table.model();
    model.find_component(id).ok_or_else(|| {
        let fault =
            Fault::new("unknown-component", format!("there is no component `{id}`"), "not the id of a component");
        let help = did_you_mean(id, model.components.iter().map(|c| &*c.id));
        fault.maybe_help(help.or_else(|| how_to_declare("unknown-component", id))).into()
    })
}

fn components(ctx: &Context<'_>, kind: &str) -> Answer<Set<ComponentId>> {
    let model = ctx.table.model();
    let Some(id) = model.find_kind(kind) else {
        let fault = Fault::new("unknown-kind", format!("there is no kind `{kind}`"), "not the id of a kind");
        let help = did_you_mean(kind, model.kinds.iter().map(|k| &*k.id));
        return Err(fault.maybe_help(help.or_else(|| how_to_declare("unknown-kind", kind))).into());
    };
    Ok(model.kinds[id.index()].components.iter().copied().collect())
}

fn fact_of(ctx: &Context<'_>, thing: &Value, name: &str) -> Answer<Value> {
    fn of<T: Item>(ctx: &Context<'_>, item: T, name: &str) -> Answer<Value> {
        let facts = known_facts::<T>(ctx, name)?;
        read(item, &ctx.table, &facts)
            .map(|choice| to_rules(&choice, &facts))
            .ok_or_else(|| lacks(item, &ctx.table, name).into())
    }
    match plain(thing)? {
        Choice::Piece(item) => of(ctx, item, name),
        Choice::Component(item) => of(ctx, item, name),
        Choice::Seat(item) => of(ctx, item, name),
        Choice::Space(item) => of(ctx, item, name),
        Choice::Zone(item) => of(ctx, item, name),
        other => {
            let fault =
                Fault::new("wrong-value", format!("{} has no facts", describe(&other)), "not a thing of the game");
            Err(fault.into())
        }
    }
}
