//! Checks that diagnostics are the same for files with `\r\n` line endings and a byte order mark.

use crate::case::{Case, FOLDERS, files};
use crate::{loader, plays, scripts};

/// Returns the diagnostics of a case in the given folder.
fn diagnostics(folder: &str, case: &Case) -> String {
    match folder {
        "loader" => loader::diagnostics(case),
        "scripts" => scripts::diagnostics(case),
        _ => plays::diagnostics(case),
    }
}

#[test]
fn diagnostics_are_the_same_with_other_line_endings() {
    let mut differences = Vec::new();
    for folder in FOLDERS {
        for file in files(folder) {
            for case in Case::all(&file).into_iter().filter(Case::is_possible) {
                let (name, expected) = (case.name.clone(), case.expected().to_owned());
                let found = diagnostics(folder, &case.with_crlf_and_bom()).replace('\r', "");
                if found.trim() != expected {
                    differences.push(format!("{}: {name}\nfound:\n{found}\nexpected:\n{expected}\n", file.display()));
                }
            }
        }
    }
    assert!(differences.is_empty(), "{} cases differ:\n\n{}", differences.len(), differences.join("\n"));
}
