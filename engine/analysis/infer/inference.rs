//! What is found out about some rules, while they are iterated.

use crate::analysis::blame::{Blame, Site};
use crate::analysis::language::Language;
use crate::analysis::symbols::Symbols;
use crate::analysis::types::{Type, Types};
use crate::diagnostic::{Diagnostic, Place, Source};
use crate::library::Effects;
use crate::model::Model;
use crate::syntax::{ExprId, Function, Span, Statement};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A function of the rules.
pub(super) struct FunctionTypes<'a> {
    pub(super) name: &'a str,
    pub(super) source: usize,
    pub(super) tree: Tree<'a>,
    /// Whether the parameters may be anything: nothing says who calls it.
    pub(super) is_called: bool,
    /// Whether it stands in the file of an agent.
    pub(super) is_agent: bool,
    pub(super) params: Vec<Type>,
    pub(super) result: Type,
    /// The functions that go by its result.
    pub(super) callers: BTreeSet<usize>,
    /// Whether a parameter is given something else on the way.
    pub(super) sets: Vec<bool>,
    /// What it asks of each parameter whether it is `()`.
    pub(super) asks: AskedParts,
    /// Whether the engine calls it.
    pub(super) is_given: bool,
    /// The decisions whose options the engine gives it.
    pub(super) given_options_of: Vec<Arc<str>>,
}

/// Of each parameter what it is asked of: of itself as an empty text, of what stands behind it as that is written.
pub(super) type AskedParts = Vec<Vec<Arc<str>>>;

/// What is iterated.
#[derive(Clone, Copy)]
pub(super) enum Tree<'a> {
    /// A function of rules that have been inferred: its result is known.
    Settled,
    Function(&'a Function),
    /// A text of a play, with the names of the players.
    Text(&'a [Statement], &'a [String]),
}

/// The names of a game, with the types they speak of.
pub(crate) struct Ground {
    pub(super) names: Arc<Symbols<'static>>,
    pub(super) types: Types,
}

impl Ground {
    /// The names of a game and of its other variants.
    pub(crate) fn new(model: &Model, language: &'static Language) -> Self {
        let mut types = Types::default();
        let names = Arc::new(Symbols::new(model, language, &mut types));
        Self { names, types }
    }
}

/// What is found out about some rules.
pub(crate) struct Inference<'a> {
    pub(in crate::analysis) types: Types,
    pub(in crate::analysis) symbols: Arc<Symbols<'static>>,
    pub(super) language: &'static Language,
    pub(super) sources: Vec<&'a Arc<Source>>,
    pub(super) functions: Vec<FunctionTypes<'a>>,
    pub(super) by_name: FxHashMap<&'a str, usize>,
    /// What functions call that could not be read whole.
    pub(super) called_by_broken: Vec<&'a str>,
    /// What can be chosen in each decision.
    pub(in crate::analysis) options: FxHashMap<Arc<str>, Type>,
    /// Where it is asked.
    pub(super) asked_at: FxHashMap<Arc<str>, Vec<Place>>,
    /// The parts of maps that the rules make.
    pub(super) parts: FxHashSet<&'a str>,
    /// What is called anywhere.
    pub(super) mentioned: FxHashSet<&'a str>,
    /// Those that have to be iterated again.
    pub(super) waiting: BTreeSet<usize>,
    /// What is wrong.
    pub(in crate::analysis) found: Vec<Diagnostic>,
    /// What is wrong with what a function is given.
    pub(in crate::analysis) blames: Vec<Blame>,
    pub(in crate::analysis) sites: Vec<Site<'a>>,
    /// What calls of the library and values that are set do for certain, by their names in a file.
    pub(super) acts: FxHashMap<(usize, Span), Effects>,
    /// The types of expressions, where the caller asks for them.
    pub(in crate::analysis) recorded: Option<FxHashMap<ExprId, Type>>,
}

impl<'a> Inference<'a> {
    pub(super) fn on(Ground { names, types }: Ground) -> Self {
        Self {
            types,
            language: names.language(),
            symbols: names,
            sources: Vec::new(),
            functions: Vec::new(),
            by_name: FxHashMap::default(),
            called_by_broken: Vec::new(),
            options: FxHashMap::default(),
            asked_at: FxHashMap::default(),
            parts: FxHashSet::default(),
            mentioned: FxHashSet::default(),
            waiting: BTreeSet::new(),
            found: Vec::new(),
            blames: Vec::new(),
            sites: Vec::new(),
            acts: FxHashMap::default(),
            recorded: None,
        }
    }

    pub(in crate::analysis) fn place(&self, source: usize, span: Span) -> Place {
        Place { source: self.sources[source].clone(), span: span.range() }
    }

    /// Whether anything has something of a name behind a dot.
    pub(super) fn is_property(&self, name: &str) -> bool {
        !self.symbols.facts(name).is_empty()
            || self.language.has_property(name)
            || self.parts.contains(name)
            || self.symbols.vocabulary.parts.contains(name)
    }

    // ----- for `blaming.rs`, which tells who is to blame

    pub(in crate::analysis) fn function_name(&self, function: usize) -> &'a str {
        self.functions[function].name
    }

    pub(in crate::analysis) fn param_of(&self, function: usize, param: usize) -> (&'a str, Type) {
        let known = &self.functions[function];
        match known.tree {
            Tree::Function(tree) => (&tree.params[param].text, known.params[param]),
            Tree::Text(..) | Tree::Settled => ("", Type::ANY),
        }
    }

    /// The parameters of a function, each with whether it is given something else on the way.
    pub(in crate::analysis) fn params_of(&self, function: usize) -> Vec<(&'a str, bool)> {
        let known = &self.functions[function];
        match known.tree {
            Tree::Function(tree) => {
                tree.params.iter().zip(&known.sets).map(|(name, sets)| (&*name.text, *sets)).collect()
            }
            Tree::Text(..) | Tree::Settled => Vec::new(),
        }
    }

    pub(in crate::analysis) fn place_in(&self, function: usize, span: Span) -> Place {
        self.place(self.functions[function].source, span)
    }
}
