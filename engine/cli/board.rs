//! `parlour board`: writes a first drawing of a game's board or of its players' mats.

use super::arguments::{GameSelection, LanguageArgument, check_players};
use super::output::{Failure, Output};
use super::saving::write_atomic;
use super::{examples, opening};
use crate::diagnostic::shown;
use crate::faces::{board_sketch, mat_sketch};
use crate::wording::Wording;
use clap::Args;
use std::path::PathBuf;

/// Writes a first drawing of a game's board
///
/// The drawing has a frame for each shared zone and for each of its spaces. The `id` of a frame says what lies there. Edit the drawing in
/// any vector graphics program, and save it as `faces/board.svg` in the game's folder: tables in a browser then show it. An existing file
/// is not overwritten. With `--mat`, the command draws a player's own mat, `faces/mat.svg`, in the same way.
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour board games/my-game --out games/my-game/faces/board.svg",
    "parlour board games/my-game --mat --out games/my-game/faces/mat.svg",
    "parlour board stockpile --players 5 --option board=advanced --out board.svg",
))]
pub(super) struct Board {
    #[command(flatten)]
    chosen: GameSelection,
    /// Draw a player's own mat instead of the board
    #[arg(long)]
    mat: bool,
    /// File to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Number of players [default: the most the game allows]
    #[arg(long, short, value_name = "N", value_parser = super::arguments::players, allow_negative_numbers = true)]
    players: Option<u8>,
    #[command(flatten)]
    spoken: LanguageArgument,
}

impl Board {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        if self.out.symlink_metadata().is_ok() {
            let why = format!("`{}` is there already", shown(&self.out));
            return Err(Failure::Usage(why, Some("choose another file, or delete it".to_owned())));
        }
        let game = opening::open(&self.chosen.game, output)?;
        let players = self.players.unwrap_or(*game.players().end());
        check_players(&game, players)?;
        let layout = opening::layout(&game, &self.chosen.setup(players), output)?;
        let wording = Wording::printed(layout.model.clone(), self.spoken.lang);
        let draw = if self.mat { mat_sketch } else { board_sketch };
        write_atomic(&self.out, draw(&layout.model, &wording))?;
        output.remark(format!("drawn: {}", shown(&self.out)))
    }
}
