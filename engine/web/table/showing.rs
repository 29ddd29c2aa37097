//! The page of a table, made anew whenever something has changed.

use super::Standing;
use super::host::Host;
use super::past::Played;
use crate::desk::account::Account;
use crate::model::{AUTOMA, Language, Seat};
use crate::phrases::{Phrases, filled};
use crate::session::{Session, Status};
use crate::web::links::Viewer;
use crate::web::pages::base;
use crate::web::piece::Drawing;
use crate::web::question::Question;
use crate::web::scene::{SceneBuilder, view_of, wording_of};
use minijinja::context;
use minijinja::value::{Serde, Value};
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError};

/// So many lines of the log stand beside the table.
pub(super) const LATEST: usize = 60;

impl Host {
    /// Makes the pages of those who look, and notifies those whose have changed.
    pub(super) fn show(&self) {
        self.publish();
        let made: Vec<(Viewer, &'static str)> =
            self.shown.pages.lock().unwrap_or_else(PoisonError::into_inner).keys().copied().collect();
        self.render(&made);
    }

    /// Makes pages, and puts them all up at once: nobody sees a table that others do not see yet.
    pub(super) fn render(&self, viewers: &[(Viewer, &'static str)]) {
        let page = |(viewer, tag): &(Viewer, &'static str)| {
            let page: Arc<str> = self.table_page(*viewer, Language::from_tag(tag).unwrap_or_default()).into();
            ((*viewer, *tag), page)
        };
        let made: Vec<_> = viewers.iter().map(page).collect();
        let mut changed = BTreeSet::new();
        let mut pages = self.shown.pages.lock().unwrap_or_else(PoisonError::into_inner);
        for (place, page) in made {
            let before = pages.insert(place, page.clone());
            if before.is_some_and(|before| before != page) {
                changed.insert(place.0);
            }
        }
        drop(pages);
        for changes in changed.iter().filter_map(|viewer| self.shown.changes.get(viewer)) {
            changes.send_modify(|number| *number += 1);
        }
    }

    /// What was played is there for those who look back.
    pub(super) fn publish(&self) {
        let session = self.table.session();
        let asked = session.decision().map(|decision| decision.seat).filter(|seat| !self.table.is_agent(*seat));
        let model = session.model();
        let names = self.table.seating().shown();
        let agent = |seat: Seat| match self.table.is_agent(seat) {
            _ if model.automas.contains(&seat) => Some(AUTOMA.to_owned()),
            true => Some(names[seat.index()].clone()),
            false => None,
        };
        *self.shown.standing() = Standing {
            agents: model.all_seats().map(agent).collect(),
            asked,
            // Nobody counts answers that are hidden until all have answered.
            choices: self.table.asked().len().saturating_sub(session.pending_answers()),
            is_over: session.outcome().is_some(),
        };
        *self.shown.played() = Some(Played {
            game: (self.tokens.rules(), self.table.game().clone()),
            setup: self.table.setup().clone(),
            acts: session.acts(),
            notes: self.table.notes(),
        });
    }

    pub(super) fn table_page(&self, viewer: Viewer, language: Language) -> String {
        let session = self.table.session();
        let web = &Phrases::of(language).web;
        let question = self.question(viewer, language);
        let wording = wording_of(session, viewer, language);
        let offered = question.as_ref().map(Question::marks).unwrap_or_default();
        let asked = question.as_ref().and(match viewer {
            Viewer::Seat(seat) => Some(Seat(seat)),
            _ => None,
        });
        let game = (self.tokens.rules(), self.table.game().clone());
        let faces = self.shown.faces_of(&game, session, language);
        let drawing = Drawing { faces: &faces, wording: &wording, model: session.model(), language };
        let played_by = self.played_by(language);
        let scene = SceneBuilder::new(session, viewer, drawing, &offered, asked).played_by(&played_by).scene();
        let log = chapters(&log_of(session, viewer, language), LATEST);
        let undo = self.undo_part(viewer, language);
        // Hands may be looked at once the game is over.
        let may_undo = matches!(viewer, Viewer::Seat(seat) if self.table.asked().contains(&Seat(seat)))
            && session.outcome().is_none();
        let undo_token = match viewer {
            Viewer::Seat(seat) if may_undo => self.tokens.undo(self.answers_of(Seat(seat))),
            _ => String::new(),
        };
        let host = (viewer == Viewer::Host).then(|| self.host_part(language));
        self.pages.render(
            "table.html",
            context! {
                scene => Value::from(Serde(&scene)),
                question => Value::from(Serde(&question)),
                log => Value::from(Serde(&log)),
                undo, may_undo, undo_token, host,
                table_token => self.tokens.table(),
                style => faces.style_name(),
                saved => self.saved_part(viewer, language),
                ending => self.ending(language),
                next => self.next(viewer, language),
                state => state(session, viewer, language, asked.map(|_| web.your_turn)),
                is_mine => asked.is_some(),
                seat => matches!(viewer, Viewer::Seat(_)),
                ..base(language)
            },
        )
    }

    /// What the game is called that follows in the campaign, for a viewer who may go on with it.
    fn next(&self, viewer: Viewer, language: Language) -> Option<String> {
        let next = self.table.next_setup().filter(|_| viewer != Viewer::Onlooker)?;
        let model = self.table.session().model();
        let (option, word) = next.options.last()?;
        let wording = wording_of(self.table.session(), viewer, language);
        model.campaign.as_ref().filter(|campaign| *campaign.option == **option)?;
        Some(filled(Phrases::of(language).web.next_game, &[("scenario", &wording.chosen_option(option, word))]))
    }

    pub(super) fn ending(&self, language: Language) -> Option<Value> {
        let session = self.table.session();
        let outcome = session.outcome()?;
        let closing = Account::new(session.model(), session.setup(), language).closing(outcome);
        let names: Vec<&str> = session.model().all_seats().map(|seat| session.setup().name(seat)).collect();
        let sides: Vec<Value> = closing
            .rows
            .iter()
            .map(|row| {
                let [rank, name, score, parts @ ..] = &row[..] else { return Value::UNDEFINED };
                let seat = names.iter().position(|known| known == name);
                context! { name, score, parts => parts.to_vec(), seat, wins => rank == "1" }
            })
            .collect();
        let mut remarks = closing.remarks;
        let headline = remarks.pop();
        Some(context! {
            headline, sides, remarks,
            score => closing.headings.get(2),
            parts => closing.headings.get(3..).unwrap_or_default().to_vec(),
            workings => closing.workings,
        })
    }
}

/// Where the game stands, in a line: the round, the phase, and whose turn everybody knows it to be; a viewer who is asked sees that
/// instead.
pub(super) fn state(session: &Session, viewer: Viewer, language: Language, asked: Option<&str>) -> Vec<String> {
    let web = &Phrases::of(language).web;
    let view = view_of(session, viewer);
    let wording = wording_of(session, viewer, language);
    let mut parts = Vec::new();
    match session.status() {
        Status::Waiting(_) => {
            if view.round() > 0 {
                parts.push(wording.round(view.round()));
            }
            let phase = view.phase().map(|phase| session.model().phases[phase.index()].name.get(language).to_owned());
            parts.extend(phase);
            let own = match viewer {
                Viewer::Seat(seat) => Some(Seat(seat)),
                _ => None,
            };
            parts.push(match (asked, view.active().filter(|active| Some(*active) != own)) {
                (Some(asked), _) => asked.to_owned(),
                (None, Some(active)) => filled(web.turn_of, &[("name", &wording.seat(active))]),
                (None, None) => web.others_choose.to_owned(),
            });
        }
        Status::Over(_) => parts.push(web.over.to_owned()),
        Status::Failed(_) => {
            parts.push(if viewer == Viewer::Host { web.failed_host } else { web.failed }.to_owned());
        }
        Status::Resting => {}
    }
    parts
}

/// Sign between the place that pieces leave and the place where they arrive, in every language.
const ARROW: &str = " → ";

/// What is said with so much room before it, and more within it, is a row of a grid, whose characters stand one below the other.
const DRAWN: usize = 6;

/// Renders the events of a session as log lines, as one viewer may read them, oldest first.
pub(super) fn log_of(session: &Session, viewer: Viewer, language: Language) -> Vec<LogLine> {
    let wording = wording_of(session, viewer, language);
    let names: Vec<&str> = session.model().all_seats().map(|seat| wording.seat(seat)).collect();
    let dash = Phrases::of(language).log.dash;
    let mut log: Vec<LogLine> = Vec::new();
    for line in &wording.narrate(session.events()) {
        let text = line.trim_start();
        let indent = line.len() - line.trim_start_matches(' ').len();
        let level = match indent {
            _ if line.starts_with('\n') => 0,
            2 => 1,
            DRAWN.. if text.contains("  ") => 3,
            _ => 2,
        };
        match log.last_mut() {
            Some(LogLine { level: 3, text: rows, .. }) if level == 3 => {
                rows.push('\n');
                rows.push_str(&line[DRAWN..]);
            }
            _ if level == 3 => log.push(LogLine { is_drawing: true, ..LogLine::new(3, &line[DRAWN..]) }),
            _ if indent >= DRAWN => log.push(LogLine { is_drawing: true, ..LogLine::new(2, text) }),
            _ if level == 2 => log.push(LogLine::parse(text, &names, dash)),
            _ => log.push(LogLine::new(level, text)),
        }
    }
    log
}

/// Groups the last `most` lines of a log under their rounds and phases: the newest chapter first, and in it the newest line.
pub(super) fn chapters(log: &[LogLine], most: usize) -> Vec<Chapter> {
    let is_counted = |line: &&LogLine| line.level > 1 && !line.is_drawing;
    let mut skipped = log.iter().filter(is_counted).count().saturating_sub(most);
    let mut chapters: Vec<Chapter> = Vec::new();
    let mut round = String::new();
    for line in log {
        match line.level {
            0 => {
                round.clone_from(&line.text);
                chapters.push(Chapter { title: round.clone(), lines: Vec::new() });
            }
            1 => {
                let parts = [&round[..], &line.text].into_iter().filter(|part| !part.is_empty());
                let title = parts.collect::<Vec<_>>().join(" · ");
                match chapters.last_mut().filter(|chapter| chapter.lines.is_empty()) {
                    Some(chapter) => chapter.title = title,
                    None => chapters.push(Chapter { title, lines: Vec::new() }),
                }
            }
            _ if line.is_drawing => {
                let above = chapters.last_mut().and_then(|chapter| chapter.lines.last_mut());
                if let Some(LogLine { rows, .. }) = above {
                    if !rows.is_empty() {
                        rows.push('\n');
                    }
                    rows.push_str(&line.text);
                }
            }
            _ if skipped > 0 => skipped -= 1,
            _ => {
                if chapters.is_empty() {
                    chapters.push(Chapter { title: round.clone(), lines: Vec::new() });
                }
                if let Some(chapter) = chapters.last_mut() {
                    chapter.lines.push(line.clone());
                }
            }
        }
    }
    // The heading of what has just begun stays without a line.
    let last = chapters.len().saturating_sub(1);
    let mut at = 0;
    chapters.retain(|chapter| {
        at += 1;
        !chapter.lines.is_empty() || at > last
    });
    for chapter in &mut chapters {
        chapter.lines.reverse();
    }
    chapters.reverse();
    chapters
}

/// Lines of the log under one heading.
#[derive(Debug, Serialize)]
pub(super) struct Chapter {
    title: String,
    lines: Vec<LogLine>,
}

/// A line of the log.
#[derive(Debug, Clone, Serialize)]
pub(super) struct LogLine {
    /// 0 for a round, 1 for a phase, 2 for what happened, 3 for the rows of a grid.
    pub(super) level: u8,
    /// The whole line.
    pub(super) text: String,
    /// The seat that the line begins with.
    seat: Option<usize>,
    /// The name of that seat as written in the line.
    subject: String,
    /// The sentence behind the subject.
    sentence: String,
    /// What moved, where a sentence stands before it.
    moves: String,
    /// The drawing of a grid that stands below the line, with its legend.
    rows: String,
    /// Whether the line belongs to such a drawing.
    is_drawing: bool,
}

impl LogLine {
    fn new(level: u8, text: &str) -> Self {
        let (subject, sentence, moves, rows) = Default::default();
        Self { level, text: text.to_owned(), seat: None, subject, sentence, moves, rows, is_drawing: false }
    }

    /// Takes a line apart: who acts, the sentence, and the moves behind the dash.
    fn parse(text: &str, names: &[&str], dash: &str) -> Self {
        if !text.contains(dash) && text.contains(ARROW) {
            // Nobody says a sentence about these moves.
            return Self { moves: text.to_owned(), ..Self::new(2, text) };
        }
        let (said, moves) = text.split_once(dash).unwrap_or((text, ""));
        // Of two names one of which begins with the other, the longer one is meant.
        let begins = names.iter().enumerate().filter(|(_, name)| said.starts_with(**name));
        let seat = begins.max_by_key(|(_, name)| name.len());
        let subject = seat.map_or("", |(_, name)| *name);
        Self {
            seat: seat.map(|(seat, _)| seat),
            subject: subject.to_owned(),
            sentence: said[subject.len()..].to_owned(),
            moves: moves.to_owned(),
            ..Self::new(2, text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_grouped_newest_first_and_taken_apart() {
        let line = |text: &str| LogLine::parse(text, &["Ann", "Annabel"], " — ");
        let drawn = |text: &str| LogLine { is_drawing: true, ..LogLine::new(3, text) };
        let log = [
            LogLine::new(0, "Round 1"),
            LogLine::new(1, "Play"),
            line("Ann plays 7 — Ann's Hand → Table: 7"),
            LogLine::new(0, "Round 2"),
            LogLine::new(1, "Play"),
            line("Board"),
            drawn("1 2"),
            drawn("3 4"),
            line("Annabel passes"),
            line("Ann's Hand → Box: 3"),
            LogLine::new(0, "Round 3"),
        ];
        let all = chapters(&log, 9);
        let titles: Vec<&str> = all.iter().map(|chapter| &*chapter.title).collect();
        assert_eq!(titles, ["Round 3", "Round 2 · Play", "Round 1 · Play"]);
        let [moved, passes, board] = &all[1].lines[..] else { panic!("{all:?}") };
        // Moves that nobody says a sentence about are nobody's.
        assert_eq!((moved.seat, &*moved.sentence, &*moved.moves), (None, "", "Ann's Hand → Box: 3"));
        assert_eq!((passes.seat, &*passes.subject, &*passes.sentence), (Some(1), "Annabel", " passes"));
        assert_eq!((board.seat, &*board.rows), (None, "1 2\n3 4"));
        let plays = &all[2].lines[0];
        assert_eq!((plays.seat, &*plays.sentence, &*plays.moves), (Some(0), " plays 7", "Ann's Hand → Table: 7"));
        // Drawings do not count among the latest lines.
        let latest: Vec<usize> = chapters(&log, 3).iter().map(|chapter| chapter.lines.len()).collect();
        assert_eq!(latest, [0, 3]);
    }
}
