//! What the machine stops with.

use crate::decision::{ASK_FIRST, Value, index_help};
use crate::diagnostic::{Sentence, flag_expected, sentence};

/// What went wrong, before it has a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineFault {
    /// A stable word for this sort of mistake.
    pub code: &'static str,
    /// What is there and what was expected.
    pub message: String,
    /// What is written at the place.
    pub note: String,
    /// What to do.
    pub help: Option<String>,
}

impl MachineFault {
    /// A fault with a headline.
    pub fn new(code: &'static str, message: impl Into<String>) -> Box<Self> {
        Box::new(Self { code, message: message.into(), note: "here".to_owned(), help: None })
    }

    /// What several parts say in the same words.
    pub fn said(sentence: Sentence) -> Box<Self> {
        let fault = Self::new(sentence.code, sentence.headline).note(&sentence.note);
        sentence.help.into_iter().fold(fault, Self::help)
    }

    /// The same with other words at the place.
    #[must_use]
    pub fn note(mut self: Box<Self>, note: &str) -> Box<Self> {
        note.clone_into(&mut self.note);
        self
    }

    /// The same with a help line.
    #[must_use]
    pub fn help(mut self: Box<Self>, help: impl Into<String>) -> Box<Self> {
        self.help = Some(help.into());
        self
    }
}

/// What an instruction results in.
pub type Answer<T> = Result<T, Box<MachineFault>>;

/// What is no flag stands where one is asked for.
pub(super) fn not_a_flag(value: &Value) -> Box<MachineFault> {
    MachineFault::said(flag_expected(&value.kind(), *value == Value::Nothing))
}

/// Nothing of this kind stands in brackets behind it.
pub(crate) fn not_indexed(of: &Value, index: &Value) -> Box<MachineFault> {
    if *of == Value::Nothing {
        return MachineFault::said(sentence::nothing_found("an entry was asked", ASK_FIRST));
    }
    let help = index_help(&[of.sort()], &[index.sort()]);
    MachineFault::said(sentence::not_indexed(&of.kind(), &format!("by {}", index.kind()), help))
}
