//! A function of the library with its native, the function of Rust behind it.

#![allow(clippy::inline_always, reason = "each call of the rules goes through it")]

use super::argument::{Argument, ChangedInPlace, ResultType};
use super::caller::Caller;
use super::reply::Reply;
use crate::decision::{TOO_HEAVY, Type, Value};
use crate::library::context::Context;
use crate::library::context::fault::{Answer, Failure, Fault};
use crate::library::entry::Entry;

/// A function of the library with its native.
pub(crate) struct Native {
    /// What is written down of it, which a call does not look at: all that a call needs lies close together.
    pub entry: Box<Entry>,
    /// Whether it stands in brackets behind a value.
    pub is_index: bool,
    /// Whether it changes its first argument in place.
    #[cfg(feature = "walker")]
    pub changes: bool,
    /// What it does.
    pub run: Box<Run>,
}

/// A native: it is given what it runs in, and its arguments, of the types it says.
type Run = dyn Fn(&mut Caller<'_, '_>, &mut [Value]) -> Answer<Reply> + Send + Sync;

impl Native {
    /// Calls it with arguments of its types: what it is given and what it results in count as work, but for that of which
    /// one entry alone is taken.
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

/// A value that is larger than anything a step may hold, because lists in it share what is in them.
#[cold]
fn too_heavy() -> Fault {
    let [message, note, help] = TOO_HEAVY;
    Fault::new("too-large", message, note).help(help)
}

/// Most calls are of things that cost nothing.
#[inline]
fn charge(caller: &mut Caller<'_, '_>, operations: usize) {
    if operations > 0 {
        caller.charge(operations);
    }
}

/// A function of Rust that can be a native. `M` tells the sorts apart.
pub(crate) trait Runs<M>: Send + Sync + 'static {
    /// The types of its parameters.
    fn types() -> Vec<Type>;

    /// The type of its result.
    const RESULT: Type;

    /// Whether it changes its first argument in place.
    #[cfg(feature = "walker")]
    const CHANGES: bool;

    /// Calls it with arguments of its types.
    fn run(&self, caller: &mut Caller<'_, '_>, given: &mut [Value]) -> Answer<Reply>;
}

/// A function that takes its arguments alone.
pub(crate) struct Plain;
/// A function that takes the execution context, and its arguments.
pub(crate) struct Within;
/// A function that takes the execution context in which it calls functions, and its arguments.
pub(crate) struct Calling;
/// A function that changes its first argument in place.
pub(crate) struct Changing;
/// A function that does so within the execution context.
pub(crate) struct ChangingWithin;
/// A function that does so and calls functions.
pub(crate) struct ChangingCalling;

/// It was called with other arguments than it says: the caller looks first.
fn misfit() -> Box<Failure> {
    Fault::new("wrong-arguments", "these arguments do not fit", "the wrong arguments").into()
}

macro_rules! runs {
    ($($name:ident),*) => {
        taking!(Plain, caller, (), ($($name),*));
        taking!(Within, caller, (&mut Context<'_> => &mut **caller), ($($name),*));
        taking!(Calling, caller, (&mut Caller<'_, '_> => caller), ($($name),*));
        changing!(Changing, caller, (), ($($name),*));
        changing!(ChangingWithin, caller, (&mut Context<'_> => &mut **caller), ($($name),*));
        changing!(ChangingCalling, caller, (&mut Caller<'_, '_> => caller), ($($name),*));
    };
}

/// A function of so many arguments, before which it is given what it runs in or nothing.
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
                $(let $name = given.next().and_then($name::take).ok_or_else(misfit)?;)*
                self($($given,)? $($name),*).into_reply()
            }
        }
    };
}

/// The same of one that changes its first argument in place.
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
                let place = given.next().and_then(P::place).ok_or_else(misfit)?;
                $(let $name = given.next().and_then($name::take).ok_or_else(misfit)?;)*
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
