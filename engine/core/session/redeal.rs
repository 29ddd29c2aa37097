//! Redeals: after answers were taken back, everything that no seat knew is dealt again. Otherwise, players would already know the
//! consequences of the answers that were taken back.

use super::checkpoint::Checkpoint;
use super::imagine::offered_in_order;
use super::status::{ChooseError, Progress, Session};
use crate::decision::{Act, Decision, EventKind, Redeal, Rerun};
use crate::library::State;
use crate::model::Seat;
use crate::script::{ConditionChecker, Ended, Step};
use crate::table::{Chance, Disclosure, Table, View};
use std::sync::Arc;

/// Maximum number of deals tried. If all fail, the faces stay as they are.
const DEALS: usize = 200;

/// Disclosures made since the answers that are to be taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DisclosedFaces {
    /// Whether anything was shown, drawn or rolled since these answers, or whether a redeal is to be taken back.
    pub is_any: bool,
    /// Faces that some seat knew before and that other seats have seen since. They cannot be dealt again.
    pub shown: Vec<Disclosure>,
}

/// The open step after a redeal.
struct RedealtStep {
    state: State,
    step: Step,
    checkpoint: Checkpoint,
}

impl Session {
    /// Returns the answers and redeals so far, in order. Together with the game and the setup they determine the session.
    pub fn acts(&self) -> Vec<Act> {
        self.state.answers.acts()
    }

    /// Iterates over the redeals so far, each with the number of answers before it.
    pub fn redeals(&self) -> impl Iterator<Item = &(usize, Redeal)> {
        self.state.answers.redeals.iter()
    }

    /// Repeats an entry of a session's history.
    ///
    /// # Errors
    /// Returns an error if the answer is not among the options or no decision is open.
    pub fn repeat(&mut self, act: &Act) -> Result<(), ChooseError> {
        match act {
            Act::Answer(at) => self.choose(*at as usize),
            Act::Redeal(redeal) => {
                self.redeal(redeal);
                Ok(())
            }
        }
    }

    /// Returns the seed of the agents' random numbers: the seed of the last redeal or, if there was none, of the setup. With the old seed,
    /// an agent whose answer was taken back would draw the same numbers again.
    pub fn agent_seed(&self) -> u64 {
        self.state.answers.redeals.last().map_or(self.setup.seed, |(_, redeal)| redeal.seed)
    }

    /// Returns the number of answers that other seats do not know yet, because not all seats of a simultaneous decision have answered.
    pub fn pending_answers(&self) -> usize {
        let given = self.state.answers.given.iter();
        given.filter(|given| given.pending && given.choice.is_some()).count()
    }

    /// Copies the session and takes back all answers after the first `answers` in the copy.
    ///
    /// # Errors
    /// Returns an error if there are fewer answers, if the copies for undo do not reach back that far, or if the session keeps no copies,
    /// as in an imagined world.
    pub fn fork_to_answers(&self, answers: usize) -> Result<Self, ChooseError> {
        let mut before = self.fork();
        before.undo_to(answers)?;
        Ok(before)
    }

    /// Determines what has been disclosed since the first `answers` answers.
    ///
    /// # Errors
    /// Returns an error if there are fewer answers, if the copies for undo do not reach back that far, or if the session keeps no copies,
    /// as in an imagined world.
    pub fn disclosed_since(&self, answers: usize) -> Result<DisclosedFaces, ChooseError> {
        let before = self.fork_to_answers(answers)?;
        let (now, then) = (&self.state.table, &before.state.table);
        Ok(DisclosedFaces { is_any: now.has_disclosed_since(then), shown: now.known_faces_shown_since(then) })
    }

    /// Deals again all faces that no seat knows at the open decision, and reseeds the random numbers. Returns whether the faces were dealt
    /// again. If no deal is found in which the step leads to the same decision, the faces stay as they are.
    pub fn redeal(&mut self, redeal: &Redeal) -> bool {
        self.changes();
        let mut chance = Chance::new(redeal.seed, "redeal");
        let mut after = Chance::new(redeal.seed, "table");
        after.set_fixed(self.state.table.chance.fixed().cloned().map(Box::new));
        let dealt = self.deal_again(&mut chance, &after);
        let is_dealt = dealt.is_some();
        match dealt {
            Some(RedealtStep { mut state, step, checkpoint }) => {
                state.journal.observed = self.state.journal.observed.take();
                // The step ran again as a whole, so disclosures were not counted for each answer. The previous counts are kept instead.
                state.table.take_disclosures(&self.state.table);
                self.state = state;
                self.progress = Progress::Waiting(step);
                self.checkpoint = Some(Arc::new(checkpoint));
            }
            None => self.state.table.chance = after,
        }
        // If this redeal is taken back too, the old faces must not come back.
        self.state.table.note_disclosure();
        let Redeal { by, consent, .. } = *redeal;
        self.state.note(|_| EventKind::Redealt { by, consent, is_dealt });
        self.state.answers.redeals.push((self.state.answers.positions.len(), *redeal));
        self.keep();
        is_dealt
    }

    /// Runs the open step again with the same answers and random numbers, after dealing again the faces that no seat knows. Repeats this up
    /// to [`DEALS`] times, until every seat sees the same as before and the same decision is open.
    ///
    /// Exchanging faces on the table would not be enough, since variables of the step may depend on faces that the step has read.
    fn deal_again(&self, chance: &mut Chance, after: &Chance) -> Option<RedealtStep> {
        let (checkpoint, open) = (self.checkpoint.as_deref()?, self.decision()?);
        let (now, mut judge) = (&self.state.table, ConditionChecker::new(&self.host));
        let known = knowledge(now);
        let offered = offered_in_order(now, open);
        (0..DEALS).find_map(|_| {
            let mut table = checkpoint.table.with_unknown_dealt_again(now, chance, &mut judge).ok()?;
            table.chance = checkpoint.table.chance.clone();
            let checkpoint = Checkpoint { table: table.clone(), call: checkpoint.call.clone() };
            let track = table.track();
            let mut state = self.state.fork(table);
            state.answers.replay = self.state.answers.given.iter().cloned().collect();
            state.answers.rerun = Some(Box::new(Rerun { imagining: None, chance_after: after.clone() }));
            let Ended::Asked(step) = Step::begin(&self.host, &mut state, &checkpoint.call) else { return None };
            let is_alike = state.answers.replay.is_empty()
                && is_same(step.decision(), open)
                && knowledge(&state.table) == known
                && offered_in_order(&state.table, step.decision()) == offered;
            if !is_alike {
                return None;
            }
            let is_known_alike = state.table.has_kept_track_since(&track) && state.table.is_tracked_as(now);
            let everybody = now.layout().everybody;
            let is_right = is_known_alike || state.table.take_knowledge(now, everybody, &mut chance.fork());
            is_right.then_some(RedealtStep { state, step, checkpoint })
        })
    }
}

/// Returns a digest of what each seat sees and remembers, followed by one of what the public sees and remembers.
fn knowledge(table: &Table) -> Vec<u64> {
    let seats = (0..table.model().seats).map(|seat| Some(Seat(seat)));
    seats.chain([None]).map(|seat| View::memory(table, seat).digest()).collect()
}

fn is_same(one: &Decision, other: &Decision) -> bool {
    (one.seat, one.id, one.picks, one.count()) == (other.seat, other.id, other.picks, other.count())
}
