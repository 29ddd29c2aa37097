//! Reads the automa: seats without a player, whose choices the rules make.

use crate::loader::keys::form::{Form, Needs, TableSpec};
use crate::loader::keys::key::{Key, declare_table};
use crate::loader::keys::reading::Fields;
use crate::loader::mistake::wrong_type;
use crate::loader::section::draft::Draft;
use crate::model::{MAX_SEATS, Seat};

declare_table! {
    pub(in crate::loader) const AUTOMA: TableSpec = TableSpec::new("the automa", "automas")
        .needs(Needs::InBaseGame(&[&SEATS.spec])).also(&[("seat", &SEATS.spec), ("players", &SEATS.spec)]);

    const SEATS: Key = Key::new(
        "seats", "numbers of the seats that the rules play",
        Form::ByPlayers(&Form::List(&Form::Between(1, MAX_SEATS as i64))));
}

impl Draft<'_> {
    /// Reads the section `automa`. Returns the seats that the rules play when the game has the draft's number of players.
    pub(in crate::loader) fn automas(&self) -> Vec<Seat> {
        let Some(entry) = self.tree.root.get("automa") else { return Vec::new() };
        let Some(fields) = Fields::from_entry(self.report, "automa", entry, &AUTOMA) else { return Vec::new() };
        let Some(node) = fields.require(&SEATS).and_then(|node| self.for_players(SEATS.name, node)) else {
            return Vec::new();
        };
        let Some(list) = node.list() else {
            self.mistake(wrong_type(SEATS.name, "a list of numbers of seats", node));
            return Vec::new();
        };
        let numbers = list.iter().filter_map(|node| self.number_of_seat(node));
        // The same list may apply to several numbers of players, so it may contain seats that do not exist with fewer players.
        let here = numbers.filter(|(number, _)| *number <= i64::from(self.seats));
        let mut seats: Vec<Seat> = here.map(|(number, _)| Seat(number as u8 - 1)).collect();
        seats.sort_unstable();
        seats.dedup();
        seats
    }
}
