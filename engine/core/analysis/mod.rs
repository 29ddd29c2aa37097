//! Static analysis of rules: checks names and types, and finds other mistakes without running the rules.

mod blame;
mod calls;
pub(crate) mod foreign_names;
pub mod infer;
pub mod language;
pub(crate) mod mistakes;
pub mod names;
pub(crate) mod offered_words;
pub(crate) mod passes;
pub mod program;
pub(crate) mod responses;
pub(crate) mod rule_texts;
pub(crate) mod secrets;
pub(crate) mod set_order;
pub(crate) mod shuffles;
mod symbols;
pub(crate) mod tallies;
mod types;
pub(crate) mod unlearned;
pub mod variables;
mod vocabulary;
