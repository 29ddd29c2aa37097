//! Parses and compiles rule files. All syntax errors and unknown names are found in one pass.
//!
//! This crate's parser reports errors first. The functions without errors are then checked by the parser of the script
//! engine too.

use crate::analysis::names::{self, Names};
use crate::analysis::{mistakes, program};
use crate::diagnostic::{Diagnostic, Place, Source, find_invisible};
use crate::syntax::{self, ExprKind, File, Function, OwnFunctions, Parsed, Refusal, ScriptEngine, each_expr};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// Cache of parsed rule files. Variants of a game, and other threads, mostly use the same files.
static CACHE: Mutex<Vec<Arc<[RuleFile]>>> = Mutex::new(Vec::new());

/// Maximum number of file sets in the cache.
const CACHE_SIZE: usize = 4;

/// A parsed file.
pub(super) struct RuleFile {
    source: Arc<Source>,
    parsed: Parsed<File>,
    /// Fingerprints of the sets of known names for which the script engine has accepted the file.
    accepted_with: Mutex<Vec<u64>>,
}

impl RuleFile {
    /// Parses files without binding the calls in them.
    fn all<'s>(sources: impl IntoIterator<Item = &'s Arc<Source>>) -> Vec<Self> {
        let mut ids = 0;
        let read = |source: &Arc<Source>| Self {
            source: source.clone(),
            parsed: syntax::parse(source, &mut ids),
            accepted_with: Mutex::default(),
        };
        sources.into_iter().map(read).collect()
    }

    /// Parses the rules of a game, or returns them from the cache.
    pub(super) fn rules(sources: &[Arc<Source>]) -> Arc<[Self]> {
        let is_it = |files: &&Arc<[Self]>| {
            files.len() == sources.len() && files.iter().zip(sources).all(|(file, own)| Arc::ptr_eq(&file.source, own))
        };
        if let Some(files) = CACHE.lock().unwrap_or_else(PoisonError::into_inner).iter().find(is_it) {
            return files.clone();
        }
        let mut files = Self::all(sources);
        syntax::bind_rules(&mut files.iter_mut().map(|file| &mut file.parsed.tree).collect::<Vec<_>>());
        let files: Arc<[Self]> = files.into();
        let mut known = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= CACHE_SIZE {
            known.remove(0);
        }
        known.push(files.clone());
        files
    }

    /// Parses an agent script and binds its calls. `rules` are the functions that the rules define.
    pub(super) fn agent(source: &Arc<Source>, rules: &OwnFunctions) -> Self {
        let mut file = Self::all([source]).remove(0);
        syntax::bind_agent(&mut file.parsed.tree, rules);
        file
    }

    pub(super) fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// Iterates over the names of the functions in the file.
    pub(super) fn functions(&self) -> impl Iterator<Item = String> + '_ {
        self.parsed.tree.functions.iter().map(|function| function.name.text.to_string())
    }

    /// Returns whether the file contains a call of a function with this name.
    pub(super) fn calls(&self, function: &str) -> bool {
        let mut calls = false;
        for own in &self.parsed.tree.functions {
            each_expr(&own.body.statements, &mut |expr| {
                if let ExprKind::Call { name, .. } | ExprKind::Method { name, .. } = &expr.kind {
                    calls |= &*name.text == function;
                }
            });
        }
        calls
    }

    /// Returns the input that the analysis needs for this file.
    pub(super) fn read(&self, is_agent: bool) -> program::ParsedFile<'_> {
        program::ParsedFile { source: &self.source, tree: &self.parsed.tree, is_agent, unread: &self.parsed.mistakes }
    }

    pub(super) fn tree(&self) -> &File {
        &self.parsed.tree
    }

    /// Checks the file and adds its errors to `found`. Returns the functions for further checks: those that have no errors except unknown
    /// names. Returns no functions if the script engine reports an error outside functions.
    pub(super) fn compile(&self, engine: &ScriptEngine, known: &Names, found: &mut Vec<Diagnostic>) -> Vec<&Function> {
        let (source, tree) = (&self.source, &self.parsed.tree);
        let mut mistakes = self.parsed.mistakes.clone();
        mistakes.extend(mistakes::duplicates(source, tree));
        if let Some((at, sign)) = find_invisible(&source.text) {
            let place = Place { source: source.clone(), span: at..at + sign.len_utf8() };
            found.push(Diagnostic::unseen(sign, place));
        }
        let mut kept = error_free(tree, &mistakes);
        let mut text =
            if mistakes.is_empty() { source.text.clone() } else { blank_errors(tree, &source.text, &mistakes) };
        // Functions may be used before their definition and across files, so all of them are declared. Unknown names
        // are declared too, so that they do not hide other errors.
        let mut unknown = names::unknown_names(source, tree, known);
        let functions = known.functions.iter().map(String::as_str);
        let engine = engine.with_variables(functions.chain(unknown.iter().map(|unknown| &*unknown.name)));
        // In a function with syntax errors, the declaration of a name may have been lost.
        let file = self.read(false);
        let broken: Vec<&Function> = tree.functions.iter().filter(|function| file.is_broken(function)).collect();
        unknown.retain(|unknown| !broken.iter().any(|function| is_in(function, &unknown.mistake)));
        mistakes.extend(unknown.into_iter().map(|unknown| unknown.mistake));
        let names = engine.fingerprint();
        let accepted_with = || self.accepted_with.lock().unwrap_or_else(PoisonError::into_inner);
        if mistakes.is_empty() && accepted_with().contains(&names) {
            return kept;
        }
        // Each iteration reports one error and blanks out the function that contains it.
        for _ in 0..=tree.functions.len() {
            let Some(refusal) = engine.first_error(source, &text) else {
                if mistakes.is_empty() {
                    accepted_with().push(names);
                }
                found.extend(mistakes);
                return kept;
            };
            let (at, is_whole_text) = (refusal.start(), matches!(refusal, Refusal::WholeText(_)));
            mistakes.push(to_diagnostic(refusal));
            if is_whole_text {
                break;
            }
            let Some(function) = tree.functions.iter().find(|function| full_range(function).contains(&at)) else {
                break;
            };
            text = blank_out(&text, &[full_range(function)]);
            kept.retain(|one| !std::ptr::eq(*one, function));
        }
        found.extend(mistakes);
        Vec::new()
    }
}

/// Returns the names of the functions in a file.
pub fn functions_of(file: &Arc<Source>) -> Vec<String> {
    RuleFile::all([file]).iter().flat_map(RuleFile::functions).collect()
}

/// Returns the range of a function with its doc comment.
fn full_range(function: &Function) -> Range<usize> {
    function.doc.map_or(function.span, |doc| doc.to(function.span)).range()
}

/// Returns whether an error is inside a function.
fn is_in(function: &Function, mistake: &Diagnostic) -> bool {
    let range = full_range(function);
    let place = mistake.marks.first().map(|mark| &mark.place.span);
    place.is_some_and(|place| range.start <= place.start && place.end <= range.end)
}

/// Returns the functions of `tree` that contain none of the `mistakes`.
fn error_free<'t>(tree: &'t File, mistakes: &[Diagnostic]) -> Vec<&'t Function> {
    let is_error_free = |function: &&Function| !mistakes.iter().any(|mistake| is_in(function, mistake));
    tree.functions.iter().filter(is_error_free).collect()
}

/// Blanks out the functions that contain errors. If there are errors outside functions, blanks out everything except the error-free
/// functions.
fn blank_errors(tree: &File, text: &str, mistakes: &[Diagnostic]) -> String {
    let is_within = |mistake: &Diagnostic| tree.functions.iter().any(|function| is_in(function, mistake));
    let error_free = error_free(tree, mistakes);
    if mistakes.iter().all(|mistake| mistake.marks.is_empty() || is_within(mistake)) {
        let is_error_free = |function: &&Function| error_free.iter().any(|one| std::ptr::eq(*one, *function));
        let wrong: Vec<Range<usize>> =
            tree.functions.iter().filter(|function| !is_error_free(function)).map(full_range).collect();
        return blank_out(text, &wrong);
    }
    let (mut outside, mut at) = (Vec::new(), 0);
    for function in error_free {
        outside.push(at..full_range(function).start);
        at = full_range(function).end;
    }
    outside.push(at..text.len());
    blank_out(text, &outside)
}

/// Replaces ranges with spaces. Keeps line breaks and offsets unchanged.
fn blank_out(text: &str, stretches: &[Range<usize>]) -> String {
    let mut blank = text.to_owned();
    for stretch in stretches {
        let hidden = text[stretch.clone()].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' });
        blank.replace_range(stretch.clone(), &hidden.collect::<String>());
    }
    blank
}

/// Returns the errors in a fragment of a playscript that can be found without compiling it.
pub(super) fn fragment_mistakes(source: &Arc<Source>, known: &Names) -> Vec<Diagnostic> {
    let parsed = syntax::parse_statements(source, &mut 0);
    let mut mistakes = parsed.mistakes;
    mistakes
        .extend(names::unknown_in_statements(source, &parsed.tree, known).into_iter().map(|unknown| unknown.mistake));
    mistakes
}

/// Converts an error of the script engine to a diagnostic.
pub(super) fn to_diagnostic(refusal: Refusal) -> Diagnostic {
    match refusal {
        Refusal::UnknownName(name, place) => mistakes::unknown_name(&name, place),
        Refusal::AtPlace(found) | Refusal::WholeText(found) => found,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_texts_are_not_calls() {
        let file =
            |text: &str| RuleFile::all([&Arc::new(Source { path: "rules/a.rhai".to_owned(), text: text.to_owned() })]);
        assert!(!file("// set_first(x)\nfn a() { let set_first_seat = \"set_first\"; }")[0].calls("set_first"));
        assert!(file("fn a(seat) { if true { set_first(seat) } }")[0].calls("set_first"));
    }

    #[test]
    fn functions_with_errors_are_blanked_without_moving_the_rest() {
        let text = "/// 一\nfn one() { 1 }\n/// 二\nfn two() { = }\nfn three() { 3 }\n";
        let source = Arc::new(Source { path: "rules/a.rhai".to_owned(), text: text.to_owned() });
        let parsed = syntax::parse(&source, &mut 0);
        let left = blank_errors(&parsed.tree, text, &parsed.mistakes);
        assert_eq!(left.len(), text.len());
        assert!(left.contains("fn one() { 1 }") && left.ends_with("fn three() { 3 }\n") && !left.contains("two"));
        assert_eq!(left.find("fn three"), text.find("fn three"));
    }
}
