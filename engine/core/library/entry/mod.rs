//! Entries of the library: functions with their signatures, documentation and native code.

pub(crate) mod argument;
pub(crate) mod builder;
pub(crate) mod caller;
pub(crate) mod code;
pub(crate) mod dispatch;
pub(crate) mod native;
pub(crate) mod question;
pub(crate) mod registry;
pub(crate) mod reply;
pub(crate) mod stored_closure;

use self::code::{BuiltinCode, InlinedCall};
use super::effect::Effects;
use super::pattern::{ParsedSignature, Pattern};
use crate::decision::Type;

/// Syntactic form of an entry.
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
    /// `name`.
    Name,
}

/// An entry of the registry: one overload of a function.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Topic in the reference.
    pub topic: &'static str,
    /// Name of the function.
    pub name: String,
    /// Syntactic form.
    pub form: Form,
    /// Names of the parameters.
    pub params: Vec<String>,
    /// Types of the parameters.
    pub types: Vec<Type>,
    /// Type patterns of the parameters.
    pub takes: Vec<Pattern>,
    /// Type of the result.
    pub result: Type,
    /// Type pattern of the result.
    pub returns: Pattern,
    /// Whether the entry is a fact, which is read from the game's data rather than computed by a native function.
    pub is_fact: bool,
    /// Code in the machine, for functions of built-in types.
    pub(crate) code: Option<BuiltinCode>,
    /// Way in which the compiler inlines the function's closures; `None` if it does not.
    pub(crate) inlined_call: Option<InlinedCall>,
    /// Whether the function depends on the order of its receiver. Bags have no order.
    pub is_ordered: bool,
    /// Side effects.
    pub effects: Effects,
    /// Description in the reference.
    pub doc: &'static str,
    /// Example expression, followed by its result after `//`. Empty for all overloads of a function except the first.
    pub example: &'static str,
}

/// Documentation of an entry.
pub struct EntryDocs {
    /// Topic in the reference.
    pub topic: &'static str,
    /// Side effects.
    pub effects: Effects,
    /// Description in the reference.
    pub doc: &'static str,
    /// Example expression, followed by its result after `//`.
    pub example: &'static str,
}

impl Entry {
    /// Returns whether the function belongs to a built-in type and is implemented in the machine.
    pub fn is_own(&self) -> bool {
        self.code.is_some()
    }

    /// Creates an entry. `params` names the parameters, with type patterns if `types` and `result` are not precise
    /// enough.
    pub fn new(name: &str, form: Form, params: &str, types: Vec<Type>, result: Type, said: &EntryDocs) -> Self {
        let EntryDocs { topic, effects, doc, example } = *said;
        let ParsedSignature { params, result: returns } = ParsedSignature::parse(params);
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
            inlined_call: None,
            is_ordered: false,
            effects,
            doc,
            example,
        }
    }
}
