//! Functions of the rules that the data name: a field says `play = "flood"`, a script says `card.play(seat)`.

use super::super::fault::{Answer, Fault};
use super::super::runtime::call_named;
use super::super::stage::Stage;
use super::book::with;
use super::facts::{Item, describe, known_facts, plain, read};
use crate::decision::Choice;
use crate::model::{ComponentId, FieldType, Model, PieceId};
use rhai::{Dynamic, Engine, Map, NativeCallContext};
use std::any::TypeId;
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

/// Makes every such field callable, on pieces, components and records.
pub(crate) fn register_calls(engine: &mut Engine, model: &Model) {
    for field in function_fields(model) {
        for first in [TypeId::of::<PieceId>(), TypeId::of::<ComponentId>(), TypeId::of::<Map>()] {
            for others in 0..MOST_TAKEN {
                register(engine, &field, first, others);
            }
        }
    }
}

fn register(engine: &mut Engine, field: &Arc<str>, first: TypeId, others: usize) {
    let mut types = vec![first];
    types.extend(std::iter::repeat_n(TypeId::of::<Dynamic>(), others));
    let name = field.clone();
    engine.register_raw_fn(&**field, types, move |context: NativeCallContext, args: &mut [&mut Dynamic]| {
        let args: Vec<Dynamic> = args.iter().map(|arg| arg.flatten_clone()).collect();
        let functions = with(|stage| named(stage, &args[0], &name))?;
        let mut given = Dynamic::UNIT;
        for function in functions {
            given = call_named(&context, &function, args.clone())?;
        }
        Ok(given)
    });
}

/// The function a thing names in a field, or the functions, in order.
fn named(stage: &Stage, thing: &Dynamic, field: &str) -> Answer<Vec<Arc<str>>> {
    fn of<T: Item>(stage: &Stage, item: T, field: &str) -> Answer<Choice> {
        Ok(read(item, &stage.table, &known_facts::<T>(stage, field)?).unwrap_or_default())
    }
    let thing = plain(thing)?;
    let found = match &thing {
        Choice::Piece(piece) => of(stage, *piece, field)?,
        Choice::Component(component) => of(stage, *component, field)?,
        record => record.part(field).cloned().unwrap_or_default(),
    };
    let functions = match &found {
        Choice::Many(all) => all.iter().map(function).collect(),
        one => function(one).map(|one| vec![one]),
    };
    functions.ok_or_else(|| names_none(stage, &thing, field).into())
}

fn function(named: &Choice) -> Option<Arc<str>> {
    if let Choice::Word(function) = named { Some(function.clone()) } else { None }
}

fn names_none(stage: &Stage, thing: &Choice, field: &str) -> Fault {
    let component = match thing {
        Choice::Piece(piece) => Some(stage.table.component(*piece)),
        Choice::Component(component) => Some(*component),
        _ => None,
    };
    let what = component.map_or_else(|| describe(thing), |id| format!("`{}`", stage.table.model().component(id).id));
    Fault::new("no-function", format!("{what} names no function as its `{field}`"), "nothing to call")
        .help(format!("ask whether its `{field}` is `()` first"))
}
