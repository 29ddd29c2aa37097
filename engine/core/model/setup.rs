//! The setup of a game: everything that is chosen before it starts.

use super::Seat;
use std::borrow::Cow;

/// Number of seats, options, overrides, seed and player names of a game.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Setup {
    /// Number of seats.
    pub seats: u8,
    /// Seed of the random number generator.
    pub seed: u64,
    /// Chosen options, as pairs of name and value.
    pub options: Vec<(String, String)>,
    /// Overridden data, as pairs of path and value. Paths that start with [`Setup::CARRY`] hold the state carried over in a campaign.
    pub sets: Vec<(String, String)>,
    /// Player names in seat order. [`Setup::name`] supplies defaults for missing ones.
    pub names: Vec<String>,
}

/// Default player names.
const DEFAULT_NAMES: [&str; 16] =
    ["Ann", "Ben", "Cho", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Leo", "Mia", "Ned", "Oda", "Pia"];

impl Setup {
    /// Creates a setup with seed 0 and without options and overrides.
    pub fn seats(seats: u8) -> Self {
        Self { seats, seed: 0, options: Vec::new(), sets: Vec::new(), names: Vec::new() }
    }

    /// Sets the seed.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Adds an option.
    #[must_use]
    pub fn option(mut self, name: &str, value: &str) -> Self {
        self.options.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Adds an override of the game's data.
    #[must_use]
    pub fn set(mut self, path: &str, value: &str) -> Self {
        self.sets.push((path.to_owned(), value.to_owned()));
        self
    }

    /// Prefix of the paths of carried state.
    pub const CARRY: &str = "carry.";

    /// Returns the overrides without the carried state.
    pub fn data(&self) -> Vec<(String, String)> {
        self.sets.iter().filter(|(path, _)| !path.starts_with(Self::CARRY)).cloned().collect()
    }

    /// Iterates over the carried state, as pairs of name and contents.
    pub fn carried(&self) -> impl Iterator<Item = (&str, &str)> {
        self.sets.iter().filter_map(|(path, what)| Some((path.strip_prefix(Self::CARRY)?, &**what)))
    }

    /// Replaces the carried state.
    #[must_use]
    pub fn with_carried(mut self, carried: impl IntoIterator<Item = (String, String)>) -> Self {
        self.sets = self.data();
        self.sets.extend(carried.into_iter().map(|(place, what)| (format!("{}{place}", Self::CARRY), what)));
        self
    }

    /// Formats the shell command that runs a game with this setup. Player names are left out.
    pub fn command(&self, game: &str) -> String {
        let options =
            self.options.iter().map(|(name, value)| format!(" --option {}", quoted(&format!("{name}={value}"))));
        let sets = self.sets.iter().map(|(path, value)| format!(" --set {}", quoted(&format!("{path}={value}"))));
        let more: String = options.chain(sets).collect();
        format!("parlour run {} --players {} --seed {}{more}", quoted(game), self.seats, self.seed)
    }

    /// Returns the name of the player in a seat, or a default name if the setup has none.
    pub fn name(&self, seat: Seat) -> &str {
        self.names.get(seat.index()).map_or(DEFAULT_NAMES[seat.index() % DEFAULT_NAMES.len()], String::as_str)
    }
}

/// Quotes a shell argument for a POSIX shell if necessary.
pub fn quoted(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || "-_=./:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return Cow::Borrowed(word);
    }
    Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
}
