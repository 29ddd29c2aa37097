//! The words of games and of their rules, each once: such words are compared by where they are, and copied without counting.

use arcstr::ArcStr;
use rustc_hash::FxHashSet;
use std::sync::{LazyLock, Mutex, PoisonError};

/// A word or a name in what rules hold.
pub type Name = ArcStr;

/// A word that is written in a game or its rules: the same text is the same word everywhere, and stays for the life of the
/// program. Texts that come to be while rules run are none of these.
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

/// The longest text of rules that is kept for the life of the program, in bytes: what is longer is no name of anything.
const LONGEST: usize = 64;

/// A text that is written in rules: a word, unless it is long.
pub(crate) fn written(text: &str) -> Name {
    if text.len() <= LONGEST { word(text) } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_not_kept() {
        let long = "a".repeat(LONGEST + 1);
        assert!(!ArcStr::ptr_eq(&written(&long), &written(&long)) && ArcStr::ptr_eq(&written("a"), &word("a")));
    }

    #[test]
    fn the_same_text_is_the_same_word() {
        let (one, other) = (word("a word"), word(&format!("a {}", "word")));
        assert!(ArcStr::ptr_eq(&one, &other) && !ArcStr::ptr_eq(&one, &word("another word")));
    }
}
