//! Faults of the machine.

use crate::decision::{ASK_FIRST, Value, index_help};
use crate::diagnostic::{Fault, flag_expected, sentence};

/// Creates a fault with the label `here`.
pub fn boxed_fault(code: &'static str, message: impl Into<String>) -> Box<Fault> {
    Box::new(Fault::new(code, message, "here"))
}

/// Result of an operation of the machine.
pub type Answer<T> = Result<T, Box<Fault>>;

/// Returns the fault for a value that is not a Boolean where one is required.
pub(super) fn not_a_flag(value: &Value) -> Box<Fault> {
    Box::new(flag_expected(&value.kind(), *value == Value::Nothing))
}

/// Returns the fault for indexing a value that cannot be indexed, or that cannot be indexed by a value such as `index`.
pub(crate) fn not_indexed(of: &Value, index: &Value) -> Box<Fault> {
    if *of == Value::Nothing {
        return Box::new(sentence::nothing_found("an entry was asked", ASK_FIRST));
    }
    let help = index_help(&[of.sort()], &[index.sort()]);
    Box::new(sentence::not_indexed(&of.kind(), &format!("by {}", index.kind()), help))
}
