//! A rules-as-data engine for tabletop games.

pub mod diagnostic;
pub mod loader;
pub mod model;
