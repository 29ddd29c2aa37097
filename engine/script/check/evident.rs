//! The type of what an expression gives, where it is certain: from the vocabulary, the values and zones of the game, and the
//! variables that are given once.

use super::super::vocabulary::{Fact, Form, Word};
use super::calls;
use super::chain::{Link, Links};
use super::code::{Code, unnamed};
use super::known::{Known, THINGS};
use crate::decision::Type;
use crate::library::has_function;
use crate::model::{FieldType, Model, OptionType, Per, Setting, ValueType};
use rhai::{ASTNode, Expr, FnCallExpr, Stmt};
use rustc_hash::FxHashMap;

/// The local variables whose type is certain.
pub(super) type Locals = FxHashMap<String, Type>;

/// The signs that reckon with numbers.
const RECKONING: [&str; 5] = ["+", "-", "*", "/", "%"];

/// The signs that give yes or no.
const COMPARING: [&str; 7] = ["==", "!=", "<", "<=", ">", ">=", "!"];

impl Known<'_> {
    /// The type of what an expression gives, where it is certain and has facts: a thing of the game, or several.
    pub(super) fn kind_of(&self, expr: &Expr, locals: &Locals) -> Option<Type> {
        self.evident(expr, locals).filter(|kind| !is_plain(*kind))
    }

    /// The same, where numbers, flags, words and lists count too.
    pub(super) fn evident(&self, expr: &Expr, locals: &Locals) -> Option<Type> {
        match expr {
            Expr::IntegerConstant(..) => Some(Type::Number),
            Expr::BoolConstant(..) | Expr::And(..) | Expr::Or(..) => Some(Type::Flag),
            Expr::StringConstant(..) | Expr::InterpolatedString(..) => Some(Type::Text),
            Expr::Array(..) => Some(Type::List),
            Expr::Map(..) => Some(Type::Map),
            Expr::Unit(_) => Some(Type::Nothing),
            Expr::Variable(name, ..) => locals.get(name.1.as_str()).copied().or_else(|| {
                let is_global = name.0.is_none() && is_unbound(expr);
                if is_global { self.kind_of_global(&name.1) } else { None }
            }),
            Expr::FnCall(call, _) => self.kind_of_call(call, locals),
            Expr::Dot(..) | Expr::Index(..) => {
                let links = Links::of(expr);
                let (last, before) = links.rest.split_last()?;
                self.after(self.kind_before(&links, before, locals), last)
            }
            _ => unnamed(expr).map(|_| Type::Function),
        }
    }

    /// The type of what stands before the last link of a chain.
    pub(super) fn kind_before(&self, links: &Links<'_>, before: &[Link<'_>], locals: &Locals) -> Option<Type> {
        let start = self.kind_of(links.start, locals);
        before.iter().fold(start, |kind, link| self.kind_after(kind, link))
    }

    /// The type one link further, of things of the game.
    pub(super) fn kind_after(&self, before: Option<Type>, link: &Link<'_>) -> Option<Type> {
        self.after(before, link).filter(|kind| !is_plain(*kind))
    }

    fn after(&self, before: Option<Type>, link: &Link<'_>) -> Option<Type> {
        let known = before.and_then(|before| kind_of_query(before, link));
        known
            .or_else(|| self.kind_by_word(before?, link))
            .or_else(|| self.kind_by_name(link))
            .or_else(|| self.plain_kind(before?, link))
    }

    fn kind_of_call(&self, call: &FnCallExpr, locals: &Locals) -> Option<Type> {
        let name = call.name.as_str();
        if call.is_operator_call() {
            let reckons = || call.args.iter().all(|arg| self.evident(arg, locals) == Some(Type::Number));
            return match name {
                _ if COMPARING.contains(&name) => Some(Type::Flag),
                _ if RECKONING.contains(&name) && reckons() => Some(Type::Number),
                _ => None,
            };
        }
        if calls::is_capture(call) {
            return call.args.first().and_then(unnamed).map(|_| Type::Function);
        }
        self.result(name, call.args.len(), call.args.first().and_then(|first| self.evident(first, locals)))
    }

    /// What every form of a word gives that takes so many things, the first of a type.
    fn result(&self, name: &str, total: usize, first: Option<Type>) -> Option<Type> {
        let is_other = self.code(name).is_some()
            || self.function_fields.iter().any(|field| **field == *name)
            || has_function(name, total) && first.is_none_or(is_plain);
        let fits = |word: &&Word| {
            word.params.len() == total && first.is_none_or(|first| total == 0 || takes(word.types[0], first))
        };
        same(self.functions_named(name).filter(fits).map(|word| word.result)).filter(|_| !is_other)
    }

    /// The type behind a dot, or in brackets, by the vocabulary.
    fn kind_by_word(&self, before: Type, link: &Link<'_>) -> Option<Type> {
        match link {
            Link::Dot(Expr::MethodCall(call, _)) => self.result(&call.name, call.args.len() + 1, Some(before)),
            Link::Dot(Expr::Property(property, _)) => {
                let is_it =
                    |word: &&Word| word.form == Form::Property && word.types[0] == before && word.name == *property.2;
                same(self.words.iter().filter(is_it).map(|word| word.result))
            }
            _ => None,
        }
    }

    /// The type of a value that is a number, a flag or a word for all things that have it.
    fn plain_kind(&self, of: Type, link: &Link<'_>) -> Option<Type> {
        let Link::Dot(Expr::Property(property, _)) = link else { return None };
        let plain = |kind: &ValueType| match kind {
            ValueType::Number => Type::Number,
            ValueType::Flag => Type::Flag,
            ValueType::Word(_) => Type::Text,
            _ => Type::Any,
        };
        if of == Type::Game {
            return same(
                self.values_of_game().filter(|value| *value.id == *property.2).map(|value| plain(&value.kind)),
            );
        }
        let facts = self.facts_named(Some(of).filter(|of| THINGS.contains(of)), &property.2);
        same(facts.map(|(_, fact, model)| match fact {
            Fact::Value(id) => plain(&model.value(*id).kind),
            _ => Type::Any,
        }))
    }

    /// The type behind a name that every script knows.
    pub(super) fn kind_of_global(&self, name: &str) -> Option<Type> {
        if let Some(word) = self.words.iter().find(|word| word.form == Form::Name && word.name == name) {
            return Some(word.returns.there().tag()).filter(|kind| *kind != Type::Any);
        }
        let models = self.models();
        if let Some(family) = models.iter().find_map(|model| Some(model.family(model.find_family(name)?))) {
            let single = if family.per.is_empty() && family.copies.is_none() { Type::Zone } else { Type::Zones };
            return (!family.per.contains(&Per::Seat)).then_some(single);
        }
        let params = models.iter().filter_map(|model| model.params.get(name)).map(|param| setting(&param.value));
        let options = models.iter().filter_map(|model| model.options.get(name)).map(|option| match option.kind {
            OptionType::Word(_) => Type::Text,
            OptionType::Number { .. } => Type::Number,
            OptionType::Seat => Type::Any,
        });
        same(params.chain(options))
    }

    /// The type behind a property, whatever has it, if it is the same for all.
    fn kind_by_name(&self, link: &Link<'_>) -> Option<Type> {
        let Link::Dot(Expr::Property(property, _)) = link else { return None };
        let name = &*property.2;
        if self.is_part(name) {
            return None;
        }
        let built_in = match name {
            "pieces" => Some(Type::Pieces),
            "spaces" | "empty" => Some(Type::Spaces),
            "top" | "bottom" => Some(Type::Piece),
            _ => None,
        };
        let facts: Vec<(Type, &Fact, &Model)> = self.facts_named(None, name).collect();
        match (built_in, facts.as_slice()) {
            (Some(kind), []) => Some(kind),
            (None, [(_, first, model), rest @ ..]) => {
                let kind = kind_of_fact(model, first, name)?;
                rest.iter().all(|(_, fact, model)| kind_of_fact(model, fact, name) == Some(kind)).then_some(kind)
            }
            _ => None,
        }
    }

    /// The local variables of a function whose type is certain: given things of one type, and never set again.
    pub(super) fn typed_locals(&self, code: &Code) -> Locals {
        let times = times_given(code);
        let mut locals = Locals::default();
        if code.is_text() {
            locals.extend(code.params.iter().filter(|name| times[name.as_str()] == 1).map(|n| (n.clone(), Type::Seat)));
        }
        if let [param] = code.params.as_slice()
            && times[param.as_str()] == 1
            && self.seat_functions.contains(&code.name)
        {
            locals.insert(param.clone(), Type::Seat);
        }
        let taken = taken(code);
        loop {
            let mut given: FxHashMap<String, Vec<Type>> = FxHashMap::default();
            each_statement(code, &mut |statement| {
                let (name, kind) = match statement {
                    Stmt::Var(var, ..) => (&var.0.name, self.evident(&var.1, &locals)),
                    Stmt::For(each, _) => (&each.0.name, self.kind_of(&each.2.expr, &locals).and_then(one_of)),
                    _ => return,
                };
                // What a function `|…|` takes hold of may be set in there, and what is nothing yet be something later.
                let is_certain =
                    |kind: &Type| *kind != Type::Nothing && (!is_plain(*kind) || !taken.contains(&name.to_string()));
                given.entry(name.to_string()).or_default().extend(kind.filter(is_certain));
            });
            given.retain(|name, kinds| !locals.contains_key(name) && kinds.len() == times[name.as_str()]);
            let certain = given.into_iter().filter_map(|(name, kinds)| Some((name, same(kinds.into_iter())?)));
            let before = locals.len();
            locals.extend(certain);
            if locals.len() == before {
                return locals;
            }
        }
    }
}

/// Whether a parameter of the vocabulary takes a thing of a type.
pub(super) fn takes(wanted: Type, given: Type) -> bool {
    wanted == Type::Any || given == Type::Any || wanted == given
}

/// The one type that all of several are; nothing where one of them is open.
fn same(mut kinds: impl Iterator<Item = Type>) -> Option<Type> {
    let first = kinds.next().filter(|kind| *kind != Type::Any)?;
    kinds.all(|kind| kind == first).then_some(first)
}

/// Whether a type is none of a thing of the game, or of several.
pub(super) const fn is_plain(kind: Type) -> bool {
    matches!(
        kind,
        Type::Any
            | Type::Nothing
            | Type::Number
            | Type::Flag
            | Type::Text
            | Type::List
            | Type::Map
            | Type::Function
            | Type::Options
            | Type::Answers
    )
}

const fn setting(setting: &Setting) -> Type {
    match setting {
        Setting::Number(_) => Type::Number,
        Setting::Flag(_) => Type::Flag,
        Setting::Word(_) => Type::Text,
        Setting::List(_) => Type::List,
        Setting::Seat(_) | Setting::Nothing => Type::Any,
    }
}

/// The type of what a query gives.
fn kind_of_query(before: Type, link: &Link<'_>) -> Option<Type> {
    match link {
        Link::Dot(Expr::MethodCall(call, _)) => match call.name.as_str() {
            "where" | "filter" | "without" | "sort_by" | "reversed" | "with_most" | "with_least" => Some(held(before)),
            "find" => one_of(held(before)),
            "at" if before == Type::Zone => Some(Type::Space),
            "column" | "row" if before == Type::Zone => Some(Type::Spaces),
            _ => None,
        },
        Link::Dot(Expr::Property(property, _)) if matches!(&*property.2, "first" | "last") => one_of(held(before)),
        Link::Index if before == Type::Zone => Some(Type::Space),
        Link::Index if before != Type::Zones => one_of(before),
        _ => None,
    }
}

fn kind_of_fact(model: &Model, fact: &Fact, name: &str) -> Option<Type> {
    match fact {
        Fact::Zones(family) => {
            let family = model.family(*family);
            (family.per.len() == 1 && family.copies.is_none()).then_some(Type::Zone)
        }
        Fact::Value(id) => match model.value(*id).kind {
            ValueType::Seat => Some(Type::Seat),
            ValueType::Component(_) => Some(Type::Component),
            ValueType::Space(_) => Some(Type::Space),
            _ => None,
        },
        Fact::Field(field) => {
            let types = model.kinds.iter().filter_map(|kind| kind.fields.get(field));
            types.into_iter().all(|kind| matches!(kind, FieldType::Component(_))).then_some(Type::Component)
        }
        Fact::Components(_) => Some(Type::Components),
        Fact::SpaceField(_) => None,
        Fact::CellField(field) => {
            matches!(model.cells.fields.get_index(*field).map(|(_, of)| of), Some(FieldType::Component(_)))
                .then_some(Type::Component)
        }
        Fact::BuiltIn(_) => match name {
            "component" | "of" => Some(Type::Component),
            "owner" | "seat" => Some(Type::Seat),
            "zone" => Some(Type::Zone),
            "space" => Some(Type::Space),
            _ => None,
        },
    }
}

/// Whether a variable was not found among the local ones by the compiler.
pub(super) fn is_unbound(expr: &Expr) -> bool {
    matches!(expr, Expr::Variable(name, short, _) if name.0.is_none() && short.is_none())
}

/// What a query over a thing gives.
fn held(kind: Type) -> Type {
    match kind {
        Type::Zone | Type::Space => Type::Pieces,
        other => other,
    }
}

/// One of several.
fn one_of(kind: Type) -> Option<Type> {
    match kind {
        Type::Pieces => Some(Type::Piece),
        Type::Spaces => Some(Type::Space),
        Type::Zones => Some(Type::Zone),
        Type::Components => Some(Type::Component),
        Type::Seats => Some(Type::Seat),
        _ => None,
    }
}

/// One of several things asked for facts: of a zone its pieces.
pub(super) fn asked_for_facts(kind: Type) -> Option<Type> {
    one_of(held(kind)).or(THINGS.contains(&kind).then_some(kind))
}

/// How often each name of a function is given something.
pub(super) fn times_given(code: &Code) -> FxHashMap<String, usize> {
    let mut times: FxHashMap<String, usize> = FxHashMap::default();
    let mut count = |name: &str| *times.entry(name.to_owned()).or_default() += 1;
    code.params.iter().for_each(|name| count(name));
    each_statement(code, &mut |statement| match statement {
        Stmt::Var(var, ..) => count(&var.0.name),
        Stmt::For(each, _) => {
            count(&each.0.name);
            each.1.iter().for_each(|counter| count(&counter.name));
        }
        Stmt::Assignment(assignment) => {
            if let Expr::Variable(name, ..) = &assignment.1.lhs {
                count(&name.1);
                count(&name.1);
            }
        }
        _ => {}
    });
    times
}

/// The variables of a function that functions `|…|` in it take hold of.
fn taken(code: &Code) -> Vec<String> {
    let mut names = Vec::new();
    each_statement(code, &mut |statement| {
        if let Stmt::Share(taken) = statement {
            names.extend(taken.iter().map(|(name, _)| name.name.to_string()));
        }
    });
    names
}

/// Every statement of a function.
pub(super) fn each_statement(code: &Code, work: &mut dyn FnMut(&Stmt)) {
    code.walk(&mut |path| {
        if let Some(ASTNode::Stmt(statement)) = path.last() {
            work(statement);
        }
    });
}
