//! The thread of a table: owns the session and carries out requests.

use super::fair_queue::FairQueue;
#[cfg(feature = "web")]
use super::fair_queue::PopResult;
use super::held_answers::{HeldAnswers, SeatAnswers};
use super::places::Places;
use super::saved::Saved;
use super::tokens::Tokens;
use super::undo::Undo;
use super::{Answer, QueuedRequest, SharedState, TableRequest};
use crate::desk::live_game::LiveGame;
use crate::desk::options::Options;
use crate::desk::picking::Picking;
use crate::desk::refusal::Refusal;
use crate::desk::result_formatter::ResultFormatter;
use crate::desk::saved_game::{Recording, SavedGame};
use crate::desk::seating::Seating;
use crate::desk::thinking::{AgentChoice, OnAgentChoice};
use crate::desk::why;
use crate::diagnostic::render;
use crate::files;
use crate::model::{Language, Seat};
use crate::phrases::Phrases;
use crate::playscript::PERSON;
use crate::session::Session;
use crate::web::links::{self, Links, Viewer};
use crate::web::pages::Pages;
use crate::web::question::{self, Question};
use crate::web::trial::Trials;
use crate::web::{OpenTable, ServeError, TableSettings};
use minijinja::context;
use minijinja::value::{Serde, Value};
#[cfg(feature = "web")]
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(feature = "web")]
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex};
use tokio::sync::{oneshot, watch};

/// Result of opening a table, sent by the table's thread.
#[cfg(feature = "web")]
pub(super) type OpeningResult = Result<(Links, Arc<SharedState>, Arc<Trials>, OpenTable), ServeError>;

/// Opens a game, reports the result to `opened_to`, and plays until `stop` is set.
#[cfg(feature = "web")]
pub(super) fn host(
    opening: TableSettings,
    pages: Arc<Pages>,
    inbox: &Arc<FairQueue<QueuedRequest>>,
    stop: &AtomicBool,
    opened_to: &SyncSender<OpeningResult>,
) {
    match Host::open(opening, pages, inbox) {
        Ok((mut host, links, opened)) => {
            if opened_to.send(Ok((links, host.shown.clone(), host.trials.clone(), opened))).is_ok() {
                host.run(inbox, stop);
            }
        }
        Err(why) => drop(opened_to.send(Err(why))),
    }
}

/// Replays the recording, or starts a new game if there is none, and seats the agents. Also returns the remark about the recording, if
/// there is one.
fn sit_down(opening: TableSettings) -> Result<(LiveGame, Option<String>), ServeError> {
    let saved = if files::exists(&opening.file) { Some(SavedGame::read(&opening.file)?) } else { None };
    let begun = if let Some(saved) = &saved {
        Recording::open(saved, &opening.file, opening.game.as_ref(), true)?
    } else {
        let game = opening.game.ok_or_else(|| Refusal::new("no game is named"))?;
        Recording::begin(&game, &opening.setup).map_err(|mistakes| ServeError::Opened(mistakes.into()))?
    };
    let everybody = vec![PERSON.to_owned(); usize::from(begun.setup().seats)];
    let kept = begun.agents().to_vec();
    let given = if opening.agents.is_empty() && kept.is_empty() { everybody } else { opening.agents };
    let seating = Seating::new(&given, &kept, begun.game(), begun.setup())?;
    let table = LiveGame::begin(begun, seating, opening.file)?;
    Ok((table, saved.and_then(|saved| saved.remark)))
}

/// State of the thread of a table.
pub(super) struct Host {
    pub(super) table: LiveGame,
    pub(super) pages: Arc<Pages>,
    pub(super) shown: Arc<SharedState>,
    trials: Arc<Trials>,
    /// Queue of requests to this thread. Agents send their choices to this queue.
    own: Arc<FairQueue<QueuedRequest>>,
    /// Picks made so far by a seat that is asked alone.
    picking: Option<Picking>,
    /// Answers of seats that are asked together.
    pub(super) answers: HeldAnswers,
    pub(super) tokens: Tokens,
    pub(super) undo: Option<Undo>,
    /// Choice that an agent made while a player asks to take back an earlier choice. It is applied once this request is over.
    pub(super) held: Option<AgentChoice>,
    /// Result of the last edit of the game's files, as long as it is shown.
    pub(super) saved: Option<Saved>,
    /// Message about the last failure of an agent, a file operation or the rules.
    pub(super) fault: Option<String>,
    /// Names of the players in the order of their links.
    names: Vec<String>,
    pub(super) places: Places,
}

impl Host {
    /// Opens a game and its links. Agents send their choices to `inbox`.
    pub(super) fn open(
        opening: TableSettings,
        pages: Arc<Pages>,
        inbox: &Arc<FairQueue<QueuedRequest>>,
    ) -> Result<(Self, Links, OpenTable), ServeError> {
        let folder = opening.folder.clone();
        let (table, remark) = sit_down(opening)?;
        let in_seats = table.session().model().all_seats().map(|seat| table.setup().name(seat).to_owned());
        let links = Links::of(table.file(), in_seats.collect())?;
        let names = links.names().to_vec();
        let places = Places::new(&names, table.setup());
        let tokens = Tokens::new()?;
        let changes = links.all().into_iter().map(|(viewer, _)| (viewer, watch::channel(0).0)).collect();
        let shown = Arc::new(SharedState {
            pages: Mutex::default(),
            faces: Mutex::default(),
            played: Mutex::default(),
            standing: Mutex::default(),
            visits: Mutex::default(),
            changes,
        });
        let account = ResultFormatter::new(table.session().model(), table.setup(), Language::English);
        let model = table.session().model();
        let opened = OpenTable {
            title: account.title(),
            game: model.name.clone(),
            file: table.file().to_path_buf(),
            names: names.clone(),
            people: model.all_seats().filter(|seat| table.is_person(*seat)).map(|seat| places.of(seat)).collect(),
            remark: remark
                .into_iter()
                .chain(links.remark().map(str::to_owned))
                .reduce(|one, other| format!("{one}; {other}")),
        };
        let trials = Arc::new(Trials::new(table.game().clone(), table.setup().clone(), folder));
        let answers = HeldAnswers::open(table.file());
        let host = Self {
            table,
            answers,
            pages,
            shown,
            trials,
            own: inbox.clone(),
            picking: None,
            tokens,
            held: None,
            undo: None,
            saved: None,
            fault: None,
            names,
            places,
        };
        // `HistoryThread` needs the published game from its first request on.
        host.publish();
        Ok((host, links, opened))
    }

    /// Carries out requests until `stop` is set or the queue is closed.
    #[cfg(feature = "web")]
    pub(super) fn run(&mut self, inbox: &FairQueue<QueuedRequest>, stop: &AtomicBool) {
        self.refresh_question();
        while !stop.load(Ordering::SeqCst) {
            self.let_think();
            let waits = self.undo.as_ref().and_then(Undo::remaining_wait_of_host);
            let request = match inbox.pop_within(waits) {
                PopResult::Request(request) => request,
                PopResult::TimedOut => {
                    // The others had enough time to agree. From now on the host may decide.
                    self.show();
                    continue;
                }
                // The table is closed, so there are no further requests.
                PopResult::Closed => return,
            };
            self.take(request);
        }
    }

    /// Requests the choice of the agent that is asked, if there is one. Does nothing after a failure, or while a player asks to take back a
    /// choice.
    pub(super) fn let_think(&mut self) {
        let own = self.own.clone();
        let report = || -> OnAgentChoice {
            Box::new(move |thought| {
                let (reply, _) = oneshot::channel();
                let (request, language) = (TableRequest::Thought(thought), Language::default());
                // If the table has been closed meanwhile, the choice is dropped.
                own.push_own(QueuedRequest { viewer: Viewer::Host, language, request, reply });
            })
        };
        if self.fault.is_none()
            && self.undo.is_none()
            && let Err(why) = self.table.think(report)
        {
            self.fault = Some(why.message);
            self.show();
        }
    }

    /// Applies the choice of an agent, unless the game has changed since the agent was asked.
    fn apply_agent_choice(&mut self, thought: AgentChoice) {
        // The choice waits while other players are asked whether an earlier choice may be taken back.
        if self.undo.is_some() {
            self.held = Some(thought);
            return;
        }
        if !self.table.waits_for(&thought) {
            return;
        }
        self.fault = match thought.chosen {
            Ok(at) => self.table.choose(&[at]).err().map(|why| why.message),
            Err(why) => Some(render(&self.open_to_all(&why, "an agent has no answer"), false)),
        };
        self.refresh_question();
        self.show();
    }

    /// Applies the agent's choice that was held back during a request to take back a choice, if there is one.
    pub(super) fn take_held(&mut self) {
        if let Some(thought) = self.held.take() {
            self.apply_agent_choice(thought);
        }
    }

    /// Carries out a request and sends the result.
    pub(super) fn take(&mut self, request: QueuedRequest) {
        let QueuedRequest { viewer, language, request, reply } = request;
        let answer = self.carry_out(viewer, language, request);
        // The browser may have closed the connection.
        let _ = reply.send(answer);
    }

    /// Carries out a request that came through the link of `viewer`.
    pub(super) fn carry_out(&mut self, viewer: Viewer, language: Language, request: TableRequest) -> Answer {
        let web = &Phrases::for_language(language).web;
        let place = viewer;
        let viewer = self.places.seated(place);
        match request {
            TableRequest::Page => {
                self.render(&[(place, language.tag())]);
                Answer::Done
            }
            TableRequest::Choose { question, at } => {
                self.answered(viewer, language, &question, |host, seat| host.choose(seat, at, language))
            }
            TableRequest::Number { question, number } => self.answered(viewer, language, &question, |host, seat| {
                let decision = host.session_asking(seat).and_then(Session::decision);
                let bounds = decision.and_then(|decision| question::bounds(decision, host.picking(seat)));
                match bounds.filter(|(least, most)| (*least..=*most).contains(&number)) {
                    Some((least, _)) => host.choose(seat, (number - least) as usize, language),
                    None => Err(Refusal::new(web.not_a_number)),
                }
            }),
            TableRequest::TakeBack { question } => self.answered(viewer, language, &question, |host, seat| {
                host.picking_mut(seat).map(Picking::take_back);
                host.tokens.pick_changes(seat);
                Ok(())
            }),
            TableRequest::Why(text) => self.why(viewer, language, &text),
            TableRequest::Find(text) => self.find(viewer, language, &text),
            TableRequest::Undo { token } => self.ask_undo(viewer, language, &token),
            TableRequest::Agree { is_so, token } => self.agree(viewer, language, is_so, &token),
            TableRequest::Note(text) => self.note(viewer, language, &text),
            // `Table::ask` sends these requests to the thread that looks back.
            TableRequest::Log | TableRequest::Moment { .. } | TableRequest::Notes => Answer::Done,
            TableRequest::Rules { is_new, token } => self.decide(viewer, language, is_new, &token),
            TableRequest::Saved(edited) => {
                self.reload(&edited.0);
                Answer::Done
            }
            TableRequest::Thought(thought) => {
                self.apply_agent_choice(thought);
                Answer::Done
            }
            TableRequest::Follow { token } if token != self.tokens.table() => Answer::Refused(web.stale.to_owned()),
            TableRequest::Follow { .. } => self.follow(viewer),
            TableRequest::Again { token } if token != self.tokens.table() => Answer::Refused(web.stale.to_owned()),
            TableRequest::Again { .. } => self.play_again(viewer),
            TableRequest::Give { token, .. } if token != self.tokens.table() => Answer::Refused(web.stale.to_owned()),
            TableRequest::Give { seat, agent, .. } => self.give(viewer, language, seat, &agent),
        }
    }

    /// Starts the next game of the campaign if a player or the host requests it. Ignores onlookers.
    fn follow(&mut self, viewer: Viewer) -> Answer {
        if viewer == Viewer::Onlooker {
            return Answer::Done;
        }
        let begun = self.table.start_next_game();
        self.show_next_game(begun)
    }

    /// Starts another game with the same options if a player or the host requests it. If seats rotate, each player moves to the previous
    /// seat. Ignores onlookers.
    fn play_again(&mut self, viewer: Viewer) -> Answer {
        if viewer == Viewer::Onlooker {
            return Answer::Done;
        }
        let begun = links::seed().and_then(|seed| self.table.play_again(seed));
        self.show_next_game(begun)
    }

    /// Resets the state of the table and updates all pages if another game has begun.
    fn show_next_game(&mut self, begun: Result<bool, Refusal>) -> Answer {
        let answer = match begun {
            Ok(true) => {
                (self.undo, self.held, self.saved, self.fault) = (None, None, None, None);
                self.places = Places::new(&self.names, self.table.setup());
                self.tokens.record_rules_change();
                self.trials.follow(self.table.setup().clone());
                self.publish();
                self.shown.faces().clear();
                self.refresh_question();
                Answer::Done
            }
            Ok(false) => Answer::Done,
            Err(why) => Answer::Refused(why.message),
        };
        self.show();
        answer
    }

    /// Carries out a request that answers the viewer's open question. Refuses it if `token` is not the token of this question.
    fn answered(
        &mut self,
        viewer: Viewer,
        language: Language,
        token: &str,
        answer: impl FnOnce(&mut Self, Seat) -> Result<(), Refusal>,
    ) -> Answer {
        let web = &Phrases::for_language(language).web;
        let asked = match viewer {
            Viewer::Seat(seat) => Some(Seat(seat)).filter(|seat| self.is_person_asked(*seat)),
            Viewer::Onlooker | Viewer::Host => None,
        };
        let Some(seat) = asked else { return Answer::Refused(web.not_asked.to_owned()) };
        if self.tokens.question(seat) != token {
            return Answer::Refused(web.stale.to_owned());
        }
        let result = answer(self, seat);
        self.show();
        match result {
            Ok(()) => Answer::Done,
            Err(why) => Answer::Refused(why.message),
        }
    }

    /// Chooses the option at a position for the seat that is asked. If the decision asks for several things, picks the thing at this
    /// position.
    pub(super) fn choose(&mut self, seat: Seat, at: usize, language: Language) -> Result<(), Refusal> {
        let web = &Phrases::for_language(language).web;
        if let Some(picking) = self.picking_mut(seat) {
            if at >= picking.options("").len() {
                return Err(Refusal::new(web.no_such_option));
            }
            let is_last = picking.pick(at);
            self.tokens.pick_changes(seat);
            if !is_last {
                return Ok(());
            }
        }
        let Some(session) = self.session_asking(seat) else { return Err(Refusal::new(web.not_asked)) };
        let result = if self.picking(seat).is_some() {
            self.take_picks(seat).and_then(|is_accepted| {
                if is_accepted {
                    return Ok(());
                }
                self.begin_picking_again(seat);
                Err(Refusal::new(web.not_together))
            })
        } else if session.decision().is_none_or(|decision| at >= decision.count()) {
            return Err(Refusal::new(web.no_such_option));
        } else {
            self.take_answer(seat, at as u64)
        };
        // Any choice ends an open request to take back a choice: a player who goes on playing does not agree.
        self.undo = None;
        self.refresh_question();
        result
    }

    /// Gives an answer to the game, or holds it back while other seats are asked as well.
    fn take_answer(&mut self, seat: Seat, position: u64) -> Result<(), Refusal> {
        let Some(own) = self.answers.get_mut(seat) else { return self.table.choose(&[position]) };
        own.give(self.table.session(), &[position]).map_err(|error| Refusal::new(error.to_string()))?;
        self.save_held(seat)
    }

    /// Gives the picks of a seat to the game, or holds them back while other seats are asked as well. Returns false if the rules do not
    /// accept the picks together.
    fn take_picks(&mut self, seat: Seat) -> Result<bool, Refusal> {
        if let Some(own) = self.answers.get_mut(seat) {
            return if own.give_picks(self.table.session()) { self.save_held(seat).map(|()| true) } else { Ok(false) };
        }
        self.picking.as_ref().map_or(Ok(false), |picking| self.table.choose_picks(picking))
    }

    /// Saves the held answers after `seat` has given an answer. If saving fails, takes this answer back.
    fn save_held(&mut self, seat: Seat) -> Result<(), Refusal> {
        let saved = self.answers.save();
        if saved.is_err() {
            // An answer that could not be saved does not count.
            self.answers.get_mut(seat).map(SeatAnswers::take_back);
        }
        saved
    }

    /// Gives held answers to the game once every person has answered.
    fn give_held_answers(&mut self) -> Result<(), Refusal> {
        while let Some(positions) = self.answers.take_next(self.table.session()) {
            self.table.choose(&positions)?;
        }
        Ok(())
    }

    /// Gives the held answers to the game once everybody has answered, and updates the questions that are open. Must be called after every
    /// change of the game.
    pub(super) fn refresh_question(&mut self) {
        if let Err(why) = self.give_held_answers() {
            self.fault = Some(why.message);
        }
        let session = self.table.session();
        let persons = session.model().all_seats().filter(|seat| self.table.is_person(*seat));
        let people: Vec<(Seat, u64)> = persons.map(|seat| (seat, self.answers_in_game(seat))).collect();
        let anew = self.answers.follow(session, &people);
        if let Err(why) = self.answers.save() {
            self.fault = Some(why.message);
        }
        let session = self.table.session();
        let is_alone = !session.is_asking_together();
        self.picking = session
            .observation()
            .filter(|_| is_alone)
            .and_then(|observation| Picking::start(&observation, Language::English));
        let alone = session.decision().map(|decision| decision.seat).filter(|_| is_alone);
        let asked: Vec<(Seat, u64, bool)> = session
            .model()
            .all_seats()
            .filter(|seat| alone == Some(*seat) || self.answers.get(*seat).is_some())
            .map(|seat| (seat, self.answers_of(seat), alone.is_some() || anew.contains(&seat)))
            .collect();
        self.tokens.record_questions(&asked);
        // Everybody may already have answered before the program was restarted, or before an agent took over the last open seat.
        if self.fault.is_none() && self.answers.is_complete(self.table.session()) {
            self.refresh_question();
        }
    }

    /// Returns the session that waits for a seat's answer; `None` if the seat is not asked.
    pub(super) fn session_asking(&self, seat: Seat) -> Option<&Session> {
        let session = self.table.session();
        match self.answers.get(seat) {
            Some(own) => own.open(),
            None => Some(session).filter(|session| {
                !session.is_asking_together() && session.decision().is_some_and(|decision| decision.seat == seat)
            }),
        }
    }

    /// Returns whether a person in this seat is asked.
    pub(super) fn is_person_asked(&self, seat: Seat) -> bool {
        !self.table.is_agent(seat) && self.session_asking(seat).is_some()
    }

    fn picking(&self, seat: Seat) -> Option<&Picking> {
        match self.answers.get(seat) {
            Some(own) => own.picking.as_ref(),
            None => self.picking.as_ref(),
        }
    }

    fn picking_mut(&mut self, seat: Seat) -> Option<&mut Picking> {
        match self.answers.get_mut(seat) {
            Some(own) => own.picking.as_mut(),
            None => self.picking.as_mut(),
        }
    }

    /// Drops the picks of a seat that is asked together with others, because the rules do not accept them. [`Self::refresh_question`] drops
    /// the picks of a seat that is asked alone.
    fn begin_picking_again(&mut self, seat: Seat) {
        if let Some(own) = self.answers.get_mut(seat) {
            own.begin_picking_again();
        }
    }

    /// Returns the number of answers that a seat has given, including answers that are held back. Each pick counts as an answer. While
    /// several seats are asked together, a count of all seats' answers would tell a seat that others have answered.
    pub(super) fn answers_of(&self, seat: Seat) -> u64 {
        self.answers_in_game(seat) + self.answers.get(seat).map_or(0, SeatAnswers::count)
    }

    fn answers_in_game(&self, seat: Seat) -> u64 {
        self.table.asked().iter().filter(|asked| **asked == seat).count() as u64
    }

    /// Returns the open question of a viewer; `None` if the viewer is not asked.
    pub(super) fn question(&self, viewer: Viewer, language: Language) -> Option<Question> {
        let Viewer::Seat(seat) = viewer else { return None };
        let seat = Seat(seat);
        if self.table.is_agent(seat) {
            return None;
        }
        let observation = self.session_asking(seat)?.observation()?;
        let picking = self.picking(seat).and_then(|picking| {
            let mut own = Picking::start(&observation, language)?;
            own.copy_picks(picking);
            Some(own)
        });
        Some(Question::new(&observation, picking.as_ref(), self.tokens.question(seat), language))
    }

    /// Explains to a player why the option that `text` describes is not offered.
    pub(super) fn why(&self, viewer: Viewer, language: Language, text: &str) -> Answer {
        let Viewer::Seat(seat) = viewer else { return Answer::Html(String::new()) };
        let seat = Seat(seat);
        let Some(observation) = self.session_asking(seat).and_then(Session::observation) else {
            return Answer::Refused(Phrases::for_language(language).web.not_asked.to_owned());
        };
        let picking = self.picking(seat);
        let options = match picking {
            Some(picking) => picking.options(Phrases::for_language(language).log.done),
            None => Options::from_observation(&observation, language),
        };
        let missing = picking.map_or_else(|| observation.decision().missing(), Picking::missing);
        let lines = why::explain(&observation, &options, missing, text, language);
        Answer::Html(self.pages.render("why.html", context! { lines }))
    }

    /// Searches the options of the viewer's seat for `text`, and renders those that match.
    fn find(&self, viewer: Viewer, language: Language, text: &str) -> Answer {
        let Viewer::Seat(seat) = viewer else { return Answer::Html(String::new()) };
        let seat = Seat(seat);
        let Some(observation) = self.session_asking(seat).and_then(Session::observation) else {
            return Answer::Refused(Phrases::for_language(language).web.not_asked.to_owned());
        };
        if self.picking(seat).is_some() {
            return Answer::Html(String::new());
        }
        let found = Options::from_observation(&observation, language).fits(text);
        let options = question::offered_at(&observation, found.first.into_iter(), language);
        let more = found.count.saturating_sub(options.len());
        Answer::Html(self.pages.render("found.html", context! { options => Value::from(Serde(&options)), more }))
    }
}
