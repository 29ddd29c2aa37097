//! One option or component, with what was counted of it.

use crate::simulation::{Estimate, Weighed};

/// One option or component.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemRow {
    /// What it is called.
    pub name: String,
    /// Its word in files.
    pub id: String,
    /// The decision it is an option of, or the kind it belongs to.
    pub group: String,
    /// Questions that offered it; moves of a component.
    pub offered: u64,
    /// Questions answered with it; how often a piece of it came to a seat.
    pub picked: u64,
    /// How many of the questions that offered it random agents would answer with it, by the mean number of options there.
    pub picked_at_random: f64,
    /// The share of questions that offered it and were answered with it.
    pub pick_share: Option<Estimate>,
    /// The win share of seats with it.
    pub with: Option<Estimate>,
    /// The win share of seats without it.
    pub without: Option<Estimate>,
    /// The difference, weighed among those of its table.
    pub difference: Option<Weighed>,
    /// The within-kind excess: the difference from its kind, weighed likewise.
    pub excess: Option<Weighed>,
    /// Which expectation of the author's is about it, and by how much it is to be better than its like.
    pub expected: Option<(usize, f64)>,
}

impl ItemRow {
    /// Whether winning differs with it and without it.
    pub fn is_finding(&self) -> bool {
        self.difference.as_ref().is_some_and(Weighed::is_finding)
    }

    /// Whether it is weaker or stronger than its kind.
    pub fn is_odd_one(&self) -> bool {
        self.excess.as_ref().is_some_and(Weighed::is_finding)
    }
}
