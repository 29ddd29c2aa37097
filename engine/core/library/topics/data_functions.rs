//! Rule functions named by data: with `play = "flood"` in a data row, scripts can call `card.play(seat)`.

use super::facts::known_facts;
use crate::decision::Value;
use crate::library::context::Context;
use crate::library::context::fact_table::read;
use crate::library::context::facts::Item;
use crate::library::context::fault::{Answer, Fault};
use crate::library::context::plain::describe_value;
use arcstr::ArcStr;
use smallvec::SmallVec;

/// Returns the names of the functions that a field lists, in order.
pub(crate) fn functions_of_field(ctx: &Context<'_>, thing: &Value, field: &str) -> Answer<SmallVec<[ArcStr; 4]>> {
    fn read_item<T: Item>(ctx: &Context<'_>, item: T, field: &str) -> Answer<Value> {
        Ok(read(item, &ctx.table, known_facts::<T>(ctx, field)?).unwrap_or_default())
    }
    let found = match thing {
        Value::Piece(piece) => read_item(ctx, piece.get(), field)?,
        Value::Component(component) => read_item(ctx, component.get(), field)?,
        Value::Space(space) => read_item(ctx, space.get(), field)?,
        Value::Map(record) => record.get(field).cloned().unwrap_or_default(),
        _ => Value::Nothing,
    };
    functions_in(&found).ok_or_else(|| names_none(ctx, thing, field).into())
}

/// Returns whether `thing` has a field called `field` that names functions. If so, a call with this name calls these functions instead of a
/// library function.
pub(crate) fn names_functions(ctx: &Context<'_>, thing: &Value, field: &str) -> bool {
    fn has<T: Item>(ctx: &Context<'_>, item: T, field: &str) -> bool {
        let columns = ctx.facts().facts_of::<T>().get(field);
        columns.and_then(|columns| read(item, &ctx.table, columns)).is_some_and(|found| functions_in(&found).is_some())
    }
    match thing {
        Value::Piece(piece) => has(ctx, piece.get(), field),
        Value::Component(component) => has(ctx, component.get(), field),
        Value::Space(space) => has(ctx, space.get(), field),
        Value::Map(record) => record.get(field).is_some_and(|found| functions_in(found).is_some()),
        _ => false,
    }
}

/// Converts the value of a field to names of functions. Returns `None` for any other value.
pub(super) fn functions_in(found: &Value) -> Option<SmallVec<[ArcStr; 4]>> {
    match found {
        Value::List(all) => all.iter().map(function).collect(),
        one => function(one).map(|one| SmallVec::from_iter([one])),
    }
}

fn function(named: &Value) -> Option<ArcStr> {
    if let Value::Text(function) = named { Some(function.clone()) } else { None }
}

fn names_none(ctx: &Context<'_>, thing: &Value, field: &str) -> Fault {
    let component = match thing {
        Value::Piece(piece) => Some(ctx.table.component(piece.get())),
        Value::Component(component) => Some(component.get()),
        _ => None,
    };
    let what =
        component.map_or_else(|| describe_value(thing), |id| format!("`{}`", ctx.table.model().component(id).id));
    Fault::new("no-function", format!("{what} names no function as its `{field}`"), "nothing to call")
        .help(format!("ask whether its `{field}` is `()` first"))
}
