//! Seats and their order.

use super::super::fault::Answer;
use super::Book;
use super::book::with;
use crate::decision::Set;
use crate::model::Seat;
use crate::script::stage::Stage;

pub(super) fn write(book: &mut Book) {
    book.topic("Seats");
    book.word(
        "turn_order",
        "",
        "Every seat, from the first one on, clockwise.",
        "turn_order().first == first // true",
        || -> Set<Seat> { with(|stage| around(stage, stage.table.position.first)) },
    );
    book.word(
        "turn_order",
        "seat",
        "Every seat, from this one on, clockwise.",
        "turn_order(next(first)).last == first // true",
        |seat: Seat| -> Set<Seat> { with(|stage| around(stage, seat)) },
    );
    book.word(
        "next",
        "seat",
        "The seat to the left: next clockwise.",
        "next(next(next(first))) == first // true",
        |seat: Seat| -> Seat { with(|stage| Seat((seat.0 + 1) % stage.table.model().seats)) },
    );
    book.word(
        "previous",
        "seat",
        "The seat to the right: the one before, clockwise.",
        "previous(next(first)) == first // true",
        |seat: Seat| -> Seat {
            with(|stage| {
                let seats = stage.table.model().seats;
                Seat((seat.0 + seats - 1) % seats)
            })
        },
    );
    book.word(
        "others",
        "seat",
        "Every other seat, clockwise from the next one.",
        "others(first).count() // 2",
        |seat: Seat| -> Set<Seat> { with(|stage| around(stage, seat).into_iter().skip(1).collect()) },
    );
    book.word(
        "set_first",
        "seat",
        "Makes a seat the first one.",
        "set_first(next(first)); first.number // 2",
        |seat: Seat| -> Answer<()> {
            with(|stage| {
                stage.changing()?;
                stage.table.position.first = seat;
                Ok(())
            })
        },
    );
}

fn around(stage: &Stage, from: Seat) -> Set<Seat> {
    let seats = stage.table.model().seats;
    (0..seats).map(|step| Seat((from.0 + step) % seats)).collect()
}
