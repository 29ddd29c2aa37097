//! The scenarios of a campaign, and the names of the values and zones that the campaign carries over.

use super::{Campaign, Model, OptionType, Setting};
use std::sync::Arc;

impl Model {
    /// Returns the current scenario, or `None` if the game has no campaign.
    pub fn scenario(&self) -> Option<Arc<str>> {
        match &self.options.get(&self.campaign.as_ref()?.option)?.value {
            Setting::Word(word) => Some(word.clone()),
            _ => None,
        }
    }

    /// Returns all scenarios of the campaign in the order of their declaration.
    pub fn scenarios(&self) -> Option<Vec<Arc<str>>> {
        match &self.options.get(&self.campaign.as_ref()?.option)?.kind {
            OptionType::Word(words) => Some(words.clone()),
            _ => None,
        }
    }
}

impl Campaign {
    /// Iterates over the names of the values and zones that are carried over, without duplicates.
    pub fn carried<'m>(&self, model: &'m Model) -> impl Iterator<Item = &'m str> {
        let values = self.values.iter().map(|id| &*model.value(*id).id);
        let zones = self.families.iter().map(|id| &*model.family(*id).id);
        let all: Vec<&str> = values.chain(zones).collect();
        let is_first = |at: &usize| !all[..*at].contains(&all[*at]);
        (0..all.len()).filter(is_first).map(|at| all[at]).collect::<Vec<_>>().into_iter()
    }
}
