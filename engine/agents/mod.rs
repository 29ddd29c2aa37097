//! Agents, which choose for seats: at random, by a heuristic, by search, or a program of its own.
//!
//! An agent is given an [`Observation`](crate::session::Observation), never the table: what its seat sees and remembers, the
//! decision, and worlds imagined from these.

mod events;
mod first;
mod heuristic;
mod interruptible;
mod message;
mod process;
mod random;
mod rating;
mod recorded;
mod search;
mod spec;

pub use events::json;
pub use first::FirstOption;
pub use heuristic::Heuristic;
pub use interruptible::Interruptible;
pub(crate) use message::PROTOCOL;
pub use message::{printed, question, view};
pub use process::{Process, end_programs};
pub use random::Random;
pub(crate) use rating::world_at_question;
pub use recorded::{Recorded, Recording};
pub(crate) use search::usual_knowledge;
pub use search::{Aim, Budget, Cores, Knowledge, Plan, Search};
pub use spec::{AgentShelf, Spec, Unknown, in_play, is_outside, named, offered};
