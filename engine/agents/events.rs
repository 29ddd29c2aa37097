//! Protocol messages about events: what happened since the program was last asked, and how the game ended.

use crate::model::Seat;
use crate::session::{Datum, EventPosition, GameOver};
use serde_json::{Value, json};

/// Converts a [`Datum`] to JSON.
pub fn json(datum: Datum) -> Value {
    match datum {
        Datum::Nothing => Value::Null,
        Datum::Flag(flag) => flag.into(),
        Datum::Number(number) => number.into(),
        Datum::Text(text) => text.into(),
        Datum::List(all) => all.into_iter().map(json).collect(),
        Datum::Parts(parts) => parts.into_iter().map(|(name, part)| (name, json(part))).collect(),
    }
}

/// Builds the message about the end of a game. Includes what happened since the program was last asked.
pub(super) fn game_over(over: &GameOver<'_>, seat: Seat, heard: &mut EventPosition) -> Value {
    let (log, events) = over.news(seat, heard);
    let standings = &over.outcome().standings;
    json!({
        "type": "over",
        "seat": seat.number(),
        "scores": standings.iter().map(|standing| standing.score).collect::<Vec<_>>(),
        "ranks": standings.iter().map(|standing| standing.rank).collect::<Vec<_>>(),
        "winners": over.outcome().winners().map(Seat::number).collect::<Vec<_>>(),
        "log": log,
        "events": events.into_iter().map(json).collect::<Value>(),
    })
}
