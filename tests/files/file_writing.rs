//! Atomic writing of files, and file names that are valid on every operating system.

use crate::folder::Folder;
use parlour::files::{unportable_reason, write_atomic};
use std::fs::{self, File};
use std::io::Read;

/// Returns the number of entries in a folder.
fn count(folder: &Folder) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[test]
fn writing_replaces_the_file_and_leaves_no_other_files() {
    let folder = Folder::new("replaced");
    let path = folder.at("game.play");
    write_atomic(&path, b"one").unwrap();
    write_atomic(&path, b"two").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "two");
    assert_eq!(count(&folder), 1);
}

#[test]
fn open_handles_keep_reading_the_old_file() {
    let folder = Folder::new("open");
    let path = folder.at("report.html");
    write_atomic(&path, b"one").unwrap();
    let mut open = File::open(&path).unwrap();
    write_atomic(&path, b"two").unwrap();
    let mut old = String::new();
    open.read_to_string(&mut old).unwrap();
    assert_eq!((old.as_str(), fs::read_to_string(&path).unwrap().as_str()), ("one", "two"));
}

#[test]
fn a_failed_write_changes_nothing() {
    let folder = Folder::new("stays");
    fs::create_dir_all(folder.at("game.play/inside")).unwrap();
    assert!(write_atomic(&folder.at("game.play"), b"new").is_err());
    assert!(folder.at("game.play/inside").is_dir());
    assert_eq!(count(&folder), 1);
}

#[test]
fn missing_folders_are_created() {
    let folder = Folder::new("made");
    write_atomic(&folder.at("a/b/c.play"), b"").unwrap();
    assert!(folder.at("a/b/c.play").is_file());
}

#[cfg(unix)]
#[test]
fn named_links_and_devices_are_written_through() {
    let folder = Folder::new("link");
    let (file, link) = (folder.at("file.play"), folder.at("link.play"));
    write_atomic(&file, b"one").unwrap();
    crate::unix::link(&file, &link);
    write_atomic(&link, b"two").unwrap();
    assert!(link.is_symlink());
    assert_eq!(fs::read_to_string(&file).unwrap(), "two");
    write_atomic(std::path::Path::new("/dev/null"), b"gone").unwrap();
    assert!(!std::path::Path::new("/dev/null").is_file());
}

#[test]
fn reserved_file_names_are_refused_on_every_system() {
    for name in ["con", "NUL", "aux.play", "Com1", "COM¹", "lpt9.csv", "nul .txt", "a:b", "a?.play", "end.", "end "] {
        assert!(unportable_reason(name).is_some(), "{name}");
    }
    for name in ["console", "com", "com10.play", "null", "game.play", "牌.play", ".taplo.toml", ".."] {
        assert!(unportable_reason(name).is_none(), "{name}");
    }
    let folder = Folder::new("reserved");
    let error = write_atomic(&folder.at("aux.play"), b"").unwrap_err();
    assert_eq!(error.to_string(), "Windows keeps the name `aux` for itself");
    assert_eq!(count(&folder), 0);
}

#[test]
fn new_folders_must_have_portable_names() {
    let folder = Folder::new("folders");
    for (below, name) in [("aux/a.play", "aux"), ("a/nul/b/c.play", "nul"), ("con.d/a.play", "con")] {
        let error = write_atomic(&folder.at(below), b"").unwrap_err();
        assert_eq!(error.to_string(), format!("Windows keeps the name `{name}` for itself"));
    }
    assert!(write_atomic(&folder.at("end./a.play"), b"").is_err());
    assert_eq!(count(&folder), 0);
    // Existing folders with reserved names are used: somebody created them on a system that allows the name.
    fs::create_dir(folder.at("prn")).unwrap();
    write_atomic(&folder.at("prn/a.play"), b"").unwrap();
}
