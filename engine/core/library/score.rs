//! Scores: the value of a game's `score` function, its parts, and how each part is computed.

use crate::decision::Choice;
use std::sync::Arc;

/// A summand of a score part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// Label of the summand, if the rules give one.
    pub name: Option<Arc<str>>,
    /// Factors, whose product is the value of the summand.
    pub factors: Vec<i64>,
}

/// A score with its breakdown.
#[derive(Debug, Default)]
pub struct ScoreTotal {
    /// The score as shown and charted.
    pub number: i64,
    /// Value of each named part, in the order of the rules.
    pub breakdown: Vec<(Arc<str>, i64)>,
    /// Summands of each part that is written as a formula.
    pub workings: Vec<(Arc<str>, Vec<Term>)>,
}

impl ScoreTotal {
    /// Parses the value of a `score` function: a number, or a map from part to number or formula.
    ///
    /// Returns `None` for other types and on overflow.
    pub fn parse(score: &Choice) -> Option<Self> {
        let parts = match score {
            Choice::Number(number) => return Some(Self { number: *number, ..Self::default() }),
            Choice::Parts(parts) => parts,
            _ => return None,
        };
        let mut total = Self::default();
        for (name, part) in parts.iter() {
            let terms = parse_terms(part)?;
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

/// Parses a score part into summands: a number, a list to sum up, or a map with labeled summands. A nested list is a product.
fn parse_terms(part: &Choice) -> Option<Vec<Term>> {
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
    /// Returns the product of the factors, or `None` on overflow.
    pub fn number(&self) -> Option<i64> {
        self.factors.iter().try_fold(1_i64, |product, factor| product.checked_mul(*factor))
    }
}

/// Returns the number if the value is a number, otherwise `None`.
pub fn number(choice: &Choice) -> Option<i64> {
    match choice {
        Choice::Number(number) => Some(*number),
        _ => None,
    }
}
