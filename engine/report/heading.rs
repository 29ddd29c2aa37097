//! Headings of tables, on a terminal and on a page.

use serde::Serialize;

/// Heading of a column.
#[derive(Debug, Clone, Serialize)]
pub struct Heading {
    /// Text of the heading.
    pub text: String,
    /// Whether the column has numbers, which are aligned to the right.
    pub is_number: bool,
}

impl Heading {
    /// Creates the heading of a column of texts.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_number: false }
    }

    /// Creates the heading of a column of numbers.
    pub fn number(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_number: true }
    }
}
