//! Drawings of the grids at the end of each scene.

use super::cast::Cast;
use super::play::{Play, PlayStatement};
use super::runner::Runner;
use crate::diagnostic::Diagnostic;
use crate::model::Language;
use crate::wording::Wording;

/// Drawings of the grids at the end of a scene, or at its first failure.
#[derive(Debug, Clone)]
pub struct SceneDrawings {
    /// First failure, if any. The drawings then show the state at that point.
    pub failure: Option<Box<Diagnostic>>,
    /// Drawings of all grids, as SVG.
    pub drawings: Vec<String>,
}

/// Runs every scene of a playscript and draws the grids at its end.
pub fn draw_scenes(play: &Play, cast: &Cast<'_>, language: Language) -> Vec<SceneDrawings> {
    let count = play.scenes.len().max(1);
    (0..count).map(|at| draw_scene(play, at, cast, language)).collect()
}

fn draw_scene(play: &Play, at: usize, cast: &Cast<'_>, language: Language) -> SceneDrawings {
    let scene = play.scenes.get(at);
    let own = scene.map_or(&[][..], |scene| &scene.statements);
    let statements: Vec<&PlayStatement> = play.head.iter().chain(own).collect();
    let mut runner = Runner::new(cast, false);
    let failure = runner.scene(&statements).err();
    let drawings = runner.session.as_ref().map_or_else(Vec::new, |session| {
        let wording = Wording::new(session.model().clone(), session.setup().clone(), language);
        let title = scene.map_or("", |scene| &scene.name);
        session.table().pictures().iter().map(|picture| wording.drawing(picture, title)).collect()
    });
    SceneDrawings { failure, drawings }
}
