//! Options of a print, and the footer of its pages.

use super::layout::{Paper, Spacing};
use super::manifest::PrintManifest;
use super::preset::Preset;
use super::set_table::{Example, SetTable};
use crate::model::{Language, Model};
use crate::phrases::Phrases;
use crate::wording::escaped;
use std::sync::Arc;

/// Options of a print.
#[derive(Debug, Clone)]
pub struct Order {
    /// Paper format.
    pub paper: Paper,
    /// Language of names and texts.
    pub language: Language,
    /// Ids of the kinds to print. If empty, everything is printed, including boards and rules.
    pub only: Vec<String>,
    /// Distances between the pieces on a sheet.
    pub spacing: Spacing,
    /// Whether only the rulebook is printed.
    pub is_rulebook: bool,
    /// Purpose of single pictures of cards.
    pub preset: Preset,
    /// Resolution of single pictures in dots per inch.
    pub resolution: u32,
    /// Number of players for which the print is made; `None` for all numbers.
    pub players: Option<u8>,
    /// The game for each number of players.
    pub models: Vec<Arc<Model>>,
    /// The table after the setup, for the rulebook.
    pub table: Option<SetTable>,
    /// A part of a play, for the rulebook.
    pub example: Option<Example>,
    /// Earlier print. If set, only differences are printed.
    pub since: Option<PrintManifest>,
}

impl Order {
    /// Returns the number of rounds for each number of players, where it is fixed. Empty if a single number of players is printed.
    pub(super) fn rounds(&self) -> Vec<(u8, i64)> {
        let models = self.models.iter().filter(|_| self.players.is_none());
        models.filter_map(|model| Some((model.seats, model.flow.rounds?))).collect()
    }
}

/// Renders the footer of a page: a note, and a ruler for checking the scale.
pub(super) fn render_footer(note: &str, order: &Order) -> String {
    let ruler = Phrases::for_language(order.language).paper.true_to_size;
    let (note, ruler) = (escaped(note), escaped(ruler));
    format!("<footer class=\"told\"><span>{note}</span><span class=\"rule\">{ruler}<i></i></span></footer>\n")
}
