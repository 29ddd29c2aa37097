//! Access of library functions to the context, and to the closures that are passed to them.

use super::argument::Argument;
use super::stored_closure::StoredClosure;
use crate::decision::{ASK_FIRST, Type, Value};
use crate::diagnostic::flag_expected;
use crate::library::context::Context;
use crate::library::context::fault::{Answer, Failure, Fault};
use std::ops::{Deref, DerefMut};

/// A running program from which library functions are called.
pub(crate) trait Calls<'a> {
    /// Returns the context.
    fn context(&self) -> &Context<'a>;

    /// Returns a mutable reference to the context.
    fn context_mut(&mut self) -> &mut Context<'a>;

    /// Calls the closure that was passed to the library function.
    fn call(&mut self, arguments: &[Value]) -> Answer<Value>;

    /// Returns the closure in a form that can be stored; `None` if it cannot be stored.
    fn take_closure(&mut self) -> Option<StoredClosure>;

    /// Returns whether closures can be stored at all.
    fn can_store_closures(&self) -> bool {
        true
    }
}

/// A bare context, for library functions without closures.
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

    fn take_closure(&mut self) -> Option<StoredClosure> {
        None
    }
}

/// Environment of a library function that takes a closure: the context and the closure.
pub(crate) struct Caller<'c, 'a>(&'c mut (dyn Calls<'a> + 'c));

impl<'c, 'a> Caller<'c, 'a> {
    pub(crate) fn new(calls: &'c mut (dyn Calls<'a> + 'c)) -> Self {
        Self(calls)
    }

    /// Returns the closure in a form that can be stored; `None` if it cannot be stored.
    pub(crate) fn take_closure(&mut self) -> Option<StoredClosure> {
        self.0.take_closure()
    }

    /// Returns whether closures can be stored at all.
    pub(crate) fn can_store_closures(&self) -> bool {
        self.0.can_store_closures()
    }

    /// Calls the closure and converts its result.
    pub(crate) fn call_closure<T: Argument>(&mut self, arguments: &[Value]) -> Answer<T> {
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

/// Creates the fault for a closure that returned a value of the wrong type.
fn wrong_type(wanted: Type, found: &Value) -> Fault {
    if wanted == Type::Flag {
        return flag_expected(&found.kind(), *found == Value::Nothing);
    }
    let fault =
        Fault::new("wrong-type", format!("{} was expected, not {}", wanted.one(), found.kind()), "of another type");
    match found {
        Value::Nothing => fault.help(ASK_FIRST),
        _ => fault,
    }
}
