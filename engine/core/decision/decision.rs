//! Decisions that scripts ask seats to make.

use super::answer_space::{AnswerSpace, Copies};
use super::choice::Choice;
use super::options::OptionSet;
use crate::model::{DecisionId, Seat};
use std::sync::Arc;

/// An open decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// The seat that is asked.
    pub seat: Seat,
    /// Id of the declared decision.
    pub id: DecisionId,
    /// The options, without the pass.
    pub options: OptionSet,
    /// Meaning of [`Choice::Nothing`]; `None` if this answer is not allowed. The pass comes after all other options.
    pub pass: Option<Pass>,
    /// Options picked so far, if several are picked one by one.
    pub picked: Vec<Choice>,
    /// Minimum and maximum number of picks, if several options are picked.
    pub picks: Option<(u32, u32)>,
    /// All items that an unordered selection is picked from. Equivalent items are adjacent, and picks are made in this order. Empty for
    /// other decisions.
    pub among: Arc<[Choice]>,
    /// Arguments of the question's text.
    pub about: About,
    /// The complete answers that the options lead to.
    pub answers: AnswerSpace,
}

/// Arguments of a question's text: pairs of placeholder and value.
pub type About = Arc<[(Arc<str>, Choice)]>;

/// Meaning of [`Choice::Nothing`] as an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pass {
    /// The seat passes.
    Pass,
    /// The seat ends its selection.
    Done,
}

impl Pass {
    /// Returns the word used in playscripts and logs.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Done => "done",
        }
    }
}

impl Decision {
    /// Creates a decision in which the seat chooses a single option.
    pub(crate) fn single(
        seat: Seat,
        id: DecisionId,
        (options, copies): (OptionSet, Copies),
        pass: Option<Pass>,
    ) -> Self {
        let (among, about, answers) = (Arc::default(), Arc::default(), AnswerSpace::Single(copies));
        Self { seat, id, options, pass, picked: Vec::new(), picks: None, among, about, answers }
    }

    /// Sets the arguments of the question's text.
    pub(crate) fn about(self, about: About) -> Self {
        Self { about, ..self }
    }

    /// Returns the number of picks that are still required. Returns 0 if a single option is chosen.
    pub fn missing(&self) -> usize {
        self.picks.map_or(0, |(least, _)| (least as usize).saturating_sub(self.picked.len()))
    }

    /// Returns the number of options, including the pass.
    pub fn count(&self) -> usize {
        self.options.len() + usize::from(self.pass.is_some())
    }

    /// Returns the option at position `at`. The pass comes last.
    ///
    /// # Panics
    /// Panics if `at` is not less than [`count`](Self::count).
    pub fn option(&self, at: usize) -> Choice {
        if self.pass.is_some() && at == self.options.len() { Choice::Nothing } else { self.options.get(at) }
    }

    /// Returns the position of an option, or `None` if it is not offered.
    pub fn position(&self, choice: &Choice) -> Option<usize> {
        if self.pass.is_some() && *choice == Choice::Nothing {
            return Some(self.options.len());
        }
        self.options.position(choice)
    }
}
