//! Trace of a scene: which statements of the rules ran, and which events they caused.

use crate::session::{CoverageDelta, Point};

/// Trace of the rules during a scene.
#[derive(Debug, Default)]
pub(super) struct RuleTrace {
    /// All statements of the rules, with the number of times they ran in the scene.
    pub(super) points: Vec<(Point, u64)>,
    /// Pairs of the index of an event and the index in `points` of the statement that caused it.
    pub(super) causes: Vec<(usize, usize)>,
    /// Indices in `points` of the statements that ran since the last action of the scene.
    pub(super) recent: Vec<usize>,
}

impl RuleTrace {
    /// Adds the counts of the statements that ran since the last call, and the events that they caused.
    pub(super) fn add(&mut self, covered: CoverageDelta) {
        self.recent = (0..covered.points.len()).filter(|at| covered.points[*at].1 > 0).collect();
        if self.points.is_empty() {
            self.points = covered.points;
        } else {
            for ((_, hits), (_, more)) in self.points.iter_mut().zip(covered.points) {
                *hits += more;
            }
        }
        self.causes.extend(covered.causes);
    }

    /// Returns the statement that caused an event.
    pub(super) fn cause_of(&self, event: usize) -> Option<&Point> {
        let at = self.causes.iter().rev().find(|(known, _)| *known == event)?.1;
        self.points.get(at).map(|(point, _)| point)
    }

    /// Describes the functions that ran since the last action. Each string contains the function's name, its file, and the line of its
    /// first statement that ran.
    pub(super) fn functions(&self) -> Vec<String> {
        let mut found: Vec<(&str, String)> = Vec::new();
        for (point, _) in self.recent.iter().filter_map(|at| self.points.get(*at)) {
            if !found.iter().any(|(name, _)| *name == &*point.function) {
                let line = point.place.line_column().0;
                found.push((&point.function, format!("`{}` ({}:{line})", point.function, point.place.source.path)));
            }
        }
        found.into_iter().map(|(_, text)| text).collect()
    }
}
