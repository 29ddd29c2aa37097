//! One part of the engine writes files, `files`: everything else that changes the disk would follow links in folders of strangers.

use crate::reading::{bare, tokens};
use crate::sources::engine;

/// Functions, types and methods by which files and folders are made, changed or taken away.
const WRITING: [&str; 23] = [
    "OpenOptions",
    "DirBuilder",
    "create_new",
    "create_dir",
    "create_dir_all",
    "create_dir_with",
    "remove_file",
    "remove_dir",
    "remove_dir_all",
    "remove_open_dir",
    "remove_open_dir_all",
    "hard_link",
    "soft_link",
    "symlink",
    "symlink_file",
    "symlink_dir",
    "set_len",
    "set_permissions",
    "set_modified",
    "set_times",
    "temp_file",
    "tempfile",
    "NamedTempFile",
];

/// Functions of `fs` and `File` that write; elsewhere their names mean other things.
const WRITING_OF_FILES: [&str; 5] = ["write", "copy", "create", "options", "rename"];

/// The part that writes, and what it needs of one operating system.
const HOMES: [&str; 2] = ["files/", "system/mod.rs"];

/// A file without its tests, which write what they test.
fn without_tests(text: &str) -> &str {
    &text[..text.find("#[cfg(test)]\nmod ").unwrap_or(text.len())]
}

/// The words of a file that write, each with its line.
fn writing(text: &str) -> Vec<(usize, String)> {
    let words = tokens(&bare(without_tests(text)));
    let mut found: Vec<(usize, String)> = Vec::new();
    for (at, (line, word)) in words.iter().enumerate() {
        let before = |back: usize| at.checked_sub(back).map_or("", |at| words[at].1.as_ref());
        let is_of_file = before(1) == "::" && ["fs", "File"].contains(&before(2));
        if WRITING.contains(&&**word) || WRITING_OF_FILES.contains(&&**word) && is_of_file {
            found.push((*line, word.clone()));
        }
    }
    found
}

#[test]
fn files_are_written_by_one_part_alone() {
    let files = engine().into_iter().filter(|(path, _)| !HOMES.iter().any(|home| path.starts_with(home)));
    let files = files.filter(|(path, _)| !path.ends_with("/tests.rs"));
    let found: Vec<String> = files
        .flat_map(|(path, text)| {
            let found = writing(&text).into_iter();
            found.map(|(line, word)| format!("engine/{path}:{line}: `{word}`")).collect::<Vec<_>>()
        })
        .collect();
    assert!(found.is_empty(), "only `engine/files` writes files:\n{}", found.join("\n"));
}

#[test]
fn what_writes_is_found() {
    for text in [
        "fn f() { std::fs::write(a, b) }",
        "use std::fs; fn f() { fs::copy(a, b) }",
        "fn f() { File::create(a) }",
        "fn f() { File::options().append(true) }",
        "use std::fs::OpenOptions;",
        "fn f() { fs::rename(a, b) }",
        "fn f() { dir.remove_file(a) }",
    ] {
        assert_eq!(writing(text).len(), 1, "{text}");
    }
    let others = "fn f() { write(a); run.write(b); Recording::create(c); list.copy(); // fs::write\n \"fs::write\" }";
    assert!(writing(others).is_empty());
    assert!(writing("fn f() {}\n#[cfg(test)]\nmod tests { fn g() { fs::write(a, b) } }").is_empty());
    // The part that writes does.
    let directory = engine().into_iter().find(|(path, _)| path == "files/directory.rs").unwrap();
    assert!(!writing(&directory.1).is_empty());
}

/// Functions that read a file or a folder by its path, following links.
const READING_BY_PATH: [&str; 4] = ["read", "read_to_string", "open", "metadata"];

#[test]
fn files_are_read_by_the_guarded_reader() {
    let files = engine().into_iter().filter(|(path, _)| !HOMES.iter().any(|home| path.starts_with(home)));
    let files = files.filter(|(path, _)| !path.ends_with("/tests.rs"));
    let mut found = Vec::new();
    for (path, text) in files {
        let words = tokens(&bare(without_tests(&text)));
        for (at, (line, word)) in words.iter().enumerate().skip(2) {
            let (of, before) = (&*words[at - 2].1, &*words[at - 1].1);
            let is_of_file = before == "::" && ["fs", "File"].contains(&of);
            if is_of_file && READING_BY_PATH.contains(&&**word) {
                found.push(format!("engine/{path}:{line}: `{of}::{word}`"));
            }
        }
    }
    assert!(found.is_empty(), "`engine/files` reads files, with limits:\n{}", found.join("\n"));
}
