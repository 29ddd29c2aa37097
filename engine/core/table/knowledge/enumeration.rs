//! Exhaustive enumeration of deals. Outputs that are restricted by neither a domain nor a condition are left out.
//!
//! The oldest mix is dealt first, output by output. The weight of a deal is the number of ways in which equal faces can be exchanged
//! without changing the result. The unrestricted outputs are shuffled at the end; the number of ways to do so is the same for all deals.
//!
//! [`LAST_BOUND`] is for positions in which no other method has found a world. Interchangeable cards of a hand then get their faces in one
//! order only. The face combinations of each hand are listed first, using only the conditions on that hand.

use crate::diagnostic::Diagnostic;
use crate::table::knowledge::domain::Domains;
use crate::table::knowledge::imagine::{Deal, take};
use crate::table::knowledge::learned::{CachedEnumeration, Judge};
use crate::table::knowledge::learned_constraints::{Face, LearnedConstraint, alike};
use crate::table::{Chance, FaceIdentity, Table};
use std::sync::Arc;

/// Limits of an enumeration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::table) struct Bound {
    /// Maximum number of assignments of a face to a node that are tried.
    tried: usize,
    /// Binary logarithm of the maximum number of ways to assign faces, as estimated before the enumeration starts.
    bits: u32,
    /// Maximum number of deals kept.
    kept: usize,
    /// Whether interchangeable outputs get their faces in one order only.
    in_order: bool,
}

/// Limits of the enumeration before the Markov chain is run. Used only if the seat has learned conditions.
pub(in crate::table) const FIRST_BOUND: Bound = Bound { tried: 1 << 14, bits: 36, kept: 1 << 12, in_order: false };

/// Limits of the enumeration if nothing was learned and the Markov chain found no world. Fewer assignments are tried than within
/// [`FIRST_BOUND`].
pub(in crate::table) const BOUND_WITHOUT_CONDITIONS: Bound = Bound { tried: 1 << 10, ..FIRST_BOUND };

/// Limits of the enumeration if the seat has learned conditions and the Markov chain found no world.
pub(in crate::table) const LAST_BOUND: Bound = Bound { tried: 1 << 20, bits: u32::MAX, kept: 1 << 16, in_order: true };

/// Maximum number of rejected face combinations per group that are checked again in other orders. These checks detect conditions that
/// depend on the order of the faces.
const MAX_TURNED: usize = 64;

/// Result of an enumeration: all deals, each with its weight.
#[derive(Debug)]
pub(in crate::table) struct Enumeration {
    found: Vec<(u64, Vec<Option<FaceIdentity>>)>,
    total: u64,
    /// Groups of interchangeable outputs, whose faces are shuffled at the end.
    groups: Vec<Vec<u32>>,
}

/// The outputs of a mix whose faces are enumerated, with the faces available to them.
struct Part {
    pool: usize,
    /// Known faces of the inputs, except those that outputs are known to have.
    known: Vec<FaceIdentity>,
    /// Known output faces that came from inputs with unknown faces.
    traced: Vec<FaceIdentity>,
    /// Nodes of the outputs whose faces are enumerated.
    outputs: Vec<u32>,
}

struct Search<'s> {
    deal: &'s Deal<'s>,
    domains: &'s Domains,
    taught: &'s [LearnedConstraint<'s>],
    parts: Vec<Part>,
    /// Indices of the joint conditions to evaluate when a node gets its face, by node.
    asked_at: Vec<Vec<usize>>,
    /// Group whose first node is the given node, and the possible face combinations of the group, indexed by node. `None` for nodes that do
    /// not begin a group.
    begins: Vec<Option<(usize, Vec<Vec<FaceIdentity>>)>>,
    faces: Vec<Option<FaceIdentity>>,
    judge: &'s mut dyn Judge,
    left: usize,
    most_kept: usize,
    found: Enumeration,
    fault: Option<Box<Diagnostic>>,
}

/// Enumerates all deals. Returns `None` if this exceeds `bound`, or if a condition depends on the order of interchangeable cards.
///
/// # Errors
/// Returns a fault of the rules in a condition.
pub(in crate::table) fn enumerate_deals(
    deal: &Deal<'_>,
    domains: &Domains,
    taught: &[LearnedConstraint<'_>],
    judge: &mut dyn Judge,
    bound: Bound,
) -> Result<Option<Enumeration>, Box<Diagnostic>> {
    let matters = restricted_nodes(deal, domains, taught);
    let mut groups =
        if bound.in_order { alike(deal, taught, |one, other| domains.are_same(one, other)) } else { Vec::new() };
    groups.retain(|group| group.len() > 1);
    let mut group_of = vec![usize::MAX; deal.nodes.len()];
    for (number, group) in groups.iter().enumerate() {
        for node in group {
            group_of[*node as usize] = number;
        }
    }
    let parts: Vec<Part> = parts(deal, domains, &matters, &group_of);
    let mut asked_at = vec![Vec::new(); deal.nodes.len()];
    let order: Vec<u32> = parts.iter().flat_map(|part| &part.outputs).copied().collect();
    for (at, one) in taught.iter().enumerate().filter(|(_, one)| !one.is_each()) {
        let is_of = |node: &&u32| one.faces.contains(&Face::Node(**node));
        if let Some(last) = order.iter().rev().find(is_of) {
            asked_at[*last as usize].push(at);
        }
    }
    let bits = |node: &u32| domains.size(deal, *node).max(1).ilog2();
    if order.iter().map(bits).sum::<u32>() > bound.bits {
        return Ok(None);
    }
    let faces = deal.nodes.iter().map(|node| node.pin).collect();
    let found = Enumeration { found: Vec::new(), total: 0, groups };
    let (left, most_kept, begins) = (bound.tried, bound.kept, vec![None; deal.nodes.len()]);
    let mut search =
        Search { deal, domains, taught, parts, asked_at, begins, faces, judge, left, most_kept, found, fault: None };
    let is_all = search.list_groups(&order).and_then(|()| search.part(0, 1)).is_some();
    match search.fault {
        Some(fault) => Err(fault),
        None => Ok(is_all.then_some(search.found)),
    }
}

/// Like [`enumerate_deals`], but caches the result with the last condition, because many worlds are imagined in one position. Also returns
/// `None` if there are no conditions.
///
/// # Errors
/// Returns a fault of the rules in a condition.
pub(in crate::table) fn enumerate_deals_cached(
    deal: &Deal<'_>,
    domains: &Domains,
    taught: &[LearnedConstraint<'_>],
    judge: &mut dyn Judge,
    bound: Bound,
) -> Result<Option<Arc<Enumeration>>, Box<Diagnostic>> {
    let Some((last, earlier)) = taught.split_last() else { return Ok(None) };
    let thens: Vec<Arc<Table>> = taught.iter().map(|one| one.then().clone()).collect();
    let dealt = written(deal, domains, taught);
    if let Ok(cached) = last.enumerations().lock()
        && let Some(cached) = cached.iter().find(|cached| cached.bound == bound)
        && cached.dealt == dealt
        && cached.thens.len() == thens.len()
        && cached.thens.iter().zip(&thens).all(|(one, other)| Arc::ptr_eq(one, other))
    {
        return Ok(cached.every.clone());
    }
    let every = enumerate_deals(deal, domains, taught, judge, bound)?.map(Arc::new);
    // Enumerations may be large, so those that were cached before the last condition was learned are dropped.
    for one in earlier {
        if let Ok(mut cached) = one.enumerations().lock() {
            cached.clear();
        }
    }
    if let Ok(mut cached) = last.enumerations().lock() {
        cached.retain(|cached| cached.bound != bound);
        cached.push(CachedEnumeration { bound, thens, dealt, every: every.clone() });
    }
    Ok(every)
}

/// Encodes everything that the deals depend on, except the conditions themselves. The result is part of a cache key.
fn written(deal: &Deal<'_>, domains: &Domains, taught: &[LearnedConstraint<'_>]) -> Vec<u64> {
    let code = |identity: &FaceIdentity| {
        u64::from(identity.component.0) << 9 | identity.owner.map_or(0, |seat| u64::from(seat.0) + 1)
    };
    let mut parts = Vec::new();
    for (at, node) in deal.nodes.iter().enumerate() {
        parts.extend([u64::from(node.pool), node.pin.as_ref().map_or(u64::MAX, code)]);
        parts.extend(domains.bits_of(at as u32).into_iter().flatten());
        parts.push(u64::MAX);
    }
    for pool in &deal.pools {
        parts.extend(pool.known.iter().map(code).chain([u64::MAX]));
        parts.extend(pool.unknown.iter().map(|node| u64::from(*node)).chain([u64::MAX]));
    }
    for face in taught.iter().flat_map(|one| &one.faces) {
        parts.push(match face {
            Face::Known(identity) => code(identity) << 1,
            Face::Node(node) => u64::from(*node) << 1 | 1,
        });
    }
    for piece in &deal.leaves {
        parts.push(u64::from(deal.places.space_of(*piece).0));
    }
    parts
}

/// Returns one flag per node: whether the node is restricted, or goes into a mix that has restricted outputs.
fn restricted_nodes(deal: &Deal<'_>, domains: &Domains, taught: &[LearnedConstraint<'_>]) -> Vec<bool> {
    let mut matters: Vec<bool> = (0..deal.nodes.len() as u32).map(|node| domains.is_narrow(node)).collect();
    for face in taught.iter().filter(|one| !one.is_each()).flat_map(|one| &one.faces) {
        if let Face::Node(node) = face {
            matters[*node as usize] = true;
        }
    }
    for pool in &deal.pools {
        let mut known = pool.known.clone();
        let mut decides = |out: &u32| match deal.nodes[*out as usize].pin {
            Some(identity) => take(&mut known, identity).is_err(),
            None => matters[*out as usize],
        };
        // The faces of a mix's inputs determine which faces its restricted outputs can have. The unknown inputs are therefore enumerated
        // too.
        let deciding = pool.outputs.iter().filter(|out| decides(out)).count();
        if deciding > 0 {
            pool.unknown.iter().for_each(|node| matters[*node as usize] = true);
        }
    }
    matters
}

/// Returns one part for each mix, oldest first. A part contains the outputs of its mix whose faces are enumerated.
fn parts(deal: &Deal<'_>, domains: &Domains, matters: &[bool], group_of: &[usize]) -> Vec<Part> {
    let part = |(number, pool): (usize, &super::imagine::Pool)| {
        let mut known = pool.known.clone();
        let pins = pool.outputs.iter().filter_map(|out| deal.nodes[*out as usize].pin);
        let traced: Vec<FaceIdentity> = pins.filter(|identity| take(&mut known, *identity).is_err()).collect();
        let is_open = |out: &u32| deal.nodes[*out as usize].pin.is_none() && matters[*out as usize];
        let mut outputs: Vec<u32> = pool.outputs.iter().copied().filter(is_open).collect();
        outputs.sort_by_key(|out| (domains.size(deal, *out), group_of[*out as usize]));
        Part { pool: number, known, traced, outputs }
    };
    deal.pools.iter().enumerate().rev().map(part).collect()
}

impl Search<'_> {
    /// Enumerates the deals of the part at index `at` and of all later parts. Returns `None` if a limit is exceeded or the rules fail.
    fn part(&mut self, at: usize, deals: u64) -> Option<()> {
        let Some(part) = self.parts.get(at) else {
            self.found.total = self.found.total.checked_add(deals)?;
            self.found.found.push((deals, self.faces.clone()));
            return (self.found.found.len() <= self.most_kept).then_some(());
        };
        if part.outputs.is_empty() && part.traced.is_empty() {
            return self.part(at + 1, deals);
        }
        let unknown = &self.deal.pools[part.pool].unknown;
        let mut inputs: Vec<FaceIdentity> = unknown.iter().filter_map(|node| self.faces[*node as usize]).collect();
        let mut deals = deals;
        for identity in &part.traced {
            let alike = inputs.iter().filter(|input| *input == identity).count() as u64;
            if take(&mut inputs, *identity).is_err() {
                return Some(());
            }
            deals = deals.checked_mul(alike)?;
        }
        inputs.extend_from_slice(&part.known);
        inputs.sort_unstable();
        let mut counts: Vec<(FaceIdentity, u64)> = Vec::new();
        for input in inputs {
            match counts.last_mut() {
                Some((identity, count)) if *identity == input => *count += 1,
                _ => counts.push((input, 1)),
            }
        }
        self.assign_output((at, 0), &mut counts, deals)
    }

    /// Tries each face for an output of a part, and continues with the outputs after it. Returns `None` if a limit is exceeded or the rules
    /// fail.
    fn assign_output(
        &mut self,
        (at, out): (usize, usize),
        counts: &mut Vec<(FaceIdentity, u64)>,
        deals: u64,
    ) -> Option<()> {
        let Some(node) = self.parts[at].outputs.get(out).copied() else { return self.part(at + 1, deals) };
        if let Some((group, lists)) = self.begins[node as usize].take() {
            let is_all = self.assign_group((at, out), (group, &lists), counts, deals);
            self.begins[node as usize] = Some((group, lists));
            return is_all;
        }
        for face in 0..counts.len() {
            let (identity, count) = counts[face];
            if count == 0 || !self.domains.allows(node, identity) {
                continue;
            }
            self.left = self.left.checked_sub(1)?;
            self.faces[node as usize] = Some(identity);
            if self.holds_at(node)? {
                counts[face].1 -= 1;
                self.assign_output((at, out + 1), counts, deals.checked_mul(count)?)?;
                counts[face].1 += 1;
            }
            self.faces[node as usize] = None;
        }
        Some(())
    }

    /// Tries each face combination of a group for the group's outputs, and continues with the outputs after them. Returns `None` if a limit
    /// is exceeded or the rules fail.
    fn assign_group(
        &mut self,
        (at, out): (usize, usize),
        (group, lists): (usize, &[Vec<FaceIdentity>]),
        counts: &mut Vec<(FaceIdentity, u64)>,
        deals: u64,
    ) -> Option<()> {
        let nodes = self.found.groups[group].clone();
        for list in lists {
            self.left = self.left.checked_sub(1)?;
            let (before, mut ways) = (counts.clone(), count_orders(list));
            for (node, identity) in nodes.iter().zip(list) {
                self.faces[*node as usize] = Some(*identity);
                match counts.binary_search_by_key(identity, |(face, _)| *face) {
                    Ok(found) if counts[found].1 > 0 => {
                        ways = ways.checked_mul(counts[found].1)?;
                        counts[found].1 -= 1;
                    }
                    _ => ways = 0,
                }
            }
            if ways > 0 && self.holds_at(*nodes.last()?)? {
                self.assign_output((at, out + nodes.len()), counts, deals.checked_mul(ways)?)?;
            }
            for node in &nodes {
                self.faces[*node as usize] = None;
            }
            *counts = before;
        }
        Some(())
    }

    /// Lists the face combinations that each group's own conditions allow. These conditions are not evaluated again later. Returns `None`
    /// if there are too many combinations, if a condition depends on the order of interchangeable cards, or if the rules fail.
    fn list_groups(&mut self, order: &[u32]) -> Option<()> {
        for group in 0..self.found.groups.len() {
            let nodes = self.found.groups[group].clone();
            let first = order.iter().position(|node| *node == nodes[0])?;
            debug_assert_eq!(
                order.get(first..first + nodes.len()),
                Some(&nodes[..]),
                "what is alike is dealt together"
            );
            let is_own = |face: &Face| match face {
                Face::Known(_) => true,
                Face::Node(node) => self.faces[*node as usize].is_some() || nodes.contains(node),
            };
            let last = *nodes.last()? as usize;
            let (own, others): (Vec<usize>, Vec<usize>) = std::mem::take(&mut self.asked_at[last])
                .into_iter()
                .partition(|at| self.taught[*at].faces.iter().all(is_own));
            self.asked_at[last] = others;
            let mut faces: Vec<FaceIdentity> =
                self.deal.pools.iter().flat_map(|pool| pool.known.iter().copied()).collect();
            faces.retain(|identity| self.domains.allows(nodes[0], *identity));
            faces.sort_unstable();
            let (mut lists, mut turned) = (Vec::new(), 0);
            self.list_combinations(&nodes, &faces, &own, &mut Vec::new(), (&mut lists, &mut turned))?;
            for node in &nodes {
                self.faces[*node as usize] = None;
            }
            self.begins[nodes[0] as usize] = Some((group, lists));
        }
        Some(())
    }

    /// Lists the sorted face combinations of a group that begin with the faces in `begun`. Returns `None` in the same cases as
    /// [`Self::list_groups`].
    fn list_combinations(
        &mut self,
        nodes: &[u32],
        faces: &[FaceIdentity],
        own: &[usize],
        begun: &mut Vec<FaceIdentity>,
        (lists, turned): (&mut Vec<Vec<FaceIdentity>>, &mut usize),
    ) -> Option<()> {
        if begun.len() == nodes.len() {
            if self.fits(nodes, own, begun)? {
                lists.push(begun.clone());
                return (lists.len() <= self.most_kept).then_some(());
            }
            if *turned < MAX_TURNED {
                *turned += 1;
                let mut other = begun.clone();
                for _ in 1..other.len() {
                    other.rotate_left(1);
                    if self.fits(nodes, own, &other)? {
                        return None;
                    }
                }
            }
            return Some(());
        }
        for (at, identity) in faces.iter().enumerate() {
            if at > 0 && faces[at - 1] == *identity {
                continue;
            }
            self.left = self.left.checked_sub(1)?;
            begun.push(*identity);
            self.list_combinations(nodes, &faces[at + 1..], own, begun, (lists, turned))?;
            begun.pop();
        }
        Some(())
    }

    /// Assigns faces to nodes and returns whether the conditions hold; `None` if the rules fail.
    fn fits(&mut self, nodes: &[u32], conditions: &[usize], faces: &[FaceIdentity]) -> Option<bool> {
        nodes.iter().zip(faces).for_each(|(node, identity)| self.faces[*node as usize] = Some(*identity));
        self.hold(conditions)
    }

    /// Evaluates the conditions that became decidable when `node` got its face. Returns whether all of them hold; `None` if the rules fail.
    fn holds_at(&mut self, node: u32) -> Option<bool> {
        let asked = std::mem::take(&mut self.asked_at[node as usize]);
        let hold = self.hold(&asked);
        self.asked_at[node as usize] = asked;
        hold
    }

    /// Returns whether all of these conditions hold; `None` if the rules fail. The faces that they are about must be assigned.
    fn hold(&mut self, conditions: &[usize]) -> Option<bool> {
        if conditions.is_empty() {
            return Some(true);
        }
        let any = self.deal.pools.iter().find_map(|pool| pool.known.first().copied())?;
        let identities: Vec<FaceIdentity> = self.faces.iter().map(|face| face.unwrap_or(any)).collect();
        for at in conditions {
            match self.taught[*at].holds(&identities, self.judge) {
                Ok(true) => {}
                Ok(false) => return Some(false),
                Err(fault) => {
                    self.fault = Some(fault);
                    return None;
                }
            }
        }
        Some(true)
    }
}

impl Enumeration {
    /// Draws a deal uniformly; `None` if there is none.
    pub(in crate::table) fn one(&self, deal: &Deal<'_>, chance: &mut Chance) -> Option<Vec<FaceIdentity>> {
        let mut at = ((u128::from(chance.next_bits()) * u128::from(self.total)) >> 64) as u64;
        let chosen = self.found.iter().find(|(deals, _)| {
            let is_chosen = at < *deals;
            at = at.saturating_sub(*deals);
            is_chosen
        });
        let mut faces = chosen?.1.clone();
        for group in &self.groups {
            let mut shuffled: Vec<Option<FaceIdentity>> = group.iter().map(|node| faces[*node as usize]).collect();
            chance.shuffle(&mut shuffled);
            group.iter().zip(shuffled).for_each(|(node, face)| faces[*node as usize] = face);
        }
        Some(complete_deal(deal, faces, chance))
    }
}

/// Returns the number of distinct orders of a sorted list of faces.
fn count_orders(faces: &[FaceIdentity]) -> u64 {
    let alike = faces.chunk_by(|one, other| one == other).map(<[FaceIdentity]>::len);
    let mut given = 0;
    let mut ways: u64 = 1;
    for count in alike {
        for at in 1..=count {
            given += 1;
            ways = ways.saturating_mul(given) / at as u64;
        }
    }
    ways
}

/// Completes a deal by shuffling the unrestricted outputs.
fn complete_deal(deal: &Deal<'_>, mut faces: Vec<Option<FaceIdentity>>, chance: &mut Chance) -> Vec<FaceIdentity> {
    for pool in deal.pools.iter().rev() {
        let unknown = pool.unknown.iter().filter_map(|node| faces[*node as usize]);
        let mut rest: Vec<FaceIdentity> = pool.known.iter().copied().chain(unknown).collect();
        for identity in pool.outputs.iter().filter_map(|out| faces[*out as usize]) {
            let _ = take(&mut rest, identity);
        }
        chance.shuffle(&mut rest);
        for out in &pool.outputs {
            if faces[*out as usize].is_none() {
                faces[*out as usize] = rest.pop();
            }
        }
    }
    faces.into_iter().map(|face| face.expect("as many faces go into a mix as come out")).collect()
}
