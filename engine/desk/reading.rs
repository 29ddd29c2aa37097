//! Playscripts on the disk, which may come from a stranger: only files are read, links are not followed, and nothing is read
//! beyond what a playscript may have.

use crate::diagnostic::shown;
use crate::playscript::LARGEST;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// The text of a playscript, or why it cannot be read.
pub(crate) fn read_play(path: &Path) -> Result<String, String> {
    let refused = |error: io::Error| format!("`{}` cannot be read: {error}", shown(path));
    let found = fs::symlink_metadata(path).map_err(refused)?;
    if found.is_symlink() {
        return Err(format!("`{}` is a link, and links are not followed: name the file itself", shown(path)));
    }
    if !found.is_file() {
        return Err(format!("`{}` is not a file", shown(path)));
    }
    let mut text = String::new();
    // It may have grown since: never take more than the limit and one, of which the parser says that it is too large.
    File::open(path).and_then(|file| file.take(LARGEST as u64 + 1).read_to_string(&mut text)).map_err(refused)?;
    Ok(text)
}
