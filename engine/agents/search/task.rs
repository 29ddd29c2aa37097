//! Imagined worlds to be played with each option that is tried, on whatever thread.

use super::question::SearchTask;
use crate::agents::rating::world_at_question;
use crate::session::{Advice, Decision, Finish, Horizon, NoAnswer};
use crate::table::Chance;
use std::sync::Arc;

/// So many decisions are answered in a playout before the end of a round is a place to judge it.
const QUESTIONS: u32 = 24;

/// What came of each option in one world: nothing where it was not offered there, or the world broke.
pub(super) type Outcomes = Vec<Option<Finish>>;

/// Worlds to be played with some options, by their codes.
#[derive(Clone)]
pub(super) struct Task {
    pub(super) question: SearchTask,
    pub(super) base: u64,
    pub(super) worlds: Vec<u32>,
    pub(super) codes: Vec<u64>,
}

impl Task {
    /// What comes of the options in each of the worlds: it depends on nothing else, whatever thread it is found on.
    pub(super) fn played(&self) -> Result<Vec<Result<Outcomes, NoAnswer>>, NoAnswer> {
        let advice = self.question.knowledge()?.ok_or_else(|| "no file rates the options".to_owned())?;
        let horizon = Horizon {
            estimate: Some(advice.clone()).filter(|advice| advice.estimates()),
            policy: Some(advice.clone()),
            questions: QUESTIONS,
        };
        Ok(self.worlds.iter().map(|world| self.played_in(*world, &advice, &horizon)).collect())
    }

    fn played_in(&self, world: u32, advice: &Arc<Advice>, horizon: &Horizon) -> Result<Outcomes, NoAnswer> {
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
            outcomes.push(Some(tried.play_on(&mut chance.clone(), horizon)?));
        }
        Ok(outcomes)
    }
}
