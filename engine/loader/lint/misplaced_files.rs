//! Files that lie where nothing reads them, by a slip in the name of a folder or in an ending.
//!
//! People keep other things beside a game; only what is nearly one of its files is reported.

use crate::diagnostic::{AGENT_WORDS, Diagnostic, OTHER_SPREADSHEETS, Role, nearest};
use crate::loader::mistake::whole;

/// What some editors put behind the ending of any file.
const TEXT: &str = "txt";

/// Whether a folder of that name is one of a game's, or nearly called like one.
#[cfg(feature = "system")]
pub(in crate::loader) fn may_hold(folder: &str) -> bool {
    !is_nobodys(folder) && nearest(folder, folders()).is_some()
}

/// What is remarked about the files of a game by their paths below its folder: of every folder that is nearly called like
/// one of a game, and of every file in such a folder that is passed over.
pub(in crate::loader) fn found<'p>(paths: impl IntoIterator<Item = &'p str>) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for path in paths.into_iter().filter(|path| !path.split('/').any(is_nobodys)) {
        let diagnostic = stray(path);
        found.extend(diagnostic.filter(|one| !found.iter().any(|known| known.message == one.message)));
    }
    found
}

/// Whether a file or folder is none of a game's for certain.
fn is_nobodys(name: &str) -> bool {
    name.starts_with(['.', '~']) || name.to_lowercase().starts_with("readme")
}

fn stray(path: &str) -> Option<Diagnostic> {
    let (folder, rest) = path.split_once('/')?;
    let (inner, file) = rest.rsplit_once('/').map_or((None, rest), |(inner, file)| (Some(inner), file));
    let ending = file.rsplit_once('.')?.1;
    let Some(role) = Role::of_folder(folder) else {
        let meant = nearest(folder, folders())?;
        let is_one = Role::of_folder(meant).is_some_and(|meant| meant.is_called(file));
        return is_one.then(|| misnamed_folder(path, folder, meant));
    };
    if role.is_called(file) && role == Role::Agent && inner.is_none() {
        return unnameable(path, role.name(path));
    }
    if role.is_called(file) {
        // Playscripts are found however deep they lie.
        return inner.filter(|_| role != Role::Play).map(|inner| too_deep(path, folder, inner));
    }
    if OTHER_SPREADSHEETS.contains(&ending) && role.endings().len() > 1 {
        return Some(other_spreadsheet(path));
    }
    let is_meant = ending == TEXT || nearest(ending, [role.ending()]).is_some();
    is_meant.then(|| misnamed_file(path, folder, file, role.ending()))
}

fn folders() -> impl Iterator<Item = &'static str> {
    Role::IN_FOLDERS.into_iter().map(Role::folder)
}

fn misnamed_folder(path: &str, folder: &str, meant: &str) -> Diagnostic {
    Diagnostic::warning("stray-file", format!("a game has no folder `{folder}/`: nothing in it is read"))
        .mark(whole(path), "passed over")
        .help(format!("did you mean the folder `{meant}/`?"))
}

fn too_deep(path: &str, folder: &str, inner: &str) -> Diagnostic {
    Diagnostic::warning("stray-file", format!("nothing in `{folder}/{inner}/` is read"))
        .mark(whole(path), "passed over")
        .help(format!("put the file into `{folder}/` itself"))
}

/// An agent that cannot be named on the command line and in plays.
fn unnameable(path: &str, name: &str) -> Option<Diagnostic> {
    let is_word = AGENT_WORDS.contains(&name) || name.starts_with(|c: char| c.is_ascii_digit());
    let is_split = name.contains(|character: char| character.is_whitespace() || ",:=".contains(character));
    let found = Diagnostic::warning("stray-file", format!("no agent can be called `{name}`"));
    let help = "give the file another name: letters, then letters, digits and `_`";
    (is_word || is_split).then(|| found.mark(whole(path), "cannot be named").help(help))
}

fn other_spreadsheet(path: &str) -> Diagnostic {
    Diagnostic::warning("stray-file", format!("`{path}` is not read: spreadsheets are `.csv`, `.ods` or `.xlsx`"))
        .mark(whole(path), "passed over")
        .help("save it as one of these")
}

fn misnamed_file(path: &str, folder: &str, file: &str, wanted: &str) -> Diagnostic {
    // `a.toml.txt` is `a.toml`.
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let name = if stem.ends_with(&format!(".{wanted}")) { stem.to_owned() } else { format!("{stem}.{wanted}") };
    Diagnostic::warning("stray-file", format!("`{path}` is not read: files in `{folder}/` end in `.{wanted}`"))
        .mark(whole(path), "passed over")
        .help(format!("did you mean `{name}`?"))
}
