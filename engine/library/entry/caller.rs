//! What runs a function of the library: it has the execution context, and calls the functions `|…|` that this was given.

use super::argument::Argument;
use super::kept::KeptFunction;
use crate::decision::{ASK_FIRST, Type, Value};
use crate::diagnostic::flag_expected;
use crate::library::context::Context;
use crate::library::context::fault::{Answer, Failure, Fault};
use std::ops::{Deref, DerefMut};

/// Whatever runs functions of the library: rules that are under way.
pub(crate) trait Calls<'a> {
    /// What the rules run in.
    fn context(&self) -> &Context<'a>;

    /// The same, to be worked on.
    fn context_mut(&mut self) -> &mut Context<'a>;

    /// Calls a function `|…|` that a function of the library was given.
    fn call(&mut self, arguments: &[Value]) -> Answer<Value>;

    /// The same function, to be kept and called later; nothing where it cannot be kept.
    fn kept(&mut self) -> Option<KeptFunction>;

    /// Whether what runs the rules keeps functions at all.
    fn keeps(&self) -> bool {
        true
    }
}

/// Functions of the library that are given no function `|…|` run in the context alone.
impl<'a> Calls<'a> for Context<'a> {
    fn context(&self) -> &Self {
        self
    }

    fn context_mut(&mut self) -> &mut Self {
        self
    }

    fn call(&mut self, _arguments: &[Value]) -> Answer<Value> {
        Err(Box::new(Failure::Stopped))
    }

    fn kept(&mut self) -> Option<KeptFunction> {
        None
    }
}

/// What a function of the library runs in that calls a function `|…|` it was given.
pub(crate) struct Caller<'c, 'a>(&'c mut (dyn Calls<'a> + 'c));

impl<'c, 'a> Caller<'c, 'a> {
    /// Calls functions so.
    pub(crate) fn new(calls: &'c mut (dyn Calls<'a> + 'c)) -> Self {
        Self(calls)
    }

    /// The function, to be kept and called later; nothing where it cannot be kept.
    pub(crate) fn kept(&mut self) -> Option<KeptFunction> {
        self.0.kept()
    }

    /// Whether what runs the rules keeps functions at all.
    pub(crate) fn keeps(&self) -> bool {
        self.0.keeps()
    }

    /// What the function results in for some arguments.
    pub(crate) fn of<T: Argument>(&mut self, arguments: &[Value]) -> Answer<T> {
        let mut value = self.0.call(arguments)?;
        T::take(&mut value).ok_or_else(|| wrong_type(T::TYPE, &value).into())
    }
}

impl<'a> Deref for Caller<'_, 'a> {
    type Target = Context<'a>;

    fn deref(&self) -> &Context<'a> {
        self.0.context()
    }
}

impl<'a> DerefMut for Caller<'_, 'a> {
    fn deref_mut(&mut self) -> &mut Context<'a> {
        self.0.context_mut()
    }
}

/// A value is of another type than is needed.
fn wrong_type(wanted: Type, found: &Value) -> Fault {
    if wanted == Type::Flag {
        return Fault::said(flag_expected(&found.kind(), *found == Value::Nothing));
    }
    let fault =
        Fault::new("wrong-type", format!("{} was expected, not {}", wanted.one(), found.kind()), "of another type");
    match found {
        Value::Nothing => fault.help(ASK_FIRST),
        _ => fault,
    }
}
