//! A game in progress at a table of people and agents. Every change is saved before anybody sees it. Answers can be taken back, and the
//! rules can be replaced during the game.

use super::note_file::{AddNoteError, Author, Note, NoteFile, Position, fingerprint, utc};
use super::picking::Picking;
use super::refusal::Refusal;
use super::saved_game::{Recording, numbered};
use super::seating::Seating;
use super::thinking::{AgentChoice, OnAgentChoice, Thinker};
use crate::agents;
use crate::diagnostic::{Diagnostic, Source, shown};
use crate::files::{append_synced, exists, write_private};
use crate::model::Seat;
use crate::playscript::{self, Cast, PERSON, Recorder, RepeatedSession, TextSize};
use crate::session::{Act, ChooseError, Consent, DisclosedFaces, Game, NoAnswer, Redeal, Session, Setup, Status};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Maximum number of copies of finished games in a folder. Anybody at the table can ask to play again, and each copy takes disk space.
const MAX_COPIES: u32 = 1_000;

/// A game in progress, with its players and its file.
pub(crate) struct LiveGame {
    game: Game,
    session: Session,
    recorder: Recorder,
    seating: Seating,
    /// Thread on which the agents choose; `None` until an agent is asked.
    thinker: Option<Thinker>,
    file: File,
    /// Seat of each answer, in order.
    asked: Vec<Seat>,
    /// Notes in the file beside the recording.
    notes: NoteFile,
    /// Notes in the recording itself, where earlier versions wrote them.
    remarks: Vec<Remark>,
}

/// A `note` statement of the recording. Its author is unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Remark {
    /// Number of answers before the note.
    answers: usize,
    text: String,
}

/// File in which the game is saved.
struct File {
    path: PathBuf,
    /// Number of statements of the recording that the file contains; `None` if the content is unknown.
    statements: Option<usize>,
    size: TextSize,
}

impl File {
    fn new(path: PathBuf) -> Self {
        Self { path, statements: None, size: TextSize::default() }
    }

    /// Replaces the content of the file with `text`, a recording that consists of `statements` statements.
    fn replace(&mut self, text: &str, statements: usize) -> Result<(), Refusal> {
        self.write(text, TextSize::default(), statements, |path| write_private(path, text.as_bytes()))
    }

    /// Appends the text of further statements. The recording then consists of `statements` statements. Returns `false` if nothing was
    /// appended, because the file is missing or its length has changed.
    fn append(&mut self, text: &str, statements: usize) -> Result<bool, Refusal> {
        let (length, mut is_appended) = (self.size.bytes() as u64, false);
        self.write(text, self.size, statements, |path| {
            is_appended = append_synced(path, length, text.as_bytes())?;
            Ok(())
        })?;
        if !is_appended {
            self.statements = None;
        }
        Ok(is_appended)
    }

    fn write(
        &mut self,
        text: &str,
        before: TextSize,
        statements: usize,
        write: impl FnOnce(&Path) -> io::Result<()>,
    ) -> Result<(), Refusal> {
        let size = before.plus(text);
        if let Some(most) = size.excess() {
            return Err(Refusal::new(format!("`{}` is full: a recording has at most {most}", shown(&self.path))));
        }
        // After a failed write, the content is unknown, so the next write replaces the whole file.
        self.statements = None;
        let cannot = |error| Refusal::new(format!("`{}` cannot be written: {error}", shown(&self.path)));
        write(&self.path).map_err(cannot)?;
        (self.statements, self.size) = (Some(statements), size);
        Ok(())
    }
}

impl LiveGame {
    /// Continues a recording with the players in `seating`. From now on, the game is saved in the file `path`.
    pub(crate) fn begin(begun: Recording, seating: Seating, path: PathBuf) -> Result<Self, Refusal> {
        let resumed = begun.into_resumed();
        let notes = NoteFile::open(&path)?;
        let file = File::new(path);
        let (game, session, recorder) = (resumed.game, resumed.session, resumed.recorder);
        let (asked, remarks) = (Vec::new(), Vec::new());
        let mut table = Self { game, session, recorder, seating, thinker: None, file, asked, notes, remarks };
        table.rebuild_index()?;
        table.save()?;
        Ok(table)
    }

    /// Recomputes the seats of all answers and the positions of the remarks by replaying the game. Returns the number of answers before
    /// each choice.
    fn rebuild_index(&mut self) -> Result<Vec<usize>, Refusal> {
        let (asked, before) = self.replay_counts()?;
        self.asked = asked;
        let answers = self.session.answers().len();
        let remark = |(choices, text): (usize, &str)| {
            // The author is unknown: the text may begin with a name, but anybody can have written it.
            Remark { answers: before.get(choices).copied().unwrap_or(answers), text: text.to_owned() }
        };
        self.remarks = self.recorder.notes().into_iter().map(remark).collect();
        Ok(before)
    }

    /// Replays the game. Returns the seat of each answer, and the number of answers before each choice of the recording.
    fn replay_counts(&self) -> Result<(Vec<Seat>, Vec<usize>), Refusal> {
        let mut session = self.new_session()?;
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

    /// Returns the number of answers before and after the choice with index `choice` of the recording.
    pub(crate) fn answers_of(&self, choice: usize) -> Option<(usize, usize)> {
        let (_, before) = self.replay_counts().ok()?;
        Some((*before.get(choice)?, *before.get(choice + 1)?))
    }

    fn new_session(&self) -> Result<Session, Refusal> {
        Session::start(&self.game, self.setup()).map_err(|_| Refusal::new("the game no longer starts"))
    }

    /// Returns the game.
    pub(crate) const fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the session.
    pub(crate) const fn session(&self) -> &Session {
        &self.session
    }

    /// Returns the setup.
    pub(crate) fn setup(&self) -> &Setup {
        self.session.setup()
    }

    /// Returns the assignment of seats.
    pub(crate) const fn seating(&self) -> &Seating {
        &self.seating
    }

    /// Returns the path of the file in which the game is saved.
    pub(crate) fn file(&self) -> &Path {
        &self.file.path
    }

    /// Returns all notes: those in the recording, then the others in chronological order.
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

    /// Returns the seat of each answer, in order.
    pub(crate) fn asked(&self) -> &[Seat] {
        &self.asked
    }

    /// Returns whether an agent has a seat.
    pub(crate) fn is_agent(&self, seat: Seat) -> bool {
        self.seating.is_agent(seat)
    }

    /// Returns whether a seat is for a person: neither an agent nor the rules play it.
    pub(crate) fn is_person(&self, seat: Seat) -> bool {
        !self.is_agent(seat) && !self.session.model().automas.contains(&seat)
    }

    /// If it is an agent's turn, requests the agent's choice, which is passed to the callback that `report` creates. If the game is over,
    /// tells the agents so.
    pub(crate) fn think(&mut self, report: impl FnOnce() -> OnAgentChoice) -> Result<(), Refusal> {
        if let (Some(thinker), Status::Over(_)) = (&mut self.thinker, self.session.status()) {
            thinker.tell_end(self.session.acts());
        }
        if !self.session.decision().is_some_and(|decision| self.is_agent(decision.seat)) {
            return Ok(());
        }
        let thinker = if let Some(thinker) = self.thinker.take() {
            thinker
        } else {
            let seed = self.session.agent_seed();
            Thinker::begin(self.game.clone(), self.setup().clone(), self.seating.clone(), seed, report())
                .map_err(|error| Refusal::new(format!("no agent can think: {error}")))?
        };
        self.thinker.insert(thinker).ask(self.session.acts());
        Ok(())
    }

    /// Returns whether a choice belongs to the current state of the game. Choices that were overtaken by another change do not.
    pub(crate) fn waits_for(&mut self, thought: &AgentChoice) -> bool {
        self.thinker.as_mut().is_some_and(|thinker| thinker.accept(thought))
    }

    /// Answers one or several decisions with the options at the positions `answers`. When this returns without an error, the answers are
    /// saved.
    pub(crate) fn choose(&mut self, answers: &[u64]) -> Result<(), Refusal> {
        let before = self.session.answers().len();
        for answer in answers {
            let seat = self.session.decision().map(|decision| decision.seat);
            repeat(&mut self.recorder, &mut self.session, &Act::Answer(*answer))?;
            self.asked.extend(seat);
        }
        self.save_answers(before)
    }

    /// Answers a decision with the things that were picked. Returns false if the rules do not accept these things together. When this
    /// returns true, the answers are saved.
    pub(crate) fn choose_picks(&mut self, picking: &Picking) -> Result<bool, Refusal> {
        let (before, mark) = (self.session.answers().len(), self.recorder.mark());
        // The rules may refuse a later pick, so the answers are given to a copy.
        let (mut session, mut asked) = (self.session.fork(), Vec::new());
        let is_accepted = picking.play(&mut session, |session, at| {
            asked.extend(session.decision().map(|decision| decision.seat));
            self.recorder.choose(session, at)
        });
        if !is_accepted {
            self.recorder.roll_back(mark);
            return Ok(false);
        }
        self.session = session;
        self.asked.extend(asked);
        self.save_answers(before).map(|()| true)
    }

    /// Saves the answers after the first `before` ones. If saving fails, takes these answers back.
    fn save_answers(&mut self, before: usize) -> Result<(), Refusal> {
        let statements = self.recorder.statement_count();
        let saved = match self.file.statements {
            // The first of several picks adds no statement.
            Some(known) if known == statements => Ok(()),
            Some(known) if known < statements => {
                match self.file.append(&self.recorder.text_since(known, &self.session), statements) {
                    Ok(true) => Ok(()),
                    // The file is missing or was changed by another program, so the whole recording is written.
                    Ok(false) => self.save(),
                    Err(why) => Err(why),
                }
            }
            _ => self.save(),
        };
        if saved.is_err() {
            // Nobody may see an answer that is not on the disk.
            self.undo_to(before)?;
        }
        saved
    }

    /// Writes the whole recording. Must be called whenever the recording has changed, unless statements were only added at its end.
    fn save(&mut self) -> Result<(), Refusal> {
        self.recorder.seat(self.seating.names_to_save());
        self.file.replace(&self.recording(), self.recorder.statement_count())
    }

    /// Returns the recording as text.
    fn recording(&self) -> String {
        self.recorder.text_since(0, &self.session)
    }

    /// Returns the consequences of taking back a seat's last choice; `None` if the seat has made no choice.
    pub(crate) fn last_choice_of(&self, seat: Seat) -> Result<Option<Retraction>, Refusal> {
        let Some(last) = self.asked.iter().rposition(|asked| *asked == seat) else { return Ok(None) };
        // Several picks are one choice.
        let (_, before) = self.replay_counts()?;
        let to = before.into_iter().rev().find(|begun| *begun <= last).unwrap_or(last);
        let disclosed = self.session.disclosed_since(to).map_err(to_refusal)?;
        let is_free = !disclosed.is_any
            // Otherwise `is_free` would reveal whether other seats have already answered a simultaneous decision.
            && !self.session.is_asking_together()
            && self.asked[to..].iter().all(|asked| *asked == seat);
        Ok(Some(Retraction { to, disclosed, is_free }))
    }

    /// Takes back all answers except the first `to`. If `redeal` is given, hidden information is dealt again.
    pub(crate) fn take_back(&mut self, to: usize, redeal: Option<&Redeal>) -> Result<(), Refusal> {
        self.undo(to)?;
        if let Some(redeal) = redeal {
            self.recorder.redeal(&mut self.session, redeal);
        }
        self.save()
    }

    /// Takes back all answers except the first `answers`, after saving has failed. Nobody has seen the answers that are taken back.
    fn undo_to(&mut self, answers: usize) -> Result<(), Refusal> {
        self.undo(answers)?;
        self.save()
    }

    /// Undoes all answers except the first `answers`. Ends the thread of the agents, since the agents know the undone answers.
    fn undo(&mut self, answers: usize) -> Result<(), Refusal> {
        self.thinker = None;
        self.session.undo_to(answers).map_err(to_refusal)?;
        self.asked.truncate(answers);
        // A remark is kept even if the choices before it are taken back.
        self.remarks.iter_mut().for_each(|remark| remark.answers = remark.answers.min(answers));
        self.rebuild_recorder()
    }

    /// Recreates the recorder by replaying the game, and adds the remarks at their positions.
    fn rebuild_recorder(&mut self) -> Result<(), Refusal> {
        let mut session = self.new_session()?;
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

    /// Assigns a seat to an agent, or to a person if `agent` is `None`.
    pub(crate) fn give(&mut self, seat: Seat, agent: Option<&str>) -> Result<(), Refusal> {
        self.seating.give(seat, agent.unwrap_or(PERSON), &self.game)?;
        self.thinker = None;
        self.save()
    }

    /// Returns the setup of the next game of the campaign. Returns `None` if this game is not over or is the last one.
    pub(crate) fn next_setup(&self) -> Option<Setup> {
        self.session.next_game().ok().flatten()
    }

    /// Begins the next game of the campaign in the same file. Copies the finished game to a numbered file beside it. Returns false if there
    /// is no next game.
    pub(crate) fn start_next_game(&mut self) -> Result<bool, Refusal> {
        let found = self.session.next_game();
        let Some(next) = found.map_err(|found| Refusal::new(found.in_a_line()))? else { return Ok(false) };
        self.start_game(&next, self.seating.clone())?;
        Ok(true)
    }

    /// Returns whether another game can follow this one: this game is over and does not belong to a campaign.
    pub(crate) fn can_play_again(&self) -> bool {
        self.session.outcome().is_some() && self.session.model().campaign.is_none()
    }

    /// Returns whether the players change seats when the game is played again. They do not in games for one player, nor if the rules play
    /// seats.
    pub(crate) fn rotates_seats(&self) -> bool {
        self.setup().seats > 1 && self.session.model().automas.is_empty()
    }

    /// Begins another game with the same options in the same file. If [seats rotate](Self::rotates_seats), the player of the second seat
    /// gets the first one, and so on. Copies the finished game to a numbered file beside it. Returns false if no game can follow.
    pub(crate) fn play_again(&mut self, seed: u64) -> Result<bool, Refusal> {
        if !self.can_play_again() {
            return Ok(false);
        }
        let mut names: Vec<String> =
            self.session.model().all_seats().map(|seat| self.setup().name(seat).to_owned()).collect();
        let mut seating = self.seating.clone();
        if self.rotates_seats() {
            names.rotate_left(1);
            seating.rotate();
        }
        self.start_game(&Setup { seed, names, ..self.setup().clone() }, seating)?;
        Ok(true)
    }

    /// Begins another game in the same file, and keeps a copy of the finished one.
    fn start_game(&mut self, setup: &Setup, seating: Seating) -> Result<(), Refusal> {
        let begun = Recording::begin(&self.game, setup);
        let begun = begun.map_err(|found| Refusal::new(NoAnswer::from(found).diagnostic().in_a_line()))?;
        self.save_copy()?;
        // `save_copy` has copied the notes beside the finished game.
        self.notes.remove()?;
        *self = Self::begin(begun, seating, self.file.path.clone())?;
        Ok(())
    }

    /// Saves a copy of the game and its notes in the same folder, under the next free number. Returns the path of the copy.
    pub(crate) fn save_copy(&self) -> Result<PathBuf, Refusal> {
        let mut kept = (1..=MAX_COPIES).map(|number| numbered(&self.file.path, number));
        let Some(kept) = kept.find(|file| !exists(file)) else {
            let file = shown(&self.file.path);
            return Err(Refusal::new(format!(
                "there are {MAX_COPIES} copies of `{file}`: the host must delete or move some of them"
            )));
        };
        let cannot = |error| Refusal::new(format!("`{}` cannot be written: {error}", shown(&kept)));
        write_private(&kept, self.recording().as_bytes()).map_err(cannot)?;
        self.notes.copy_beside(&kept)?;
        Ok(kept)
    }

    /// Returns the number of choices in the recording.
    pub(crate) fn choices(&self) -> usize {
        self.recorder.choices()
    }

    /// Adds a note at the current position. `now` is the time in seconds since 1970.
    pub(crate) fn note(&mut self, author: Author, now: u64, text: &str) -> Result<(), AddNoteError> {
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

    /// Replays the choices with other rules, up to the first choice that is not valid.
    pub(crate) fn replay_with(&self, game: &Game) -> Result<RepeatedSession, Box<Diagnostic>> {
        let text = self.recorder.play().to_string();
        let source = Arc::new(Source { path: shown(&self.file.path), text });
        let play = playscript::parse(&source).map_err(|mut found| Box::new(found.0.remove(0)))?;
        let find = |_: &str| Ok(game.clone());
        playscript::repeat(&play, &Cast { game: &find, agent: &agents::in_play, covering: false })
    }

    /// Continues with a game that was replayed with other rules. If some choices were no longer valid, hidden information is dealt anew
    /// from `seed`, because players have seen the events after these choices.
    pub(crate) fn replace_rules(&mut self, game: &Game, remade: RepeatedSession, seed: u64) -> Result<(), Refusal> {
        let is_cut = remade.kept < self.choices();
        let choices: Vec<(usize, Remark)> =
            self.recorder.notes().iter().map(|(choices, _)| *choices).zip(self.remarks.drain(..)).collect();
        self.thinker = None;
        self.game = game.clone();
        self.session = remade.session;
        self.recorder = remade.recorder;
        let before = self.rebuild_index()?;
        let last = self.session.answers().len();
        let remark = |(choices, remark): (usize, Remark)| Remark {
            answers: before.get(choices).copied().unwrap_or(last),
            ..remark
        };
        self.remarks = choices.into_iter().map(remark).collect();
        self.rebuild_recorder()?;
        if is_cut {
            self.recorder.redeal(&mut self.session, &Redeal { seed, by: None, consent: Consent::Rules });
        }
        self.save()
    }
}

/// Consequences of taking back a choice.
pub(crate) struct Retraction {
    /// Number of answers that remain.
    pub(crate) to: usize,
    /// Information that has become known since the choice.
    pub(crate) disclosed: DisclosedFaces,
    /// Whether the choice can be taken back without consent: nothing has become known since, nobody else has chosen, and no simultaneous
    /// decision is open. Determined from public facts only.
    pub(crate) is_free: bool,
}

fn repeat(recorder: &mut Recorder, session: &mut Session, act: &Act) -> Result<(), Refusal> {
    recorder.repeat(session, act).map_err(to_refusal)
}

/// Converts the error of a rejected answer to a [`Refusal`].
#[expect(clippy::needless_pass_by_value, reason = "`map_err` passes the error by value")]
fn to_refusal(error: ChooseError) -> Refusal {
    Refusal::new(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_does_not_grow_beyond_the_size_limit() {
        let path = Path::new(env!("OUT_DIR")).join("full.play");
        let mut file = File::new(path.clone());
        let long = format!("note {}\n", "a".repeat(122));
        for (line, most) in [(long.as_str(), "16 MB"), ("note a\n", "200000 lines")] {
            let whole = line.repeat((playscript::LARGEST / line.len()).min(200_000));
            file.replace(&whole, 1).unwrap();
            let refused = file.append(&long, 2).unwrap_err();
            assert!(refused.message.contains("is full") && refused.message.contains(most), "{}", refused.message);
            assert!(super::super::play_file::read_play(&path).unwrap() == whole, "what was there is there");
            assert_eq!(file.statements, Some(1), "the content is still known");
        }
        crate::files::remove(&path).unwrap();
    }

    fn table(name: &str) -> LiveGame {
        let path = Path::new(env!("OUT_DIR")).join(name);
        let game = crate::load(Path::new("examples/games/tic-tac-toe")).unwrap();
        let begun = Recording::begin(&game, &Setup::seats(2).seed(7)).unwrap();
        let people = vec![PERSON.to_owned(); 2];
        let seating = Seating::new(&people, &people, &game, begun.setup()).unwrap();
        LiveGame::begin(begun, seating, path).unwrap_or_else(|why| panic!("{}", why.message))
    }

    #[test]
    fn a_file_has_the_bytes_of_the_whole_recording_after_every_change() {
        let mut table = table("appended.play");
        let is_whole = |table: &LiveGame| {
            let whole = {
                let mut recorder = table.recorder.clone();
                recorder.end(&table.session);
                recorder.play().to_string()
            };
            assert_eq!(super::super::play_file::read_play(table.file()).unwrap(), whole);
        };
        is_whole(&table);
        let mut answers = 0;
        while table.session.decision().is_some() {
            table.choose(&[0]).unwrap_or_else(|why| panic!("{}", why.message));
            is_whole(&table);
            answers += 1;
            if answers == 2 {
                table.take_back(1, None).unwrap_or_else(|why| panic!("{}", why.message));
                is_whole(&table);
                table.give(Seat(1), Some("random")).unwrap_or_else(|why| panic!("{}", why.message));
                is_whole(&table);
            }
        }
        assert!(answers > 2 && table.session.outcome().is_some());
        let remade = table.replay_with(&table.game.clone()).unwrap();
        table.replace_rules(&table.game.clone(), remade, 1).unwrap_or_else(|why| panic!("{}", why.message));
        is_whole(&table);
        table.take_back(answers - 2, None).unwrap_or_else(|why| panic!("{}", why.message));
        is_whole(&table);
        crate::files::remove(table.file()).unwrap();
    }

    #[test]
    fn an_answer_is_appended_and_undo_writes_the_whole_recording() {
        let mut table = table("only-appended.play");
        let path = table.file().to_path_buf();
        // Saving an answer must not change the existing content of the file.
        let other = format!("{}\n", "#".repeat(table.recording().len() - 1));
        crate::files::write_atomic(&path, other.as_bytes()).unwrap();
        table.choose(&[0]).unwrap_or_else(|why| panic!("{}", why.message));
        let text = super::super::play_file::read_play(&path).unwrap();
        assert!(text.starts_with(&other) && text.lines().count() > 1, "{text}");
        table.take_back(0, None).unwrap_or_else(|why| panic!("{}", why.message));
        assert_eq!(super::super::play_file::read_play(&path).unwrap(), table.recording());
        crate::files::remove(&path).unwrap();
    }

    #[test]
    fn a_recording_that_was_deleted_or_changed_is_written_again() {
        let mut table = table("deleted.play");
        let path = table.file().to_path_buf();
        let changes: [&dyn Fn(); 3] = [
            &|| crate::files::remove(&path).unwrap(),
            &|| crate::files::write_atomic(&path, b"# cut\n").unwrap(),
            &|| crate::files::write_atomic(&path, "# longer\n".repeat(1_000).as_bytes()).unwrap(),
        ];
        for change in changes {
            change();
            table.choose(&[0]).unwrap_or_else(|why| panic!("{}", why.message));
            assert_eq!(super::super::play_file::read_play(&path).unwrap(), table.recording());
            let trust = crate::files::Trust::NobodyElseReads;
            assert!(crate::files::read_trusted(&path, 1 << 20, trust).is_ok(), "it stays private");
        }
        crate::files::remove(&path).unwrap();
    }
}
