//! Static analysis of rules: names, types, and other mistakes that can be found without running the rules.

mod blame;
mod calls;
pub(crate) mod foreign_names;
pub(crate) mod infer;
pub(crate) mod language;
pub(crate) mod mistakes;
pub(crate) mod names;
pub(crate) mod program;
pub(crate) mod responses;
pub(crate) mod rule_texts;
pub(crate) mod secrets;
pub(crate) mod shuffles;
mod symbols;
pub(crate) mod tallies;
mod types;
pub(crate) mod unlearned;
pub(crate) mod variables;
mod vocabulary;
