//! A game that people and agents sit at: played on, written down before anybody sees it, taken back, and played by other rules.

use super::kept::{Recording, numbered};
use super::refusal::Refusal;
use super::seating::Seating;
use super::thinking::{OnThought, Thinker, Thought};
use crate::agents;
use crate::diagnostic::{Diagnostic, Source, shown};
use crate::model::Seat;
use crate::playscript::{self, Cast, PERSON, Recorder, Remade};
use crate::report::write_whole;
use crate::session::{Game, NoAnswer, Session, Setup};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A game under way, with those who sit at it and the file that it is kept in.
pub(crate) struct UnderWay {
    game: Game,
    session: Session,
    recorder: Recorder,
    seating: Seating,
    /// The agents, once one of them was asked.
    thinker: Option<Thinker>,
    file: File,
    /// Whose each answer was, in order.
    asked: Vec<Seat>,
    /// What was remarked.
    notes: Vec<Note>,
}

/// What a viewer remarked at a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Note {
    /// How many answers there were.
    pub(crate) answers: usize,
    /// In which seat; none where the file does not say.
    pub(crate) seat: Option<Seat>,
    /// What.
    pub(crate) text: String,
}

/// The file that a game is kept in.
struct File {
    path: PathBuf,
    /// What stands in it.
    written: String,
}

impl File {
    /// Makes the file hold a text, on the disk: what is only longer is added to it.
    fn hold(&mut self, text: String) -> Result<(), Refusal> {
        if text == self.written {
            return Ok(());
        }
        let added = text.strip_prefix(self.written.as_str()).filter(|_| !self.written.is_empty());
        let result = match added {
            Some(added) => append(&self.path, added),
            None => write_whole(&self.path, text.as_bytes()),
        };
        if let Err(error) = result {
            // Nobody knows how much of it is there.
            self.written.clear();
            return Err(Refusal::new(format!("`{}` cannot be written: {error}", shown(&self.path))));
        }
        self.written = text;
        Ok(())
    }
}

fn append(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new().append(true).open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_data()
}

impl UnderWay {
    /// Sits everybody down where a recording ends, and keeps the game in a file from here on.
    pub(crate) fn begin(begun: Recording, seating: Seating, path: PathBuf) -> Result<Self, Refusal> {
        let resumed = begun.into_resumed();
        let file = File { path, written: String::new() };
        let (game, session, recorder) = (resumed.game, resumed.session, resumed.recorder);
        let mut table =
            Self { game, session, recorder, seating, thinker: None, file, asked: Vec::new(), notes: Vec::new() };
        table.look_back()?;
        table.keep()?;
        Ok(table)
    }

    /// Finds out whose each answer was, and when what was remarked, from what is written; how many answers there were when so many
    /// choices were.
    fn look_back(&mut self) -> Result<Vec<usize>, Refusal> {
        let (asked, before) = self.counted()?;
        self.asked = asked;
        let answers = self.session.answers().len();
        let seats: Vec<(Seat, String)> =
            self.session.model().all_seats().map(|seat| (seat, self.setup().name(seat).to_owned())).collect();
        self.notes = self
            .recorder
            .notes()
            .into_iter()
            .map(|(choices, text)| {
                let by = seats
                    .iter()
                    .find_map(|(seat, name)| Some((*seat, text.strip_prefix(name.as_str())?.strip_prefix(": ")?)));
                let answers = before.get(choices).copied().unwrap_or(answers);
                let (seat, text) = by.map_or((None, text), |(seat, text)| (Some(seat), text));
                Note { answers, seat, text: text.to_owned() }
            })
            .collect();
        Ok(before)
    }

    /// Whose each answer was, and how many answers there were when so many choices were written.
    fn counted(&self) -> Result<(Vec<Seat>, Vec<usize>), Refusal> {
        let mut session = self.started()?;
        let mut recorder = Recorder::begin(&self.game, &session, false);
        let (mut asked, mut before) = (Vec::new(), vec![0]);
        for (at, answer) in self.session.answers().iter().enumerate() {
            let Some(decision) = session.decision() else { break };
            asked.push(decision.seat);
            choose(&mut recorder, &mut session, *answer)?;
            if recorder.choices() == before.len() {
                before.push(at + 1);
            }
        }
        Ok((asked, before))
    }

    /// How many answers there were before a choice, counted from 0 as they are written, and how many with it.
    pub(crate) fn answers_of(&self, choice: usize) -> Option<(usize, usize)> {
        let (_, before) = self.counted().ok()?;
        Some((*before.get(choice)?, *before.get(choice + 1)?))
    }

    fn started(&self) -> Result<Session, Refusal> {
        Session::start(&self.game, self.setup()).map_err(|_| Refusal::new("the game does not begin any more"))
    }

    /// The game.
    pub(crate) const fn game(&self) -> &Game {
        &self.game
    }

    /// Where it stands.
    pub(crate) const fn session(&self) -> &Session {
        &self.session
    }

    /// How it was set up.
    pub(crate) fn setup(&self) -> &Setup {
        self.session.setup()
    }

    /// Who sits where.
    pub(crate) const fn seating(&self) -> &Seating {
        &self.seating
    }

    /// The file that it is kept in.
    pub(crate) fn file(&self) -> &Path {
        &self.file.path
    }

    /// What was remarked.
    pub(crate) fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Whose each answer was, in order.
    pub(crate) fn asked(&self) -> &[Seat] {
        &self.asked
    }

    /// Whether an agent sits in a seat.
    pub(crate) fn is_agent(&self, seat: Seat) -> bool {
        self.seating.is_agent(seat)
    }

    /// Whether a person is to sit in a seat: no agent, and not the rules.
    pub(crate) fn is_person(&self, seat: Seat) -> bool {
        !self.is_agent(seat) && !self.session.model().automas.contains(&seat)
    }

    /// Lets the agent that is asked think, if one is; what it has thought of is reported.
    pub(crate) fn think(&mut self, report: impl FnOnce() -> OnThought) -> Result<(), Refusal> {
        if !self.session.decision().is_some_and(|decision| self.is_agent(decision.seat)) {
            return Ok(());
        }
        let thinker = match self.thinker.take() {
            Some(thinker) => thinker,
            None => Thinker::begin(self.game.clone(), self.setup().clone(), self.seating.clone(), report())
                .map_err(|error| Refusal::new(format!("no agent can think: {error}")))?,
        };
        self.thinker.insert(thinker).ask(self.session.answers().iter().copied());
        Ok(())
    }

    /// Whether a thought is of the game as it stands: nobody has changed it otherwise while the agent was thinking.
    pub(crate) fn waits_for(&mut self, thought: &Thought) -> bool {
        self.thinker.as_mut().is_some_and(|thinker| thinker.has(thought))
    }

    /// Answers with the options at positions, one after the other. It is on the disk when this comes back.
    pub(crate) fn choose(&mut self, answers: &[u32]) -> Result<(), Refusal> {
        let before = self.session.answers().len();
        for answer in answers {
            let seat = self.session.decision().map(|decision| decision.seat);
            choose(&mut self.recorder, &mut self.session, *answer)?;
            self.asked.extend(seat);
        }
        let kept = self.keep();
        if kept.is_err() {
            // What is not on the disk was not chosen.
            self.undo_to(before)?;
        }
        kept
    }

    /// Writes the game down as it stands.
    fn keep(&mut self) -> Result<(), Refusal> {
        self.recorder.seat(self.seating.written());
        self.file.hold(self.recording())
    }

    /// The game as it is written down.
    fn recording(&self) -> String {
        let mut whole = self.recorder.clone();
        whole.end(&self.session);
        whole.play().to_string()
    }

    /// Takes back every answer but the first so many.
    pub(crate) fn undo_to(&mut self, answers: usize) -> Result<(), Refusal> {
        self.thinker = None;
        self.session.undo_to(answers).map_err(|error| Refusal::new(error.to_string()))?;
        self.asked.truncate(answers);
        self.notes.retain(|note| note.answers <= answers);
        self.record_anew()?;
        self.keep()
    }

    /// Writes the recording anew from the answers and the remarks.
    fn record_anew(&mut self) -> Result<(), Refusal> {
        let mut session = self.started()?;
        let mut recorder = Recorder::begin(&self.game, &session, true);
        let remark = |recorder: &mut Recorder, at: usize| {
            for note in self.notes.iter().filter(|note| note.answers == at) {
                recorder.note(&self.written_note(note));
            }
        };
        remark(&mut recorder, 0);
        for (at, answer) in self.session.answers().iter().enumerate() {
            choose(&mut recorder, &mut session, *answer)?;
            remark(&mut recorder, at + 1);
        }
        self.recorder = recorder;
        Ok(())
    }

    fn written_note(&self, note: &Note) -> String {
        note.seat.map_or_else(|| note.text.clone(), |seat| format!("{}: {}", self.setup().name(seat), note.text))
    }

    /// Gives a seat to an agent, or with nobody named to a person.
    pub(crate) fn give(&mut self, seat: Seat, agent: Option<&str>) -> Result<(), Refusal> {
        self.seating.give(seat, agent.unwrap_or(PERSON), &self.game)?;
        self.thinker = None;
        self.keep()
    }

    /// The game that follows in the campaign, once this one is over; nothing where none does.
    pub(crate) fn following(&self) -> Option<Setup> {
        self.session.next_game().ok().flatten()
    }

    /// Goes on with the game that follows in the campaign, in the same file: the one that is over is kept beside it, with a number. Says
    /// whether there is one.
    pub(crate) fn follow(&mut self) -> Result<bool, Refusal> {
        let found = self.session.next_game();
        let Some(next) = found.map_err(|found| Refusal::new(found.in_a_line()))? else { return Ok(false) };
        let begun = Recording::begin(&self.game, &next);
        let begun = begun.map_err(|found| Refusal::new(NoAnswer::from(found).diagnostic().in_a_line()))?;
        self.keep_beside()?;
        *self = Self::begin(begun, self.seating.clone(), self.file.path.clone())?;
        Ok(true)
    }

    /// Keeps the game as it stands in a file of its own, beside that which goes on: with the next number that is free.
    pub(crate) fn keep_beside(&self) -> Result<PathBuf, Refusal> {
        let mut kept = (1..=u32::MAX).map(|number| numbered(&self.file.path, number));
        let kept = kept.find(|file| !file.exists()).expect("there are many numbers");
        let cannot = |error| Refusal::new(format!("`{}` cannot be written: {error}", shown(&kept)));
        write_whole(&kept, self.recording().as_bytes()).map_err(cannot)?;
        Ok(kept)
    }

    /// How many choices its recording holds.
    pub(crate) fn choices(&self) -> usize {
        self.recorder.choices()
    }

    /// Writes down what a viewer remarks of this moment.
    pub(crate) fn note(&mut self, seat: Option<Seat>, text: &str) -> Result<(), Refusal> {
        let note = Note { answers: self.session.answers().len(), seat, text: text.to_owned() };
        self.recorder.note(&self.written_note(&note));
        self.notes.push(note);
        self.keep()
    }

    /// The choices so far, made again by other rules for as long as they hold.
    pub(crate) fn remade(&self, game: &Game) -> Result<Remade, Box<Diagnostic>> {
        let text = self.recorder.play().to_string();
        let source = Arc::new(Source { path: shown(&self.file.path), text });
        let play = playscript::parse(&source).map_err(|mut found| Box::new(found.0.remove(0)))?;
        let find = |_: &str| Ok(game.clone());
        playscript::remake(&play, &Cast { game: &find, agent: &agents::in_play, covering: false })
    }

    /// Goes on with a game whose choices were made again by other rules.
    pub(crate) fn adopt(&mut self, game: &Game, remade: Remade) -> Result<(), Refusal> {
        let choices: Vec<(usize, Note)> =
            self.recorder.notes().iter().map(|(choices, _)| *choices).zip(self.notes.drain(..)).collect();
        self.thinker = None;
        self.game = game.clone();
        self.session = remade.session;
        self.recorder = remade.recorder;
        let before = self.look_back()?;
        let kept =
            choices.into_iter().filter_map(|(choices, note)| Some(Note { answers: *before.get(choices)?, ..note }));
        self.notes = kept.collect();
        self.record_anew()?;
        self.keep()
    }
}

fn choose(recorder: &mut Recorder, session: &mut Session, answer: u32) -> Result<(), Refusal> {
    recorder.choose(session, answer as usize).map_err(|error| Refusal::new(error.to_string()))
}
