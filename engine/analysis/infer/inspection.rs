//! What is known of each expression of some rules, for their author: its type, and what may stand behind its dot.

use super::inference::{Ground, Inference, Tree};
use super::walk::Walk;
use super::{FunctionTypes, Text};
use crate::analysis::language::Language;
use crate::analysis::program::Read;
use crate::analysis::symbols::{Called, DerivedBy, Symbols};
use crate::analysis::types::{EVERY, Type, Types, Which, accepted};
use crate::decision::Type as Tag;
use crate::diagnostic::Source;
use crate::library::{Entry, NameRole};
use crate::model::Model;
use crate::syntax::{Expr, ExprId, File};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A function of the rules, as it is called.
#[derive(Debug, Clone)]
struct Settled {
    name: Arc<str>,
    params: Vec<Type>,
    result: Type,
}

/// What is known of some rules.
pub(crate) struct Inspection {
    symbols: Arc<Symbols<'static>>,
    types: RefCell<Types>,
    exprs: FxHashMap<ExprId, Type>,
    functions: Vec<Settled>,
    options: FxHashMap<Arc<str>, Type>,
    parts: FxHashSet<Arc<str>>,
}

/// Something that may stand behind a dot.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    /// Its name.
    pub name: Arc<str>,
    /// What it is, in words.
    pub is: String,
    /// Where it comes from.
    pub from: Origin,
}

/// Where something behind a dot comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Origin {
    /// The game's files: a field, a value or a zone of something.
    Game,
    /// A part of a map.
    Part,
    /// What every game has, without brackets.
    Property(&'static Entry),
    /// A function of the library.
    Function(&'static Entry),
}

impl Inspection {
    /// Goes through the files of some rules and the texts beside them.
    pub(crate) fn new(model: &Model, files: &[Read<'_>], texts: &[Text<'_>]) -> Self {
        let mut inference = Inference::of_files(Ground::new(model, Language::whole()), files);
        for text in texts {
            inference.add_text(text);
        }
        inference.settle();
        Self::of(inference)
    }

    fn of(mut inference: Inference<'_>) -> Self {
        inference.recorded = Some(FxHashMap::default());
        for at in 0..inference.functions.len() {
            if !matches!(inference.functions[at].tree, Tree::Settled) {
                Walk::new(&mut inference, at, true).function();
            }
        }
        let settled = |known: &FunctionTypes<'_>| Settled {
            name: known.name.into(),
            params: known.params.clone(),
            result: known.result,
        };
        Self {
            symbols: inference.symbols,
            types: RefCell::new(inference.types),
            exprs: inference.recorded.unwrap_or_default(),
            functions: inference.functions.iter().map(settled).collect(),
            options: inference.options,
            parts: inference.parts.iter().map(|part| Arc::from(*part)).collect(),
        }
    }

    /// The same for one file as it is being written, beside the others as they were.
    pub(crate) fn beside(&self, source: &Arc<Source>, tree: &File, own: Option<&[String]>) -> Self {
        let ground = Ground { names: self.symbols.clone(), types: self.types.borrow().clone() };
        let mut inference = Inference::on(ground);
        inference.options.clone_from(&self.options);
        inference.parts.extend(self.parts.iter().map(|part| &**part));
        let here: FxHashSet<&str> = tree.functions.iter().map(|function| &*function.name.text).collect();
        for known in self.functions.iter().filter(|known| !known.name.is_empty() && !here.contains(&*known.name)) {
            inference.add_settled(&known.name, vec![Vec::new(); known.params.len()], known.result);
        }
        match own {
            Some(own) => inference.add_text(&Text { source, statements: &tree.statements, own }),
            None => inference.add(&Read { source, tree, is_agent: false, unread: &[] }),
        }
        for known in &self.functions {
            let Some(at) = inference.by_name.get(&*known.name).copied() else { continue };
            let now = &mut inference.functions[at];
            if now.params.len() == known.params.len() && !matches!(now.tree, Tree::Settled) {
                now.params.clone_from(&known.params);
                now.result = known.result;
                now.is_called = true;
                now.callers = BTreeSet::new();
            }
        }
        // What is not called yet by anybody is called with whatever the flow gives.
        for Called { function, takes_seat, .. } in self.symbols.called().to_vec() {
            inference.give(&function, if takes_seat { &[Type::SEAT] } else { &[] });
        }
        for DerivedBy { function, given, .. } in self.symbols.derived().to_vec() {
            inference.give(&function, given.as_slice());
        }
        for at in 0..inference.functions.len() {
            if !inference.functions[at].is_called {
                let anything = vec![Type::ANY; inference.functions[at].params.len()];
                inference.given(at, &anything);
            }
        }
        Self::of(inference)
    }

    fn type_of(&self, expr: &Expr) -> Type {
        self.exprs.get(&expr.id).copied().unwrap_or(Type::ANY)
    }

    /// What an expression is, in words; nothing where nothing is known.
    pub(crate) fn in_words(&self, expr: &Expr) -> Option<String> {
        self.worded(self.type_of(expr))
    }

    fn worded(&self, is: Type) -> Option<String> {
        let types = self.types.borrow();
        (is != Type::NEVER && types.is_known(is)).then(|| types.in_words(is))
    }

    /// What an expression may be.
    pub(crate) fn tags(&self, expr: &Expr) -> Vec<Tag> {
        self.types.borrow().tags(self.type_of(expr)).iter().filter(|tag| *tag != Tag::Any).collect()
    }

    /// The words that an expression may be, where it is one of some.
    pub(crate) fn words(&self, expr: &Expr) -> Vec<Arc<str>> {
        self.types.borrow().known_words(self.type_of(expr)).map(|words| words.to_vec()).unwrap_or_default()
    }

    /// What a function of the rules takes, and results in.
    pub(crate) fn function(&self, name: &str) -> Option<(Vec<Option<String>>, Option<String>)> {
        let known = self.functions.iter().find(|known| *known.name == *name)?;
        Some((known.params.iter().map(|param| self.worded(*param)).collect(), self.worded(known.result)))
    }

    /// What a name is that stands alone.
    pub(crate) fn global(&self, name: &str) -> Option<String> {
        self.worded(self.symbols.global(name)?)
    }

    /// What is named in quotes where a function of the library wants such a name.
    pub(crate) fn quoted(&self, role: NameRole, of: Option<&Expr>) -> Vec<Arc<str>> {
        if !role.is_fact() {
            return self.symbols.vocabulary.quoted(role).to_vec();
        }
        let things = [Tag::Piece, Tag::Component, Tag::Space, Tag::Seat, Tag::Zone];
        let wanted: Vec<Tag> = of.map(|of| self.tags(of)).unwrap_or_default();
        let one = |tag: &Tag| match tag {
            Tag::Zone | Tag::Pieces | Tag::Zones => Some(Tag::Piece),
            Tag::Seats => Some(Tag::Seat),
            Tag::Spaces => Some(Tag::Space),
            Tag::Components => Some(Tag::Component),
            tag => things.contains(tag).then_some(*tag),
        };
        let of: Vec<Tag> = wanted.iter().filter_map(one).collect();
        let mut names: BTreeSet<Arc<str>> = BTreeSet::new();
        for tag in things.into_iter().filter(|tag| of.is_empty() || of.contains(tag)) {
            names.extend(self.symbols.fact_names(tag).map(Arc::from));
            names.extend(Language::whole().property_names(tag).map(Arc::from));
        }
        names.into_iter().collect()
    }

    /// The words that a value or an option may be.
    pub(crate) fn words_of(&self, name: &str) -> Vec<Arc<str>> {
        let vocabulary = &self.symbols.vocabulary;
        vocabulary.words(None, name).or_else(|| vocabulary.words_of_option(name)).unwrap_or_default()
    }

    /// Whether something of the game's files that an expression may be has something by a name: by whom.
    pub(crate) fn owners(&self, of: &Expr, name: &str) -> Vec<Tag> {
        let is = self.type_of(of);
        let tags = self.tags(of);
        let facts = self.symbols.facts(name).iter();
        let here = facts.filter(|fact| {
            let which = self.which(is, fact.of);
            tags.is_empty() || tags.contains(&fact.of) && fact.which & which != 0
        });
        let mut owners: Vec<Tag> = here.map(|fact| fact.of).collect();
        owners.dedup();
        owners
    }

    fn which(&self, is: Type, tag: Tag) -> Which {
        match tag {
            Tag::Zone | Tag::Space | Tag::Component | Tag::Piece => self.types.borrow().which(is, tag),
            _ => EVERY,
        }
    }

    /// What may stand behind the dot of an expression, by name.
    pub(crate) fn members(&self, of: &Expr) -> Vec<Member> {
        let is = self.type_of(of);
        let tags = self.tags(of);
        let mut found: Vec<Member> = Vec::new();
        let things = [Tag::Seat, Tag::Piece, Tag::Component, Tag::Space, Tag::Zone, Tag::Game];
        let all = if tags.is_empty() { things.to_vec() } else { tags.clone() };
        for tag in &all {
            self.add_facts(*tag, if tags.is_empty() { EVERY } else { self.which(is, *tag) }, &mut found);
        }
        self.add_parts(is, &mut found);
        let accepts = |takes: &crate::library::Pattern| {
            let wanted = accepted(takes);
            tags.is_empty() || tags.iter().any(|tag| *tag != Tag::Nothing && wanted.has(*tag))
        };
        let language = Language::whole();
        for name in language.function_names() {
            let words = language.functions(name).iter().copied();
            // What plain values have is offered where it is known that there is one.
            let is_likely = |word: &&Entry| !word.is_own() || !tags.is_empty();
            let mut fits =
                words.filter(|word| word.takes.first().is_some_and(accepts) && is_likely(word) && is_name(name));
            let fits = fits.next();
            let Some(word) = fits else { continue };
            // What takes anything is written as a call of its own.
            if accepted(&word.takes[0]) != crate::analysis::types::Tags::ALL {
                found.push(Member { name: name.into(), is: word.doc.to_owned(), from: Origin::Function(word) });
            }
        }
        let mut names = FxHashSet::default();
        found.retain(|member| names.insert(member.name.clone()));
        found
    }

    fn add_facts(&self, tag: Tag, which: Which, found: &mut Vec<Member>) {
        let mut names: Vec<Arc<str>> = self.symbols.fact_names(tag).map(Arc::from).collect();
        names.sort();
        let mut types = self.types.borrow_mut();
        for name in names {
            if let Some((is, _)) = self.symbols.fact(tag, which, &name, &mut types) {
                found.push(Member { is: types.in_words(is), name, from: Origin::Game });
            }
        }
        let language = Language::whole();
        let mut names: Vec<&'static str> = language.property_names(tag).collect();
        names.sort_unstable();
        for name in names {
            let word = language.fact(tag, name);
            let word = word.or_else(|| language.properties(name).iter().copied().find(|word| word.types[0] == tag));
            if let Some(word) = word {
                found.push(Member { name: name.into(), is: word.doc.to_owned(), from: Origin::Property(word) });
            }
        }
    }

    fn add_parts(&self, is: Type, found: &mut Vec<Member>) {
        let types = self.types.borrow();
        for shape in types.shapes(is) {
            for (name, is) in &types.shape(shape).parts {
                found.push(Member { name: name.clone(), is: types.in_words(*is), from: Origin::Part });
            }
        }
    }
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic() || c == '_')
}
