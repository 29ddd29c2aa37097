//! `parlour --version`: the version, the commit, and the supported formats.

use crate::desk::bundle;
use crate::{agents, loader, paper, playscript, report};
use std::sync::LazyLock;

/// Returns the complete version text.
pub(super) fn version() -> &'static str {
    static VERSION: LazyLock<String> = LazyLock::new(|| {
        let commit = bundle::commit().map_or_else(String::new, |commit| format!(" (commit {commit})"));
        format!(
            "{}{commit}\nformats: games {}, playscripts {}, runs {}, prints {}; agents speak protocol {}",
            env!("CARGO_PKG_VERSION"),
            loader::FORMAT,
            playscript::FORMAT,
            report::FORMAT,
            paper::FORMAT,
            agents::PROTOCOL,
        )
    });
    &VERSION
}
