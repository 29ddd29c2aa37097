//! Reading facts by name.

use crate::decision::{Choice, HandleList, List, Value};
use crate::diagnostic::UnknownField;
use crate::library::context::Context;
use crate::library::context::fact_table::{Column, read};
use crate::library::context::facts::{Item, names};
use crate::library::context::fault::{Answer, Fault};
use crate::library::context::plain::{check_plain, describe_value};
use crate::library::context::stored::Stored;
use crate::library::entry::builder::RegistryBuilder;
use crate::library::pattern::NameRole;
use crate::library::unknown_name::unknown_quoted;
use crate::model::{ComponentId, Model};
use crate::table::{Holder, Table};
use arcstr::ArcStr;
use rustc_hash::FxHashSet;

pub(super) fn register(registry: &mut RegistryBuilder) {
    registry.topic("Components and fields");
    registry.function(
        "component",
        "id:component_id",
        "The component with this id.",
        "component(\"ace\").points // 11",
        |ctx: &mut Context<'_>, id: ArcStr| find_component(ctx, &id),
    );
    registry.function(
        "components",
        "kind:kind",
        "All components of a kind, in the order of the files.",
        "components(\"card\").count() // 4",
        |ctx: &mut Context<'_>, kind: ArcStr| components(ctx, &kind),
    );
    registry.function(
        "components",
        "list:list<component>",
        "The components in a list, without duplicates, as a set. `components([])` is the empty set.",
        "components([]).sum(\"points\") // 0",
        |ctx: &mut Context<'_>, list: List| -> Answer<HandleList<ComponentId>> {
            ctx.charge(list.len());
            components_of(&list)
        },
    );
    registry.function(
        "fact",
        "thing:piece|component|seat|space|zone name:fact -> its_fact",
        "The value of a field, value or zone whose name is computed.",
        "fact(component(\"ace\"), \"points\") // 11",
        |ctx: &mut Context<'_>, thing: Value, name: ArcStr| -> Answer<Value> { fact_of(ctx, &thing, &name) },
    );
}

pub(super) fn find_component(ctx: &Context<'_>, id: &str) -> Answer<ComponentId> {
    let model = ctx.table.model();
    let known = || model.components.iter().map(|component| &*component.id);
    model.find_component(id).ok_or_else(|| unknown_quoted(&[NameRole::Component], id, known()).into())
}

fn components(ctx: &Context<'_>, kind: &str) -> Answer<HandleList<ComponentId>> {
    let Some(found) = ctx.components_of_kind(kind) else {
        let known = ctx.table.model().kinds.iter().map(|kind| &*kind.id);
        return Err(unknown_quoted(&[NameRole::Kind], kind, known).into());
    };
    Ok(found.clone())
}

fn components_of(list: &[Value]) -> Answer<HandleList<ComponentId>> {
    let mut found: Vec<ComponentId> = Vec::with_capacity(list.len());
    for one in list {
        let Value::Component(component) = one else {
            let message = format!("components were expected, not a list with {} in it", one.kind());
            return Err(Fault::new("wrong-type", message, "no component").into());
        };
        found.push(component.get());
    }
    let mut seen = FxHashSet::default();
    found.retain(|component| seen.insert(*component));
    Ok(found.into_iter().collect())
}

/// Returns the facts called `name`. If there are none, fails with a suggestion.
#[inline]
pub(super) fn known_facts<'a, T: Item>(ctx: &Context<'a>, name: &str) -> Answer<&'a [Column]> {
    match ctx.facts_named::<T>(name) {
        Some(found) => Ok(found),
        None => Err(unknown_fact::<T>(ctx.table.model(), name).into()),
    }
}

#[cold]
fn unknown_fact<T: Item>(model: &Model, name: &str) -> Fault {
    let all = names::<T>(model);
    UnknownField::of_one(&T::OF.one(), name).suggest(name, all.iter().map(|(known, _)| &**known)).into()
}

/// Reads a fact of an item. `columns` are the facts called `name`.
#[inline]
pub(crate) fn fact<T: Item>(ctx: &Context<'_>, item: T, columns: &[Column], name: &str) -> Answer<Value> {
    match read(item, &ctx.table, columns) {
        Some(value) => {
            ctx.charge(value.cost());
            Ok(value)
        }
        None => Err(missing_fact(item, &ctx.table, name).into()),
    }
}

/// Reads a fact of `thing`, for names that are computed at run time.
pub(super) fn fact_of(ctx: &Context<'_>, thing: &Value, name: &str) -> Answer<Value> {
    fn read_item<T: Item>(ctx: &Context<'_>, item: T, name: &str) -> Answer<Value> {
        let columns = known_facts::<T>(ctx, name)?;
        read(item, &ctx.table, columns).ok_or_else(|| missing_fact(item, &ctx.table, name).into())
    }
    match thing {
        Value::Piece(item) => read_item(ctx, item.get(), name),
        Value::Component(item) => read_item(ctx, item.get(), name),
        Value::Seat(item) => read_item(ctx, item.get(), name),
        Value::Space(item) => read_item(ctx, item.get(), name),
        Value::Zone(item) => read_item(ctx, item.get(), name),
        other => {
            check_plain(other)?;
            let message = format!("{} has no facts", describe_value(other));
            Err(Fault::new("wrong-value", message, "not a thing of the game").into())
        }
    }
}

#[cold]
pub(super) fn missing_fact<T: Item>(item: T, table: &Table, name: &str) -> Fault {
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
    let found = UnknownField::of_one(&what, name).note("other kinds have it, this one does not");
    found.help("ask for its `kind` first").into()
}

/// Reads a value of the game itself.
pub(crate) fn game_value(ctx: &Context<'_>, stored: &Stored) -> Value {
    stored.read(&ctx.table, Holder::Game).expect("the game has its own values")
}
