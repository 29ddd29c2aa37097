//! Files that are written whole or not at all, under names that every system has room for.

#![allow(clippy::unwrap_used, reason = "what cannot be read fails the test")]

use parlour::report::{unportable, write_whole};
use std::fs::{self, File};
use std::io::Read;
use std::path::PathBuf;

/// A folder of its own, deleted afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("parlour-whole-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    /// What lies in it.
    fn count(&self) -> usize {
        fs::read_dir(&self.0).unwrap().count()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_file_is_replaced_and_nothing_is_left_beside_it() {
    let folder = Folder::new("replaced");
    let path = folder.0.join("game.play");
    write_whole(&path, b"one").unwrap();
    write_whole(&path, b"two").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "two");
    assert_eq!(folder.count(), 1);
}

#[test]
fn whoever_has_the_old_file_open_goes_on_reading_it() {
    let folder = Folder::new("open");
    let path = folder.0.join("report.html");
    write_whole(&path, b"one").unwrap();
    let mut open = File::open(&path).unwrap();
    write_whole(&path, b"two").unwrap();
    let mut old = String::new();
    open.read_to_string(&mut old).unwrap();
    assert_eq!((old.as_str(), fs::read_to_string(&path).unwrap().as_str()), ("one", "two"));
}

#[test]
fn where_it_cannot_be_put_in_its_place_the_old_one_stays() {
    let folder = Folder::new("stays");
    fs::create_dir_all(folder.0.join("game.play/inside")).unwrap();
    assert!(write_whole(&folder.0.join("game.play"), b"new").is_err());
    assert!(folder.0.join("game.play/inside").is_dir());
    assert_eq!(folder.count(), 1);
}

#[test]
fn folders_that_are_missing_are_made() {
    let folder = Folder::new("made");
    write_whole(&folder.0.join("a/b/c.play"), b"").unwrap();
    assert!(folder.0.join("a/b/c.play").is_file());
}

#[cfg(unix)]
#[test]
fn a_link_and_a_device_stay_what_they_are() {
    let folder = Folder::new("link");
    let (file, link) = (folder.0.join("file.play"), folder.0.join("link.play"));
    write_whole(&file, b"one").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    write_whole(&link, b"two").unwrap();
    assert!(link.is_symlink());
    assert_eq!(fs::read_to_string(&file).unwrap(), "two");
    write_whole(std::path::Path::new("/dev/null"), b"gone").unwrap();
    assert!(!std::path::Path::new("/dev/null").is_file());
}

#[test]
fn names_that_a_system_keeps_for_itself_are_refused_everywhere() {
    for name in ["con", "NUL", "aux.play", "Com1", "lpt9.csv", "nul .txt", "a:b", "a?.play", "end.", "end "] {
        assert!(unportable(name).is_some(), "{name}");
    }
    for name in ["console", "com", "com10.play", "null", "game.play", "牌.play", ".taplo.toml", ".."] {
        assert!(unportable(name).is_none(), "{name}");
    }
    let folder = Folder::new("reserved");
    let error = write_whole(&folder.0.join("aux.play"), b"").unwrap_err();
    assert_eq!(error.to_string(), "Windows keeps the name `aux` for itself");
    assert_eq!(folder.count(), 0);
}
