//! Counters that rules keep for statistics.

use super::fault::{Answer, Fault};
use crate::decision::{ENTRY_BYTES, Map, Value};
use crate::model::{Model, Seat};
use arcstr::ArcStr;
use std::sync::Arc;

/// A counter: name, seat (`None` for the whole game) and count.
pub type Tally = (Arc<str>, Option<Seat>, i64);

/// Maximum number of counters in a game.
const MAX_COUNTERS: usize = 1_000;

/// Maximum length of a counter's name in bytes.
const MAX_NAME: usize = 256;

/// The counters of a game.
#[derive(Debug, Clone, Default)]
pub struct Tallies(Vec<Tally>);

impl Tallies {
    /// Returns a count, or `None` if nothing was counted under this name.
    pub fn get(&self, name: &str, seat: Option<Seat>) -> Option<i64> {
        self.0.iter().find(|(known, whose, _)| **known == *name && *whose == seat).map(|(_, _, number)| *number)
    }

    /// Returns all counters in the order of their first use.
    pub fn all(&self) -> &[Tally] {
        &self.0
    }

    /// Estimates the number of bytes that a copy takes. Copies share the names.
    pub(crate) fn size(&self) -> usize {
        self.0.len() * ENTRY_BYTES
    }

    /// Returns all counters by name. A counter of the game is a number, and a counter of seats has a number for each
    /// seat.
    pub fn by_name(&self, model: &Model) -> Map {
        let mut names: Vec<&Arc<str>> = self.0.iter().map(|(name, _, _)| name).collect();
        names.sort_unstable();
        names.dedup();
        let of_seats = |name: &str| {
            let number = |seat: Seat| Value::Number(self.get(name, Some(seat)).unwrap_or_default());
            Value::Answers(Arc::new(model.all_seats().map(|seat| (seat, number(seat))).collect()))
        };
        let of = |name: &str| self.get(name, None).map_or_else(|| of_seats(name), Value::Number);
        Map::new(names.into_iter().map(|name| (ArcStr::from(&**name), of(name))))
    }

    /// Adds `number` to a counter.
    ///
    /// # Errors
    /// `too-many-counters` if the counter is new and the game already has [`MAX_COUNTERS`]; `too-large` if its name is longer than
    /// [`MAX_NAME`].
    pub(crate) fn add(&mut self, name: &str, seat: Option<Seat>, number: i64) -> Answer<()> {
        let known = self.0.iter_mut().find(|(known, whose, _)| **known == *name && *whose == seat);
        if let Some((_, _, sum)) = known {
            *sum = sum.saturating_add(number);
            return Ok(());
        }
        if self.0.len() == MAX_COUNTERS {
            let message = format!("a game keeps at most {MAX_COUNTERS} counters");
            return Err(Fault::new("too-many-counters", message, "one too many")
                .help("use fewer counters: name them after what they count")
                .into());
        }
        if name.len() > MAX_NAME {
            let message = format!("the name of a counter has at most {MAX_NAME} bytes");
            return Err(Fault::new("too-large", message, format!("has {}", name.len()))
                .help("name counters after what they count, in a few words")
                .into());
        }
        self.0.push((name.into(), seat, number));
        Ok(())
    }
}
