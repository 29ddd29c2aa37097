//! Choices of a play: which option a line means, what was offered, and whether the table is then as recorded.

use super::answering::behind_answer;
use super::failing::WENT_ANOTHER_WAY;
use super::failing::{Checked, decision_named, fail, seat_named, with_detail, with_help};
use super::held::Held;
use super::matching::{self, Match};
use super::play::{Statement, What};
use super::runner::Runner;
use super::words;
use crate::diagnostic::Diagnostic;
use crate::model::{DecisionId, Seat};
use crate::session::{Decision, EventKind, Pass, Session, Status};
use indexmap::IndexSet;
use std::collections::{BTreeMap, BTreeSet};

/// The most rows in which two tables are said to differ.
const MOST_ROWS: usize = 40;

/// The most ways that are tried to make several picks.
const MOST_TRIED: usize = 1_000;

/// What would come of a choice.
enum Attempt {
    /// It can be made.
    Complete,
    /// It can be made, and so many more have to be picked.
    Begun(usize),
    /// It cannot be made.
    Refused(String),
}

impl Runner<'_> {
    /// The options of a decision in the short form of plays.
    pub(super) fn written(&self, decision: &Decision) -> Vec<String> {
        self.written_in(self.session(), decision)
    }

    fn written_in(&self, session: &Session, decision: &Decision) -> Vec<String> {
        let wording = self.wording().for_seat(decision.seat);
        let table = session.table();
        (0..decision.count()).map(|at| wording.written(table, decision, &decision.option(at))).collect()
    }

    /// The options of a seat that is being asked this decision.
    pub(super) fn asked(
        &self,
        statement: &Statement,
        seat: &str,
        decision: &str,
    ) -> Result<Vec<String>, Box<Diagnostic>> {
        let model = self.session().model().clone();
        let seat = seat_named(statement, seat, &model, &self.setup)?;
        let wanted = decision_named(statement, decision, &model)?;
        match self.session().status() {
            Status::Waiting(open) if open.seat == seat && open.id == wanted => Ok(self.written(open)),
            Status::Waiting(open) => {
                let asked = &model.decisions[open.id.index()].id;
                let who = self.setup.name(open.seat);
                let message = format!("{who} is asked `{asked}`, not {} `{decision}`", self.setup.name(seat));
                let found = fail(statement, "not-asked", message, "another decision is open");
                Err(self.with_options(found, &self.written(open), "", Some(open.seat)))
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

    pub(super) fn choose(&mut self, statement: &Statement, seat: &str, decision: &str, answer: &str) -> Checked {
        let mut parts = self.in_order(seat, decision, self.picks_in(answer)).into_iter();
        let first = parts.next().unwrap_or_default();
        self.pick(statement, seat, decision, first).map_err(|found| {
            let is_forced = found.code.starts_with("not-") && self.was_forced(seat, decision, answer).is_some();
            let help =
                "it was chosen already, as there was nothing else: leave the line out, or begin it with `forced`";
            with_help(found, is_forced.then(|| help.to_owned()))
        })?;
        let mut picks = 1;
        for part in parts {
            if !self.goes_on(seat, decision, picks) {
                if self.was_picked(seat, decision, answer) {
                    break;
                }
                let message = format!("no further choice is asked for `{part}`");
                return Err(fail(statement, "too-many", message, "one thing too many"));
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

    /// The picks that an answer is made of. What is offered whole is one.
    fn picks_in<'a>(&self, answer: &'a str) -> Vec<&'a str> {
        let is_whole = |open: &Decision| answer.contains(" + ") && self.written(open).iter().any(|one| one == answer);
        if self.session().decision().is_some_and(is_whole) {
            return vec![answer];
        }
        answer.split(" + ").map(str::trim).collect()
    }

    /// Whether that was picked in all, with what was picked without a question because there was no other.
    fn was_picked(&self, seat: &str, decision: &str, answer: &str) -> bool {
        let model = self.session().model();
        let asked = model.all_seats().find(|who| self.setup.name(*who) == seat).zip(model.find_decision(decision));
        asked.is_some_and(|asked| self.was_picked_in(self.session(), self.seen, asked, answer))
    }

    fn was_picked_in(&self, session: &Session, from: usize, asked: (Seat, DecisionId), answer: &str) -> bool {
        let chosen = session.events().since(from).rev().find_map(|event| match &event.what {
            EventKind::Chose { seat: who, decision: id, choice, looks } if (*who, *id) == asked => {
                Some(self.wording().for_seat(*who).written_answer(*id, choice, looks))
            }
            _ => None,
        });
        let sorted = |text: &str| {
            let mut parts: Vec<String> = text.split(" + ").map(|part| part.trim().to_owned()).collect();
            parts.sort_unstable();
            parts
        };
        chosen.is_some_and(|chosen| sorted(&chosen) == sorted(answer))
    }

    /// Several picks in the order in which they are asked for, whichever order they are written in.
    fn in_order<'a>(&self, seat: &str, decision: &str, mut parts: Vec<&'a str>) -> Vec<&'a str> {
        let Status::Waiting(open) = self.session().status() else { return parts };
        if parts.len() < 2 || open.among.is_empty() || !self.goes_on(seat, decision, 0) {
            return parts;
        }
        let (wording, table) = (self.wording().for_seat(open.seat), self.session().table());
        let all: Vec<String> = open.among.iter().map(|choice| wording.written(table, open, choice)).collect();
        let once: Vec<String> = all.iter().collect::<IndexSet<_>>().into_iter().cloned().collect();
        let mut taken = vec![false; all.len()];
        // Of alike ones the first behind what is named before it, as recordings write them; or else the first that is left.
        let mut behind = 0;
        let mut place = |part: &str| {
            let Match::One(at) = matching::find(&once, part) else { return None };
            let is_it = |place: &usize| !taken[*place] && all[*place] == once[at];
            let place = (behind..all.len()).find(is_it).or_else(|| (0..behind).find(is_it))?;
            taken[place] = true;
            behind = place + 1;
            Some(place)
        };
        let places: Option<Vec<usize>> = parts.iter().map(|part| place(part)).collect();
        if let Some(places) = places {
            let mut placed: Vec<(usize, &str)> = places.into_iter().zip(parts).collect();
            placed.sort_unstable();
            parts = placed.into_iter().map(|(_, part)| part).collect();
        }
        parts
    }

    /// Whether more is asked of what was begun with so many picks.
    fn goes_on(&self, seat: &str, decision: &str, picks: usize) -> bool {
        let model = self.session().model();
        let is_same =
            |open: &Decision| self.setup.name(open.seat) == seat && *model.decisions[open.id.index()].id == *decision;
        matches!(self.session().status(), Status::Waiting(open) if is_same(open) && open.picked.len() == picks)
    }

    fn pick(&mut self, statement: &Statement, seat: &str, decision: &str, answer: &str) -> Checked {
        let at = self.position(statement, seat, decision, answer)?;
        self.answer(statement, at)
    }

    /// The position of the option that an answer means.
    pub(super) fn position(
        &self,
        statement: &Statement,
        seat: &str,
        decision: &str,
        answer: &str,
    ) -> Result<usize, Box<Diagnostic>> {
        let options = self.asked(statement, seat, decision)?;
        let asked = self.session().decision().map(|open| open.seat);
        match matching::find(&options, answer) {
            Match::One(at) => Ok(at),
            Match::Several(several) => {
                let fitting: Vec<String> = several.iter().map(|at| options[*at].clone()).collect();
                let message = if answer.is_empty() {
                    format!("{} options are offered", fitting.len())
                } else {
                    format!("`{answer}` fits {} options", fitting.len())
                };
                let found = fail(statement, "ambiguous", message, "say more of it");
                Err(self.with_options(found, &fitting, answer, asked))
            }
            Match::None => {
                let found = fail(statement, "not-offered", format!("`{answer}` is not offered"), "none of the options");
                let stray =
                    words::known(statement, (decision, answer), (self.session().model(), &self.setup), &self.words)
                        .err();
                let found = with_help(found, stray.and_then(|stray| stray.help));
                Err(self.with_options(found, &options, answer, asked))
            }
        }
    }

    fn answer(&mut self, statement: &Statement, at: usize) -> Checked {
        self.look();
        let session = self.session.as_mut().expect("play has begun");
        self.seen = session.events().len();
        session.choose(at).map_err(|error| fail(statement, "not-offered", error.to_string(), "refused"))?;
        self.forced = behind_answer(session, self.seen);
        self.not_failed()
    }

    /// Holds if that was chosen without a question, because there was nothing else: of what was so chosen since the last
    /// choice, and that no line has named, the first that fits.
    pub(super) fn forced(&mut self, statement: &Statement, seat: &str, decision: &str, answer: &str) -> Checked {
        self.checks += 1;
        let model = self.session().model().clone();
        seat_named(statement, seat, &model, &self.setup)?;
        decision_named(statement, decision, &model)?;
        if let Some(at) = self.was_forced(seat, decision, answer) {
            self.forced = at + 1;
            return Ok(());
        }
        words::known(statement, (decision, answer), (&model, &self.setup), &self.words)?;
        let message = format!("{seat} was not left with `{decision}{}` alone", after(answer));
        let found = fail(statement, "not-asked", message, "not chosen without a question since the last choice");
        let is_open =
            |open: &Decision| self.setup.name(open.seat) == seat && *model.decisions[open.id.index()].id == *decision;
        if let Status::Waiting(open) = self.session().status()
            && is_open(open)
        {
            let found = with_help(found, Some(format!("{seat} is asked: leave `forced` out")));
            return Err(self.with_options(found, &self.written(open), answer, Some(open.seat)));
        }
        let mut lines: Vec<String> =
            self.forced_choices().map(|(_, who, id, written)| format!("{who}: {id}{}", after(&written))).collect();
        if lines.is_empty() {
            lines.push("nothing".to_owned());
        }
        Err(with_detail(found, "chosen without a question", lines))
    }

    /// What was chosen without a question since the last choice and is not named yet: the position of its event, who, the
    /// decision, and what.
    fn forced_choices(&self) -> impl Iterator<Item = (usize, &str, &str, String)> {
        let session = self.session();
        session.events().iter().enumerate().skip(self.forced).filter_map(move |(at, event)| match &event.what {
            EventKind::Chose { seat, decision, choice, looks } => {
                let written = self.wording().for_seat(*seat).written_answer(*decision, choice, looks);
                let id = &*session.model().decisions[decision.index()].id;
                Some((at, self.setup.name(*seat), id, written))
            }
            _ => None,
        })
    }

    pub(super) fn was_forced(&self, seat: &str, decision: &str, answer: &str) -> Option<usize> {
        let is_it = |who: &str, id: &str, written: String| {
            who == seat && id == decision && matching::find(&[written], answer) == Match::One(0)
        };
        self.forced_choices().find_map(|(at, who, id, written)| is_it(who, id, written).then_some(at))
    }

    // ----- what could be chosen

    /// Holds if that cannot be chosen, and keeps why.
    pub(super) fn reject(&mut self, statement: &Statement, seat: &str, decision: &str, answer: &str) -> Checked {
        self.checks += 1;
        let options = self.asked(statement, seat, decision)?;
        words::known(statement, (decision, answer), (self.session().model(), &self.setup), &self.words)?;
        let why = match self.attempt(seat, decision, answer) {
            Attempt::Refused(why) => {
                self.could_be_offered(statement, decision, answer)?;
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
                    "{missing} more would have to be picked; that this alone is not enough is written `{answer} + {}`",
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
        self.held.push(Held { place: statement.place.clone(), line, why });
        Ok(())
    }

    /// Holds if that could be chosen; nothing is.
    pub(super) fn allows(&mut self, statement: &Statement, seat: &str, decision: &str, answer: &str) -> Checked {
        self.checks += 1;
        let options = self.asked(statement, seat, decision)?;
        let Attempt::Refused(why) = self.attempt(seat, decision, answer) else { return Ok(()) };
        words::known(statement, (decision, answer), (self.session().model(), &self.setup), &self.words)?;
        let found = fail(statement, "not-offered", format!("`{answer}` is not offered: {why}"), "must be");
        Err(self.with_options(found, &options, answer, self.session().decision().map(|open| open.seat)))
    }

    /// What comes of choosing something, tried on a copy of the game.
    fn attempt(&mut self, seat: &str, decision: &str, answer: &str) -> Attempt {
        self.look();
        let (mut tried, mut left) = (Vec::new(), MOST_TRIED);
        let parts = self.in_order(seat, decision, self.picks_in(answer));
        let result = match self.missing_behind(&parts) {
            Some(missing) => Attempt::Begun(missing),
            None => self.try_picks(self.session(), &parts, &mut tried, &mut left),
        };
        self.session().forget_covered();
        result
    }

    /// How many more would have to be picked behind these, where they are too few and all of them can be picked: the first question
    /// leaves out those that are left for the last picks.
    fn missing_behind(&self, parts: &[&str]) -> Option<usize> {
        let open = self.session().decision().filter(|open| !open.among.is_empty())?;
        let missing = open.missing().checked_sub(parts.len()).filter(|missing| *missing > 0)?;
        let wording = self.wording().for_seat(open.seat);
        let table = self.session().table();
        let mut among: Vec<String> = open.among.iter().map(|one| wording.written(table, open, one)).collect();
        for part in parts {
            let at = match matching::find(&among, part) {
                Match::One(at) => at,
                Match::Several(places) => places[0],
                Match::None => return None,
            };
            among.remove(at);
        }
        Some(missing)
    }

    /// Tries picks one after the other, in any order where their order does not count. Of several ways that fail, the first
    /// says why.
    fn try_picks(&self, session: &Session, parts: &[&str], picked: &mut Vec<String>, left: &mut usize) -> Attempt {
        let Some(open) = session.decision() else { return Attempt::Complete };
        let options = self.written_in(session, open);
        let is_ordered = open.among.is_empty();
        let mut refused = None;
        for at in 0..parts.len() {
            if parts[..at].contains(&parts[at]) {
                continue;
            }
            let part = parts[at];
            let places = match matching::find(&options, part) {
                Match::One(place) => vec![place],
                Match::Several(places) => places,
                Match::None => {
                    let behind =
                        if picked.is_empty() { String::new() } else { format!(" after `{}`", picked.join(" + ")) };
                    let all = match options.len() {
                        1 => "the one option".to_owned(),
                        all => format!("the {all} options"),
                    };
                    refused.get_or_insert_with(|| format!("`{part}` is not among {all}{behind}"));
                    Vec::new()
                }
            };
            let mut rest = parts.to_vec();
            rest.remove(at);
            for place in places {
                if rest.is_empty() {
                    return Self::after_last_pick(session, open, place);
                }
                if *left == 0 {
                    return Attempt::Refused(format!("{MOST_TRIED} ways to pick them were tried"));
                }
                *left -= 1;
                picked.push(options[place].clone());
                let result = self.try_rest(session, place, &rest, picked, left);
                picked.pop();
                match result {
                    Attempt::Refused(why) => drop(refused.get_or_insert(why)),
                    done => return done,
                }
            }
            if is_ordered {
                break;
            }
        }
        Attempt::Refused(refused.unwrap_or_else(|| "nothing is named".to_owned()))
    }

    fn try_rest(
        &self,
        session: &Session,
        place: usize,
        rest: &[&str],
        picked: &mut Vec<String>,
        left: &mut usize,
    ) -> Attempt {
        let Some(open) = session.decision() else { return Attempt::Complete };
        let mut fork = session.fork();
        if fork.choose(place).is_err() {
            return Attempt::Refused(format!("`{}` is refused", picked.join(" + ")));
        }
        match fork.status() {
            Status::Failed(_) => Attempt::Complete,
            Status::Waiting(next)
                if next.seat == open.seat && next.id == open.id && next.picked.len() == open.picked.len() + 1 =>
            {
                self.try_picks(&fork, rest, picked, left)
            }
            _ => {
                let whole =
                    [picked.as_slice(), &rest.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>()].concat();
                if self.was_picked_in(&fork, session.events().len(), (open.seat, open.id), &whole.join(" + ")) {
                    return Attempt::Complete;
                }
                Attempt::Refused(format!("too many: nothing more is asked after `{}`", picked.join(" + ")))
            }
        }
    }

    /// What comes of the last pick.
    fn after_last_pick(session: &Session, open: &Decision, place: usize) -> Attempt {
        let is_done = open.pass.is_some() && place == open.options.len();
        let missing = open.missing().saturating_sub(1);
        if is_done || missing == 0 || open.picks.is_none() || session.decision().is_none() {
            return Attempt::Complete;
        }
        Attempt::Begun(missing)
    }

    pub(super) fn offers(&mut self, statement: &Statement, seat: &str, decision: &str, count: u64) -> Checked {
        self.checks += 1;
        let options = self.asked(statement, seat, decision)?;
        if options.len() as u64 == count {
            return Ok(());
        }
        let are = if options.len() == 1 { "1 option is".to_owned() } else { format!("{} options are", options.len()) };
        let found = fail(statement, "offers", format!("{are} offered, not {count}"), "another number");
        let asked = self.session().decision().map(|open| open.seat);
        Err(self.with_options(found, &options, "", asked))
    }

    /// Adds what is offered, nearest first, and the table as the seat that is asked knows it.
    pub(super) fn with_options(
        &self,
        found: Box<Diagnostic>,
        options: &[String],
        given: &str,
        seat: Option<Seat>,
    ) -> Box<Diagnostic> {
        let offered = matching::nearest_first(options, given).join(" | ");
        self.with_table(with_detail(found, "offered", vec![offered]), seat)
    }

    // ----- as recorded

    /// Compares the table with the fingerprint of a recording.
    pub(super) fn check_mark(&mut self, statement: &Statement, mark: Option<u64>, after: &[&Statement]) -> Checked {
        let Some(mark) = mark else { return Ok(()) };
        self.checks += 1;
        let now = self.session().fingerprint();
        if now == mark {
            return Ok(());
        }
        let message = format!("the game goes another way here: the table is {now:016x}, not {mark:016x}");
        let found = fail(statement, WENT_ANOTHER_WAY, message, "the first line after which the recording differs");
        let found = self.with_both_tables(found, after);
        Err(with_help(found, Some("if the change is wanted, `parlour test --bless` records the game anew".to_owned())))
    }

    /// Adds the table as recorded beside the table now; what follows the line says what had changed on the recorded one.
    fn with_both_tables(&self, found: Box<Diagnostic>, after: &[&Statement]) -> Box<Diagnostic> {
        let mut recorded = self.recorded.clone();
        for statement in after {
            let What::Table { rows, .. } = &statement.what else { break };
            recorded.extend(rows.iter().cloned());
        }
        if recorded.is_empty() {
            return self.with_table(found, None);
        }
        let now = self.rows();
        let places: BTreeSet<&String> = recorded.keys().chain(now.keys()).collect();
        let is = |table: &BTreeMap<String, String>, place: &String| match table.get(place) {
            Some(content) if !content.is_empty() => content.clone(),
            _ => "–".to_owned(),
        };
        let mut lines: Vec<[String; 3]> = vec![[String::new(), "recorded".to_owned(), "now".to_owned()]];
        for place in places {
            let (before, after) = (is(&recorded, place), is(&now, place));
            if before != after {
                lines.push([place.clone(), before, after]);
            }
        }
        let more = lines.len().saturating_sub(MOST_ROWS + 1);
        lines.truncate(MOST_ROWS + 1);
        let mut lines = columns(&lines);
        if more > 0 {
            lines.push(format!("… and {more} more"));
        }
        if lines.len() == 1 {
            return with_detail(found, "the two tables differ in nothing that is written down here", Vec::new());
        }
        with_detail(found, "the two tables, where they differ", lines)
    }

    /// The whole table in rows, in few letters.
    fn rows(&self) -> BTreeMap<String, String> {
        self.session().listing(None).into_iter().map(|row| (row.place.clone(), row.brief())).collect()
    }

    pub(super) fn check_rows(&mut self, statement: &Statement, rows: &[(String, String)]) -> Checked {
        self.checks += 1;
        let now = self.rows();
        for (place, wanted) in rows {
            let is = now.get(place).map_or("", String::as_str);
            if is != wanted {
                let say =
                    |content: &str| if content.is_empty() { "nothing".to_owned() } else { format!("`{content}`") };
                let message = format!("`{place}` has {}, expected {}", say(is), say(wanted));
                return Err(self.with_table(fail(statement, "expect", message, "is not so"), None));
            }
        }
        Ok(())
    }
}

/// An answer behind what stands before it.
fn after(answer: &str) -> String {
    if answer.is_empty() { String::new() } else { format!(" {answer}") }
}

/// Three columns, as wide as what stands in them.
fn columns(rows: &[[String; 3]]) -> Vec<String> {
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1)];
    let padded = |text: &str, width: usize| format!("{text}{}", " ".repeat(width - text.chars().count()));
    let line =
        |row: &[String; 3]| format!("{}  {}  {}", padded(&row[0], widths[0]), padded(&row[1], widths[1]), row[2]);
    rows.iter().map(|row| line(row).trim_end().to_owned()).collect()
}
