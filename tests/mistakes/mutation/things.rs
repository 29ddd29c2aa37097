//! What is known of a game without running it or asking the checks: what has which properties, what functions take, and what is
//! at hand of which type. From the game's files and the reference alone.

use super::slip::is_of_any_parts;
use super::verdict::setups;
use parlour::decision::Type;
use parlour::model::{FieldType, Model, Owner, Party, Per, ValueType};
use parlour::script::{Entry, Form, Host};
use parlour::syntax::{self, BinaryOp, Expr, ExprKind, Node, Span, Statement, StatementKind};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Something that can be written anywhere in the rules of a game.
pub(crate) struct Thing {
    /// How it is written.
    pub(crate) text: String,
    /// Of which type it is.
    pub(crate) sort: Type,
}

/// A function of the rules.
pub(crate) struct Function {
    /// Its name.
    pub(crate) name: String,
    /// Its file.
    pub(crate) file: usize,
    /// The names of its parameters.
    pub(crate) params: Vec<String>,
    /// What it does.
    pub(crate) body: Statement,
}

/// A map in the rules.
type Place = (usize, u32);

/// All that is known.
pub(crate) struct Things {
    texts: Vec<(String, String)>,
    /// The functions of the rules.
    pub(crate) functions: Vec<Function>,
    /// What can be written anywhere.
    pub(crate) at_hand: Vec<Thing>,
    /// What changes something, wherever it is written.
    pub(crate) changes: Vec<String>,
    /// The functions in which nothing may be asked, nor anything changed.
    pub(crate) looking: BTreeSet<String>,
    /// A decision of the game.
    pub(crate) decision: Option<String>,
    /// The names of parts, each with those it stands in one map with.
    pub(crate) parts: BTreeMap<String, BTreeSet<String>>,
    /// The maps that parts are written in.
    written: BTreeMap<String, BTreeSet<Place>>,
    /// The parts of maps that rules do not write, that are added later, or that are looked for.
    elsewhere: BTreeSet<String>,
    /// What is asked behind a dot anywhere.
    read: BTreeSet<String>,
    words: Vec<Entry>,
    /// What things have.
    owned: BTreeSet<(Type, String)>,
    values: BTreeMap<String, Vec<(ValueType, bool)>>,
}

/// The functions and properties of the language's own types.
const OWN: [(Type, &[&str]); 4] = [
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

/// What parameters take that are of any type in the reference, by their names.
const TAKEN: [(&str, &[Type]); 4] = [
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

/// Functions whose `to` is no place.
const NO_PLACE: [&str; 3] = ["where", "distance", "altered"];

impl Things {
    /// All that is known of a game.
    pub(crate) fn new(texts: &[(String, String)]) -> Self {
        let game = parlour::load_texts("slips", texts.to_vec()).unwrap();
        let mut things = Self {
            texts: texts.to_vec(),
            functions: functions(texts),
            at_hand: Vec::new(),
            changes: Vec::new(),
            looking: ["score", "rank", "standing"].map(str::to_owned).into(),
            decision: None,
            parts: BTreeMap::new(),
            written: BTreeMap::new(),
            elsewhere: BTreeSet::new(),
            read: BTreeSet::new(),
            words: Host::vocabulary().into_iter().filter(|word| !word.is_own()).collect(),
            owned: BTreeSet::new(),
            values: BTreeMap::new(),
        };
        for setup in setups(&game) {
            if let Ok(layout) = game.layout(&setup) {
                things.model(&layout.model);
            }
        }
        let invariants = things.functions.iter().map(|function| &function.name);
        let invariants: Vec<String> = invariants.filter(|name| name.starts_with("invariant_")).cloned().collect();
        things.looking.extend(invariants);
        let model = game.layout(&setups(&game)[0]).unwrap().model.clone();
        things.decision = model.decisions.first().map(|decision| decision.id.to_string());
        things.at_hand = at_hand(&model);
        things.changes = changes(&model, &things.at_hand);
        things.rules();
        things
    }

    /// What is written at a place.
    pub(crate) fn text(&self, file: usize, span: Span) -> String {
        self.texts[file].1[span.range()].to_owned()
    }

    /// Whether something of a type has a property.
    pub(crate) fn has(&self, sort: Type, name: &str) -> bool {
        let own = OWN.iter().any(|(of, names)| *of == sort && names.contains(&name));
        let mut words = self.words.iter().filter(|word| word.form == Form::Property && word.name == name);
        own || self.owned.contains(&(sort, name.to_owned())) || words.any(|word| word.types[0] == sort)
    }

    /// Whether a function of the reference takes so many arguments, and no function of the rules has its name.
    pub(crate) fn is_known(&self, name: &str, total: usize) -> bool {
        self.forms(name, total).next().is_some() && !self.functions.iter().any(|function| function.name == name)
    }

    fn forms(&self, name: &str, total: usize) -> impl Iterator<Item = &Entry> {
        let is_form =
            move |word: &&Entry| word.form == Form::Function && word.name == name && word.params.len() == total;
        self.words.iter().filter(is_form)
    }

    /// Whether a function of the reference takes something of a type at a position.
    pub(crate) fn takes(&self, name: &str, total: usize, at: usize, sort: Type) -> bool {
        let own = |of: Type| OWN.iter().any(|(known, names)| *known == of && names.contains(&name));
        let is_own = if at == 0 { own(sort) } else { OWN.iter().any(|(of, _)| own(*of)) };
        let is_function = |at: usize| self.forms(name, total).all(|word| word.types[at] == Type::Function);
        if is_own && !(at > 0 && is_function(at)) {
            return true;
        }
        self.forms(name, total).any(|word| {
            let param = word.params[at].as_str();
            let taken = TAKEN.iter().find(|(known, _)| *known == param && !NO_PLACE.contains(&name));
            match (word.types[at], taken) {
                (Type::Any, Some((_, sorts))) => sorts.contains(&sort),
                (Type::Any, None) => true,
                (wanted, _) => wanted == sort,
            }
        })
    }

    /// Whether a function of the rules does something with a parameter for certain that cannot be done with a type.
    pub(crate) fn refuses(&self, function: &Function, param: &str, sort: Type) -> bool {
        let is_it = |expr: &Expr| matches!(&expr.kind, ExprKind::Name(name) if **name == *param);
        let single = [Type::Seat, Type::Number, Type::Flag, Type::Component, Type::Zone];
        let (mut refuses, mut is_given) = (false, false);
        syntax::each_node(std::slice::from_ref(&function.body), &mut |node| match node {
            Node::Statement(Statement { kind: StatementKind::Let { name, .. }, .. }) => {
                is_given |= *name.text == *param;
            }
            Node::Statement(Statement { kind: StatementKind::Assign { target, .. }, .. }) => is_given |= is_it(target),
            Node::Expr(expr) => match &expr.kind {
                ExprKind::Field { of, name, is_optional: false } if is_it(of) => refuses |= !self.has(sort, &name.text),
                ExprKind::Method { of, name, arguments, is_optional: false } => {
                    refuses |= is_it(of) && !self.accepts(&name.text, arguments.len() + 1, 0, sort);
                    for (at, _) in arguments.iter().enumerate().filter(|(_, argument)| is_it(argument)) {
                        refuses |= !self.accepts(&name.text, arguments.len() + 1, at + 1, sort);
                    }
                }
                ExprKind::Call { name, arguments } => {
                    for (at, _) in arguments.iter().enumerate().filter(|(_, argument)| is_it(argument)) {
                        refuses |= !self.accepts(&name.text, arguments.len(), at, sort);
                    }
                }
                ExprKind::Binary { op, left, right, .. } if is_it(left) || is_it(right) => {
                    use BinaryOp::{Divide, Multiply, Remainder, Subtract};
                    refuses |= [Subtract, Multiply, Divide, Remainder].contains(op) && sort != Type::Number;
                }
                ExprKind::For { name, counter, list, .. } => {
                    is_given |= std::iter::once(name).chain(counter).any(|name| *name.text == *param);
                    refuses |= is_it(list) && single.contains(&sort);
                }
                ExprKind::Closure { params, .. } => is_given |= params.iter().any(|name| *name.text == *param),
                _ => {}
            },
            _ => {}
        });
        refuses && !is_given
    }

    /// Whether an expression results in a set of things for certain.
    pub(crate) fn is_set(&self, expr: &Expr) -> bool {
        let sets = [Type::Pieces, Type::Spaces, Type::Zones, Type::Components, Type::Seats];
        let forms = |name: &str, total: usize, form: Form| {
            let is_form = move |word: &&Entry| word.form == form && word.name == name && word.params.len() == total;
            let mut results = self.words.iter().filter(is_form).map(|word| word.result).peekable();
            results.peek().is_some() && results.all(|result| sets.contains(&result))
        };
        let is_own = |name: &str| OWN.iter().any(|(_, names)| names.contains(&name)) || self.is_part(name);
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

    /// Whether a function may take something of a type; one that is not of the reference may.
    fn accepts(&self, name: &str, total: usize, at: usize, sort: Type) -> bool {
        !self.is_known(name, total) || self.takes(name, total, at, sort)
    }

    /// Whether a name is one of a part of a map.
    pub(crate) fn is_part(&self, name: &str) -> bool {
        self.parts.contains_key(name)
    }

    /// Whether anything but a map may have a name behind a dot.
    pub(crate) fn is_of_things(&self, name: &str) -> bool {
        let own = OWN.iter().any(|(_, names)| names.contains(&name));
        let mut words = self.words.iter().filter(|word| word.form == Form::Property);
        own || self.owned.iter().any(|(_, known)| known == name) || words.any(|word| word.name == name)
    }

    /// Whether two parts may stand in one map.
    pub(crate) fn meet(&self, one: &str, other: &str) -> bool {
        let free = |name: &str| self.elsewhere.contains(name);
        one == other || free(one) || free(other) || self.parts.get(one).is_some_and(|parts| parts.contains(other))
    }

    /// Whether a part is written in a map and in no other, asked for somewhere, and never looked for.
    pub(crate) fn is_only_in(&self, name: &str, map: Span, file: usize) -> bool {
        let is_only = self.written.get(name).is_some_and(|places| places.iter().eq([&(file, map.start)]));
        is_only && self.read.contains(name) && !self.elsewhere.contains(name) && !self.is_of_things(name)
    }

    /// Whether a name is one of a value.
    pub(crate) fn is_value(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// Whether some value of a name may be of a type.
    pub(crate) fn value_takes(&self, name: &str, sort: Type) -> bool {
        let of = |kind: &ValueType| match kind {
            ValueType::Number => Type::Number,
            ValueType::Flag => Type::Flag,
            ValueType::Word(_) => Type::Text,
            ValueType::Seat => Type::Seat,
            ValueType::Component(_) => Type::Component,
            ValueType::Space(_) => Type::Space,
            ValueType::Piece => Type::Piece,
        };
        let takes = |(kind, is_list): &(ValueType, bool)| if *is_list { sort == Type::List } else { of(kind) == sort };
        self.values.get(name).is_none_or(|kinds| kinds.iter().any(takes))
    }

    fn model(&mut self, model: &Model) {
        let mut own = |sort: Type, name: &str| _ = self.owned.insert((sort, name.to_owned()));
        for (sort, names) in BUILT_IN {
            for name in names {
                own(sort, name);
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
            let sort = match value.owner {
                Owner::Game => Type::Game,
                Owner::Seat | Owner::Pair(Party::Seat, _) => Type::Seat,
                Owner::Component(_) | Owner::Pair(Party::Component(_), _) => Type::Component,
                Owner::Piece(_) => Type::Piece,
                Owner::Space(_) => Type::Space,
            };
            own(sort, &value.id);
            self.values.entry(value.id.to_string()).or_default().push((value.kind.clone(), value.most.is_some()));
        }
        let looks = model.flow.named.iter().filter(|named| !named.is_step);
        self.looking.extend(looks.map(|named| named.call.function.to_string()));
        for decision in &model.decisions {
            let names: Vec<&str> = decision.parts.iter().map(|(name, _)| &**name).collect();
            self.together(&names);
        }
        for field in model.kinds.iter().flat_map(|kind| kind.fields.values()) {
            self.record(field);
        }
    }

    fn record(&mut self, field: &FieldType) {
        match field {
            FieldType::List(inner) => self.record(inner),
            FieldType::Record(parts) => {
                let names: Vec<&str> = parts.keys().map(|name| &**name).collect();
                self.together(&names);
                self.elsewhere.extend(names.iter().map(|name| (*name).to_owned()));
                parts.values().for_each(|part| self.record(part));
            }
            _ => {}
        }
    }

    /// Parts that stand in one map.
    fn together(&mut self, names: &[&str]) {
        for name in names {
            let met = self.parts.entry((*name).to_owned()).or_default();
            met.extend(names.iter().map(|name| (*name).to_owned()));
        }
    }

    /// What the rules write.
    fn rules(&mut self) {
        for names in [&["piece", "to", "turned", "way"][..], &["worth", "groups"]] {
            self.together(names);
            self.elsewhere.extend(names.iter().map(|name| (*name).to_owned()));
        }
        let names = ["placements", "regions", "lost", "spaces", "same", "whole"];
        self.elsewhere.extend(names.map(str::to_owned));
        let functions = std::mem::take(&mut self.functions);
        for function in &functions {
            let mut free: BTreeSet<u32> = BTreeSet::new();
            syntax::each_node(std::slice::from_ref(&function.body), &mut |node| match node {
                Node::Expr(expr) => self.written(function.file, expr, &mut free),
                Node::Statement(Statement { kind: StatementKind::Assign { target, .. }, .. }) => {
                    if let ExprKind::Field { name, .. } = &target.kind {
                        self.elsewhere.insert(name.text.to_string());
                    }
                }
                _ => {}
            });
        }
        self.functions = functions;
    }

    fn written(&mut self, file: usize, expr: &Expr, free: &mut BTreeSet<u32>) {
        match &expr.kind {
            ExprKind::Call { name, arguments } => {
                if is_of_any_parts(&name.text) {
                    let maps = arguments.iter().filter(|argument| matches!(argument.kind, ExprKind::Map(_)));
                    free.extend(maps.map(|map| map.span.start));
                }
                if let (
                    "pairs_of",
                    [Expr { kind: ExprKind::Text(one), .. }, Expr { kind: ExprKind::Text(other), .. }, ..],
                ) = (&*name.text, arguments.as_slice())
                {
                    self.together(&[one, other]);
                    self.elsewhere.extend([one.to_string(), other.to_string()]);
                }
            }
            ExprKind::Map(parts) if !free.contains(&expr.span.start) => {
                let names: Vec<&str> = parts.iter().map(|(name, _)| &*name.text).collect();
                self.together(&names);
                for name in names {
                    self.written.entry(name.to_owned()).or_default().insert((file, expr.span.start));
                }
            }
            ExprKind::Field { name, .. } => _ = self.read.insert(name.text.to_string()),
            ExprKind::Binary { op: BinaryOp::In | BinaryOp::NotIn, left, .. } => {
                if let ExprKind::Text(name) = &left.kind {
                    self.elsewhere.insert(name.to_string());
                }
            }
            _ => {}
        }
    }
}

/// What things have in every game.
const BUILT_IN: [(Type, &[&str]); 5] = [
    (Type::Seat, &["number"]),
    (Type::Component, &["id", "kind", "count"]),
    (Type::Piece, &["component", "kind", "owner", "zone", "space", "is_up", "turned", "shown"]),
    (Type::Space, &["zone", "label", "x", "y", "owner"]),
    (Type::Zone, &["seat", "label", "id", "of"]),
];

/// The functions of the rules; those of agents are left out.
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

/// One thing of each type that can be written anywhere.
fn at_hand(model: &Model) -> Vec<Thing> {
    let thing = |text: String, sort| Thing { text, sort };
    let mut found = vec![
        thing("players".to_owned(), Type::Number),
        thing("first".to_owned(), Type::Seat),
        thing("seats".to_owned(), Type::Seats),
        thing("\"word\"".to_owned(), Type::Text),
        thing("true".to_owned(), Type::Flag),
        thing("[1]".to_owned(), Type::List),
        thing("#{ x: 1 }".to_owned(), Type::Map),
    ];
    let shared = || model.families.iter().filter(|family| !family.per.contains(&Per::Seat) && &*family.id != "box");
    let is_single = |family: &&parlour::model::Family| family.per.is_empty() && family.copies.is_none();
    if let Some(zone) = shared().find(is_single) {
        found.push(thing(zone.id.to_string(), Type::Zone));
        found.push(thing(format!("{}.pieces", zone.id), Type::Pieces));
    }
    if let Some(zones) = shared().find(|family| !is_single(family)) {
        found.push(thing(zones.id.to_string(), Type::Zones));
    }
    if let Some(component) = model.components.first() {
        found.push(thing(format!("component(\"{}\")", component.id), Type::Component));
    }
    found
}

/// A shuffle, and changes of values that nothing else has the name of.
fn changes(model: &Model, at_hand: &[Thing]) -> Vec<String> {
    let zones = at_hand.iter().filter(|thing| thing.sort == Type::Zone);
    let values = model.values.iter().filter(|value| value.kind == ValueType::Number && value.most.is_none());
    let values = values.filter_map(|value| match value.owner {
        Owner::Game => Some(format!("game.{} += 1", value.id)),
        Owner::Seat => Some(format!("first.{} = 0", value.id)),
        _ => None,
    });
    zones.map(|zone| format!("{}.shuffle()", zone.text)).chain(values).collect()
}
