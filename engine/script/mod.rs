//! The language of rules: the vocabulary, compiling, static checks, and steps that wait.
//!
//! Scripts know no files and no agents. They hold handles; all that lasts lies on the table.

#![allow(clippy::unnecessary_box_returns, reason = "the script engine boxes its errors, and wants them so")]
#![allow(clippy::option_option, reason = "nothing there, and something of which nothing is known, are two things")]

mod advice;
mod assignment;
mod broken;
mod context;
mod cover;
mod definitions;
mod dispatch;
mod explain;
mod fault;
mod host;
mod journal;
mod machine;
mod part_types;
mod permissions;
mod score;
mod shared_names;
mod showing;
mod state;
mod step;
mod syntax;
mod tallies;
mod text;
mod trace;
mod types;
mod vocabulary;
#[cfg(feature = "walker")]
mod walker;
mod wording;

pub use advice::Advice;
pub use context::OPERATION_BUDGET;
pub use cover::{Covered, Point};
pub use definitions::{Definitions, definitions};
pub use host::{Function, Host};
pub use journal::Journal;
pub use permissions::Permissions;
pub use score::{Term, Total, number};
pub use state::State;
pub use step::{Call, Ended, Step, Waiting, advise, arrange, call, evaluate, guarded, invariants};
pub use tallies::{Tallies, Tally};
pub use text::STANDING;
pub use vocabulary::{Form, Word};
#[cfg(feature = "walker")]
pub use walker::{Answerer, answering};
