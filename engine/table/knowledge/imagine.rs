//! Other worlds that explain all a seat knows: what it does not know is dealt again.
//!
//! A deal gives every output of every mix one of its inputs. A face that the seat knows to have come out is taken for one that it
//! knows to have gone in, as far as there is one: what is shown of a hand is what was known to be in it. Of all other deals in which
//! every piece may be what it is (its back, its zone, what is public of it) and all holds that the seat has learned, each is as
//! likely as another. (Where nothing was learned, and a piece came out as what it cannot be where it lies, faces are swapped instead, along
//! paths that meet in a mix: there some deals are likelier than others.)
//!
//! 1. Deals at random, youngest mix first, of which the first counts in which all holds. Most often that is the first.
//! 2. The same, where every output takes one of the faces that it may have, those with the fewest first. As long as of any two sets
//!    of faces one lies within the other, or they have none in common, every order of dealing leaves as many deals to the rest.
//! 3. All deals there are, as far as they differ in what matters, where these are few (`every.rs`).
//! 4. A walk from deal to deal (`walk.rs`), in which each is as likely as another after long enough.
//! 5. Where that found none, and something was learned, all deals once more, of more of them.
//!
//! Where none of that finds a world, the answer says why. [`Table::without_lessons`] gives a table with fewer conditions; a table without
//! any always has a world: mixes that hang together are made one, and faces are matched with the places that may have them.

use crate::diagnostic::{Diagnostic, Place};
use crate::model::{Content, PieceId, Seat, SpaceId};
use crate::table::knowledge::domain::Domains;
use crate::table::knowledge::learned::{Judge, Lesson};
use crate::table::knowledge::mix::{Input, Mix, Mixes};
use crate::table::knowledge::places::Places;
use crate::table::knowledge::taught::Taught;
use crate::table::knowledge::{every, walk};
use crate::table::{Chance, Layout, Piece, Print, SeatSet, Table};
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::num::NonZero;
use std::sync::Arc;

/// How often a deal that came out impossible is dealt anew at random.
const DEALS: usize = 16;

/// How often a deal in which something does not hold that was learned is dealt anew at random.
const DEALS_LEARNED: usize = 48;

/// Why no world was found.
#[derive(Debug)]
pub enum Undealt {
    /// No deal was found that explains what lies where, and who saw what.
    Unexplained,
    /// No deal was found in which all holds that was learned.
    Learned,
    /// The rules failed at what was learned.
    Fault(Box<Diagnostic>),
}

impl From<Box<Diagnostic>> for Undealt {
    fn from(fault: Box<Diagnostic>) -> Self {
        Self::Fault(fault)
    }
}

/// Where the face of a node comes from.
#[derive(Debug, Clone, Copy)]
pub(in crate::table) enum Origin {
    /// A face the seat knows to have gone in.
    Print(Print),
    /// An output of an older mix.
    Node(u32),
}

/// An output of a mix: a piece, or an input of a younger mix.
#[derive(Debug, Clone, Copy)]
pub(in crate::table) struct Node {
    pub(in crate::table) pool: u16,
    pub(in crate::table) pin: Option<Print>,
}

/// A mix, as the seat knows it.
#[derive(Debug, Default)]
pub(in crate::table) struct Pool {
    pub(in crate::table) id: u16,
    pub(in crate::table) known: Vec<Print>,
    pub(in crate::table) unknown: Vec<u32>,
    pub(in crate::table) outputs: Vec<u32>,
    /// Its special inputs by their position, each with its node.
    pub(in crate::table) special: Vec<(usize, u32)>,
}

/// All mixes of a table as a seat knows them, the youngest first.
pub(in crate::table) struct Deal<'a> {
    pub(in crate::table) places: Places<'a>,
    pub(in crate::table) pools: Vec<Pool>,
    /// The pieces first, then the special inputs.
    pub(in crate::table) nodes: Vec<Node>,
    pub(in crate::table) leaves: Vec<PieceId>,
}

/// What came of a deal: an origin for every node.
pub(in crate::table) struct Dealt {
    pub(in crate::table) origins: Vec<Origin>,
    /// The pins of the nodes, with those that followed.
    pins: Vec<Option<Print>>,
    /// Whether every other deal was as likely.
    is_even: bool,
}

impl Dealt {
    pub(in crate::table) fn print(&self, mut node: u32) -> Print {
        loop {
            match self.origins[node as usize] {
                Origin::Print(print) => return print,
                Origin::Node(older) => node = older,
            }
        }
    }

    /// The face of every node.
    fn prints(&self) -> Vec<Print> {
        (0..self.origins.len() as u32).map(|node| self.print(node)).collect()
    }
}

impl Table {
    /// This table with everything a seat does not know dealt again.
    ///
    /// The chance of the imagined table has nothing to do with that of this one.
    ///
    /// # Errors
    /// Why no such deal was found; a table of which the seat has learned nothing has one.
    pub fn imagined(&self, seat: Seat, chance: &mut Chance, judge: &mut dyn Judge) -> Result<Self, Undealt> {
        self.redealt(self, seat, chance, judge).map(|(world, _)| world)
    }

    /// This table, a checkpoint, with other faces, so that what led from it to `now` leads to a table that explains all a seat
    /// knows now.
    ///
    /// Where the seat has lost track since the checkpoint, the faces lie otherwise even where it knew them then. With it comes whether
    /// all that is known there of what is hidden is known as it is now.
    ///
    /// # Errors
    /// Why no such deal was found.
    pub fn redealt(
        &self,
        now: &Self,
        seat: Seat,
        chance: &mut Chance,
        judge: &mut dyn Judge,
    ) -> Result<(Self, bool), Undealt> {
        let exactly = self.redealt_to(now, seat, chance, judge).map(|world| (world, self.mixes.is_same(&now.mixes)));
        let Err(Undealt::Unexplained) = exactly else { return exactly };
        let mut coarse = now.clone();
        coarse.unite_connected();
        let learned = |table: &Self| table.lessons_of(Layout::only(seat)).count();
        if learned(&coarse) < learned(now) {
            return exactly;
        }
        let checkpoint = if std::ptr::eq(self, now) { &coarse } else { self };
        checkpoint.redealt_to(&coarse, seat, chance, judge).map(|world| (world, false))
    }

    fn redealt_to(&self, now: &Self, seat: Seat, chance: &mut Chance, judge: &mut dyn Judge) -> Result<Self, Undealt> {
        let mut world = self.redealt_exactly(now, Layout::only(seat), chance, judge)?;
        world.disclosures = None;
        world.redraw_values(now, seat, chance);
        world.throw_unseen(now, Layout::only(seat), chance);
        world.chance = chance.fork();
        Ok(world)
    }

    /// This table without some of the conditions that a seat has learned, and where the first of them stands in the rules; `None` if the
    /// seat has learned nothing.
    ///
    /// Conditions on several faces together go first, those on most faces before others, then those on single faces, the latest first:
    /// what is left out first is what is hardest to meet.
    pub fn without_lessons(&self, seat: Seat, count: usize) -> Option<(Self, Option<Place>)> {
        let seats = Layout::only(seat);
        let mut order: Vec<&Arc<Lesson>> = self.lessons_of(seats).collect();
        order.reverse();
        order.sort_by_key(|lesson| (lesson.is_each, Reverse(lesson.open_count())));
        order.truncate(count);
        let place = order.first()?.condition.place();
        let mut table = self.clone();
        table.forget_lessons(|lesson| order.iter().any(|left_out| Arc::ptr_eq(left_out, lesson)));
        Some((table, place))
    }

    /// How many conditions a seat has learned that still tell it something.
    pub fn lessons_count(&self, seat: Seat) -> usize {
        self.lessons_of(Layout::only(seat)).count()
    }

    /// This table, a checkpoint, with the faces dealt again among themselves that no seat knows at `now`, to which it leads. Dice that
    /// nobody has seen are thrown again. Hidden values stay: rules have set them, and go by them.
    ///
    /// # Errors
    /// Why no such deal was found.
    pub(crate) fn with_unknown_dealt_again(
        &self,
        now: &Self,
        chance: &mut Chance,
        judge: &mut dyn Judge,
    ) -> Result<Self, Undealt> {
        let everybody = self.layout.everybody;
        let mut dealt = self.redealt_exactly(now, everybody, chance, judge)?;
        dealt.throw_unseen(now, everybody, chance);
        Ok(dealt)
    }

    /// This table with everything dealt again that none of these seats knows, all of them together.
    fn redealt_exactly(
        &self,
        now: &Self,
        seats: SeatSet,
        chance: &mut Chance,
        judge: &mut dyn Judge,
    ) -> Result<Self, Undealt> {
        let knows = |known: SeatSet| known & seats != 0;
        let deal = Deal::new(now, knows, |piece| (now.knowers(piece) & seats != 0).then(|| now.print(piece)));
        let taught = Taught::all(&deal, now.lessons_of(seats));
        let mut world = self.clone();
        {
            let mut prints = deal.faces(&taught, chance, judge)?;
            if !std::ptr::eq(self, now) {
                self.keep_known_faces((now, seats), &deal, &taught, &mut prints, (&mut *chance, &mut *judge))?;
            }
            for (print, &piece) in prints.iter().zip(&deal.leaves) {
                let origin = now.pieces[piece.index()].face.origin as usize;
                let target = if std::ptr::eq(self, now) { piece.index() } else { origin };
                world.pieces[target].face.print = *print;
            }
            if self.mixes.is_same(&now.mixes) {
                deal.write_inputs(&prints, &mut world.mixes);
            } else {
                // How long that takes hangs on what the seat does not know, and what is drawn after it must not.
                world.explain_mixes(seats, &mut chance.fork());
            }
        }
        world.keep_lessons_of(seats);
        world.widen_narrowed();
        Ok(world)
    }

    /// Exchanges dealt faces within hands and bags so that pieces whose face the seat knew at this checkpoint keep it.
    ///
    /// The pieces of a hand are told apart by nothing but their faces, so the seat knows as much of the table that the deal was made for. At
    /// the checkpoint a piece may have lain in the open, and the rules may have acted on its face: with another face there, the step would
    /// take another course.
    ///
    /// Where the hand is short of a face, because the seat has meanwhile seen a piece with it that came out of the hand, that piece gives its
    /// face up: in this world it is the other piece that came out. (Answers that name such a piece are translated when the step runs again.)
    fn keep_known_faces(
        &self,
        (now, seats): (&Self, SeatSet),
        deal: &Deal<'_>,
        taught: &[Taught<'_>],
        prints: &mut [Print],
        (chance, judge): (&mut Chance, &mut dyn Judge),
    ) -> Result<(), Box<Diagnostic>> {
        let known_before = |leaf: usize| {
            let before = &self.pieces[now.pieces[deal.leaves[leaf].index()].face.origin as usize];
            (before.known & seats != 0).then_some(before.face.print)
        };
        let is_open = |leaf: &usize| deal.nodes[*leaf].pin.is_none();
        for leaf in (0..deal.leaves.len()).filter(is_open) {
            let Some(print) = known_before(leaf).filter(|print| *print != prints[leaf]) else { continue };
            let takes_part = |other: &usize| {
                prints[*other] == print
                    && deal.nodes[*other].pool == deal.nodes[leaf].pool
                    && now.space_of(deal.leaves[*other]) == now.space_of(deal.leaves[leaf])
                    && known_before(*other) != Some(print)
                    && now.may_be_alike(deal.leaves[*other], deal.leaves[leaf])
            };
            let gives_up = |other: &usize| {
                let before = now.pieces[deal.leaves[*other].index()].face.origin as usize;
                prints[*other] == print
                    && !is_open(other)
                    && known_before(*other).is_none()
                    && self.may_have(PieceId::at(before), prints[leaf])
            };
            let other = if let Some(other) = (0..deal.leaves.len()).filter(is_open).find(takes_part) {
                other
            } else {
                let able: SmallVec<[usize; 8]> = (0..deal.leaves.len()).filter(gives_up).collect();
                let Some(count) = NonZero::new(able.len() as u32) else { continue };
                able[chance.below(count.get()) as usize]
            };
            prints.swap(leaf, other);
            // A condition may name single pieces of the hand.
            if !taught.is_empty() && !Taught::hold(taught, prints, judge)? {
                prints.swap(leaf, other);
            }
        }
        Ok(())
    }

    /// Whether the piece at each place is known by whom the one there is, from the same mix.
    pub(crate) fn is_tracked_as(&self, other: &Self) -> bool {
        let tracked =
            |table: &Self, piece: PieceId| (table.pieces[piece.index()].mix, table.pieces[piece.index()].known);
        (0..self.stacks.len()).map(SpaceId::at).all(|space| {
            let here = self.stack(space).map(|piece| tracked(self, piece));
            here.eq(other.stack(space).map(|piece| tracked(other, piece)))
        })
    }

    /// Takes over from a table who knows what of it, where these seats cannot tell that table from this one: all that follows for them
    /// there follows here. Says whether what lies here explains all that they know; if not, this is no table that they may be at.
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
            // What went into mixes is called there as it is here.
            self.learned.clone_from(&now.learned);
            self.keep_lessons_of(seats);
        }
        self.mixes = now.mixes.clone();
        self.lost_track = now.lost_track;
        let deal = Deal::new(self, |known| known & seats != 0, |piece| Some(self.print(piece)));
        let Some(dealt) = (0..DEALS).find_map(|_| deal.dealt(None, chance)) else { return false };
        let mut mixes = now.mixes.clone();
        deal.write_inputs(&dealt.prints(), &mut mixes);
        self.mixes = mixes;
        true
    }

    /// Takes back what was made public of a place where another face lies now that it was lost track of.
    pub(super) fn widen_narrowed(&mut self) {
        for index in 0..self.pieces.len() {
            let entry = &self.pieces[index];
            if entry.narrowed.is_some_and(|narrowed| !self.is_of(entry.face.print, narrowed)) {
                self.pieces[index].narrowed = None;
            }
        }
    }

    fn is_of(&self, print: Print, content: Content) -> bool {
        match content {
            Content::Component(component) => component == print.component,
            Content::Kind(kind) => self.model().component(print.component).kind == kind,
        }
    }

    /// Throws every die anew of which none of these seats may know what it shows; `now` is this table, or a later one.
    pub(super) fn throw_unseen(&mut self, now: &Self, seats: SeatSet, chance: &mut Chance) {
        let knows = |table: &Self, piece: PieceId| {
            let seen = table.watchers(piece) | table.knowers(piece) & table.pieces[piece.index()].turn_known;
            seen & seats != 0
        };
        for piece in self.all_pieces() {
            let faces = |table: &Self| table.model().component(table.print(piece).component).faces.len();
            let (here, there) = (faces(self), faces(now));
            let is_as_seen =
                || knows(self, piece) || self.pieces[piece.index()].turned == now.pieces[piece.index()].turned;
            if here.max(there) > 0 && !(knows(now, piece) && is_as_seen()) {
                let face = chance.below(here.max(1) as u32) as u8;
                self.pieces[piece.index()].turned = self.face_of(piece, face);
            }
        }
    }

    /// Gives the inputs of mixes the faces that came out of them.
    fn explain_mixes(&mut self, seats: SeatSet, chance: &mut Chance) {
        let mut mixes = self.mixes.clone();
        for (seats, times) in [(seats, DEALS), (0, 2)] {
            let deal = Deal::new(self, |known| known & seats != 0, |piece| Some(self.print(piece)));
            if let Some(dealt) = (0..times).find_map(|_| deal.dealt(None, chance)) {
                deal.write_inputs(&dealt.prints(), &mut mixes);
                self.mixes = mixes;
                return;
            }
        }
        self.replace_inputs();
    }

    /// Gives the inputs of mixes the faces that came out of them, even where everybody once knew other faces to go in.
    pub(super) fn replace_inputs(&mut self) {
        let mut outputs: Vec<Vec<Print>> = Vec::new();
        let ids = youngest_first(&self.mixes);
        outputs.resize(ids.iter().max().map_or(0, |&id| id as usize + 1), Vec::new());
        for entry in self.pieces.iter().filter(|entry| entry.mix != Mixes::NONE) {
            outputs[entry.mix as usize].push(entry.face.print);
        }
        for id in ids {
            let mut left = std::mem::take(&mut outputs[id as usize]);
            let mix = self.mixes.edit(id);
            let inputs = mix.open.iter_mut().chain(mix.special.iter_mut().map(|input| &mut input.print));
            let odd: Vec<&mut Print> =
                inputs.filter_map(|input| take(&mut left, *input).err().map(|()| input)).collect();
            for (input, print) in odd.into_iter().zip(left) {
                *input = print;
            }
            for input in &mix.special {
                outputs[input.older as usize].push(input.print);
            }
        }
    }

    /// Whether a face may be on a piece where it lies, for all that is public besides mixes.
    pub(in crate::table) fn may_have(&self, piece: PieceId, print: Print) -> bool {
        let entry = &self.pieces[piece.index()];
        let layout = &self.layout;
        layout.back_of(entry.face.print.component) == layout.back_of(print.component)
            && self.has_footprint_of(piece, print.component)
            && self.accepts(layout.zone_of(entry.at), print.component)
            && entry.narrowed.is_none_or(|narrowed| self.is_of(print, narrowed))
    }

    /// Whether two pieces lie so that each may have the faces that the other may.
    pub(in crate::table) fn may_be_alike(&self, one: PieceId, other: PieceId) -> bool {
        let [one, other] = [one, other].map(|piece| &self.pieces[piece.index()]);
        let back = |piece: &Piece| self.layout.back_of(piece.face.print.component);
        self.model().cells.prints.is_empty()
            && self.layout.zone_of(one.at) == self.layout.zone_of(other.at)
            && one.narrowed == other.narrowed
            && back(one) == back(other)
    }
}

/// Why there is no world, where there is none.
const fn undealt(taught: &[Taught<'_>]) -> Undealt {
    if taught.is_empty() { Undealt::Unexplained } else { Undealt::Learned }
}

pub(in crate::table) fn take(list: &mut Vec<Print>, print: Print) -> Result<(), ()> {
    let index = list.iter().position(|&found| found == print).ok_or(())?;
    list.swap_remove(index);
    Ok(())
}

fn youngest_first(mixes: &Mixes) -> Vec<u16> {
    let mut ids: Vec<(u32, u16)> = mixes.iter().map(|(id, mix)| (mix.order, id)).collect();
    ids.sort_unstable_by(|a, b| b.cmp(a));
    ids.into_iter().map(|(_, id)| id).collect()
}

/// The special inputs of a mix by their position, with the faces that these seats know, in an order that says nothing of the
/// others: by the order in which faces went in, the same random numbers would give another deal for another truth.
fn inputs_as_seen(mix: &Mix, knows: &impl Fn(SeatSet) -> bool) -> Vec<(usize, Option<Print>)> {
    let seen = |input: &Input| knows(input.known).then_some(input.print);
    let mut inputs: Vec<(usize, Option<Print>)> = mix.special.iter().map(seen).enumerate().collect();
    inputs.sort_by_key(|&(at, print)| (mix.special[at].older, mix.special[at].known, print));
    inputs
}

impl<'a> Deal<'a> {
    /// The mixes of a table as a viewer knows them who knows what these sets of seats know, with a face for every piece that is to
    /// keep its own. Pieces stand in the order of their places: which handle lies where may hang on what a seat cannot see.
    pub(in crate::table) fn new(
        table: &'a Table,
        knows: impl Fn(SeatSet) -> bool,
        pin: impl Fn(PieceId) -> Option<Print>,
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
                    Some(print) => deal.pools[pool].known.push(print),
                    None => deal.pools[pool].unknown.push(node),
                }
            }
            deal.pools[pool].known.sort_unstable();
        }
        deal
    }

    fn add_node(&mut self, pool: u16, pin: Option<Print>) -> u32 {
        let node = self.nodes.len() as u32;
        self.nodes.push(Node { pool, pin });
        self.pools[pool as usize].outputs.push(node);
        node
    }

    /// The face of every node in one of all deals in which everything is as the seat knows it, each as likely as another.
    fn faces(&self, taught: &[Taught<'_>], chance: &mut Chance, judge: &mut dyn Judge) -> Result<Vec<Print>, Undealt> {
        if taught.is_empty() {
            return self.repaired(chance).or_else(|| self.matched(chance)).ok_or(Undealt::Unexplained);
        }
        let mut begun = None;
        for _ in 0..DEALS_LEARNED {
            let Some(dealt) = self.dealt(None, chance) else { continue };
            let prints = dealt.prints();
            let fits = self.all_fit(&prints);
            if fits && Taught::hold(taught, &prints, judge)? && dealt.is_even {
                return Ok(prints);
            }
            let is_even = dealt.is_even;
            begun = Some(dealt);
            if !fits || !is_even {
                break;
            }
        }
        let Some(begun) = begun else { return Err(Undealt::Unexplained) };
        let domains = Domains::new(self, taught, judge)?;
        if !domains.is_narrowed_by_lessons() && taught.iter().all(Taught::is_each) {
            // All conditions hold for every face that is possible in their place.
            return self.repaired(chance).ok_or(Undealt::Unexplained);
        }
        self.faces_within(&domains, taught, begun, chance, judge)
    }

    /// The same where nothing was learned: a deal at random, in which faces are swapped until every piece may be what it is.
    fn repaired(&self, chance: &mut Chance) -> Option<Vec<Print>> {
        (0..DEALS).find_map(|_| {
            let mut dealt = self.dealt(None, chance)?;
            self.repair(&mut dealt, chance).then(|| dealt.prints())
        })
    }

    /// Faces matched with the places that may have them, in an order drawn at random, where mixes do not hang together; `None` where they
    /// do. Not every deal is as likely as another.
    fn matched(&self, chance: &mut Chance) -> Option<Vec<Print>> {
        let mut prints: Vec<Option<Print>> = self.nodes.iter().map(|node| node.pin).collect();
        for pool in &self.pools {
            pool.unknown.is_empty().then_some(())?;
            let mut faces = pool.known.clone();
            for print in pool.outputs.iter().filter_map(|out| self.nodes[*out as usize].pin) {
                take(&mut faces, print).ok()?;
            }
            let is_open = |out: &u32| self.nodes[*out as usize].pin.is_none();
            let mut outputs: Vec<u32> = pool.outputs.iter().copied().filter(is_open).collect();
            chance.shuffle(&mut outputs);
            chance.shuffle(&mut faces);
            let may = |out: usize, face: usize| self.fits(outputs[out], faces[face]);
            for (out, face) in matching(outputs.len(), may).into_iter().enumerate() {
                prints[outputs[out] as usize] = Some(faces[face]);
            }
        }
        prints.into_iter().collect()
    }

    /// The same where not every node may have every face.
    fn faces_within(
        &self,
        domains: &Domains,
        taught: &[Taught<'_>],
        mut begun: Dealt,
        chance: &mut Chance,
        judge: &mut dyn Judge,
    ) -> Result<Vec<Print>, Undealt> {
        for _ in 0..DEALS {
            let Some(dealt) = self.dealt(Some(domains), chance) else { continue };
            let (prints, is_even) = (dealt.prints(), dealt.is_even);
            let holds = self.all_within(domains, &prints) && Taught::hold(taught, &prints, judge)?;
            if holds && is_even {
                return Ok(prints);
            }
            begun = dealt;
            if holds || !is_even {
                break;
            }
        }
        // Where nothing was learned a walk is the shorter way.
        let is_taught = !taught.is_empty();
        if is_taught && let Some(all) = every::deals(self, domains, taught, judge, every::NEAR)? {
            return all.one(self, chance).ok_or_else(|| undealt(taught));
        }
        if let Some(prints) = walk::deal(self, domains, taught, begun, chance, judge)? {
            return Ok(prints);
        }
        let last = if is_taught {
            every::deals_far(self, domains, taught, judge)?.and_then(|all| all.one(self, chance))
        } else {
            every::deals(self, domains, taught, judge, every::UNTAUGHT)?.and_then(|all| all.one(self, chance))
        };
        last.ok_or_else(|| undealt(taught))
    }

    /// Whether every piece whose face the seat does not know may be what it is.
    fn all_fit(&self, prints: &[Print]) -> bool {
        let mut leaves = self.leaves.iter().zip(prints).zip(&self.nodes);
        leaves.all(|((piece, print), node)| node.pin.is_some() || self.places.may_have(*piece, *print))
    }

    fn all_within(&self, domains: &Domains, prints: &[Print]) -> bool {
        let mut nodes = (0..self.nodes.len() as u32).zip(prints);
        nodes.all(|(node, print)| self.nodes[node as usize].pin.is_some() || domains.allows(node, *print))
    }

    /// An origin for every node, at random, or nothing where that led nowhere. Within domains, every output takes what it may have.
    pub(in crate::table) fn dealt(&self, domains: Option<&Domains>, chance: &mut Chance) -> Option<Dealt> {
        let mut dealt = Dealt {
            origins: vec![Origin::Node(u32::MAX); self.nodes.len()],
            pins: self.nodes.iter().map(|node| node.pin).collect(),
            is_even: true,
        };
        let mut narrowed = domains.map(Domains::of_all);
        for pool in &self.pools {
            let mut known = pool.known.clone();
            let mut unknown = pool.unknown.clone();
            let mut traced = Vec::new();
            let may_be_either = !known.is_empty() && !unknown.is_empty();
            for &out in &pool.outputs {
                let Some(print) = dealt.pins[out as usize] else { continue };
                dealt.is_even &= !may_be_either || self.nodes[out as usize].pin.is_some();
                match known.iter().position(|&found| found == print) {
                    Some(index) => dealt.origins[out as usize] = Origin::Print(known.swap_remove(index)),
                    None => traced.push((out, print)),
                }
            }
            if !traced.is_empty() {
                let is_narrow =
                    |node: &u32| narrowed.as_ref().is_some_and(|narrowed| narrowed[*node as usize].is_some());
                dealt.is_even &= self.are_of_one(&unknown) && !unknown.iter().any(is_narrow);
                self.trace(traced, &mut unknown, &mut dealt, chance)?;
            }
            let mut rest: Vec<Origin> = known.into_iter().map(Origin::Print).collect();
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

    /// Whether nodes come out of one mix, so that any of them can take the place of another.
    pub(in crate::table) fn are_of_one(&self, nodes: &[u32]) -> bool {
        nodes.windows(2).all(|two| self.pool_of(two[0]) == self.pool_of(two[1]))
    }

    /// Finds for each of these outputs an input that the seat does not know and that may have the face: it is pinned as an
    /// output of its older mix. Where none is left, an output that has one gives it up and looks for another.
    fn trace(
        &self,
        mut traced: Vec<(u32, Print)>,
        unknown: &mut Vec<u32>,
        dealt: &mut Dealt,
        chance: &mut Chance,
    ) -> Option<()> {
        let mut taken: Vec<(u32, u32, Print)> = Vec::new();
        let mut steps = 4 * traced.len() + 16;
        chance.shuffle(&mut traced);
        while let Some((out, print)) = traced.pop() {
            steps -= 1;
            let mut can: Vec<Option<bool>> = vec![None; self.pools.len()];
            let able: Vec<usize> = (0..unknown.len())
                .filter(|&index| self.can_supply(self.pool_of(unknown[index]), print, &dealt.pins, &mut can))
                .collect();
            if able.is_empty() {
                let (other, given_up, face) = self.give_up(print, &mut taken, &mut dealt.pins, chance)?;
                traced.insert(0, (other, face));
                unknown.push(given_up);
                traced.push((out, print));
            } else {
                let chosen = unknown.swap_remove(able[chance.below(able.len() as u32) as usize]);
                dealt.pins[chosen as usize] = Some(print);
                dealt.origins[out as usize] = Origin::Node(chosen);
                taken.push((out, chosen, print));
            }
            if steps == 0 {
                return None;
            }
        }
        Some(())
    }

    /// Frees an input that another output has, and that may have this face instead.
    fn give_up(
        &self,
        print: Print,
        taken: &mut Vec<(u32, u32, Print)>,
        pins: &mut [Option<Print>],
        chance: &mut Chance,
    ) -> Option<(u32, u32, Print)> {
        let may_be_freed = |&index: &usize| {
            let (_, input, face) = taken[index];
            face != print && {
                pins[input as usize] = None;
                let can = self.can_supply(self.pool_of(input), print, pins, &mut vec![None; self.pools.len()]);
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

    /// Whether an older mix seems to have one more of a face than is pinned already.
    fn can_supply(&self, pool: u16, print: Print, pins: &[Option<Print>], can: &mut [Option<bool>]) -> bool {
        if let Some(answer) = can[pool as usize] {
            return answer;
        }
        let Pool { known, unknown, outputs, .. } = &self.pools[pool as usize];
        let mut left = known.clone();
        let pinned = outputs.iter().filter_map(|&out| pins[out as usize]);
        let traced = pinned.filter(|&print| take(&mut left, print).is_err()).count();
        let answer = left.contains(&print)
            || traced < unknown.len()
                && unknown.iter().any(|&node| self.can_supply(self.pool_of(node), print, pins, can));
        can[pool as usize] = Some(answer);
        answer
    }

    pub(in crate::table) fn pool_of(&self, node: u32) -> u16 {
        self.nodes[node as usize].pool
    }

    /// Swaps faces until every piece may be what it is; says whether that succeeded.
    fn repair(&self, dealt: &mut Dealt, chance: &mut Chance) -> bool {
        let free: Vec<u32> =
            (0..self.leaves.len() as u32).filter(|&leaf| self.nodes[leaf as usize].pin.is_none()).collect();
        let mut prints: Vec<Print> = (0..self.leaves.len() as u32).map(|leaf| dealt.print(leaf)).collect();
        let mut wrong: Vec<u32> =
            free.iter().copied().filter(|&leaf| !self.fits(leaf, prints[leaf as usize])).collect();
        let mut rounds = wrong.len() * 4 + 64;
        while let Some(leaf) = wrong.pop() {
            if self.fits(leaf, prints[leaf as usize]) {
                continue;
            }
            rounds -= 1;
            let Some(other) = self.partner(leaf, &free, &prints, dealt, chance) else { return false };
            if rounds == 0 {
                return false;
            }
            prints.swap(leaf as usize, other as usize);
            if !self.fits(other, prints[other as usize]) {
                wrong.push(other);
            }
        }
        true
    }

    /// Finds a piece to swap faces with, and swaps their origins: best one that can use the face, else any.
    fn partner(
        &self,
        leaf: u32,
        free: &[u32],
        prints: &[Print],
        dealt: &mut Dealt,
        chance: &mut Chance,
    ) -> Option<u32> {
        let start = chance.below(free.len() as u32) as usize;
        let mine = prints[leaf as usize];
        let in_turn = || free[start..].iter().chain(&free[..start]).copied();
        let helps = |other: u32| other != leaf && self.fits(leaf, prints[other as usize]);
        in_turn()
            .filter(|&other| helps(other) && self.fits(other, mine))
            .find(|&other| self.swap(leaf, other, dealt))
            .or_else(|| in_turn().filter(|&other| helps(other)).find(|&other| self.swap(leaf, other, dealt)))
    }

    /// Exchanges the origins of two nodes of one mix that lie on the paths of these pieces, if the paths meet.
    fn swap(&self, leaf: u32, other: u32, dealt: &mut Dealt) -> bool {
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

    fn fits(&self, leaf: u32, print: Print) -> bool {
        self.places.may_have(self.leaves[leaf as usize], print)
    }

    /// Writes the faces that were dealt to special inputs into the mixes.
    fn write_inputs(&self, prints: &[Print], mixes: &mut Mixes) {
        for pool in self.pools.iter().filter(|pool| !pool.special.is_empty()) {
            let mix = mixes.edit(pool.id);
            for &(at, node) in &pool.special {
                mix.special[at].print = prints[node as usize];
            }
        }
    }
}

impl Dealt {
    /// Gives an output one of the inputs that are left.
    pub(in crate::table) fn give(&mut self, out: u32, origin: Origin) {
        self.origins[out as usize] = origin;
    }

    /// Notes that not every deal was as likely as this one.
    pub(in crate::table) fn note_uneven(&mut self) {
        self.is_even = false;
    }
}

/// A largest matching of as many rows and columns, by augmenting paths (Kuhn 1955): the column of each row. Rows that find none take the
/// columns that are left.
fn matching(count: usize, may: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut row_of: Vec<Option<usize>> = vec![None; count];
    for begin in 0..count {
        // For each column that was reached, the row it was reached from.
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

fn older(dealt: &Dealt, node: u32) -> Option<u32> {
    match dealt.origins[node as usize] {
        Origin::Node(older) => Some(older),
        Origin::Print(_) => None,
    }
}
