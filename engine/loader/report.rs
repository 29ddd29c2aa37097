//! Where mistakes are collected while reading goes on.

use crate::diagnostic::{Diagnostic, Diagnostics, Place, Severity};
use std::cell::RefCell;
use std::sync::Arc;

/// Mistakes beyond these are not kept.
const MOST_MISTAKES: usize = 1000;

/// The mistakes found so far.
#[derive(Debug, Default)]
pub(super) struct Report(RefCell<Vec<Diagnostic>>);

impl Report {
    /// One more mistake.
    pub(super) fn add(&self, diagnostic: Diagnostic) {
        if !self.is_full() {
            self.0.borrow_mut().push(diagnostic);
        }
    }

    /// Whether there are so many that nobody reads on.
    pub(super) fn is_full(&self) -> bool {
        self.0.borrow().len() >= MOST_MISTAKES
    }

    /// Whether something keeps the game from being played.
    pub(super) fn has_errors(&self) -> bool {
        self.0.borrow().iter().any(|found| found.severity == Severity::Error)
    }

    /// Mistakes found elsewhere, each once.
    pub(super) fn extend(&self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        for diagnostic in diagnostics {
            let is_known = self.0.borrow().contains(&diagnostic);
            if !is_known {
                self.add(diagnostic);
            }
        }
    }

    /// Asks of what lacks something whether another thing was meant: `newcomers` says where such a name stands, and which.
    pub(super) fn suggest(&self, newcomers: &[(Place, Arc<str>)]) {
        for found in self.0.borrow_mut().iter_mut().filter(|found| found.help.is_none()) {
            let lacks = matches!(found.code, "missing-key" | "missing-field");
            let place = found.marks.first().map(|mark| &mark.place).filter(|_| lacks);
            let newcomer = newcomers.iter().find(|(newcomer, _)| Some(newcomer) == place);
            found.help = newcomer.map(|(_, meant)| format!("did you mean `{meant}`?"));
        }
    }

    /// What was read, unless there was an error.
    pub(super) fn result<T>(self, read: T) -> Result<T, Diagnostics> {
        if self.has_errors() { Err(self.into_diagnostics()) } else { Ok(read) }
    }

    /// The mistakes by file and place, each once; those without a place first.
    pub(super) fn into_diagnostics(self) -> Diagnostics {
        let mut found = self.0.into_inner();
        found.sort_by(|a, b| a.order().cmp(&b.order()));
        let mut once: Vec<Diagnostic> = Vec::with_capacity(found.len());
        for diagnostic in found {
            let same_place = once.iter().rev().take_while(|other| other.order() == diagnostic.order());
            if !same_place.into_iter().any(|other| *other == diagnostic) {
                once.push(diagnostic);
            }
        }
        Diagnostics(once)
    }
}
