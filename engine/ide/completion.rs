//! The data of a completion.

/// The kind of a completion, which determines its icon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CompletionKind {
    Keyword,
    Key,
    Word,
    Seat,
    Choice,
    Variable,
    Zone,
    Param,
    Field,
    Property,
    Function,
}

/// A completion at the cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Completion {
    /// Kind of the completion.
    pub sort: CompletionKind,
    /// The displayed text.
    pub label: String,
    /// The inserted text.
    pub insert: String,
    /// A short description.
    pub detail: String,
    /// Documentation in Markdown.
    pub about: String,
    /// Byte offset where the replaced text starts.
    pub start: usize,
}

impl Completion {
    pub(super) fn new(sort: CompletionKind, label: &str, detail: &str, start: usize) -> Self {
        Self {
            sort,
            label: label.to_owned(),
            insert: label.to_owned(),
            detail: detail.to_owned(),
            about: String::new(),
            start,
        }
    }

    pub(super) fn about(self, about: String) -> Self {
        Self { about, ..self }
    }
}
