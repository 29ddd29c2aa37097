//! The files of agents that were compiled beside the rules of a game.

use super::function::RuleFunction;
use super::machine::Machine;
use crate::diagnostic::Source;
use std::sync::{Arc, Mutex};

/// A compiled file of an agent.
pub struct Advice {
    pub(super) source: Arc<Source>,
    /// The rules with the functions of the file.
    pub(super) machine: Machine,
    pub(super) functions: Vec<RuleFunction>,
}

/// The files of agents that were compiled beside the rules of a game last.
#[derive(Default)]
pub(super) struct Advices(pub(super) Mutex<Vec<Arc<Advice>>>);
