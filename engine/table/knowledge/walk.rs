//! A walk from deal to deal, of which each is as likely as another after long enough.
//!
//! A step exchanges what two outputs of a mix got, and is taken back at random where more is wrong afterwards (Metropolis et al.
//! 1953): of deals with nothing wrong each is as likely as another, and deals with something wrong lead from one to the other where
//! there is no other way. How long is long enough is not proven: it goes by the number of outputs, `n log n` exchanges of which mix a
//! pile that nothing is known of.

use crate::diagnostic::Diagnostic;
use crate::table::knowledge::domain::Domains;
use crate::table::knowledge::imagine::{Deal, Dealt, Origin};
use crate::table::knowledge::learned::Judge;
use crate::table::knowledge::taught::{Face, Taught};
use crate::table::{Chance, Print};
use smallvec::SmallVec;

/// For each thing more that is wrong, a step is taken at one of so many.
const WRONG: u32 = 16;

/// So often it is looked, after the walk has been long enough, whether nothing is wrong.
const LOOKS: usize = 256;

/// No node.
const NONE: u32 = u32::MAX;

struct Walk<'w> {
    deal: &'w Deal<'w>,
    domains: &'w Domains,
    taught: &'w [Taught<'w>],
    /// The conditions that are about a node.
    about: Vec<SmallVec<[u16; 4]>>,
    origins: Vec<Origin>,
    /// The output that each node went to, in a younger mix.
    went: Vec<u32>,
    prints: Vec<Print>,
    holds: Vec<bool>,
    wrong: usize,
}

/// A deal in which all is as the seat knows it, walked to from another; nothing where the walk found none.
///
/// # Errors
/// What went wrong in the rules.
pub(in crate::table) fn deal(
    deal: &Deal<'_>,
    domains: &Domains,
    taught: &[Taught<'_>],
    begun: Dealt,
    chance: &mut Chance,
    judge: &mut dyn Judge,
) -> Result<Option<Vec<Print>>, Box<Diagnostic>> {
    let outputs = movable(deal, &begun);
    let all: Vec<(usize, usize)> =
        outputs.iter().enumerate().flat_map(|(pool, outs)| (0..outs.len()).map(move |at| (pool, at))).collect();
    let mut walk = Walk::new(deal, domains, taught, begun, judge)?;
    if all.is_empty() {
        return Ok((walk.wrong == 0).then_some(walk.prints));
    }
    let many = all.len().max(2);
    let between = 16 + 2 * many;
    // Where nothing was learned it begins with a deal that is nearly as likely as any other.
    let long = 64 + 4 * many * (many.ilog2() as usize + 1);
    let mut steps = if taught.is_empty() { 8 + many / 2 } else { long };
    for _ in 0..LOOKS {
        for _ in 0..steps {
            let (pool, a) = all[chance.below(all.len() as u32) as usize];
            let b = chance.below(outputs[pool].len() as u32 - 1) as usize;
            let b = if b < a { b } else { b + 1 };
            walk.step(outputs[pool][a], outputs[pool][b], chance, judge)?;
        }
        if walk.wrong == 0 {
            return Ok(Some(walk.prints));
        }
        steps = between;
    }
    Ok(None)
}

/// The outputs of each mix that may be dealt otherwise, where there are two or more: all but those whose face the seat knows to have gone
/// in.
fn movable(deal: &Deal<'_>, begun: &Dealt) -> Vec<Vec<u32>> {
    let is_settled =
        |out: u32| deal.nodes[out as usize].pin.is_some() && matches!(begun.origins[out as usize], Origin::Print(_));
    let of = |pool: &super::imagine::Pool| {
        let outs: Vec<u32> = pool.outputs.iter().copied().filter(|out| !is_settled(*out)).collect();
        if outs.len() < 2 { Vec::new() } else { outs }
    };
    deal.pools.iter().map(of).collect()
}

impl<'w> Walk<'w> {
    fn new(
        deal: &'w Deal<'w>,
        domains: &'w Domains,
        taught: &'w [Taught<'w>],
        begun: Dealt,
        judge: &mut dyn Judge,
    ) -> Result<Self, Box<Diagnostic>> {
        let prints: Vec<Print> = (0..deal.nodes.len() as u32).map(|node| begun.print(node)).collect();
        let mut went = vec![NONE; deal.nodes.len()];
        for (out, origin) in begun.origins.iter().enumerate() {
            if let Origin::Node(node) = origin {
                went[*node as usize] = out as u32;
            }
        }
        let mut about = vec![SmallVec::new(); deal.nodes.len()];
        let mut holds = vec![true; taught.len()];
        for (at, one) in taught.iter().enumerate().filter(|(_, one)| !one.is_each()) {
            holds[at] = one.holds(&prints, judge)?;
            for face in &one.faces {
                if let Face::Node(node) = face
                    && !about[*node as usize].contains(&(at as u16))
                {
                    about[*node as usize].push(at as u16);
                }
            }
        }
        let mut walk = Self { deal, domains, taught, about, origins: begun.origins, went, prints, holds, wrong: 0 };
        let wrong_nodes = (0..deal.nodes.len() as u32).filter(|node| !walk.may(*node, walk.prints[*node as usize]));
        walk.wrong = wrong_nodes.count() + walk.holds.iter().filter(|holds| !**holds).count();
        Ok(walk)
    }

    fn may(&self, node: u32, print: Print) -> bool {
        match self.deal.nodes[node as usize].pin {
            Some(pin) => pin == print,
            None => self.domains.allows(node, print),
        }
    }

    /// A node, and all that its face went on to.
    fn path(&self, node: u32) -> SmallVec<[u32; 8]> {
        let next = |node: &u32| Some(self.went[*node as usize]).filter(|next| *next != NONE);
        std::iter::successors(Some(node), next).collect()
    }

    /// Exchanges what two outputs of a mix got, and takes it back at random where that makes more wrong.
    fn step(&mut self, a: u32, b: u32, chance: &mut Chance, judge: &mut dyn Judge) -> Result<(), Box<Diagnostic>> {
        let (mine, theirs) = (self.prints[a as usize], self.prints[b as usize]);
        let paths = [(self.path(a), mine, theirs), (self.path(b), theirs, mine)];
        if mine == theirs {
            self.exchange(a, b);
            return Ok(());
        }
        let (mut less, mut more) = (0_usize, 0_usize);
        for (path, old, new) in &paths {
            for node in path {
                less += usize::from(!self.may(*node, *old));
                more += usize::from(!self.may(*node, *new));
                self.prints[*node as usize] = *new;
            }
        }
        let mut asked: SmallVec<[u16; 8]> = SmallVec::new();
        if !self.taught.is_empty() {
            let nodes = paths.iter().flat_map(|(path, ..)| path);
            asked.extend(nodes.flat_map(|node| self.about[*node as usize].iter().copied()));
        }
        asked.sort_unstable();
        asked.dedup();
        let mut answers: SmallVec<[(u16, bool); 8]> = SmallVec::new();
        for at in asked {
            let holds = self.taught[usize::from(at)].holds(&self.prints, judge)?;
            less += usize::from(!self.holds[usize::from(at)]);
            more += usize::from(!holds);
            answers.push((at, holds));
        }
        if (less..more).all(|_| chance.below(WRONG) == 0) {
            self.wrong = self.wrong + more - less;
            answers.into_iter().for_each(|(at, holds)| self.holds[usize::from(at)] = holds);
            self.exchange(a, b);
        } else {
            for (path, old, _) in &paths {
                path.iter().for_each(|node| self.prints[*node as usize] = *old);
            }
        }
        Ok(())
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
