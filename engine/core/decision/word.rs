//! Interned strings: the names in games and their rules. Interned strings are compared by address and cloned without reference counting.

use arcstr::ArcStr;
use rustc_hash::FxHashSet;
use std::sync::{LazyLock, Mutex, PoisonError};

/// A string in a script value. Words of the game and its rules are interned.
pub type Name = ArcStr;

/// Interns a word of a game or its rules. Equal words give the same string, which is never freed. Do not intern strings that are computed
/// while rules run, because their number is unbounded.
pub fn word(text: &str) -> Name {
    static WORDS: LazyLock<Mutex<FxHashSet<ArcStr>>> = LazyLock::new(Mutex::default);
    let mut words = WORDS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = words.get(text) {
        return known.clone();
    }
    let new = ArcStr::from(text);
    new.leak();
    words.insert(new.clone());
    new
}

/// Maximum length in bytes of a string literal that is interned. Longer ones are not names.
const MAX_INTERNED_BYTES: usize = 64;

/// Converts a string literal of the rules to a shared string. Interns the literal unless it is long.
pub(crate) fn intern_literal(text: &str) -> Name {
    if text.len() <= MAX_INTERNED_BYTES { word(text) } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_literal_is_not_interned() {
        let long = "a".repeat(MAX_INTERNED_BYTES + 1);
        assert!(!ArcStr::ptr_eq(&intern_literal(&long), &intern_literal(&long)));
        assert!(ArcStr::ptr_eq(&intern_literal("a"), &word("a")));
    }

    #[test]
    fn equal_words_are_interned_once() {
        let (one, other) = (word("a word"), word(&format!("a {}", "word")));
        assert!(ArcStr::ptr_eq(&one, &other) && !ArcStr::ptr_eq(&one, &word("another word")));
    }
}
