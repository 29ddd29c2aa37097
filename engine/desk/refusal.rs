//! Why something that the user asked for is not done: what is wrong, and what would be right.

use crate::diagnostic::{Diagnostic, Diagnostics};

/// Something was asked for wrongly.
#[derive(Debug)]
pub struct Refusal {
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: Option<String>,
}

/// Why a game is not opened.
#[derive(Debug)]
pub enum Unopened {
    /// It was asked for wrongly.
    Refused(Refusal),
    /// It has mistakes.
    Mistakes(Diagnostics),
}

impl Refusal {
    /// Something is wrong.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None }
    }

    /// The same with what would be right.
    #[must_use]
    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

impl From<Refusal> for Unopened {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Diagnostics> for Unopened {
    fn from(mistakes: Diagnostics) -> Self {
        Self::Mistakes(mistakes)
    }
}

impl From<Diagnostic> for Unopened {
    fn from(mistake: Diagnostic) -> Self {
        Self::Mistakes(Diagnostics(vec![mistake]))
    }
}
