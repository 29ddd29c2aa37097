//! Tree search for one decision: imagines worlds and plays them until the budget is spent or the choice is settled.

use super::plan::{Knowledge, Plan, SearchObjective};
use super::tree::{Arm, Tree, is_settled};
use crate::session::{Advice, Finish, Game, Halt, Imagination, NoAnswer, PlayoutPolicy};
use crate::table::Chance;
use std::sync::Arc;

/// Input of a search. Can be sent to another thread.
#[derive(Clone)]
pub(super) struct SearchTask {
    pub imagination: Imagination,
    /// Codes of the considered options.
    pub codes: Vec<u64>,
    /// Whether the lowest score wins.
    pub least_wins: bool,
    /// Index of the team of each seat. Without teams, every seat has its own index.
    pub sides: Vec<usize>,
    pub plan: Plan,
    pub chance: Chance,
    /// Whether this is the only search for the decision. If so, it may stop as soon as its own choice is settled.
    pub is_alone: bool,
    /// Halt signal, checked before each world.
    pub halt: Halt,
}

impl SearchTask {
    /// Returns the scores of a finish, negated if the lowest score wins.
    fn normalized_scores(&self, finish: &Finish) -> Vec<i64> {
        let sign = if self.least_wins { -1 } else { 1 };
        finish.scores.iter().map(|score| score.saturating_mul(sign)).collect()
    }

    /// Grows a tree, which may contain statistics of earlier searches. Returns the statistics of each option.
    ///
    /// # Errors
    /// Returns an error if the script does not compile, if no world can be played, or if the search is halted.
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
        while clock.has_budget(run.worlds + failed) && !run.is_settled(clock.playouts_left(run.worlds + failed)) {
            self.halt.check()?;
            match run.iterate() {
                Ok(true) => run.worlds += 1,
                Ok(false) => break,
                // An imagined world may be impossible in a real game, and fail while it is played. In that case, imagine another one.
                Err(fault) if failed < MAX_FAILED_WORLDS + run.worlds => {
                    failed += 1;
                    first_fault.get_or_insert(fault);
                }
                Err(fault) => return Err(fault),
            }
        }
        // If every world failed, the fault is not due to an impossible world.
        if let Some(fault) = first_fault.filter(|_| run.worlds == 0) {
            return Err(fault);
        }
        Ok(run.root.map_or_else(|| vec![Arm::default(); self.codes.len()], |root| run.tree.arms(root, &self.codes)))
    }

    /// Replaces the game with the worker thread's own copy. Creates the copy in `thread` if there is none yet.
    pub(super) fn with_thread_game(self, thread: &mut Option<Game>) -> Self {
        Self { imagination: self.imagination.on(thread), ..self }
    }

    /// Returns the compiled script that the search uses, if any.
    pub(super) fn knowledge(&self) -> Result<Option<Arc<Advice>>, NoAnswer> {
        let Knowledge::File(source) = &self.plan.knowledge else { return Ok(None) };
        Ok(Some(self.imagination.advice(source)?))
    }
}

/// Number of worlds that may fail in excess of the number of worlds that were played.
const MAX_FAILED_WORLDS: u32 = 16;

/// State of a tree search.
struct TreeRun<'a> {
    question: &'a SearchTask,
    tree: &'a mut Tree,
    margins: Margins,
    chance: Chance,
    knowledge: Option<Arc<Advice>>,
    /// Information set of the decision that is searched.
    root: Option<u64>,
    /// Number of worlds played.
    worlds: u32,
}

/// A choice made in an iteration: information set, code of the option, and index of the seat.
type Passed = (u64, u64, usize);

impl TreeRun<'_> {
    /// Returns whether the choice is settled although `left` playouts remain. Always returns `false` for a time budget, or if other
    /// searches contribute to the choice.
    fn is_settled(&self, left: Option<u32>) -> bool {
        let (Some(left), Some(root)) = (left.filter(|_| self.question.is_alone), self.root) else { return false };
        is_settled(&self.tree.arms(root, &self.question.codes), left)
    }

    /// Imagines a world and plays it. Returns false if no more worlds can be imagined.
    ///
    /// # Errors
    /// Returns an error if the first world cannot be imagined, or the world fails while it is played.
    fn iterate(&mut self) -> Result<bool, NoAnswer> {
        let mut world = match self.question.imagination.world(&mut self.chance) {
            Ok(world) => world,
            Err(_) if self.worlds > 0 => return Ok(false),
            Err(none) => return Err(none.into()),
        };
        let mut passed: Vec<Passed> = Vec::new();
        while let Some((seat, considered)) = world.decision().map(|decision| (decision.seat, decision.considered())) {
            let (node, codes) = (world.information(), world.option_codes());
            let is_new = !self.tree.contains(node);
            if self.root.is_none() && seat == self.question.imagination.seat() {
                self.root = Some(node);
            }
            let at = self.tree.select(node, &codes, &mut self.chance);
            passed.push((node, codes[at], seat.index()));
            world.choose(considered.position(at)).map_err(|error| error.to_string())?;
            // Stop at the first new information set, but not before the root: other seats that decide simultaneously may answer before the
            // root.
            if is_new && self.root.is_some_and(|root| passed.iter().any(|(node, ..)| *node == root)) {
                break;
            }
        }
        let estimates = self.knowledge.clone().filter(|advice| advice.estimates());
        let finish =
            world.play_on(&mut self.chance, &PlayoutPolicy { estimate: estimates, ..PlayoutPolicy::default() })?;
        self.margins.add(&finish, self.question);
        let result = |seat| self.margins.result(&finish, self.question, seat);
        let results: Vec<i64> = (0..finish.scores.len()).map(result).collect();
        for (node, code, seat) in passed {
            self.tree.add_result(node, code, results[seat]);
        }
        Ok(true)
    }
}

/// Converter from finishes to results. Each lead is scaled by the mean absolute lead in all games so far.
#[derive(Debug, Default)]
pub(super) struct Margins {
    /// Sum of the absolute leads of all seats in all games so far.
    sum: i64,
    count: i64,
}

/// Value of an undivided win, before it is combined with the lead. Also the upper bound of a scaled lead.
const WIN: i64 = 10_000;

/// Weight of winning in a result, in percent. The rest is the weight of the lead.
const WIN_PERCENT: i64 = 70;

impl Margins {
    /// Adds the leads of all seats in a finish to the average.
    pub(super) fn add(&mut self, finish: &Finish, question: &SearchTask) {
        let scores = question.normalized_scores(finish);
        for seat in 0..scores.len() {
            self.sum = self.sum.saturating_add(lead(&scores, &question.sides, seat).saturating_abs());
            self.count += 1;
        }
    }

    /// Returns the result of a finish for a seat.
    pub(super) fn result(&self, finish: &Finish, question: &SearchTask, seat: usize) -> i64 {
        let scores = question.normalized_scores(finish);
        if question.plan.aim == SearchObjective::Score {
            return scores[seat];
        }
        let winners = winning_sides(&finish.ranks, &question.sides);
        let win = if finish.ranks[seat] == 1 { WIN / winners } else { 0 };
        (win * WIN_PERCENT + self.scaled_lead(lead(&scores, &question.sides, seat)) * (100 - WIN_PERCENT)) / 100
    }

    /// Scales a lead to the range from 0 to [`WIN`]: half a win for no lead, three quarters for an average one.
    fn scaled_lead(&self, lead: i64) -> i64 {
        let usual = (self.sum / self.count.max(1)).max(1);
        let [half, lead, usual] = [WIN / 2, lead, usual].map(i128::from);
        (half + half * lead / (lead.abs() + usual)) as i64
    }
}

/// Returns the number of winning teams. A seat without a team counts as a team.
fn winning_sides(ranks: &[u8], sides: &[usize]) -> i64 {
    let is_first = |seat: &usize| !sides[..*seat].contains(&sides[*seat]);
    (0..ranks.len()).filter(is_first).filter(|seat| ranks[*seat] == 1).count() as i64
}

/// Returns the lead of a seat over the best seat of another team. If there is no other team, returns the seat's own score.
fn lead(scores: &[i64], sides: &[usize], seat: usize) -> i64 {
    let others = scores.iter().zip(sides).filter(|(_, side)| **side != sides[seat]).map(|(score, _)| *score);
    scores[seat].saturating_sub(others.max().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn teams_win_as_one_and_lead_over_other_teams() {
        let pairs = [0, 1, 0, 1];
        assert_eq!(winning_sides(&[1, 2, 1, 2], &pairs), 1);
        assert_eq!(winning_sides(&[1, 1, 1, 1], &pairs), 2);
        assert_eq!([0, 1, 2, 3].map(|seat| lead(&[7, 4, 7, 4], &pairs, seat)), [3, -3, 3, -3]);
        let alone = [0, 1, 2];
        assert_eq!((winning_sides(&[1, 1, 3], &alone), lead(&[5, 5, 2], &alone, 0)), (2, 0));
        // In a cooperative game the lead is the score.
        assert_eq!(lead(&[6, 6], &[0, 0], 1), 6);
    }
}
