//! `parlour lsp`: runs the language server.

use super::examples;
use super::memory::Memory;
use super::output::{Failure, Output};
use crate::lsp::serve;
use clap::Args;

/// Starts a language server for editors: diagnostics, completion, documentation, references and renaming
///
/// It speaks the Language Server Protocol over standard input and output, for the TOML files, rules and playscripts of a game. Editors start
/// it themselves: docs/src/editor.md has the settings for each.
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
