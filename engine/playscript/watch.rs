//! What ran of the rules in a scene, and which of it brought events about.

use crate::session::{Covered, Point};

/// What ran of the rules in a scene whose rules are watched.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// Every statement, with how often it ran in the scene.
    pub(super) points: Vec<(Point, u64)>,
    /// The positions of events, each with the position of the statement that brought it about.
    pub(super) causes: Vec<(usize, usize)>,
    /// The statements that ran since the last act of the play.
    pub(super) recent: Vec<usize>,
}

impl Watch {
    pub(super) fn add(&mut self, covered: Covered) {
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

    pub(super) fn cause(&self, event: usize) -> Option<&Point> {
        let at = self.causes.iter().rev().find(|(known, _)| *known == event)?.1;
        self.points.get(at).map(|(point, _)| point)
    }

    /// The functions that ran since the last act, each with its file and line.
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
