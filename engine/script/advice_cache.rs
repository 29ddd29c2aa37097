//! Cache of compiled agent scripts.

use super::function::RuleFunction;
use super::machine::Machine;
use crate::diagnostic::Source;
use std::sync::{Arc, Mutex};

/// A compiled agent script.
pub struct Advice {
    pub(super) source: Arc<Source>,
    /// The rules together with the functions of the script.
    pub(super) machine: Machine,
    pub(super) functions: Vec<RuleFunction>,
}

/// The most recently compiled agent scripts.
#[derive(Default)]
pub(super) struct AdviceCache(pub(super) Mutex<Vec<Arc<Advice>>>);
