//! Graph searches: cheapest paths, the longest trail over links, and the longest path over places.

use smallvec::SmallVec;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Returns all nodes that can be reached at a total cost of at most `most`, each with its cost, cheapest first (Dijkstra's algorithm).
///
/// Start nodes, and nodes whose `index` is set in `closed`, are left out. `beside` returns the neighbors of a node, each with the cost of
/// the step. Negative costs count as 0.
///
/// # Errors
/// Returns the first error of `beside`.
pub(crate) fn cheapest_first<T: Copy, B: IntoIterator<Item = (T, i64)>, E>(
    from: &[T],
    most: i64,
    mut closed: Vec<bool>,
    index: impl Fn(T) -> usize,
    mut beside: impl FnMut(T) -> Result<B, E>,
) -> Result<Vec<(T, i64)>, E> {
    // Nodes in order of discovery. This order breaks ties between nodes with equal costs.
    let mut met: Vec<T> = Vec::new();
    let mut queue: BinaryHeap<Reverse<(i64, usize)>> = BinaryHeap::new();
    let add = |one: T, cost: i64, met: &mut Vec<T>, queue: &mut BinaryHeap<Reverse<(i64, usize)>>| {
        queue.push(Reverse((cost, met.len())));
        met.push(one);
    };
    for one in from {
        closed[index(*one)] = false;
        add(*one, 0, &mut met, &mut queue);
    }
    let mut found = Vec::new();
    while let Some(Reverse((cost, number))) = queue.pop() {
        let at = met[number];
        if std::mem::replace(&mut closed[index(at)], true) {
            continue;
        }
        found.push((at, cost));
        for (one, more) in beside(at)? {
            let cost = cost.saturating_add(more.max(0));
            if !closed[index(one)] && cost <= most {
                add(one, cost, &mut met, &mut queue);
            }
        }
    }
    let starts: Vec<usize> = from.iter().map(|one| index(*one)).collect();
    found.retain(|(one, _)| !starts.contains(&index(*one)));
    Ok(found)
}

/// Finds the longest trail: a walk that uses no link twice but may visit places several times.
///
/// Returns the links in order and the number of search steps. If the search takes more than `most` steps, returns
/// `None` instead of the links. There may be at most 64 links, and lengths must not be negative.
pub(crate) fn longest_trail(
    places: usize,
    ends: &[[usize; 2]],
    lengths: &[i64],
    most: usize,
) -> (Option<Vec<usize>>, usize) {
    let mut beside = vec![Vec::new(); places];
    let mut through = vec![0; places];
    for (link, [a, b]) in ends.iter().enumerate() {
        beside[*a].push((link, *b));
        if a != b {
            beside[*b].push((link, *a));
            through[*a] |= 1 << link;
            through[*b] |= 1 << link;
        }
    }
    let shortest_first = through.iter().map(|links| {
        let mut links: SmallVec<[usize; 8]> = set_bits(*links).collect();
        links.sort_by_key(|link| lengths[*link]);
        links
    });
    let mut search = TrailSearch {
        lengths,
        shortest_first: shortest_first.collect(),
        beside,
        through,
        trail: SmallVec::new(),
        length: 0,
        best: Vec::new(),
        best_length: -1,
        steps: 0,
        most,
    };
    for start in 0..places {
        let part = search.component_of(start);
        let total = set_bits(part).map(|link| lengths[link]).sum();
        if !search.extend(start, part, total) {
            return (None, search.steps);
        }
    }
    (Some(search.best), search.steps)
}

/// Branch-and-bound search for the longest trail.
struct TrailSearch<'g> {
    lengths: &'g [i64],
    /// Links of each place, each with the place at its other end.
    beside: Vec<Vec<(usize, usize)>>,
    /// Links of each place as a bit set, without links from the place to itself.
    through: Vec<u64>,
    /// Links in `through` for each place, shortest first.
    shortest_first: Vec<SmallVec<[usize; 8]>>,
    trail: SmallVec<[usize; 64]>,
    length: i64,
    best: Vec<usize>,
    best_length: i64,
    steps: usize,
    most: usize,
}

impl TrailSearch<'_> {
    /// Returns the links of the connected component that contains `start`, as a bit set.
    fn component_of(&self, start: usize) -> u64 {
        let (mut links, mut next) = (0_u64, vec![start]);
        while let Some(at) = next.pop() {
            for (link, other) in &self.beside[at] {
                if links & 1 << link == 0 {
                    links |= 1 << link;
                    next.push(*other);
                }
            }
        }
        links
    }

    /// Returns an upper bound on the length that a trail can gain from `at` over the links `left`. `total` is the total length of these
    /// links.
    ///
    /// A trail enters each place as often as it leaves it, except at its end. At every other place with an odd number of links, at least
    /// one link therefore stays unused. One link can be the unused link of two places, so only half of the lengths may be subtracted.
    fn bound(&self, at: usize, left: u64, total: i64) -> i64 {
        let (mut lost, mut largest) = (0, 0);
        for (place, links) in self.through.iter().enumerate() {
            let here = links & left;
            // The trail leaves its current place once more than it enters it.
            let is_odd = (here.count_ones() % 2 == 1) != (place == at);
            if is_odd && here != 0 {
                let least = self.shortest_first[place].iter().find(|link| here & 1 << **link != 0);
                let least = least.map_or(0, |link| self.lengths[*link]);
                lost += least;
                largest = largest.max(least);
            }
        }
        total - (lost - largest).max(0) / 2
    }

    /// Extends the trail from a place over the links `left`. `total` is the total length of these links. Returns `false` if the step limit
    /// is exceeded.
    fn extend(&mut self, at: usize, left: u64, total: i64) -> bool {
        self.steps += 1;
        if self.steps > self.most {
            return false;
        }
        if self.length > self.best_length {
            self.best_length = self.length;
            self.best = self.trail.to_vec();
        }
        if self.length + self.bound(at, left, total) <= self.best_length {
            return true;
        }
        for number in 0..self.beside[at].len() {
            let (link, to) = self.beside[at][number];
            if left & 1 << link == 0 {
                continue;
            }
            self.trail.push(link);
            let long = self.lengths[link];
            self.length += long;
            let is_done = self.extend(to, left & !(1 << link), total - long);
            self.length -= long;
            self.trail.pop();
            if !is_done {
                return false;
            }
        }
        true
    }
}

/// Finds the path that visits no place twice and has the highest total `worth`.
///
/// Returns the places in order and the number of search steps. If the search takes more than `most` steps, returns `None` instead of the
/// places. There may be at most 64 places. `beside` contains the neighbors of each place as a bit set. Worths must not be negative.
pub(crate) fn longest_path(beside: &[u64], worth: &[i64], most: usize) -> (Option<Vec<usize>>, usize) {
    let mut search =
        Paths { beside, worth, path: SmallVec::new(), length: 0, best: Vec::new(), best_length: -1, steps: 0, most };
    for start in 0..beside.len() {
        let all = u64::MAX >> (64 - beside.len());
        if !search.visit(start, all) {
            return (None, search.steps);
        }
    }
    (Some(search.best), search.steps)
}

/// Branch-and-bound search for the path with the highest total worth.
struct Paths<'g> {
    beside: &'g [u64],
    worth: &'g [i64],
    path: SmallVec<[usize; 64]>,
    length: i64,
    best: Vec<usize>,
    best_length: i64,
    steps: usize,
    most: usize,
}

impl Paths<'_> {
    /// Returns an upper bound on the worth that a path can gain after `at`: the total worth of all places that can be reached over the
    /// places `left`. A path can visit at most one dead end, its last place, so only the most valuable dead end is counted.
    fn bound(&self, at: usize, left: u64) -> i64 {
        let (mut reached, mut next) = (0, self.beside[at] & left);
        while next != 0 {
            reached |= next;
            next = set_bits(next).fold(0, |all, place| all | self.beside[place]) & left & !reached;
        }
        let (mut total, mut lost, mut largest) = (0, 0, 0);
        for place in set_bits(reached) {
            let worth = self.worth[place];
            total += worth;
            if (self.beside[place] & (reached | 1 << at)).count_ones() < 2 {
                lost += worth;
                largest = largest.max(worth);
            }
        }
        total - (lost - largest)
    }

    /// Visits a place and continues from there over the places `left`. Returns `false` if the step limit is exceeded.
    fn visit(&mut self, at: usize, left: u64) -> bool {
        self.steps += 1;
        if self.steps > self.most {
            return false;
        }
        self.path.push(at);
        self.length += self.worth[at];
        if self.length > self.best_length {
            self.best_length = self.length;
            self.best = self.path.to_vec();
        }
        let left = left & !(1 << at);
        let mut is_done = true;
        if self.length + self.bound(at, left) > self.best_length {
            // Visits the places with the fewest onward moves first, since these could become unreachable later (Warnsdorff's rule).
            let mut next: SmallVec<[usize; 8]> = set_bits(self.beside[at] & left).collect();
            next.sort_by_key(|place| (self.beside[*place] & left).count_ones());
            is_done = next.into_iter().all(|place| self.visit(place, left));
        }
        self.length -= self.worth[at];
        self.path.pop();
        is_done
    }
}

/// Iterates over the indices of set bits, lowest first.
fn set_bits(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (bits != 0).then(|| {
            let lowest = bits.trailing_zeros();
            bits &= bits - 1;
            lowest as usize
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{cheapest_first, longest_path, longest_trail};
    use std::convert::Infallible;

    /// Returns a generator of pseudorandom numbers (xorshift).
    fn pseudorandom(seed: u64) -> impl FnMut(u64) -> usize {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        move |below| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % below) as usize
        }
    }

    /// Returns the length of the longest trail that begins at a place, by brute force.
    fn longest_trail_by_brute_force(at: usize, ends: &[[usize; 2]], lengths: &[i64], used: &mut Vec<bool>) -> i64 {
        let mut best = 0;
        for (link, [a, b]) in ends.iter().enumerate() {
            if used[link] || (*a != at && *b != at) {
                continue;
            }
            used[link] = true;
            best = best
                .max(lengths[link] + longest_trail_by_brute_force(if *a == at { *b } else { *a }, ends, lengths, used));
            used[link] = false;
        }
        best
    }

    #[test]
    fn finds_the_longest_trail() {
        for seed in 1..200 {
            let mut next = pseudorandom(seed);
            let places = 3 + next(5);
            let links = 1 + next(9);
            let ends: Vec<[usize; 2]> = (0..links).map(|_| [next(places as u64), next(places as u64)]).collect();
            let lengths: Vec<i64> = (0..links).map(|_| next(6) as i64).collect();
            let (found, _) = longest_trail(places, &ends, &lengths, 1_000_000);
            let found = found.unwrap();
            let mut used = vec![false; links];
            let best =
                (0..places).map(|at| longest_trail_by_brute_force(at, &ends, &lengths, &mut used)).max().unwrap();
            assert_eq!(found.iter().map(|link| lengths[*link]).sum::<i64>(), best, "{ends:?} {lengths:?} {found:?}");
            let walks = |from: usize| {
                found.iter().try_fold(from, |at, link| match ends[*link] {
                    [a, b] if a == at => Some(b),
                    [a, b] if b == at => Some(a),
                    _ => None,
                })
            };
            assert!((0..places).any(|from| walks(from).is_some()), "{ends:?} {found:?}");
            assert!((0..links).all(|link| found.iter().filter(|one| **one == link).count() < 2), "{found:?}");
        }
    }

    /// Returns the highest total worth of a path that begins at a place, by brute force.
    fn longest_path_by_brute_force(at: usize, left: u64, beside: &[u64], worth: &[i64]) -> i64 {
        let left = left & !(1 << at);
        let next = (0..beside.len()).filter(|place| beside[at] & left & 1 << place != 0);
        worth[at] + next.map(|place| longest_path_by_brute_force(place, left, beside, worth)).max().unwrap_or(0)
    }

    #[test]
    fn finds_the_longest_path() {
        for seed in 1..300 {
            let mut next = pseudorandom(seed);
            let places = 1 + next(9);
            let mut beside = vec![0_u64; places];
            for _ in 0..next(16) {
                let (a, b) = (next(places as u64), next(places as u64));
                if a != b {
                    beside[a] |= 1 << b;
                    beside[b] |= 1 << a;
                }
            }
            let worth: Vec<i64> = (0..places).map(|_| next(5) as i64).collect();
            let found = longest_path(&beside, &worth, 1_000_000).0.unwrap();
            let best = (0..places).map(|at| longest_path_by_brute_force(at, u64::MAX, &beside, &worth)).max().unwrap();
            assert_eq!(found.iter().map(|place| worth[*place]).sum::<i64>(), best, "{beside:?} {worth:?} {found:?}");
            assert!(found.windows(2).all(|pair| beside[pair[0]] & 1 << pair[1] != 0), "{beside:?} {found:?}");
            assert!((0..places).all(|place| found.iter().filter(|one| **one == place).count() < 2), "{found:?}");
        }
    }

    /// The path visits all squares of an 8×8 board, which has the maximum number of places, 64.
    #[test]
    fn finds_a_path_over_a_whole_board_within_1000_steps() {
        let bit_of = |row: usize, column: usize| (row < 8 && column < 8).then(|| 1_u64 << (8 * row + column));
        let beside: Vec<u64> = (0..64)
            .map(|at| (at / 8, at % 8))
            .map(|(row, column): (usize, usize)| {
                let all = [
                    (row + 1, column),
                    (row.wrapping_sub(1), column),
                    (row, column + 1),
                    (row, column.wrapping_sub(1)),
                ];
                all.into_iter().filter_map(|(row, column)| bit_of(row, column)).sum()
            })
            .collect();
        let (found, steps) = longest_path(&beside, &[1; 64], 1_000);
        assert_eq!(found.map(|found| found.len()), Some(64), "{steps}");
        assert_eq!(longest_path(&beside, &[1; 64], 10).0, None);
        assert_eq!(longest_path(&[], &[], 10).0, Some(Vec::new()));
    }

    #[test]
    fn stops_at_the_step_limit() {
        let ends: Vec<[usize; 2]> = (0..8).flat_map(|a| (0..a).map(move |b| [a, b])).collect();
        let (found, steps) = longest_trail(8, &ends, &vec![1; ends.len()], 10);
        assert_eq!((found, steps), (None, 11));
    }

    #[test]
    fn returns_the_cheapest_first() {
        let beside = |at: usize| {
            let all: &[(usize, i64)] = match at {
                0 => &[(1, 7), (2, 1)],
                2 => &[(1, 2), (3, 9)],
                _ => &[],
            };
            Ok::<_, Infallible>(all.to_vec())
        };
        let Ok(found) = cheapest_first(&[0], 100, vec![false; 4], |at| at, beside);
        assert_eq!(found, [(2, 1), (1, 3), (3, 10)]);
        let Ok(near) = cheapest_first(&[0], 3, vec![false, false, false, true], |at| at, beside);
        assert_eq!(near, [(2, 1), (1, 3)]);
    }
}
