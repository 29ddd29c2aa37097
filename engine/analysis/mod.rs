//! What rule text means, as far as that can be told without running it.

mod blame;
mod calls;
pub(crate) mod habits;
pub(crate) mod infer;
pub(crate) mod language;
pub(crate) mod mistakes;
pub(crate) mod names;
pub(crate) mod program;
pub(crate) mod secrets;
pub(crate) mod shuffles;
mod symbols;
pub(crate) mod tallies;
mod types;
pub(crate) mod variables;
mod vocabulary;
pub(crate) mod words;
