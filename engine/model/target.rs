//! What the author wants the figures of many games to be.

use std::sync::Arc;

/// A figure and the bounds it is to keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The word for the figure: that of a `Figure`, or `ending.NAME`, `tally.NAME`.
    pub figure: Arc<str>,
    /// The smallest it may be, in millionths.
    pub min: Option<i64>,
    /// The largest it may be, in millionths.
    pub max: Option<i64>,
}

impl Target {
    /// How many units a bound has to one.
    pub const UNIT: i64 = 1_000_000;

    /// Whether a figure is a share, from 0 to 1.
    pub fn is_share(figure: &str) -> bool {
        Figure::named(figure).is_some_and(|figure| figure.row().1)
            || FigureGroup::split(figure).is_some_and(|(group, _)| group.is_share())
    }

    /// Whether a figure may be below 0: scores, and whatever rules count.
    pub fn may_be_negative(figure: &str) -> bool {
        let is_score = Figure::named(figure) == Some(Figure::Score);
        is_score || matches!(FigureGroup::split(figure), Some((FigureGroup::Tally | FigureGroup::Score, _)))
    }
}

/// A figure of which many games have one; its definition among the measures says what it is.
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

/// Figures of which there are several, each named behind a dot: `ending.NAME`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FigureGroup {
    /// How often an ending comes about.
    Ending,
    /// What a counter of the rules is.
    Tally,
    /// The win share of a seat.
    Win,
    /// The win share of a place in turn order.
    Place,
    /// The score of a seat.
    Score,
}

impl Figure {
    /// All of them, in the order in which they are named.
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

    /// The word for it, and whether it is a share, from 0 to 1.
    const fn row(self) -> (&'static str, bool) {
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

    /// The word for it.
    pub(crate) const fn word(self) -> &'static str {
        self.row().0
    }

    /// The words for all of them.
    pub(crate) fn words() -> [&'static str; Self::ALL.len()] {
        Self::ALL.map(Self::word)
    }

    /// The figure of a word.
    pub(crate) fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|figure| figure.word() == word)
    }
}

impl FigureGroup {
    /// All of them, in the order in which they are named.
    pub(crate) const ALL: [Self; 5] = [Self::Ending, Self::Tally, Self::Win, Self::Place, Self::Score];

    /// The word before the dot.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Ending => "ending",
            Self::Tally => "tally",
            Self::Win => "win",
            Self::Place => "place",
            Self::Score => "score",
        }
    }

    /// What stands behind the dot, in a word.
    #[cfg_attr(not(feature = "system"), allow(dead_code, reason = "the help of a command says it"))]
    pub(crate) const fn behind(self) -> &'static str {
        match self {
            Self::Ending | Self::Tally => "NAME",
            Self::Win | Self::Score => "SEAT",
            Self::Place => "NUMBER",
        }
    }

    /// The group and the name in `ending.NAME`.
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
