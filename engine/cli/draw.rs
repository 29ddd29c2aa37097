//! `parlour draw`: draws the grids of a playscript.

use super::arguments::LanguageArgument;
use super::examples;
use super::output::{Failure, Output, usage};
use super::saving::write_below;
use crate::agents;
use crate::desk::game_folder::game_named;
use crate::desk::play_file::read_play;
use crate::diagnostic::{Source, shown};
use crate::playscript::{self, Cast};
use crate::session::{Event, EventKind, Log};
use crate::wording::Wording;
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Draws the grids of a playscript at the end of each scene
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour draw games/my-game/plays/a.play             one drawing for each scene, here",
    "parlour draw games/my-game/plays/a.play --out maps  the same, in the folder maps",
))]
pub(super) struct Draw {
    /// A playscript
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Folder for the drawings
    #[arg(long, value_name = "DIR", default_value = ".")]
    out: PathBuf,
    #[command(flatten)]
    spoken: LanguageArgument,
}

impl Draw {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let name = shown(&self.file);
        let text = read_play(&self.file).map_err(usage)?;
        let source = Arc::new(Source { path: name, text });
        let play = playscript::parse(&source).map_err(|mistakes| output.mistakes(&mistakes))?;
        let cast = Cast { game: &|name| game_named(name, &self.file, None), agent: &agents::in_play, covering: false };
        let stem = self.file.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        let (mut has_failed, mut has_drawn) = (false, false);
        for (number, scene) in playscript::draw_scenes(&play, &cast, self.spoken.lang).into_iter().enumerate() {
            if let Some(failure) = &scene.failure {
                output.diagnostic(failure)?;
                has_failed = true;
            }
            has_drawn |= !scene.drawings.is_empty();
            for (at, drawing) in scene.drawings.iter().enumerate() {
                let more = if at == 0 { String::new() } else { format!("-{}", at + 1) };
                save(&self.out, &format!("{stem}-{:02}{more}.svg", number + 1), drawing, output)?;
            }
        }
        if !has_drawn && !has_failed {
            remark_no_grids(output)?;
        }
        if has_failed { Err(Failure::Fault) } else { Ok(()) }
    }
}

/// Saves a drawing of each grid that was shown during a game.
pub(super) fn draw_story(
    dir: &Path,
    wording: &Wording,
    events: &Log<Event>,
    output: &mut Output,
) -> Result<(), Failure> {
    let (mut round, mut number) = (0, 0);
    for event in events {
        match &event.kind {
            EventKind::Round(begun) => round = *begun,
            EventKind::Pictured(picture) => {
                number += 1;
                let svg = wording.drawing(picture, &wording.after_round(round));
                save(dir, &format!("{number:02}.svg"), &svg, output)?;
            }
            _ => {}
        }
    }
    if number == 0 { remark_no_grids(output) } else { Ok(()) }
}

/// Tells the user that there are no grids to draw.
fn remark_no_grids(output: &mut Output) -> Result<(), Failure> {
    output.remark("nothing is drawn: no tiles lie on a grid".to_owned())
}

fn save(dir: &Path, name: &str, svg: &str, output: &mut Output) -> Result<(), Failure> {
    write_below(dir, name, svg)?;
    output.remark(format!("drawn: {}", shown(dir.join(name))))
}
