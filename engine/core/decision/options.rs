//! Sets of options, stored without a script value for each option.

use super::choice::Choice;
use super::handle_list::HandleList;
use super::placement::{placement_of, placement_parts};
use crate::model::{ComponentId, PieceId, Seat, SpaceId, ZoneId};
use crate::table::Placements;
use arcstr::ArcStr;
use smallvec::SmallVec;
use std::sync::Arc;

/// The options of a decision. Positions count from 0. Large products are never expanded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionSet {
    /// Pieces.
    Pieces(HandleList<PieceId>),
    /// Spaces.
    Spaces(HandleList<SpaceId>),
    /// Zones.
    Zones(HandleList<ZoneId>),
    /// Components.
    Components(HandleList<ComponentId>),
    /// Seats.
    Seats(HandleList<Seat>),
    /// Integers from the first to the second, both inclusive.
    Numbers(i64, i64),
    /// Explicit list of options.
    List(Arc<[Choice]>),
    /// Table with named columns of equal length. Each row is an option with a named part for each column.
    Rows(Arc<[(ArcStr, OptionSet)]>),
    /// Placements of pieces on a grid.
    Placements(Arc<Placements>),
    /// Cartesian product of named parts. The last part varies fastest.
    Product(Arc<[(ArcStr, OptionSet)]>),
    /// Concatenation of sets.
    Union(Arc<[OptionSet]>),
}

/// Maximum number of options of a decision. Positions are stored in 64 bits.
pub(crate) const MAX_OPTIONS: u64 = 1 << 62;

/// Maximum number of options that are stored explicitly.
pub(crate) const MAX_LISTED: usize = 100_000;

/// Estimated number of bytes of a list entry or option, including 16 bytes of a text. The estimate is the same on every machine.
pub(crate) const ENTRY_BYTES: usize = 48;

/// Maximum nesting depth of option sets.
const MAX_DEPTH: usize = 8;

impl OptionSet {
    /// Returns the empty set.
    pub fn none() -> Self {
        Self::List(Arc::new([]))
    }

    /// Returns a set with one option.
    pub fn one(choice: Choice) -> Self {
        Self::List(Arc::new([choice]))
    }

    /// Returns the number of options.
    pub fn len(&self) -> usize {
        match self {
            Self::Pieces(items) => items.len(),
            Self::Spaces(items) => items.len(),
            Self::Zones(items) => items.len(),
            Self::Components(items) => items.len(),
            Self::Seats(items) => items.len(),
            Self::Numbers(low, high) if low > high => 0,
            Self::Numbers(low, high) => {
                usize::try_from(high.saturating_sub(*low).saturating_add(1)).unwrap_or(usize::MAX)
            }
            Self::List(items) => items.len(),
            Self::Rows(columns) => columns.first().map_or(0, |(_, column)| column.len()),
            Self::Placements(placements) => placements.len(),
            Self::Product(parts) => {
                parts.iter().map(|(_, part)| part.len()).fold(1, |all: usize, part| all.saturating_mul(part))
            }
            Self::Union(sets) => sets.iter().map(Self::len).fold(0, |all: usize, set| all.saturating_add(set)),
        }
    }

    /// Returns the memory use, measured in explicitly stored options.
    pub(crate) fn weight(&self) -> usize {
        match self {
            Self::Product(parts) => parts.iter().map(|(_, part)| part.weight()).sum::<usize>() + 1,
            Self::Union(sets) => sets.iter().map(Self::weight).sum::<usize>() + 1,
            Self::Numbers(..) => 1,
            listed => listed.len(),
        }
    }

    /// Returns the memory use of the texts of the options, with one for each 16 bytes.
    pub(crate) fn text_weight(&self) -> usize {
        match self {
            Self::List(items) => items.iter().map(Choice::text_weight).sum(),
            Self::Rows(parts) | Self::Product(parts) => parts.iter().map(|(_, part)| part.text_weight()).sum(),
            Self::Union(sets) => sets.iter().map(Self::text_weight).sum(),
            _ => 0,
        }
    }

    /// Estimates the number of bytes that the set takes, including its texts.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::List(items) => items.iter().map(|item| item.weight() * ENTRY_BYTES).sum(),
            Self::Rows(parts) | Self::Product(parts) => parts.iter().map(|(_, part)| ENTRY_BYTES + part.size()).sum(),
            Self::Union(sets) => sets.iter().map(|set| ENTRY_BYTES + set.size()).sum(),
            handles => handles.weight() * 4,
        }
    }

    /// Returns the nesting depth.
    fn depth(&self) -> usize {
        match self {
            Self::Product(parts) => 1 + parts.iter().map(|(_, part)| part.depth()).max().unwrap_or(0),
            Self::Union(sets) => 1 + sets.iter().map(Self::depth).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// Returns whether the set is within the limits on depth, memory and number of options.
    pub(crate) fn is_within_limits(&self) -> bool {
        self.depth() <= MAX_DEPTH && self.weight() <= MAX_LISTED && self.len() as u64 <= MAX_OPTIONS
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the option at position `at`.
    ///
    /// # Panics
    /// Panics if `at` is not less than [`len`](Self::len).
    pub fn get(&self, at: usize) -> Choice {
        match self {
            Self::Pieces(items) => Choice::Piece(items[at]),
            Self::Spaces(items) => Choice::Space(items[at]),
            Self::Zones(items) => Choice::Zone(items[at]),
            Self::Components(items) => Choice::Component(items[at]),
            Self::Seats(items) => Choice::Seat(items[at]),
            Self::Numbers(low, _) => Choice::Number(low + at as i64),
            Self::List(items) => items[at].clone(),
            Self::Rows(columns) => row_at(columns, at),
            Self::Placements(placements) => placement_parts(placements.get(at)),
            Self::Product(parts) => combination_at(parts, at),
            Self::Union(sets) => {
                let mut at = at;
                for set in sets.iter() {
                    if at < set.len() {
                        return set.get(at);
                    }
                    at -= set.len();
                }
                panic!("an option set has {} options", self.len())
            }
        }
    }

    /// Returns whether `wanted` is the option at position `at`.
    fn is_at(&self, at: usize, wanted: &Choice) -> bool {
        match (self, wanted) {
            (Self::Pieces(items), Choice::Piece(piece)) => items[at] == *piece,
            (Self::Spaces(items), Choice::Space(space)) => items[at] == *space,
            (Self::List(items), _) => items[at] == *wanted,
            _ => self.get(at) == *wanted,
        }
    }

    /// Returns the set of the options at the given positions, in that order.
    pub(crate) fn select(&self, at: &[usize]) -> Self {
        fn select_items<T: Copy>(items: &[T], at: &[usize]) -> HandleList<T> {
            at.iter().map(|at| items[*at]).collect()
        }
        match self {
            Self::Pieces(items) => Self::Pieces(select_items(items, at)),
            Self::Spaces(items) => Self::Spaces(select_items(items, at)),
            Self::Rows(columns) => {
                Self::Rows(columns.iter().map(|(name, column)| (name.clone(), column.select(at))).collect())
            }
            all => Self::List(at.iter().map(|at| all.get(*at)).collect()),
        }
    }

    /// Iterates over all options in order.
    pub fn iter(&self) -> impl Iterator<Item = Choice> + '_ {
        (0..self.len()).map(|at| self.get(at))
    }

    /// Returns the position of an option, or `None` if it is not in the set.
    pub fn position(&self, wanted: &Choice) -> Option<usize> {
        match (self, wanted) {
            (Self::Pieces(items), Choice::Piece(piece)) => items.iter().position(|item| item == piece),
            (Self::Spaces(items), Choice::Space(space)) => items.iter().position(|item| item == space),
            (Self::Zones(items), Choice::Zone(zone)) => items.iter().position(|item| item == zone),
            (Self::Components(items), Choice::Component(component)) => items.iter().position(|item| item == component),
            (Self::Seats(items), Choice::Seat(seat)) => items.iter().position(|item| item == seat),
            (Self::Numbers(low, high), Choice::Number(number)) => {
                (low..=high).contains(&number).then(|| (number - low) as usize)
            }
            (Self::List(items), _) => items.iter().position(|item| item == wanted),
            (Self::Rows(columns), Choice::Parts(parts)) => {
                (parts.len() == columns.len()).then_some(())?;
                (0..self.len()).find(|at| {
                    columns.iter().all(|(name, column)| wanted.part(name).is_some_and(|part| column.is_at(*at, part)))
                })
            }
            (Self::Placements(placements), _) => placements.position(&placement_of(wanted)?),
            (Self::Product(parts), Choice::Parts(_)) => position_in_product(parts, wanted),
            (Self::Union(sets), _) => {
                let mut before = 0;
                for set in sets.iter() {
                    if let Some(at) = set.position(wanted) {
                        return Some(before + at);
                    }
                    before += set.len();
                }
                None
            }
            _ => None,
        }
    }

    /// Returns the position of the first option with the same code as `wanted`. In a range, only the number itself matches. Products are
    /// searched part by part, not expanded.
    pub(crate) fn position_like(&self, wanted: &Choice, code: &dyn Fn(&Choice) -> u64) -> Option<usize> {
        match (self, wanted) {
            (Self::Product(parts), Choice::Parts(values)) => {
                (parts.len() == values.len()).then_some(())?;
                let place = |at: usize, (name, part): &(ArcStr, Self)| {
                    Some(at * part.len() + part.position_like(wanted.part(name)?, code)?)
                };
                parts.iter().try_fold(0, place)
            }
            (Self::Union(sets), _) => {
                let before = sets.iter().scan(0, |sum, set| Some(std::mem::replace(sum, *sum + set.len())));
                let found = |(set, before): (&Self, usize)| Some(before + set.position_like(wanted, code)?);
                sets.iter().zip(before).find_map(found)
            }
            (Self::Product(_) | Self::Numbers(..), _) => self.position(wanted),
            (listed, _) => {
                let wanted = code(wanted);
                listed.iter().position(|option| code(&option) == wanted)
            }
        }
    }
}

/// Returns the row at position `at` as named parts, sorted by name.
fn row_at(columns: &[(ArcStr, OptionSet)], at: usize) -> Choice {
    let mut parts: SmallVec<[(ArcStr, Choice); 2]> =
        columns.iter().map(|(name, column)| (name.clone(), column.get(at))).collect();
    parts.sort_by(|a, b| a.0.cmp(&b.0));
    Choice::Parts(parts.into_iter().collect())
}

/// Returns the combination at position `at` of a product.
fn combination_at(parts: &[(ArcStr, OptionSet)], at: usize) -> Choice {
    let mut at = at;
    let mut chosen: Vec<(ArcStr, Choice)> = Vec::with_capacity(parts.len());
    for (name, part) in parts.iter().rev() {
        chosen.push((name.clone(), part.get(at % part.len())));
        at /= part.len();
    }
    chosen.sort_by(|a, b| a.0.cmp(&b.0));
    Choice::Parts(chosen.into())
}

/// Returns the position of a combination in a product. Returns `None` if the product does not contain it.
fn position_in_product(parts: &[(ArcStr, OptionSet)], wanted: &Choice) -> Option<usize> {
    let mut at = 0;
    for (name, part) in parts {
        at = at * part.len() + part.position(wanted.part(name)?)?;
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers() -> OptionSet {
        OptionSet::Product(Arc::new([
            ("up".into(), OptionSet::Numbers(1, 2)),
            ("lot".into(), OptionSet::Numbers(3, 5)),
        ]))
    }

    #[test]
    fn position_inverts_get_on_products() {
        let set = OptionSet::Union(Arc::new([numbers(), OptionSet::one(Choice::Nothing)]));
        assert_eq!(set.len(), 7);
        for (at, option) in set.iter().enumerate() {
            assert_eq!(set.position(&option), Some(at));
        }
    }

    #[test]
    fn a_union_contains_common_options_once() {
        let part = |name: &str, set: OptionSet| (ArcStr::from(name), set);
        let pairs = OptionSet::Rows([part("up", numbers_of([2, 2, 3])), part("lot", numbers_of([5, 6, 3]))].into());
        let large =
            OptionSet::Product([part("up", OptionSet::Numbers(2, 3)), part("lot", OptionSet::Numbers(4, 5))].into());
        let listed = OptionSet::List(numbers().iter().take(2).chain([Choice::Number(1)]).collect());
        let other =
            OptionSet::Product([part("up", OptionSet::Numbers(1, 2)), part("by", OptionSet::Numbers(3, 5))].into());
        for (set, new) in [(numbers(), 0), (pairs, 2), (large, 2), (listed, 1), (other, 6)] {
            let both = numbers().union(&set);
            let all: Vec<Choice> = both.iter().collect();
            assert_eq!(all.len(), 6 + new, "{set:?}");
            assert_eq!(both.len(), all.len());
            for (at, option) in all.iter().enumerate() {
                assert_eq!(both.position(option), Some(at));
            }
        }
    }

    #[test]
    fn a_union_of_sets_too_large_to_list_contains_common_options_once() {
        let product = |low: i64, high: i64| {
            let part = |name: &str| (ArcStr::from(name), OptionSet::Numbers(low, high));
            OptionSet::Product(Arc::new([part("x"), part("y"), part("z")]))
        };
        // Each part has 100 values, and the two ranges have 50 of them in common: 2 * 100^3 - 50^3.
        let both = product(1, 100).union(&product(51, 150));
        assert_eq!(both.len(), 2 * 1_000_000 - 125_000);
        for at in (0..both.len()).step_by(9_973) {
            assert_eq!(both.position(&both.get(at)), Some(at));
        }
        let numbers = OptionSet::Numbers(0, 1 << 40).union(&OptionSet::Numbers(-5, 1 << 41));
        assert_eq!(numbers.len(), (1 << 41) + 6);
        let few = OptionSet::List([Choice::Number(7), Choice::Number(-7)].into());
        assert_eq!(few.union(&OptionSet::Numbers(0, 1 << 40)).len(), (1 << 40) + 2);
    }

    fn numbers_of<const N: usize>(numbers: [i64; N]) -> OptionSet {
        OptionSet::List(numbers.into_iter().map(Choice::Number).collect())
    }

    #[test]
    fn an_option_with_equal_code_is_found_part_by_part() {
        // Numbers have equal codes if both are even or both are odd.
        let code = |choice: &Choice| if let Choice::Number(number) = choice { *number as u64 % 2 } else { 9 };
        let listed = || numbers_of([2, 3, 5]);
        let part = |name: &str, set: OptionSet| (ArcStr::from(name), set);
        let parts = (0..30).map(|at| part(&format!("p{at:02}"), listed())).collect();
        let product = OptionSet::Union(Arc::new([numbers(), OptionSet::Product(parts)]));
        let wanted = |last: i64| {
            let values = (0..30).map(|at| (format!("p{at:02}").into(), Choice::Number(if at < 29 { 4 } else { last })));
            Choice::Parts(values.collect())
        };
        // The product comes after the 6 options of the first set. Options whose first 29 parts are 2 come first in the product.
        assert_eq!([6, 7].map(|last| product.position_like(&wanted(last), &code)), [Some(6), Some(7)]);
        assert_eq!(numbers().position_like(&wanted(6), &code), None);
        // In a range, only the number itself matches, regardless of its code.
        assert_eq!(OptionSet::Numbers(0, 1 << 40).position_like(&Choice::Number(1 << 41), &code), None);
    }

    #[test]
    fn a_union_of_moves_contains_common_moves_once() {
        let moves = |pieces: &[u16], spaces: &[u16]| {
            let pieces = OptionSet::Pieces(pieces.iter().copied().map(PieceId).collect());
            let spaces = OptionSet::Spaces(spaces.iter().copied().map(SpaceId).collect());
            OptionSet::Rows([("piece".into(), pieces), ("to".into(), spaces)].into())
        };
        // Tests sets without common moves, some of them with more moves than the filter can hold, and sets with one common move.
        for count in [3, 40, 200, 400] {
            let all: Vec<u16> = (0..count).collect();
            let (one, other) = (moves(&all, &all), moves(&all, &all.iter().map(|at| at + 1).collect::<Vec<_>>()));
            assert_eq!(one.union(&other).len(), 2 * usize::from(count));
            let shared = moves(&[7, count - 1], &[9, count - 1]);
            assert_eq!(one.union(&shared).len(), usize::from(count) + 1);
            assert_eq!(shared.union(&one).len(), usize::from(count) + 1);
        }
    }

    #[test]
    fn position_of_an_unknown_option_is_none() {
        assert_eq!(numbers().position(&Choice::Number(3)), None);
        assert_eq!(OptionSet::Numbers(3, 2).len(), 0);
    }
}
