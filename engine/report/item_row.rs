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
    /// Subject of the option, such as a number, a seat or a pass; `None` for a component.
    pub thing: Option<OptionReferent>,
    /// Number of decisions that offered the option, or number of moves of the component.
    pub offered: u64,
    /// Number of decisions answered with the option, or number of times that a seat received the component.
    pub picked: u64,
    /// Number of times that random agents would have picked the option, estimated from the mean number of options.
    pub picked_at_random: f64,
    /// Share of the offers in which the option was picked; `None` for a component.
    pub pick_share: Option<Estimate>,
    /// Win share of seats that picked the option or acquired the component.
    pub with: Option<Estimate>,
    /// Win share of seats that did not pick the option or acquire the component.
    pub without: Option<Estimate>,
    /// Difference between `with` and `without`, corrected for the number of items in the table.
    pub difference: Option<AdjustedDifference>,
    /// Difference between the win share of seats with the component and that of seats with any component of its kind, corrected for the
    /// number of items in the table. `None` for an option.
    pub excess: Option<AdjustedDifference>,
    /// Difference between the win share of seats that took the option when it was first offered and that of seats in a similar position
    /// that did not, corrected for the number of items in the table. `None` for a component.
    pub matched: Option<AdjustedDifference>,
    /// Share of the games in which the option was taken when it was first offered. `None` for a component.
    pub first_taken: Option<Estimate>,
    /// Index of the author's expectation that applies to the item, and how much stronger the item is expected to be than the mean of all
    /// items to which this expectation applies. The scale depends on the expectation. An item that is expected to be strong or weak has 1
    /// or -1.
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
