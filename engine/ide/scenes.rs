//! The scenes of a play: where they stand, and how they came out.

use super::outline::{lines, scene_name};
use crate::diagnostic::{Diagnostic, Source};
use crate::playscript::{self, Cast};
use std::ops::Range;
use std::sync::Arc;

/// A line that begins a scene, or a play without scenes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SceneLine {
    /// Its name; nothing for a play without scenes.
    pub name: Option<String>,
    /// The line.
    pub span: Range<usize>,
}

/// The lines of a play that begin scenes; of a play without any, its first.
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

/// How the scenes of a play come out: each with what failed in it, if anything, and how much it did.
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
