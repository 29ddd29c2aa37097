//! Paths as shown in messages, and file name extensions of spreadsheets.

use std::path::{MAIN_SEPARATOR, Path};

/// Formats a path with `/` as the separator on every system, as in playscripts and the documentation.
pub fn shown(path: impl AsRef<Path>) -> String {
    with_slashes(&path.as_ref().to_string_lossy(), MAIN_SEPARATOR)
}

fn with_slashes(path: &str, separator: char) -> String {
    path.replace(separator, "/")
}

/// Returns whether a path has the extension of a supported workbook: a spreadsheet in a binary format, which can have several sheets.
pub fn is_workbook(path: &str) -> bool {
    WORKBOOKS.iter().any(|ending| path.rsplit_once('.').is_some_and(|(_, written)| written == *ending))
}

/// Extensions of spreadsheet formats that are not supported.
pub const OTHER_SPREADSHEETS: [&str; 6] = ["fods", "numbers", "tsv", "xls", "xlsb", "xlsm"];

/// Extensions of supported workbook formats.
const WORKBOOKS: [&str; 2] = ["ods", "xlsx"];

#[cfg(test)]
mod tests {
    use super::with_slashes;

    #[test]
    fn paths_use_slashes_on_every_system() {
        assert_eq!(with_slashes(r"games\stones\plays\a.play", '\\'), "games/stones/plays/a.play");
        assert_eq!(with_slashes("games/a\\b.play", '/'), "games/a\\b.play");
    }
}
