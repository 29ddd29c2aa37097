//! State of type inference while functions are analyzed.

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

/// A function of the rules or of an agent, or code in a playscript, with the types inferred so far.
pub(super) struct FunctionTypes<'a> {
    pub(super) name: &'a str,
    /// Key that calls use to refer to the function.
    pub(super) key: &'a str,
    pub(super) source: usize,
    pub(super) tree: Tree<'a>,
    /// Whether any call of the function is known. A function without known calls is finally analyzed with unknown arguments.
    pub(super) is_called: bool,
    /// Whether the function is in an agent's file.
    pub(super) is_agent: bool,
    pub(super) params: Vec<Type>,
    pub(super) result: Type,
    /// Indices of the functions that depend on the result of this function.
    pub(super) callers: BTreeSet<usize>,
    /// For each parameter, whether the function assigns to it.
    pub(super) sets: Vec<bool>,
    /// For each parameter, the expressions beginning with the parameter that the function checks for `()`.
    pub(super) asks: AskedParts,
    /// Whether the engine calls the function.
    pub(super) is_given: bool,
    /// The decisions whose options the engine passes to the function.
    pub(super) given_options_of: Vec<Arc<str>>,
}

/// For each parameter, the expressions that are checked for `()`. An expression is given by the text after the parameter, such as `.owner`;
/// the text is empty for the parameter itself.
pub(super) type AskedParts = Vec<Vec<Arc<str>>>;

/// Code of a function.
#[derive(Clone, Copy)]
pub(super) enum Tree<'a> {
    /// A function whose types are already known, so that it is not analyzed.
    Known,
    Function(&'a Function),
    /// Code in a playscript, with the names that are known only in this code.
    Text(&'a [Statement], &'a [String]),
}

/// The names of a game, with the types that they refer to.
pub(crate) struct NameTypes {
    pub(super) names: Arc<Symbols<'static>>,
    pub(super) types: Types,
}

impl NameTypes {
    /// Collects the names of a game and of its variants.
    pub(crate) fn new(model: &Model, language: &'static Language) -> Self {
        let mut types = Types::default();
        let names = Arc::new(Symbols::new(model, language, &mut types));
        Self { names, types }
    }
}

/// Use of a field from which a library function reads the two ends of links.
#[derive(PartialEq, Eq)]
pub(crate) struct LinkUse {
    /// Kinds of the components or pieces that are links.
    pub kinds: Vec<Arc<str>>,
    /// Whether the links are components. Otherwise they are pieces. Rules that read pieces see only the pieces on the table, so a mistake
    /// in a row without pieces on the table has no effect.
    pub is_components: bool,
    /// Name of the field.
    pub field: Arc<str>,
    /// Place where the field is named.
    pub place: Place,
}

/// State of type inference for all functions of a program.
pub(crate) struct Inference<'a> {
    pub(in crate::analysis) types: Types,
    pub(in crate::analysis) symbols: Arc<Symbols<'static>>,
    pub(super) language: &'static Language,
    pub(super) sources: Vec<&'a Arc<Source>>,
    pub(super) functions: Vec<FunctionTypes<'a>>,
    pub(super) by_key: FxHashMap<&'a str, usize>,
    /// Names and keys of the functions that functions with syntax errors call.
    pub(super) called_by_broken: Vec<&'a str>,
    /// Type of the options of each decision.
    pub(in crate::analysis) options: FxHashMap<Arc<str>, Type>,
    /// Places where the rules ask each decision.
    pub(super) asked_at: FxHashMap<Arc<str>, Vec<Place>>,
    /// Names of the parts of all maps that the rules create.
    pub(super) parts: FxHashSet<&'a str>,
    /// Keys of the functions that never return.
    pub(super) never_returning: FxHashSet<&'a str>,
    /// Keys of all rule functions that are called.
    pub(super) mentioned: FxHashSet<&'a str>,
    /// Queue of the functions to be analyzed.
    pub(super) queue: BTreeSet<usize>,
    /// Mistakes found so far.
    pub(in crate::analysis) found: Vec<Diagnostic>,
    /// Mistakes that depend on the arguments passed to the function that contains them.
    pub(in crate::analysis) blames: Vec<Blame>,
    pub(in crate::analysis) sites: Vec<Site<'a>>,
    /// Effects that calls and assignments certainly have, by source index and span of the called or assigned name.
    pub(super) acts: FxHashMap<(usize, Span), Effects>,
    /// Uses of fields from which library functions read the two ends of links.
    pub(super) link_uses: Vec<LinkUse>,
    /// The types of all expressions; `None` unless they are requested.
    pub(in crate::analysis) recorded: Option<FxHashMap<ExprId, Type>>,
}

impl<'a> Inference<'a> {
    pub(super) fn with_names(NameTypes { names, types }: NameTypes) -> Self {
        Self {
            types,
            language: names.language(),
            symbols: names,
            sources: Vec::new(),
            functions: Vec::new(),
            by_key: FxHashMap::default(),
            called_by_broken: Vec::new(),
            options: FxHashMap::default(),
            asked_at: FxHashMap::default(),
            parts: FxHashSet::default(),
            never_returning: FxHashSet::default(),
            mentioned: FxHashSet::default(),
            queue: BTreeSet::new(),
            found: Vec::new(),
            blames: Vec::new(),
            sites: Vec::new(),
            acts: FxHashMap::default(),
            link_uses: Vec::new(),
            recorded: None,
        }
    }

    pub(in crate::analysis) fn place(&self, source: usize, span: Span) -> Place {
        Place { source: self.sources[source].clone(), span: span.range() }
    }

    /// Returns whether any value has a fact, property or part with this name.
    pub(super) fn is_property(&self, name: &str) -> bool {
        !self.symbols.facts(name).is_empty()
            || self.language.has_property(name)
            || self.parts.contains(name)
            || self.symbols.vocabulary.parts.contains(name)
    }

    // ----- for `blaming.rs`

    pub(in crate::analysis) fn function_name(&self, function: usize) -> &'a str {
        self.functions[function].name
    }

    pub(in crate::analysis) fn param_of(&self, function: usize, param: usize) -> (&'a str, Type) {
        let known = &self.functions[function];
        match known.tree {
            Tree::Function(tree) => (&tree.params[param].text, known.params[param]),
            Tree::Text(..) | Tree::Known => ("", Type::ANY),
        }
    }

    /// Returns the place where a parameter is declared.
    pub(in crate::analysis) fn place_of_param(&self, function: usize, param: usize) -> Option<Place> {
        let Tree::Function(tree) = self.functions[function].tree else { return None };
        Some(self.place_in(function, tree.params.get(param)?.span))
    }

    /// Returns the parameters of a function, each with a flag that tells whether the function assigns to it.
    pub(in crate::analysis) fn params_of(&self, function: usize) -> Vec<(&'a str, bool)> {
        let known = &self.functions[function];
        match known.tree {
            Tree::Function(tree) => {
                tree.params.iter().zip(&known.sets).map(|(name, sets)| (&*name.text, *sets)).collect()
            }
            Tree::Text(..) | Tree::Known => Vec::new(),
        }
    }

    pub(in crate::analysis) fn place_in(&self, function: usize, span: Span) -> Place {
        self.place(self.functions[function].source, span)
    }
}
