//! What is chosen before a game: params a designer tweaks and options players agree on.

use super::{Seat, Text};
use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

/// A number, word or list with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Setting {
    /// A whole number.
    Number(i64),
    /// Yes or no.
    Flag(bool),
    /// A word.
    Word(Arc<str>),
    /// A seat.
    Seat(Seat),
    /// Nothing was chosen.
    Nothing,
    /// Several of these, in order.
    List(Vec<Setting>),
    /// One of these for each of some words, in order.
    Table(Vec<(Arc<str>, Setting)>),
}

/// The setting as files write it; empty for [`Setting::Nothing`].
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

/// The numbers that something may be; nothing where a side is open.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Bounds {
    /// The smallest.
    pub min: Option<i64>,
    /// The largest.
    pub max: Option<i64>,
}

impl Bounds {
    /// Whether a number lies within them.
    pub fn hold(&self, number: i64) -> bool {
        self.min.is_none_or(|min| min <= number) && self.max.is_none_or(|max| number <= max)
    }

    /// What a number must be, in a message: `between 1 and 7`, `at least 1`; nothing where both sides are open.
    pub fn in_words(&self) -> Option<String> {
        match (self.min, self.max) {
            (Some(min), Some(max)) if min == max => Some(format!("{min}")),
            (Some(min), Some(max)) => Some(format!("between {min} and {max}")),
            (Some(min), None) => Some(format!("at least {min}")),
            (None, Some(max)) => Some(format!("at most {max}")),
            (None, None) => None,
        }
    }
}

/// A named number a designer tweaks, as it is for this number of players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Param {
    /// The word for it in files and scripts.
    pub id: Arc<str>,
    /// What it is in this game.
    pub value: Setting,
    /// What it is for each number of players, where that differs.
    pub by_players: Vec<(u8, Setting)>,
    /// What it may be set to.
    pub bounds: Bounds,
    /// What it may be set to with each number of players, where that differs.
    pub bounds_by_players: Vec<(u8, Bounds)>,
    /// What it means, in the author's words.
    pub about: Option<Text>,
}

/// What an option may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionType {
    /// One of these words.
    Word(Vec<Arc<str>>),
    /// A number within bounds.
    Number {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// A seat, or nothing.
    Seat,
}

/// A switch set before the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameOption {
    /// The word for it in files, scripts and on the command line.
    pub id: Arc<str>,
    /// What people call it.
    pub name: Text,
    /// A sentence on what it changes, for the user who chooses.
    pub about: Option<Text>,
    /// What it may be.
    pub kind: OptionType,
    /// What it is when nobody chooses.
    pub default: Setting,
    /// What was chosen.
    pub value: Setting,
}
