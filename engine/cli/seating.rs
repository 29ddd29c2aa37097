//! Seating: error messages, and the arguments that seat the same players again.

use super::output::{Failure, usage};
use crate::desk::seating::{Seating, SeatingError};
use crate::playscript::OTHER;
use crate::session::quoted;

impl From<SeatingError> for Failure {
    fn from(why: SeatingError) -> Self {
        let message = why.message();
        match why {
            SeatingError::Count { given, seats } => {
                usage(format!("`--agents` lists {given} for {seats} seats: list one for each seat"))
            }
            SeatingError::Unnamed { names, .. } => {
                let words: Vec<&str> = names.iter().map(|name| if name == OTHER { "…" } else { name }).collect();
                Self::Usage(message, Some(format!("choose the players: `--agents {}`", words.join(","))))
            }
            SeatingError::Unknown { .. } => {
                let help = "choose the players with `--agents`".to_owned();
                Self::Usage(message, Some(help))
            }
            SeatingError::Refused(refusal) => refusal.into(),
        }
    }
}

/// Returns the `--agents` argument that seats the same players when a saved game is continued, with a leading space. Returns an empty
/// string if the saved game contains its players.
pub(super) fn arguments(seating: &Seating) -> String {
    seating.names_if_unsaved().map_or_else(String::new, |names| format!(" --agents {}", quoted(&names.join(","))))
}
