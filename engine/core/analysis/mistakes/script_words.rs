//! Index of the words in a game's scripts, including quoted words but not comments.

use super::super::program::Code;
use super::super::variables::{VariableEvent, visit_function};
use crate::diagnostic::{Source, without_comment};
use crate::model::{Model, NameCategory};
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

/// Words in scripts by how they are used, to tell whether a name that the game declares is meant.
pub(super) struct NamesInScripts {
    /// Words in strings and templates.
    quoted: FxHashSet<String>,
    /// Words after a dot that are not called.
    after_dot: FxHashSet<String>,
    /// Names that stand alone and are not variables of the function.
    alone: FxHashSet<String>,
}

impl NamesInScripts {
    /// Collects the words of some files and of the functions in them.
    pub(super) fn new<'a>(sources: impl Iterator<Item = &'a Arc<Source>>, codes: &[Code<'_>]) -> Self {
        let mut found =
            Self { quoted: FxHashSet::default(), after_dot: FxHashSet::default(), alone: FxHashSet::default() };
        for source in sources {
            let lexemes = lexemes(&source.text);
            for (at, (lexeme, _)) in lexemes.iter().enumerate() {
                match lexeme {
                    Lexeme::Quoted(text) | Lexeme::Template(text) => {
                        found.quoted.extend(words_within(text).map(str::to_owned));
                    }
                    Lexeme::Word(word) => {
                        let before = at.checked_sub(1).map(|at| &lexemes[at].0);
                        let is_after_dot = matches!(before, Some(Lexeme::Symbol("." | "?.")));
                        let is_called = matches!(lexemes.get(at + 1), Some((Lexeme::Symbol("("), _)));
                        if is_after_dot && !is_called {
                            found.after_dot.insert((*word).to_owned());
                        }
                    }
                    Lexeme::Symbol(_) => {}
                }
            }
        }
        for code in codes {
            visit_function(code.tree, &mut |event, in_scope| {
                if let VariableEvent::Used { name, .. } = event
                    && !in_scope.iter().any(|variable| variable.name.text == *name)
                {
                    found.alone.insert(name.to_string());
                }
            });
        }
        found
    }

    /// Returns whether the scripts use a word in a way in which it can be a name of the category.
    pub(super) fn can_mean(&self, word: &str, category: NameCategory) -> bool {
        let (quoted, alone) = (self.quoted.contains(word), self.alone.contains(word));
        let after_dot = self.after_dot.contains(word);
        match category {
            NameCategory::Decision
            | NameCategory::Phase
            | NameCategory::Ending
            | NameCategory::Announcement
            | NameCategory::Alteration => quoted,
            NameCategory::Param | NameCategory::Option => quoted || alone,
            NameCategory::Value => quoted || after_dot,
            NameCategory::Zone | NameCategory::Kind | NameCategory::Component => quoted || after_dot || alone,
        }
    }
}

fn words_of_all(sources: &[Arc<Source>]) -> FxHashSet<String> {
    sources.iter().flat_map(|source| words(&source.text)).collect()
}
