//! Renders the page of a table whenever something has changed.

use super::Standing;
use super::beats::playback;
use super::host::Host;
use super::log_lines::{LATEST, chapters, log_of};
use super::past::GameHistory;
use crate::desk::result_formatter::ResultFormatter;
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
use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError};

impl Host {
    /// Renders all pages that have been requested before, and notifies the viewers whose pages have changed.
    pub(super) fn show(&self) {
        self.publish();
        let made: Vec<(Viewer, &'static str)> =
            self.shown.pages.lock().unwrap_or_else(PoisonError::into_inner).keys().copied().collect();
        self.render(&made);
    }

    /// Renders the pages of these viewers and replaces all of them at once, so that no viewer sees a change before the others. Notifies the
    /// viewers whose pages have changed.
    pub(super) fn render(&self, viewers: &[(Viewer, &'static str)]) {
        let page = |(viewer, tag): &(Viewer, &'static str)| {
            let language = Language::from_tag(tag).unwrap_or_default();
            let page: Arc<str> = self.table_page(self.places.seated(*viewer), language).into();
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

    /// Publishes the game for the thread that looks back, and the summary for the lobby.
    pub(super) fn publish(&self) {
        let session = self.table.session();
        let model = session.model();
        let asked =
            model.all_seats().filter(|seat| self.is_person_asked(*seat)).map(|seat| self.places.of(seat)).collect();
        let names = self.table.seating().shown();
        let agent = |seat: Seat| match self.table.is_agent(seat) {
            _ if model.automas.contains(&seat) => Some(AUTOMA.to_owned()),
            true => Some(names[seat.index()].clone()),
            false => None,
        };
        *self.shown.standing() = Standing {
            agents: self.places.by_place(model.all_seats().map(agent)),
            asked,
            // A count that includes hidden answers would tell viewers that somebody has answered.
            choices: self.table.asked().len().saturating_sub(session.pending_answers()),
            is_over: session.outcome().is_some(),
        };
        *self.shown.played() = Some(GameHistory {
            game: (self.tokens.rules(), self.table.game().clone()),
            setup: self.table.setup().clone(),
            acts: session.acts(),
            notes: self.table.notes(),
            places: self.places.clone(),
        });
    }

    /// Renders the page of a viewer.
    pub(super) fn table_page(&self, viewer: Viewer, language: Language) -> String {
        let session = self.table.session();
        let web = &Phrases::for_language(language).web;
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
        // Once the game is over, players may have seen all hands, so no choice can be taken back.
        let may_undo =
            matches!(viewer, Viewer::Seat(seat) if self.answers_of(Seat(seat)) > 0) && session.outcome().is_none();
        let undo_token = match viewer {
            Viewer::Seat(seat) if may_undo => self.tokens.undo(Seat(seat), self.answers_of(Seat(seat))),
            _ => String::new(),
        };
        let answered = match viewer {
            Viewer::Seat(seat) => self.answers.get(Seat(seat)).map(|own| own.worded(language)),
            _ => None,
        };
        let answered = answered.unwrap_or_default();
        let playback = playback(session, viewer, language, &faces);
        let host = (viewer == Viewer::Host).then(|| self.host_part(language));
        self.pages.render(
            "table.html",
            context! {
                scene => Value::from(Serde(&scene)),
                question => Value::from(Serde(&question)),
                log => Value::from(Serde(&log)),
                playback => Value::from(Serde(&playback)),
                undo, may_undo, undo_token, host, answered,
                table_token => self.tokens.table(),
                style => faces.style_name(),
                saved => self.saved_part(viewer, language),
                ending => self.ending(language),
                next => self.next(viewer, language),
                may_play_again => viewer != Viewer::Onlooker && self.table.can_play_again(),
                rotates_seats => self.table.rotates_seats(),
                state => state(session, viewer, language, asked.map(|_| web.your_turn)),
                is_mine => asked.is_some(),
                who => viewer.path(),
                seat => matches!(viewer, Viewer::Seat(_)),
                ..base(language)
            },
        )
    }

    /// Returns the text that offers the next game of the campaign. Returns `None` for onlookers, or if there is no next game.
    fn next(&self, viewer: Viewer, language: Language) -> Option<String> {
        let next = self.table.next_setup().filter(|_| viewer != Viewer::Onlooker)?;
        let model = self.table.session().model();
        let (option, word) = next.options.last()?;
        let wording = wording_of(self.table.session(), viewer, language);
        model.campaign.as_ref().filter(|campaign| *campaign.option == **option)?;
        Some(filled(
            Phrases::for_language(language).web.next_game,
            &[("scenario", &wording.chosen_option(option, word))],
        ))
    }

    /// Returns the template values of the result; `None` while the game is not over.
    pub(super) fn ending(&self, language: Language) -> Option<Value> {
        let session = self.table.session();
        let outcome = session.outcome()?;
        let closing = ResultFormatter::new(session.model(), session.setup(), language).format_result(outcome);
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

/// Returns the parts of the status line: the round, the phase and whose turn it is, or that the game is over or has failed. If `asked` is
/// given, it replaces the turn.
pub(super) fn state(session: &Session, viewer: Viewer, language: Language, asked: Option<&str>) -> Vec<String> {
    let web = &Phrases::for_language(language).web;
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
