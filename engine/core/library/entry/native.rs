//! Library functions implemented in Rust.

#![allow(clippy::inline_always, reason = "each call of the rules goes through it")]

use super::argument::{Argument, ChangedInPlace, ResultType};
use super::caller::{Caller, Calls};
use super::reply::Reply;
use crate::decision::{TOO_HEAVY, Type, Value};
use crate::library::context::Context;
use crate::library::context::fault::{Answer, Failure, Fault};
use crate::library::entry::Entry;

/// A library function with its implementation.
pub(crate) struct Native {
    /// The entry. Calls do not need it, so it is boxed to keep the data that they do need close together in memory.
    pub entry: Box<Entry>,
    /// Whether the function changes its first argument in place.
    #[cfg(feature = "walker")]
    pub changes: bool,
    /// The implementation.
    pub implementation: Implementation,
}

/// Type-erased implementation. Checks the types of its arguments, and charges the sizes of the arguments and of the result as work. The
/// static types are known here, so the sizes of most arguments need not be determined.
pub(crate) enum Implementation {
    /// A function that never calls a closure. It receives the context directly, without dynamic dispatch.
    Plain(Box<PlainFn>),
    /// A function that may call the closure that was passed to it.
    Calling(Box<CallingFn>),
}

type PlainFn = dyn Fn(&mut Context<'_>, &mut [Value]) -> Answer<Reply> + Send + Sync;
type CallingFn = dyn Fn(&mut Caller<'_, '_>, &mut [Value]) -> Answer<Reply> + Send + Sync;

impl Native {
    /// Calls the function, which may call the closure of `calls`.
    pub(crate) fn call_with(&self, calls: &mut dyn Calls<'_>, given: &mut [Value]) -> Answer<Reply> {
        match &self.implementation {
            Implementation::Plain(_) => self.call(calls.context_mut(), given),
            Implementation::Calling(run) => run(&mut Caller::new(calls), given),
        }
    }

    /// Calls the function without a closure.
    #[inline(always)]
    pub(crate) fn call(&self, context: &mut Context<'_>, given: &mut [Value]) -> Answer<Reply> {
        match &self.implementation {
            Implementation::Plain(run) => run(context, given),
            Implementation::Calling(run) => run(&mut Caller::new(context), given),
        }
    }
}

/// Charges the size of a result as work, if a result of its type can have a size.
#[inline(always)]
fn charge_result<R: ResultType>(context: &Context<'_>, reply: &Reply) {
    if !R::IS_FREE
        && let Reply::Value(made) = reply
    {
        charge(context, R::cost_of(made));
    }
}

/// Creates the fault for a value that exceeds the memory limits even if its shared parts are counted once.
#[cold]
fn too_heavy() -> Fault {
    let [message, note, help] = TOO_HEAVY;
    Fault::new("too-large", message, note).help(help)
}

/// Charges work. Most calls cost nothing, so the check is inlined.
#[inline]
fn charge(context: &Context<'_>, operations: usize) {
    if operations > 0 {
        context.charge(operations);
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

    /// Wraps the function in code that converts its arguments and its result. `charges` says whether the sizes of the arguments are charged
    /// as work.
    fn implementation(self, charges: bool) -> Implementation;
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

/// Creates the fault for wrong arguments. This fault does not occur in practice, since overload resolution checks the types first.
#[cold]
fn wrong_arguments() -> Box<Failure> {
    Fault::new("wrong-arguments", "these arguments do not fit", "the wrong arguments").into()
}

macro_rules! runs {
    ($($name:ident),*) => {
        taking!(TakesArguments, Plain(&mut Context<'_>), environment, (), ($($name),*));
        taking!(TakesContext, Plain(&mut Context<'_>), environment, (&mut Context<'_>), ($($name),*));
        taking!(TakesCaller, Calling(&mut Caller<'_, '_>), environment, (&mut Caller<'_, '_>), ($($name),*));
        changing!(ChangesFirst, Plain(&mut Context<'_>), environment, (), ($($name),*));
        changing!(ChangesFirstWithContext, Plain(&mut Context<'_>), environment, (&mut Context<'_>), ($($name),*));
        changing!(ChangesFirstWithCaller, Calling(&mut Caller<'_, '_>), environment, (&mut Caller<'_, '_>), ($($name),*));
    };
}

/// Passes the environment on to functions that take one.
macro_rules! environment_for {
    ($environment:ident, $within:ty) => {
        $environment
    };
}

/// Implements [`Runs`] for functions with the given parameters. The context or the caller may precede them.
macro_rules! taking {
    ($kind:ident, $form:ident($of:ty), $environment:ident, ($($within:ty)?), ($($name:ident),*)) => {
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

            #[allow(non_snake_case, unused_variables, reason = "written for each number of parameters")]
            fn implementation(self, charges: bool) -> Implementation {
                Implementation::$form(Box::new(move |$environment: $of, given: &mut [Value]| {
                    let [$($name),*] = given else { return Err(wrong_arguments()) };
                    if charges {
                        charge($environment, 0 $(+ $name::cost($name).ok_or_else(too_heavy)?)*);
                    }
                    $(let $name = $name::take($name).ok_or_else(wrong_arguments)?;)*
                    let reply = self($(environment_for!($environment, $within),)? $($name),*).into_reply()?;
                    charge_result::<R>($environment, &reply);
                    Ok(reply)
                }))
            }
        }
    };
}

/// Like `taking`, but for functions that change their first argument in place.
macro_rules! changing {
    ($kind:ident, $form:ident($of:ty), $environment:ident, ($($within:ty)?), ($($name:ident),*)) => {
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

            #[allow(non_snake_case, unused_variables, reason = "written for each number of parameters")]
            fn implementation(self, charges: bool) -> Implementation {
                Implementation::$form(Box::new(move |$environment: $of, given: &mut [Value]| {
                    let [place, $($name),*] = given else { return Err(wrong_arguments()) };
                    if charges {
                        let costs = P::cost(place).ok_or_else(too_heavy)? $(+ $name::cost($name).ok_or_else(too_heavy)?)*;
                        charge($environment, costs);
                    }
                    let place = P::place(place).ok_or_else(wrong_arguments)?;
                    $(let $name = $name::take($name).ok_or_else(wrong_arguments)?;)*
                    let reply = self($(environment_for!($environment, $within),)? place, $($name),*).into_reply()?;
                    charge_result::<R>($environment, &reply);
                    Ok(reply)
                }))
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
