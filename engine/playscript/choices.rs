//! Statements about options: choosing one, checking what is offered, and comparing the table with the recording afterwards.

use super::answer_events::index_after_answer;
use super::errors::WENT_ANOTHER_WAY;
use super::errors::{CheckResult, fail, find_decision, find_seat, with_detail, with_help};
use super::matching::{self, Match};
use super::option_words;
use super::play::{PlayStatement, StatementKind};
use super::rejection::Rejection;
use super::runner::Runner;
use crate::diagnostic::Diagnostic;
use crate::model::Seat;
use crate::session::{Decision, EventKind, Pass, Session, Status};
use crate::wording::{Offer, OptionTexts};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of rows in a comparison of two tables.
const MAX_ROWS: usize = 40;

/// Result of trying an answer on a copy of the game.
pub(super) enum Attempt {
    /// The answer is complete and offered.
    Complete,
    /// The picks are offered, but this many more are required.
    Begun(usize),
    /// The answer is not offered. Contains the reason.
    Refused(String),
}

impl Runner<'_> {
    /// Returns the options of a decision, formatted as in playscripts.
    pub(super) fn option_texts(&self, decision: &Decision) -> OptionTexts {
        self.option_texts_in(self.session(), decision)
    }

    /// Like [`option_texts`](Self::option_texts), but for a session other than the scene's own.
    pub(super) fn option_texts_in(&self, session: &Session, decision: &Decision) -> OptionTexts {
        OptionTexts::written(&Offer::new(self.wording().for_seat(decision.seat), session.table(), decision))
    }

    /// Returns the options of the open decision. Fails unless the open decision is `decision` and `seat` is asked.
    pub(super) fn open_options(
        &self,
        statement: &PlayStatement,
        seat: &str,
        decision: &str,
    ) -> Result<OptionTexts, Box<Diagnostic>> {
        let model = self.session().model().clone();
        let seat = find_seat(statement, seat, &model, &self.setup)?;
        let wanted = find_decision(statement, decision, &model)?;
        match self.session().status() {
            Status::Waiting(open) if open.seat == seat && open.id == wanted => Ok(self.option_texts(open)),
            Status::Waiting(open) => {
                let open_id = &model.decisions[open.id.index()].id;
                let who = self.setup.name(open.seat);
                let message = format!("{who} is asked `{open_id}`, not {} `{decision}`", self.setup.name(seat));
                let found = fail(statement, "not-asked", message, "another decision is open");
                Err(self.with_options(found, &self.option_texts(open), "", Some(open.seat)))
            }
            Status::Over(_) => {
                Err(self.with_table(fail(statement, "not-asked", "the game is over", "nobody is asked anything"), None))
            }
            Status::Resting => {
                Err(self.with_table(fail(statement, "not-asked", "play rests", "nobody is asked anything"), None))
            }
            Status::Failed(diagnostic) => Err(Box::new(diagnostic.clone())),
        }
    }

    /// Chooses an option in the open decision. An answer of several picks answers several decisions in a row.
    pub(super) fn choose(
        &mut self,
        statement: &PlayStatement,
        seat: &str,
        decision: &str,
        answer: &str,
    ) -> CheckResult {
        let (positions, is_all) = self.resolve_answer(statement, seat, decision, answer);
        let is_all = is_all.map_err(|found| {
            let is_forced = found.code.starts_with("not-") && self.find_forced(seat, decision, answer).is_some();
            let help = "it was the only option and was chosen already: remove the line, or begin it with `forced`";
            with_help(found, is_forced.then(|| help.to_owned()))
        });
        for at in positions {
            self.answer(statement, at)?;
        }
        is_all?;
        self.choices += 1;
        self.check_not_failed()
    }

    /// Returns the index of the option that `answer` matches. Fails if it matches no option or several.
    pub(super) fn option_index(
        &self,
        statement: &PlayStatement,
        seat: &str,
        decision: &str,
        answer: &str,
    ) -> Result<usize, Box<Diagnostic>> {
        let options = self.open_options(statement, seat, decision)?;
        let seat_asked = self.session().decision().map(|open| open.seat);
        match matching::find_in(&options, answer) {
            Match::One(at) => Ok(at),
            Match::Several(several) => {
                let fitting: Vec<String> = several.iter().map(|at| options.get(*at).into_owned()).collect();
                let message = if answer.is_empty() {
                    format!("{} options are offered", fitting.len())
                } else {
                    format!("`{answer}` matches {} options", fitting.len())
                };
                let found = fail(statement, "ambiguous", message, "be more specific");
                Err(self.with_options(found, &OptionTexts::listed(fitting), answer, seat_asked))
            }
            Match::None => {
                let found = fail(statement, "not-offered", format!("`{answer}` is not offered"), "none of the options");
                let stray =
                    option_words::check(statement, decision, answer, self.session().model(), &self.setup, &self.words)
                        .err();
                let found = with_help(found, stray.and_then(|stray| stray.help));
                Err(self.with_options(found, &options, answer, seat_asked))
            }
        }
    }

    fn answer(&mut self, statement: &PlayStatement, at: usize) -> CheckResult {
        self.update_trace();
        let session = self.session.as_mut().expect("play has begun");
        self.seen = session.events().len();
        session.choose(at).map_err(|error| fail(statement, "not-offered", error.to_string(), "refused"))?;
        self.forced = index_after_answer(session, self.seen);
        self.check_not_failed()
    }

    /// Checks that a player had only this option and therefore was not asked.
    ///
    /// The statement refers to the first matching automatic choice since the last choice, after those that earlier `forced` statements
    /// refer to.
    pub(super) fn check_forced(
        &mut self,
        statement: &PlayStatement,
        seat: &str,
        decision: &str,
        answer: &str,
    ) -> CheckResult {
        self.checks += 1;
        let model = self.session().model().clone();
        find_seat(statement, seat, &model, &self.setup)?;
        find_decision(statement, decision, &model)?;
        if let Some(at) = self.find_forced(seat, decision, answer) {
            self.forced = at + 1;
            return Ok(());
        }
        option_words::check(statement, decision, answer, &model, &self.setup, &self.words)?;
        let message = format!("{seat} was not left with `{decision}{}` alone", after(answer));
        let found = fail(statement, "not-asked", message, "not chosen without a question since the last choice");
        let is_open =
            |open: &Decision| self.setup.name(open.seat) == seat && *model.decisions[open.id.index()].id == *decision;
        if let Status::Waiting(open) = self.session().status()
            && is_open(open)
        {
            let found = with_help(found, Some(format!("{seat} is asked: remove `forced`")));
            return Err(self.with_options(found, &self.option_texts(open), answer, Some(open.seat)));
        }
        let mut lines: Vec<String> =
            self.forced_choices().map(|(_, who, id, written)| format!("{who}: {id}{}", after(&written))).collect();
        if lines.is_empty() {
            lines.push("nothing".to_owned());
        }
        Err(with_detail(found, "chosen without a question", lines))
    }

    /// Iterates over the automatic choices since the last choice, without those up to the last one that a `forced` statement refers to.
    /// Each item contains the index of the event, the name of the player, the id of the decision, and the answer.
    fn forced_choices(&self) -> impl Iterator<Item = (usize, &str, &str, String)> {
        let session = self.session();
        session.events().iter().enumerate().skip(self.forced).filter_map(move |(at, event)| match &event.kind {
            EventKind::Chose { seat, decision, choice, appearances } => {
                let written = self.wording().for_seat(*seat).written_answer(*seat, *decision, choice, appearances);
                let id = &*session.model().decisions[decision.index()].id;
                Some((at, self.setup.name(*seat), id, written))
            }
            _ => None,
        })
    }

    /// Returns the event index of the first automatic choice that fits the arguments. Considers only those since the last choice that no
    /// `forced` statement refers to yet.
    pub(super) fn find_forced(&self, seat: &str, decision: &str, answer: &str) -> Option<usize> {
        let is_it = |who: &str, id: &str, written: String| {
            who == seat && id == decision && matching::find(&[written], answer) == Match::One(0)
        };
        self.forced_choices().find_map(|(at, who, id, written)| is_it(who, id, written).then_some(at))
    }

    // ----- checks of options

    /// Checks that an answer is not offered, and records why.
    pub(super) fn reject(
        &mut self,
        statement: &PlayStatement,
        seat: &str,
        decision: &str,
        answer: &str,
    ) -> CheckResult {
        self.checks += 1;
        let options = self.open_options(statement, seat, decision)?;
        option_words::check(statement, decision, answer, self.session().model(), &self.setup, &self.words)?;
        let why = match self.try_answer(answer) {
            Attempt::Refused(why) => {
                self.check_could_be_offered(statement, decision, answer)?;
                why
            }
            Attempt::Complete => {
                let found = fail(statement, "offered", format!("`{answer}` is offered"), "must not be");
                return Err(self.with_options(
                    found,
                    &options,
                    answer,
                    self.session().decision().map(|open| open.seat),
                ));
            }
            Attempt::Begun(missing) => {
                let found = fail(statement, "offered", format!("`{answer}` is offered"), "may be picked first");
                let help = format!(
                    "{missing} more must be picked; to reject a complete answer, write `{answer} + {}`",
                    Pass::Done.word()
                );
                let found = with_help(found, Some(help));
                return Err(self.with_options(
                    found,
                    &options,
                    answer,
                    self.session().decision().map(|open| open.seat),
                ));
            }
        };
        let line = format!("reject {seat}: {decision}{}", after(answer));
        self.rejections.push(Rejection { place: statement.place.clone(), line, why });
        Ok(())
    }

    /// Checks that an answer is offered, without choosing it.
    pub(super) fn allows(
        &mut self,
        statement: &PlayStatement,
        seat: &str,
        decision: &str,
        answer: &str,
    ) -> CheckResult {
        self.checks += 1;
        let options = self.open_options(statement, seat, decision)?;
        let Attempt::Refused(why) = self.try_answer(answer) else { return Ok(()) };
        option_words::check(statement, decision, answer, self.session().model(), &self.setup, &self.words)?;
        let found = fail(statement, "not-offered", format!("`{answer}` is not offered: {why}"), "must be");
        Err(self.with_options(found, &options, answer, self.session().decision().map(|open| open.seat)))
    }

    /// Checks that a decision offers exactly `count` options.
    pub(super) fn offers(&mut self, statement: &PlayStatement, seat: &str, decision: &str, count: u64) -> CheckResult {
        self.checks += 1;
        let options = self.open_options(statement, seat, decision)?;
        if options.len() as u64 == count {
            return Ok(());
        }
        let are = if options.len() == 1 { "1 option is".to_owned() } else { format!("{} options are", options.len()) };
        let found = fail(statement, "offers", format!("{are} offered, not {count}"), "another number");
        let seat_asked = self.session().decision().map(|open| open.seat);
        Err(self.with_options(found, &options, "", seat_asked))
    }

    /// Adds to a diagnostic the options, most similar to `given` first, and the table as `seat` knows it.
    pub(super) fn with_options(
        &self,
        found: Box<Diagnostic>,
        options: &OptionTexts,
        given: &str,
        seat: Option<Seat>,
    ) -> Box<Diagnostic> {
        let offered = matching::nearest_first(options, given).join(" | ");
        self.with_table(with_detail(found, "offered", vec![offered]), seat)
    }

    // ----- recordings

    /// Compares the table with the fingerprint in a recording. `after` contains the statements that follow, which may include the recorded
    /// table.
    pub(super) fn check_mark(
        &mut self,
        statement: &PlayStatement,
        mark: Option<u64>,
        after: &[&PlayStatement],
    ) -> CheckResult {
        let Some(mark) = mark else { return Ok(()) };
        self.checks += 1;
        let now = self.session().fingerprint();
        if now == mark {
            return Ok(());
        }
        let message = format!("the game differs from the recording here: the table is {now:016x}, not {mark:016x}");
        let found = fail(statement, WENT_ANOTHER_WAY, message, "the first line after which the recording differs");
        let found = self.with_both_tables(found, after);
        Err(with_help(
            found,
            Some("if the change is intended, record the game again with `parlour test --bless`".to_owned()),
        ))
    }

    /// Adds a comparison of the recorded table with the current one. The recorded table is read from all earlier `table` statements and
    /// from those directly after the choice.
    fn with_both_tables(&self, found: Box<Diagnostic>, after: &[&PlayStatement]) -> Box<Diagnostic> {
        let mut recorded = self.recorded.clone();
        for statement in after {
            let StatementKind::Table { rows, .. } = &statement.what else { break };
            recorded.extend(rows.iter().cloned());
        }
        if recorded.is_empty() {
            return self.with_table(found, None);
        }
        let now = self.rows();
        let places: BTreeSet<&String> = recorded.keys().chain(now.keys()).collect();
        let content_of = |table: &BTreeMap<String, String>, place: &String| match table.get(place) {
            Some(content) if !content.is_empty() => content.clone(),
            _ => "–".to_owned(),
        };
        let mut lines: Vec<[String; 3]> = vec![[String::new(), "recorded".to_owned(), "now".to_owned()]];
        for place in places {
            let (before, after) = (content_of(&recorded, place), content_of(&now, place));
            if before != after {
                lines.push([place.clone(), before, after]);
            }
        }
        let more = lines.len().saturating_sub(MAX_ROWS + 1);
        lines.truncate(MAX_ROWS + 1);
        let mut lines = columns(&lines);
        if more > 0 {
            lines.push(format!("… and {more} more"));
        }
        if lines.len() == 1 {
            return with_detail(found, "the two tables differ in nothing that is written down here", Vec::new());
        }
        with_detail(found, "the two tables, where they differ", lines)
    }

    /// Returns the whole table as a map from each place to its contents in short form.
    fn rows(&self) -> BTreeMap<String, String> {
        self.session().listing(None).into_iter().map(|row| (row.place.clone(), row.brief())).collect()
    }

    /// Checks that each place in the rows of a `table` statement has the contents stated there.
    pub(super) fn check_rows(&mut self, statement: &PlayStatement, rows: &[(String, String)]) -> CheckResult {
        self.checks += 1;
        let now = self.rows();
        for (place, wanted) in rows {
            let content = now.get(place).map_or("", String::as_str);
            if content != wanted {
                let say =
                    |content: &str| if content.is_empty() { "nothing".to_owned() } else { format!("`{content}`") };
                let message = format!("`{place}` has {}, expected {}", say(content), say(wanted));
                return Err(self.with_table(fail(statement, "expect", message, "does not hold"), None));
            }
        }
        Ok(())
    }
}

/// Returns the answer with a leading space, or an empty string for an empty answer.
fn after(answer: &str) -> String {
    if answer.is_empty() { String::new() } else { format!(" {answer}") }
}

/// Formats rows of three columns as lines. Pads the first two columns so that all columns are aligned.
fn columns(rows: &[[String; 3]]) -> Vec<String> {
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1)];
    let padded = |text: &str, width: usize| format!("{text}{}", " ".repeat(width - text.chars().count()));
    let line =
        |row: &[String; 3]| format!("{}  {}  {}", padded(&row[0], widths[0]), padded(&row[1], widths[1]), row[2]);
    rows.iter().map(|row| line(row).trim_end().to_owned()).collect()
}
