//! Texts of plays.

use parlour::diagnostic::Source;
use std::sync::Arc;

/// The text of a play, as a file.
pub(crate) fn source(text: impl Into<String>) -> Arc<Source> {
    Arc::new(Source { path: "test.play".to_owned(), text: text.into() })
}
