//! Command-line interface. Results go to standard output, everything else to standard error.
//!
//! Each command has its own file. Exit codes: 0 success; 1 a fault of the game, a failed check, or output that cannot be written; 2 wrong
//! usage; 130 interrupted.

mod arena;
mod arguments;
mod board;
mod browser;
mod campaign;
mod cards;
mod check;
mod choices;
mod compare;
mod count;
mod coverage;
mod crew_standings;
mod draw;
mod entrants;
mod explain;
#[cfg(feature = "web")]
mod export;
mod flow;
mod game_files;
mod info;
mod info_json;
mod info_text;
mod interruption;
mod keys;
mod lsp;
mod memory;
mod new;
#[cfg(feature = "web")]
mod notes;
mod opening;
mod origin;
mod output;
mod page_file;
mod play;
mod print;
mod print_images;
mod print_rulebook;
mod prompt;
mod recording;
mod reference;
mod reference_page;
mod report;
mod run;
mod running;
mod saving;
mod seating;
#[cfg(feature = "web")]
mod serve;
mod shell;
mod simulate;
mod stories;
mod sweep;
mod table;
mod table_text;
mod target_argument;
mod test;
mod test_files;
mod test_report;
mod tune;
mod upgrade;
mod version;
mod watch;
mod wrap;

pub use crate::desk::Bundle;

use crate::desk;
use crate::diagnostic::{find_invisible, unseen_message};
use crate::system;
use clap::{CommandFactory, Parser, Subcommand};
use output::{Failure, Output};
use std::ffi::OsString;
use std::process::ExitCode;

/// Builds the help template of a command: description, examples, then usage and arguments.
macro_rules! examples {
    ($($line:literal),* $(,)?) => {
        concat!(
            "{about-with-newline}\nExamples:\n",
            $("  ", $line, "\n",)*
            "\n{usage-heading} {usage}\n\n{all-args}{after-help}"
        )
    };
}
use examples;

#[derive(Parser)]
#[command(
    name = "parlour",
    version = version::version(),
    about = "Plays, checks and simulates tabletop games whose rules are data",
    help_template = examples!(
        "parlour run stockpile --players 4 --seed 7     play one game and print its log",
        "parlour simulate stockpile --players 3..5      win shares, scores and lengths of many games",
        "parlour play stockpile                         play in the terminal",
        "parlour serve stockpile                        play in the browser, with a link for each player",
        "parlour export stockpile --out site            a page that plays the game by itself",
        "parlour arena stockpile --agents trader,random,random   compare agents",
        "parlour info stockpile                         components, zones, phases and options",
        "parlour new my-game                            create a small complete game to edit",
        "parlour check games/my-game                    find mistakes",
        "parlour explain empty-zone                     explain the code of a message",
        "parlour reference zones                        functions and keys that games are written with",
    ),
    after_help = "\nA GAME is a folder, or the name of a game that comes with the program.\n\
                  Exit codes: 0 success; 1 the game has a fault or misses a target; 2 wrong usage; 130 interrupted.",
    arg_required_else_help = true,
    disable_help_subcommand = true
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::Run),
    Play(play::Play),
    #[cfg(feature = "web")]
    Serve(serve::Serve),
    #[cfg(feature = "web")]
    Notes(notes::Notes),
    Test(test::Test),
    Board(board::Board),
    Draw(draw::Draw),
    Print(print::Print),
    Simulate(simulate::Simulate),
    Campaign(campaign::Campaign),
    Compare(compare::Compare),
    Sweep(sweep::Sweep),
    Choices(choices::Choices),
    Tune(tune::Tune),
    Report(report::Report),
    Merge(report::Merge),
    Arena(arena::Arena),
    New(new::New),
    Cards(cards::Cards),
    Check(check::Check),
    Count(count::Count),
    Explain(explain::Explain),
    #[cfg(feature = "web")]
    Export(export::Export),
    Info(info::Info),
    Reference(reference::Reference),
    Upgrade(upgrade::Upgrade),
    Lsp(lsp::Lsp),
    Completions(shell::Completions),
    Man(shell::Man),
}

/// Runs the program with the process's arguments. `bundle` contains the games that come with the program.
pub fn main(bundle: Bundle) -> ExitCode {
    desk::bundle::set_bundle(bundle);
    run(std::env::args_os().collect())
}

/// Runs the program with the given arguments, the first of which is the program's name. The bundle must have been set before, see
/// [`desk::set_bundle`].
pub fn run(typed: Vec<OsString>) -> ExitCode {
    let result = system::with_large_stack(|| run_here(typed));
    let failed = |error| Output::new().fail(&Failure::Usage(format!("no thread can be started: {error}"), None));
    result.unwrap_or_else(failed)
}

/// Runs the program on the calling thread.
fn run_here(typed: Vec<OsString>) -> ExitCode {
    if let Some(character) =
        typed.iter().find_map(|word| find_invisible(&word.to_string_lossy()).map(|(_, character)| character))
    {
        let failure = Failure::Usage(
            format!("the command line contains an invisible character: {}", unseen_message(character)),
            None,
        );
        return Output::new().fail(&failure);
    }
    let cli = match Cli::try_parse_from(typed) {
        Ok(cli) => cli,
        Err(error) => {
            // If even this message cannot be printed, nothing is left to do.
            let _ = error.print();
            return ExitCode::from(error.exit_code() as u8);
        }
    };
    let mut output = Output::new();
    let result = match cli.command {
        Command::Run(run) => run.run(&mut output),
        Command::Play(play) => play.run(&mut output),
        #[cfg(feature = "web")]
        Command::Serve(serve) => serve.run(&mut output),
        #[cfg(feature = "web")]
        Command::Notes(notes) => notes.run(&mut output),
        Command::Test(test) => test.run(&mut output),
        Command::Board(board) => board.run(&mut output),
        Command::Draw(draw) => draw.run(&mut output),
        Command::Print(print) => print.run(&mut output),
        Command::Simulate(simulate) => simulate.run(&mut output),
        Command::Campaign(campaign) => campaign.run(&mut output),
        Command::Compare(compare) => compare.run(&mut output),
        Command::Sweep(sweep) => sweep.run(&mut output),
        Command::Choices(choices) => choices.run(&mut output),
        Command::Tune(tune) => tune.run(&mut output),
        Command::Report(report) => report.run(&mut output),
        Command::Merge(merge) => merge.run(&mut output),
        Command::Arena(arena) => arena.run(&mut output),
        Command::New(new) => new.run(&mut output),
        Command::Cards(cards) => cards.run(&mut output),
        Command::Check(check) => check.run(&mut output),
        Command::Count(count) => count.run(&mut output),
        Command::Explain(explain) => explain.run(&mut output),
        #[cfg(feature = "web")]
        Command::Export(export) => export.run(&mut output),
        Command::Info(info) => info.run(&mut output),
        Command::Reference(reference) => reference.run(&mut output),
        Command::Upgrade(upgrade) => upgrade.run(&mut output),
        Command::Lsp(lsp) => lsp.run(&mut output),
        Command::Completions(completions) => completions.run(Cli::command(), &mut output),
        Command::Man(man) => man.run(Cli::command(), &mut output),
    };
    let code = match result.and_then(|()| output.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output.fail(&failure),
    };
    output.point_to_explanation();
    code
}

#[cfg(test)]
mod tests {
    use super::Cli;
    use clap::{CommandFactory, Parser};

    #[test]
    fn clap_accepts_the_definitions() {
        Cli::command().debug_assert();
    }

    /// Documentation pages whose commands no other test runs, because they take too long or need files that tests do not have.
    const PAGES: [&str; 4] = [
        include_str!("../../docs/src/agents.md"),
        include_str!("../../docs/src/batches.md"),
        include_str!("../../docs/src/editor.md"),
        include_str!("../../README.md"),
    ];

    #[test]
    fn commands_in_the_guide_parse() {
        let mut commands = 0;
        for line in PAGES.iter().flat_map(|page| page.lines()).filter(|line| line.starts_with("parlour ")) {
            let line = line.replace("$SLURM_ARRAY_TASK_ID", "3");
            // The shell handles redirections, so they are removed.
            let line = line.split(" > ").next().unwrap_or_default();
            // Text in quotes is a single argument.
            let parts = line.split(['"', '\'']).enumerate();
            let arguments = parts.flat_map(|(at, part)| match at % 2 {
                0 => part.split_whitespace().collect::<Vec<_>>(),
                _ => vec![part],
            });
            let understood = Cli::try_parse_from(arguments);
            assert!(
                understood.is_ok(),
                "{line}: {}",
                understood.err().map(|error| error.to_string()).unwrap_or_default()
            );
            commands += 1;
        }
        assert!(commands > 8, "the commands were not found");
    }
}
