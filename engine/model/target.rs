//! What the author wants the figures of many games to be.

use std::sync::Arc;

/// A figure and the bounds it is to keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The word for the figure: one of [`Target::FIGURES`], or `ending.NAME`, `tally.NAME`.
    pub figure: Arc<str>,
    /// The smallest it may be, in millionths.
    pub min: Option<i64>,
    /// The largest it may be, in millionths.
    pub max: Option<i64>,
}

impl Target {
    /// How many units a bound has to one.
    pub const UNIT: i64 = 1_000_000;

    /// The figures that a target can be set for.
    pub const FIGURES: [&str; 17] = [
        "seat_win_gap",
        "ties",
        "rounds",
        "turns",
        "decisions",
        "forced",
        "options",
        "score",
        "margin",
        "last_gap",
        "lead_changes",
        "last_lead",
        "leader_quarter",
        "leader_half",
        "leader_three_quarters",
        "comeback",
        "faults",
    ];

    /// Those of [`Target::FIGURES`] that are shares, from 0 to 1; so is that of every ending.
    const SHARES: [&str; 8] = [
        "seat_win_gap",
        "ties",
        "forced",
        "last_lead",
        "leader_quarter",
        "leader_half",
        "leader_three_quarters",
        "faults",
    ];

    /// Whether a figure is a share, from 0 to 1.
    pub fn is_share(figure: &str) -> bool {
        Self::SHARES.contains(&figure) || figure.starts_with("ending.")
    }

    /// Whether a figure may be below 0: scores, and whatever rules count.
    pub fn may_be_negative(figure: &str) -> bool {
        figure == "score" || figure.starts_with("tally.")
    }
}
