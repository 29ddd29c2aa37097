//! The language of rules: how it is read, what its words do, and that no script harms anybody.

#![allow(clippy::unwrap_used, reason = "tests are to be read")]

#[path = "../support/sampler.rs"]
mod sampler;

#[path = "../support/endings.rs"]
mod endings;

mod bags;
mod costs;
mod effects;
mod hostile;
mod page;
mod syntax;
mod told;
mod vocabulary;
