//! Content of a report for one number of players.

use super::manifest::BatchManifest;
use super::run_file::play_file;
use crate::model::Model;
use crate::simulation::Figures;
use serde::Serialize;
use std::sync::Arc;

/// A remarkable game, with its playscript.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NotableGame {
    /// Reason why the game is remarkable.
    pub title: String,
    /// Path of the game's playscript, relative to the page.
    pub file: String,
    /// Text of the playscript.
    pub text: String,
    /// Command that replays the game.
    pub command: String,
    /// Win probabilities during the game; empty if they were not estimated.
    #[serde(skip)]
    pub looks: Vec<GameLook>,
}

/// Win probabilities estimated before a line of a playscript.
#[derive(Debug, Clone, PartialEq)]
pub struct GameLook {
    /// Number of lines of the playscript before the moment of the estimate.
    pub line: usize,
    /// Win probability of each team, or of each seat without teams.
    pub chances: Vec<f64>,
}

impl NotableGame {
    /// Returns the path of the playscript in a folder that contains the games of several runs. `run` identifies the run to which the game
    /// belongs.
    pub fn file_in(&self, run: &str) -> String {
        let name = self.file.rsplit('/').next().unwrap_or(&self.file);
        play_file(&format!("{run}-{name}"))
    }
}

/// Content of a report for one number of players.
#[derive(Debug)]
pub struct BatchReport<'a> {
    /// The game.
    pub model: Arc<Model>,
    /// Manifest of the games that were played.
    pub batch: &'a BatchManifest,
    /// Figures of these games.
    pub figures: &'a Figures,
    /// Remarkable games.
    pub stories: Vec<NotableGame>,
    /// Name of an agent that comes with the game; `None` if there is none.
    pub own_agent: Option<String>,
}
