//! Seats and their order.

use crate::decision::{Several, Value};
use crate::library::context::Context;
use crate::library::context::fault::{Answer, Fault};
use crate::library::effect::Effects;
use crate::library::entry::builder::RegistryBuilder;
use crate::library::recognized::SET_FIRST;
use crate::model::Seat;

pub(super) fn write(registry: &mut RegistryBuilder) {
    registry.topic("Seats");
    registry.function(
        "turn_order",
        "",
        "Every seat, from the first one on, clockwise.",
        "turn_order().first == first // true",
        |ctx: &mut Context<'_>| -> Several<Seat> { around(ctx, ctx.table.position.first) },
    );
    registry.function(
        "turn_order",
        "seat",
        "Every seat, from this one on, clockwise.",
        "turn_order(next(first)).last == first // true",
        |ctx: &mut Context<'_>, seat: Seat| -> Several<Seat> { around(ctx, seat) },
    );
    registry.function(
        "next",
        "seat",
        "The seat to the left: next clockwise.",
        "next(next(next(first))) == first // true",
        |ctx: &mut Context<'_>, seat: Seat| -> Seat { Seat((seat.0 + 1) % ctx.table.model().seats) },
    );
    registry.function(
        "previous",
        "seat",
        "The seat to the right: the one before, clockwise.",
        "previous(next(first)) == first // true",
        |ctx: &mut Context<'_>, seat: Seat| -> Seat {
            let seats = ctx.table.model().seats;
            Seat((seat.0 + seats - 1) % seats)
        },
    );
    registry.function(
        "others",
        "seat",
        "Every other seat, clockwise from the next one.",
        "others(first).count() // 2",
        |ctx: &mut Context<'_>, seat: Seat| -> Several<Seat> { around(ctx, seat).into_iter().skip(1).collect() },
    );
    registry.effects(Effects::CHANGES);
    registry.function(
        SET_FIRST,
        "seat",
        "Makes a seat the first one.",
        "set_first(next(first)); first.number // 2",
        |ctx: &mut Context<'_>, seat: Seat| -> Answer<()> {
            ctx.changing()?;
            ctx.table.position.first = seat;
            Ok(())
        },
    );
}

fn around(ctx: &Context<'_>, from: Seat) -> Several<Seat> {
    let seats = ctx.table.model().seats;
    (0..seats).map(|step| Seat((from.0 + step) % seats)).collect()
}

/// Those that a rule names where several seats are wanted: one of them, a list of them, or seats.
pub(crate) fn whom(given: &Value) -> Answer<Several<Seat>> {
    if let Value::Seat(seat) = given { Ok(std::iter::once(seat.get()).collect()) } else { seats_of(given) }
}

/// The same where one alone makes no sense.
pub(super) fn seats_of(given: &Value) -> Answer<Several<Seat>> {
    let not_seats = |what: String| {
        Fault::new("wrong-type", format!("seats were expected, not {what}"), "not seats")
            .help("give `seats`, or some of them in a list: `[first, next(first)]`")
    };
    match given {
        Value::Seats(seats) => Ok(seats.clone()),
        Value::List(list) => {
            let seat = |one: &Value| match one {
                Value::Seat(seat) => Ok(seat.get()),
                other => Err(not_seats(format!("a list with {} in it", other.kind())).into()),
            };
            list.iter().map(seat).collect()
        }
        other => Err(not_seats(other.kind()).into()),
    }
}
