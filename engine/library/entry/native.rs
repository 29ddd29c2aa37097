//! Library functions implemented in Rust.

#![allow(clippy::inline_always, reason = "each call of the rules goes through it")]

use super::argument::{Argument, ChangedInPlace, ResultType};
use super::caller::Caller;
use super::reply::Reply;
use crate::decision::{TOO_HEAVY, Type, Value};
use crate::library::context::Context;
use crate::library::context::fault::{Answer, Failure, Fault};
use crate::library::entry::Entry;

/// A library function with its implementation.
pub(crate) struct Native {
    /// The entry. It is boxed because calls do not need it, so that the data they do need is close together in memory.
    pub entry: Box<Entry>,
    /// Whether the function is an index: `value[index]`.
    pub is_index: bool,
    /// Whether the function changes its first argument in place.
    #[cfg(feature = "walker")]
    pub changes: bool,
    /// The implementation.
    pub run: Box<Run>,
}

/// Type-erased implementation, which checks the types of its arguments.
type Run = dyn Fn(&mut Caller<'_, '_>, &mut [Value]) -> Answer<Reply> + Send + Sync;

impl Native {
    /// Calls the function, and charges the size of its arguments and result as work. The arguments of an index are
    /// free, since only one entry is read.
    #[inline(always)]
    pub(crate) fn call(&self, caller: &mut Caller<'_, '_>, given: &mut [Value]) -> Answer<Reply> {
        if !self.is_index {
            let mut costs = 0;
            for one in given.iter() {
                costs += one.cost_if_bounded().ok_or_else(too_heavy)?;
            }
            charge(caller, costs);
        }
        let reply = (self.run)(caller, given)?;
        if let Reply::Value(made) = &reply {
            charge(caller, made.cost());
        }
        Ok(reply)
    }
}

/// Fault: a value exceeds the memory limits even though its parts are shared.
#[cold]
fn too_heavy() -> Fault {
    let [message, note, help] = TOO_HEAVY;
    Fault::new("too-large", message, note).help(help)
}

/// Charges work. Most calls cost nothing, so the check is inlined.
#[inline]
fn charge(caller: &mut Caller<'_, '_>, operations: usize) {
    if operations > 0 {
        caller.charge(operations);
    }
}

/// A Rust function that can implement a library function. `M` is a marker that distinguishes the implementations of
/// this trait.
pub(crate) trait Runs<M>: Send + Sync + 'static {
    /// Returns the types of the parameters.
    fn types() -> Vec<Type>;

    /// Type of the result.
    const RESULT: Type;

    /// Whether the function changes its first argument in place.
    #[cfg(feature = "walker")]
    const CHANGES: bool;

    /// Calls the function after converting the arguments.
    fn run(&self, caller: &mut Caller<'_, '_>, given: &mut [Value]) -> Answer<Reply>;
}

/// Marker for functions that take only their arguments.
pub(crate) struct TakesArguments;
/// Marker for functions that take the context and their arguments.
pub(crate) struct TakesContext;
/// Marker for functions that take a caller, through which they call closures, and their arguments.
pub(crate) struct TakesCaller;
/// Marker for functions that change their first argument in place.
pub(crate) struct ChangesFirst;
/// Marker for functions that take the context and change their first argument in place.
pub(crate) struct ChangesFirstWithContext;
/// Marker for functions that take a caller and change their first argument in place.
pub(crate) struct ChangesFirstWithCaller;

/// Fault: wrong arguments. Does not occur in practice, since overload resolution checks the types first.
fn wrong_arguments() -> Box<Failure> {
    Fault::new("wrong-arguments", "these arguments do not fit", "the wrong arguments").into()
}

macro_rules! runs {
    ($($name:ident),*) => {
        taking!(TakesArguments, caller, (), ($($name),*));
        taking!(TakesContext, caller, (&mut Context<'_> => &mut **caller), ($($name),*));
        taking!(TakesCaller, caller, (&mut Caller<'_, '_> => caller), ($($name),*));
        changing!(ChangesFirst, caller, (), ($($name),*));
        changing!(ChangesFirstWithContext, caller, (&mut Context<'_> => &mut **caller), ($($name),*));
        changing!(ChangesFirstWithCaller, caller, (&mut Caller<'_, '_> => caller), ($($name),*));
    };
}

/// Implements [`Runs`] for functions with a number of parameters. The context or the caller may precede them.
macro_rules! taking {
    ($kind:ident, $caller:ident, ($($within:ty => $given:expr)?), ($($name:ident),*)) => {
        impl<W, R: ResultType, $($name: Argument),*> Runs<($kind, R, $($name,)*)> for W
        where
            W: Fn($($within,)? $($name),*) -> R + Send + Sync + 'static,
        {
            const RESULT: Type = R::TYPE;
            #[cfg(feature = "walker")]
            const CHANGES: bool = false;

            fn types() -> Vec<Type> {
                vec![$($name::TYPE),*]
            }

            #[allow(non_snake_case, unused_mut, unused_variables, reason = "written for each number of parameters")]
            fn run(&self, $caller: &mut Caller<'_, '_>, given: &mut [Value]) -> Answer<Reply> {
                let mut given = given.iter_mut();
                $(let $name = given.next().and_then($name::take).ok_or_else(wrong_arguments)?;)*
                self($($given,)? $($name),*).into_reply()
            }
        }
    };
}

/// Like `taking`, but for functions that change their first argument in place.
macro_rules! changing {
    ($kind:ident, $caller:ident, ($($within:ty => $given:expr)?), ($($name:ident),*)) => {
        impl<W, R: ResultType, P: ChangedInPlace, $($name: Argument),*> Runs<($kind, R, P, $($name,)*)> for W
        where
            W: Fn($($within,)? &mut P, $($name),*) -> R + Send + Sync + 'static,
        {
            const RESULT: Type = R::TYPE;
            #[cfg(feature = "walker")]
            const CHANGES: bool = true;

            fn types() -> Vec<Type> {
                vec![P::TYPE, $($name::TYPE),*]
            }

            #[allow(non_snake_case, unused_mut, unused_variables, reason = "written for each number of parameters")]
            fn run(&self, $caller: &mut Caller<'_, '_>, given: &mut [Value]) -> Answer<Reply> {
                let mut given = given.iter_mut();
                let place = given.next().and_then(P::place).ok_or_else(wrong_arguments)?;
                $(let $name = given.next().and_then($name::take).ok_or_else(wrong_arguments)?;)*
                self($($given,)? place, $($name),*).into_reply()
            }
        }
    };
}

runs!();
runs!(A);
runs!(A, B);
runs!(A, B, C);
runs!(A, B, C, D);
runs!(A, B, C, D, E);
runs!(A, B, C, D, E, F);
