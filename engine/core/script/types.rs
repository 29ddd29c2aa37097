//! Results of the static analysis of rules, agent scripts and fragments. An error is dropped if another one was already
//! reported at the same place.

use crate::analysis::infer::inference::NameTypes;
use crate::analysis::infer::{RuleTypes, Text};
use crate::analysis::language::Language;
use crate::analysis::mistakes;
use crate::analysis::program::{ParsedFile, Program};
use crate::diagnostic::{Diagnostic, Place, Severity, Source};
use crate::library::{self, Effects};
use crate::model::Model;
use rustc_hash::FxHashSet;
use std::sync::{Arc, Mutex, PoisonError};

/// Cached analysis of a set of files.
type CachedAnalysis = (Vec<Arc<Source>>, Arc<RuleTypes>);

/// Cache of recent analyses. Variants of a game usually have the same names, so that one analysis serves all of them.
static CACHE: Mutex<Vec<CachedAnalysis>> = Mutex::new(Vec::new());

/// Maximum number of analyses in the cache.
const CACHE_SIZE: usize = 4;

/// Infers the types of the rules, or returns them from the cache.
pub(super) fn inferred_types(model: &Model, files: &[ParsedFile<'_>]) -> Arc<RuleTypes> {
    let ground = NameTypes::new(model, Language::standard());
    let is_file = |(source, file): (&Arc<Source>, &ParsedFile<'_>)| Arc::ptr_eq(source, file.source);
    let is_it = |(sources, settled): &&CachedAnalysis| {
        sources.len() == files.len() && sources.iter().zip(files).all(is_file) && settled.holds_for(&ground)
    };
    if let Some((_, settled)) = CACHE.lock().unwrap_or_else(PoisonError::into_inner).iter().find(is_it) {
        return settled.clone();
    }
    let settled = Arc::new(RuleTypes::new(ground, files));
    let mut known = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    if known.len() >= CACHE_SIZE {
        known.remove(0);
    }
    known.push((files.iter().map(|file| file.source.clone()).collect(), settled.clone()));
    settled
}

/// Returns the errors of the whole program other than type errors. Omits errors at places where `found` already has one, and errors in
/// functions that could not be parsed completely.
pub(super) fn mistakes_of_program(model: &Model, files: &[ParsedFile<'_>], found: &[Diagnostic]) -> Vec<Diagnostic> {
    let settled = inferred_types(model, files);
    let mut more = mistakes::program_mistakes(&Program::new(model, Language::standard(), files), files, &settled.acts);
    more.extend(mistakes::links_without_two_ends(model, &settled.link_uses));
    more.extend(mistakes::wrong_parts(model, &settled));
    more.retain(|one| !is_reported(one, found) && !is_unread(one, files, found));
    more
}

/// Returns the warnings about the rules, which must not contain errors.
pub(super) fn warnings(model: &Model, files: &[ParsedFile<'_>]) -> Vec<Diagnostic> {
    let mut found = mistakes::warnings(&Program::new(model, Language::standard(), files));
    found.extend(mistakes::links_without_two_ends(model, &inferred_types(model, files).link_uses));
    add_mistakes(model, files, true, &mut found);
    found.retain(|one| one.severity == Severity::Warning);
    found
}

/// Returns the errors in playscript fragments, other than type errors.
pub(super) fn mistakes_of_texts(model: &Model, files: &[ParsedFile<'_>]) -> Vec<Diagnostic> {
    mistakes::playscript_mistakes(&Program::new(model, Language::standard(), files))
}

/// Returns the functions that may stop with a message to the player.
pub(super) fn functions_with_messages(model: &Model, files: &[ParsedFile<'_>]) -> FxHashSet<String> {
    let program = Program::new(model, Language::standard(), files);
    program.functions_reaching(Effects::STOPS).into_iter().map(str::to_owned).collect()
}

/// Codes of errors that can be trusted even if some of the data are invalid.
const NAME_ERRORS: [&str; 5] = ["fixed-name", "not-called", "unfilled-text", "unknown-field", "unknown-word"];

/// Adds the type errors to `found`. If some of the data are invalid (`is_whole` is false), adds only errors about names.
pub(super) fn add_mistakes(model: &Model, files: &[ParsedFile<'_>], is_whole: bool, found: &mut Vec<Diagnostic>) {
    let mut more = inferred_types(model, files).mistakes.clone();
    more.retain(|one| is_whole || NAME_ERRORS.contains(&one.code) || library::is_unknown_name_code(one.code));
    more.retain(|one| !is_unread(one, files, found));
    add_unreported(more, found);
}

/// Adds the type errors in `texts` to `found`.
pub(super) fn add_mistakes_in(rules: &RuleTypes, texts: &[Text<'_>], found: &mut Vec<Diagnostic>) {
    add_unreported(rules.mistakes_in(texts), found);
}

fn add_unreported(mut more: Vec<Diagnostic>, found: &mut Vec<Diagnostic>) {
    more.retain(|one| !is_reported(one, found));
    found.extend(more);
}

/// Returns whether an error is inside a function that could not be parsed completely.
fn is_unread(one: &Diagnostic, files: &[ParsedFile<'_>], found: &[Diagnostic]) -> bool {
    let Some(place) = one.marks.first().map(|mark| &mark.place) else { return false };
    let file = files.iter().find(|file| Arc::ptr_eq(file.source, &place.source));
    let mut functions = file.into_iter().flat_map(|file| &file.tree.functions).map(|function| function.span.range());
    let Some(whole) = functions.find(|whole| whole.contains(&place.span.start)) else { return false };
    let mut unread = found
        .iter()
        .filter(|found| matches!(found.code, "syntax" | "too-deep"))
        .filter_map(|found| found.marks.first());
    unread.any(|mark| Arc::ptr_eq(&mark.place.source, &place.source) && whole.contains(&mark.place.span.start))
}

/// Returns whether `found` already contains an error at an overlapping place.
fn is_reported(one: &Diagnostic, found: &[Diagnostic]) -> bool {
    let Some(mark) = one.marks.first() else { return false };
    let meets = |place: &Place| {
        let is_here = Arc::ptr_eq(&place.source, &mark.place.source);
        is_here && place.span.start < mark.place.span.end && mark.place.span.start < place.span.end
    };
    found.iter().filter_map(|found| found.marks.first()).any(|mark| meets(&mark.place))
}
