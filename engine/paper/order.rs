//! Options of a print, and the footer of its pages.

use super::layout::Paper;
use super::manifest::PrintManifest;
use crate::model::Language;
use crate::phrases::Phrases;
use crate::wording::escaped;

/// Options of a print.
#[derive(Debug, Clone, Default)]
pub struct Order {
    /// Paper format.
    pub paper: Paper,
    /// Language of names and texts.
    pub language: Language,
    /// Ids of the kinds to print. If empty, everything is printed, including boards and rules.
    pub only: Vec<String>,
    /// Number of rounds for each number of players that is printed; empty if the print is for a single number of players.
    pub rounds: Vec<(u8, i64)>,
    /// Earlier print. If set, only differences are printed.
    pub since: Option<PrintManifest>,
}

/// Renders the footer of a page: a note, and a ruler for checking the scale.
pub(super) fn foot(note: &str, order: &Order) -> String {
    let ruler = Phrases::for_language(order.language).paper.true_to_size;
    let (note, ruler) = (escaped(note), escaped(ruler));
    format!("<footer class=\"told\"><span>{note}</span><span class=\"rule\">{ruler}<i></i></span></footer>\n")
}
