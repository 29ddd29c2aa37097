//! One setting of a sweep with its results.

use crate::simulation::{Estimate, Setting, TargetResult};

/// One setting of a sweep with its results.
#[derive(Debug)]
pub struct SweepRow<'a> {
    /// Index of the chosen value of each dial.
    pub setting: &'a Setting,
    /// Figures to show, by id; `None` if no game has the figure.
    pub figures: Vec<(String, Option<Estimate>)>,
    /// Targets and whether they are met.
    pub judged: &'a [TargetResult],
    /// Number of games played, including failed ones.
    pub games: u64,
    /// Number of games that failed.
    pub failed: u64,
    /// Fingerprint of the rules with all settings, in hexadecimal.
    pub rules: String,
}
