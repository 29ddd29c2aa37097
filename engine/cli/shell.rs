//! Shell completions and manual pages, generated from the argument definitions.

use super::examples;
use super::output::{Failure, Output};
use super::saving::write_below;
use crate::diagnostic::shown;
use clap::Args;
use clap_complete::{Shell, generate};
use std::path::PathBuf;

/// Prints a shell completion script
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour completions bash > ~/.local/share/bash-completion/completions/parlour",
    "parlour completions zsh > ~/.zfunc/_parlour        with `fpath+=~/.zfunc` before `compinit` in ~/.zshrc",
    "parlour completions fish > ~/.config/fish/completions/parlour.fish",
    "parlour completions powershell >> $PROFILE",
))]
pub(super) struct Completions {
    /// Shell that the script is for
    shell: Shell,
}

impl Completions {
    pub(super) fn run(&self, mut whole: clap::Command, output: &mut Output) -> Result<(), Failure> {
        let mut text = Vec::new();
        generate(self.shell, &mut whole, "parlour", &mut text);
        output.line(String::from_utf8_lossy(&text).trim_end())
    }
}

/// Writes manual pages: one for the program, one for each command
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour man --out ~/.local/share/man/man1   then `man parlour`, `man parlour-run`",
))]
pub(super) struct Man {
    /// Folder for the pages
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

impl Man {
    pub(super) fn run(&self, mut whole: clap::Command, output: &mut Output) -> Result<(), Failure> {
        // Gives each command its full name.
        whole.build();
        let commands: Vec<clap::Command> = whole.get_subcommands().cloned().collect();
        for command in std::iter::once(whole).chain(commands) {
            let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
            let extra_text = examples_and_remarks(&command);
            let mut page = Vec::new();
            clap_mangen::Man::new(command.after_long_help(extra_text)).render(&mut page)?;
            let file = format!("{name}.1");
            write_below(&self.out, &file, page)?;
            output.line(shown(self.out.join(file)))?;
        }
        Ok(())
    }
}

/// Returns the examples and remarks of a command's help, which `clap_mangen` does not include.
fn examples_and_remarks(command: &clap::Command) -> String {
    let help = command.clone().render_long_help().to_string();
    let below = help.split_once("\nExamples:\n").map_or("", |(_, below)| below);
    let lines = below.lines().take_while(|line| line.starts_with(' '));
    let after_help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let lines = std::iter::once("Examples:").chain(lines).chain(after_help.lines());
    lines.map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n\n")
}
