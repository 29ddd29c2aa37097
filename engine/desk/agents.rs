//! Parses the agent specifications for the seats of a game, and reads the files that they name.

use super::refusal::Refusal;
use crate::agents::{AgentShelf, Spec};
use crate::diagnostic::{Diagnostics, Source};
use crate::files::read_named;
use crate::playscript::PERSON;
use crate::session::{Game, Setup};
use std::path::Path;
use std::sync::Arc;

/// Parses agent specifications for a game.
///
/// # Errors
/// Returns the error of the first specification that is not valid.
pub fn parse_agents(game: &Game, names: &[String]) -> Result<Vec<Spec>, Refusal> {
    parse_agents_from(game, names, None)
}

/// Like [`parse_agents`], but looks in the folder `base`, if given, for files that are not in the working directory.
///
/// # Errors
/// Returns the error of the first specification that is not valid.
pub(crate) fn parse_agents_from(game: &Game, names: &[String], base: Option<&Path>) -> Result<Vec<Spec>, Refusal> {
    let read = |path: &str| read_text(path, base);
    let shelf = AgentShelf { agents: game.agents(), read: &read };
    let parse = |name: &String| {
        if name == PERSON {
            return Err(Refusal::new("a person cannot be asked here").help("run `parlour play`"));
        }
        Spec::parse(name, &shelf).map_err(|error| Refusal { message: error.message, help: error.help })
    };
    names.iter().map(parse).collect()
}

/// Checks the scripts of agents against the rules, before a game is played.
///
/// # Errors
/// Returns all mistakes in the first faulty script.
pub fn check(game: &Game, seats: u8, specs: &[Spec]) -> Result<(), Diagnostics> {
    let setup = Setup::seats(seats);
    specs.iter().filter_map(Spec::script).try_for_each(|source| game.check_agent(&setup, source))
}

/// Maximum size in bytes of a file named in a specification.
const MAX_BYTES: u64 = 1 << 20;

/// Reads a file named in a specification.
fn read_text(path: &str, base: Option<&Path>) -> Result<Arc<Source>, String> {
    let elsewhere = base.map(|base| base.join(path)).filter(|_| !Path::new(path).exists());
    let unreadable = |why: String| format!("`{path}` cannot be read: {why}");
    let bytes = read_named(elsewhere.as_deref().unwrap_or(Path::new(path)), MAX_BYTES)
        .map_err(|refused| unreadable(refused.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| unreadable("it is not UTF-8".to_owned()))?;
    Ok(Arc::new(Source::of_file(path, text)))
}
