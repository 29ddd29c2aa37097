//! Merging of similar mistakes, such as the same mistake in many rows of a table.

use super::{Diagnostic, Diagnostics, Place};

/// Maximum number of similar mistakes that are listed one by one.
const MAX_LISTED: usize = 3;

impl Diagnostics {
    /// Merges each group of more than three similar mistakes in data files into its first mistake, with a note that counts the others.
    ///
    /// Two mistakes are similar if they have the same code and either the same first place, the same second place, or the same message in
    /// the same file.
    #[must_use]
    pub fn grouped(self) -> Self {
        let mut groups: Vec<Vec<Diagnostic>> = Vec::new();
        for found in self.0 {
            match groups.iter_mut().find(|group| are_similar(&group[0], &found)) {
                Some(group) => group.push(found),
                None => groups.push(vec![found]),
            }
        }
        Self(groups.into_iter().flat_map(merge).collect())
    }
}

fn are_similar(one: &Diagnostic, other: &Diagnostic) -> bool {
    let place = |found: &Diagnostic, at: usize| found.marks.get(at).map(|mark| mark.place.clone());
    let Some((here, there)) = place(one, 0).zip(place(other, 0)) else { return false };
    let is_same_beside = place(one, 1).is_some() && place(one, 1) == place(other, 1);
    !here.source.is_script()
        && one.code == other.code
        && (here == there || is_same_beside || one.message == other.message && here.source == there.source)
}

/// Merges a group of similar mistakes. Returns a small group unchanged. Returns only the first mistake of a large group, with a note that
/// counts the others.
fn merge(group: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if group.len() <= MAX_LISTED {
        return group;
    }
    let more = group.len() - 1;
    let places: Vec<&Place> = group.iter().filter_map(|found| found.marks.first()).map(|mark| &mark.place).collect();
    let next = places.iter().find(|place| **place != places[0]).map(|place| format!(", the next at {}", place.shown()));
    let more = format!("{more} more like it{}", next.unwrap_or_default());
    group.into_iter().take(1).map(|first| first.detail("and", vec![more.clone()])).collect()
}
