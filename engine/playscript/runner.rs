//! Runs one scene on its session, statement by statement.

use super::answer_events::index_after_answer;
use super::cast::Cast;
use super::errors::{
    CheckResult, fail, find_decision, find_phase, find_seat, first_diagnostic, no_answer, place_in_play, source_of,
    with_detail, with_help,
};
use super::option_words::OptionWords;
use super::play::{Expect, OTHER, PERSON, PlayStatement, PlayUntil, StatementKind};
use super::rejection::Rejection;
use super::rule_trace::RuleTrace;
use crate::diagnostic::{Diagnostic, Source};
use crate::model::{Language, Model, Seat};
use crate::session::{
    Consent, Decision, Event, EventKind, Game, MAX_DECISIONS, NoAnswer, Observation, Player, Redeal, Rest, Session,
    Setup, Status, without_end,
};
use crate::wording::{Wording, table_lines};
use std::collections::BTreeMap;
use std::sync::Arc;

/// State of a running scene.
pub(super) struct Runner<'a> {
    pub(super) cast: &'a Cast<'a>,
    pub(super) setup: Setup,
    pub(super) game: Option<Game>,
    pub(super) agents: Vec<String>,
    /// Statements so far that choose the game and its settings, or set where play begins.
    pub(super) head: Vec<PlayStatement>,
    /// The `start` statement.
    pub(super) start: Option<PlayStatement>,
    /// The `arrange` statements before play begins, in order, each with its code.
    pub(super) arrange: Vec<(PlayStatement, Arc<Source>)>,
    /// Statements that predetermine results of chance, in order. Those before play begins are only collected. Later ones also take effect
    /// at once.
    pub(super) fixes: Vec<PlayStatement>,
    pub(super) session: Option<Session>,
    /// Whether the position was reached by play alone, without `start` or `arrange`.
    is_reached_by_play: bool,
    /// Index of the first event caused by the last statement that advanced the game, such as a choice, `auto` or `do`.
    pub(super) seen: usize,
    /// Rejected options, with the reasons why the game does not offer them.
    pub(super) rejections: Vec<Rejection>,
    /// Mistakes found in code fragments before they run, each with the source of the fragment.
    pub(super) mistakes: Vec<(Arc<Source>, Diagnostic)>,
    /// Words that may occur in options of the game.
    pub(super) words: OptionWords,
    /// Index of the first event that a `forced` statement may refer to.
    pub(super) forced: usize,
    /// Recorded content of each place on the table, from the `table` statements so far.
    pub(super) recorded: BTreeMap<String, String>,
    /// Trace of the rules that ran, if tracing is on.
    pub(super) trace: Option<RuleTrace>,
    pub(super) choices: usize,
    pub(super) checks: usize,
}

/// Converts a diagnostic about an agent into an error that marks `statement`.
fn agent_error(statement: &PlayStatement, found: Diagnostic) -> Box<Diagnostic> {
    with_help(fail(statement, found.code, found.message, "who plays?"), found.help)
}

/// Placeholder for a player who cannot be asked, such as a person.
struct Absent(&'static str);

impl Player for Absent {
    fn choose(&mut self, observation: &Observation<'_>) -> Result<usize, NoAnswer> {
        let who = observation.name(observation.seat());
        let decision = &observation.model().decisions[observation.decision().id.index()].id;
        let message = format!("{who} is {}, who cannot be asked `{decision}` in a playscript", self.0);
        let found = Diagnostic::error("no-answer", message);
        Err(Box::new(found.help("write the choice down, or let an agent play: `auto until … with random`")).into())
    }
}

impl<'a> Runner<'a> {
    /// Creates a runner that has not run any statement yet. If `watched` is set, the rules are traced.
    pub(super) fn new(cast: &'a Cast<'a>, watched: bool) -> Self {
        Self {
            cast,
            setup: Setup::seats(0),
            game: None,
            agents: Vec::new(),
            head: Vec::new(),
            start: None,
            arrange: Vec::new(),
            fixes: Vec::new(),
            session: None,
            is_reached_by_play: true,
            seen: 0,
            rejections: Vec::new(),
            mistakes: Vec::new(),
            words: OptionWords::new(),
            forced: 0,
            recorded: BTreeMap::new(),
            trace: watched.then(RuleTrace::default),
            choices: 0,
            checks: 0,
        }
    }

    /// Runs all statements of a scene, then checks that all predetermined results of chance were used and that the
    /// invariants hold.
    pub(super) fn scene(&mut self, statements: &[&PlayStatement]) -> CheckResult {
        let result = self.statements(statements).map_err(|found| self.with_unused_chance(found));
        self.update_trace();
        result
    }

    fn statements(&mut self, statements: &[&PlayStatement]) -> CheckResult {
        for (at, statement) in statements.iter().enumerate() {
            self.statement(statement, &statements[at..])?;
        }
        let Some(last) = statements.last() else { return Ok(()) };
        if self.session.is_none() {
            self.open(last, &[])?;
        }
        self.check_all_chance_used()?;
        self.check_not_failed()?;
        self.check_invariants(last)
    }

    /// Runs one statement. `from_here` contains the statements of the scene from this one on.
    pub(super) fn statement(&mut self, statement: &PlayStatement, from_here: &[&PlayStatement]) -> CheckResult {
        if self.session.is_some() && statement.what.is_head() {
            let found =
                fail(statement, "play-order", "this must come before the first choice", "play has begun already");
            return Err(with_help(found, Some("move it up to the head of the scene".to_owned())));
        }
        if statement.what.is_head() {
            self.head.push(statement.clone());
        }
        match &statement.what {
            StatementKind::Game(name) => self.take_game(statement, name)?,
            StatementKind::Players(names) => self.seat(statement, names)?,
            StatementKind::Seed(seed) => self.setup.seed = *seed,
            StatementKind::Option(name, value) => self.setup.options.push((name.clone(), value.clone())),
            StatementKind::Set(path, value) => self.setup.sets.push((path.clone(), value.clone())),
            StatementKind::Agents(names) => self.agents.clone_from(names),
            StatementKind::Start { .. } => {
                self.start = Some(statement.clone());
                self.is_reached_by_play = false;
            }
            StatementKind::Arrange(code) => self.arrange(statement, code)?,
            StatementKind::Roll(..)
            | StatementKind::NextShuffle(..)
            | StatementKind::NextDraw(..)
            | StatementKind::NextFirst(_) => self.fix(statement)?,
            StatementKind::Note(_) => {}
            what => {
                if self.session.is_none() {
                    self.open(statement, from_here)?;
                }
                self.play(statement, what, from_here)?;
            }
        }
        Ok(())
    }

    fn take_game(&mut self, statement: &PlayStatement, name: &str) -> CheckResult {
        let game = (self.cast.game)(name).map_err(|found| {
            let found = first_diagnostic(found);
            match &statement.place {
                Some(place) if found.marks.is_empty() => Box::new(found.mark(place.clone(), "not found")),
                _ => found,
            }
        })?;
        self.game = Some(if self.trace.is_some() { game.watched() } else { game });
        Ok(())
    }

    fn seat(&mut self, statement: &PlayStatement, names: &[String]) -> CheckResult {
        if let Some(twice) = names.iter().enumerate().find_map(|(at, name)| names[..at].contains(name).then_some(name))
        {
            let message = format!("two players are called `{twice}`");
            return Err(fail(statement, "same-name", message, "each player needs a different name"));
        }
        self.setup.seats = u8::try_from(names.len()).unwrap_or(u8::MAX);
        self.setup.names = names.to_vec();
        Ok(())
    }

    fn arrange(&mut self, statement: &PlayStatement, code: &str) -> CheckResult {
        let source = source_of(statement, code);
        self.is_reached_by_play = false;
        if self.session.is_none() {
            self.arrange.push((statement.clone(), source));
            return Ok(());
        }
        self.check_code(statement, code)?;
        let session = self.session.as_mut().expect("play has begun");
        let result =
            session.arrange(std::slice::from_ref(&source)).map_err(|found| place_in_play(statement, *found, &source));
        self.seen = session.events().len();
        result
    }

    pub(super) fn session(&self) -> &Session {
        self.session.as_ref().expect("play has begun")
    }

    /// Fails if the rules have failed.
    pub(super) fn check_not_failed(&self) -> CheckResult {
        match self.session().status() {
            Status::Failed(diagnostic) => Err(Box::new(diagnostic.clone())),
            _ => Ok(()),
        }
    }

    /// Checks the invariants of the rules, if the position was reached by play alone and the flow has come to a decision or the end.
    fn check_invariants(&mut self, last: &PlayStatement) -> CheckResult {
        let is_reached_by_play = self.is_reached_by_play;
        let Some(session) =
            self.session.as_mut().filter(|session| is_reached_by_play && session.is_in_flow() && !session.is_resting())
        else {
            return Ok(());
        };
        let result = session.check_invariants();
        result.map_err(|found| match &last.place {
            Some(place) => Box::new(found.mark(place.clone(), "after this")),
            None => found,
        })
    }

    /// Continues to the next decision if play rests at a phase or round and the statement is about a decision or the end of the game. Fails
    /// if the rules have failed.
    fn leave_rest(&mut self, what: &StatementKind) -> CheckResult {
        let is_about_question = matches!(
            what,
            StatementKind::Choice { .. }
                | StatementKind::Forced { .. }
                | StatementKind::Reject { .. }
                | StatementKind::Allows { .. }
                | StatementKind::Offers { .. }
                | StatementKind::Redeal { .. }
                | StatementKind::End { .. }
        );
        let session = self.session.as_mut().expect("play has begun");
        if is_about_question && session.is_resting() {
            session.rest_at(None);
            session.resume_from_rest();
        }
        self.check_not_failed()
    }

    fn play(&mut self, statement: &PlayStatement, what: &StatementKind, from_here: &[&PlayStatement]) -> CheckResult {
        self.leave_rest(what)?;
        match what {
            StatementKind::Choice { seat, decision, answer, mark } => {
                self.choose(statement, seat, decision, answer)?;
                self.check_mark(statement, *mark, &from_here[1..])
            }
            StatementKind::Forced { seat, decision, answer } => self.check_forced(statement, seat, decision, answer),
            StatementKind::Reject { seat, decision, answer } => self.reject(statement, seat, decision, answer),
            StatementKind::Allows { seat, decision, answer } => self.allows(statement, seat, decision, answer),
            StatementKind::Offers { seat, decision, count } => self.offers(statement, seat, decision, *count),
            StatementKind::Expect(expect) => {
                self.checks += 1;
                self.expect(statement, expect)
            }
            StatementKind::Do(code) => self.carry_out(statement, code),
            StatementKind::Auto(until, agent) => self.run_auto(statement, until, agent.as_deref()),
            StatementKind::Table { rows, mark } => {
                self.recorded.extend(rows.iter().cloned());
                let mark = mark.or_else(|| mark_ahead(&from_here[1..]));
                self.check_mark(statement, mark, &from_here[1..])?;
                self.check_rows(statement, rows)
            }
            StatementKind::Redeal { seed, by, consent, mark } => {
                self.redeal(statement, *seed, *consent, by.as_deref())?;
                self.check_mark(statement, *mark, &from_here[1..])
            }
            StatementKind::End { ending, scores, mark } => self.end(statement, ending.as_deref(), scores, *mark),
            // These statements are handled by `statement`.
            StatementKind::Game(_)
            | StatementKind::Players(_)
            | StatementKind::Seed(_)
            | StatementKind::Option(..)
            | StatementKind::Set(..)
            | StatementKind::Agents(_)
            | StatementKind::Start { .. }
            | StatementKind::Arrange(_)
            | StatementKind::Roll(..)
            | StatementKind::NextShuffle(..)
            | StatementKind::NextDraw(..)
            | StatementKind::NextFirst(_)
            | StatementKind::Note(_) => Ok(()),
        }
    }

    // ----- play

    fn carry_out(&mut self, statement: &PlayStatement, code: &str) -> CheckResult {
        let source = source_of(statement, code);
        self.update_trace();
        let session = self.session.as_mut().expect("play has begun");
        self.seen = session.events().len();
        if matches!(session.status(), Status::Waiting(_)) {
            let found = fail(statement, "play-order", "a decision is open", "nothing can run meanwhile");
            let help = "answer the decision first; only `arrange { … }` can change the table at an open decision";
            return Err(with_help(found, Some(help.to_owned())));
        }
        if session.outcome().is_some() {
            let found = fail(statement, "play-order", "the game is over", "nothing can run any more");
            let help = "stop before its end: `auto until round 2`";
            return Err(with_help(found, Some(help.to_owned())));
        }
        self.check_code(statement, code)?;
        let session = self.session.as_mut().expect("play has begun");
        session.carry_out(&source);
        self.check_not_failed().map_err(|found| place_in_play(statement, *found, &source))
    }

    fn redeal(&mut self, statement: &PlayStatement, seed: u64, consent: Consent, by: Option<&str>) -> CheckResult {
        let by = by.map(|name| find_seat(statement, name, self.session().model(), &self.setup)).transpose()?;
        self.update_trace();
        let session = self.session.as_mut().expect("play has begun");
        self.seen = session.events().len();
        session.redeal(&Redeal { seed, by, consent });
        Ok(())
    }

    /// Creates the agents of all seats: `agent` if it is given, otherwise the agents that the playscript names, otherwise random ones.
    pub(super) fn players(
        &self,
        statement: &PlayStatement,
        agent: Option<&str>,
    ) -> Result<Vec<Box<dyn Player>>, Box<Diagnostic>> {
        let name = |seat: usize| match (agent, self.agents.as_slice()) {
            (Some(agent), _) => agent.to_owned(),
            (None, []) => "random".to_owned(),
            (None, [one]) => one.clone(),
            (None, several) => several.get(seat).cloned().unwrap_or_else(|| "random".to_owned()),
        };
        let own = self.session().model().agents.clone();
        let player = |seat: usize| self.agent(statement, &own, &name(seat), seat);
        (0..self.setup.seats as usize).map(player).collect()
    }

    /// Creates the agent called `name`. A person or an agent without a name is replaced with a placeholder that fails when asked. Fails if
    /// an `auto` statement names such a player, or if the agent does not exist.
    pub(super) fn agent(
        &self,
        statement: &PlayStatement,
        own: &[Arc<Source>],
        name: &str,
        seat: usize,
    ) -> Result<Box<dyn Player>, Box<Diagnostic>> {
        let absent = match name {
            PERSON => "a person",
            OTHER => "an agent that is not named here",
            _ => {
                let found = (self.cast.agent)(own, name, self.setup.seed, seat);
                return found.map_err(|found| agent_error(statement, *found));
            }
        };
        if matches!(statement.what, StatementKind::Auto(_, Some(_))) {
            let found = Diagnostic::error("unknown-agent", format!("{absent} cannot be asked in a playscript"));
            return Err(agent_error(statement, found.help("name an agent, such as `random`")));
        }
        Ok(Box::new(Absent(absent)))
    }

    fn run_auto(&mut self, statement: &PlayStatement, until: &PlayUntil, agent: Option<&str>) -> CheckResult {
        let rest = rest_at(statement, until, self.session().model())?;
        let mut players = self.players(statement, agent)?;
        self.update_trace();
        let session = self.session.as_mut().expect("play has begun");
        self.seen = session.events().len();
        let first_event = session.events().len();
        session.rest_at(rest);
        if session.is_resting() && !is_within(session, until) {
            session.resume_from_rest();
        }
        let mut answer_count = 0;
        while let (Status::Waiting(open), Some(observation)) = (session.status(), session.observation()) {
            if has_reached(session, open, until) {
                session.rest_at(None);
                return Ok(());
            }
            answer_count += 1;
            if answer_count > MAX_DECISIONS {
                return Err(place_in_play(statement, without_end(), &source_of(statement, "auto")));
            }
            let at = players[open.seat.index()].choose(&observation).map_err(|why| no_answer(statement, why))?;
            let seen = session.events().len();
            session.choose(at).map_err(|error| fail(statement, "not-offered", error.to_string(), "refused"))?;
            self.forced = index_after_answer(session, seen);
            self.choices += 1;
        }
        self.check_not_failed()?;
        let session = self.session();
        if *until == PlayUntil::End
            || session.is_resting()
            || has_begun(session.events().since(first_event), until, session.model())
        {
            return Ok(());
        }
        Err(fail(statement, "never-came", format!("the game ended before {until}"), "never came"))
    }

    fn end(
        &mut self,
        statement: &PlayStatement,
        ending: Option<&str>,
        scores: &[(String, i64)],
        mark: Option<u64>,
    ) -> CheckResult {
        if let Status::Waiting(open) = self.session().status() {
            let decision = &self.session().model().decisions[open.id.index()].id;
            let message = format!("the game is not over: {} is asked `{decision}`", self.setup.name(open.seat));
            return Err(fail(statement, "not-over", message, "ends here according to the playscript"));
        }
        if let Some(ending) = ending {
            self.checks += 1;
            self.expect(statement, &Expect::Ending(ending.to_owned()))?;
        }
        for (name, score) in scores {
            self.checks += 1;
            self.expect(statement, &Expect::Score(name.clone(), *score))?;
        }
        self.check_mark(statement, mark, &[])
    }

    // ----- context of failures

    pub(super) fn wording(&self) -> Wording {
        Wording::new(self.session().model().clone(), self.setup.clone(), Language::English)
    }

    /// Adds the table to a diagnostic, as `seat` knows it. If `seat` is `None`, adds the whole table.
    pub(super) fn with_table(&self, found: Box<Diagnostic>, seat: Option<Seat>) -> Box<Diagnostic> {
        let heading = seat.map_or_else(
            || "the whole table".to_owned(),
            |seat| format!("the table as {} knows it", self.setup.name(seat)),
        );
        with_detail(found, heading, table_lines(&self.session().listing(seat)))
    }
}

/// Returns the first fingerprint among the `table` statements at the start of `statements`.
fn mark_ahead(statements: &[&PlayStatement]) -> Option<u64> {
    let tables = statements.iter().map_while(|statement| match &statement.what {
        StatementKind::Table { mark, .. } => Some(*mark),
        _ => None,
    });
    tables.flatten().next()
}

fn has_reached(session: &Session, open: &Decision, until: &PlayUntil) -> bool {
    match until {
        PlayUntil::Decision(decision) => *session.model().decisions[open.id.index()].id == **decision,
        until => is_within(session, until),
    }
}

/// Returns whether play is in the phase, or has reached the round, that `until` names.
fn is_within(session: &Session, until: &PlayUntil) -> bool {
    let (model, position) = (session.model(), &session.table().position);
    match until {
        PlayUntil::Phase(phase) => position.phase.is_some_and(|id| *model.phases[id.index()].id == **phase),
        PlayUntil::Round(round) => position.round >= *round as i64,
        PlayUntil::Decision(_) | PlayUntil::End => false,
    }
}

/// Returns whether one of the events begins the phase that `until` names, or a round with at least the number that `until` names. The game
/// may end in such a phase or round without a decision.
fn has_begun<'e>(mut events: impl Iterator<Item = &'e Event>, until: &PlayUntil, model: &Model) -> bool {
    events.any(|event| match (&event.kind, until) {
        (EventKind::Phase(id), PlayUntil::Phase(phase)) => *model.phases[id.index()].id == **phase,
        (EventKind::Round(is), PlayUntil::Round(round)) => *is >= *round as i64,
        _ => false,
    })
}

/// Returns the phase or round at whose end play must rest, so that `auto` can stop there even without a decision. Returns `None` if `until`
/// is a decision or the end of the game. Fails if `until` names an unknown phase or decision.
pub(super) fn rest_at(
    statement: &PlayStatement,
    until: &PlayUntil,
    model: &Model,
) -> Result<Option<Rest>, Box<Diagnostic>> {
    match until {
        PlayUntil::Phase(phase) => find_phase(statement, phase, model).map(|phase| Some(Rest::Phase(phase))),
        PlayUntil::Round(round) => Ok(Some(Rest::Round(*round as i64))),
        PlayUntil::Decision(decision) => find_decision(statement, decision, model).map(|_| None),
        PlayUntil::End => Ok(None),
    }
}
