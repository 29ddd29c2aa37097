//! Agents as they are written for the seats of a game: their files are read here.

use super::refusal::Refusal;
use crate::agents::{AgentShelf, Spec};
use crate::diagnostic::{Diagnostics, Source};
use crate::playscript::PERSON;
use crate::session::{Game, Setup};
use std::fs::File;
use std::io::Read;
use std::sync::Arc;

/// The agents that are written so, for a game.
///
/// # Errors
/// What is wrong with the first that is none.
pub fn written(game: &Game, names: &[String]) -> Result<Vec<Spec>, Refusal> {
    let shelf = AgentShelf { agents: game.agents(), read: &read_text };
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
fn read_text(path: &str) -> Result<Arc<Source>, String> {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(LARGEST).read_to_string(&mut text));
    read.map_err(|error| format!("`{path}` cannot be read: {error}"))?;
    Ok(Arc::new(Source::of_file(path, text)))
}
