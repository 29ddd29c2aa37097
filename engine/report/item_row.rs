//! Statistics of one option or component.

use crate::simulation::{AdjustedDifference, Estimate, OptionReferent};

/// Statistics of one option or component.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemRow {
    /// Display name.
    pub name: String,
    /// Identifier for tables.
    pub id: String,
    /// Decision that the option belongs to, or kind of the component.
    pub group: String,
    /// Content of the option, such as a number, a seat or a pass; `None` in the row of a component.
    pub thing: Option<OptionReferent>,
    /// Number of decisions that offered the option, or number of moves of the component.
    pub offered: u64,
    /// Number of decisions answered with the option, or number of times that a seat received the component.
    pub picked: u64,
    /// Number of times that random agents would have picked the option, estimated from the mean number of options.
    pub picked_at_random: f64,
    /// Share of the decisions offering the option that were answered with it.
    pub pick_share: Option<Estimate>,
    /// Win share of seats with the item.
    pub with: Option<Estimate>,
    /// Win share of seats without the item.
    pub without: Option<Estimate>,
    /// Difference of the two win shares, corrected for the number of items in the table.
    pub difference: Option<AdjustedDifference>,
    /// Difference from the win share of seats with any item of its kind, corrected in the same way.
    pub excess: Option<AdjustedDifference>,
    /// For an option: difference from seats in a similar position that did not take the option when it was first
    /// offered, corrected in the same way.
    pub matched: Option<AdjustedDifference>,
    /// For an option: share of the games in which the option was taken when it was first offered.
    pub first_taken: Option<Estimate>,
    /// Index of the author's expectation about the item, and the expected advantage of the item over its peers.
    pub expected: Option<(usize, f64)>,
}

impl ItemRow {
    /// Returns whether the win shares with and without the item differ significantly.
    pub fn is_finding(&self) -> bool {
        self.difference.as_ref().is_some_and(AdjustedDifference::is_finding)
    }

    /// Returns whether the item is significantly weaker or stronger than its kind.
    pub fn differs_from_kind(&self) -> bool {
        self.excess.as_ref().is_some_and(AdjustedDifference::is_finding)
    }
}
