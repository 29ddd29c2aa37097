//! Parameters that designers tune and options that players agree on.

use super::{Seat, Text};
use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

/// Value of a parameter or an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Setting {
    /// An integer.
    Number(i64),
    /// A Boolean.
    Flag(bool),
    /// A word.
    Word(Arc<str>),
    /// A seat.
    Seat(Seat),
    /// No value, because no choice was made.
    Nothing,
    /// A list.
    List(Vec<Setting>),
    /// A table: a value for each key, in order.
    Table(Vec<(Arc<str>, Setting)>),
}

/// Formats the setting as in files. Empty for [`Setting::Nothing`].
impl Display for Setting {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Word(word) => f.write_str(word),
            Self::Seat(seat) => write!(f, "{}", seat.number()),
            Self::Nothing => Ok(()),
            Self::List(list) => {
                let entries: Vec<String> = list.iter().map(Self::to_string).collect();
                write!(f, "[{}]", entries.join(", "))
            }
            Self::Table(entries) => {
                let entries: Vec<String> = entries.iter().map(|(name, entry)| format!("{name} = {entry}")).collect();
                write!(f, "{{ {} }}", entries.join(", "))
            }
        }
    }
}

/// Inclusive bounds of a number. `None` for no bound.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Bounds {
    /// The minimum.
    pub min: Option<i64>,
    /// The maximum.
    pub max: Option<i64>,
}

impl Bounds {
    /// Returns whether a number is within the bounds.
    pub fn contains(&self, number: i64) -> bool {
        self.min.is_none_or(|min| min <= number) && self.max.is_none_or(|max| number <= max)
    }

    /// Describes the bounds for a message: `between 1 and 7`, `at least 1`. Returns `None` if there are no bounds.
    pub fn describe(&self) -> Option<String> {
        match (self.min, self.max) {
            (Some(min), Some(max)) if min == max => Some(format!("{min}")),
            (Some(min), Some(max)) => Some(format!("between {min} and {max}")),
            (Some(min), None) => Some(format!("at least {min}")),
            (None, Some(max)) => Some(format!("at most {max}")),
            (None, None) => None,
        }
    }
}

/// A parameter that designers tune, resolved for the number of players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Param {
    /// Identifier in files and scripts.
    pub id: Arc<str>,
    /// Current value.
    pub value: Setting,
    /// Values for certain numbers of players, as pairs of number and value.
    pub by_players: Vec<(u8, Setting)>,
    /// Bounds of the value.
    pub bounds: Bounds,
    /// Bounds for certain numbers of players, as pairs of number and bounds.
    pub bounds_by_players: Vec<(u8, Bounds)>,
    /// The author's description.
    pub about: Option<Text>,
}

/// Type of an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionType {
    /// One of these words.
    Word(Vec<Arc<str>>),
    /// An integer within bounds.
    Number {
        /// The minimum.
        min: i64,
        /// The maximum.
        max: i64,
    },
    /// A seat, or nothing.
    Seat,
}

/// An option that players choose before the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameOption {
    /// Identifier in files, scripts and on the command line.
    pub id: Arc<str>,
    /// Display name.
    pub name: Text,
    /// Description of the option's effect, for the players who choose.
    pub about: Option<Text>,
    /// Type of the option's values.
    pub kind: OptionType,
    /// Default value.
    pub default: Setting,
    /// Chosen value.
    pub value: Setting,
}
