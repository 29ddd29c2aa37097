//! Running the scenes of a playscript, each a game of its own.

use super::cast::Cast;
use super::coverage::Coverage;
use super::held::Held;
use super::play::{Play, PlayStatement};
use super::runner::Runner;
use crate::diagnostic::Diagnostic;

/// How one scene came out.
#[derive(Debug, Clone)]
pub struct Report {
    /// The scene's name; nothing for a play without scenes.
    pub scene: Option<String>,
    /// The first thing that did not hold, if anything.
    pub failure: Option<Box<Diagnostic>>,
    /// How many choices were made.
    pub choices: usize,
    /// How many expectations were checked.
    pub checks: usize,
    /// What was rejected, and why that held.
    pub held: Vec<Held>,
    /// What of the game it reached, if that was asked for and it was played to its end.
    pub coverage: Option<Coverage>,
}

/// The names of the games of a play: its scenes, or the play as a whole.
pub fn scenes(play: &Play) -> Vec<Option<&str>> {
    if play.scenes.is_empty() {
        return vec![None];
    }
    play.scenes.iter().map(|scene| Some(scene.name.as_str())).collect()
}

/// Runs every scene of a play.
pub fn run(play: &Play, cast: &Cast<'_>) -> Vec<Report> {
    (0..scenes(play).len()).map(|at| run_scene(play, at, cast)).collect()
}

/// Runs one scene of a play, or the whole of a play without scenes.
///
/// A scene that fails is run again with rules that are watched, which is slower: they say which lines brought it about.
pub fn run_scene(play: &Play, at: usize, cast: &Cast<'_>) -> Report {
    let statements = statements_of(play, at);
    let mut runner = Runner::new(cast, false);
    let mut failure = runner.scene(&statements).err();
    let mut coverage = None;
    if cast.covering || failure.is_some() {
        let mut watched = Runner::new(cast, true);
        let same = watched.scene(&statements).err();
        coverage = cast.covering.then(|| watched.coverage());
        if let (Some(failure), Some(same)) = (&mut failure, same) {
            watched.lead(failure, &same);
        }
    }
    if let Some(failure) = &mut failure {
        // The command that plays a whole game does not show what a scene does.
        failure.reproduce = None;
    }
    Report {
        scene: play.scenes.get(at).map(|scene| scene.name.clone()),
        failure,
        choices: runner.choices,
        checks: runner.checks,
        held: runner.held,
        coverage,
    }
}

pub(super) fn statements_of(play: &Play, at: usize) -> Vec<&PlayStatement> {
    let own = play.scenes.get(at).map_or(&[][..], |scene| &scene.statements);
    play.head.iter().chain(own).collect()
}
