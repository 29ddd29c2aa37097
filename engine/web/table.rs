//! One table: a thread that plays a game, and what its viewers are shown of it.
//!
//! A session belongs to its thread. Whoever wants something asks the thread; whoever only looks is shown the page that was made last, so
//! that nobody waits while an agent thinks. A viewer is told of a change only where its page has changed.

use super::links::{Links, Viewer};
use super::pages::{Pages, base};
use super::question::Question;
use super::scene::{Looking, view_of, wording_of};
use super::{Opened, Opening, Unserved};
use crate::desk::kept::{Kept, Recording};
use crate::desk::options::Options;
use crate::desk::picking::Picking;
use crate::desk::refusal::Refusal;
use crate::desk::seating::Seating;
use crate::desk::telling::Telling;
use crate::desk::under_way::UnderWay;
use crate::desk::watching::Watch;
use crate::desk::why;
use crate::diagnostic::{Diagnostic, render, shown};
use crate::model::{Language, Seat, Text};
use crate::phrases::{Phrases, filled};
use crate::playscript::{PERSON, Remade};
use crate::session::{Game, Session, Status};
use minijinja::context;
use minijinja::value::{Serde, Value};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{oneshot, watch};

/// So many wishes wait at a table; whoever comes then is told to come again.
const WAITING: usize = 64;

/// So many lines of the log stand beside the table.
const LATEST: usize = 60;

/// The longest note, in characters.
const LONGEST_NOTE: usize = 1_000;

/// What a viewer wants of a table.
#[derive(Debug)]
pub(super) enum Wish {
    /// The page, which has not been made yet.
    Page,
    /// To choose the option at a position, of a question.
    Choose { question: String, at: usize },
    /// To choose a number.
    Number { question: String, number: i64 },
    /// To take the last pick back.
    TakeBack { question: String },
    /// To know why something is not offered.
    Why(String),
    /// The log from the beginning.
    Log,
    /// The table as it was at a moment; the last one where none is said.
    Moment(Option<usize>),
    /// To take back the last choice.
    Undo,
    /// To let somebody take back a choice, or not.
    Agree(bool),
    /// To write something down.
    Note(String),
    /// What was written down.
    Notes,
    /// To go on by the new rules from where a choice does not hold, or by the old ones.
    Rules(bool),
    /// The files of the game have been saved: nobody outside wishes that.
    Saved,
    /// To give a seat to an agent, or to a person.
    Give { seat: u8, agent: String },
}

/// What came of it.
#[derive(Debug)]
pub(super) enum Answer {
    /// It is done: the page shows it.
    Done,
    /// A part of a page.
    Html(String),
    /// It is not done.
    Refused(String),
}

/// Somebody's wish.
struct Request {
    viewer: Viewer,
    language: Language,
    wish: Wish,
    reply: oneshot::Sender<Answer>,
}

/// A table as the server knows it.
pub(super) struct Table {
    pub(super) links: Links,
    game: Text,
    names: Vec<String>,
    requests: SyncSender<Request>,
    shown: Arc<Shown>,
}

/// What viewers are shown.
struct Shown {
    pages: Mutex<BTreeMap<(Viewer, &'static str), Arc<str>>>,
    changes: BTreeMap<Viewer, watch::Sender<u64>>,
}

impl Shown {
    fn page(&self, viewer: Viewer, language: Language) -> Option<Arc<str>> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner).get(&(viewer, language.tag())).cloned()
    }
}

impl Table {
    /// Opens a table: its thread brings the game to where it stands.
    pub(super) fn open(opening: Opening, pages: Arc<Pages>, stop: Arc<AtomicBool>) -> Result<(Self, Opened), Unserved> {
        let (folder, ended) = (opening.folder.clone(), stop.clone());
        let (requests, inbox) = sync_channel(WAITING);
        let (tell, told) = sync_channel(1);
        std::thread::Builder::new()
            .name("table".to_owned())
            .spawn(move || host(opening, pages, &inbox, &ended, &tell))
            .map_err(|error| Refusal::new(format!("no table can be opened: {error}")))?;
        let gone = || Refusal::new("the table was closed while it was opened");
        let (links, shown, opened) = told.recv().map_err(|_| gone())??;
        let (game, names) = (opened.game.clone(), opened.names.clone());
        let table = Self { links, game, names, requests, shown };
        if let Some(folder) = folder {
            table.watch(&folder, stop)?;
        }
        Ok((table, opened))
    }

    /// Tells the table whenever files of its game are saved.
    fn watch(&self, folder: &Path, stop: Arc<AtomicBool>) -> Result<(), Refusal> {
        let unwatched =
            |error: &dyn std::fmt::Display| Refusal::new(format!("`{}` cannot be watched: {error}", shown(folder)));
        let folder_at = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
        let mut watch = Watch::new(&folder_at).map_err(|error| unwatched(&error))?;
        watch.look();
        let requests = self.requests.clone();
        let watching = move || {
            while watch.saved(&|| stop.load(Ordering::SeqCst)).is_some() {
                watch.look();
                let (reply, _) = oneshot::channel();
                let request = Request { viewer: Viewer::Host, language: Language::default(), wish: Wish::Saved, reply };
                if requests.send(request).is_err() {
                    return;
                }
            }
        };
        std::thread::Builder::new().name("files".to_owned()).spawn(watching).map_err(|error| unwatched(&error))?;
        Ok(())
    }

    /// Asks for something, and waits for what comes of it.
    pub(super) async fn ask(&self, viewer: Viewer, language: Language, wish: Wish) -> Option<Answer> {
        let (reply, answer) = oneshot::channel();
        self.requests.try_send(Request { viewer, language, wish, reply }).ok()?;
        answer.await.ok()
    }

    /// The table as a viewer sees it.
    pub(super) async fn page(&self, viewer: Viewer, language: Language) -> Option<Arc<str>> {
        if let Some(page) = self.shown.page(viewer, language) {
            return Some(page);
        }
        self.ask(viewer, language, Wish::Page).await?;
        self.shown.page(viewer, language)
    }

    /// What a page is called: whose it is, and the game.
    pub(super) fn title(&self, viewer: Viewer, language: Language) -> String {
        let web = &Phrases::of(language).web;
        let whose = match viewer {
            Viewer::Seat(seat) => self.names.get(usize::from(seat)).map_or("", String::as_str),
            Viewer::Onlooker => web.onlooker,
            Viewer::Host => web.host,
        };
        format!("{whose} · {}", self.game.get(language))
    }

    /// When the page of a viewer changes.
    pub(super) fn changes(&self, viewer: Viewer) -> Option<watch::Receiver<u64>> {
        Some(self.shown.changes.get(&viewer)?.subscribe())
    }
}

type Told = Result<(Links, Arc<Shown>, Opened), Unserved>;

/// Opens a game and plays it until it is stopped.
fn host(opening: Opening, pages: Arc<Pages>, inbox: &Receiver<Request>, stop: &AtomicBool, tell: &SyncSender<Told>) {
    let folder = opening.folder.clone();
    let opened = sit_down(opening).and_then(|table| {
        let links = Links::of(table.file(), table.setup().seats)?;
        Ok((table, links))
    });
    let (table, links) = match opened {
        Ok(opened) => opened,
        Err(why) => {
            let _ = tell.send(Err(why));
            return;
        }
    };
    let changes = links.all().map(|(viewer, _)| (viewer, watch::channel(0).0)).collect();
    let shown = Arc::new(Shown { pages: Mutex::default(), changes });
    let telling = Telling::new(table.session().model(), table.setup(), Language::English);
    let opened = Opened {
        title: telling.title(),
        game: table.session().model().name.clone(),
        file: table.file().to_path_buf(),
        names: table.session().model().all_seats().map(|seat| table.setup().name(seat).to_owned()).collect(),
        people: table.session().model().all_seats().filter(|seat| !table.is_agent(*seat)).map(|seat| seat.0).collect(),
    };
    if tell.send(Ok((links.clone(), shown.clone(), opened))).is_err() {
        return;
    }
    let mut host = Host {
        table,
        pages,
        shown,
        picking: None,
        undo: None,
        folder,
        saved: None,
        fault: None,
        moments: BTreeMap::new(),
    };
    host.run(inbox, stop);
}

/// Brings a game to where it stands, and seats everybody.
fn sit_down(opening: Opening) -> Result<UnderWay, Unserved> {
    let is_kept = opening.file.is_file();
    let begun = if is_kept {
        Recording::open(&Kept::read(&opening.file)?, &opening.file, opening.game.as_ref(), true)?
    } else {
        let game = opening.game.ok_or_else(|| Refusal::new("no game is named"))?;
        Recording::begin(&game, &opening.setup).map_err(|mistakes| Unserved::Opened(mistakes.into()))?
    };
    let everybody = vec![PERSON.to_owned(); usize::from(begun.setup().seats)];
    let kept = begun.agents().to_vec();
    let given = if opening.agents.is_empty() && kept.is_empty() { everybody } else { opening.agents };
    let seating = Seating::new(&given, &kept, begun.game(), begun.setup())?;
    Ok(UnderWay::begin(begun, seating, opening.file)?)
}

/// A choice that somebody wants to take back.
struct Undo {
    by: Seat,
    /// So many answers stay.
    to: usize,
    /// Who has still to agree.
    waits_for: BTreeSet<Seat>,
}

/// What became of files that were saved.
enum Saved {
    /// They have mistakes.
    Mistakes(String),
    /// The game goes on by them: from where a choice did not hold, or with all choices.
    Played { from_there: bool },
    /// By them a choice does not hold: why, and the game up to there.
    Broken { why: String, game: Game, remade: Box<Remade> },
}

/// Plays a game, and shows it.
struct Host {
    table: UnderWay,
    pages: Arc<Pages>,
    shown: Arc<Shown>,
    /// What the seat that is asked has picked so far.
    picking: Option<Picking>,
    undo: Option<Undo>,
    /// The folder of the game, if its files are watched, and what became of them.
    folder: Option<PathBuf>,
    saved: Option<Saved>,
    /// What went wrong with an agent or the file.
    fault: Option<String>,
    /// The moments that each viewer has seen, as numbers of answers, and how many answers there were when that was found out.
    moments: BTreeMap<Viewer, (usize, Vec<usize>)>,
}

impl Host {
    fn run(&mut self, inbox: &Receiver<Request>, stop: &AtomicBool) {
        self.question_changes();
        while !stop.load(Ordering::SeqCst) {
            let is_agent = self.fault.is_none()
                && self.table.session().decision().is_some_and(|decision| self.table.is_agent(decision.seat));
            if is_agent {
                if let Err(why) = self.table.agent_chooses() {
                    self.fault = Some(why.message);
                }
                self.question_changes();
                self.show();
                while let Ok(request) = inbox.try_recv() {
                    self.take(request);
                }
                continue;
            }
            // Nobody asks any more once the server is gone.
            let Ok(request) = inbox.recv() else { return };
            self.take(request);
        }
    }

    fn take(&mut self, request: Request) {
        let Request { viewer, language, wish, reply } = request;
        let answer = self.carry_out(viewer, language, wish);
        // Whoever has asked may have gone.
        let _ = reply.send(answer);
    }

    fn carry_out(&mut self, viewer: Viewer, language: Language, wish: Wish) -> Answer {
        let web = &Phrases::of(language).web;
        match wish {
            Wish::Page => {
                self.render(&[(viewer, language.tag())]);
                Answer::Done
            }
            Wish::Choose { question, at } => self.answered(viewer, language, &question, |host, _| host.choose(at)),
            Wish::Number { question, number } => self.answered(viewer, language, &question, |host, question| {
                let bounds = question.number.as_ref().filter(|bounds| (bounds.least..=bounds.most).contains(&number));
                match bounds {
                    Some(bounds) => host.choose((number - bounds.least) as usize),
                    None => Err(Refusal::new(web.not_a_number)),
                }
            }),
            Wish::TakeBack { question } => self.answered(viewer, language, &question, |host, _| {
                host.picking.as_mut().map(Picking::take_back);
                Ok(())
            }),
            Wish::Why(text) => self.why(viewer, language, &text),
            Wish::Log => Answer::Html(self.log_page(viewer, language)),
            Wish::Moment(at) => self.moment(viewer, language, at),
            Wish::Undo => self.ask_undo(viewer, language),
            Wish::Agree(is_so) => self.agree(viewer, is_so),
            Wish::Note(text) => self.note(viewer, &text),
            Wish::Notes => Answer::Html(self.notes_page(viewer, language)),
            Wish::Rules(is_new) => self.decide(viewer, is_new),
            Wish::Saved => {
                self.reload();
                Answer::Done
            }
            Wish::Give { seat, agent } => self.give(viewer, seat, &agent),
        }
    }

    /// Carries out what answers a question, if it is still the one that is open.
    fn answered(
        &mut self,
        viewer: Viewer,
        language: Language,
        question: &str,
        answer: impl FnOnce(&mut Self, &Question) -> Result<(), Refusal>,
    ) -> Answer {
        let web = &Phrases::of(language).web;
        let Some(open) = self.question(viewer, language) else { return Answer::Refused(web.not_asked.to_owned()) };
        if open.number_of_it != question {
            return Answer::Refused(web.answered_already.to_owned());
        }
        let result = answer(self, &open);
        self.show();
        match result {
            Ok(()) => Answer::Done,
            Err(why) => Answer::Refused(why.message),
        }
    }

    /// Chooses the option at a position: where several are picked, picks it.
    fn choose(&mut self, at: usize) -> Result<(), Refusal> {
        if let Some(picking) = &mut self.picking {
            if at >= picking.options("").worded.len() {
                return Err(Refusal::new(format!("there is no option {at}")));
            }
            if !picking.pick(at) {
                return Ok(());
            }
        }
        let answers: Option<Vec<u32>> = match &self.picking {
            Some(picking) => picking
                .given(self.table.session())
                .map(|after| after.answers().since(self.table.session().answers().len()).copied().collect()),
            None => Some(vec![at as u32]),
        };
        let result = match answers {
            Some(answers) => self.table.choose(&answers),
            None => Err(Refusal::new(Phrases::of(Language::English).web.not_together)),
        };
        self.undo = None;
        self.question_changes();
        result
    }

    /// What is being picked begins anew.
    fn question_changes(&mut self) {
        self.picking = self.table.session().outlook().and_then(|outlook| Picking::of(&outlook, Language::English));
    }

    /// The question that a viewer is asked.
    fn question(&self, viewer: Viewer, language: Language) -> Option<Question> {
        let Viewer::Seat(seat) = viewer else { return None };
        let session = self.table.session();
        let outlook = session.outlook().filter(|outlook| outlook.seat() == Seat(seat))?;
        if self.table.is_agent(Seat(seat)) {
            return None;
        }
        let answered = self.table.asked().iter().filter(|asked| asked.0 == seat).count();
        let picking = self.picking.as_ref().and_then(|picking| {
            let mut own = Picking::of(&outlook, language)?;
            own.follow(picking);
            Some(own)
        });
        Some(Question::new(&outlook, picking.as_ref(), answered, language))
    }

    fn why(&self, viewer: Viewer, language: Language, text: &str) -> Answer {
        let Viewer::Seat(seat) = viewer else { return Answer::Html(String::new()) };
        let session = self.table.session();
        let Some(outlook) = session.outlook().filter(|outlook| outlook.seat() == Seat(seat)) else {
            return Answer::Refused(Phrases::of(language).web.not_asked.to_owned());
        };
        let options = match &self.picking {
            Some(picking) => picking.options(Phrases::of(language).log.done),
            None => Options { worded: outlook.worded(language), written: outlook.written() },
        };
        let missing = self.picking.as_ref().map_or_else(|| outlook.decision().missing(), Picking::missing);
        let lines = why::explain(&outlook, &options, missing, text, language);
        Answer::Html(self.pages.render("why.html", context! { lines }))
    }

    // ----- what is shown

    /// Makes the pages of those who look, and tells them whose have changed.
    fn show(&self) {
        let made: Vec<(Viewer, &'static str)> =
            self.shown.pages.lock().unwrap_or_else(PoisonError::into_inner).keys().copied().collect();
        self.render(&made);
    }

    /// Makes pages, and puts them all up at once: nobody sees a table that others do not see yet.
    fn render(&self, viewers: &[(Viewer, &'static str)]) {
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

    fn table_page(&self, viewer: Viewer, language: Language) -> String {
        let session = self.table.session();
        let web = &Phrases::of(language).web;
        let question = self.question(viewer, language);
        let wording = wording_of(session, viewer, language);
        let offered = question.as_ref().map(Question::marks).unwrap_or_default();
        let asked = question.as_ref().and(match viewer {
            Viewer::Seat(seat) => Some(Seat(seat)),
            _ => None,
        });
        let scene = Looking::new(session, viewer, &wording, language, &offered, asked).scene();
        let log = Self::log(session, viewer, language);
        let log = &log[log.len().saturating_sub(LATEST)..];
        let undo = self.undo.as_ref().and_then(|undo| {
            let name = self.table.setup().name(undo.by);
            let is_asked = matches!(viewer, Viewer::Seat(seat) if undo.waits_for.contains(&Seat(seat)));
            let is_own = viewer == Viewer::Seat(undo.by.0);
            let is_host = viewer == Viewer::Host;
            (is_asked || is_own || is_host).then(|| {
                let text = if is_own { web.undo_waits.to_owned() } else { filled(web.undo_asked, &[("name", &name)]) };
                context! { text, is_asked => is_asked || is_host }
            })
        });
        let may_undo = matches!(viewer, Viewer::Seat(seat) if self.table.asked().contains(&Seat(seat)));
        let host = (viewer == Viewer::Host).then(|| self.host_part(language));
        self.pages.render(
            "table.html",
            context! {
                scene => Value::from(Serde(&scene)),
                question => Value::from(Serde(&question)),
                log => Value::from(Serde(log)),
                undo, may_undo, host,
                saved => self.saved_part(viewer, language),
                ending => self.ending(language),
                state => Self::state(session, viewer, language, asked.is_some()),
                is_mine => asked.is_some(),
                seat => matches!(viewer, Viewer::Seat(_)),
                ..base(language)
            },
        )
    }

    /// Where the game stands, in a line: the round, the phase, and whose turn everybody knows it to be.
    fn state(session: &Session, viewer: Viewer, language: Language, is_asked: bool) -> Vec<String> {
        let web = &Phrases::of(language).web;
        let view = view_of(session, viewer);
        let wording = wording_of(session, viewer, language);
        let mut told = Vec::new();
        match session.status() {
            Status::Waiting(_) => {
                if view.round() > 0 {
                    told.push(wording.round(view.round()));
                }
                let phase =
                    view.phase().map(|phase| session.model().phases[phase.index()].name.get(language).to_owned());
                told.extend(phase);
                let own = match viewer {
                    Viewer::Seat(seat) => Some(Seat(seat)),
                    _ => None,
                };
                told.push(match view.active().filter(|active| Some(*active) != own) {
                    _ if is_asked => web.your_turn.to_owned(),
                    Some(active) => filled(web.turn_of, &[("name", &wording.seat(active))]),
                    None => web.others_choose.to_owned(),
                });
            }
            Status::Over(_) => told.push(web.over.to_owned()),
            Status::Failed(_) => {
                told.push(if viewer == Viewer::Host { web.failed_host } else { web.failed }.to_owned());
            }
            Status::Resting => {}
        }
        told
    }

    fn ending(&self, language: Language) -> Option<Value> {
        let session = self.table.session();
        let outcome = session.outcome()?;
        let closing = Telling::new(session.model(), session.setup(), language).closing(outcome);
        Some(context! {
            headings => closing.headings,
            rows => closing.rows,
            remarks => closing.workings.into_iter().chain(closing.remarks).collect::<Vec<_>>(),
        })
    }

    /// What happened, as a viewer is told it.
    fn log(session: &Session, viewer: Viewer, language: Language) -> Vec<LogLine> {
        let lines = wording_of(session, viewer, language).narrate(session.events());
        let line = |line: &String| {
            let text = line.trim_start();
            let level = match line.len() - line.trim_start_matches(' ').len() {
                _ if line.starts_with('\n') => 0,
                2 => 1,
                _ => 2,
            };
            LogLine { level, text: text.to_owned() }
        };
        lines.iter().map(line).collect()
    }

    fn log_page(&self, viewer: Viewer, language: Language) -> String {
        let log = Self::log(self.table.session(), viewer, language);
        self.pages.render("log.html", context! { log => Value::from(Serde(&log)), ..base(language) })
    }

    // ----- looking back

    /// The moments that a viewer has seen: those at which what it sees, or is told, has changed.
    fn moments(&mut self, viewer: Viewer) -> Vec<usize> {
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

    fn moment(&mut self, viewer: Viewer, language: Language, at: Option<usize>) -> Answer {
        let moments = self.moments(viewer);
        let last = moments.len().saturating_sub(1);
        let at = at.unwrap_or(last).min(last);
        let answers = moments.get(at).copied().unwrap_or_default();
        Answer::Html(match self.table.as_of(answers) {
            Ok(session) => self.moment_page(&session, viewer, language, (at + 1, moments.len())),
            Err(why) => return Answer::Refused(why.message),
        })
    }

    fn moment_page(
        &self,
        session: &Session,
        viewer: Viewer,
        language: Language,
        (at, count): (usize, usize),
    ) -> String {
        let web = &Phrases::of(language).web;
        let wording = wording_of(session, viewer, language);
        let offered = BTreeSet::new();
        let scene = Looking::new(session, viewer, &wording, language, &offered, None).scene();
        let log = Self::log(session, viewer, language);
        let log = &log[log.len().saturating_sub(LATEST)..];
        let moment = filled(web.moment, &[("at", &at), ("count", &count)]);
        self.pages.render(
            "moment.html",
            context! {
                scene => Value::from(Serde(&scene)),
                log => Value::from(Serde(log)),
                moment, at, count,
                state => Self::state(session, viewer, language, false),
                ..base(language)
            },
        )
    }

    // ----- files that are saved

    /// Plays on by the files as they are, if every choice so far holds by them.
    fn reload(&mut self) {
        let Some(folder) = &self.folder else { return };
        let game = crate::load(folder).and_then(|game| game.host(self.table.setup()).map(|_| game));
        let told = |found: &Diagnostic| render(found, false);
        self.saved = Some(match game {
            Err(mistakes) => Saved::Mistakes(mistakes.0.iter().map(told).collect::<Vec<_>>().join("\n\n")),
            Ok(game) => match self.table.remade(&game) {
                Err(why) => Saved::Mistakes(told(&why)),
                Ok(Remade { broken: Some(why), .. }) if self.table.session().answers().is_empty() => {
                    Saved::Mistakes(told(&why))
                }
                Ok(mut remade) => match remade.broken.take() {
                    Some(why) => Saved::Broken { why: told(&why), game, remade: Box::new(remade) },
                    None => self.adopt(&game, remade, false),
                },
            },
        });
        self.show();
    }

    fn adopt(&mut self, game: &Game, remade: Remade, from_there: bool) -> Saved {
        let adopted = self.table.adopt(game, remade);
        self.fault = adopted.err().map(|why| why.message);
        self.undo = None;
        self.moments.clear();
        self.question_changes();
        Saved::Played { from_there }
    }

    /// What the host decides where a choice does not hold.
    fn decide(&mut self, viewer: Viewer, is_new: bool) -> Answer {
        if viewer == Viewer::Host {
            match self.saved.take() {
                Some(Saved::Broken { game, remade, .. }) if is_new => {
                    // What was chosen since does not come with it.
                    let saved = self.adopt(&game, *remade, true);
                    self.saved = Some(saved);
                }
                Some(Saved::Broken { .. }) => {}
                other => self.saved = other,
            }
            self.show();
        }
        Answer::Done
    }

    /// What a viewer is told of files that were saved. Which choice does not hold the host is told alone: it may have been secret.
    fn saved_part(&self, viewer: Viewer, language: Language) -> Option<Value> {
        let web = &Phrases::of(language).web;
        let is_host = viewer == Viewer::Host;
        Some(match self.saved.as_ref()? {
            Saved::Mistakes(told) => context! { text => web.files_wrong, told, decides => false },
            Saved::Played { from_there: true } => {
                context! { text => web.rules_new_from_there, told => "", decides => false }
            }
            Saved::Played { .. } => context! { text => web.rules_new, told => "", decides => false },
            Saved::Broken { why, .. } => {
                context! { text => web.choice_broken, told => if is_host { why } else { "" }, decides => is_host }
            }
        })
    }

    // ----- taking back

    fn ask_undo(&mut self, viewer: Viewer, language: Language) -> Answer {
        let Viewer::Seat(seat) = viewer else { return Answer::Done };
        let seat = Seat(seat);
        let Some(to) = self.table.asked().iter().rposition(|asked| *asked == seat) else {
            return Answer::Refused(Phrases::of(language).web.nothing_to_undo.to_owned());
        };
        // Several picks are one choice.
        let waits_for: BTreeSet<Seat> = self.table.asked()[to..]
            .iter()
            .copied()
            .filter(|asked| *asked != seat && !self.table.is_agent(*asked))
            .collect();
        self.undo = Some(Undo { by: seat, to, waits_for });
        self.undo_if_agreed()
    }

    fn agree(&mut self, viewer: Viewer, is_so: bool) -> Answer {
        let Some(undo) = &mut self.undo else { return Answer::Done };
        match viewer {
            Viewer::Host if is_so => undo.waits_for.clear(),
            Viewer::Seat(seat) if is_so => {
                undo.waits_for.remove(&Seat(seat));
            }
            Viewer::Seat(seat) if !undo.waits_for.contains(&Seat(seat)) && undo.by != Seat(seat) => {}
            Viewer::Onlooker => {}
            Viewer::Host | Viewer::Seat(_) => self.undo = None,
        }
        self.undo_if_agreed()
    }

    fn undo_if_agreed(&mut self) -> Answer {
        let mut result = Ok(());
        if let Some(undo) = self.undo.take_if(|undo| undo.waits_for.is_empty()) {
            result = self.table.undo_to(undo.to);
            self.fault = None;
            self.moments.clear();
            self.question_changes();
        }
        self.show();
        result.map_or_else(|why| Answer::Refused(why.message), |()| Answer::Done)
    }

    // ----- notes

    fn note(&mut self, viewer: Viewer, text: &str) -> Answer {
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
    fn notes_page(&mut self, viewer: Viewer, language: Language) -> String {
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

    // ----- the host

    fn host_part(&self, language: Language) -> Value {
        let web = &Phrases::of(language).web;
        let names = self.table.seating().names();
        let model = self.table.session().model();
        let seats: Vec<Value> = model
            .all_seats()
            .map(|seat| {
                let agent = &names[seat.index()];
                let agent = if agent == PERSON { "" } else { agent };
                context! { number => seat.0, name => self.table.setup().name(seat), agent }
            })
            .collect();
        let own =
            self.table.game().agents().iter().map(|agent| crate::diagnostic::Role::Agent.name(&agent.path).to_owned());
        let agents: Vec<String> = own.chain(["random", "search:200"].map(str::to_owned)).collect();
        let fault = match self.table.session().status() {
            Status::Failed(found) => Some(render(found, false)),
            _ => self.fault.clone(),
        };
        let file = filled(web.kept_in, &[("file", &shown(self.table.file()))]);
        context! { seats, agents, fault, file }
    }

    fn give(&mut self, viewer: Viewer, seat: u8, agent: &str) -> Answer {
        if viewer != Viewer::Host || seat >= self.table.setup().seats {
            return Answer::Done;
        }
        let is_command = ["cmd:", "cmd=", "script:", "playscript:"].iter().any(|sort| agent.starts_with(sort));
        if is_command {
            return Answer::Refused(format!("`{agent}` is named on the command line alone"));
        }
        let result = self.table.give(Seat(seat), (!agent.is_empty()).then_some(agent));
        self.fault = None;
        self.question_changes();
        self.show();
        result.map_or_else(|why| Answer::Refused(why.message), |()| Answer::Done)
    }
}

/// A line of the log.
#[derive(Debug, Clone, Serialize)]
struct LogLine {
    /// 0 for a round, 1 for a phase, 2 for what happened.
    level: u8,
    text: String,
}
