//! Runs the `parlour` program as a child process.

#![allow(dead_code, reason = "each test program uses a part of it")]

use crate::folder::Folder;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Root folder of the repository.
pub(crate) const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Exit code and output of a finished run.
pub(crate) struct RunOutput {
    pub(crate) code: i32,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

impl RunOutput {
    pub(crate) fn from_output(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
        let code = output.status.code().expect("the run was not ended by a signal");
        Self { code, out: text(output.stdout), err: text(output.stderr) }
    }

    /// Returns standard output followed by standard error.
    pub(crate) fn all(&self) -> String {
        format!("{}{}", self.out, self.err)
    }
}

/// Builds a command that runs the program in a folder, with empty standard input and captured output.
pub(crate) fn command(folder: impl AsRef<Path>, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_parlour"));
    // The program keeps the key for links here instead of in the user's own folder.
    let state = concat!(env!("CARGO_TARGET_TMPDIR"), "/state");
    command.env("XDG_STATE_HOME", state).env("LOCALAPPDATA", state);
    command.current_dir(folder).args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the program in a folder and waits for its end.
pub(crate) fn parlour(folder: impl AsRef<Path>, arguments: &[&str]) -> RunOutput {
    RunOutput::from_output(command(folder, arguments).output().expect("the program starts"))
}

/// Like [`parlour`], but passes `input` on standard input.
pub(crate) fn run_with_input(folder: impl AsRef<Path>, arguments: &[&str], input: impl AsRef<[u8]>) -> RunOutput {
    let mut child = command(folder, arguments).stdin(Stdio::piped()).spawn().expect("the program starts");
    // Writing fails if the program ends before it reads its input, which some tests expect.
    let _ = child.stdin.take().expect("standard input is a pipe").write_all(input.as_ref());
    RunOutput::from_output(child.wait_with_output().expect("the program ends"))
}

/// Runs the program, asserts exit code 0, and returns standard output.
pub(crate) fn run_ok(folder: impl AsRef<Path>, arguments: &[&str]) -> String {
    let output = parlour(folder, arguments);
    assert_eq!(output.code, 0, "{arguments:?}: {}", output.all());
    output.out
}

/// Creates a folder that contains the new game `my-game`.
pub(crate) fn new_game_folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    run_ok(&folder, &["new", "my-game"]);
    folder
}

/// Runs the program, asserts its exit code, and returns standard output followed by standard error.
pub(crate) fn run_expecting(code: i32, folder: impl AsRef<Path>, arguments: &[&str]) -> String {
    let output = parlour(folder, arguments);
    assert_eq!(output.code, code, "{arguments:?}: {}", output.all());
    output.all()
}

/// Asserts that a run ends with exit code 2, prints nothing on standard output, and prints each of the `expected` texts on standard error.
pub(crate) fn assert_usage_error(folder: impl AsRef<Path>, arguments: &[&str], expected: &[&str]) {
    let output = parlour(folder, arguments);
    assert_eq!((output.code, output.out.as_str()), (2, ""), "{arguments:?}: {}", output.err);
    for part in expected {
        assert!(output.err.contains(part), "{arguments:?} does not print {part:?}:\n{}", output.err);
    }
}
