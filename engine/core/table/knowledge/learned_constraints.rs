//! Learned conditions as constraints on the nodes of a deal.

use crate::diagnostic::Diagnostic;
use crate::model::SpaceId;
use crate::table::knowledge::imagine::Deal;
use crate::table::knowledge::learned::{CachedEnumeration, Judge, LearnedCondition, Subject};
use crate::table::{FaceIdentity, Table};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::{Arc, Mutex};

/// Argument of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::table) enum Face {
    /// A face that the seat knows.
    Known(FaceIdentity),
    /// The face of a node.
    Node(u32),
}

/// A condition that a seat has learned, expressed in terms of the nodes of a deal.
pub(in crate::table) struct LearnedConstraint<'l> {
    lesson: &'l LearnedCondition,
    /// Arguments of the condition, in the order of its pieces.
    pub(in crate::table) faces: Vec<Face>,
    scratch: RefCell<Option<Table>>,
}

impl<'l> LearnedConstraint<'l> {
    /// Translates the learned conditions of a table into constraints on the nodes of its deal.
    pub(in crate::table) fn all(
        deal: &Deal<'l>,
        lessons: impl Iterator<Item = &'l Arc<LearnedCondition>>,
    ) -> Vec<Self> {
        let mut lessons = lessons.peekable();
        if lessons.peek().is_none() {
            return Vec::new();
        }
        let nodes = Nodes::new(deal);
        lessons.map(|lesson| nodes.to_constraint(deal, lesson)).collect()
    }

    /// Returns whether the condition holds for each face separately rather than for all faces together.
    pub(in crate::table) const fn is_each(&self) -> bool {
        self.lesson.is_each
    }

    /// Returns the hand or bag in which the face at an index lay. `None` if the face lay elsewhere, or if the condition names single
    /// pieces.
    pub(in crate::table) fn bag(&self, at: usize) -> Option<SpaceId> {
        self.lesson.bags[at].filter(|_| !self.lesson.condition.names_pieces())
    }

    /// Returns the condition's table, which identifies the condition.
    pub(in crate::table) const fn then(&self) -> &Arc<Table> {
        &self.lesson.then
    }

    /// Returns the condition's cache of enumerations.
    pub(in crate::table) fn enumerations(&self) -> &Mutex<Vec<CachedEnumeration>> {
        &self.lesson.answers.enumerations
    }

    /// Returns whether all conditions hold if the nodes have these faces.
    pub(in crate::table) fn hold(
        taught: &[Self],
        identities: &[FaceIdentity],
        judge: &mut dyn Judge,
    ) -> Result<bool, Box<Diagnostic>> {
        for one in taught {
            if !one.holds(identities, judge)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns whether the condition holds if the nodes have these faces.
    pub(in crate::table) fn holds(
        &self,
        identities: &[FaceIdentity],
        judge: &mut dyn Judge,
    ) -> Result<bool, Box<Diagnostic>> {
        let identity = |face: &Face| match face {
            Face::Known(identity) => *identity,
            Face::Node(node) => identities[*node as usize],
        };
        if !self.is_each() {
            let all: Vec<FaceIdentity> = self.faces.iter().map(identity).collect();
            return self.holds_of(all, judge);
        }
        for (at, face) in self.faces.iter().enumerate() {
            if let Face::Node(_) = face
                && !self.allows(at, identity(face), judge)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Evaluates a joint condition with the given faces.
    pub(in crate::table) fn holds_of(
        &self,
        faces: Vec<FaceIdentity>,
        judge: &mut dyn Judge,
    ) -> Result<bool, Box<Diagnostic>> {
        self.answer(usize::MAX, faces, judge)
    }

    /// Evaluates a condition on single faces for the face at an index.
    pub(in crate::table) fn allows(
        &self,
        at: usize,
        identity: FaceIdentity,
        judge: &mut dyn Judge,
    ) -> Result<bool, Box<Diagnostic>> {
        // Pieces of one hand share a cached value.
        let bag = self.lesson.bags[at];
        let alike = self.lesson.bags.iter().position(|other| bag.is_some() && *other == bag).unwrap_or(at);
        self.answer(alike, vec![identity], judge)
    }

    fn answer(&self, at: usize, faces: Vec<FaceIdentity>, judge: &mut dyn Judge) -> Result<bool, Box<Diagnostic>> {
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

/// Mapping from pieces and tags to the nodes of a deal.
struct Nodes {
    of_pieces: FxHashMap<u16, u32>,
    of_tags: FxHashMap<u32, u32>,
}

impl Nodes {
    fn new(deal: &Deal<'_>) -> Self {
        let of_pieces = deal.leaves.iter().enumerate().map(|(node, piece)| (piece.0, node as u32)).collect();
        let tag = |pool: usize, at: usize| deal.places.tag_of(deal.pools[pool].id, at);
        let inputs =
            (0..deal.pools.len()).flat_map(|pool| deal.pools[pool].special.iter().map(move |input| (pool, *input)));
        let of_tags = inputs.map(|(pool, (at, node))| (tag(pool, at), node)).filter(|(tag, _)| *tag != 0).collect();
        Self { of_pieces, of_tags }
    }

    fn to_constraint<'l>(&self, deal: &Deal<'l>, lesson: &'l LearnedCondition) -> LearnedConstraint<'l> {
        let face = |subject: &Subject| match subject {
            Subject::Known(identity) => Face::Known(*identity),
            Subject::Piece(piece) => self
                .of_pieces
                .get(&piece.0)
                .map_or_else(|| Face::Known(deal.places.open_face(*piece)), |node| Face::Node(*node)),
            Subject::Input(tag) => Face::Node(self.of_tags[tag]),
        };
        let mut faces: Vec<Face> = lesson.about.iter().map(face).collect();
        while trace_to_inputs(deal, lesson, &mut faces) {}
        LearnedConstraint { lesson, faces, scratch: RefCell::new(None) }
    }
}

/// Finds a mix whose outputs are all arguments of a condition and lie in one hand. Replaces these arguments with the mix's inputs, which is
/// equivalent because the pieces of a hand are interchangeable. Returns whether a mix was found.
fn trace_to_inputs(deal: &Deal<'_>, lesson: &LearnedCondition, faces: &mut [Face]) -> bool {
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

/// Groups the nodes that are arguments of joint conditions. Exchanging two nodes of a group changes neither the table nor the value of any
/// condition.
pub(in crate::table) fn alike(
    deal: &Deal<'_>,
    taught: &[LearnedConstraint<'_>],
    may_be_same: impl Fn(u32, u32) -> bool,
) -> Vec<Vec<u32>> {
    let mut reads: Vec<Vec<(usize, usize)>> = vec![Vec::new(); deal.nodes.len()];
    for (at, one) in taught.iter().enumerate().filter(|(_, one)| !one.is_each()) {
        for (slot, face) in one.faces.iter().enumerate() {
            if let Face::Node(node) = face
                && deal.nodes[*node as usize].pin.is_none()
            {
                reads[*node as usize].push((at, one.bag(slot).map_or(usize::MAX - slot, SpaceId::index)));
            }
        }
    }
    for reads in &mut reads {
        reads.sort_unstable();
    }
    let went_to: FxHashMap<u32, usize> = deal
        .pools
        .iter()
        .enumerate()
        .flat_map(|(number, pool)| pool.special.iter().map(move |(_, node)| (*node, number)))
        .collect();
    let is_alike = |one: u32, other: u32| {
        let at = |node: u32| node as usize;
        deal.pool_of(one) == deal.pool_of(other)
            && may_be_same(one, other)
            && reads[at(one)] == reads[at(other)]
            && match (deal.leaves.get(at(one)), deal.leaves.get(at(other))) {
                (Some(one), Some(other)) => deal.places.are_interchangeable(*one, *other),
                (None, None) => went_to.get(&one) == went_to.get(&other),
                _ => false,
            }
    };
    let mut groups: Vec<Vec<u32>> = Vec::new();
    for node in (0..deal.nodes.len() as u32).filter(|node| !reads[*node as usize].is_empty()) {
        match groups.iter_mut().find(|group| is_alike(group[0], node)) {
            Some(group) => group.push(node),
            None => groups.push(vec![node]),
        }
    }
    groups
}
