//! What a seat has learned, as conditions on the nodes of a deal.

use crate::diagnostic::{Diagnostic, Place};
use crate::table::knowledge::imagine::Deal;
use crate::table::knowledge::learned::{Judge, Lesson, Subject};
use crate::table::{Print, SeatSet, Table};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// A face that a condition is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::table) enum Face {
    /// The seat knows it.
    Known(Print),
    /// It is that of a node.
    Node(u32),
}

/// A condition that a seat has learned, on the nodes of a deal.
pub(in crate::table) struct Taught<'l> {
    lesson: &'l Lesson,
    /// The faces, in the order of the pieces that had them.
    pub(in crate::table) faces: Vec<Face>,
    scratch: RefCell<Option<Table>>,
}

impl<'l> Taught<'l> {
    /// All that some seats have learned of what a table has now.
    pub(in crate::table) fn all(deal: &Deal<'l>, seats: SeatSet) -> Vec<Self> {
        let lessons: Vec<&Lesson> = deal.table.lessons_of(seats).map(|lesson| &**lesson).collect();
        if lessons.is_empty() {
            return Vec::new();
        }
        let nodes = Nodes::new(deal);
        lessons.into_iter().map(|lesson| nodes.taught(deal, lesson)).collect()
    }

    /// Whether each of its faces is as it says, and not all of them together.
    pub(in crate::table) const fn is_each(&self) -> bool {
        self.lesson.is_each
    }

    /// Where it stands in the rules.
    pub(in crate::table) fn place(&self) -> Option<Place> {
        self.lesson.condition.place()
    }

    /// Whether all that was learned holds with these faces of the nodes.
    pub(in crate::table) fn hold(
        taught: &[Self],
        prints: &[Print],
        judge: &mut dyn Judge,
    ) -> Result<bool, Box<Diagnostic>> {
        for one in taught {
            if !one.holds(prints, judge)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether it holds with these faces of the nodes.
    pub(in crate::table) fn holds(&self, prints: &[Print], judge: &mut dyn Judge) -> Result<bool, Box<Diagnostic>> {
        let print = |face: &Face| match face {
            Face::Known(print) => *print,
            Face::Node(node) => prints[*node as usize],
        };
        if !self.is_each() {
            let all: Vec<Print> = self.faces.iter().map(print).collect();
            return self.answer(usize::MAX, all, judge);
        }
        for (at, face) in self.faces.iter().enumerate() {
            if let Face::Node(_) = face
                && !self.allows(at, print(face), judge)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether it holds of one of its faces, where it is said of each.
    pub(in crate::table) fn allows(
        &self,
        at: usize,
        print: Print,
        judge: &mut dyn Judge,
    ) -> Result<bool, Box<Diagnostic>> {
        // Of pieces of one hand it says the same.
        let bag = self.lesson.bags[at];
        let alike = self.lesson.bags.iter().position(|other| bag.is_some() && *other == bag).unwrap_or(at);
        self.answer(alike, vec![print], judge)
    }

    fn answer(&self, at: usize, faces: Vec<Print>, judge: &mut dyn Judge) -> Result<bool, Box<Diagnostic>> {
        let asked = (at, faces);
        if let Some(answer) = self.lesson.answers.of(&asked) {
            return Ok(answer);
        }
        let mut scratch = self.scratch.borrow_mut();
        let scratch = scratch.get_or_insert_with(|| self.lesson.scratch());
        let only = (at != usize::MAX).then_some(at);
        let answer = self.lesson.holds(scratch, judge, &asked.1, only)?;
        self.lesson.answers.note(asked, answer);
        Ok(answer)
    }
}

/// The nodes of a deal by what they stand for.
struct Nodes {
    of_pieces: FxHashMap<u16, u32>,
    of_tags: FxHashMap<u32, u32>,
}

impl Nodes {
    fn new(deal: &Deal<'_>) -> Self {
        let of_pieces = deal.leaves.iter().enumerate().map(|(node, piece)| (piece.0, node as u32)).collect();
        let tag = |pool: usize, at: usize| deal.inputs(pool)[at].tag;
        let inputs =
            (0..deal.pools.len()).flat_map(|pool| deal.pools[pool].special.iter().map(move |input| (pool, *input)));
        let of_tags = inputs.map(|(pool, (at, node))| (tag(pool, at), node)).filter(|(tag, _)| *tag != 0).collect();
        Self { of_pieces, of_tags }
    }

    fn taught<'l>(&self, deal: &Deal<'l>, lesson: &'l Lesson) -> Taught<'l> {
        let face = |subject: &Subject| match subject {
            Subject::Known(print) => Face::Known(*print),
            Subject::Piece(piece) => self
                .of_pieces
                .get(&piece.0)
                .map_or_else(|| Face::Known(deal.table.print(*piece)), |node| Face::Node(*node)),
            Subject::Input(tag) => Face::Node(self.of_tags[tag]),
        };
        let mut faces: Vec<Face> = lesson.about.iter().map(face).collect();
        while traced_to_inputs(deal, lesson, &mut faces) {}
        Taught { lesson, faces, scratch: RefCell::new(None) }
    }
}

/// Where a condition is about all that comes out of a mix, of pieces of one hand, it is about all that went in: which is which tells
/// nothing. Says whether there was such a mix.
fn traced_to_inputs(deal: &Deal<'_>, lesson: &Lesson, faces: &mut [Face]) -> bool {
    for (number, pool) in deal.pools.iter().enumerate() {
        let of_pool = |face: &Face| matches!(face, Face::Node(node) if usize::from(deal.pool_of(*node)) == number);
        let at: Vec<usize> = (0..faces.len()).filter(|at| of_pool(&faces[*at])).collect();
        let bag = at.first().and_then(|at| lesson.bags[*at]);
        let is_of_one_bag = bag.is_some() && at.iter().all(|at| lesson.bags[*at] == bag);
        if pool.unknown.is_empty() || at.len() != pool.outputs.len() || !is_of_one_bag {
            continue;
        }
        let inputs = pool.known.iter().copied().map(Face::Known).chain(pool.unknown.iter().copied().map(Face::Node));
        for (at, input) in at.into_iter().zip(inputs) {
            faces[at] = input;
        }
        return true;
    }
    false
}
