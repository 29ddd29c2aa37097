//! Limits for the figures of names that the rules invent in play. Everything else in the figures of a batch is limited by what the game's files
//! declare.

use super::figures::Figures;
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
const COUNTER: usize = 256;

/// Assumed size in bytes of an option without its name.
const OPTION: usize = 512;

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

impl Figures {
    /// Drops figures of invented names if all of them together are too large. The result does not depend on the order in which games are added
    /// and figures are merged: it is a property of all names and numbers that have occurred, and this set only grows.
    pub(super) fn drop_excess(&mut self) {
        let counters: usize =
            self.measures.iter().filter_map(|(measure, numbers)| counter_size(measure, numbers)).sum();
        let options: usize = self.options.keys().filter_map(option_size).sum();
        for (names, size) in [(InventedNames::Counters, counters), (InventedNames::Options, options)] {
            if size > names.max_size() {
                self.dropped.insert(names);
            }
        }
        if self.dropped.contains(&InventedNames::Counters) {
            self.measures.retain(|measure, _| measure.invented_name().is_none());
        }
        if self.dropped.contains(&InventedNames::Options) {
            self.options.retain(|key, _| option_size(key).is_none());
        }
    }

    /// Returns the approximate size in bytes of the figures in memory.
    pub fn size(&self) -> usize {
        let measures: usize = self.measures.values().map(|numbers| COUNTER + numbers.size()).sum();
        let bands: usize = self.bands.values().map(|numbers| COUNTER + numbers.size()).sum();
        let names: usize = self.measures.iter().filter_map(|(measure, numbers)| counter_size(measure, numbers)).sum();
        let words: usize = self.options.keys().filter_map(option_size).sum();
        measures + bands + names + words + (self.options.len() + self.components.len() + self.questions.len()) * OPTION
    }
}
