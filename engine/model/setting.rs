//! What is chosen before a game: params a designer tweaks and options players agree on.

use super::{Seat, Text};
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
    /// What it means, in the author's words.
    pub about: Option<Arc<str>>,
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
    /// What it may be.
    pub kind: OptionType,
    /// What it is when nobody chooses.
    pub default: Setting,
    /// What was chosen.
    pub value: Setting,
}
