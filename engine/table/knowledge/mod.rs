//! What each seat knows of the pieces: whose faces it can tell, which of them lie in a mix, what it sees, and the worlds that
//! explain all of it.

pub(in crate::table) mod conclusions;
pub(in crate::table) mod domain;
mod earlier;
pub(in crate::table) mod every;
pub(in crate::table) mod faces;
mod flow;
pub(in crate::table) mod imagine;
pub(in crate::table) mod learned;
pub(in crate::table) mod limits;
pub(in crate::table) mod mix;
pub(in crate::table) mod places;
pub(in crate::table) mod puzzle;
pub(in crate::table) mod taught;
pub(in crate::table) mod view;
pub(in crate::table) mod walk;
