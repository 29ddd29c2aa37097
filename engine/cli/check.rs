//! `parlour check`: static checks of a game, then a few games.

use super::interruption::is_stopped;
use super::memory::Memory;
use super::output::{Failure, Output};
use super::saving::write_below;
use super::{examples, opening, test_files, watch};
use crate::diagnostic::{Diagnostic, Diagnostics, Role, Severity, shown};
use crate::files::Directory;
use crate::playscript::LARGEST;
use crate::session::{Game, Setup, quoted};
use crate::simulation::{FoundFault, FuzzResult, Script, fuzz};
use clap::Args;
use std::path::{Path, PathBuf};

/// Maximum number of lines of a playscript that is printed below a message.
const MAX_LINES: usize = 40;

/// Looks for mistakes in a game: in its files and its plays, then in a few games, in which the invariants of its rules are held
///
/// Each number of players is played with nothing chosen, with each value of each option, and with several options at once: all of
/// them once, then all of them again. No more games are begun after 200,000 decisions (without `--games`, no more rounds after
/// 8,000), or after one that never ends. Each fault
/// comes with the shortest playscript
/// among some twenty games that shows it.
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour check games/my-game",
    "parlour check games/my-game --watch       again whenever a file is saved, and its plays too",
    "parlour check games/my-game --strict      fails if there are warnings",
    "parlour check games/my-game --save        keeps what shows a fault in its folder `plays/`",
    "parlour check stockpile --games 100",
))]
pub(super) struct Check {
    /// A folder, or the name of a game that comes with the program
    pub(super) game: String,
    /// Number of games for each number of players and each value of each option [default: 3, or fewer if games have many
    /// decisions]
    #[arg(long, short, value_name = "N", value_parser = super::arguments::number::<1, 100_000>, allow_negative_numbers = true)]
    games: Option<u64>,
    /// Write playscripts that show faults into the game's folder `plays/`, or into the current folder for a game that comes
    /// with the program
    #[arg(long)]
    save: bool,
    /// Fail if there are warnings, too
    #[arg(long)]
    strict: bool,
    /// Check the game and run its playscripts again whenever one of its files is saved, until Ctrl-C
    #[arg(long)]
    watch: bool,
    #[command(flatten)]
    memory: Memory,
}

impl Check {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        self.memory.limit_threads()?;
        if self.watch {
            watch::watch(&self.game, &|output| self.check_game(output), output)
        } else {
            self.check_once(output)
        }
    }

    /// Checks the game, and its playscripts without running them.
    fn check_once(&self, output: &mut Output) -> Result<(), Failure> {
        let game = opening::open_and_check(&self.game, output)?.holding_invariants();
        let (mut found, findings) = self.find_mistakes(&game);
        if findings.mistakes.0.is_empty() {
            found.extend(Diagnostics(test_files::mistakes(&self.game)?));
        }
        self.print(&game, &found, &findings, output)
    }

    /// Checks the game without its playscripts. Returns whether these can be run, and the result.
    fn check_game(&self, output: &mut Output) -> (bool, Result<(), Failure>) {
        let game = match opening::open_and_check(&self.game, output) {
            Ok(game) => game.holding_invariants(),
            Err(failure) => return (false, Err(failure)),
        };
        let (found, findings) = self.find_mistakes(&game);
        (findings.mistakes.0.is_empty(), self.print(&game, &found, &findings, output))
    }

    /// Plays random games, and combines the mistakes found in them with the warnings about the files.
    fn find_mistakes(&self, game: &Game) -> (FoundMistakes, FuzzResult) {
        let findings = fuzz(game, self.games, &is_stopped);
        let mut found = FoundMistakes(game.warnings().0);
        found.extend(Diagnostics(game.agent_warnings(&Setup::seats(*game.players().start()))));
        found.extend(findings.mistakes.clone());
        found.extend(Diagnostics(findings.remarks.clone().unwrap_or_default()));
        found.extend(Diagnostics(findings.odd.clone()));
        let found = FoundMistakes(crate::open::drop_repeated_lone_words(Diagnostics(found.0)).0);
        (found, findings)
    }

    fn print(
        &self,
        game: &Game,
        found: &FoundMistakes,
        findings: &FuzzResult,
        output: &mut Output,
    ) -> Result<(), Failure> {
        for diagnostic in &found.0 {
            output.diagnostic(diagnostic)?;
        }
        for fault in &findings.faults {
            self.print_fault(game, fault, output)?;
        }
        let is_error = |diagnostic: &&Diagnostic| diagnostic.severity == Severity::Error;
        let static_errors = found.0.iter().filter(is_error).count();
        let warnings = found.0.len() - static_errors;
        let errors = static_errors + findings.faults.len();
        let remarks = if warnings == 0 { String::new() } else { format!(", {}", count_text(warnings, "warning")) };
        let (name, games) = (game.id(), count_text(findings.games as usize, "game"));
        let cut = if findings.cut { ", some left out" } else { "" };
        if errors > 0 {
            output.line(format!("{name}: {}{remarks}", count_text(errors, "mistake")))?;
            return Err(Failure::Fault);
        }
        let counted = if self.strict && warnings > 0 { ", which `--strict` counts" } else { "" };
        output.line(format!("{name}: no mistakes found{remarks}{counted} ({games} played{cut})"))?;
        // A watched game is well at the end only if nothing is left to look at.
        if (self.strict || self.watch) && warnings > 0 { Err(Failure::Fault) } else { Ok(()) }
    }

    /// Prints a fault, with a playscript that shows it.
    fn print_fault(&self, game: &Game, fault: &FoundFault, output: &mut Output) -> Result<(), Failure> {
        output.diagnostic(&fault.diagnostic)?;
        let Some(script) = &fault.script else { return Ok(()) };
        if self.save {
            let file = Self::save_script(game, script)?;
            let file = shown(file);
            return output.remark(format!("the fault as a playscript: parlour test {}\n", quoted(&file)));
        }
        let lines: Vec<&str> = script.text.lines().collect();
        let folder = Role::Play.folder();
        output.remark(format!("the fault as a playscript, for `{folder}/{}`:\n", script.file))?;
        for line in lines.iter().take(MAX_LINES) {
            output.remark(format!("    {line}"))?;
        }
        if lines.len() > MAX_LINES {
            let rest = count_text(lines.len() - MAX_LINES, "more line");
            output.remark(format!("    … {rest}: `parlour check {} --save` writes all of it", quoted(&self.game)))?;
        }
        output.remark("")
    }

    /// Writes a playscript to where `parlour test` looks for it. An identical file is left alone.
    fn save_script(game: &Game, script: &Script) -> Result<PathBuf, Failure> {
        let folder = Path::new(game.path());
        let (folder, file) = if folder.is_dir() {
            (folder, format!("{}/{}", Role::Play.folder(), script.file))
        } else {
            (Path::new(""), script.file.clone())
        };
        let place = folder.join(&file);
        let as_it_is = Directory::open(folder).ok().and_then(|folder| folder.read(&file, LARGEST as u64).ok());
        if as_it_is.is_none_or(|bytes| bytes != script.text.as_bytes()) {
            write_below(folder, &file, &script.text)?;
        }
        Ok(place)
    }
}

/// Mistakes without duplicates.
struct FoundMistakes(Vec<Diagnostic>);

impl FoundMistakes {
    fn extend(&mut self, more: Diagnostics) {
        for diagnostic in more.0 {
            let is_known = |known: &Diagnostic| {
                (known.code, &known.message, &known.marks) == (diagnostic.code, &diagnostic.message, &diagnostic.marks)
            };
            if !self.0.iter().any(is_known) {
                self.0.push(diagnostic);
            }
        }
    }
}

/// Formats a number of things in English.
pub(super) fn count_text(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}
