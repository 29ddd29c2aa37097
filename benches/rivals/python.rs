//! Runs the Python programs: a Python process that plays games on command. See `python/measure.py`.

use super::by_hand::Ended;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Number of games over which the mean length is calculated.
const SAMPLE: u32 = 400;

pub(crate) struct Python {
    process: Child,
    commands: ChildStdin,
    replies: BufReader<ChildStdout>,
    has_spiel: bool,
}

impl Python {
    /// Starts the Python interpreter that the variable `PYTHON` names, or `python3`. Returns `None` if it cannot be started.
    pub(crate) fn start() -> Option<Self> {
        let program = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
        let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("benches/rivals/python/measure.py");
        let mut process =
            Command::new(program).arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
        let commands = process.stdin.take().expect("its input is a pipe");
        let replies = BufReader::new(process.stdout.take().expect("its output is a pipe"));
        let mut python = Self { process, commands, replies, has_spiel: false };
        python.has_spiel = python.ask("spiel").first() == Some(&1.0);
        Some(python)
    }

    /// Returns whether `OpenSpiel` is installed.
    pub(crate) fn has_spiel(&self) -> bool {
        self.has_spiel
    }

    /// Plays games for at least `seconds`. Returns the seconds per game.
    pub(crate) fn time(&mut self, module: &str, seats: u8, seconds: f64) -> f64 {
        let said = self.ask(&format!("time {module} {seats} {seconds}"));
        said[1] / said[0]
    }

    /// Plays games for at least `seconds`. Returns the mean number of decisions per game.
    pub(crate) fn length(&mut self, module: &str, seats: u8, seconds: f64) -> f64 {
        let said = self.ask(&format!("pace {module} {seats} {seconds}"));
        said[1] / said[0]
    }

    /// Plays games and returns their results.
    pub(crate) fn games(&mut self, module: &str, seats: u8, count: u64) -> Vec<Ended> {
        self.send(&format!("games {module} {seats} {count}"));
        let game = |_| {
            let numbers = self.read_numbers();
            let scores = numbers[1..].iter().map(|score| *score as i64).collect();
            Ended { decisions: numbers[0] as u64, scores }
        };
        (0..count).map(game).collect()
    }

    /// Returns the mean number of decisions per game in `OpenSpiel`. Returns `None` if `OpenSpiel` is not installed or does not have the
    /// game.
    pub(crate) fn spiel_length(&mut self, name: &str) -> Option<f64> {
        let decisions = if self.has_spiel { self.ask(&format!("length {name} {SAMPLE}"))[0] } else { 0.0 };
        (decisions > 0.0).then(|| decisions / f64::from(SAMPLE))
    }

    /// Returns the seconds per game in `OpenSpiel`.
    pub(crate) fn spiel_time(&mut self, name: &str, seconds: f64) -> f64 {
        let said = self.ask(&format!("spiel-time {name} {seconds}"));
        said[1] / said[0]
    }

    fn ask(&mut self, command: &str) -> Vec<f64> {
        self.send(command);
        self.read_numbers()
    }

    fn send(&mut self, command: &str) {
        writeln!(self.commands, "{command}").expect("it listens");
    }

    fn read_numbers(&mut self) -> Vec<f64> {
        let mut line = String::new();
        self.replies.read_line(&mut line).expect("it answers");
        let numbers: Vec<f64> = line.split_whitespace().map(|word| word.parse().expect("it says numbers")).collect();
        assert!(!numbers.is_empty(), "the games in Python came to an end before they were told to");
        numbers
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        _ = self.process.kill();
        _ = self.process.wait();
    }
}
