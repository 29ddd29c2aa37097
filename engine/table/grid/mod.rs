//! Rows, rings and grids: how their spaces lie to each other, pieces that take up several of them, and the regions these form.

pub(in crate::table) mod effects;
pub(in crate::table) mod geometry;
mod listing;
pub(in crate::table) mod picture;
pub(in crate::table) mod placement;
pub(in crate::table) mod region;
pub(in crate::table) mod topmost;
