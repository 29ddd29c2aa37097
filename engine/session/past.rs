//! Steps that are over, with what was chosen in them, as far as it is looked back at what that tells.

use super::checkpoint::Checkpoint;
use crate::decision::{Given, Log};
use crate::model::Seat;
use crate::table::{Chance, Origins, Table};
use std::collections::VecDeque;
use std::sync::Arc;

/// So many steps are kept in which something was chosen or shuffled.
const STEPS: usize = 16;

/// So many choices of others are looked at, the youngest first.
const CHOICES: usize = 14;

/// A step that is over, or has come to the decision that is open.
#[derive(Clone)]
pub(super) struct PastStep {
    pub(super) before: Arc<Checkpoint>,
    pub(super) given: Arc<[Given]>,
    /// What was shuffled until the next step that is kept.
    shuffled: Origins,
}

/// The steps that led to the one that is under way, the oldest first.
#[derive(Clone, Default)]
pub(super) struct Past(VecDeque<PastStep>);

impl Past {
    /// A step is over, and the next is about to begin.
    pub(super) fn keep(&mut self, step: &Arc<Checkpoint>, given: &Log<Given>, table: &Table) {
        let step = PastStep::new(step.clone(), given.iter().cloned(), table);
        if step.given.iter().all(|given| given.choice.is_none()) && step.shuffled.is_nothing_moved() {
            return;
        }
        if self.0.len() == STEPS {
            self.0.pop_front();
        }
        self.0.push_back(step);
    }

    /// The same in a world that a seat imagines, with this table; `step` is the one under way.
    pub(super) fn in_world(&self, step: &Checkpoint, table: &Table, seat: Seat, chance: &mut Chance) -> Self {
        let mut prints = table.prints().before(&table.origins(), (&step.table, table), seat);
        let mut after = &step.table;
        let steps = self.0.iter().rev().map(|step| {
            let before = &step.before;
            prints = std::mem::take(&mut prints).before(&step.shuffled, (&before.table, after), seat);
            after = &before.table;
            let table = before.table.with_prints(&prints, seat, chance);
            PastStep { before: Arc::new(Checkpoint { table, call: before.call.clone() }), ..step.clone() }
        });
        let mut steps: VecDeque<PastStep> = steps.collect();
        steps.make_contiguous().reverse();
        Self(steps)
    }
}

impl PastStep {
    fn new(before: Arc<Checkpoint>, given: impl Iterator<Item = Given>, table: &Table) -> Self {
        Self { before, given: given.collect(), shuffled: table.origins() }
    }
}

/// What others chose before, as far as a seat was told of it.
#[derive(Clone, Default)]
pub(super) struct ToldChoices {
    /// The youngest first, beginning with the one that is under way.
    pub(super) steps: Vec<PastStep>,
    /// Step and position among its answers.
    pub(super) choices: Vec<(usize, usize)>,
    /// Those that worlds are weighed by: none before it was looked back at them.
    pub(super) telling: Vec<(usize, usize)>,
}

impl ToldChoices {
    pub(super) fn new(
        past: &Past,
        (checkpoint, given, table): (&Arc<Checkpoint>, &Log<Given>, &Table),
        seat: Seat,
    ) -> Self {
        let open = PastStep::new(checkpoint.clone(), given.iter().filter(|given| !given.pending).cloned(), table);
        let steps: Vec<PastStep> = std::iter::once(open).chain(past.0.iter().rev().cloned()).collect();
        let told = |(_, given): &(usize, &Given)| given.seat != seat && given.told && given.choice.is_some();
        let of_step = |(number, step): (usize, &PastStep)| -> Vec<(usize, usize)> {
            step.given.iter().enumerate().rev().filter(told).map(|(at, _)| (number, at)).collect()
        };
        let choices = steps.iter().enumerate().flat_map(of_step).take(CHOICES).collect();
        Self { steps, choices, telling: Vec::new() }
    }
}

impl ToldChoices {
    /// The tables before the steps of some choices, in a world that a seat imagines.
    pub(super) fn tables(
        &self,
        choices: &[(usize, usize)],
        now: &Table,
        seat: Seat,
        chance: &mut Chance,
    ) -> Vec<Option<Table>> {
        let Some(last) = choices.iter().map(|(step, _)| *step).max() else { return Vec::new() };
        let (mut prints, mut after) = (now.prints(), now);
        let mut tables = Vec::with_capacity(last + 1);
        for (number, step) in self.steps[..=last].iter().enumerate() {
            // In the world itself the step under way may have been run again, and shuffled otherwise.
            let here = (number == 0).then(|| now.origins());
            let shuffled = here.as_ref().unwrap_or(&step.shuffled);
            prints = prints.before(shuffled, (&step.before.table, after), seat);
            after = &step.before.table;
            let is_looked_at = choices.iter().any(|(step, _)| *step == number);
            tables.push(is_looked_at.then(|| step.before.table.with_prints(&prints, seat, chance)));
        }
        tables
    }
}
