//! What scripts may say: names, properties and their types, gathered from the vocabulary, the model and the scripts.

use super::super::host::Function;
use super::super::vocabulary::{Fact, Form, Word, function_fields, names_of};
use super::code::Code;
use super::evident::is_unbound;
use crate::decision::Type;
use crate::library::{SCORING, own_properties};
use crate::model::{FieldType, Model, Named, NamedFunction, OptionType, Owner, Per, Value, ValueType};
use rhai::{ASTNode, Expr};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The types of things that have facts.
pub(super) const THINGS: [Type; 5] = [Type::Piece, Type::Component, Type::Seat, Type::Space, Type::Zone];

/// A fact by its name, with the model whose ids it speaks of.
type NamedFact<'a> = (Arc<str>, Fact, &'a Model);

/// Everything that scripts may say.
pub(super) struct Known<'a> {
    pub model: &'a Model,
    pub words: &'a [Word],
    pub functions: &'a [Function],
    /// The model, and those with other numbers of seats or options that bring more names.
    all: Vec<&'a Model>,
    pub codes: &'a [Code],
    by_name: FxHashMap<&'a str, &'a Code>,
    /// The functions that the flow calls with a seat, and those it asks for scores.
    pub seat_functions: Vec<String>,
    /// The fields that name functions of the rules.
    pub function_fields: Vec<Arc<str>>,
    facts: Vec<(Type, Vec<NamedFact<'a>>)>,
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
        let given_seats = all.iter().flat_map(|model| &model.flow.named).filter(|named| named.call.takes_seat);
        let mut seat_functions: Vec<String> = given_seats.map(|named| named.call.function.to_string()).collect();
        seat_functions.extend(SCORING.map(str::to_owned));
        let of = |kind: Type| {
            let named =
                all.iter().map(|model| names_of(kind, model).into_iter().map(|(name, fact)| (name, fact, *model)));
            named.flatten().collect()
        };
        let facts = THINGS.iter().map(|kind| (*kind, of(*kind))).collect();
        let function_fields = all.iter().flat_map(|model| function_fields(model)).collect();
        let by_name = codes.iter().map(|code| (code.name.as_str(), code)).collect();
        Self { model, words, functions, all, codes, by_name, seat_functions, function_fields, facts, parts }
    }

    /// The model, and those with other numbers of seats or options that bring more names.
    pub(super) fn models(&self) -> &[&'a Model] {
        &self.all
    }

    /// The facts with a name, over all things or those of one type, each with the model whose ids it speaks of.
    pub(super) fn facts_named(&self, of: Option<Type>, name: &str) -> impl Iterator<Item = (Type, &Fact, &'a Model)> {
        let lists = self.facts.iter().filter(move |(kind, _)| of.is_none_or(|of| of == *kind));
        lists
            .flat_map(|(kind, facts)| facts.iter().map(move |(known, fact, model)| (*kind, known, fact, *model)))
            .filter(move |(_, known, ..)| ***known == *name)
            .map(|(kind, _, fact, model)| (kind, fact, model))
    }

    /// The names of the facts of a type of thing, or of all.
    pub(super) fn fact_names(&self, of: Option<Type>) -> Vec<&str> {
        let lists = self.facts.iter().filter(|(kind, _)| of.is_none_or(|of| of == *kind));
        lists.flat_map(|(_, facts)| facts.iter().map(|(name, ..)| &**name)).collect()
    }

    /// Whether some thing of a type, or any thing, has a fact of that name.
    pub(super) fn has_fact(&self, of: Option<Type>, name: &str) -> bool {
        self.facts_named(of, name).next().is_some()
    }

    /// The names that may follow a dot after a type, or after anything.
    pub(super) fn properties(&self, of: Option<Type>) -> Vec<&str> {
        let mut names = self.fact_names(of);
        let words = self.words.iter().filter(|word| word.form == Form::Property);
        names.extend(words.filter(|word| of.is_none_or(|of| word.types[0] == of)).map(|word| word.name.as_str()));
        if of.is_none_or(|of| of == Type::Game) {
            names.extend(self.values_of_game().map(|value| &*value.id));
        }
        if of.is_none() {
            names.extend(self.parts.iter().map(String::as_str));
            names.extend(own_properties().iter().map(|own| own.name));
        }
        names
    }

    /// Whether a name may follow a dot after a type, or after anything.
    pub(super) fn has_property(&self, of: Option<Type>, name: &str) -> bool {
        self.properties(of).contains(&name)
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

    /// The values of the game as a whole.
    pub(super) fn values_of_game(&self) -> impl Iterator<Item = &'a Value> {
        let values = self.all.iter().flat_map(|model| model.values.iter());
        values.filter(|value| value.owner == Owner::Game)
    }

    /// The values of a name, over all things or those of one type.
    pub(super) fn values(&self, of: Option<Type>, name: &str) -> Vec<&'a Value> {
        let own = self.facts_named(of, name).filter_map(|(_, fact, model)| match fact {
            Fact::Value(id) => Some(model.value(*id)),
            _ => None,
        });
        let asks_game = of.is_none_or(|of| of == Type::Game);
        let game = self.values_of_game().filter(|value| asks_game && *value.id == *name);
        let mut values: Vec<&Value> = Vec::new();
        for value in own.chain(game) {
            // The same value of another option counts once.
            if !values.iter().any(|other| (other.owner, &other.kind) == (value.owner, &value.kind)) {
                values.push(value);
            }
        }
        values
    }

    /// The words of the vocabulary that are functions of a name.
    pub(super) fn functions_named(&self, name: &str) -> impl Iterator<Item = &'a Word> {
        self.words.iter().filter(move |word| word.form == Form::Function && word.name == name)
    }

    /// The words that a fact, or an option of the game, may be; nothing where that is open.
    pub(super) fn words_of_fact(&self, of: Option<Type>, name: &str) -> Option<Vec<&str>> {
        let mut words = Vec::new();
        let mut any = false;
        if of.is_none_or(|of| of == Type::Game) {
            for value in self.values_of_game().filter(|value| *value.id == *name) {
                any = true;
                match &value.kind {
                    ValueType::Word(known) => words.extend(known.iter().map(|word| &**word)),
                    _ => return None,
                }
            }
        }
        for (kind, fact, model) in self.facts_named(of, name) {
            any = true;
            match fact {
                Fact::Value(id) => match &model.value(*id).kind {
                    ValueType::Word(known) => words.extend(known.iter().map(|word| &**word)),
                    _ => return None,
                },
                Fact::BuiltIn(_) if name == "kind" && matches!(kind, Type::Piece | Type::Component) => {
                    words.extend(model.kinds.iter().map(|kind| &*kind.id));
                }
                _ => return None,
            }
        }
        (any && !self.parts.contains(name)).then_some(words)
    }

    /// The words an option of the game may be.
    pub(super) fn words_of_option(&self, name: &str) -> Option<Vec<&str>> {
        match &self.all.iter().find_map(|model| model.options.get(name))?.kind {
            OptionType::Word(words) => Some(words.iter().map(|word| &**word).collect()),
            _ => None,
        }
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

    /// The function of the rules with a name.
    pub(super) fn code(&self, name: &str) -> Option<&'a Code> {
        self.by_name.get(name).copied()
    }

    /// Whether a function is one of the rules, and not of a file that is compiled beside them.
    pub(super) fn is_rule(&self, code: &Code) -> bool {
        self.model.scripts.iter().any(|source| Arc::ptr_eq(source, &code.source))
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

/// What other languages say, and what to write for it.
const HABITS: [(&str, &str); 15] = [
    ("append", "`+`: lists are added"),
    ("each", "`for x in … { }`"),
    ("for_each", "`for x in … { }`"),
    ("foreach", "`for x in … { }`"),
    ("length", "`count()`"),
    ("max", "`largest`"),
    ("min", "`smallest`"),
    ("pick_random", "`any_of(list)`"),
    ("rand", "`roll(sides)`, or `any_of(list)` for one of several"),
    ("randint", "`roll(sides)`, or `any_of(list)` for one of several"),
    ("random", "`roll(sides)`, or `any_of(list)` for one of several"),
    ("range", "`1..=6`"),
    ("size", "`count()`"),
    ("slice", "`take(count)`"),
    ("total", "`sum(fact)`"),
];

/// What to write for a word of other languages.
pub(super) fn habit(name: &str) -> Option<String> {
    let meant = HABITS.iter().find(|(word, _)| *word == name)?;
    Some(format!("write {}", meant.1))
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
