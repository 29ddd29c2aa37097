//! Targets that the author sets for measures of many games.

use std::sync::Arc;

/// A measure with the bounds that it should stay within.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Name of the measure: a word of `Figure`, or `ending.NAME`, `tally.NAME` and the like.
    pub figure: Arc<str>,
    /// Lower bound in millionths.
    pub min: Option<i64>,
    /// Upper bound in millionths.
    pub max: Option<i64>,
}

impl Target {
    /// Factor between a measure's value and the integer that stores a bound.
    pub const UNIT: i64 = 1_000_000;

    /// Returns whether the measure is a share between 0 and 1.
    pub fn is_share(figure: &str) -> bool {
        Figure::from_word(figure).is_some_and(|figure| figure.word_and_is_share().1)
            || FigureGroup::split(figure).is_some_and(|(group, _)| group.is_share())
    }

    /// Returns whether the measure can be negative, as scores and counters of the rules can.
    pub fn may_be_negative(figure: &str) -> bool {
        let is_score = Figure::from_word(figure) == Some(Figure::Score);
        is_score || matches!(FigureGroup::split(figure), Some((FigureGroup::Tally | FigureGroup::Score, _)))
    }
}

/// A measure that can have a target. The measures of the simulation define each of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Figure {
    SeatWinGap,
    Ties,
    Rounds,
    Turns,
    Decisions,
    Forced,
    Options,
    Score,
    Margin,
    LastGap,
    LeadChanges,
    LastLead,
    LeaderQuarter,
    LeaderHalf,
    LeaderThreeQuarters,
    Comeback,
    Faults,
}

/// A group of measures that are named after a dot, such as `ending.NAME`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FigureGroup {
    /// Relative frequency of an ending.
    Ending,
    /// Mean of a counter of the rules.
    Tally,
    /// Win share of a seat.
    Win,
    /// Win share of a place in turn order.
    Place,
    /// Mean score of a seat.
    Score,
}

impl Figure {
    /// All variants, in the order in which messages list them.
    pub(crate) const ALL: [Self; 17] = [
        Self::SeatWinGap,
        Self::Ties,
        Self::Rounds,
        Self::Turns,
        Self::Decisions,
        Self::Forced,
        Self::Options,
        Self::Score,
        Self::Margin,
        Self::LastGap,
        Self::LeadChanges,
        Self::LastLead,
        Self::LeaderQuarter,
        Self::LeaderHalf,
        Self::LeaderThreeQuarters,
        Self::Comeback,
        Self::Faults,
    ];

    /// Returns the word for the measure, and whether it is a share between 0 and 1.
    const fn word_and_is_share(self) -> (&'static str, bool) {
        match self {
            Self::SeatWinGap => ("seat_win_gap", true),
            Self::Ties => ("ties", true),
            Self::Rounds => ("rounds", false),
            Self::Turns => ("turns", false),
            Self::Decisions => ("decisions", false),
            Self::Forced => ("forced", true),
            Self::Options => ("options", false),
            Self::Score => ("score", false),
            Self::Margin => ("margin", false),
            Self::LastGap => ("last_gap", false),
            Self::LeadChanges => ("lead_changes", false),
            Self::LastLead => ("last_lead", true),
            Self::LeaderQuarter => ("leader_quarter", true),
            Self::LeaderHalf => ("leader_half", true),
            Self::LeaderThreeQuarters => ("leader_three_quarters", true),
            Self::Comeback => ("comeback", false),
            Self::Faults => ("faults", true),
        }
    }

    /// Returns the word for the measure.
    pub(crate) const fn word(self) -> &'static str {
        self.word_and_is_share().0
    }

    /// Returns the words for all measures.
    pub(crate) fn words() -> [&'static str; Self::ALL.len()] {
        Self::ALL.map(Self::word)
    }

    /// Finds a measure by its word.
    pub(crate) fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|figure| figure.word() == word)
    }
}

impl FigureGroup {
    /// All variants, in the order in which messages list them.
    pub(crate) const ALL: [Self; 5] = [Self::Ending, Self::Tally, Self::Win, Self::Place, Self::Score];

    /// Returns the word before the dot.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Ending => "ending",
            Self::Tally => "tally",
            Self::Win => "win",
            Self::Place => "place",
            Self::Score => "score",
        }
    }

    /// Returns the placeholder after the dot, for help texts.
    #[cfg_attr(not(feature = "system"), allow(dead_code, reason = "the help of a command says it"))]
    pub(crate) const fn placeholder(self) -> &'static str {
        match self {
            Self::Ending | Self::Tally => "NAME",
            Self::Win | Self::Score => "SEAT",
            Self::Place => "NUMBER",
        }
    }

    /// Splits `ending.NAME` into the group and the name.
    pub(crate) fn split(word: &str) -> Option<(Self, &str)> {
        let (group, name) = word.split_once('.')?;
        Some((Self::ALL.into_iter().find(|known| known.word() == group)?, name))
    }

    const fn is_share(self) -> bool {
        match self {
            Self::Ending | Self::Win | Self::Place => true,
            Self::Tally | Self::Score => false,
        }
    }
}
