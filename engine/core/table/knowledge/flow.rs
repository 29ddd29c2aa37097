//! Bipartite flow of faces to places, over classes of equal faces and interchangeable places.
//!
//! A matching is found by augmenting paths. The number of faces at certain places is minimized by canceling negative cycles (Klein 1967). A
//! face can be at a place in some matching if it is there in the matching that was found, or if the edge between the face and the place is
//! on a cycle of the residual graph (Régin 1994).

use std::collections::VecDeque;

/// A flow from rows to columns.
#[derive(Debug, Clone)]
pub(super) struct Flow {
    rows: usize,
    columns: usize,
    /// Whether each row may flow to each column, stored row by row.
    may: Vec<bool>,
    dealt: Vec<u32>,
}

impl Flow {
    /// Finds a flow that uses up the supply of all rows and meets the demand of all columns; `None` if there is none.
    ///
    /// If `near` is given, the search starts from this flow. The rows and columns of `near` must be the first ones of the new flow.
    pub(super) fn new(
        supply: &[u32],
        demand: &[u32],
        near: Option<&Self>,
        reaches: impl Fn(usize, usize) -> bool,
        may: impl Fn(usize, usize) -> bool,
    ) -> Option<Self> {
        let (rows, columns) = (supply.len(), demand.len());
        let mut flow = Self { rows, columns, may: vec![false; rows * columns], dealt: vec![0; rows * columns] };
        let (mut supply, mut demand) = (supply.to_vec(), demand.to_vec());
        for (row, left) in supply.iter_mut().enumerate() {
            for (column, wanted) in demand.iter_mut().enumerate() {
                let known = near.filter(|near| row < near.rows && column < near.columns);
                let is_allowed =
                    || known.map_or_else(|| may(row, column), |near| near.may[row * near.columns + column]);
                if !reaches(row, column) || !is_allowed() {
                    continue;
                }
                flow.may[row * columns + column] = true;
                let amount = known.map_or(0, |near| near.flow_between(row, column)).min(*left).min(*wanted);
                flow.dealt[row * columns + column] = amount;
                (*left, *wanted) = (*left - amount, *wanted - amount);
            }
        }
        for row in 0..rows {
            for (column, wanted) in demand.iter_mut().enumerate() {
                let amount = supply[row].min(*wanted);
                if amount > 0 && flow.may[row * columns + column] {
                    flow.dealt[row * columns + column] += amount;
                    (supply[row], *wanted) = (supply[row] - amount, *wanted - amount);
                }
            }
            while supply[row] > 0 {
                flow.augment(row, &mut supply, &mut demand)?;
            }
        }
        demand.iter().all(|left| *left == 0).then_some(flow)
    }

    /// Returns the flow from a row to a column.
    pub(super) fn flow_between(&self, row: usize, column: usize) -> u32 {
        self.dealt[row * self.columns + column]
    }

    /// Lists all pairs of a row and a column between which flow is allowed.
    fn edges(&self) -> Vec<(usize, usize)> {
        let all = (0..self.rows).flat_map(|row| (0..self.columns).map(move |column| (row, column)));
        all.filter(|(row, column)| self.may[row * self.columns + column]).collect()
    }

    /// Pushes as much as possible of a row's remaining supply along a shortest augmenting path to a column with unmet demand. Returns
    /// `None` if there is no such path.
    fn augment(&mut self, from: usize, supply: &mut [u32], demand: &mut [u32]) -> Option<()> {
        let mut into: Vec<Option<usize>> = vec![None; self.columns];
        let mut back: Vec<Option<usize>> = vec![None; self.rows];
        let mut open = VecDeque::from([from]);
        let mut end = None;
        'search: while let Some(row) = open.pop_front() {
            for column in (0..self.columns).filter(|column| self.may[row * self.columns + column]) {
                if into[column].is_some() {
                    continue;
                }
                into[column] = Some(row);
                if demand[column] > 0 {
                    end = Some(column);
                    break 'search;
                }
                for (other, back) in back.iter_mut().enumerate() {
                    if other != from && back.is_none() && self.flow_between(other, column) > 0 {
                        *back = Some(column);
                        open.push_back(other);
                    }
                }
            }
        }
        let end = end?;
        let mut path = Vec::new();
        let mut column = end;
        let mut amount = supply[from].min(demand[end]);
        while let Some(row) = into[column] {
            path.push((row, column));
            let Some(before) = back[row].filter(|_| row != from) else { break };
            amount = amount.min(self.flow_between(row, before));
            column = before;
        }
        for (row, column) in path {
            self.dealt[row * self.columns + column] += amount;
            if row != from
                && let Some(before) = back[row]
            {
                self.dealt[row * self.columns + before] -= amount;
            }
        }
        supply[from] -= amount;
        demand[end] -= amount;
        Some(())
    }

    /// Minimizes the cost of the flow and returns the minimum.
    pub(super) fn minimize_cost(&mut self, cost: impl Fn(usize, usize) -> i64) -> i64 {
        let edges = self.edges();
        while let Some(cycle) = self.negative_cycle(&edges, &cost) {
            self.push_around(&cycle);
        }
        edges.iter().map(|&(row, column)| cost(row, column) * i64::from(self.flow_between(row, column))).sum()
    }

    /// Finds a negative cycle of the residual graph (Bellman and Ford). Returns its alternating rows and columns. Columns are numbered
    /// after the rows.
    fn negative_cycle(&self, edges: &[(usize, usize)], cost: &impl Fn(usize, usize) -> i64) -> Option<Vec<usize>> {
        let mut far = vec![0_i64; self.rows + self.columns];
        let mut before: Vec<Option<usize>> = vec![None; far.len()];
        loop {
            let mut is_changed = false;
            for &(row, column) in edges {
                let (there, price) = (self.rows + column, cost(row, column));
                if far[row] + price < far[there] {
                    (far[there], before[there], is_changed) = (far[row] + price, Some(row), true);
                }
                if self.flow_between(row, column) > 0 && far[there] - price < far[row] {
                    (far[row], before[row], is_changed) = (far[there] - price, Some(there), true);
                }
            }
            if !is_changed {
                return None;
            }
            if let Some(cycle) = cycle_in(&before) {
                return Some(cycle);
            }
        }
    }

    fn push_around(&mut self, cycle: &[usize]) {
        let steps = || cycle.iter().zip(cycle.iter().cycle().skip(1));
        let given_up = |(from, to): (&usize, &usize)| (*from >= self.rows).then(|| self.at(*to, *from));
        let amount = steps().filter_map(given_up).map(|at| self.dealt[at]).min().unwrap_or(0);
        for (from, to) in steps() {
            if *from < self.rows {
                let at = self.at(*from, *to);
                self.dealt[at] += amount;
            } else {
                let at = self.at(*to, *from);
                self.dealt[at] -= amount;
            }
        }
    }

    fn at(&self, row: usize, column: usize) -> usize {
        row * self.columns + column - self.rows
    }

    /// Returns one flag per row: whether the row sends anything to `column` in some flow.
    pub(super) fn rows_that_may_flow_to(&self, column: usize) -> Vec<bool> {
        let mut is_met = vec![false; self.columns];
        let mut can = vec![false; self.rows];
        let mut open = vec![column];
        is_met[column] = true;
        // Follows edges with flow backward and allowed edges forward.
        while let Some(column) = open.pop() {
            for (row, can) in can.iter_mut().enumerate() {
                if self.flow_between(row, column) == 0 || std::mem::replace(can, true) {
                    continue;
                }
                for other in (0..self.columns).filter(|other| self.may[row * self.columns + other]) {
                    if !std::mem::replace(&mut is_met[other], true) {
                        open.push(other);
                    }
                }
            }
        }
        (0..self.rows).map(|row| can[row] && self.may[row * self.columns + column]).collect()
    }
}

/// Finds a cycle in the graph of predecessors. Returns its nodes in forward order.
fn cycle_in(before: &[Option<usize>]) -> Option<Vec<usize>> {
    let mut met = vec![usize::MAX; before.len()];
    for start in 0..before.len() {
        let mut at = start;
        while met[at] == usize::MAX {
            met[at] = start;
            match before[at] {
                Some(earlier) => at = earlier,
                None => break,
            }
        }
        if met[at] == start && before[at].is_some() {
            let mut cycle = vec![at];
            let mut earlier = before[at]?;
            while earlier != at {
                cycle.push(earlier);
                earlier = before[earlier]?;
            }
            cycle.reverse();
            return Some(cycle);
        }
    }
    None
}
