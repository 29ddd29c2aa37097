//! Faults: messages about a mistake of the author, created before its place in a file is known.

use super::{Diagnostic, Place, UnknownField};

/// A mistake of the author, without its place. The parser, the analysis, library functions and the virtual machine all create faults. The
/// code that knows the place converts a fault to a [`Diagnostic`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Code of the diagnostic.
    pub code: &'static str,
    /// The headline: what was found and what was expected.
    pub message: String,
    /// Label at the place.
    pub note: String,
    /// Suggested fix.
    pub help: Option<String>,
}

impl Fault {
    /// Creates a fault with a headline and a label.
    pub fn new(code: &'static str, message: impl Into<String>, note: impl Into<String>) -> Self {
        Self { code, message: message.into(), note: note.into(), help: None }
    }

    /// Replaces the code.
    #[must_use]
    pub fn code(self, code: &'static str) -> Self {
        Self { code, ..self }
    }

    /// Sets the suggested fix.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// Sets the suggested fix if `help` is `Some`.
    #[must_use]
    pub fn maybe_help(self, help: Option<String>) -> Self {
        Self { help: help.or(self.help), ..self }
    }

    /// Converts the fault to an error at `place`.
    pub fn at(self, place: Place) -> Diagnostic {
        let note = self.note.clone();
        Diagnostic::from(self).mark(place, note)
    }
}

impl From<UnknownField> for Fault {
    fn from(found: UnknownField) -> Self {
        Self { code: UnknownField::CODE, message: found.message, note: found.note, help: found.help }
    }
}

/// Converts the fault to an error without a place.
impl From<Fault> for Diagnostic {
    fn from(fault: Fault) -> Self {
        let diagnostic = Self::error(fault.code, fault.message);
        fault.help.into_iter().fold(diagnostic, Self::help)
    }
}
