//! A decision that a script asks of a seat, and how the answer is given.

use super::answers::{AnswerSpace, Copies};
use super::choice::Choice;
use super::options::OptionSet;
use crate::model::{DecisionId, Seat};
use std::sync::Arc;

/// A decision that is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// Who is asked.
    pub seat: Seat,
    /// Which decision.
    pub id: DecisionId,
    /// What may be chosen, without a pass.
    pub options: OptionSet,
    /// What [`Choice::Nothing`] means here, if it may be chosen: it comes after the other options.
    pub pass: Option<Pass>,
    /// What has been picked before, where several are picked one by one.
    pub picked: Vec<Choice>,
    /// The least and the most that are picked, where several are.
    pub picks: Option<(u32, u32)>,
    /// All that several are picked from, where their order does not count, alike things one after the other: they are picked in
    /// this order. Empty elsewhere.
    pub among: Arc<[Choice]>,
    /// What it names.
    pub about: About,
    /// The complete answers that the options lead to.
    pub answers: AnswerSpace,
}

/// What a decision is about: what the names stand for that it has room for.
pub type About = Arc<[(Arc<str>, Choice)]>;

/// What choosing nothing means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pass {
    /// The seat passes.
    Pass,
    /// The seat has picked enough.
    Done,
}

impl Pass {
    /// The word for it in plays and logs.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Done => "done",
        }
    }
}

impl Decision {
    /// A decision for one thing.
    pub(crate) fn single(
        seat: Seat,
        id: DecisionId,
        (options, copies): (OptionSet, Copies),
        pass: Option<Pass>,
    ) -> Self {
        let (among, about, answers) = (Arc::default(), Arc::default(), AnswerSpace::Single(copies));
        Self { seat, id, options, pass, picked: Vec::new(), picks: None, among, about, answers }
    }

    /// The same about something.
    pub(crate) fn about(self, about: About) -> Self {
        Self { about, ..self }
    }

    /// How many more have to be picked before the picking may end: none where one thing is chosen.
    pub fn missing(&self) -> usize {
        self.picks.map_or(0, |(least, _)| (least as usize).saturating_sub(self.picked.len()))
    }

    /// How many options there are, a pass included.
    pub fn count(&self) -> usize {
        self.options.len() + usize::from(self.pass.is_some())
    }

    /// The option at a position; a pass comes last.
    ///
    /// # Panics
    /// When there are not so many.
    pub fn option(&self, at: usize) -> Choice {
        if self.pass.is_some() && at == self.options.len() { Choice::Nothing } else { self.options.get(at) }
    }

    /// Where an option stands, if it is offered.
    pub fn position(&self, choice: &Choice) -> Option<usize> {
        if self.pass.is_some() && *choice == Choice::Nothing {
            return Some(self.options.len());
        }
        self.options.position(choice)
    }
}
