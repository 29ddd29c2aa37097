//! Sampling of worlds that are consistent with everything a seat knows.
//!
//! A deal assigns one of the inputs of a mix to each of the mix's outputs. If the seat knows that a face came out of a mix, and knows that
//! the same face went in, the two are taken to be the same. Apart from that, deals are meant to be uniform among all deals in which every
//! piece may have its face (by its back, its zone and public facts) and all learned conditions hold.
//!
//! If the seat has learned conditions, these methods are tried in order:
//!
//! - Rejection sampling: random deals, youngest mix first. Usually the first deal is accepted.
//! - Random deals within domains: every output takes one of the faces that it may have. Outputs with the fewest faces come first. This is
//!   uniform if any two domains are nested or disjoint.
//! - Enumeration of all deals, without the unrestricted outputs, if there are few such deals (`enumeration.rs`).
//! - A Markov chain (`markov_chain.rs`). It starts from a random deal or, if that is not within the domains, from one that is found as a
//!   network flow (`explanation.rs`).
//! - A larger enumeration, if the chain found no world.
//!
//! If nothing was learned, a random deal is repaired: while a piece cannot have its face at its place, faces are swapped along paths that
//! meet in a mix. A deal that needed repair is not uniform. If the repair fails, faces are matched with places. For connected mixes, the
//! Markov chain is run instead.
//!
//! If no world is found, the error says why. [`Table::without_lessons`] returns a table with fewer conditions. A table without conditions
//! always has a world: as a last resort, connected mixes are merged, and faces are matched with places.

use crate::diagnostic::{Diagnostic, Place};
use crate::model::{Content, PieceId, Seat, SpaceId};
use crate::table::knowledge::domain::Domains;
use crate::table::knowledge::explanation::{Network, Search};
use crate::table::knowledge::learned::{Judge, LearnedCondition};
use crate::table::knowledge::learned_constraints::LearnedConstraint;
use crate::table::knowledge::mix::{Input, Mix, Mixes};
use crate::table::knowledge::places::Places;
use crate::table::knowledge::{enumeration, markov_chain};
use crate::table::{Chance, FaceIdentity, Layout, Piece, SeatSet, Table};
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::num::NonZero;
use std::sync::Arc;

/// Maximum number of random deals for each method other than rejection sampling.
const DEALS: usize = 16;

/// Maximum number of random deals for rejection sampling with learned conditions.
const DEALS_LEARNED: usize = 48;

/// Reason why no world was found.
#[derive(Debug)]
pub enum Undealt {
    /// No deal was found that is consistent with the places of pieces and the known faces.
    Unexplained,
    /// No deal was found in which all learned conditions hold.
    Learned,
    /// The rules failed in a learned condition.
    Fault(Box<Diagnostic>),
}

impl From<Box<Diagnostic>> for Undealt {
    fn from(fault: Box<Diagnostic>) -> Self {
        Self::Fault(fault)
    }
}

/// Result of [`Deal::explain`].
#[derive(Debug)]
enum Explanation {
    /// A face for every node of the deal.
    Faces(Vec<FaceIdentity>),
    /// No assignment of faces is consistent with the known faces.
    Impossible,
    /// The search was cut short.
    Unknown,
}

/// Origin of a node's face.
#[derive(Debug, Clone, Copy)]
pub(in crate::table) enum Origin {
    /// An input face that the seat knows.
    Known(FaceIdentity),
    /// An output of an older mix.
    Node(u32),
}

/// An output of a mix: a piece, or an input of a younger mix.
#[derive(Debug, Clone, Copy)]
pub(in crate::table) struct Node {
    /// Index in [`Deal::pools`] of the mix that the output comes from.
    pub(in crate::table) pool: u16,
    /// Face of the output, if the seat knows it.
    pub(in crate::table) pin: Option<FaceIdentity>,
}

/// A mix as the seat knows it.
#[derive(Debug, Default)]
pub(in crate::table) struct Pool {
    /// Index of the mix in the table's mixes.
    pub(in crate::table) id: u16,
    /// Input faces that the seat knows.
    pub(in crate::table) known: Vec<FaceIdentity>,
    /// Nodes of the inputs whose faces the seat does not know.
    pub(in crate::table) unknown: Vec<u32>,
    /// Nodes that come out of the mix.
    pub(in crate::table) outputs: Vec<u32>,
    /// Indices of the mix's special inputs, each with its node.
    pub(in crate::table) special: Vec<(usize, u32)>,
}

/// All mixes of a table as a seat knows them, youngest first. They form the graph along which faces are dealt.
pub(in crate::table) struct Deal<'a> {
    pub(in crate::table) places: Places<'a>,
    pub(in crate::table) pools: Vec<Pool>,
    /// Pieces in the order of `leaves`, followed by the special inputs.
    pub(in crate::table) nodes: Vec<Node>,
    pub(in crate::table) leaves: Vec<PieceId>,
}

/// A dealt world: an origin for every node.
pub(in crate::table) struct DealtWorld {
    pub(in crate::table) origins: Vec<Origin>,
    /// Face of each node, if it is known or follows from the deal.
    pins: Vec<Option<FaceIdentity>>,
    /// Whether all deals had the same probability of being drawn.
    is_even: bool,
    /// Whether the world was drawn at random rather than constructed.
    pub(in crate::table) is_drawn: bool,
}

impl DealtWorld {
    /// Returns the face of a node, following its origins through older mixes.
    pub(in crate::table) fn identity(&self, mut node: u32) -> FaceIdentity {
        loop {
            match self.origins[node as usize] {
                Origin::Known(identity) => return identity,
                Origin::Node(older) => node = older,
            }
        }
    }

    /// Returns the face of every node.
    fn identities(&self) -> Vec<FaceIdentity> {
        (0..self.origins.len() as u32).map(|node| self.identity(node)).collect()
    }
}

impl Table {
    /// Returns a copy of this table in which everything that a seat does not know is drawn again at random.
    ///
    /// The imagined table gets its own random number generator, which is independent of this table's.
    ///
    /// # Errors
    /// Returns the reason if no world was found. Never fails if the seat has learned nothing.
    pub fn imagine(&self, seat: Seat, chance: &mut Chance, judge: &mut dyn Judge) -> Result<Self, Undealt> {
        self.deal_again(self, seat, chance, judge).map(|(world, _)| world)
    }

    /// Returns a copy of this table with faces dealt again, and with unseen values and dice drawn again. This table is `now` or an earlier
    /// checkpoint. With the new faces, the step from the checkpoint to `now` may lead to a table that is consistent with everything that
    /// the seat knows now.
    ///
    /// If the seat has lost track of pieces since the checkpoint, faces may differ even for pieces that it knew at the checkpoint. Also
    /// returns whether the result has the same mixes as `now`.
    ///
    /// # Errors
    /// Returns why no world was found.
    pub fn deal_again(
        &self,
        now: &Self,
        seat: Seat,
        chance: &mut Chance,
        judge: &mut dyn Judge,
    ) -> Result<(Self, bool), Undealt> {
        let exactly = self.deal_again_to(now, seat, chance, judge).map(|world| (world, self.mixes.is_same(&now.mixes)));
        let Err(Undealt::Unexplained) = exactly else { return exactly };
        let mut coarse = now.clone();
        coarse.unite_connected();
        let learned = |table: &Self| table.lessons_of(Layout::only(seat)).count();
        // A world of the coarser table might violate a condition that was lost by merging mixes.
        if learned(&coarse) < learned(now) {
            return exactly;
        }
        let checkpoint = if std::ptr::eq(self, now) { &coarse } else { self };
        checkpoint.deal_again_to(&coarse, seat, chance, judge).map(|world| (world, false))
    }

    fn deal_again_to(
        &self,
        now: &Self,
        seat: Seat,
        chance: &mut Chance,
        judge: &mut dyn Judge,
    ) -> Result<Self, Undealt> {
        let mut world = self.deal_again_exactly(now, Layout::only(seat), chance, judge)?;
        world.disclosures = None;
        world.redraw_values(now, seat, chance);
        world.throw_unseen(now, Layout::only(seat), chance);
        world.chance = chance.fork();
        Ok(world)
    }

    /// Returns a copy of this table without `count` of the conditions that a seat has learned. Also returns the place in the rules of the
    /// first omitted condition. Returns `None` if the seat has learned nothing, or if `count` is 0.
    ///
    /// The hardest conditions are omitted first: joint conditions, then conditions on single faces. Within each group, conditions with the
    /// most faces that not everybody knows come first, and among these the latest.
    pub fn without_lessons(&self, seat: Seat, count: usize) -> Option<(Self, Option<Place>)> {
        let seats = Layout::only(seat);
        let mut order: Vec<&Arc<LearnedCondition>> = self.lessons_of(seats).collect();
        order.reverse();
        order.sort_by_key(|lesson| (lesson.is_each, Reverse(lesson.open_count())));
        order.truncate(count);
        let place = order.first()?.condition.place();
        let mut table = self.clone();
        table.forget_lessons(|lesson| order.iter().any(|left_out| Arc::ptr_eq(left_out, lesson)));
        Some((table, place))
    }

    /// Returns the number of recorded conditions that a seat has learned.
    pub fn lessons_count(&self, seat: Seat) -> usize {
        self.lessons_of(Layout::only(seat)).count()
    }

    /// Returns a copy of this table in which all faces that no seat knows at `now` are dealt again. This table is a checkpoint that leads
    /// to `now`. Dice that nobody has seen are rolled again. Hidden values stay, because the rules have set them and rely on them.
    ///
    /// # Errors
    /// Returns why no deal was found.
    pub(crate) fn with_unknown_dealt_again(
        &self,
        now: &Self,
        chance: &mut Chance,
        judge: &mut dyn Judge,
    ) -> Result<Self, Undealt> {
        let everybody = self.layout.everybody;
        let mut dealt = self.deal_again_exactly(now, everybody, chance, judge)?;
        dealt.throw_unseen(now, everybody, chance);
        Ok(dealt)
    }

    /// Returns a copy of this table in which all faces that none of the given seats knows at `now` are dealt again.
    fn deal_again_exactly(
        &self,
        now: &Self,
        seats: SeatSet,
        chance: &mut Chance,
        judge: &mut dyn Judge,
    ) -> Result<Self, Undealt> {
        let knows = |known: SeatSet| known & seats != 0;
        let deal = Deal::new(now, knows, |piece| (now.knowers(piece) & seats != 0).then(|| now.identity(piece)));
        let taught = LearnedConstraint::all(&deal, now.lessons_of(seats));
        let mut world = self.clone();
        {
            let mut identities = deal.faces(&taught, chance, judge)?;
            if !std::ptr::eq(self, now) {
                self.keep_known_faces((now, seats), &deal, &taught, &mut identities, (&mut *chance, &mut *judge))?;
            }
            for (identity, &piece) in identities.iter().zip(&deal.leaves) {
                let origin = now.pieces[piece.index()].face.origin as usize;
                let target = if std::ptr::eq(self, now) { piece.index() } else { origin };
                world.pieces[target].face.identity = *identity;
            }
            if self.mixes.is_same(&now.mixes) {
                deal.write_inputs(&identities, &mut world.mixes);
            } else {
                // The number of draws depends on hidden faces. The draws use a fork, so that later draws do not depend on hidden faces.
                world.explain_mixes(seats, &mut chance.fork());
            }
        }
        world.keep_lessons_of(seats);
        world.widen_narrowed();
        Ok(world)
    }

    /// Exchanges dealt faces within hands and bags, so that pieces whose face the seat knew at this checkpoint keep it.
    ///
    /// The pieces of a hand differ only in their faces, so the result is an equally valid world for `now`. But at the checkpoint a piece
    /// may have been face up, and the rules may have acted on its face: with another face, the step would run differently.
    ///
    /// The hand may lack the face because the seat has since seen a piece with that face leave the hand. That piece then gives up its face:
    /// in this world, the other piece left the hand. Answers that name one of these pieces are translated when the step runs again.
    fn keep_known_faces(
        &self,
        (now, seats): (&Self, SeatSet),
        deal: &Deal<'_>,
        taught: &[LearnedConstraint<'_>],
        identities: &mut [FaceIdentity],
        (chance, judge): (&mut Chance, &mut dyn Judge),
    ) -> Result<(), Box<Diagnostic>> {
        let known_before = |leaf: usize| {
            let before = &self.pieces[now.pieces[deal.leaves[leaf].index()].face.origin as usize];
            (before.known & seats != 0).then_some(before.face.identity)
        };
        let is_open = |leaf: &usize| deal.nodes[*leaf].pin.is_none();
        for leaf in (0..deal.leaves.len()).filter(is_open) {
            let Some(identity) = known_before(leaf).filter(|identity| *identity != identities[leaf]) else { continue };
            let takes_part = |other: &usize| {
                identities[*other] == identity
                    && deal.nodes[*other].pool == deal.nodes[leaf].pool
                    && now.space_of(deal.leaves[*other]) == now.space_of(deal.leaves[leaf])
                    && known_before(*other) != Some(identity)
                    && now.may_be_alike(deal.leaves[*other], deal.leaves[leaf])
            };
            let gives_up = |other: &usize| {
                let before = now.pieces[deal.leaves[*other].index()].face.origin as usize;
                identities[*other] == identity
                    && !is_open(other)
                    && known_before(*other).is_none()
                    && self.may_have(PieceId::at(before), identities[leaf])
            };
            let other = if let Some(other) = (0..deal.leaves.len()).filter(is_open).find(takes_part) {
                other
            } else {
                let able: SmallVec<[usize; 8]> = (0..deal.leaves.len()).filter(gives_up).collect();
                let Some(count) = NonZero::new(able.len() as u32) else { continue };
                able[chance.below(count.get()) as usize]
            };
            identities.swap(leaf, other);
            // The exchange may violate a condition that names single pieces of the hand.
            if !taught.is_empty() && !LearnedConstraint::hold(taught, identities, judge)? {
                identities.swap(leaf, other);
            }
        }
        Ok(())
    }

    /// Returns whether the two tables agree, at each place, on the mix of the piece and on the seats that know it.
    pub(crate) fn is_tracked_as(&self, other: &Self) -> bool {
        let tracked =
            |table: &Self, piece: PieceId| (table.pieces[piece.index()].mix, table.pieces[piece.index()].known);
        (0..self.stacks.len()).map(SpaceId::at).all(|space| {
            let here = self.stack(space).map(|piece| tracked(self, piece));
            here.eq(other.stack(space).map(|piece| tracked(other, piece)))
        })
    }

    /// Copies the knowledge of seats from another table that these seats cannot distinguish from this one. Returns
    /// whether the faces of this table are consistent with that knowledge. If not, this table is not a possible world
    /// for these seats.
    pub fn take_knowledge(&mut self, now: &Self, seats: SeatSet, chance: &mut Chance) -> bool {
        let has_learned = now.lessons_of(seats).next().is_some();
        for space in (0..self.stacks.len()).map(SpaceId::at) {
            let here: SmallVec<[PieceId; 16]> = self.stack(space).collect();
            for (piece, there) in here.into_iter().zip(now.stack(space)) {
                if has_learned && piece != there {
                    return false;
                }
                let (piece, there) = (&mut self.pieces[piece.index()], &now.pieces[there.index()]);
                (piece.mix, piece.known) = (there.mix, there.known);
            }
        }
        if has_learned {
            // The tags of inputs are the same in both tables.
            self.learned.clone_from(&now.learned);
            self.keep_lessons_of(seats);
        }
        self.mixes = now.mixes.clone();
        self.lost_track = now.lost_track;
        let deal = Deal::new(self, |known| known & seats != 0, |piece| Some(self.identity(piece)));
        let Some(identities) = deal.find_explanation(chance) else { return false };
        let mut mixes = now.mixes.clone();
        deal.write_inputs(&identities, &mut mixes);
        self.mixes = mixes;
        true
    }

    /// Drops each public fact about a piece that contradicts the imagined face of the piece.
    pub(super) fn widen_narrowed(&mut self) {
        for index in 0..self.pieces.len() {
            let entry = &self.pieces[index];
            if entry.narrowed.is_some_and(|narrowed| !self.is_of(entry.face.identity, narrowed)) {
                self.pieces[index].narrowed = None;
            }
        }
    }

    fn is_of(&self, identity: FaceIdentity, content: Content) -> bool {
        match content {
            Content::Component(component) => component == identity.component,
            Content::Kind(kind) => self.model().component(identity.component).kind == kind,
        }
    }

    /// Rolls dice again. A die keeps its face only if one of the given seats knows the face at `now` and either knows it here too, or the
    /// face has not changed in between. `now` is this table or a later one.
    pub(super) fn throw_unseen(&mut self, now: &Self, seats: SeatSet, chance: &mut Chance) {
        let knows = |table: &Self, piece: PieceId| {
            let seen = table.watchers(piece) | table.knowers(piece) & table.pieces[piece.index()].turn_known;
            seen & seats != 0
        };
        for piece in self.all_pieces() {
            let faces = |table: &Self| table.model().component(table.identity(piece).component).faces.len();
            let (here, there) = (faces(self), faces(now));
            let is_as_seen =
                || knows(self, piece) || self.pieces[piece.index()].turned == now.pieces[piece.index()].turned;
            if here.max(there) > 0 && !(knows(now, piece) && is_as_seen()) {
                let face = chance.below(here.max(1) as u32) as u8;
                self.pieces[piece.index()].turned = self.face_of(piece, face);
            }
        }
    }

    /// Sets the unknown inputs of mixes to faces that are consistent with the faces of the pieces. If there are no such faces, known inputs
    /// are replaced too.
    fn explain_mixes(&mut self, seats: SeatSet, chance: &mut Chance) {
        let mut mixes = self.mixes.clone();
        for seats in [seats, 0] {
            let deal = Deal::new(self, |known| known & seats != 0, |piece| Some(self.identity(piece)));
            if let Some(identities) = deal.find_explanation(chance) {
                deal.write_inputs(&identities, &mut mixes);
                self.mixes = mixes;
                return;
            }
        }
        self.replace_inputs();
    }

    /// Sets the inputs of mixes to the faces that came out of them, even if that contradicts known inputs.
    pub(super) fn replace_inputs(&mut self) {
        let mut outputs: Vec<Vec<FaceIdentity>> = Vec::new();
        let ids = youngest_first(&self.mixes);
        outputs.resize(ids.iter().max().map_or(0, |&id| id as usize + 1), Vec::new());
        for entry in self.pieces.iter().filter(|entry| entry.mix != Mixes::NONE) {
            outputs[entry.mix as usize].push(entry.face.identity);
        }
        for id in ids {
            let mut left = std::mem::take(&mut outputs[id as usize]);
            let mix = self.mixes.edit(id);
            let inputs = mix.open.iter_mut().chain(mix.special.iter_mut().map(|input| &mut input.identity));
            let odd: Vec<&mut FaceIdentity> =
                inputs.filter_map(|input| take(&mut left, *input).err().map(|()| input)).collect();
            for (input, identity) in odd.into_iter().zip(left) {
                *input = identity;
            }
            for input in &mix.special {
                outputs[input.older as usize].push(input.identity);
            }
        }
    }

    /// Returns whether a piece may have a face at its place, judged by public facts other than mixes.
    pub(in crate::table) fn may_have(&self, piece: PieceId, identity: FaceIdentity) -> bool {
        let entry = &self.pieces[piece.index()];
        let layout = &self.layout;
        layout.back_of(entry.face.identity.component) == layout.back_of(identity.component)
            && self.has_footprint_of(piece, identity.component)
            && self.accepts(layout.zone_of(entry.at), identity.component)
            && entry.narrowed.is_none_or(|narrowed| self.is_of(identity, narrowed))
    }

    /// Returns whether two pieces certainly have the same possible faces at their places, judged by public facts other than mixes. Always
    /// false in games with pieces that cover several spaces.
    pub(in crate::table) fn may_be_alike(&self, one: PieceId, other: PieceId) -> bool {
        let [one, other] = [one, other].map(|piece| &self.pieces[piece.index()]);
        let back = |piece: &Piece| self.layout.back_of(piece.face.identity.component);
        self.model().cells.prints.is_empty()
            && self.layout.zone_of(one.at) == self.layout.zone_of(other.at)
            && one.narrowed == other.narrowed
            && back(one) == back(other)
    }
}

/// Returns the reason why no deal was found.
const fn undealt_reason(taught: &[LearnedConstraint<'_>]) -> Undealt {
    if taught.is_empty() { Undealt::Unexplained } else { Undealt::Learned }
}

/// Removes one copy of a face from a list. Fails if the list does not contain the face.
pub(in crate::table) fn take(list: &mut Vec<FaceIdentity>, identity: FaceIdentity) -> Result<(), ()> {
    let index = list.iter().position(|&found| found == identity).ok_or(())?;
    list.swap_remove(index);
    Ok(())
}

fn youngest_first(mixes: &Mixes) -> Vec<u16> {
    let mut ids: Vec<(u32, u16)> = mixes.iter().map(|(id, mix)| (mix.order, id)).collect();
    ids.sort_unstable_by(|a, b| b.cmp(a));
    ids.into_iter().map(|(_, id)| id).collect()
}

/// Returns the indices of a mix's special inputs, each with its face if the viewer knows the face. The inputs are sorted by what the viewer
/// knows about them. In their original order, the same random numbers would give different deals depending on hidden faces.
fn inputs_as_seen(mix: &Mix, knows: &impl Fn(SeatSet) -> bool) -> Vec<(usize, Option<FaceIdentity>)> {
    let seen = |input: &Input| knows(input.known).then_some(input.identity);
    let mut inputs: Vec<(usize, Option<FaceIdentity>)> = mix.special.iter().map(seen).enumerate().collect();
    inputs.sort_by_key(|&(at, identity)| (mix.special[at].older, mix.special[at].known, identity));
    inputs
}

impl<'a> Deal<'a> {
    /// Creates the graph of mixes as a viewer knows them. `pin` returns the face of a piece that keeps its face, and `None` for other
    /// pieces. Pieces are ordered by their places, because an order by handle could depend on hidden faces.
    pub(in crate::table) fn new(
        table: &'a Table,
        knows: impl Fn(SeatSet) -> bool,
        pin: impl Fn(PieceId) -> Option<FaceIdentity>,
    ) -> Self {
        let ids = youngest_first(&table.mixes);
        let mut pool_of = vec![0_u16; ids.iter().max().map_or(0, |&id| id as usize + 1)];
        for (pool, &id) in ids.iter().enumerate() {
            pool_of[id as usize] = pool as u16;
        }
        let places = Places::new(table);
        let mut deal = Self { places, pools: Vec::with_capacity(ids.len()), nodes: Vec::new(), leaves: Vec::new() };
        deal.pools.extend(ids.iter().map(|&id| Pool { id, ..Pool::default() }));
        for piece in (0..table.stacks.len()).flat_map(|index| table.stack(SpaceId::at(index))) {
            let mix = table.pieces[piece.index()].mix;
            if mix != Mixes::NONE {
                deal.add_node(pool_of[mix as usize], pin(piece));
                deal.leaves.push(piece);
            }
        }
        for (pool, &id) in ids.iter().enumerate() {
            let mix = table.mixes.get(id);
            deal.pools[pool].known.extend_from_slice(&mix.open);
            for (at, known) in inputs_as_seen(mix, &knows) {
                let input = mix.special[at];
                let node = deal.add_node(pool_of[input.older as usize], known);
                deal.pools[pool].special.push((at, node));
                match known {
                    Some(identity) => deal.pools[pool].known.push(identity),
                    None => deal.pools[pool].unknown.push(node),
                }
            }
            deal.pools[pool].known.sort_unstable();
        }
        deal
    }

    fn add_node(&mut self, pool: u16, pin: Option<FaceIdentity>) -> u32 {
        let node = self.nodes.len() as u32;
        self.nodes.push(Node { pool, pin });
        self.pools[pool as usize].outputs.push(node);
        node
    }

    /// Draws a deal that is consistent with what the seat knows. Returns the face of every node.
    fn faces(
        &self,
        taught: &[LearnedConstraint<'_>],
        chance: &mut Chance,
        judge: &mut dyn Judge,
    ) -> Result<Vec<FaceIdentity>, Undealt> {
        if taught.is_empty() {
            if let Some(identities) = self.draw_and_repair(chance).or_else(|| self.match_faces(chance)) {
                return Ok(identities);
            }
            let domains = Domains::new(self, taught, judge)?;
            let begun = self.construct_deal(&domains, chance).ok_or(Undealt::Unexplained)?;
            return markov_chain::deal(self, &domains, taught, begun, chance, judge)?.ok_or(Undealt::Unexplained);
        }
        let mut begun = None;
        for _ in 0..DEALS_LEARNED {
            let Some(dealt) = self.draw_deal(None, chance) else { continue };
            let identities = dealt.identities();
            let fits = self.all_fit(&identities);
            if fits && LearnedConstraint::hold(taught, &identities, judge)? && dealt.is_even {
                return Ok(identities);
            }
            let is_even = dealt.is_even;
            begun = Some(dealt);
            if !fits || !is_even {
                break;
            }
        }
        let domains = Domains::new(self, taught, judge)?;
        let Some(begun) = begun.or_else(|| self.construct_deal(&domains, chance)) else {
            return Err(Undealt::Unexplained);
        };
        // If all conditions are on single faces and none of them excludes a face, every deal satisfies the conditions.
        if !domains.is_narrowed_by_lessons()
            && taught.iter().all(LearnedConstraint::is_each)
            && let Some(identities) = self.draw_and_repair(chance)
        {
            return Ok(identities);
        }
        self.faces_within(&domains, taught, begun, chance, judge)
    }

    /// Finds a face for every node, consistent with the known faces of inputs and pieces. Returns `None` if no such faces were found.
    fn find_explanation(&self, chance: &mut Chance) -> Option<Vec<FaceIdentity>> {
        match self.explain(None, chance) {
            Explanation::Faces(identities) => Some(identities),
            Explanation::Impossible => None,
            Explanation::Unknown => {
                (0..DEALS).find_map(|_| self.draw_deal(None, chance)).map(|dealt| dealt.identities())
            }
        }
    }

    /// Finds the unknown faces of the inputs of mixes and of the pieces.
    ///
    /// In the network, the pieces with unknown faces flow from their mixes into a last pool, which takes all faces that are left over. If
    /// `domains` is given, each node gets a face from its domain; otherwise, every face is allowed.
    fn explain(&self, domains: Option<&Domains>, chance: &mut Chance) -> Explanation {
        let pins = self.nodes.iter().filter_map(|node| node.pin);
        let mut identities: Vec<FaceIdentity> =
            pins.chain(self.pools.iter().flat_map(|pool| pool.known.iter().copied())).collect();
        identities.sort_unstable();
        identities.dedup();
        let Some(&any) = identities.first() else { return Explanation::Faces(Vec::new()) };
        let at = |identity: &FaceIdentity| identities.binary_search(identity).expect("all faces were gathered");
        let may_carry = |node: u32| match domains {
            Some(domains) if domains.is_narrow(node) => {
                identities.iter().map(|identity| domains.allows(node, *identity)).collect()
            }
            _ => vec![true; identities.len()],
        };
        let last = self.pools.len();
        let mut network = Network::new(last + 1, identities.len());
        let mut nodes: Vec<Vec<u32>> = Vec::new();
        let mut add = |network: &mut Network, older: usize, younger: usize, node: u32| {
            let link = network.add_unit(older, younger, may_carry(node));
            nodes.resize(network.links.len(), Vec::new());
            nodes[link].push(node);
        };
        for (here, pool) in self.pools.iter().enumerate() {
            pool.known.iter().for_each(|identity| network.surplus[here][at(identity)] += 1);
            let pinned = pool.outputs.iter().filter_map(|out| self.nodes[*out as usize].pin);
            pinned.for_each(|identity| network.surplus[here][at(&identity)] -= 1);
            for node in &pool.unknown {
                add(&mut network, usize::from(self.pool_of(*node)), here, *node);
            }
            let is_open = |out: &&u32| (**out as usize) < self.leaves.len() && self.nodes[**out as usize].pin.is_none();
            for out in pool.outputs.iter().filter(is_open) {
                add(&mut network, here, last, *out);
            }
        }
        for identity in 0..identities.len() {
            let left: i32 = network.surplus.iter().map(|surplus| surplus[identity]).sum();
            if left < 0 {
                return Explanation::Impossible;
            }
            network.surplus[last][identity] = -left;
        }
        let mut order: Vec<usize> = (0..identities.len()).collect();
        chance.shuffle(&mut order);
        let solved = match network.solve(&order) {
            Search::Found(solved) => solved,
            Search::None => return Explanation::Impossible,
            Search::GivenUp => return Explanation::Unknown,
        };
        let mut faces: Vec<FaceIdentity> = self.nodes.iter().map(|node| node.pin.unwrap_or(any)).collect();
        for (link, nodes) in solved.links.iter().zip(nodes) {
            let units =
                |(at, identity): (usize, &FaceIdentity)| std::iter::repeat_n(*identity, link.carried(at) as usize);
            let mut carried: Vec<FaceIdentity> = identities.iter().enumerate().flat_map(units).collect();
            chance.shuffle(&mut carried);
            for (node, identity) in nodes.into_iter().zip(carried) {
                faces[node as usize] = identity;
            }
        }
        Explanation::Faces(faces)
    }

    /// Constructs a deal within domains by solving a network flow. The deal is not drawn uniformly.
    fn construct_deal(&self, domains: &Domains, chance: &mut Chance) -> Option<DealtWorld> {
        let Explanation::Faces(faces) = self.explain(Some(domains), chance) else { return None };
        let mut origins = vec![Origin::Node(u32::MAX); self.nodes.len()];
        for pool in &self.pools {
            // As far as possible, known faces come out of known inputs.
            let mut inputs: Vec<(FaceIdentity, Origin)> =
                pool.known.iter().map(|identity| (*identity, Origin::Known(*identity))).collect();
            inputs.extend(pool.unknown.iter().map(|node| (faces[*node as usize], Origin::Node(*node))));
            let is_pinned = |out: &u32| self.nodes[*out as usize].pin.is_some();
            let (pinned, open): (Vec<u32>, Vec<u32>) = pool.outputs.iter().partition(|out| is_pinned(out));
            for out in pinned {
                let at = inputs.iter().position(|(identity, _)| *identity == faces[out as usize])?;
                origins[out as usize] = inputs.remove(at).1;
            }
            chance.shuffle(&mut inputs);
            for out in open {
                let at = inputs.iter().position(|(identity, _)| *identity == faces[out as usize])?;
                origins[out as usize] = inputs.swap_remove(at).1;
            }
        }
        Some(DealtWorld { origins, pins: faces.into_iter().map(Some).collect(), is_even: false, is_drawn: false })
    }

    /// Draws a random deal and swaps faces until every piece may have its face. Used if no learned condition excludes a face.
    fn draw_and_repair(&self, chance: &mut Chance) -> Option<Vec<FaceIdentity>> {
        (0..DEALS).find_map(|_| {
            let mut dealt = self.draw_deal(None, chance)?;
            self.repair(&mut dealt, chance).then(|| dealt.identities())
        })
    }

    /// Matches faces with places in random order. Returns `None` if mixes are connected, or if a known face did not go into its mix. The
    /// result is not uniform.
    fn match_faces(&self, chance: &mut Chance) -> Option<Vec<FaceIdentity>> {
        let mut identities: Vec<Option<FaceIdentity>> = self.nodes.iter().map(|node| node.pin).collect();
        for pool in &self.pools {
            pool.unknown.is_empty().then_some(())?;
            let mut faces = pool.known.clone();
            for identity in pool.outputs.iter().filter_map(|out| self.nodes[*out as usize].pin) {
                take(&mut faces, identity).ok()?;
            }
            let is_open = |out: &u32| self.nodes[*out as usize].pin.is_none();
            let mut outputs: Vec<u32> = pool.outputs.iter().copied().filter(is_open).collect();
            chance.shuffle(&mut outputs);
            chance.shuffle(&mut faces);
            let may = |out: usize, face: usize| self.fits(outputs[out], faces[face]);
            for (out, face) in matching(outputs.len(), may).into_iter().enumerate() {
                identities[outputs[out] as usize] = Some(faces[face]);
            }
        }
        identities.into_iter().collect()
    }

    /// Draws a deal within domains that satisfies all learned conditions. Returns the face of every node.
    fn faces_within(
        &self,
        domains: &Domains,
        taught: &[LearnedConstraint<'_>],
        mut begun: DealtWorld,
        chance: &mut Chance,
        judge: &mut dyn Judge,
    ) -> Result<Vec<FaceIdentity>, Undealt> {
        for _ in 0..DEALS {
            let Some(dealt) = self.draw_deal(Some(domains), chance) else { continue };
            let (identities, is_even) = (dealt.identities(), dealt.is_even);
            let holds = self.all_within(domains, &identities) && LearnedConstraint::hold(taught, &identities, judge)?;
            if holds && is_even {
                return Ok(identities);
            }
            begun = dealt;
            if holds || !is_even {
                break;
            }
        }
        // If nothing was learned, the chain is faster than the enumeration.
        let is_taught = !taught.is_empty();
        if is_taught
            && let Some(all) =
                enumeration::enumerate_deals_cached(self, domains, taught, judge, enumeration::FIRST_BOUND)?
        {
            return all.one(self, chance).ok_or_else(|| undealt_reason(taught));
        }
        // If few deals are valid, the chain almost never reaches one from an invalid start.
        if !self.all_within(domains, &begun.identities())
            && let Some(constructed) = self.construct_deal(domains, chance)
        {
            begun = constructed;
        }
        if let Some(identities) = markov_chain::deal(self, domains, taught, begun, chance, judge)? {
            return Ok(identities);
        }
        let last = if is_taught {
            enumeration::enumerate_deals_cached(self, domains, taught, judge, enumeration::LAST_BOUND)?
                .and_then(|all| all.one(self, chance))
        } else {
            enumeration::enumerate_deals(self, domains, taught, judge, enumeration::BOUND_WITHOUT_CONDITIONS)?
                .and_then(|all| all.one(self, chance))
        };
        last.ok_or_else(|| undealt_reason(taught))
    }

    /// Returns whether every piece with an unknown face may have the face it was dealt.
    fn all_fit(&self, identities: &[FaceIdentity]) -> bool {
        let mut leaves = self.leaves.iter().zip(identities).zip(&self.nodes);
        leaves.all(|((piece, identity), node)| node.pin.is_some() || self.places.may_have(*piece, *identity))
    }

    fn all_within(&self, domains: &Domains, identities: &[FaceIdentity]) -> bool {
        let mut nodes = (0..self.nodes.len() as u32).zip(identities);
        nodes.all(|(node, identity)| self.nodes[node as usize].pin.is_some() || domains.allows(node, *identity))
    }

    /// Draws a random deal. If `domains` is given, every output takes a face from its domain. Returns `None` if no suitable input is left
    /// for an output.
    pub(in crate::table) fn draw_deal(&self, domains: Option<&Domains>, chance: &mut Chance) -> Option<DealtWorld> {
        let mut dealt = DealtWorld {
            origins: vec![Origin::Node(u32::MAX); self.nodes.len()],
            pins: self.nodes.iter().map(|node| node.pin).collect(),
            is_even: true,
            is_drawn: true,
        };
        let mut narrowed = domains.map(Domains::of_all);
        for pool in &self.pools {
            let mut known = pool.known.clone();
            let mut unknown = pool.unknown.clone();
            let mut traced = Vec::new();
            let may_be_either = !known.is_empty() && !unknown.is_empty();
            for &out in &pool.outputs {
                let Some(identity) = dealt.pins[out as usize] else { continue };
                dealt.is_even &= !may_be_either || self.nodes[out as usize].pin.is_some();
                match known.iter().position(|&found| found == identity) {
                    Some(index) => dealt.origins[out as usize] = Origin::Known(known.swap_remove(index)),
                    None => traced.push((out, identity)),
                }
            }
            if traced.len() > unknown.len() {
                // More faces came out of unknown inputs than there are unknown inputs.
                return None;
            }
            if !traced.is_empty() {
                let is_narrow =
                    |node: &u32| narrowed.as_ref().is_some_and(|narrowed| narrowed[*node as usize].is_some());
                dealt.is_even &= self.are_of_one_mix(&unknown) && !unknown.iter().any(is_narrow);
                self.trace(traced, &mut unknown, &mut dealt, chance)?;
            }
            let mut rest: Vec<Origin> = known.into_iter().map(Origin::Known).collect();
            rest.extend(unknown.into_iter().map(Origin::Node));
            let free = pool.outputs.iter().copied().filter(|out| dealt.pins[*out as usize].is_none());
            if let (Some(domains), Some(narrowed)) = (domains, &mut narrowed) {
                let free: Vec<u32> = free.collect();
                domains.deal(self, narrowed, (free, rest), &mut dealt, chance)?;
            } else {
                chance.shuffle(&mut rest);
                for (out, origin) in free.zip(rest) {
                    dealt.origins[out as usize] = origin;
                }
            }
        }
        Some(dealt)
    }

    /// Returns whether all nodes come out of the same mix, which makes them interchangeable.
    pub(in crate::table) fn are_of_one_mix(&self, nodes: &[u32]) -> bool {
        nodes.windows(2).all(|two| self.pool_of(two[0]) == self.pool_of(two[1]))
    }

    /// Assigns to each of these outputs an unknown input that may have the output's face, and pins the face to this input. If no input is
    /// left for an output, another output gives up its input and takes a different one. Returns `None` if this takes too many steps or no
    /// output can give up its input.
    fn trace(
        &self,
        mut traced: Vec<(u32, FaceIdentity)>,
        unknown: &mut Vec<u32>,
        dealt: &mut DealtWorld,
        chance: &mut Chance,
    ) -> Option<()> {
        let mut taken: Vec<(u32, u32, FaceIdentity)> = Vec::new();
        let mut steps = 4 * traced.len() + 16;
        chance.shuffle(&mut traced);
        while let Some((out, identity)) = traced.pop() {
            steps -= 1;
            let mut can: Vec<Option<bool>> = vec![None; self.pools.len()];
            let able: Vec<usize> = (0..unknown.len())
                .filter(|&index| self.can_supply(self.pool_of(unknown[index]), identity, &dealt.pins, &mut can))
                .collect();
            if able.is_empty() {
                let (other, given_up, face) = self.give_up(identity, &mut taken, &mut dealt.pins, chance)?;
                traced.insert(0, (other, face));
                unknown.push(given_up);
                traced.push((out, identity));
            } else {
                let chosen = unknown.swap_remove(able[chance.below(able.len() as u32) as usize]);
                dealt.pins[chosen as usize] = Some(identity);
                dealt.origins[out as usize] = Origin::Node(chosen);
                taken.push((out, chosen, identity));
            }
            if steps == 0 {
                return None;
            }
        }
        Some(())
    }

    /// Takes an input that may have this face away from another output. Returns that output, the input and the output's face; `None` if
    /// there is no such input.
    fn give_up(
        &self,
        identity: FaceIdentity,
        taken: &mut Vec<(u32, u32, FaceIdentity)>,
        pins: &mut [Option<FaceIdentity>],
        chance: &mut Chance,
    ) -> Option<(u32, u32, FaceIdentity)> {
        let may_be_freed = |&index: &usize| {
            let (_, input, face) = taken[index];
            face != identity && {
                pins[input as usize] = None;
                let can = self.can_supply(self.pool_of(input), identity, pins, &mut vec![None; self.pools.len()]);
                pins[input as usize] = Some(face);
                can
            }
        };
        let able: Vec<usize> = (0..taken.len()).filter(may_be_freed).collect();
        let index = *able.get(chance.below(able.len().max(1) as u32) as usize)?;
        let given_up = taken.swap_remove(index);
        pins[given_up.1 as usize] = None;
        Some(given_up)
    }

    /// Returns whether an older mix can probably supply one more copy of a face. This is a heuristic.
    fn can_supply(
        &self,
        pool: u16,
        identity: FaceIdentity,
        pins: &[Option<FaceIdentity>],
        can: &mut [Option<bool>],
    ) -> bool {
        if let Some(answer) = can[pool as usize] {
            return answer;
        }
        let Pool { known, unknown, outputs, .. } = &self.pools[pool as usize];
        let mut left = known.clone();
        let pinned = outputs.iter().filter_map(|&out| pins[out as usize]);
        let traced = pinned.filter(|&identity| take(&mut left, identity).is_err()).count();
        let answer = left.contains(&identity)
            || traced < unknown.len()
                && unknown.iter().any(|&node| self.can_supply(self.pool_of(node), identity, pins, can));
        can[pool as usize] = Some(answer);
        answer
    }

    /// Returns the pool that a node belongs to.
    pub(in crate::table) fn pool_of(&self, node: u32) -> u16 {
        self.nodes[node as usize].pool
    }

    /// Swaps faces until every piece may have its face. Returns whether that succeeded.
    fn repair(&self, dealt: &mut DealtWorld, chance: &mut Chance) -> bool {
        let free: Vec<u32> =
            (0..self.leaves.len() as u32).filter(|&leaf| self.nodes[leaf as usize].pin.is_none()).collect();
        let mut identities: Vec<FaceIdentity> =
            (0..self.leaves.len() as u32).map(|leaf| dealt.identity(leaf)).collect();
        let mut wrong: Vec<u32> =
            free.iter().copied().filter(|&leaf| !self.fits(leaf, identities[leaf as usize])).collect();
        let mut rounds = wrong.len() * 4 + 64;
        while let Some(leaf) = wrong.pop() {
            if self.fits(leaf, identities[leaf as usize]) {
                continue;
            }
            rounds -= 1;
            let Some(other) = self.partner(leaf, &free, &identities, dealt, chance) else { return false };
            if rounds == 0 {
                return false;
            }
            identities.swap(leaf as usize, other as usize);
            if !self.fits(other, identities[other as usize]) {
                wrong.push(other);
            }
        }
        true
    }

    /// Finds a piece whose face `leaf` may have, preferably one that may have the face of `leaf` in return. Swaps the origins of the two
    /// and returns the piece.
    fn partner(
        &self,
        leaf: u32,
        free: &[u32],
        identities: &[FaceIdentity],
        dealt: &mut DealtWorld,
        chance: &mut Chance,
    ) -> Option<u32> {
        let start = chance.below(free.len() as u32) as usize;
        let mine = identities[leaf as usize];
        let in_turn = || free[start..].iter().chain(&free[..start]).copied();
        let helps = |other: u32| other != leaf && self.fits(leaf, identities[other as usize]);
        in_turn()
            .filter(|&other| helps(other) && self.fits(other, mine))
            .find(|&other| self.swap(leaf, other, dealt))
            .or_else(|| in_turn().filter(|&other| helps(other)).find(|&other| self.swap(leaf, other, dealt)))
    }

    /// Swaps the origins of two nodes of the same mix, one on the path of `leaf` and one on the path of `other`. Returns whether there is
    /// such a mix.
    fn swap(&self, leaf: u32, other: u32, dealt: &mut DealtWorld) -> bool {
        let mut mine = Some(leaf);
        while let Some(a) = mine {
            let mut theirs = Some(other);
            while let Some(b) = theirs {
                if self.nodes[a as usize].pool == self.nodes[b as usize].pool {
                    dealt.origins.swap(a as usize, b as usize);
                    return true;
                }
                theirs = older(dealt, b);
            }
            mine = older(dealt, a);
        }
        false
    }

    fn fits(&self, leaf: u32, identity: FaceIdentity) -> bool {
        self.places.may_have(self.leaves[leaf as usize], identity)
    }

    /// Writes the faces of the inputs that come from older mixes (`Mix::special`) into the mixes.
    fn write_inputs(&self, identities: &[FaceIdentity], mixes: &mut Mixes) {
        for pool in self.pools.iter().filter(|pool| !pool.special.is_empty()) {
            let mix = mixes.edit(pool.id);
            for &(at, node) in &pool.special {
                mix.special[at].identity = identities[node as usize];
            }
        }
    }
}

impl DealtWorld {
    /// Assigns an input to an output.
    pub(in crate::table) fn give(&mut self, out: u32, origin: Origin) {
        self.origins[out as usize] = origin;
    }

    /// Records that not all deals are equally likely.
    pub(in crate::table) fn note_uneven(&mut self) {
        self.is_even = false;
    }
}

/// Returns the column of each row in a maximum matching, found by augmenting paths (Kuhn 1955). Unmatched rows get the
/// remaining columns.
fn matching(count: usize, may: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut row_of: Vec<Option<usize>> = vec![None; count];
    for begin in 0..count {
        // Row from which each column was reached.
        let mut from: Vec<Option<usize>> = vec![None; count];
        let mut open = vec![begin];
        let mut end = None;
        while let (Some(row), None) = (open.pop(), end) {
            for column in (0..count).filter(|column| may(row, *column)) {
                if from[column].is_some() {
                    continue;
                }
                from[column] = Some(row);
                if let Some(other) = row_of[column] {
                    open.push(other);
                } else {
                    end = Some(column);
                    break;
                }
            }
        }
        let Some(mut column) = end else { continue };
        while let Some(row) = from[column] {
            let before = row_of.iter().position(|of| *of == Some(row));
            row_of[column] = Some(row);
            let Some(before) = before else { break };
            column = before;
        }
    }
    let mut columns = vec![None; count];
    let mut left = Vec::new();
    for (column, row) in row_of.into_iter().enumerate() {
        match row {
            Some(row) => columns[row] = Some(column),
            None => left.push(column),
        }
    }
    columns.into_iter().map(|column| column.or_else(|| left.pop()).unwrap_or_default()).collect()
}

fn older(dealt: &DealtWorld, node: u32) -> Option<u32> {
    match dealt.origins[node as usize] {
        Origin::Node(older) => Some(older),
        Origin::Known(_) => None,
    }
}
