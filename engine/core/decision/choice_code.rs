//! Codes of options that do not reveal hidden information.

use super::choice::Choice;
use crate::model::Seat;
use crate::table::{Table, View, mixed};

impl Choice {
    /// Returns a hash of the choice as `seat` sees it. The hash is the same in all worlds that the seat cannot distinguish.
    pub fn code(&self, table: &Table, seat: Seat) -> u64 {
        match self {
            Self::Nothing => 1,
            Self::Flag(flag) => mixed(&[2, u64::from(*flag)]),
            Self::Number(number) => mixed(&[3, *number as u64]),
            Self::Word(word) => mixed(&[4, text_hash(word)]),
            Self::Seat(seat) => mixed(&[5, u64::from(seat.0)]),
            Self::Zone(zone) => mixed(&[6, u64::from(zone.0)]),
            Self::Space(space) => mixed(&[7, u64::from(space.0)]),
            Self::Component(component) => mixed(&[8, u64::from(component.0)]),
            Self::Piece(piece) => View::memory(table, Some(seat)).piece_code(*piece),
            Self::Parts(parts) => {
                let parts: Vec<u64> =
                    parts.iter().flat_map(|(name, part)| [text_hash(name), part.code(table, seat)]).collect();
                mixed(&parts)
            }
            Self::Many(all) => mixed(&all.iter().map(|one| one.code(table, seat)).collect::<Vec<_>>()),
        }
    }
}

fn text_hash(text: &str) -> u64 {
    text.bytes().fold(0, |sum: u64, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)))
}
