//! Something that may be written at a place.

/// What sort of thing may be written.
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

/// Something that may be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Completion {
    /// What it is.
    pub sort: CompletionKind,
    /// What is shown.
    pub label: String,
    /// What is written.
    pub insert: String,
    /// In a few words.
    pub detail: String,
    /// In Markdown.
    pub about: String,
    /// Where what it replaces begins.
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
