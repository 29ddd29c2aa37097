//! Source files of playscripts.

use parlour::diagnostic::Source;
use std::sync::Arc;

/// Wraps the text of a playscript as the source file `test.play`.
pub(crate) fn source(text: impl Into<String>) -> Arc<Source> {
    Arc::new(Source { path: "test.play".to_owned(), text: text.into() })
}
