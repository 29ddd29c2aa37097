//! Everything that a program needs to seat players at a table, on a terminal or in a window: opening games, seating, saved games, choosing
//! among options, texts of cards, explanations of why an option is not offered, and watching files.
//!
//! This module prints nothing, reads no command line and asks nobody. It returns texts; the caller shows them.

pub(crate) mod agents;
pub(crate) mod board;
pub(crate) mod bundle;
pub(crate) mod card_text;
pub(crate) mod game_folder;
#[cfg(feature = "system")]
pub(crate) mod game_watch;
#[cfg(feature = "page")]
pub(crate) mod live_game;
#[cfg(feature = "page")]
pub(crate) mod note_file;
#[cfg(feature = "system")]
pub(crate) mod opening;
pub(crate) mod options;
pub(crate) mod parts;
pub(crate) mod picking;
pub(crate) mod play_file;
pub(crate) mod refusal;
pub(crate) mod result_formatter;
pub(crate) mod saved_game;
pub(crate) mod seating;
#[cfg(feature = "page")]
pub(crate) mod thinking;
pub(crate) mod undo_remarks;
pub(crate) mod why;

pub use agents::{check, parse_agents};
pub use bundle::{Bundle, names, set_bundle};
#[cfg(feature = "system")]
pub use opening::open;
pub use refusal::{OpenError, Refusal};
