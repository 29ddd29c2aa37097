//! Functions `|…|` that are kept.

use crate::decision::Value;
use crate::diagnostic::Place;
use crate::table::Condition;

/// A function `|…|` that is kept: plain data, with what its variables held.
#[derive(Debug, Clone)]
pub struct KeptFunction {
    /// The function of the rules that it is written in.
    pub function: u16,
    /// Its first instruction there.
    pub next: u32,
    /// How many registers that function has.
    pub registers: u16,
    /// Where its parameters begin among them.
    pub params: u8,
    /// How many it takes.
    pub arity: u8,
    /// The variables around it that it reads, by their registers.
    pub captured: Vec<(u8, Value)>,
    /// Where it stands.
    pub place: Option<Place>,
}

impl Condition for KeptFunction {
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
