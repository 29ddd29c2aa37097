//! Closures that library functions store, to call them later.

use crate::decision::Value;
use crate::diagnostic::Place;
use crate::table::Condition;

/// A stored closure. It is plain data and includes the values of the captured variables.
#[derive(Debug, Clone)]
pub struct StoredClosure {
    /// Index of the rule function that contains the closure.
    pub function: u16,
    /// Index of the closure's first instruction in the rule function.
    pub next: u32,
    /// Number of registers of the rule function.
    pub registers: u16,
    /// Register of the closure's first parameter.
    pub params: u8,
    /// Number of the closure's parameters.
    pub arity: u8,
    /// Captured variables, by register.
    pub captured: Vec<(u8, Value)>,
    /// Place of the closure in the source.
    pub place: Option<Place>,
}

impl Condition for StoredClosure {
    fn place(&self) -> Option<Place> {
        self.place.clone()
    }

    fn names_pieces(&self) -> bool {
        self.captured.iter().any(|(_, value)| holds_pieces(value))
    }
}

fn holds_pieces(value: &Value) -> bool {
    match value {
        Value::Piece(_) | Value::Pieces(_) | Value::Options(_) => true,
        Value::List(all) => all.iter().any(holds_pieces),
        Value::Map(parts) => parts.iter().any(|(_, value)| holds_pieces(value)),
        Value::Answers(all) => all.iter().any(|(_, value)| holds_pieces(value)),
        _ => false,
    }
}
