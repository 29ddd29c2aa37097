//! `parlour count`: counts the lines of play of a game, ply by ply.

use super::arguments::{Changes, Format, check_players};
use super::interruption::{is_stopped, listen};
use super::memory::Memory;
use super::output::{Failure, Output, usage};
use super::run::pairs;
use super::table::TextTable;
use super::{examples, opening, recording};
use crate::desk::result_formatter::ResultFormatter;
use crate::diagnostic::Diagnostic;
use crate::model::{BOX, FaceDownVisibility, Family, Language, Model};
use crate::playscript;
use crate::report::Heading;
use crate::report::grouped;
use crate::session::{Game, Halt, MAX_MEMORY, Session, Setup};
use crate::simulation::{CountDetails, CountError, GameTree, MAX_FIRST_ANSWERS, MAX_POSITIONS, PlyCount};
use crate::wording::{Offer, Wording};
use clap::Args;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Counts the lines of play from the beginning of a game or from a saved position, which shows how fast the game tree grows
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour count chess --plies 4                           20, 400, 8,902 and 197,281 lines",
    "parlour count games/my-game --plies 3 --split           by the first answer",
    "parlour count tic-tac-toe --plies 7 --positions         how many positions differ",
    "parlour count chess --set 'params.position=\"8/8/8/8/8/4k3/4p3/4K3 w - - 0 1\"' --plies 5",
    "parlour count --from game.play --plies 3                from a saved game on",
))]
pub(super) struct Count {
    /// A folder, or the name of a game that comes with the program
    #[arg(required_unless_present = "from")]
    game: Option<String>,
    #[command(flatten)]
    changes: Changes,
    /// Depth in plies. Each answer of a player is a ply, even if there is only one option
    #[arg(long, value_name = "N", value_parser = super::arguments::number::<1, MAX_PLIES>, allow_negative_numbers = true)]
    plies: u64,
    /// Count the lines separately for each option of the first decision
    #[arg(long)]
    split: bool,
    /// Also count the distinct positions at the end of the lines. Takes about as long as one more ply
    #[arg(long)]
    positions: bool,
    /// Count from the position at which a recording ends
    #[arg(long, value_name = "FILE", conflicts_with_all = ["players", "seed", "options", "sets"])]
    from: Option<PathBuf>,
    /// Number of players [default: the fewest the game allows]
    #[arg(long, short, value_name = "N", value_parser = super::arguments::players, allow_negative_numbers = true)]
    players: Option<u8>,
    /// Random seed: the same seed gives the same shuffles and rolls
    #[arg(long, short, value_name = "S", default_value_t = 1, value_parser = super::arguments::seed, allow_negative_numbers = true)]
    seed: u64,
    /// Stop after this many seconds; plies that are complete by then are printed
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = super::arguments::number::<1, MAX_SECONDS>, allow_negative_numbers = true)]
    seconds: u64,
    /// Number of threads [default: one per processor]
    #[arg(long, short, value_name = "J", value_parser = super::arguments::jobs, allow_negative_numbers = true)]
    jobs: Option<u16>,
    #[command(flatten)]
    memory: Memory,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Maximum value of `--plies`. One position is stored for each ply of a line.
const MAX_PLIES: u64 = 100;

/// Maximum value of `--seconds`: one day.
const MAX_SECONDS: u64 = 24 * 60 * 60;

/// Data that is printed after the last ply.
struct Counts<'a> {
    model: &'a Model,
    setup: &'a Setup,
    plies: Vec<PlyCount>,
    /// Options of the first decision in the notation of playscripts; empty unless the lines are counted for each option.
    options: Vec<String>,
    /// Reason why not all plies were counted, and what to do about it.
    stopped: Option<String>,
    /// Whether chance has decided anything, before the position or on one of the lines.
    has_drawn: bool,
}

impl Count {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let (game, session) = self.begin(output)?;
        let (model, setup) = (session.model().clone(), session.setup().clone());
        let options = if self.split { first_options(&session)? } else { Vec::new() };
        let threads = rayon::ThreadPoolBuilder::new().num_threads(self.memory.jobs(self.jobs));
        let threads = threads
            .stack_size(crate::system::STACK)
            .build()
            .map_err(|error| usage(format!("no threads can be started: {error}")))?;
        listen();
        let deadline = Instant::now() + Duration::from_secs(self.seconds);
        let halt = Halt::when(move || is_stopped() || Instant::now() >= deadline);
        let details = CountDetails { positions: self.positions, first_answers: self.split };
        let is_text = self.format == Format::Text;
        if is_text {
            output.line(ResultFormatter::new(&model, &setup, Language::English).title())?;
            output.line(self.row(["ply", "lines", "growth", "ended before", "positions"]))?;
        }
        let tree = GameTree::new(session);
        let (mut plies, mut stopped) = (Vec::<PlyCount>::new(), None);
        for ply in 1..=self.plies {
            match threads.install(|| tree.count(ply, details, &halt)) {
                Ok(count) => {
                    if is_text {
                        self.print_ply(plies.last(), &count, output)?;
                    }
                    plies.push(count);
                }
                Err(CountError::Fault(fault, answers)) => return report_fault(&game, &setup, *fault, &answers, output),
                Err(CountError::Halted) if is_stopped() => {
                    output.remark(format!("interrupted in ply {ply}"))?;
                    return Err(Failure::Interrupted);
                }
                Err(error) => stopped = Some(self.explain_error(ply, &error)),
            }
            if stopped.is_some() || plies.last().is_some_and(|last| last.lines == 0) {
                break;
            }
        }
        let has_drawn = tree.has_drawn();
        let counts = Counts { model: &model, setup: &setup, plies, options, stopped, has_drawn };
        if is_text { counts.print(output) } else { output.json(&counts.document()) }
    }

    /// Returns the game, and the session whose position the count starts from.
    fn begin(&self, output: &mut Output) -> Result<(Game, Session), Failure> {
        let game = self.game.as_ref().map(|game| opening::open(game, output)).transpose()?;
        if let Some(file) = &self.from {
            let recording = recording::open(file, game.as_ref(), false, output)?;
            return Ok((recording.game().clone(), recording.session()));
        }
        let game = game.expect("a game is named where there is no recording");
        let players = self.players.unwrap_or(*game.players().start());
        check_players(&game, players)?;
        let setup = self.changes.setup(players).seed(self.seed);
        let session =
            Session::start(&game, &setup).map_err(|mistakes| output.report_mistakes_with(&setup, &mistakes))?;
        Ok((game, session))
    }

    /// Formats a row of the table. Rows are printed as soon as they are known, so the column widths are fixed.
    fn row(&self, [ply, lines, growth, ended, positions]: [&str; 5]) -> String {
        let row = format!("{ply:>3}  {lines:>17}  {growth:>8}  {ended:>15}");
        if self.positions { format!("{row}  {positions:>11}") } else { row }
    }

    fn print_ply(&self, before: Option<&PlyCount>, count: &PlyCount, output: &mut Output) -> Result<(), Failure> {
        let growth = before.map(|before| growth_text(before.lines, count.lines)).unwrap_or_default();
        let positions = count.positions.map(number).unwrap_or_default();
        let (ply, lines, ended) = (count.ply.to_string(), number(count.lines), number(count.ended));
        output.line(self.row([&ply, &lines, &growth, &ended, &positions]))?;
        output.flush()
    }

    /// Explains why a ply could not be counted, and what to do about it.
    fn explain_error(&self, ply: u64, error: &CountError) -> String {
        match error {
            CountError::Memory => {
                let most = MAX_MEMORY >> 20;
                format!(
                    "stopped in ply {ply}: the positions of one line take more than {most} MB together; count fewer plies"
                )
            }
            CountError::Positions => {
                let most = number(MAX_POSITIONS as u64);
                format!("stopped in ply {ply}: more than {most} positions differ; leave out `--positions`")
            }
            _ => format!("stopped in ply {ply} after {} s: `--seconds` gives it more time", self.seconds),
        }
    }
}

impl Counts<'_> {
    fn print(&self, output: &mut Output) -> Result<(), Failure> {
        match &self.plies[..] {
            [.., last] if last.lines == 0 => {
                let games = number(last.ended);
                output.line(format!("every line has come to its end: there are {games} games"))?;
            }
            [.., before, last] if self.stopped.is_none() => {
                let next = u128::from(last.lines) * u128::from(last.lines) / u128::from(before.lines);
                let next = number(u64::try_from(two_digits(next)).unwrap_or(u64::MAX));
                output.line(format!("if it grows like that, ply {} has about {next} lines", last.ply + 1))?;
            }
            _ => {}
        }
        if self.has_drawn {
            let seed = self.setup.seed;
            output.line(format!("chance is not branched over: dice and shuffles fall as seed {seed} has them"))?;
        }
        if has_secrets(self.model) {
            output.line(
                "hidden pieces lie as they were dealt: a player, who sees a part, cannot tell all of these lines apart",
            )?;
        }
        if let Some(last) = self.plies.last().filter(|last| !last.first_answers.is_empty()) {
            output.line(format!("\nlines at ply {} by the first answer", last.ply))?;
            let mut table = TextTable::new([Heading::number("lines"), Heading::text("answer")]);
            for (lines, option) in last.first_answers.iter().zip(&self.options) {
                table.row(vec![number(*lines), option.clone()]);
            }
            table.lines("  ").into_iter().skip(1).try_for_each(|line| output.line(line))?;
        }
        self.stopped.iter().try_for_each(|why| output.remark(why))
    }

    fn document(&self) -> Value {
        let ply = |count: &PlyCount| json!({ "ply": count.ply, "lines": count.lines, "ended_before": count.ended, "positions": count.positions });
        let last = self.plies.last().map(|last| &last.first_answers[..]).unwrap_or_default();
        let split = self.options.iter().zip(last).map(|(option, lines)| json!({ "answer": option, "lines": lines }));
        json!({
            "format": 1,
            "game": { "id": *self.model.id, "name": self.model.name.get(Language::English) },
            "setup": {
                "players": self.setup.seats,
                "seed": self.setup.seed,
                "options": pairs(&self.setup.options),
                "sets": pairs(&self.setup.sets),
            },
            "plies": self.plies.iter().map(ply).collect::<Value>(),
            "split": split.collect::<Value>(),
            "uses_chance": self.has_drawn,
            "has_secrets": has_secrets(self.model),
            "stopped": self.stopped,
        })
    }
}

/// Returns the options of the current decision in the notation of playscripts. Fails if there are too many.
fn first_options(session: &Session) -> Result<Vec<String>, Failure> {
    let Some(decision) = session.decision() else { return Ok(Vec::new()) };
    let count = decision.count();
    if count > MAX_FIRST_ANSWERS {
        let message = format!("the first question has {} options, too many for `--split`", number(count as u64));
        return Err(Failure::Usage(message, Some("leave out `--split`".to_owned())));
    }
    let wording = Wording::new(session.model().clone(), session.setup().clone(), Language::English);
    Ok(Offer::new(wording.for_seat(decision.seat), session.table(), decision).all_written())
}

/// Reports a fault of the rules on one of the lines, and prints the playscript that leads to the fault.
fn report_fault(
    game: &Game,
    setup: &Setup,
    fault: Diagnostic,
    answers: &[u64],
    output: &mut Output,
) -> Result<(), Failure> {
    // Random agents would not take this line, so the command that repeats a game does not lead to it.
    output.diagnostic(&Diagnostic { reproduce: None, ..fault })?;
    if let Ok(play) = playscript::record(game, setup, answers, false) {
        output.remark(format!("the line that leads to it, as a playscript:\n\n{play}"))?;
    }
    Err(Failure::Fault)
}

/// Returns whether any zone except the box is hidden from some players, or any decision is secret.
fn has_secrets(model: &Model) -> bool {
    let is_hidden =
        |family: &Family| !family.face_up && family.seen_by != FaceDownVisibility::Everybody && *family.id != *BOX;
    model.families.iter().any(is_hidden) || model.decisions.iter().any(|decision| decision.is_secret)
}

fn number(number: u64) -> String {
    grouped(i64::try_from(number).unwrap_or(i64::MAX))
}

/// Formats the ratio of two numbers with one decimal.
fn growth_text(before: u64, after: u64) -> String {
    let tenths = (u128::from(after) * 10 + u128::from(before) / 2) / u128::from(before.max(1));
    format!("× {}.{}", tenths / 10, tenths % 10)
}

/// Rounds a number to two significant digits.
fn two_digits(number: u128) -> u128 {
    let mut unit = 1;
    while number / unit >= 100 {
        unit *= 10;
    }
    (number + unit / 2) / unit * unit
}
