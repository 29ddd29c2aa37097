//! Tests of the rules language: its parser, its functions, and its limits against hostile scripts.

#![allow(clippy::unwrap_used, reason = "tests are to be read")]

#[path = "../support/sampler.rs"]
mod sampler;

#[path = "../support/sampler_outcome.rs"]
mod sampler_outcome;

mod bags;
mod function_fields;
mod guide_examples;
mod hostile_scripts;
mod log_order;
mod operation_costs;
mod own_names;
mod parser;
mod vocabulary;
