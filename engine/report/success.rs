//! Success rates of co-operative games, which all players win or lose together.

use crate::model::{Model, Winners};
use crate::simulation::{Estimate, Figures, Histogram, Measure, wilson};

/// Returns whether every ending is won by everybody or by nobody, so that the players play against the game.
pub(super) fn is_cooperative(model: &Model) -> bool {
    !model.endings.is_empty() && model.endings.iter().all(|ending| ending.winners != Winners::Best)
}

/// Returns the share of games that the players of a co-operative game won; `None` for other games.
pub(super) fn success(model: &Model, figures: &Figures) -> Option<Estimate> {
    if !is_cooperative(model) || figures.finished == 0 {
        return None;
    }
    let won = model.endings.iter().filter(|ending| ending.winners == Winners::Everybody);
    let games = won.filter_map(|ending| figures.measures.get(&Measure::Ending(ending.id.clone()))).map(Histogram::sum);
    let games = games.sum::<i128>() as f64;
    let interval = wilson(games, figures.finished);
    Some(Estimate { value: games / figures.finished as f64, interval, count: figures.finished })
}
