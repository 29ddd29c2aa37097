//! Worlds that a seat cannot tell from the one that is played: what it does not know is dealt again.
//!
//! Where the seat knows all that the step has gone by so far, and has lost track of nothing in it, it would have come to the
//! same decision in every such world, by the same way, with the same in its variables: the table is dealt again as it lies, and the
//! waiting step is copied. Otherwise the step is run again from its checkpoint with other faces, up to the decision that is open.

use super::checkpoint::Checkpoint;
use super::game::Game;
use super::past::{Past, PastStep};
use super::status::{Progress, Session};
use super::world::{Ratings, World, option_codes};
use super::world_counts::{Relaxation, WorldCounts};
use crate::decision::{Choice, ChosenFace, Decision, Given, Imagining, Log, MOST_CONSIDERED, OptionSet, Rerun};
use crate::diagnostic::{Diagnostic, Diagnostics, Place, Source};
use crate::library::{Permissions, State, Triggers};
use crate::model::{Language, Seat, Setup};
use crate::script::{Advice, ConditionChecker, Ended, Host, Step, Waiting};
use crate::table::{Chance, Layout, Table, Undealt, View, mixed};
use crate::wording::{Offer, Wording};
use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Number of deals tried before a world is relaxed.
const DEALS: usize = 1_000;

/// Number of deals tried before it is looked up whether worlds of this decision have to be relaxed.
const DEALS_FIRST: usize = 40;

/// Number of deals tried with fewer learned conditions, for each number of these.
const DEALS_RELAXED: usize = 64;

/// How often before what others answered in secret is taken to be as it was: random answers that never lead to what the seat has seen
/// show that it could tell the answers from what came of them.
const DEALS_AT_RANDOM: usize = 32;

/// What a world is dealt from.
pub(super) struct Basis<'a> {
    checkpoint: &'a Checkpoint,
    now: &'a Table,
    seat: Seat,
    /// The decision that is open.
    decision: &'a Decision,
    /// The number of the round of decisions put together that is open, if one is.
    together: Option<u32>,
    /// The answers of the step that the seat may build on.
    replay: VecDeque<Given>,
    /// These, and what others answered in secret.
    answered: VecDeque<Given>,
    /// Whether others are being asked at the same time, whose answers the seat may not know.
    forgot: bool,
    /// Whether worlds may be imagined from those that are dealt.
    goes_on: bool,
    destination: Arc<OnceLock<Destination>>,
    relaxing: Arc<OnceLock<Relaxing>>,
    /// The pieces that others chose in the step and the seat knows by now.
    chosen: OnceLock<Arc<[ChosenFace]>>,
    /// Whether the waiting step can be copied into every world.
    is_copied: bool,
    worlds: &'a Arc<Mutex<WorldCounts>>,
}

/// How a world is dealt. In a world of the first level all is as the seat knows it. Of the last level, copies of the waiting step without
/// anything that the seat has learned, there are always some.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Level {
    /// Number of learned conditions that are left out.
    left_out: usize,
    /// Whether the waiting step is copied and not run again.
    is_copied: bool,
}

impl Level {
    /// All levels from the strictest on, where so many conditions were learned.
    fn all(learned: usize, is_copied: bool) -> Vec<Self> {
        let mut numbers = vec![0];
        numbers.extend((0..).map(|power| 1 << power).take_while(|number| *number < learned));
        numbers.extend((learned > 0).then_some(learned));
        let with = |is_copied| numbers.iter().map(move |left_out| Self { left_out: *left_out, is_copied });
        if is_copied { with(true).collect() } else { with(false).chain(with(true)).collect() }
    }

    /// Why a world of this level does not explain all that the seat knows.
    const fn relaxation(self) -> Relaxation {
        if self.left_out > 0 { Relaxation::Unlearned } else { Relaxation::Copied }
    }
}

/// The strictest level that has worlds at a decision. It follows from what the seat knows, so that it is the same for every agent and on
/// every thread.
#[derive(Debug)]
struct Relaxing {
    /// Position among [`Level::all`].
    level: usize,
    /// Where the step first reads something that is hidden from the seat.
    hidden: Option<Place>,
}

/// Creates the game at a table, and the waiting step at one.
type Makers<'m> = (&'m dyn Fn(Table) -> State, &'m dyn Fn(Table) -> Result<Dealt, Box<Diagnostic>>);

/// What a step has to come to that is run again in another world. It is looked at when the first one is.
#[derive(Debug)]
struct Destination {
    /// A number for each option that the seat is offered, where it is the one that is asked.
    offered: Vec<u64>,
    /// What the seat sees and remembers, in a number.
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

/// A step that has reached a decision again, in another world.
pub(super) struct Dealt {
    /// The imagined table before the step, where other worlds may be imagined from there.
    pub(super) checkpoint: Option<Checkpoint>,
    pub(super) state: State,
    pub(super) step: Step,
}

/// How what a seat is offered in a world differs from what it is offered in the one that is played.
struct Unlike {
    /// What it is offered there only, the first of it.
    more: Vec<String>,
    /// How many options it has here only.
    fewer: usize,
    /// Whether it has other options, where they are too many to be compared one by one.
    is_other: bool,
    /// How many it picks there, where that is another number.
    picks: Option<(u32, u32)>,
}

impl Unlike {
    /// What is said of it, of so many options that the seat has here.
    fn lines(&self, all: usize) -> Vec<String> {
        let more = (!self.more.is_empty()).then(|| format!("it is offered {}", self.more.join(", ")));
        let fewer = match self.fewer {
            0 => None,
            fewer if fewer == all => Some("it is not asked this".to_owned()),
            1 => Some("an option that it has is missing".to_owned()),
            fewer => Some(format!("{fewer} of its {all} options are missing")),
        };
        let picks = self.picks.map(|(least, most)| format!("it picks {least} to {most}"));
        let other = self.is_other.then(|| "its options are others".to_owned());
        more.into_iter().chain(fewer).chain(other).chain(picks).collect()
    }
}

/// What comes of a step that is run again in a world that was dealt.
enum Deal {
    /// It reaches the decision, and the seat sees the same.
    Asked(Box<Dealt>),
    /// The seat sees the same, and there is nothing that it could be asked to choose from.
    Unasked,
    /// The seat sees the same, and is asked something else, or the step is over.
    Elsewhere,
    /// The seat could tell this world from the one that is played.
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
        let replay = remembered(given, seat);
        Self {
            checkpoint,
            now: &state.table,
            seat,
            decision,
            together: state.permissions.open_round(),
            forgot: given.iter().any(|given| given.pending && given.seat != seat),
            replay,
            answered: given.iter().filter(|given| given.seat == seat || !given.pending).cloned().collect(),
            goes_on: true,
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

    /// Deals a world, and counts it. Where none is found that explains all that the seat knows, one of the strictest level that has some.
    ///
    /// # Errors
    /// A fault of the rules in a condition that was learned.
    pub(super) fn deal(
        &self,
        host: &Arc<Host>,
        chance: &mut Chance,
        makers: Makers<'_>,
    ) -> Result<Dealt, Box<Diagnostic>> {
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
    ) -> Result<(Dealt, Option<(Relaxation, Option<Place>)>), Box<Diagnostic>> {
        if let Some((dealt, _)) = self.deal_at(levels[0], 0..DEALS_FIRST, host, chance, makers)? {
            return Ok((dealt, None));
        }
        let relaxing = self.relaxing.get_or_init(|| self.relaxing(levels, host, makers));
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

    /// Finds the strictest level that has worlds, with random numbers that follow from what the seat knows.
    fn relaxing(&self, levels: &[Level], host: &Arc<Host>, makers: Makers<'_>) -> Relaxing {
        let mut chance = Chance::new(self.destination().known, "relaxing");
        let mut has_worlds = |at: usize| {
            let deals = if at == 0 { DEALS } else { DEALS_RELAXED };
            !matches!(self.deal_at(levels[at], 0..deals, host, &mut chance, makers), Ok(None))
        };
        let level = (0..levels.len()).find(|at| has_worlds(*at)).unwrap_or(levels.len() - 1);
        let hidden = if level == 0 || self.is_copied { None } else { self.hidden_matter(host, makers.0) };
        Relaxing { level, hidden }
    }

    /// Deals a world of a level, and says where the first condition stands that was left out; `None` if some deals gave none.
    fn deal_at(
        &self,
        level: Level,
        deals: Range<usize>,
        host: &Arc<Host>,
        chance: &mut Chance,
        (state_at, copy_at): Makers<'_>,
    ) -> Result<Option<(Dealt, Option<Place>)>, Box<Diagnostic>> {
        let mut judge = ConditionChecker::new(host);
        let fewer = if level.left_out > 0 { self.now.without_lessons(self.seat, level.left_out) } else { None };
        let (now, place) = fewer.map_or((None, None), |(now, place)| (Some(now), place));
        let now = now.as_ref().unwrap_or(self.now);
        if level.is_copied {
            return match now.imagined(self.seat, chance, &mut judge) {
                Ok(table) => Ok(Some((copy_at(table)?, place))),
                Err(Undealt::Fault(fault)) => Err(fault),
                Err(Undealt::Unexplained | Undealt::Learned) => Ok(None),
            };
        }
        for deal in deals {
            match self.once(host, now, chance, state_at, (&mut judge, deal < DEALS_AT_RANDOM)) {
                Ok(Deal::Asked(dealt)) if self.forgot || self.offers(&dealt.state.table, dealt.step.decision()) => {
                    return Ok(Some((*dealt, place)));
                }
                Ok(_) => {}
                Err(Undealt::Fault(fault)) => return Err(fault),
                // To look for another deal of the same faces would take as long again.
                Err(Undealt::Unexplained | Undealt::Learned) => return Ok(None),
            }
        }
        Ok(None)
    }

    /// Deals once, what others answered in secret at random or as it was.
    fn once(
        &self,
        host: &Arc<Host>,
        now: &Table,
        chance: &mut Chance,
        state_at: &dyn Fn(Table) -> State,
        (judge, is_random): (&mut ConditionChecker, bool),
    ) -> Result<Deal, Undealt> {
        let (mut table, is_as_now) = self.checkpoint.table.redealt(now, self.seat, chance, judge)?;
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
        });
        state.answers.rerun = Some(Box::new(Rerun { imagining, chance_after }));
        let ended = Step::begin(host, &mut state, call);
        // All that the seat was told was answered has to be answered there too.
        let is_whole = self.forgot || state.answers.replay.is_empty();
        let is_alike = is_whole && View::memory(&state.table, Some(self.seat)).digest() == self.destination().known;
        if !is_alike {
            return Ok(Deal::Otherwise);
        }
        if !std::ptr::eq(now, self.now) {
            // Conditions that were left out need not hold here; those that are kept come with what is known.
            state.table.forget_learned();
        }
        // What was lost track of in this step lay elsewhere before it, and went into the mixes of the step as something else.
        let is_known_alike = is_as_now
            && std::ptr::eq(now, self.now)
            && state.table.has_kept_track_since(&track)
            && state.table.is_tracked_as(now);
        if !is_known_alike && !state.table.take_knowledge(now, Layout::only(self.seat), &mut chance.fork()) {
            return Ok(Deal::Otherwise);
        }
        let has_nothing = |rerun: &Rerun| rerun.imagining.as_ref().is_some_and(|imagining| imagining.has_nothing);
        Ok(match ended {
            Ended::Asked(step) if self.forgot || is_same(step.decision(), self.decision) => {
                Deal::Asked(Box::new(Dealt { checkpoint, state, step }))
            }
            Ended::NotOffered if state.answers.rerun.is_some_and(|rerun| has_nothing(&rerun)) => Deal::Unasked,
            Ended::Asked(step) if step.decision().seat == self.seat => Deal::Elsewhere,
            Ended::Done => Deal::Elsewhere,
            _ => Deal::Otherwise,
        })
    }

    /// Whether the seat is offered the same at another table, where it is the one that is asked.
    fn offers(&self, table: &Table, open: &Decision) -> bool {
        open.seat != self.seat
            || open.picks == self.decision.picks && offered(table, open) == self.destination().offered
    }

    /// Where the step first went by something that the seat does not know.
    fn hidden_matter(&self, host: &Arc<Host>, state_at: &dyn Fn(Table) -> State) -> Option<Place> {
        let mut table = self.checkpoint.table.clone();
        table.chance = self.checkpoint.table.chance.clone();
        let mut state = state_at(table);
        state.answers.replay.clone_from(&self.answered);
        let chance_after = Chance::new(0, "imagined");
        state.answers.rerun = Some(Box::new(Rerun { imagining: None, chance_after }));
        Step::first_unknown(host, &mut state, &self.checkpoint.call, self.seat)
    }
}

/// The answers of a step that a seat may build on: its own, and those of others that it was told.
fn remembered(given: &Log<Given>, seat: Seat) -> VecDeque<Given> {
    given.iter().filter(|given| given.seat == seat || given.is_public && !given.pending).cloned().collect()
}

/// The pieces that others chose in these answers and a seat knows by now.
fn chosen_faces(now: &Table, answers: &VecDeque<Given>, seat: Seat) -> Arc<[ChosenFace]> {
    let mut found = Vec::new();
    for choice in answers.iter().filter(|given| given.seat != seat).filter_map(|given| given.choice.as_ref()) {
        choice.each_piece(|piece| found.extend(now.known_face(piece, seat).map(|face| (piece, face))));
    }
    found.into()
}

/// All that a seat needs to imagine worlds at the decision it is asked, on this thread or another.
///
/// What is inside cannot be looked at: only worlds come out, in which all that the seat does not know is dealt again.
#[derive(Clone)]
pub struct Imagination {
    pub(super) game: Game,
    pub(super) setup: Setup,
    checkpoint: Arc<Checkpoint>,
    now: Table,
    pub(super) seat: Seat,
    decision: Decision,
    together: Option<u32>,
    replay: VecDeque<Given>,
    answered: VecDeque<Given>,
    forgot: bool,
    destination: Arc<OnceLock<Destination>>,
    relaxing: Arc<OnceLock<Relaxing>>,
    /// The game at the decision.
    open: Open,
    /// Whether the seat knows all that the step has gone by, so that the game at the decision is the same in every world.
    is_copied: bool,
    worlds: Arc<Mutex<WorldCounts>>,
    /// The steps before, where it may be looked back at them, and the one under way.
    pub(super) past: Option<Arc<Past>>,
    pub(super) open_step: Option<PastStep>,
    /// What others chose before that worlds are weighed by: none before it was looked back at that.
    pub(super) weighed: Vec<(PastStep, usize)>,
}

/// A step that waits, and what rules may do in it, without the table.
#[derive(Clone)]
struct Open {
    step: Waiting,
    given: Log<Given>,
    permissions: Permissions,
    triggers: Triggers,
    steps_unasked: u32,
}

impl Open {
    /// The open decision of a session.
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

    /// Whether a seat knows all that the step of a session has gone by: it is the same in every world.
    fn is_known(&self, session: &Session, seat: Seat) -> bool {
        let table = &session.state.table;
        let is_known =
            |given: &Given| given.seat == seat || given.choice.is_none() || given.is_public && !given.pending;
        // A piece that a variable holds may have been known to the seat, and lost track of since: which one it is tells what the seat does
        // not know any more.
        !self.step.is_fragment()
            && table.is_kept_track_of(seat)
            && table.is_read_as_known(seat)
            && self.given.iter().all(is_known)
    }

    /// The same at another table.
    fn at(&self, host: &Arc<Host>, table: Table) -> Result<Dealt, Box<Diagnostic>> {
        let mut state = State::new(table);
        state.answers.given = self.given.clone();
        state.permissions = self.permissions.clone();
        state.triggers = self.triggers.clone();
        state.steps_unasked = self.steps_unasked;
        Ok(Dealt { checkpoint: None, state, step: Step::restore(host, self.step.clone())? })
    }
}

impl Imagination {
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
            forgot: basis.forgot,
            destination: basis.destination,
            relaxing: basis.relaxing,
            worlds: session.worlds.clone(),
            past: session.past.clone(),
            open_step: session.past.as_ref().and_then(|_| PastStep::new(checkpoint, &session.state)),
            weighed: Vec::new(),
        })
    }

    /// The same on a thread that imagines much, which has a game [apart](Game::apart) from the first decision on.
    #[must_use]
    pub fn on(self, thread: &mut Option<Game>) -> Self {
        let game = thread.get_or_insert_with(|| self.game.apart()).clone();
        Self { game, ..self }
    }

    /// Whose decision it is.
    pub const fn seat(&self) -> Seat {
        self.seat
    }

    /// Compiles an agent's file beside the rules, to be run on worlds of this thread.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn advice(&self, source: &Arc<Source>) -> Result<Arc<Advice>, Diagnostics> {
        self.game.host(&self.setup)?.1.advice(source)
    }

    /// Whether an agent's file rates the options of the decision.
    pub fn is_rated(&self, advice: &Advice) -> bool {
        advice.rates(&self.now.model().decisions[self.decision.id.index()].id)
    }

    /// How an agent's file rates what is rated of the decision, where it goes by nothing that the seat does not know: then it
    /// rates them so in every world, and none is imagined. Nothing where it goes by more: what it made of that is thrown away, and
    /// that it did shows nothing, for up to there it had read only what the seat knows.
    pub fn rated_as_known(&self, advice: &Arc<Advice>) -> Option<Ratings> {
        (self.is_copied && self.decision.seat == self.seat).then_some(())?;
        let (_, host) = self.game.host(&self.setup).ok()?;
        let dealt = self.open.at(&host, self.now.clone()).ok()?;
        let as_it_lies = World::new(Session::apart(self.game.clone(), host, &self.setup, dealt));
        let ratings = as_it_lies.rate(advice).ok()??;
        Some(ratings).filter(|ratings| ratings.is_same_in_all)
    }

    /// A world that the seat cannot tell from the one that is played, at the same decision; where several are asked at the same
    /// time, at the first of theirs.
    ///
    /// Where a bounded number of deals gives no world that explains all that the seat knows, it is a [relaxed](super::Relaxation) one, in
    /// which all is as the seat sees it.
    ///
    /// # Errors
    /// Mistakes in the rules, and a fault in a condition that was learned.
    pub fn world(&self, chance: &mut Chance) -> Result<World, Box<Diagnostic>> {
        let (_, host) = self.game.host(&self.setup).map_err(first_of)?;
        let copy_at = |table| self.open.at(&host, table);
        let dealt = self.basis().deal(&host, chance, (&State::new, &copy_at))?;
        Ok(World::new(Session::apart(self.game.clone(), host, &self.setup, dealt)))
    }

    /// Whether a step that is copied is the same as one that is run again, in another world; nothing where it is always run again.
    #[cfg(feature = "walker")]
    pub fn is_copied_rightly(&self, chance: &mut Chance) -> Option<bool> {
        self.is_copied.then_some(())?;
        let (_, host) = self.game.host(&self.setup).ok()?;
        let exact = Level { left_out: 0, is_copied: false };
        let copy_at = |table| self.open.at(&host, table);
        let (dealt, _) = self.basis().deal_at(exact, 0..DEALS, &host, chance, (&State::new, &copy_at)).ok()??;
        let copied = self.now.imagined(self.seat, chance, &mut ConditionChecker::new(&host)).ok()?;
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
            forgot: self.forgot,
            goes_on: false,
            destination: self.destination.clone(),
            relaxing: self.relaxing.clone(),
            chosen: OnceLock::new(),
            is_copied: self.is_copied,
            worlds: &self.worlds,
        }
    }

    /// Whether worlds are dealt by running the step again: it has gone by something that the seat does not know.
    pub const fn is_run_again(&self) -> bool {
        !self.is_copied
    }

    /// What the seat is offered in a world and not in the one that is played, the first of it, and how many options it is the other way round.
    fn unlike(&self, dealt: &Dealt) -> Option<Unlike> {
        let (table, open) = (&dealt.state.table, dealt.step.decision());
        let basis = self.basis();
        let here = &basis.destination().offered;
        let picks = open.picks.filter(|picks| Some(*picks) != self.decision.picks);
        if open.count().max(self.decision.count()) > MOST_CONSIDERED {
            let is_other = offered(table, open) != *here;
            return (is_other || picks.is_some()).then_some(Unlike { more: Vec::new(), fewer: 0, is_other, picks });
        }
        let there = option_codes(table, open);
        let known: BTreeSet<u64> = there.iter().copied().collect();
        let fewer = here.iter().filter(|code| !known.contains(code)).count();
        let wording = Wording::new(self.now.model().clone(), self.setup.clone(), Language::English).for_seat(self.seat);
        let offer = Offer::new(wording, table, open);
        let written = |at: usize| offer.written(&open.option(at));
        let unlike = (0..open.count()).filter(|at| here.binary_search(&there[*at]).is_err());
        let more: Vec<String> = unlike.take(MOST_MARKED).map(written).collect();
        let is_unlike = fewer > 0 || !more.is_empty() || picks.is_some();
        is_unlike.then_some(Unlike { more, fewer, is_other: false, picks })
    }

    /// What the options tell the seat that it does not know: whether it is offered something else in a world that it cannot tell from the one
    /// that is played. A few worlds are looked at, so that what seldom shows may stay unseen.
    pub fn check_options(&self, chance: &mut Chance) -> Option<Box<Diagnostic>> {
        if self.is_copied || self.forgot || self.decision.seat != self.seat {
            return None;
        }
        let (_, host) = self.game.host(&self.setup).ok()?;
        let (basis, mut judge) = (self.basis(), ConditionChecker::new(&host));
        let count = self.decision.count();
        let nothing = || Some(Unlike { more: Vec::new(), fewer: count, is_other: false, picks: None });
        // To be asked may well tell what others answered in secret: where that is as it was alone, it is looked at.
        let mut looked_up = (0..LOOKED_UP).flat_map(|_| [true, false]);
        let unlike = looked_up.find_map(|is_random| {
            match basis.once(&host, basis.now, chance, &State::new, (&mut judge, is_random)).ok()? {
                Deal::Asked(dealt) => self.unlike(&dealt),
                Deal::Unasked => nothing(),
                Deal::Elsewhere if !is_random => nothing(),
                Deal::Elsewhere | Deal::Otherwise => None,
            }
        })?;
        let decision = &self.now.model().decisions[self.decision.id.index()].id;
        let message = format!("the options of `{decision}` tell the seat that is asked something it does not know");
        let found = Diagnostic::warning("telling-options", message)
            .detail("where what is hidden from the seat lies otherwise", unlike.lines(count));
        Some(Box::new(match basis.hidden_matter(&host, &State::new) {
            None => found,
            Some(place) => found.mark(place, HIDDEN_MATTER).help(LET_SEE),
        }))
    }
}

/// Whether the same seat is asked the same.
fn is_same(one: &Decision, other: &Decision) -> bool {
    (one.seat, one.id) == (other.seat, other.id)
}

/// Numbers that say which options a decision has, in an order that goes by nothing but them.
fn offered(table: &Table, decision: &Decision) -> Vec<u64> {
    let mut codes = offered_in_order(table, decision);
    codes.sort_unstable();
    codes
}

/// Numbers that say which options a decision has, and in which order: one for each option, or of very many one for each of each part.
pub(super) fn offered_in_order(table: &Table, decision: &Decision) -> Vec<u64> {
    if decision.count() <= MOST_CONSIDERED {
        return option_codes(table, decision);
    }
    let mut codes = Vec::new();
    add_codes(table, decision.seat, (&decision.options, 0), &mut codes);
    codes
}

/// Adds numbers that say which options a set has, without a number for each of them: one for each option of each part.
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

/// The first of the mistakes in a game's files.
fn first_of(mistakes: Diagnostics) -> Box<Diagnostic> {
    let unknown = || Diagnostic::error("internal", "the rules cannot be run");
    Box::new(mistakes.0.into_iter().next().unwrap_or_else(unknown))
}

/// Number of options shown that a seat is offered elsewhere only.
const MOST_MARKED: usize = 3;

const HIDDEN_MATTER: &str = "goes by something that is hidden from the seat that is asked";
const LET_SEE: &str =
    "let options go by what the seat may see, or let it learn what they tell it, with `seat.learn(pieces, |piece| …)`";

/// Worlds in which it is looked up what a seat would be offered.
const LOOKED_UP: usize = 4;
