//! Runs the program, as a person or another program does.

#![allow(dead_code, reason = "each test program uses a part of it")]

use crate::folder::Folder;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The folder of the repository.
pub(crate) const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// How a run of the program ended.
pub(crate) struct Said {
    /// Its exit code.
    pub(crate) code: i32,
    /// What it wrote to standard output.
    pub(crate) out: String,
    /// What it wrote to standard error.
    pub(crate) err: String,
}

impl Said {
    pub(crate) fn of(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Self { code: output.status.code().expect("it ends"), out: text(output.stdout), err: text(output.stderr) }
    }

    /// Both streams, one after the other.
    pub(crate) fn all(&self) -> String {
        format!("{}{}", self.out, self.err)
    }
}

/// The program, about to be started in a folder.
pub(crate) fn command(folder: impl AsRef<Path>, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_parlour"));
    command.current_dir(folder).args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// What comes of a run in a folder.
pub(crate) fn parlour(folder: impl AsRef<Path>, arguments: &[&str]) -> Said {
    Said::of(command(folder, arguments).output().expect("it runs"))
}

/// What comes of a run to which something is typed.
pub(crate) fn typed(folder: impl AsRef<Path>, arguments: &[&str], input: impl AsRef<[u8]>) -> Said {
    let mut child = command(folder, arguments).stdin(Stdio::piped()).spawn().expect("it runs");
    // Whoever fails at once reads nothing.
    let _ = child.stdin.take().expect("its input is a pipe").write_all(input.as_ref());
    Said::of(child.wait_with_output().expect("it ends"))
}

/// What is said when a command goes well.
pub(crate) fn well(folder: impl AsRef<Path>, arguments: &[&str]) -> String {
    let said = parlour(folder, arguments);
    assert_eq!(said.code, 0, "{arguments:?}: {}", said.all());
    said.out
}

/// A folder with a new game in it, `my-game`.
pub(crate) fn with_new_game(name: &str) -> Folder {
    let folder = Folder::new(name);
    well(&folder, &["new", "my-game"]);
    folder
}

/// What is said when a command ends with a code.
pub(crate) fn ends_with(code: i32, folder: impl AsRef<Path>, arguments: &[&str]) -> String {
    let said = parlour(folder, arguments);
    assert_eq!(said.code, code, "{arguments:?}: {}", said.all());
    said.all()
}

/// Wrong usage ends with 2, says all of this on standard error, and nothing on standard output.
pub(crate) fn wrong_usage(folder: impl AsRef<Path>, arguments: &[&str], says: &[&str]) {
    let said = parlour(folder, arguments);
    assert_eq!((said.code, said.out.as_str()), (2, ""), "{arguments:?}: {}", said.err);
    for words in says {
        assert!(said.err.contains(words), "{arguments:?} says {words:?}:\n{}", said.err);
    }
}
