//! What types say of rules, of agents' files and of texts of plays, where nothing else has been said of the same place.

use super::vocabulary::language;
use crate::analysis::infer::{Inference, Read, Text};
use crate::diagnostic::{Diagnostic, Place};
use crate::model::Model;
use std::sync::Arc;

/// Adds what is wrong with types to what has been found.
pub(super) fn add_mistakes(model: &Model, files: &[Read<'_>], texts: &[Text<'_>], found: &mut Vec<Diagnostic>) {
    let mut more = Inference::new(model, language(), files, texts).mistakes();
    // Which map lacks a part says more than that nothing has such a name.
    let parts: Vec<Diagnostic> = more.extract_if(.., |one| one.code == "unknown-part").collect();
    found.retain(|one| one.code != "unknown-field" || !is_told(one, &parts));
    more.extend(parts);
    more.retain(|one| !is_told(one, found) && !is_unread(one, files, found));
    found.extend(more);
}

/// Whether something is said of a function that could not be read whole.
fn is_unread(one: &Diagnostic, files: &[Read<'_>], found: &[Diagnostic]) -> bool {
    let Some(place) = one.marks.first().map(|mark| &mark.place) else { return false };
    let file = files.iter().find(|file| Arc::ptr_eq(file.source, &place.source));
    let mut functions = file.into_iter().flat_map(|file| &file.tree.functions).map(|function| function.span.range());
    let Some(whole) = functions.find(|whole| whole.contains(&place.span.start)) else { return false };
    let mut unread = found.iter().filter(|found| found.code == "syntax").filter_map(|found| found.marks.first());
    unread.any(|mark| Arc::ptr_eq(&mark.place.source, &place.source) && whole.contains(&mark.place.span.start))
}

/// Whether something has been said of the same place.
fn is_told(one: &Diagnostic, found: &[Diagnostic]) -> bool {
    let Some(mark) = one.marks.first() else { return false };
    let meets = |place: &Place| {
        let is_here = Arc::ptr_eq(&place.source, &mark.place.source);
        is_here && place.span.start < mark.place.span.end && mark.place.span.start < place.span.end
    };
    found.iter().filter_map(|found| found.marks.first()).any(|mark| meets(&mark.place))
}
