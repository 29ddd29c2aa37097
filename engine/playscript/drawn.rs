//! The grids of a playscript's scenes, as drawings.

use super::cast::Cast;
use super::play::{Play, PlayStatement};
use super::runner::Runner;
use crate::diagnostic::Diagnostic;
use crate::model::Language;
use crate::wording::Wording;

/// What a scene has come to, drawn.
#[derive(Debug, Clone)]
pub struct Drawn {
    /// The first thing that did not hold, if anything: the drawing shows how things lay then.
    pub failure: Option<Box<Diagnostic>>,
    /// A drawing of every grid, in SVG.
    pub drawings: Vec<String>,
}

/// Runs every scene of a play and draws the grids as they lie at its end.
pub fn drawn(play: &Play, cast: &Cast<'_>, language: Language) -> Vec<Drawn> {
    let count = play.scenes.len().max(1);
    (0..count).map(|at| draw_scene(play, at, cast, language)).collect()
}

fn draw_scene(play: &Play, at: usize, cast: &Cast<'_>, language: Language) -> Drawn {
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
    Drawn { failure, drawings }
}
