//! The function library of the rule language: signatures, documentation, native code, and the context in which the code
//! runs.
//!
//! The library does not depend on how rules are parsed or run.

#![allow(clippy::unnecessary_box_returns, reason = "a fault is boxed wherever it goes, and rare")]
#![allow(clippy::option_option, reason = "nothing there, and something of which nothing is known, are two things")]

mod bag_order;
mod built_in;
pub(crate) mod context;
mod effect;
pub(crate) mod entry;
mod entry_points;
mod pattern;
mod reserved;
mod score;
pub(crate) mod topics;
mod unknown_name;
mod well_known;

pub use bag_order::unordered_bag_message;
pub use built_in::{BuiltIn, built_in};
pub(crate) use built_in::{GlobalName, global};
pub use context::OPERATION_BUDGET;
pub use context::journal::{Journal, LaidByChance};
pub use context::permissions::Permissions;
pub use context::state::State;
pub use context::tallies::{Tallies, Tally};
pub use context::triggers::Triggers;
pub use effect::Effects;
pub use entry::code::BuiltinCodes;
pub(crate) use entry::code::{
    BuiltinCode, InlinedCall, ListCode, LoopCode, LoopForms, MapCode, NumberCode, PropertyCode, RangeCode, TextCode,
};
pub use entry::{Entry, EntryDocs, Form};
pub use entry_points::{
    CALLED_IN_AGENTS, CALLED_IN_RULES, CONSIDER, ESTIMATE, INVARIANT, MAX_FIELD_ARGUMENTS, RATE, Scored, TIES,
    evaluate_per_seat, is_agent_function,
};
pub use pattern::{NameRole, ParsedSignature, Pattern};
pub use reserved::{RESERVED_NAMES, RESERVED_PROPERTIES, reserved_properties};
pub use score::{ScoreTotal, Term, number};
pub use topics::{
    asks, builtin_codes, changes_in_place, depends_on_order, looks_up_name, needs_only_results, stores_closure,
};
pub(crate) use topics::{fixed_words, modifier_facts_position, queries_pieces_in_force};
pub(crate) use topics::{inlined_call, is_piece_query, registry};
pub(crate) use unknown_name::{is_unknown_name_code, membership_error, suggest_names, unknown_quoted};
pub use well_known::TALLY;
pub(crate) use well_known::{
    AGAIN, ALTERED, BOTTOM, CHOOSE_OR_PASS, COUNT, DRAW, DRAW_UP_TO, ELIMINATE, ENSURE, FIRST, IS_EMPTY, LAST, LEARN,
    MOVE_TO, MOVE_UNDER, NARROW, NEXT_TURN, PIECES, PIECES_OF, RESPOND, ROLL, SAY, SET_FIRST, SHUFFLE, TOP, WHERE,
};
