//! Mixes: sets of places with a known multiset of faces. It is not known which face is at which place.

use crate::table::{FaceIdentity, SeatSet};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// Input of a mix that is an output of an older mix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::table) struct Input {
    pub(in crate::table) identity: FaceIdentity,
    /// The seats that knew the face when it went in.
    pub(in crate::table) known: SeatSet,
    /// Id of the older mix that the face came from.
    pub(in crate::table) older: u16,
    /// Tag by which learned conditions refer to the input; 0 if none do.
    pub(in crate::table) tag: u32,
}

/// A mix: input faces and the same number of outputs. Only seats that see the pieces know which face is on which
/// output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::table) struct Mix {
    /// Serial number. It is larger than the serial numbers of the mixes that the inputs come from.
    pub(in crate::table) order: u32,
    /// Known faces of the inputs that do not come out of an older mix. Every seat knows these faces.
    pub(in crate::table) open: Vec<FaceIdentity>,
    /// Inputs that come out of older mixes.
    pub(in crate::table) special: Vec<Input>,
    /// Number of outputs. An output is a piece, or an input of a younger mix.
    pub(in crate::table) outputs: u32,
}

/// The mixes of a table. Clones share them until one of the clones changes them.
#[derive(Debug, Clone, Default)]
pub(in crate::table) struct Mixes {
    list: Arc<Vec<Option<Arc<Mix>>>>,
    orders: u32,
    live: usize,
}

impl Mixes {
    /// Placeholder id for pieces that are in no mix, because every seat knows their faces.
    pub(in crate::table) const NONE: u16 = u16::MAX;

    /// Returns a mix. Panics if there is no mix with this id.
    pub(in crate::table) fn get(&self, id: u16) -> &Mix {
        self.list[id as usize].as_deref().expect("a piece or an input names only mixes that are there")
    }

    /// Returns a mix for changes; copies it first if other tables share it. Panics if there is no mix with this id.
    pub(in crate::table) fn edit(&mut self, id: u16) -> &mut Mix {
        let entry = Arc::make_mut(&mut self.list)[id as usize].as_mut();
        Arc::make_mut(entry.expect("a piece or an input names only mixes that are there"))
    }

    /// Iterates over all mixes with their ids.
    pub(in crate::table) fn iter(&self) -> impl Iterator<Item = (u16, &Mix)> {
        self.list.iter().enumerate().filter_map(|(id, mix)| Some((id as u16, mix.as_deref()?)))
    }

    /// Returns the number of mixes.
    pub(in crate::table) const fn len(&self) -> usize {
        self.live
    }

    /// Returns the number of mixes made so far, including mixes that no longer exist. The number grows when a seat loses track of a piece.
    pub(in crate::table) const fn mix_count(&self) -> u32 {
        self.orders
    }

    /// Returns whether the mixes of two tables share the same memory, which means that neither table has changed them.
    pub(in crate::table) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.list, &other.list)
    }

    /// Adds a mix with the next serial number and returns its id.
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

    /// Removes all tags except `kept` from all mixes and from `made`, a mix under construction.
    pub(in crate::table) fn keep_tags(&mut self, kept: &[u32], made: &mut Mix) {
        let is_gone = |input: &Input| input.tag != 0 && !kept.contains(&input.tag);
        let ids: SmallVec<[u16; 8]> =
            self.iter().filter(|(_, mix)| mix.special.iter().any(is_gone)).map(|(id, _)| id).collect();
        let forget =
            |mix: &mut Mix| mix.special.iter_mut().filter(|input| is_gone(input)).for_each(|input| input.tag = 0);
        ids.into_iter().for_each(|id| forget(self.edit(id)));
        forget(made);
    }

    /// Returns the tags of all inputs of `made`, a mix under construction. Includes the tags of inputs of older mixes that go into `made`
    /// completely.
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

    /// Removes the input that has the face `identity`, which everybody knows, from a mix. Returns the older mix that the input came from
    /// ([`Mixes::NONE`] if there is none) and the tag of the input.
    ///
    /// Removes nothing and returns `None` if some seat can distinguish several inputs that may have this face.
    pub(in crate::table) fn take(&mut self, id: u16, identity: FaceIdentity, everybody: SeatSet) -> Option<(u16, u32)> {
        let mix = self.get(id);
        if let Some(index) = mix.open.iter().position(|&open| open == identity) {
            self.edit(id).open.swap_remove(index);
            self.drop_output(id);
            return Some((Self::NONE, 0));
        }
        let index = self.the_only_input(mix, identity, everybody)?;
        let input = self.edit(id).special.swap_remove(index);
        self.drop_output(id);
        Some((input.older, input.tag))
    }

    /// Returns the index of an input that has the given face, if no seat can distinguish this input from other inputs that may have the
    /// face.
    fn the_only_input(&self, mix: &Mix, identity: FaceIdentity, everybody: SeatSet) -> Option<usize> {
        let mut found: Option<Input> = None;
        let mut index = None;
        let mut supplying = FxHashMap::default();
        for (at, &input) in mix.special.iter().enumerate() {
            if !self.may_be(input, identity, everybody, &mut supplying) {
                continue;
            }
            // A learned condition distinguishes its inputs from others.
            let is_unlike = |found: Input| {
                found.older != input.older || found.known != input.known || found.tag != 0 || input.tag != 0
            };
            if found.is_some_and(is_unlike) {
                return None;
            }
            found = Some(input);
            if input.identity == identity {
                index = Some(at);
            }
        }
        index
    }

    /// Returns whether an input may have a face, judged by public facts. `supplying` caches the answers for older mixes.
    fn may_be(
        &self,
        input: Input,
        identity: FaceIdentity,
        everybody: SeatSet,
        supplying: &mut FxHashMap<u16, bool>,
    ) -> bool {
        if input.known == everybody {
            return input.identity == identity;
        }
        if let Some(&may) = supplying.get(&input.older) {
            return may;
        }
        let older = self.get(input.older);
        let mut hidden = older.special.iter();
        let may =
            older.open.contains(&identity) || hidden.any(|&input| self.may_be(input, identity, everybody, supplying));
        supplying.insert(input.older, may);
        may
    }

    /// Dissolves older mixes whose outputs all go into this mix (see [`Self::whole`]). The inputs of such a mix become inputs of this mix.
    pub(in crate::table) fn flatten(&mut self, mix: &mut Mix, everybody: SeatSet) {
        while let Some(older) = self.whole(mix, everybody) {
            let gone = self.remove(older);
            mix.special.retain(|input| input.older != older);
            mix.open.extend_from_slice(&gone.open);
            mix.special.extend_from_slice(&gone.special);
        }
    }

    /// Finds an older mix whose outputs all go into this mix. No seat may know more of its outputs than of its inputs,
    /// and no condition may be about its outputs.
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

    /// Returns a group of connected mixes, if there is any.
    pub(in crate::table) fn first_connected(&self) -> Option<Vec<u16>> {
        let (id, _) = self.iter().find(|(_, mix)| !mix.special.is_empty())?;
        Some(self.connected(id))
    }

    /// Returns the mixes connected with a mix, including that mix.
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
