//! Remarkable games on a page: the playscript, and a plot of the win probabilities whose points link to lines of the
//! playscript.

use super::batch_report::NotableGame;
use super::plot::{self, Drawn};
use crate::model::Model;
use serde::Serialize;

/// A part of a playscript to which links can point.
#[derive(Debug, Clone, Serialize)]
struct ScriptPart {
    /// Id of the element on the page; empty for the first part.
    id: String,
    text: String,
}

/// A remarkable game on a page.
#[derive(Debug, Clone, Serialize)]
pub(super) struct GameOnPage {
    title: String,
    file: String,
    command: String,
    parts: Vec<ScriptPart>,
    /// Plot of the win probabilities during the game; empty if they were not estimated.
    svg: String,
    /// Data of the plot as CSV.
    numbers: String,
}

impl GameOnPage {
    /// Prepares remarkable games for the page.
    pub(super) fn all(model: &Model, games: &[NotableGame]) -> Vec<Self> {
        games
            .iter()
            .enumerate()
            .map(|(at, game)| Self::new(model, game, &format!("game-{}-{at}", model.seats)))
            .collect()
    }

    fn new(model: &Model, game: &NotableGame, id: &str) -> Self {
        let lines: Vec<&str> = game.text.split_inclusive('\n').collect();
        let places: Vec<usize> = game.looks.iter().map(|look| look.line.min(lines.len())).collect();
        let ends = places.iter().skip(1).copied().chain([lines.len()]);
        let part = |(at, (from, to)): (usize, (&usize, usize))| ScriptPart {
            id: format!("{id}-{at}"),
            text: lines[*from..to.max(*from)].concat(),
        };
        let first =
            ScriptPart { id: String::new(), text: lines[..places.first().copied().unwrap_or(lines.len())].concat() };
        let parts = std::iter::once(first).chain(places.iter().zip(ends).enumerate().map(part)).collect();
        let Drawn { svg, numbers } = strip(model, game, id);
        Self { title: game.title.clone(), file: game.file.clone(), command: game.command.clone(), parts, svg, numbers }
    }
}

/// Draws the win probabilities during a game. Each point links to its line in the playscript.
fn strip(model: &Model, game: &NotableGame, id: &str) -> Drawn {
    if game.looks.is_empty() {
        return Drawn::default();
    }
    let side = |seats: &Vec<crate::model::Seat>| {
        let numbers: Vec<String> = seats.iter().map(|seat| seat.number().to_string()).collect();
        format!("{} {}", if seats.len() == 1 { "seat" } else { "seats" }, numbers.join(" and "))
    };
    let names: Vec<String> = model.sides().iter().map(side).collect();
    let looks: Vec<(String, &[f64])> =
        game.looks.iter().enumerate().map(|(at, look)| (format!("{id}-{at}"), &look.chances[..])).collect();
    plot::chances("Chance to win during the game", &names, &looks)
}
