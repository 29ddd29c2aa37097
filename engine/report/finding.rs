//! Findings about the figures.

use serde::Serialize;

/// Importance of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Weight {
    /// Problem that has to be fixed.
    Wrong,
    /// Result that the designer should look at.
    Finding,
    /// Useful information.
    Note,
    /// Result that agrees with an expectation that the author declared.
    Expected,
}

/// One sentence about the figures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Importance.
    pub weight: Weight,
    /// Id of the definition that explains the sentence; may be empty.
    pub about: &'static str,
    /// The sentence.
    pub text: String,
}
