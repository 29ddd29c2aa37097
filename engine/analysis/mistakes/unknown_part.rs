//! `unknown-part`: a map never has a part of this name.

use crate::diagnostic::{Diagnostic, Place};
use std::sync::Arc;

pub(crate) fn unknown_part(name: &str, parts: &[Arc<str>], here: Place) -> Diagnostic {
    let found =
        Diagnostic::error("unknown-part", format!("the map has no part `{name}`")).mark(here, "not in this map");
    let mut named: Vec<&str> = parts.iter().map(|part| &**part).collect();
    named.sort_unstable();
    named.dedup();
    let help = match named.as_slice() {
        [] => format!("give it where the map is made: `#{{ {name}: … }}`"),
        named => {
            format!("its parts are {}", named.iter().map(|part| format!("`{part}`")).collect::<Vec<_>>().join(", "))
        }
    };
    found.help(help).suggest(name, named.iter().copied())
}
