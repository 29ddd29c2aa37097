//! The document that the sections of a rulebook are written to.

use super::flow::Course;
use super::functions::RuleFunctions;
use crate::faces::Faces;
use crate::model::{Model, Setting};
use crate::paper::canvas::Canvas;
use crate::paper::order::Order;
use crate::paper::parts::Parts;
use crate::phrases::{Book, Phrases};
use crate::wording::{Wording, escaped};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A rulebook that is being written, with everything that it is made from.
pub(super) struct Document<'m> {
    pub(super) model: &'m Model,
    pub(super) wording: &'m Wording,
    pub(super) faces: &'m Faces,
    pub(super) order: &'m Order,
    pub(super) parts: &'m Parts,
    pub(super) boards: &'m [Canvas],
    pub(super) functions: RuleFunctions<'m>,
    pub(super) course: Course,
    /// Indices of the functions that have a chapter of their own.
    pub(super) procedures: BTreeSet<usize>,
    pub(super) book: &'static Book,
    pub(super) phrases: &'static Phrases,
    pub(super) html: String,
    pub(super) pictures: BTreeSet<usize>,
}

impl Document<'_> {
    /// Adds a heading.
    pub(super) fn heading(&mut self, level: u8, text: &str) {
        let _ = writeln!(self.html, "<h{level}>{}</h{level}>", escaped(text));
    }

    /// Adds a paragraph, unless the text is empty.
    pub(super) fn paragraph(&mut self, class: &str, text: &str) {
        if text.is_empty() {
            return;
        }
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        let _ = writeln!(self.html, "<p{class}>{}</p>", escaped(text));
    }

    /// Adds a table row with a `tag` element for each text.
    pub(super) fn row<S: AsRef<str>>(&mut self, tag: &str, cells: &[S]) {
        let cells: Vec<String> =
            cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell.as_ref()))).collect();
        let _ = writeln!(self.html, "<tr>{}</tr>", cells.concat());
    }
}

/// Formats the value of a setting for readers.
pub(super) fn setting_text(wording: &Wording, setting: &Setting) -> String {
    match setting {
        Setting::Number(number) => number.to_string(),
        Setting::Word(word) => wording.named_word(word),
        Setting::Seat(seat) => seat.number().to_string(),
        Setting::Flag(flag) => wording.field(&crate::model::FieldValue::Flag(*flag)),
        Setting::Nothing => "–".to_owned(),
        Setting::List(list) => {
            list.iter().map(|one| setting_text(wording, one)).collect::<Vec<_>>().join(wording.comma())
        }
        Setting::Table(parts) => {
            let parts =
                parts.iter().map(|(name, one)| format!("{} {}", wording.named_word(name), setting_text(wording, one)));
            parts.collect::<Vec<_>>().join(wording.comma())
        }
    }
}
