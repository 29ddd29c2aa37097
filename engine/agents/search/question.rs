//! One search: worlds imagined and played, until its budget is spent or nothing can change any more.

use super::plan::{Aim, Knowledge, Plan};
use super::tree::{Arm, Tree, is_settled};
use crate::session::{Advice, Finish, Game, Halt, Horizon, Imagination, NoAnswer};
use crate::table::Chance;
use std::sync::Arc;

/// What is searched: all of it may be sent to another thread.
#[derive(Clone)]
pub(super) struct SearchTask {
    pub imagination: Imagination,
    pub codes: Vec<u64>,
    pub least_wins: bool,
    /// The number of the team that each seat is of; a number for each seat where everybody plays alone.
    pub sides: Vec<usize>,
    pub plan: Plan,
    pub chance: Chance,
    /// Whether what is found decides by itself, without what others find.
    pub alone: bool,
    /// Looked at before each world.
    pub halt: Halt,
}

impl SearchTask {
    /// The scores of a finish, of which more is better.
    fn better_is_more(&self, finish: &Finish) -> Vec<i64> {
        let sign = if self.least_wins { -1 } else { 1 };
        finish.scores.iter().map(|score| score.saturating_mul(sign)).collect()
    }

    /// What is known of each option in the end, with what was known before.
    pub(super) fn search(&self, tree: &mut Tree) -> Result<Vec<Arm>, NoAnswer> {
        tree.begin();
        let mut run = TreeRun {
            question: self,
            tree,
            margins: Margins::default(),
            chance: self.chance.clone(),
            knowledge: self.knowledge()?,
            root: None,
            worlds: 0,
        };
        let clock = self.plan.budget.start();
        let (mut failed, mut first_fault) = (0, None);
        while clock.goes_on(run.worlds + failed) && !run.is_settled(clock.left(run.worlds + failed)) {
            self.halt.check()?;
            match run.iterate() {
                Ok(true) => run.worlds += 1,
                Ok(false) => break,
                // A world may be one that could not have come about, and break in play: another is imagined.
                Err(fault) if failed < MOST_FAILED + run.worlds => {
                    failed += 1;
                    first_fault.get_or_insert(fault);
                }
                Err(fault) => return Err(fault),
            }
        }
        // Where every world broke, it is no fault of the worlds.
        if let Some(fault) = first_fault.filter(|_| run.worlds == 0) {
            return Err(fault);
        }
        Ok(run.root.map_or_else(|| vec![Arm::default(); self.codes.len()], |root| run.tree.arms(root, &self.codes)))
    }

    /// The same on a thread that searches, which has a game of its own.
    pub(super) fn on(self, thread: &mut Option<Game>) -> Self {
        Self { imagination: self.imagination.on(thread), ..self }
    }

    /// The file that it goes by, compiled.
    pub(super) fn knowledge(&self) -> Result<Option<Arc<Advice>>, NoAnswer> {
        let Knowledge::File(source) = &self.plan.knowledge else { return Ok(None) };
        Ok(Some(self.imagination.advice(source)?))
    }
}

/// So many worlds may break in play beyond as many as do not.
const MOST_FAILED: u32 = 16;

/// A search under way.
struct TreeRun<'a> {
    question: &'a SearchTask,
    tree: &'a mut Tree,
    margins: Margins,
    chance: Chance,
    knowledge: Option<Arc<Advice>>,
    /// The information set of the question itself.
    root: Option<u64>,
    /// How many worlds have been played.
    worlds: u32,
}

/// A choice on the way of an iteration: the information set, the option and who chose.
type Passed = (u64, u64, usize);

impl TreeRun<'_> {
    /// Whether so many more worlds would change nothing about the choice.
    fn is_settled(&self, left: Option<u32>) -> bool {
        let (Some(left), Some(root)) = (left.filter(|_| self.question.alone), self.root) else { return false };
        is_settled(&self.tree.arms(root, &self.question.codes), left)
    }

    /// Imagines a world and plays it; says whether one was found. That none is found is reported where none was before.
    fn iterate(&mut self) -> Result<bool, NoAnswer> {
        let mut world = match self.question.imagination.world(&mut self.chance) {
            Ok(world) => world,
            Err(_) if self.worlds > 0 => return Ok(false),
            Err(none) => return Err(none.into()),
        };
        let mut passed: Vec<Passed> = Vec::new();
        while let Some((seat, considered)) = world.decision().map(|decision| (decision.seat, decision.considered())) {
            let (node, codes) = (world.information(), world.option_codes());
            let is_new = !self.tree.knows(node);
            if self.root.is_none() && seat == self.question.imagination.seat() {
                self.root = Some(node);
            }
            let at = self.tree.pick(node, &codes, &mut self.chance);
            passed.push((node, codes[at], seat.index()));
            world.choose(considered.position(at)).map_err(|error| error.to_string())?;
            // The question itself is always passed: what is asked before it belongs to it.
            if is_new && self.root.is_some_and(|root| passed.iter().any(|(node, ..)| *node == root)) {
                break;
            }
        }
        let estimates = self.knowledge.clone().filter(|advice| advice.estimates());
        let finish = world.play_on(&mut self.chance, &Horizon { estimate: estimates, ..Horizon::default() })?;
        self.margins.see(&finish, self.question);
        let result = |seat| self.margins.result(&finish, self.question, seat);
        let results: Vec<i64> = (0..finish.scores.len()).map(result).collect();
        for (node, code, seat) in passed {
            self.tree.learn(node, code, results[seat]);
        }
        Ok(true)
    }
}

/// What finishes are worth, and what it takes to compare leads.
#[derive(Debug, Default)]
pub(super) struct Margins {
    /// Leads of all games, added up without their signs.
    sum: i64,
    count: i64,
}

/// What a whole win is worth.
const WIN: i64 = 10_000;

/// How much of a result is the win; the rest is the lead.
const WIN_PERCENT: i64 = 70;

impl Margins {
    /// One more finish: how long leads are is gone by when they are compared.
    pub(super) fn see(&mut self, finish: &Finish, question: &SearchTask) {
        let scores = question.better_is_more(finish);
        for seat in 0..scores.len() {
            self.sum = self.sum.saturating_add(lead(&scores, &question.sides, seat).saturating_abs());
            self.count += 1;
        }
    }

    /// What a finish is worth to a seat.
    pub(super) fn result(&self, finish: &Finish, question: &SearchTask, seat: usize) -> i64 {
        let scores = question.better_is_more(finish);
        if question.plan.aim == Aim::Score {
            return scores[seat];
        }
        let winners = winning_sides(&finish.ranks, &question.sides);
        let win = if finish.ranks[seat] == 1 { WIN / winners } else { 0 };
        (win * WIN_PERCENT + self.part_of_lead(lead(&scores, &question.sides, seat)) * (100 - WIN_PERCENT)) / 100
    }

    /// A lead as a part of a win: half a win for none, more for leads that are long among those seen.
    fn part_of_lead(&self, lead: i64) -> i64 {
        let usual = (self.sum / self.count.max(1)).max(1);
        let [half, lead, usual] = [WIN / 2, lead, usual].map(i128::from);
        (half + half * lead / (lead.abs() + usual)) as i64
    }
}

/// How many teams, or seats that play alone, have won: a team wins as one.
fn winning_sides(ranks: &[u8], sides: &[usize]) -> i64 {
    let is_first = |seat: &usize| !sides[..*seat].contains(&sides[*seat]);
    (0..ranks.len()).filter(is_first).filter(|seat| ranks[*seat] == 1).count() as i64
}

/// How far a seat is before the best of those who do not win with it; alone, its score.
fn lead(scores: &[i64], sides: &[usize], seat: usize) -> i64 {
    let others = scores.iter().zip(sides).filter(|(_, side)| **side != sides[seat]).map(|(score, _)| *score);
    scores[seat].saturating_sub(others.max().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_team_wins_as_one_and_leads_before_other_teams() {
        let pairs = [0, 1, 0, 1];
        assert_eq!(winning_sides(&[1, 2, 1, 2], &pairs), 1);
        assert_eq!(winning_sides(&[1, 1, 1, 1], &pairs), 2);
        assert_eq!([0, 1, 2, 3].map(|seat| lead(&[7, 4, 7, 4], &pairs, seat)), [3, -3, 3, -3]);
        let alone = [0, 1, 2];
        assert_eq!((winning_sides(&[1, 1, 3], &alone), lead(&[5, 5, 2], &alone, 0)), (2, 0));
        // Who all play together lead by what they have.
        assert_eq!(lead(&[6, 6], &[0, 0], 1), 6);
    }
}
