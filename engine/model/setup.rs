//! What is chosen before a game is played.

use super::Seat;
use std::borrow::Cow;

/// Who sits down, with which options, overrides and seed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Setup {
    /// How many seats there are.
    pub seats: u8,
    /// Where chance begins.
    pub seed: u64,
    /// Options, by name.
    pub options: Vec<(String, String)>,
    /// Changed data, by path; and behind [`Setup::CARRY`] what the last game of a campaign hands on, by where it lies.
    pub sets: Vec<(String, String)>,
    /// What the players are called, in order of seats; [`Setup::name`] fills up.
    pub names: Vec<String>,
}

/// What players are called who have no name.
const NAMES: [&str; 16] =
    ["Ann", "Ben", "Cho", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Leo", "Mia", "Ned", "Oda", "Pia"];

impl Setup {
    /// A table with so many seats, seed 0, and nothing changed.
    pub fn seats(seats: u8) -> Self {
        Self { seats, seed: 0, options: Vec::new(), sets: Vec::new(), names: Vec::new() }
    }

    /// The same with a seed.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// The same with an option.
    #[must_use]
    pub fn option(mut self, name: &str, value: &str) -> Self {
        self.options.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The same with changed data.
    #[must_use]
    pub fn set(mut self, path: &str, value: &str) -> Self {
        self.sets.push((path.to_owned(), value.to_owned()));
        self
    }

    /// How the path begins of what the last game hands on.
    pub const CARRY: &str = "carry.";

    /// The changed data alone.
    pub fn data(&self) -> Vec<(String, String)> {
        self.sets.iter().filter(|(path, _)| !path.starts_with(Self::CARRY)).cloned().collect()
    }

    /// What the last game of a campaign hands on: by where it lies, what.
    pub fn carried(&self) -> impl Iterator<Item = (&str, &str)> {
        self.sets.iter().filter_map(|(path, what)| Some((path.strip_prefix(Self::CARRY)?, &**what)))
    }

    /// The same with something else handed on.
    #[must_use]
    pub fn carrying(mut self, carried: impl IntoIterator<Item = (String, String)>) -> Self {
        self.sets = self.data();
        self.sets.extend(carried.into_iter().map(|(place, what)| (format!("{}{place}", Self::CARRY), what)));
        self
    }

    /// The command that plays a game with this setup, for a person to copy.
    pub fn command(&self, game: &str) -> String {
        let options =
            self.options.iter().map(|(name, value)| format!(" --option {}", quoted(&format!("{name}={value}"))));
        let sets = self.sets.iter().map(|(path, value)| format!(" --set {}", quoted(&format!("{path}={value}"))));
        let more: String = options.chain(sets).collect();
        format!("parlour run {} --players {} --seed {}{more}", quoted(game), self.seats, self.seed)
    }

    /// What the player in a seat is called.
    pub fn name(&self, seat: Seat) -> &str {
        self.names.get(seat.index()).map_or(NAMES[seat.index() % NAMES.len()], String::as_str)
    }
}

/// A word as a shell takes it.
pub fn quoted(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || "-_=./:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return Cow::Borrowed(word);
    }
    Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
}
