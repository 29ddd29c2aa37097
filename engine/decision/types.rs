//! The types of what rules hold.

/// A type of the script language, as designers read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// Anything.
    Any,
    /// Nothing: `()`.
    Nothing,
    /// A whole number.
    Number,
    /// Yes or no.
    Flag,
    /// A word or sentence.
    Text,
    /// A list `[…]`.
    List,
    /// Named parts `#{…}`.
    Map,
    /// A function: its name, or `|x| …`.
    Function,
    /// A range `a..b`.
    Range,
    /// A seat.
    Seat,
    /// A zone.
    Zone,
    /// A space.
    Space,
    /// A component.
    Component,
    /// A piece.
    Piece,
    /// Several seats.
    Seats,
    /// Several zones.
    Zones,
    /// Several spaces.
    Spaces,
    /// Several components.
    Components,
    /// Several pieces.
    Pieces,
    /// Options that are listed natively.
    Options,
    /// What several seats answered.
    Answers,
    /// The game as a whole.
    Game,
    /// A table of values, with an entry for each of several seats or components.
    Entries,
}

impl Type {
    /// How many there are.
    pub const COUNT: usize = Self::ALL.len();

    /// Every type, in the order in which they are declared.
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

    /// The word for it in the reference.
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

    /// The word for one of it, with its article.
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

    /// Whether "are" follows what [`one`](Self::one) calls it: "seats are", "a seat is".
    pub(crate) fn is_several(self) -> bool {
        use Type::{Answers, Components, Options, Pieces, Seats, Spaces, Zones};
        matches!(self, Answers | Components | Options | Pieces | Seats | Spaces | Zones)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_stands_at_its_number() {
        assert!(Type::ALL.iter().enumerate().all(|(at, kind)| *kind as usize == at));
    }
}
