//! Converts results to types of the language server protocol.

use super::position::{Encoding, Lines};
use super::uri::uri_of;
use crate::diagnostic::{Diagnostic, GAME, Place, Severity};
use crate::ide::{CompletionKind, EntrySort};
use crate::loader::DeclaredNameKind;
use lsp_types::{
    CompletionItemKind, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Range, SymbolKind,
    Uri,
};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;
use std::str::FromStr;

/// Returns whether a place is in a workbook, which has no lines of text.
fn is_in_workbook(place: &Place) -> bool {
    place.source.file() != place.source.path
}

/// Returns the range of a place in its text; for workbooks, an empty range at the beginning.
pub(super) fn range(place: &Place, encoding: Encoding) -> Range {
    if is_in_workbook(place) {
        return Range::default();
    }
    Lines::new(&place.source.text, encoding).range(&place.span)
}

/// Returns the location of a place in a file of a game.
pub(super) fn location(place: &Place, folder: &Path, encoding: Encoding) -> Value {
    json!({ "uri": uri_of(&folder.join(place.source.file())), "range": range(place, encoding) })
}

/// Converts a diagnostic. Also returns the path of the file for which the diagnostic is reported.
pub(super) fn diagnostic(found: &Diagnostic, folder: &Path, encoding: Encoding) -> (String, lsp_types::Diagnostic) {
    let first = found.marks.first();
    let path = first.map_or_else(|| GAME.to_owned(), |mark| mark.place.source.file().to_owned());
    let cell = first.filter(|mark| is_in_workbook(&mark.place));
    let mut message = cell.map_or_else(String::new, |mark| format!("{}: ", mark.place.shown()));
    message.push_str(&found.message);
    if let Some(mark) = first.filter(|mark| !mark.note.is_empty()) {
        let _ = write!(message, " ({})", mark.note);
    }
    for detail in &found.details {
        let _ = write!(message, "\n{}: {}", detail.heading, detail.lines.join("\n  "));
    }
    if let Some(help) = &found.help {
        let _ = write!(message, "\nhelp: {help}");
    }
    let related = found.marks.iter().skip(1).filter_map(|mark| {
        let uri = Uri::from_str(&uri_of(&folder.join(mark.place.source.file()))).ok()?;
        let location = Location { uri, range: range(&mark.place, encoding) };
        Some(DiagnosticRelatedInformation { location, message: mark.note.clone() })
    });
    let related: Vec<DiagnosticRelatedInformation> = related.collect();
    let shown = lsp_types::Diagnostic {
        range: first.map_or_else(Range::default, |mark| range(&mark.place, encoding)),
        severity: Some(match found.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        }),
        code: Some(NumberOrString::String(found.code.to_owned())),
        source: Some("parlour".to_owned()),
        message,
        related_information: (!related.is_empty()).then_some(related),
        ..lsp_types::Diagnostic::default()
    };
    (path, shown)
}

/// Converts the kind of a completion to that of the protocol.
pub(super) fn completion_kind(sort: CompletionKind) -> CompletionItemKind {
    match sort {
        CompletionKind::Keyword => CompletionItemKind::KEYWORD,
        CompletionKind::Key | CompletionKind::Property => CompletionItemKind::PROPERTY,
        CompletionKind::Word => CompletionItemKind::VALUE,
        CompletionKind::Choice => CompletionItemKind::EVENT,
        CompletionKind::Variable => CompletionItemKind::VARIABLE,
        CompletionKind::Zone => CompletionItemKind::CLASS,
        CompletionKind::Seat | CompletionKind::Param => CompletionItemKind::CONSTANT,
        CompletionKind::Field => CompletionItemKind::FIELD,
        CompletionKind::Function => CompletionItemKind::FUNCTION,
    }
}

/// Returns the protocol's symbol kind for an outline entry.
pub(super) fn symbol_kind(sort: EntrySort) -> SymbolKind {
    match sort {
        EntrySort::Section => SymbolKind::MODULE,
        EntrySort::Scene => SymbolKind::EVENT,
        EntrySort::Name(category) => match category {
            DeclaredNameKind::Zone => SymbolKind::CLASS,
            DeclaredNameKind::Param => SymbolKind::CONSTANT,
            DeclaredNameKind::Option => SymbolKind::BOOLEAN,
            DeclaredNameKind::Value => SymbolKind::VARIABLE,
            DeclaredNameKind::Field => SymbolKind::FIELD,
            DeclaredNameKind::Kind => SymbolKind::STRUCT,
            DeclaredNameKind::Component => SymbolKind::OBJECT,
            DeclaredNameKind::Decision | DeclaredNameKind::Announcement | DeclaredNameKind::Alteration => {
                SymbolKind::EVENT
            }
            DeclaredNameKind::Phase => SymbolKind::NAMESPACE,
            DeclaredNameKind::Ending => SymbolKind::ENUM_MEMBER,
            DeclaredNameKind::Function => SymbolKind::FUNCTION,
        },
    }
}
