//! Facts by name: how rules read what things have.

use crate::decision::{Choice, Set, Value};
use crate::diagnostic::{did_you_mean, how_to_declare};
use crate::library::context::Context;
use crate::library::context::fact_table::{Column, read};
use crate::library::context::facts::{Item, names};
use crate::library::context::fault::{Answer, Fault};
use crate::library::context::plain::{check_plain, describe_value};
use crate::library::context::stored::Stored;
use crate::library::entry::builder::RegistryBuilder;
use crate::model::{ComponentId, Model};
use crate::table::{Holder, Table};
use arcstr::ArcStr;

pub(super) fn write(registry: &mut RegistryBuilder) {
    registry.topic("Facts");
    registry.function(
        "component",
        "id:component_id",
        "The component with an id.",
        "component(\"ace\").points // 11",
        |ctx: &mut Context<'_>, id: ArcStr| find_component(ctx, &id),
    );
    registry.function(
        "components",
        "kind:kind",
        "Every component of a kind, in the order of the files.",
        "components(\"card\").count() // 4",
        |ctx: &mut Context<'_>, kind: ArcStr| components(ctx, &kind),
    );
    registry.function(
        "fact",
        "thing:piece|component|seat|space|zone name:fact -> its_fact",
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
    let Some(found) = ctx.facts().of_kind(kind) else {
        let model = ctx.table.model();
        let fault = Fault::new("unknown-kind", format!("there is no kind `{kind}`"), "not the id of a kind");
        let help = did_you_mean(kind, model.kinds.iter().map(|k| &*k.id));
        return Err(fault.maybe_help(help.or_else(|| how_to_declare("unknown-kind", kind))).into());
    };
    Ok(found.clone())
}

/// The facts with a name, or a fault that suggests one.
pub(super) fn known_facts<'a, T: Item>(ctx: &Context<'a>, name: &str) -> Answer<&'a [Column]> {
    match ctx.facts().of::<T>().get(name) {
        Some(found) => Ok(found),
        None => Err(unknown_fact::<T>(ctx.table.model(), name).into()),
    }
}

#[cold]
fn unknown_fact<T: Item>(model: &Model, name: &str) -> Fault {
    let all = names::<T>(model);
    let fault = Fault::new(
        "unknown-field",
        format!("a {} has no `{name}`", T::WORD),
        format!("not a field, value or zone of any {}", T::WORD),
    );
    fault.maybe_help(did_you_mean(name, all.iter().map(|(known, _)| &**known)))
}

/// A fact of a thing by a name that stands for some columns.
#[inline]
pub(crate) fn fact<T: Item>(ctx: &Context<'_>, item: T, columns: &[Column], name: &str) -> Answer<Value> {
    match read(item, &ctx.table, columns) {
        Some(value) => {
            ctx.charge(value.cost());
            Ok(value)
        }
        None => Err(lacks(item, &ctx.table, name).into()),
    }
}

/// A fact by a name that is data.
pub(super) fn fact_of(ctx: &Context<'_>, thing: &Value, name: &str) -> Answer<Value> {
    fn of<T: Item>(ctx: &Context<'_>, item: T, name: &str) -> Answer<Value> {
        let columns = known_facts::<T>(ctx, name)?;
        read(item, &ctx.table, columns).ok_or_else(|| lacks(item, &ctx.table, name).into())
    }
    match thing {
        Value::Piece(item) => of(ctx, *item, name),
        Value::Component(item) => of(ctx, *item, name),
        Value::Seat(item) => of(ctx, *item, name),
        Value::Space(item) => of(ctx, *item, name),
        Value::Zone(item) => of(ctx, *item, name),
        other => {
            check_plain(other)?;
            let message = format!("{} has no facts", describe_value(other));
            Err(Fault::new("wrong-value", message, "not a thing of the game").into())
        }
    }
}

#[cold]
pub(super) fn lacks<T: Item>(item: T, table: &Table, name: &str) -> Fault {
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

/// A value of the game as a whole.
pub(crate) fn game_value(ctx: &Context<'_>, stored: &Stored) -> Value {
    stored.read(&ctx.table, Holder::Game).expect("the game has its own values")
}
