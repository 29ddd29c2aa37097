//! Cache of compiled agent scripts.

use super::function::RuleFunction;
use super::machine::Machine;
use crate::diagnostic::{Diagnostic, Source};
use std::sync::{Arc, Mutex};

/// A compiled agent script.
pub struct Advice {
    pub(super) source: Arc<Source>,
    /// The rules, compiled together with the functions of the script.
    pub(super) machine: Machine,
    pub(super) functions: Vec<RuleFunction>,
    /// Warnings about the types of the script.
    pub(super) warnings: Vec<Diagnostic>,
}

/// The most recently compiled agent scripts.
#[derive(Default)]
pub(super) struct AdviceCache(pub(super) Mutex<Vec<Arc<Advice>>>);
