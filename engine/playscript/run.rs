//! Runs the scenes of a playscript, each as a separate game.

use super::cast::Cast;
use super::coverage::Coverage;
use super::play::{Play, PlayStatement};
use super::rejection::Rejection;
use super::runner::Runner;
use crate::diagnostic::Diagnostic;

/// Result of one scene.
#[derive(Debug, Clone)]
pub struct Report {
    /// Name of the scene; `None` for a playscript without scenes.
    pub scene: Option<String>,
    /// First failure, if any.
    pub failure: Option<Box<Diagnostic>>,
    /// Number of choices made.
    pub choices: usize,
    /// Number of checks made, such as expectations and rejected options.
    pub checks: usize,
    /// Rejected options, with the reasons why the game does not offer them.
    pub rejections: Vec<Rejection>,
    /// Coverage of the scene, if [`Cast::covering`] is set.
    pub coverage: Option<Coverage>,
}

/// Returns the names of the scenes; a single `None` for a playscript without scenes.
pub fn scenes(play: &Play) -> Vec<Option<&str>> {
    if play.scenes.is_empty() {
        return vec![None];
    }
    play.scenes.iter().map(|scene| Some(scene.name.as_str())).collect()
}

/// Runs all scenes of a playscript.
pub fn run(play: &Play, cast: &Cast<'_>) -> Vec<Report> {
    (0..scenes(play).len()).map(|at| run_scene(play, at, cast)).collect()
}

/// Runs one scene of a playscript, or the whole playscript if it has no scenes.
///
/// A failed scene is run again with traced rules, which is slower, to show which lines of the rules led to the failure.
pub fn run_scene(play: &Play, at: usize, cast: &Cast<'_>) -> Report {
    let statements = scene_statements(play, at);
    let mut runner = Runner::new(cast, false);
    let mut failure = runner.scene(&statements).err();
    let mut coverage = None;
    if cast.covering || failure.is_some() {
        let mut watched = Runner::new(cast, true);
        let same = watched.scene(&statements).err();
        coverage = cast.covering.then(|| watched.coverage());
        if let (Some(failure), Some(same)) = (&mut failure, same) {
            watched.add_cause(failure, &same);
        }
    }
    if let Some(failure) = &mut failure {
        // The command in `reproduce` plays whole games, so it would not reproduce the failure of a scene.
        failure.reproduce = None;
    }
    Report {
        scene: play.scenes.get(at).map(|scene| scene.name.clone()),
        failure,
        choices: runner.choices,
        checks: runner.checks,
        rejections: runner.rejections,
        coverage,
    }
}

/// Returns the statements of the head, followed by those of the scene at index `at`.
pub(super) fn scene_statements(play: &Play, at: usize) -> Vec<&PlayStatement> {
    let own = play.scenes.get(at).map_or(&[][..], |scene| &scene.statements);
    play.head.iter().chain(own).collect()
}
