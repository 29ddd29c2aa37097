//! Finds faults by random play: plays a few short games with every number of players and every option. For each fault,
//! records the shortest playscript found that reproduces it.

use super::parallel::in_parallel;
use crate::agents;
use crate::diagnostic::{Diagnostic, Diagnostics, Role, Source};
use crate::model::{DecisionId, Param, Seat, Setting};
use crate::playscript::{self, Cast, Play, PlayStatement, PlayUntil, Recorder, StatementKind};
use crate::session::{
    ESTIMATE, Game, GameOver, Imagination, NoAnswer, Observation, PlayedGame, Player, RATE, Session, Setup, Status,
    functions_of, quoted, without_end,
};
use crate::table::Chance;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// Number of decisions after which no more games are begun. Limits the time of a check.
const MAX_DECISIONS: u64 = 200_000;

/// Default number of games per setup.
const DEFAULT_GAMES: u64 = 3;

/// Number of decisions after which no more rounds are begun, if the number of games is the default.
const ENOUGH_DECISIONS: u64 = 8_000;

/// Number of setups played in parallel between checks of the limits. It is fixed, so that results do not depend on the
/// machine.
const CHUNK_SIZE: usize = 8;

/// Maximum number of additional games that are played to find a shorter one with the same fault.
const MAX_TRIES: u64 = 20;

/// Maximum number of answers in a recorded game. A longer one would not be read by anybody.
const MAX_ANSWERS: usize = 5_000;

/// Maximum number of faults for which playscripts are searched.
const MAX_SCRIPTS: usize = 5;

/// Agent that plays.
const AGENT: &str = "random";

/// A fault found by playing.
pub struct FoundFault {
    /// The diagnostic.
    pub diagnostic: Diagnostic,
    /// Shortest playscript that reproduces the fault, if one was found.
    pub script: Option<Script>,
}

/// A playscript that reproduces a fault.
pub struct Script {
    /// File name.
    pub file: String,
    /// Content, beginning with a comment about the fault.
    pub text: String,
}

/// Result of a search for faults.
#[derive(Default)]
pub struct FuzzResult {
    /// Number of games played.
    pub games: u64,
    /// Number of decisions in these games.
    decisions: u64,
    /// Mistakes in the rules, found before play.
    pub mistakes: Diagnostics,
    /// Warnings about the rules that occur with all setups. A warning with only some of them is dropped: code that is
    /// useless with one option may be used with another.
    pub remarks: Option<Vec<Diagnostic>>,
    /// Warnings about the course or the end of games, without duplicates.
    pub odd: Vec<Diagnostic>,
    /// Faults, without duplicates.
    pub faults: Vec<FoundFault>,
    /// Whether games were skipped because of a limit.
    pub cut: bool,
}

/// A fault with its setup.
struct SeenFault {
    setup: Setup,
    diagnostic: Diagnostic,
}

/// Result of checking and playing one setup.
#[derive(Default)]
struct SetupResult {
    games: u64,
    decisions: u64,
    seen: Vec<SeenFault>,
    mistakes: Diagnostics,
    /// Warnings about the rules; `None` if the setup was not checked or has mistakes.
    remarks: Option<Vec<Diagnostic>>,
    /// Warnings about the course or the end of the game.
    odd: Vec<Diagnostic>,
}

/// Returns the setups to try, for every number of players: with the defaults, with each value of each option, and with
/// a mix of options.
fn setups(game: &Game) -> Vec<Setup> {
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
    plain.iter().cloned().chain(one_by_one).chain(mixed).collect()
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

/// Returns a number, list or table with every number replaced by a bound. All numbers are set to it, which keeps them
/// in a consistent order.
fn at_bound(value: &Setting, end: i64) -> Option<Setting> {
    match value {
        Setting::Number(_) => Some(Setting::Number(end)),
        Setting::List(list) => list.iter().map(|entry| at_bound(entry, end)).collect::<Option<_>>().map(Setting::List),
        Setting::Table(parts) => {
            let parts = parts.iter().map(|(name, one)| Some((name.clone(), at_bound(one, end)?)));
            parts.collect::<Option<_>>().map(Setting::Table)
        }
        _ => None,
    }
}

/// Formats the result of [`at_bound`] for the option `--set`.
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

/// Returns a setup for each bound of each single param, except bounds that are the current value.
fn bound_setups(game: &Game, seats: u8) -> Vec<Setup> {
    let plain = Setup::seats(seats);
    let Ok(layout) = game.layout(&plain) else { return Vec::new() };
    let ends = |param: &Param| {
        let ends = [param.bounds.min, param.bounds.max].into_iter().flatten();
        let ends = ends.filter_map(|end| Some((end, at_bound(&param.value, end)?)));
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

/// Checks the rules for every setup and plays each of them `games` times. All setups are played once before the next
/// round begins, so that a limit cuts off the last round and not the last setups.
pub fn fuzz(game: &Game, games: Option<u64>, is_stopped: &(dyn Fn() -> bool + Sync)) -> FuzzResult {
    let mut findings = FuzzResult::default();
    let mut seen: Vec<SeenFault> = Vec::new();
    let setups = setups(game);
    for round in 1..=games.unwrap_or(DEFAULT_GAMES) {
        findings.play_round(game, &setups, round, is_stopped, &mut seen);
        let is_enough = games.is_none() && findings.decisions > ENOUGH_DECISIONS;
        if findings.cut || is_enough || !findings.mistakes.0.is_empty() {
            break;
        }
    }
    if findings.mistakes.0.is_empty() && !findings.cut {
        findings.try_bounds(game, is_stopped, &mut seen);
    }
    if seen.is_empty() && findings.mistakes.0.is_empty() && !findings.cut {
        findings.play_with_own_agents(game);
    }
    let scripted = |(at, seen): (usize, SeenFault)| {
        let script = (at < MAX_SCRIPTS).then(|| shortest_script(game, &seen, is_stopped)).flatten();
        FoundFault { diagnostic: seen.diagnostic, script }
    };
    findings.faults.extend(seen.into_iter().enumerate().map(scripted));
    findings
}

impl FuzzResult {
    /// Plays every setup once. The seed is the number of the round. In the first round, also checks the rules.
    fn play_round(
        &mut self,
        game: &Game,
        setups: &[Setup],
        round: u64,
        is_stopped: &(dyn Fn() -> bool + Sync),
        seen: &mut Vec<SeenFault>,
    ) {
        for several in setups.chunks(CHUNK_SIZE) {
            let is_endless = seen.iter().any(|fault| fault.diagnostic.code == "endless");
            self.cut |= self.decisions > MAX_DECISIONS || is_endless || is_stopped();
            if self.cut && round > 1 {
                return;
            }
            let plays = !self.cut;
            let tried = in_parallel(several, |setup| {
                let mut tried = if round == 1 { check_rules(game, setup) } else { SetupResult::default() };
                if plays && tried.mistakes.0.is_empty() {
                    tried.play(game, setup.clone().seed(round));
                }
                tried
            });
            for fault in tried.into_iter().flat_map(|tried| self.take(tried)) {
                if !seen.iter().any(|known| is_same_fault(&known.diagnostic, &fault.diagnostic)) {
                    seen.push(fault);
                }
            }
        }
    }

    /// Plays a game with each single param at each of its bounds. All of these are tried with the largest number of
    /// players. Other numbers of players follow only until this has taken as many decisions as all games before.
    fn try_bounds(&mut self, game: &Game, is_stopped: &(dyn Fn() -> bool + Sync), seen: &mut Vec<SeenFault>) {
        let (usual, before) = (self.decisions, self.decisions / self.games.max(1) * LENGTH_FACTOR);
        for (at, seats) in player_counts(game).into_iter().enumerate() {
            for several in bound_setups(game, seats).chunks(CHUNK_SIZE) {
                let is_endless = seen.iter().any(|fault| fault.diagnostic.code == "endless");
                if is_stopped() || is_endless || (at > 0 && self.decisions > usual + usual.max(before)) {
                    return;
                }
                let tried = in_parallel(several, |setup| {
                    let mut tried = check_rules(game, setup);
                    if tried.mistakes.0.is_empty() {
                        tried.play(game, setup.clone().seed(1));
                    }
                    let command = setup.command(game.path());
                    tried.mistakes.0.iter_mut().for_each(|found| found.reproduce = Some(command.clone()));
                    // Warnings are ignored: code that is useless with a param at its bound may be used otherwise.
                    SetupResult { remarks: None, ..tried }
                });
                for fault in tried.into_iter().flat_map(|tried| self.take(tried)) {
                    if !seen.iter().any(|known| is_same_fault(&known.diagnostic, &fault.diagnostic)) {
                        seen.push(fault);
                    }
                }
            }
        }
    }

    /// Plays one game with each of the agents that come with the game, and one with a search that uses the agent.
    fn play_with_own_agents(&mut self, game: &Game) {
        let setup = Setup::seats(*game.players().start()).seed(1);
        let Ok(layout) = game.layout(&setup) else { return };
        let own = layout.model.agents.clone();
        let names: Vec<String> = own.iter().flat_map(agent_names).collect();
        let usual = self.decisions / self.games.max(1);
        let played = in_parallel(&names, |name| {
            let left = Rc::new(Cell::new(usual * LENGTH_FACTOR + LENGTH_ALLOWANCE));
            let player = |seat: usize| -> Option<Box<dyn Player>> {
                let player = agents::in_play(&own, name, setup.seed, seat).ok()?;
                Some(Box::new(LimitedPlayer { player, left: left.clone() }))
            };
            let players = (0..usize::from(setup.seats)).map(player).collect::<Option<_>>()?;
            let PlayedGame { outcome, worlds, .. } = game.play(&setup, players, false).ok()?;
            let fault = outcome.err();
            let fault = fault.map(|fault| if left.get() == 0 { too_long(name, usual, fault.reproduce) } else { fault });
            Some((worlds, fault))
        });
        self.games += names.len() as u64;
        for (name, played) in names.into_iter().zip(played) {
            let Some((worlds, fault)) = played else { continue };
            let reproduce = format!("{} --agents {}", setup.command(game.path()), quoted(&name));
            for odd in worlds.warnings() {
                let odd = Diagnostic { reproduce: Some(reproduce.clone()), ..odd };
                if !self.odd.iter().any(|known| is_same_fault(known, &odd)) {
                    self.odd.push(odd);
                }
            }
            let Some(mut diagnostic) = fault else { continue };
            if let Some(command) = &mut diagnostic.reproduce {
                command.extend([" --agents ", &*quoted(&name)]);
            }
            // A script that reproduces an overlong game would take just as long to run.
            let script =
                if diagnostic.code == TOO_LONG { None } else { agent_script(game, &setup, &name, &diagnostic) };
            self.faults.push(FoundFault { diagnostic: *diagnostic, script });
        }
    }

    /// Adds the result of one setup, and returns its faults.
    fn take(&mut self, tried: SetupResult) -> Vec<SeenFault> {
        self.games += tried.games;
        self.decisions += tried.decisions;
        self.mistakes.0.extend(tried.mistakes.0);
        for odd in tried.odd {
            if !self.odd.iter().any(|known| is_same_fault(known, &odd)) {
                self.odd.push(odd);
            }
        }
        if let Some(here) = tried.remarks {
            let common = |known: Vec<Diagnostic>| known.into_iter().filter(|one| here.contains(one)).collect();
            self.remarks = Some(self.remarks.take().map_or_else(|| here.clone(), common));
        }
        tried.seen
    }
}

/// Player that gives up after a number of decisions, when the game is unlikely to end.
struct LimitedPlayer {
    player: Box<dyn Player>,
    /// Number of decisions left, for all seats together.
    left: Rc<Cell<u64>>,
}

impl Player for LimitedPlayer {
    fn choose(&mut self, observation: &Observation<'_>) -> Result<usize, NoAnswer> {
        self.left.set(self.left.get().saturating_sub(1));
        if self.left.get() == 0 {
            return Err("the game does not end".to_owned().into());
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

/// Player that evaluates everything that would be shown to people, such as the costs of options, to find faults in it.
/// In some games it also checks whether the options reveal hidden information.
struct CheckingPlayer {
    player: Box<dyn Player>,
    looks: Option<Rc<RefCell<LeakCheck>>>,
}

/// Check whether the options of a game reveal hidden information.
struct LeakCheck {
    /// Number of checks made of each decision.
    looks: BTreeMap<DecisionId, u32>,
    chance: Chance,
    found: Vec<Diagnostic>,
}

impl LeakCheck {
    fn new(seed: u64) -> Self {
        Self { looks: BTreeMap::new(), chance: Chance::new(seed, "looks"), found: Vec::new() }
    }

    fn check(&mut self, observation: &Observation<'_>) {
        let looks = self.looks.entry(observation.decision().id).or_default();
        if *looks == MAX_LEAK_CHECKS {
            return;
        }
        let Some(imagination) = observation.imagination().filter(Imagination::is_run_again) else { return };
        *looks += 1;
        self.found.extend(imagination.check_options(&mut self.chance).map(|found| *found));
    }
}

impl Player for CheckingPlayer {
    fn choose(&mut self, observation: &Observation<'_>) -> Result<usize, NoAnswer> {
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

/// Maximum number of leak checks of each decision in a game.
const MAX_LEAK_CHECKS: u32 = 3;

/// Minimum limit on the number of games in a campaign. If three times the number of scenarios is more, that is the
/// limit.
const MIN_CAMPAIGN_LIMIT: usize = 12;

/// A game with the game's own agents is stopped after this many times the decisions of a random game, plus an
/// allowance.
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

/// Returns the agent specifications that use a script: the script itself if it rates options, and a search if it
/// estimates positions.
fn agent_names(file: &Arc<Source>) -> Vec<String> {
    let name = Role::Agent.name(&file.path);
    let functions = functions_of(file);
    let searches = functions.iter().any(|function| function == ESTIMATE).then(|| format!("search:1:{name}"));
    // A script without any such function is tried as well, so that the mistake is reported.
    let rates = functions.iter().any(|function| function.starts_with(RATE)) || searches.is_none();
    rates.then(|| name.to_owned()).into_iter().chain(searches).collect()
}

/// Compiles the rules for a setup and collects mistakes and warnings.
fn check_rules(game: &Game, setup: &Setup) -> SetupResult {
    match game.host(setup) {
        Err(mistakes) => SetupResult { mistakes, ..SetupResult::default() },
        Ok((_, host)) => SetupResult { remarks: Some(host.warnings().to_vec()), ..SetupResult::default() },
    }
}

impl SetupResult {
    /// Plays a game. If it begins a campaign, plays the following games too.
    fn play(&mut self, game: &Game, setup: Setup) {
        let layout = game.layout(&setup).ok();
        let campaign = layout.as_ref().and_then(|layout| layout.model.campaign.as_ref());
        let begins = campaign.is_some_and(|campaign| setup.options.iter().all(|(name, _)| **name != *campaign.option));
        let mut next = self.play_one(game, setup);
        if !begins {
            return;
        }
        let scenarios = layout.and_then(|layout| layout.model.scenarios()).map_or(0, |scenarios| scenarios.len());
        let most = MIN_CAMPAIGN_LIMIT.max(3 * scenarios);
        for _ in 1..most {
            let Some(setup) = next else { return };
            next = self.play_one(game, setup);
        }
        if let Some(setup) = next {
            let message = format!("the campaign is not over after {most} games by players who choose at random");
            let help = "let the function that `[campaign]` names as `next` give `()` at last; `parlour campaign` says how long they are";
            let found = Diagnostic::warning("endless", message).help(help);
            self.odd.push(Diagnostic { reproduce: Some(setup.command(game.path())), ..found });
        }
    }

    /// Plays one game. Returns the setup of the next game of the campaign, if there is one.
    fn play_one(&mut self, game: &Game, setup: Setup) -> Option<Setup> {
        let looks = Rc::new(RefCell::new(LeakCheck::new(setup.seed)));
        match game.play(&setup, players(&setup, Some(&looks)), false) {
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

fn players(setup: &Setup, looks: Option<&Rc<RefCell<LeakCheck>>>) -> Vec<Box<dyn Player>> {
    let player = |seat| -> Box<dyn Player> {
        let player = agents::named(AGENT, setup.seed, seat).expect("there is a random agent");
        Box::new(CheckingPlayer { player, looks: looks.cloned() })
    };
    (0..usize::from(setup.seats)).map(player).collect()
}

/// Returns whether two diagnostics have the same code and place. Their messages may differ, for example in the names of
/// players.
fn is_same_fault(one: &Diagnostic, other: &Diagnostic) -> bool {
    let place = |found: &Diagnostic| found.marks.first().map(|mark| mark.place.clone());
    one.code == other.code && place(one) == place(other) && (place(one).is_some() || one.message == other.message)
}

/// Returns the shortest of several games with a fault, up to the fault.
fn shortest_script(game: &Game, seen: &SeenFault, is_stopped: &(dyn Fn() -> bool + Sync)) -> Option<Script> {
    let (code, seats, seed) = (seen.diagnostic.code, seen.setup.seats, seen.setup.seed);
    let file = |seed: u64| format!("found-{code}-{seats}-players-seed-{seed}.play");
    if let Some(text) = endless_script(game, seen) {
        return Some(Script { file: file(seed), text });
    }
    let mut tried = 1;
    let mut games: Vec<RecordedFault> = record_fault(game, &seen.setup, &seen.diagnostic).into_iter().collect();
    for seed in (1..=MAX_TRIES).filter(|other| *other != seed) {
        let least = games.iter().map(|game| game.answers).min();
        if least == Some(0) || is_stopped() {
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

/// Plays a game again while recording it, and checks for the fault after each answer. `None` if the fault does not
/// occur.
fn record_fault(game: &Game, setup: &Setup, wanted: &Diagnostic) -> Option<RecordedFault> {
    let mut session = Session::start(game, setup).ok()?;
    let mut recorder = Recorder::begin(game, &session, false);
    let mut players = players(setup, None);
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

/// Creates a playscript in which an agent plays until a fault occurs. `None` if the playscript does not reproduce the
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

/// Creates a playscript of a game that never ends. `None` for other faults.
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
