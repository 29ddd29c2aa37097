//! The function library of the rule language: signatures, documentation, native code, and the context that the code runs in.
//!
//! The library does not depend on how rules are parsed or run.

#![allow(clippy::unnecessary_box_returns, reason = "a fault is boxed wherever it goes, and rare")]
#![allow(clippy::option_option, reason = "nothing there, and something of which nothing is known, are two things")]

mod built_in;
mod called;
pub(crate) mod context;
mod effect;
pub(crate) mod entry;
mod order;
mod pattern;
mod recognized;
mod score;
pub(crate) mod topics;
mod unknown;

pub(crate) use built_in::{BuiltIn, Global, NAMES, built_in, global};
pub use called::{CONSIDER, ESTIMATE, INVARIANT, MOST_TAKEN, RATE, Scored, TIES, is_asked_of_agents, of_each_seat};
pub use context::OPERATION_BUDGET;
pub use context::journal::Journal;
pub use context::permissions::Permissions;
pub use context::state::State;
pub use context::tallies::{Tallies, Tally};
pub use context::triggers::Triggers;
pub use effect::Effects;
pub use entry::code::OwnCodes;
pub(crate) use entry::code::{
    LaidOut, ListCode, LoopCode, LoopForms, MapCode, NumberCode, OwnCode, PropertyCode, RangeCode, TextCode,
};
pub use entry::{Entry, Form, Said};
pub use order::without_order;
pub use pattern::{NameRole, Pattern, WrittenSignature};
pub(crate) use recognized::{
    AGAIN, BOTTOM, CHOOSE_OR_PASS, ELIMINATE, ENSURE, FIRST, IS_EMPTY, LAST, NEXT_TURN, PIECES, PIECES_OF, ROLL, SAY,
    SET_FIRST, SHUFFLE, TALLY, TOP,
};
pub use score::{Term, Total, number};
pub use topics::{asks, changes_in_place, gathers, goes_by_order, keeps, own_codes};
pub(crate) use topics::{asks_in_force, facts_asked_with, fixed_words};
pub(crate) use topics::{laid_out, registry};
pub(crate) use unknown::{is_of_quoted, listed, looked_for, unknown_quoted};
