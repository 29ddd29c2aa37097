//! Every word of the library, and which of them a call means.

use super::dispatch::Dispatch;
use super::native::Entry;
use crate::library::word::{Form, Word};

/// Every word, with the functions behind those that have one.
#[derive(Default)]
pub(crate) struct Registry {
    /// The words, in the order of the reference.
    pub words: Vec<Word>,
    /// Those with a function behind them.
    pub entries: Vec<Entry>,
    /// Which of these an index means.
    pub indices: Dispatch,
    /// Which of these `a + b` means.
    pub sums: Dispatch,
    /// Which of these `b in a` means.
    pub contains: Dispatch,
}

impl Registry {
    /// Which functions a call of a name with so many arguments may mean.
    pub(crate) fn dispatch(&self, form: Form, name: &str, arguments: usize) -> Dispatch {
        let is_meant =
            |entry: &Entry| entry.word.form == form && entry.word.name == name && entry.word.types.len() == arguments;
        Dispatch::new(self.entries.iter().enumerate().filter(|(_, entry)| is_meant(entry)))
    }
}
