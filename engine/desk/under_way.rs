//! A game that people and agents sit at: played on, written down before anybody sees it, taken back, and played by other rules.

use super::kept::{Recording, numbered};
use super::note_file::{Author, NotAdded, Note, NoteFile, Position, fingerprint, utc};
use super::refusal::Refusal;
use super::seating::Seating;
use super::thinking::{OnThought, Thinker, Thought};
use crate::agents;
use crate::diagnostic::{Diagnostic, Source, shown};
use crate::files::{append_whole, write_private};
use crate::model::Seat;
use crate::playscript::{self, Cast, PERSON, Recorder, Remade};
use crate::session::{Act, ChooseError, Consent, Disclosed, Game, NoAnswer, Redeal, Session, Setup};
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
    /// What people wrote down.
    notes: NoteFile,
    /// Notes that the recording itself has. Earlier versions wrote all of them there.
    remarks: Vec<Remark>,
}

/// A `note` statement of the recording, which may be anybody's.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Remark {
    /// Number of answers before it.
    answers: usize,
    text: String,
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
        if let Some(most) = playscript::excess(&text) {
            return Err(Refusal::new(format!("`{}` is full: a recording has at most {most}", shown(&self.path))));
        }
        let added = text.strip_prefix(self.written.as_str()).filter(|_| !self.written.is_empty());
        let result = match added {
            Some(added) => append_whole(&self.path, added.as_bytes()),
            None => write_private(&self.path, text.as_bytes()),
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

impl UnderWay {
    /// Sits everybody down where a recording ends, and keeps the game in a file from here on.
    pub(crate) fn begin(begun: Recording, seating: Seating, path: PathBuf) -> Result<Self, Refusal> {
        let resumed = begun.into_resumed();
        let notes = NoteFile::open(&path)?;
        let file = File { path, written: String::new() };
        let (game, session, recorder) = (resumed.game, resumed.session, resumed.recorder);
        let (asked, remarks) = (Vec::new(), Vec::new());
        let mut table = Self { game, session, recorder, seating, thinker: None, file, asked, notes, remarks };
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
        let remark = |(choices, text): (usize, &str)| {
            // Whatever name it begins with: anybody may have written it.
            Remark { answers: before.get(choices).copied().unwrap_or(answers), text: text.to_owned() }
        };
        self.remarks = self.recorder.notes().into_iter().map(remark).collect();
        Ok(before)
    }

    /// Whose each answer was, and how many answers there were when so many choices were written.
    fn counted(&self) -> Result<(Vec<Seat>, Vec<usize>), Refusal> {
        let mut session = self.started()?;
        let mut recorder = Recorder::begin(&self.game, &session, false);
        let (mut asked, mut before) = (Vec::new(), vec![0]);
        for act in self.session.acts() {
            let Some(decision) = session.decision() else { break };
            if let Act::Answer(_) = act {
                asked.push(decision.seat);
            }
            repeat(&mut recorder, &mut session, &act)?;
            if recorder.choices() == before.len() {
                before.push(asked.len());
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

    /// The notes of everybody: those that the recording itself has, then the others in the order in which they were written.
    pub(crate) fn notes(&self) -> Vec<Note> {
        let remark = |remark: &Remark| Note {
            author: Author::Recording,
            name: String::new(),
            time: String::new(),
            position: Position { answers: remark.answers, ..Position::default() },
            text: remark.text.clone(),
        };
        self.remarks.iter().map(remark).chain(self.notes.notes().iter().cloned()).collect()
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
        let thinker = if let Some(thinker) = self.thinker.take() {
            thinker
        } else {
            let seed = self.session.agent_seed();
            Thinker::begin((self.game.clone(), self.setup().clone()), self.seating.clone(), seed, report())
                .map_err(|error| Refusal::new(format!("no agent can think: {error}")))?
        };
        self.thinker.insert(thinker).ask(self.session.acts());
        Ok(())
    }

    /// Whether a thought is of the game as it stands: nobody has changed it otherwise while the agent was thinking.
    pub(crate) fn waits_for(&mut self, thought: &Thought) -> bool {
        self.thinker.as_mut().is_some_and(|thinker| thinker.has(thought))
    }

    /// Answers with the options at positions, one after the other. It is on the disk when this comes back.
    pub(crate) fn choose(&mut self, answers: &[u64]) -> Result<(), Refusal> {
        let before = self.session.answers().len();
        for answer in answers {
            let seat = self.session.decision().map(|decision| decision.seat);
            repeat(&mut self.recorder, &mut self.session, &Act::Answer(*answer))?;
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

    /// Determines what taking back a seat's last choice would undo; nothing where it has made none.
    pub(crate) fn last_choice_of(&self, seat: Seat) -> Result<Option<Retraction>, Refusal> {
        let Some(last) = self.asked.iter().rposition(|asked| *asked == seat) else { return Ok(None) };
        // Several picks are one choice.
        let (_, before) = self.counted()?;
        let to = before.into_iter().rev().find(|begun| *begun <= last).unwrap_or(last);
        let disclosed = self.session.disclosed_since(to).map_err(refused)?;
        let is_free = !disclosed.is_any
            && self.session.pending_answers() == 0
            && self.asked[to..].iter().all(|asked| *asked == seat);
        Ok(Some(Retraction { to, disclosed, is_free }))
    }

    /// Takes back every answer but the first so many. Nothing is dealt again where nothing has become known since.
    pub(crate) fn take_back(&mut self, to: usize, redeal: Option<&Redeal>) -> Result<(), Refusal> {
        self.undo(to)?;
        if let Some(redeal) = redeal {
            self.recorder.redeal(&mut self.session, redeal);
        }
        self.keep()
    }

    /// Takes back answers that have not been kept, and that nobody has seen.
    fn undo_to(&mut self, answers: usize) -> Result<(), Refusal> {
        self.undo(answers)?;
        self.keep()
    }

    fn undo(&mut self, answers: usize) -> Result<(), Refusal> {
        self.thinker = None;
        self.session.undo_to(answers).map_err(refused)?;
        self.asked.truncate(answers);
        // A remark outlives the choices that it stands behind.
        self.remarks.iter_mut().for_each(|remark| remark.answers = remark.answers.min(answers));
        self.record_anew()
    }

    /// Writes the recording anew from the answers and the remarks.
    fn record_anew(&mut self) -> Result<(), Refusal> {
        let mut session = self.started()?;
        let mut recorder = Recorder::begin(&self.game, &session, true);
        let remark = |recorder: &mut Recorder, at: usize| {
            for remark in self.remarks.iter().filter(|remark| remark.answers == at) {
                recorder.note(&remark.text);
            }
        };
        remark(&mut recorder, 0);
        for act in self.session.acts() {
            repeat(&mut recorder, &mut session, &act)?;
            if let Act::Answer(_) = act {
                remark(&mut recorder, session.answers().len());
            }
        }
        self.recorder = recorder;
        Ok(())
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
        // Its notes lie beside the game that is over.
        self.notes.remove()?;
        *self = Self::begin(begun, self.seating.clone(), self.file.path.clone())?;
        Ok(true)
    }

    /// Keeps the game as it stands in a file of its own, beside that which goes on: with the next number that is free.
    pub(crate) fn keep_beside(&self) -> Result<PathBuf, Refusal> {
        let mut kept = (1..=u32::MAX).map(|number| numbered(&self.file.path, number));
        let kept = kept.find(|file| !file.exists()).expect("there are many numbers");
        let cannot = |error| Refusal::new(format!("`{}` cannot be written: {error}", shown(&kept)));
        write_private(&kept, self.recording().as_bytes()).map_err(cannot)?;
        self.notes.copy_beside(&kept)?;
        Ok(kept)
    }

    /// How many choices its recording holds.
    pub(crate) fn choices(&self) -> usize {
        self.recorder.choices()
    }

    /// Adds a note on the position as it is; `now` counts seconds since 1970.
    pub(crate) fn note(&mut self, author: Author, now: u64, text: &str) -> Result<(), NotAdded> {
        let seat = match author {
            Author::Seat(seat) => Some(seat),
            Author::Onlooker | Author::Host | Author::Recording => None,
        };
        let view = self.session.memory(seat);
        let model = self.session.model();
        let phase = view.phase().map_or_else(String::new, |phase| model.phases[phase.index()].id.to_string());
        let position = Position {
            choices: self.recorder.choices(),
            answers: self.session.answers().len(),
            round: view.round(),
            phase,
            table: fingerprint(self.session.fingerprint()),
            rules: fingerprint(model.fingerprint),
        };
        let name = seat.map_or_else(String::new, |seat| self.setup().name(seat).to_owned());
        self.notes.add(Note { author, name, time: utc(now), position, text: text.to_owned() })
    }

    /// The choices so far, made again by other rules for as long as they hold.
    pub(crate) fn remade(&self, game: &Game) -> Result<Remade, Box<Diagnostic>> {
        let text = self.recorder.play().to_string();
        let source = Arc::new(Source { path: shown(&self.file.path), text });
        let play = playscript::parse(&source).map_err(|mut found| Box::new(found.0.remove(0)))?;
        let find = |_: &str| Ok(game.clone());
        playscript::remake(&play, &Cast { game: &find, agent: &agents::in_play, covering: false })
    }

    /// Goes on with a game whose choices were made again by other rules. Where some of them do not hold by these, what nobody knew
    /// before them is dealt again from `seed`.
    pub(crate) fn adopt(&mut self, game: &Game, remade: Remade, seed: u64) -> Result<(), Refusal> {
        let is_cut = remade.kept < self.choices();
        let choices: Vec<(usize, Remark)> =
            self.recorder.notes().iter().map(|(choices, _)| *choices).zip(self.remarks.drain(..)).collect();
        self.thinker = None;
        self.game = game.clone();
        self.session = remade.session;
        self.recorder = remade.recorder;
        let before = self.look_back()?;
        let last = self.session.answers().len();
        let remark = |(choices, remark): (usize, Remark)| Remark {
            answers: before.get(choices).copied().unwrap_or(last),
            ..remark
        };
        self.remarks = choices.into_iter().map(remark).collect();
        self.record_anew()?;
        if is_cut {
            self.recorder.redeal(&mut self.session, &Redeal { seed, by: None, consent: Consent::Rules });
        }
        self.keep()
    }
}

/// A choice that may be taken back.
pub(crate) struct Retraction {
    /// How many answers stay.
    pub(crate) to: usize,
    /// What has become known since.
    pub(crate) disclosed: Disclosed,
    /// Whether nothing has become known since, by public facts, and nobody else has chosen.
    pub(crate) is_free: bool,
}

fn repeat(recorder: &mut Recorder, session: &mut Session, act: &Act) -> Result<(), Refusal> {
    recorder.repeat(session, act).map_err(refused)
}

/// Says why an answer was not taken. By value, since `map_err` hands it over.
#[expect(clippy::needless_pass_by_value, reason = "it is given to `map_err`")]
fn refused(error: ChooseError) -> Refusal {
    Refusal::new(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_does_not_grow_beyond_what_can_be_read_again() {
        let path = Path::new(env!("OUT_DIR")).join("full.play");
        let mut file = File { path: path.clone(), written: String::new() };
        let long = format!("note {}\n", "a".repeat(122));
        for (line, most) in [(long.as_str(), "16 MB"), ("note a\n", "200000 lines")] {
            let whole = line.repeat((playscript::LARGEST / line.len()).min(200_000));
            file.hold(whole.clone()).unwrap();
            let refused = file.hold(format!("{whole}{long}")).unwrap_err();
            assert!(refused.message.contains("is full") && refused.message.contains(most), "{}", refused.message);
            assert!(super::super::reading::read_play(&path).unwrap() == whole, "what was there is there");
            file.hold(whole).unwrap();
        }
        crate::files::remove(&path).unwrap();
    }
}
