//! Merging of similar mistakes, such as the same mistake in many rows of a table.

use super::{Diagnostic, Diagnostics, Place, Severity};
use rustc_hash::FxHashMap;

/// Maximum number of similar mistakes that are listed one by one.
const MAX_LISTED: usize = 3;

impl Diagnostics {
    /// Merges each group of more than three similar mistakes in data files into its first mistake, with a note that counts the others. In
    /// scripts, merges two or more warnings that have the same code and the same second place, such as the declaration of a variable.
    /// Warnings about wrong arguments are not merged.
    ///
    /// Two mistakes in data files are similar if they have the same code and either the same first place, the same second place, or the
    /// same message in the same file.
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

/// Removes diagnostics that are equal to an earlier one. Compares only diagnostics with the same message and the same first place.
pub(crate) fn drop_repeated(found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let key = |one: &Diagnostic| {
        let start = one.marks.first().map(|mark| mark.place.span.start);
        (one.code, start, one.message.clone())
    };
    let mut known: FxHashMap<_, Vec<usize>> = FxHashMap::default();
    let mut kept: Vec<Diagnostic> = Vec::new();
    for one in found {
        let similar = known.entry(key(&one)).or_default();
        if similar.iter().all(|at| kept[*at] != one) {
            similar.push(kept.len());
            kept.push(one);
        }
    }
    kept
}

fn are_similar(one: &Diagnostic, other: &Diagnostic) -> bool {
    let place = |found: &Diagnostic, at: usize| found.marks.get(at).map(|mark| mark.place.clone());
    let Some((here, there)) = place(one, 0).zip(place(other, 0)) else { return false };
    let is_same_beside = place(one, 1).is_some() && place(one, 1) == place(other, 1);
    if here.source.is_script() {
        // Each wrong argument must be corrected separately, although all warnings about a function's wrong arguments share their second
        // place.
        let is_warning = |found: &Diagnostic| found.severity == Severity::Warning && found.code != "wrong-arguments";
        return is_same_beside && is_warning(one) && is_warning(other) && one.code == other.code;
    }
    !here.source.is_script()
        && one.code == other.code
        && (here == there || is_same_beside || one.message == other.message && here.source == there.source)
}

/// Merges a group of similar mistakes: returns only the first mistake, with a note that counts the others. Returns a group in data files
/// unchanged if it has at most [`MAX_LISTED`] mistakes, and a group in scripts if it has only one.
fn merge(group: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let is_script = group[0].marks.first().is_some_and(|mark| mark.place.source.is_script());
    if group.len() <= if is_script { 1 } else { MAX_LISTED } {
        return group;
    }
    let more = group.len() - 1;
    let places: Vec<&Place> = group.iter().filter_map(|found| found.marks.first()).map(|mark| &mark.place).collect();
    let next = places.iter().find(|place| **place != places[0]).map(|place| format!(", the next at {}", place.shown()));
    let more = format!("{more} more like it{}", next.unwrap_or_default());
    group.into_iter().take(1).map(|first| first.detail("and", vec![more.clone()])).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Diagnostic, Diagnostics, Place, Source};
    use std::sync::Arc;

    /// Returns one warning for each offset in `places`. All warnings share their second place.
    fn warnings(code: &'static str, places: &[usize]) -> Diagnostics {
        let source =
            Arc::new(Source { path: "rules/play.rhai".to_owned(), text: "let card = deck.first; card.up".to_owned() });
        let place = |at: usize| Place { source: source.clone(), span: at..at + 1 };
        let one = |at: &usize| {
            let warning = Diagnostic::warning(code, "asked of something that may be nothing");
            warning.mark(place(*at), "here").mark(place(0), "one of its values")
        };
        Diagnostics(places.iter().map(one).collect())
    }

    #[test]
    fn warnings_about_one_variable_are_merged() {
        let merged = warnings("nothing-here", &[12, 20, 25]).grouped();
        assert_eq!(merged.0.len(), 1);
        assert_eq!(merged.0[0].details[0].lines, ["2 more like it, the next at rules/play.rhai:1:21"]);
        assert!(warnings("nothing-here", &[12]).grouped().0[0].details.is_empty());
    }

    #[test]
    fn wrong_arguments_at_several_calls_are_reported_one_by_one() {
        assert_eq!(warnings("wrong-arguments", &[12, 20]).grouped().0.len(), 2);
    }
}
