//! Options that two sets have in common: the seat that is asked sees them once.

use super::choice::Choice;
use super::options::{MOST_LISTED, OptionSet};
use super::placement::PLACEMENT_PARTS;
use super::several::Several;
use arcstr::ArcStr;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::hash::Hash;
use std::mem::discriminant;

impl OptionSet {
    /// The options of one set and then those of the other, each once.
    pub(crate) fn joined(&self, other: &Self) -> Self {
        let parts = |set: &Self| match set {
            Self::Union(sets) => sets.to_vec(),
            other => vec![other.clone()],
        };
        let mut sets = parts(self);
        for set in parts(other) {
            if set.len() <= MOST_LISTED {
                sets.push(without(&set, self));
                continue;
            }
            // Of a set that cannot be listed nothing is left out one by one: what it has of small sets these lose.
            let mut left = vec![set];
            for earlier in &mut sets {
                if earlier.len() <= MOST_LISTED {
                    for set in &left {
                        *earlier = without(earlier, set);
                    }
                } else {
                    left = left.iter().flat_map(|set| minus(set, earlier)).collect();
                }
            }
            sets.append(&mut left);
        }
        sets.retain(|set| !set.is_empty());
        if let [set] = &sets[..] { set.clone() } else { Self::Union(sets.into()) }
    }
}

/// A large set without the options of another, as sets that have none in common: of numbers and of products.
fn minus(set: &OptionSet, other: &OptionSet) -> Vec<OptionSet> {
    match (set, other) {
        _ if !share(set, other) => vec![set.clone()],
        (OptionSet::Numbers(low, high), OptionSet::Numbers(from, to)) => {
            let (before, behind) = (from.checked_sub(1), to.checked_add(1));
            let before = before.map(|end| OptionSet::Numbers(*low, end.min(*high)));
            let behind = behind.map(|begin| OptionSet::Numbers(begin.max(*low), *high));
            before.into_iter().chain(behind).filter(|set| !set.is_empty()).collect()
        }
        (OptionSet::Product(parts), OptionSet::Product(others)) => {
            // Options that differ from all of the others first in one part, for each of the parts.
            let mut found = Vec::new();
            let mut same: Vec<(ArcStr, OptionSet)> = Vec::new();
            for (at, (name, part)) in parts.iter().enumerate() {
                let Some((_, other)) = others.iter().find(|(known, _)| known == name) else { return vec![set.clone()] };
                for own in minus_part(part, other) {
                    let rest = parts[at + 1..].iter().cloned();
                    let all = same.iter().cloned().chain([(name.clone(), own)]).chain(rest);
                    found.push(OptionSet::Product(all.collect()));
                }
                same.push((name.clone(), common(part, other)));
            }
            found
        }
        (OptionSet::Union(sets), other) => sets.iter().flat_map(|set| minus(set, other)).collect(),
        (set, OptionSet::Union(sets)) => {
            sets.iter().fold(vec![set.clone()], |left, other| left.iter().flat_map(|set| minus(set, other)).collect())
        }
        _ => vec![set.clone()],
    }
}

/// What one part has and another has not.
fn minus_part(part: &OptionSet, other: &OptionSet) -> Vec<OptionSet> {
    if part.len() > MOST_LISTED {
        return minus(part, other);
    }
    Some(without(part, other)).filter(|left| !left.is_empty()).into_iter().collect()
}

/// What two parts both have.
fn common(part: &OptionSet, other: &OptionSet) -> OptionSet {
    match (part, other) {
        (OptionSet::Numbers(low, high), OptionSet::Numbers(from, to)) => {
            OptionSet::Numbers(*low.max(from), *high.min(to))
        }
        _ if part.len() <= MOST_LISTED => {
            let known = OptionIndex::of(other);
            OptionSet::List(part.iter().filter(|option| known.has(option)).collect())
        }
        _ if other.len() <= MOST_LISTED => common(other, part),
        _ => part.clone(),
    }
}

/// A set without the options that an earlier one has. One with more than can be listed stays as it is.
fn without(set: &OptionSet, earlier: &OptionSet) -> OptionSet {
    if set.len() > MOST_LISTED || !share(set, earlier) {
        return set.clone();
    }
    let known = OptionIndex::of(earlier);
    OptionSet::List(set.iter().filter(|option| !known.has(option)).collect::<Vec<_>>().into())
}

/// Whether an option of one set is one of the other.
fn share(one: &OptionSet, other: &OptionSet) -> bool {
    match (one, other) {
        (OptionSet::Union(sets), other) | (other, OptionSet::Union(sets)) => sets.iter().any(|set| share(set, other)),
        (OptionSet::Numbers(low, high), OptionSet::Numbers(from, to)) => low.max(from) <= high.min(to),
        (OptionSet::Pieces(a), OptionSet::Pieces(b)) => meet(a, b),
        (OptionSet::Spaces(a), OptionSet::Spaces(b)) => meet(a, b),
        (OptionSet::Zones(a), OptionSet::Zones(b)) => meet(a, b),
        (OptionSet::Components(a), OptionSet::Components(b)) => meet(a, b),
        (OptionSet::Seats(a), OptionSet::Seats(b)) => meet(a, b),
        (OptionSet::List(a), OptionSet::List(b)) => meet(a, b),
        (OptionSet::Placements(a), OptionSet::Placements(b)) => a.shares(b),
        _ if !may_share(one, other) => false,
        (OptionSet::Rows(a), OptionSet::Rows(b)) if let Some(is_shared) = rows_meet(a, b) => is_shared,
        (OptionSet::Product(a), OptionSet::Product(b)) => a.iter().zip(b.iter()).all(|((_, a), (_, b))| share(a, b)),
        _ => {
            let (fewer, more) = if one.len() < other.len() { (one, other) } else { (other, one) };
            // What has no parts is none of those that have.
            let is_of_sort = |option: &Choice| !is_with_parts(more) || matches!(option, Choice::Parts(_));
            let mut asked = fewer.iter().filter(is_of_sort).peekable();
            asked.peek().is_some() && {
                let known = OptionIndex::of(more);
                asked.any(|option| known.has(&option))
            }
        }
    }
}

/// Whether pieces that go to spaces have a move in common; nothing where the columns are others.
fn rows_meet(one: &[(ArcStr, OptionSet)], other: &[(ArcStr, OptionSet)]) -> Option<bool> {
    let moves = |columns: &[(ArcStr, OptionSet)]| match columns {
        [(_, OptionSet::Pieces(pieces)), (_, OptionSet::Spaces(spaces))] => {
            Some(pieces.iter().copied().zip(spaces.iter().copied()).collect::<SmallVec<[_; FEW]>>())
        }
        _ => None,
    };
    Some(meet(&moves(one)?, &moves(other)?))
}

/// Whether two lists have something in common.
fn meet<T: Eq + Hash>(one: &[T], other: &[T]) -> bool {
    let (fewer, more) = if one.len() < other.len() { (one, other) } else { (other, one) };
    if fewer.len() * more.len() <= 2 * FEW {
        return fewer.iter().any(|thing| more.contains(thing));
    }
    let known: FxHashSet<&T> = more.iter().collect();
    fewer.iter().any(|thing| known.contains(thing))
}

/// The things of a set, each once; most sets are in their order, and have each once.
pub(crate) fn once_of<T: Copy + Ord + Hash>(things: &Several<T>) -> Several<T> {
    let is_rising = things.windows(2).all(|pair| pair[0] < pair[1]);
    if is_rising { things.clone() } else { once(things.to_vec()).into() }
}

/// The things of a list, each once.
pub(crate) fn once<T: Clone + Eq + Hash>(mut list: Vec<T>) -> Vec<T> {
    if list.len() > FEW {
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

/// Up to so many things are compared one by one, and more by what they hash to.
const FEW: usize = 32;

/// Whether the options of two sets are of one sort.
fn may_share(one: &OptionSet, other: &OptionSet) -> bool {
    match (one, other) {
        (OptionSet::List(_), _) | (_, OptionSet::List(_)) => true,
        _ if is_with_parts(one) && is_with_parts(other) => part_names(one) == part_names(other),
        _ => discriminant(one) == discriminant(other),
    }
}

fn is_with_parts(set: &OptionSet) -> bool {
    matches!(set, OptionSet::Product(_) | OptionSet::Rows(_) | OptionSet::Placements(_))
}

/// The names of the parts that every option of a set has, sorted.
fn part_names(set: &OptionSet) -> SmallVec<[&str; 4]> {
    let mut names: SmallVec<[&str; 4]> = match set {
        OptionSet::Product(parts) | OptionSet::Rows(parts) => parts.iter().map(|(name, _)| &**name).collect(),
        OptionSet::Placements(_) => PLACEMENT_PARTS.into_iter().collect(),
        _ => SmallVec::new(),
    };
    names.sort_unstable();
    names
}

/// The options of a set, to ask for many.
enum OptionIndex<'a> {
    Numbers(i64, i64),
    Listed(FxHashSet<Choice>),
    Parts(Vec<(&'a str, Self)>),
    Any(Vec<Self>),
}

impl<'a> OptionIndex<'a> {
    fn of(set: &'a OptionSet) -> Self {
        match set {
            OptionSet::Numbers(low, high) => Self::Numbers(*low, *high),
            OptionSet::Product(parts) => {
                Self::Parts(parts.iter().map(|(name, part)| (&**name, Self::of(part))).collect())
            }
            OptionSet::Union(sets) => Self::Any(sets.iter().map(Self::of).collect()),
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
