//! Reads the automa: seats without a player, whose choices the rules make.

use crate::diagnostic::Place;
use crate::loader::document::node::Node;
use crate::loader::keys::form::{Form, Key, Needs, TableSpec};
use crate::loader::keys::reading::Fields;
use crate::loader::mistake::wrong_type;
use crate::loader::section::draft::Draft;
use crate::model::{MAX_SEATS, Seat};

pub(in crate::loader) const AUTOMA: TableSpec = TableSpec {
    one: "the automa",
    many: "automas",
    keys: &[Key::new(
        "seats",
        "numbers of the seats that the rules play",
        Form::ByPlayers(&Form::List(&Form::Between(1, MAX_SEATS as i64))),
    )],
    also: &[("seat", "seats"), ("players", "seats")],
    needs: Needs::InBaseGame(&["seats"]),
    ..TableSpec::PLAIN
};

impl Draft<'_> {
    /// Reads the section `automa`. Returns the seats that the rules play when the game has the draft's number of players.
    pub(in crate::loader) fn automas(&self) -> Vec<Seat> {
        let Some(entry) = self.tree.root.get("automa") else { return Vec::new() };
        let Some(fields) = Fields::read(self.report, "automa", entry, &AUTOMA) else { return Vec::new() };
        let Some(node) = fields.require("seats").and_then(|node| self.for_players("seats", node)) else {
            return Vec::new();
        };
        let Some(list) = node.list() else {
            self.mistake(wrong_type("seats", "a list of numbers of seats", node));
            return Vec::new();
        };
        let numbers = list.iter().filter_map(|node: &Node| self.number_of_seat(node));
        let numbers: Vec<(i64, &Place)> = numbers.collect();
        // The same list may apply to several numbers of players, so it may contain seats that do not exist with fewer players.
        let here = numbers.into_iter().filter(|(number, _)| *number <= i64::from(self.seats));
        let mut seats: Vec<Seat> = here.map(|(number, _)| Seat(number as u8 - 1)).collect();
        seats.sort_unstable();
        seats.dedup();
        seats
    }
}
