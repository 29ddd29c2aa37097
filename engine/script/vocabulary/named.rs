//! Functions of the rules that the data name: a field says `play = "flood"`, a script says `card.play(seat)`.

use super::super::context::Context;
use super::super::fault::{Answer, Fault};
use super::facts::{Item, describe, known_facts, plain, read};
use crate::decision::{Choice, Value};
use crate::model::{FieldType, Model};
use std::sync::Arc;

/// The most things that a function named by a field takes, what names it counted.
pub(crate) const MOST_TAKEN: usize = 8;

/// The fields that name functions of the rules, those within records too.
pub(crate) fn function_fields(model: &Model) -> Vec<Arc<str>> {
    let mut found = Vec::new();
    for kind in &model.kinds {
        for (field, of) in &kind.fields {
            collect(&model.fields[field.index()], of, &mut found);
        }
    }
    found
}

fn collect(name: &Arc<str>, of: &FieldType, found: &mut Vec<Arc<str>>) {
    match of {
        FieldType::Function if !found.contains(name) => found.push(name.clone()),
        FieldType::List(inner) => collect(name, inner, found),
        FieldType::Record(parts) => parts.iter().for_each(|(name, of)| collect(name, of, found)),
        _ => {}
    }
}

/// The function a thing names in a field, or the functions, in order.
pub(crate) fn named(ctx: &Context<'_>, thing: &Value, field: &str) -> Answer<Vec<Arc<str>>> {
    fn of<T: Item>(ctx: &Context<'_>, item: T, field: &str) -> Answer<Choice> {
        Ok(read(item, &ctx.table, &known_facts::<T>(ctx, field)?).unwrap_or_default())
    }
    let thing = plain(thing)?;
    let found = match &thing {
        Choice::Piece(piece) => of(ctx, *piece, field)?,
        Choice::Component(component) => of(ctx, *component, field)?,
        record => record.part(field).cloned().unwrap_or_default(),
    };
    let functions = match &found {
        Choice::Many(all) => all.iter().map(function).collect(),
        one => function(one).map(|one| vec![one]),
    };
    functions.ok_or_else(|| names_none(ctx, &thing, field).into())
}

fn function(named: &Choice) -> Option<Arc<str>> {
    if let Choice::Word(function) = named { Some(function.clone()) } else { None }
}

fn names_none(ctx: &Context<'_>, thing: &Choice, field: &str) -> Fault {
    let component = match thing {
        Choice::Piece(piece) => Some(ctx.table.component(*piece)),
        Choice::Component(component) => Some(*component),
        _ => None,
    };
    let what = component.map_or_else(|| describe(thing), |id| format!("`{}`", ctx.table.model().component(id).id));
    Fault::new("no-function", format!("{what} names no function as its `{field}`"), "nothing to call")
        .help(format!("ask whether its `{field}` is `()` first"))
}
