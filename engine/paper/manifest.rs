//! What of a game has been printed: so that after a change only what differs is printed again.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of what is written.
pub(crate) const FORMAT: u32 = 1;

/// Everything that is on paper.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the format.
    pub format: u32,
    /// The game.
    pub game: String,
    /// The language of what is printed.
    pub language: String,
    /// What is printed: cards by kind and component, boards, and the rules.
    pub printed: BTreeMap<String, Printed>,
}

/// One thing on paper.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Printed {
    /// How many of it.
    pub count: usize,
    /// A number for what it looks like.
    pub looks: String,
}

impl Manifest {
    pub(super) fn new(game: &str, language: &str) -> Self {
        Self { format: FORMAT, game: game.to_owned(), language: language.to_owned(), printed: BTreeMap::new() }
    }

    /// Whether it can be read by this program.
    pub const fn is_known(&self) -> bool {
        self.format == FORMAT
    }

    /// Notes that so many of something are on paper, and says how many of them have to be printed beside what was there before.
    pub(super) fn note(&mut self, name: &str, count: usize, looks: &[&str], since: Option<&Self>) -> usize {
        let mut hasher = blake3::Hasher::new_derive_key("parlour paper 1");
        for look in looks {
            hasher.update(&(look.len() as u64).to_le_bytes());
            hasher.update(look.as_bytes());
        }
        let now = Printed { count, looks: hasher.finalize().to_hex()[..16].to_owned() };
        let before = since.and_then(|since| since.printed.get(name)).filter(|before| before.looks == now.looks);
        let missing = before.map_or(count, |before| count.saturating_sub(before.count));
        self.printed.insert(name.to_owned(), now);
        missing
    }

    /// Takes over what an earlier print had and this one was not asked for.
    pub fn keep(&mut self, since: &Self) {
        for (name, printed) in &since.printed {
            self.printed.entry(name.clone()).or_insert_with(|| printed.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Manifest;

    #[test]
    fn what_looks_as_before_is_not_printed_again() {
        let mut before = Manifest::new("a", "en");
        assert_eq!(before.note("card/ace", 2, &["front", "back"], None), 2);
        let mut after = Manifest::new("a", "en");
        let mut note = |count, looks: &[&str]| after.note("card/ace", count, looks, Some(&before));
        assert_eq!(note(2, &["front", "back"]), 0);
        assert_eq!(note(3, &["front", "back"]), 1);
        assert_eq!(note(1, &["front", "back"]), 0);
        assert_eq!(note(2, &["frontb", "ack"]), 2);
        assert_eq!(after.note("card/king", 1, &["front"], Some(&before)), 1);
    }
}
