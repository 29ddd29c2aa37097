//! Positions of linked places on a map, computed with integers from the links alone.
//!
//! Places are positioned one after another. Each place takes the cheapest spot near its linked places, and never moves again. Adding a
//! place at the end of the list therefore leaves the positions of all other places unchanged.

/// Typical length of a link on the map.
pub(crate) const STEP: i32 = 100;

/// Distance between candidate spots. [`SPOTS`] is the number of candidates on each side of the center.
const SPOT: i32 = STEP / 4;
const SPOTS: i32 = 12;

/// Assumed distance, in links, between places that no path connects.
const APART: i32 = 3;

/// Maximum distance in links that is taken into account. Places farther apart are treated as this far apart.
const FAR: i32 = 5;

/// Minimum distance between a place and a link that does not end there.
const CLEARANCE: i32 = 42;

/// Cost of two links that cross. [`CLOSE`] is the cost of each unit by which a link passes a place too closely.
const CROSSING: i64 = 9_000;
const CLOSE: i64 = 400;

/// A position on a map.
pub(crate) type Spot = (i32, i32);

/// Returns a position for each of `count` places. A link is about [`STEP`] units long. `links` are pairs of indices of places.
pub(crate) fn lay_out(count: usize, links: &[(usize, usize)]) -> Vec<Spot> {
    let mut spots: Vec<Spot> = Vec::with_capacity(count);
    for place in 0..count {
        let spot = cheapest_spot(place, &spots, links);
        spots.push(spot);
    }
    spots
}

fn cheapest_spot(place: usize, spots: &[Spot], links: &[(usize, usize)]) -> Spot {
    if spots.is_empty() {
        return (0, 0);
    }
    let neighbors: Vec<usize> = neighbors_of(place, links).filter(|other| *other < place).collect();
    let steps = steps_from(place, links);
    let laid: Vec<(usize, usize)> = links.iter().copied().filter(|(a, b)| *a < place && *b < place && a != b).collect();
    let (x, y) = anchor(&neighbors, spots);
    let mut best = ((x, y), i64::MAX);
    for row in -SPOTS..=SPOTS {
        for column in -SPOTS..=SPOTS {
            let spot = (x + column * SPOT, y + row * SPOT);
            let cost = cost(spot, &neighbors, &steps, spots, &laid);
            if cost < best.1 {
                best = (spot, cost);
            }
        }
    }
    best.0
}

fn neighbors_of(place: usize, links: &[(usize, usize)]) -> impl Iterator<Item = usize> {
    links.iter().filter_map(move |(a, b)| match (*a == place, *b == place) {
        (true, false) => Some(*b),
        (false, true) => Some(*a),
        _ => None,
    })
}

/// Returns the center of the area to search. This is the mean position of the neighbors, or a position to the right of the map for a place
/// without neighbors.
fn anchor(neighbors: &[usize], spots: &[Spot]) -> Spot {
    let middle = |of: &[Spot]| {
        let count = of.len() as i32;
        (of.iter().map(|at| at.0).sum::<i32>() / count, of.iter().map(|at| at.1).sum::<i32>() / count)
    };
    if neighbors.is_empty() {
        let right = spots.iter().map(|at| at.0).max().unwrap_or_default();
        return (right + STEP, middle(spots).1);
    }
    middle(&neighbors.iter().map(|place| spots[*place]).collect::<Vec<_>>())
}

/// Returns the number of links from a place to each place before it, using only these places. The number is `APART` if there is no path.
fn steps_from(place: usize, links: &[(usize, usize)]) -> Vec<i32> {
    let mut steps = vec![i32::MAX; place + 1];
    steps[place] = 0;
    let mut queue = vec![place];
    let mut at = 0;
    while let Some(&from) = queue.get(at) {
        at += 1;
        for to in neighbors_of(from, links).filter(|to| *to <= place) {
            if steps[to] == i32::MAX {
                steps[to] = steps[from] + 1;
                queue.push(to);
            }
        }
    }
    steps.into_iter().map(|steps| if steps == i32::MAX { APART } else { steps }).collect()
}

fn cost(spot: Spot, neighbors: &[usize], steps: &[i32], spots: &[Spot], laid: &[(usize, usize)]) -> i64 {
    let mut cost = 0;
    let (mut top, mut bottom) = (spot.1, spot.1);
    for (other, at) in spots.iter().enumerate() {
        let far = i64::from(distance(spot, *at));
        let links = steps[other].min(FAR);
        let wanted = i64::from(links * STEP);
        let off = far - wanted;
        // Places that are several links apart may be farther apart on the map than the number of links suggests, but not closer.
        let weight = if off > 0 && links > 1 { 1 } else { 4 };
        cost += off * off * weight / i64::from(links * links * 4);
        let lack = i64::from(STEP * 3 / 4) - far;
        if lack > 0 {
            cost += lack * lack * 20;
        }
        (top, bottom) = (top.min(at.1), bottom.max(at.1));
    }
    for (a, b) in laid {
        let (from, to) = (spots[*a], spots[*b]);
        cost += closeness(spot, (from, to));
        let crosses = |end: &&usize| **end != *a && **end != *b && do_cross((spot, spots[**end]), (from, to));
        cost += CROSSING * neighbors.iter().filter(crosses).count() as i64;
    }
    for end in neighbors {
        let others = spots.iter().enumerate().filter(|(other, _)| other != end);
        cost += others.map(|(_, at)| closeness(*at, (spot, spots[*end]))).sum::<i64>();
    }
    // Screens are wider than high, so vertical extent is more expensive.
    cost + i64::from(bottom - top) * 4
}

/// Returns the cost that arises if the link between two positions passes too close to a place at `at`. Returns 0 if the link is far enough
/// away.
fn closeness(at: Spot, (from, to): (Spot, Spot)) -> i64 {
    i64::from((CLEARANCE - segment_distance(at, from, to)).max(0)) * CLOSE
}

/// Returns the distance between two positions.
pub fn distance(a: Spot, b: Spot) -> i32 {
    let (x, y) = (i64::from(a.0 - b.0), i64::from(a.1 - b.1));
    (x * x + y * y).isqrt() as i32
}

/// Returns the distance of a position from a line segment.
pub(crate) fn segment_distance(at: Spot, from: Spot, to: Spot) -> i32 {
    let (dx, dy) = (i64::from(to.0 - from.0), i64::from(to.1 - from.1));
    let length = dx * dx + dy * dy;
    if length == 0 {
        return distance(at, from);
    }
    let along = i64::from(at.0 - from.0) * dx + i64::from(at.1 - from.1) * dy;
    let along = along.clamp(0, length);
    let nearest = (from.0 + (dx * along / length) as i32, from.1 + (dy * along / length) as i32);
    distance(at, nearest)
}

/// Returns whether two line segments cross.
pub(crate) fn do_cross(one: (Spot, Spot), other: (Spot, Spot)) -> bool {
    let side = |(from, to): (Spot, Spot), at: Spot| {
        let cross =
            i64::from(to.0 - from.0) * i64::from(at.1 - from.1) - i64::from(to.1 - from.1) * i64::from(at.0 - from.0);
        cross.signum()
    };
    side(one, other.0) * side(one, other.1) < 0 && side(other, one.0) * side(other, one.1) < 0
}

#[cfg(test)]
mod tests {
    use super::{CLEARANCE, STEP, distance, do_cross, lay_out, segment_distance};

    const WHEEL: [(usize, usize); 12] =
        [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (1, 3), (4, 5), (5, 2), (5, 6), (6, 7), (7, 4), (6, 0)];

    #[test]
    fn appending_a_place_does_not_move_the_others() {
        let before = lay_out(7, &WHEEL[..9]);
        let mut links = WHEEL[..9].to_vec();
        links.extend([(7, 3), (7, 1), (7, 6)]);
        assert_eq!(lay_out(8, &links)[..7], before);
        assert_eq!(lay_out(8, &links), lay_out(8, &links));
    }

    #[test]
    fn places_keep_a_distance_from_other_places_and_links() {
        let spots = lay_out(8, &WHEEL);
        for (at, one) in spots.iter().enumerate() {
            for other in &spots[at + 1..] {
                assert!(distance(*one, *other) >= STEP / 2, "{spots:?}");
            }
            for (a, b) in WHEEL.iter().filter(|(a, b)| *a != at && *b != at) {
                assert!(segment_distance(*one, spots[*a], spots[*b]) >= CLEARANCE / 2, "{at} {a}-{b}: {spots:?}");
            }
        }
    }

    #[test]
    fn segments_cross_only_between_their_ends() {
        assert!(do_cross(((0, 0), (10, 10)), ((0, 10), (10, 0))));
        assert!(!do_cross(((0, 0), (10, 10)), ((10, 10), (20, 0))));
        assert!(!do_cross(((0, 0), (10, 0)), ((0, 5), (10, 5))));
    }

    #[test]
    fn many_places_are_laid_out_without_links_and_with_all_links() {
        assert_eq!(lay_out(0, &[]), []);
        assert_eq!(lay_out(60, &[]).len(), 60);
        let all: Vec<(usize, usize)> = (0..12).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
        assert_eq!(lay_out(12, &all).len(), 12);
    }
}
