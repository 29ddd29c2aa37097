//! Reads the table `game`: id, name, numbers of players, and how scores are compared.

use crate::loader::keys::form::{Form, Key, Needs, TableSpec};
use crate::model::MAX_SEATS;

const SEATS: Form = Form::Between(1, MAX_SEATS as i64);

pub(in crate::loader) const IDENTITY: TableSpec = TableSpec {
    one: "the table `game`",
    many: "games",
    keys: &[
        Key::new("format", "format version of the game's files; 1 by default", Form::Integer),
        Key::new("id", "id of the game: lower-case letters, digits, `-` and `_`", Form::Word),
        Key::new("name", "display name of the game", Form::Text),
        Key::new("about", "what the game is about, in a few sentences", Form::Text),
        Key::new("players", "number of players", Form::Table(&PLAYERS)),
        Key::new("score", "whether the highest or the lowest score wins", Form::OneOf(&SCORES)),
    ],
    also: &[("title", "name"), ("description", "about"), ("seats", "players")],
    needs: Needs::Always(&["id", "players"]),
    ..TableSpec::PLAIN
};

/// Words for `score`, each with a flag that tells whether the lowest score wins.
pub(in crate::loader) const SCORES: [(&str, bool); 2] = [("most", false), ("least", true)];

pub(in crate::loader) const PLAYERS: TableSpec = TableSpec {
    one: "the table `players`",
    many: "players",
    keys: &[Key::new("min", "minimum number of players", SEATS), Key::new("max", "maximum number of players", SEATS)],
    also: &[("from", "min"), ("least", "min"), ("to", "max"), ("most", "max")],
    needs: Needs::Always(&["min", "max"]),
    ..TableSpec::PLAIN
};
