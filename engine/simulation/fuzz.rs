//! Finds faults by random play: plays a few games with every number of players and every value of every option, until a limit is reached.
//! For the first few faults, records the shortest playscript found that reproduces the fault.

use super::parallel::in_parallel;
use crate::agents;
use crate::diagnostic::{Diagnostic, Diagnostics, Role, Source};
use crate::model::{DecisionId, Param, Seat, Setting};
use crate::playscript::{self, Cast, Play, PlayStatement, PlayUntil, Recorder, StatementKind};
use crate::session::{
    ESTIMATE, Game, GameOver, Imagination, LoggedFunction, NoAnswer, Observation, PlayedGame, Player, RATE, Session,
    Setup, Status, functions_of, quoted, without_end,
};
use crate::table::Chance;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Default limit of a check, in operations. About ten seconds on two cores.
pub const DEFAULT_EFFORT: u64 = 200_000_000;

/// Cost of a decision in operations, in addition to the operations of the rules: invariants are checked on a copy of the table, and a
/// player chooses.
const DECISION_OPERATIONS: u64 = 500;

/// Cost of a game in operations, for the setup of its table.
const GAME_OPERATIONS: u64 = 50_000;

/// Divisor of the effort: the search for a shorter game with a fault may spend one twentieth of the effort.
const SCRIPT_SHARE: u64 = 20;

/// Number of decisions after which no more games are begun, if the user gave the number of games. Limits the time of a check.
const MAX_DECISIONS: u64 = 200_000;

/// Default number of games per setup.
pub const DEFAULT_GAMES: u64 = 3;

/// Number of games played in parallel between checks of the limits. It is fixed, so that results do not depend on the
/// machine.
const CHUNK_SIZE: usize = 8;

/// Maximum number of additional games that are played to find a shorter one with the same fault.
const MAX_TRIES: u64 = 20;

/// Maximum number of answers in a recorded game. Nobody would read a longer recording.
const MAX_ANSWERS: usize = 5_000;

/// Maximum number of faults for which a short playscript is searched for.
const MAX_SCRIPTS: usize = 5;

/// Agent that plays the random games.
const AGENT: &str = "random";

/// A fault found by playing.
pub struct FoundFault {
    /// The diagnostic.
    pub diagnostic: Diagnostic,
    /// Playscript that reproduces the fault, if one was found.
    pub script: Option<Script>,
}

/// A playscript that reproduces a fault.
pub struct Script {
    /// File name.
    pub file: String,
    /// Content, beginning with a comment about the fault.
    pub text: String,
}

/// Limits on the games of a check.
#[derive(Debug, Clone, Copy, Default)]
pub struct FuzzLimits {
    /// Number of games with each setup; `None` for three. Fewer games are played if a limit is reached. If the number is given, the number
    /// of decisions is limited as well.
    pub games: Option<u64>,
    /// Number of operations after which no more games are begun. `None` stands for [`DEFAULT_EFFORT`], or for no limit if the number of
    /// games is given.
    pub effort: Option<u64>,
}

impl FuzzLimits {
    /// Returns the limit on operations, if there is one.
    fn operations(self) -> Option<u64> {
        self.effort.or_else(|| self.games.is_none().then_some(DEFAULT_EFFORT))
    }
}

/// Mistakes and warnings that [`check_typical_setups`] finds in the rules, without playing.
#[derive(Default)]
pub struct SetupFindings {
    /// Mistakes in the rules.
    pub mistakes: Diagnostics,
    /// Warnings about the rules that occur with all typical setups. Other warnings are dropped, because code that is useless with one
    /// option may be used with another.
    pub remarks: Vec<Diagnostic>,
}

/// Result of a search for faults.
#[derive(Default)]
pub struct FuzzResult {
    /// Number of games played.
    pub games: u64,
    /// Number of decisions in the games of random agents.
    decisions: u64,
    /// Cost of the games of the designer's agents in operations, including the worlds that they imagined.
    agent_operations: u64,
    /// Mistakes in the rules with the setups that were tried, for example with a param at one of its bounds, without duplicates.
    pub mistakes: Diagnostics,
    /// Warnings about the games that were played, without duplicates. For example, a campaign does not end, or options reveal hidden
    /// information.
    pub odd: Vec<Diagnostic>,
    /// Faults: those of random games, without duplicates, followed by those of games that the designer's agents played.
    pub faults: Vec<FoundFault>,
    /// Whether the search ended before all games were played.
    pub cut: bool,
    /// Functions of the rules that did not run in any game.
    pub unreached: Vec<LoggedFunction>,
}

/// A fault, with the setup of the game in which it occurred.
struct SeenFault {
    setup: Setup,
    diagnostic: Diagnostic,
}

/// A game to be played.
enum Job {
    /// A game of random agents.
    Random(Setup),
    /// A game of random agents with a param at one of its bounds.
    AtBound(Setup),
    /// Like [`Job::AtBound`], for a number of players that is tried only if there is time.
    AtBoundIfTime(Setup),
    /// A game in which one of the designer's agents plays all seats. The field is the specification of the agent.
    OwnAgent(String),
}

/// Result of playing one job.
#[derive(Default)]
struct JobResult {
    games: u64,
    decisions: u64,
    seen: Vec<SeenFault>,
    mistakes: Diagnostics,
    /// Warnings about the game, for example that options reveal hidden information.
    odd: Vec<Diagnostic>,
    /// Fault in a game that one of the designer's agents played.
    fault: Option<FoundFault>,
    /// Cost of a game of the designer's agents in operations.
    agent_operations: u64,
    /// Whether a game was given up because it had used up its share of the effort.
    is_cut: bool,
}

impl JobResult {
    /// Returns whether a game did not end.
    fn is_endless(&self) -> bool {
        let played = self.seen.iter().map(|seen| &seen.diagnostic);
        played.chain(self.fault.iter().map(|fault| &fault.diagnostic)).any(|found| found.code == TOO_LONG)
    }
}

/// Position of a job among those that are played in parallel. After an endless game the search ends, so the jobs behind it are given up.
/// The jobs before it are played to their ends, so that the result does not depend on the machine.
#[derive(Clone)]
struct JobPosition {
    at: usize,
    /// Position of the first job with an endless game so far.
    first_endless: Arc<AtomicUsize>,
}

impl JobPosition {
    fn is_given_up(&self) -> bool {
        self.first_endless.load(Ordering::Relaxed) < self.at
    }

    fn note_endless(&self) {
        self.first_endless.fetch_min(self.at, Ordering::Relaxed);
    }
}

/// Limits of a single job.
struct JobLimits {
    position: JobPosition,
    /// Mean number of decisions in a game of random agents.
    usual: u64,
    /// Number of operations after which a game of the designer's agents is given up.
    operations: u64,
}

/// The setups to try, for every number of players.
struct SetupLists {
    /// Setups with the default options.
    plain: Vec<Setup>,
    /// Setups with one option changed: one for each value of each option.
    one_by_one: Vec<Setup>,
    /// Setups with several options changed.
    mixed: Vec<Setup>,
}

/// Returns the setups to try, for every number of players.
fn setups_by_purpose(game: &Game) -> SetupLists {
    let plain: Vec<Setup> = game.players().map(Setup::seats).collect();
    let one_by_one = plain.iter().flat_map(|setup| {
        let values = |(name, values): (String, Vec<String>)| {
            let with = |value: String| setup.clone().option(&name, &value);
            values.into_iter().map(with).collect::<Vec<Setup>>()
        };
        option_values(game, setup.seats).into_iter().flat_map(values)
    });
    let mixed = plain.iter().filter_map(|setup| {
        let options = option_values(game, setup.seats);
        let pick = |(at, (name, values)): (usize, &(String, Vec<String>))| {
            let value = &values[(usize::from(setup.seats) + at) % values.len()];
            (name.clone(), value.clone())
        };
        let options: Vec<(String, String)> = options.iter().enumerate().map(pick).collect();
        (options.len() > 1).then(|| Setup { options, ..setup.clone() })
    });
    SetupLists { one_by_one: one_by_one.collect(), mixed: mixed.collect(), plain }
}

/// Returns the values to try for each option. An option that names a seat is tried with no seat and with the last seat.
fn option_values(game: &Game, seats: u8) -> Vec<(String, Vec<String>)> {
    let mut options = game.option_values();
    for (_, values) in &mut options {
        if let [only] = &values[..]
            && only == "unset"
        {
            values.push(seats.to_string());
        }
    }
    options
}

/// Returns a number, list or table with every number replaced by a bound; `None` for other values. All numbers are set to the same bound,
/// which keeps them in a consistent order.
fn set_to_bound(value: &Setting, end: i64) -> Option<Setting> {
    match value {
        Setting::Number(_) => Some(Setting::Number(end)),
        Setting::List(list) => {
            list.iter().map(|entry| set_to_bound(entry, end)).collect::<Option<_>>().map(Setting::List)
        }
        Setting::Table(parts) => {
            let parts = parts.iter().map(|(name, one)| Some((name.clone(), set_to_bound(one, end)?)));
            parts.collect::<Option<_>>().map(Setting::Table)
        }
        _ => None,
    }
}

/// Formats the result of [`set_to_bound`] for the option `--set`.
fn bound_text(value: &Setting, end: i64) -> String {
    match value {
        Setting::List(list) => {
            format!("[{}]", list.iter().map(|entry| bound_text(entry, end)).collect::<Vec<_>>().join(", "))
        }
        Setting::Table(parts) => {
            let parts = parts.iter().map(|(name, one)| format!("{name:?} = {}", bound_text(one, end)));
            format!("{{ {} }}", parts.collect::<Vec<_>>().join(", "))
        }
        _ => end.to_string(),
    }
}

/// Returns setups in which one param is at one of its bounds. Skips bounds that equal the param's current value.
fn bound_setups(game: &Game, seats: u8) -> Vec<Setup> {
    let plain = Setup::seats(seats);
    let Ok(layout) = game.layout(&plain) else { return Vec::new() };
    let ends = |param: &Param| {
        let ends = [param.bounds.min, param.bounds.max].into_iter().flatten();
        let ends = ends.filter_map(|end| Some((end, set_to_bound(&param.value, end)?)));
        ends.filter(|(_, there)| *there != param.value)
            .map(|(end, there)| plain.clone().set(&format!("params.{}", param.id), &bound_text(&there, end)))
            .collect::<Vec<_>>()
    };
    layout.model.params.values().flat_map(ends).collect()
}

/// Returns the numbers of players, extremes first: bounds that are too tight cause faults with the most or the fewest
/// players.
fn player_counts(game: &Game) -> Vec<u8> {
    let (fewest, most) = (*game.players().start(), *game.players().end());
    let mut all = vec![most, fewest];
    all.extend(fewest + 1..most);
    all.truncate(game.players().count());
    all
}

/// The setups of a game in the order in which they are tried.
struct OrderedSetups {
    /// Every number of players, every value of every option once, and one setup with several options changed.
    early: Vec<Setup>,
    /// The other setups.
    late: Vec<Setup>,
}

/// Returns all setups, those most likely to show something new first.
fn ordered_setups(game: &Game) -> OrderedSetups {
    let SetupLists { plain, one_by_one, mixed } = setups_by_purpose(game);
    let counts = player_counts(game);
    // Each value is tried early with only one number of players, which changes from value to value.
    let values = (one_by_one.len() / plain.len()).max(1);
    let is_early = |(at, setup): &(usize, Setup)| counts[at % values % counts.len()] == setup.seats;
    let (early, late): (Vec<_>, Vec<_>) = one_by_one.into_iter().enumerate().partition(is_early);
    let setups = |several: Vec<(usize, Setup)>| several.into_iter().map(|(_, setup)| setup);
    let mut mixed = mixed.into_iter();
    OrderedSetups {
        early: plain.into_iter().chain(setups(early)).chain(mixed.next()).collect(),
        late: setups(late).chain(mixed).collect(),
    }
}

/// Checks the rules without playing: with every number of players, with every value of every option once, and with one setup in which
/// several options are changed. Returns all mistakes, and the warnings that occur with all these setups. The other setups are left to
/// [`check_other_setups`].
pub fn check_typical_setups(game: &Game, is_stopped: &(dyn Fn() -> bool + Sync)) -> SetupFindings {
    let mut findings = SetupFindings::default();
    let mut common: Option<Vec<Diagnostic>> = None;
    for several in ordered_setups(game).early.chunks(CHUNK_SIZE) {
        if is_stopped() {
            break;
        }
        // Once no warning is common to all setups, warnings need not be collected any more.
        let is_settled = common.as_ref().is_some_and(Vec::is_empty);
        let checked = in_parallel(several, |setup| {
            let (_, host) = game.host(setup)?;
            Ok(if is_settled { Vec::new() } else { host.warnings().to_vec() })
        });
        for one in checked {
            match one {
                Err(Diagnostics(mistakes)) => findings.mistakes.0.extend(mistakes),
                Ok(here) => match &mut common {
                    Some(common) => common.retain(|known| here.contains(known)),
                    None => common = Some(here),
                },
            }
        }
    }
    findings.remarks = common.unwrap_or_default();
    findings
}

/// Returns the mistakes in the rules that occur with the setups that [`check_typical_setups`] leaves out.
pub fn check_other_setups(game: &Game, is_stopped: &(dyn Fn() -> bool + Sync)) -> Diagnostics {
    let mut mistakes = Diagnostics::default();
    for several in ordered_setups(game).late.chunks(CHUNK_SIZE) {
        if is_stopped() {
            break;
        }
        let checked = in_parallel(several, |setup| game.host(setup).err().unwrap_or_default());
        mistakes.0.extend(checked.into_iter().flat_map(|found| found.0));
    }
    mistakes
}

/// Returns the games to be played, in stages. Games that are most likely to find something new come first: each number of players, each
/// value of each option, each agent and each bound of a param once. Other numbers of players and other seeds follow.
fn jobs(game: &Game, rounds: u64) -> [Vec<Job>; 3] {
    let OrderedSetups { early, late } = ordered_setups(game);
    let random = |setup: &Setup, seed: u64| Job::Random(setup.clone().seed(seed));
    let counts = player_counts(game);
    let first: Vec<Job> = early.iter().map(|setup| random(setup, 1)).collect();
    let agents = own_agents(game).into_iter().map(Job::OwnAgent).collect();
    let mut jobs: Vec<Job> = Vec::new();
    jobs.extend(bound_setups(game, counts[0]).into_iter().map(|setup| Job::AtBound(setup.seed(1))));
    jobs.extend(late.iter().map(|setup| random(setup, 1)));
    let SetupLists { plain, one_by_one, mixed } = setups_by_purpose(game);
    // Keep games of one setup together, because only a few compiled variants stay in the cache.
    let all = plain.iter().chain(&one_by_one).chain(&mixed);
    jobs.extend(all.flat_map(|setup| (2..=rounds).map(move |seed| random(setup, seed))));
    let others = counts[1..].iter().flat_map(|seats| bound_setups(game, *seats));
    jobs.extend(others.map(|setup| Job::AtBoundIfTime(setup.seed(1))));
    // The games of agents are a stage of their own, because their length is limited by the length of random games.
    [first, agents, jobs]
}

/// Returns the specifications of the game's own agents, including a search for each agent that estimates positions.
fn own_agents(game: &Game) -> Vec<String> {
    game.agents().iter().flat_map(agent_names).collect()
}

/// Plays games until all are played or a limit is reached. Returns the mistakes, warnings and faults found. The first faults come with a
/// short playscript that reproduces them, if one was found. `follow` is called with the progress in thousandths.
pub fn fuzz(
    game: &Game,
    limits: FuzzLimits,
    follow: &(dyn Fn(u64) + Sync),
    is_stopped: &(dyn Fn() -> bool + Sync),
) -> FuzzResult {
    let game = &game.recording_functions().counting_operations();
    let mut findings = FuzzResult::default();
    let mut seen: Vec<SeenFault> = Vec::new();
    let stages = jobs(game, limits.games.unwrap_or(DEFAULT_GAMES));
    let planned = stages.iter().map(Vec::len).sum::<usize>() as u64;
    let (mut at_bounds_if_time, mut games_of_agents, finished) = (0, 0, AtomicU64::new(0));
    for several in stages.iter().flat_map(|jobs| jobs.chunks(CHUNK_SIZE)) {
        let is_endless = seen.iter().any(|fault| fault.diagnostic.code == TOO_LONG)
            || findings.faults.iter().any(|fault| fault.diagnostic.code == TOO_LONG);
        let spent = findings.operations_spent(game);
        if is_endless || is_stopped() || findings.is_enough(limits, spent) || !findings.mistakes.0.is_empty() {
            findings.cut = true;
            break;
        }
        // The decisions of the game's own agents are not counted.
        let usual = findings.decisions / (findings.games - games_of_agents).max(1);
        let is_left = |job: &&Job| match job {
            // If the rules have a fault, games of agents would only find it again.
            Job::OwnAgent(_) => seen.is_empty(),
            Job::AtBoundIfTime(_) => {
                at_bounds_if_time <= (findings.decisions - at_bounds_if_time).max(usual * LENGTH_FACTOR)
            }
            _ => true,
        };
        let several: Vec<(usize, &Job)> = several.iter().filter(is_left).enumerate().collect();
        let first_endless = Arc::new(AtomicUsize::new(usize::MAX));
        let left = limits.operations().map_or(u64::MAX, |all| all.saturating_sub(spent) / several.len().max(1) as u64);
        let played = in_parallel(&several, |(at, job)| {
            let position = JobPosition { at: *at, first_endless: first_endless.clone() };
            let result = job.play(game, &JobLimits { position: position.clone(), usual, operations: left });
            if result.is_endless() {
                position.note_endless();
            }
            let done = finished.fetch_add(1, Ordering::Relaxed) + 1;
            let spent_share = limits.operations().map_or(0, |all| spent.saturating_mul(1000) / all.max(1));
            follow(spent_share.max(done * 1000 / planned).min(1000));
            result
        });
        let complete = first_endless.load(Ordering::Relaxed).saturating_add(1);
        for ((_, job), result) in several.into_iter().zip(played).take(complete) {
            match job {
                Job::AtBoundIfTime(_) => at_bounds_if_time += result.decisions,
                Job::OwnAgent(_) => games_of_agents += result.games,
                _ => {}
            }
            findings.take(result, &mut seen);
        }
    }
    findings.unreached = game.unreached_functions();
    let effort = limits.operations().unwrap_or(DEFAULT_EFFORT) / SCRIPT_SHARE;
    let scripted = |(at, seen): (usize, SeenFault)| {
        let script = (at < MAX_SCRIPTS).then(|| shortest_script(game, &seen, effort, is_stopped)).flatten();
        FoundFault { diagnostic: seen.diagnostic, script }
    };
    let of_agents = std::mem::take(&mut findings.faults);
    findings.faults.extend(seen.into_iter().enumerate().map(scripted));
    findings.faults.extend(of_agents);
    findings
}

impl FuzzResult {
    /// Returns the operations spent so far.
    fn operations_spent(&self, game: &Game) -> u64 {
        let of_random = game.operations() + self.decisions * DECISION_OPERATIONS;
        of_random + self.agent_operations + self.games * GAME_OPERATIONS
    }

    /// Returns whether a limit has been reached.
    fn is_enough(&self, limits: FuzzLimits, spent: u64) -> bool {
        limits.operations().is_some_and(|all| spent >= all)
            || (limits.games.is_some() && self.decisions > MAX_DECISIONS)
    }

    /// Adds the result of one job.
    fn take(&mut self, result: JobResult, seen: &mut Vec<SeenFault>) {
        self.games += result.games;
        self.decisions += result.decisions;
        self.agent_operations += result.agent_operations;
        self.cut |= result.is_cut;
        for found in result.mistakes.0 {
            if !self.mistakes.0.iter().any(|known| is_same_fault(known, &found)) {
                self.mistakes.0.push(found);
            }
        }
        for odd in result.odd {
            if !self.odd.iter().any(|known| is_same_fault(known, &odd)) {
                self.odd.push(odd);
            }
        }
        self.faults.extend(result.fault);
        for fault in result.seen {
            if !seen.iter().any(|known| is_same_fault(&known.diagnostic, &fault.diagnostic)) {
                seen.push(fault);
            }
        }
    }
}

impl Job {
    /// Plays the job.
    fn play(&self, game: &Game, limits: &JobLimits) -> JobResult {
        let mut result = JobResult::default();
        if limits.position.is_given_up() {
            return result;
        }
        match self {
            Self::Random(setup) => result.play(game, setup.clone(), &limits.position),
            Self::AtBound(setup) | Self::AtBoundIfTime(setup) => match game.host(setup) {
                Err(mut mistakes) => {
                    let command = setup.command(game.path());
                    mistakes.0.iter_mut().for_each(|found| found.reproduce = Some(command.clone()));
                    result.mistakes = mistakes;
                }
                Ok(_) => result.play(game, setup.clone(), &limits.position),
            },
            Self::OwnAgent(name) => result.play_with_own_agent(game, name, limits),
        }
        result
    }
}

/// Player that gives up after a number of decisions, when the game is unlikely to end, or after a number of operations.
struct LimitedPlayer {
    player: Box<dyn Player>,
    /// Number of decisions left, for all seats together.
    left: Rc<Cell<u64>>,
    /// Number of decisions so far, for all seats together.
    decisions: Rc<Cell<u64>>,
    /// The game, which counts the operations of this game and of the worlds imagined in it.
    game: Game,
    operations: u64,
    position: JobPosition,
}

impl Player for LimitedPlayer {
    fn choose(&mut self, observation: &Observation<'_>) -> Result<usize, NoAnswer> {
        self.left.set(self.left.get().saturating_sub(1));
        self.decisions.set(self.decisions.get() + 1);
        if self.left.get() == 0 {
            return Err("the game does not end".to_owned().into());
        }
        let is_enough = agent_operations(&self.game, self.decisions.get()) >= self.operations;
        if is_enough || self.position.is_given_up() {
            return Err("the game is given up".to_owned().into());
        }
        self.player.choose(observation)
    }

    fn imagines(&self) -> bool {
        self.player.imagines()
    }

    fn looks_back(&self) -> bool {
        self.player.looks_back()
    }

    fn hears(&self) -> bool {
        self.player.hears()
    }

    fn over(&mut self, over: &GameOver<'_>, seat: Seat) {
        self.player.over(over, seat);
    }
}

/// Returns the cost of a game of agents so far, in operations. `game` counts the operations of this game only.
fn agent_operations(game: &Game, decisions: u64) -> u64 {
    game.operations() + decisions * DECISION_OPERATIONS
}

/// Player that evaluates everything that would be shown to people, such as the costs of options, to find faults in it. If `looks` is set,
/// the player also checks whether the options reveal hidden information.
struct CheckingPlayer {
    player: Box<dyn Player>,
    looks: Option<Rc<RefCell<LeakCheck>>>,
    position: Option<JobPosition>,
}

/// State of the check whether the options of a game reveal hidden information.
struct LeakCheck {
    /// Numbers of checks and of attempted checks of each decision so far.
    looks: BTreeMap<DecisionId, (u32, u32)>,
    chance: Chance,
    found: Vec<Diagnostic>,
}

impl LeakCheck {
    fn new(seed: u64) -> Self {
        Self { looks: BTreeMap::new(), chance: Chance::new(seed, "looks"), found: Vec::new() }
    }

    fn check(&mut self, observation: &Observation<'_>) {
        let (looks, attempts) = self.looks.entry(observation.decision().id).or_default();
        // Imagining copies the answers of the step. Without a limit on attempts, a step that asks endlessly would take quadratic time.
        if *looks == MAX_LEAK_CHECKS || *attempts == MAX_LEAK_ATTEMPTS {
            return;
        }
        *attempts += 1;
        let Some(imagination) = observation.imagination().filter(Imagination::is_run_again) else { return };
        *looks += 1;
        self.found.extend(imagination.check_options(&mut self.chance).map(|found| *found));
    }
}

impl Player for CheckingPlayer {
    fn choose(&mut self, observation: &Observation<'_>) -> Result<usize, NoAnswer> {
        if self.position.as_ref().is_some_and(JobPosition::is_given_up) {
            return Err("the game is given up".to_owned().into());
        }
        observation.check_costs()?;
        observation.check_derived()?;
        if let Some(looks) = &self.looks {
            looks.borrow_mut().check(observation);
        }
        self.player.choose(observation)
    }

    fn imagines(&self) -> bool {
        self.looks.is_some() || self.player.imagines()
    }

    fn looks_back(&self) -> bool {
        self.player.looks_back()
    }

    fn hears(&self) -> bool {
        self.player.hears()
    }

    fn over(&mut self, over: &GameOver<'_>, seat: Seat) {
        self.player.over(over, seat);
    }
}

/// Maximum number of leak checks per decision in one game.
const MAX_LEAK_CHECKS: u32 = 3;

/// Maximum number of attempted leak checks per decision in one game. An attempt is no check if the worlds are copies of the actual game.
const MAX_LEAK_ATTEMPTS: u32 = 100;

/// Smallest limit on the number of games in a campaign. The limit is three times the number of scenarios if that is more.
const MIN_CAMPAIGN_LIMIT: usize = 12;

/// Factor in the length limit of a game with the designer's agents. The limit is this many times the decisions of a random game, plus
/// [`LENGTH_ALLOWANCE`].
const LENGTH_FACTOR: u64 = 5;
const LENGTH_ALLOWANCE: u64 = 200;

/// Code of the diagnostic about a game that does not end.
const TOO_LONG: &str = "endless";

fn too_long(name: &str, usual: u64, reproduce: Option<String>) -> Box<Diagnostic> {
    let answered = usual * LENGTH_FACTOR + LENGTH_ALLOWANCE;
    let message = format!(
        "with `{name}` in every seat the game goes on after {answered} decisions; at random it ends after {usual}"
    );
    let help = "look for a turn that ends by passing, and for what the agent likes better than to pass";
    Box::new(Diagnostic { reproduce, ..Diagnostic::error(TOO_LONG, message).help(help) })
}

/// Returns the agent specifications that use a script: the script itself unless it only estimates positions, and a search if it estimates
/// positions.
fn agent_names(file: &Arc<Source>) -> Vec<String> {
    let name = Role::Agent.name(&file.path);
    let functions = functions_of(file);
    let searches = functions.iter().any(|function| function == ESTIMATE).then(|| format!("search:1:{name}"));
    // A script with neither kind of function is tried as well, so that the mistake is reported.
    let rates = functions.iter().any(|function| function.starts_with(RATE)) || searches.is_none();
    rates.then(|| name.to_owned()).into_iter().chain(searches).collect()
}

impl JobResult {
    /// Plays a game. If it begins a campaign, also plays the following games, up to a limit.
    fn play(&mut self, game: &Game, setup: Setup, position: &JobPosition) {
        let layout = game.layout(&setup).ok();
        let campaign = layout.as_ref().and_then(|layout| layout.model.campaign.as_ref());
        let begins = campaign.is_some_and(|campaign| setup.options.iter().all(|(name, _)| **name != *campaign.option));
        let mut next = self.play_one(game, setup, position);
        if !begins {
            return;
        }
        let scenarios = layout.and_then(|layout| layout.model.scenarios()).map_or(0, |scenarios| scenarios.len());
        let most = MIN_CAMPAIGN_LIMIT.max(3 * scenarios);
        for _ in 1..most {
            let Some(setup) = next else { return };
            next = self.play_one(game, setup, position);
        }
        if let Some(setup) = next {
            let message = format!("the campaign is not over after {most} games by players who choose at random");
            let help = "let the function that `[campaign]` names as `next` give `()` at last; `parlour campaign` says how long they are";
            let found = Diagnostic::warning("endless", message).help(help);
            self.odd.push(Diagnostic { reproduce: Some(setup.command(game.path())), ..found });
        }
    }

    /// Plays one game with one of the designer's agents in all seats.
    fn play_with_own_agent(&mut self, game: &Game, name: &str, limits: &JobLimits) {
        // A copy that counts only the operations of this game, so that the limit does not depend on games played at the same time.
        let game = &game.counting_operations();
        let usual = limits.usual;
        let setup = Setup::seats(*game.players().start()).seed(1);
        let Ok(layout) = game.layout(&setup) else { return };
        let own = layout.model.agents.clone();
        let left = Rc::new(Cell::new(usual * LENGTH_FACTOR + LENGTH_ALLOWANCE));
        let decisions = Rc::new(Cell::new(0));
        let player = |seat: usize| -> Option<Box<dyn Player>> {
            let player = agents::in_play(&own, name, setup.seed, seat).ok()?;
            let (left, decisions, game) = (left.clone(), decisions.clone(), game.clone());
            let position = limits.position.clone();
            Some(Box::new(LimitedPlayer { player, left, decisions, game, operations: limits.operations, position }))
        };
        let Some(players) = (0..usize::from(setup.seats)).map(player).collect() else { return };
        let Ok(PlayedGame { outcome, worlds, .. }) = game.play(&setup, players, false) else { return };
        self.games += 1;
        self.agent_operations = agent_operations(game, decisions.get());
        let reproduce = format!("{} --agents {}", setup.command(game.path()), quoted(name));
        self.odd
            .extend(worlds.warnings().into_iter().map(|odd| Diagnostic { reproduce: Some(reproduce.clone()), ..odd }));
        let Err(fault) = outcome else { return };
        if left.get() > 0 && (limits.position.is_given_up() || self.agent_operations >= limits.operations) {
            self.is_cut = true;
            return;
        }
        let mut diagnostic = if left.get() == 0 { too_long(name, usual, fault.reproduce) } else { fault };
        if let Some(command) = &mut diagnostic.reproduce {
            command.extend([" --agents ", &*quoted(name)]);
        }
        // A script that reproduces an overlong game would take just as long to run.
        let script = if diagnostic.code == TOO_LONG { None } else { agent_script(game, &setup, name, &diagnostic) };
        self.fault = Some(FoundFault { diagnostic: *diagnostic, script });
    }

    /// Plays one game. Returns the setup of the next game of the campaign, if there is one.
    fn play_one(&mut self, game: &Game, setup: Setup, position: &JobPosition) -> Option<Setup> {
        let looks = Rc::new(RefCell::new(LeakCheck::new(setup.seed)));
        match game.play(&setup, players(&setup, Some(&looks), Some(position)), false) {
            Err(mistakes) => {
                self.mistakes = mistakes;
                None
            }
            Ok(played) => {
                self.games += 1;
                self.decisions += played.decisions;
                let host = game.host(&setup).ok().map(|(_, host)| host);
                let found = std::mem::take(&mut looks.borrow_mut().found);
                let remarks = host.iter().flat_map(|host| played.remarks(host)).chain(found);
                let reproduce = || Some(setup.command(game.path()));
                self.odd.extend(remarks.map(|odd| Diagnostic { reproduce: reproduce(), ..odd }));
                self.seen.extend(played.outcome.err().map(|diagnostic| SeenFault { setup, diagnostic: *diagnostic }));
                played.next
            }
        }
    }
}

fn players(
    setup: &Setup,
    looks: Option<&Rc<RefCell<LeakCheck>>>,
    position: Option<&JobPosition>,
) -> Vec<Box<dyn Player>> {
    let player = |seat| -> Box<dyn Player> {
        let player = agents::named(AGENT, setup.seed, seat).expect("there is a random agent");
        Box::new(CheckingPlayer { player, looks: looks.cloned(), position: position.cloned() })
    };
    (0..usize::from(setup.seats)).map(player).collect()
}

/// Returns whether two diagnostics have the same code and place. Their messages may differ, for example in the names of players. Without a
/// place, the messages must be the same.
fn is_same_fault(one: &Diagnostic, other: &Diagnostic) -> bool {
    let place = |found: &Diagnostic| found.marks.first().map(|mark| mark.place.clone());
    one.code == other.code && place(one) == place(other) && (place(one).is_some() || one.message == other.message)
}

/// Plays games with the setup of the fault and different seeds. Returns the shortest game in which the fault occurs, as a playscript.
/// Returns `None` if the fault does not occur in any game, or if the playscript does not reproduce it.
///
/// Plays at most [`MAX_TRIES`] games after the first one, and stops earlier when `effort` operations have been spent.
fn shortest_script(
    game: &Game,
    seen: &SeenFault,
    effort: u64,
    is_stopped: &(dyn Fn() -> bool + Sync),
) -> Option<Script> {
    let (code, seats, seed) = (seen.diagnostic.code, seen.setup.seats, seen.setup.seed);
    let file = |seed: u64| format!("found-{code}-{seats}-players-seed-{seed}.play");
    if let Some(text) = endless_script(game, seen) {
        return Some(Script { file: file(seed), text });
    }
    let (mut tried, enough) = (1, game.operations() + effort);
    let mut games: Vec<RecordedFault> = record_fault(game, &seen.setup, &seen.diagnostic).into_iter().collect();
    for seed in (1..=MAX_TRIES).filter(|other| *other != seed) {
        let least = games.iter().map(|game| game.answers).min();
        if least == Some(0) || is_stopped() || game.operations() > enough {
            break;
        }
        tried += 1;
        games.extend(record_fault(game, &seen.setup.clone().seed(seed), &seen.diagnostic));
    }
    games.sort_by_key(|game| game.answers);
    let best = games.into_iter().next()?;
    let selection = if tried > 1 { format!(", the shortest of {tried} games") } else { String::new() };
    let choices = if best.answers == 1 { "choice" } else { "choices" };
    let shown = format!("// {code}: {} {choices}{selection}.", best.answers);
    let text = format!("{shown}\n{}", best.play);
    reproduces(game, &text, &seen.diagnostic).then(|| Script { file: file(best.seed), text })
}

/// Recording of a game up to a fault.
struct RecordedFault {
    seed: u64,
    answers: usize,
    play: Play,
}

/// Plays and records a game until a fault occurs. Returns `None` if another fault occurs, or if the fault does not occur within
/// [`MAX_ANSWERS`] answers.
fn record_fault(game: &Game, setup: &Setup, wanted: &Diagnostic) -> Option<RecordedFault> {
    let mut session = Session::start(game, setup).ok()?;
    let mut recorder = Recorder::begin(game, &session, false);
    let mut players = players(setup, None, None);
    let found = loop {
        if let Status::Failed(found) = session.status() {
            break Box::new(found.clone());
        }
        if let Err(broken) = session.check_invariants() {
            break broken;
        }
        if session.answers().len() > MAX_ANSWERS {
            return None;
        }
        let observation = session.observation()?;
        let at = players[observation.seat().index()].choose(&observation).ok()?;
        recorder.choose(&mut session, at).ok()?;
    };
    let answers = session.answers().len();
    is_same_fault(&found, wanted).then(|| RecordedFault { seed: setup.seed, answers, play: recorder.play() })
}

/// Creates a playscript in which an agent plays a game that ends with a fault. Returns `None` if the playscript does not reproduce the
/// fault.
fn agent_script(game: &Game, setup: &Setup, agent: &str, fault: &Diagnostic) -> Option<Script> {
    let text = format!("// {}: an agent plays up to it.\n{}", fault.code, auto_play(game, setup, agent)?);
    let agent = agent.replace(':', "-");
    let file = format!("found-{}-{agent}-seed-{}.play", fault.code, setup.seed);
    reproduces(game, &text, fault).then_some(Script { file, text })
}

/// Creates a playscript in which an agent plays a game to its end.
fn auto_play(game: &Game, setup: &Setup, agent: &str) -> Option<Play> {
    let session = Session::start(game, setup).ok()?;
    let mut play = Recorder::begin(game, &session, false).play();
    let what = StatementKind::Auto(PlayUntil::End, Some(agent.to_owned()));
    play.head.push(PlayStatement { what, place: None });
    Some(play)
}

/// Creates a playscript for the fault that a game never ends. Returns `None` for other faults.
fn endless_script(game: &Game, seen: &SeenFault) -> Option<String> {
    if seen.diagnostic.message != without_end().message {
        return None;
    }
    let play = auto_play(game, &seen.setup, AGENT)?;
    // Not verified, because running the playscript would repeat the same long game.
    Some(format!("// endless: agents play on and on.\n{play}"))
}

/// Returns whether running a playscript reproduces a fault.
fn reproduces(game: &Game, text: &str, wanted: &Diagnostic) -> bool {
    let source = Arc::new(Source { path: "found.play".to_owned(), text: text.to_owned() });
    let Ok(play) = playscript::parse(&source) else { return false };
    let find = |_: &str| Ok(game.clone());
    let cast = Cast { game: &find, agent: &agents::in_play, covering: false };
    let report = playscript::run_scene(&play, 0, &cast);
    let is_wanted = |found: &Diagnostic| {
        is_same_fault(found, wanted) || (found.code == wanted.code && found.message == wanted.message)
    };
    report.failure.is_some_and(|found| is_wanted(&found))
}

#[cfg(test)]
mod tests {
    use super::agent_names;
    use crate::diagnostic::Source;
    use std::sync::Arc;

    #[test]
    fn commented_out_functions_do_not_count() {
        let names =
            |text: &str| agent_names(&Arc::new(Source { path: "agents/a.rhai".to_owned(), text: text.to_owned() }));
        assert_eq!(names("/*\nfn estimate(seat) { 1 }\n*/\nfn rate_bid(seat, option) { 1 }"), ["a"]);
        assert_eq!(names("/*\nfn rate_bid(seat, option) { 1 }\n*/\n  fn estimate(seat) { 1 }"), ["search:1:a"]);
    }
}
