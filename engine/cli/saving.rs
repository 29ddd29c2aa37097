//! Files that are written whole or not at all.

use super::output::Failure;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes a file beside where it belongs, makes sure it is on the disk, and puts it in its place: whoever stops this leaves the
/// old file, or the new one.
pub(super) fn write_whole(path: &Path, text: &str) -> Result<(), Failure> {
    let told = |error: std::io::Error| Failure::Usage(format!("`{}` cannot be written: {error}", path.display()), None);
    let beside = beside(path);
    let written = write_synced(&beside, text).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // What is left of it is of no use; that it could not be written is told anyway.
        let _ = fs::remove_file(&beside);
    }
    written.map_err(told)?;
    sync_folder(path);
    Ok(())
}

/// Whether a file can be written there, before anything is.
pub(super) fn check_writable(path: &Path) -> Result<(), Failure> {
    let beside = beside(path);
    let tried = File::create(&beside).and_then(|_| fs::remove_file(&beside));
    tried.map_err(|error| {
        let message = format!("the game cannot be kept in `{}`: {error}", path.display());
        Failure::Usage(message, Some("name another file with `--save`".to_owned()))
    })
}

fn write_synced(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// A name in the same folder that no other process uses.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().map_or_else(Default::default, std::ffi::OsStr::to_os_string);
    name.push(format!(".{}.new", std::process::id()));
    path.with_file_name(name)
}

/// Makes sure the new name is on the disk; where folders cannot be opened, renaming has to do.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

#[cfg(test)]
mod tests {
    use super::write_whole;

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_beside_it() {
        let folder = std::env::temp_dir().join(format!("parlour-saving-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("game.play");
        write_whole(&path, "one").unwrap();
        write_whole(&path, "two").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn where_it_cannot_be_put_in_its_place_the_old_one_stays() {
        let folder = std::env::temp_dir().join(format!("parlour-not-saving-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("game.play/inside")).unwrap();
        assert!(write_whole(&folder.join("game.play"), "new").is_err());
        assert!(folder.join("game.play/inside").is_dir());
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
