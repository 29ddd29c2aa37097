//! Choices of a play: which option a line means, what was offered, and whether the table is then as recorded.

use super::matching::{self, Match};
use super::play::{Statement, What};
use super::runner::{Checked, Runner, decision_named, fail, seat_named, with_detail, with_help};
use super::words;
use crate::diagnostic::Diagnostic;
use crate::model::Seat;
use crate::session::{Decision, Happening, Pass, Status};
use indexmap::IndexSet;
use std::collections::{BTreeMap, BTreeSet};

/// The code of a table that is not as recorded.
pub(super) const WENT_ANOTHER_WAY: &str = "went-another-way";

/// The most rows in which two tables are said to differ.
const MOST_ROWS: usize = 40;

impl Runner<'_> {
    /// The options of a decision in the short form of plays.
    pub(super) fn written(&self, decision: &Decision) -> Vec<String> {
        let wording = self.wording().for_seat(decision.seat);
        let table = self.session().table();
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
            Status::Failed(diagnostic) => Err(diagnostic.clone()),
        }
    }

    pub(super) fn choose(&mut self, statement: &Statement, seat: &str, decision: &str, answer: &str) -> Checked {
        if self.was_forced(statement) {
            return Ok(());
        }
        let mut parts = self.in_order(seat, decision, answer.split(" + ").collect()).into_iter();
        let first = parts.next().unwrap_or_default();
        self.pick(statement, seat, decision, first)?;
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

    /// Whether that was picked in all, with what was picked without a question because there was no other.
    fn was_picked(&self, seat: &str, decision: &str, answer: &str) -> bool {
        let session = self.session();
        let model = session.model();
        let chosen = session.events()[self.seen..].iter().rev().find_map(|event| match &event.what {
            Happening::Chose { seat: who, decision: id, choice, looks }
                if self.setup.name(*who) == seat && *model.decisions[id.index()].id == *decision =>
            {
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
                Err(self.with_options(found, &options, answer, asked))
            }
        }
    }

    fn answer(&mut self, statement: &Statement, at: usize) -> Checked {
        self.look();
        let session = self.session.as_mut().expect("play has begun");
        self.seen = session.events().len();
        self.forced = self.seen + 1;
        session.choose(at).map_err(|error| fail(statement, "not-offered", error.to_string(), "refused"))?;
        self.not_failed()
    }

    /// Whether a choice was taken already because there was no other: a line may name it or leave it out. A line with a
    /// fingerprint was written by a recording, which leaves such choices out.
    pub(super) fn was_forced(&mut self, statement: &Statement) -> bool {
        let What::Choice { seat, decision, answer, mark: None } = &statement.what else { return false };
        let session = self.session();
        let model = session.model();
        for (at, event) in session.events().iter().enumerate().skip(self.forced) {
            let Happening::Chose { seat: who, decision: id, choice, looks } = &event.what else { continue };
            if self.setup.name(*who) != *seat || *model.decisions[id.index()].id != **decision {
                continue;
            }
            let written = self.wording().for_seat(*who).written_answer(*id, choice, looks);
            if matching::find(&[written], answer) == Match::One(0) {
                self.forced = at + 1;
                return true;
            }
        }
        false
    }

    pub(super) fn reject(&mut self, statement: &Statement, seat: &str, decision: &str, answer: &str) -> Checked {
        self.checks += 1;
        let options = self.asked(statement, seat, decision)?;
        if matching::find(&options, answer) == Match::None {
            return words::known(statement, decision, answer, self.session().model(), &self.setup);
        }
        let found = fail(statement, "offered", format!("`{answer}` is offered"), "must not be");
        let asked = self.session().decision().map(|open| open.seat);
        Err(self.with_options(found, &options, answer, asked))
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

    /// Adds what is offered, nearest first, and the table as the seat that is asked sees it.
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

/// Three columns, as wide as what stands in them.
fn columns(rows: &[[String; 3]]) -> Vec<String> {
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1)];
    let padded = |text: &str, width: usize| format!("{text}{}", " ".repeat(width - text.chars().count()));
    let line =
        |row: &[String; 3]| format!("{}  {}  {}", padded(&row[0], widths[0]), padded(&row[1], widths[1]), row[2]);
    rows.iter().map(|row| line(row).trim_end().to_owned()).collect()
}
