//! Links, pipes, devices and other special files in place of ordinary files: `parlour::files` must not follow, read or write them.
#![cfg(unix)]

use crate::folder::{Folder, contents};
use crate::unix::{self, fifo, hard_link, link};
use parlour::files::{Directory, Refused, append_synced, sanitize_file_name, write_atomic, write_private};
use std::fs;
use std::io::Write;

/// Creates and opens the folder `work`, and next to it the folder `home` with a file that must not change.
fn create_folders(name: &str) -> (Folder, Directory) {
    let folder = Folder::new(name);
    folder.write("home/.profile", "keep me");
    let work = Directory::create(&folder.at("work")).unwrap();
    (folder, work)
}

/// Asserts that the folder `home` still contains only its original file.
#[track_caller]
fn assert_home_unchanged(folder: &Folder) {
    let home = contents(folder.at("home"));
    assert_eq!(home.into_iter().collect::<Vec<_>>(), [(".profile".to_owned(), b"keep me".to_vec())]);
}

#[test]
fn only_the_named_folder_itself_may_be_a_link() {
    let (folder, _) = create_folders("named");
    link("work", folder.at("called"));
    let called = Directory::open(&folder.at("called")).unwrap();
    called.write("a/b/c.txt", b"one").unwrap();
    assert_eq!(folder.read("work/a/b/c.txt"), "one");
    assert_eq!(called.read("a/b/c.txt", 3).unwrap(), b"one");
    for (at, path) in [("x", "x/c.txt"), ("a/x", "a/x/c.txt"), ("a/b/x", "a/b/x/deep/c.txt")] {
        for to in [folder.path_of("home"), "..".to_owned(), ".".to_owned(), "nowhere".to_owned()] {
            link(&to, folder.at(&format!("work/{at}")));
            assert!(called.write(path, b"two").unwrap_err().to_string().contains("links are not followed"), "{path}");
            assert!(matches!(called.read(path, 9), Err(Refused::Link)), "{path}");
            assert!(called.append_at(path, 0).is_err() && called.size(path).is_none() && !called.has(path));
            fs::remove_file(folder.at(&format!("work/{at}"))).unwrap();
        }
    }
    assert_home_unchanged(&folder);
}

#[test]
fn links_in_place_of_files_are_replaced_and_not_followed() {
    let (folder, work) = create_folders("replaced_link");
    for to in [folder.path_of("home/.profile"), "../home/.profile".to_owned(), "nowhere".to_owned()] {
        link(&to, folder.at("work/a.txt"));
        assert!(matches!(work.read("a.txt", 9), Err(Refused::Link)));
        assert!(matches!(work.append_at("a.txt", 0), Err(Refused::Link)));
        work.write("a.txt", b"new").unwrap();
        assert!(!folder.at("work/a.txt").is_symlink());
        assert_eq!(folder.read("work/a.txt"), "new");
        fs::remove_file(folder.at("work/a.txt")).unwrap();
        link(&to, folder.at("work/b.play"));
        write_private(&folder.at("work/b.play"), b"new").unwrap();
        assert!(unix::is_private(folder.at("work/b.play")));
        fs::remove_file(folder.at("work/b.play")).unwrap();
        link(&to, folder.at("work/c.play"));
        assert!(append_synced(&folder.at("work/c.play"), 7, b"more").is_err());
        fs::remove_file(folder.at("work/c.play")).unwrap();
    }
    assert!(!folder.at("work/nowhere").exists());
    assert_home_unchanged(&folder);
}

#[test]
fn hard_links_are_replaced_and_not_appended_to() {
    let (folder, work) = create_folders("second_name");
    hard_link(folder.at("home/.profile"), folder.at("work/a.txt"));
    assert!(matches!(work.append_at("a.txt", 0), Err(Refused::SecondName)));
    assert_home_unchanged(&folder);
    work.write("a.txt", b"new").unwrap();
    assert_home_unchanged(&folder);
    let mut file = work.append_at("a.txt", 1).unwrap();
    file.write_all(b"ot").unwrap();
    assert_eq!(folder.read("work/a.txt"), "not");
    assert!(work.append_at("a.txt", 99).is_err());
}

#[test]
fn pipes_devices_and_folders_are_neither_read_nor_written() {
    let (folder, work) = create_folders("pipes");
    fifo(folder.at("work/pipe"));
    fs::create_dir(folder.at("work/folder")).unwrap();
    for name in ["pipe", "folder"] {
        assert!(matches!(work.read(name, 9), Err(Refused::NotAFile)), "{name}");
        assert!(matches!(work.append_at(name, 0), Err(Refused::NotAFile)), "{name}");
        assert!(work.write(name, b"").is_err() && work.size(name).is_none(), "{name}");
    }
    let devices = Directory::open(std::path::Path::new("/dev")).unwrap();
    assert!(matches!(devices.read("zero", 9), Err(Refused::NotAFile)));
    assert!(devices.read("stdin", 9).is_err());
    // Files under `/proc` report the size 0, so the limit must apply while reading.
    let process = Directory::open(std::path::Path::new("/proc/self")).unwrap();
    assert!(matches!(process.read("maps", 10), Err(Refused::TooLarge(_))));
}

#[test]
fn files_larger_than_the_limit_are_refused() {
    let (folder, work) = create_folders("large");
    folder.write("work/a", "12345");
    assert_eq!(work.read_text("a", 5).unwrap(), "12345");
    assert_eq!(work.read("a", 4).unwrap_err().to_string(), "it is larger than 4 bytes");
    fs::File::create(folder.at("work/b")).unwrap().set_len(1 << 40).unwrap();
    assert!(matches!(work.read("b", 1 << 20), Err(Refused::TooLarge(_))));
}

#[test]
fn paths_outside_the_folder_are_refused() {
    let (folder, work) = create_folders("names");
    for path in [
        "../home/.profile",
        "/etc/passwd",
        "a/../../home/x",
        "a//b",
        "",
        ".",
        "..",
        "a/.",
        "a\\b",
        "c:x",
        "nul",
        "a/con",
    ] {
        assert!(work.write(path, b"").is_err() && work.read(path, 9).is_err(), "{path:?}");
    }
    work.write(&format!("{}.txt", sanitize_file_name("../../home/.profile")), b"").unwrap();
    assert_eq!(work.names(9).unwrap().len(), 1, "refused names create no files");
    assert_home_unchanged(&folder);
}

#[test]
fn replaced_files_keep_their_permissions() {
    let (folder, work) = create_folders("access");
    work.write("a.play", b"one").unwrap();
    let usual = folder.at("work/a.play").metadata().unwrap().permissions();
    fs::set_permissions(folder.at("work/a.play"), unix::mode(0o600)).unwrap();
    work.write("a.play", b"two").unwrap();
    assert!(unix::is_private(folder.at("work/a.play")));
    write_atomic(&folder.at("work/a.play"), b"three").unwrap();
    assert!(unix::is_private(folder.at("work/a.play")));
    fs::set_permissions(folder.at("work/a.play"), usual).unwrap();
    write_private(&folder.at("work/a.play"), b"four").unwrap();
    assert!(unix::is_private(folder.at("work/a.play")));
}

#[test]
fn a_folder_replaced_after_opening_is_not_followed() {
    let (folder, work) = create_folders("exchanged");
    work.write("plays/a.play", b"one").unwrap();
    fs::rename(folder.at("work"), folder.at("moved")).unwrap();
    link("home", folder.at("work"));
    work.write("plays/b.play", b"two").unwrap();
    assert_eq!(folder.read("moved/plays/b.play"), "two", "the handle refers to the folder that was opened");
    assert_home_unchanged(&folder);
}

#[test]
fn deleting_files_does_not_follow_links() {
    let (folder, work) = create_folders("deleted");
    for name in ["a.part", "b.part", "keep"] {
        work.write(name, b"").unwrap();
    }
    link(folder.path_of("home"), folder.at("work/c.part"));
    fs::create_dir(folder.at("work/d.part")).unwrap();
    work.remove_files(&parlour::files::is_temporary_name).unwrap();
    assert_eq!(work.names(9).unwrap(), ["d.part", "keep"]);
    assert_home_unchanged(&folder);
}
