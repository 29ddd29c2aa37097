//! What the machine asks of a game, and what a fault is made of.

use super::code::Symbol;
use super::fault::{Answer, MachineFault, not_indexed};
use super::{operator, standard};
use crate::decision::Value;
use crate::diagnostic::sentence;
use crate::library::entry::kept::KeptFunction;
use crate::syntax::{BinaryOp, Span};

/// What a call of the library results in.
#[derive(Debug)]
pub enum Called {
    /// A value.
    Value(Value),
    /// An answer is waited for, and will be the value.
    Asked,
    /// Functions of the program are to be called with the arguments, one after the other; the last one's value counts.
    #[allow(clippy::box_collection, reason = "the result of a call is no larger than a value")]
    Functions(Box<Vec<usize>>),
}

/// What a program runs in: the game, and the library.
pub trait Context {
    /// How much has been done in calls since this was last asked.
    fn worked(&mut self) -> u64 {
        0
    }

    /// How much may be done from here on, if a seat has answered since this was last asked.
    fn refueled(&mut self) -> Option<u64> {
        None
    }

    /// Whether what runs is given up, and nobody asks where it was.
    fn is_stopped(&self) -> bool {
        false
    }

    /// What a name stands for that is no variable.
    fn global(&mut self, name: Symbol<'_>) -> Answer<Value>;

    /// What something has behind a dot.
    fn field(&mut self, of: &Value, name: Symbol<'_>) -> Answer<Value>;

    /// Sets what something has behind a dot.
    fn set_field(&mut self, of: &Value, name: Symbol<'_>, value: Value) -> Answer<()>;

    /// What stands in brackets behind something.
    fn index(&mut self, of: &Value, index: &Value) -> Answer<Value> {
        Err(not_indexed(of, index))
    }

    /// Sets what stands in brackets behind something.
    fn set_index(&mut self, of: &Value, index: &Value, value: Value) -> Answer<()> {
        let _ = (index, value);
        Err(MachineFault::said(sentence::not_set(&of.kind())))
    }

    /// Puts several things back behind a dot where they are kept there and were changed in place; elsewhere they were nobody's.
    fn put_back(&mut self, of: &Value, name: Symbol<'_>, several: &Value) -> Answer<()> {
        let _ = (of, name, several);
        Ok(())
    }

    /// What an operator makes of things of the game.
    fn operate(&mut self, op: BinaryOp, left: &Value, right: &Value) -> Answer<Value> {
        operator::binary(op, left, right)
    }

    /// The things that one stands for where several are asked for.
    fn several(&mut self, of: &Value) -> Option<Value> {
        let _ = of;
        None
    }

    /// Calls a function of the library; one that changes its first argument leaves it changed.
    fn native(&mut self, name: Symbol<'_>, arguments: &mut [Value]) -> Answer<Called>;

    /// Calls a function of the library that goes by what a function `|…|` resulted in for each of several things.
    fn judge(&mut self, name: Symbol<'_>, entries: &Value, results: &[Value]) -> Answer<Value> {
        let _ = (entries, results);
        Err(standard::unknown(name.text))
    }

    /// The call of the library that follows may keep the function `|…|` that it is given, which stands at a place of a source.
    fn may_keep(&mut self, kept: KeptFunction, place: (u16, Span)) {
        let _ = (kept, place);
    }

    /// A statement that is watched begins.
    fn reached(&mut self, point: u32) {
        let _ = point;
    }

    /// Calls a function of the library that calls a function it is given.
    fn native_with(
        &mut self,
        name: Symbol<'_>,
        arguments: &mut [Value],
        call: &mut dyn FnMut(&mut Self, &[Value]) -> Answer<Value>,
    ) -> Answer<Called>;
}
