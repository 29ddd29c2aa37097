//! Writing a file whole or not at all.

use super::output::Failure;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

/// Writes beside the file, and puts it in its place when all of it is written.
pub(super) fn write_whole(path: &Path, text: &str) -> Result<(), Failure> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    let written = File::create(&beside).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&beside, path)).map_err(|error| {
        // What is left of an attempt is of no use to anybody.
        let _ = fs::remove_file(&beside);
        Failure::Usage(format!("`{}` cannot be written: {error}", path.display()), None)
    })
}
