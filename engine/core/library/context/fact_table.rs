//! Lookup table of facts. Names are resolved at compile time, and the values of facts that never change are precomputed.

use super::facts::{Fact, Item, names};
use super::stored::Stored;
use crate::decision::{Choice, Entries, HandleList, Name, Value, intern_literal, word};
use crate::library::built_in::BuiltIn;
use crate::model::{
    ComponentId, FamilyId, FieldValue, Label, Model, Owner, Party, PieceId, Seat, SpaceId, ValueId, ZoneId,
};
use crate::table::{Member, Table};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Source of the values of a fact, for one type of owner.
#[derive(Debug)]
pub(crate) enum Column {
    /// Values of a fact that never changes, indexed by the key of the owner; `None` for owners that do not have the fact.
    Fixed(Arc<[Option<Value>]>),
    /// Values of a field of the cell that is visible on a grid space, indexed by the cell's print.
    VisibleCell(Arc<[Value]>),
    /// A stored value.
    Stored(Stored),
    /// A table of values. Contains a kind if only components of this kind have the table.
    Entries(ValueId, Option<crate::model::KindId>),
    /// A built-in fact that changes.
    Dynamic(BuiltIn),
}

/// Facts that share a name and a type of owner. If there are several, the first one that the owner has is read.
pub(crate) type Columns = Arc<[Column]>;

/// The facts and the kind that share a name.
#[derive(Debug)]
pub(crate) struct NamedFacts {
    /// The name, interned unless it is long.
    name: Name,
    /// Facts with this name, one entry for each type of owner: pieces, components, seats, spaces and zones.
    pub facts: [Option<Columns>; 5],
    /// Components of the kind with this name.
    pub kind: Option<HandleList<ComponentId>>,
}

impl NamedFacts {
    /// Returns whether `name` is this name. Compares addresses, so it may return `false` for an equal string that is not interned.
    #[inline]
    pub(crate) fn is_named(&self, name: &str) -> bool {
        std::ptr::eq(self.name.as_str(), name)
    }
}

/// All facts by name, for each type of owner.
#[derive(Debug)]
pub(crate) struct FactTable {
    by_type: [FxHashMap<Arc<str>, Columns>; 5],
    game_values: FxHashMap<Arc<str>, Stored>,
    /// Components of each kind.
    components_by_kind: FxHashMap<Arc<str>, HandleList<ComponentId>>,
    /// Quantities that rules read with `altered`.
    altered: FxHashSet<Arc<str>>,
    /// Conversions for the entries of tables of values, by value id. `None` for values that are no tables.
    table_entries: Vec<Option<Stored>>,
}

impl FactTable {
    /// Collects the facts of a game.
    pub(crate) fn new(model: &Model) -> Self {
        let own = super::facts::game_values(model);
        Self {
            by_type: [
                by_name::<PieceId>(model),
                by_name::<ComponentId>(model),
                by_name::<Seat>(model),
                by_name::<SpaceId>(model),
                by_name::<ZoneId>(model),
            ],
            game_values: own.map(|(id, name)| (name.clone(), Stored::new(model, id))).collect(),
            altered: model.altered.keys().cloned().collect(),
            components_by_kind: model
                .kinds
                .iter()
                .map(|kind| (kind.id.clone(), kind.components.iter().copied().collect()))
                .collect(),
            table_entries: (0..model.values.len())
                .map(ValueId::at)
                .map(|id| matches!(model.value(id).owner, Owner::Pair(..)).then(|| Stored::new(model, id)))
                .collect(),
        }
    }

    /// Returns the conversion for the entries of a table of values.
    ///
    /// # Panics
    /// Panics if the value is no table.
    pub(crate) fn entry(&self, id: ValueId) -> &Stored {
        self.table_entries[usize::from(id.0)].as_ref().expect("a table of values has entries")
    }

    /// Returns whether rules can read this quantity with `altered`.
    pub(crate) fn is_altered(&self, question: &str) -> bool {
        self.altered.contains(question)
    }

    /// Returns the components of a kind.
    pub(crate) fn of_kind(&self, name: &str) -> Option<&HandleList<ComponentId>> {
        self.components_by_kind.get(name)
    }

    /// Returns the facts of a type, by name.
    pub(crate) fn facts_of<T: Item>(&self) -> &FxHashMap<Arc<str>, Columns> {
        &self.by_type[T::TABLE]
    }

    /// Returns the facts and the kind that are called `name`.
    pub(crate) fn named(&self, name: &str) -> NamedFacts {
        NamedFacts {
            name: intern_literal(name),
            facts: [0, 1, 2, 3, 4].map(|at| self.by_type[at].get(name).cloned()),
            kind: self.components_by_kind.get(name).cloned(),
        }
    }

    /// Returns the values of the game itself, by name.
    #[cfg(feature = "walker")]
    pub(crate) fn all_of_game(&self) -> &FxHashMap<Arc<str>, Stored> {
        &self.game_values
    }

    /// Returns the value of the game itself that is called `name`.
    pub(crate) fn game_value(&self, name: &str) -> Option<&Stored> {
        self.game_values.get(name)
    }
}

fn by_name<T: Item>(model: &Model) -> FxHashMap<Arc<str>, Columns> {
    let mut gathered: FxHashMap<Arc<str>, Vec<Column>> = FxHashMap::default();
    // A fact that the game declares takes precedence over a built-in fact with the same name.
    let (built_in, declared): (Vec<_>, Vec<_>) =
        names::<T>(model).into_iter().partition(|(_, fact)| matches!(fact, Fact::BuiltIn(_)));
    for (name, fact) in declared.into_iter().chain(built_in) {
        gathered.entry(name).or_default().push(column::<T>(model, &fact));
    }
    gathered.into_iter().map(|(name, columns)| (name, columns.into())).collect()
}

fn column<T: Item>(model: &Model, fact: &Fact) -> Column {
    let by_key = |of: &dyn Fn(usize) -> Option<Value>| Column::Fixed((0..T::keys(model)).map(of).collect());
    match fact {
        Fact::Field(id) => by_key(&|key| model.components[key].fields.get(id).map(printed_value)),
        Fact::Components(id) => by_key(&|key| model.components[key].fields.get(id).map(printed_components)),
        Fact::SpaceField(name) => by_key(&|key| model.spaces[key].fields.get(name).map(printed_value)),
        Fact::CellField(field) => {
            Column::VisibleCell(model.cells.prints.iter().map(|print| printed_value(&print.fields[*field])).collect())
        }
        Fact::Value(id) => Column::Stored(Stored::new(model, *id)),
        Fact::Entries(id) => match model.value(*id).owner {
            Owner::Pair(Party::Component(kind), _) => Column::Entries(*id, Some(kind)),
            _ => Column::Entries(*id, None),
        },
        Fact::Zones(family) => by_key(&|key| Some(zones_of::<T>(model, *family, key))),
        Fact::BuiltIn(which) if (0..T::keys(model)).any(|key| T::built_in(model, key, *which).is_some()) => {
            by_key(&|key| T::built_in(model, key, *which))
        }
        Fact::BuiltIn(which) => Column::Dynamic(*which),
    }
}

/// Converts the content of a printed field to a [`Value`]. Words are interned.
fn printed_value(value: &FieldValue) -> Value {
    match value {
        FieldValue::Word(text) | FieldValue::Function(text) => Value::Text(word(text)),
        FieldValue::List(list) => Value::list(list.iter().map(printed_value).collect()),
        other => Choice::from(other).to_value(),
    }
}

/// Converts a printed list of components to a collection, so that all collection functions work on it.
fn printed_components(value: &FieldValue) -> Value {
    match value {
        FieldValue::List(list) => {
            let component = |one: &FieldValue| match one {
                FieldValue::Component(component) => Some(*component),
                _ => None,
            };
            Value::Components(list.iter().filter_map(component).collect())
        }
        other => printed_value(other),
    }
}

/// Returns the zones of a family that belong to the owner `key`. Returns a single zone if the family declares only one for each owner, and
/// an empty list if the owner has none.
fn zones_of<T: Item>(model: &Model, family: FamilyId, key: usize) -> Value {
    let declared = model.family(family);
    let own: Vec<ZoneId> =
        declared.zones.clone().map(ZoneId).filter(|zone| T::owns_zone(model.zone(*zone), key)).collect();
    match own.as_slice() {
        [] => Value::list(Vec::new()),
        [zone] if declared.per.len() == 1 && declared.copies.is_none() => Value::from(*zone),
        _ => Value::Zones(own.into_iter().collect()),
    }
}

/// Returns the value of an item's fact; `None` if the item does not have the fact.
#[inline]
pub(crate) fn read<T: Item>(item: T, table: &Table, columns: &[Column]) -> Option<Value> {
    if let [Column::Fixed(all)] = columns {
        return all[item.key(table)].clone();
    }
    columns.iter().find_map(|column| match column {
        Column::Fixed(all) => all[item.key(table)].clone(),
        other => read_changing(item, table, other),
    })
}

/// Calls `say` with the value of an item's fact, and returns the result. Returns `None` if the item does not have the fact. If the fact has
/// a single source and never changes, its value is not cloned.
// `say` is called in one place, so that it is inlined.
#[inline(always)]
pub(crate) fn with_fact<T: Item, R>(
    item: T,
    table: &Table,
    columns: &[Column],
    say: impl FnOnce(&Value) -> R,
) -> Option<R> {
    let current;
    let fact = if let [Column::Fixed(all)] = columns {
        all[item.key(table)].as_ref()?
    } else {
        current = read(item, table, columns)?;
        &current
    };
    Some(say(fact))
}

/// Returns the current value of a fact that changes during play; `None` if the item does not have the fact.
fn read_changing<T: Item>(item: T, table: &Table, column: &Column) -> Option<Value> {
    match column {
        Column::Fixed(_) => None,
        Column::VisibleCell(all) => visible_cell(item.visible_space()?, table, all),
        Column::Stored(stored) => stored.read(table, item.holder()?),
        Column::Dynamic(which) => Some(item.changing_fact(table, *which)),
        Column::Entries(value, kind) => {
            let of = item.member()?;
            let has = match (of, kind) {
                (Member::Component(component), Some(kind)) => table.model().component(component).kind == *kind,
                _ => true,
            };
            has.then_some(Entries { of, value: *value }.into())
        }
    }
}

fn visible_cell(space: SpaceId, table: &Table, all: &[Value]) -> Option<Value> {
    let is_grid = matches!(table.model().space(space).label, Label::Cell(..));
    is_grid.then(|| table.print_at(space).map_or(Value::Nothing, |print| all[usize::from(print)].clone()))
}

impl Column {
    /// Returns the stored value that the fact reads; `None` for other facts. Rules can assign only to stored values.
    pub(crate) fn stored(&self) -> Option<&Stored> {
        if let Self::Stored(stored) = self { Some(stored) } else { None }
    }
}
