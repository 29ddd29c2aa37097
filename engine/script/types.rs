//! Results of the static analysis for rules, agent scripts and fragments. An error is dropped if another one was already reported at
//! the same place.

use crate::analysis::infer::inference::Ground;
use crate::analysis::infer::{RuleTypes, Text};
use crate::analysis::language::Language;
use crate::analysis::mistakes;
use crate::analysis::program::{ParsedFile, Program};
use crate::diagnostic::{Diagnostic, Place, Severity, Source};
use crate::library::{self, Effects};
use crate::model::Model;
use rustc_hash::FxHashSet;
use std::sync::{Arc, Mutex, PoisonError};

/// Rules that have been inferred, by their files.
type Known = (Vec<Arc<Source>>, Arc<RuleTypes>);

/// Cache of recent analyses. Variants of a game mostly have the same names, so one analysis serves all of them.
static CACHE: Mutex<Vec<CachedAnalysis>> = Mutex::new(Vec::new());

/// Maximum number of analyses in the cache.
const CACHE_SIZE: usize = 4;

/// The types of the rules of a game.
pub(super) fn settled(model: &Model, files: &[ParsedFile<'_>]) -> Arc<RuleTypes> {
    let ground = Ground::new(model, Language::standard());
    let is_file = |(source, file): (&Arc<Source>, &ParsedFile<'_>)| Arc::ptr_eq(source, file.source);
    let is_it = |(sources, settled): &&Known| {
        sources.len() == files.len() && sources.iter().zip(files).all(is_file) && settled.holds_for(&ground)
    };
    if let Some((_, settled)) = CACHE.lock().unwrap_or_else(PoisonError::into_inner).iter().find(is_it) {
        return settled.clone();
    }
    let settled = Arc::new(RuleTypes::new(ground, files));
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if known.len() >= KEPT {
        known.remove(0);
    }
    known.push((files.iter().map(|file| file.source.clone()).collect(), settled.clone()));
    settled
}

/// What is wrong with some files as a whole, whatever types are known, beside what has been found.
pub(super) fn mistakes_of_program(model: &Model, files: &[ParsedFile<'_>], found: &[Diagnostic]) -> Vec<Diagnostic> {
    let settled = settled(model, files);
    let mut more = mistakes::program_mistakes(&Program::new(model, Language::standard(), files), files, &settled.acts);
    more.retain(|one| !is_reported(one, found) && !is_unread(one, files, found));
    more
}

/// What the author should look at in rules in which nothing is wrong.
pub(super) fn warnings(model: &Model, files: &[ParsedFile<'_>]) -> Vec<Diagnostic> {
    let mut found = mistakes::warnings(&Program::new(model, Language::standard(), files));
    add_mistakes(model, files, true, &mut found);
    found.retain(|one| one.severity == Severity::Warning);
    found
}

/// What is wrong with texts of plays beside some rules, whatever types are known.
pub(super) fn mistakes_of_texts(model: &Model, files: &[ParsedFile<'_>]) -> Vec<Diagnostic> {
    mistakes::playscript_mistakes(&Program::new(model, Language::standard(), files))
}

/// The functions of some rules that may stop with a message.
pub(super) fn announcing(model: &Model, files: &[ParsedFile<'_>]) -> FxHashSet<String> {
    let program = Program::new(model, Language::standard(), files);
    program.leading_to(Effects::STOPS).into_iter().map(str::to_owned).collect()
}

/// Codes of errors that can be trusted even if some of the data are invalid.
const NAME_ERRORS: [&str; 5] = ["fixed-name", "not-called", "unfilled-text", "unknown-field", "unknown-word"];

/// Adds what is wrong with some files to what has been found; of a game that is not known whole, with its names alone.
pub(super) fn add_mistakes(model: &Model, files: &[ParsedFile<'_>], is_whole: bool, found: &mut Vec<Diagnostic>) {
    let mut more = settled(model, files).mistakes.clone();
    more.retain(|one| is_whole || OF_NAMES.contains(&one.code) || library::is_of_quoted(one.code));
    more.retain(|one| !is_unread(one, files, found));
    add_unreported(more, found);
}

/// Adds what is wrong with the types of texts beside some rules.
pub(super) fn add_mistakes_in(rules: &RuleTypes, texts: &[Text<'_>], found: &mut Vec<Diagnostic>) {
    add(rules.mistakes_in(texts), found);
}

fn add_unreported(mut more: Vec<Diagnostic>, found: &mut Vec<Diagnostic>) {
    more.retain(|one| !is_reported(one, found));
    found.extend(more);
}

/// Whether something is said of a function that could not be read whole.
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

/// Returns whether an error at the same place was already found.
fn is_reported(one: &Diagnostic, found: &[Diagnostic]) -> bool {
    let Some(mark) = one.marks.first() else { return false };
    let meets = |place: &Place| {
        let is_here = Arc::ptr_eq(&place.source, &mark.place.source);
        is_here && place.span.start < mark.place.span.end && mark.place.span.start < place.span.end
    };
    found.iter().filter_map(|found| found.marks.first()).any(|mark| meets(&mark.place))
}
