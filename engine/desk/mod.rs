//! What a program needs that sits a player down at a table, whether on a terminal or in a window: opening games, who sits where,
//! kept games, options and picking among them, what cards say, why something is not offered, and watching files.
//!
//! It prints nothing, reads no arguments, and asks nobody: the terminal or page that shows a table puts its texts where they
//! are read.

pub(crate) mod account;
pub(crate) mod agents;
pub(crate) mod board;
pub(crate) mod bundle;
pub(crate) mod home;
pub(crate) mod kept;
pub(crate) mod look;
#[cfg(feature = "web")]
pub(crate) mod note_file;
pub(crate) mod opening;
pub(crate) mod options;
pub(crate) mod parts;
pub(crate) mod picking;
pub(crate) mod reading;
pub(crate) mod refusal;
pub(crate) mod seating;
#[cfg(feature = "web")]
pub(crate) mod thinking;
#[cfg(feature = "web")]
pub(crate) mod under_way;
pub(crate) mod undone;
pub(crate) mod watching;
pub(crate) mod why;

pub use agents::{check, written};
pub use bundle::{Bundle, carry, names};
pub use opening::open;
pub use refusal::{Refusal, Unopened};
