//! Keys of the table `game`: id, name, numbers of players, and how scores are compared.

use crate::loader::keys::form::{Form, Needs, TableSpec};
use crate::loader::keys::key::{DisplayText, Key, OneOf, Word, declare_table};
use crate::model::MAX_SEATS;

const NUMBER_OF_PLAYERS: Form = Form::Between(1, MAX_SEATS as i64);

declare_table! {
    pub(in crate::loader) const IDENTITY: TableSpec = TableSpec::new("the table `game`", "games")
        .needs(Needs::Always(&[&ID.spec, &PLAYERS.spec]))
        .also(&[("title", &NAME.spec), ("description", &ABOUT.spec), ("seats", &PLAYERS.spec)]);

    const FORMAT: Key = Key::new("format", "format version of the game's files; 1 by default", Form::Integer);
    const ID: Key<Word> = Key::word("id", "id of the game: lower-case letters, digits, `-` and `_`", Form::Word);
    const NAME: Key<DisplayText> = Key::text("name", "display name of the game");
    const ABOUT: Key<DisplayText> = Key::text("about", "what the game is about, in a few sentences");
    const PLAYERS: Key = Key::new("players", "number of players", Form::Table(&PLAYERS_TABLE));
    // Whether the lowest score wins.
    const SCORE: Key<OneOf<bool>> = Key::one_of(
        "score", "whether the highest or the lowest score wins", &[("most", false), ("least", true)]);
}

declare_table! {
    pub(in crate::loader) const PLAYERS_TABLE: TableSpec = TableSpec::new("the table `players`", "players")
        .needs(Needs::Always(&[&MIN.spec, &MAX.spec]))
        .also(&[("from", &MIN.spec), ("least", &MIN.spec), ("to", &MAX.spec), ("most", &MAX.spec)]);

    const MIN: Key = Key::new("min", "minimum number of players", NUMBER_OF_PLAYERS);
    const MAX: Key = Key::new("max", "maximum number of players", NUMBER_OF_PLAYERS);
}
