//! Facts about a game that decide which mutations are errors: properties of types, parameters of functions, and sample expressions.
//!
//! The facts are derived only from the game's files and the reference. The checks that are being tested are not used.

use super::type_mutation::allows_any_parts;
use super::verdict::setups;
use parlour::decision::Type;
use parlour::model::{FieldType, Model, Owner, Party, Per, ValueType};
use parlour::script::{Entry, Form, Host};
use parlour::syntax::{self, BinaryOp, Expr, ExprKind, Node, Span, Statement, StatementKind};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Expression that is valid anywhere in the rules of a game.
pub(crate) struct SampleExpr {
    /// Source text.
    pub(crate) text: String,
    pub(crate) ty: Type,
}

/// Function of the rules.
pub(crate) struct Function {
    pub(crate) name: String,
    /// Index of its file.
    pub(crate) file: usize,
    pub(crate) params: Vec<String>,
    pub(crate) body: Statement,
}

/// Map literal in the rules: the index of its file, and its offset.
type Place = (usize, u32);

/// Facts about a single game.
pub(crate) struct GameFacts {
    texts: Vec<(String, String)>,
    /// Functions of the rules.
    pub(crate) functions: Vec<Function>,
    /// Sample expressions of different types.
    pub(crate) samples: Vec<SampleExpr>,
    /// Statements that change the table and are valid anywhere.
    pub(crate) changes: Vec<String>,
    /// Names of functions that must not ask questions or change anything.
    pub(crate) read_only: BTreeSet<String>,
    /// Id of a decision of the game, if it has one.
    pub(crate) decision: Option<String>,
    /// Names of map parts, each with all parts that occur together with it in a map.
    pub(crate) parts: BTreeMap<String, BTreeSet<String>>,
    /// Map literals that set a part, keyed by the name of the part.
    maps_with_part: BTreeMap<String, BTreeSet<Place>>,
    /// Parts that maps may have although no literal sets them: parts of maps from the engine, parts that are assigned later, and parts that
    /// are checked with `in`.
    dynamic_parts: BTreeSet<String>,
    /// Names that the rules read after a dot.
    read_fields: BTreeSet<String>,
    vocabulary: Vec<Entry>,
    /// Properties that the game itself defines, each with the type that has it.
    properties: BTreeSet<(Type, String)>,
    values: BTreeMap<String, Vec<(ValueType, bool)>>,
}

/// Functions and properties of lists, maps, texts and numbers.
const METHODS: [(Type, &[&str]); 4] = [
    (
        Type::List,
        &[
            "all",
            "append",
            "chop",
            "clear",
            "contains",
            "count",
            "dedup",
            "drain",
            "extract",
            "filter",
            "find",
            "find_map",
            "for_each",
            "get",
            "index_of",
            "insert",
            "is_empty",
            "len",
            "map",
            "pop",
            "push",
            "reduce",
            "remove",
            "retain",
            "reverse",
            "shift",
            "some",
            "sort",
            "splice",
            "to_string",
            "truncate",
            "zip",
            "any_of",
        ],
    ),
    (Type::Map, &["clear", "contains", "get", "is_empty", "keys", "len", "remove", "to_string", "values", "x"]),
    (
        Type::Text,
        &[
            "contains",
            "ends_with",
            "index_of",
            "is_empty",
            "len",
            "split",
            "starts_with",
            "sub_string",
            "to_lower",
            "to_string",
            "to_upper",
            "trim",
        ],
    ),
    (Type::Number, &["abs", "is_even", "is_odd", "is_zero", "max", "min", "range", "sign", "to_string"]),
];

/// Types that a parameter accepts if the reference declares it with any type, keyed by the name of the parameter.
const PARAM_TYPES: [(&str, &[Type]); 4] = [
    ("to", &[Type::Zone, Type::Space]),
    ("place", &[Type::Zone, Type::Space]),
    ("what", &[Type::Piece, Type::Pieces, Type::Zone, Type::Zones, Type::Space, Type::Spaces, Type::List]),
    (
        "options",
        &[
            Type::List,
            Type::Options,
            Type::Range,
            Type::Function,
            Type::Zone,
            Type::Pieces,
            Type::Spaces,
            Type::Zones,
            Type::Components,
            Type::Seats,
        ],
    ),
];

/// Functions in which the parameter `to` is not a place.
const NO_PLACE: [&str; 3] = ["where", "distance", "altered"];

impl GameFacts {
    /// Collects the facts about a game.
    pub(crate) fn new(texts: &[(String, String)]) -> Self {
        let game = parlour::load_texts("slips", texts.to_vec()).unwrap();
        let mut facts = Self {
            texts: texts.to_vec(),
            functions: functions(texts),
            samples: Vec::new(),
            changes: Vec::new(),
            read_only: ["score", "rank", "standing"].map(str::to_owned).into(),
            decision: None,
            parts: BTreeMap::new(),
            maps_with_part: BTreeMap::new(),
            dynamic_parts: BTreeSet::new(),
            read_fields: BTreeSet::new(),
            vocabulary: Host::vocabulary().into_iter().filter(|word| !word.is_own()).collect(),
            properties: BTreeSet::new(),
            values: BTreeMap::new(),
        };
        for setup in setups(&game) {
            if let Ok(layout) = game.layout(&setup) {
                facts.add_model(&layout.model);
            }
        }
        let invariants = facts.functions.iter().map(|function| &function.name);
        let invariants: Vec<String> = invariants.filter(|name| name.starts_with("invariant_")).cloned().collect();
        facts.read_only.extend(invariants);
        let model = game.layout(&setups(&game)[0]).unwrap().model.clone();
        facts.decision = model.decisions.first().map(|decision| decision.id.to_string());
        facts.samples = samples(&model);
        facts.changes = changes(&model, &facts.samples);
        facts.scan_rules();
        facts
    }

    /// Returns the source text of a span.
    pub(crate) fn text(&self, file: usize, span: Span) -> String {
        self.texts[file].1[span.range()].to_owned()
    }

    /// Returns whether a type has a property.
    pub(crate) fn has_property(&self, ty: Type, name: &str) -> bool {
        let own = METHODS.iter().any(|(of, names)| *of == ty && names.contains(&name));
        let mut words = self.vocabulary.iter().filter(|word| word.form == Form::Property && word.name == name);
        own || self.properties.contains(&(ty, name.to_owned())) || words.any(|word| word.types[0] == ty)
    }

    /// Returns whether a library function has an overload with this number of arguments. Returns false if the rules have a function of the
    /// same name.
    pub(crate) fn is_known(&self, name: &str, total: usize) -> bool {
        self.forms(name, total).next().is_some() && !self.functions.iter().any(|function| function.name == name)
    }

    fn forms(&self, name: &str, total: usize) -> impl Iterator<Item = &Entry> {
        let is_form =
            move |word: &&Entry| word.form == Form::Function && word.name == name && word.params.len() == total;
        self.vocabulary.iter().filter(is_form)
    }

    /// Returns whether a library function accepts a type as argument `at`. `total` is the number of arguments, including the receiver.
    pub(crate) fn accepts_type(&self, name: &str, total: usize, at: usize, ty: Type) -> bool {
        let own = |of: Type| METHODS.iter().any(|(known, names)| *known == of && names.contains(&name));
        let is_own = if at == 0 { own(ty) } else { METHODS.iter().any(|(of, _)| own(*of)) };
        let is_function = |at: usize| self.forms(name, total).all(|word| word.types[at] == Type::Function);
        if is_own && !(at > 0 && is_function(at)) {
            return true;
        }
        self.forms(name, total).any(|word| {
            let param = word.params[at].as_str();
            let taken = PARAM_TYPES.iter().find(|(known, _)| *known == param && !NO_PLACE.contains(&name));
            match (word.types[at], taken) {
                (Type::Any, Some((_, sorts))) => sorts.contains(&ty),
                (Type::Any, None) => true,
                (wanted, _) => wanted == ty,
            }
        })
    }

    /// Returns whether a function of the rules certainly uses a parameter in a way that the type does not support.
    pub(crate) fn rejects(&self, function: &Function, param: &str, ty: Type) -> bool {
        let is_it = |expr: &Expr| matches!(&expr.kind, ExprKind::Name(name) if **name == *param);
        let single = [Type::Seat, Type::Number, Type::Flag, Type::Component, Type::Zone];
        let (mut refuses, mut is_given) = (false, false);
        syntax::each_node(std::slice::from_ref(&function.body), &mut |node| match node {
            Node::Statement(Statement { kind: StatementKind::Let { name, .. }, .. }) => {
                is_given |= *name.text == *param;
            }
            Node::Statement(Statement { kind: StatementKind::Assign { target, .. }, .. }) => is_given |= is_it(target),
            Node::Expr(expr) => match &expr.kind {
                ExprKind::Field { receiver: of, name, is_optional: false } if is_it(of) => {
                    refuses |= !self.has_property(ty, &name.text);
                }
                ExprKind::Method { receiver: of, name, arguments, is_optional: false } => {
                    refuses |= is_it(of) && !self.may_accept(&name.text, arguments.len() + 1, 0, ty);
                    for (at, _) in arguments.iter().enumerate().filter(|(_, argument)| is_it(argument)) {
                        refuses |= !self.may_accept(&name.text, arguments.len() + 1, at + 1, ty);
                    }
                }
                ExprKind::Call { name, arguments } => {
                    for (at, _) in arguments.iter().enumerate().filter(|(_, argument)| is_it(argument)) {
                        refuses |= !self.may_accept(&name.text, arguments.len(), at, ty);
                    }
                }
                ExprKind::Binary { op, left, right, .. } if is_it(left) || is_it(right) => {
                    use BinaryOp::{Divide, Multiply, Remainder, Subtract};
                    refuses |= [Subtract, Multiply, Divide, Remainder].contains(op) && ty != Type::Number;
                }
                ExprKind::For { name, counter, list, .. } => {
                    is_given |= std::iter::once(name).chain(counter).any(|name| *name.text == *param);
                    refuses |= is_it(list) && single.contains(&ty);
                }
                ExprKind::Closure { params, .. } => is_given |= params.iter().any(|name| *name.text == *param),
                _ => {}
            },
            _ => {}
        });
        refuses && !is_given
    }

    /// Returns whether an expression is certainly a set of pieces, spaces, zones, components or seats.
    pub(crate) fn is_set(&self, expr: &Expr) -> bool {
        let sets = [Type::Pieces, Type::Spaces, Type::Zones, Type::Components, Type::Seats];
        let forms = |name: &str, total: usize, form: Form| {
            let is_form = move |word: &&Entry| word.form == form && word.name == name && word.params.len() == total;
            let mut results = self.vocabulary.iter().filter(is_form).map(|word| word.result).peekable();
            results.peek().is_some() && results.all(|result| sets.contains(&result))
        };
        let is_own = |name: &str| METHODS.iter().any(|(_, names)| names.contains(&name)) || self.is_part(name);
        match &expr.kind {
            ExprKind::Name(name) => &**name == "seats",
            ExprKind::Call { name, arguments } => forms(&name.text, arguments.len(), Form::Function),
            ExprKind::Method { name, arguments, .. } if !is_own(&name.text) => {
                forms(&name.text, arguments.len() + 1, Form::Function)
            }
            ExprKind::Field { name, .. } if !is_own(&name.text) => forms(&name.text, 1, Form::Property),
            _ => false,
        }
    }

    /// Like [`Self::accepts_type`], but returns true for functions that are not in the library.
    fn may_accept(&self, name: &str, total: usize, at: usize, ty: Type) -> bool {
        !self.is_known(name, total) || self.accepts_type(name, total, at, ty)
    }

    /// Returns whether the rules use this name for a part of a map.
    pub(crate) fn is_part(&self, name: &str) -> bool {
        self.parts.contains_key(name)
    }

    /// Returns whether the library or the game defines a property or method of this name, so that the name need not be a map part.
    pub(crate) fn is_of_things(&self, name: &str) -> bool {
        let own = METHODS.iter().any(|(_, names)| names.contains(&name));
        let mut words = self.vocabulary.iter().filter(|word| word.form == Form::Property);
        own || self.properties.iter().any(|(_, known)| known == name) || words.any(|word| word.name == name)
    }

    /// Returns whether two parts can occur in one map.
    pub(crate) fn can_share_map(&self, one: &str, other: &str) -> bool {
        let free = |name: &str| self.dynamic_parts.contains(name);
        one == other || free(one) || free(other) || self.parts.get(one).is_some_and(|parts| parts.contains(other))
    }

    /// Returns whether a part is set only in this map, and is read somewhere without a check.
    pub(crate) fn is_set_only_in(&self, name: &str, map: Span, file: usize) -> bool {
        let is_only = self.maps_with_part.get(name).is_some_and(|places| places.iter().eq([&(file, map.start)]));
        is_only && self.read_fields.contains(name) && !self.dynamic_parts.contains(name) && !self.is_of_things(name)
    }

    /// Returns whether the game has a value of this name.
    pub(crate) fn is_value(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// Returns whether a value of this name can hold content of the given type.
    pub(crate) fn value_takes(&self, name: &str, ty: Type) -> bool {
        let of = |kind: &ValueType| match kind {
            ValueType::Number => Type::Number,
            ValueType::Flag => Type::Flag,
            ValueType::Word(_) => Type::Text,
            ValueType::Seat => Type::Seat,
            ValueType::Component(_) => Type::Component,
            ValueType::Space(_) => Type::Space,
            ValueType::Piece => Type::Piece,
        };
        let takes = |(kind, is_list): &(ValueType, bool)| if *is_list { ty == Type::List } else { of(kind) == ty };
        self.values.get(name).is_none_or(|kinds| kinds.iter().any(takes))
    }

    fn add_model(&mut self, model: &Model) {
        let mut own = |ty: Type, name: &str| _ = self.properties.insert((ty, name.to_owned()));
        for (ty, names) in BUILT_IN_PROPERTIES {
            for name in names {
                own(ty, name);
            }
        }
        for field in &model.fields {
            own(Type::Piece, field);
            own(Type::Component, field);
        }
        for name in model.spaces.iter().flat_map(|space| space.fields.keys()).chain(model.cells.fields.keys()) {
            own(Type::Space, name);
        }
        for family in &model.families {
            match family.per.first() {
                Some(Per::Seat) => own(Type::Seat, &family.id),
                Some(Per::Kind(_)) => own(Type::Component, &family.id),
                None => {}
            }
        }
        for value in &model.values {
            let ty = match value.owner {
                Owner::Game => Type::Game,
                Owner::Seat | Owner::Pair(Party::Seat, _) => Type::Seat,
                Owner::Component(_) | Owner::Pair(Party::Component(_), _) => Type::Component,
                Owner::Piece(_) => Type::Piece,
                Owner::Space(_) => Type::Space,
            };
            own(ty, &value.id);
            self.values.entry(value.id.to_string()).or_default().push((value.kind.clone(), value.most.is_some()));
        }
        let looks = model.flow.named.iter().filter(|named| !named.is_step);
        self.read_only.extend(looks.map(|named| named.call.function.to_string()));
        for decision in &model.decisions {
            let names: Vec<&str> = decision.parts.iter().map(|(name, _)| &**name).collect();
            self.add_parts_of_one_map(&names);
        }
        for field in model.kinds.iter().flat_map(|kind| kind.fields.values()) {
            self.add_record(field);
        }
    }

    fn add_record(&mut self, field: &FieldType) {
        match field {
            FieldType::List(inner) => self.add_record(inner),
            FieldType::Record(parts) => {
                let names: Vec<&str> = parts.keys().map(|name| &**name).collect();
                self.add_parts_of_one_map(&names);
                self.dynamic_parts.extend(names.iter().map(|name| (*name).to_owned()));
                parts.values().for_each(|part| self.add_record(part));
            }
            _ => {}
        }
    }

    /// Records that all of these parts occur together in one map.
    fn add_parts_of_one_map(&mut self, names: &[&str]) {
        for name in names {
            let met = self.parts.entry((*name).to_owned()).or_default();
            met.extend(names.iter().map(|name| (*name).to_owned()));
        }
    }

    /// Collects the map parts that the rules use, and the names that they read after a dot.
    fn scan_rules(&mut self) {
        for names in [&["piece", "to", "turned", "way"][..], &["worth", "groups"]] {
            self.add_parts_of_one_map(names);
            self.dynamic_parts.extend(names.iter().map(|name| (*name).to_owned()));
        }
        let names = ["placements", "regions", "lost", "spaces", "same", "whole"];
        self.dynamic_parts.extend(names.map(str::to_owned));
        let functions = std::mem::take(&mut self.functions);
        for function in &functions {
            let mut free: BTreeSet<u32> = BTreeSet::new();
            syntax::each_node(std::slice::from_ref(&function.body), &mut |node| match node {
                Node::Expr(expr) => self.scan_expr(function.file, expr, &mut free),
                Node::Statement(Statement { kind: StatementKind::Assign { target, .. }, .. }) => {
                    if let ExprKind::Field { name, .. } = &target.kind {
                        self.dynamic_parts.insert(name.text.to_string());
                    }
                }
                _ => {}
            });
        }
        self.functions = functions;
    }

    fn scan_expr(&mut self, file: usize, expr: &Expr, free: &mut BTreeSet<u32>) {
        match &expr.kind {
            ExprKind::Call { name, arguments } => {
                if allows_any_parts(&name.text) {
                    let maps = arguments.iter().filter(|argument| matches!(argument.kind, ExprKind::Map(_)));
                    free.extend(maps.map(|map| map.span.start));
                }
                if let (
                    "pairs_of",
                    [Expr { kind: ExprKind::Text(one), .. }, Expr { kind: ExprKind::Text(other), .. }, ..],
                ) = (&*name.text, arguments.as_slice())
                {
                    self.add_parts_of_one_map(&[one, other]);
                    self.dynamic_parts.extend([one.to_string(), other.to_string()]);
                }
            }
            ExprKind::Map(parts) if !free.contains(&expr.span.start) => {
                let names: Vec<&str> = parts.iter().map(|(name, _)| &*name.text).collect();
                self.add_parts_of_one_map(&names);
                for name in names {
                    self.maps_with_part.entry(name.to_owned()).or_default().insert((file, expr.span.start));
                }
            }
            ExprKind::Field { name, .. } => _ = self.read_fields.insert(name.text.to_string()),
            ExprKind::Binary { op: BinaryOp::In | BinaryOp::NotIn, left, .. } => {
                if let ExprKind::Text(name) = &left.kind {
                    self.dynamic_parts.insert(name.to_string());
                }
            }
            _ => {}
        }
    }
}

/// Properties that types have in every game.
const BUILT_IN_PROPERTIES: [(Type, &[&str]); 5] = [
    (Type::Seat, &["number"]),
    (Type::Component, &["id", "kind", "count"]),
    (Type::Piece, &["component", "kind", "owner", "zone", "space", "is_up", "turned", "shown"]),
    (Type::Space, &["zone", "label", "x", "y", "owner"]),
    (Type::Zone, &["seat", "label", "id", "of"]),
];

/// Parses the functions in the files under `rules/`.
fn functions(texts: &[(String, String)]) -> Vec<Function> {
    let mut ids = 0;
    let mut functions = Vec::new();
    for (file, (path, text)) in texts.iter().enumerate().filter(|(_, (path, _))| path.starts_with("rules/")) {
        let source = Arc::new(parlour::diagnostic::Source { path: path.clone(), text: text.clone() });
        for function in syntax::parse(&source, &mut ids).tree.functions {
            let span = function.body.span;
            let id = syntax::ExprId(u32::MAX);
            let body = Expr { kind: ExprKind::Block(function.body), span, id };
            functions.push(Function {
                name: function.name.text.to_string(),
                file,
                params: function.params.iter().map(|param| param.text.to_string()).collect(),
                body: Statement { kind: StatementKind::Expr(body), span },
            });
        }
    }
    functions
}

/// Returns sample expressions of different types. Each is valid anywhere in the rules.
fn samples(model: &Model) -> Vec<SampleExpr> {
    let sample = |text: String, ty| SampleExpr { text, ty };
    let mut found = vec![
        sample("players".to_owned(), Type::Number),
        sample("first".to_owned(), Type::Seat),
        sample("seats".to_owned(), Type::Seats),
        sample("\"word\"".to_owned(), Type::Text),
        sample("true".to_owned(), Type::Flag),
        sample("[1]".to_owned(), Type::List),
        sample("#{ x: 1 }".to_owned(), Type::Map),
    ];
    let shared = || model.families.iter().filter(|family| !family.per.contains(&Per::Seat) && &*family.id != "box");
    let is_single = |family: &&parlour::model::Family| family.per.is_empty() && family.copies.is_none();
    if let Some(zone) = shared().find(is_single) {
        found.push(sample(zone.id.to_string(), Type::Zone));
        found.push(sample(format!("{}.pieces", zone.id), Type::Pieces));
    }
    if let Some(zones) = shared().find(|family| !is_single(family)) {
        found.push(sample(zones.id.to_string(), Type::Zones));
    }
    if let Some(component) = model.components.first() {
        found.push(sample(format!("component(\"{}\")", component.id), Type::Component));
    }
    found
}

/// Returns statements that change the table: a shuffle, and assignments to values.
fn changes(model: &Model, samples: &[SampleExpr]) -> Vec<String> {
    let zones = samples.iter().filter(|thing| thing.ty == Type::Zone);
    let values = model.values.iter().filter(|value| value.kind == ValueType::Number && value.most.is_none());
    let values = values.filter_map(|value| match value.owner {
        Owner::Game => Some(format!("game.{} += 1", value.id)),
        Owner::Seat => Some(format!("first.{} = 0", value.id)),
        _ => None,
    });
    zones.map(|zone| format!("{}.shuffle()", zone.text)).chain(values).collect()
}
