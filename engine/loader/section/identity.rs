//! Reads the table `game`: id, name, numbers of players, and how scores are compared.

use crate::loader::keys::form::{Form, Key, Needs, TableSpec, words};
use crate::model::MAX_SEATS;

const SEATS: Form = Form::Between(1, MAX_SEATS as i64);

pub(in crate::loader) const IDENTITY: TableSpec = TableSpec {
    one: "the table `game`",
    many: "games",
    keys: &[
        Key::new(
            "format",
            "the version of the format that the game's files are written in; 1 where nothing says so",
            Form::Integer,
        ),
        Key::new("id", "the word for the game: small letters, digits, `-` and `_`", Form::Word),
        Key::new("name", "what people call the game", Form::Text),
        Key::new("players", "for how many players it is", Form::Table(&PLAYERS)),
        Key::new("score", "whether the most or the least score wins", Form::OneOf(|| words(&SCORES))),
    ],
    also: &[("title", "name"), ("seats", "players")],
    needs: Needs::Always(&["id", "players"]),
    ..TableSpec::PLAIN
};

/// Words for `score`, and whether the lowest score wins.
pub(in crate::loader) const SCORES: [(&str, bool); 2] = [("most", false), ("least", true)];

pub(in crate::loader) const PLAYERS: TableSpec = TableSpec {
    one: "the table `players`",
    many: "players",
    keys: &[Key::new("min", "the fewest players", SEATS), Key::new("max", "the most players", SEATS)],
    also: &[("from", "min"), ("least", "min"), ("to", "max"), ("most", "max")],
    needs: Needs::Always(&["min", "max"]),
    ..TableSpec::PLAIN
};
