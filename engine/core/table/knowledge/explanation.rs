//! Assignment of faces to the inputs of mixes, such that every piece on the table can have a face that is possible at its place.
//!
//! A mix has the same number of each face among its inputs as among its outputs. Each face flows along links: from the mixes that it is
//! known to have entered, to the pieces that have it or may have it. A link joins two mixes. It carries one unit for each input of the
//! younger mix that comes out of the older one.
//!
//! If the links form no cycle, the faces that they carry can be computed from the ends inward. Otherwise, the faces are routed one by one,
//! which shows whether a solution is possible. The routes are then adjusted until every link carries the required number of units. If the
//! adjustment gets stuck, one unit of a small link is tried with each face in turn (branch and bound).

use std::collections::VecDeque;

/// Maximum number of networks that a search examines.
const MAX_NETWORKS: u32 = 256;

/// Link between two pools. It stands for the inputs of the younger pool that come out of the older pool, have unknown faces, and may have
/// the same set of faces.
#[derive(Debug, Clone)]
pub(super) struct Link {
    older: usize,
    younger: usize,
    /// Number of units whose face is not settled.
    open: i32,
    /// Number of settled units, by face.
    settled: Vec<i32>,
    /// Number of open units that are routed, by face.
    routed: Vec<i32>,
    /// Whether open units may have a given face, indexed by face.
    may_carry: Vec<bool>,
}

impl Link {
    /// Returns the number of units that have the given face. Valid once the network is solved.
    pub(super) fn carried(&self, face: usize) -> i32 {
        self.settled[face] + self.routed[face]
    }

    const fn touches(&self, pool: usize) -> bool {
        self.older == pool || self.younger == pool
    }

    const fn other_end(&self, pool: usize) -> usize {
        if pool == self.older { self.younger } else { self.older }
    }

    /// Returns the number of open units to which no face is routed. Negative if more faces are routed than there are units.
    fn lack(&self) -> i32 {
        self.open - self.routed.iter().sum::<i32>()
    }
}

/// Result of [`Network::solve`].
pub(super) enum Search {
    Found(Network),
    /// There is no solution.
    None,
    /// The search was cut short.
    GivenUp,
}

/// Pools and links of a flow. Faces are identified by index.
#[derive(Debug, Clone)]
pub(super) struct Network {
    /// Surplus by pool and face: the number of copies that go in minus the number of copies that come out.
    pub(super) surplus: Vec<Vec<i32>>,
    pub(super) links: Vec<Link>,
}

impl Network {
    pub(super) fn new(pools: usize, faces: usize) -> Self {
        Self { surplus: vec![vec![0; faces]; pools], links: Vec::new() }
    }

    fn faces(&self) -> usize {
        self.surplus.first().map_or(0, Vec::len)
    }

    /// Adds a unit to the link from `older` to `younger` that may carry exactly the given faces. Returns the index of this link.
    pub(super) fn add_unit(&mut self, older: usize, younger: usize, may_carry: Vec<bool>) -> usize {
        let is_it = |link: &Link| (link.older, link.younger) == (older, younger) && link.may_carry == may_carry;
        let at = self.links.iter().position(is_it).unwrap_or_else(|| {
            let none = vec![0; self.faces()];
            self.links.push(Link { older, younger, open: 0, settled: none.clone(), routed: none, may_carry });
            self.links.len() - 1
        });
        self.links[at].open += 1;
        at
    }

    /// Searches for a solution. If the search branches, it tries the faces in descending order of their routed units. `order` breaks ties.
    pub(super) fn solve(self, order: &[usize]) -> Search {
        self.search(order, &mut MAX_NETWORKS.clone())
    }

    fn search(mut self, order: &[usize], budget: &mut u32) -> Search {
        if *budget == 0 {
            return Search::GivenUp;
        }
        *budget -= 1;
        if self.settle_branches().is_none() || self.route_all().is_none() {
            return Search::None;
        }
        if self.adjust() {
            return Search::Found(self);
        }
        let open = (0..self.links.len()).filter(|at| self.links[*at].open > 0);
        let Some(at) = open.min_by_key(|at| (self.links[*at].lack() == 0, self.links[*at].open)) else {
            return Search::None;
        };
        // Faces that are routed along the link are the most likely ones.
        let mut order_here: Vec<usize> = order.iter().copied().filter(|face| self.links[at].may_carry[*face]).collect();
        order_here.sort_by_key(|face| -self.links[at].routed[*face]);
        for face in order_here {
            let mut network = self.clone();
            network.settle(at, face, 1);
            match network.search(order, budget) {
                Search::None => self.links[at].may_carry[face] = false,
                found => return found,
            }
        }
        Search::None
    }

    /// Settles `count` units of a link with a face.
    fn settle(&mut self, link: usize, face: usize, count: i32) {
        let link = &mut self.links[link];
        link.open -= count;
        link.settled[face] += count;
        self.surplus[link.older][face] -= count;
        self.surplus[link.younger][face] += count;
    }

    /// Settles links from the ends of the network inward. If a pool has a single open link, its surplus or lack must go along this link.
    /// Returns `None` if this leads to a contradiction, so that there is no solution.
    fn settle_branches(&mut self) -> Option<()> {
        let mut pools: Vec<usize> = (0..self.surplus.len()).collect();
        while let Some(pool) = pools.pop() {
            let mut open = (0..self.links.len()).filter(|at| self.links[*at].open > 0 && self.links[*at].touches(pool));
            let (first, second) = (open.next(), open.next());
            match (first, second) {
                (None, _) => self.surplus[pool].iter().all(|surplus| *surplus == 0).then_some(())?,
                (Some(at), None) => {
                    let sign = if pool == self.links[at].older { 1 } else { -1 };
                    let other = self.links[at].other_end(pool);
                    for face in 0..self.faces() {
                        let count = sign * self.surplus[pool][face];
                        if count < 0 || count > 0 && !self.links[at].may_carry[face] {
                            return None;
                        }
                        self.settle(at, face, count);
                    }
                    (self.links[at].open == 0).then_some(())?;
                    pools.push(other);
                }
                _ => {}
            }
        }
        Some(())
    }

    /// Routes every face along open links from pools with a surplus of the face to pools that lack it. A link carries at most as many
    /// copies of one face as it has units. Returns `None` if a face cannot be routed, so that there is no solution.
    fn route_all(&mut self) -> Option<()> {
        self.links.iter_mut().for_each(|link| link.routed.fill(0));
        for face in 0..self.faces() {
            let mut surplus: Vec<i32> = self.surplus.iter().map(|surplus| surplus[face]).collect();
            while let Some(from) = surplus.iter().position(|surplus| *surplus > 0) {
                let to = self.route(face, from, &surplus)?;
                surplus[from] -= 1;
                surplus[to] += 1;
            }
            surplus.iter().all(|surplus| *surplus == 0).then_some(())?;
        }
        Some(())
    }

    /// Routes one copy of a face from a pool to a pool that lacks the face, through as few full links as possible (shortest path with
    /// lengths 0 and 1 in the residual graph). Returns the pool that was reached.
    fn route(&mut self, face: usize, from: usize, surplus: &[i32]) -> Option<usize> {
        let mut reached: Vec<Option<usize>> = vec![None; surplus.len()];
        let mut length = vec![u32::MAX; surplus.len()];
        let mut is_done = vec![false; surplus.len()];
        length[from] = 0;
        let mut open = VecDeque::from([from]);
        let to = loop {
            let pool = open.pop_front()?;
            if surplus[pool] < 0 {
                break pool;
            }
            if std::mem::replace(&mut is_done[pool], true) {
                continue;
            }
            for (at, link) in self.links.iter().enumerate().filter(|(_, link)| link.open > 0 && link.touches(pool)) {
                let (can_push, is_free) = if pool == link.older {
                    (link.may_carry[face] && link.routed[face] < link.open, link.lack() > 0)
                } else {
                    (link.routed[face] > 0, link.lack() < 0)
                };
                let (other, there) = (link.other_end(pool), length[pool] + u32::from(!is_free));
                if can_push && there < length[other] {
                    (reached[other], length[other]) = (Some(at), there);
                    if is_free { open.push_front(other) } else { open.push_back(other) }
                }
            }
        };
        let mut pool = to;
        while pool != from {
            let link = &mut self.links[reached[pool]?];
            link.routed[face] += if pool == link.younger { 1 } else { -1 };
            pool = link.other_end(pool);
        }
        Some(to)
    }

    /// Pushes single faces around cycles as long as that reduces the sum of the squared lacks. Returns whether every link then carries the
    /// required number of units.
    fn adjust(&mut self) -> bool {
        let (mut face, mut tried) = (0, 0);
        while tried < self.faces() && self.links.iter().any(|link| link.lack() != 0) {
            if let Some(circle) = self.find_negative_cycle(face) {
                for (link, change) in circle {
                    self.links[link].routed[face] += change;
                }
                tried = 0;
            } else {
                face = (face + 1) % self.faces();
                tried += 1;
            }
        }
        self.links.iter().all(|link| link.lack() == 0)
    }

    /// Finds a cycle around which one face can be pushed at negative cost (Bellman and Ford). Returns the links of the cycle, each with the
    /// change in the number of copies that it carries.
    fn find_negative_cycle(&self, face: usize) -> Option<Vec<(usize, i32)>> {
        let mut cost = vec![0; self.surplus.len()];
        let mut before: Vec<Option<usize>> = vec![None; cost.len()];
        for _ in 0..=cost.len() {
            let mut changed = None;
            for (at, link) in self.links.iter().enumerate().filter(|(_, link)| link.open > 0) {
                let (older, younger, lack) = (link.older, link.younger, link.lack());
                let (more, less) = (cost[older] + 1 - 2 * lack, cost[younger] + 1 + 2 * lack);
                if link.may_carry[face] && more < cost[younger] {
                    (cost[younger], before[younger], changed) = (more, Some(at), Some(younger));
                }
                if link.routed[face] > 0 && less < cost[older] {
                    (cost[older], before[older], changed) = (less, Some(at), Some(older));
                }
            }
            if let Some(circle) = self.trace_cycle(changed?, &before) {
                return Some(circle);
            }
        }
        None
    }

    /// Follows the predecessors back from a pool. Returns the cycle that they lead to, if there is one.
    fn trace_cycle(&self, mut pool: usize, before: &[Option<usize>]) -> Option<Vec<(usize, i32)>> {
        let mut is_met = vec![false; before.len()];
        while !std::mem::replace(&mut is_met[pool], true) {
            pool = self.links[before[pool]?].other_end(pool);
        }
        let (begin, mut circle) = (pool, Vec::new());
        loop {
            let at = before[pool]?;
            let link = &self.links[at];
            circle.push((at, if pool == link.younger { 1 } else { -1 }));
            pool = link.other_end(pool);
            if pool == begin {
                return Some(circle);
            }
        }
    }
}
