//! Agents as they are written for the seats of a game: their files are read here.

use super::refusal::Refusal;
use crate::agents::{AgentShelf, Spec};
use crate::diagnostic::{Diagnostics, Source};
use crate::files::read_named;
use crate::playscript::PERSON;
use crate::session::{Game, Setup};
use std::path::Path;
use std::sync::Arc;

/// The agents that are written so, for a game.
///
/// # Errors
/// What is wrong with the first that is none.
pub fn written(game: &Game, names: &[String]) -> Result<Vec<Spec>, Refusal> {
    written_from(game, names, None)
}

/// Like [`written`], with files that are not in the working directory looked for in `base`, if it is given.
///
/// # Errors
/// What is wrong with the first that is none.
pub(crate) fn written_from(game: &Game, names: &[String], base: Option<&Path>) -> Result<Vec<Spec>, Refusal> {
    let read = |path: &str| read_text(path, base);
    let shelf = AgentShelf { agents: game.agents(), read: &read };
    let parse = |name: &String| {
        if name == PERSON {
            return Err(Refusal::new("a person cannot be asked here").help("run `parlour play`"));
        }
        Spec::parse(name, &shelf).map_err(|unknown| Refusal { message: unknown.message, help: unknown.help })
    };
    names.iter().map(parse).collect()
}

/// Looks at the files of agents beside the rules, before they are played with.
///
/// # Errors
/// Everything that is wrong with the first such file.
pub fn check(game: &Game, seats: u8, specs: &[Spec]) -> Result<(), Diagnostics> {
    let setup = Setup::seats(seats);
    specs.iter().filter_map(Spec::script).try_for_each(|source| game.check_agent(&setup, source))
}

/// The most bytes of a file that is named for a seat.
const LARGEST: u64 = 1 << 20;

/// A file that is named for a seat.
fn read_text(path: &str, base: Option<&Path>) -> Result<Arc<Source>, String> {
    let elsewhere = base.map(|base| base.join(path)).filter(|_| !Path::new(path).exists());
    let unreadable = |why: String| format!("`{path}` cannot be read: {why}");
    let bytes = read_named(elsewhere.as_deref().unwrap_or(Path::new(path)), LARGEST)
        .map_err(|refused| unreadable(refused.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| unreadable("it is not UTF-8".to_owned()))?;
    Ok(Arc::new(Source::of_file(path, text)))
}
