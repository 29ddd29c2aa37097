//! Data of a comparison for one number of players, and formatting of single measures.

use super::number::{amount, points};
use crate::model::Model;
use crate::simulation::{ComparedMeasure, Comparison, Measure, MeasureKind};

/// Result of a comparison for one number of players.
#[derive(Debug)]
pub struct ComparedPlayers<'a> {
    /// Model of the second version.
    pub model: &'a Model,
    /// Model of the first version.
    pub before: &'a Model,
    /// Names of the agents of both versions.
    pub agents: [&'a [String]; 2],
    /// Commands that play the first pair of games, A first; empty if a version cannot be named in one command.
    pub commands: &'a [String],
    /// Agent from the game's files, suggested for a better comparison. Set only if all seats chose at random.
    pub suggested_agent: Option<&'a str>,
    /// Planned number of pairs of games.
    pub planned: u64,
    /// Fingerprint of each version's rules with all settings, in hexadecimal.
    pub rules: &'a [String; 2],
    /// Figures of both versions.
    pub comparison: &'a Comparison,
    /// Measures with their verdicts.
    pub rows: &'a [ComparedMeasure],
}

impl ComparedPlayers<'_> {
    /// Returns whether all pairs were played.
    pub fn is_complete(&self) -> bool {
        self.comparison.b.games == self.planned
    }
}

/// Returns the kind of a row's measure: share or amount. The seat gap is a share.
pub(super) fn measure_kind(row: &ComparedMeasure) -> MeasureKind {
    row.measure.as_ref().map_or(MeasureKind::Share, Measure::sort)
}

/// Returns the display name of a row's measure.
pub(super) fn measure_name(model: &Model, row: &ComparedMeasure) -> String {
    row.measure.as_ref().map_or_else(|| "seat gap".to_owned(), |measure| measure.name(model))
}

/// Formats a difference with its sign. Shares are formatted in percentage points.
pub(super) fn format_change(number: f64, sort: MeasureKind) -> String {
    match sort {
        MeasureKind::Share => format!("{} percentage points", points(number)),
        MeasureKind::Amount if number >= 0.0 => format!("+{}", amount(number)),
        MeasureKind::Amount => amount(number),
    }
}
