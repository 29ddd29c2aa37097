//! Campaigns: games that are played one after another, and the state carried between them.

use super::{FamilyId, FlowFunctionName, ValueId};
use std::sync::Arc;

/// A campaign whose scenarios are the values of one option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Campaign {
    /// The option. Its words are the scenarios, in the default order of play.
    pub option: Arc<str>,
    /// Function that returns the next scenario or nothing. `None` if scenarios are played in their order.
    pub next: Option<FlowFunctionName>,
    /// Values that are carried over.
    pub values: Vec<ValueId>,
    /// Zones whose contents are carried over.
    pub families: Vec<FamilyId>,
}
