//! Numbers for what may be chosen, by what a seat can tell of it.

use super::choice::Choice;
use crate::model::Seat;
use crate::table::{Table, View, mixed};

impl Choice {
    /// A number for something that may be chosen, by what a seat can tell of it: the same in every world that the seat cannot tell from
    /// this one.
    pub fn code(&self, table: &Table, seat: Seat) -> u64 {
        match self {
            Self::Nothing => 1,
            Self::Flag(flag) => mixed(&[2, u64::from(*flag)]),
            Self::Number(number) => mixed(&[3, *number as u64]),
            Self::Word(word) => mixed(&[4, bytes(word)]),
            Self::Seat(seat) => mixed(&[5, u64::from(seat.0)]),
            Self::Zone(zone) => mixed(&[6, u64::from(zone.0)]),
            Self::Space(space) => mixed(&[7, u64::from(space.0)]),
            Self::Component(component) => mixed(&[8, u64::from(component.0)]),
            Self::Piece(piece) => View::memory(table, Some(seat)).piece_code(*piece),
            Self::Parts(parts) => {
                let parts: Vec<u64> =
                    parts.iter().flat_map(|(name, part)| [bytes(name), part.code(table, seat)]).collect();
                mixed(&parts)
            }
            Self::Many(all) => mixed(&all.iter().map(|one| one.code(table, seat)).collect::<Vec<_>>()),
        }
    }
}

fn bytes(text: &str) -> u64 {
    text.bytes().fold(0, |sum: u64, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)))
}
