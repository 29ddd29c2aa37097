//! All deals of a few mixes, as far as they differ in what matters: what may not be every face, and what something was learned of.
//!
//! The oldest mix is dealt first, output by output. Where outputs are given faces of which there are several alike, that counts as so
//! many deals; what does not matter is shuffled at the end, in as many ways whatever the rest is.

use crate::diagnostic::Diagnostic;
use crate::table::knowledge::domain::Domains;
use crate::table::knowledge::imagine::{Deal, take};
use crate::table::knowledge::learned::Judge;
use crate::table::knowledge::taught::{Face, Taught};
use crate::table::{Chance, Print};

/// So many faces are tried before there are too many deals.
const MOST_TRIED: usize = 1 << 14;

/// The same where nothing was learned: a walk is not far there.
const MOST_TRIED_UNTAUGHT: usize = 1 << 10;

/// Where faces could be given in more than two to the power of this ways, whatever the others are, none are tried.
const MOST_BITS: u32 = 36;

/// So many deals are kept.
const MOST_KEPT: usize = 1 << 12;

/// All deals, each with how many there are of it.
pub(in crate::table) struct Every {
    found: Vec<(u64, Vec<Option<Print>>)>,
    total: u64,
}

/// What is to be dealt of one mix.
struct Part {
    pool: usize,
    /// The faces that the seat knows to be among its inputs, but for those it knows to have come out.
    known: Vec<Print>,
    /// The faces that it knows to have come out of inputs it does not know.
    traced: Vec<Print>,
    /// The outputs that matter.
    outputs: Vec<u32>,
}

struct Search<'s> {
    deal: &'s Deal<'s>,
    domains: &'s Domains,
    taught: &'s [Taught<'s>],
    parts: Vec<Part>,
    /// The conditions to be asked as soon as a node has a face.
    asked_at: Vec<Vec<usize>>,
    faces: Vec<Option<Print>>,
    judge: &'s mut dyn Judge,
    left: usize,
    found: Every,
    fault: Option<Box<Diagnostic>>,
}

/// All deals; nothing where there are too many.
///
/// # Errors
/// What went wrong in the rules.
pub(in crate::table) fn deals(
    deal: &Deal<'_>,
    domains: &Domains,
    taught: &[Taught<'_>],
    judge: &mut dyn Judge,
) -> Result<Option<Every>, Box<Diagnostic>> {
    let matters = mattering(deal, domains, taught);
    let parts: Vec<Part> = parts(deal, domains, &matters);
    let mut asked_at = vec![Vec::new(); deal.nodes.len()];
    let order: Vec<u32> = parts.iter().flat_map(|part| &part.outputs).copied().collect();
    for (at, one) in taught.iter().enumerate().filter(|(_, one)| !one.is_each()) {
        let is_of = |node: &&u32| one.faces.contains(&Face::Node(**node));
        if let Some(last) = order.iter().rev().find(is_of) {
            asked_at[*last as usize].push(at);
        }
    }
    let bits = |node: &u32| domains.size(deal, *node).max(1).ilog2();
    if order.iter().map(bits).sum::<u32>() > MOST_BITS {
        return Ok(None);
    }
    let faces = deal.nodes.iter().map(|node| node.pin).collect();
    let found = Every { found: Vec::new(), total: 0 };
    let left = if taught.is_empty() { MOST_TRIED_UNTAUGHT } else { MOST_TRIED };
    let mut search = Search { deal, domains, taught, parts, asked_at, faces, judge, left, found, fault: None };
    let is_all = search.part(0, 1).is_some();
    match search.fault {
        Some(fault) => Err(fault),
        None => Ok(is_all.then_some(search.found)),
    }
}

/// The nodes whose faces decide whether a deal is as the seat knows it.
fn mattering(deal: &Deal<'_>, domains: &Domains, taught: &[Taught<'_>]) -> Vec<bool> {
    let mut matters: Vec<bool> = (0..deal.nodes.len() as u32).map(|node| domains.is_narrow(node)).collect();
    for face in taught.iter().filter(|one| !one.is_each()).flat_map(|one| &one.faces) {
        if let Face::Node(node) = face {
            matters[*node as usize] = true;
        }
    }
    for pool in &deal.pools {
        let mut known = pool.known.clone();
        let mut decides = |out: &u32| match deal.nodes[*out as usize].pin {
            Some(print) => take(&mut known, print).is_err(),
            None => matters[*out as usize],
        };
        // Every output is looked at: each takes a known face away from the others.
        let deciding = pool.outputs.iter().filter(|out| decides(out)).count();
        if deciding > 0 {
            pool.unknown.iter().for_each(|node| matters[*node as usize] = true);
        }
    }
    matters
}

/// What is to be dealt of the mixes that matter, the oldest first.
fn parts(deal: &Deal<'_>, domains: &Domains, matters: &[bool]) -> Vec<Part> {
    let part = |(number, pool): (usize, &super::imagine::Pool)| {
        let mut known = pool.known.clone();
        let pins = pool.outputs.iter().filter_map(|out| deal.nodes[*out as usize].pin);
        let traced: Vec<Print> = pins.filter(|print| take(&mut known, *print).is_err()).collect();
        let is_open = |out: &u32| deal.nodes[*out as usize].pin.is_none() && matters[*out as usize];
        let mut outputs: Vec<u32> = pool.outputs.iter().copied().filter(is_open).collect();
        outputs.sort_by_key(|out| domains.size(deal, *out));
        Part { pool: number, known, traced, outputs }
    };
    deal.pools.iter().enumerate().rev().map(part).collect()
}

impl Search<'_> {
    /// Deals the parts from one on; nothing where there are too many deals.
    fn part(&mut self, at: usize, deals: u64) -> Option<()> {
        let Some(part) = self.parts.get(at) else {
            self.found.total = self.found.total.checked_add(deals)?;
            self.found.found.push((deals, self.faces.clone()));
            return (self.found.found.len() <= MOST_KEPT).then_some(());
        };
        if part.outputs.is_empty() && part.traced.is_empty() {
            return self.part(at + 1, deals);
        }
        let unknown = &self.deal.pools[part.pool].unknown;
        let mut inputs: Vec<Print> = unknown.iter().filter_map(|node| self.faces[*node as usize]).collect();
        let mut deals = deals;
        for print in &part.traced {
            let alike = inputs.iter().filter(|input| *input == print).count() as u64;
            if take(&mut inputs, *print).is_err() {
                return Some(());
            }
            deals = deals.checked_mul(alike)?;
        }
        inputs.extend_from_slice(&part.known);
        inputs.sort_unstable();
        let mut counts: Vec<(Print, u64)> = Vec::new();
        for input in inputs {
            match counts.last_mut() {
                Some((print, count)) if *print == input => *count += 1,
                _ => counts.push((input, 1)),
            }
        }
        self.output((at, 0), &mut counts, deals)
    }

    /// Gives a face to an output of a part, and to those behind it.
    fn output(&mut self, (at, out): (usize, usize), counts: &mut Vec<(Print, u64)>, deals: u64) -> Option<()> {
        let Some(node) = self.parts[at].outputs.get(out).copied() else { return self.part(at + 1, deals) };
        for face in 0..counts.len() {
            let (print, count) = counts[face];
            if count == 0 || !self.domains.allows(node, print) {
                continue;
            }
            self.left = self.left.checked_sub(1)?;
            self.faces[node as usize] = Some(print);
            if self.holds_at(node)? {
                counts[face].1 -= 1;
                self.output((at, out + 1), counts, deals.checked_mul(count)?)?;
                counts[face].1 += 1;
            }
            self.faces[node as usize] = None;
        }
        Some(())
    }

    /// Whether all holds that can be asked now that a node has a face; nothing where the rules fail.
    fn holds_at(&mut self, node: u32) -> Option<bool> {
        for at in &self.asked_at[node as usize] {
            let any = self.deal.pools.iter().find_map(|pool| pool.known.first().copied())?;
            let prints: Vec<Print> = self.faces.iter().map(|face| face.unwrap_or(any)).collect();
            match self.taught[*at].holds(&prints, self.judge) {
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

impl Every {
    /// One of them, each as likely as another; nothing where there is none.
    pub(in crate::table) fn one(&self, deal: &Deal<'_>, chance: &mut Chance) -> Option<Vec<Print>> {
        let mut at = ((u128::from(chance.next_bits()) * u128::from(self.total)) >> 64) as u64;
        let chosen = self.found.iter().find(|(deals, _)| {
            let is_chosen = at < *deals;
            at = at.saturating_sub(*deals);
            is_chosen
        });
        Some(completed(deal, chosen?.1.clone(), chance))
    }
}

/// A deal in which all that does not matter is shuffled.
fn completed(deal: &Deal<'_>, mut faces: Vec<Option<Print>>, chance: &mut Chance) -> Vec<Print> {
    for pool in deal.pools.iter().rev() {
        let unknown = pool.unknown.iter().filter_map(|node| faces[*node as usize]);
        let mut rest: Vec<Print> = pool.known.iter().copied().chain(unknown).collect();
        for print in pool.outputs.iter().filter_map(|out| faces[*out as usize]) {
            let _ = take(&mut rest, print);
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
