//! The scenarios of a game, and what is carried between them.

use super::{Campaign, Model, OptionType, Setting};
use std::sync::Arc;

impl Model {
    /// The scenario that is played, in a game that has a campaign.
    pub fn scenario(&self) -> Option<Arc<str>> {
        match &self.options.get(&self.campaign.as_ref()?.option)?.value {
            Setting::Word(word) => Some(word.clone()),
            _ => None,
        }
    }

    /// The scenarios of its campaign, in the order in which they are declared.
    pub fn scenarios(&self) -> Option<Vec<Arc<str>>> {
        match &self.options.get(&self.campaign.as_ref()?.option)?.kind {
            OptionType::Word(words) => Some(words.clone()),
            _ => None,
        }
    }
}

impl Campaign {
    /// The names of what is carried, each once.
    pub fn carried<'m>(&self, model: &'m Model) -> impl Iterator<Item = &'m str> {
        let values = self.values.iter().map(|id| &*model.value(*id).id);
        let zones = self.families.iter().map(|id| &*model.family(*id).id);
        let all: Vec<&str> = values.chain(zones).collect();
        let is_first = |at: &usize| !all[..*at].contains(&all[*at]);
        (0..all.len()).filter(is_first).map(|at| all[at]).collect::<Vec<_>>().into_iter()
    }
}
