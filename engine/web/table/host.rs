//! The thread of a table: plays its game, and does what is wished.

use super::fair_queue::{FairQueue, Popped};
use super::saved::Saved;
use super::tokens::Tokens;
use super::undo::Undo;
use super::{Answer, Request, Shown, Wish};
use crate::desk::account::Account;
use crate::desk::live_game::LiveGame;
use crate::desk::options::Options;
use crate::desk::picking::Picking;
use crate::desk::refusal::Refusal;
use crate::desk::saved_game::{Recording, SavedGame};
use crate::desk::seating::Seating;
use crate::desk::thinking::{OnThought, Thought};
use crate::desk::why;
use crate::diagnostic::render;
use crate::model::{Language, Seat};
use crate::phrases::Phrases;
use crate::playscript::PERSON;
use crate::web::links::{Links, Viewer};
use crate::web::pages::Pages;
use crate::web::question::Question;
use crate::web::trial::Trials;
use crate::web::{Opened, Opening, Unserved};
use minijinja::context;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex};
use tokio::sync::{oneshot, watch};

pub(super) type OpeningResult = Result<(Links, Arc<Shown>, Arc<Trials>, Opened), Unserved>;

/// Opens a game and plays it until it is stopped.
pub(super) fn host(
    opening: Opening,
    pages: Arc<Pages>,
    inbox: &Arc<FairQueue<Request>>,
    stop: &AtomicBool,
    opened_to: &SyncSender<OpeningResult>,
) {
    let folder = opening.folder.clone();
    let opened = sit_down(opening).and_then(|table| {
        let links = Links::of(table.file(), table.setup().seats)?;
        Ok((table, links, Tokens::new()?))
    });
    let (table, links, tokens) = match opened {
        Ok(opened) => opened,
        Err(why) => {
            let _ = opened_to.send(Err(why));
            return;
        }
    };
    let changes = links.all().into_iter().map(|(viewer, _)| (viewer, watch::channel(0).0)).collect();
    let shown = Arc::new(Shown {
        pages: Mutex::default(),
        faces: Mutex::default(),
        played: Mutex::default(),
        standing: Mutex::default(),
        visits: Mutex::default(),
        changes,
    });
    let account = Account::new(table.session().model(), table.setup(), Language::English);
    let opened = Opened {
        title: account.title(),
        game: table.session().model().name.clone(),
        file: table.file().to_path_buf(),
        names: table.session().model().all_seats().map(|seat| table.setup().name(seat).to_owned()).collect(),
        people: table.session().model().all_seats().filter(|seat| table.is_person(*seat)).map(|seat| seat.0).collect(),
    };
    let trials = Arc::new(Trials::new(table.game().clone(), table.setup().clone(), folder));
    let mut host = Host {
        table,
        pages,
        shown: shown.clone(),
        trials: trials.clone(),
        own: inbox.clone(),
        picking: None,
        tokens,
        held: None,
        undo: None,
        saved: None,
        fault: None,
    };
    // The thread that looks back finds it there at once.
    host.publish();
    if opened_to.send(Ok((links, shown, trials, opened))).is_err() {
        return;
    }
    host.run(inbox, stop);
}

/// Brings a game to where it stands, and seats everybody.
fn sit_down(opening: Opening) -> Result<LiveGame, Unserved> {
    let is_kept = opening.file.is_file();
    let begun = if is_kept {
        Recording::open(&SavedGame::read(&opening.file)?, &opening.file, opening.game.as_ref(), true)?
    } else {
        let game = opening.game.ok_or_else(|| Refusal::new("no game is named"))?;
        Recording::begin(&game, &opening.setup).map_err(|mistakes| Unserved::Opened(mistakes.into()))?
    };
    let everybody = vec![PERSON.to_owned(); usize::from(begun.setup().seats)];
    let kept = begun.agents().to_vec();
    let given = if opening.agents.is_empty() && kept.is_empty() { everybody } else { opening.agents };
    let seating = Seating::new(&given, &kept, begun.game(), begun.setup())?;
    Ok(LiveGame::begin(begun, seating, opening.file)?)
}

/// Plays a game, and shows it.
pub(super) struct Host {
    pub(super) table: LiveGame,
    pub(super) pages: Arc<Pages>,
    pub(super) shown: Arc<Shown>,
    trials: Arc<Trials>,
    /// Where it gets what agents have thought of.
    own: Arc<FairQueue<Request>>,
    /// What the seat that is asked has picked so far.
    pub(super) picking: Option<Picking>,
    pub(super) tokens: Tokens,
    pub(super) undo: Option<Undo>,
    /// What an agent has thought of while a player asks to take back a choice.
    pub(super) held: Option<Thought>,
    /// What became of files that were saved.
    pub(super) saved: Option<Saved>,
    /// What went wrong with an agent or the file.
    pub(super) fault: Option<String>,
}

impl Host {
    pub(super) fn run(&mut self, inbox: &FairQueue<Request>, stop: &AtomicBool) {
        self.question_changes();
        while !stop.load(Ordering::SeqCst) {
            self.let_think();
            let waits = self.undo.as_ref().and_then(Undo::host_waits);
            let request = match inbox.pop_within(waits) {
                Popped::Request(request) => request,
                Popped::TimedOut => {
                    // From now on the host may decide.
                    self.show();
                    continue;
                }
                // Nobody asks any more once the table is closed.
                Popped::Closed => return,
            };
            self.take(request);
        }
    }

    /// Lets an agent that is asked think, on a thread of its own.
    fn let_think(&mut self) {
        let own = self.own.clone();
        let report = || -> OnThought {
            Box::new(move |thought| {
                let (reply, _) = oneshot::channel();
                let (wish, language) = (Wish::Thought(thought), Language::default());
                // A table that is closed meanwhile needs to know of no thoughts.
                own.push_own(Request { viewer: Viewer::Host, language, wish, reply });
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

    /// Makes the choice that an agent has thought of, if the table is as it was.
    fn made_up(&mut self, thought: Thought) {
        // The table waits while others are asked whether a choice is taken back.
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
        self.question_changes();
        self.show();
    }

    /// Takes up what an agent has thought of while a request was open.
    pub(super) fn take_held(&mut self) {
        if let Some(thought) = self.held.take() {
            self.made_up(thought);
        }
    }

    pub(super) fn take(&mut self, request: Request) {
        let Request { viewer, language, wish, reply } = request;
        let answer = self.carry_out(viewer, language, wish);
        // The browser that has asked may have gone.
        let _ = reply.send(answer);
    }

    pub(super) fn carry_out(&mut self, viewer: Viewer, language: Language, wish: Wish) -> Answer {
        let web = &Phrases::of(language).web;
        match wish {
            Wish::Page => {
                self.render(&[(viewer, language.tag())]);
                Answer::Done
            }
            Wish::Choose { question, at } => {
                self.answered(viewer, language, &question, |host, _| host.choose(at, language))
            }
            Wish::Number { question, number } => self.answered(viewer, language, &question, |host, question| {
                let bounds = question.number.as_ref().filter(|bounds| (bounds.least..=bounds.most).contains(&number));
                match bounds {
                    Some(bounds) => host.choose((number - bounds.least) as usize, language),
                    None => Err(Refusal::new(web.not_a_number)),
                }
            }),
            Wish::TakeBack { question } => self.answered(viewer, language, &question, |host, _| {
                host.picking.as_mut().map(Picking::take_back);
                host.tokens.pick_changes();
                Ok(())
            }),
            Wish::Why(text) => self.why(viewer, language, &text),
            Wish::Undo { token } => self.ask_undo(viewer, language, &token),
            Wish::Agree { is_so, token } => self.agree(viewer, language, is_so, &token),
            Wish::Note(text) => self.note(viewer, language, &text),
            // Those are put to the thread that looks back.
            Wish::Log | Wish::Moment { .. } | Wish::Notes => Answer::Done,
            Wish::Rules { is_new, token } => self.decide(viewer, language, is_new, &token),
            Wish::Saved(edited) => {
                self.reload(&edited.0);
                Answer::Done
            }
            Wish::Thought(thought) => {
                self.made_up(thought);
                Answer::Done
            }
            Wish::Follow { token } if token != self.tokens.table() => Answer::Refused(web.stale.to_owned()),
            Wish::Follow { .. } => self.follow(viewer),
            Wish::Give { token, .. } if token != self.tokens.table() => Answer::Refused(web.stale.to_owned()),
            Wish::Give { seat, agent, .. } => self.give(viewer, language, seat, &agent),
        }
    }

    /// Goes on with the next game of a campaign: every player may wish that, and the host.
    fn follow(&mut self, viewer: Viewer) -> Answer {
        if viewer == Viewer::Onlooker {
            return Answer::Done;
        }
        let answer = match self.table.start_next_game() {
            Ok(true) => {
                (self.undo, self.saved, self.fault) = (None, None, None);
                self.tokens.rules_change();
                self.trials.follow(self.table.setup().clone());
                self.publish();
                self.shown.faces().clear();
                self.question_changes();
                Answer::Done
            }
            Ok(false) => Answer::Done,
            Err(why) => Answer::Refused(why.message),
        };
        self.show();
        answer
    }

    /// Carries out what answers a question, if it is still the one that is open.
    pub(super) fn answered(
        &mut self,
        viewer: Viewer,
        language: Language,
        question: &str,
        answer: impl FnOnce(&mut Self, &Question) -> Result<(), Refusal>,
    ) -> Answer {
        let web = &Phrases::of(language).web;
        let Some(open) = self.question(viewer, language) else { return Answer::Refused(web.not_asked.to_owned()) };
        if open.number_of_it != question {
            return Answer::Refused(web.stale.to_owned());
        }
        let result = answer(self, &open);
        self.show();
        match result {
            Ok(()) => Answer::Done,
            Err(why) => Answer::Refused(why.message),
        }
    }

    /// Chooses the option at a position: where several are picked, picks it.
    pub(super) fn choose(&mut self, at: usize, language: Language) -> Result<(), Refusal> {
        let web = &Phrases::of(language).web;
        if let Some(picking) = &mut self.picking {
            if at >= picking.options("").len() {
                return Err(Refusal::new(web.no_such_option));
            }
            let is_last = picking.pick(at);
            self.tokens.pick_changes();
            if !is_last {
                return Ok(());
            }
        }
        let answers: Option<Vec<u64>> = match &self.picking {
            Some(picking) => picking
                .apply(self.table.session())
                .map(|after| after.answers().since(self.table.session().answers().len()).copied().collect()),
            None if self.table.session().decision().is_none_or(|decision| at >= decision.count()) => {
                return Err(Refusal::new(web.no_such_option));
            }
            None => Some(vec![at as u64]),
        };
        let result = match answers {
            Some(answers) => self.table.choose(&answers),
            None => Err(Refusal::new(web.not_together)),
        };
        // Who plays on does not agree.
        self.undo = None;
        self.question_changes();
        result
    }

    /// What is being picked begins anew.
    pub(super) fn question_changes(&mut self) {
        self.picking =
            self.table.session().observation().and_then(|observation| Picking::start(&observation, Language::English));
        let seat = self.table.session().decision().map(|decision| decision.seat);
        self.tokens.question_changes(seat.map(|seat| (seat, self.answers_of(seat))));
    }

    /// Returns how many questions a seat has answered. A count of all answers would tell a seat that others have answered while all are
    /// asked together.
    pub(super) fn answers_of(&self, seat: Seat) -> u64 {
        self.table.asked().iter().filter(|asked| **asked == seat).count() as u64
    }

    /// The question that a viewer is asked.
    pub(super) fn question(&self, viewer: Viewer, language: Language) -> Option<Question> {
        let Viewer::Seat(seat) = viewer else { return None };
        let session = self.table.session();
        let observation = session.observation().filter(|observation| observation.seat() == Seat(seat))?;
        if self.table.is_agent(Seat(seat)) {
            return None;
        }
        let picking = self.picking.as_ref().and_then(|picking| {
            let mut own = Picking::start(&observation, language)?;
            own.copy_picks(picking);
            Some(own)
        });
        Some(Question::new(&observation, picking.as_ref(), self.tokens.question(), language))
    }

    pub(super) fn why(&self, viewer: Viewer, language: Language, text: &str) -> Answer {
        let Viewer::Seat(seat) = viewer else { return Answer::Html(String::new()) };
        let session = self.table.session();
        let Some(observation) = session.observation().filter(|observation| observation.seat() == Seat(seat)) else {
            return Answer::Refused(Phrases::of(language).web.not_asked.to_owned());
        };
        let options = match &self.picking {
            Some(picking) => picking.options(Phrases::of(language).log.done),
            None => Options::from_observation(&observation, language),
        };
        let missing = self.picking.as_ref().map_or_else(|| observation.decision().missing(), Picking::missing);
        let lines = why::explain(&observation, &options, missing, text, language);
        Answer::Html(self.pages.render("why.html", context! { lines }))
    }
}
