//! Learned conditions as constraints of a puzzle: the faces that a piece or an input may have, and joint conditions on
//! several pieces or inputs.

use crate::diagnostic::Diagnostic;
use crate::model::PieceId;
use crate::table::knowledge::domain::Domains;
use crate::table::knowledge::imagine::Deal;
use crate::table::knowledge::learned::Judge;
use crate::table::knowledge::learned_constraints::{Face, LearnedConstraint, alike};
use crate::table::{FaceIdentity, SeatSet, Table};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Maximum number of combinations of rotated groups for which a joint condition is evaluated. If there are more combinations, all groups
/// are rotated by the same amount.
const MAX_ORDERS: usize = 9;

/// Constraint on one piece or one input of a mix.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Limit {
    /// Possible faces, sorted; `None` if every face is possible.
    pub(super) may: Option<Rc<[FaceIdentity]>>,
    /// Index of the node's group of interchangeable nodes, if a joint condition is about the node.
    pub(super) group: Option<usize>,
}

impl Limit {
    /// Returns whether a face is possible.
    pub(super) fn allows(&self, identity: FaceIdentity) -> bool {
        self.may.as_ref().is_none_or(|may| may.binary_search(&identity).is_ok())
    }
}

/// Argument of a joint condition.
#[derive(Debug, Clone, Copy)]
enum Slot {
    Known(FaceIdentity),
    /// Index of a group, and index of a node in it.
    Of(usize, usize),
}

/// A joint condition.
struct Joint<'t> {
    taught: LearnedConstraint<'t>,
    slots: Vec<Slot>,
    groups: Vec<usize>,
}

/// All constraints on the faces that a viewer does not know.
#[derive(Default)]
pub(in crate::table) struct Limits<'t> {
    of_pieces: FxHashMap<u16, Limit>,
    of_inputs: FxHashMap<(u16, usize), Limit>,
    /// Size of each group.
    sizes: Vec<usize>,
    joint: Vec<Joint<'t>>,
}

impl<'t> Limits<'t> {
    /// Creates the constraints for a viewer. Creates none if the rules fail; the fault is reported to the agent when it
    /// imagines a world.
    pub(super) fn new(
        table: &'t Table,
        knows: &impl Fn(SeatSet) -> bool,
        judge: Option<&mut (dyn Judge + '_)>,
    ) -> Self {
        let Some(judge) = judge else { return Self::default() };
        let mut lessons = table.lessons().filter(|lesson| knows(lesson.seats)).peekable();
        if lessons.peek().is_none() {
            return Self::default();
        }
        let deal = Deal::new(table, knows, |piece| knows(table.knowers(piece)).then(|| table.identity(piece)));
        let taught = LearnedConstraint::all(&deal, lessons);
        let Ok(domains) = Domains::new(&deal, &taught, judge) else { return Self::default() };
        Self::of(&deal, &domains, taught)
    }

    fn of(deal: &Deal<'t>, domains: &Domains, taught: Vec<LearnedConstraint<'t>>) -> Self {
        let is_open = |node: u32| deal.nodes[node as usize].pin.is_none();
        let mut limits = vec![Limit::default(); deal.nodes.len()];
        for face in taught.iter().filter(|one| one.is_each()).flat_map(|one| &one.faces) {
            if let Face::Node(node) = face
                && is_open(*node)
                && domains.is_narrow(*node)
                && limits[*node as usize].may.is_none()
            {
                limits[*node as usize].may = Some(domains.faces_of(*node).into());
            }
        }
        let groups = alike(deal, &taught, |one, other| limits[one as usize] == limits[other as usize]);
        let mut place_of: FxHashMap<u32, (usize, usize)> = FxHashMap::default();
        for (number, group) in groups.iter().enumerate() {
            for (at, node) in group.iter().enumerate() {
                limits[*node as usize].group = Some(number);
                place_of.insert(*node, (number, at));
            }
        }
        let joint = taught.into_iter().filter(|one| !one.is_each()).filter_map(|taught| {
            let slot = |face: &Face| match face {
                Face::Known(identity) => Some(Slot::Known(*identity)),
                Face::Node(node) => match deal.nodes[*node as usize].pin {
                    Some(identity) => Some(Slot::Known(identity)),
                    None => place_of.get(node).map(|(group, at)| Slot::Of(*group, *at)),
                },
            };
            let slots: Vec<Slot> = taught.faces.iter().map(slot).collect::<Option<_>>()?;
            let of = |slot: &Slot| if let Slot::Of(group, _) = slot { Some(*group) } else { None };
            let mut groups: Vec<usize> = slots.iter().filter_map(of).collect();
            groups.sort_unstable();
            groups.dedup();
            (!groups.is_empty()).then_some(Joint { taught, slots, groups })
        });
        let mut found =
            Self { joint: joint.collect(), sizes: groups.iter().map(Vec::len).collect(), ..Self::default() };
        let is_limited = |limit: &Limit| *limit != Limit::default();
        for (node, piece) in deal.leaves.iter().enumerate().filter(|(node, _)| is_limited(&limits[*node])) {
            found.of_pieces.insert(piece.0, limits[node].clone());
        }
        for pool in &deal.pools {
            for (at, node) in pool.special.iter().filter(|(_, node)| is_limited(&limits[*node as usize])) {
                found.of_inputs.insert((pool.id, *at), limits[*node as usize].clone());
            }
        }
        found
    }

    /// Returns whether there are no constraints.
    pub(super) fn is_none(&self) -> bool {
        self.of_pieces.is_empty() && self.of_inputs.is_empty()
    }

    /// Returns the constraint on a piece. The default, for pieces without a constraint, allows every face.
    pub(super) fn of_piece(&self, piece: PieceId) -> Limit {
        self.of_pieces.get(&piece.0).cloned().unwrap_or_default()
    }

    /// Returns the constraint on an input of a mix, given the index of the input among the special inputs. The default allows every face.
    pub(super) fn of_input(&self, mix: u16, at: usize) -> Limit {
        self.of_inputs.get(&(mix, at)).cloned().unwrap_or_default()
    }

    /// Returns the number of groups.
    pub(super) const fn groups(&self) -> usize {
        self.sizes.len()
    }

    /// Returns the size of a group.
    pub(super) fn size(&self, group: usize) -> usize {
        self.sizes[group]
    }

    /// Returns the number of joint conditions.
    pub(super) const fn joint_count(&self) -> usize {
        self.joint.len()
    }

    /// Returns the groups that a joint condition is about.
    pub(super) fn groups_of(&self, joint: usize) -> &[usize] {
        &self.joint[joint].groups
    }

    /// Returns whether a joint condition holds if groups have these faces. The order of the faces in a group is free, because cards of a
    /// hand are interchangeable. Only rotations of the given order are tried.
    ///
    /// # Errors
    /// Returns a fault of the rules.
    pub(super) fn holds(
        &self,
        joint: usize,
        given: &[Vec<FaceIdentity>],
        judge: &mut dyn Judge,
    ) -> Result<bool, Box<Diagnostic>> {
        let Joint { taught, slots, groups } = &self.joint[joint];
        let longest = groups.iter().map(|group| self.sizes[*group]).max().unwrap_or(1);
        let all = groups.iter().fold(1_usize, |all, group| all.saturating_mul(self.sizes[*group]));
        let orders = if all <= MAX_ORDERS { all } else { longest };
        for order in 0..orders {
            // Rotates the groups: in every combination if there are few combinations, otherwise all groups by the same
            // amount.
            let turn = |group: usize| {
                let before = groups.iter().take_while(|other| **other != group).map(|other| self.sizes[*other]);
                if all <= MAX_ORDERS { order / before.product::<usize>() } else { order }
            };
            let face = |slot: &Slot| match slot {
                Slot::Known(identity) => *identity,
                Slot::Of(group, at) => given[*group][(at + turn(*group)) % self.sizes[*group]],
            };
            if taught.holds_of(slots.iter().map(face).collect(), judge)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
