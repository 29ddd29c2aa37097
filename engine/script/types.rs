//! What our own analysis says of rules, of agents' files and of texts of plays: what types show where nothing else
//! has been said of the same place, and what shows in the rules as a whole.

use crate::analysis::infer::inference::Ground;
use crate::analysis::infer::{Settled, Text};
use crate::analysis::language::Language;
use crate::analysis::mistakes;
use crate::analysis::program::{Program, Read};
use crate::diagnostic::{Diagnostic, Place, Severity, Source};
use crate::library::{self, Effects};
use crate::model::Model;
use rustc_hash::FxHashSet;
use std::sync::{Arc, Mutex, PoisonError};

/// Rules that have been inferred, by their files.
type Known = (Vec<Arc<Source>>, Arc<Settled>);

/// The rules that were inferred last: variants of a game mostly have the same names, and one pass does for all of them.
static KNOWN: Mutex<Vec<Known>> = Mutex::new(Vec::new());

/// How many of these are kept.
const KEPT: usize = 4;

/// The types of the rules of a game.
pub(super) fn settled(model: &Model, files: &[Read<'_>]) -> Arc<Settled> {
    let ground = Ground::new(model, Language::whole());
    let is_file = |(source, file): (&Arc<Source>, &Read<'_>)| Arc::ptr_eq(source, file.source);
    let is_it = |(sources, settled): &&Known| {
        sources.len() == files.len() && sources.iter().zip(files).all(is_file) && settled.holds_for(&ground)
    };
    if let Some((_, settled)) = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).iter().find(is_it) {
        return settled.clone();
    }
    let settled = Arc::new(Settled::new(ground, files));
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if known.len() >= KEPT {
        known.remove(0);
    }
    known.push((files.iter().map(|file| file.source.clone()).collect(), settled.clone()));
    settled
}

/// What is wrong with some files as a whole, whatever types are known, beside what has been found.
pub(super) fn mistakes_of_program(model: &Model, files: &[Read<'_>], found: &[Diagnostic]) -> Vec<Diagnostic> {
    let settled = settled(model, files);
    let mut more = mistakes::of_program(&Program::new(model, Language::whole(), files), files, &settled.acts);
    more.retain(|one| !is_reported(one, found) && !is_unread(one, files, found));
    more
}

/// What the author should look at in rules in which nothing is wrong.
pub(super) fn warnings(model: &Model, files: &[Read<'_>]) -> Vec<Diagnostic> {
    let mut found = mistakes::warnings(&Program::new(model, Language::whole(), files));
    add_mistakes(model, files, true, &mut found);
    found.retain(|one| one.severity == Severity::Warning);
    found
}

/// What is wrong with texts of plays beside some rules, whatever types are known.
pub(super) fn mistakes_of_texts(model: &Model, files: &[Read<'_>]) -> Vec<Diagnostic> {
    mistakes::of_texts(&Program::new(model, Language::whole(), files))
}

/// The functions of some rules that may stop with a message.
pub(super) fn announcing(model: &Model, files: &[Read<'_>]) -> FxHashSet<String> {
    let program = Program::new(model, Language::whole(), files);
    program.leading_to(Effects::STOPS).into_iter().map(str::to_owned).collect()
}

/// What is wrong whatever types are known, beside what is said of names in quotes.
const OF_NAMES: [&str; 5] = ["fixed-name", "not-called", "unfilled-text", "unknown-field", "unknown-word"];

/// Adds what is wrong with some files to what has been found; of a game that is not known whole, with its names alone.
pub(super) fn add_mistakes(model: &Model, files: &[Read<'_>], is_whole: bool, found: &mut Vec<Diagnostic>) {
    let mut more = settled(model, files).mistakes.clone();
    more.retain(|one| is_whole || OF_NAMES.contains(&one.code) || library::is_of_quoted(one.code));
    more.retain(|one| !is_unread(one, files, found));
    add(more, found);
}

/// Adds what is wrong with the types of texts beside some rules.
pub(super) fn add_mistakes_in(rules: &Settled, texts: &[Text<'_>], found: &mut Vec<Diagnostic>) {
    add(rules.mistakes_in(texts), found);
}

fn add(mut more: Vec<Diagnostic>, found: &mut Vec<Diagnostic>) {
    more.retain(|one| !is_reported(one, found));
    found.extend(more);
}

/// Whether something is said of a function that could not be read whole.
fn is_unread(one: &Diagnostic, files: &[Read<'_>], found: &[Diagnostic]) -> bool {
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

/// Whether something has been said of the same place.
fn is_reported(one: &Diagnostic, found: &[Diagnostic]) -> bool {
    let Some(mark) = one.marks.first() else { return false };
    let meets = |place: &Place| {
        let is_here = Arc::ptr_eq(&place.source, &mark.place.source);
        is_here && place.span.start < mark.place.span.end && mark.place.span.start < place.span.end
    };
    found.iter().filter_map(|found| found.marks.first()).any(|mark| meets(&mark.place))
}
