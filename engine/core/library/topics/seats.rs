//! Seats and their order.

use crate::decision::{EventKind, HandleList, Value};
use crate::library::context::Context;
use crate::library::context::fault::{Answer, Fault};
use crate::library::effect::Effects;
use crate::library::entry::builder::RegistryBuilder;
use crate::library::well_known::{ELIMINATE, SET_FIRST};
use crate::model::Seat;

pub(super) fn register(registry: &mut RegistryBuilder) {
    registry.topic("Seats");
    registry.function(
        "turn_order",
        "",
        "All seats in play, clockwise from the first seat.",
        "turn_order().first == first // true",
        |ctx: &mut Context<'_>| -> HandleList<Seat> { ctx.table.seats_from(ctx.table.position.first).collect() },
    );
    registry.function(
        "turn_order",
        "seat",
        "All seats in play, clockwise from this seat.",
        "turn_order(next(first)).last == first // true",
        |ctx: &mut Context<'_>, seat: Seat| -> HandleList<Seat> { ctx.table.seats_from(seat).collect() },
    );
    registry.function(
        "next",
        "seat",
        "The next seat in play, clockwise: the player to the left.",
        "next(next(next(first))) == first // true",
        |ctx: &mut Context<'_>, seat: Seat| -> Seat { after(ctx, seat).next().unwrap_or(seat) },
    );
    registry.function(
        "previous",
        "seat",
        "The previous seat in play: the player to the right.",
        "previous(next(first)) == first // true",
        |ctx: &mut Context<'_>, seat: Seat| -> Seat {
            after(ctx, seat).filter(|other| *other != seat).last().unwrap_or(seat)
        },
    );
    registry.function(
        "others",
        "seat",
        "All other seats in play, clockwise from the next one.",
        "others(first).count() // 2",
        |ctx: &mut Context<'_>, seat: Seat| -> HandleList<Seat> {
            after(ctx, seat).filter(|other| *other != seat).collect()
        },
    );
    registry.effects(Effects::CHANGES);
    registry.function(
        SET_FIRST,
        "seat",
        "Makes a seat the first seat. If it was eliminated, the next seat in play becomes the first.",
        "set_first(next(first)); first.number // 2",
        |ctx: &mut Context<'_>, seat: Seat| -> Answer<()> {
            ctx.check_may_change()?;
            let first = ctx.table.seats_from(seat).next().unwrap_or(seat);
            ctx.table.position.first = first;
            Ok(())
        },
    );
    registry.function(
        ELIMINATE,
        "seat",
        "Eliminates a seat for the rest of the game. The seat takes no more turns and is not asked any more; `turn_order`, `next`, `previous`, `others`, `together`, `respond`, `pass_left` and `pass_right` skip it. The seat stays in `seats` and is scored. If it was the first seat, the next seat in play becomes the first. Its pieces stay where they are (see `pieces_of`) until the rules move them.",
        "next(first).eliminate(); next(first).number // 3",
        |ctx: &mut Context<'_>, seat: Seat| -> Answer<()> { eliminate(ctx, seat) },
    );
}

/// Iterates clockwise over the seats in play, beginning after `seat`. `seat` itself comes last, unless it has been eliminated.
fn after<'t>(ctx: &'t Context<'_>, seat: Seat) -> impl Iterator<Item = Seat> + 't {
    ctx.table.seats_from(Seat((seat.0 + 1) % ctx.table.model().seats))
}

fn eliminate(ctx: &mut Context<'_>, seat: Seat) -> Answer<()> {
    ctx.check_may_change()?;
    if !ctx.table.position.is_in_play(seat) {
        return Ok(());
    }
    let in_turn: Vec<Seat> = after(ctx, seat).collect();
    ctx.table.position.eliminate(seat, in_turn);
    // Triggers are not part of the copied table, so a trial must not change them.
    if ctx.permissions.trials == 0 {
        ctx.triggers.remove_seat(seat);
    }
    ctx.note(|_| EventKind::Eliminated(seat));
    Ok(())
}

/// Returns those of the given seats that are in play and can therefore be asked.
pub(crate) fn seats_in_play(ctx: &Context<'_>, given: &Value) -> Answer<HandleList<Seat>> {
    Ok(seat_or_seats(given)?.iter().copied().filter(|seat| ctx.table.position.is_in_play(*seat)).collect())
}

/// Converts a seat, or a list or collection of seats, to a handle list.
pub(crate) fn seat_or_seats(given: &Value) -> Answer<HandleList<Seat>> {
    if let Value::Seat(seat) = given { Ok(std::iter::once(seat.get()).collect()) } else { seats_of(given) }
}

/// Converts a list or a collection of seats to a handle list.
pub(super) fn seats_of(given: &Value) -> Answer<HandleList<Seat>> {
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
