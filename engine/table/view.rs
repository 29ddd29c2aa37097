//! What a seat may see.

use super::Table;
use crate::model::Seat;

/// A lens on a table that answers only what a seat may see.
#[derive(Clone, Copy)]
pub struct View<'a> {
    table: &'a Table,
    seat: Option<Seat>,
}

impl<'a> View<'a> {
    /// What a seat sees of a table; without a seat, what everybody sees.
    pub const fn new(table: &'a Table, seat: Option<Seat>) -> Self {
        Self { table, seat }
    }

    /// Who looks.
    pub const fn seat(&self) -> Option<Seat> {
        self.seat
    }

    /// How many pieces lie on the table.
    pub fn pieces(&self) -> usize {
        self.table.pieces.len()
    }
}
