//! What can go wrong while a script runs, before it has a place in a file.

use crate::diagnostic::{Diagnostic, Sentence, UnknownField};
use crate::table::TableError;
use std::any::Any;
use std::fmt;

/// A mistake of the author, met while a script ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// A stable word for this sort of mistake.
    pub code: &'static str,
    /// What is there and what was expected.
    pub message: String,
    /// What the words under the caret say.
    pub note: String,
    /// What to do.
    pub help: Option<String>,
}

/// Why a function of the library results in nothing.
pub(crate) enum Failure {
    /// The author made a mistake.
    Fault(Fault),
    /// The step is being given up: the context says why.
    Stopped,
    /// A function `|…|` that the function called failed: what the machine, or the walker, knows of that.
    Inside(Box<dyn Any>),
}

impl fmt::Debug for Failure {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fault(fault) => fault.fmt(to),
            Self::Stopped => to.write_str("stopped"),
            Self::Inside(_) => to.write_str("failed inside"),
        }
    }
}

/// What a function of the library results in.
pub(crate) type Answer<T> = Result<T, Box<Failure>>;

impl Fault {
    /// A fault with a headline and what to write under the caret.
    pub(crate) fn new(code: &'static str, message: impl Into<String>, note: impl Into<String>) -> Self {
        Self { code, message: message.into(), note: note.into(), help: None }
    }

    /// What several parts say in the same words.
    pub(crate) fn said(sentence: Sentence) -> Self {
        Self::new(sentence.code, sentence.headline, sentence.note).maybe_help(sentence.help)
    }

    /// The same with a help line.
    #[must_use]
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same with a help line, if there is one.
    #[must_use]
    pub(crate) fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }
}

impl From<UnknownField> for Fault {
    fn from(found: UnknownField) -> Self {
        Self { code: UnknownField::CODE, message: found.message, note: found.note, help: found.help }
    }
}

impl From<Fault> for Box<Failure> {
    fn from(fault: Fault) -> Self {
        Self::new(Failure::Fault(fault))
    }
}

impl From<TableError> for Fault {
    fn from(error: TableError) -> Self {
        let code = match &error {
            TableError::NotAccepted { .. } => "not-accepted",
            TableError::OffGrid { .. } => "off-grid",
            TableError::OutOfBounds { .. } => "out-of-bounds",
            TableError::TooLong { .. } => "too-long",
        };
        let note = match &error {
            TableError::NotAccepted { .. } => "this piece may not lie there",
            TableError::OffGrid { .. } => "a part of it would lie beyond the edge",
            TableError::OutOfBounds { .. } => "the value leaves its bounds here",
            TableError::TooLong { .. } => "too many entries",
        };
        let help = match &error {
            TableError::NotAccepted { .. } => "add it to `accepts` of the zone, or move it elsewhere",
            TableError::OffGrid { .. } => "ask `placements(…)` for the places where it fits",
            TableError::OutOfBounds { .. } => "check before the change, or write `stops = true` at the value",
            TableError::TooLong { .. } => "ask for its `count()` first, or raise `most` at the value",
        };
        Self::new(code, error.to_string(), note).help(help)
    }
}

/// Turns what the table refuses into what a script sees.
pub(crate) fn refused<T>(result: Result<T, TableError>) -> Answer<T> {
    result.map_err(|error| Fault::from(error).into())
}

impl From<Fault> for Diagnostic {
    fn from(fault: Fault) -> Self {
        let diagnostic = Self::error(fault.code, fault.message);
        match fault.help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }
}
