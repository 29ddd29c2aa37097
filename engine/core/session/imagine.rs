//! Worlds of a seat's information set (determinization): everything that the seat does not know is dealt again.
//!
//! There are two ways to reach the open decision in a world. In the first, the hidden faces on the current table are dealt again, and the
//! waiting step is copied. This is possible if the step would have run the same way in every world: the seat knows everything that the step
//! has read so far, and has not lost track of any piece since the step began. In the second, hidden faces are dealt again at the step's
//! checkpoint, and the step is run again from there.

use super::checkpoint::Checkpoint;
use super::game::Game;
use super::past::{PastStep, PastSteps};
use super::status::{Progress, Session};
use super::world::{Ratings, World, option_codes};
use super::world_counts::{Relaxation, WorldCounts};
use crate::decision::{Choice, ChosenFace, Decision, Imagining, Log, MAX_CONSIDERED, OptionSet, Rerun, StepAnswer};
use crate::diagnostic::{Diagnostic, Diagnostics, Place, Source};
use crate::library::{Permissions, State, Triggers};
use crate::model::{Language, Seat, Setup};
use crate::script::{Advice, ConditionChecker, Ended, Host, Step, Waiting};
use crate::table::{Chance, Layout, Table, Undealt, View, mixed};
use crate::wording::{Offer, Wording};
use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Maximum number of deals tried before a world is relaxed.
const DEALS: usize = 1_000;

/// Number of deals tried before [`Basis::find_relaxation`] determines whether the worlds of this decision have to be relaxed.
const DEALS_FIRST: usize = 40;

/// Maximum number of deals tried at each level below the strictest.
const DEALS_RELAXED: usize = 64;

/// Number of deals in which the secret answers of others are drawn at random. Later deals keep the actual answers: if random answers never
/// lead to what the seat has seen, the seat can infer the actual answers from their effects.
const DEALS_AT_RANDOM: usize = 32;

/// Data from which the worlds of one decision are dealt.
#[expect(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub(super) struct Basis<'a> {
    checkpoint: &'a Checkpoint,
    now: &'a Table,
    seat: Seat,
    decision: &'a Decision,
    /// Sequence number of the open round of simultaneous decisions, if there is one.
    together: Option<u32>,
    /// Answers in this step that the seat knows.
    replay: VecDeque<StepAnswer>,
    /// All answers of the step, except other seats' answers in the open round of simultaneous decisions. Worlds replay these once random
    /// secret answers have failed.
    answered: VecDeque<StepAnswer>,
    /// Whether another seat has answered in the open round of simultaneous decisions. The asked seat does not know these answers.
    has_hidden_answers: bool,
    /// Whether dealt worlds keep a checkpoint, so that more worlds can be imagined from them.
    goes_on: bool,
    /// See [`Imagining::keeps_picks`].
    keeps_picks: bool,
    destination: Arc<OnceLock<Destination>>,
    relaxing: Arc<OnceLock<Relaxing>>,
    /// The pieces that others chose in this step and whose faces the seat knows by now.
    chosen: OnceLock<Arc<[ChosenFace]>>,
    /// Whether the waiting step can be copied into every world.
    is_copied: bool,
    worlds: &'a Arc<Mutex<WorldCounts>>,
}

/// Strictness of a world: how much of the seat's knowledge the world must explain. A world of the first level explains all of it. The last
/// level, in which the waiting step is copied and all learned conditions are left out, always has worlds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Level {
    /// Number of learned conditions that are left out.
    left_out: usize,
    /// Whether the waiting step is copied rather than run again.
    is_copied: bool,
}

impl Level {
    /// Returns the levels for a number of learned conditions, strictest first. The number of conditions left out is 0, then each power of
    /// two below the total, then the total.
    ///
    /// Unless `is_copied` is set, the levels that run the waiting step again come before those that copy it.
    fn all(learned: usize, is_copied: bool) -> Vec<Self> {
        let mut numbers = vec![0];
        numbers.extend((0..).map(|power| 1 << power).take_while(|number| *number < learned));
        numbers.extend((learned > 0).then_some(learned));
        let with = |is_copied| numbers.iter().map(move |left_out| Self { left_out: *left_out, is_copied });
        if is_copied { with(true).collect() } else { with(false).chain(with(true)).collect() }
    }

    /// Returns the reason why a world of this level does not explain everything that the seat knows.
    const fn relaxation(self) -> Relaxation {
        if self.left_out > 0 { Relaxation::Unlearned } else { Relaxation::Copied }
    }
}

/// The strictest level that has worlds at a decision. It depends only on the seat's knowledge, so it is the same for
/// every agent and on every thread.
#[derive(Debug)]
struct Relaxing {
    /// Index in [`Level::all`].
    level: usize,
    /// Place where the step first reads something that is hidden from the seat.
    hidden: Option<Place>,
}

/// Two functions that take a table: one returns the game state before the step, the other the waiting step.
type Makers<'m> = (&'m dyn Fn(Table) -> State, &'m dyn Fn(Table) -> Result<DealtStep, Box<Diagnostic>>);

/// Result that a step must have when it is run again in a dealt world. Computed when a step is first run again.
#[derive(Debug)]
struct Destination {
    /// Sorted codes of the options of the asked seat. Empty if the asked seat is not the one that imagines the world.
    offered: Vec<u64>,
    /// Digest of what the seat sees and remembers.
    known: u64,
}

impl Destination {
    fn new(now: &Table, seat: Seat, decision: &Decision) -> Self {
        Self {
            offered: if decision.seat == seat { offered(now, decision) } else { Vec::new() },
            known: View::memory(now, Some(seat)).digest(),
        }
    }
}

/// A step that waits at the decision in an imagined world.
pub(super) struct DealtStep {
    /// The imagined table before the step, if more worlds may be imagined from this one.
    pub(super) checkpoint: Option<Checkpoint>,
    pub(super) state: State,
    pub(super) step: Step,
}

/// Differences between a seat's options in an imagined world and in the actual game.
struct OptionMismatch {
    /// The first options that exist only in the imagined world.
    more: Vec<String>,
    /// Number of options that exist only in the actual game.
    fewer: usize,
    /// Whether the options differ, but are too many to be compared one by one.
    is_other: bool,
    /// Minimum and maximum number of picks in the imagined world, if they differ from those in the actual game.
    picks: Option<(u32, u32)>,
}

impl OptionMismatch {
    /// Describes the differences. `all` is the number of options in the actual game.
    fn lines(&self, all: usize) -> Vec<String> {
        let more = (!self.more.is_empty()).then(|| format!("it is offered {}", self.more.join(", ")));
        let fewer = match self.fewer {
            0 => None,
            fewer if fewer == all => Some("it is not asked this".to_owned()),
            1 => Some("one of its options is missing".to_owned()),
            fewer => Some(format!("{fewer} of its {all} options are missing")),
        };
        let picks = self.picks.map(|(least, most)| format!("it picks {least} to {most}"));
        let other = self.is_other.then(|| "it has other options".to_owned());
        more.into_iter().chain(fewer).chain(other).chain(picks).collect()
    }
}

/// Result of a step that was run again in a dealt world.
enum Deal {
    /// The step waits at the decision, and the seat sees the same as in the actual game.
    Asked(Box<DealtStep>),
    /// The seat sees the same, but the decision has no options.
    Unasked,
    /// The seat sees the same, but is asked something else, or the step is over.
    Elsewhere,
    /// Any other result. In particular, the seat can tell this world from the actual game, or the step asks another seat or fails.
    Otherwise,
}

impl<'a> Basis<'a> {
    pub(super) fn new(
        checkpoint: &'a Checkpoint,
        state: &'a State,
        (seat, decision): (Seat, &'a Decision),
        worlds: &'a Arc<Mutex<WorldCounts>>,
    ) -> Self {
        let given = &state.answers.given;
        let replay = known_answers(given, seat);
        Self {
            checkpoint,
            now: &state.table,
            seat,
            decision,
            together: state.permissions.open_round(),
            has_hidden_answers: given.iter().any(|given| given.pending && given.seat != seat),
            replay,
            answered: given.iter().filter(|given| given.seat == seat || !given.pending).cloned().collect(),
            goes_on: true,
            keeps_picks: false,
            destination: Arc::default(),
            relaxing: Arc::default(),
            chosen: OnceLock::new(),
            is_copied: false,
            worlds,
        }
    }

    fn destination(&self) -> &Destination {
        self.destination.get_or_init(|| Destination::new(self.now, self.seat, self.decision))
    }

    /// Deals a world and counts it. If no deal explains everything that the seat knows, the world is of the strictest
    /// level that has worlds.
    ///
    /// # Errors
    /// Returns a fault of the rules in a learned condition.
    pub(super) fn deal(
        &self,
        host: &Arc<Host>,
        chance: &mut Chance,
        makers: Makers<'_>,
    ) -> Result<DealtStep, Box<Diagnostic>> {
        let levels = Level::all(self.now.lessons_count(self.seat), self.is_copied);
        let (dealt, relaxed) = self.deal_at_levels(&levels, host, chance, makers)?;
        self.worlds.lock().unwrap_or_else(PoisonError::into_inner).add(relaxed.as_ref());
        Ok(dealt)
    }

    fn deal_at_levels(
        &self,
        levels: &[Level],
        host: &Arc<Host>,
        chance: &mut Chance,
        makers: Makers<'_>,
    ) -> Result<(DealtStep, Option<(Relaxation, Option<Place>)>), Box<Diagnostic>> {
        if let Some((dealt, _)) = self.deal_at(levels[0], 0..DEALS_FIRST, host, chance, makers)? {
            return Ok((dealt, None));
        }
        let relaxing = self.relaxing.get_or_init(|| self.find_relaxation(levels, host, makers));
        if relaxing.level == 0
            && let Some((dealt, _)) = self.deal_at(levels[0], DEALS_FIRST..DEALS, host, chance, makers)?
        {
            return Ok((dealt, None));
        }
        for level in &levels[relaxing.level.max(1)..] {
            if let Some((dealt, learned)) = self.deal_at(*level, 0..DEALS_RELAXED, host, chance, makers)? {
                let place = if level.left_out > 0 { learned } else { relaxing.hidden.clone() };
                return Ok((dealt, Some((level.relaxation(), place))));
            }
        }
        Err(Box::new(Diagnostic::error("internal", "no faces fit the places on the table")))
    }

    /// Finds the strictest level that has worlds. The random number generator is seeded with a digest of what the seat knows.
    fn find_relaxation(&self, levels: &[Level], host: &Arc<Host>, makers: Makers<'_>) -> Relaxing {
        let mut chance = Chance::new(self.destination().known, "relaxing");
        let mut has_worlds = |at: usize| {
            let deals = if at == 0 { DEALS } else { DEALS_RELAXED };
            !matches!(self.deal_at(levels[at], 0..deals, host, &mut chance, makers), Ok(None))
        };
        let level = (0..levels.len()).find(|at| has_worlds(*at)).unwrap_or(levels.len() - 1);
        let hidden = if level == 0 || self.is_copied { None } else { self.find_hidden_read(host, makers.0) };
        Relaxing { level, hidden }
    }

    /// Deals a world of a level. Returns the world and the place of the first learned condition that was left out.
    /// Returns `None` if none of the `deals` led to a world.
    fn deal_at(
        &self,
        level: Level,
        deals: Range<usize>,
        host: &Arc<Host>,
        chance: &mut Chance,
        (state_at, copy_at): Makers<'_>,
    ) -> Result<Option<(DealtStep, Option<Place>)>, Box<Diagnostic>> {
        let mut judge = ConditionChecker::new(host);
        let fewer = if level.left_out > 0 { self.now.without_lessons(self.seat, level.left_out) } else { None };
        let (now, place) = fewer.map_or((None, None), |(now, place)| (Some(now), place));
        let now = now.as_ref().unwrap_or(self.now);
        if level.is_copied {
            return match now.imagine(self.seat, chance, &mut judge) {
                Ok(table) => Ok(Some((copy_at(table)?, place))),
                Err(Undealt::Fault(fault)) => Err(fault),
                Err(Undealt::Unexplained | Undealt::Learned) => Ok(None),
            };
        }
        for deal in deals {
            match self.deal_once(host, now, chance, state_at, (&mut judge, deal < DEALS_AT_RANDOM)) {
                Ok(Deal::Asked(dealt))
                    if self.has_hidden_answers || self.offers(&dealt.state.table, dealt.step.decision()) =>
                {
                    return Ok(Some((*dealt, place)));
                }
                Ok(_) => {}
                Err(Undealt::Fault(fault)) => return Err(fault),
                // The search for faces is the same in every attempt, so another attempt would take the same time and fail too.
                Err(Undealt::Unexplained | Undealt::Learned) => return Ok(None),
            }
        }
        Ok(None)
    }

    /// Deals once and runs the step again. If `is_random` is set, the secret answers of others are drawn at random, otherwise they are
    /// kept.
    fn deal_once(
        &self,
        host: &Arc<Host>,
        now: &Table,
        chance: &mut Chance,
        state_at: &dyn Fn(Table) -> State,
        (judge, is_random): (&mut ConditionChecker, bool),
    ) -> Result<Deal, Undealt> {
        let (mut table, is_as_now) = self.checkpoint.table.deal_again(now, self.seat, chance, judge)?;
        table.chance = self.checkpoint.table.chance.clone();
        let call = &self.checkpoint.call;
        let checkpoint = self.goes_on.then(|| Checkpoint { table: table.clone(), call: call.clone() });
        let track = table.track();
        let mut state = state_at(table);
        state.answers.replay.clone_from(if is_random { &self.replay } else { &self.answered });
        let chance_after = Chance::new(chance.next_bits(), "imagined");
        let answers = Chance::new(chance.next_bits(), "answers");
        let imagining = is_random.then(|| Imagining {
            seat: self.seat,
            asked: (self.decision.seat, self.decision.id),
            together: self.together,
            has_nothing: false,
            chosen: self.chosen.get_or_init(|| chosen_faces(now, &self.replay, self.seat)).clone(),
            chance: answers,
            keeps_picks: self.keeps_picks,
        });
        state.answers.rerun = Some(Box::new(Rerun { imagining, chance_after }));
        let ended = Step::begin(host, &mut state, call);
        // All answers that the seat knows must have been used up in this world.
        let is_whole = self.has_hidden_answers || state.answers.replay.is_empty();
        let is_alike = is_whole && View::memory(&state.table, Some(self.seat)).digest() == self.destination().known;
        if !is_alike {
            return Ok(Deal::Otherwise);
        }
        if !std::ptr::eq(now, self.now) {
            // Conditions that were left out need not hold in this world. `take_knowledge` restores those that are kept.
            state.table.forget_learned();
        }
        // If the seat lost track of pieces in this step, the mixes of the step may contain other faces in this world than in the actual
        // game.
        let is_known_alike = is_as_now
            && std::ptr::eq(now, self.now)
            && state.table.has_kept_track_since(&track)
            && state.table.is_tracked_as(now);
        if !is_known_alike && !state.table.take_knowledge(now, Layout::only(self.seat), &mut chance.fork()) {
            return Ok(Deal::Otherwise);
        }
        let has_nothing = |rerun: &Rerun| rerun.imagining.as_ref().is_some_and(|imagining| imagining.has_nothing);
        Ok(match ended {
            Ended::Asked(step) if self.has_hidden_answers || is_same(step.decision(), self.decision) => {
                Deal::Asked(Box::new(DealtStep { checkpoint, state, step }))
            }
            Ended::NotOffered if state.answers.rerun.is_some_and(|rerun| has_nothing(&rerun)) => Deal::Unasked,
            Ended::Asked(step) if step.decision().seat == self.seat => Deal::Elsewhere,
            Ended::Done => Deal::Elsewhere,
            _ => Deal::Otherwise,
        })
    }

    /// Returns whether the seat has the same options on another table. Always true if another seat is asked.
    fn offers(&self, table: &Table, open: &Decision) -> bool {
        open.seat != self.seat
            || open.picks == self.decision.picks && offered(table, open) == self.destination().offered
    }

    /// Finds where the step first reads something that the seat does not know.
    fn find_hidden_read(&self, host: &Arc<Host>, state_at: &dyn Fn(Table) -> State) -> Option<Place> {
        Step::first_unknown(host, &mut self.state_before(state_at), &self.checkpoint.call, self.seat)
    }

    /// Finds where the step last reads something that the seat does not know. Rules usually list options just before they ask, so earlier
    /// reads are more likely to have had another purpose.
    fn find_last_hidden_read(&self, host: &Arc<Host>, state_at: &dyn Fn(Table) -> State) -> Option<Place> {
        Step::last_unknown(host, &|| self.state_before(state_at), &self.checkpoint.call, self.seat)
    }

    /// Returns the actual game before the step, with the answers of the step up to the open decision.
    fn state_before(&self, state_at: &dyn Fn(Table) -> State) -> State {
        let mut table = self.checkpoint.table.clone();
        table.chance = self.checkpoint.table.chance.clone();
        let mut state = state_at(table);
        state.answers.replay.clone_from(&self.answered);
        let chance_after = Chance::new(0, "imagined");
        state.answers.rerun = Some(Box::new(Rerun { imagining: None, chance_after }));
        state
    }
}

/// Returns the answers of a step that a seat knows: its own answers, and public answers of others that are no longer pending.
fn known_answers(given: &Log<StepAnswer>, seat: Seat) -> VecDeque<StepAnswer> {
    given.iter().filter(|given| given.seat == seat || given.is_public && !given.pending).cloned().collect()
}

/// Returns the pieces that other seats chose in `answers` and whose faces a seat knows by now.
fn chosen_faces(now: &Table, answers: &VecDeque<StepAnswer>, seat: Seat) -> Arc<[ChosenFace]> {
    let mut found = Vec::new();
    for choice in answers.iter().filter(|given| given.seat != seat).filter_map(|given| given.choice.as_ref()) {
        choice.each_piece(|piece| found.extend(now.known_face(piece, seat).map(|face| (piece, face))));
    }
    found.into()
}

/// Everything needed to imagine worlds at a seat's open decision, on this thread or another.
///
/// The game inside cannot be inspected. It can only produce worlds in which everything that the seat does not know is
/// dealt again.
#[derive(Clone)]
pub struct Imagination {
    pub(super) game: Game,
    pub(super) setup: Setup,
    checkpoint: Arc<Checkpoint>,
    now: Table,
    pub(super) seat: Seat,
    decision: Decision,
    together: Option<u32>,
    replay: VecDeque<StepAnswer>,
    answered: VecDeque<StepAnswer>,
    has_hidden_answers: bool,
    destination: Arc<OnceLock<Destination>>,
    relaxing: Arc<OnceLock<Relaxing>>,
    /// The waiting step of the open decision.
    open: Open,
    /// Whether the seat knows everything that the step has read, so that the waiting step is the same in every world.
    is_copied: bool,
    worlds: Arc<Mutex<WorldCounts>>,
    /// The earlier steps, if the game keeps them.
    pub(super) past: Option<Arc<PastSteps>>,
    /// The step under way, if the game keeps earlier steps.
    pub(super) open_step: Option<PastStep>,
    /// Earlier choices of others that determine the weights of worlds. Set by [`Imagination::look_back`].
    pub(super) weighed: Vec<(PastStep, usize)>,
}

/// A waiting step, and the parts of the game's state that are not stored in the table.
#[derive(Clone)]
struct Open {
    step: Waiting,
    given: Log<StepAnswer>,
    permissions: Permissions,
    triggers: Triggers,
    steps_unasked: u32,
}

impl Open {
    /// Copies the waiting step of a session; `None` if no step waits.
    fn of(session: &Session) -> Option<Self> {
        let Progress::Waiting(step) = &session.progress else { return None };
        let state = &session.state;
        Some(Self {
            step: step.waiting(),
            given: state.answers.given.clone(),
            permissions: state.permissions.clone(),
            triggers: state.triggers.clone(),
            steps_unasked: state.steps_unasked,
        })
    }

    /// Returns whether a seat knows everything that the waiting step of a session has read, so that the step is the same in every world.
    fn is_known(&self, session: &Session, seat: Seat) -> bool {
        let table = &session.state.table;
        let is_known =
            |given: &StepAnswer| given.seat == seat || given.choice.is_none() || given.is_public && !given.pending;
        // A variable may hold a piece that the seat knew and has lost track of since. Copying the variable would tell
        // the seat which piece it is.
        !self.step.is_fragment()
            && table.is_kept_track_of(seat)
            && table.is_read_as_known(seat)
            && self.given.iter().all(is_known)
    }

    /// Creates a copy of the waiting step that continues on another table.
    fn at(&self, host: &Arc<Host>, table: Table) -> Result<DealtStep, Box<Diagnostic>> {
        let mut state = State::new(table);
        state.answers.given = self.given.clone();
        state.permissions = self.permissions.clone();
        state.triggers = self.triggers.clone();
        state.steps_unasked = self.steps_unasked;
        Ok(DealtStep { checkpoint: None, state, step: Step::restore(host, self.step.clone())? })
    }
}

impl Imagination {
    /// Captures what is needed to imagine worlds at the open decision, for the seat that is asked. `None` if no
    /// decision is open or the session keeps no checkpoint.
    pub(super) fn of(session: &Session) -> Option<Self> {
        let basis = session.basis(session.decision()?.seat)?;
        let checkpoint = session.checkpoint.as_ref()?;
        let open = Open::of(session)?;
        Some(Self {
            is_copied: open.is_known(session, basis.seat),
            open,
            game: session.game().clone(),
            setup: session.setup().clone(),
            checkpoint: checkpoint.clone(),
            now: basis.now.clone(),
            seat: basis.seat,
            decision: basis.decision.clone(),
            together: basis.together,
            replay: basis.replay,
            answered: basis.answered,
            has_hidden_answers: basis.has_hidden_answers,
            destination: basis.destination,
            relaxing: basis.relaxing,
            worlds: session.worlds.clone(),
            past: session.past.clone(),
            open_step: session.past.as_ref().and_then(|_| PastStep::new(checkpoint, &session.state)),
            weighed: Vec::new(),
        })
    }

    /// Moves the imagination to a thread that imagines many worlds. `thread` is the thread's own copy of the game, created with
    /// [`Game::apart`] at the thread's first decision.
    #[must_use]
    pub fn on(self, thread: &mut Option<Game>) -> Self {
        let game = thread.get_or_insert_with(|| self.game.apart()).clone();
        Self { game, ..self }
    }

    /// Returns the seat that is asked.
    pub const fn seat(&self) -> Seat {
        self.seat
    }

    /// Compiles an agent's file together with the rules, to be run on worlds of this thread.
    ///
    /// # Errors
    /// Returns all mistakes in the file.
    pub fn advice(&self, source: &Arc<Source>) -> Result<Arc<Advice>, Diagnostics> {
        self.game.host(&self.setup)?.1.advice(source)
    }

    /// Returns whether an agent's file rates the options of the decision.
    pub fn is_rated(&self, advice: &Advice) -> bool {
        advice.rates(&self.now.model().decisions[self.decision.id.index()].id)
    }

    /// Rates the options of the decision with an agent's file, without imagining a world. The ratings are the same in every world.
    ///
    /// Returns `None` if the waiting step or the file reads anything that the seat does not know, if the file does not rate the decision,
    /// or if the file fails. Nothing leaks, because ratings that depend on something unknown are dropped.
    pub fn rated_as_known(&self, advice: &Arc<Advice>) -> Option<Ratings> {
        (self.is_copied && self.decision.seat == self.seat).then_some(())?;
        let (_, host) = self.game.host(&self.setup).ok()?;
        let dealt = self.open.at(&host, self.now.clone()).ok()?;
        let as_it_lies = World::new(Session::apart(self.game.clone(), host, &self.setup, dealt));
        let ratings = as_it_lies.rate(advice).ok()??;
        Some(ratings).filter(|ratings| ratings.is_same_in_all)
    }

    /// Deals a world that the seat cannot tell from the actual game, at the same decision. If several seats are asked
    /// at the same time, the world waits at the first of their decisions.
    ///
    /// If a limited number of deals finds no world that explains everything the seat knows, the world is
    /// [relaxed](super::Relaxation): it explains at least what the seat sees.
    ///
    /// # Errors
    /// Returns mistakes in the rules, and faults in learned conditions.
    pub fn world(&self, chance: &mut Chance) -> Result<World, Box<Diagnostic>> {
        let (_, host) = self.game.host(&self.setup).map_err(first_of)?;
        let copy_at = |table| self.open.at(&host, table);
        let dealt = self.basis().deal(&host, chance, (&State::new, &copy_at))?;
        Ok(World::new(Session::apart(self.game.clone(), host, &self.setup, dealt)))
    }

    /// Returns whether a copied step equals a step that was run again in an imagined world. Returns `None` if the steps of this decision
    /// are always run again, or if no world is found.
    #[cfg(feature = "walker")]
    pub fn is_copied_rightly(&self, chance: &mut Chance) -> Option<bool> {
        self.is_copied.then_some(())?;
        let (_, host) = self.game.host(&self.setup).ok()?;
        let exact = Level { left_out: 0, is_copied: false };
        let copy_at = |table| self.open.at(&host, table);
        let (dealt, _) = self.basis().deal_at(exact, 0..DEALS, &host, chance, (&State::new, &copy_at)).ok()??;
        let copied = self.now.imagine(self.seat, chance, &mut ConditionChecker::new(&host)).ok()?;
        let is_same_table = View::memory(&dealt.state.table, Some(self.seat)).digest()
            == View::memory(&copied, Some(self.seat)).digest();
        let open = &self.open;
        Some(is_same_table && dealt.step.waiting().is_at(&open.step) && dealt.state.answers.given == open.given)
    }

    fn basis(&self) -> Basis<'_> {
        Basis {
            checkpoint: &self.checkpoint,
            now: &self.now,
            seat: self.seat,
            decision: &self.decision,
            together: self.together,
            replay: self.replay.clone(),
            answered: self.answered.clone(),
            has_hidden_answers: self.has_hidden_answers,
            goes_on: false,
            keeps_picks: false,
            destination: self.destination.clone(),
            relaxing: self.relaxing.clone(),
            chosen: OnceLock::new(),
            is_copied: self.is_copied,
            worlds: &self.worlds,
        }
    }

    /// Returns whether worlds are dealt by running the step again rather than by copying it.
    pub const fn is_run_again(&self) -> bool {
        !self.is_copied
    }

    /// Compares the seat's options in a world with those in the actual game; `None` if they are the same.
    fn find_mismatch(&self, dealt: &DealtStep) -> Option<OptionMismatch> {
        let (table, open) = (&dealt.state.table, dealt.step.decision());
        let basis = self.basis();
        let here = &basis.destination().offered;
        let picks = open.picks.filter(|picks| Some(*picks) != self.decision.picks);
        if open.count().max(self.decision.count()) > MAX_CONSIDERED {
            let is_other = offered(table, open) != *here;
            return (is_other || picks.is_some()).then_some(OptionMismatch {
                more: Vec::new(),
                fewer: 0,
                is_other,
                picks,
            });
        }
        let there = option_codes(table, open);
        let known: BTreeSet<u64> = there.iter().copied().collect();
        let fewer = here.iter().filter(|code| !known.contains(code)).count();
        let wording = Wording::new(self.now.model().clone(), self.setup.clone(), Language::English).for_seat(self.seat);
        let offer = Offer::new(wording, table, open);
        let written = |at: usize| offer.written(&open.option(at));
        let unlike = (0..open.count()).filter(|at| here.binary_search(&there[*at]).is_err());
        let more: Vec<String> = unlike.take(MAX_MARKED).map(written).collect();
        let is_unlike = fewer > 0 || !more.is_empty() || picks.is_some();
        is_unlike.then_some(OptionMismatch { more, fewer, is_other: false, picks })
    }

    /// Returns a warning if the options tell the seat something that it does not know. This is the case if the seat has other options in a
    /// world that it cannot tell from the actual game. Only a few worlds are tried, so rare cases may be missed.
    pub fn check_options(&self, chance: &mut Chance) -> Option<Box<Diagnostic>> {
        if self.is_copied || self.has_hidden_answers || self.decision.seat != self.seat {
            return None;
        }
        let (_, host) = self.game.host(&self.setup).ok()?;
        // A random pick among visible items is not secret, even if the options are the first to reveal its result.
        let basis = Basis { keeps_picks: true, ..self.basis() };
        let mut judge = ConditionChecker::new(&host);
        let count = self.decision.count();
        let nothing = || Some(OptionMismatch { more: Vec::new(), fewer: count, is_other: false, picks: None });
        // Being asked at all may legitimately tell the seat what others answered in secret. A missing decision
        // therefore counts only if the secret answers were kept.
        let mut looked_up = (0..COMPARED_WORLDS).flat_map(|_| [true, false]);
        let unlike = looked_up.find_map(|is_random| {
            match basis.deal_once(&host, basis.now, chance, &State::new, (&mut judge, is_random)).ok()? {
                Deal::Asked(dealt) => self.find_mismatch(&dealt),
                Deal::Unasked => nothing(),
                Deal::Elsewhere if !is_random => nothing(),
                Deal::Elsewhere | Deal::Otherwise => None,
            }
        })?;
        let decision = &self.now.model().decisions[self.decision.id.index()].id;
        let message = format!("the options of `{decision}` tell the seat that is asked something it does not know");
        let found = Diagnostic::warning("telling-options", message)
            .detail("where hidden pieces lie differently", unlike.lines(count));
        let found = match basis.find_last_hidden_read(&host, &State::new) {
            None => found,
            Some(place) => found.mark(place, HIDDEN_MATTER).help(HIDDEN_MATTER_HELP),
        };
        let asked = Step::restore(&host, self.open.step.clone()).ok().and_then(|step| step.place());
        Some(Box::new(match asked {
            Some(place) => found.mark(place, format!("asks `{decision}`")),
            None => found,
        }))
    }
}

/// Returns whether two decisions are the same question to the same seat.
fn is_same(one: &Decision, other: &Decision) -> bool {
    (one.seat, one.id) == (other.seat, other.id)
}

/// Returns the codes of a decision's options as in [`offered_in_order`], but sorted.
fn offered(table: &Table, decision: &Decision) -> Vec<u64> {
    let mut codes = offered_in_order(table, decision);
    codes.sort_unstable();
    codes
}

/// Returns codes for the options of a decision, in their order: one code per option or, if there are very many options,
/// one per option of each part.
pub(super) fn offered_in_order(table: &Table, decision: &Decision) -> Vec<u64> {
    if decision.count() <= MAX_CONSIDERED {
        return option_codes(table, decision);
    }
    let mut codes = Vec::new();
    add_codes(table, decision.seat, (&decision.options, 0), &mut codes);
    codes
}

/// Adds one code for each option of each part of a set. The parts of a product are coded separately, so that their combinations are not
/// listed. A range of numbers gets a single code.
fn add_codes(table: &Table, seat: Seat, (set, part): (&OptionSet, u64), codes: &mut Vec<u64>) {
    match set {
        OptionSet::Product(parts) => {
            for (name, set) in parts.iter() {
                add_codes(table, seat, (set, mixed(&[part, Choice::Word(name.clone()).code(table, seat)])), codes);
            }
        }
        OptionSet::Union(sets) => sets.iter().for_each(|set| add_codes(table, seat, (set, part), codes)),
        OptionSet::Numbers(low, high) => codes.push(mixed(&[part, *low as u64, *high as u64])),
        listed => codes.extend(listed.iter().map(|choice| mixed(&[part, choice.code(table, seat)]))),
    }
}

/// Returns the first of several mistakes in a game's files.
fn first_of(mistakes: Diagnostics) -> Box<Diagnostic> {
    let unknown = || Diagnostic::error("internal", "the rules cannot be run");
    Box::new(mistakes.0.into_iter().next().unwrap_or_else(unknown))
}

/// Maximum number of options that a warning lists because they exist only in the imagined world.
const MAX_MARKED: usize = 3;

const HIDDEN_MATTER: &str = "depends on information hidden from the seat that is asked";
const HIDDEN_MATTER_HELP: &str = "make options depend on visible information only, or let the seat learn what they reveal with `seat.learn(pieces, |piece| …)`";

/// Number of pairs of worlds in which the options of a seat are compared. Each pair has one world with random secret answers and one with
/// the actual answers.
const COMPARED_WORLDS: usize = 4;
