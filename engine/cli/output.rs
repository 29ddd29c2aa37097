//! Output streams: results go to standard output, remarks and diagnostics to standard error. Colors are used only on terminals.

use crate::desk::refusal::{OpenError, Refusal};
use crate::diagnostic::{Diagnostic, Diagnostics, escape_unseen, explain, render, shortened_to};
use crate::session::Setup;
use anstream::{AutoStream, ColorChoice};
use std::borrow::Cow;
use std::fmt::Display;
use std::io::{BufWriter, ErrorKind, IsTerminal, Stdout, Write};
use std::process::ExitCode;

/// Reason why a command fails.
#[derive(Debug)]
pub(super) enum Failure {
    /// Wrong usage: message and optional help.
    Usage(String, Option<String>),
    /// The game has a fault, which has already been reported.
    Fault,
    /// Wrong usage that has already been reported.
    ReportedUsage,
    /// Interrupted by the user, which has already been reported.
    Interrupted,
    /// Standard output cannot be written.
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

/// Maximum number of characters of a usage message, which may quote text from files.
const LONGEST_MESSAGE: usize = 2000;

/// The output streams of the program.
pub(super) struct Output {
    out: BufWriter<Stdout>,
    has_color: bool,
    shows_color: bool,
    /// Code of the first diagnostic that was reported.
    reported: Option<&'static str>,
}

impl Output {
    pub(super) fn new() -> Self {
        let has_color = AutoStream::choice(&std::io::stderr()) != ColorChoice::Never;
        let shows_color = AutoStream::choice(&std::io::stdout()) != ColorChoice::Never;
        Self { out: BufWriter::new(std::io::stdout()), has_color, shows_color, reported: None }
    }

    /// Writes a line to standard output.
    pub(super) fn line(&mut self, line: impl Display) -> Result<(), Failure> {
        self.write(&format!("{line}\n"))
    }

    /// Writes text to standard output.
    pub(super) fn write(&mut self, text: &str) -> Result<(), Failure> {
        let shown = if self.shows_color { without_control_codes(text) } else { plain(text) };
        Ok(self.out.write_all(shown.as_bytes())?)
    }

    /// Writes a JSON document to standard output.
    pub(super) fn json(&mut self, value: &serde_json::Value) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(value)?;
        // Invisible characters occur only inside strings, where JSON escapes are valid.
        self.line(escape_unseen(&text, |character| {
            let units: Vec<String> =
                character.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect();
            units.concat()
        }))
    }

    /// Clears the terminal, including its scrollback.
    pub(super) fn clear_screen(&mut self) -> Result<(), Failure> {
        Ok(self.out.write_all(b"\x1b[2J\x1b[3J\x1b[H")?)
    }

    /// Flushes standard output.
    pub(super) fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }

    /// Writes a remark to standard error.
    pub(super) fn remark(&mut self, remark: impl Display) -> Result<(), Failure> {
        self.flush()?;
        write_stderr(format_args!("{remark}"));
        Ok(())
    }

    /// Writes a diagnostic to standard error.
    pub(super) fn diagnostic(&mut self, diagnostic: &Diagnostic) -> Result<(), Failure> {
        let text = render(diagnostic, self.has_color);
        self.reported.get_or_insert(diagnostic.code);
        self.flush()?;
        let shown = if self.has_color { without_control_codes(&text) } else { plain(&text) };
        // If standard error is closed, the diagnostic is lost, like any remark.
        let _ = writeln!(std::io::stderr(), "{shown}\n");
        Ok(())
    }

    /// Writes a diagnostic to standard output, for commands whose result is a diagnostic.
    pub(super) fn diagnostic_as_result(&mut self, diagnostic: &Diagnostic) -> Result<(), Failure> {
        let text = render(diagnostic, self.shows_color);
        self.line(format!("{text}\n"))
    }

    /// Converts an [`OpenError`] to a failure. Reports the mistakes of the game if they are the reason.
    pub(super) fn report_unopened(&mut self, why: OpenError) -> Failure {
        match why {
            OpenError::Refused(refusal) => refusal.into(),
            OpenError::Mistakes(mistakes) => self.mistakes(&mistakes),
        }
    }

    /// Reports mistakes and returns the failure: wrong usage if any mistake is about the command line's arguments, otherwise a fault of the
    /// game.
    pub(super) fn mistakes(&mut self, mistakes: &Diagnostics) -> Failure {
        for diagnostic in &mistakes.0 {
            if let Err(failure) = self.diagnostic(diagnostic) {
                return failure;
            }
        }
        if mistakes.0.iter().any(Diagnostic::is_about_choices) { Failure::ReportedUsage } else { Failure::Fault }
    }

    /// Reports the mistakes that a game has with the given setup. Returns a usage failure if the setup changes options or data, because the
    /// change may have caused the mistakes.
    pub(super) fn report_mistakes_with(&mut self, setup: &Setup, mistakes: &Diagnostics) -> Failure {
        match self.mistakes(mistakes) {
            Failure::Fault if !setup.options.is_empty() || !setup.sets.is_empty() => Failure::ReportedUsage,
            failure => failure,
        }
    }

    /// Prints a hint to run `parlour explain` for the first reported code. Does nothing if standard error is not a terminal.
    pub(super) fn point_to_explanation(&self) {
        let code = self.reported.and_then(explain).filter(|_| std::io::stderr().is_terminal());
        if let Some(found) = code {
            write_stderr(format_args!("what this means: parlour explain {}", found.code));
        }
    }

    /// Reports a failure unless it has already been reported, and returns the exit code. If standard output is a closed pipe, this counts
    /// as success.
    pub(super) fn fail(&mut self, failure: &Failure) -> ExitCode {
        if let Failure::Output(error) = failure {
            if error.kind() == ErrorKind::BrokenPipe {
                return ExitCode::SUCCESS;
            }
            write_stderr(format_args!("error: cannot write output: {error}"));
            return ExitCode::from(1);
        }
        // Earlier output must come before the message. If flushing fails, the message is enough.
        let _ = self.flush();
        match failure {
            Failure::Usage(message, help) => {
                write_stderr(format_args!("error: {}", shortened_to(message, LONGEST_MESSAGE)));
                if let Some(help) = help {
                    write_stderr(format_args!("  = help: {}", shortened_to(help, LONGEST_MESSAGE)));
                }
                ExitCode::from(2)
            }
            Failure::ReportedUsage => ExitCode::from(2),
            Failure::Interrupted => ExitCode::from(130),
            Failure::Fault | Failure::Output(_) => ExitCode::from(1),
        }
    }
}

/// Creates a usage failure without help.
pub(super) fn usage(message: impl Into<String>) -> Failure {
    Failure::Usage(message.into(), None)
}

/// Writes a line to standard error. Ignores errors, since standard error may be closed.
pub(super) fn write_stderr(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(std::io::stderr(), "{}", plain(&line.to_string()));
}

/// Escapes invisible characters, which file names and output of other programs may contain.
fn plain(text: &str) -> Cow<'_, str> {
    escape_unseen(text, |character| character.escape_default().to_string())
}

/// Like [`plain`], but keeps color codes.
fn without_control_codes(text: &str) -> Cow<'_, str> {
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
    use super::without_control_codes;

    #[test]
    fn keeps_colors_and_escapes_other_control_sequences() {
        let text = "\x1b[1m\x1b[94mhelp\x1b[0m \x1b[2J\x1b]0;title\x07 \u{202e}股";
        let shown = "\x1b[1m\x1b[94mhelp\x1b[0m \\u{1b}[2J\\u{1b}]0;title\\u{7} \\u{202e}股";
        assert_eq!(without_control_codes(text), shown);
    }
}
