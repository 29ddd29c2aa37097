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
    /// Target of the card images.
    pub preset: Preset,
    /// Resolution of the card images in dots per inch.
    pub resolution: u32,
    /// Number of players for which the print is made; `None` for all numbers.
    pub players: Option<u8>,
    /// Models of the game, one for each number of players.
    pub models: Vec<Arc<Model>>,
    /// Variants, which the rulebook describes by how they differ from the game.
    pub variants: Vec<Variant>,
    /// Table after the setup, which the rulebook shows.
    pub table: Option<SetTable>,
    /// Example of play, which the rulebook shows.
    pub example: Option<Example>,
    /// Manifest of an earlier print. If it is set, only differences are printed.
    pub since: Option<PrintManifest>,
}

/// A game with another value of an option.
#[derive(Debug, Clone)]
pub struct Variant {
    /// Id of the option.
    pub option: Arc<str>,
    /// Value of the option.
    pub value: Arc<str>,
    /// Model of the game with this value.
    pub model: Arc<Model>,
}

impl Order {
    /// Returns the numbers of players for which the number of rounds is fixed, each with its number of rounds. The result is empty if the
    /// print is for a single number of players.
    pub(super) fn rounds(&self) -> Vec<(u8, i64)> {
        let models = self.models.iter().filter(|_| self.players.is_none());
        models.filter_map(|model| Some((model.seats, model.flow.rounds?))).collect()
    }
}

/// Renders the footer of a page: a note, and a ruler for checking the printed scale.
pub(super) fn render_footer(note: &str, order: &Order) -> String {
    let ruler = Phrases::for_language(order.language).paper.true_to_size;
    let (note, ruler) = (escaped(note), escaped(ruler));
    format!("<footer class=\"told\"><span>{note}</span><span class=\"rule\">{ruler}<i></i></span></footer>\n")
}
