//! Looking back: the game as it was at a moment, and what was written down then. That is done on a thread of its own, which plays the
//! game again: a viewer who looks back does not wait while an agent thinks.

use super::host::Host;
use super::showing::{LATEST, log_of, state};
use super::{Answer, Request, Shown, Wish};
use crate::desk::under_way::Note;
use crate::model::{Language, Seat};
use crate::phrases::{Phrases, filled};
use crate::session::{Game, Session, Setup};
use crate::web::links::Viewer;
use crate::web::pages::{Pages, base};
use crate::web::piece::Drawing;
use crate::web::scene::{SceneBuilder, view_of, wording_of};
use minijinja::context;
use minijinja::value::{Serde, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::mpsc::Receiver;

/// The longest note, in characters.
const LONGEST_NOTE: usize = 1_000;

/// A game as far as it was played.
#[derive(Clone)]
pub(super) struct Played {
    /// The game, and how many others were played by before it.
    pub(super) game: (u64, Game),
    pub(super) setup: Setup,
    pub(super) answers: Vec<u32>,
    pub(super) notes: Vec<Note>,
}

/// What the thread has that looks back.
pub(super) struct Past {
    pages: Arc<Pages>,
    shown: Arc<Shown>,
    /// What had been played when a viewer looked back last, and the game played again up to there.
    then: Option<(Played, Session)>,
    /// The moments that each viewer has seen, as numbers of answers.
    moments: BTreeMap<Viewer, Vec<usize>>,
}

impl Past {
    pub(super) const fn new(pages: Arc<Pages>, shown: Arc<Shown>) -> Self {
        Self { pages, shown, then: None, moments: BTreeMap::new() }
    }

    pub(super) fn run(&mut self, inbox: &Receiver<Request>) {
        while let Ok(Request { viewer, language, wish, reply }) = inbox.recv() {
            let answer = self.follow().and_then(|()| self.carry_out(viewer, language, &wish));
            // The browser that has asked may have gone.
            let _ = reply.send(answer.unwrap_or_else(Answer::Refused));
        }
    }

    fn carry_out(&mut self, viewer: Viewer, language: Language, wish: &Wish) -> Result<Answer, String> {
        let page = match wish {
            Wish::Moment { at, seat } => self.moment(viewer, language, *at, seat.map(Seat))?,
            Wish::Notes => self.notes_page(viewer, language)?,
            _ => self.log_page(viewer, language)?,
        };
        Ok(Answer::Html(page))
    }

    /// Plays after what was played since.
    fn follow(&mut self) -> Result<(), String> {
        let now = self.shown.played().clone().ok_or("nothing has been played")?;
        let known =
            self.then.take().filter(|(then, _)| then.game.0 == now.game.0 && now.answers.starts_with(&then.answers));
        let (before, mut session) = match known {
            Some((then, session)) => (then.answers.len(), session),
            None => (0, started(&now)?),
        };
        if before != now.answers.len() || before == 0 {
            self.moments.clear();
        }
        for answer in &now.answers[before..] {
            session.choose(*answer as usize).map_err(|error| error.to_string())?;
        }
        self.then = Some((now, session));
        Ok(())
    }

    fn then(&self) -> Result<(&Played, &Session), String> {
        self.then.as_ref().map(|(played, session)| (played, session)).ok_or_else(String::new)
    }

    /// The moments that a viewer has seen: those at which what it sees, or reads in its log, has changed, or whether it is asked.
    fn moments(&mut self, viewer: Viewer) -> Result<Vec<usize>, String> {
        if let Some(known) = self.moments.get(&viewer) {
            return Ok(known.clone());
        }
        let (played, _) = self.then()?;
        let mut session = started(played)?;
        let mut found = Vec::new();
        let mut before = None;
        let mut see = |at: usize, session: &Session| {
            let heard = wording_of(session, viewer, Language::English).heard(session.events());
            let seen = (view_of(session, viewer).digest(), heard, is_asked(session, viewer));
            if before != Some(seen) {
                found.push(at);
                before = Some(seen);
            }
        };
        see(0, &session);
        for (at, answer) in played.answers.iter().enumerate() {
            session.choose(*answer as usize).map_err(|error| error.to_string())?;
            see(at + 1, &session);
        }
        self.moments.insert(viewer, found.clone());
        Ok(found)
    }

    /// As whom a viewer sees what a seat has seen: the host as that seat, once the game is over. Until then the host may be one of those
    /// who play.
    fn seen_as(&self, viewer: Viewer, seat: Option<Seat>) -> Result<Viewer, String> {
        let session = self.then()?.1;
        let seat =
            seat.filter(|seat| viewer == Viewer::Host && session.model().all_seats().any(|known| known == *seat));
        Ok(seat.filter(|_| session.outcome().is_some()).map_or(viewer, |seat| Viewer::Seat(seat.0)))
    }

    /// What a moment is called that a viewer sees as `seen_as` does, and as which seat, where that is not the viewer's own.
    fn whose(&self, viewer: Viewer, seen_as: Viewer, language: Language) -> Result<(String, Option<u8>), String> {
        let web = &Phrases::of(language).web;
        Ok(match (viewer, seen_as) {
            (Viewer::Host, Viewer::Seat(seat)) => {
                (filled(web.then_of, &[("name", &self.then()?.0.setup.name(Seat(seat)))]), Some(seat))
            }
            (Viewer::Host, _) => (web.then_host.to_owned(), None),
            _ => (web.then.to_owned(), None),
        })
    }

    fn moment(
        &mut self,
        viewer: Viewer,
        language: Language,
        at: Option<usize>,
        seat: Option<Seat>,
    ) -> Result<String, String> {
        let seen_as = self.seen_as(viewer, seat)?;
        let moments = self.moments(seen_as)?;
        let last = moments.len().saturating_sub(1);
        let at = at.unwrap_or(last).min(last);
        let answers = moments.get(at).copied().unwrap_or_default();
        let mut session = self.then()?.1.fork();
        session.undo_to(answers).map_err(|error| error.to_string())?;
        let (then, seat) = self.whose(viewer, seen_as, language)?;
        self.moment_page(&session, seen_as, language, (at + 1, moments.len()), context! { then, seat })
    }

    fn moment_page(
        &self,
        session: &Session,
        viewer: Viewer,
        language: Language,
        (at, count): (usize, usize),
        whose: Value,
    ) -> Result<String, String> {
        let web = &Phrases::of(language).web;
        let wording = wording_of(session, viewer, language);
        let offered = BTreeSet::new();
        let faces = self.shown.faces_of(&self.then()?.0.game, session, language);
        let drawing = Drawing { faces: &faces, wording: &wording, model: session.model(), language };
        let scene = SceneBuilder::new(session, viewer, drawing, &offered, None).scene();
        let log = log_of(session, viewer, language);
        let log = &log[log.len().saturating_sub(LATEST)..];
        let moment = filled(web.moment, &[("at", &at), ("count", &count)]);
        Ok(self.pages.render(
            "moment.html",
            context! {
                scene => Value::from(Serde(&scene)),
                log => Value::from(Serde(log)),
                moment, at, count, whose,
                style => faces.style_name(),
                state => state(session, viewer, language, is_asked(session, viewer).then_some(web.your_turn_then)),
                ..base(language)
            },
        ))
    }

    fn log_page(&self, viewer: Viewer, language: Language) -> Result<String, String> {
        let log = log_of(self.then()?.1, viewer, language);
        Ok(self.pages.render("log.html", context! { log => Value::from(Serde(&log)), ..base(language) }))
    }

    /// The notes of a seat; for the host all of them. Each leads to the moment as its writer saw it, as far as the viewer may.
    fn notes_page(&mut self, viewer: Viewer, language: Language) -> Result<String, String> {
        let own = match viewer {
            Viewer::Seat(seat) => Some(Seat(seat)),
            Viewer::Onlooker | Viewer::Host => None,
        };
        let played = self.then()?.0.clone();
        let line = |note: &Note| {
            let seen_as = self.seen_as(viewer, note.seat)?;
            let moments = self.moments(seen_as)?;
            let at = moments.iter().rposition(|moment| *moment <= note.answers).unwrap_or_default();
            let name = note.seat.map(|seat| played.setup.name(seat).to_owned());
            let (then, seat) = self.whose(viewer, seen_as, language)?;
            Ok(context! { name, at, then, seat, text => note.text.clone() })
        };
        let shown = played.notes.iter().filter(|note| viewer == Viewer::Host || note.seat == own);
        let notes: Vec<Value> = shown.map(line).collect::<Result<_, String>>()?;
        Ok(self.pages.render("notes.html", context! { notes, ..base(language) }))
    }
}

/// Whether a viewer is who is asked.
fn is_asked(session: &Session, viewer: Viewer) -> bool {
    session.decision().is_some_and(|decision| viewer == Viewer::Seat(decision.seat.0))
}

fn started(played: &Played) -> Result<Session, String> {
    let started = Session::start(&played.game.1, &played.setup);
    started.map_err(|_| "the game does not begin any more".to_owned())
}

impl Host {
    pub(super) fn note(&mut self, viewer: Viewer, language: Language, text: &str) -> Answer {
        let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() {
            return Answer::Done;
        }
        let count = text.chars().count();
        if count > LONGEST_NOTE {
            let web = &Phrases::of(language).web;
            return Answer::Refused(filled(web.note_too_long, &[("most", &LONGEST_NOTE), ("count", &count)]));
        }
        if let Some((_, character)) = crate::diagnostic::unseen_in(&text) {
            return Answer::Refused(crate::diagnostic::unseen_message(character));
        }
        let seat = match viewer {
            Viewer::Seat(seat) => Some(Seat(seat)),
            Viewer::Onlooker | Viewer::Host => None,
        };
        let result = self.table.note(seat, &text);
        self.show();
        result.map_or_else(|why| Answer::Refused(why.message), |()| Answer::Done)
    }
}
