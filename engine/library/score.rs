//! What a score results in, and how it is evaluated: numbers, parts, sums and products.

use crate::decision::Choice;
use std::sync::Arc;

/// One of several numbers that a part of a score adds up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// What it is for, where the game says so.
    pub name: Option<Arc<str>>,
    /// The numbers that are multiplied.
    pub factors: Vec<i64>,
}

/// What a score is, and how it is made up.
#[derive(Debug, Default)]
pub struct Total {
    /// The number shown and charted.
    pub number: i64,
    /// Its parts, where the game names them.
    pub breakdown: Vec<(Arc<str>, i64)>,
    /// How parts are evaluated that say so.
    pub workings: Vec<(Arc<str>, Vec<Term>)>,
}

impl Total {
    /// A number, or a map of parts: each a number, or how it is evaluated. Nothing for anything else, and for numbers too large.
    pub fn of(score: &Choice) -> Option<Self> {
        let parts = match score {
            Choice::Number(number) => return Some(Self { number: *number, ..Self::default() }),
            Choice::Parts(parts) => parts,
            _ => return None,
        };
        let mut total = Self::default();
        for (name, part) in parts.iter() {
            let terms = terms(part)?;
            let number = terms.iter().try_fold(0_i64, |sum, term| sum.checked_add(term.number()?))?;
            total.number = total.number.checked_add(number)?;
            total.breakdown.push((name.as_str().into(), number));
            if !matches!(part, Choice::Number(_)) {
                total.workings.push((name.as_str().into(), terms));
            }
        }
        Some(total)
    }
}

/// What a part of a score adds up: itself, the entries of a list, or the named entries of a map; the entries of a list within
/// are multiplied.
fn terms(part: &Choice) -> Option<Vec<Term>> {
    let term = |name: Option<&str>, entry: &Choice| {
        let factors = match entry {
            Choice::Many(factors) => factors.iter().map(number).collect::<Option<_>>()?,
            single => vec![number(single)?],
        };
        Some(Term { name: name.map(Arc::from), factors })
    };
    match part {
        Choice::Number(number) => Some(vec![Term { name: None, factors: vec![*number] }]),
        Choice::Many(all) => all.iter().map(|entry| term(None, entry)).collect(),
        Choice::Parts(all) => all.iter().map(|(name, entry)| term(Some(name), entry)).collect(),
        _ => None,
    }
}

impl Term {
    /// Its value; nothing where it is too large.
    pub fn number(&self) -> Option<i64> {
        self.factors.iter().try_fold(1_i64, |product, factor| product.checked_mul(*factor))
    }
}

/// A number, if it is one.
pub fn number(choice: &Choice) -> Option<i64> {
    match choice {
        Choice::Number(number) => Some(*number),
        _ => None,
    }
}
