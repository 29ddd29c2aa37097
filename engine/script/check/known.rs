//! What scripts may say: names, properties and their types, gathered from the vocabulary, the model and the scripts.

use super::super::host::Function;
use super::super::vocabulary::{Form, Word, function_fields, names_of};
use super::code::{Code, is_unbound};
use crate::decision::Type;
use crate::library::own_properties;
use crate::model::{FieldType, Model, Named, NamedFunction, Owner, Per};
use rhai::{ASTNode, Expr};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The types of things that have facts.
pub(super) const THINGS: [Type; 5] = [Type::Piece, Type::Component, Type::Seat, Type::Space, Type::Zone];

/// Everything that scripts may say.
pub(super) struct Known<'a> {
    pub model: &'a Model,
    pub words: &'a [Word],
    pub functions: &'a [Function],
    /// The model, and those with other numbers of seats or options that bring more names.
    all: Vec<&'a Model>,
    pub codes: &'a [Code],
    /// The fields that name functions of the rules.
    pub function_fields: Vec<Arc<str>>,
    /// What things have, by name.
    facts: FxHashSet<Arc<str>>,
    parts: FxHashSet<String>,
}

impl<'a> Known<'a> {
    pub(super) fn new(model: &'a Model, words: &'a [Word], codes: &'a [Code], functions: &'a [Function]) -> Self {
        let all: Vec<&Model> = std::iter::once(model).chain(model.elsewhere.iter().map(|model| &**model)).collect();
        let mut parts: FxHashSet<String> = FxHashSet::default();
        for model in &all {
            parts.extend(model.decisions.iter().flat_map(|d| d.parts.iter().map(|(name, _)| name.to_string())));
            let fields = model.kinds.iter().flat_map(|kind| kind.fields.values());
            fields.for_each(|field| record_parts(field, &mut parts));
        }
        // What functions of the library result in.
        parts.extend(words.iter().flat_map(|word| word.returns.parts()).map(str::to_owned));
        for code in codes {
            code.walk(&mut |path| written_parts(path, &mut parts));
        }
        let things = all.iter().flat_map(|model| THINGS.iter().flat_map(move |kind| names_of(*kind, model)));
        let mut facts: FxHashSet<Arc<str>> = things.map(|(name, _)| name).collect();
        let of_game = all.iter().flat_map(|model| &model.values).filter(|value| value.owner == Owner::Game);
        facts.extend(of_game.map(|value| value.id.clone()));
        let function_fields = all.iter().flat_map(|model| function_fields(model)).collect();
        Self { model, words, functions, all, codes, function_fields, facts, parts }
    }

    /// Whether something has something of that name behind a dot.
    pub(super) fn has_property(&self, name: &str) -> bool {
        self.facts.contains(name)
            || self.words.iter().any(|word| word.form == Form::Property && word.name == name)
            || own_properties().iter().any(|own| own.name == name)
            || self.is_part(name)
    }

    /// The functions that the flow calls, with their places, over all models.
    pub(super) fn named_by_flow(&self) -> Vec<&'a Named> {
        let mut named: Vec<&Named> = Vec::new();
        for one in self.all.iter().flat_map(|model| &model.flow.named) {
            if !named.contains(&one) {
                named.push(one);
            }
        }
        named
    }

    /// The functions that fields name, over all models.
    pub(super) fn named_functions(&self) -> impl Iterator<Item = &'a NamedFunction> + use<'a, '_> {
        self.all.iter().flat_map(|model| model.named_functions.iter())
    }

    /// The words of the vocabulary that are functions of a name.
    pub(super) fn functions_named(&self, name: &str) -> impl Iterator<Item = &'a Word> {
        self.words.iter().filter(move |word| word.form == Form::Function && word.name == name)
    }

    /// What a name stands for that every script knows: something of the engine, a zone, a param or an option.
    pub(super) fn what_is(&self, name: &str) -> Option<&'static str> {
        let is_zone = |model: &Model| {
            let family = model.find_family(name).map(|id| model.family(id));
            family.is_some_and(|family| !family.per.contains(&Per::Seat))
        };
        match name {
            name if self.is_of_engine(name) => Some("the engine's"),
            _ if self.all.iter().any(|model| is_zone(model)) => Some("the zone"),
            name if self.all.iter().any(|model| model.params.contains_key(name)) => Some("the param"),
            name if self.all.iter().any(|model| model.options.contains_key(name)) => Some("the option"),
            _ => None,
        }
    }

    /// Whether a name stands alone in every game.
    fn is_of_engine(&self, name: &str) -> bool {
        self.words.iter().any(|word| word.form == Form::Name && word.name == name)
    }

    /// Whether every script knows a name.
    pub(super) fn is_global(&self, name: &str) -> bool {
        self.what_is(name).is_some()
    }

    /// Takes names as those of parts too.
    pub(super) fn add_parts(&mut self, names: impl Iterator<Item = String>) {
        self.parts.extend(names);
    }

    /// Whether maps that rules make, or that fields hold, have a part of that name.
    pub(super) fn is_part(&self, name: &str) -> bool {
        self.parts.contains(name)
    }

    /// The function of the rules that a name without brackets stands for.
    pub(super) fn named_function(&self, expr: &Expr) -> Option<&'a Function> {
        let Expr::Variable(name, ..) = expr else { return None };
        let named = self.functions.iter().find(|function| function.name == *name.1);
        named.filter(|_| is_unbound(expr) && !self.is_global(&name.1))
    }
}

fn record_parts(field: &FieldType, parts: &mut FxHashSet<String>) {
    match field {
        FieldType::List(inner) => record_parts(inner, parts),
        FieldType::Record(named) => {
            for (name, inner) in named {
                parts.insert(name.to_string());
                record_parts(inner, parts);
            }
        }
        _ => {}
    }
}

/// The names of parts that a script gives: in `#{…}`, and to `pairs_of`.
fn written_parts(path: &[ASTNode<'_>], parts: &mut FxHashSet<String>) {
    match path.last() {
        Some(ASTNode::Expr(Expr::Map(map, _))) => parts.extend(map.0.iter().map(|(name, _)| name.name.to_string())),
        Some(ASTNode::Expr(Expr::FnCall(call, _))) if call.name == "pairs_of" => {
            for arg in call.args.iter().take(2) {
                if let Expr::StringConstant(name, _) = arg {
                    parts.insert(name.to_string());
                }
            }
        }
        _ => {}
    }
}
