//! Domains: the sets of faces that the nodes of a deal may have.

use crate::diagnostic::Diagnostic;
use crate::model::PieceId;
use crate::table::knowledge::imagine::{Deal, DealtWorld, Origin};
use crate::table::knowledge::learned::Judge;
use crate::table::knowledge::learned_constraints::{Face, LearnedConstraint};
use crate::table::{Chance, FaceIdentity};
use smallvec::SmallVec;

/// A set of faces of a deal, with one bit per face.
pub(in crate::table) type Bits = SmallVec<[u64; 2]>;

/// Code of a face that did not go into any mix.
const NO_FACE: u16 = u16::MAX - 1;

/// The domains of all nodes.
pub(in crate::table) struct Domains {
    /// All faces, sorted.
    faces: Vec<FaceIdentity>,
    /// Superset of the faces that can come out of each mix.
    reach: Vec<Bits>,
    /// Domain of each node; `None` if no face that comes out of the node's mix is excluded.
    of: Vec<Option<Bits>>,
    /// Whether a learned condition excluded a face that a node could have had at its place.
    is_narrowed_by_lessons: bool,
}

impl Domains {
    /// Computes domains from public facts about pieces and from learned conditions on single faces.
    ///
    /// # Errors
    /// Returns a fault of the rules in a condition.
    pub(in crate::table) fn new(
        deal: &Deal<'_>,
        taught: &[LearnedConstraint<'_>],
        judge: &mut dyn Judge,
    ) -> Result<Self, Box<Diagnostic>> {
        let mut faces: Vec<FaceIdentity> = deal.pools.iter().flat_map(|pool| pool.known.iter().copied()).collect();
        faces.sort_unstable();
        faces.dedup();
        let none = Bits::from_elem(0, faces.len().div_ceil(64));
        let mut found = Self {
            faces,
            reach: vec![none; deal.pools.len()],
            of: vec![None; deal.nodes.len()],
            is_narrowed_by_lessons: false,
        };
        for (at, pool) in deal.pools.iter().enumerate().rev() {
            let mut reach = found.bits(|identity| pool.known.binary_search(&identity).is_ok());
            for node in &pool.unknown {
                let older = &found.reach[usize::from(deal.pool_of(*node))];
                reach.iter_mut().zip(older).for_each(|(all, more)| *all |= more);
            }
            found.reach[at] = reach;
        }
        let leaves = deal.leaves.iter().enumerate().filter(|(node, _)| deal.nodes[*node].pin.is_none());
        // Most pieces have the same domain as an earlier piece.
        let mut before: SmallVec<[(u16, PieceId, usize); 8]> = SmallVec::new();
        for (node, piece) in leaves {
            let pool = deal.pool_of(node as u32);
            let alike =
                |(of, other, _): &&(u16, PieceId, usize)| *of == pool && deal.places.may_be_alike(*other, *piece);
            if let Some((_, _, like)) = before.iter().find(alike) {
                let like = found.of[*like].clone();
                found.of[node] = like;
                continue;
            }
            found.narrow(deal, node as u32, |identity| Ok(deal.places.may_have(*piece, identity)))?;
            before.push((pool, *piece, node));
        }
        for one in taught.iter().filter(|one| one.is_each()) {
            for (at, face) in one.faces.iter().enumerate() {
                if let Face::Node(node) = face
                    && deal.nodes[*node as usize].pin.is_none()
                {
                    found.is_narrowed_by_lessons |=
                        found.narrow(deal, *node, |identity| one.allows(at, identity, judge))?;
                }
            }
        }
        Ok(found)
    }

    fn bits(&self, has: impl Fn(FaceIdentity) -> bool) -> Bits {
        let mut bits = Bits::from_elem(0, self.faces.len().div_ceil(64));
        for at in (0..self.faces.len()).filter(|at| has(self.faces[*at])) {
            bits[at / 64] |= 1 << (at % 64);
        }
        bits
    }

    /// Removes the faces that `may` rejects from the domain of a node. Returns whether any face was removed.
    fn narrow(
        &mut self,
        deal: &Deal<'_>,
        node: u32,
        mut may: impl FnMut(FaceIdentity) -> Result<bool, Box<Diagnostic>>,
    ) -> Result<bool, Box<Diagnostic>> {
        let mut is_narrowed = false;
        let reach = &self.reach[usize::from(deal.pool_of(node))];
        let mut bits = self.of[node as usize].clone().unwrap_or_else(|| reach.clone());
        for (at, identity) in self.faces.iter().enumerate() {
            if has(&bits, at) && !may(*identity)? {
                bits[at / 64] &= !(1 << (at % 64));
                is_narrowed = true;
            }
        }
        self.of[node as usize] = (bits != *reach).then_some(bits);
        Ok(is_narrowed)
    }

    /// Returns whether a learned condition excluded a face that a node could have had at its place.
    pub(in crate::table) const fn is_narrowed_by_lessons(&self) -> bool {
        self.is_narrowed_by_lessons
    }

    /// Returns a copy of all domains. Each deal narrows its own copy further.
    pub(in crate::table) fn of_all(&self) -> Vec<Option<Bits>> {
        self.of.clone()
    }

    /// Returns whether at least one of the faces that come out of a node's mix is ruled out for the node.
    pub(in crate::table) fn is_narrow(&self, node: u32) -> bool {
        self.of[node as usize].is_some()
    }

    /// Returns whether two nodes of the same mix have the same domain.
    pub(in crate::table) fn are_same(&self, one: u32, other: u32) -> bool {
        self.of[one as usize] == self.of[other as usize]
    }

    /// Returns the domain of a node as bits. `None` if the node may have every face that comes out of its mix.
    pub(in crate::table) fn bits_of(&self, node: u32) -> Option<&Bits> {
        self.of[node as usize].as_ref()
    }

    /// Lists the faces in the domain of a node; all faces of the deal if the domain is `None`.
    pub(in crate::table) fn faces_of(&self, node: u32) -> Vec<FaceIdentity> {
        self.faces.iter().copied().filter(|identity| self.allows(node, *identity)).collect()
    }

    /// Returns the number of faces that a node may have.
    pub(in crate::table) fn size(&self, deal: &Deal<'_>, node: u32) -> u32 {
        size(self.of[node as usize].as_ref().unwrap_or(&self.reach[usize::from(deal.pool_of(node))]))
    }

    /// Returns whether a node whose face is unknown may have the given face.
    pub(in crate::table) fn allows(&self, node: u32, identity: FaceIdentity) -> bool {
        let bits = self.of[node as usize].as_ref();
        bits.is_none_or(|bits| self.faces.binary_search(&identity).is_ok_and(|at| has(bits, at)))
    }

    /// Returns the code of a face: its index among all faces, or [`NO_FACE`].
    pub(in crate::table) fn code(&self, identity: FaceIdentity) -> u16 {
        self.faces.binary_search(&identity).map_or(NO_FACE, |at| at as u16)
    }

    /// Returns the face that has the given code.
    pub(in crate::table) fn face(&self, code: u16) -> FaceIdentity {
        self.faces[usize::from(code)]
    }

    /// Like [`Self::allows`], but for the code of a face.
    pub(in crate::table) fn allows_code(&self, node: u32, code: u16) -> bool {
        self.of[node as usize].as_ref().is_none_or(|bits| code != NO_FACE && has(bits, usize::from(code)))
    }

    /// Assigns the remaining inputs of a mix to its remaining outputs within their domains. If the face of an input is unknown, the domain
    /// of the input is narrowed to that of its output. Returns `None` if no input is left for an output.
    pub(in crate::table) fn deal(
        &self,
        deal: &Deal<'_>,
        narrowed: &mut [Option<Bits>],
        (free, mut rest): (Vec<u32>, Vec<Origin>),
        dealt: &mut DealtWorld,
        chance: &mut Chance,
    ) -> Option<()> {
        let (mut bound, loose): (Vec<u32>, Vec<u32>) =
            free.into_iter().partition(|out| narrowed[*out as usize].is_some());
        if loose.is_empty() && are_all_alike(narrowed, &bound) {
            return self.deal_alike(deal, narrowed, (bound, rest), dealt, chance);
        }
        if !bound.is_empty() && !Self::is_even(deal, narrowed, &bound, &rest) {
            dealt.note_uneven();
        }
        bound.sort_by_key(|out| narrowed[*out as usize].as_ref().map(size));
        for out in bound {
            let may = narrowed[out as usize].take()?;
            let can = |origin: &Origin| match origin {
                Origin::Known(identity) => self.faces.binary_search(identity).is_ok_and(|at| has(&may, at)),
                Origin::Node(node) => self.common(deal, narrowed, *node, &may).iter().any(|word| *word != 0),
            };
            let able: SmallVec<[usize; 32]> = (0..rest.len()).filter(|at| can(&rest[*at])).collect();
            let chosen = *able.get(chance.below(able.len().max(1) as u32) as usize)?;
            if let Origin::Node(node) = rest[chosen] {
                narrowed[node as usize] = Some(self.common(deal, narrowed, node, &may));
            }
            dealt.give(out, rest.swap_remove(chosen));
        }
        chance.shuffle(&mut rest);
        for (out, origin) in loose.into_iter().zip(rest) {
            dealt.give(out, origin);
        }
        Some(())
    }

    /// Assigns all inputs at random to outputs that share the same domain, and narrows inputs with unknown faces to this domain. Returns
    /// `None` if an input cannot have a face in this domain.
    fn deal_alike(
        &self,
        deal: &Deal<'_>,
        narrowed: &mut [Option<Bits>],
        (outputs, mut inputs): (Vec<u32>, Vec<Origin>),
        dealt: &mut DealtWorld,
        chance: &mut Chance,
    ) -> Option<()> {
        let may = outputs.first().and_then(|out| narrowed[*out as usize].clone())?;
        for input in &inputs {
            match input {
                Origin::Known(identity) => {
                    self.faces.binary_search(identity).is_ok_and(|at| has(&may, at)).then_some(())?;
                }
                Origin::Node(node) => {
                    let common = self.common(deal, narrowed, *node, &may);
                    common.iter().any(|word| *word != 0).then_some(())?;
                    narrowed[*node as usize] = Some(common);
                }
            }
        }
        chance.shuffle(&mut inputs);
        outputs.into_iter().zip(inputs).for_each(|(out, origin)| dealt.give(out, origin));
        Some(())
    }

    /// Returns the intersection of a node's domain and a set of faces.
    fn common(&self, deal: &Deal<'_>, narrowed: &[Option<Bits>], node: u32, may: &Bits) -> Bits {
        let own = narrowed[node as usize].as_ref().unwrap_or(&self.reach[usize::from(deal.pool_of(node))]);
        own.iter().zip(may).map(|(one, other)| one & other).collect()
    }

    /// Returns whether all deals are equally likely if these outputs take their inputs in the order of the sizes of their domains. This
    /// requires that the number of remaining deals does not depend on which inputs were taken.
    fn is_even(deal: &Deal<'_>, narrowed: &[Option<Bits>], bound: &[u32], rest: &[Origin]) -> bool {
        let node = |origin: &Origin| if let Origin::Node(node) = origin { Some(*node) } else { None };
        let unknown: SmallVec<[u32; 16]> = rest.iter().filter_map(node).collect();
        if !unknown.is_empty() {
            return unknown.len() == rest.len()
                && deal.are_of_one_mix(&unknown)
                && unknown.iter().all(|node| narrowed[*node as usize].is_none());
        }
        let mut sets: SmallVec<[&Bits; 8]> = bound.iter().filter_map(|out| narrowed[*out as usize].as_ref()).collect();
        sets.sort_unstable();
        sets.dedup();
        let shared = |a: &Bits, b: &Bits| -> Bits { a.iter().zip(b).map(|(one, other)| one & other).collect() };
        let is_nested = |a: &Bits, b: &Bits| {
            let both = shared(a, b);
            both == *a || both == *b || both.iter().all(|word| *word == 0)
        };
        (0..sets.len()).all(|at| sets[..at].iter().all(|other| is_nested(sets[at], other)))
    }
}

/// Returns whether all of these outputs have the same domain. Returns false if there are no outputs.
fn are_all_alike(narrowed: &[Option<Bits>], outputs: &[u32]) -> bool {
    !outputs.is_empty() && outputs.windows(2).all(|two| narrowed[two[0] as usize] == narrowed[two[1] as usize])
}

fn has(bits: &Bits, at: usize) -> bool {
    bits[at / 64] & 1 << (at % 64) != 0
}

fn size(bits: &Bits) -> u32 {
    bits.iter().map(|word| word.count_ones()).sum()
}
