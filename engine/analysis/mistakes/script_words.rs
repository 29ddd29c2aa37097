//! The words that a game's scripts say, those in quotes included and those in comments left out.

use crate::diagnostic::{Source, without_comment};
use crate::model::Model;
use crate::syntax::{Lexeme, lexemes, words, words_within};
use rustc_hash::FxHashSet;
use std::cell::OnceCell;
use std::sync::Arc;

/// The words of its rules; those of its agents and of its plays are looked for where somebody asks.
pub(super) struct ScriptWords<'a> {
    model: &'a Model,
    rules: FxHashSet<String>,
    agents: OnceCell<FxHashSet<String>>,
    plays: OnceCell<FxHashSet<String>>,
}

impl<'a> ScriptWords<'a> {
    /// The words of a game.
    pub(super) fn of(model: &'a Model) -> Self {
        Self { model, rules: of_all(&model.scripts), agents: OnceCell::new(), plays: OnceCell::new() }
    }

    /// Whether the rules say a word.
    pub(super) fn by_rules(&self, word: &str) -> bool {
        self.rules.contains(word)
    }

    /// Whether the rules say a word that is all that stands in quotes.
    pub(super) fn in_quotes(&self, word: &str) -> bool {
        let is_it = |(what, _): (Lexeme<'_>, _)| matches!(what, Lexeme::Quoted(said) if said == word);
        self.model.scripts.iter().any(|source| lexemes(&source.text).into_iter().any(is_it))
    }

    /// Whether a file of an agent says a word.
    pub(super) fn by_agents(&self, word: &str) -> bool {
        self.agents.get_or_init(|| of_all(&self.model.agents)).contains(word)
    }

    /// Whether a play says a word.
    pub(super) fn by_plays(&self, word: &str) -> bool {
        let lines = || self.model.plays.iter().flat_map(|source| source.text.lines());
        let words = || lines().flat_map(|line| words_within(without_comment(line))).map(str::to_owned);
        self.plays.get_or_init(|| words().collect()).contains(word)
    }
}

fn of_all(sources: &[Arc<Source>]) -> FxHashSet<String> {
    sources.iter().flat_map(|source| words(&source.text)).collect()
}
