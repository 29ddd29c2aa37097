//! Measures whether decisions are real choices: how much the chosen option matters to the seat that decides.
//!
//! In each game, one random question of each decision is examined, up to a maximum number of decisions. For this, the seat that is asked
//! imagines worlds that it cannot distinguish from the actual game. In each world, the options are tried one by one, and the game is played
//! to its end with the same random numbers for all options. The estimates thus use only what the seat knows.
//!
//! One half of the worlds is used to select the best, the second best and the worst option. The other half is used to measure their
//! differences. If the same worlds were used for both, chance alone would make some option look better. In each game, at most one question
//! of a decision counts, so that the observations of a decision are independent.

use super::batch::{Batch, BatchError, game_seed};
use super::difference::{AdjustedDifference, Difference, adjust_differences};
use super::estimate::{self, Estimate, wilson};
use super::game::SeatPlayer;
use super::histogram::Histogram;
#[cfg(not(feature = "system"))]
use super::one_by_one::run_in_order;
#[cfg(feature = "system")]
use super::queue::run_in_order;
use crate::agents::{usual_knowledge, world_at_question};
use crate::diagnostic::Diagnostics;
use crate::model::{DecisionId, Model, PhaseId, Seat};
use crate::session::{
    Advice, Decision, Finish, Game, Halt, NoAnswer, Observation, Observer, Player, PlayoutPolicy, Setup,
};
use crate::table::{Chance, Table};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

/// Parameters of a choice map.
#[derive(Debug, Clone)]
pub struct ChoicePlan {
    /// Number of games whose questions are examined.
    pub games: u64,
    /// Number of worlds for each question; at least [`ChoicePlan::MIN_WORLDS`].
    pub worlds: u32,
    /// Seed from which the seeds of the games are derived.
    pub seed: u64,
    /// Number of threads.
    pub jobs: usize,
    /// Setup of every game; its seed is ignored.
    pub setup: Setup,
}

impl ChoicePlan {
    /// Minimum number of worlds for each question.
    pub const MIN_WORLDS: u32 = 10;

    /// Maximum number of worlds for each question.
    pub const MAX_WORLDS: u32 = 100_000;
}

/// Class of a decision by how much it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChoiceClass {
    /// The options differ, and the best one does not stand out.
    Real,
    /// One option stands out, or all but one are dominated or duplicates.
    Obvious,
    /// It makes no difference which option is taken.
    Equal,
    /// There is nearly always a single option.
    Forced,
    /// The examined questions do not suffice to classify the decision.
    Unclear,
}

impl ChoiceClass {
    /// Returns the word for the class.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Real => "real",
            Self::Obvious => "obvious",
            Self::Equal => "equal",
            Self::Forced => "forced",
            Self::Unclear => "unclear",
        }
    }
}

/// An option that was tried at a question, and its win share.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TriedOption {
    /// Text of the option.
    pub name: String,
    /// Mean win share of the seat's side when the option is taken, over all worlds.
    #[serde(with = "exact")]
    pub value: f64,
}

/// A question that was examined.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExaminedQuestion {
    /// Seed of the game.
    pub seed: u64,
    /// Indices of the options that were chosen in the game before the question.
    pub answers: Vec<u64>,
    /// The seat that was asked.
    #[serde(with = "seat_number")]
    pub seat: Seat,
    /// Options that were tried, best first.
    pub options: Vec<TriedOption>,
    /// Win share with the best option minus the win share with the worst one.
    #[serde(with = "exact")]
    pub spread: f64,
}

/// An option that is hardly ever worth taking: significantly worse than the best other option, and rarely the best.
#[derive(Debug, Clone, PartialEq)]
pub struct DominatedOption {
    /// Text of the option.
    pub name: String,
    /// Win share with the option minus the win share with the best other option.
    pub difference: Estimate,
    /// Number of questions in which the option ranked first in one half of the worlds and beat the runner-up in the other half.
    pub best: u64,
}

/// Two options that led to the same result in every world in which both were tried.
#[derive(Debug, Clone, PartialEq)]
pub struct DuplicateOptions {
    /// Texts of the options.
    pub names: [String; 2],
    /// Number of questions that offered both.
    pub questions: u64,
    /// Number of worlds in which both were tried.
    pub worlds: u64,
}

/// Statistics of the questions of one decision, and its class.
#[derive(Debug, Clone, PartialEq)]
pub struct DecisionChoices {
    /// The decision.
    pub decision: DecisionId,
    /// Phase in which the decision is asked most often; `None` if that is outside all phases.
    pub phase: Option<PhaseId>,
    /// Number of questions with several options.
    pub asked: u64,
    /// Number of questions with one option.
    pub forced: u64,
    /// Win share with the best option minus the win share with the worst one.
    pub spread: Estimate,
    /// Win share with the best option minus the win share with the second best one.
    pub lead: Estimate,
    /// Class of the decision by how much it matters.
    pub class: ChoiceClass,
    /// Options that are hardly ever worth taking, worst first.
    pub dominated: Vec<DominatedOption>,
    /// Pairs of options that always led to the same result.
    pub duplicates: Vec<DuplicateOptions>,
    /// Questions with the largest, the median and the smallest spread.
    pub examples: Vec<ExaminedQuestion>,
}

/// Choice map of a game: how much each of its decisions matters.
#[derive(Debug, Clone, PartialEq)]
pub struct ChoiceMap {
    /// Number of finished games. Only their questions are counted.
    pub games: u64,
    /// The decisions that were asked.
    pub decisions: Vec<DecisionChoices>,
}

/// Maximum number of options that are tried at a question.
const MAX_TRIED: usize = 16;

/// Maximum number of questions examined per game.
const MAX_EXAMINED: usize = 8;

/// Minimum number of examined questions for a verdict.
const MIN_QUESTIONS: u64 = 20;

/// Smallest difference of win shares that matters to players.
const IRRELEVANT: f64 = 0.03;

/// Difference of win shares by which an option must lead to stand out.
const STANDS_OUT: f64 = 0.1;

/// Minimum share of questions with a single option for a decision to be called forced.
const FORCED: f64 = 0.9;

/// Maximum share of questions in which a dominated option may be the best one.
const RARELY_BEST: f64 = 0.15;

/// Minimum number of worlds in which duplicates must have the same result.
const MIN_SAME: u64 = 100;

/// Number of units in a win share of 1: differences are counted in thousandths.
const UNIT: f64 = 1000.0;

/// Initial counts and callbacks for [`map_choices`].
pub struct ChoiceFollower<'a> {
    /// Counts of the games that were examined before.
    pub begun: ChoiceProgress,
    /// Called after each game.
    pub progress: &'a (dyn Fn() + Sync),
    /// Saves the counts so far. Called each time that further games of the batch have been counted, in order.
    pub save: &'a dyn Fn(&ChoiceProgress) -> std::io::Result<()>,
}

/// Plays games and examines their questions. If `halt` is called, returns the choice map of the questions examined until then.
///
/// # Errors
/// Returns mistakes in the game's files or the setup, or the error of `save`. Games that fail are left out.
pub fn map_choices(
    game: &Game,
    plan: &ChoicePlan,
    seat_player: SeatPlayer<'_>,
    halt: &Halt,
    follower: ChoiceFollower<'_>,
) -> Result<ChoiceMap, BatchError> {
    let ChoiceFollower { begun: mut counter, progress, save } = follower;
    let batch = Batch {
        games: counter.played.min(plan.games)..plan.games,
        seed: plan.seed,
        jobs: plan.jobs,
        setup: plan.setup.clone(),
        prospects: None,
        campaigns: false,
    };
    game.host(&plan.setup).map_err(BatchError::Game)?;
    let games: Vec<Game> = batch.threads().map(|_| game.apart()).collect();
    let play = |thread: usize, range: Range<u64>| -> Result<(Vec<ExaminedGame>, Option<u64>), Diagnostics> {
        let mut found = Vec::new();
        let end = range.end;
        for at in range {
            if halt.is_called() {
                return Ok((found, None));
            }
            let setup = plan.setup.clone().seed(game_seed(plan.seed, at));
            found.extend(examine_game(&games[thread], &setup, plan.worlds, seat_player, halt)?);
            // If the examination of this game was interrupted, the game does not count as played.
            if halt.is_called() {
                return Ok((found, None));
            }
            progress();
        }
        Ok((found, Some(end)))
    };
    run_in_order(&batch, &play, |(found, end)| {
        for game in found {
            counter.add(game);
        }
        if let Some(end) = end {
            counter.played = end;
            save(&counter)?;
        }
        Ok(end.is_some())
    })?;
    Ok(counter.into_map())
}

/// A question that was asked in a game, with the index of the chosen option.
struct AskedQuestion {
    decision: DecisionId,
    answer: u64,
}

/// Observer that records the questions of a game.
#[derive(Default)]
struct QuestionLog {
    questions: Vec<AskedQuestion>,
    /// For each decision, the number of times that it was asked, and the number of times that its only option was taken
    /// automatically.
    counts: BTreeMap<u16, (u64, u64)>,
    /// Number of times that each decision was asked in each phase.
    phases: BTreeMap<(u16, Option<u16>), u64>,
}

impl Observer for QuestionLog {
    fn chose(&mut self, table: &Table, decision: &Decision, at: usize) {
        self.questions.push(AskedQuestion { decision: decision.id, answer: at as u64 });
        let phase = table.position.phase.map(|phase| phase.0);
        *self.phases.entry((decision.id.0, phase)).or_default() += 1;
    }

    fn answered(&mut self, decision: DecisionId, offered: usize) {
        let (asked, forced) = self.counts.entry(decision.0).or_default();
        if offered == 1 { *forced += 1 } else { *asked += 1 }
    }

    fn step_begins(&mut self, _function: &Arc<str>) {}

    fn turn_ends(&mut self) {}

    fn rests(&mut self, _table: &Table, _standings: Option<&[i64]>) {}
}

/// Counts and examined questions of a game.
struct ExaminedGame {
    counts: BTreeMap<u16, (u64, u64)>,
    phases: BTreeMap<(u16, Option<u16>), u64>,
    questions: Vec<(DecisionId, OptionResults, ExaminedQuestion)>,
}

/// Plays a game and examines questions of up to [`MAX_EXAMINED`] decisions, one random question for each decision. Returns `None` if the
/// game fails.
fn examine_game(
    game: &Game,
    setup: &Setup,
    worlds: u32,
    seat_player: SeatPlayer<'_>,
    halt: &Halt,
) -> Result<Option<ExaminedGame>, Diagnostics> {
    let (layout, host) = game.host(setup)?;
    let policy = usual_knowledge(game.agents()).map(|source| host.advice(&source)).transpose()?;
    let players = layout.model.all_seats().map(|seat| seat_player(setup.seed, seat)).collect();
    let (played, log) = game.watch(setup, players, QuestionLog::default(), false)?;
    let (Ok(_), Some(log)) = (played.outcome, log) else { return Ok(None) };
    let mut chance = Chance::new(setup.seed, "choices");
    let mut by_decision: BTreeMap<u16, Vec<usize>> = BTreeMap::new();
    for (at, question) in log.questions.iter().enumerate() {
        by_decision.entry(question.decision.0).or_default().push(at);
    }
    let mut sought: Vec<usize> =
        by_decision.into_values().map(|places| places[chance.below(places.len() as u32) as usize]).collect();
    chance.shuffle(&mut sought);
    sought.truncate(MAX_EXAMINED);
    let examiner = Examiner {
        answers: log.questions.iter().map(|question| question.answer).collect(),
        next: 0,
        sought,
        worlds,
        seed: setup.seed,
        sides: layout.model.side_indices(),
        is_cooperative: layout.model.is_cooperative(),
        policy,
        found: Vec::new(),
        halt: halt.clone(),
    };
    let examiner = Rc::new(RefCell::new(examiner));
    let players =
        layout.model.all_seats().map(|_| Box::new(ExaminingPlayer(examiner.clone())) as Box<dyn Player>).collect();
    game.play(setup, players, false)?;
    let questions = std::mem::take(&mut examiner.borrow_mut().found);
    Ok(Some(ExaminedGame { counts: log.counts, phases: log.phases, questions }))
}

/// Examiner of questions during the replay of a game.
struct Examiner {
    answers: Vec<u64>,
    /// Index of the next answer.
    next: usize,
    /// Indices of the questions to examine.
    sought: Vec<usize>,
    worlds: u32,
    seed: u64,
    sides: Vec<usize>,
    is_cooperative: bool,
    /// Script that chooses in imagined worlds; `None` for random choices.
    policy: Option<Arc<Advice>>,
    found: Vec<(DecisionId, OptionResults, ExaminedQuestion)>,
    halt: Halt,
}

/// Player that repeats a seat's answers in the replay and examines the questions on the way.
struct ExaminingPlayer(Rc<RefCell<Examiner>>);

impl Player for ExaminingPlayer {
    fn choose(&mut self, observation: &Observation<'_>) -> Result<usize, NoAnswer> {
        self.0.borrow_mut().choose(observation)
    }

    fn imagines(&self) -> bool {
        true
    }
}

impl Examiner {
    fn choose(&mut self, observation: &Observation<'_>) -> Result<usize, NoAnswer> {
        self.halt.check()?;
        let answer =
            self.answers.get(self.next).copied().ok_or_else(|| "more is asked than was answered".to_owned())?;
        if self.sought.contains(&self.next) {
            let found = self.examine(observation);
            self.found.extend(found);
        }
        self.next += 1;
        Ok(answer as usize)
    }

    /// Tries the options of a question in imagined worlds. Returns `None` if the run is halted, if there is only one option, or if fewer
    /// than two worlds can be played to the end with every option.
    fn examine(&self, observation: &Observation<'_>) -> Option<(DecisionId, OptionResults, ExaminedQuestion)> {
        let imagination = observation.imagination()?;
        let (decision, seat) = (observation.decision(), observation.seat());
        let (considered, codes) = (decision.considered(), observation.option_codes());
        let tried: Vec<usize> = evenly_spaced(codes.len());
        let name = |at: &usize| observation.written_one(&decision.option(considered.position(*at)));
        let mut results =
            OptionResults { names: tried.iter().map(name).collect(), finishes: Vec::new(), values: Vec::new() };
        let policy = PlayoutPolicy { policy: self.policy.clone(), ..PlayoutPolicy::default() };
        for world in 0..self.worlds {
            if self.halt.is_called() {
                return None;
            }
            let mut chance = Chance::new(self.seed ^ u64::from(world) << 32 ^ self.next as u64, "choices");
            let Ok(imagined) = world_at_question(&imagination, self.policy.as_ref(), &mut chance) else { continue };
            let Some(offered) = imagined.decision().map(Decision::considered) else { continue };
            let offered_codes = imagined.option_codes();
            let play = |wanted: &usize| -> Option<Finish> {
                let position = offered_codes.iter().position(|code| *code == codes[*wanted])?;
                let mut fork = imagined.fork();
                fork.choose(offered.position(position)).ok()?;
                fork.play_on(&mut chance.clone(), &policy).ok()
            };
            let finishes: Vec<Option<Finish>> = tried.iter().map(play).collect();
            // Options are compared in the same worlds, so a world counts only if every option can be played to the end
            // in it.
            if finishes.iter().all(Option::is_some) {
                let finishes: Vec<Finish> = finishes.into_iter().flatten().collect();
                results.values.push(finishes.iter().map(|finish| self.value(finish, seat)).collect());
                results.finishes.push(finishes);
            }
        }
        let (spread, _) = results.spread_and_lead()?;
        let mut options: Vec<TriedOption> = results
            .names
            .iter()
            .enumerate()
            .map(|(at, name)| TriedOption { name: name.clone(), value: results.mean(at, |_| true) })
            .collect();
        options.sort_by(|one, other| other.value.total_cmp(&one.value));
        let answers = self.answers[..self.next].to_vec();
        Some((decision.id, results, ExaminedQuestion { seed: self.seed, answers, seat, options, spread }))
    }

    /// Returns the share of first place that the seat's side has: 1 for a win, a fraction for a tie, 0 otherwise.
    fn value(&self, finish: &Finish, seat: Seat) -> f64 {
        let own = self.sides[seat.index()];
        if self.is_cooperative {
            return f64::from(u8::from(finish.ranks[seat.index()] == 1));
        }
        let mut winners: Vec<usize> =
            self.sides.iter().zip(&finish.ranks).filter(|(_, rank)| **rank == 1).map(|(side, _)| *side).collect();
        winners.sort_unstable();
        winners.dedup();
        if winners.contains(&own) { 1.0 / winners.len() as f64 } else { 0.0 }
    }
}

/// Returns the indices of the options to try: all of them, or [`MAX_TRIED`] evenly spaced ones.
fn evenly_spaced(options: usize) -> Vec<usize> {
    let tried = options.min(MAX_TRIED);
    (0..tried).map(|at| at * options / tried).collect()
}

/// Results of a question's options, which were all tried in the same worlds.
#[derive(Debug, Clone, Default)]
struct OptionResults {
    names: Vec<String>,
    /// For each world, the result of each option.
    finishes: Vec<Vec<Finish>>,
    /// For each world, the win share with each option.
    values: Vec<Vec<f64>>,
}

impl OptionResults {
    /// Returns the mean win share with an option over those worlds whose index satisfies `is_meant`.
    fn mean(&self, option: usize, is_meant: impl Fn(usize) -> bool) -> f64 {
        let worlds = self.values.iter().enumerate().filter(|(world, _)| is_meant(*world));
        let (sum, count) = worlds.fold((0.0, 0.0), |(sum, count), (_, values)| (sum + values[option], count + 1.0));
        if count > 0.0 { sum / count } else { 0.0 }
    }

    /// Returns the options from best to worst in the first half of the worlds. Returns `None` if there are fewer than two options or two
    /// worlds.
    fn order(&self) -> Option<Vec<usize>> {
        if self.values.len() < 2 || self.names.len() < 2 {
            return None;
        }
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        let first: Vec<f64> = order.iter().map(|option| self.mean(*option, is_first_half)).collect();
        order.sort_by(|one, other| first[*other].total_cmp(&first[*one]));
        Some(order)
    }

    /// Returns the lead of the best option over the worst one and over the second best one. The options are ranked in the first half of the
    /// worlds, and the leads are measured in the second half.
    fn spread_and_lead(&self) -> Option<(f64, f64)> {
        let order = self.order()?;
        let held = |option: usize| self.mean(option, |world| !is_first_half(world));
        let best = held(order[0]);
        Some((best - held(order[order.len() - 1]), best - held(order[1])))
    }

    /// Returns the advantage of each option over the best other option, and whether the option ranks first in the first half of the worlds
    /// and has a positive advantage in the second half. A tie is not an advantage, since all options are equal once a game is decided.
    fn against_best(&self) -> Option<Vec<(f64, bool)>> {
        let order = self.order()?;
        let held = |option: usize| self.mean(option, |world| !is_first_half(world));
        let against = |option: usize| {
            let rival = if order[0] == option { order[1] } else { order[0] };
            let difference = held(option) - held(rival);
            (difference, order[0] == option && difference > 0.0)
        };
        Some((0..self.names.len()).map(against).collect())
    }

    /// Returns whether two options have the same result in every world.
    fn are_same(&self, one: usize, other: usize) -> bool {
        self.finishes.iter().all(|finishes| finishes[one] == finishes[other])
    }
}

/// Returns whether a world belongs to the half that selects options.
const fn is_first_half(world: usize) -> bool {
    world.is_multiple_of(2)
}

/// Counts of an option over the examined questions.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct OptionTally {
    /// Difference from the best other option in thousandths, one entry for each question.
    differences: Histogram,
    best: u64,
}

/// Counts of a decision over the examined games.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct DecisionTally {
    asked: u64,
    forced: u64,
    #[serde(with = "pairs")]
    phases: BTreeMap<Option<u16>, u64>,
    spreads: Histogram,
    leads: Histogram,
    options: BTreeMap<String, OptionTally>,
    /// For each pair of options: the number of questions in which both had the same result in all worlds, the number of these worlds, and
    /// the number of all other questions with this pair.
    #[serde(with = "pairs")]
    same: BTreeMap<[String; 2], (u64, u64, u64)>,
    examples: Vec<ExaminedQuestion>,
}

/// Maximum number of options, and of pairs of options, that are counted for each decision.
const MAX_OPTIONS: usize = 500;

/// Maximum number of questions of a decision from which examples are selected.
const MAX_EXAMPLES: usize = 60;

/// Maximum of a count. No real batch reaches it, and sums of a few such counts do not overflow.
const MAX_COUNT: u64 = 1 << 53;

/// Counts of the questions of the games that were examined so far.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct ChoiceProgress {
    /// Number of games that were played, including those that failed.
    played: u64,
    games: u64,
    decisions: BTreeMap<u16, DecisionTally>,
}

/// Serializes a map as a list of pairs, because JSON allows only strings as keys.
mod pairs {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::collections::BTreeMap;

    pub(super) fn serialize<K: Serialize, V: Serialize, S: Serializer>(
        map: &BTreeMap<K, V>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(map)
    }

    pub(super) fn deserialize<'de, K: Deserialize<'de> + Ord, V: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<K, V>, D::Error> {
        Ok(Vec::<(K, V)>::deserialize(deserializer)?.into_iter().collect())
    }
}

/// Serializes a seat as its index.
mod seat_number {
    use crate::model::Seat;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
    pub(super) fn serialize<S: Serializer>(seat: &Seat, serializer: S) -> Result<S::Ok, S::Error> {
        seat.0.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Seat, D::Error> {
        u8::deserialize(deserializer).map(Seat)
    }
}

/// Serializes a floating-point number as its bits, because a decimal number is not always read back exactly.
mod exact {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
    pub(super) fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        number.to_bits().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        u64::deserialize(deserializer).map(f64::from_bits)
    }
}

impl ChoiceProgress {
    /// Returns the number of games that were played, including those that failed.
    pub const fn played(&self) -> u64 {
        self.played
    }

    /// Returns whether all indices in the counts exist in the game, and the counts are possible for `games` games. Used to validate counts
    /// that were read from a file, which may have been edited.
    pub fn fits(&self, model: &Model, games: u64) -> bool {
        self.are_within(model.decisions.len(), model.phases.len(), model.seats, games)
    }

    fn are_within(&self, decisions: usize, phases: usize, seats: u8, games: u64) -> bool {
        let is_count = |count: u64| count <= MAX_COUNT;
        let fits = |(decision, tally): (&u16, &DecisionTally)| {
            usize::from(*decision) < decisions
                && is_count(tally.asked)
                && is_count(tally.forced)
                && tally
                    .phases
                    .iter()
                    .all(|(phase, count)| is_count(*count) && phase.is_none_or(|phase| usize::from(phase) < phases))
                && tally.options.values().all(|option| is_count(option.best))
                && tally.same.values().all(|(questions, worlds, differ)| {
                    [questions, worlds, differ].into_iter().all(|count| is_count(*count))
                })
                && tally.examples.len() <= MAX_EXAMPLES
                && tally.examples.iter().all(|question| question.seat.0 < seats)
        };
        self.games <= self.played && self.played <= games && self.decisions.iter().all(fits)
    }

    fn add(&mut self, game: ExaminedGame) {
        self.games += 1;
        for (decision, (asked, forced)) in game.counts {
            let tally = self.decisions.entry(decision).or_default();
            tally.asked += asked;
            tally.forced += forced;
        }
        for ((decision, phase), times) in game.phases {
            *self.decisions.entry(decision).or_default().phases.entry(phase).or_default() += times;
        }
        for (decision, results, question) in game.questions {
            self.decisions.entry(decision.0).or_default().add(&results, question);
        }
    }

    fn into_map(self) -> ChoiceMap {
        let decisions = self.decisions.into_iter().map(|(decision, tally)| tally.into_choices(DecisionId(decision)));
        ChoiceMap { games: self.games, decisions: decisions.collect() }
    }
}

/// Converts a difference of win shares to thousandths.
fn thousandths(number: f64) -> i64 {
    (number * UNIT).round() as i64
}

impl DecisionTally {
    fn add(&mut self, results: &OptionResults, question: ExaminedQuestion) {
        let (Some((spread, lead)), Some(against)) = (results.spread_and_lead(), results.against_best()) else { return };
        self.spreads.add(thousandths(spread));
        self.leads.add(thousandths(lead));
        for (name, (difference, is_best)) in results.names.iter().zip(against) {
            if self.options.len() < MAX_OPTIONS || self.options.contains_key(name) {
                let tally = self.options.entry(name.clone()).or_default();
                tally.differences.add(thousandths(difference));
                tally.best += u64::from(is_best);
            }
        }
        for one in 0..results.names.len() {
            for other in one + 1..results.names.len() {
                let mut names = [results.names[one].clone(), results.names[other].clone()];
                names.sort();
                let is_same = results.are_same(one, other);
                if self.same.len() < MAX_OPTIONS || self.same.contains_key(&names) {
                    let (same, worlds, differ) = self.same.entry(names).or_default();
                    if is_same {
                        *same += 1;
                        *worlds += results.values.len() as u64;
                    } else {
                        *differ += 1;
                    }
                }
            }
        }
        if self.examples.len() < MAX_EXAMPLES {
            self.examples.push(question);
        }
    }

    fn into_choices(mut self, decision: DecisionId) -> DecisionChoices {
        let (spread, lead) = (estimate::mean(&self.spreads, UNIT as i64), estimate::mean(&self.leads, UNIT as i64));
        let dominated = self.dominated();
        let duplicates = self.duplicates(&spread);
        let class = self.class(&spread, &lead, &dominated, &duplicates);
        let phase = self.phases.iter().max_by_key(|(_, times)| **times).and_then(|(phase, _)| phase.map(PhaseId));
        self.examples.sort_by(|one, other| other.spread.total_cmp(&one.spread));
        let count = self.examples.len();
        let mut places = vec![0, count / 2, count.saturating_sub(1)];
        places.dedup();
        let examples = places.into_iter().filter_map(|at| self.examples.get(at).cloned()).collect();
        let (asked, forced) = (self.asked, self.forced);
        DecisionChoices { decision, phase, asked, forced, spread, lead, class, dominated, duplicates, examples }
    }

    /// Returns the number of options that are not dominated. Options that are duplicates of each other count once.
    fn distinct_options(&self, dominated: &[DominatedOption], duplicates: &[DuplicateOptions]) -> usize {
        let mut kept: Vec<&String> = Vec::new();
        for name in self.options.keys().filter(|name| dominated.iter().all(|option| option.name != **name)) {
            let is_again = |same: &DuplicateOptions| same.names[1] == *name && kept.contains(&&same.names[0]);
            if !duplicates.iter().any(is_again) {
                kept.push(name);
            }
        }
        kept.len()
    }

    fn class(
        &self,
        spread: &Estimate,
        lead: &Estimate,
        dominated: &[DominatedOption],
        duplicates: &[DuplicateOptions],
    ) -> ChoiceClass {
        if self.forced as f64 >= FORCED * (self.asked + self.forced) as f64 {
            return ChoiceClass::Forced;
        }
        if spread.count < MIN_QUESTIONS {
            return ChoiceClass::Unclear;
        }
        if spread.interval.high < IRRELEVANT {
            return ChoiceClass::Equal;
        }
        if spread.interval.low <= 0.0 {
            return ChoiceClass::Unclear;
        }
        if !dominated.is_empty() && self.distinct_options(dominated, duplicates) < 2 || lead.interval.low > STANDS_OUT {
            ChoiceClass::Obvious
        } else {
            ChoiceClass::Real
        }
    }

    /// Returns the options that are significantly worse than the best other option and rarely the best themselves, worst first.
    fn dominated(&self) -> Vec<DominatedOption> {
        let compared: Vec<(&String, &OptionTally)> =
            self.options.iter().filter(|(_, tally)| tally.differences.total() >= MIN_QUESTIONS).collect();
        let differences: Vec<Difference> =
            compared.iter().map(|(_, tally)| Difference::of_mean(&tally.differences, UNIT as i64)).collect();
        let adjusted = adjust_differences(&differences);
        let is_dominated = |tally: &OptionTally, adjusted: &AdjustedDifference| {
            let rarely = wilson(tally.best as f64, tally.differences.total()).high < RARELY_BEST;
            rarely && adjusted.is_finding() && adjusted.estimate.value < 0.0
        };
        let mut found: Vec<DominatedOption> = compared
            .iter()
            .zip(&adjusted)
            .filter(|((_, tally), adjusted)| is_dominated(tally, adjusted))
            .map(|((name, tally), adjusted)| DominatedOption {
                name: (*name).clone(),
                difference: adjusted.estimate,
                best: tally.best,
            })
            .collect();
        found.sort_by(|one, other| one.difference.value.total_cmp(&other.difference.value));
        found
    }

    /// Returns the pairs of options that had the same result in every world, if there were at least [`MIN_SAME`] worlds. Returns no pairs
    /// if it makes no relevant difference which option of the decision is taken.
    fn duplicates(&self, spread: &Estimate) -> Vec<DuplicateOptions> {
        if spread.interval.high < IRRELEVANT {
            return Vec::new();
        }
        let is_duplicate =
            |(_, (_, worlds, differ)): &(&[String; 2], &(u64, u64, u64))| *worlds >= MIN_SAME && *differ == 0;
        let found = self.same.iter().filter(is_duplicate);
        found
            .map(|(names, (questions, worlds, _))| DuplicateOptions {
                names: names.clone(),
                questions: *questions,
                worlds: *worlds,
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{ChoiceProgress, DecisionTally};

    #[test]
    fn counts_of_another_game_are_not_continued() {
        let counts = |change: &dyn Fn(&mut ChoiceProgress)| {
            let mut counts = ChoiceProgress { played: 3, games: 2, ..ChoiceProgress::default() };
            counts.decisions.insert(0, DecisionTally::default());
            change(&mut counts);
            counts.are_within(1, 1, 2, 10)
        };
        assert!(counts(&|_| {}));
        let forged: [&dyn Fn(&mut ChoiceProgress); 5] = [
            &|counts| counts.games = 4,
            &|counts| counts.played = 11,
            &|counts| drop(counts.decisions.insert(999, DecisionTally::default())),
            &|counts| counts.decisions.entry(0).or_default().asked = u64::MAX,
            &|counts| {
                counts.decisions.entry(0).or_default().phases.insert(Some(999), 1);
            },
        ];
        for (at, change) in forged.into_iter().enumerate() {
            assert!(!counts(change), "{at}");
        }
    }
}
