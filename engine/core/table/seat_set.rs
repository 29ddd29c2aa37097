//! Sets of seats as bit sets.

use crate::model::Seat;

/// A set of seats, one bit each.
pub type SeatSet = u16;

/// Returns the set that contains only `seat`.
pub(in crate::table) const fn only(seat: Seat) -> SeatSet {
    1 << seat.0
}
