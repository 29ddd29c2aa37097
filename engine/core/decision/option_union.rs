//! Union of option sets without duplicates.

use super::choice::Choice;
use super::handle_list::HandleList;
use super::options::{MAX_LISTED, OptionSet};
use super::placement::PLACEMENT_PARTS;
use crate::model::{PieceId, SpaceId};
use arcstr::ArcStr;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::hash::Hash;
use std::mem::discriminant;

impl OptionSet {
    /// Returns the options of `self` followed by the options of `other`, without duplicates.
    pub(crate) fn union(&self, other: &Self) -> Self {
        let parts = |set: &Self| match set {
            Self::Union(sets) => sets.to_vec(),
            other => vec![other.clone()],
        };
        let mut sets = parts(self);
        for set in parts(other) {
            if set.len() <= MAX_LISTED {
                sets.push(subtract_listed(&set, self));
                continue;
            }
            // Single options cannot be removed from a set that is too large to list. Instead, its options are removed from the smaller sets
            // before it.
            let mut left = vec![set];
            for earlier in &mut sets {
                if earlier.len() <= MAX_LISTED {
                    for set in &left {
                        *earlier = subtract_listed(earlier, set);
                    }
                } else {
                    left = left.iter().flat_map(|set| subtract_large(set, earlier)).collect();
                }
            }
            sets.append(&mut left);
        }
        sets.retain(|set| !set.is_empty());
        if let [set] = &sets[..] { set.clone() } else { Self::Union(sets.into()) }
    }
}

/// Returns a large set without the options of `other`, as a list of disjoint sets. Handles ranges, products and unions. Returns any other
/// set unchanged.
fn subtract_large(set: &OptionSet, other: &OptionSet) -> Vec<OptionSet> {
    match (set, other) {
        _ if !intersects(set, other) => vec![set.clone()],
        (OptionSet::Numbers(low, high), OptionSet::Numbers(from, to)) => {
            let (before, behind) = (from.checked_sub(1), to.checked_add(1));
            let before = before.map(|end| OptionSet::Numbers(*low, end.min(*high)));
            let behind = behind.map(|begin| OptionSet::Numbers(begin.max(*low), *high));
            before.into_iter().chain(behind).filter(|set| !set.is_empty()).collect()
        }
        (OptionSet::Product(parts), OptionSet::Product(others)) => {
            // Partition by the first part in which an option differs from all options of `other`.
            let mut found = Vec::new();
            let mut same: Vec<(ArcStr, OptionSet)> = Vec::new();
            for (at, (name, part)) in parts.iter().enumerate() {
                let Some((_, other)) = others.iter().find(|(known, _)| known == name) else { return vec![set.clone()] };
                for own in subtract_part(part, other) {
                    let rest = parts[at + 1..].iter().cloned();
                    let all = same.iter().cloned().chain([(name.clone(), own)]).chain(rest);
                    found.push(OptionSet::Product(all.collect()));
                }
                same.push((name.clone(), intersection(part, other)));
            }
            found
        }
        (OptionSet::Union(sets), other) => sets.iter().flat_map(|set| subtract_large(set, other)).collect(),
        (set, OptionSet::Union(sets)) => sets
            .iter()
            .fold(vec![set.clone()], |left, other| left.iter().flat_map(|set| subtract_large(set, other)).collect()),
        _ => vec![set.clone()],
    }
}

/// Returns the values of `part` that `other` does not contain, as a list of sets.
fn subtract_part(part: &OptionSet, other: &OptionSet) -> Vec<OptionSet> {
    if part.len() > MAX_LISTED {
        return subtract_large(part, other);
    }
    Some(subtract_listed(part, other)).filter(|left| !left.is_empty()).into_iter().collect()
}

/// Returns the values that `part` and `other` have in common. Returns `part` if both are too large to list and are not ranges.
fn intersection(part: &OptionSet, other: &OptionSet) -> OptionSet {
    match (part, other) {
        (OptionSet::Numbers(low, high), OptionSet::Numbers(from, to)) => {
            OptionSet::Numbers(*low.max(from), *high.min(to))
        }
        _ if part.len() <= MAX_LISTED => {
            let known = OptionIndex::new(other);
            OptionSet::List(part.iter().filter(|option| known.has(option)).collect())
        }
        _ if other.len() <= MAX_LISTED => intersection(other, part),
        _ => part.clone(),
    }
}

/// Returns a set without the options of `earlier`. Returns a set that is too large to list unchanged.
fn subtract_listed(set: &OptionSet, earlier: &OptionSet) -> OptionSet {
    if set.len() > MAX_LISTED || !intersects(set, earlier) {
        return set.clone();
    }
    let known = OptionIndex::new(earlier);
    OptionSet::List(set.iter().filter(|option| !known.has(option)).collect::<Vec<_>>().into())
}

/// Returns whether two sets have an option in common.
fn intersects(one: &OptionSet, other: &OptionSet) -> bool {
    match (one, other) {
        (OptionSet::Union(sets), other) | (other, OptionSet::Union(sets)) => {
            sets.iter().any(|set| intersects(set, other))
        }
        (OptionSet::Numbers(low, high), OptionSet::Numbers(from, to)) => low.max(from) <= high.min(to),
        (OptionSet::Pieces(a), OptionSet::Pieces(b)) => slices_intersect(a, b),
        (OptionSet::Spaces(a), OptionSet::Spaces(b)) => slices_intersect(a, b),
        (OptionSet::Zones(a), OptionSet::Zones(b)) => slices_intersect(a, b),
        (OptionSet::Components(a), OptionSet::Components(b)) => slices_intersect(a, b),
        (OptionSet::Seats(a), OptionSet::Seats(b)) => slices_intersect(a, b),
        (OptionSet::List(a), OptionSet::List(b)) => slices_intersect(a, b),
        (OptionSet::Placements(a), OptionSet::Placements(b)) => a.intersects(b),
        _ if !may_intersect(one, other) => false,
        (OptionSet::Rows(a), OptionSet::Rows(b)) if let Some(is_shared) = rows_intersect(a, b) => is_shared,
        (OptionSet::Product(a), OptionSet::Product(b)) => {
            a.iter().zip(b.iter()).all(|((_, a), (_, b))| intersects(a, b))
        }
        _ => {
            let (fewer, more) = if one.len() < other.len() { (one, other) } else { (other, one) };
            // An option without named parts cannot be in a set whose options all have named parts.
            let is_candidate = |option: &Choice| !has_named_parts(more) || matches!(option, Choice::Parts(_));
            let mut asked = fewer.iter().filter(is_candidate).peekable();
            asked.peek().is_some() && {
                let known = OptionIndex::new(more);
                asked.any(|option| known.has(&option))
            }
        }
    }
}

/// Number of bits of the Bloom filter for moves.
const FILTER_BITS: usize = 1024;

/// Maximum number of moves in the Bloom filter. With more moves, too many of its bits would be set.
const MAX_FILTERED: usize = FILTER_BITS / 4;

/// Returns whether two sets of rows have a row in common. Returns `None` unless the rows of both are moves of pieces to spaces.
///
/// Most pairs of sets have no row in common, and a Bloom filter shows this for nearly every row.
fn rows_intersect(one: &[(ArcStr, OptionSet)], other: &[(ArcStr, OptionSet)]) -> Option<bool> {
    fn columns(columns: &[(ArcStr, OptionSet)]) -> Option<(&[PieceId], &[SpaceId])> {
        match columns {
            [(_, OptionSet::Pieces(pieces)), (_, OptionSet::Spaces(spaces))] => Some((pieces, spaces)),
            _ => None,
        }
    }
    fn moves<'c>((pieces, spaces): (&'c [PieceId], &'c [SpaceId])) -> impl Iterator<Item = (PieceId, SpaceId)> + 'c {
        pieces.iter().copied().zip(spaces.iter().copied())
    }
    let (one, other) = (columns(one)?, columns(other)?);
    if other.0.len() > MAX_FILTERED {
        let listed = |set| moves(set).collect::<Vec<_>>();
        return Some(slices_intersect(&listed(one), &listed(other)));
    }
    let bit = |(piece, space): (PieceId, SpaceId)| {
        let bit = usize::from(piece.0.wrapping_mul(37).wrapping_add(space.0)) % FILTER_BITS;
        (bit / 64, 1_u64 << (bit % 64))
    };
    let mut filter = [0; FILTER_BITS / 64];
    for (word, bit) in moves(other).map(bit) {
        filter[word] |= bit;
    }
    let is_shared = |step: (PieceId, SpaceId)| {
        let (word, bit) = bit(step);
        filter[word] & bit != 0 && moves(other).any(|known| known == step)
    };
    Some(moves(one).any(is_shared))
}

/// Returns whether two slices have an element in common.
fn slices_intersect<T: Eq + Hash>(one: &[T], other: &[T]) -> bool {
    let (fewer, more) = if one.len() < other.len() { (one, other) } else { (other, one) };
    if fewer.len() * more.len() <= 2 * MAX_PAIRWISE {
        return fewer.iter().any(|thing| more.contains(thing));
    }
    let known: FxHashSet<&T> = more.iter().collect();
    fewer.iter().any(|thing| known.contains(thing))
}

/// Removes duplicates from a list of handles. Most lists are strictly ascending, and are returned without copying.
pub(crate) fn dedup_handles<T: Copy + Ord + Hash>(things: &HandleList<T>) -> HandleList<T> {
    let is_rising = things.windows(2).all(|pair| pair[0] < pair[1]);
    if is_rising { things.clone() } else { dedup(things.to_vec()).into() }
}

/// Removes duplicates from a list. Keeps the first occurrence of each element, in order.
pub(crate) fn dedup<T: Clone + Eq + Hash>(mut list: Vec<T>) -> Vec<T> {
    if list.len() > MAX_PAIRWISE {
        let mut seen = FxHashSet::default();
        list.retain(|thing| seen.insert(thing.clone()));
        return list;
    }
    let mut kept = 0;
    for at in 0..list.len() {
        if !list[..kept].contains(&list[at]) {
            list.swap(kept, at);
            kept += 1;
        }
    }
    list.truncate(kept);
    list
}

/// Maximum length of a list whose elements are compared pairwise. Longer lists use a hash set.
const MAX_PAIRWISE: usize = 32;

/// Returns whether two sets contain options of the same kind. This is a cheap necessary condition for a common option.
fn may_intersect(one: &OptionSet, other: &OptionSet) -> bool {
    match (one, other) {
        (OptionSet::List(_), _) | (_, OptionSet::List(_)) => true,
        _ if has_named_parts(one) && has_named_parts(other) => part_names(one) == part_names(other),
        _ => discriminant(one) == discriminant(other),
    }
}

fn has_named_parts(set: &OptionSet) -> bool {
    matches!(set, OptionSet::Product(_) | OptionSet::Rows(_) | OptionSet::Placements(_))
}

/// Returns the sorted names of the parts that every option of a set has.
fn part_names(set: &OptionSet) -> SmallVec<[&str; 4]> {
    let mut names: SmallVec<[&str; 4]> = match set {
        OptionSet::Product(parts) | OptionSet::Rows(parts) => parts.iter().map(|(name, _)| &**name).collect(),
        OptionSet::Placements(_) => PLACEMENT_PARTS.into_iter().collect(),
        _ => SmallVec::new(),
    };
    names.sort_unstable();
    names
}

/// Index of a set for many membership tests.
enum OptionIndex<'a> {
    Numbers(i64, i64),
    Listed(FxHashSet<Choice>),
    Parts(Vec<(&'a str, Self)>),
    Any(Vec<Self>),
}

impl<'a> OptionIndex<'a> {
    fn new(set: &'a OptionSet) -> Self {
        match set {
            OptionSet::Numbers(low, high) => Self::Numbers(*low, *high),
            OptionSet::Product(parts) => {
                Self::Parts(parts.iter().map(|(name, part)| (&**name, Self::new(part))).collect())
            }
            OptionSet::Union(sets) => Self::Any(sets.iter().map(Self::new).collect()),
            listed => Self::Listed(listed.iter().collect()),
        }
    }

    fn has(&self, option: &Choice) -> bool {
        match (self, option) {
            (Self::Numbers(low, high), Choice::Number(number)) => (low..=high).contains(&number),
            (Self::Parts(parts), Choice::Parts(chosen)) => {
                let has = |name, part: &Self| option.part(name).is_some_and(|one| part.has(one));
                parts.len() == chosen.len() && parts.iter().all(|(name, part)| has(name, part))
            }
            (Self::Any(sets), _) => sets.iter().any(|set| set.has(option)),
            (Self::Listed(known), _) => known.contains(option),
            _ => false,
        }
    }
}
