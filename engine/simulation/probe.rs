//! Finding faults by playing: a few short games at random for every number of players and every option, and for each fault
//! the shortest playscript that shows it.

use super::parallel::in_parallel;
use crate::agents;
use crate::diagnostic::{Diagnostic, Diagnostics, Role, Source};
use crate::model::{DecisionId, Param, Seat, Setting};
use crate::playscript::{self, Cast, Play, PlayStatement, Recorder, Until, What};
use crate::session::{
    ESTIMATE, Game, GameOver, Imagination, NoAnswer, Observation, Played, Player, RATE, Session, Setup, Status,
    functions_of, quoted, without_end,
};
use crate::table::Chance;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// How many decisions are asked for before no more games are begun: what keeps a check from taking long.
const MOST_DECISIONS: u64 = 200_000;

/// How often every setup is played where nobody says it.
const USUAL_GAMES: u64 = 3;

/// After so many decisions nothing is played once more where nobody says how often: what keeps a check quick.
const ENOUGH_DECISIONS: u64 = 8_000;

/// How many setups are played at once before anybody looks how far that went; the same on every machine.
const AT_ONCE: usize = 8;

/// How many more games are played to find a shorter one with the same fault.
const MOST_TRIES: u64 = 20;

/// Longer games are not written down: nobody would read them.
const MOST_ANSWERS: usize = 5_000;

/// Faults beyond these are reported without a playscript.
const MOST_SCRIPTS: usize = 5;

/// The agent that plays.
const AGENT: &str = "random";

/// A fault that a game ran into.
pub struct FoundFault {
    /// What is reported.
    pub diagnostic: Diagnostic,
    /// The shortest game that shows it, if it can be shown so.
    pub script: Option<Script>,
}

/// A playscript that shows a fault.
pub struct Script {
    /// What a file of it is called.
    pub file: String,
    /// What it says, under a comment that says what it shows.
    pub text: String,
}

/// What playing has shown.
#[derive(Default)]
pub struct Findings {
    /// How many games were played.
    pub games: u64,
    /// How many decisions were asked for in them.
    decisions: u64,
    /// What is wrong with the rules before they are played.
    pub mistakes: Diagnostics,
    /// What the author should look at whatever is chosen: what is of no use with one option may be of use with another.
    pub remarks: Option<Vec<Diagnostic>>,
    /// What to look at in how games went and ended, each reported once.
    pub odd: Vec<Diagnostic>,
    /// The faults, each once.
    pub faults: Vec<FoundFault>,
    /// Whether games were left out, because those before had taken long.
    pub cut: bool,
}

/// A fault with the setup that it was seen in.
struct Seen {
    setup: Setup,
    diagnostic: Diagnostic,
}

/// One setup, looked at and played.
#[derive(Default)]
struct Tried {
    games: u64,
    decisions: u64,
    seen: Vec<Seen>,
    mistakes: Diagnostics,
    /// Nothing where there are mistakes.
    remarks: Option<Vec<Diagnostic>>,
    /// What to look at in how the game went and ended.
    odd: Vec<Diagnostic>,
}

/// Every number of players with nothing chosen; then with each value of each option; then with several options at once.
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

/// Each option with the values worth trying; of those that are a seat, nobody and the last one.
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

/// A number, or a list or table of numbers with all of them, at an end: so no order among them is turned around.
fn at_end(value: &Setting, end: i64) -> Option<Setting> {
    match value {
        Setting::Number(_) => Some(Setting::Number(end)),
        Setting::List(list) => list.iter().map(|entry| at_end(entry, end)).collect::<Option<_>>().map(Setting::List),
        Setting::Table(parts) => {
            let parts = parts.iter().map(|(name, one)| Some((name.clone(), at_end(one, end)?)));
            parts.collect::<Option<_>>().map(Setting::Table)
        }
        _ => None,
    }
}

/// What is at an end, as it is set on the command line.
fn written(value: &Setting, end: i64) -> String {
    match value {
        Setting::List(list) => {
            format!("[{}]", list.iter().map(|entry| written(entry, end)).collect::<Vec<_>>().join(", "))
        }
        Setting::Table(parts) => {
            let parts = parts.iter().map(|(name, one)| format!("{name:?} = {}", written(one, end)));
            format!("{{ {} }}", parts.collect::<Vec<_>>().join(", "))
        }
        _ => end.to_string(),
    }
}

/// Every param alone at its ends, with one number of players; one whose value is at an end already is not set to it.
fn ends(game: &Game, seats: u8) -> Vec<Setup> {
    let plain = Setup::seats(seats);
    let Ok(layout) = game.layout(&plain) else { return Vec::new() };
    let ends = |param: &Param| {
        let ends = [param.bounds.min, param.bounds.max].into_iter().flatten();
        let ends = ends.filter_map(|end| Some((end, at_end(&param.value, end)?)));
        ends.filter(|(_, there)| *there != param.value)
            .map(|(end, there)| plain.clone().set(&format!("params.{}", param.id), &written(&there, end)))
            .collect::<Vec<_>>()
    };
    layout.model.params.values().flat_map(ends).collect()
}

/// The numbers of players in the order in which ends are tried: what does not fit shows with the most, or with the fewest.
fn by_extremes(game: &Game) -> Vec<u8> {
    let (fewest, most) = (*game.players().start(), *game.players().end());
    let mut all = vec![most, fewest];
    all.extend(fewest + 1..most);
    all.truncate(game.players().count());
    all
}

/// Looks at the rules for every setup, and plays each so many times, one round of all of them after the other: what is left
/// out of a game that takes long is not the last setup, but the last round.
pub fn probe(game: &Game, games: Option<u64>, is_stopped: &(dyn Fn() -> bool + Sync)) -> Findings {
    let mut findings = Findings::default();
    let mut seen: Vec<Seen> = Vec::new();
    let setups = setups(game);
    for round in 1..=games.unwrap_or(USUAL_GAMES) {
        findings.round(game, (&setups, round), is_stopped, &mut seen);
        let is_enough = games.is_none() && findings.decisions > ENOUGH_DECISIONS;
        if findings.cut || is_enough || !findings.mistakes.0.is_empty() {
            break;
        }
    }
    if findings.mistakes.0.is_empty() && !findings.cut {
        findings.try_ends(game, is_stopped, &mut seen);
    }
    if seen.is_empty() && findings.mistakes.0.is_empty() && !findings.cut {
        findings.play_with_its_agents(game);
    }
    let scripted = |(at, seen): (usize, Seen)| {
        let script = (at < MOST_SCRIPTS).then(|| shortest(game, &seen, is_stopped)).flatten();
        FoundFault { diagnostic: seen.diagnostic, script }
    };
    findings.faults.extend(seen.into_iter().enumerate().map(scripted));
    findings
}

impl Findings {
    /// Plays every setup once, with the seed of the round; in the first round its rules are looked at too.
    fn round(
        &mut self,
        game: &Game,
        (setups, round): (&[Setup], u64),
        is_stopped: &(dyn Fn() -> bool + Sync),
        seen: &mut Vec<Seen>,
    ) {
        for several in setups.chunks(AT_ONCE) {
            let is_endless = seen.iter().any(|fault| fault.diagnostic.code == "endless");
            self.cut |= self.decisions > MOST_DECISIONS || is_endless || is_stopped();
            if self.cut && round > 1 {
                return;
            }
            let plays = !self.cut;
            let tried = in_parallel(several, |setup| {
                let mut tried = if round == 1 { looked_at(game, setup) } else { Tried::default() };
                if plays && tried.mistakes.0.is_empty() {
                    tried.play(game, setup.clone().seed(round));
                }
                tried
            });
            for fault in tried.into_iter().flat_map(|tried| self.take(tried)) {
                if !seen.iter().any(|known| is_same(&known.diagnostic, &fault.diagnostic)) {
                    seen.push(fault);
                }
            }
        }
    }

    /// Plays one game with each param alone at each of its ends. With the most players all of them are tried, with the
    /// others until that has taken as long as the games before.
    fn try_ends(&mut self, game: &Game, is_stopped: &(dyn Fn() -> bool + Sync), seen: &mut Vec<Seen>) {
        let (usual, before) = (self.decisions, self.decisions / self.games.max(1) * MANY_TIMES);
        for (at, seats) in by_extremes(game).into_iter().enumerate() {
            for several in ends(game, seats).chunks(AT_ONCE) {
                let is_endless = seen.iter().any(|fault| fault.diagnostic.code == "endless");
                if is_stopped() || is_endless || (at > 0 && self.decisions > usual + usual.max(before)) {
                    return;
                }
                let tried = in_parallel(several, |setup| {
                    let mut tried = looked_at(game, setup);
                    if tried.mistakes.0.is_empty() {
                        tried.play(game, setup.clone().seed(1));
                    }
                    let command = setup.command(game.path());
                    tried.mistakes.0.iter_mut().for_each(|found| found.reproduce = Some(command.clone()));
                    // What is of no use with a param at its end may be of use otherwise.
                    Tried { remarks: None, ..tried }
                });
                for fault in tried.into_iter().flat_map(|tried| self.take(tried)) {
                    if !seen.iter().any(|known| is_same(&known.diagnostic, &fault.diagnostic)) {
                        seen.push(fault);
                    }
                }
            }
        }
    }

    /// Plays one game with each agent of the game's own, and one with a search that goes by it.
    fn play_with_its_agents(&mut self, game: &Game) {
        let setup = Setup::seats(*game.players().start()).seed(1);
        let Ok(layout) = game.layout(&setup) else { return };
        let own = layout.model.agents.clone();
        let names: Vec<String> = own.iter().flat_map(names_of).collect();
        let usual = self.decisions / self.games.max(1);
        let played = in_parallel(&names, |name| {
            let left = Rc::new(Cell::new(usual * MANY_TIMES + FEW));
            let player = |seat: usize| -> Option<Box<dyn Player>> {
                let player = agents::in_play(&own, name, setup.seed, seat).ok()?;
                Some(Box::new(Tiring { player, left: left.clone() }))
            };
            let players = (0..usize::from(setup.seats)).map(player).collect::<Option<_>>()?;
            let Played { outcome, worlds, .. } = game.play(&setup, players, false).ok()?;
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
                if !self.odd.iter().any(|known| is_same(known, &odd)) {
                    self.odd.push(odd);
                }
            }
            let Some(mut diagnostic) = fault else { continue };
            if let Some(command) = &mut diagnostic.reproduce {
                command.extend([" --agents ", &*quoted(&name)]);
            }
            // Nobody would wait for the whole of a game that is too long.
            let script = if diagnostic.code == TOO_LONG { None } else { shown_by(game, &setup, &name, &diagnostic) };
            self.faults.push(FoundFault { diagnostic: *diagnostic, script });
        }
    }

    /// Takes in what one setup has shown; returns its faults.
    fn take(&mut self, tried: Tried) -> Vec<Seen> {
        self.games += tried.games;
        self.decisions += tried.decisions;
        self.mistakes.0.extend(tried.mistakes.0);
        for odd in tried.odd {
            if !self.odd.iter().any(|known| is_same(known, &odd)) {
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

/// A player who gives up when so many questions are answered that the game will hardly end.
struct Tiring {
    player: Box<dyn Player>,
    /// How many more questions are answered, by all seats together.
    left: Rc<Cell<u64>>,
}

impl Player for Tiring {
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

/// A player who asks what options cost before one is chosen, as people at a table see it, and in some games looks whether the options
/// reveal what is hidden.
struct Curious {
    player: Box<dyn Player>,
    looks: Option<Rc<RefCell<Revealing>>>,
}

/// What was found in a game of options that reveal what is hidden, and how often that was looked for, by decisions.
struct Revealing {
    looks: BTreeMap<DecisionId, u32>,
    chance: Chance,
    found: Vec<Diagnostic>,
}

impl Revealing {
    fn new(seed: u64) -> Self {
        Self { looks: BTreeMap::new(), chance: Chance::new(seed, "looks"), found: Vec::new() }
    }

    fn look(&mut self, observation: &Observation<'_>) {
        let looks = self.looks.entry(observation.decision().id).or_default();
        if *looks == MOST_LOOKS {
            return;
        }
        let Some(imagination) = observation.imagination().filter(Imagination::is_run_again) else { return };
        *looks += 1;
        self.found.extend(imagination.check_options(&mut self.chance).map(|found| *found));
    }
}

impl Player for Curious {
    fn choose(&mut self, observation: &Observation<'_>) -> Result<usize, NoAnswer> {
        observation.check_costs()?;
        observation.check_derived()?;
        if let Some(looks) = &self.looks {
            looks.borrow_mut().look(observation);
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

/// At so many questions of a game, of each decision, it is looked whether their options reveal what is hidden.
const MOST_LOOKS: u32 = 3;

/// Of a campaign so many games are played, or three times as many as it has scenarios.
const MOST_FOLLOWED: usize = 12;

/// A game that an agent plays may take so many times as long as a random one, and so many decisions more.
const MANY_TIMES: u64 = 5;
const FEW: u64 = 200;

/// What is said of a game that does not end.
const TOO_LONG: &str = "endless";

fn too_long(name: &str, usual: u64, reproduce: Option<String>) -> Box<Diagnostic> {
    let answered = usual * MANY_TIMES + FEW;
    let message = format!(
        "with `{name}` in every seat the game goes on after {answered} decisions; at random it ends after {usual}"
    );
    let help = "look for a turn that ends by passing, and for what the agent likes better than to pass";
    Box::new(Diagnostic { reproduce, ..Diagnostic::error(TOO_LONG, message).help(help) })
}

/// The agents that go by a file: one that takes what it rates highest, and one that searches and asks what a position is worth.
fn names_of(file: &Arc<Source>) -> Vec<String> {
    let name = Role::Agent.name(&file.path);
    let functions = functions_of(file);
    let searches = functions.iter().any(|function| function == ESTIMATE).then(|| format!("search:1:{name}"));
    // A file that says nothing at all is reported by the first.
    let rates = functions.iter().any(|function| function.starts_with(RATE)) || searches.is_none();
    rates.then(|| name.to_owned()).into_iter().chain(searches).collect()
}

/// Compiles the rules for a setup.
fn looked_at(game: &Game, setup: &Setup) -> Tried {
    match game.host(setup) {
        Err(mistakes) => Tried { mistakes, ..Tried::default() },
        Ok((_, host)) => Tried { remarks: Some(host.warnings().to_vec()), ..Tried::default() },
    }
}

impl Tried {
    /// Plays a game, and of a campaign that begins with it the games that follow.
    fn play(&mut self, game: &Game, setup: Setup) {
        let layout = game.layout(&setup).ok();
        let campaign = layout.as_ref().and_then(|layout| layout.model.campaign.as_ref());
        let begins = campaign.is_some_and(|campaign| setup.options.iter().all(|(name, _)| **name != *campaign.option));
        let mut next = self.play_one(game, setup);
        if !begins {
            return;
        }
        let scenarios = layout.and_then(|layout| layout.model.scenarios()).map_or(0, |scenarios| scenarios.len());
        let most = MOST_FOLLOWED.max(3 * scenarios);
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

    /// Plays one game; returns the one that follows in the campaign.
    fn play_one(&mut self, game: &Game, setup: Setup) -> Option<Setup> {
        let looks = Rc::new(RefCell::new(Revealing::new(setup.seed)));
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
                self.seen.extend(played.outcome.err().map(|diagnostic| Seen { setup, diagnostic: *diagnostic }));
                played.next
            }
        }
    }
}

fn players(setup: &Setup, looks: Option<&Rc<RefCell<Revealing>>>) -> Vec<Box<dyn Player>> {
    let player = |seat| -> Box<dyn Player> {
        let player = agents::named(AGENT, setup.seed, seat).expect("there is a random agent");
        Box::new(Curious { player, looks: looks.cloned() })
    };
    (0..usize::from(setup.seats)).map(player).collect()
}

/// Whether two faults are of one sort at one place; what they say may name other players.
fn is_same(one: &Diagnostic, other: &Diagnostic) -> bool {
    let place = |found: &Diagnostic| found.marks.first().map(|mark| mark.place.clone());
    one.code == other.code && place(one) == place(other) && (place(one).is_some() || one.message == other.message)
}

/// The shortest of several games that show a fault, cut off where it shows.
fn shortest(game: &Game, seen: &Seen, is_stopped: &(dyn Fn() -> bool + Sync)) -> Option<Script> {
    let (code, seats, seed) = (seen.diagnostic.code, seen.setup.seats, seen.setup.seed);
    let file = |seed: u64| format!("found-{code}-{seats}-players-seed-{seed}.play");
    if let Some(text) = played_on(game, seen) {
        return Some(Script { file: file(seed), text });
    }
    let mut tried = 1;
    let mut games: Vec<Recorded> = recorded(game, &seen.setup, &seen.diagnostic).into_iter().collect();
    for seed in (1..=MOST_TRIES).filter(|other| *other != seed) {
        let least = games.iter().map(|game| game.answers).min();
        if least == Some(0) || is_stopped() {
            break;
        }
        tried += 1;
        games.extend(recorded(game, &seen.setup.clone().seed(seed), &seen.diagnostic));
    }
    games.sort_by_key(|game| game.answers);
    let best = games.into_iter().next()?;
    let of = if tried > 1 { format!(", the shortest of {tried} games") } else { String::new() };
    let choices = if best.answers == 1 { "choice" } else { "choices" };
    let shown = format!("// {code}: {} {choices}{of}.", best.answers);
    let text = format!("{shown}\n{}", best.play);
    shows(game, &text, &seen.diagnostic).then(|| Script { file: file(best.seed), text })
}

/// A game written down up to where something did not hold.
struct Recorded {
    seed: u64,
    answers: usize,
    play: Play,
}

/// Plays a game once more and writes it down: every shorter beginning of it was well.
fn recorded(game: &Game, setup: &Setup, wanted: &Diagnostic) -> Option<Recorded> {
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
        if session.answers().len() > MOST_ANSWERS {
            return None;
        }
        let observation = session.observation()?;
        let at = players[observation.seat().index()].choose(&observation).ok()?;
        recorder.choose(&mut session, at).ok()?;
    };
    let answers = session.answers().len();
    is_same(&found, wanted).then(|| Recorded { seed: setup.seed, answers, play: recorder.play() })
}

/// A playscript in which an agent of the game's own plays up to a fault.
fn shown_by(game: &Game, setup: &Setup, agent: &str, fault: &Diagnostic) -> Option<Script> {
    let text = format!("// {}: an agent plays up to it.\n{}", fault.code, played_by(game, setup, agent)?);
    let agent = agent.replace(':', "-");
    let file = format!("found-{}-{agent}-seed-{}.play", fault.code, setup.seed);
    shows(game, &text, fault).then_some(Script { file, text })
}

/// A playscript in which an agent plays to the end.
fn played_by(game: &Game, setup: &Setup, agent: &str) -> Option<Play> {
    let session = Session::start(game, setup).ok()?;
    let mut play = Recorder::begin(game, &session, false).play();
    let what = What::Auto(Until::End, Some(agent.to_owned()));
    play.head.push(PlayStatement { what, place: None });
    Some(play)
}

/// A playscript that lets agents play a game that never ends; nothing for other faults.
fn played_on(game: &Game, seen: &Seen) -> Option<String> {
    if seen.diagnostic.message != without_end().message {
        return None;
    }
    let play = played_by(game, &seen.setup, AGENT)?;
    // That it shows the fault is not tried: the same agents would play the same long game again.
    Some(format!("// endless: agents play on and on.\n{play}"))
}

/// Whether a playscript, read as a file of that text would be, shows a fault.
fn shows(game: &Game, text: &str, wanted: &Diagnostic) -> bool {
    let source = Arc::new(Source { path: "found.play".to_owned(), text: text.to_owned() });
    let Ok(play) = playscript::parse(&source) else { return false };
    let find = |_: &str| Ok(game.clone());
    let cast = Cast { game: &find, agent: &agents::in_play, covering: false };
    let report = playscript::run_scene(&play, 0, &cast);
    let is_it =
        |found: &Diagnostic| is_same(found, wanted) || (found.code == wanted.code && found.message == wanted.message);
    report.failure.is_some_and(|found| is_it(&found))
}

#[cfg(test)]
mod tests {
    use super::names_of;
    use crate::diagnostic::Source;
    use std::sync::Arc;

    #[test]
    fn an_agent_goes_by_functions_and_not_by_comments() {
        let names =
            |text: &str| names_of(&Arc::new(Source { path: "agents/a.rhai".to_owned(), text: text.to_owned() }));
        assert_eq!(names("/*\nfn estimate(seat) { 1 }\n*/\nfn rate_bid(seat, option) { 1 }"), ["a"]);
        assert_eq!(names("/*\nfn rate_bid(seat, option) { 1 }\n*/\n  fn estimate(seat) { 1 }"), ["search:1:a"]);
    }
}
