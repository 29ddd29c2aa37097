//! Heuristic agents: scripts that rate options. The agent takes the option with the best rating.
//!
//! The script runs in several worlds imagined from what the seat knows, and its ratings are summed. The script can therefore read the whole
//! table without learning anything hidden.

use super::rating::{Ratings, rate_in_worlds};
use crate::diagnostic::{Diagnostic, Diagnostics, Place, Source};
use crate::session::{Imagination, NoAnswer, Observation, Player};
use crate::table::Chance;
use std::sync::Arc;

/// Agent that takes the option that a script rates highest, or a random option if the script does not rate the decision.
pub struct Heuristic {
    source: Arc<Source>,
    chance: Chance,
}

impl Heuristic {
    /// Creates the agent. Its random numbers depend only on `seed` and `stream`.
    pub fn new(source: Arc<Source>, seed: u64, stream: &str) -> Self {
        Self { source, chance: Chance::new(seed, stream) }
    }

    /// Returns the ratings of all options, summed over worlds. Returns `None` if the script does not rate this decision.
    fn ratings(
        &mut self,
        observation: &Observation<'_>,
        imagination: &Imagination,
    ) -> Result<Option<Ratings>, NoAnswer> {
        let advice = imagination.advice(&self.source)?;
        if !advice.rates_any() {
            return Err(rates_nothing(&self.source, advice.estimates()).into());
        }
        rate_in_worlds(imagination, &advice, &observation.rated_codes(), &mut self.chance)
    }
}

impl Player for Heuristic {
    fn choose(&mut self, observation: &Observation<'_>) -> Result<usize, NoAnswer> {
        let imagination = observation.imagination().ok_or_else(|| "nothing can be imagined here".to_owned())?;
        let decision = observation.decision();
        Ok(match self.ratings(observation, &imagination)? {
            None => decision.draw(&mut self.chance),
            Some(Ratings { ratings, takes_first }) => decision.best(&ratings, takes_first, &mut self.chance),
        })
    }

    fn chance(&mut self) -> Option<&mut Chance> {
        Some(&mut self.chance)
    }

    fn imagines(&self) -> bool {
        true
    }
}

/// Builds the error for a script that does not rate any decision.
fn rates_nothing(source: &Arc<Source>, estimates: bool) -> Box<Diagnostic> {
    let place = Place { source: source.clone(), span: 0..source.text.lines().next().map_or(0, str::len) };
    let found = Diagnostic::error("no-answer", format!("`{}` rates the options of no decision", source.path))
        .mark(place, "never determines a choice");
    let help = "write `fn rate_…(seat, option)`, named after a decision";
    Box::new(found.help(if estimates { format!("{help}; `search:400` uses its `estimate`") } else { help.to_owned() }))
}

/// Joins mistakes into one line.
pub(super) fn join_in_one_line(mistakes: &Diagnostics) -> String {
    mistakes.0.iter().map(Diagnostic::in_a_line).collect::<Vec<_>>().join("; ")
}
