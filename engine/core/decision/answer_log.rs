//! Log of the answers of a game, including those needed to run an unfinished step again.

use super::choice::Choice;
use super::log::Log;
use super::redeal::{Act, Redeal};
use crate::model::{ComponentId, DecisionId, PieceId, Seat};
use crate::table::Chance;
use std::collections::VecDeque;
use std::sync::Arc;

/// An answer given in a step, kept so that the step can be run again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepAnswer {
    /// The seat that was asked.
    pub seat: Seat,
    /// The decision that was answered.
    pub decision: DecisionId,
    /// The option chosen; `None` if there was nothing to choose from.
    pub choice: Option<Choice>,
    /// Whether the answer is still hidden from other seats, because they are answering at the same time.
    pub pending: bool,
    /// Whether all seats learn the answer (if `pending`, once all have answered). If not, only the seat knows that it was asked.
    pub is_public: bool,
}

/// An answer in the history of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedAnswer {
    /// The seat that was asked.
    pub seat: Seat,
    /// The decision that was answered.
    pub decision: DecisionId,
    /// The option chosen.
    pub choice: Choice,
    /// Number of options that were offered.
    pub offered: u32,
}

/// Piece that was chosen, with its component and its owner.
pub type ChosenFace = (PieceId, (ComponentId, Option<Seat>));

/// State of a step that is run again in a world imagined by a seat. Decisions and answers unknown to that seat are drawn at random.
#[derive(Debug, Clone)]
pub struct Imagining {
    /// The seat that imagines the world.
    pub seat: Seat,
    /// The open decision, which the rerun has to reach.
    pub asked: (Seat, DecisionId),
    /// Number of the open round of simultaneous decisions, if any.
    pub together: Option<u32>,
    /// Whether the open decision turned out to have no options in this world.
    pub has_nothing: bool,
    /// Pieces that other seats chose and whose faces the imagining seat knows.
    pub chosen: Arc<[ChosenFace]>,
    /// Random number generator for the unknown answers.
    pub chance: Chance,
    /// Whether random picks (`any_of`) turn out as in the actual game. Their results are not hidden, only not yet known.
    pub keeps_picks: bool,
}

/// A step that is being run again up to the open decision. Nothing is logged or counted during a rerun.
#[derive(Debug, Clone)]
pub struct Rerun {
    /// Imagined world of the rerun. `None` if the rerun repeats the actual step.
    pub imagining: Option<Imagining>,
    /// Random number generator for everything from the open decision on.
    pub chance_after: Chance,
}

/// The answers given in a game in progress.
#[derive(Debug, Clone, Default)]
pub struct AnswerLog {
    /// Positions of the chosen options, in order. Together with the game, the setup and the redeals they determine the session.
    pub positions: Log<u64>,
    /// Redeals, each with the number of answers before it.
    pub redeals: Log<(usize, Redeal)>,
    /// All answers since the game began.
    pub chosen: Log<RecordedAnswer>,
    /// Number of decisions that had only one answer.
    pub forced: u64,
    /// Answers given in the current step so far. Empty if steps are never run again.
    pub given: Log<StepAnswer>,
    /// Whether the session is a playout, which is only played to its end. Its steps are never run again, so `given` stays empty.
    pub is_playout: bool,
    /// Known answers for the step that is being run again, next one first.
    pub replay: VecDeque<StepAnswer>,
    /// Rerun in progress. `None` while no step is run again.
    pub rerun: Option<Box<Rerun>>,
}

impl AnswerLog {
    /// Returns the answers and redeals in chronological order.
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

    /// Returns whether a step is being run again.
    pub fn is_rerunning(&self) -> bool {
        self.rerun.is_some()
    }

    /// Returns whether a rerun in an imagined world has reached the open decision of the seat that imagines it.
    pub fn is_at_open(&self, seat: Seat, decision: DecisionId) -> bool {
        let imagining = self.rerun.as_ref().and_then(|rerun| rerun.imagining.as_ref());
        imagining.is_some_and(|imagining| imagining.asked == (seat, decision) && imagining.seat == seat)
            && self.replay.is_empty()
    }

    /// Returns the pieces that other seats chose and whose faces the imagining seat knows. Returns an empty list if `seat` is the imagining
    /// seat, or outside imagined worlds.
    pub fn chosen_faces(&self, seat: Seat) -> Arc<[ChosenFace]> {
        let imagining = self.rerun.as_ref().and_then(|rerun| rerun.imagining.as_ref());
        imagining
            .filter(|imagining| imagining.seat != seat)
            .map(|imagining| imagining.chosen.clone())
            .unwrap_or_default()
    }

    /// Records that the open decision has no options in this imagined world.
    pub fn set_has_nothing(&mut self) {
        if let Some(imagining) = self.rerun.as_mut().and_then(|rerun| rerun.imagining.as_mut()) {
            imagining.has_nothing = true;
        }
    }

    /// Removes the next answer from the replay and returns it, if it answers this decision of this seat.
    pub fn take_replayed(&mut self, seat: Seat, decision: DecisionId) -> Option<StepAnswer> {
        let is_next = self.replay.front().is_some_and(|next| (next.seat, next.decision) == (seat, decision));
        if is_next { self.replay.pop_front() } else { None }
    }
}
