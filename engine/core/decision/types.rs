//! Types of the script language.

/// A type of the script language, as named in messages and the reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// Any type.
    Any,
    /// `()`.
    Nothing,
    /// Integer.
    Number,
    /// `true` or `false`.
    Flag,
    /// Text.
    Text,
    /// List `[…]`.
    List,
    /// Map `#{…}`.
    Map,
    /// Function: its name, or `|x| …`.
    Function,
    /// Range `a..b`.
    Range,
    /// Seat.
    Seat,
    /// Zone.
    Zone,
    /// Space.
    Space,
    /// Component.
    Component,
    /// Piece.
    Piece,
    /// List of seats.
    Seats,
    /// List of zones.
    Zones,
    /// List of spaces.
    Spaces,
    /// List of components.
    Components,
    /// List of pieces.
    Pieces,
    /// Set of options.
    Options,
    /// Simultaneous answers of several seats.
    Answers,
    /// The `game` object.
    Game,
    /// Table of values with an entry for each seat or component.
    Entries,
}

impl Type {
    /// Number of types.
    pub const COUNT: usize = Self::ALL.len();

    /// All types in declaration order.
    pub const ALL: [Self; 23] = [
        Self::Any,
        Self::Nothing,
        Self::Number,
        Self::Flag,
        Self::Text,
        Self::List,
        Self::Map,
        Self::Function,
        Self::Range,
        Self::Seat,
        Self::Zone,
        Self::Space,
        Self::Component,
        Self::Piece,
        Self::Seats,
        Self::Zones,
        Self::Spaces,
        Self::Components,
        Self::Pieces,
        Self::Options,
        Self::Answers,
        Self::Game,
        Self::Entries,
    ];

    /// Returns the name of the type in the reference.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Nothing => "()",
            Self::Number => "number",
            Self::Flag => "flag",
            Self::Text => "text",
            Self::List => "list",
            Self::Map => "map",
            Self::Function => "function",
            Self::Range => "range",
            Self::Seat => "seat",
            Self::Zone => "zone",
            Self::Space => "space",
            Self::Component => "component",
            Self::Piece => "piece",
            Self::Seats => "seats",
            Self::Zones => "zones",
            Self::Spaces => "spaces",
            Self::Components => "components",
            Self::Pieces => "pieces",
            Self::Options => "options",
            Self::Answers => "answers",
            Self::Game => "game",
            Self::Entries => "entries",
        }
    }

    /// Returns the name of the type with an article, for messages: `a seat`, `an answer`.
    pub fn one(self) -> String {
        match self {
            Self::Nothing => "`()`".to_owned(),
            Self::Any => "anything".to_owned(),
            Self::Game => "the game".to_owned(),
            Self::Entries => "a table of values".to_owned(),
            Self::Seats
            | Self::Zones
            | Self::Spaces
            | Self::Components
            | Self::Pieces
            | Self::Options
            | Self::Answers => self.word().to_owned(),
            kind => {
                let word = kind.word();
                let article = if word.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
                format!("{article} {word}")
            }
        }
    }

    /// Returns whether the name from [`one`](Self::one) takes a plural verb: "seats are", but "a seat is".
    pub(crate) fn is_several(self) -> bool {
        use Type::{Answers, Components, Options, Pieces, Seats, Spaces, Zones};
        matches!(self, Answers | Components | Options | Pieces | Seats | Spaces | Zones)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_types_are_in_declaration_order() {
        assert!(Type::ALL.iter().enumerate().all(|(at, kind)| *kind as usize == at));
    }
}
