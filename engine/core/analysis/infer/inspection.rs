//! Types of expressions and completions after a dot, for editors.

use super::inference::{Inference, NameTypes, Tree};
use super::walk::Walk;
use super::{FunctionTypes, Text};
use crate::analysis::language::Language;
use crate::analysis::program::ParsedFile;
use crate::analysis::symbols::{DerivedValue, FlowFunction, Symbols};
use crate::analysis::types::{ALL_IDS, IdSet, Type, Types, accepted};
use crate::decision::Type as Tag;
use crate::diagnostic::Source;
use crate::library::{Entry, NameRole};
use crate::model::Model;
use crate::syntax::{Expr, ExprId, File};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Types of the parameters and the result of a rule function.
#[derive(Debug, Clone)]
struct FunctionSignature {
    key: Arc<str>,
    params: Vec<Type>,
    result: Type,
}

/// The inferred types of a game's rules.
pub struct Inspection {
    symbols: Arc<Symbols<'static>>,
    types: RefCell<Types>,
    exprs: FxHashMap<ExprId, Type>,
    functions: Vec<FunctionSignature>,
    options: FxHashMap<Arc<str>, Type>,
    parts: FxHashSet<Arc<str>>,
}

/// A completion after a dot.
#[derive(Debug, Clone)]
pub struct Member {
    /// Name to insert.
    pub name: Arc<str>,
    /// Description of the completion.
    pub description: String,
    /// Origin of the completion.
    pub from: Origin,
}

/// Origin of a completion after a dot.
#[derive(Debug, Clone, Copy)]
pub enum Origin {
    /// The game's files: a field, value or zone.
    Game,
    /// A part of a map.
    Part,
    /// A built-in property.
    Property(&'static Entry),
    /// A library function.
    Function(&'static Entry),
}

impl Inspection {
    /// Infers the types in script files and in playscript code.
    pub fn new(model: &Model, files: &[ParsedFile<'_>], texts: &[Text<'_>]) -> Self {
        let mut inference = Inference::of_files(NameTypes::new(model, Language::standard()), files);
        for text in texts {
            inference.add_text(text);
        }
        inference.run_to_fixpoint();
        Self::from_inference(inference)
    }

    fn from_inference(mut inference: Inference<'_>) -> Self {
        inference.recorded = Some(FxHashMap::default());
        for at in 0..inference.functions.len() {
            if !matches!(inference.functions[at].tree, Tree::Known) {
                Walk::new(&mut inference, at, true).function();
            }
        }
        let signature = |known: &FunctionTypes<'_>| FunctionSignature {
            key: known.key.into(),
            params: known.params.clone(),
            result: known.result,
        };
        Self {
            symbols: inference.symbols,
            types: RefCell::new(inference.types),
            exprs: inference.recorded.unwrap_or_default(),
            functions: inference.functions.iter().map(signature).collect(),
            options: inference.options,
            parts: inference.parts.iter().map(|part| Arc::from(*part)).collect(),
        }
    }

    /// Infers the types of a single file that is being edited. The types of the functions in other files are already known.
    #[must_use]
    pub fn for_edited_file(&self, source: &Arc<Source>, tree: &File, own: Option<&[String]>) -> Self {
        let ground = NameTypes { names: self.symbols.clone(), types: self.types.borrow().clone() };
        let mut inference = Inference::with_names(ground);
        inference.options.clone_from(&self.options);
        inference.parts.extend(self.parts.iter().map(|part| &**part));
        let here: FxHashSet<&str> = tree.functions.iter().map(|function| &*function.key).collect();
        for known in self.functions.iter().filter(|known| !known.key.is_empty() && !here.contains(&*known.key)) {
            inference.add_known_function(&known.key, vec![Vec::new(); known.params.len()], known.result);
        }
        match own {
            Some(own) => inference.add_text(&Text { source, statements: &tree.statements, own }),
            None => inference.add(&ParsedFile { source, tree, is_agent: false, unread: &[] }),
        }
        for known in &self.functions {
            let Some(at) = inference.by_key.get(&*known.key).copied() else { continue };
            let now = &mut inference.functions[at];
            if now.params.len() == known.params.len() && !matches!(now.tree, Tree::Known) {
                now.params.clone_from(&known.params);
                now.result = known.result;
                now.is_called = true;
                now.callers = BTreeSet::new();
            }
        }
        // A function that is not called yet is analyzed with the arguments that the engine would pass to it.
        for FlowFunction { function, takes_seat, .. } in self.symbols.called().to_vec() {
            inference.record_engine_call(&function, if takes_seat { &[Type::SEAT] } else { &[] });
        }
        for DerivedValue { function, given, .. } in self.symbols.derived().to_vec() {
            inference.record_engine_call(&function, given.as_slice());
        }
        for at in 0..inference.functions.len() {
            if !inference.functions[at].is_called {
                let anything = vec![Type::ANY; inference.functions[at].params.len()];
                inference.record_call(at, &anything);
            }
        }
        Self::from_inference(inference)
    }

    fn type_of(&self, expr: &Expr) -> Type {
        self.exprs.get(&expr.id).copied().unwrap_or(Type::ANY)
    }

    /// Describes the type of an expression. Returns `None` if the type is unknown.
    pub fn in_words(&self, expr: &Expr) -> Option<String> {
        self.describe(self.type_of(expr))
    }

    fn describe(&self, ty: Type) -> Option<String> {
        let types = self.types.borrow();
        (ty != Type::NEVER && types.is_known(ty)).then(|| types.in_words(ty))
    }

    /// Returns the tags of an expression's type. Empty if the type is unknown.
    pub(crate) fn tags(&self, expr: &Expr) -> Vec<Tag> {
        self.types.borrow().tags(self.type_of(expr)).iter().filter(|tag| *tag != Tag::Any).collect()
    }

    /// Returns the words that an expression can evaluate to. Empty if they are unknown.
    pub fn words(&self, expr: &Expr) -> Vec<Arc<str>> {
        self.types.borrow().known_words(self.type_of(expr)).map(|words| words.to_vec()).unwrap_or_default()
    }

    /// Describes the types of the parameters and of the result of the function with the key `key`. The description of an unknown type is
    /// `None`.
    pub fn function(&self, key: &str) -> Option<(Vec<Option<String>>, Option<String>)> {
        let known = self.functions.iter().find(|known| *known.key == *key)?;
        Some((known.params.iter().map(|param| self.describe(*param)).collect(), self.describe(known.result)))
    }

    /// Describes the type of a name without a dot before it.
    pub fn global(&self, name: &str) -> Option<String> {
        self.describe(self.symbols.global(name)?)
    }

    /// Returns the names that can be written in quotes as an argument with the role `role`. `object` is the value whose facts can be named.
    pub fn quoted(&self, role: NameRole, object: Option<&Expr>) -> Vec<Arc<str>> {
        if !role.is_fact() {
            return self.symbols.vocabulary.quoted(role).to_vec();
        }
        let things = [Tag::Piece, Tag::Component, Tag::Space, Tag::Seat, Tag::Zone];
        let wanted: Vec<Tag> = object.map(|object| self.tags(object)).unwrap_or_default();
        let one = |tag: &Tag| match tag {
            Tag::Zone | Tag::Pieces | Tag::Zones => Some(Tag::Piece),
            Tag::Seats => Some(Tag::Seat),
            Tag::Spaces => Some(Tag::Space),
            Tag::Components => Some(Tag::Component),
            tag => things.contains(tag).then_some(*tag),
        };
        let owners: Vec<Tag> = wanted.iter().filter_map(one).collect();
        let mut names: BTreeSet<Arc<str>> = BTreeSet::new();
        for tag in things.into_iter().filter(|tag| owners.is_empty() || owners.contains(tag)) {
            names.extend(self.symbols.fact_names(tag).map(Arc::from));
            names.extend(Language::standard().property_names(tag).map(Arc::from));
        }
        names.into_iter().collect()
    }

    /// Returns the words that the value or option called `name` can have.
    pub fn words_of(&self, name: &str) -> Vec<Arc<str>> {
        let vocabulary = &self.symbols.vocabulary;
        vocabulary.words(None, name).or_else(|| vocabulary.words_of_option(name)).unwrap_or_default()
    }

    /// Returns the tags of the things to which `object` may refer and that have a field, value or zone called `name`. Built-in properties
    /// do not count.
    pub fn owners(&self, object: &Expr, name: &str) -> Vec<Tag> {
        let ty = self.type_of(object);
        let tags = self.tags(object);
        let facts = self.symbols.facts(name).iter();
        let here = facts.filter(|fact| {
            let ids = self.ids_of(ty, fact.owner);
            tags.is_empty() || tags.contains(&fact.owner) && fact.ids & ids != 0
        });
        let mut owners: Vec<Tag> = here.map(|fact| fact.owner).collect();
        owners.dedup();
        owners
    }

    fn ids_of(&self, ty: Type, tag: Tag) -> IdSet {
        match tag {
            Tag::Zone | Tag::Space | Tag::Component | Tag::Piece => self.types.borrow().ids_of(ty, tag),
            _ => ALL_IDS,
        }
    }

    /// Returns the completions after the dot of an expression. Each name occurs once.
    pub fn members(&self, object: &Expr) -> Vec<Member> {
        let ty = self.type_of(object);
        let tags = self.tags(object);
        let mut found: Vec<Member> = Vec::new();
        let things = [Tag::Seat, Tag::Piece, Tag::Component, Tag::Space, Tag::Zone, Tag::Game];
        let all = if tags.is_empty() { things.to_vec() } else { tags.clone() };
        for tag in &all {
            self.add_facts(*tag, if tags.is_empty() { ALL_IDS } else { self.ids_of(ty, *tag) }, &mut found);
        }
        self.add_parts(ty, &mut found);
        let accepts = |takes: &crate::library::Pattern| {
            let wanted = accepted(takes);
            tags.is_empty() || tags.iter().any(|tag| *tag != Tag::Nothing && wanted.has(*tag))
        };
        let language = Language::standard();
        for name in language.function_names() {
            let words = language.functions(name).iter().copied();
            // Functions of lists, texts and maps are offered only if the type is known. Otherwise they would be offered after every
            // expression.
            let is_likely = |word: &&Entry| !word.is_own() || !tags.is_empty();
            let mut fits =
                words.filter(|word| word.takes.first().is_some_and(accepts) && is_likely(word) && is_name(name));
            let fits = fits.next();
            let Some(word) = fits else { continue };
            // A function that accepts values of any type is written as a plain call rather than after a dot.
            if accepted(&word.takes[0]) != crate::analysis::types::Tags::ALL {
                found.push(Member {
                    name: name.into(),
                    description: word.doc.to_owned(),
                    from: Origin::Function(word),
                });
            }
        }
        let mut names = FxHashSet::default();
        found.retain(|member| names.insert(member.name.clone()));
        found
    }

    fn add_facts(&self, tag: Tag, ids: IdSet, found: &mut Vec<Member>) {
        let mut names: Vec<Arc<str>> = self.symbols.fact_names(tag).map(Arc::from).collect();
        names.sort();
        let mut types = self.types.borrow_mut();
        for name in names {
            if let Some((ty, _)) = self.symbols.fact(tag, ids, &name, &mut types) {
                found.push(Member { description: types.in_words(ty), name, from: Origin::Game });
            }
        }
        let language = Language::standard();
        let mut names: Vec<&'static str> = language.property_names(tag).collect();
        names.sort_unstable();
        for name in names {
            let word = language.fact(tag, name);
            let word = word.or_else(|| language.properties(name).iter().copied().find(|word| word.types[0] == tag));
            if let Some(word) = word {
                found.push(Member {
                    name: name.into(),
                    description: word.doc.to_owned(),
                    from: Origin::Property(word),
                });
            }
        }
    }

    fn add_parts(&self, ty: Type, found: &mut Vec<Member>) {
        let types = self.types.borrow();
        for shape in types.shapes(ty) {
            for (name, ty) in &types.shape(shape).parts {
                found.push(Member { name: name.clone(), description: types.in_words(*ty), from: Origin::Part });
            }
        }
    }
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic() || c == '_')
}
