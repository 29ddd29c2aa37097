//! What seats have learned of hidden pieces, as conditions on their faces.
//!
//! A condition is about faces, wherever they go: of a piece that can be followed, by its handle; of one that was lost track of, as
//! the input of the mix it went into. It is asked of the table as it lay when it was learned, with other faces on these pieces.
//! It is forgotten where it can tell nothing any more: once the seats that learned it know all these faces, and once all of them
//! were shuffled together. A seat that forgets it knows less, and nothing wrong.

use crate::diagnostic::{Diagnostic, Place};
use crate::model::{PieceId, Seat, SpaceId};
use crate::table::knowledge::every::Every;
use crate::table::knowledge::mix::{Mix, Mixes};
use crate::table::{Layout, Print, SeatSet, Table};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::any::Any;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};

/// So many conditions are kept; of more, the oldest are forgotten.
const MOST_LEARNED: usize = 256;

/// Of so many faces in all.
const MOST_FACES: usize = 4096;

/// A condition as the runner of the rules keeps it.
pub trait Condition: Any + Debug + Send + Sync {
    /// Where it stands in the rules.
    fn place(&self) -> Option<Place>;

    /// Whether it names single pieces, so that it may say something else of a hand where two cards of it are exchanged.
    fn names_pieces(&self) -> bool;
}

/// A judge, which can say whether a condition holds.
pub trait Judge {
    /// Whether a condition holds of a table, which is given back as it was; where it is said of each of several pieces, of one.
    ///
    /// # Errors
    /// What went wrong in the rules.
    fn holds(
        &mut self,
        condition: &dyn Condition,
        table: &mut Table,
        piece: Option<PieceId>,
    ) -> Result<bool, Box<Diagnostic>>;
}

/// Where judges come from.
pub trait Judges {
    /// One of them.
    fn judge(&self) -> Box<dyn Judge + '_>;
}

/// A judge that is never asked: where nothing was learned.
pub struct NoJudge;

impl Judge for NoJudge {
    fn holds(&mut self, _: &dyn Condition, _: &mut Table, _: Option<PieceId>) -> Result<bool, Box<Diagnostic>> {
        Ok(true)
    }
}

/// A face that something was learned of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::table) enum Subject {
    /// Everybody knows it by now.
    Known(Print),
    /// It is on a piece.
    Piece(PieceId),
    /// It went into a mix, as the input with a tag.
    Input(u32),
}

/// A condition that some seats have learned, or are to learn.
#[derive(Debug, Clone)]
pub struct Lesson {
    /// Who has learned it.
    pub(in crate::table) seats: SeatSet,
    /// Whether it is said of each of the faces, and not of all together.
    pub(in crate::table) is_each: bool,
    /// The pieces that had the faces when it was learned.
    pub(in crate::table) pieces: Vec<PieceId>,
    /// Where the faces are now.
    pub(in crate::table) about: Vec<Subject>,
    /// Which of the pieces lay together in a hand or bag, by its space: these are told apart by nothing but their faces.
    pub(in crate::table) bags: Vec<Option<SpaceId>>,
    /// The table as it was learned at.
    pub(in crate::table) then: Arc<Table>,
    /// What was learned.
    pub(in crate::table) condition: Arc<dyn Condition>,
    /// What it says of faces that it was asked of.
    pub(in crate::table) answers: Answers,
}

/// What is asked of a condition: of which of its pieces, if it is said of each, and with which faces.
type FacesAsked = (usize, Vec<Print>);

/// So many answers are kept of a condition.
const MOST_ANSWERS: usize = 4096;

/// What a condition says of faces: the same each time, so that it is asked once. Copies share it.
#[derive(Debug, Clone, Default)]
pub(in crate::table) struct Answers {
    known: Arc<Mutex<FxHashMap<FacesAsked, bool>>>,
    /// All deals that were last listed for this condition and those learned before it.
    pub(in crate::table) listed: Arc<Mutex<Option<Listed>>>,
}

/// Deals that were listed, and what they were listed from.
#[derive(Debug)]
pub(in crate::table) struct Listed {
    /// The tables that what was learned was learned at, which stand for it.
    pub(in crate::table) thens: Vec<Arc<Table>>,
    /// What was dealt.
    pub(in crate::table) dealt: Vec<u64>,
    pub(in crate::table) every: Option<Arc<Every>>,
}

impl Answers {
    pub(in crate::table) fn of(&self, asked: &FacesAsked) -> Option<bool> {
        self.known.lock().ok()?.get(asked).copied()
    }

    pub(in crate::table) fn note(&self, asked: FacesAsked, answer: bool) {
        if let Ok(mut known) = self.known.lock() {
            if known.len() >= MOST_ANSWERS {
                known.clear();
            }
            known.insert(asked, answer);
        }
    }
}

/// All that was learned at a table; clones share it until more is learned.
#[derive(Debug, Clone, Default)]
pub(in crate::table) struct Learned {
    pub(in crate::table) lessons: Vec<Arc<Lesson>>,
    tags: u32,
    /// A number for each seat for all that it was told so far.
    heard: SmallVec<[u64; 8]>,
}

impl Lesson {
    /// Whether it holds at the table as it is.
    ///
    /// # Errors
    /// What went wrong in the rules, or that the condition goes by something else that is hidden from a seat that learns it.
    pub fn is_true(&self, judge: &mut dyn Judge) -> Result<bool, Box<Diagnostic>> {
        let faces: Vec<Print> = self.pieces.iter().map(|piece| self.then.print(*piece)).collect();
        let mut scratch = self.scratch();
        if !self.is_each {
            return self.holds(&mut scratch, judge, &faces, None);
        }
        for (at, face) in faces.iter().enumerate() {
            if !self.holds(&mut scratch, judge, &[*face], Some(at))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether any of its faces is not known to everybody.
    pub fn is_open(&self) -> bool {
        self.about.iter().any(|subject| !matches!(subject, Subject::Known(_)))
    }

    /// Of how many faces it says something that not everybody knows.
    pub(in crate::table) fn open_count(&self) -> usize {
        self.about.iter().filter(|subject| !matches!(subject, Subject::Known(_))).count()
    }

    /// The table that the condition is asked of.
    pub(in crate::table) fn scratch(&self) -> Table {
        Table::clone(&self.then)
    }

    /// Whether the condition holds with these faces on its pieces; where it is said of each, with one of them.
    ///
    /// # Errors
    /// What went wrong in the rules, or that the condition goes by something else that is hidden from a seat that learned it.
    pub(in crate::table) fn holds(
        &self,
        scratch: &mut Table,
        judge: &mut dyn Judge,
        faces: &[Print],
        only: Option<usize>,
    ) -> Result<bool, Box<Diagnostic>> {
        let everybody = scratch.layout.everybody;
        let put = |scratch: &mut Table, at: usize, print: Print| {
            let entry = &mut scratch.pieces[self.pieces[at].index()];
            (entry.face.print, entry.known) = (print, everybody);
        };
        match only {
            Some(at) => put(scratch, at, faces[0]),
            None => (0..self.pieces.len()).for_each(|at| put(scratch, at, faces[at])),
        }
        scratch.reads.set(0);
        let holds = judge.holds(&*self.condition, scratch, only.map(|at| self.pieces[at]));
        if let Some(at) = only {
            let piece = self.pieces[at].index();
            (scratch.pieces[piece].known, scratch.pieces[piece].face) =
                (self.then.pieces[piece].known, self.then.pieces[piece].face);
        }
        let holds = holds?;
        if scratch.reads.unknown_to() & self.seats == 0 { Ok(holds) } else { Err(reads_more(self.condition.place())) }
    }
}

/// A condition goes by what it is not about.
fn reads_more(place: Option<Place>) -> Box<Diagnostic> {
    let found = Diagnostic::error(
        "learned-of-others",
        "what is learned here goes by more that is hidden than it is about",
    )
    .help("name all hidden pieces that the condition looks at; values and dice that are hidden cannot be learned of");
    Box::new(match place {
        Some(place) => found.mark(place, "looks at something that is hidden from whoever learns it"),
        None => found,
    })
}

impl Table {
    /// What seats are to learn: that a condition holds of each of some pieces, or of all of them together.
    pub fn lesson(&self, seats: SeatSet, pieces: &[PieceId], is_each: bool, condition: Arc<dyn Condition>) -> Lesson {
        let then = Self { learned: None, ..self.clone() };
        Lesson {
            seats,
            is_each,
            pieces: pieces.to_vec(),
            about: pieces.iter().map(|piece| self.subject(*piece)).collect(),
            bags: pieces.iter().map(|piece| bag_of(self, *piece)).collect(),
            then: Arc::new(then),
            condition,
            answers: Answers::default(),
        }
    }

    /// Lets seats learn what holds; `code` is a number for each of them for what it is told.
    pub fn learn(&mut self, lesson: Lesson, code: impl Fn(&Self, Seat) -> u64) {
        let seats: Vec<Seat> = self.model().all_seats().collect();
        let codes: Vec<u64> = seats.iter().map(|seat| code(self, *seat)).collect();
        let mut bags: SmallVec<[SpaceId; 4]> = lesson.bags.iter().copied().flatten().collect();
        let learned = Arc::make_mut(self.learned.get_or_insert_default());
        learned.heard.resize(seats.len(), 0);
        for ((seat, code), heard) in seats.into_iter().zip(codes).zip(&mut learned.heard) {
            if lesson.seats & Layout::only(seat) != 0 {
                *heard = crate::table::mixed(&[*heard, code]);
            }
        }
        learned.lessons.push(Arc::new(lesson));
        self.note_disclosure();
        self.forget_what_is_known();
        bags.sort_unstable();
        bags.dedup();
        bags.into_iter().for_each(|space| self.lose_track(space));
    }

    /// A number for all that a seat was told to be so.
    pub(in crate::table) fn heard(&self, seat: Option<Seat>) -> u64 {
        let heard = self.learned.as_ref().map(|learned| &learned.heard);
        seat.and_then(|seat| heard?.get(seat.index()).copied()).unwrap_or_default()
    }

    /// How many conditions are kept: a measure of what it costs to imagine.
    pub fn learned_count(&self) -> usize {
        self.learned.as_ref().map_or(0, |learned| learned.lessons.len())
    }

    /// Of how many faces they are in all.
    pub fn learned_size(&self) -> usize {
        self.lessons().map(|lesson| lesson.about.len()).sum()
    }

    /// All that was learned, by whomever.
    pub(in crate::table) fn lessons(&self) -> impl Iterator<Item = &Arc<Lesson>> {
        self.learned.iter().flat_map(|learned| &learned.lessons)
    }

    /// What a seat has learned.
    pub(in crate::table) fn lessons_of(&self, seat: SeatSet) -> impl Iterator<Item = &Arc<Lesson>> {
        self.lessons().filter(move |lesson| lesson.seats & seat != 0)
    }

    /// Forgets conditions, and leaves what seats remember of having heard them.
    pub(in crate::table) fn forget_lessons(&mut self, is_forgotten: impl Fn(&Arc<Lesson>) -> bool) {
        if let Some(learned) = &mut self.learned {
            Arc::make_mut(learned).lessons.retain(|lesson| !is_forgotten(lesson));
        }
    }

    /// Forgets all conditions, and leaves what seats remember of having heard them.
    pub(crate) fn forget_learned(&mut self) {
        self.forget_lessons(|_| true);
    }

    /// In a world that a seat imagines, others have learned what it learned with them, and nothing else is known.
    pub(in crate::table) fn keep_lessons_of(&mut self, seat: SeatSet) {
        if let Some(learned) = &mut self.learned
            && learned.lessons.iter().any(|lesson| lesson.seats & seat == 0)
        {
            Arc::make_mut(learned).lessons.retain(|lesson| lesson.seats & seat != 0);
        }
    }

    fn subject(&self, piece: PieceId) -> Subject {
        match self.pieces[piece.index()].mix {
            Mixes::NONE => Subject::Known(self.print(piece)),
            _ => Subject::Piece(piece),
        }
    }

    /// Whether something was learned that tells some of these pieces from others among them, or, where they are shuffled, that goes by
    /// their order.
    pub(in crate::table) fn are_told_apart(&self, handles: &[PieceId], is_shuffled: bool) -> bool {
        let Some(learned) = &self.learned else { return false };
        let among: FxHashSet<u16> = handles.iter().map(|handle| handle.0).collect();
        let is_among = |subject: &&Subject| matches!(subject, Subject::Piece(piece) if among.contains(&piece.0));
        learned.lessons.iter().any(|lesson| {
            let about = lesson.about.iter().filter(is_among).count();
            about > 0 && (about < handles.len() || is_shuffled && !lesson.is_each)
        })
    }

    /// Before pieces are mixed: tags for those that something was learned of, which are inputs from here on; nothing where there are
    /// none.
    pub(in crate::table) fn tags_of(&mut self, handles: &[PieceId]) -> Vec<u32> {
        let Some(learned) = &mut self.learned else { return Vec::new() };
        let places: FxHashMap<u16, usize> = handles.iter().enumerate().map(|(at, handle)| (handle.0, at)).collect();
        let place = |subject: &Subject| match subject {
            Subject::Piece(piece) => places.get(&piece.0).copied(),
            _ => None,
        };
        if !learned.lessons.iter().any(|lesson| lesson.about.iter().any(|subject| place(subject).is_some())) {
            return Vec::new();
        }
        let Learned { lessons, tags: count, .. } = Arc::make_mut(learned);
        let mut tags = vec![0; handles.len()];
        for lesson in lessons {
            if !lesson.about.iter().any(|subject| place(subject).is_some()) {
                continue;
            }
            for subject in &mut Arc::make_mut(lesson).about {
                let Some(at) = place(subject) else { continue };
                if tags[at] == 0 {
                    *count += 1;
                    tags[at] = *count;
                }
                *subject = Subject::Input(tags[at]);
            }
        }
        tags
    }

    /// After a piece that everybody knows was taken out of a mix as the input with a tag.
    pub(in crate::table) fn learned_came_out(&mut self, piece: PieceId, tag: u32) {
        let now = self.subject(piece);
        let Some(learned) = &mut self.learned else { return };
        let learned = Arc::make_mut(learned);
        if tag != 0 {
            learned.rename(Subject::Input(tag), now);
        }
        if now != Subject::Piece(piece) {
            learned.rename(Subject::Piece(piece), now);
        }
    }

    /// Forgets what was learned of faces that all go into a mix in which nobody can follow them; says whether there was any.
    pub(in crate::table) fn forget_learned_within(&mut self, made: &mut Mix) -> bool {
        let Some(learned) = &mut self.learned else { return false };
        let gone = self.mixes.tags_within(made);
        if gone.is_empty() {
            return false;
        }
        let is_gone = |subject: &Subject| match subject {
            Subject::Known(_) => true,
            Subject::Piece(_) => false,
            Subject::Input(tag) => gone.contains(tag),
        };
        let learned = Arc::make_mut(learned);
        let before = learned.lessons.len();
        learned.lessons.retain(|lesson| !lesson.about.iter().all(is_gone));
        if learned.lessons.len() == before {
            return false;
        }
        self.mixes.keep_tags(&learned.tags_in_use(), made);
        true
    }

    /// Forgets what was learned of inputs of mixes that are no more.
    pub(in crate::table) fn forget_learned_of_lost(&mut self) {
        let Some(learned) = &mut self.learned else { return };
        let there: Vec<u32> = self
            .mixes
            .iter()
            .flat_map(|(_, mix)| &mix.special)
            .map(|input| input.tag)
            .filter(|tag| *tag != 0)
            .collect();
        let is_there = |subject: &Subject| !matches!(subject, Subject::Input(tag) if !there.contains(tag));
        if !learned.lessons.iter().all(|lesson| lesson.about.iter().all(is_there)) {
            Arc::make_mut(learned).lessons.retain(|lesson| lesson.about.iter().all(is_there));
        }
    }

    /// Forgets what tells the seats that learned it nothing more than they know, and the oldest of what is too much.
    fn forget_what_is_known(&mut self) {
        let Some(learned) = &self.learned else { return };
        let mut known_of: FxHashMap<u32, SeatSet> = FxHashMap::default();
        for input in self.mixes.iter().flat_map(|(_, mix)| &mix.special).filter(|input| input.tag != 0) {
            known_of.insert(input.tag, input.known);
        }
        let is_known = |subject: &Subject, seats: SeatSet| match subject {
            Subject::Known(_) => true,
            Subject::Piece(piece) => self.knowers(*piece) & seats == seats,
            Subject::Input(tag) => known_of.get(tag).is_some_and(|known| known & seats == seats),
        };
        let tells = |lesson: &&Arc<Lesson>| !lesson.about.iter().all(|subject| is_known(subject, lesson.seats));
        let mut room = MOST_FACES;
        let fits = |lesson: &&Arc<Lesson>| match room.checked_sub(lesson.about.len()) {
            Some(left) => {
                room = left;
                true
            }
            None => false,
        };
        let latest = learned.lessons.iter().rev().filter(tells).take(MOST_LEARNED).take_while(fits);
        let mut kept: Vec<Arc<Lesson>> = latest.cloned().collect();
        kept.reverse();
        if let Some(learned) = &mut self.learned {
            let learned = Arc::make_mut(learned);
            learned.lessons = kept;
            let mut none = Mix { order: 0, open: Vec::new(), special: Vec::new(), outputs: 0 };
            self.mixes.keep_tags(&learned.tags_in_use(), &mut none);
        }
    }
}

fn bag_of(table: &Table, piece: PieceId) -> Option<SpaceId> {
    let space = table.space_of(piece);
    table.layout.traits_of(table.layout.zone_of(space)).unordered.then_some(space)
}

impl Learned {
    /// What was learned of one face is about another from here on; says whether anything was.
    fn rename(&mut self, from: Subject, to: Subject) -> bool {
        let mut is_renamed = false;
        for lesson in self.lessons.iter_mut().filter(|lesson| lesson.about.contains(&from)) {
            is_renamed = true;
            Arc::make_mut(lesson)
                .about
                .iter_mut()
                .filter(|subject| **subject == from)
                .for_each(|subject| *subject = to);
        }
        is_renamed
    }

    fn tags_in_use(&self) -> Vec<u32> {
        let tag = |subject: &Subject| if let Subject::Input(tag) = subject { Some(*tag) } else { None };
        let mut tags: Vec<u32> = self.lessons.iter().flat_map(|lesson| &lesson.about).filter_map(tag).collect();
        tags.sort_unstable();
        tags.dedup();
        tags
    }
}
