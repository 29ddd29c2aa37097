//! Ways through whatever hangs together: the cheapest first, and the longest one.

use smallvec::SmallVec;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// All that is reached from some things at a cost of at most so much, cheapest first, each with its cost; none that is `closed`, by
/// `index`. `beside` has what a thing leads to, each with what that costs, from 0 on. (Dijkstra's algorithm.)
///
/// # Errors
/// The first that `beside` gives.
pub(crate) fn cheapest_first<T: Copy, B: IntoIterator<Item = (T, i64)>, E>(
    from: &[T],
    most: i64,
    mut closed: Vec<bool>,
    index: impl Fn(T) -> usize,
    mut beside: impl FnMut(T) -> Result<B, E>,
) -> Result<Vec<(T, i64)>, E> {
    // What was met first comes first among equals.
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

/// The longest trail over links between places: the links in order, none of them twice, places as often as it likes; and how many
/// steps the search took. Nothing where it takes more than so many. There are at most 64 links, and no length is below 0.
pub(crate) fn longest_trail(
    places: usize,
    ends: &[[usize; 2]],
    lengths: &[i64],
    most: usize,
) -> (Option<Vec<usize>>, usize) {
    let mut beside = vec![Vec::new(); places];
    for (link, [a, b]) in ends.iter().enumerate() {
        beside[*a].push((link, *b));
        if a != b {
            beside[*b].push((link, *a));
        }
    }
    let mut search = Trails {
        ends,
        lengths,
        beside,
        trail: SmallVec::new(),
        length: 0,
        best: Vec::new(),
        best_length: -1,
        steps: 0,
        most,
    };
    for start in 0..places {
        let part = search.part_of(start);
        if !search.go_on(start, part) {
            return (None, search.steps);
        }
    }
    (Some(search.best), search.steps)
}

/// A search for the longest trail, which goes on along every link and turns back where not even all that is left would do.
struct Trails<'g> {
    ends: &'g [[usize; 2]],
    lengths: &'g [i64],
    /// By place: the links there, each with its other end.
    beside: Vec<Vec<(usize, usize)>>,
    trail: SmallVec<[usize; 64]>,
    length: i64,
    best: Vec<usize>,
    best_length: i64,
    steps: usize,
    most: usize,
}

impl Trails<'_> {
    /// The links that hang together with a place, one bit each.
    fn part_of(&self, start: usize) -> u64 {
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

    /// The most that a trail from a place can add over some links. A trail goes into a place as often as it goes out, but where it ends:
    /// at every other place with an odd number of links one of them is left out, and of a link both ends may be such places.
    fn bound(&self, at: usize, left: u64) -> i64 {
        let has = |link: usize| left & 1 << link != 0;
        let total: i64 = (0..self.ends.len()).filter(|link| has(*link)).map(|link| self.lengths[link]).sum();
        let (mut lost, mut largest) = (0, 0);
        for (place, links) in self.beside.iter().enumerate() {
            let here = links.iter().filter(|(link, other)| has(*link) && *other != place);
            let (mut odd, mut least) = (place == at, i64::MAX);
            for (link, _) in here {
                odd = !odd;
                least = least.min(self.lengths[*link]);
            }
            // Where the trail stands it goes out once more than in.
            if odd && least < i64::MAX {
                lost += least;
                largest = largest.max(least);
            }
        }
        total - (lost - largest).max(0) / 2
    }

    /// Goes on from a place over links that are left; whether the search came to its end.
    fn go_on(&mut self, at: usize, left: u64) -> bool {
        self.steps += 1;
        if self.steps > self.most {
            return false;
        }
        if self.length > self.best_length {
            self.best_length = self.length;
            self.best = self.trail.to_vec();
        }
        if self.length + self.bound(at, left) <= self.best_length {
            return true;
        }
        for number in 0..self.beside[at].len() {
            let (link, to) = self.beside[at][number];
            if left & 1 << link == 0 {
                continue;
            }
            self.trail.push(link);
            self.length += self.lengths[link];
            let is_done = self.go_on(to, left & !(1 << link));
            self.length -= self.lengths[link];
            self.trail.pop();
            if !is_done {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{cheapest_first, longest_trail};
    use std::convert::Infallible;

    /// Whole numbers that look random.
    fn numbers(seed: u64) -> impl FnMut(u64) -> usize {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        move |below| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % below) as usize
        }
    }

    /// Every trail there is, looked at.
    fn by_hand(at: usize, ends: &[[usize; 2]], lengths: &[i64], used: &mut Vec<bool>) -> i64 {
        let mut best = 0;
        for (link, [a, b]) in ends.iter().enumerate() {
            if used[link] || (*a != at && *b != at) {
                continue;
            }
            used[link] = true;
            best = best.max(lengths[link] + by_hand(if *a == at { *b } else { *a }, ends, lengths, used));
            used[link] = false;
        }
        best
    }

    #[test]
    fn the_longest_trail_is_the_longest_of_all() {
        for seed in 1..200 {
            let mut next = numbers(seed);
            let places = 3 + next(5);
            let links = 1 + next(9);
            let ends: Vec<[usize; 2]> = (0..links).map(|_| [next(places as u64), next(places as u64)]).collect();
            let lengths: Vec<i64> = (0..links).map(|_| next(6) as i64).collect();
            let (found, _) = longest_trail(places, &ends, &lengths, 1_000_000);
            let found = found.unwrap();
            let mut used = vec![false; links];
            let best = (0..places).map(|at| by_hand(at, &ends, &lengths, &mut used)).max().unwrap();
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

    #[test]
    fn a_search_that_is_too_long_says_so() {
        let ends: Vec<[usize; 2]> = (0..8).flat_map(|a| (0..a).map(move |b| [a, b])).collect();
        let (found, steps) = longest_trail(8, &ends, &vec![1; ends.len()], 10);
        assert_eq!((found, steps), (None, 11));
    }

    #[test]
    fn the_cheapest_comes_first() {
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
