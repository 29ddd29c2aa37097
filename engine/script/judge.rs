//! The script engine as the judge of how rules are written.

use crate::library::context::names::names;
use crate::model::Model;
use crate::syntax::forbidden_words;
use rhai::{Engine, OptimizationLevel, Scope};
use std::borrow::Cow;
use std::sync::{Arc, Once};

/// The seed of the script engine's hashes: fixed, so that nothing depends on the process.
const HASHING_SEED: [u64; 4] = [0x7061_726c, 0x6f75_7231, 0x7275_6c65, 0x7361_7364];

/// Nothing depends on the process from here on.
pub(super) fn fix_hashing() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Fails only when a seed was set before, which nothing else in this program does.
        let _ = rhai::config::hashing::set_hashing_seed(Some(HASHING_SEED));
    });
}

/// A reader of the language of the script engine, with its limits.
pub(super) fn parser() -> Engine {
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
    parser
}

/// A text as the parser can read it, at the same places: behind some words and symbols it takes the sign of a number for an
/// operator, and the least number there is has none without its sign. What it makes of the text is not run.
pub(super) fn readable(text: &str) -> Cow<'_, str> {
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

/// The names as constants, so that the parser knows them.
pub(super) fn scope(model: &Arc<Model>) -> Scope<'static> {
    let mut scope = Scope::new();
    for (name, _) in names(model) {
        scope.push_constant(name, ());
    }
    scope
}
