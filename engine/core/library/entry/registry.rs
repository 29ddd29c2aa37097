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
    /// Returns the overloads called `name` that take this number of arguments.
    pub(crate) fn dispatch(&self, form: Form, name: &str, arguments: usize) -> Dispatch {
        Dispatch::new(self.overloads(form, name, arguments), 0)
    }

    /// Returns the overloads for a call of the function `name`. `texts` is a bit mask of the arguments that are known to be strings.
    pub(crate) fn dispatch_of_call(&self, name: &str, arguments: usize, texts: u8) -> Dispatch {
        Dispatch::new(self.overloads(Form::Function, name, arguments), texts)
    }

    fn overloads(&self, form: Form, name: &str, arguments: usize) -> impl Iterator<Item = (usize, &Native)> {
        let is_meant = move |native: &Native| {
            native.entry.form == form && native.entry.name == name && native.entry.types.len() == arguments
        };
        self.natives.iter().enumerate().filter(move |(_, entry)| is_meant(entry))
    }
}
