//! Checks that only the module `files` reads and writes files. `files` refuses symbolic links in folders from untrusted sources, whereas
//! the functions of the standard library follow them.

use crate::rust_tokens::{strip_comments_and_literals, tokens};
use crate::sources::engine;

/// Functions, types and methods that create, change or delete files and folders.
const WRITE_NAMES: [&str; 23] = [
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

/// Functions of `fs` and `File` that write. Their names are common, so they count only directly after `fs::` or `File::`.
const FS_WRITE_FUNCTIONS: [&str; 5] = ["write", "copy", "create", "options", "rename"];

/// Prefixes of the source paths that may access files: the module `files`, and the operating system functions that it uses.
const HOMES: [&str; 2] = ["files/", "system/mod.rs"];

/// Returns a source text without its test module. Tests may write files.
fn without_tests(text: &str) -> &str {
    &text[..text.find("#[cfg(test)]\nmod ").unwrap_or(text.len())]
}

/// Returns the uses of functions and types that write files, each with its line.
fn write_calls(text: &str) -> Vec<(usize, String)> {
    let words = tokens(&strip_comments_and_literals(without_tests(text)));
    let mut found: Vec<(usize, String)> = Vec::new();
    for (at, (line, word)) in words.iter().enumerate() {
        let before = |back: usize| at.checked_sub(back).map_or("", |at| words[at].1.as_ref());
        let is_fs_function = before(1) == "::" && ["fs", "File"].contains(&before(2));
        if WRITE_NAMES.contains(&&**word) || FS_WRITE_FUNCTIONS.contains(&&**word) && is_fs_function {
            found.push((*line, word.clone()));
        }
    }
    found
}

#[test]
fn only_the_files_module_writes_files() {
    let files = engine().into_iter().filter(|(path, _)| !HOMES.iter().any(|home| path.starts_with(home)));
    let files = files.filter(|(path, _)| !path.ends_with("/tests.rs"));
    let found: Vec<String> = files
        .flat_map(|(path, text)| {
            let found = write_calls(&text).into_iter();
            found.map(|(line, word)| format!("engine/{path}:{line}: `{word}`")).collect::<Vec<_>>()
        })
        .collect();
    assert!(found.is_empty(), "only `engine/files` may write files:\n{}", found.join("\n"));
}

#[test]
fn write_calls_are_found() {
    for text in [
        "fn f() { std::fs::write(a, b) }",
        "use std::fs; fn f() { fs::copy(a, b) }",
        "fn f() { File::create(a) }",
        "fn f() { File::options().append(true) }",
        "use std::fs::OpenOptions;",
        "fn f() { fs::rename(a, b) }",
        "fn f() { dir.remove_file(a) }",
    ] {
        assert_eq!(write_calls(text).len(), 1, "{text}");
    }
    let others = "fn f() { write(a); run.write(b); Recording::create(c); list.copy(); // fs::write\n \"fs::write\" }";
    assert!(write_calls(others).is_empty());
    assert!(write_calls("fn f() {}\n#[cfg(test)]\nmod tests { fn g() { fs::write(a, b) } }").is_empty());
    // The search must find calls in the module that is allowed to write.
    let directory = engine().into_iter().find(|(path, _)| path == "files/directory.rs").unwrap();
    assert!(!write_calls(&directory.1).is_empty());
}

/// The parent of a path that a command has found may have become a link. Only the folder that the command line names may be one.
#[test]
fn no_file_is_written_below_the_parent_of_its_path() {
    let lines = engine().into_iter().flat_map(|(path, text)| {
        let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim().to_owned())).collect::<Vec<_>>();
        lines.into_iter().map(move |(at, line)| format!("engine/{path}:{at}: {line}"))
    });
    let writes: Vec<String> = lines.filter(|line| line.contains("write_below(")).collect();
    assert!(writes.len() > 10, "the calls are found: {writes:?}");
    let found: Vec<&String> = writes.iter().filter(|line| line.contains("parent()")).collect();
    assert!(found.is_empty(), "{found:#?}");
}

/// Functions of `fs` and `File` that read by path. They follow symbolic links.
const FS_READ_FUNCTIONS: [&str; 4] = ["read", "read_to_string", "open", "metadata"];

#[test]
fn only_the_files_module_reads_files() {
    let files = engine().into_iter().filter(|(path, _)| !HOMES.iter().any(|home| path.starts_with(home)));
    let files = files.filter(|(path, _)| !path.ends_with("/tests.rs"));
    let mut found = Vec::new();
    for (path, text) in files {
        let words = tokens(&strip_comments_and_literals(without_tests(&text)));
        for (at, (line, word)) in words.iter().enumerate().skip(2) {
            let (qualifier, before) = (&*words[at - 2].1, &*words[at - 1].1);
            let is_fs_function = before == "::" && ["fs", "File"].contains(&qualifier);
            if is_fs_function && FS_READ_FUNCTIONS.contains(&&**word) {
                found.push(format!("engine/{path}:{line}: `{qualifier}::{word}`"));
            }
        }
    }
    assert!(
        found.is_empty(),
        "only `engine/files` may read files, because it limits their size:\n{}",
        found.join("\n")
    );
}
