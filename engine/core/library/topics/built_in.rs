//! Reference entries of the built-in names: global names and facts.

use crate::library::built_in::{FACTS, NAMES};
use crate::library::entry::builder::RegistryBuilder;

pub(super) fn register(registry: &mut RegistryBuilder) {
    registry.topic("Global names");
    for (_, name, is, doc, example) in NAMES {
        registry.name(name, is, doc, example);
    }
    registry.topic("Properties");
    for (of, _, name, is, doc, example) in FACTS {
        registry.fact(name, of, is, doc, example);
    }
}
