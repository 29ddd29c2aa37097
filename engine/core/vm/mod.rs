//! The virtual machine: a compiler from syntax trees to bytecode, and an interpreter.
//!
//! The machine implements the language with its lists, texts and maps. Everything that belongs to a game is accessed through a [`Context`].
//! A run is plain data: while it waits for an answer, it can be copied, compared, and sent to another thread.

#![allow(
    clippy::unnecessary_box_returns,
    reason = "a fault is rare and large, and results that may be one are everywhere"
)]
#![allow(clippy::inline_always, reason = "what an instruction does belongs into the loop that runs it")]

mod code;
mod context;
mod fast_path;
mod fault;
mod lower;
mod machine;
mod memory_limit;
mod meter;
mod operator;
mod place;
mod standard;

pub use code::{ANONYMOUS, LibraryCall, Program, Symbol};
pub use context::{Context, NativeResult};
pub(crate) use fault::not_indexed;
pub use fault::{Answer, boxed_fault};
pub use lower::{
    BEGINS_READ_ONLY, BEGINS_TOGETHER, BEGINS_WINDOW, ENDS_READ_ONLY, ENDS_TOGETHER, ENDS_WINDOW, NEXT_IN_WINDOW,
    Watched, lower, lower_statements,
};
pub use machine::{BacktraceEntry, MAX_CALL_DEPTH, Run, Stop};
pub(crate) use operator::too_heavy;
pub use standard::{native, native_with};
