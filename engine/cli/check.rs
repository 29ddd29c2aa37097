//! `parlour check`: checks a game statically, then plays a few games.

use super::interruption::is_stopped;
use super::memory::Memory;
use super::output::{Failure, Output};
use super::running::share_bar;
use super::saving::write_below;
use super::{examples, opening, test_files, watch};
use crate::diagnostic::{Diagnostic, Diagnostics, Place, Role, Severity, shown};
use crate::files::Directory;
use crate::playscript::LARGEST;
use crate::session::{Game, LoggedFunction, Setup, quoted};
use crate::simulation::{
    DEFAULT_EFFORT, DEFAULT_GAMES, FoundFault, FuzzLimits, FuzzResult, Script, SetupFindings, check_other_setups,
    check_typical_setups, fuzz,
};
use clap::Args;
use std::mem::take;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of operations in one unit of `--effort`.
const MILLION: u64 = 1_000_000;

/// Maximum number of playscript lines that are printed below a message.
const MAX_LINES: usize = 40;

/// Maximum number of functions that the note about functions without a run names.
const MAX_NAMED: usize = 4;

/// Looks for mistakes in a game: checks its files and playscripts, then plays a few games and checks the invariants of its rules
///
/// Mistakes in the files are printed at once. Then games are played: first with each number of players, each value of each option, each
/// agent and each bound of a param, then with several options at once, other numbers of players and other seeds. No more games are begun
/// after a number of operations (`--effort`), so that the same files are always checked by the same games. For each of the first five
/// faults, about twenty games are tried, and the shortest one with the fault is printed as a playscript.
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour check games/my-game",
    "parlour check games/my-game --watch       again whenever a file is saved, and its plays too",
    "parlour check games/my-game --strict      fails if there are warnings",
    "parlour check games/my-game --save        keeps what shows a fault in its folder `plays/`",
    "parlour check games/my-game --effort 20   plays fewer games",
    "parlour check stockpile --games 100",
))]
pub(super) struct Check {
    /// A folder, or the name of a game that comes with the program
    pub(super) game: String,
    /// Number of games for each number of players and each value of each option. No more games are begun after 200,000 decisions [default:
    /// 3, or fewer if `--effort` is used up]
    #[arg(long, short, value_name = "N", value_parser = super::arguments::number::<1, 100_000>, allow_negative_numbers = true)]
    games: Option<u64>,
    /// Millions of operations after which no more games are begun [default: 200, about ten seconds on two cores; no limit with
    /// `--games`]
    #[arg(long, value_name = "MILLIONS", value_parser = super::arguments::number::<0, 1_000_000_000>, allow_negative_numbers = true)]
    effort: Option<u64>,
    /// Write playscripts that show faults into the game's folder `plays/`, or into the current folder for a game that comes
    /// with the program
    #[arg(long)]
    save: bool,
    /// Also fail if there are warnings
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

    /// Checks the game and its playscripts, then plays games. Does not run the playscripts.
    fn check_once(&self, output: &mut Output) -> Result<(), Failure> {
        let game = opening::open_and_check(&self.game, output)?.holding_invariants();
        let mut found = FoundMistakes::default();
        let plays = || Ok(Diagnostics(test_files::mistakes(&self.game)?));
        let can_be_played = print_mistakes_of_files(&game, plays, &mut found, output)?;
        self.play(&game, can_be_played, found, output)
    }

    /// Checks the game without its playscripts, then plays games. Returns whether the playscripts can be run, and the result of the check.
    fn check_game(&self, output: &mut Output) -> (bool, Result<(), Failure>) {
        let game = match opening::open_and_check(&self.game, output) {
            Ok(game) => game.holding_invariants(),
            Err(failure) => return (false, Err(failure)),
        };
        let mut found = FoundMistakes::default();
        match print_mistakes_of_files(&game, || Ok(Diagnostics::default()), &mut found, output) {
            Ok(can_be_played) => (can_be_played, self.play(&game, can_be_played, found, output)),
            Err(failure) => (false, Err(failure)),
        }
    }

    /// Plays games if `can_be_played` is set. Prints the faults found in them, and the result of the whole check.
    fn play(
        &self,
        game: &Game,
        can_be_played: bool,
        mut found: FoundMistakes,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let mut findings = if can_be_played { self.play_games(game) } else { FuzzResult::default() };
        found.print(take(&mut findings.mistakes), output)?;
        found.print(Diagnostics(take(&mut findings.odd)), output)?;
        for fault in &findings.faults {
            self.print_fault(game, fault, output)?;
        }
        let static_errors = found.errors();
        let warnings = found.0.len() - static_errors;
        let errors = static_errors + findings.faults.len();
        let remarks = if warnings == 0 { String::new() } else { format!(", {}", count_text(warnings, "warning")) };
        let (name, played) = (game.id(), played_text(findings.games, findings.cut));
        if errors == 0 && findings.games > 0 {
            self.print_unreached(&findings, &found, output)?;
        }
        if errors > 0 {
            output.line(format!("{name}: {}{remarks}", count_text(errors, "mistake")))?;
            return Err(Failure::Fault);
        }
        let counted = if self.strict && warnings > 0 { ", which `--strict` counts" } else { "" };
        output.line(format!("{name}: no mistakes found{remarks}{counted} ({played})"))?;
        // With `--watch`, warnings also make the exit code a failure: the game is done only if nothing is left to fix.
        if (self.strict || self.watch) && warnings > 0 { Err(Failure::Fault) } else { Ok(()) }
    }

    fn play_games(&self, game: &Game) -> FuzzResult {
        let limits = FuzzLimits { games: self.games, effort: self.effort.map(|millions| millions * MILLION) };
        let bar = share_bar(format!("{}: playing", game.id()));
        // Games that are played at the same time may report their shares in any order.
        let furthest = AtomicU64::new(0);
        let follow = |share: u64| bar.set_position(furthest.fetch_max(share, Ordering::Relaxed).max(share));
        let findings = fuzz(game, limits, &follow, &is_stopped);
        bar.finish_and_clear();
        findings
    }

    /// Prints a note that names functions of the rules that did not run in any game. Leaves out those that a warning names already.
    fn print_unreached(
        &self,
        findings: &FuzzResult,
        found: &FoundMistakes,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let is_reported = |function: &&LoggedFunction| found.marks(&function.place);
        let all: Vec<&LoggedFunction> = findings.unreached.iter().filter(|function| !is_reported(function)).collect();
        if all.is_empty() {
            return Ok(());
        }
        let named = |function: &&LoggedFunction| {
            format!("`{}` ({}:{})", function.name, function.place.source.path, function.place.line_column().0)
        };
        let names: Vec<String> = all.iter().take(MAX_NAMED).map(named).collect();
        let rest = if all.len() > MAX_NAMED { format!(" and {} more", all.len() - MAX_NAMED) } else { String::new() };
        let more = match self.games {
            None if findings.cut => {
                format!("--effort {}", 4 * self.effort.unwrap_or(DEFAULT_EFFORT / MILLION).max(1))
            }
            games => format!("--games {}", 10 * games.unwrap_or(DEFAULT_GAMES)),
        };
        let games = count_text(findings.games as usize, "game");
        output.remark(format!(
            "note: never reached by the {games} of this check: {}{rest}; `{more}` plays more\n",
            names.join(", ")
        ))
    }

    /// Prints a fault. Also prints a playscript that shows the fault or, with `--save`, writes it to a file.
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

    /// Writes a playscript into the game's folder of playscripts or, for a game that comes with the program, into the working directory.
    /// Leaves an identical file unchanged. Returns the path of the file.
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

/// Prints the mistakes that can be found without playing: first those of one setup, then those of typical setups, then those of all others.
/// If all setups can be played, also prints the mistakes of the playscripts. Returns whether the game can be played with every setup.
fn print_mistakes_of_files(
    game: &Game,
    plays: impl FnOnce() -> Result<Diagnostics, Failure>,
    found: &mut FoundMistakes,
    output: &mut Output,
) -> Result<bool, Failure> {
    let setup = Setup::seats(*game.players().start());
    let mut first = game.warnings().0;
    first.extend(game.agent_warnings(&setup));
    // Leave warnings about the rules to `check_typical_setups`, which compares setups.
    let of_rules = game.host(&setup).map(|(_, host)| host.warnings().to_vec()).unwrap_or_default();
    let all = first.into_iter().chain(of_rules.iter().cloned()).collect();
    let mut first = crate::open::drop_repeated_lone_words(Diagnostics(all));
    first.0.retain(|one| !of_rules.contains(one));
    found.print(first, output)?;
    let SetupFindings { mistakes, remarks } = check_typical_setups(game, &is_stopped);
    let mut can_be_played = mistakes.0.is_empty();
    found.print(mistakes, output)?;
    found.print(Diagnostics(remarks).grouped(), output)?;
    output.flush()?;
    let others = check_other_setups(game, &is_stopped);
    can_be_played &= others.0.is_empty();
    found.print(others, output)?;
    if can_be_played {
        found.print(plays()?, output)?;
    }
    output.flush()?;
    Ok(can_be_played)
}

/// Mistakes that have been printed, without duplicates.
#[derive(Default)]
struct FoundMistakes(Vec<Diagnostic>);

impl FoundMistakes {
    /// Prints mistakes that have not been printed yet.
    fn print(&mut self, more: Diagnostics, output: &mut Output) -> Result<(), Failure> {
        for diagnostic in more.0 {
            let is_known = |known: &Diagnostic| {
                (known.code, &known.message, &known.marks) == (diagnostic.code, &diagnostic.message, &diagnostic.marks)
            };
            if !self.0.iter().any(is_known) {
                output.diagnostic(&diagnostic)?;
                self.0.push(diagnostic);
            }
        }
        Ok(())
    }

    /// Returns whether a mistake marks a place.
    fn marks(&self, place: &Place) -> bool {
        self.0.iter().flat_map(|found| &found.marks).any(|mark| mark.place == *place)
    }

    fn errors(&self) -> usize {
        self.0.iter().filter(|found| found.severity == Severity::Error).count()
    }
}

/// Describes how many games were played. `is_cut` means that the effort was used up before all games had been played.
fn played_text(games: u64, is_cut: bool) -> String {
    match (games, is_cut) {
        (0, _) => "only the files were checked: no game was played".to_owned(),
        (games, true) => format!("{} played; a higher `--effort` plays more", count_text(games as usize, "game")),
        (games, false) => format!("{} played", count_text(games as usize, "game")),
    }
}

/// Formats a count with an English noun, such as "1 game" or "2 games".
pub(super) fn count_text(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}
