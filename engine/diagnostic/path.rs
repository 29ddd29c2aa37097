//! Paths as messages show them, and which of them are workbooks.

use std::path::{MAIN_SEPARATOR, Path};

/// A path as people read it: with `/` between its parts on every system, as plays and docs write them.
pub fn shown(path: impl AsRef<Path>) -> String {
    with_slashes(&path.as_ref().to_string_lossy(), MAIN_SEPARATOR)
}

fn with_slashes(path: &str, separator: char) -> String {
    path.replace(separator, "/")
}

/// Whether a file is a spreadsheet of several sheets, and no text.
pub fn is_workbook(path: &str) -> bool {
    WORKBOOKS.iter().any(|ending| path.rsplit_once('.').is_some_and(|(_, written)| written == *ending))
}

/// What the names of spreadsheets end in that are neither read nor written.
pub const OTHER_SPREADSHEETS: [&str; 6] = ["fods", "numbers", "tsv", "xls", "xlsb", "xlsm"];

/// What the names of spreadsheets of several sheets end in.
const WORKBOOKS: [&str; 2] = ["ods", "xlsx"];

#[cfg(test)]
mod tests {
    use super::with_slashes;

    #[test]
    fn a_path_has_the_same_signs_on_every_system() {
        assert_eq!(with_slashes(r"games\stones\plays\a.play", '\\'), "games/stones/plays/a.play");
        assert_eq!(with_slashes("games/a\\b.play", '/'), "games/a\\b.play");
    }
}
