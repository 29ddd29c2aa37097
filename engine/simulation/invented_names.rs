//! Limits for the figures of names that the rules invent in play. Everything else in the figures of a batch is limited by what the game's files
//! declare.

use super::histogram::Histogram;
use super::measure::Measure;
use super::option_stats::{OptionKey, OptionReferent};
use serde::{Deserialize, Serialize};

/// Figures whose names the rules invent in play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum InventedNames {
    /// Counters (`tally`) and parts of scores.
    Counters,
    /// Options that are words or numbers.
    Options,
}

impl InventedNames {
    /// Returns the maximum size in bytes of these figures in a batch.
    pub(super) const fn max_size(self) -> usize {
        match self {
            Self::Counters => 8 << 20,
            Self::Options => 4 << 20,
        }
    }
}

/// Assumed size in bytes of a counter without its name and its numbers.
pub(super) const COUNTER: usize = 256;

/// Assumed size in bytes of an option without its name.
pub(super) const OPTION: usize = 512;

/// Returns the size in bytes of a measure, if the rules invent its name.
pub(super) fn counter_size(measure: &Measure, numbers: &Histogram) -> Option<usize> {
    measure.invented_name().map(|name| COUNTER + name.len() + numbers.size())
}

/// Returns the size in bytes of the figures of an option, if the rules invent it.
pub(super) fn option_size(key: &OptionKey) -> Option<usize> {
    match &key.thing {
        OptionReferent::Word(word) => Some(OPTION + word.len()),
        OptionReferent::Number(_) => Some(OPTION),
        _ => None,
    }
}
