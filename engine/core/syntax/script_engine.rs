//! The script engine (Rhai), used as a second parser that decides whether source code is valid.

use super::message::forbidden_words;
use super::refusal::describe;
use crate::diagnostic::{Diagnostic, Place, Source};
use rhai::{Engine, OptimizationLevel, ParseError, ParseErrorType, Scope};
use rustc_hash::FxHasher;
use std::borrow::Cow;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::{Arc, Once};

/// Seed of the script engine's hash functions. It is fixed, so that every process produces the same results.
const HASHING_SEED: [u64; 4] = [0x7061_726c, 0x6f75_7231, 0x7275_6c65, 0x7361_7364];

/// The script engine's parser with its limits and the declared names.
pub(crate) struct ScriptEngine {
    parser: Rc<Engine>,
    names: Scope<'static>,
}

/// Reason why the script engine rejects source code.
pub(crate) enum Refusal {
    /// An undeclared name.
    UnknownName(String, Place),
    /// An error at a known place.
    AtPlace(Diagnostic),
    /// An error about the whole source, such as too many functions.
    WholeText(Diagnostic),
}

impl ScriptEngine {
    /// Creates a parser in which `names` are declared as constants.
    pub(crate) fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        fix_hashing();
        let mut parser = Engine::new_raw();
        // Disabled words are syntax errors, as in this crate's parser.
        for word in forbidden_words() {
            parser.disable_symbol(word);
        }
        parser
            .set_max_expr_depths(512, 512)
            .set_max_string_size(16_384)
            .set_max_variables(128)
            .set_max_functions(1_024)
            .set_strict_variables(true)
            .set_optimization_level(OptimizationLevel::None);
        let mut scope = Scope::new();
        for name in names {
            scope.push_constant(name, ());
        }
        Self { parser: Rc::new(parser), names: scope }
    }

    /// Returns a copy in which `variables` are also declared.
    pub(crate) fn with_variables<'n>(&self, variables: impl IntoIterator<Item = &'n str>) -> Self {
        let mut names = self.names.clone();
        for name in variables {
            names.push(name, ());
        }
        Self { parser: self.parser.clone(), names }
    }

    /// Returns a hash of the declared names, in order.
    pub(crate) fn fingerprint(&self) -> u64 {
        let mut hasher = FxHasher::default();
        self.names.iter_raw().for_each(|(name, is_constant, _)| (name, is_constant).hash(&mut hasher));
        hasher.finish()
    }

    /// Parses `text` and returns the first error. `text` is the text of `source`. Substrings of `text` may have been replaced with blanks
    /// of the same length, so that offsets stay the same.
    pub(crate) fn first_error(&self, source: &Arc<Source>, text: &str) -> Option<Refusal> {
        let error = self.parser.compile_with_scope(&self.names, replace_min_literals(text)).err()?;
        Some(convert_error(source, &error))
    }
}

impl Refusal {
    /// Returns the byte offset of the error in the source.
    pub(crate) fn start(&self) -> usize {
        match self {
            Self::UnknownName(_, place) => place.span.start,
            Self::AtPlace(found) | Self::WholeText(found) => {
                found.marks.first().map_or(0, |mark| mark.place.span.start)
            }
        }
    }
}

/// Sets the seed of the script engine's hash functions for the whole process.
fn fix_hashing() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // This fails only if a seed was set before, and no other code in this program sets one.
        let _ = rhai::config::hashing::set_hashing_seed(Some(HASHING_SEED));
    });
}

/// Replaces each `i64::MIN` literal with a literal that the script engine can parse, without changing any offset.
///
/// After some words and symbols, the script engine treats the minus sign as an operator, and then the digits alone are out of range. The
/// result is only parsed, never run.
fn replace_min_literals(text: &str) -> Cow<'_, str> {
    let least = i64::MIN.to_string();
    let mut readable = Cow::Borrowed(text);
    for (at, _) in text.match_indices('-') {
        let rest = &text[at + 1..];
        let digits = rest.find(|c: char| c != '_' && !c.is_ascii_digit()).unwrap_or(rest.len());
        if digits + 1 >= least.len() && rest[..digits].bytes().filter(|byte| *byte != b'_').eq(least.bytes().skip(1)) {
            readable.to_mut().replace_range(at + 1..at + 2, "1");
        }
    }
    readable
}

/// Converts an error of the script engine's parser and determines its place.
fn convert_error(source: &Arc<Source>, error: &ParseError) -> Refusal {
    let place = match (error.position().line(), error.position().position()) {
        (Some(line), Some(column)) => Place::at(source, line, column),
        _ => Place { source: source.clone(), span: source.text.len()..source.text.len() },
    };
    if let ParseErrorType::VariableUndefined(name) = error.err_type() {
        return Refusal::UnknownName(name.clone(), place);
    }
    let found = describe(error.err_type()).at(place);
    match error.err_type() {
        ParseErrorType::TooManyFunctions => Refusal::WholeText(found),
        _ => Refusal::AtPlace(found),
    }
}
