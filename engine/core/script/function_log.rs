//! Records which functions of the rules have run, cheaply enough for the games of a check.
//!
//! The rules are compiled with an additional instruction at the start of each function. Setting its flag takes no lock.

use super::rule_file::RuleFile;
use crate::diagnostic::Place;
use crate::vm::Watched;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of functions in a log. Functions beyond it are not recorded.
const MAX_FUNCTIONS: usize = 1 << 14;

/// The functions of the rules, and which of them have run. All variants of a game share one log, although the rules are compiled for each.
#[derive(Debug)]
pub struct FunctionLog {
    /// A flag for each function, set when the function has run.
    flags: Box<[AtomicBool]>,
    functions: Mutex<Vec<LoggedFunction>>,
}

/// A function in a [`FunctionLog`].
#[derive(Debug, Clone)]
pub struct LoggedFunction {
    /// Name of the function.
    pub name: Arc<str>,
    /// Place of the name in the function's definition.
    pub place: Place,
}

impl Default for FunctionLog {
    fn default() -> Self {
        Self { flags: (0..MAX_FUNCTIONS).map(|_| AtomicBool::new(false)).collect(), functions: Mutex::default() }
    }
}

impl FunctionLog {
    /// Registers the functions of `files`, which must be the first files of the program. Functions without statements are left out.
    pub(super) fn watch(&self, files: &[RuleFile]) -> Watched {
        let mut functions = self.functions.lock().unwrap_or_else(PoisonError::into_inner);
        let mut watched = Watched::default();
        for (number, file) in files.iter().enumerate() {
            for function in &file.tree().functions {
                let Some(first) = function.body.statements.first() else { continue };
                let place = Place { source: file.source().clone(), span: function.name.span.range() };
                let known = functions.iter().position(|known| is_same_place(&known.place, &place));
                let at = known.unwrap_or(functions.len());
                if at == MAX_FUNCTIONS {
                    return watched;
                }
                if at == functions.len() {
                    functions.push(LoggedFunction { name: function.name.text.clone(), place });
                }
                watched.insert((number as u16, first.span.range().start), at as u32);
            }
        }
        watched
    }

    /// Records that the function at an index has run.
    #[inline]
    pub(super) fn reached(&self, at: usize) {
        // Several threads use the flag. Writing it only once keeps it in the caches of all of them.
        if !self.flags[at].load(Ordering::Relaxed) {
            self.flags[at].store(true, Ordering::Relaxed);
        }
    }

    /// Returns the functions that have not run, by file and position.
    pub fn unreached(&self) -> Vec<LoggedFunction> {
        let functions = self.functions.lock().unwrap_or_else(PoisonError::into_inner);
        let all = functions.iter().zip(&self.flags).filter(|(_, flag)| !flag.load(Ordering::Relaxed));
        let mut unreached: Vec<LoggedFunction> = all.map(|(function, _)| function.clone()).collect();
        unreached.sort_by(|a, b| {
            (&a.place.source.path, a.place.span.start).cmp(&(&b.place.source.path, b.place.span.start))
        });
        unreached
    }
}

fn is_same_place(one: &Place, other: &Place) -> bool {
    (&one.source.path, one.span.start) == (&other.source.path, other.span.start)
}
