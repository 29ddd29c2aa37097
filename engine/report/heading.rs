//! Headings of tables, for the terminal and for pages.

use serde::Serialize;

/// Heading of a column.
#[derive(Debug, Clone, Serialize)]
pub struct Heading {
    /// Text of the heading.
    pub text: String,
    /// Whether the column contains numbers, which are right-aligned.
    pub is_number: bool,
}

impl Heading {
    /// Creates the heading of a text column.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_number: false }
    }

    /// Creates the heading of a number column.
    pub fn number(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_number: true }
    }
}
