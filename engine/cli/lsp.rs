//! `parlour lsp`: runs the language server.

use super::examples;
use super::memory::Memory;
use super::output::{Failure, Output};
use crate::lsp::serve;
use clap::Args;

/// Serves an editor over standard input and output: mistakes as you type, completion, what names mean, where they are, other names
///
/// It speaks the Language Server Protocol for the three kinds of files of a game: TOML, rules (a small language that reads like Rhai),
/// and playscripts. Editors start it themselves: docs/src/editor.md has settings for each.
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour lsp",
    "parlour lsp --memory 1GB                  tries fewer games at once while it looks for faults",
))]
pub(super) struct Lsp {
    #[command(flatten)]
    memory: Memory,
}

impl Lsp {
    pub(super) fn run(&self, _: &mut Output) -> Result<(), Failure> {
        self.memory.limit_threads()?;
        serve().map_err(|error| Failure::Usage(format!("the editor cannot be served: {error}"), None))
    }
}
