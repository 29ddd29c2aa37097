//! The same mistake in many rows, merged once.

use super::{Diagnostic, Diagnostics, Place};

/// So often a mistake is merged at each of its places.
const MOST_ALIKE: usize = 3;

impl Diagnostics {
    /// The same with mistakes of data that are alike, and more than a few, merged at the first of their places alone. Alike are
    /// those of one code with the same message, at the same place, or because of the same place.
    #[must_use]
    pub fn grouped(self) -> Self {
        let mut groups: Vec<Vec<Diagnostic>> = Vec::new();
        for found in self.0 {
            match groups.iter_mut().find(|group| are_alike(&group[0], &found)) {
                Some(group) => group.push(found),
                None => groups.push(vec![found]),
            }
        }
        Self(groups.into_iter().flat_map(merged).collect())
    }
}

fn are_alike(one: &Diagnostic, other: &Diagnostic) -> bool {
    let place = |found: &Diagnostic, at: usize| found.marks.get(at).map(|mark| mark.place.clone());
    let Some((here, there)) = place(one, 0).zip(place(other, 0)) else { return false };
    let is_same_beside = place(one, 1).is_some() && place(one, 1) == place(other, 1);
    !here.source.is_script()
        && one.code == other.code
        && (here == there || is_same_beside || one.message == other.message && here.source == there.source)
}

/// All of a few, or the first of many.
fn merged(group: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if group.len() <= MOST_ALIKE {
        return group;
    }
    let more = group.len() - 1;
    let places: Vec<&Place> = group.iter().filter_map(|found| found.marks.first()).map(|mark| &mark.place).collect();
    let next = places.iter().find(|place| **place != places[0]).map(|place| format!(", the next at {}", place.shown()));
    let more = format!("{more} more like it{}", next.unwrap_or_default());
    group.into_iter().take(1).map(|first| first.detail("and", vec![more.clone()])).collect()
}
