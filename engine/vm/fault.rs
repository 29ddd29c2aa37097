//! Faults of the machine.

use crate::decision::{ASK_FIRST, Value, index_help};
use crate::diagnostic::{Sentence, flag_expected, sentence};

/// A fault without its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineFault {
    /// Code of the diagnostic.
    pub code: &'static str,
    /// The headline: what was found and what was expected.
    pub message: String,
    /// Label at the place.
    pub note: String,
    /// Suggested fix.
    pub help: Option<String>,
}

impl MachineFault {
    /// Creates a fault with the label `here`.
    pub fn new(code: &'static str, message: impl Into<String>) -> Box<Self> {
        Box::new(Self { code, message: message.into(), note: "here".to_owned(), help: None })
    }

    /// Creates a fault from a message that other parts of the engine use too.
    pub fn from_sentence(sentence: Sentence) -> Box<Self> {
        let fault = Self::new(sentence.code, sentence.headline).note(&sentence.note);
        sentence.help.into_iter().fold(fault, Self::help)
    }

    /// Replaces the label.
    #[must_use]
    pub fn note(mut self: Box<Self>, note: &str) -> Box<Self> {
        note.clone_into(&mut self.note);
        self
    }

    /// Sets the suggested fix.
    #[must_use]
    pub fn help(mut self: Box<Self>, help: impl Into<String>) -> Box<Self> {
        self.help = Some(help.into());
        self
    }
}

/// Result of an operation of the machine.
pub type Answer<T> = Result<T, Box<MachineFault>>;

/// Fault: a value is not a Boolean where one is required.
pub(super) fn not_a_flag(value: &Value) -> Box<MachineFault> {
    MachineFault::from_sentence(flag_expected(&value.kind(), *value == Value::Nothing))
}

/// Fault: a value cannot be indexed at all, or not with this index.
pub(crate) fn not_indexed(of: &Value, index: &Value) -> Box<MachineFault> {
    if *of == Value::Nothing {
        return MachineFault::from_sentence(sentence::nothing_found("an entry was asked", ASK_FIRST));
    }
    let help = index_help(&[of.sort()], &[index.sort()]);
    MachineFault::from_sentence(sentence::not_indexed(&of.kind(), &format!("by {}", index.kind()), help))
}
