//! Findings about the figures.

use serde::Serialize;

/// Importance of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Weight {
    /// Something is wrong.
    Wrong,
    /// The designer should look at it.
    Finding,
    /// Useful to know.
    Note,
    /// Consistent with what the author declared to expect.
    Expected,
}

/// One sentence about the figures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Importance.
    pub weight: Weight,
    /// Id of the definition that the sentence is based on.
    pub about: &'static str,
    /// The sentence.
    pub text: String,
}
