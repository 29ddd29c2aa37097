//! Other worlds that explain all a seat knows: what it does not know is dealt again.
//!
//! A deal gives every output of every mix one of its inputs. Outputs whose face the seat knows go first, youngest mix
//! first; the rest is shuffled. Then faces are swapped, along paths that meet in a mix, until every piece has the back it
//! shows and is one its zone accepts.

use crate::model::{Content, PieceId, Seat, SpaceId};
use crate::table::knowledge::mix::{Input, Mix, Mixes};
use crate::table::{Chance, Layout, Print, SeatSet, Table};

/// How often a deal that came out impossible is dealt anew, before mixes that hang together are taken for one.
const DEALS: usize = 16;

/// Where the face of a node comes from.
#[derive(Debug, Clone, Copy)]
enum Origin {
    /// A face the seat knows to have gone in.
    Print(Print),
    /// An output of an older mix.
    Node(u32),
}

/// An output of a mix: a piece, or an input of a younger mix.
#[derive(Debug, Clone, Copy)]
struct Node {
    pool: u16,
    pin: Option<Print>,
}

/// A mix, as the seat knows it.
#[derive(Debug, Default)]
struct Pool {
    id: u16,
    known: Vec<Print>,
    unknown: Vec<u32>,
    outputs: Vec<u32>,
    /// Its special inputs by their position, each with its node.
    special: Vec<(usize, u32)>,
}

/// All mixes of a table as a seat knows them, the youngest first.
struct Deal<'a> {
    table: &'a Table,
    pools: Vec<Pool>,
    /// The pieces first, then the special inputs.
    nodes: Vec<Node>,
    leaves: Vec<PieceId>,
}

/// What came of a deal: an origin for every node.
struct Dealt {
    origins: Vec<Origin>,
    /// The pins of the nodes, with those that followed.
    pins: Vec<Option<Print>>,
}

impl Dealt {
    fn print(&self, mut node: u32) -> Print {
        loop {
            match self.origins[node as usize] {
                Origin::Print(print) => return print,
                Origin::Node(older) => node = older,
            }
        }
    }
}

impl Table {
    /// This table with everything a seat does not know dealt again, or nothing if no such deal was found.
    ///
    /// The chance of the imagined table has nothing to do with that of this one.
    pub fn imagined(&self, seat: Seat, chance: &mut Chance) -> Option<Self> {
        self.redealt(self, seat, chance)
    }

    /// This table, a checkpoint, with other faces, so that what led from it to `now` leads to a table that explains all a seat
    /// knows now; or nothing if no such deal was found.
    ///
    /// Where the seat has lost track since the checkpoint, the faces lie otherwise even where it knew them then.
    pub fn redealt(&self, now: &Self, seat: Seat, chance: &mut Chance) -> Option<Self> {
        self.redealt_exactly(now, seat, chance).or_else(|| {
            let mut coarse = now.clone();
            coarse.unite_connected();
            let checkpoint = if std::ptr::eq(self, now) { &coarse } else { self };
            checkpoint.redealt_exactly(&coarse, seat, chance)
        })
    }

    fn redealt_exactly(&self, now: &Self, seat: Seat, chance: &mut Chance) -> Option<Self> {
        let seats = Layout::only(seat);
        let deal = Deal::new(now, seats, |piece| (now.knowers(piece) & seats != 0).then(|| now.print(piece)));
        let dealt = (0..DEALS).find_map(|_| deal.explained(chance))?;
        let mut world = self.clone();
        for (leaf, &piece) in deal.leaves.iter().enumerate() {
            let origin = now.pieces[piece.index()].face.origin as usize;
            let target = if std::ptr::eq(self, now) { piece.index() } else { origin };
            world.pieces[target].face.print = dealt.print(leaf as u32);
        }
        if self.mixes.is_same(&now.mixes) {
            deal.write_inputs(&dealt, &mut world.mixes);
        } else {
            world.explain_mixes(seats, chance);
        }
        world.widen_narrowed();
        world.redraw_values(now, seat, chance);
        world.throw_unseen(now, seat, chance);
        world.chance = chance.fork();
        Some(world)
    }

    /// Takes back what was made public of a place where another face lies now that it was lost track of.
    fn widen_narrowed(&mut self) {
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

    /// Throws every die anew of which a seat may not know what it shows; `now` is this table, or a later one.
    fn throw_unseen(&mut self, now: &Self, seat: Seat, chance: &mut Chance) {
        let knows = |table: &Self, piece: PieceId| {
            let seen = table.watchers(piece) | table.knowers(piece) & table.pieces[piece.index()].turn_known;
            seen & Layout::only(seat) != 0
        };
        for piece in self.all_pieces() {
            let faces = |table: &Self| table.model().component(table.print(piece).component).faces.len();
            let (here, there) = (faces(self), faces(now));
            let is_as_seen =
                || knows(self, piece) || self.pieces[piece.index()].turned == now.pieces[piece.index()].turned;
            if here.max(there) > 0 && !(knows(now, piece) && is_as_seen()) {
                self.pieces[piece.index()].turned = chance.below(here.max(1) as u32) as u8;
            }
        }
    }

    /// Gives the inputs of mixes the faces that came out of them.
    fn explain_mixes(&mut self, seats: SeatSet, chance: &mut Chance) {
        let mut mixes = self.mixes.clone();
        for seats in [seats, seats, 0, 0] {
            let deal = Deal::new(self, seats, |piece| Some(self.print(piece)));
            if let Some(dealt) = deal.dealt(chance) {
                deal.write_inputs(&dealt, &mut mixes);
                self.mixes = mixes;
                return;
            }
        }
        self.replace_inputs();
    }

    /// Gives the inputs of mixes the faces that came out of them, even where everybody once knew other faces to go in.
    fn replace_inputs(&mut self) {
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
            && self.takes_up_alike(piece, print.component)
            && self.accepts(layout.zone_of(entry.at), print.component)
            && entry.narrowed.is_none_or(|narrowed| self.is_of(print, narrowed))
    }
}

fn take(list: &mut Vec<Print>, print: Print) -> Result<(), ()> {
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
/// others: by the order in which faces went in, the same lots would give another deal for another truth.
fn inputs_as_seen(mix: &Mix, seats: SeatSet) -> Vec<(usize, Option<Print>)> {
    let seen = |input: &Input| (input.known & seats != 0).then_some(input.print);
    let mut inputs: Vec<(usize, Option<Print>)> = mix.special.iter().map(seen).enumerate().collect();
    inputs.sort_by_key(|&(at, print)| (mix.special[at].older, mix.special[at].known, print));
    inputs
}

impl<'a> Deal<'a> {
    /// The mixes of a table as these seats know them, with a face for every piece that is to keep its own. Pieces stand in the
    /// order of their places: which handle lies where may hang on what a seat cannot see.
    fn new(table: &'a Table, seats: SeatSet, pin: impl Fn(PieceId) -> Option<Print>) -> Self {
        let ids = youngest_first(&table.mixes);
        let mut pool_of = vec![0_u16; ids.iter().max().map_or(0, |&id| id as usize + 1)];
        for (pool, &id) in ids.iter().enumerate() {
            pool_of[id as usize] = pool as u16;
        }
        let mut deal = Self { table, pools: Vec::with_capacity(ids.len()), nodes: Vec::new(), leaves: Vec::new() };
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
            for (at, known) in inputs_as_seen(mix, seats) {
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

    /// A deal in which every piece may be what it is.
    fn explained(&self, chance: &mut Chance) -> Option<Dealt> {
        let mut dealt = self.dealt(chance)?;
        self.repair(&mut dealt, chance).then_some(dealt)
    }

    /// An origin for every node, at random, or nothing where that led nowhere.
    fn dealt(&self, chance: &mut Chance) -> Option<Dealt> {
        let mut dealt = Dealt {
            origins: vec![Origin::Node(u32::MAX); self.nodes.len()],
            pins: self.nodes.iter().map(|node| node.pin).collect(),
        };
        for pool in &self.pools {
            let mut known = pool.known.clone();
            let mut unknown = pool.unknown.clone();
            let mut traced = Vec::new();
            for &out in &pool.outputs {
                let Some(print) = dealt.pins[out as usize] else { continue };
                match known.iter().position(|&found| found == print) {
                    Some(index) => dealt.origins[out as usize] = Origin::Print(known.swap_remove(index)),
                    None => traced.push((out, print)),
                }
            }
            if !traced.is_empty() {
                self.trace(traced, &mut unknown, &mut dealt, chance)?;
            }
            let mut rest: Vec<Origin> = known.into_iter().map(Origin::Print).collect();
            rest.extend(unknown.into_iter().map(Origin::Node));
            chance.shuffle(&mut rest);
            let free = pool.outputs.iter().filter(|&&out| dealt.pins[out as usize].is_none());
            for (&out, origin) in free.zip(rest) {
                dealt.origins[out as usize] = origin;
            }
        }
        Some(dealt)
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

    fn pool_of(&self, node: u32) -> u16 {
        self.nodes[node as usize].pool
    }

    /// Swaps faces until every piece may be what it is; says whether that worked out.
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
        self.table.may_have(self.leaves[leaf as usize], print)
    }

    /// Writes the faces that were dealt to special inputs into the mixes.
    fn write_inputs(&self, dealt: &Dealt, mixes: &mut Mixes) {
        for pool in self.pools.iter().filter(|pool| !pool.special.is_empty()) {
            let mix = mixes.edit(pool.id);
            for &(at, node) in &pool.special {
                mix.special[at].print = dealt.print(node);
            }
        }
    }
}

fn older(dealt: &Dealt, node: u32) -> Option<u32> {
    match dealt.origins[node as usize] {
        Origin::Node(older) => Some(older),
        Origin::Print(_) => None,
    }
}
