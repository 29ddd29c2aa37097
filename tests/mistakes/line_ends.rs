//! About files with `\r\n` behind each line and a mark of the byte order in front the same is said, at the same places.

use crate::case::{Case, FOLDERS, files};
use crate::{loader, plays, scripts};

/// What is said about the cases of a folder when their files are written elsewhere.
fn said(folder: &str, case: &Case) -> String {
    match folder {
        "loader" => loader::said(case),
        "scripts" => scripts::said(case),
        _ => plays::said(case),
    }
}

#[test]
fn whatever_is_said_about_a_file_is_said_of_it_as_another_system_writes_it() {
    let mut other = Vec::new();
    for folder in FOLDERS {
        for file in files(folder) {
            for case in Case::all(&file).into_iter().filter(Case::is_possible) {
                let (name, expected) = (case.name.clone(), case.expected().to_owned());
                let said = said(folder, &case.elsewhere()).replace('\r', "");
                if said.trim() != expected {
                    other.push(format!("{}: {name}\nfound:\n{said}\nexpected:\n{expected}\n", file.display()));
                }
            }
        }
    }
    assert!(other.is_empty(), "{} cases:\n\n{}", other.len(), other.join("\n"));
}
