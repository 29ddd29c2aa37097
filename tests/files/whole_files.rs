//! Files that are written whole or not at all, under names that every system has room for.

use crate::folder::Folder;
use parlour::files::{unportable_reason, write_atomic};
use std::fs::{self, File};
use std::io::Read;

/// How much lies in a folder.
fn count(folder: &Folder) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[test]
fn a_file_is_replaced_and_nothing_is_left_beside_it() {
    let folder = Folder::new("replaced");
    let path = folder.at("game.play");
    write_atomic(&path, b"one").unwrap();
    write_atomic(&path, b"two").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "two");
    assert_eq!(count(&folder), 1);
}

#[test]
fn whoever_has_the_old_file_open_goes_on_reading_it() {
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
fn where_it_cannot_be_put_in_its_place_the_old_one_stays() {
    let folder = Folder::new("stays");
    fs::create_dir_all(folder.at("game.play/inside")).unwrap();
    assert!(write_atomic(&folder.at("game.play"), b"new").is_err());
    assert!(folder.at("game.play/inside").is_dir());
    assert_eq!(count(&folder), 1);
}

#[test]
fn folders_that_are_missing_are_made() {
    let folder = Folder::new("made");
    write_atomic(&folder.at("a/b/c.play"), b"").unwrap();
    assert!(folder.at("a/b/c.play").is_file());
}

#[cfg(unix)]
#[test]
fn a_link_and_a_device_stay_what_they_are() {
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
fn names_that_a_system_keeps_for_itself_are_refused_everywhere() {
    for name in ["con", "NUL", "aux.play", "Com1", "lpt9.csv", "nul .txt", "a:b", "a?.play", "end.", "end "] {
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
fn folders_that_are_made_have_names_that_every_system_has_room_for() {
    let folder = Folder::new("folders");
    for (below, name) in [("aux/a.play", "aux"), ("a/nul/b/c.play", "nul"), ("con.d/a.play", "con")] {
        let error = write_atomic(&folder.at(below), b"").unwrap_err();
        assert_eq!(error.to_string(), format!("Windows keeps the name `{name}` for itself"));
    }
    assert!(write_atomic(&folder.at("end./a.play"), b"").is_err());
    assert_eq!(count(&folder), 0);
    // What is there already somebody else has called so.
    fs::create_dir(folder.at("prn")).unwrap();
    write_atomic(&folder.at("prn/a.play"), b"").unwrap();
}
