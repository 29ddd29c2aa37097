//! What is to be printed, and what stands on every page of it.

use super::layout::Paper;
use super::manifest::PrintManifest;
use crate::model::Language;
use crate::phrases::Phrases;
use crate::wording::escaped;

/// What is to be printed, and on what.
#[derive(Debug, Clone, Default)]
pub struct Order {
    /// What lies in the printer.
    pub paper: Paper,
    /// The language of names and texts.
    pub language: Language,
    /// The kinds that are printed, by their words; all of them, the boards and the rules where none is named.
    pub only: Vec<String>,
    /// How many rounds there are with each number of players that it is printed for; none where it is printed for one.
    pub rounds: Vec<(u8, i64)>,
    /// What an earlier print had: only what differs from it is printed.
    pub since: Option<PrintManifest>,
}

/// What a sheet is called, and a line by which one sees whether it was printed true to size.
pub(super) fn foot(note: &str, order: &Order) -> String {
    let ruler = Phrases::of(order.language).paper.true_to_size;
    let (note, ruler) = (escaped(note), escaped(ruler));
    format!("<footer class=\"told\"><span>{note}</span><span class=\"rule\">{ruler}<i></i></span></footer>\n")
}
