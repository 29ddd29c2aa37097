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
        let log = log_of(session, viewer, language);
        let log = &log[log.len().saturating_sub(LATEST)..];
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
                log => Value::from(Serde(log)),
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
        let next = self.table.following().filter(|_| viewer != Viewer::Onlooker)?;
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
        Some(context! {
            headings => closing.headings,
            rows => closing.rows,
            remarks => closing.workings.into_iter().chain(closing.remarks).collect::<Vec<_>>(),
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

/// What is said with so much room before it, and more within it, is a row of a grid, whose characters stand one below the other.
const DRAWN: usize = 6;

/// What happened, as a viewer reads it.
pub(super) fn log_of(session: &Session, viewer: Viewer, language: Language) -> Vec<LogLine> {
    let lines = wording_of(session, viewer, language).narrate(session.events());
    let mut log: Vec<LogLine> = Vec::new();
    for line in &lines {
        let text = line.trim_start();
        let level = match line.len() - line.trim_start_matches(' ').len() {
            _ if line.starts_with('\n') => 0,
            2 => 1,
            DRAWN.. if text.contains("  ") => 3,
            _ => 2,
        };
        match log.last_mut() {
            Some(LogLine { level: 3, text: rows }) if level == 3 => {
                rows.push('\n');
                rows.push_str(&line[DRAWN..]);
            }
            _ => {
                let text = if level == 3 { &line[DRAWN..] } else { text };
                log.push(LogLine { level, text: text.to_owned() });
            }
        }
    }
    log
}

/// A line of the log.
#[derive(Debug, Clone, Serialize)]
pub(super) struct LogLine {
    /// 0 for a round, 1 for a phase, 2 for what happened, 3 for the rows of a grid.
    pub(super) level: u8,
    pub(super) text: String,
}
