//! Callbacks that load the games and create the agents that playscripts name.

use crate::diagnostic::{Diagnostic, Diagnostics, Source, did_you_mean};
use crate::session::{Game, Player};
use std::sync::Arc;

/// Callback that creates an agent. The arguments are the agent files of the game, the agent's name, a seed and a seat. Errors have no
/// place.
pub type AgentFactory = dyn Fn(&[Arc<Source>], &str, u64, usize) -> Result<Box<dyn Player>, Box<Diagnostic>>;

/// Callbacks that resolve the names in a playscript.
pub struct Cast<'a> {
    /// Callback that loads a game by its name. Returns the error [`unknown_game`] if there is no such game.
    pub game: &'a dyn Fn(&str) -> Result<Game, Diagnostics>,
    /// Callback that creates an agent.
    pub agent: &'a AgentFactory,
    /// Whether to record which parts of the game are reached.
    pub covering: bool,
}

/// Creates the error for an unknown game. Suggestions are made from the names in `known`.
pub fn unknown_game<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Diagnostics {
    let suggestion = did_you_mean(name, known).map(|help| format!("{help} If not, ")).unwrap_or_default();
    let found = Diagnostic::error("unknown-game", format!("there is no game `{name}` here")).help(format!(
        "{suggestion}put the playscript into the game's folder, or give the folder: `parlour run FOLDER --from FILE`, or `play` instead of `run`"
    ));
    Diagnostics(vec![found])
}
