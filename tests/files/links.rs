//! Links, pipes and other things that lie in the way of files below a folder.
#![cfg(unix)]

use crate::folder::{Folder, contents};
use crate::unix::{self, fifo, hard_link, link};
use parlour::files::{Directory, Refused, append_synced, sanitize_file_name, write_atomic, write_private};
use std::fs;
use std::io::Write;

/// A folder `work`, and beside it `home` with a file that nobody may change.
fn two(name: &str) -> (Folder, Directory) {
    let folder = Folder::new(name);
    folder.write("home/.profile", "keep me");
    let work = Directory::create(&folder.at("work")).unwrap();
    (folder, work)
}

#[track_caller]
fn is_unharmed(folder: &Folder) {
    let home = contents(folder.at("home"));
    assert_eq!(home.into_iter().collect::<Vec<_>>(), [(".profile".to_owned(), b"keep me".to_vec())]);
}

#[test]
fn the_named_folder_may_be_a_link_and_nothing_below_it() {
    let (folder, _) = two("named");
    link("work", folder.at("called"));
    let called = Directory::open(&folder.at("called")).unwrap();
    called.write("a/b/c.txt", b"one").unwrap();
    assert_eq!(folder.read("work/a/b/c.txt"), "one");
    assert_eq!(called.read("a/b/c.txt", 3).unwrap(), b"one");
    for (at, path) in [("x", "x/c.txt"), ("a/x", "a/x/c.txt"), ("a/b/x", "a/b/x/deep/c.txt")] {
        for to in [folder.named("home"), "..".to_owned(), ".".to_owned(), "nowhere".to_owned()] {
            link(&to, folder.at(&format!("work/{at}")));
            assert!(called.write(path, b"two").unwrap_err().to_string().contains("links are not followed"), "{path}");
            assert!(matches!(called.read(path, 9), Err(Refused::Link)), "{path}");
            assert!(called.append_at(path, 0).is_err() && called.size(path).is_none() && !called.has(path));
            fs::remove_file(folder.at(&format!("work/{at}"))).unwrap();
        }
    }
    is_unharmed(&folder);
}

#[test]
fn a_link_in_the_place_of_a_file_is_replaced_and_not_followed() {
    let (folder, work) = two("replaced_link");
    for to in [folder.named("home/.profile"), "../home/.profile".to_owned(), "nowhere".to_owned()] {
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
        assert!(append_synced(&folder.at("work/c.play"), b"more").is_err());
        fs::remove_file(folder.at("work/c.play")).unwrap();
    }
    assert!(!folder.at("work/nowhere").exists());
    is_unharmed(&folder);
}

#[test]
fn a_file_with_a_second_name_is_replaced_and_not_added_to() {
    let (folder, work) = two("second_name");
    hard_link(folder.at("home/.profile"), folder.at("work/a.txt"));
    assert!(matches!(work.append_at("a.txt", 0), Err(Refused::SecondName)));
    is_unharmed(&folder);
    work.write("a.txt", b"new").unwrap();
    is_unharmed(&folder);
    let mut file = work.append_at("a.txt", 1).unwrap();
    file.write_all(b"ot").unwrap();
    assert_eq!(folder.read("work/a.txt"), "not");
    assert!(work.append_at("a.txt", 99).is_err());
}

#[test]
fn pipes_devices_and_folders_are_neither_read_nor_replaced() {
    let (folder, work) = two("pipes");
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
    // What the system computes has no size, and may have no end.
    let process = Directory::open(std::path::Path::new("/proc/self")).unwrap();
    assert!(matches!(process.read("maps", 10), Err(Refused::TooLarge(_))));
}

#[test]
fn a_file_has_at_most_as_many_bytes_as_are_read() {
    let (folder, work) = two("large");
    folder.write("work/a", "12345");
    assert_eq!(work.read_text("a", 5).unwrap(), "12345");
    assert_eq!(work.read("a", 4).unwrap_err().to_string(), "it is larger than 4 bytes");
    fs::File::create(folder.at("work/b")).unwrap().set_len(1 << 40).unwrap();
    assert!(matches!(work.read("b", 1 << 20), Err(Refused::TooLarge(_))));
}

#[test]
fn names_lead_to_no_other_folder() {
    let (folder, work) = two("names");
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
    assert_eq!(work.names(9).unwrap().len(), 1, "and nothing of a name that was refused");
    is_unharmed(&folder);
}

#[test]
fn who_could_not_read_the_old_file_cannot_read_the_new_one() {
    let (folder, work) = two("access");
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
fn a_folder_that_is_exchanged_meanwhile_is_not_followed() {
    let (folder, work) = two("exchanged");
    work.write("plays/a.play", b"one").unwrap();
    fs::rename(folder.at("work"), folder.at("moved")).unwrap();
    link("home", folder.at("work"));
    work.write("plays/b.play", b"two").unwrap();
    assert_eq!(folder.read("moved/plays/b.play"), "two", "the handle leads to the folder that was opened");
    is_unharmed(&folder);
}

#[test]
fn files_are_deleted_in_the_folder_alone() {
    let (folder, work) = two("deleted");
    for name in ["a.part", "b.part", "keep"] {
        work.write(name, b"").unwrap();
    }
    link(folder.named("home"), folder.at("work/c.part"));
    fs::create_dir(folder.at("work/d.part")).unwrap();
    work.remove_files(&parlour::files::is_temporary_name).unwrap();
    assert_eq!(work.names(9).unwrap(), ["d.part", "keep"]);
    is_unharmed(&folder);
}
