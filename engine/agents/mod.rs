//! Agents: players that take the first option, or choose at random, by a heuristic script, by search, from a recording, or by asking an
//! external program.
//!
//! An agent receives an [`Observation`](crate::session::Observation), never the table itself. The observation contains what the seat sees
//! and remembers, the decision, and worlds imagined from that knowledge.

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
pub use recorded::{RecordedAgent, Recording};
pub(crate) use search::usual_knowledge;
pub use search::{Budget, Cores, Knowledge, Plan, Search, SearchObjective};
pub use spec::{AgentShelf, Spec, SpecError, in_play, is_outside, named, suggested_agents};
