//! The sections of a game's data, one file for each section. Each file reads its part of the tree into a part of the model, and reports
//! mistakes.

pub(in crate::loader) mod alteration;
pub(in crate::loader) mod amount;
pub(in crate::loader) mod areas;
pub(in crate::loader) mod automa;
pub(in crate::loader) mod campaign;
pub(in crate::loader) mod cell;
pub(in crate::loader) mod component;
pub(in crate::loader) mod decision;
pub(in crate::loader) mod declared;
pub(in crate::loader) mod draft;
pub(in crate::loader) mod ending;
pub(in crate::loader) mod expected;
pub(in crate::loader) mod field;
pub(in crate::loader) mod flow;
pub(in crate::loader) mod identity;
pub(in crate::loader) mod kind;
pub(in crate::loader) mod label;
pub(in crate::loader) mod option;
pub(in crate::loader) mod param;
pub(in crate::loader) mod pattern;
pub(in crate::loader) mod piece;
pub(in crate::loader) mod start;
pub(in crate::loader) mod target;
pub(in crate::loader) mod team;
pub(in crate::loader) mod value;
pub(in crate::loader) mod zone;
pub(in crate::loader) mod zone_shape;
