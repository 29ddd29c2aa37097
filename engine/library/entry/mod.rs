//! How a function of the language is written down: once, with the native code behind it, for every caller.

pub(crate) mod argument;
pub(crate) mod builder;
pub(crate) mod caller;
pub(crate) mod code;
pub(crate) mod dispatch;
pub(crate) mod kept;
pub(crate) mod native;
pub(crate) mod question;
pub(crate) mod registry;
pub(crate) mod reply;

use self::code::{LaidOut, OwnCode};
use super::effect::Effects;
use super::pattern::{Pattern, WrittenSignature};
use crate::decision::Type;

/// How an entry is written in a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// `name(a, b)`, also written `a.name(b)`.
    Function,
    /// `a.name`.
    Property,

    /// `a.name = b`.
    Setter,
    /// `a[b]`.
    Index,
    /// `a name b`, or `name a`.
    Operator,
    /// `name`, by itself.
    Name,
}

/// One entry of the registry, for one list of parameter types.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The topic it is listed under.
    pub topic: &'static str,
    /// Its name.
    pub name: String,
    /// How it is written.
    pub form: Form,
    /// The names of its parameters.
    pub params: Vec<String>,
    /// The types of its parameters.
    pub types: Vec<Type>,
    /// What its parameters take.
    pub takes: Vec<Pattern>,
    /// The type of its result.
    pub result: Type,
    /// What it results in.
    pub returns: Pattern,
    /// Whether it is a fact that things have as they have fields and values, with no function of its own.
    pub is_fact: bool,
    /// The code of the machine that it runs, where it is of the language's own types.
    pub(crate) code: Option<OwnCode>,
    /// How the machine lays it out where it is called, if it does so.
    pub(crate) laid_out: Option<LaidOut>,
    /// Whether it goes by the order in which things lie, which a bag has not.
    pub is_ordered: bool,
    /// What it does besides.
    pub effects: Effects,
    /// What it does, in a sentence.
    pub doc: &'static str,
    /// An expression that shows it, with its result after `//`; empty for further parameter types of the same function.
    pub example: &'static str,
}

/// What an entry says about itself.
pub struct Said {
    /// The topic it is listed under.
    pub topic: &'static str,
    /// What it does besides resulting in something.
    pub effects: Effects,
    /// What it does, in a sentence.
    pub doc: &'static str,
    /// An expression that shows it, with its result after `//`.
    pub example: &'static str,
}

impl Entry {
    /// Whether it is one of the language's own types, whose code the machine has.
    pub fn is_own(&self) -> bool {
        self.code.is_some()
    }

    /// A function as it is declared: its parameters by their names, with what they take where the types of the function behind it do
    /// not say all.
    pub fn new(name: &str, form: Form, params: &str, (types, result): (Vec<Type>, Type), said: &Said) -> Self {
        let Said { topic, effects, doc, example } = *said;
        let WrittenSignature { params, result: returns } = WrittenSignature::read(params);
        debug_assert_eq!(params.len(), types.len(), "`{name}` names every parameter");
        let of = |(of, pattern): (&Type, Option<Pattern>)| {
            let pattern = pattern.unwrap_or(Pattern::Of(*of));
            debug_assert!(*of == Type::Any || pattern.tag() == Type::Any || pattern.tag() == *of, "`{name}`");
            pattern
        };
        let (params, patterns): (Vec<String>, Vec<Option<Pattern>>) = params.into_iter().unzip();
        let takes = types.iter().zip(patterns).map(of).collect();
        let returns = returns.unwrap_or(Pattern::Of(result));
        Self {
            topic,
            name: name.to_owned(),
            form,
            params,
            types,
            takes,
            result,
            returns,
            is_fact: false,
            code: None,
            laid_out: None,
            is_ordered: false,
            effects,
            doc,
            example,
        }
    }
}
