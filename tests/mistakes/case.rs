//! Files of cases: `##### what is wrong`, the files of a game, a line `---`, and what is said.
//!
//! A line `=== name` begins another file, or says something about the case; what that can be is up to those who read it.

use crate::folder::elsewhere;
use crate::recorded::is_blessed;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A mistake, and what is said about it.
pub(crate) struct Case {
    /// What is wrong.
    pub(crate) name: String,
    /// What stands before the first `===`.
    pub(crate) text: String,
    /// What follows, by name.
    pub(crate) more: Vec<(String, String)>,
    given: String,
    expected: String,
}

impl Case {
    fn read(text: &str) -> Self {
        let (name, rest) = text.split_once('\n').unwrap();
        let (given, expected) = rest.split_once("---\n").unwrap();
        Self::new(name, given, expected)
    }

    /// A case from the text before `---`, and what is said of it.
    pub(crate) fn new(name: &str, given: &str, expected: &str) -> Self {
        let mut parts = given.split("=== ");
        let first = parts.next().unwrap();
        let more = parts.map(|part| part.split_once('\n').unwrap());
        Self {
            name: name.to_owned(),
            text: first.to_owned(),
            more: more.map(|(name, text)| (name.to_owned(), text.to_owned())).collect(),
            given: given.to_owned(),
            expected: expected.trim().to_owned(),
        }
    }

    /// The cases of a file.
    pub(crate) fn all(file: &Path) -> Vec<Self> {
        let text = std::fs::read_to_string(file).unwrap();
        text.split("##### ").skip(1).map(Self::read).collect()
    }

    /// Whether the system has what it is about.
    pub(crate) fn is_possible(&self) -> bool {
        cfg!(unix) || self.after("link").is_none()
    }

    /// The case with its files as another system writes them: `\r\n` behind each line, and a mark of the byte order in front.
    pub(crate) fn elsewhere(mut self) -> Self {
        self.text = elsewhere(&self.text);
        for (_, text) in self.more.iter_mut().filter(|(name, _)| name.contains('.') && !name.contains(' ')) {
            *text = elsewhere(text);
        }
        self
    }

    /// What is said about it.
    pub(crate) fn expected(&self) -> &str {
        &self.expected
    }

    /// Whether something is said about the case.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.more.iter().any(|(known, _)| known == name)
    }

    /// What follows a word after `===`, as in `=== --set params.cash=3`.
    pub(crate) fn after(&self, word: &str) -> Option<&str> {
        self.more.iter().find_map(|(name, _)| name.strip_prefix(word)?.strip_prefix(' '))
    }
}

/// The folders of cases.
pub(crate) const FOLDERS: [&str; 3] = ["loader", "scripts", "plays"];

/// The files of cases in a folder.
pub(crate) fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// The code a file of cases is about.
pub(crate) fn code(file: &Path) -> String {
    file.file_stem().unwrap().to_str().unwrap().to_owned()
}

/// Compares what is said about every case of a folder; with `BLESS` set, writes it into the files.
pub(crate) fn check(folder: &str, said: impl Fn(&Case) -> String) {
    let mut wrong = Vec::new();
    for file in files(folder) {
        let mut now = Vec::new();
        for case in Case::all(&file) {
            let said = if case.is_possible() { said(&case).trim().to_owned() } else { case.expected.clone() };
            if said != case.expected && !is_blessed() {
                let (file, name, expected) = (file.display(), &case.name, &case.expected);
                wrong.push(format!("{file}: {name}\nfound:\n{said}\n\nexpected:\n{expected}\n"));
            }
            wrong.extend(not_as_promised(&file, &case, &said));
            let mut block = String::new();
            write!(block, "##### {}\n{}---\n{said}\n", case.name, case.given).unwrap();
            now.push(block);
        }
        if is_blessed() {
            std::fs::write(&file, now.join("\n")).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{} cases:\n\n{}", wrong.len(), wrong.join("\n"));
}

/// What is wrong with what is said, whatever it says: another code than the file's, or a message without a place.
fn not_as_promised(file: &Path, case: &Case, said: &str) -> Option<String> {
    let (file, code, name) = (file.display(), code(file), &case.name);
    let is_it = if code == "nothing" { said == "nothing" } else { said.contains(&format!("[{code}]: ")) };
    if !is_it {
        return Some(format!("{file}: {name}: does not say `{code}`:\n{said}\n"));
    }
    let lines: Vec<&str> = said.lines().collect();
    let has_no_place = |pair: &[&str]| is_headline(pair[0]) && !pair[1].contains("--> ");
    let is_bare = lines.windows(2).any(has_no_place) || lines.last().is_some_and(|line| is_headline(line));
    is_bare.then(|| format!("{file}: {name}: a message has no place:\n{said}\n"))
}

fn is_headline(line: &str) -> bool {
    line.starts_with("error[") || line.starts_with("warning[")
}
