//! Where words go: data to standard output, talk and diagnostics to standard error, color only where a person looks.

use crate::desk::refusal::{OpenError, Refusal};
use crate::diagnostic::{Diagnostic, Diagnostics, escape_unseen, explain, render, shortened_to};
use crate::session::Setup;
use anstream::{AutoStream, ColorChoice};
use std::borrow::Cow;
use std::fmt::Display;
use std::io::{BufWriter, ErrorKind, IsTerminal, Stdout, Write};
use std::process::ExitCode;

/// Why a command did not go well.
#[derive(Debug)]
pub(super) enum Failure {
    /// It was called wrongly: what is wrong, and what would be right.
    Usage(String, Option<String>),
    /// The game has a fault, which has been reported.
    Fault,
    /// It was called wrongly, which has been reported.
    ToldUsage,
    /// The user stopped it, which has been reported.
    Interrupted,
    /// Nothing more can be written.
    Output(std::io::Error),
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<Refusal> for Failure {
    fn from(Refusal { message, help }: Refusal) -> Self {
        Self::Usage(message, help)
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::Output(error.into())
    }
}

/// Maximum number of characters of a message about the command line, which may repeat texts of files.
const LONGEST_MESSAGE: usize = 2000;

/// The two streams of the program.
pub(super) struct Output {
    out: BufWriter<Stdout>,
    has_color: bool,
    shows_color: bool,
    /// The code of the first diagnostic that was reported.
    reported: Option<&'static str>,
}

impl Output {
    pub(super) fn new() -> Self {
        let has_color = AutoStream::choice(&std::io::stderr()) != ColorChoice::Never;
        let shows_color = AutoStream::choice(&std::io::stdout()) != ColorChoice::Never;
        Self { out: BufWriter::new(std::io::stdout()), has_color, shows_color, reported: None }
    }

    /// A line of what was asked for.
    pub(super) fn line(&mut self, line: impl Display) -> Result<(), Failure> {
        self.write(&format!("{line}\n"))
    }

    /// A part of a line.
    pub(super) fn write(&mut self, text: &str) -> Result<(), Failure> {
        let shown = if self.shows_color { without_steering(text) } else { plain(text) };
        Ok(self.out.write_all(shown.as_bytes())?)
    }

    /// A document for another program.
    pub(super) fn json(&mut self, value: &serde_json::Value) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(value)?;
        // Beyond the texts of a document no such character stands.
        self.line(escape_unseen(&text, |character| {
            let units: Vec<String> =
                character.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect();
            units.concat()
        }))
    }

    /// Empties the terminal, also of what has been scrolled away.
    pub(super) fn clear_screen(&mut self) -> Result<(), Failure> {
        Ok(self.out.write_all(b"\x1b[2J\x1b[3J\x1b[H")?)
    }

    /// Writes out what is still held back.
    pub(super) fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }

    /// A remark to the user.
    pub(super) fn remark(&mut self, remark: impl Display) -> Result<(), Failure> {
        self.flush()?;
        to_whoever_sits_there(format_args!("{remark}"));
        Ok(())
    }

    /// A diagnostic.
    pub(super) fn diagnostic(&mut self, diagnostic: &Diagnostic) -> Result<(), Failure> {
        let text = render(diagnostic, self.has_color);
        self.reported.get_or_insert(diagnostic.code);
        self.flush()?;
        let shown = if self.has_color { without_steering(&text) } else { plain(&text) };
        // As with any remark.
        let _ = writeln!(std::io::stderr(), "{shown}\n");
        Ok(())
    }

    /// A diagnostic that was asked for.
    pub(super) fn shown(&mut self, diagnostic: &Diagnostic) -> Result<(), Failure> {
        let text = render(diagnostic, self.shows_color);
        self.line(format!("{text}\n"))
    }

    /// Tells why a game was not opened, where that is more than what the command was called with.
    pub(super) fn unopened(&mut self, why: OpenError) -> Failure {
        match why {
            OpenError::Refused(refusal) => refusal.into(),
            OpenError::Mistakes(mistakes) => self.mistakes(&mistakes),
        }
    }

    /// Tells every mistake, and says what sort of failure that is: what is wrong with the arguments of the command line
    /// is wrong usage.
    pub(super) fn mistakes(&mut self, mistakes: &Diagnostics) -> Failure {
        for diagnostic in &mistakes.0 {
            if let Err(failure) = self.diagnostic(diagnostic) {
                return failure;
            }
        }
        if mistakes.0.iter().any(Diagnostic::is_about_choices) { Failure::ToldUsage } else { Failure::Fault }
    }

    /// Tells every mistake of a model of a game that was opened without one: what was chosen brought it about, if anything
    /// was.
    pub(super) fn mistakes_with(&mut self, setup: &Setup, mistakes: &Diagnostics) -> Failure {
        match self.mistakes(mistakes) {
            Failure::Fault if !setup.options.is_empty() || !setup.sets.is_empty() => Failure::ToldUsage,
            failure => failure,
        }
    }

    /// Says once where more is to be learned about what was reported: to people alone, for programs know.
    pub(super) fn point_to_explanation(&self) {
        let code = self.reported.and_then(explain).filter(|_| std::io::stderr().is_terminal());
        if let Some(found) = code {
            to_whoever_sits_there(format_args!("what this means: parlour explain {}", found.code));
        }
    }

    /// Reports why it did not go well, as far as that has not been reported.
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
                to_whoever_sits_there(format_args!("error: {}", shortened_to(message, LONGEST_MESSAGE)));
                if let Some(help) = help {
                    to_whoever_sits_there(format_args!("  = help: {}", shortened_to(help, LONGEST_MESSAGE)));
                }
                ExitCode::from(2)
            }
            Failure::ToldUsage => ExitCode::from(2),
            Failure::Interrupted => ExitCode::from(130),
            Failure::Fault | Failure::Output(_) => ExitCode::from(1),
        }
    }
}

/// Wrong usage without a hint.
pub(super) fn usage(message: impl Into<String>) -> Failure {
    Failure::Usage(message.into(), None)
}

/// A line on standard error. Where nobody listens any more, it is lost, and nothing else changes.
pub(super) fn to_whoever_sits_there(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(std::io::stderr(), "{}", plain(&line.to_string()));
}

/// A text whose unseen characters are written out: names of files and what programs answer may hold any.
fn plain(text: &str) -> Cow<'_, str> {
    escape_unseen(text, |character| character.escape_default().to_string())
}

/// The same for a text with colors, which are left to it.
fn without_steering(text: &str) -> Cow<'_, str> {
    const COLOR: &str = "\x1b[";
    if !text.contains(COLOR) {
        return plain(text);
    }
    let mut parts = text.split(COLOR);
    let mut shown = plain(parts.next().unwrap_or_default()).into_owned();
    for part in parts {
        let code = part.trim_start_matches(|character: char| character.is_ascii_digit() || character == ';');
        if code.starts_with('m') {
            shown.push_str(COLOR);
        } else {
            shown.push_str(&plain(COLOR));
        }
        shown.push_str(&plain(part));
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::without_steering;

    #[test]
    fn colors_are_left_and_all_else_that_steers_is_written_out() {
        let text = "\x1b[1m\x1b[94mhelp\x1b[0m \x1b[2J\x1b]0;title\x07 \u{202e}股";
        let shown = "\x1b[1m\x1b[94mhelp\x1b[0m \\u{1b}[2J\\u{1b}]0;title\\u{7} \\u{202e}股";
        assert_eq!(without_steering(text), shown);
    }
}
