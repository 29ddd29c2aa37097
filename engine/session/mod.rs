//! One game being played: flow, decisions, choose, fork, undo, outcome.
//!
//! A session waits for a decision, is over, or has failed with a diagnostic. It knows nothing of who chooses, of
//! terminals or of clocks.

mod flow;
mod narration;
mod opening;
mod outcome;
mod phrase;
mod playout;
mod setup;
mod status;
mod wording;

pub use crate::script::{Choice, Chosen, Decision, Event, Happening, OptionSet, Pass};
pub use opening::{Opening, Start};
pub use outcome::{Outcome, Standing};
pub use playout::{Observer, Played, Player};
pub use setup::{Game, Models, Setup};
pub use status::{ChooseError, Session, Status, Suspension};
pub use wording::Wording;
