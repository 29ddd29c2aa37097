//! How games follow each other: which scenario is played after which, and what is carried from one to the next.

use super::{FamilyId, Named, ValueId};
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
