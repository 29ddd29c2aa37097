//! Parlour: a rules engine for tabletop games whose rules are data.

pub mod diagnostic;
pub mod model;
pub mod table;
