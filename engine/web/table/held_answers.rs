//! Answers of seats that are asked together.
//!
//! The table holds the answers of people back until every person among these seats has answered. Then it gives them to the game in the
//! order in which the rules ask, so that the recording does not depend on who answers first. Until then neither the game nor anybody else's
//! page changes, so nobody learns who has answered, and an answer can be taken back without asking the others.
//!
//! Held answers are stored in a file beside the recording, so that they survive a restart of the program.

use crate::desk::picking::Picking;
use crate::desk::refusal::Refusal;
use crate::diagnostic::shown;
use crate::files::{Trust, read_trusted, remove, write_private};
use crate::model::{Language, Seat};
use crate::session::{ChooseError, Session};
use crate::web::links::Viewer;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Maximum size of the file with held answers, in bytes.
const LARGEST: u64 = 1 << 20;

/// Held answers of the people who are asked in the open `together` call.
pub(super) struct HeldAnswers {
    path: PathBuf,
    /// Whether the file exists.
    is_written: bool,
    seats: BTreeMap<Seat, SeatAnswers>,
    /// Choices that were read from the file and have not been repeated yet.
    stored: BTreeMap<Seat, Stored>,
}

/// Choices of a seat as written in the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Stored {
    /// Number of answers that the game already had from the seat before these choices.
    before: u64,
    choices: Vec<Vec<Position>>,
}

/// Position of an option, with its text in playscripts. The text shows whether the position still means the same
/// option.
type Position = (u64, String);

/// Answers of one seat.
pub(super) struct SeatAnswers {
    /// Number of answers that the game already has from the seat.
    before: u64,
    given: Vec<HeldChoice>,
    /// Session that waits for the seat's next answer; `None` once the seat has answered all of its questions in this call.
    open: Option<Session>,
    /// Picks made so far for the open question; `None` unless the question asks for several things.
    pub(super) picking: Option<Picking>,
}

/// A choice that is held back.
struct HeldChoice {
    /// Session in which the choice was made.
    session: Session,
    positions: Vec<Position>,
    picking: Option<Picking>,
}

impl SeatAnswers {
    /// Asks a seat in the open `together` call, and repeats the seat's earlier `choices` up to the first one that is no longer valid.
    /// Returns `None` if the call does not ask the seat or already has the seat's answer.
    fn ask(session: &Session, seat: Seat, before: u64, choices: &[Vec<Position>]) -> Option<Self> {
        let open = session.ask_ahead(seat)?;
        let mut answers = Self { before, given: Vec::new(), picking: picking_of(&open), open: Some(open) };
        for choice in choices {
            let positions: Vec<u64> = choice.iter().map(|(at, _)| *at).collect();
            if answers.give(session, &positions).is_err() {
                break;
            }
            if answers.given.last().is_some_and(|last| last.positions != *choice) {
                answers.take_back();
                break;
            }
        }
        Some(answers)
    }

    /// Returns the session that waits for the seat's next answer.
    pub(super) const fn open(&self) -> Option<&Session> {
        self.open.as_ref()
    }

    /// Returns the number of answers that are held back. Each pick counts as an answer.
    pub(super) fn count(&self) -> u64 {
        self.given.iter().map(|choice| choice.positions.len() as u64).sum()
    }

    fn is_of_call(&self, session: &Session) -> bool {
        let first = self.given.first().map(|choice| &choice.session).or(self.open.as_ref());
        first.is_some_and(|first| session.is_in_same_call(first))
    }

    fn choices(&self) -> Vec<Vec<Position>> {
        self.given.iter().map(|choice| choice.positions.clone()).collect()
    }

    /// Adds a choice, given as positions of options.
    pub(super) fn give(&mut self, session: &Session, positions: &[u64]) -> Result<(), ChooseError> {
        let Some(open) = &self.open else { return Err(ChooseError::NotAsked { state: "has the answer" }) };
        let (mut after, mut written) = (open.fork(), Vec::new());
        for at in positions {
            choose_and_note(&mut after, *at as usize, &mut written)?;
        }
        self.add(session, after, written);
        Ok(())
    }

    /// Adds the choice of the things picked so far. Returns false if the rules do not accept them together.
    pub(super) fn give_picks(&mut self, session: &Session) -> bool {
        let (Some(open), Some(picking)) = (&self.open, &self.picking) else { return false };
        let (mut after, mut written) = (open.fork(), Vec::new());
        let is_accepted = picking.play(&mut after, |after, at| choose_and_note(after, at, &mut written));
        if is_accepted {
            self.add(session, after, written);
        }
        is_accepted
    }

    /// Adds the choice that leads from the open question to the session `after`. If the same call asks the seat again, that question
    /// becomes the open one.
    fn add(&mut self, session: &Session, after: Session, written: Vec<Position>) {
        let Some(open) = self.open.take() else { return };
        let seat = open.decision().map(|decision| decision.seat);
        self.given.push(HeldChoice { session: open, positions: written, picking: self.picking.take() });
        let is_asked_again = session.is_in_same_call(&after) && after.decision().map(|decision| decision.seat) == seat;
        if is_asked_again {
            self.picking = picking_of(&after);
            self.open = Some(after);
        }
    }

    /// Removes the last choice, and asks its question again. Returns whether there was a choice.
    pub(super) fn take_back(&mut self) -> bool {
        let Some(last) = self.given.pop() else { return false };
        self.picking = picking_of(&last.session);
        self.open = Some(last.session);
        true
    }

    /// Drops the picks of the open question.
    pub(super) fn begin_picking_again(&mut self) {
        self.picking = self.open.as_ref().and_then(picking_of);
    }

    /// Returns the texts of the held choices, worded for the seat.
    pub(super) fn worded(&self, language: Language) -> Vec<String> {
        let worded = |choice: &HeldChoice| {
            let observation = choice.session.observation()?;
            if let Some(picking) = &choice.picking {
                let mut own = Picking::start(&observation, language)?;
                own.copy_picks(picking);
                return Some(own.names().into_iter().map(str::to_owned).collect());
            }
            let (at, _) = choice.positions.first()?;
            Some(vec![observation.worded_one(&observation.decision().option(*at as usize), language)])
        };
        self.given.iter().filter_map(worded).flatten().collect()
    }
}

/// Chooses the option at a position, and appends the position and the option's text to `written`.
fn choose_and_note(session: &mut Session, at: usize, written: &mut Vec<Position>) -> Result<(), ChooseError> {
    let text = session.observation().and_then(|observation| {
        let decision = observation.decision();
        (at < decision.count()).then(|| observation.written_one(&decision.option(at)))
    });
    session.choose(at)?;
    written.push((at as u64, text.unwrap_or_default()));
    Ok(())
}

fn picking_of(session: &Session) -> Option<Picking> {
    Picking::start(&session.observation()?, Language::English)
}

impl HeldAnswers {
    /// Reads the held answers beside a recording. If the file cannot be read, or if another user can read or write it, there are no held
    /// answers, and the seats are asked again.
    pub(super) fn open(recording: &Path) -> Self {
        let mut name = recording.file_name().map_or_else(Default::default, std::ffi::OsStr::to_os_string);
        name.push(".held");
        let path = recording.with_file_name(name);
        let text = read_trusted(&path, LARGEST, Trust::NobodyElseReads).ok();
        let stored = text.as_deref().map(parse).unwrap_or_default();
        Self { path, is_written: text.is_some(), seats: BTreeMap::new(), stored }
    }

    /// Asks every person in the open `together` call who has not been asked yet, and drops answers that do not belong to this call.
    /// `people` contains each person with the number of their answers in the game. Returns the seats that are asked anew.
    pub(super) fn follow(&mut self, session: &Session, people: &[(Seat, u64)]) -> Vec<Seat> {
        if !session.is_asking_together() {
            self.seats.clear();
            self.stored.clear();
            return Vec::new();
        }
        let mut known = std::mem::take(&mut self.seats);
        let mut anew = Vec::new();
        for (seat, before) in people {
            let own = known.remove(seat);
            if let Some(own) = own {
                if own.before == *before && own.is_of_call(session) {
                    self.seats.insert(*seat, own);
                    continue;
                }
                self.stored.insert(*seat, Stored { before: own.before, choices: own.choices() });
            }
            let stored = self.stored.remove(seat).filter(|stored| stored.before == *before).unwrap_or_default();
            if let Some(answers) = SeatAnswers::ask(session, *seat, *before, &stored.choices) {
                self.seats.insert(*seat, answers);
                anew.push(*seat);
            }
        }
        self.stored.clear();
        anew
    }

    /// Returns the answers of a seat; `None` unless a person in this seat is asked together with others.
    pub(super) fn get(&self, seat: Seat) -> Option<&SeatAnswers> {
        self.seats.get(&seat)
    }

    /// Like [`Self::get`], but returns a mutable reference.
    pub(super) fn get_mut(&mut self, seat: Seat) -> Option<&mut SeatAnswers> {
        self.seats.get_mut(&seat)
    }

    /// Returns whether every person who is asked has answered, and the game waits for one of these answers.
    pub(super) fn is_complete(&self, session: &Session) -> bool {
        let is_next = session.decision().is_some_and(|decision| self.seats.contains_key(&decision.seat));
        is_next && self.seats.values().all(|answers| answers.open.is_none())
    }

    /// Removes and returns the held answers of the seat that the game waits for. Returns `None` as long as a person still has to answer.
    pub(super) fn take_next(&mut self, session: &Session) -> Option<Vec<u64>> {
        if self.seats.is_empty() || self.seats.values().any(|answers| answers.open.is_some()) {
            return None;
        }
        let decision = session.decision()?;
        let mut own = self.seats.remove(&decision.seat)?;
        let asked = own.given.first().and_then(|choice| choice.session.decision());
        if asked != Some(decision) {
            // After the real answers of earlier seats, the rules ask a different question. The seat's choices are repeated for this
            // question, up to the first one that is not valid.
            own = SeatAnswers::ask(session, decision.seat, own.before, &own.choices())?;
            if own.open.is_some() {
                self.seats.insert(decision.seat, own);
                return None;
            }
        }
        Some(own.given.iter().flat_map(|choice| choice.positions.iter().map(|(at, _)| *at)).collect())
    }

    /// Writes the file, or removes it if nothing is held back.
    pub(super) fn save(&mut self) -> Result<(), Refusal> {
        let cannot = |error| Refusal::new(format!("`{}` cannot be written: {error}", shown(&self.path)));
        let text = self.text();
        if !text.is_empty() {
            write_private(&self.path, text.as_bytes()).map_err(cannot)?;
            self.is_written = true;
        } else if self.is_written {
            remove(&self.path).map_err(cannot)?;
            self.is_written = false;
        }
        Ok(())
    }

    /// Returns the text of the file. Each line contains one answer: the seat, the number of the seat's earlier answers in the game, the
    /// index of the choice, and the position and text of the option.
    fn text(&self) -> String {
        let mut text = String::new();
        for (seat, answers) in &self.seats {
            for (number, choice) in answers.given.iter().enumerate() {
                for (at, written) in &choice.positions {
                    let viewer = Viewer::Seat(seat.0).path();
                    let _ = writeln!(text, "{viewer} {} {number} {at} {written}", answers.before);
                }
            }
        }
        text
    }
}

fn parse(text: &str) -> BTreeMap<Seat, Stored> {
    let mut found: BTreeMap<Seat, Stored> = BTreeMap::new();
    for line in text.lines() {
        let mut parts = line.splitn(5, ' ');
        let mut next = || parts.next();
        let Some(Viewer::Seat(seat)) = next().and_then(Viewer::named) else { continue };
        let numbers = [next(), next(), next()].map(|part| part.and_then(|part| part.parse::<u64>().ok()));
        let [Some(before), Some(number), Some(at)] = numbers else { continue };
        let written = next().unwrap_or_default().to_owned();
        let own = found.entry(Seat(seat)).or_default();
        own.before = before;
        match own.choices.get_mut(number as usize) {
            Some(choice) => choice.push((at, written)),
            None => own.choices.push(vec![(at, written)]),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Setup;

    fn goofspiel() -> Session {
        let game = crate::load(Path::new("examples/games/goofspiel")).unwrap();
        Session::start(&game, &Setup::seats(3).seed(7)).unwrap_or_else(|found| panic!("{found:?}"))
    }

    fn people(session: &Session) -> Vec<(Seat, u64)> {
        session.model().all_seats().map(|seat| (seat, 0)).collect()
    }

    #[test]
    fn answers_arrive_in_any_order_and_are_applied_in_game_order() {
        let folder = Path::new(env!("OUT_DIR")).join("held-answers");
        std::fs::create_dir_all(&folder).unwrap();
        let recording = folder.join("evening.play");
        let mut session = goofspiel();
        let people = people(&session);
        let mut held = HeldAnswers::open(&recording);
        assert_eq!(held.follow(&session, &people).len(), 3, "everybody is asked at once");
        for (seat, at) in [(2, 4), (0, 1)] {
            held.get_mut(Seat(seat)).unwrap().give(&session, &[at]).unwrap();
            held.save().unwrap();
            assert_eq!(held.take_next(&session), None, "somebody has not answered");
            assert!(held.get(Seat(seat)).unwrap().open().is_none());
        }
        // Simulates a restart of the program.
        let mut held = HeldAnswers::open(&recording);
        held.follow(&session, &people);
        assert_eq!([0, 1, 2].map(|seat| held.get(Seat(seat)).unwrap().count()), [1, 0, 1]);
        assert!(held.get_mut(Seat(2)).unwrap().take_back() && !held.get_mut(Seat(1)).unwrap().take_back());
        for (seat, at) in [(1, 2), (2, 3)] {
            held.get_mut(Seat(seat)).unwrap().give(&session, &[at]).unwrap();
        }
        let mut taken = Vec::new();
        while let Some(answers) = held.take_next(&session) {
            taken.extend(answers.iter().copied());
            for at in &answers {
                session.choose(*at as usize).unwrap();
            }
            let people: Vec<_> =
                people.iter().map(|(seat, _)| (*seat, u64::from(seat.index() < taken.len()))).collect();
            if taken.len() < 3 {
                assert!(held.follow(&session, &people).is_empty(), "those who have answered are not asked again");
            }
        }
        assert_eq!(taken, [1, 2, 3]);
        held.save().unwrap();
        assert!(HeldAnswers::open(&recording).stored.is_empty(), "nothing is held back");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn stored_answers_to_another_question_are_dropped() {
        let stored = parse("seat-1 0 0 3 hearts_4\nseat-1 0 1 2 a b\nhost 0 0 0 x\nseat-2 x\n");
        assert_eq!(stored.len(), 1);
        assert_eq!(stored[&Seat(0)].choices, [vec![(3, "hearts_4".to_owned())], vec![(2, "a b".to_owned())]]);
        let session = goofspiel();
        let answers = SeatAnswers::ask(&session, Seat(0), 0, &stored[&Seat(0)].choices).unwrap();
        assert!(answers.count() == 0 && answers.open().is_some(), "the option has another text by now");
    }
}
