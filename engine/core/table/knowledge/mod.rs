//! Knowledge of seats about hidden pieces: known faces, mixes, learned conditions, views, conclusions, and worlds that
//! are consistent with all of these.

pub(in crate::table) mod conclusions;
pub(in crate::table) mod domain;
mod earlier;
pub(in crate::table) mod enumeration;
mod explanation;
pub(in crate::table) mod faces;
mod flow;
pub(in crate::table) mod imagine;
pub(in crate::table) mod learned;
pub(in crate::table) mod learned_constraints;
pub(in crate::table) mod limits;
pub(in crate::table) mod markov_chain;
pub(in crate::table) mod mix;
pub(in crate::table) mod places;
pub(in crate::table) mod puzzle;
pub(in crate::table) mod view;
