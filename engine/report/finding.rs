//! One sentence on the figures, and how much it matters.

use serde::Serialize;

/// How much a sentence matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Weight {
    /// Something is wrong.
    Wrong,
    /// The games show something a designer should look at.
    Finding,
    /// Good to know.
    Note,
    /// The author knows it, and says so in the game.
    Expected,
}

/// One sentence on the figures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// How much it matters.
    pub weight: Weight,
    /// The word of the definition it rests on.
    pub about: &'static str,
    /// The sentence.
    pub text: String,
}
