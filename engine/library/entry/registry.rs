//! The registry of all library functions.

use super::code::BuiltinCodes;
use super::dispatch::Dispatch;
use super::native::Native;
use crate::library::entry::{Entry, Form};
use rustc_hash::FxHashMap;

/// All entries, and the implementations of those that have one.
#[derive(Default)]
pub(crate) struct Registry {
    /// Entries in the order of the reference.
    pub entries: Vec<Entry>,
    /// Codes of functions of built-in types, by form and name.
    pub own: FxHashMap<(Form, &'static str), BuiltinCodes>,
    /// Functions implemented in Rust.
    pub natives: Vec<Native>,
    /// Overloads of `value[index]`.
    pub indices: Dispatch,
    /// Overloads of `a + b`.
    pub sums: Dispatch,
    /// Overloads of `b in a`.
    pub contains: Dispatch,
}

impl Registry {
    /// Returns the overloads of a name with a number of arguments.
    pub(crate) fn dispatch(&self, form: Form, name: &str, arguments: usize) -> Dispatch {
        let is_meant = |native: &Native| {
            native.entry.form == form && native.entry.name == name && native.entry.types.len() == arguments
        };
        Dispatch::new(self.natives.iter().enumerate().filter(|(_, entry)| is_meant(entry)))
    }
}
