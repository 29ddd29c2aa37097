//! Looking back: the game as it was at a moment, and what was written down then.

use super::Answer;
use super::host::Host;
use super::showing::LATEST;
use crate::model::{Language, Seat};
use crate::phrases::{Phrases, filled};
use crate::session::Session;
use crate::web::links::Viewer;
use crate::web::pages::base;
use crate::web::piece::Drawing;
use crate::web::scene::{Looking, view_of, wording_of};
use minijinja::context;
use minijinja::value::{Serde, Value};
use std::collections::BTreeSet;

/// The longest note, in characters.
const LONGEST_NOTE: usize = 1_000;

impl Host {
    /// The moments that a viewer has seen: those at which what it sees, or is told, has changed.
    pub(super) fn moments(&mut self, viewer: Viewer) -> Vec<usize> {
        let answers = self.table.session().answers().len();
        if let Some((_, known)) = self.moments.get(&viewer).filter(|(then, _)| *then == answers) {
            return known.clone();
        }
        let mut found = Vec::new();
        let mut before = None;
        let mut see = |at: usize, session: &Session| {
            let told = wording_of(session, viewer, Language::English).heard(session.events());
            let seen = (view_of(session, viewer).digest(), told);
            if before != Some(seen) {
                found.push(at);
                before = Some(seen);
            }
        };
        if self.table.pass_through(&mut see).is_err() {
            return vec![answers];
        }
        self.moments.insert(viewer, (answers, found.clone()));
        found
    }

    pub(super) fn moment(&mut self, viewer: Viewer, language: Language, at: Option<usize>) -> Answer {
        let moments = self.moments(viewer);
        let last = moments.len().saturating_sub(1);
        let at = at.unwrap_or(last).min(last);
        let answers = moments.get(at).copied().unwrap_or_default();
        Answer::Html(match self.table.as_of(answers) {
            Ok(session) => self.moment_page(&session, viewer, language, (at + 1, moments.len())),
            Err(why) => return Answer::Refused(why.message),
        })
    }

    pub(super) fn moment_page(
        &self,
        session: &Session,
        viewer: Viewer,
        language: Language,
        (at, count): (usize, usize),
    ) -> String {
        let web = &Phrases::of(language).web;
        let wording = wording_of(session, viewer, language);
        let offered = BTreeSet::new();
        let faces = self.faces(language);
        let drawing = Drawing { faces: &faces, wording: &wording, model: session.model(), language };
        let scene = Looking::new(session, viewer, drawing, &offered, None).scene();
        let log = Self::log(session, viewer, language);
        let log = &log[log.len().saturating_sub(LATEST)..];
        let moment = filled(web.moment, &[("at", &at), ("count", &count)]);
        self.pages.render(
            "moment.html",
            context! {
                scene => Value::from(Serde(&scene)),
                log => Value::from(Serde(log)),
                moment, at, count,
                style => faces.style_name(),
                state => Self::state(session, viewer, language, false),
                ..base(language)
            },
        )
    }

    pub(super) fn note(&mut self, viewer: Viewer, text: &str) -> Answer {
        let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text: String = text.chars().take(LONGEST_NOTE).collect();
        if text.is_empty() {
            return Answer::Done;
        }
        if let Some((_, sign)) = crate::diagnostic::unseen_in(&text) {
            return Answer::Refused(crate::diagnostic::unseen_message(sign));
        }
        let seat = match viewer {
            Viewer::Seat(seat) => Some(Seat(seat)),
            Viewer::Onlooker | Viewer::Host => None,
        };
        let result = self.table.note(seat, &text);
        self.show();
        result.map_or_else(|why| Answer::Refused(why.message), |()| Answer::Done)
    }

    /// The notes of a seat; for the host all of them. Each leads to the moment as its writer saw it.
    pub(super) fn notes_page(&mut self, viewer: Viewer, language: Language) -> String {
        let own = match viewer {
            Viewer::Seat(seat) => Some(Seat(seat)),
            Viewer::Onlooker | Viewer::Host => None,
        };
        let all: Vec<_> = self.table.notes().to_vec();
        let moments = self.moments(viewer);
        let notes: Vec<Value> = all
            .into_iter()
            .filter(|note| viewer == Viewer::Host || note.seat == own)
            .map(|note| {
                let name = note.seat.map(|seat| self.table.setup().name(seat).to_owned());
                let at = moments.iter().rposition(|moment| *moment <= note.answers).unwrap_or_default();
                context! { name, at, text => note.text }
            })
            .collect();
        self.pages.render("notes.html", context! { notes, ..base(language) })
    }
}
