//! The part of the engine that plays games: models, tables, rules and sessions. It contains neither file access nor agents nor commands.
//!
//! This crate is internal and makes no promise of stability. Use the crate `parlour` instead, which re-exports its public modules under the
//! same names.

#[doc(hidden)]
pub mod analysis;
pub mod decision;
pub mod diagnostic;
pub mod library;
pub mod model;
#[doc(hidden)]
pub mod phrases;
pub mod script;
pub mod session;
pub mod syntax;
pub mod table;
pub mod vm;
pub mod wording;
