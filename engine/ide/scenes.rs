//! Finds the scenes of a playscript, and runs them.

use super::outline::{lines, scene_name};
use crate::diagnostic::{Diagnostic, Source};
use crate::playscript::{self, Cast};
use std::ops::Range;
use std::sync::Arc;

/// The first line of a scene, or of a playscript without scenes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SceneLine {
    /// Name of the scene; `None` for a playscript without scenes.
    pub name: Option<String>,
    /// Span of the line.
    pub span: Range<usize>,
}

/// Returns the first lines of all scenes, or the first line of a playscript without scenes.
pub(crate) fn scene_lines(text: &str) -> Vec<SceneLine> {
    let scene = |(start, line): (usize, &str)| {
        let name = scene_name(line)?.to_owned();
        Some(SceneLine { name: Some(name), span: start..start + line.trim_end().len() })
    };
    let found: Vec<SceneLine> = lines(text).filter_map(scene).collect();
    if found.is_empty() && text.lines().any(|line| line.starts_with("game ")) {
        let end = text.find('\n').unwrap_or(text.len());
        return vec![SceneLine { name: None, span: 0..end }];
    }
    found
}

/// Runs the scenes of a playscript. Returns the name of each scene with a summary or the failure. Returns `None` if the playscript has
/// syntax errors, or `is_stale` returns `true` before the last scene.
pub(crate) fn results(
    source: &Arc<Source>,
    cast: &Cast<'_>,
    is_stale: &dyn Fn() -> bool,
) -> Option<Vec<(Option<String>, Result<String, Box<Diagnostic>>)>> {
    let play = playscript::parse(source).ok()?;
    let mut found = Vec::new();
    for at in 0..playscript::scenes(&play).len() {
        if is_stale() {
            return None;
        }
        let report = playscript::run_scene(&play, at, cast);
        let result = match report.failure {
            Some(failure) => Err(failure),
            None => Ok(format!("holds: {} choices, {} expectations", report.choices, report.checks)),
        };
        found.push((report.scene, result));
    }
    Some(found)
}
