//! A heuristic written in the language of the rules: it rates options, and the best is taken.
//!
//! It is run on worlds imagined from what the seat knows, several of them, so that what the seat does not know is averaged
//! over and cannot be peeked at.

use super::rating::{Rated, rated};
use crate::diagnostic::{Diagnostic, Diagnostics, Place, Source};
use crate::session::{Imagination, NoAnswer, Observation, Player};
use crate::table::Chance;
use std::sync::Arc;

/// Takes the option that a file of an agent rates highest; a random one where it has no opinion.
pub struct Heuristic {
    source: Arc<Source>,
    chance: Chance,
}

impl Heuristic {
    /// A player who follows a file; its random numbers depend on a seed and a name alone.
    pub fn new(source: Arc<Source>, seed: u64, stream: &str) -> Self {
        Self { source, chance: Chance::new(seed, stream) }
    }

    /// The ratings of all options, summed over worlds; nothing where the file has no opinion.
    fn ratings(&mut self, observation: &Observation<'_>, imagination: &Imagination) -> Result<Option<Rated>, NoAnswer> {
        let advice = imagination.advice(&self.source)?;
        if !advice.rates_any() {
            return Err(rates_nothing(&self.source, advice.estimates()).into());
        }
        rated(imagination, &advice, &observation.rated_codes(), &mut self.chance)
    }
}

impl Player for Heuristic {
    fn choose(&mut self, observation: &Observation<'_>) -> Result<usize, NoAnswer> {
        let imagination = observation.imagination().ok_or_else(|| "nothing can be imagined here".to_owned())?;
        let decision = observation.decision();
        Ok(match self.ratings(observation, &imagination)? {
            None => decision.draw(&mut self.chance),
            Some(Rated { ratings, takes_first }) => decision.best(&ratings, takes_first, &mut self.chance),
        })
    }

    fn imagines(&self) -> bool {
        true
    }
}

/// A file that says nothing of any option chooses nothing.
fn rates_nothing(source: &Arc<Source>, estimates: bool) -> Box<Diagnostic> {
    let place = Place { source: source.clone(), span: 0..source.text.lines().next().map_or(0, str::len) };
    let found = Diagnostic::error("no-answer", format!("`{}` rates the options of no decision", source.path))
        .mark(place, "says what to choose nowhere");
    let help = "write `fn rate_…(seat, option)`, named after a decision";
    Box::new(found.help(if estimates {
        format!("{help}; `search:400` goes by its `estimate`")
    } else {
        help.to_owned()
    }))
}

/// Mistakes in one line each.
pub(super) fn all(mistakes: &Diagnostics) -> String {
    mistakes.0.iter().map(Diagnostic::in_a_line).collect::<Vec<_>>().join("; ")
}
