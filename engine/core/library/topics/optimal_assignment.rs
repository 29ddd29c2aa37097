//! Optimal assignment of members to groups, where each member has a list of allowed groups.
//!
//! The algorithm is exact. It processes one group after another by dynamic programming. Members are of the same sort if they have the same
//! allowed groups and the same weight. The only fact about the finished groups that matters is how many members of each sort remain, so
//! only the best way to reach each remainder is stored. With m₁, m₂, … unassigned members of each sort, there are at most (m₁+1)·(m₂+1)·…
//! remainders, and fewer once a sort has no allowed group left. For each group, every remainder is combined with every set of members that
//! the group may take from it.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A member to assign to a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Member {
    /// Allowed groups: at least one, without duplicates.
    pub(super) groups: Vec<usize>,
    /// Amount that the member adds to the count of its group.
    pub(super) weight: i64,
}

/// An optimal assignment.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Assignment {
    /// Group of each member.
    pub(super) groups: Vec<usize>,
    /// Total worth of all groups.
    pub(super) worth: i64,
    /// Number of partial assignments that were examined.
    pub(super) ways: usize,
}

/// Reason why no assignment was found.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum AssignmentError<E> {
    /// More than [`MAX_WAYS`] partial assignments would have to be examined.
    TooMany,
    /// A total overflows.
    TooLarge,
    /// The worth function failed.
    Worth(E),
}

/// Maximum number of partial assignments that are examined, over all groups.
const MAX_WAYS: usize = 200_000;

/// Members with the same allowed groups and weight.
struct Sort {
    groups: Vec<usize>,
    weight: i64,
    members: Vec<usize>,
}

/// Number of remaining members of each sort.
type Left = SmallVec<[u16; 12]>;

/// Best assignment of members to the groups so far, among all that leave the same remainder.
struct PartialAssignment {
    left: Left,
    total: i64,
    /// Index of the partial assignment that this one extends, in the layer of the previous group.
    before: usize,
}

/// Finds an assignment with maximum total worth.
///
/// `worth` takes a group and its count, and returns the worth of the group. It is called once for each count that can occur. Ties are
/// broken deterministically.
pub(super) fn best<E>(
    members: &[Member],
    groups: usize,
    mut worth: impl FnMut(usize, i64) -> Result<i64, E>,
) -> Result<Assignment, AssignmentError<E>> {
    let mut counts = vec![0_i64; groups];
    for member in members {
        if let [only] = member.groups.as_slice() {
            counts[*only] = counts[*only].checked_add(member.weight).ok_or(AssignmentError::TooLarge)?;
        }
    }
    let sorts = group_by_sort(members);
    let mut known: FxHashMap<(usize, i64), i64> = FxHashMap::default();
    let mut worth = |group: usize, count: i64| -> Result<i64, AssignmentError<E>> {
        if let Some(worth) = known.get(&(group, count)) {
            return Ok(*worth);
        }
        let found = worth(group, count).map_err(AssignmentError::Worth)?;
        known.insert((group, count), found);
        Ok(found)
    };
    let all: Left = sorts.iter().map(|sort| sort.members.len() as u16).collect();
    let mut layers = vec![vec![PartialAssignment { left: all, total: 0, before: 0 }]];
    let mut ways = 0;
    for (group, &count) in counts.iter().enumerate() {
        let before = layers.last().expect("there is a first one");
        let next = extend_ways(group, count, &sorts, before, &mut ways, &mut worth)?;
        layers.push(next);
    }
    let worth = layers.last().and_then(|last| last.first()).map_or(0, |way| way.total);
    Ok(Assignment { groups: read_back(members, &sorts, &layers), worth, ways })
}

/// Groups the members that have more than one allowed group by sort.
fn group_by_sort(members: &[Member]) -> Vec<Sort> {
    let mut sorts: Vec<Sort> = Vec::new();
    for (at, member) in members.iter().enumerate().filter(|(_, member)| member.groups.len() > 1) {
        match sorts.iter_mut().find(|sort| sort.groups == member.groups && sort.weight == member.weight) {
            Some(sort) => sort.members.push(at),
            None => {
                sorts.push(Sort { groups: member.groups.clone(), weight: member.weight, members: vec![at] });
            }
        }
    }
    sorts
}

/// Computes the best partial assignments after `group` has taken its members.
fn extend_ways<E>(
    group: usize,
    count: i64,
    sorts: &[Sort],
    before: &[PartialAssignment],
    ways: &mut usize,
    worth: &mut impl FnMut(usize, i64) -> Result<i64, AssignmentError<E>>,
) -> Result<Vec<PartialAssignment>, AssignmentError<E>> {
    let open: Vec<usize> = (0..sorts.len()).filter(|&sort| sorts[sort].groups.contains(&group)).collect();
    let is_last = |sort: usize| sorts[sort].groups.iter().all(|&other| other <= group);
    let mut next: Vec<PartialAssignment> = Vec::new();
    let mut by_left: FxHashMap<Left, usize> = FxHashMap::default();
    for (at, way) in before.iter().enumerate() {
        let mut left = way.left.clone();
        // Members for which this is the last allowed group must be taken now.
        open.iter().filter(|&&sort| is_last(sort)).for_each(|&sort| left[sort] = 0);
        loop {
            *ways += 1;
            if *ways > MAX_WAYS {
                return Err(AssignmentError::TooMany);
            }
            let mut taken =
                open.iter().map(|&sort| sorts[sort].weight.checked_mul(i64::from(way.left[sort] - left[sort])));
            let counted =
                taken.try_fold(count, |sum: i64, taken| sum.checked_add(taken?)).ok_or(AssignmentError::TooLarge)?;
            let total = way.total.checked_add(worth(group, counted)?).ok_or(AssignmentError::TooLarge)?;
            match by_left.get(&left) {
                Some(&known) if next[known].total >= total => {}
                Some(&known) => next[known] = PartialAssignment { left: left.clone(), total, before: at },
                None => {
                    by_left.insert(left.clone(), next.len());
                    next.push(PartialAssignment { left: left.clone(), total, before: at });
                }
            }
            // Advance to the next combination of counts, like an odometer with one wheel for each sort.
            let Some(&wheel) = open.iter().find(|&&sort| left[sort] > 0) else { break };
            left[wheel] -= 1;
            for &lower in open.iter().take_while(|&&sort| sort != wheel).filter(|&&sort| !is_last(sort)) {
                left[lower] = way.left[lower];
            }
        }
    }
    Ok(next)
}

/// Reconstructs the assignment, from the last group to the first.
fn read_back(members: &[Member], sorts: &[Sort], layers: &[Vec<PartialAssignment>]) -> Vec<usize> {
    let mut placed: Vec<usize> = members.iter().map(|member| member.groups[0]).collect();
    let mut at = 0;
    for group in (0..layers.len() - 1).rev() {
        let way = &layers[group + 1][at];
        let before = &layers[group][way.before];
        for (sort, (left, had)) in sorts.iter().zip(way.left.iter().zip(&before.left)) {
            for &member in &sort.members[usize::from(*left)..usize::from(*had)] {
                placed[member] = group;
            }
        }
        at = way.before;
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::{AssignmentError, Member, best};
    use crate::table::Chance;

    /// Returns the worth of an assignment.
    fn total(members: &[Member], placed: &[usize], table: &[Vec<i64>]) -> i64 {
        let count = |group| -> i64 {
            members.iter().zip(placed).filter(|(_, at)| **at == group).map(|(member, _)| member.weight).sum()
        };
        (0..table.len()).map(|group| table[group][count(group) as usize]).sum()
    }

    /// Returns the maximum worth by exhaustive search.
    fn exhaustive(members: &[Member], placed: &mut Vec<usize>, table: &[Vec<i64>]) -> i64 {
        let Some(member) = members.get(placed.len()) else { return total(members, placed, table) };
        let tried = member.groups.iter().map(|&group| {
            placed.push(group);
            let found = exhaustive(members, placed, table);
            placed.pop();
            found
        });
        tried.max().unwrap()
    }

    fn random(chance: &mut Chance) -> (Vec<Member>, Vec<Vec<i64>>) {
        let groups = 1 + chance.below(5) as usize;
        let members: Vec<Member> = (0..chance.below(8))
            .map(|_| {
                let mut allowed: Vec<usize> = (0..groups).filter(|_| chance.below(2) == 0).collect();
                if allowed.is_empty() {
                    allowed.push(chance.below(groups as u32) as usize);
                }
                Member { groups: allowed, weight: i64::from(chance.below(3)) }
            })
            .collect();
        let most = members.iter().map(|member| member.weight).sum::<i64>();
        let table = (0..groups).map(|_| (0..=most).map(|_| i64::from(chance.below(40)) - 10).collect()).collect();
        (members, table)
    }

    #[test]
    fn the_result_is_optimal() {
        let mut chance = Chance::new(1, "assignment");
        for case in 0..3_000 {
            let (members, table) = random(&mut chance);
            let placed = best(&members, table.len(), |group, count| Ok::<_, ()>(table[group][count as usize]));
            let found = placed.unwrap();
            let placed = found.groups;
            assert!(members.iter().zip(&placed).all(|(member, at)| member.groups.contains(at)), "case {case}");
            let most = exhaustive(&members, &mut Vec::new(), &table);
            assert_eq!(
                (found.worth, total(&members, &placed, &table)),
                (most, most),
                "case {case}: {members:?} {table:?}"
            );
        }
    }

    #[test]
    fn many_identical_things_in_many_groups_are_feasible() {
        let members = vec![Member { groups: (0..30).collect(), weight: 1 }; 40];
        let placed = best(&members, 30, |group, count| Ok::<_, ()>(if count >= 2 { 1 + group as i64 } else { 0 }));
        let placed = placed.unwrap().groups;
        let pairs = (10..30).all(|group| placed.iter().filter(|at| **at == group).count() == 2);
        assert!(pairs, "{placed:?}");
    }

    #[test]
    fn too_many_ways_are_an_error() {
        let pairs = (0..8).flat_map(|low| (low + 1..9).map(move |high| vec![low, high]));
        let members: Vec<Member> = pairs.map(|groups| Member { groups, weight: 1 }).collect();
        assert_eq!(best(&members, 9, |_, count| Ok::<_, ()>(count * count)), Err(AssignmentError::TooMany));
    }

    #[test]
    fn overflow_is_an_error() {
        let members = [Member { groups: vec![0, 1], weight: i64::MAX }, Member { groups: vec![0], weight: 1 }];
        assert_eq!(best(&members, 2, |_, _| Ok::<_, ()>(0)), Err(AssignmentError::TooLarge));
        assert_eq!(best(&members[1..], 2, |_, _| Ok::<_, ()>(i64::MAX)), Err(AssignmentError::TooLarge));
    }

    #[test]
    fn an_empty_assignment_is_found() {
        assert_eq!(best(&[], 0, |_, _| Err(())).map(|found| found.groups), Ok(Vec::new()));
    }

    #[test]
    fn errors_of_the_worth_function_are_returned() {
        let members = [Member { groups: vec![0, 1], weight: 1 }];
        assert_eq!(best(&members, 2, |_, _| Err("no")), Err(AssignmentError::Worth("no")));
    }
}
