//! The content of a report for one number of players.

use super::manifest::BatchManifest;
use super::run_file::play_file;
use crate::model::Model;
use crate::simulation::Figures;
use serde::Serialize;
use std::sync::Arc;

/// A game worth reading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Story {
    /// What is special about it.
    pub title: String,
    /// Its playscript, beside the page.
    pub file: String,
    /// The text of the playscript.
    pub text: String,
    /// The command that plays it again.
    pub command: String,
}

impl Story {
    /// Where it lies in a folder of several runs, told apart by a word for its own.
    pub fn file_of(&self, run: &str) -> String {
        let name = self.file.rsplit('/').next().unwrap_or(&self.file);
        play_file(&format!("{run}-{name}"))
    }
}

/// What stands on the page for one number of players.
#[derive(Debug)]
pub struct Shelf<'a> {
    /// The game.
    pub model: Arc<Model>,
    /// What was played.
    pub batch: &'a BatchManifest,
    /// What came out.
    pub figures: &'a Figures,
    /// Games worth reading.
    pub stories: Vec<Story>,
    /// The name of an agent that the game has, if any.
    pub own_agent: Option<String>,
}
