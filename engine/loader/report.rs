//! Where mistakes are collected while reading goes on.

use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use std::cell::RefCell;

/// The mistakes found so far.
#[derive(Debug, Default)]
pub(super) struct Report(RefCell<Vec<Diagnostic>>);

impl Report {
    /// One more mistake.
    pub(super) fn add(&self, diagnostic: Diagnostic) {
        self.0.borrow_mut().push(diagnostic);
    }

    /// Mistakes found elsewhere.
    pub(super) fn extend(&self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        self.0.borrow_mut().extend(diagnostics);
    }

    /// What was read, unless there was an error.
    pub(super) fn result<T>(self, read: T) -> Result<T, Diagnostics> {
        let found = self.into_diagnostics();
        if found.0.iter().any(|diagnostic| diagnostic.severity == Severity::Error) { Err(found) } else { Ok(read) }
    }

    /// The mistakes by file and place, each once; those without a place first.
    pub(super) fn into_diagnostics(self) -> Diagnostics {
        let mut found = self.0.into_inner();
        found.sort_by(|a, b| order(a).cmp(&order(b)));
        let mut once: Vec<Diagnostic> = Vec::with_capacity(found.len());
        for diagnostic in found {
            let same_place = once.iter().rev().take_while(|other| order(other) == order(&diagnostic));
            if !same_place.into_iter().any(|other| *other == diagnostic) {
                once.push(diagnostic);
            }
        }
        Diagnostics(once)
    }
}

fn order(diagnostic: &Diagnostic) -> Option<(&str, usize, usize)> {
    let place = &diagnostic.marks.first()?.place;
    Some((&place.source.path, place.span.start, place.span.end))
}
