//! Looking back: the table at an earlier moment, the whole log, and the notes. A separate thread replays the game for these pages, so that
//! nobody who looks back waits for an agent.

use super::QueuedRequest;
#[cfg(feature = "web")]
use super::fair_queue::FairQueue;
use super::host::Host;
use super::log_lines::{LATEST, chapters, log_of};
use super::places::Places;
use super::showing::state;
use super::{Answer, SharedState, TableRequest};
use crate::desk::note_file::{AddNoteError, Author, MAX_BYTES, MAX_NOTES, Note, fingerprint};
use crate::model::{Language, Seat};
use crate::phrases::{Phrases, filled};
use crate::session::{Act, Game, Session, Setup};
use crate::web::clock::now;
use crate::web::links::Viewer;
use crate::web::pages::{Pages, base};
use crate::web::piece::Drawing;
use crate::web::scene::{SceneBuilder, view_of, wording_of};
use minijinja::context;
use minijinja::value::{Serde, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Maximum length of a note, in characters.
const LONGEST_NOTE: usize = 1_000;

/// Everything that determines a game so far.
#[derive(Clone)]
pub(super) struct GameHistory {
    /// The game, with a number that changes whenever other rules are adopted or another game begins.
    pub(super) game: (u64, Game),
    pub(super) setup: Setup,
    pub(super) acts: Vec<Act>,
    pub(super) notes: Vec<Note>,
    pub(super) places: Places,
}

/// State of the thread that looks back.
pub(super) struct HistoryThread {
    pages: Arc<Pages>,
    shown: Arc<SharedState>,
    /// History of the game at the last request, and the session in which it has been replayed.
    then: Option<(GameHistory, Session)>,
    /// Cached moments of each viewer, as numbers of answers.
    moments: BTreeMap<Viewer, Vec<usize>>,
}

impl HistoryThread {
    pub(super) const fn new(pages: Arc<Pages>, shown: Arc<SharedState>) -> Self {
        Self { pages, shown, then: None, moments: BTreeMap::new() }
    }

    /// Answers requests until the queue is closed.
    #[cfg(feature = "web")]
    pub(super) fn run(&mut self, inbox: &FairQueue<QueuedRequest>) {
        while let Some(QueuedRequest { viewer, language, request, reply }) = inbox.pop() {
            // The browser may have closed the connection.
            let _ = reply.send(self.answer(viewer, language, &request));
        }
    }

    /// Responds to a request to look back that came through the link of `viewer`. First replays what has happened in the game since the
    /// last request.
    pub(super) fn answer(&mut self, viewer: Viewer, language: Language, request: &TableRequest) -> Answer {
        self.follow()
            .and_then(|()| {
                let viewer = self.moment_shown()?.0.places.seated(viewer);
                self.carry_out(viewer, language, request)
            })
            .unwrap_or_else(Answer::Refused)
    }

    fn carry_out(&mut self, viewer: Viewer, language: Language, request: &TableRequest) -> Result<Answer, String> {
        let page = match request {
            TableRequest::Moment { at, seat } => self.moment(viewer, language, *at, seat.map(Seat))?,
            TableRequest::Notes => self.notes_page(viewer, language)?,
            TableRequest::Log => self.log_page(viewer, language)?,
            // `Table::ask` sends these requests to the thread that plays.
            TableRequest::Page
            | TableRequest::Choose { .. }
            | TableRequest::Number { .. }
            | TableRequest::TakeBack { .. }
            | TableRequest::Why(_)
            | TableRequest::Find(_)
            | TableRequest::Undo { .. }
            | TableRequest::Agree { .. }
            | TableRequest::Note(_)
            | TableRequest::Rules { .. }
            | TableRequest::Saved(_)
            | TableRequest::Thought(_)
            | TableRequest::Follow { .. }
            | TableRequest::Again { .. }
            | TableRequest::Give { .. } => return Ok(Answer::Done),
        };
        Ok(Answer::Html(page))
    }

    /// Replays the answers and redeals since the last request. Starts from the beginning if the rules have changed or if earlier answers
    /// were taken back.
    fn follow(&mut self) -> Result<(), String> {
        let now = self.shown.played().clone().ok_or("nothing has been played")?;
        let known = self.then.take().filter(|(then, _)| then.game.0 == now.game.0 && now.acts.starts_with(&then.acts));
        let (before, mut session) = match known {
            Some((then, session)) => (then.acts.len(), session),
            None => (0, started(&now)?),
        };
        if before != now.acts.len() || before == 0 {
            self.moments.clear();
        }
        for act in &now.acts[before..] {
            session.repeat(act).map_err(|error| error.to_string())?;
        }
        self.then = Some((now, session));
        Ok(())
    }

    fn moment_shown(&self) -> Result<(&GameHistory, &Session), String> {
        self.then.as_ref().map(|(played, session)| (played, session)).ok_or_else(String::new)
    }

    /// Returns the moments of a viewer. A moment is a number of answers after which the view or the log has changed, or the viewer has
    /// started or stopped being asked.
    fn moments(&mut self, viewer: Viewer) -> Result<Vec<usize>, String> {
        if let Some(known) = self.moments.get(&viewer) {
            return Ok(known.clone());
        }
        let (played, _) = self.moment_shown()?;
        let mut session = started(played)?;
        let mut found = Vec::new();
        let mut before = None;
        let mut see = |at: usize, session: &Session| {
            let heard = wording_of(session, viewer, Language::English).count_heard(session.events());
            let seen = (view_of(session, viewer).digest(), heard, is_asked(session, viewer));
            if before != Some(seen) {
                found.push(at);
                before = Some(seen);
            }
        };
        see(0, &session);
        for act in &played.acts {
            session.repeat(act).map_err(|error| error.to_string())?;
            see(session.answers().len(), &session);
        }
        // A redeal adds no answer, so it has the same number as the moment before it.
        found.dedup();
        self.moments.insert(viewer, found.clone());
        Ok(found)
    }

    /// Returns the viewer whose view is shown. The host may see the view of a seat only once the game is over, because the host may be one
    /// of the players.
    fn seen_as(&self, viewer: Viewer, seat: Option<Seat>) -> Result<Viewer, String> {
        let session = self.moment_shown()?.1;
        let seat =
            seat.filter(|seat| viewer == Viewer::Host && session.model().all_seats().any(|known| known == *seat));
        Ok(seat.filter(|_| session.outcome().is_some()).map_or(viewer, |seat| Viewer::Seat(seat.0)))
    }

    /// Returns the heading of a moment that is shown as `seen_as` sees it. If the host looks at the view of a seat, also returns this seat.
    fn moment_title(
        &self,
        viewer: Viewer,
        seen_as: Viewer,
        language: Language,
    ) -> Result<(String, Option<u8>), String> {
        let web = &Phrases::for_language(language).web;
        Ok(match (viewer, seen_as) {
            (Viewer::Host, Viewer::Seat(seat)) => {
                (filled(web.then_of, &[("name", &self.moment_shown()?.0.setup.name(Seat(seat)))]), Some(seat))
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
        let mut session = self.moment_shown()?.1.fork();
        session.undo_to(answers).map_err(|error| error.to_string())?;
        let (then, seat) = self.moment_title(viewer, seen_as, language)?;
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
        let web = &Phrases::for_language(language).web;
        let wording = wording_of(session, viewer, language);
        let offered = BTreeSet::new();
        let faces = self.shown.faces_of(&self.moment_shown()?.0.game, session, language);
        let drawing = Drawing { faces: &faces, wording: &wording, model: session.model(), language };
        let scene = SceneBuilder::new(session, viewer, drawing, &offered, None).scene();
        let log = chapters(&log_of(session, viewer, language), LATEST);
        let moment = filled(web.moment, &[("at", &at), ("count", &count)]);
        Ok(self.pages.render(
            "moment.html",
            context! {
                scene => Value::from(Serde(&scene)),
                log => Value::from(Serde(&log)),
                moment, at, count, whose,
                style => faces.style_name(),
                state => state(session, viewer, language, is_asked(session, viewer).then_some(web.your_turn_then)),
                ..base(language)
            },
        ))
    }

    fn log_page(&self, viewer: Viewer, language: Language) -> Result<String, String> {
        let log = log_of(self.moment_shown()?.1, viewer, language);
        Ok(self.pages.render("log.html", context! { log => Value::from(Serde(&log)), ..base(language) }))
    }

    /// Renders the viewer's own notes, or all notes for the host. Each note links to its moment, if the game still contains this moment.
    fn notes_page(&mut self, viewer: Viewer, language: Language) -> Result<String, String> {
        let played = self.moment_shown()?.0.clone();
        let own = Author::from(viewer);
        let shown: Vec<&Note> =
            played.notes.iter().filter(|note| viewer == Viewer::Host || note.author == own).collect();
        let rules = fingerprint(self.moment_shown()?.1.model().fingerprint);
        let tables = self.tables_at(shown.iter().map(|note| note.position.answers))?;
        let mut notes = Vec::new();
        for note in shown {
            let seat = match note.author {
                Author::Seat(seat) => Some(seat),
                Author::Onlooker | Author::Host | Author::Recording => None,
            };
            let seen_as = self.seen_as(viewer, seat)?;
            let position = &note.position;
            let is_here = match tables.get(&position.answers) {
                // Under other rules the table differs, so only the number of answers is compared.
                Some(table) => *table == position.table || position.rules != rules,
                None => note.author == Author::Recording,
            };
            let at = if is_here {
                self.moments(seen_as)?.iter().rposition(|moment| *moment <= position.answers)
            } else {
                None
            };
            let (then, seat) = self.moment_title(viewer, seen_as, language)?;
            notes.push(context! { at, then, seat, text => &note.text, parts => self.about(note, viewer, language)? });
        }
        Ok(self.pages.render("notes.html", context! { notes, ..base(language) }))
    }

    /// Returns the fingerprint of the table after each number of answers in `answers`. Leaves out numbers that the game has not reached.
    fn tables_at(&self, answers: impl Iterator<Item = usize>) -> Result<BTreeMap<usize, String>, String> {
        let session = self.moment_shown()?.1;
        let reached: BTreeSet<usize> = answers.filter(|answers| *answers <= session.answers().len()).collect();
        let mut session = session.fork();
        let mut found = BTreeMap::new();
        // The numbers are visited in descending order, because undoing answers is cheap for a session.
        for answers in reached.into_iter().rev() {
            session.undo_to(answers).map_err(|error| error.to_string())?;
            found.insert(answers, fingerprint(session.fingerprint()));
        }
        Ok(found)
    }

    /// Returns the details of a note as texts: the round and phase, the time, and whether the rules have changed since. The host also gets
    /// the author.
    fn about(&self, note: &Note, viewer: Viewer, language: Language) -> Result<Vec<String>, String> {
        let web = &Phrases::for_language(language).web;
        let session = self.moment_shown()?.1;
        let model = session.model();
        let who = match note.author {
            Author::Seat(_) => note.name.clone(),
            Author::Onlooker => web.onlooker.to_owned(),
            Author::Host => web.host.to_owned(),
            Author::Recording => web.note_recording.to_owned(),
        };
        let mut parts = Vec::new();
        if viewer == Viewer::Host {
            parts.push(who);
        }
        let position = &note.position;
        if position.round > 0 {
            parts.push(wording_of(session, viewer, language).round(position.round));
        }
        let phase = model.phases.iter().find(|phase| *phase.id == *position.phase);
        parts.extend(phase.map(|phase| phase.name.get(language).to_owned()));
        if !note.time.is_empty() {
            parts.push(format!("{} UTC", note.time.trim_end_matches('Z').replace('T', " ")));
        }
        if !position.rules.is_empty() && position.rules != fingerprint(model.fingerprint) {
            parts.push(web.note_rules.to_owned());
        }
        Ok(parts)
    }
}

/// Returns whether the open decision is for the viewer.
fn is_asked(session: &Session, viewer: Viewer) -> bool {
    session.decision().is_some_and(|decision| viewer == Viewer::Seat(decision.seat.0))
}

fn started(played: &GameHistory) -> Result<Session, String> {
    let started = Session::start(&played.game.1, &played.setup);
    started.map_err(|_| "the game no longer starts".to_owned())
}

impl Host {
    /// Adds a note of a viewer at the current moment.
    pub(super) fn note(&mut self, viewer: Viewer, language: Language, text: &str) -> Answer {
        let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() {
            return Answer::Done;
        }
        let count = text.chars().count();
        if count > LONGEST_NOTE {
            let web = &Phrases::for_language(language).web;
            return Answer::Refused(filled(web.note_too_long, &[("most", &LONGEST_NOTE), ("count", &count)]));
        }
        if let Some((_, character)) = crate::diagnostic::find_invisible(&text) {
            return Answer::Refused(crate::diagnostic::unseen_message(character));
        }
        let result = self.table.note(viewer.into(), now(), &text);
        self.publish();
        match result {
            Ok(()) => Answer::Done,
            Err(AddNoteError::Full) => {
                let web = &Phrases::for_language(language).web;
                Answer::Refused(filled(web.notes_full, &[("most", &MAX_NOTES), ("size", &(MAX_BYTES >> 10))]))
            }
            Err(AddNoteError::Unwritten(why)) => Answer::Refused(why.message),
        }
    }
}
