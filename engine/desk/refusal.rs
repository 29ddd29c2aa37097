//! Errors in requests of the user, as opposed to mistakes in a game's files.

use crate::diagnostic::{Diagnostic, Diagnostics};

/// Error in a request of the user.
#[derive(Debug)]
pub struct Refusal {
    /// The message.
    pub message: String,
    /// Suggestion of what to do instead.
    pub help: Option<String>,
}

/// Reason why a game cannot be opened.
#[derive(Debug)]
pub enum OpenError {
    /// The request cannot be fulfilled, for example because there is no such game.
    Refused(Refusal),
    /// The game's files have mistakes.
    Mistakes(Diagnostics),
}

impl Refusal {
    /// Creates an error without a help text.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None }
    }

    /// Sets the help text.
    #[must_use]
    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

impl From<Refusal> for OpenError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Diagnostics> for OpenError {
    fn from(mistakes: Diagnostics) -> Self {
        Self::Mistakes(mistakes)
    }
}

impl From<Diagnostic> for OpenError {
    fn from(mistake: Diagnostic) -> Self {
        Self::Mistakes(Diagnostics(vec![mistake]))
    }
}
