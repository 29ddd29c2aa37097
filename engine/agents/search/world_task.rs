//! Tasks that try some options in imagined worlds. A task can be sent to another thread.

use super::search_task::SearchTask;
use crate::agents::rating::world_at_question;
use crate::session::{Advice, Decision, Finish, NoAnswer, PlayoutPolicy};
use crate::table::Chance;
use std::sync::Arc;

/// Minimum number of decisions in a playout before it may be cut off at the end of a round and estimated. Without an estimate, playouts
/// continue to the end of the game.
const MIN_DECISIONS: u32 = 24;

/// Finish of each option in one world, or `None` if the option was not offered in that world.
pub(super) type Outcomes = Vec<Option<Finish>>;

/// Task that tries some options in imagined worlds.
#[derive(Clone)]
pub(super) struct WorldTask {
    pub(super) question: SearchTask,
    /// Base seed of the worlds.
    pub(super) base: u64,
    /// Indices of the worlds. A world is determined by the base seed and its index.
    pub(super) worlds: Vec<u32>,
    /// Codes of the options to try.
    pub(super) codes: Vec<u64>,
}

impl WorldTask {
    /// Plays all worlds with all options. The results depend only on the fields, not on the thread.
    pub(super) fn play_worlds(&self) -> Result<Vec<Result<Outcomes, NoAnswer>>, NoAnswer> {
        let advice = self.question.knowledge()?.ok_or_else(|| "no file rates the options".to_owned())?;
        let horizon = PlayoutPolicy {
            estimate: Some(advice.clone()).filter(|advice| advice.estimates()),
            policy: Some(advice.clone()),
            questions: MIN_DECISIONS,
        };
        Ok(self.worlds.iter().map(|world| self.play_world(*world, &advice, &horizon)).collect())
    }

    fn play_world(&self, world: u32, advice: &Arc<Advice>, horizon: &PlayoutPolicy) -> Result<Outcomes, NoAnswer> {
        self.question.halt.check()?;
        let mut chance = Chance::new(self.base ^ u64::from(world), "world");
        let imagined = world_at_question(&self.question.imagination, Some(advice), &mut chance)?;
        let offered = imagined.option_codes();
        let Some(considered) = imagined.decision().map(Decision::considered) else {
            return Ok(vec![None; self.codes.len()]);
        };
        let mut outcomes = Vec::with_capacity(self.codes.len());
        for code in &self.codes {
            let Some(at) = offered.iter().position(|known| known == code) else {
                outcomes.push(None);
                continue;
            };
            let mut tried = imagined.fork();
            tried.choose(considered.position(at)).map_err(|error| error.to_string())?;
            // All options continue with the same random numbers, which reduces the variance of their differences.
            outcomes.push(Some(tried.play_on(&mut chance.clone(), horizon)?));
        }
        Ok(outcomes)
    }
}
