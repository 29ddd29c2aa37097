//! Collects the diagnostics of a loader run.

use crate::diagnostic::{Diagnostic, Diagnostics, Place, Severity};
use std::cell::RefCell;
use std::sync::Arc;

/// Maximum number of diagnostics to keep. Further diagnostics are dropped.
const MAX_DIAGNOSTICS: usize = 1000;

/// The diagnostics found so far. Interior mutability lets several readers share one report.
#[derive(Debug, Default)]
pub(super) struct Report(RefCell<Vec<Diagnostic>>);

impl Report {
    /// Adds a diagnostic, unless the report is full.
    pub(super) fn add(&self, diagnostic: Diagnostic) {
        if !self.is_full() {
            self.0.borrow_mut().push(diagnostic);
        }
    }

    /// Returns whether the report has reached its limit, so that readers can stop early.
    pub(super) fn is_full(&self) -> bool {
        self.0.borrow().len() >= MAX_DIAGNOSTICS
    }

    /// Returns whether any diagnostic is an error. A game with errors cannot be played.
    pub(super) fn has_errors(&self) -> bool {
        self.0.borrow().iter().any(|found| found.severity == Severity::Error)
    }

    /// Adds diagnostics that the report does not contain yet.
    pub(super) fn extend(&self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        for diagnostic in diagnostics {
            let is_known = self.0.borrow().contains(&diagnostic);
            if !is_known {
                self.add(diagnostic);
            }
        }
    }

    /// Adds a "did you mean" help to diagnostics about missing keys and fields. `likely_typos` lists places of entries that look
    /// misspelled, with the name that was probably meant.
    pub(super) fn suggest(&self, likely_typos: &[(Place, Arc<str>)]) {
        for found in self.0.borrow_mut().iter_mut().filter(|found| found.help.is_none()) {
            let lacks = matches!(found.code, "missing-key" | "missing-field");
            let place = found.marks.first().map(|mark| &mark.place).filter(|_| lacks);
            let newcomer = likely_typos.iter().find(|(newcomer, _)| Some(newcomer) == place);
            found.help = newcomer.map(|(_, meant)| format!("did you mean `{meant}`?"));
        }
    }

    /// Returns `read`, or all diagnostics if any of them is an error.
    pub(super) fn result<T>(self, read: T) -> Result<T, Diagnostics> {
        if self.has_errors() { Err(self.into_diagnostics()) } else { Ok(read) }
    }

    /// Returns the diagnostics sorted by file and place, without duplicates. Diagnostics without a place come first.
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
