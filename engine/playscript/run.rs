//! Running a playscript on a session, statement by statement.

use super::matching::{self, Match};
use super::play::{Expect, Play, Statement, Until, What};
use crate::diagnostic::{Diagnostic, Diagnostics, Place, Source, did_you_mean};
use crate::model::{Language, Model, PieceId, Seat, SpaceId};
use crate::session::{
    Choice, Decision, Game, Happening, Opening, Pass, Player, Session, Setup, Start, Status, Suspension, Wording,
};
use crate::table::{Fixed, View};
use std::sync::Arc;

/// How one scene came out.
#[derive(Debug, Clone)]
pub struct Report {
    /// The scene's name; nothing for a play without scenes.
    pub scene: Option<String>,
    /// The first thing that did not hold, if anything.
    pub failure: Option<Box<Diagnostic>>,
    /// How many choices were made.
    pub choices: usize,
    /// How many expectations were checked.
    pub checks: usize,
}

/// Where games and agents come from.
pub struct Cast<'a> {
    /// The game with a name.
    pub game: &'a dyn Fn(&str) -> Result<Game, Diagnostics>,
    /// The agent with a name, for a seed and a seat.
    pub agent: &'a dyn Fn(&str, u64, usize) -> Option<Box<dyn Player>>,
}

type Checked = Result<(), Box<Diagnostic>>;

/// Runs every scene of a play.
pub fn run(play: &Play, cast: &Cast<'_>) -> Vec<Report> {
    let alone = super::play::Scene { name: String::new(), statements: Vec::new() };
    let scenes = if play.scenes.is_empty() { std::slice::from_ref(&alone) } else { &play.scenes };
    scenes
        .iter()
        .map(|scene| {
            let statements: Vec<&Statement> = play.head.iter().chain(&scene.statements).collect();
            let mut runner = Runner::new(cast);
            let failure = runner.scene(&statements).err();
            Report {
                scene: (!play.scenes.is_empty()).then(|| scene.name.clone()),
                failure,
                choices: runner.choices,
                checks: runner.checks,
            }
        })
        .collect()
}

struct Runner<'a> {
    cast: &'a Cast<'a>,
    setup: Setup,
    game: Option<Game>,
    agents: Vec<String>,
    start: Option<(String, u64, Option<String>, Option<Place>)>,
    arrange: Option<Arc<Source>>,
    /// Fixed chance as written, until a session can tell what it means.
    to_fix: Vec<Statement>,
    session: Option<Session>,
    /// How many events were there at the last choice.
    seen: usize,
    /// Where forced choices that a line may name begin.
    forced: usize,
    choices: usize,
    checks: usize,
}

fn fail(
    statement: &Statement,
    code: &'static str,
    message: impl Into<String>,
    note: impl Into<String>,
) -> Box<Diagnostic> {
    let diagnostic = Diagnostic::error(code, message);
    Box::new(match &statement.place {
        Some(place) => diagnostic.mark(place.clone(), note),
        None => diagnostic,
    })
}

impl<'a> Runner<'a> {
    fn new(cast: &'a Cast<'a>) -> Self {
        Self {
            cast,
            setup: Setup::seats(0),
            game: None,
            agents: Vec::new(),
            start: None,
            arrange: None,
            to_fix: Vec::new(),
            session: None,
            seen: 0,
            forced: 0,
            choices: 0,
            checks: 0,
        }
    }

    fn scene(&mut self, statements: &[&Statement]) -> Checked {
        for (at, statement) in statements.iter().enumerate() {
            self.statement(statement, &statements[at..])?;
        }
        if let Some(last) = statements.last() {
            if self.session.is_none() && self.game.is_some() {
                self.open(last, &[])?;
            }
            self.nothing_fixed_is_left(last)?;
            if let Some(session) = &self.session
                && let Status::Failed(diagnostic) = session.status()
            {
                return Err(diagnostic.clone());
            }
        }
        Ok(())
    }

    fn statement(&mut self, statement: &Statement, from_here: &[&Statement]) -> Checked {
        if self.session.is_some() && is_head(&statement.what) {
            return Err(fail(
                statement,
                "play-order",
                "this belongs before the first choice",
                "play has begun already",
            ));
        }
        match &statement.what {
            What::Game(name) => self.take_game(statement, name)?,
            What::Players(names) => {
                self.setup.names.clone_from(names);
                self.setup.seats = names.len() as u8;
            }
            What::Seed(seed) => self.setup.seed = *seed,
            What::Option(name, value) => self.setup.options.push((name.clone(), value.clone())),
            What::Set(path, value) => self.setup.sets.push((path.clone(), value.clone())),
            What::Agents(names) => self.agents.clone_from(names),
            What::Start { phase, round, seat } => {
                self.start = Some((phase.clone(), round.unwrap_or(1), seat.clone(), statement.place.clone()));
            }
            What::Arrange(code) => self.arrange(statement, code)?,
            What::Roll(..) | What::NextShuffle(..) | What::NextDraw(..) | What::NextFirst(_) => {
                match &mut self.session {
                    Some(_) => self.fix(statement)?,
                    None => self.to_fix.push(statement.clone()),
                }
            }
            What::Note(_) => {}
            other => {
                if self.session.is_none() {
                    self.open(statement, from_here)?;
                }
                self.play(statement, other)?;
            }
        }
        Ok(())
    }

    fn take_game(&mut self, statement: &Statement, name: &str) -> Checked {
        match (self.cast.game)(name) {
            Ok(game) => {
                self.game = Some(game);
                Ok(())
            }
            Err(found) => Err(found.0.into_iter().next().map_or_else(
                || fail(statement, "unknown-game", format!("there is no game `{name}`"), "not found"),
                Box::new,
            )),
        }
    }

    fn arrange(&mut self, statement: &Statement, code: &str) -> Checked {
        let source = source_of(statement, code);
        match &mut self.session {
            None if self.arrange.is_some() => {
                Err(fail(statement, "play-order", "the position is arranged twice", "a second `arrange` before play"))
            }
            None => {
                self.arrange = Some(source);
                Ok(())
            }
            Some(session) => {
                let result = session.arrange(&source).map_err(|found| placed_in(statement, *found, &source));
                self.seen = session.events().len();
                result
            }
        }
    }

    /// Begins the session, now that the head of the scene is known.
    fn open(&mut self, statement: &Statement, from_here: &[&Statement]) -> Checked {
        let Some(game) = self.game.clone() else {
            return Err(fail(statement, "play-order", "no game is named", "which game?"));
        };
        if self.setup.names.is_empty() {
            self.setup.seats = *game.players().start();
        }
        let opening = self.opening(statement, &game, from_here)?;
        let arrange_later = opening.start == Start::Setup;
        let opened = Session::open(&game, &self.setup, Suspension::Coroutine, opening);
        let mut session = opened.map_err(first_of)?;
        if arrange_later && let Some(source) = self.arrange.take() {
            session.arrange(&source).map_err(|found| placed_in(statement, *found, &source))?;
        }
        self.seen = 0;
        self.session = Some(session);
        self.not_failed()
    }

    fn opening(
        &self,
        statement: &Statement,
        game: &Game,
        from_here: &[&Statement],
    ) -> Result<Opening, Box<Diagnostic>> {
        let layout = game.layout(&self.setup).map_err(first_of)?;
        let model = &layout.model;
        let mut fixed = Fixed::default();
        for statement in &self.to_fix {
            fix(&mut fixed, statement, model, &self.setup)?;
        }
        let first_act = from_here.iter().map(|statement| &statement.what).find(|what| {
            matches!(
                what,
                What::Choice { .. } | What::Offers { .. } | What::Reject { .. } | What::Auto(..) | What::Do(_)
            )
        });
        let start = match &self.start {
            Some((phase, round, seat, _)) => {
                let phase_id = model.phases.iter().position(|p| *p.id == **phase).ok_or_else(|| {
                    let help = did_you_mean(phase, model.phases.iter().map(|p| &*p.id));
                    with_help(
                        fail(
                            statement,
                            "unknown-phase",
                            format!("there is no phase `{phase}`"),
                            "where should it begin?",
                        ),
                        help,
                    )
                })?;
                let seat = seat.as_ref().map(|name| seat_named(statement, name, model, &self.setup)).transpose()?;
                Start::Phase { phase: crate::model::PhaseId::at(phase_id), round: *round as i64, seat }
            }
            None if matches!(first_act, Some(What::Do(_))) => Start::Nowhere,
            None => Start::Setup,
        };
        let arrange = if start == Start::Setup { None } else { self.arrange.clone() };
        Ok(Opening { start, fixed, arrange })
    }

    fn fix(&mut self, statement: &Statement) -> Checked {
        let model = self.session().model().clone();
        let mut fixed = Fixed::default();
        fix(&mut fixed, statement, &model, &self.setup)?;
        let now = self.session.as_mut().expect("play has begun").fix_chance();
        now.rolls.extend(fixed.rolls);
        now.shuffles.extend(fixed.shuffles);
        now.lots.extend(fixed.lots);
        now.first = fixed.first.or(now.first);
        Ok(())
    }

    fn nothing_fixed_is_left(&self, statement: &Statement) -> Checked {
        let Some(fixed) = self.session.as_ref().and_then(|session| session.table().chance.fixed()) else {
            return Ok(());
        };
        if fixed.is_empty() {
            return Ok(());
        }
        let what = if fixed.rolls.is_empty() { "a shuffle or draw" } else { "a throw" };
        Err(fail(statement, "unused-chance", format!("{what} that was fixed never came"), "the scene ends here"))
    }

    fn session(&self) -> &Session {
        self.session.as_ref().expect("play has begun")
    }

    fn not_failed(&self) -> Checked {
        match self.session().status() {
            Status::Failed(diagnostic) => Err(diagnostic.clone()),
            _ => Ok(()),
        }
    }

    fn play(&mut self, statement: &Statement, what: &What) -> Checked {
        match what {
            What::Choice { seat, decision, answer, mark } => {
                self.choose(statement, seat, decision, answer)?;
                self.check_mark(statement, *mark)
            }
            What::Reject { seat, decision, answer } => {
                self.checks += 1;
                let options = self.asked(statement, seat, decision)?;
                match matching::find(&options, answer) {
                    Match::None => Ok(()),
                    _ => Err(self.with_options(
                        fail(statement, "offered", format!("`{answer}` is offered"), "must not be"),
                        &options,
                        answer,
                    )),
                }
            }
            What::Offers { seat, decision, count } => {
                self.checks += 1;
                let options = self.asked(statement, seat, decision)?;
                if options.len() as u64 == *count {
                    return Ok(());
                }
                let message = format!("{} options are offered, not {count}", options.len());
                Err(self.with_options(fail(statement, "offers", message, "another number"), &options, ""))
            }
            What::Expect(expect) => {
                self.checks += 1;
                self.expect(statement, expect)
            }
            What::Do(code) => self.carry_out(statement, code),
            What::Auto(until, agent) => self.auto(statement, until, agent.as_deref()),
            What::End { ending, scores, mark } => self.end(statement, ending.as_deref(), scores, *mark),
            _ => Ok(()),
        }
    }

    // ----- choices

    fn wording(&self, seat: Seat) -> Wording {
        Wording::new(self.session().model().clone(), self.setup.clone(), Language::English).for_seat(seat)
    }

    fn written(&self, decision: &Decision) -> Vec<String> {
        let wording = self.wording(decision.seat);
        let table = self.session().table();
        (0..decision.count()).map(|at| wording.written(table, decision, &decision.option(at))).collect()
    }

    /// The options of a seat that is being asked this decision.
    fn asked(&self, statement: &Statement, seat: &str, decision: &str) -> Result<Vec<String>, Box<Diagnostic>> {
        let model = self.session().model().clone();
        let seat = seat_named(statement, seat, &model, &self.setup)?;
        let wanted = model.find_decision(decision).ok_or_else(|| {
            let help = did_you_mean(decision, model.decisions.iter().map(|d| &*d.id));
            with_help(
                fail(
                    statement,
                    "unknown-decision",
                    format!("there is no decision `{decision}`"),
                    "not a decision of the game",
                ),
                help,
            )
        })?;
        match self.session().status() {
            Status::Waiting(open) if open.seat == seat && open.id == wanted => Ok(self.written(open)),
            Status::Waiting(open) => {
                let asked = &model.decisions[open.id.index()].id;
                let who = self.setup.name(open.seat);
                let message = format!("{who} is asked `{asked}`, not {} `{decision}`", self.setup.name(seat));
                let found = fail(statement, "not-asked", message, "another decision is open");
                Err(self.with_options(found, &self.written(open), ""))
            }
            Status::Over(_) => Err(fail(statement, "not-asked", "the game is over", "nobody is asked anything")),
            Status::Failed(diagnostic) => Err(diagnostic.clone()),
        }
    }

    fn choose(&mut self, statement: &Statement, seat: &str, decision: &str, answer: &str) -> Checked {
        if self.was_forced(seat, decision, answer) {
            return Ok(());
        }
        let mut parts = answer.split(" + ");
        let first = parts.next().unwrap_or_default();
        self.pick(statement, seat, decision, first)?;
        let mut picks = 1;
        for part in parts {
            if !self.goes_on(seat, decision, picks) {
                return Err(fail(
                    statement,
                    "too-many",
                    format!("no further choice is asked for `{part}`"),
                    "one thing too many",
                ));
            }
            self.pick(statement, seat, decision, part)?;
            picks += 1;
        }
        if first != Pass::Done.word() && self.goes_on(seat, decision, picks) {
            let Status::Waiting(open) = self.session().status() else { return Ok(()) };
            if open.pass == Some(Pass::Done) {
                let at = open.count() - 1;
                self.answer(statement, at)?;
            }
        }
        self.choices += 1;
        self.not_failed()
    }

    /// Whether more is asked of what was begun with so many picks.
    fn goes_on(&self, seat: &str, decision: &str, picks: usize) -> bool {
        let model = self.session().model();
        matches!(self.session().status(), Status::Waiting(open)
            if self.setup.name(open.seat) == seat && *model.decisions[open.id.index()].id == *decision && open.picked.len() == picks)
    }

    fn pick(&mut self, statement: &Statement, seat: &str, decision: &str, answer: &str) -> Checked {
        let options = self.asked(statement, seat, decision)?;
        match matching::find(&options, answer) {
            Match::One(at) => self.answer(statement, at),
            Match::Several(several) => {
                let fitting: Vec<String> = several.iter().map(|at| options[*at].clone()).collect();
                let message = format!("`{answer}` fits {} options", fitting.len());
                Err(self.with_options(fail(statement, "ambiguous", message, "say more of it"), &fitting, answer))
            }
            Match::None => {
                let found = fail(statement, "not-offered", format!("`{answer}` is not offered"), "none of the options");
                Err(self.with_options(found, &options, answer))
            }
        }
    }

    fn answer(&mut self, statement: &Statement, at: usize) -> Checked {
        let session = self.session.as_mut().expect("play has begun");
        self.seen = session.events().len();
        self.forced = self.seen + 1;
        session.choose(at).map_err(|error| fail(statement, "not-offered", error.to_string(), "refused"))?;
        self.not_failed()
    }

    /// Whether a choice was taken already because there was no other: a line may name it or leave it out.
    fn was_forced(&mut self, seat: &str, decision: &str, answer: &str) -> bool {
        let session = self.session();
        let model = session.model();
        for (at, event) in session.events().iter().enumerate().skip(self.forced) {
            let Happening::Chose { seat: who, decision: id, choice, looks } = &event.what else { continue };
            if self.setup.name(*who) != seat || *model.decisions[id.index()].id != *decision {
                continue;
            }
            let written = self.wording(*who).written_answer(*id, choice, looks);
            if matching::find(&[written], answer) == Match::One(0) {
                self.forced = at + 1;
                return true;
            }
        }
        false
    }

    fn with_options(&self, mut found: Box<Diagnostic>, options: &[String], given: &str) -> Box<Diagnostic> {
        found.trace.push(format!("options: {}", matching::nearest_first(options, given).join(" | ")));
        if let Status::Waiting(open) = self.session().status() {
            let view = self.session().view(open.seat).describe();
            found.trace.push(format!("the table as {} sees it:\n{}", self.setup.name(open.seat), indented(&view)));
        }
        found
    }

    fn check_mark(&mut self, statement: &Statement, mark: Option<u64>) -> Checked {
        let Some(mark) = mark else { return Ok(()) };
        self.checks += 1;
        let now = self.session().fingerprint();
        if now == mark {
            return Ok(());
        }
        let mut found = fail(
            statement,
            "went-another-way",
            format!("after this choice the table is {now:016x}, not {mark:016x}"),
            "the first choice where the recording goes another way",
        );
        found.trace.push(format!("the table now:\n{}", indented(&self.session().public_view().describe())));
        Err(with_help(found, Some("record the game anew if the change is wanted".to_owned())))
    }

    // ----- expectations

    fn expect(&mut self, statement: &Statement, expect: &Expect) -> Checked {
        match expect {
            Expect::That(expression) => self.expect_that(statement, expression),
            Expect::Options { seat, decision, options } => self.expect_options(statement, seat, decision, options),
            Expect::Winners(names) => {
                let mut winners: Vec<&str> =
                    self.outcome(statement)?.winners().map(|seat| self.setup.name(seat)).collect();
                let mut wanted: Vec<&str> = names.iter().map(String::as_str).collect();
                winners.sort_unstable();
                wanted.sort_unstable();
                same(statement, "winner", &winners.join(" "), &wanted.join(" "))
            }
            Expect::Score(name, wanted) => {
                let seat = seat_named(statement, name, self.session().model(), &self.setup)?;
                let score = self.outcome(statement)?.standings[seat.index()].score;
                same(statement, "score", &score.to_string(), &wanted.to_string())
            }
            Expect::Ending(wanted) => {
                let ending = self.outcome(statement)?.ending;
                same(statement, "ending", &self.session().model().endings[ending.index()].id.clone(), wanted)
            }
            Expect::Log(name, text) => {
                let seat = seat_named(statement, name, self.session().model(), &self.setup)?;
                let lines = self.wording(seat).narrate(&self.session().events()[self.seen..]);
                if lines.iter().any(|line| line.contains(text.as_str())) {
                    return Ok(());
                }
                let mut found = fail(
                    statement,
                    "log",
                    format!("{name} reads nothing like that"),
                    "not in the log since the last choice",
                );
                found.trace.push(format!("the log:\n{}", indented(&lines.join("\n"))));
                Err(found)
            }
            Expect::Sight { holds, seat, memory, what } => self.expect_sight(statement, *holds, seat, *memory, what),
        }
    }

    fn outcome(&self, statement: &Statement) -> Result<&crate::session::Outcome, Box<Diagnostic>> {
        let session = self.session();
        session
            .outcome()
            .filter(|outcome| !outcome.standings.is_empty())
            .ok_or_else(|| fail(statement, "not-over", "the game is not over", "asks how it ended"))
    }

    fn evaluate(&mut self, statement: &Statement, text: &str) -> Result<Choice, Box<Diagnostic>> {
        let source = source_of(statement, text);
        let session = self.session.as_mut().expect("play has begun");
        session.evaluate(&source).map_err(|found| placed_in(statement, *found, &source))
    }

    fn expect_that(&mut self, statement: &Statement, expression: &str) -> Checked {
        match self.evaluate(statement, expression)? {
            Choice::Flag(true) => Ok(()),
            Choice::Flag(false) => {
                let mut found = fail(statement, "expect", "this does not hold", "is not so");
                if let Some((left, relation, right)) = comparison(expression) {
                    let sides = (self.evaluate(statement, left)?, self.evaluate(statement, right)?);
                    let (left_is, right_is) = (self.shown(&sides.0), self.shown(&sides.1));
                    found.message = format!("`{left}` is {left_is}, expected {relation} {right_is}");
                }
                Err(found)
            }
            other => {
                let shown = self.shown(&other);
                Err(fail(
                    statement,
                    "expect",
                    format!("this is {shown}, neither true nor false"),
                    "compare it with something",
                ))
            }
        }
    }

    fn shown(&self, choice: &Choice) -> String {
        let wording = Wording::new(self.session().model().clone(), self.setup.clone(), Language::English);
        wording.plain(self.session().table(), choice)
    }

    fn expect_options(&mut self, statement: &Statement, seat: &str, decision: &str, wanted: &[String]) -> Checked {
        let options = self.asked(statement, seat, decision)?;
        let mut left: Vec<usize> = (0..options.len()).collect();
        for one in wanted {
            match matching::find(&options, one) {
                Match::One(at) if left.contains(&at) => left.retain(|other| *other != at),
                _ => {
                    let found = fail(
                        statement,
                        "options",
                        format!("`{one}` is not offered, or named twice"),
                        "expected to be offered",
                    );
                    return Err(self.with_options(found, &options, one));
                }
            }
        }
        if left.is_empty() {
            return Ok(());
        }
        let more: Vec<String> = left.iter().map(|at| options[*at].clone()).collect();
        let found = fail(statement, "options", format!("{} more options are offered", more.len()), "not all of them");
        Err(self.with_options(found, &more, ""))
    }

    fn expect_sight(&mut self, statement: &Statement, holds: bool, name: &str, memory: bool, what: &str) -> Checked {
        let seat = seat_named(statement, name, self.session().model(), &self.setup)?;
        let pieces = pieces_in(&self.evaluate(statement, what)?, self.session());
        if pieces.is_empty() {
            return Err(fail(statement, "sight", "there is no piece to look at", "no piece"));
        }
        let table = self.session().table();
        let bit = 1 << seat.0;
        let can_tell = |piece: &PieceId| {
            let seats = if memory { table.knowers(*piece) } else { table.watchers(*piece) };
            seats & bit != 0
        };
        let all = pieces.iter().all(can_tell);
        let any = pieces.iter().any(can_tell);
        if (holds && all) || (!holds && !any) {
            return Ok(());
        }
        let (verb, not) = (if memory { "know" } else { "see" }, if holds { " does not" } else { " does" });
        Err(fail(statement, "sight", format!("{name}{not} {verb} `{what}`"), "is not so"))
    }

    // ----- the rest

    fn carry_out(&mut self, statement: &Statement, code: &str) -> Checked {
        let source = source_of(statement, code);
        let session = self.session.as_mut().expect("play has begun");
        self.seen = session.events().len();
        if matches!(session.status(), Status::Waiting(_)) {
            return Err(fail(statement, "play-order", "a decision is open", "answer it first"));
        }
        session.carry_out(&source);
        self.not_failed().map_err(|found| placed_in(statement, *found, &source))
    }

    fn auto(&mut self, statement: &Statement, until: &Until, agent: Option<&str>) -> Checked {
        let seats = self.setup.seats as usize;
        let name = |seat: usize| match (agent, self.agents.as_slice()) {
            (Some(agent), _) => agent.to_owned(),
            (None, []) => "random".to_owned(),
            (None, [one]) => one.clone(),
            (None, several) => several.get(seat).cloned().unwrap_or_else(|| "random".to_owned()),
        };
        let mut players = Vec::new();
        for seat in 0..seats {
            let player = (self.cast.agent)(&name(seat), self.setup.seed, seat);
            players.push(player.ok_or_else(|| {
                fail(statement, "unknown-agent", format!("there is no agent `{}`", name(seat)), "who plays?")
            })?);
        }
        let session = self.session.as_mut().expect("play has begun");
        self.seen = session.events().len();
        while let Status::Waiting(open) = session.status() {
            if reached(session, open, until) {
                return Ok(());
            }
            let view = View::new(session.table(), Some(open.seat));
            let at = players[open.seat.index()]
                .choose(&view, open)
                .map_err(|error| fail(statement, "no-answer", error, "no answer"))?;
            session.choose(at).map_err(|error| fail(statement, "not-offered", error.to_string(), "refused"))?;
            self.choices += 1;
        }
        self.forced = session.events().len();
        self.not_failed()?;
        if *until == Until::End {
            return Ok(());
        }
        Err(fail(statement, "never-came", format!("the game ended before {until}"), "never came"))
    }

    fn end(
        &mut self,
        statement: &Statement,
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
        self.check_mark(statement, mark)
    }
}

fn is_head(what: &What) -> bool {
    matches!(
        what,
        What::Game(_)
            | What::Players(_)
            | What::Seed(_)
            | What::Option(..)
            | What::Set(..)
            | What::Agents(_)
            | What::Start { .. }
    )
}

fn reached(session: &Session, open: &Decision, until: &Until) -> bool {
    let (model, position) = (session.model(), &session.table().position);
    match until {
        Until::Phase(phase) => position.phase.is_some_and(|id| *model.phases[id.index()].id == **phase),
        Until::Round(round) => position.round >= *round as i64,
        Until::Decision(decision) => *model.decisions[open.id.index()].id == **decision,
        Until::End => false,
    }
}

fn seat_named(statement: &Statement, name: &str, model: &Model, setup: &Setup) -> Result<Seat, Box<Diagnostic>> {
    let names: Vec<&str> = model.all_seats().map(|seat| setup.name(seat)).collect();
    names.iter().position(|known| *known == name).map(Seat::at).ok_or_else(|| {
        let help = did_you_mean(name, names.iter().copied())
            .unwrap_or_else(|| format!("the players are {}", names.join(", ")));
        with_help(
            fail(statement, "unknown-player", format!("there is no player `{name}`"), "not at this table"),
            Some(help),
        )
    })
}

fn fix(fixed: &mut Fixed, statement: &Statement, model: &Model, setup: &Setup) -> Checked {
    let component = |id: &String| {
        model.find_component(id).ok_or_else(|| {
            let help = did_you_mean(id, model.components.iter().map(|c| &*c.id));
            with_help(
                fail(
                    statement,
                    "unknown-component",
                    format!("there is no component `{id}`"),
                    "not the id of a component",
                ),
                help,
            )
        })
    };
    match &statement.what {
        What::Roll(_, rolls) => fixed.rolls.extend(rolls),
        What::NextShuffle(zone, top) => {
            let space = space_named(statement, zone, model, setup)?;
            fixed.shuffles.push((space, top.iter().map(component).collect::<Result<_, _>>()?));
        }
        What::NextDraw(_, drawn) => fixed.lots.extend(drawn.iter().map(component).collect::<Result<Vec<_>, _>>()?),
        What::NextFirst(name) => fixed.first = Some(seat_named(statement, name, model, setup)?),
        _ => {}
    }
    Ok(())
}

/// The stack with a path as it is written in logs: `deck`, `lots[2]`, `Ann.hand`.
fn space_named(statement: &Statement, path: &str, model: &Model, setup: &Setup) -> Result<SpaceId, Box<Diagnostic>> {
    let (owner, rest) = path.split_once('.').map_or((None, path), |(owner, rest)| (Some(owner), rest));
    let owner = owner.map(|name| seat_named(statement, name, model, setup)).transpose()?;
    let found = model.zones.iter().find(|zone| *zone.path == *rest && zone.seat == owner);
    found.map(crate::model::Zone::space).ok_or_else(|| {
        let help = did_you_mean(rest, model.zones.iter().map(|zone| &*zone.path));
        with_help(fail(statement, "unknown-zone", format!("there is no zone `{path}`"), "not a zone"), help)
    })
}

fn pieces_in(choice: &Choice, session: &Session) -> Vec<PieceId> {
    match choice {
        Choice::Piece(piece) => vec![*piece],
        Choice::Zone(zone) => session.table().pieces(*zone).collect(),
        Choice::Space(space) => session.table().stack(*space).collect(),
        Choice::Many(all) => all.iter().flat_map(|one| pieces_in(one, session)).collect(),
        _ => Vec::new(),
    }
}

fn same(statement: &Statement, what: &str, is: &str, wanted: &str) -> Checked {
    if is == wanted {
        return Ok(());
    }
    Err(fail(statement, "expect", format!("the {what} is {is}, expected {wanted}"), "is not so"))
}

/// The two sides of a comparison that stands outside brackets and quotes.
fn comparison(text: &str) -> Option<(&str, &str, &str)> {
    let bytes = text.as_bytes();
    let (mut depth, mut quoted) = (0_i32, false);
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b'=' | b'!' | b'<' | b'>' if depth == 0 => {
                let two = text.get(at..at + 2).filter(|two| ["==", "!=", "<=", ">="].contains(two));
                let one = text.get(at..=at).filter(|one| ["<", ">"].contains(one));
                let relation = two.or(one)?;
                return Some((text[..at].trim(), relation, text[at + relation.len()..].trim()));
            }
            b'&' | b'|' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

fn source_of(statement: &Statement, code: &str) -> Arc<Source> {
    let path = statement.place.as_ref().map_or_else(|| "play".to_owned(), |place| place.source.path.clone());
    Arc::new(Source { path, text: code.to_owned() })
}

/// Moves the marks of a diagnostic from a piece of text to where that stands in the play.
fn placed_in(statement: &Statement, mut found: Diagnostic, text: &Arc<Source>) -> Box<Diagnostic> {
    if let Some(place) = &statement.place {
        let offset = place.source.text[place.span.clone()]
            .find(text.text.as_str())
            .map_or(place.span.start, |at| place.span.start + at);
        for mark in &mut found.marks {
            if Arc::ptr_eq(&mark.place.source, text) {
                let span = mark.place.span.start + offset..mark.place.span.end + offset;
                mark.place = Place { source: place.source.clone(), span };
            }
        }
        if found.marks.is_empty() {
            found = found.mark(place.clone(), "fails here");
        }
    }
    Box::new(found)
}

fn first_of(found: Diagnostics) -> Box<Diagnostic> {
    Box::new(found.0.into_iter().next().expect("a game that is refused has a mistake"))
}

fn with_help(mut found: Box<Diagnostic>, help: Option<String>) -> Box<Diagnostic> {
    found.help = help.or(found.help);
    found
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("       {line}")).collect::<Vec<_>>().join("\n")
}
