//! Finds files that were probably meant for a game but are not read, because their folder or extension is misspelled, for example.
//!
//! People keep other files next to a game, so only files that resemble a game's files are reported.

use crate::diagnostic::{AGENT_WORDS, Diagnostic, OTHER_SPREADSHEETS, Role, nearest};
use crate::loader::mistake::whole_file;

/// Extension that some editors append to the name of every file.
const TEXT_EXTENSION: &str = "txt";

/// Returns whether a folder has the name of one of a game's folders, or a similar name.
#[cfg(feature = "system")]
pub(in crate::loader) fn may_be_game_folder(folder: &str) -> bool {
    !is_unrelated(folder) && nearest(folder, folder_names()).is_some()
}

/// Returns warnings about misplaced files, given the paths of all files in the game's folder. Reports folders whose names are similar to
/// those of a game's folders, files in a game's folders that are not read, and agents whose names cannot be used.
pub(in crate::loader) fn check_paths<'p>(paths: impl IntoIterator<Item = &'p str>) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for path in paths.into_iter().filter(|path| !path.split('/').any(is_unrelated)) {
        let diagnostic = check_path(path);
        found.extend(diagnostic.filter(|one| !found.iter().any(|known| known.message == one.message)));
    }
    found
}

/// Returns whether a file or folder is certainly not part of a game, such as a hidden file, a backup or a readme.
fn is_unrelated(name: &str) -> bool {
    name.starts_with(['.', '~']) || name.to_lowercase().starts_with("readme")
}

fn check_path(path: &str) -> Option<Diagnostic> {
    let (folder, rest) = path.split_once('/')?;
    let (inner, file) = rest.rsplit_once('/').map_or((None, rest), |(inner, file)| (Some(inner), file));
    let ending = file.rsplit_once('.')?.1;
    let Some(role) = Role::of_folder(folder) else {
        let meant = nearest(folder, folder_names())?;
        let fits_folder = Role::of_folder(meant).is_some_and(|meant| meant.is_called(file));
        return fits_folder.then(|| misnamed_folder(path, folder, meant));
    };
    if role.is_called(file) && role == Role::Agent && inner.is_none() {
        return unnameable(path, role.name(path));
    }
    if role.is_called(file) {
        // Playscripts may be in subfolders.
        return inner.filter(|_| role != Role::Play).map(|inner| too_deep(path, folder, inner));
    }
    if OTHER_SPREADSHEETS.contains(&ending) && role.endings().len() > 1 {
        return Some(other_spreadsheet(path));
    }
    let is_meant = ending == TEXT_EXTENSION || nearest(ending, [role.ending()]).is_some();
    is_meant.then(|| misnamed_file(path, folder, file, role.ending()))
}

fn folder_names() -> impl Iterator<Item = &'static str> {
    Role::IN_FOLDERS.into_iter().map(Role::folder)
}

fn misnamed_folder(path: &str, folder: &str, meant: &str) -> Diagnostic {
    Diagnostic::warning("stray-file", format!("the folder `{folder}/` is not part of a game and is not read"))
        .mark(whole_file(path), "passed over")
        .help(format!("did you mean the folder `{meant}/`?"))
}

fn too_deep(path: &str, folder: &str, inner: &str) -> Diagnostic {
    Diagnostic::warning("stray-file", format!("nothing in `{folder}/{inner}/` is read"))
        .mark(whole_file(path), "passed over")
        .help(format!("put the file into `{folder}/` itself"))
}

/// Warns about an agent whose name cannot be written on the command line and in playscripts.
fn unnameable(path: &str, name: &str) -> Option<Diagnostic> {
    let is_word = AGENT_WORDS.contains(&name) || name.starts_with(|c: char| c.is_ascii_digit());
    let is_split = name.contains(|character: char| character.is_whitespace() || ",:=".contains(character));
    let found = Diagnostic::warning("stray-file", format!("`{name}` cannot be the name of an agent"));
    let help = "give the file another name: letters, then letters, digits and `_`";
    (is_word || is_split).then(|| found.mark(whole_file(path), "not a valid name").help(help))
}

fn other_spreadsheet(path: &str) -> Diagnostic {
    Diagnostic::warning("stray-file", format!("`{path}` is not read: spreadsheets are `.csv`, `.ods` or `.xlsx`"))
        .mark(whole_file(path), "passed over")
        .help("save it as one of these")
}

fn misnamed_file(path: &str, folder: &str, file: &str, wanted: &str) -> Diagnostic {
    // `a.toml.txt` was probably meant to be `a.toml`.
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let name = if stem.ends_with(&format!(".{wanted}")) { stem.to_owned() } else { format!("{stem}.{wanted}") };
    Diagnostic::warning("stray-file", format!("`{path}` is not read: files in `{folder}/` end in `.{wanted}`"))
        .mark(whole_file(path), "passed over")
        .help(format!("did you mean `{name}`?"))
}
