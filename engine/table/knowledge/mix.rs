//! Mixes: faces of which it is known that they are there, not where.

use crate::table::{Print, SeatSet};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// A face that went into a mix known to some seats alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::table) struct Input {
    pub(in crate::table) print: Print,
    /// The seats that saw it go in.
    pub(in crate::table) known: SeatSet,
    /// The mix the others know it from.
    pub(in crate::table) older: u16,
    /// What it is called by facts that were learned of it; 0 where there are none.
    pub(in crate::table) tag: u32,
}

/// Faces that went in and places that came out, as many, and nobody outside saw which is which.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::table) struct Mix {
    /// Larger than that of every mix its inputs come from.
    pub(in crate::table) order: u32,
    /// The inputs every seat knows.
    pub(in crate::table) open: Vec<Print>,
    /// The other inputs.
    pub(in crate::table) special: Vec<Input>,
    /// How many pieces, and inputs of younger mixes, come out of it.
    pub(in crate::table) outputs: u32,
}

/// The mixes of a table; clones share them until one changes.
#[derive(Debug, Clone, Default)]
pub(in crate::table) struct Mixes {
    list: Arc<Vec<Option<Arc<Mix>>>>,
    orders: u32,
    live: usize,
}

impl Mixes {
    /// The mix of a piece that every seat knows.
    pub(in crate::table) const NONE: u16 = u16::MAX;

    pub(in crate::table) fn get(&self, id: u16) -> &Mix {
        self.list[id as usize].as_deref().expect("a piece or an input names only mixes that are there")
    }

    pub(in crate::table) fn edit(&mut self, id: u16) -> &mut Mix {
        let entry = Arc::make_mut(&mut self.list)[id as usize].as_mut();
        Arc::make_mut(entry.expect("a piece or an input names only mixes that are there"))
    }

    /// Every mix, with its id.
    pub(in crate::table) fn iter(&self) -> impl Iterator<Item = (u16, &Mix)> {
        self.list.iter().enumerate().filter_map(|(id, mix)| Some((id as u16, mix.as_deref()?)))
    }

    /// How many mixes there are.
    pub(in crate::table) const fn len(&self) -> usize {
        self.live
    }

    /// How many have been made: one more whenever anybody loses track of something.
    pub(in crate::table) const fn made(&self) -> u32 {
        self.orders
    }

    /// Whether two tables hold the very same mixes.
    pub(in crate::table) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.list, &other.list)
    }

    pub(in crate::table) fn add(&mut self, mut mix: Mix) -> u16 {
        self.orders += 1;
        self.live += 1;
        mix.order = self.orders;
        let list = Arc::make_mut(&mut self.list);
        let free = list.iter().position(Option::is_none).unwrap_or_else(|| {
            list.push(None);
            list.len() - 1
        });
        list[free] = Some(Arc::new(mix));
        free as u16
    }

    pub(in crate::table) fn remove(&mut self, id: u16) -> Arc<Mix> {
        self.live -= 1;
        Arc::make_mut(&mut self.list)[id as usize].take().expect("a mix is removed once")
    }

    /// Calls inputs nothing any more whose tags are not among these, in all mixes and in one that is being made.
    pub(in crate::table) fn keep_tags(&mut self, kept: &[u32], made: &mut Mix) {
        let is_gone = |input: &Input| input.tag != 0 && !kept.contains(&input.tag);
        let ids: SmallVec<[u16; 8]> =
            self.iter().filter(|(_, mix)| mix.special.iter().any(is_gone)).map(|(id, _)| id).collect();
        let forget =
            |mix: &mut Mix| mix.special.iter_mut().filter(|input| is_gone(input)).for_each(|input| input.tag = 0);
        ids.into_iter().for_each(|id| forget(self.edit(id)));
        forget(made);
    }

    /// The tags of all that goes into a mix that is being made, itself or with older mixes that go into it whole.
    pub(in crate::table) fn tags_within(&self, made: &Mix) -> SmallVec<[u32; 16]> {
        let mut tags: SmallVec<[u32; 16]> = SmallVec::new();
        let mut within: Vec<&Mix> = vec![made];
        let mut inputs: SmallVec<[(u16, u32); 8]> = SmallVec::new();
        while let Some(mix) = within.pop() {
            for input in &mix.special {
                tags.extend((input.tag != 0).then_some(input.tag));
                match inputs.iter_mut().find(|(older, _)| *older == input.older) {
                    Some((_, count)) => *count += 1,
                    None => inputs.push((input.older, 1)),
                }
                if inputs.iter().any(|(id, count)| *id == input.older && *count == self.get(*id).outputs) {
                    within.push(self.get(input.older));
                }
            }
        }
        tags
    }

    fn drop_output(&mut self, id: u16) {
        let mix = self.edit(id);
        mix.outputs -= 1;
        if mix.outputs == 0 {
            debug_assert!(mix.open.is_empty() && mix.special.is_empty(), "as many inputs as outputs");
            self.remove(id);
        }
    }

    /// Takes one input with a face everybody now knows out of a mix, if every seat would take the same one. Gives the mix the
    /// face is known from now: an older one, or [`Mixes::NONE`] if it is settled; and the tag of the input.
    pub(in crate::table) fn take(&mut self, id: u16, print: Print, everybody: SeatSet) -> Option<(u16, u32)> {
        let mix = self.get(id);
        if let Some(index) = mix.open.iter().position(|&open| open == print) {
            self.edit(id).open.swap_remove(index);
            self.drop_output(id);
            return Some((Self::NONE, 0));
        }
        let index = self.the_only_input(mix, print, everybody)?;
        let input = self.edit(id).special.swap_remove(index);
        self.drop_output(id);
        Some((input.older, input.tag))
    }

    /// The input with a face, if no seat could tell it from others that may have the face as well.
    fn the_only_input(&self, mix: &Mix, print: Print, everybody: SeatSet) -> Option<usize> {
        let mut found: Option<Input> = None;
        let mut index = None;
        let mut supplying = FxHashMap::default();
        for (at, &input) in mix.special.iter().enumerate() {
            if !self.may_be(input, print, everybody, &mut supplying) {
                continue;
            }
            // What was learned of one of two inputs tells them apart.
            let is_unlike = |found: Input| {
                found.older != input.older || found.known != input.known || found.tag != 0 || input.tag != 0
            };
            if found.is_some_and(is_unlike) {
                return None;
            }
            found = Some(input);
            if input.print == print {
                index = Some(at);
            }
        }
        index
    }

    /// Whether, for all that is public, an input may have a face; `supplying` is what was found of older mixes.
    fn may_be(&self, input: Input, print: Print, everybody: SeatSet, supplying: &mut FxHashMap<u16, bool>) -> bool {
        if input.known == everybody {
            return input.print == print;
        }
        if let Some(&may) = supplying.get(&input.older) {
            return may;
        }
        let older = self.get(input.older);
        let mut hidden = older.special.iter();
        let may = older.open.contains(&print) || hidden.any(|&input| self.may_be(input, print, everybody, supplying));
        supplying.insert(input.older, may);
        may
    }

    /// Replaces the inputs from older mixes that go into this one whole by what went into those.
    pub(in crate::table) fn flatten(&mut self, mix: &mut Mix, everybody: SeatSet) {
        while let Some(older) = self.whole(mix, everybody) {
            let gone = self.remove(older);
            mix.special.retain(|input| input.older != older);
            mix.open.extend_from_slice(&gone.open);
            mix.special.extend_from_slice(&gone.special);
        }
    }

    /// An older mix of which everything goes into this one, and nobody has seen more of than of what went into it, nor learned
    /// anything of what came out of it.
    fn whole(&self, mix: &Mix, everybody: SeatSet) -> Option<u16> {
        let mut from: SmallVec<[(u16, u32, SeatSet); 8]> = SmallVec::new();
        for input in &mix.special {
            let counted = u32::from(input.tag == 0);
            match from.iter_mut().find(|(older, ..)| *older == input.older) {
                Some((_, count, known)) => {
                    *count += counted;
                    *known |= input.known;
                }
                None => from.push((input.older, counted, input.known)),
            }
        }
        let whole = from.into_iter().find(|&(older, count, known)| {
            let older = self.get(older);
            count == older.outputs && known & !older.special.iter().fold(everybody, |all, input| all & input.known) == 0
        });
        whole.map(|(older, ..)| older)
    }

    /// Some mixes that hang together, if any do.
    pub(in crate::table) fn first_connected(&self) -> Option<Vec<u16>> {
        let (id, _) = self.iter().find(|(_, mix)| !mix.special.is_empty())?;
        Some(self.connected(id))
    }

    /// The mixes that hang together with one, itself included.
    pub(in crate::table) fn connected(&self, id: u16) -> Vec<u16> {
        let mut group: Vec<usize> = (0..self.list.len()).collect();
        for (id, mix) in self.iter() {
            for input in &mix.special {
                let (a, b) = (root(&mut group, id as usize), root(&mut group, input.older as usize));
                group[a] = b;
            }
        }
        let mine = root(&mut group, id as usize);
        let ids: Vec<u16> = self.iter().map(|(id, _)| id).collect();
        ids.into_iter().filter(|&id| root(&mut group, id as usize) == mine).collect()
    }
}

fn root(group: &mut [usize], mut at: usize) -> usize {
    while group[at] != at {
        group[at] = group[group[at]];
        at = group[at];
    }
    at
}
