//! Redeals: after answers are taken back, hidden information is drawn anew so that nobody profits from what they saw.

use crate::model::Seat;

/// Reason why answers could be taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consent {
    /// There was no other person to ask.
    Alone,
    /// All other persons agreed.
    Agreed,
    /// The host decided to take the answers back.
    Host,
    /// Nobody took the answers back: they became invalid because the rules were changed.
    Rules,
}

impl Consent {
    /// All variants.
    pub const ALL: [Self; 4] = [Self::Alone, Self::Agreed, Self::Host, Self::Rules];

    /// Returns the word used in playscripts.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Alone => "alone",
            Self::Agreed => "agreed",
            Self::Host => "host",
            Self::Rules => "rules",
        }
    }

    /// Parses the word used in playscripts. Returns `None` for any other word.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|consent| consent.word() == word)
    }
}

/// A redeal. Its seed and the table determine every face that it deals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Redeal {
    /// Seed of the new hidden faces and of all further random numbers.
    pub seed: u64,
    /// The seat that took answers back; `None` if the rules were changed.
    pub by: Option<Seat>,
    /// Reason why answers could be taken back.
    pub consent: Consent,
}

/// An entry of the history of a session. The history, the game and the setup determine the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// An answer: the position of the chosen option.
    Answer(u64),
    /// A redeal.
    Redeal(Redeal),
}
