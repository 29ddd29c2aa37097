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
}
