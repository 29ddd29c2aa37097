//! How games follow each other: which scenario is played after which, and what is carried from one to the next.

use super::{FamilyId, Model, Named, OptionType, Setting, ValueId};
use std::sync::Arc;

/// Games of one folder that are played one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Campaign {
    /// The option whose words are the scenarios, in the order in which they are played.
    pub option: Arc<str>,
    /// The function that says which scenario follows, or that none does, where they are not played in their order.
    pub next: Option<Named>,
    /// The values that are carried.
    pub values: Vec<ValueId>,
    /// The declared zones that are carried, with what lies in them.
    pub families: Vec<FamilyId>,
}

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
