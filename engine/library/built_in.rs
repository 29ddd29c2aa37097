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

/// Global names of every game: the variant, name, type pattern, documentation and example.
pub(crate) const NAMES: [(GlobalName, &str, &str, &str, &str); 7] = [
    (
        GlobalName::Seats,
        "seats",
        "seats",
        "Every seat, in order around the table, those that were eliminated too.",
        "seats.count() // 3",
    ),
    (
        GlobalName::Teams,
        "teams",
        "components",
        "Every team, in the order of the files; none where everybody plays alone.",
        "teams.count() // 2",
    ),
    (GlobalName::Players, "players", "number", "How many players there are.", "players // 3"),
    (GlobalName::First, "first", "seat", "The seat that begins.", "first.number // 1"),
    (
        GlobalName::Active,
        "active",
        "seat?",
        "The seat whose turn it is; nothing where it is nobody's.",
        "active == seats[0] // true",
    ),
    (GlobalName::Round, "round", "number", "The number of the round, from 1; 0 before the first.", "round // 1"),
    (GlobalName::Game, "game", "game", "The game as a whole: behind a dot it has its values.", "game.mood // \"calm\""),
];

/// A fact that all things of a type have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BuiltIn {
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

/// Facts of every game (those of [`OF_TEAMS`] only with teams): type of the owner, variant, name, type pattern, documentation and example.
pub(crate) const FACTS: [(Type, BuiltIn, &str, &str, &str, &str); 24] = [
    (Type::Seat, BuiltIn::Number, "number", "number", "The number of a seat, from 1.", "first.number // 1"),
    (
        Type::Seat,
        BuiltIn::Eliminated,
        "is_eliminated",
        "flag",
        "Whether it has been taken out of the game with `eliminate`.",
        "first.is_eliminated // false",
    ),
    (Type::Seat, BuiltIn::Team, "team", "component", "Its team, in a game of teams.", "first.team.id // \"odd\""),
    (Type::Component, BuiltIn::Id, "id", "text", "The word for it in the data.", "component(\"ace\").id // \"ace\""),
    (
        Type::Component,
        BuiltIn::Kind,
        "kind",
        "kind",
        "What sort of thing it is.",
        "component(\"ace\").kind // \"card\"",
    ),
    (
        Type::Component,
        BuiltIn::Count,
        "count",
        "number",
        "How many of it are in the box.",
        "component(\"king\").count // 3",
    ),
    (
        Type::Component,
        BuiltIn::Seats,
        "seats",
        "seats",
        "The seats of a team, in a game of teams.",
        "first.team.seats.count() // 2",
    ),
    (
        Type::Piece,
        BuiltIn::Component,
        "component",
        "component",
        "What is printed on it.",
        "tiles.top.component.kind // \"tile\"",
    ),
    (Type::Piece, BuiltIn::Kind, "kind", "kind", "What sort of thing it is.", "deck.top.kind // \"card\""),
    (
        Type::Piece,
        BuiltIn::Owner,
        "owner",
        "seat?",
        "Whose color it has; `()` where it is nobody's.",
        "deck.top.owner // ()",
    ),
    (Type::Piece, BuiltIn::Zone, "zone", "zone", "The zone in which it lies.", "deck.top.zone == deck // true"),
    (
        Type::Piece,
        BuiltIn::Space,
        "space",
        "space",
        "The space on which it lies.",
        "deck.top.space.zone == deck // true",
    ),
    (Type::Piece, BuiltIn::Up, "is_up", "flag", "Whether it lies face up.", "deck.top.is_up // false"),
    (Type::Piece, BuiltIn::Turned, "turned", "number", "How often it is turned clockwise.", "deck.top.turned // 0"),
    (Type::Piece, BuiltIn::Shown, "shown", "any", "What a die shows.", "cup.top.shown // 1"),
    (Type::Space, BuiltIn::Zone, "zone", "zone", "The zone it belongs to.", "track[2].zone == track // true"),
    (Type::Space, BuiltIn::Label, "label", "label", "What it is called in its zone.", "track[2].label // 2"),
    (Type::Space, BuiltIn::X, "x", "number", "Its column.", "board.at(3, 2).x // 3"),
    (Type::Space, BuiltIn::Y, "y", "number", "Its row.", "board.at(3, 2).y // 2"),
    (Type::Space, BuiltIn::Owner, "owner", "seat?", "Whose color the piece on top has.", "track[2].owner // ()"),
    (
        Type::Zone,
        BuiltIn::Seat,
        "seat",
        "seat?",
        "Whose it is, of zones that everybody has.",
        "first.hand.seat == first // true",
    ),
    (Type::Zone, BuiltIn::Label, "label", "label", "What it is called among its copies.", "lots[2].label // 2"),
    (Type::Zone, BuiltIn::Id, "id", "text", "The word for it in the data.", "deck.id // \"deck\""),
    (
        Type::Zone,
        BuiltIn::Of,
        "of",
        "component?",
        "The component it belongs to, of zones that each of a kind has.",
        "deck.of // ()",
    ),
];

/// Finds a global name that every game has.
pub(crate) fn global(name: &str) -> Option<GlobalName> {
    NAMES.iter().find(|(_, known, ..)| *known == name).map(|(which, ..)| *which)
}

/// Finds a fact that all things of a type have.
pub(crate) fn built_in(of: Type, name: &str) -> Option<BuiltIn> {
    FACTS.iter().find(|(known, _, called, ..)| *known == of && *called == name).map(|(_, which, ..)| *which)
}
