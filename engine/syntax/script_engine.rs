//! The script engine as the judge of how rules are written: whether it reads a text, and what it refuses.

use super::message::forbidden_words;
use super::refusal::describe;
use crate::diagnostic::{Diagnostic, Place, Source};
use rhai::{Engine, OptimizationLevel, ParseError, ParseErrorType, Scope};
use rustc_hash::FxHasher;
use std::borrow::Cow;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::{Arc, Once};

/// The seed of the script engine's hashes: fixed, so that nothing depends on the process.
const HASHING_SEED: [u64; 4] = [0x7061_726c, 0x6f75_7231, 0x7275_6c65, 0x7361_7364];

/// The script engine's parser, with its limits, and the names that it knows.
pub(crate) struct ScriptEngine {
    parser: Rc<Engine>,
    names: Scope<'static>,
}

/// What the script engine does not read.
pub(crate) enum Refusal {
    /// A name that stands for nothing.
    UnknownName(String, Place),
    /// Something at one place.
    Here(Diagnostic),
    /// Something of the text as a whole.
    OfAll(Diagnostic),
}

impl ScriptEngine {
    /// It, with names that cannot be set.
    pub(crate) fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        fix_hashing();
        let mut parser = Engine::new_raw();
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

    /// It, with names that can be set, too.
    pub(crate) fn and<'n>(&self, variables: impl IntoIterator<Item = &'n str>) -> Self {
        let mut names = self.names.clone();
        for name in variables {
            names.push(name, ());
        }
        Self { parser: self.parser.clone(), names }
    }

    /// Tells engines apart by the names that they know, in order.
    pub(crate) fn fingerprint(&self) -> u64 {
        let mut hasher = FxHasher::default();
        self.names.iter_raw().for_each(|(name, is_constant, _)| (name, is_constant).hash(&mut hasher));
        hasher.finish()
    }

    /// What it refuses of a text, the first place of all; a text of a source may have blanks where the source has not.
    pub(crate) fn refusal(&self, source: &Arc<Source>, text: &str) -> Option<Refusal> {
        let error = self.parser.compile_with_scope(&self.names, readable(text)).err()?;
        Some(refused(source, &error))
    }
}

impl Refusal {
    /// The place in the text.
    pub(crate) fn start(&self) -> usize {
        match self {
            Self::UnknownName(_, place) => place.span.start,
            Self::Here(found) | Self::OfAll(found) => found.marks.first().map_or(0, |mark| mark.place.span.start),
        }
    }
}

/// Nothing depends on the process from here on.
fn fix_hashing() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Fails only when a seed was set before, which nothing else in this program does.
        let _ = rhai::config::hashing::set_hashing_seed(Some(HASHING_SEED));
    });
}

/// A text as the parser can read it, at the same places: behind some words and symbols it takes the sign of a number for an
/// operator, and the least number there is has none without its sign. What it makes of the text is not run.
fn readable(text: &str) -> Cow<'_, str> {
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

/// An error of the script engine's parser, with its place.
fn refused(source: &Arc<Source>, error: &ParseError) -> Refusal {
    let place = match (error.position().line(), error.position().position()) {
        (Some(line), Some(column)) => Place::at(source, line, column),
        _ => Place { source: source.clone(), span: source.text.len()..source.text.len() },
    };
    if let ParseErrorType::VariableUndefined(name) = error.err_type() {
        return Refusal::UnknownName(name.clone(), place);
    }
    let message = describe(error.err_type());
    let found = Diagnostic::error(message.code, message.headline).mark(place, message.note);
    let found = message.help.into_iter().fold(found, Diagnostic::help);
    match error.err_type() {
        ParseErrorType::TooManyFunctions => Refusal::OfAll(found),
        _ => Refusal::Here(found),
    }
}
