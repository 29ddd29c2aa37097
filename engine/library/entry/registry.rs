//! Every function of the library, and which of them a call means.

use super::code::OwnCodes;
use super::dispatch::Dispatch;
use super::native::Native;
use crate::library::entry::{Entry, Form};
use rustc_hash::FxHashMap;

/// Every function, with the native of those that have one.
#[derive(Default)]
pub(crate) struct Registry {
    /// The functions, in the order of the reference.
    pub entries: Vec<Entry>,
    /// The code of the machine that those of the language's own types run, by how they are written and their names.
    pub own: FxHashMap<(Form, &'static str), OwnCodes>,
    /// Those with a function behind them.
    pub natives: Vec<Native>,
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
        let is_meant = |native: &Native| {
            native.entry.form == form && native.entry.name == name && native.entry.types.len() == arguments
        };
        Dispatch::new(self.natives.iter().enumerate().filter(|(_, entry)| is_meant(entry)))
    }
}
