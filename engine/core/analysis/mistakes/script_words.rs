//! Index of the words in a game's scripts, including quoted words but not comments.

use crate::diagnostic::{Source, without_comment};
use crate::model::Model;
use crate::syntax::{Lexeme, lexemes, words, words_within};
use rustc_hash::FxHashSet;
use std::cell::OnceCell;
use std::sync::Arc;

/// Words in the rules. The words in agents and playscripts are collected on demand.
pub(super) struct ScriptWords<'a> {
    model: &'a Model,
    rules: FxHashSet<String>,
    agents: OnceCell<FxHashSet<String>>,
    plays: OnceCell<FxHashSet<String>>,
}

impl<'a> ScriptWords<'a> {
    /// Collects the words in the rules of a game.
    pub(super) fn new(model: &'a Model) -> Self {
        Self { model, rules: words_of_all(&model.scripts), agents: OnceCell::new(), plays: OnceCell::new() }
    }

    /// Returns whether the rules contain a word.
    pub(super) fn by_rules(&self, word: &str) -> bool {
        self.rules.contains(word)
    }

    /// Returns whether the rules contain a string literal that consists of this word.
    pub(super) fn in_quotes(&self, word: &str) -> bool {
        let is_quoted = |(what, _): (Lexeme<'_>, _)| matches!(what, Lexeme::Quoted(said) if said == word);
        self.model.scripts.iter().any(|source| lexemes(&source.text).into_iter().any(is_quoted))
    }

    /// Returns whether an agent contains a word.
    pub(super) fn by_agents(&self, word: &str) -> bool {
        self.agents.get_or_init(|| words_of_all(&self.model.agents)).contains(word)
    }

    /// Returns whether a playscript contains a word.
    pub(super) fn by_plays(&self, word: &str) -> bool {
        let lines = || self.model.plays.iter().flat_map(|source| source.text.lines());
        let words = || lines().flat_map(|line| words_within(without_comment(line))).map(str::to_owned);
        self.plays.get_or_init(|| words().collect()).contains(word)
    }
}

fn words_of_all(sources: &[Arc<Source>]) -> FxHashSet<String> {
    sources.iter().flat_map(|source| words(&source.text)).collect()
}
