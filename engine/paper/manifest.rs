//! Manifest of a print. With it, a later print can be limited to the items that have changed.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Version of the manifest format.
pub(crate) const FORMAT: u32 = 1;

/// Record of all printed items of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrintManifest {
    /// Version of the format.
    pub format: u32,
    /// Id of the game.
    pub game: String,
    /// Language tag.
    pub language: String,
    /// Printed items by key, such as `board/NAME`, `rules`, or the kind and the id of a component.
    pub printed: BTreeMap<String, PrintedItem>,
    /// Names of the other files of the print.
    #[serde(default)]
    pub files: Vec<String>,
}

/// Record of a printed item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrintedItem {
    /// Number of copies.
    pub count: usize,
    /// Hash of the item's appearance.
    pub looks: String,
    /// Display name.
    #[serde(default)]
    pub name: String,
}

/// An item, with the number of copies to remove from the earlier print or to add to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Number of copies.
    pub count: usize,
    /// Display name.
    pub name: String,
}

/// Differences between an earlier print and this one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Changes {
    /// Items to remove from the earlier print.
    pub out: Vec<Change>,
    /// Items to add to the earlier print.
    pub put_in: Vec<Change>,
}

impl Changes {
    /// Returns whether there are no differences.
    pub fn is_empty(&self) -> bool {
        self.out.is_empty() && self.put_in.is_empty()
    }
}

impl PrintManifest {
    /// Creates an empty manifest.
    pub fn new(game: &str, language: &str) -> Self {
        Self {
            format: FORMAT,
            game: game.to_owned(),
            language: language.to_owned(),
            printed: BTreeMap::new(),
            files: Vec::new(),
        }
    }

    /// Returns whether this program can read the manifest.
    pub const fn is_known(&self) -> bool {
        self.format == FORMAT
    }

    /// Records `count` copies of an item, and returns how many of them must be printed in addition to the copies in `since`.
    pub(super) fn record(
        &mut self,
        key: &str,
        name: &str,
        count: usize,
        looks: &[&str],
        since: Option<&Self>,
    ) -> usize {
        let mut hasher = blake3::Hasher::new_derive_key("parlour paper 1");
        for look in looks {
            hasher.update(&(look.len() as u64).to_le_bytes());
            hasher.update(look.as_bytes());
        }
        let now = PrintedItem { count, looks: hasher.finalize().to_hex()[..16].to_owned(), name: name.to_owned() };
        let before = since.and_then(|since| since.printed.get(key)).filter(|before| before.looks == now.looks);
        let missing = before.map_or(count, |before| count.saturating_sub(before.count));
        self.printed.insert(key.to_owned(), now);
        missing
    }

    /// Returns the copies that have changed or disappeared since an earlier print, and the copies that are new.
    pub(super) fn changes(&self, since: &Self) -> Changes {
        let alike = |key: &String, of: &Self, looks: &str| {
            of.printed.get(key).filter(|other| other.looks == looks).map_or(0, |other| other.count)
        };
        let rest = |from: &Self, of: &Self| -> Vec<Change> {
            let all = from.printed.iter().map(|(key, one)| Change {
                count: one.count.saturating_sub(alike(key, of, &one.looks)),
                // Older manifests have no names, so the key is shown.
                name: if one.name.is_empty() { key.clone() } else { one.name.clone() },
            });
            all.filter(|change| change.count > 0).collect()
        };
        Changes { out: rest(since, self), put_in: rest(self, since) }
    }

    /// Copies the entries of an earlier print that are outside the scope of this one.
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
    fn unchanged_things_are_not_printed_again() {
        let mut before = PrintManifest::new("a", "en");
        assert_eq!(before.record("card/ace", "Ace", 2, &["front", "back"], None), 2);
        let mut after = PrintManifest::new("a", "en");
        let mut note = |count, looks: &[&str]| after.record("card/ace", "Ace", count, looks, Some(&before));
        assert_eq!(note(2, &["front", "back"]), 0);
        assert_eq!(note(3, &["front", "back"]), 1);
        assert_eq!(note(1, &["front", "back"]), 0);
        assert_eq!(note(2, &["frontb", "ack"]), 2);
        assert_eq!(after.record("card/king", "King", 1, &["front"], Some(&before)), 1);
    }

    #[test]
    fn changes_list_copies_to_remove_and_to_add() {
        let mut before = PrintManifest::new("a", "en");
        before.record("card/ace", "Ace", 2, &["old"], None);
        before.record("card/king", "King", 3, &["front"], None);
        before.record("card/jack", "Jack", 1, &["front"], None);
        before.record("tile/wood", "Wood", 4, &["front"], None);
        let mut after = PrintManifest::new("a", "en");
        after.record("card/ace", "Ace", 2, &["new"], Some(&before));
        after.record("card/king", "King", 1, &["front"], Some(&before));
        after.record("card/queen", "Queen", 1, &["front"], Some(&before));
        after.keep(&before, |key| key.starts_with("card/"));
        let changes = after.changes(&before);
        let names =
            |all: &[super::Change]| all.iter().map(|one| format!("{} {}", one.count, one.name)).collect::<Vec<_>>();
        assert_eq!(names(&changes.out), ["2 Ace", "1 Jack", "2 King"]);
        assert_eq!(names(&changes.put_in), ["2 Ace", "1 Queen"]);
        assert!(after.printed.contains_key("tile/wood") && !after.printed.contains_key("card/jack"));
    }
}
