//! Files of test cases. Each case consists of a line `##### title`, the files of a game, a line `---`, and the expected diagnostics.
//!
//! A line `=== name` begins another file, or is an instruction to the module that runs the case.

use crate::folder::with_crlf_and_bom;
use crate::recorded::is_blessed;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Test case: files with a mistake, and the expected diagnostics.
pub(crate) struct Case {
    /// Title of the case.
    pub(crate) name: String,
    /// Text before the first `===`.
    pub(crate) text: String,
    /// Name and text of each section that begins with `===`.
    pub(crate) more: Vec<(String, String)>,
    /// Unparsed text before `---`. If `BLESS` is set, it is written back unchanged.
    input: String,
    expected: String,
}

impl Case {
    fn read(text: &str) -> Self {
        let (name, rest) = text.split_once('\n').unwrap();
        let (input, expected) = rest.split_once("---\n").unwrap();
        Self::new(name, input, expected)
    }

    /// Creates a case from the text before `---` and the expected diagnostics.
    pub(crate) fn new(name: &str, input: &str, expected: &str) -> Self {
        let mut parts = input.split("=== ");
        let first = parts.next().unwrap();
        let more = parts.map(|part| part.split_once('\n').unwrap());
        Self {
            name: name.to_owned(),
            text: first.to_owned(),
            more: more.map(|(name, text)| (name.to_owned(), text.to_owned())).collect(),
            input: input.to_owned(),
            expected: expected.trim().to_owned(),
        }
    }

    /// Reads the cases of a file.
    pub(crate) fn all(file: &Path) -> Vec<Self> {
        let text = std::fs::read_to_string(file).unwrap();
        text.split("##### ").skip(1).map(Self::read).collect()
    }

    /// Returns whether the case can run on this operating system. Cases with links require Unix.
    pub(crate) fn is_possible(&self) -> bool {
        cfg!(unix) || self.after("link").is_none()
    }

    /// Converts the files to `\r\n` line endings and adds a byte order mark to each.
    pub(crate) fn with_crlf_and_bom(mut self) -> Self {
        self.text = with_crlf_and_bom(&self.text);
        for (_, text) in self.more.iter_mut().filter(|(name, _)| name.contains('.') && !name.contains(' ')) {
            *text = with_crlf_and_bom(text);
        }
        self
    }

    /// Returns the expected diagnostics.
    pub(crate) fn expected(&self) -> &str {
        &self.expected
    }

    /// Returns whether the case has a section with this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.more.iter().any(|(known, _)| known == name)
    }

    /// Returns the argument of an instruction: `params.cash=3` for the word `--set` and the line `=== --set params.cash=3`.
    pub(crate) fn after(&self, word: &str) -> Option<&str> {
        self.more.iter().find_map(|(name, _)| name.strip_prefix(word)?.strip_prefix(' '))
    }
}

/// Folders under `tests/cases/`.
pub(crate) const FOLDERS: [&str; 3] = ["loader", "scripts", "plays"];

/// Returns the paths of the case files in a folder, sorted.
pub(crate) fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// Returns the diagnostic code after which a case file is named.
pub(crate) fn code(file: &Path) -> String {
    file.file_stem().unwrap().to_str().unwrap().to_owned()
}

/// Asserts that each case in a folder has the expected diagnostics. If `BLESS` is set, writes the actual diagnostics to the files instead.
pub(crate) fn check(folder: &str, diagnostics: impl Fn(&Case) -> String) {
    let mut wrong = Vec::new();
    for file in files(folder) {
        let mut now = Vec::new();
        for case in Case::all(&file) {
            let found = if case.is_possible() { diagnostics(&case).trim().to_owned() } else { case.expected.clone() };
            if found != case.expected && !is_blessed() {
                let (file, name, expected) = (file.display(), &case.name, &case.expected);
                wrong.push(format!("{file}: {name}\nfound:\n{found}\n\nexpected:\n{expected}\n"));
            }
            wrong.extend(general_defect(&file, &case, &found));
            let mut block = String::new();
            write!(block, "##### {}\n{}---\n{found}\n", case.name, case.input).unwrap();
            now.push(block);
        }
        if is_blessed() {
            std::fs::write(&file, now.join("\n")).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{} cases:\n\n{}", wrong.len(), wrong.join("\n"));
}

/// Returns a description of a defect that is not allowed even in expected diagnostics: the code after which the file is named is not
/// reported, or a message has no location.
fn general_defect(file: &Path, case: &Case, found: &str) -> Option<String> {
    let (file, code, name) = (file.display(), code(file), &case.name);
    let has_code = if code == "nothing" { found == "nothing" } else { found.contains(&format!("[{code}]: ")) };
    if !has_code {
        return Some(format!("{file}: {name}: `{code}` is not reported:\n{found}\n"));
    }
    let lines: Vec<&str> = found.lines().collect();
    let has_no_place = |pair: &[&str]| is_headline(pair[0]) && !pair[1].contains("--> ");
    let is_bare = lines.windows(2).any(has_no_place) || lines.last().is_some_and(|line| is_headline(line));
    if is_bare {
        return Some(format!("{file}: {name}: a message has no location:\n{found}\n"));
    }
    let unfinished = lines.iter().find(|line| is_unfinished(line));
    unfinished.map(|line| format!("{file}: {name}: a message ends where a noun is missing: {line:?}\n"))
}

/// Words that need a noun after them. Words such as `is` and `of` may end a relative clause.
const OPEN_WORDS: [&str; 7] = ["a", "an", "the", "never", "every", "and", "or"];

/// Returns whether the line is a message or help text that ends in a blank or in a word that needs a noun.
fn is_unfinished(line: &str) -> bool {
    let is_text = is_headline(line) || line.trim_start().starts_with("= help: ");
    let last = line.rsplit(' ').next().unwrap_or_default();
    is_text && (last.is_empty() || OPEN_WORDS.contains(&last))
}

fn is_headline(line: &str) -> bool {
    line.starts_with("error[") || line.starts_with("warning[")
}
