//! The answers given in a game: all of them, those of the step under way, and those of a step that is run again.

use super::choice::Choice;
use super::log::Log;
use super::redeal::{Act, Redeal};
use crate::model::{ComponentId, DecisionId, PieceId, Seat};
use crate::table::Chance;
use std::collections::VecDeque;
use std::sync::Arc;

/// An answer given in a step, kept so that the step can be run again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// Who was asked.
    pub seat: Seat,
    /// What was asked.
    pub decision: DecisionId,
    /// What was chosen; nothing when there was nothing to choose.
    pub choice: Option<Choice>,
    /// Whether others may not know of it yet, because they are being asked at the same time.
    pub pending: bool,
    /// Whether everybody learns of it, if not now then once all have answered; otherwise the seat alone knows that it was asked.
    pub is_public: bool,
}

/// One entry of the list that determines a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// Who was asked.
    pub seat: Seat,
    /// What was asked.
    pub decision: DecisionId,
    /// What was chosen.
    pub choice: Choice,
    /// How many options there were.
    pub offered: u32,
}

/// A piece that somebody chose, and what is printed on it.
pub type ChosenFace = (PieceId, (ComponentId, Option<Seat>));

/// A step that is run again as one seat imagines it: what others were asked and answered without its knowledge is drawn at random.
#[derive(Debug, Clone)]
pub struct Imagining {
    /// Who imagines.
    pub seat: Seat,
    /// The decision that is open, where the step is to arrive.
    pub asked: (Seat, DecisionId),
    /// The number of the round of decisions put together that is open, if one is.
    pub together: Option<u32>,
    /// Whether there is nothing to choose from where the open decision is.
    pub has_nothing: bool,
    /// The pieces that others chose and the seat knows by now, with their faces.
    pub chosen: Arc<[ChosenFace]>,
    /// Where random answers come from.
    pub chance: Chance,
}

/// A step that is being run again up to the open decision: nothing is noted or counted meanwhile.
#[derive(Debug, Clone)]
pub struct Rerun {
    /// Who imagines it, if anybody.
    pub imagining: Option<Imagining>,
    /// The randomness that takes over at the open decision.
    pub chance_after: Chance,
}

/// The answers given in a game in progress.
#[derive(Debug, Clone, Default)]
pub struct AnswerLog {
    /// The positions of the options chosen, in order: with the game, the setup and the redeals they determine everything.
    pub positions: Log<u64>,
    /// The redeals, each with the number of answers before it.
    pub redeals: Log<(usize, Redeal)>,
    /// Every answer since the game began.
    pub chosen: Log<Chosen>,
    /// How many decisions had only one answer.
    pub forced: u64,
    /// The answers given in this step so far; none where no step is ever run again.
    pub given: Log<Given>,
    /// Whether the game is only played on: no step is ever run again.
    pub is_passing: bool,
    /// The answers already known for this step, first to be used first.
    pub replay: VecDeque<Given>,
    /// While this step is run again.
    pub rerun: Option<Box<Rerun>>,
}

impl AnswerLog {
    /// The answers and the redeals, in order.
    pub fn acts(&self) -> Vec<Act> {
        let mut acts = Vec::with_capacity(self.positions.len() + self.redeals.len());
        let mut redeals = self.redeals.iter().peekable();
        for (at, position) in self.positions.iter().enumerate() {
            while let Some((_, redeal)) = redeals.next_if(|(before, _)| *before <= at) {
                acts.push(Act::Redeal(*redeal));
            }
            acts.push(Act::Answer(*position));
        }
        acts.extend(redeals.map(|(_, redeal)| Act::Redeal(*redeal)));
        acts
    }

    /// Whether the step is being run again up to the open decision.
    pub fn is_rerunning(&self) -> bool {
        self.rerun.is_some()
    }

    /// Whether a step that is run again by a seat which imagines it has come to that seat's open decision.
    pub fn is_at_open(&self, seat: Seat, decision: DecisionId) -> bool {
        let imagining = self.rerun.as_ref().and_then(|rerun| rerun.imagining.as_ref());
        imagining.is_some_and(|imagining| imagining.asked == (seat, decision) && imagining.seat == seat)
            && self.replay.is_empty()
    }

    /// The pieces that a seat chose and the seat that imagines the step knows by now, if it is another one.
    pub fn chosen_faces(&self, seat: Seat) -> Arc<[ChosenFace]> {
        let imagining = self.rerun.as_ref().and_then(|rerun| rerun.imagining.as_ref());
        imagining
            .filter(|imagining| imagining.seat != seat)
            .map(|imagining| imagining.chosen.clone())
            .unwrap_or_default()
    }

    /// There is nothing to choose from where the open decision is.
    pub fn leave_nothing(&mut self) {
        if let Some(imagining) = self.rerun.as_mut().and_then(|rerun| rerun.imagining.as_mut()) {
            imagining.has_nothing = true;
        }
    }

    /// The answer to a decision that this step was given before, if it is being run again.
    pub fn replayed(&mut self, seat: Seat, decision: DecisionId) -> Option<Given> {
        let is_next = self.replay.front().is_some_and(|next| (next.seat, next.decision) == (seat, decision));
        if is_next { self.replay.pop_front() } else { None }
    }
}
