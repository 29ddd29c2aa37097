//! What of a game has been printed: so that after a change only what differs is printed again.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of what is written.
pub(crate) const FORMAT: u32 = 1;

/// Everything that is on paper.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrintManifest {
    /// The version of the format.
    pub format: u32,
    /// The game.
    pub game: String,
    /// The language of what is printed.
    pub language: String,
    /// What is printed: cards by kind and component, boards, and the rules.
    pub printed: BTreeMap<String, Printed>,
    /// The files that were written beside this one.
    #[serde(default)]
    pub files: Vec<String>,
}

/// One thing on paper.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Printed {
    /// How many of it.
    pub count: usize,
    /// A number for what it looks like.
    pub looks: String,
    /// What people call it.
    #[serde(default)]
    pub name: String,
}

/// So many of something, to be taken out of what was printed before, or put in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// How many.
    pub count: usize,
    /// What people call it.
    pub name: String,
}

/// What makes an earlier print what this one is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Changes {
    /// What is to be taken out.
    pub out: Vec<Change>,
    /// What is to be put in instead.
    pub put_in: Vec<Change>,
}

impl Changes {
    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.out.is_empty() && self.put_in.is_empty()
    }
}

impl PrintManifest {
    pub(super) fn new(game: &str, language: &str) -> Self {
        Self {
            format: FORMAT,
            game: game.to_owned(),
            language: language.to_owned(),
            printed: BTreeMap::new(),
            files: Vec::new(),
        }
    }

    /// Whether it can be read by this program.
    pub const fn is_known(&self) -> bool {
        self.format == FORMAT
    }

    /// Notes that so many of something are on paper, by its key and what people call it, and says how many of them have to be printed
    /// beside what was there before.
    pub(super) fn note(
        &mut self,
        (key, name): (&str, &str),
        count: usize,
        looks: &[&str],
        since: Option<&Self>,
    ) -> usize {
        let mut hasher = blake3::Hasher::new_derive_key("parlour paper 1");
        for look in looks {
            hasher.update(&(look.len() as u64).to_le_bytes());
            hasher.update(look.as_bytes());
        }
        let now = Printed { count, looks: hasher.finalize().to_hex()[..16].to_owned(), name: name.to_owned() };
        let before = since.and_then(|since| since.printed.get(key)).filter(|before| before.looks == now.looks);
        let missing = before.map_or(count, |before| count.saturating_sub(before.count));
        self.printed.insert(key.to_owned(), now);
        missing
    }

    /// What was printed before and is no more as it was, and what is new.
    pub(super) fn changes(&self, since: &Self) -> Changes {
        let alike = |key: &String, of: &Self, looks: &str| {
            of.printed.get(key).filter(|other| other.looks == looks).map_or(0, |other| other.count)
        };
        let rest = |from: &Self, of: &Self| -> Vec<Change> {
            let all = from.printed.iter().map(|(key, one)| Change {
                count: one.count.saturating_sub(alike(key, of, &one.looks)),
                // Prints of before names were noted are known by their keys.
                name: if one.name.is_empty() { key.clone() } else { one.name.clone() },
            });
            all.filter(|change| change.count > 0).collect()
        };
        Changes { out: rest(since, self), put_in: rest(self, since) }
    }

    /// Takes over what an earlier print had of kinds that this one was not asked for.
    pub(super) fn keep(&mut self, since: &Self, is_asked_for: impl Fn(&str) -> bool) {
        for (key, printed) in since.printed.iter().filter(|(key, _)| !is_asked_for(key)) {
            self.printed.entry(key.clone()).or_insert_with(|| printed.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PrintManifest;

    #[test]
    fn what_looks_as_before_is_not_printed_again() {
        let mut before = PrintManifest::new("a", "en");
        assert_eq!(before.note(("card/ace", "Ace"), 2, &["front", "back"], None), 2);
        let mut after = PrintManifest::new("a", "en");
        let mut note = |count, looks: &[&str]| after.note(("card/ace", "Ace"), count, looks, Some(&before));
        assert_eq!(note(2, &["front", "back"]), 0);
        assert_eq!(note(3, &["front", "back"]), 1);
        assert_eq!(note(1, &["front", "back"]), 0);
        assert_eq!(note(2, &["frontb", "ack"]), 2);
        assert_eq!(after.note(("card/king", "King"), 1, &["front"], Some(&before)), 1);
    }

    #[test]
    fn what_is_no_more_as_it_was_is_taken_out_and_what_is_new_put_in() {
        let mut before = PrintManifest::new("a", "en");
        before.note(("card/ace", "Ace"), 2, &["old"], None);
        before.note(("card/king", "King"), 3, &["front"], None);
        before.note(("card/jack", "Jack"), 1, &["front"], None);
        before.note(("tile/wood", "Wood"), 4, &["front"], None);
        let mut after = PrintManifest::new("a", "en");
        after.note(("card/ace", "Ace"), 2, &["new"], Some(&before));
        after.note(("card/king", "King"), 1, &["front"], Some(&before));
        after.note(("card/queen", "Queen"), 1, &["front"], Some(&before));
        after.keep(&before, |key| key.starts_with("card/"));
        let changes = after.changes(&before);
        let names =
            |all: &[super::Change]| all.iter().map(|one| format!("{} {}", one.count, one.name)).collect::<Vec<_>>();
        assert_eq!(names(&changes.out), ["2 Ace", "1 Jack", "2 King"]);
        assert_eq!(names(&changes.put_in), ["2 Ace", "1 Queen"]);
        assert!(after.printed.contains_key("tile/wood") && !after.printed.contains_key("card/jack"));
    }
}
