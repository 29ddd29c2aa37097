//! Where the games and agents of plays come from.

use crate::diagnostic::{Diagnostic, Diagnostics, Source, did_you_mean};
use crate::session::{Game, Player};
use std::sync::Arc;

/// Finds an agent of a name, among those of the game too, for a seed and a seat; or says what is wrong with the name,
/// without a place.
pub type Named = dyn Fn(&[Arc<Source>], &str, u64, usize) -> Result<Box<dyn Player>, Box<Diagnostic>>;

/// Where games and agents come from.
pub struct Cast<'a> {
    /// The game with a name, or what is wrong with it: [`unknown_game`] where there is none.
    pub game: &'a dyn Fn(&str) -> Result<Game, Diagnostics>,
    /// The agent with a name, for a seed and a seat, given the game's own agents.
    pub agent: &'a Named,
    /// Whether to note what of the game is reached.
    pub covering: bool,
}

/// No game is called like this, of those that could be meant.
pub fn unknown_game<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Diagnostics {
    let suggestion = did_you_mean(name, known).map(|help| format!("{help} If not, ")).unwrap_or_default();
    let found = Diagnostic::error("unknown-game", format!("there is no game `{name}` here")).help(format!(
        "{suggestion}put the play into the game's folder, or name the folder: `parlour run FOLDER --from FILE`, or `play` in place of `run`"
    ));
    Diagnostics(vec![found])
}
