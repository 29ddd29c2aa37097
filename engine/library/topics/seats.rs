//! Seats and their order.

use crate::decision::Set;
use crate::library::context::Context;
use crate::library::context::fault::Answer;
use crate::library::effect::Effects;
use crate::library::entry::book::Book;
use crate::model::Seat;

pub(super) fn write(book: &mut Book) {
    book.topic("Seats");
    book.word(
        "turn_order",
        "",
        "Every seat, from the first one on, clockwise.",
        "turn_order().first == first // true",
        |ctx: &mut Context<'_>| -> Set<Seat> { around(ctx, ctx.table.position.first) },
    );
    book.word(
        "turn_order",
        "seat",
        "Every seat, from this one on, clockwise.",
        "turn_order(next(first)).last == first // true",
        |ctx: &mut Context<'_>, seat: Seat| -> Set<Seat> { around(ctx, seat) },
    );
    book.word(
        "next",
        "seat",
        "The seat to the left: next clockwise.",
        "next(next(next(first))) == first // true",
        |ctx: &mut Context<'_>, seat: Seat| -> Seat { Seat((seat.0 + 1) % ctx.table.model().seats) },
    );
    book.word(
        "previous",
        "seat",
        "The seat to the right: the one before, clockwise.",
        "previous(next(first)) == first // true",
        |ctx: &mut Context<'_>, seat: Seat| -> Seat {
            let seats = ctx.table.model().seats;
            Seat((seat.0 + seats - 1) % seats)
        },
    );
    book.word(
        "others",
        "seat",
        "Every other seat, clockwise from the next one.",
        "others(first).count() // 2",
        |ctx: &mut Context<'_>, seat: Seat| -> Set<Seat> { around(ctx, seat).into_iter().skip(1).collect() },
    );
    book.effects(Effects::CHANGES);
    book.word(
        "set_first",
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

fn around(ctx: &Context<'_>, from: Seat) -> Set<Seat> {
    let seats = ctx.table.model().seats;
    (0..seats).map(|step| Seat((from.0 + step) % seats)).collect()
}
