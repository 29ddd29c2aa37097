//! Where words go: data to standard output, talk and diagnostics to standard error, color only where a person looks.

use crate::diagnostic::{Diagnostic, Diagnostics, render};
use crate::session::Setup;
use anstream::{AutoStream, ColorChoice};
use std::fmt::Display;
use std::io::{BufWriter, ErrorKind, Stdout, Write};
use std::process::ExitCode;

/// Why a command did not go well.
#[derive(Debug)]
pub(super) enum Failure {
    /// It was called wrongly: what is wrong, and what would be right.
    Usage(String, Option<String>),
    /// The game has a fault, which has been told.
    Fault,
    /// It was called wrongly, which has been told.
    ToldUsage,
    /// Somebody stopped it, which has been told.
    Interrupted,
    /// Nothing more can be written.
    Output(std::io::Error),
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::Output(error.into())
    }
}

/// The two streams of the program.
pub(super) struct Output {
    out: BufWriter<Stdout>,
    has_color: bool,
    shows_color: bool,
}

impl Output {
    pub(super) fn new() -> Self {
        let has_color = AutoStream::choice(&std::io::stderr()) != ColorChoice::Never;
        let shows_color = AutoStream::choice(&std::io::stdout()) != ColorChoice::Never;
        Self { out: BufWriter::new(std::io::stdout()), has_color, shows_color }
    }

    /// A line of what was asked for.
    pub(super) fn line(&mut self, line: impl Display) -> Result<(), Failure> {
        Ok(writeln!(self.out, "{line}")?)
    }

    /// A part of a line.
    pub(super) fn write(&mut self, text: &str) -> Result<(), Failure> {
        Ok(write!(self.out, "{text}")?)
    }

    /// A document for another program.
    pub(super) fn json(&mut self, value: &serde_json::Value) -> Result<(), Failure> {
        serde_json::to_writer_pretty(&mut self.out, value)?;
        self.line("")
    }

    /// Writes out what is still held back.
    pub(super) fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }

    /// A remark to whoever sits there.
    pub(super) fn remark(&mut self, remark: impl Display) -> Result<(), Failure> {
        self.flush()?;
        to_whoever_sits_there(format_args!("{remark}"));
        Ok(())
    }

    /// A diagnostic.
    pub(super) fn diagnostic(&mut self, diagnostic: &Diagnostic) -> Result<(), Failure> {
        let text = render(diagnostic, self.has_color);
        self.remark(format!("{text}\n"))
    }

    /// A diagnostic that was asked for.
    pub(super) fn shown(&mut self, diagnostic: &Diagnostic) -> Result<(), Failure> {
        let text = render(diagnostic, self.shows_color);
        self.line(format!("{text}\n"))
    }

    /// Tells every mistake, and says what sort of failure that is: what is wrong with the arguments of the command line
    /// is wrong usage.
    pub(super) fn mistakes(&mut self, mistakes: &Diagnostics) -> Failure {
        for diagnostic in &mistakes.0 {
            if let Err(failure) = self.diagnostic(diagnostic) {
                return failure;
            }
        }
        if mistakes.0.iter().any(is_about_arguments) { Failure::ToldUsage } else { Failure::Fault }
    }

    /// Tells every mistake of a model of a game that was opened without one: what was chosen brought it about, if anything
    /// was.
    pub(super) fn mistakes_with(&mut self, setup: &Setup, mistakes: &Diagnostics) -> Failure {
        match self.mistakes(mistakes) {
            Failure::Fault if !setup.options.is_empty() || !setup.sets.is_empty() => Failure::ToldUsage,
            failure => failure,
        }
    }

    /// Tells why it did not go well, as far as that has not been told.
    pub(super) fn fail(&mut self, failure: &Failure) -> ExitCode {
        if let Failure::Output(error) = failure {
            if error.kind() == ErrorKind::BrokenPipe {
                return ExitCode::SUCCESS;
            }
            to_whoever_sits_there(format_args!("error: nothing more can be written: {error}"));
            return ExitCode::from(1);
        }
        // What came before belongs before the message; if it cannot be written, the message says enough.
        let _ = self.flush();
        match failure {
            Failure::Usage(message, help) => {
                to_whoever_sits_there(format_args!("error: {message}"));
                if let Some(help) = help {
                    to_whoever_sits_there(format_args!("  = help: {help}"));
                }
                ExitCode::from(2)
            }
            Failure::ToldUsage => ExitCode::from(2),
            Failure::Interrupted => ExitCode::from(130),
            Failure::Fault | Failure::Output(_) => ExitCode::from(1),
        }
    }
}

/// Whether a mistake lies in what was written on the command line.
fn is_about_arguments(diagnostic: &Diagnostic) -> bool {
    diagnostic.marks.first().is_some_and(|mark| mark.place.source.path.starts_with("--"))
}

/// Wrong usage without a hint.
pub(super) fn usage(message: impl Into<String>) -> Failure {
    Failure::Usage(message.into(), None)
}

/// A line on standard error. Where nobody listens any more, it is lost, and nothing else changes.
pub(super) fn to_whoever_sits_there(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
