//! The script engine as the judge of how rules are written.

use crate::library::context::names::names;
use crate::model::Model;
use crate::syntax::forbidden_words;
use rhai::{Engine, OptimizationLevel, Scope};
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
        .set_max_array_size(1_000)
        .set_max_map_size(1_000)
        .set_max_variables(128)
        .set_max_functions(1_024)
        .set_strict_variables(true)
        .set_optimization_level(OptimizationLevel::None);
    parser
}

/// The names as constants, so that the parser knows them.
pub(super) fn scope(model: &Arc<Model>) -> Scope<'static> {
    let mut scope = Scope::new();
    for (name, _) in names(model) {
        scope.push_constant(name, ());
    }
    scope
}
