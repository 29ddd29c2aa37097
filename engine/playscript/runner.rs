//! One scene on its session, statement by statement.

use super::answering::behind_answer;
use super::cast::Cast;
use super::failing::{
    Checked, decision_named, fail, first_of, phase_named, placed_in, seat_named, source_of, unanswered, with_detail,
    with_help,
};
use super::held::Held;
use super::play::{Expect, OTHER, PERSON, PlayStatement, Until, What};
use super::watch::Watch;
use super::words::OptionWords;
use crate::diagnostic::{Diagnostic, Source};
use crate::model::{Language, Model, Seat};
use crate::session::{
    Consent, Decision, Event, EventKind, Game, MOST_DECISIONS, NoAnswer, Observation, Player, Redeal, Rest, Session,
    Setup, Status, without_end,
};
use crate::wording::{Wording, table_lines};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A scene being run.
pub(super) struct Runner<'a> {
    pub(super) cast: &'a Cast<'a>,
    pub(super) setup: Setup,
    pub(super) game: Option<Game>,
    pub(super) agents: Vec<String>,
    /// What was chosen before play.
    pub(super) head: Vec<PlayStatement>,
    /// The statement that says where it begins.
    pub(super) start: Option<PlayStatement>,
    /// What changes the position before play, in order, each with its text.
    pub(super) arrange: Vec<(PlayStatement, Arc<Source>)>,
    /// What fixes chance, in order: before play begins only noted, afterwards also at work.
    pub(super) fixes: Vec<PlayStatement>,
    pub(super) session: Option<Session>,
    /// Whether the position came about by play alone.
    by_play: bool,
    /// How many events were there at the last choice.
    pub(super) seen: usize,
    /// What was rejected and why that held.
    pub(super) held: Vec<Held>,
    /// What is wrong with the texts of expectations, as far as that can be told before they are evaluated.
    pub(super) mistakes: Vec<(Arc<Source>, Diagnostic)>,
    /// What options of the game may be written with.
    pub(super) words: OptionWords,
    /// Where forced choices that a line may name begin.
    pub(super) forced: usize,
    /// The table as the recording has it.
    pub(super) recorded: BTreeMap<String, String>,
    /// What ran of the rules, if they are watched.
    pub(super) watch: Option<Watch>,
    pub(super) choices: usize,
    pub(super) checks: usize,
}

/// What is wrong with the name of an agent, told at the statement that seats it.
fn unseated(statement: &PlayStatement, found: Diagnostic) -> Box<Diagnostic> {
    with_help(fail(statement, found.code, found.message, "who plays?"), found.help)
}

/// Sits where a person does, and has no answer.
struct Absent(&'static str);

impl Player for Absent {
    fn choose(&mut self, observation: &Observation<'_>) -> Result<usize, NoAnswer> {
        let who = observation.name(observation.seat());
        let asked = &observation.model().decisions[observation.decision().id.index()].id;
        let message = format!("{who} is {}, who cannot be asked `{asked}` in a play", self.0);
        let found = Diagnostic::error("no-answer", message);
        Err(Box::new(found.help("write the choice down, or let an agent play: `auto until … with random`")).into())
    }
}

impl<'a> Runner<'a> {
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
            by_play: true,
            seen: 0,
            held: Vec::new(),
            mistakes: Vec::new(),
            words: OptionWords::new(),
            forced: 0,
            recorded: BTreeMap::new(),
            watch: watched.then(Watch::default),
            choices: 0,
            checks: 0,
        }
    }

    pub(super) fn scene(&mut self, statements: &[&PlayStatement]) -> Checked {
        let result = self.statements(statements).map_err(|found| self.with_unused_chance(found));
        self.look();
        result
    }

    fn statements(&mut self, statements: &[&PlayStatement]) -> Checked {
        for (at, statement) in statements.iter().enumerate() {
            self.statement(statement, &statements[at..])?;
        }
        let Some(last) = statements.last() else { return Ok(()) };
        if self.session.is_none() {
            self.open(last, &[])?;
        }
        self.nothing_fixed_is_left()?;
        self.not_failed()?;
        self.invariants_hold(last)
    }

    pub(super) fn statement(&mut self, statement: &PlayStatement, from_here: &[&PlayStatement]) -> Checked {
        if self.session.is_some() && statement.what.is_head() {
            let found = fail(statement, "play-order", "this belongs before the first choice", "play has begun already");
            return Err(with_help(found, Some("move it up to the head of the scene".to_owned())));
        }
        if statement.what.is_head() {
            self.head.push(statement.clone());
        }
        match &statement.what {
            What::Game(name) => self.take_game(statement, name)?,
            What::Players(names) => self.seat(statement, names)?,
            What::Seed(seed) => self.setup.seed = *seed,
            What::Option(name, value) => self.setup.options.push((name.clone(), value.clone())),
            What::Set(path, value) => self.setup.sets.push((path.clone(), value.clone())),
            What::Agents(names) => self.agents.clone_from(names),
            What::Start { .. } => {
                self.start = Some(statement.clone());
                self.by_play = false;
            }
            What::Arrange(code) => self.arrange(statement, code)?,
            What::Roll(..) | What::NextShuffle(..) | What::NextDraw(..) | What::NextFirst(_) => self.fix(statement)?,
            What::Note(_) => {}
            what => {
                if self.session.is_none() {
                    self.open(statement, from_here)?;
                }
                self.play(statement, what, from_here)?;
            }
        }
        Ok(())
    }

    fn take_game(&mut self, statement: &PlayStatement, name: &str) -> Checked {
        let game = (self.cast.game)(name).map_err(|found| {
            let found = first_of(found);
            match &statement.place {
                Some(place) if found.marks.is_empty() => Box::new(found.mark(place.clone(), "not found")),
                _ => found,
            }
        })?;
        self.game = Some(if self.watch.is_some() { game.watched() } else { game });
        Ok(())
    }

    fn seat(&mut self, statement: &PlayStatement, names: &[String]) -> Checked {
        if let Some(twice) = names.iter().enumerate().find_map(|(at, name)| names[..at].contains(name).then_some(name))
        {
            let message = format!("two players are called `{twice}`");
            return Err(fail(statement, "same-name", message, "each needs a name of his own"));
        }
        self.setup.seats = u8::try_from(names.len()).unwrap_or(u8::MAX);
        self.setup.names = names.to_vec();
        Ok(())
    }

    fn arrange(&mut self, statement: &PlayStatement, code: &str) -> Checked {
        let source = source_of(statement, code);
        self.by_play = false;
        if self.session.is_none() {
            self.arrange.push((statement.clone(), source));
            return Ok(());
        }
        self.mistake_in(statement, code)?;
        let session = self.session.as_mut().expect("play has begun");
        let result =
            session.arrange(std::slice::from_ref(&source)).map_err(|found| placed_in(statement, *found, &source));
        self.seen = session.events().len();
        result
    }

    pub(super) fn session(&self) -> &Session {
        self.session.as_ref().expect("play has begun")
    }

    pub(super) fn not_failed(&self) -> Checked {
        match self.session().status() {
            Status::Failed(diagnostic) => Err(Box::new(diagnostic.clone())),
            _ => Ok(()),
        }
    }

    /// Where a position came about by play alone, what the rules say must always hold does: at a decision, and at the end.
    fn invariants_hold(&mut self, last: &PlayStatement) -> Checked {
        let by_play = self.by_play;
        let Some(session) =
            self.session.as_mut().filter(|session| by_play && session.is_in_flow() && !session.is_resting())
        else {
            return Ok(());
        };
        let result = session.check_invariants();
        result.map_err(|found| match &last.place {
            Some(place) => Box::new(found.mark(place.clone(), "after this")),
            None => found,
        })
    }

    /// What is about a decision goes on to the next one, where play rests.
    fn leave_rest(&mut self, what: &What) -> Checked {
        let is_about_question = matches!(
            what,
            What::Choice { .. }
                | What::Forced { .. }
                | What::Reject { .. }
                | What::Allows { .. }
                | What::Offers { .. }
                | What::Redeal { .. }
                | What::End { .. }
        );
        let session = self.session.as_mut().expect("play has begun");
        if is_about_question && session.is_resting() {
            session.rest_at(None);
            session.go_on_from_rest();
        }
        self.not_failed()
    }

    fn play(&mut self, statement: &PlayStatement, what: &What, from_here: &[&PlayStatement]) -> Checked {
        self.leave_rest(what)?;
        match what {
            What::Choice { seat, decision, answer, mark } => {
                self.choose(statement, seat, decision, answer)?;
                self.check_mark(statement, *mark, &from_here[1..])
            }
            What::Forced { seat, decision, answer } => self.forced(statement, seat, decision, answer),
            What::Reject { seat, decision, answer } => self.reject(statement, seat, decision, answer),
            What::Allows { seat, decision, answer } => self.allows(statement, seat, decision, answer),
            What::Offers { seat, decision, count } => self.offers(statement, seat, decision, *count),
            What::Expect(expect) => {
                self.checks += 1;
                self.expect(statement, expect)
            }
            What::Do(code) => self.carry_out(statement, code),
            What::Auto(until, agent) => self.auto(statement, until, agent.as_deref()),
            What::Table { rows, mark } => {
                self.recorded.extend(rows.iter().cloned());
                let mark = mark.or_else(|| mark_ahead(&from_here[1..]));
                self.check_mark(statement, mark, &from_here[1..])?;
                self.check_rows(statement, rows)
            }
            What::Redeal { seed, by, consent, mark } => {
                self.redeal(statement, (*seed, *consent), by.as_deref())?;
                self.check_mark(statement, *mark, &from_here[1..])
            }
            What::End { ending, scores, mark } => self.end(statement, ending.as_deref(), scores, *mark),
            // What says where play begins, and what chance does, has been taken up before.
            What::Game(_)
            | What::Players(_)
            | What::Seed(_)
            | What::Option(..)
            | What::Set(..)
            | What::Agents(_)
            | What::Start { .. }
            | What::Arrange(_)
            | What::Roll(..)
            | What::NextShuffle(..)
            | What::NextDraw(..)
            | What::NextFirst(_)
            | What::Note(_) => Ok(()),
        }
    }

    // ----- what does the playing

    fn carry_out(&mut self, statement: &PlayStatement, code: &str) -> Checked {
        let source = source_of(statement, code);
        self.look();
        let session = self.session.as_mut().expect("play has begun");
        self.seen = session.events().len();
        if matches!(session.status(), Status::Waiting(_)) {
            let found = fail(statement, "play-order", "a decision is open", "nothing can be carried out meanwhile");
            let help = "answer the decision first; what `arrange { … }` changes, it changes at the open decision";
            return Err(with_help(found, Some(help.to_owned())));
        }
        if session.outcome().is_some() {
            let found = fail(statement, "play-order", "the game is over", "nothing can be carried out any more");
            let help = "stop before its end: `auto until round 2`";
            return Err(with_help(found, Some(help.to_owned())));
        }
        self.mistake_in(statement, code)?;
        let session = self.session.as_mut().expect("play has begun");
        session.carry_out(&source);
        self.not_failed().map_err(|found| placed_in(statement, *found, &source))
    }

    fn redeal(&mut self, statement: &PlayStatement, (seed, consent): (u64, Consent), by: Option<&str>) -> Checked {
        let by = by.map(|name| seat_named(statement, name, self.session().model(), &self.setup)).transpose()?;
        self.look();
        let session = self.session.as_mut().expect("play has begun");
        self.seen = session.events().len();
        session.redeal(&Redeal { seed, by, consent });
        Ok(())
    }

    /// The agents of all seats.
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

    /// The agent that a statement names. Who is not in a play may be seated, but cannot be asked.
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
                return found.map_err(|found| unseated(statement, *found));
            }
        };
        if matches!(statement.what, What::Auto(_, Some(_))) {
            let found = Diagnostic::error("unknown-agent", format!("{absent} cannot be asked in a play"));
            return Err(unseated(statement, found.help("name an agent, such as `random`")));
        }
        Ok(Box::new(Absent(absent)))
    }

    fn auto(&mut self, statement: &PlayStatement, until: &Until, agent: Option<&str>) -> Checked {
        let rest = rest_at(statement, until, self.session().model())?;
        let mut players = self.players(statement, agent)?;
        self.look();
        let session = self.session.as_mut().expect("play has begun");
        self.seen = session.events().len();
        let begun = session.events().len();
        session.rest_at(rest);
        if session.is_resting() && !is_within(session, until) {
            session.go_on_from_rest();
        }
        let mut asked = 0;
        while let (Status::Waiting(open), Some(observation)) = (session.status(), session.observation()) {
            if reached(session, open, until) {
                session.rest_at(None);
                return Ok(());
            }
            asked += 1;
            if asked > MOST_DECISIONS {
                return Err(placed_in(statement, without_end(), &source_of(statement, "auto")));
            }
            let at = players[open.seat.index()].choose(&observation).map_err(|why| unanswered(statement, why))?;
            let seen = session.events().len();
            session.choose(at).map_err(|error| fail(statement, "not-offered", error.to_string(), "refused"))?;
            self.forced = behind_answer(session, seen);
            self.choices += 1;
        }
        self.not_failed()?;
        let session = self.session();
        if *until == Until::End
            || session.is_resting()
            || has_begun(session.events().since(begun), until, session.model())
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
    ) -> Checked {
        if let Status::Waiting(open) = self.session().status() {
            let decision = &self.session().model().decisions[open.id.index()].id;
            let message = format!("the game is not over: {} is asked `{decision}`", self.setup.name(open.seat));
            return Err(fail(statement, "not-over", message, "says it ends here"));
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

    // ----- what a failure shows

    pub(super) fn wording(&self) -> Wording {
        Wording::new(self.session().model().clone(), self.setup.clone(), Language::English)
    }

    /// Adds the table as a seat knows it; without a seat, all of it.
    pub(super) fn with_table(&self, found: Box<Diagnostic>, seat: Option<Seat>) -> Box<Diagnostic> {
        let heading = seat.map_or_else(
            || "the whole table".to_owned(),
            |seat| format!("the table as {} knows it", self.setup.name(seat)),
        );
        with_detail(found, heading, table_lines(&self.session().listing(seat)))
    }
}

/// The fingerprint at the end of the table statements that come first.
fn mark_ahead(statements: &[&PlayStatement]) -> Option<u64> {
    let tables = statements.iter().map_while(|statement| match &statement.what {
        What::Table { mark, .. } => Some(*mark),
        _ => None,
    });
    tables.flatten().next()
}

fn reached(session: &Session, open: &Decision, until: &Until) -> bool {
    match until {
        Until::Decision(decision) => *session.model().decisions[open.id.index()].id == **decision,
        until => is_within(session, until),
    }
}

/// Whether play is in the phase or the round that is meant.
fn is_within(session: &Session, until: &Until) -> bool {
    let (model, position) = (session.model(), &session.table().position);
    match until {
        Until::Phase(phase) => position.phase.is_some_and(|id| *model.phases[id.index()].id == **phase),
        Until::Round(round) => position.round >= *round as i64,
        Until::Decision(_) | Until::End => false,
    }
}

/// Whether what is meant has begun, and so ended the game if it is over.
fn has_begun<'e>(mut events: impl Iterator<Item = &'e Event>, until: &Until, model: &Model) -> bool {
    events.any(|event| match (&event.what, until) {
        (EventKind::Phase(id), Until::Phase(phase)) => *model.phases[id.index()].id == **phase,
        (EventKind::Round(is), Until::Round(round)) => *is >= *round as i64,
        _ => false,
    })
}

/// Where play rests that agents play up to something: a phase or a round that asks nothing. What is named must be there.
pub(super) fn rest_at(
    statement: &PlayStatement,
    until: &Until,
    model: &Model,
) -> Result<Option<Rest>, Box<Diagnostic>> {
    match until {
        Until::Phase(phase) => phase_named(statement, phase, model).map(|phase| Some(Rest::Phase(phase))),
        Until::Round(round) => Ok(Some(Rest::Round(*round as i64))),
        Until::Decision(decision) => decision_named(statement, decision, model).map(|_| None),
        Until::End => Ok(None),
    }
}
