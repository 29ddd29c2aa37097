//! Rows, rings and grids: geometry, pieces that cover several spaces, and regions.

pub(in crate::table) mod effects;
pub(in crate::table) mod geometry;
pub(in crate::table) mod lattice;
pub(in crate::table) mod picture;
pub(in crate::table) mod placement;
pub(in crate::table) mod ranked_bits;
pub(in crate::table) mod region;
pub(in crate::table) mod topmost;
