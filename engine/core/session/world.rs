//! An imagined world. It can be played and evaluated, but gives no access to the actual game.

use super::outcome::{self, Outcome};
use super::status::{ChooseError, Progress, Session};
use crate::decision::{AnswerSpace, Choice, Decision, StepAnswer};
use crate::diagnostic::Diagnostic;
use crate::library::State;
use crate::model::Seat;
use crate::script::{self, Advice};
use crate::table::{Chance, Table, View, mixed};
use std::cmp::Ordering;
use std::sync::Arc;

/// A world that a seat cannot tell from the actual game.
pub struct World(Session);

/// Ratings of a decision's options in a world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ratings {
    /// One rating for each of [`Decision::rated`], in that order. Higher is better.
    pub of_rated: Vec<i64>,
    /// Whether the agent's file chooses the first of equally good options rather than a random one.
    pub takes_first: bool,
    /// Whether the agent's file read only what the asked seat knows, so that the ratings are the same in every world.
    pub is_same_in_all: bool,
}

/// Result of a playout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finish {
    /// The score or estimate of each seat.
    pub scores: Vec<i64>,
    /// The rank of each seat, from 1.
    pub ranks: Vec<u8>,
}

/// Policy of playouts: how seats choose, and when a playout is cut off and evaluated.
#[derive(Clone, Default)]
pub struct PlayoutPolicy {
    /// Agent's file whose function `estimate` evaluates positions. If `None`, playouts continue to the end of the game or to the maximum
    /// number of decisions.
    pub estimate: Option<Arc<Advice>>,
    /// Agent's file that rates options. All seats choose by its ratings. Without a file, and at decisions that it does not rate, choices
    /// are random.
    pub policy: Option<Arc<Advice>>,
    /// Minimum number of decisions before the playout may be cut off at the end of a round.
    pub questions: u32,
}

/// Maximum number of decisions in a playout without an estimate. After that, the position is evaluated by its scores.
const LONGEST: u32 = 5_000;

/// Maximum number of decisions in a playout with an estimate.
const LONGEST_ESTIMATED: u32 = 200;

impl World {
    pub(super) const fn new(session: Session) -> Self {
        Self(session)
    }

    /// Returns the open decision.
    pub fn decision(&self) -> Option<&Decision> {
        self.0.decision()
    }

    /// Returns the result once the game is over.
    pub fn finish(&self) -> Option<Finish> {
        self.0.outcome().map(Finish::of)
    }

    /// Returns the fault at which the rules failed, if any.
    pub fn fault(&self) -> Option<&Diagnostic> {
        match &self.0.progress {
            Progress::Failed(diagnostic) => Some(diagnostic),
            _ => None,
        }
    }

    pub(super) fn table(&self) -> &Table {
        self.0.table()
    }

    /// Returns the view of a seat.
    pub fn view(&self, seat: Seat) -> View<'_> {
        self.0.view(seat)
    }

    /// Answers the open decision with the option at index `at`.
    ///
    /// # Errors
    /// Returns an error if the index is out of range or no decision is open.
    pub fn choose(&mut self, at: usize) -> Result<(), ChooseError> {
        self.0.choose(at)
    }

    /// Returns a hash of the asked seat's information set: the decision, what the seat sees and remembers, and the answers of this step
    /// that the seat knows. Two worlds that the seat cannot tell apart have the same hash. Returns 0 if no decision is open.
    pub fn information(&self) -> u64 {
        let Some(decision) = self.decision() else { return 0 };
        let seat = decision.seat;
        let mut parts = vec![u64::from(seat.0), u64::from(decision.id.0)];
        parts.push(View::memory(self.0.table(), Some(seat)).digest());
        parts.extend(decision.picked.iter().map(|picked| self.option_code(picked, seat)));
        let known = |given: &&StepAnswer| {
            let secret = self.0.model().decisions[given.decision.index()].is_secret;
            given.seat == seat || !(given.pending || secret)
        };
        for given in self.0.state.answers.given.iter().filter(known) {
            parts.push(given.choice.as_ref().map_or(1, |choice| self.option_code(choice, seat)));
        }
        mixed(&parts)
    }

    /// Returns a code for each [considered](Decision::considered) option of the open decision. The code depends on what the option tells
    /// the asked seat, not on the option's index.
    pub fn option_codes(&self) -> Vec<u64> {
        self.decision().map(|decision| option_codes(self.0.table(), decision)).unwrap_or_default()
    }

    fn option_code(&self, choice: &Choice, seat: Seat) -> u64 {
        choice.code(self.0.table(), seat)
    }

    /// Rates the options of the open decision with an agent's file. Returns `None` if the file does not rate this decision.
    ///
    /// # Errors
    /// Returns the fault if a function of the file fails.
    pub fn rate(&self, advice: &Arc<Advice>) -> Result<Option<Ratings>, Box<Diagnostic>> {
        let rated = |decision: &&Decision| advice.rates(&self.0.model().decisions[decision.id.index()].id);
        let Some(decision) = self.decision().filter(rated) else { return Ok(None) };
        let mut aside = State::new(self.0.table().clone());
        aside.table.forget_reads();
        let of_rated = script::advise(&mut aside, advice, Some((decision, &decision.rated()))).map_err(Box::new)?;
        let takes_first = script::takes_first_of_equals(&mut aside, advice).map_err(Box::new)?;
        Ok(Some(Ratings { of_rated, takes_first, is_same_in_all: aside.table.is_read_as_known(decision.seat) }))
    }

    /// Returns a code for each [rated](Decision::rated) choice of the open decision, like
    /// [`option_codes`](Self::option_codes).
    pub fn rated_codes(&self) -> Vec<u64> {
        self.decision().map(|decision| rated_codes(self.0.table(), decision)).unwrap_or_default()
    }

    /// Chooses an option with an agent's file and returns its index. Rates all options, or a random sample if there are many, and takes the
    /// best one. Ties are broken at random. If the file does not rate the decision, chooses at random among all options.
    ///
    /// In a decision with several picks, rates all items instead of a sample. If there are too many items to rate, the choice is random.
    ///
    /// # Errors
    /// Returns the fault if a function of the file fails.
    pub fn choose_by_advice(&self, advice: &Arc<Advice>, chance: &mut Chance) -> Result<usize, Box<Diagnostic>> {
        let Some(decision) = self.decision() else { return Ok(0) };
        let count = decision.count();
        if !advice.rates(&self.0.model().decisions[decision.id.index()].id) {
            return Ok(decision.draw(chance));
        }
        let mut aside = State::new(self.0.table().clone());
        if let AnswerSpace::Subset(_) = decision.answers {
            let rated = decision.rated();
            if rated.len() > MAX_RATED_OF_SUBSET {
                return Ok(decision.draw(chance));
            }
            let ratings = script::advise(&mut aside, advice, Some((decision, &rated))).map_err(Box::new)?;
            return Ok(decision.best(&ratings, false, chance));
        }
        let positions = drawn(count, MAX_RATED, chance);
        let rated: Vec<Choice> = positions.iter().map(|at| decision.option(*at)).collect();
        let ratings = script::advise(&mut aside, advice, Some((decision, &rated))).map_err(Box::new)?;
        let (mut best, mut equals) = (0, 0);
        for (at, rating) in ratings.iter().enumerate() {
            match rating.cmp(&ratings[best]) {
                Ordering::Less => continue,
                Ordering::Equal => equals += 1,
                Ordering::Greater => equals = 1,
            }
            if chance.below(equals) == 0 {
                best = at;
            }
        }
        Ok(positions[best])
    }

    /// Copies the world. The copies are independent.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self(self.0.fork())
    }

    /// Plays to the end of the game, or until the policy cuts the playout off.
    ///
    /// # Errors
    /// Returns a fault of the rules or of an agent's file.
    pub fn play_on(mut self, chance: &mut Chance, horizon: &PlayoutPolicy) -> Result<Finish, Box<Diagnostic>> {
        if self.decision().is_none() {
            return self.0.ended().map(|outcome| Finish::of(&outcome));
        }
        let (mut chance, mut asked) = (chance.fork(), 0);
        let mut round = self.0.table().position.round;
        while let Some(decision) = self.decision() {
            if asked < horizon.questions {
                round = self.0.table().position.round;
            }
            if asked > 0 && horizon.is_beyond(asked, self.0.table().position.round > round) {
                return judge(self.0, horizon);
            }
            asked += 1;
            let at = match &horizon.policy {
                Some(policy) => self.choose_by_advice(policy, &mut chance)?,
                None => decision.draw(&mut chance),
            };
            self.0.choose(at).expect("the option was counted");
        }
        self.0.ended().map(|outcome| Finish::of(&outcome))
    }
}

/// Maximum number of options rated in a playout. If there are more, a random sample is rated.
const MAX_RATED: usize = 8;

/// Maximum number of items rated in a playout for a decision with several picks. If there are more, the picks are random.
const MAX_RATED_OF_SUBSET: usize = 32;

/// Returns the indices of the options to rate: all options or, if there are more than `most`, a random sample without replacement.
pub(super) fn drawn(count: usize, most: usize, chance: &mut Chance) -> Vec<usize> {
    if count <= most {
        return (0..count).collect();
    }
    // Floyd's algorithm: Bentley and Floyd, "Programming pearls: a sample of brilliance" (1987).
    let mut drawn = Vec::with_capacity(most);
    for last in count - most..count {
        let at = chance.below_u64(last as u64 + 1) as usize;
        drawn.push(if drawn.contains(&at) { last } else { at });
    }
    drawn
}

impl PlayoutPolicy {
    /// Returns whether a playout is cut off after `asked` decisions. With an estimate, it is also cut off if `has_round_ended` is set.
    fn is_beyond(&self, asked: u32, has_round_ended: bool) -> bool {
        if self.estimate.is_some() { asked > LONGEST_ESTIMATED || has_round_ended } else { asked > LONGEST }
    }
}

/// Evaluates a position that was not played to its end: by estimates if the policy has them, otherwise by scores.
fn judge(mut session: Session, horizon: &PlayoutPolicy) -> Result<Finish, Box<Diagnostic>> {
    let (host, state) = (&session.host, &mut session.state);
    let Some(advice) = &horizon.estimate else {
        return outcome::score(host, state).map(|outcome| Finish::of(&outcome)).map_err(Box::new);
    };
    let numbers = script::advise(state, advice, None).map_err(Box::new)?;
    Ok(Finish::estimated(&numbers, host.model.least_score_wins))
}

impl Finish {
    fn of(outcome: &Outcome) -> Self {
        Self {
            scores: outcome.standings.iter().map(|standing| standing.score).collect(),
            ranks: outcome.standings.iter().map(|standing| standing.rank).collect(),
        }
    }

    /// Ranks seats by estimates. The highest estimate is best even in games in which the lowest score wins.
    fn estimated(estimates: &[i64], least_score_wins: bool) -> Self {
        let better = |mine: i64| 1 + estimates.iter().filter(|other| **other > mine).count() as u8;
        let sign = if least_score_wins { -1 } else { 1 };
        Self {
            ranks: estimates.iter().map(|mine| better(*mine)).collect(),
            scores: estimates.iter().map(|mine| sign * mine).collect(),
        }
    }
}

/// Returns a code for each considered option of a decision.
pub(super) fn option_codes(table: &Table, decision: &Decision) -> Vec<u64> {
    decision.considered().iter().map(|at| decision.option(at).code(table, decision.seat)).collect()
}

/// Returns a code for each rated choice of a decision.
pub(super) fn rated_codes(table: &Table, decision: &Decision) -> Vec<u64> {
    decision.rated().iter().map(|choice| choice.code(table, decision.seat)).collect()
}
