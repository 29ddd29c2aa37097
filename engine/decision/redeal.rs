//! A redeal: after answers were taken back, what nobody knew is dealt again and chance begins anew.

use crate::model::Seat;

/// Why answers were taken back, and who agreed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consent {
    /// Nobody else was there to be asked.
    Alone,
    /// All others agreed.
    Agreed,
    /// The host decided.
    Host,
    /// Nobody wished it: the answers do not hold by rules that were changed.
    Rules,
}

impl Consent {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Alone, Self::Agreed, Self::Host, Self::Rules];

    /// The word for it in playscripts.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Alone => "alone",
            Self::Agreed => "agreed",
            Self::Host => "host",
            Self::Rules => "rules",
        }
    }

    /// The one that a playscript names by a word.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|consent| consent.word() == word)
    }
}

/// A redeal. All that it deals follows from its seed and the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Redeal {
    /// Seed of the new faces and of all chance from here on.
    pub seed: u64,
    /// The seat that took answers back; none where the rules were changed.
    pub by: Option<Seat>,
    /// Who agreed.
    pub consent: Consent,
}

/// One entry of the history that determines a session, together with the game and the setup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// An answer: the position of the option.
    Answer(u64),
    /// A redeal.
    Redeal(Redeal),
}
