//! The interface between the machine and the game.

use super::code::Symbol;
use super::fault::{Answer, not_indexed};
use super::{operator, standard};
use crate::decision::Value;
use crate::diagnostic::sentence;
use crate::library::entry::stored_closure::StoredClosure;
use crate::syntax::{BinaryOp, Span};

/// Result of a library call.
#[derive(Debug)]
pub enum NativeResult {
    /// A value.
    Value(Value),
    /// A question to a seat. The answer becomes the value.
    Asked,
    /// Functions of the program to call in order, each with the arguments of the library call. The result of the last function becomes the
    /// value.
    #[allow(clippy::box_collection, reason = "the result of a call is no larger than a value")]
    Functions(Box<Vec<usize>>),
}

/// The environment of a program: the game and the library.
pub trait Context {
    /// Returns the work done in library calls since the last call of this method, in operations.
    fn take_work(&mut self) -> u64 {
        0
    }

    /// Returns the new amount of fuel, if a seat has answered since the last call of this method.
    fn take_refuel(&mut self) -> Option<u64> {
        None
    }

    /// Returns whether the run was canceled. The backtrace of a canceled run is not needed.
    fn is_stopped(&self) -> bool {
        false
    }

    /// Returns the value of a name that is not a variable.
    fn global(&mut self, name: Symbol<'_>) -> Answer<Value>;

    /// Returns a field of a value.
    fn field(&mut self, of: &Value, name: Symbol<'_>) -> Answer<Value>;

    /// Like [`field`](Self::field), but may return a zone or space instead of the list of its pieces. The next library call is a query that
    /// treats both alike.
    fn queried_pieces(&mut self, of: &Value, name: Symbol<'_>) -> Answer<Value> {
        self.field(of, name)
    }

    /// Assigns to a field of a value.
    fn set_field(&mut self, of: &Value, name: Symbol<'_>, value: Value) -> Answer<()>;

    /// Returns an entry of a value.
    fn index(&mut self, of: &Value, index: &Value) -> Answer<Value> {
        Err(not_indexed(of, index))
    }

    /// Assigns to an entry of a value.
    fn set_index(&mut self, of: &Value, index: &Value, value: Value) -> Answer<()> {
        let _ = (index, value);
        Err(Box::new(sentence::not_set(&of.kind())))
    }

    /// Writes a collection that was changed in place back to its field. Does nothing for computed fields.
    fn put_back(&mut self, of: &Value, name: Symbol<'_>, several: &Value) -> Answer<()> {
        let _ = (of, name, several);
        Ok(())
    }

    /// Applies an operator to game objects.
    fn operate(&mut self, op: BinaryOp, left: &Value, right: &Value) -> Answer<Value> {
        operator::binary(op, left, right)
    }

    /// Returns the elements of a value that represents several game objects, such as the pieces in a zone. Returns `None` for other values.
    fn elements(&mut self, of: &Value) -> Option<Value> {
        let _ = of;
        None
    }

    /// Like [`native`](Self::native), for calls whose overload never calls a function of the program, which are most calls. `call` is the
    /// index of the library call. Returns `None` for all other calls, and then does nothing.
    fn call_plain(&mut self, call: u16, arguments: &mut [Value]) -> Option<Answer<NativeResult>> {
        let _ = (call, arguments);
        None
    }

    /// Calls a library function. If the function changes its first argument, leaves the new value in `arguments`.
    fn native(&mut self, name: Symbol<'_>, arguments: &mut [Value]) -> Answer<NativeResult>;

    /// Calls a library function with the results of a closure. `results` contains the closure's result for each of `entries`.
    fn native_on_results(&mut self, name: Symbol<'_>, entries: &Value, results: &[Value]) -> Answer<Value> {
        let _ = (entries, results);
        Err(standard::unknown(name.text()))
    }

    /// Offers a closure to the next library call, which may store the closure. `source` is the index of the source text that contains the
    /// closure.
    fn offer_closure(&mut self, kept: StoredClosure, source: u16, span: Span) {
        let _ = (kept, source, span);
    }

    /// Reports that the functions of a [`NativeResult::Functions`] have returned.
    fn functions_returned(&mut self) {}

    /// Reports that a watched statement starts.
    fn reached(&mut self, point: u32) {
        let _ = point;
    }

    /// Calls a library function that takes a function. The library function calls the passed function through `call`.
    fn native_with(
        &mut self,
        name: Symbol<'_>,
        arguments: &mut [Value],
        call: &mut dyn FnMut(&mut Self, &[Value]) -> Answer<Value>,
    ) -> Answer<NativeResult>;
}
