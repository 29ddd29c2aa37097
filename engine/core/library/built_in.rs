//! Names that every game has: global names, and facts of pieces, components, seats, spaces and zones.

use crate::decision::Type;

/// A global name that every game has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GlobalName {
    Seats,
    Teams,
    Players,
    First,
    Active,
    Round,
    Game,
}

/// Global names of every game. Each entry has the variant, name, type pattern, documentation and example.
pub(crate) const NAMES: [(GlobalName, &str, &str, &str, &str); 7] = [
    (
        GlobalName::Seats,
        "seats",
        "seats",
        "All seats in order around the table, including eliminated ones.",
        "seats.count() // 3",
    ),
    (
        GlobalName::Teams,
        "teams",
        "components",
        "All teams, in the order of the files; empty if everybody plays alone.",
        "teams.count() // 2",
    ),
    (GlobalName::Players, "players", "number", "Number of players.", "players // 3"),
    (GlobalName::First, "first", "seat", "The first seat.", "first.number // 1"),
    (
        GlobalName::Active,
        "active",
        "seat?",
        "The seat whose turn it is; `()` outside turns.",
        "active == seats[0] // true",
    ),
    (
        GlobalName::Round,
        "round",
        "number",
        "Number of the current round, from 1; 0 before the first round.",
        "round // 1",
    ),
    (
        GlobalName::Game,
        "game",
        "game",
        "The game as a whole, which holds the values that belong to the game.",
        "game.mood // \"calm\"",
    ),
];

/// A built-in fact, such as the number of a seat. Each variant is named after the word for the fact in rules.
#[allow(missing_docs, reason = "the variants are named after their words")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuiltIn {
    Component,
    Count,
    Eliminated,
    Id,
    Kind,
    Label,
    Number,
    Of,
    Owner,
    Seat,
    Seats,
    Shown,
    Space,
    Team,
    Turned,
    Up,
    X,
    Y,
    Zone,
}

/// Facts that exist only in games with teams.
pub(crate) const OF_TEAMS: [BuiltIn; 2] = [BuiltIn::Team, BuiltIn::Seats];

/// Built-in facts. Each entry has the type of the owner, variant, name, type pattern, documentation and example. The facts in [`OF_TEAMS`]
/// exist only in games with teams.
pub(crate) const FACTS: [(Type, BuiltIn, &str, &str, &str, &str); 24] = [
    (Type::Seat, BuiltIn::Number, "number", "number", "Number of the seat, from 1.", "first.number // 1"),
    (
        Type::Seat,
        BuiltIn::Eliminated,
        "is_eliminated",
        "flag",
        "Whether the seat was eliminated with `eliminate`.",
        "first.is_eliminated // false",
    ),
    (
        Type::Seat,
        BuiltIn::Team,
        "team",
        "component",
        "Team of the seat, in games with teams.",
        "first.team.id // \"odd\"",
    ),
    (Type::Component, BuiltIn::Id, "id", "text", "Id in the data files.", "component(\"ace\").id // \"ace\""),
    (Type::Component, BuiltIn::Kind, "kind", "kind", "Name of the kind.", "component(\"ace\").kind // \"card\""),
    (
        Type::Component,
        BuiltIn::Count,
        "count",
        "number",
        "Number of copies in the box.",
        "component(\"king\").count // 3",
    ),
    (
        Type::Component,
        BuiltIn::Seats,
        "seats",
        "seats",
        "Seats of the team, in games with teams.",
        "first.team.seats.count() // 2",
    ),
    (
        Type::Piece,
        BuiltIn::Component,
        "component",
        "component",
        "The component, that is, what is printed on the piece.",
        "tiles.top.component.kind // \"tile\"",
    ),
    (Type::Piece, BuiltIn::Kind, "kind", "kind", "Name of the kind.", "deck.top.kind // \"card\""),
    (
        Type::Piece,
        BuiltIn::Owner,
        "owner",
        "seat?",
        "Seat whose color the piece has; `()` if none.",
        "deck.top.owner // ()",
    ),
    (Type::Piece, BuiltIn::Zone, "zone", "zone", "The zone that the piece is in.", "deck.top.zone == deck // true"),
    (
        Type::Piece,
        BuiltIn::Space,
        "space",
        "space",
        "The space that the piece is on.",
        "deck.top.space.zone == deck // true",
    ),
    (Type::Piece, BuiltIn::Up, "is_up", "flag", "Whether the piece is face up.", "deck.top.is_up // false"),
    (
        Type::Piece,
        BuiltIn::Turned,
        "turned",
        "number",
        "Number of clockwise turns from the upright position.",
        "deck.top.turned // 0",
    ),
    (Type::Piece, BuiltIn::Shown, "shown", "any", "The face that a die shows.", "cup.top.shown // 1"),
    (
        Type::Space,
        BuiltIn::Zone,
        "zone",
        "zone",
        "The zone that the space belongs to.",
        "track[2].zone == track // true",
    ),
    (Type::Space, BuiltIn::Label, "label", "label", "Label of the space in its zone.", "track[2].label // 2"),
    (Type::Space, BuiltIn::X, "x", "number", "Column of the space.", "board.at(3, 2).x // 3"),
    (Type::Space, BuiltIn::Y, "y", "number", "Row of the space.", "board.at(3, 2).y // 2"),
    (Type::Space, BuiltIn::Owner, "owner", "seat?", "Seat whose color the top piece has.", "track[2].owner // ()"),
    (
        Type::Zone,
        BuiltIn::Seat,
        "seat",
        "seat?",
        "Seat that the zone belongs to, if every seat has this zone.",
        "first.hand.seat == first // true",
    ),
    (Type::Zone, BuiltIn::Label, "label", "label", "Label of the zone among its copies.", "lots[2].label // 2"),
    (Type::Zone, BuiltIn::Id, "id", "text", "Id in the data files.", "deck.id // \"deck\""),
    (
        Type::Zone,
        BuiltIn::Of,
        "of",
        "component?",
        "Component that the zone belongs to, if each component of a kind has this zone.",
        "deck.of // ()",
    ),
];

/// Finds a global name that every game has.
pub(crate) fn global(name: &str) -> Option<GlobalName> {
    NAMES.iter().find(|(_, known, ..)| *known == name).map(|(which, ..)| *which)
}

/// Returns the built-in fact `name` of the type `of`, if there is one.
pub fn built_in(of: Type, name: &str) -> Option<BuiltIn> {
    FACTS.iter().find(|(known, _, called, ..)| *known == of && *called == name).map(|(_, which, ..)| *which)
}
