//! Tables of values, with a value for each pair of seats or components.

use super::assign_value::write_value;
use crate::decision::{Entries, Value};
use crate::diagnostic::sentence;
use crate::library::context::Context;
use crate::library::context::fault::{Answer, Fault};
use crate::library::context::plain::{check_plain, describe_value};
use crate::library::entry::builder::RegistryBuilder;
use crate::model::{Model, Owner, Party};
use crate::table::{Holder, Member};

pub(super) fn register(registry: &mut RegistryBuilder) {
    registry.topic("Tables of values");
    registry.index(
        "entries of:seat|component|piece -> any",
        "The entry of a table for a seat or a component.",
        "first.sold[component(\"ace\")] // 0",
        |ctx: &mut Context<'_>, entries: Entries, of: Value| -> Answer<Value> { entry(ctx, entries, &of) },
    );
    registry.function(
        "sum",
        "entries -> number",
        "The sum of all entries of a table of numbers.",
        "first.sold.sum() // 0",
        |ctx: &mut Context<'_>, entries: Entries| -> Answer<i64> { sum(ctx, entries) },
    );
}

/// Returns the type of the table's keys: seats, or components of a kind.
fn party(model: &Model, entries: Entries) -> Party {
    match model.value(entries.value).owner {
        Owner::Pair(_, party) => party,
        _ => Party::Seat,
    }
}

/// Returns the holder of the table's entry for `of`.
fn pair(ctx: &Context<'_>, entries: Entries, of: &Value) -> Answer<Holder> {
    check_plain(of)?;
    let model = ctx.table.model();
    let member = match (party(model, entries), of) {
        (Party::Seat, Value::Seat(seat)) => Some(Member::Seat(seat.get())),
        (Party::Component(kind), Value::Component(component)) => {
            (model.component(component.get()).kind == kind).then_some(Member::Component(component.get()))
        }
        (Party::Component(kind), Value::Piece(piece)) => {
            let component = ctx.table.component(piece.get());
            (model.component(component).kind == kind).then_some(Member::Component(component))
        }
        _ => None,
    };
    member.map(|member| Holder::Pair(entries.of, member)).ok_or_else(|| no_entry(model, entries, of).into())
}

#[cold]
fn no_entry(model: &Model, entries: Entries, of: &Value) -> Fault {
    let each = match party(model, entries) {
        Party::Seat => "seat".to_owned(),
        Party::Component(kind) => format!("component of kind `{}`", model.kinds[kind.index()].id),
    };
    sentence::no_entry(&model.value(entries.value).id, &each, &describe_value(of))
}

/// Returns the table's entry for `of`.
pub(crate) fn entry(ctx: &Context<'_>, entries: Entries, of: &Value) -> Answer<Value> {
    let holder = pair(ctx, entries, of)?;
    Ok(read(ctx, entries, holder))
}

fn read(ctx: &Context<'_>, entries: Entries, holder: Holder) -> Value {
    let found = ctx.facts().entry(entries.value).read(&ctx.table, holder).expect("a pair of a table has an entry");
    ctx.charge(found.cost());
    found
}

/// Assigns `given` to the table's entry for `of`.
pub(crate) fn set_entry(ctx: &mut Context<'_>, entries: Entries, of: &Value, given: &Value) -> Answer<()> {
    check_plain(given)?;
    let holder = pair(ctx, entries, of)?;
    write_value(ctx, entries.value, holder, given)
}

fn sum(ctx: &Context<'_>, entries: Entries) -> Answer<i64> {
    let model = ctx.table.model().clone();
    let members: Vec<Member> = match party(&model, entries) {
        Party::Seat => model.all_seats().map(Member::Seat).collect(),
        Party::Component(kind) => model.kinds[kind.index()].components.iter().copied().map(Member::Component).collect(),
    };
    ctx.charge(members.len());
    let mut sum = 0_i64;
    for member in members {
        let Value::Number(number) = read(ctx, entries, Holder::Pair(entries.of, member)) else {
            let message = format!("`{}` is no table of numbers", model.value(entries.value).id);
            return Err(Fault::new("wrong-type", message, "cannot be added up").into());
        };
        sum = sum.checked_add(number).ok_or_else(|| {
            Fault::new("arithmetic", "the sum is a larger number than rules can hold", "cannot be calculated")
        })?;
    }
    Ok(sum)
}
