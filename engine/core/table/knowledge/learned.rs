//! Learned conditions on the faces of hidden pieces.
//!
//! A condition follows each face wherever it goes. As long as the piece can be tracked, the condition refers to the piece by its handle.
//! Once track of the piece is lost, it refers to the input of a mix. A condition is evaluated on the table as it was when the condition was
//! learned, with other faces on the pieces. A condition is forgotten when it no longer tells anything: when the seats that learned it know
//! all its faces, or when all its pieces were shuffled together. Forgetting is sound: the seat knows less, but nothing false.

use crate::diagnostic::{Diagnostic, Place};
use crate::model::{PieceId, Seat, SpaceId};
use crate::table::knowledge::enumeration::{Bound, Enumeration};
use crate::table::knowledge::mix::{Mix, Mixes};
use crate::table::{FaceIdentity, Layout, SeatSet, Table};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::any::Any;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};

/// Maximum number of conditions kept. The oldest are forgotten first.
const MAX_LEARNED: usize = 256;

/// Maximum number of faces in all kept conditions together.
const MAX_FACES: usize = 4096;

/// Maximum number of bytes in the tables of all kept conditions together. Each condition keeps a copy of the whole table, which takes up to
/// 9 MB in a game with very many values.
const MAX_TABLE_BYTES: usize = 32 << 20;

/// A condition, as represented by the script runtime.
pub trait Condition: Any + Debug + Send + Sync {
    /// Returns the place of the condition in the rules.
    fn place(&self) -> Option<Place>;

    /// Returns whether the condition names single pieces, so that its value may change if two cards of a hand are exchanged.
    fn names_pieces(&self) -> bool;
}

/// Evaluator of conditions.
pub trait Judge {
    /// Evaluates a condition on a table, which is left unchanged. If the condition is about single pieces, `piece` is the piece for which
    /// it is evaluated.
    ///
    /// # Errors
    /// Returns a fault of the rules.
    fn holds(
        &mut self,
        condition: &dyn Condition,
        table: &mut Table,
        piece: Option<PieceId>,
    ) -> Result<bool, Box<Diagnostic>>;
}

/// Factory for [`Judge`]s.
pub trait JudgeSource {
    /// Creates a judge.
    fn judge(&self) -> Box<dyn Judge + '_>;
}

/// A judge for tables without conditions. It is never called.
pub struct NoJudge;

impl Judge for NoJudge {
    fn holds(&mut self, _: &dyn Condition, _: &mut Table, _: Option<PieceId>) -> Result<bool, Box<Diagnostic>> {
        Ok(true)
    }
}

/// Location of a face that a condition is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::table) enum Subject {
    /// A face that every seat knows.
    Known(FaceIdentity),
    /// The piece that has the face.
    Piece(PieceId),
    /// The mix input that has the face, identified by its tag.
    Input(u32),
}

/// A condition, the seats that have learned it, and the faces that it is about.
#[derive(Debug, Clone)]
pub struct LearnedCondition {
    /// Seats that have learned the condition.
    pub(in crate::table) seats: SeatSet,
    /// Whether the condition holds for each face separately rather than for all faces together.
    pub(in crate::table) is_each: bool,
    /// Pieces that had the faces when the condition was learned.
    pub(in crate::table) pieces: Vec<PieceId>,
    /// Current locations of the faces.
    pub(in crate::table) about: Vec<Subject>,
    /// Hand or bag in which each piece lay, if any. Pieces of one hand differ only in their faces.
    pub(in crate::table) bags: Vec<Option<SpaceId>>,
    /// Copy of the table at the time when the condition was learned.
    pub(in crate::table) then: Arc<Table>,
    /// The condition.
    pub(in crate::table) condition: Arc<dyn Condition>,
    /// Cached values.
    pub(in crate::table) answers: Answers,
}

/// Key of a cached value: the index of the piece and the faces. For joint conditions, the index is `usize::MAX`.
type CacheKey = (usize, Vec<FaceIdentity>);

/// Maximum number of cached values of a condition.
const MAX_ANSWERS: usize = 4096;

/// Cache of a condition's values, shared by the copies of the condition.
#[derive(Debug, Clone, Default)]
pub(in crate::table) struct Answers {
    known: Arc<Mutex<FxHashMap<CacheKey, bool>>>,
    /// The last enumeration of deals within each bound, for this condition and those learned before it.
    pub(in crate::table) enumerations: Arc<Mutex<Vec<CachedEnumeration>>>,
}

/// An enumeration of deals with its cache key.
#[derive(Debug)]
pub(in crate::table) struct CachedEnumeration {
    pub(in crate::table) bound: Bound,
    /// Tables of the conditions. They identify the conditions.
    pub(in crate::table) thens: Vec<Arc<Table>>,
    /// Encoding of everything else that the deals depend on.
    pub(in crate::table) dealt: Vec<u64>,
    pub(in crate::table) every: Option<Arc<Enumeration>>,
}

impl Answers {
    /// Returns the cached answer; `None` if there is none.
    pub(in crate::table) fn of(&self, asked: &CacheKey) -> Option<bool> {
        self.known.lock().ok()?.get(asked).copied()
    }

    /// Caches an answer. A full cache is emptied first.
    pub(in crate::table) fn note(&self, asked: CacheKey, answer: bool) {
        if let Ok(mut known) = self.known.lock() {
            if known.len() >= MAX_ANSWERS {
                known.clear();
            }
            known.insert(asked, answer);
        }
    }
}

/// All conditions of a table. Copies of the table share them until one of the copies changes its conditions.
#[derive(Debug, Clone, Default)]
pub(in crate::table) struct Learned {
    pub(in crate::table) lessons: Vec<Arc<LearnedCondition>>,
    tags: u32,
    /// Hash of everything that each seat was told.
    heard: SmallVec<[u64; 8]>,
}

impl LearnedCondition {
    /// Returns whether the condition holds with the true faces of its pieces.
    ///
    /// # Errors
    /// Returns a fault of the rules, or `learned-of-others` if the condition reads hidden facts other than the faces it is about.
    pub fn is_true(&self, judge: &mut dyn Judge) -> Result<bool, Box<Diagnostic>> {
        let faces: Vec<FaceIdentity> = self.pieces.iter().map(|piece| self.then.identity(*piece)).collect();
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

    /// Returns whether at least one face is not known to everybody.
    pub fn is_open(&self) -> bool {
        self.about.iter().any(|subject| !matches!(subject, Subject::Known(_)))
    }

    /// Returns the number of faces that not everybody knows.
    pub(in crate::table) fn open_count(&self) -> usize {
        self.about.iter().filter(|subject| !matches!(subject, Subject::Known(_))).count()
    }

    /// Copies the table that the condition is evaluated on.
    pub(in crate::table) fn scratch(&self) -> Table {
        Table::clone(&self.then)
    }

    /// Evaluates the condition with the given faces on its pieces. If `only` is set, there is one face, which is put on the piece at this
    /// index.
    ///
    /// # Errors
    /// Returns a fault of the rules, or `learned-of-others` if the condition reads hidden facts other than the faces it is about.
    pub(in crate::table) fn holds(
        &self,
        scratch: &mut Table,
        judge: &mut dyn Judge,
        faces: &[FaceIdentity],
        only: Option<usize>,
    ) -> Result<bool, Box<Diagnostic>> {
        let everybody = scratch.layout.everybody;
        let put = |scratch: &mut Table, at: usize, identity: FaceIdentity| {
            let entry = &mut scratch.pieces[self.pieces[at].index()];
            (entry.face.identity, entry.known) = (identity, everybody);
        };
        match only {
            Some(at) => put(scratch, at, faces[0]),
            None => (0..self.pieces.len()).for_each(|at| put(scratch, at, faces[at])),
        }
        scratch.reads.forget();
        let holds = judge.holds(&*self.condition, scratch, only.map(|at| self.pieces[at]));
        if let Some(at) = only {
            let piece = self.pieces[at].index();
            (scratch.pieces[piece].known, scratch.pieces[piece].face) =
                (self.then.pieces[piece].known, self.then.pieces[piece].face);
        }
        let holds = holds?;
        if scratch.reads.unknown_to() & self.seats == 0 {
            Ok(holds)
        } else {
            Err(reads_other_hidden_facts(self.condition.place()))
        }
    }
}

/// Creates the diagnostic for a condition that reads hidden facts other than the faces it is about.
fn reads_other_hidden_facts(place: Option<Place>) -> Box<Diagnostic> {
    let found =
        Diagnostic::error("learned-of-others", "this condition depends on hidden information about other pieces")
            .help("pass all hidden pieces that the condition reads; hidden values and dice cannot be used");
    Box::new(match place {
        Some(place) => found.mark(place, "reads information hidden from the seat that learns it"),
        None => found,
    })
}

impl Table {
    /// Creates a condition that `seats` learn about `pieces`. If `is_each` is set, the condition holds for each piece separately;
    /// otherwise, for all pieces together.
    pub fn create_learned_condition(
        &self,
        seats: SeatSet,
        pieces: &[PieceId],
        is_each: bool,
        condition: Arc<dyn Condition>,
    ) -> LearnedCondition {
        let then = Self { learned: None, ..self.clone() };
        LearnedCondition {
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

    /// Records a condition that some seats have learned. `code` identifies what each seat was shown.
    pub fn learn(&mut self, lesson: LearnedCondition, code: impl Fn(&Self, Seat) -> u64) {
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

    /// Returns the hash of everything that a seat was told; 0 if there is no seat or it was told nothing.
    pub(in crate::table) fn heard(&self, seat: Option<Seat>) -> u64 {
        let heard = self.learned.as_ref().map(|learned| &learned.heard);
        seat.and_then(|seat| heard?.get(seat.index()).copied()).unwrap_or_default()
    }

    /// Returns the number of conditions kept, a measure of the cost of imagining worlds.
    pub fn learned_count(&self) -> usize {
        self.learned.as_ref().map_or(0, |learned| learned.lessons.len())
    }

    /// Returns the total number of faces in all conditions.
    pub fn learned_size(&self) -> usize {
        self.lessons().map(|lesson| lesson.about.len()).sum()
    }

    /// Estimates the number of bytes of the learned conditions that this table does not share with `earlier`.
    pub(crate) fn learned_bytes_since(&self, earlier: Option<&Self>) -> usize {
        let shared: FxHashSet<*const LearnedCondition> =
            earlier.into_iter().flat_map(Self::lessons).map(Arc::as_ptr).collect();
        self.lessons().filter(|lesson| !shared.contains(&Arc::as_ptr(lesson))).map(|lesson| lesson.then.size()).sum()
    }

    /// Iterates over the conditions of all seats.
    pub(in crate::table) fn lessons(&self) -> impl Iterator<Item = &Arc<LearnedCondition>> {
        self.learned.iter().flat_map(|learned| &learned.lessons)
    }

    /// Iterates over the conditions that at least one of the given seats has learned.
    pub(in crate::table) fn lessons_of(&self, seat: SeatSet) -> impl Iterator<Item = &Arc<LearnedCondition>> {
        self.lessons().filter(move |lesson| lesson.seats & seat != 0)
    }

    /// Forgets the conditions that `is_forgotten` accepts. Seats still remember what they were told (see [`Self::heard`]).
    pub(in crate::table) fn forget_lessons(&mut self, is_forgotten: impl Fn(&Arc<LearnedCondition>) -> bool) {
        if let Some(learned) = &mut self.learned {
            Arc::make_mut(learned).lessons.retain(|lesson| !is_forgotten(lesson));
        }
    }

    /// Forgets all conditions. Seats still remember what they were told.
    pub(crate) fn forget_learned(&mut self) {
        self.forget_lessons(|_| true);
    }

    /// Keeps only the conditions that at least one of the given seats has learned, for a world that these seats imagine. They do not know
    /// what else others have learned.
    pub(in crate::table) fn keep_lessons_of(&mut self, seat: SeatSet) {
        if let Some(learned) = &mut self.learned
            && learned.lessons.iter().any(|lesson| lesson.seats & seat == 0)
        {
            Arc::make_mut(learned).lessons.retain(|lesson| lesson.seats & seat != 0);
        }
    }

    fn subject(&self, piece: PieceId) -> Subject {
        match self.pieces[piece.index()].mix {
            Mixes::NONE => Subject::Known(self.identity(piece)),
            _ => Subject::Piece(piece),
        }
    }

    /// Returns whether a condition distinguishes some of these pieces from the others. If `is_shuffled` is set, also returns true if a
    /// joint condition is about the pieces, since it may depend on their order.
    pub(in crate::table) fn are_told_apart(&self, handles: &[PieceId], is_shuffled: bool) -> bool {
        let Some(learned) = &self.learned else { return false };
        let among: FxHashSet<u16> = handles.iter().map(|handle| handle.0).collect();
        let is_among = |subject: &&Subject| matches!(subject, Subject::Piece(piece) if among.contains(&piece.0));
        learned.lessons.iter().any(|lesson| {
            let about = lesson.about.iter().filter(is_among).count();
            about > 0 && (about < handles.len() || is_shuffled && !lesson.is_each)
        })
    }

    /// Assigns tags to pieces that are about to be mixed and become inputs. Conditions on these pieces then refer to the tags. Pieces that
    /// no condition is about get tag 0. Returns an empty list if no condition is about any of the pieces.
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

    /// Updates conditions after a piece that everybody knows was removed from a mix. `tag` is the tag of the input that was removed with
    /// the piece, or 0.
    pub(in crate::table) fn update_conditions_after_removal(&mut self, piece: PieceId, tag: u32) {
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

    /// Forgets conditions if all their faces go into a mix in which nobody can track them. Returns whether any condition was forgotten.
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

    /// Forgets the conditions on inputs that no longer exist, because their mix was removed.
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

    /// Forgets conditions that tell their seats nothing new, and the oldest conditions beyond the limits.
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
        let tells =
            |lesson: &&Arc<LearnedCondition>| !lesson.about.iter().all(|subject| is_known(subject, lesson.seats));
        let (mut faces, mut bytes) = (0, 0);
        let fits = |lesson: &&Arc<LearnedCondition>| {
            faces += lesson.about.len();
            bytes += lesson.then.size();
            faces <= MAX_FACES && bytes <= MAX_TABLE_BYTES
        };
        let latest = learned.lessons.iter().rev().filter(tells).take(MAX_LEARNED).take_while(fits);
        let mut kept: Vec<Arc<LearnedCondition>> = latest.cloned().collect();
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
    /// Replaces the location `from` with `to` in all conditions. Returns whether any condition was changed.
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
