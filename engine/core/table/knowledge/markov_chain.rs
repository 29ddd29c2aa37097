//! A Markov chain over deals whose stationary distribution is uniform over the deals without violations.
//!
//! A step proposes to exchange the inputs that two outputs of one mix have received. A violation is a wrong known face, a face that a place
//! may not have, or a learned condition that does not hold. A proposal that adds violations is accepted with a probability that decreases
//! with each added violation (Metropolis et al. 1953). Deals with violations serve as intermediate states where no direct way leads from
//! one valid deal to another. The required number of steps is not proven. It is chosen from the number of outputs, since `n log n`
//! exchanges mix a pile about which nothing is known.
//!
//! Invalid deals far outnumber valid ones: a known face can be missing in as many ways as there are other faces. With a fixed penalty, the
//! chain would almost never visit a valid deal of a large table. The penalty therefore grows until it exceeds the number of outputs.

use crate::diagnostic::Diagnostic;
use crate::table::knowledge::domain::Domains;
use crate::table::knowledge::imagine::{Deal, DealtWorld, Origin};
use crate::table::knowledge::learned::Judge;
use crate::table::knowledge::learned_constraints::{Face, LearnedConstraint};
use crate::table::{Chance, FaceIdentity};
use smallvec::{SmallVec, smallvec};

/// Initial penalty: one in this many proposals that add a violation is accepted.
const PENALTY: u32 = 16;

/// Final penalty per movable output.
const PENALTY_PER_OUTPUT: u32 = 8;

/// Maximum number of times that the chain is checked for a valid deal after it has run long enough.
const MAX_VALIDITY_CHECKS: usize = 256;

/// Marker for a missing node.
const NONE: u32 = u32::MAX;

/// The pin of a node whose face the seat does not know.
const UNPINNED: u16 = u16::MAX;

/// Nodes whose face changes, each with the old and the new face by its code (see [`Domains::code`]).
type Changes = SmallVec<[(u32, u16, u16); 16]>;

/// A change that a step may make.
struct Proposal {
    changes: Changes,
    /// Pairs of outputs of one mix whose origins are exchanged, in this order.
    exchanged: SmallVec<[(u32, u32); 2]>,
}

struct Chain<'w> {
    deal: &'w Deal<'w>,
    domains: &'w Domains,
    taught: &'w [LearnedConstraint<'w>],
    /// Indices in `taught` of the joint conditions on each node.
    about: Vec<SmallVec<[u16; 4]>>,
    origins: Vec<Origin>,
    /// Output of a younger mix that received the face of each node, or [`NONE`].
    went: Vec<u32>,
    identities: Vec<FaceIdentity>,
    /// The codes of the faces in `identities`. They are cached, since domains are looked up many times for each evaluated
    /// condition.
    codes: Vec<u16>,
    /// The code of the face that each node must have, or [`UNPINNED`].
    pins: Vec<u16>,
    holds: Vec<bool>,
    wrong: usize,
}

/// Runs the Markov chain from the deal `begun` for a number of steps that depends on the number of outputs. Then checks at intervals
/// whether the current deal is free of violations, and returns its faces if it is. Returns `None` if no check succeeds.
///
/// # Errors
/// Returns a fault of the rules in a condition.
pub(in crate::table) fn deal(
    deal: &Deal<'_>,
    domains: &Domains,
    taught: &[LearnedConstraint<'_>],
    begun: DealtWorld,
    chance: &mut Chance,
    judge: &mut dyn Judge,
) -> Result<Option<Vec<FaceIdentity>>, Box<Diagnostic>> {
    let outputs = movable(deal, &begun);
    let all: Vec<(usize, usize)> =
        outputs.iter().enumerate().flat_map(|(pool, outs)| (0..outs.len()).map(move |at| (pool, at))).collect();
    let is_drawn = begun.is_drawn;
    let mut walk = Chain::new(deal, domains, taught, begun, judge)?;
    if all.is_empty() {
        return Ok((walk.wrong == 0).then_some(walk.identities));
    }
    let many = all.len().max(2);
    let between = 16 + 2 * many;
    // A valid deal that was drawn at random is already distributed nearly uniformly. Without conditions, this even applies to an invalid
    // deal.
    let round = many * (many.ilog2() as usize + 1);
    let mut steps = match (taught.is_empty(), is_drawn) {
        (true, true) => 8 + many / 2,
        (false, true) if walk.wrong == 0 => 64 + round,
        _ => 64 + 4 * round,
    };
    let highest = PENALTY.max(PENALTY_PER_OUTPUT.saturating_mul(many as u32));
    // A chain that starts from a valid deal can use the final penalty from the beginning.
    let mut penalty = if walk.wrong == 0 { highest } else { PENALTY };
    for _ in 0..MAX_VALIDITY_CHECKS {
        for _ in 0..steps {
            let (pool, a) = all[chance.below(all.len() as u32) as usize];
            let b = chance.below(outputs[pool].len() as u32 - 1) as usize;
            let b = if b < a { b } else { b + 1 };
            let proposal = walk.propose(outputs[pool][a], outputs[pool][b], chance);
            walk.step(&proposal, penalty, chance, judge)?;
        }
        if walk.wrong == 0 {
            return Ok(Some(walk.identities));
        }
        steps = between;
        penalty = highest.min(penalty.saturating_mul(2));
    }
    Ok(None)
}

/// Returns, for each mix, the outputs whose origins may be exchanged: all outputs except those whose known face came from a known input.
/// The list is empty if a mix has fewer than two such outputs.
fn movable(deal: &Deal<'_>, begun: &DealtWorld) -> Vec<Vec<u32>> {
    let is_settled =
        |out: u32| deal.nodes[out as usize].pin.is_some() && matches!(begun.origins[out as usize], Origin::Known(_));
    let of = |pool: &super::imagine::Pool| {
        let outs: Vec<u32> = pool.outputs.iter().copied().filter(|out| !is_settled(*out)).collect();
        if outs.len() < 2 { Vec::new() } else { outs }
    };
    deal.pools.iter().map(of).collect()
}

impl<'w> Chain<'w> {
    fn new(
        deal: &'w Deal<'w>,
        domains: &'w Domains,
        taught: &'w [LearnedConstraint<'w>],
        begun: DealtWorld,
        judge: &mut dyn Judge,
    ) -> Result<Self, Box<Diagnostic>> {
        let identities: Vec<FaceIdentity> = (0..deal.nodes.len() as u32).map(|node| begun.identity(node)).collect();
        let mut went = vec![NONE; deal.nodes.len()];
        for (out, origin) in begun.origins.iter().enumerate() {
            if let Origin::Node(node) = origin {
                went[*node as usize] = out as u32;
            }
        }
        let mut about = vec![SmallVec::new(); deal.nodes.len()];
        let mut holds = vec![true; taught.len()];
        for (at, one) in taught.iter().enumerate().filter(|(_, one)| !one.is_each()) {
            holds[at] = one.holds(&identities, judge)?;
            for face in &one.faces {
                if let Face::Node(node) = face
                    && !about[*node as usize].contains(&(at as u16))
                {
                    about[*node as usize].push(at as u16);
                }
            }
        }
        let codes = identities.iter().map(|identity| domains.code(*identity)).collect();
        let pins = deal.nodes.iter().map(|node| node.pin.map_or(UNPINNED, |identity| domains.code(identity))).collect();
        let origins = begun.origins;
        let mut walk = Self { deal, domains, taught, about, origins, went, identities, codes, pins, holds, wrong: 0 };
        let wrong_nodes = (0..deal.nodes.len() as u32).filter(|node| !walk.may_have(*node, walk.codes[*node as usize]));
        walk.wrong = wrong_nodes.count() + walk.holds.iter().filter(|holds| !**holds).count();
        Ok(walk)
    }

    fn may_have(&self, node: u32, code: u16) -> bool {
        match self.pins[node as usize] {
            UNPINNED => self.domains.allows_code(node, code),
            pin => pin == code,
        }
    }

    /// Returns a node and the outputs of younger mixes that received its face in turn.
    fn path(&self, node: u32) -> SmallVec<[u32; 8]> {
        let next = |node: &u32| Some(self.went[*node as usize]).filter(|next| *next != NONE);
        std::iter::successors(Some(node), next).collect()
    }

    /// Returns a node and the outputs of older mixes through which its face came.
    fn trace(&self, node: u32) -> SmallVec<[u32; 8]> {
        let older = |node: &u32| match self.origins[*node as usize] {
            Origin::Node(older) => Some(older),
            Origin::Known(_) => None,
        };
        std::iter::successors(Some(node), older).collect()
    }

    /// Proposes to exchange the inputs that two outputs of a mix received. The outputs then exchange their faces.
    ///
    /// If both inputs came through the same older mix, half of the proposals also exchange the faces in that mix. Both outputs then keep
    /// their faces, and only the paths of the faces change. Without these proposals, the path of a known face could change only through
    /// deals in which the face is missing.
    ///
    /// Each kind of proposal is its own reverse and is proposed equally often in both directions, which makes the stationary distribution
    /// uniform.
    fn propose(&self, a: u32, b: u32, chance: &mut Chance) -> Proposal {
        let (mine, theirs) = (self.codes[a as usize], self.codes[b as usize]);
        if let [Origin::Node(_), Origin::Node(_)] = [a, b].map(|out| self.origins[out as usize])
            && chance.below(2) == 0
        {
            let ways = [self.trace(a), self.trace(b)];
            let pool = |node: u32| self.deal.pool_of(node);
            let shared: SmallVec<[(usize, usize); 8]> = (1..ways[0].len())
                .filter_map(|at| {
                    let other = (1..ways[1].len()).find(|other| pool(ways[1][*other]) == pool(ways[0][at]))?;
                    Some((at, other))
                })
                .collect();
            if !shared.is_empty() {
                let (one, other) = shared[chance.below(shared.len() as u32) as usize];
                let mut changes: Changes = ways[0][1..=one].iter().map(|node| (*node, mine, theirs)).collect();
                changes.extend(ways[1][1..=other].iter().map(|node| (*node, theirs, mine)));
                return Proposal { changes, exchanged: smallvec![(a, b), (ways[0][one], ways[1][other])] };
            }
        }
        if mine == theirs {
            return Proposal { changes: Changes::new(), exchanged: smallvec![(a, b)] };
        }
        let mut changes: Changes = self.path(a).into_iter().map(|node| (node, mine, theirs)).collect();
        changes.extend(self.path(b).into_iter().map(|node| (node, theirs, mine)));
        Proposal { changes, exchanged: smallvec![(a, b)] }
    }

    /// Accepts or rejects a proposal (Metropolis rule).
    fn step(
        &mut self,
        proposal: &Proposal,
        penalty: u32,
        chance: &mut Chance,
        judge: &mut dyn Judge,
    ) -> Result<(), Box<Diagnostic>> {
        let Proposal { changes, exchanged } = proposal;
        let (mut less, mut more) = (0_usize, 0_usize);
        let is_changed = changes.iter().any(|(_, old, new)| old != new);
        for (node, old, new) in changes.iter().filter(|_| is_changed) {
            less += usize::from(!self.may_have(*node, *old));
            more += usize::from(!self.may_have(*node, *new));
        }
        let mut asked: SmallVec<[u16; 8]> = SmallVec::new();
        if is_changed {
            asked.extend(changes.iter().flat_map(|(node, ..)| self.about[*node as usize].iter().copied()));
        }
        asked.sort_unstable();
        asked.dedup();
        let mut answers: SmallVec<[(u16, bool); 8]> = SmallVec::new();
        if !asked.is_empty() {
            changes.iter().for_each(|(node, _, new)| self.set(*node, *new));
        }
        for at in &asked {
            let holds = self.taught[usize::from(*at)].holds(&self.identities, judge)?;
            less += usize::from(!self.holds[usize::from(*at)]);
            more += usize::from(!holds);
            answers.push((*at, holds));
        }
        if (less..more).all(|_| chance.below(penalty) == 0) {
            self.wrong = self.wrong + more - less;
            answers.into_iter().for_each(|(at, holds)| self.holds[usize::from(at)] = holds);
            exchanged.iter().for_each(|(one, other)| self.exchange(*one, *other));
            if is_changed {
                changes.iter().for_each(|(node, _, new)| self.set(*node, *new));
            }
        } else if !asked.is_empty() {
            changes.iter().for_each(|(node, old, _)| self.set(*node, *old));
        }
        Ok(())
    }

    fn set(&mut self, node: u32, code: u16) {
        self.codes[node as usize] = code;
        self.identities[node as usize] = self.domains.face(code);
    }

    fn exchange(&mut self, a: u32, b: u32) {
        self.origins.swap(a as usize, b as usize);
        for out in [a, b] {
            if let Origin::Node(node) = self.origins[out as usize] {
                self.went[node as usize] = out;
            }
        }
    }
}
