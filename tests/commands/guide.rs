//! Examples in the guide match the program: every file is written, every command is run, and every change is made.
//!
//! A `toml`, `rhai`, `play`, `html` or `csv` block with the path of a file writes that file; with ` +` after the path, it appends to the
//! file. A `play` block without a path is parsed. A `rhai from` block with a path quotes a file of the repository. A `rhai example` block
//! is run by `tests/language/vocabulary.rs`, and a `rhai language` block by `tests/language/guide_examples.rs`. In a `console` block, the
//! text after `$ ` is run, and the following lines must be its output. A `diff` block changes a file. `BLESS=1` rewrites the outputs. The
//! chapters build one game together; every other page starts with an empty folder.

use crate::folder::Folder;
use crate::program::{ROOT, run_ok, run_with_input as typed_at};
use crate::recorded::assert_recorded;
use parlour::diagnostic::Source;
use parlour::playscript::parse;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Chapters that build one game together, in order.
pub(super) const CHAPTERS: [&str; 8] =
    ["first-game", "components", "phases", "hidden", "playscripts", "effects", "variants", "simulation"];

/// Name of the game that the chapters build.
const GAME: &str = "orchard";

pub(super) fn pages() -> Vec<PathBuf> {
    let entries = fs::read_dir(Path::new(ROOT).join("docs/src")).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|it| it == "md")).collect();
    pages.sort();
    pages
}

/// Returns whether other tests run the blocks of a page. `tests/mistakes/codes.rs` runs the page about diagnostic codes, and `how_do_i.rs`
/// the page "How do I …".
pub(super) fn is_run_elsewhere(path: &Path) -> bool {
    path == page("codes") || path == page("how-do-i")
}

/// Fenced block with its language, or the text between two blocks, which has no language.
pub(super) type Part = (Option<String>, String);

/// Splits a page into its fenced blocks and the text between them.
pub(super) fn parts(page: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = vec![(None, String::new())];
    for line in page.split_inclusive('\n') {
        let is_inside = parts.last().unwrap().0.is_some();
        match line.strip_prefix("```") {
            Some(language) if !is_inside => parts.push((Some(language.trim().to_owned()), String::new())),
            Some(_) => parts.push((None, String::new())),
            None => parts.last_mut().unwrap().1.push_str(line),
        }
    }
    parts
}

/// Joins the parts of a page; the reverse of [`parts`].
fn joined(parts: &[Part]) -> String {
    let part = |(language, text): &Part| match language {
        Some(language) => format!("```{language}\n{text}```\n"),
        None => text.clone(),
    };
    parts.iter().map(part).collect()
}

/// Folder in which the commands of a page are run.
pub(super) struct Session(pub(super) Folder);

impl Session {
    pub(super) fn begin(name: &str) -> Self {
        Self(Folder::new(name))
    }

    /// Runs the commands of a block, and returns the block with their outputs.
    fn console(&self, block: &str) -> String {
        let commands = block.lines().filter(|line| line.starts_with("$ "));
        commands.flat_map(|line| [line, "\n", &self.run(&line[2..])].map(str::to_owned)).collect()
    }

    /// Runs a command line. Supports input from `printf` and a limit on lines by `head`. Returns the output.
    fn run(&self, line: &str) -> String {
        let (line, shown) = match line.split_once(" | head -") {
            Some((line, shown)) => (line, shown.parse().unwrap()),
            None => (line, usize::MAX),
        };
        let (typed, line) = match line.strip_prefix("printf '").and_then(|line| line.split_once("' | ")) {
            Some((typed, line)) => (typed.replace("\\n", "\n"), line),
            None => (String::new(), line),
        };
        let words: Vec<&str> = line.split(' ').collect();
        let said = match words[..] {
            ["head", count, file] => {
                let count: usize = count[1..].parse().unwrap();
                let text = self.0.read(file);
                text.split_inclusive('\n').take(count).collect()
            }
            ["parlour", ..] => typed_at(&self.0, &words[1..], typed).all(),
            _ => panic!("the guide runs `{line}`, which its test does not know"),
        };
        // The measured speed differs from run to run.
        let lines = said.split_inclusive('\n').filter(|line| !line.contains(" decisions a second"));
        lines.take(shown).collect()
    }

    /// Writes a file. If `file` ends with ` +`, appends to the file instead.
    fn write(&self, file: &str, text: &str) {
        let (file, is_more) = file.strip_suffix(" +").map_or((file, false), |file| (file, true));
        let before = if is_more { self.0.read(file) } else { String::new() };
        self.0.write(file, before + text);
    }

    /// Processes the blocks of a page, and replaces the outputs of commands. Returns the number of commands.
    pub(super) fn read(&self, page: &Path, parts: &mut [Part]) -> usize {
        let mut commands = 0;
        for (language, text) in parts {
            match language.as_deref().map(|language| language.split_once(' ').unwrap_or((language, ""))) {
                Some(("console", _)) => {
                    commands += text.lines().filter(|line| line.starts_with("$ ")).count();
                    *text = self.console(text);
                }
                Some(("diff", _)) => self.change(text),
                Some(("play", "")) => {
                    let source = Source { path: page.display().to_string(), text: text.clone() };
                    parse(&Arc::new(source)).unwrap_or_else(|found| panic!("{found}"));
                }
                Some(("rhai", "example" | "language") | ("toml", "example")) => {}
                Some((_, quoted)) if quoted.starts_with("from ") => is_quoted(text, &quoted["from ".len()..]),
                Some((language @ ("toml" | "rhai"), "")) => {
                    panic!("{}: a block of {language} says no file, and is not run:\n{text}", page.display())
                }
                Some(("toml" | "rhai" | "play" | "html" | "csv", file)) if !file.is_empty() => self.write(file, text),
                _ => {}
            }
        }
        commands
    }

    /// Applies a `diff` block: replaces the lines marked with `-` with the lines marked with `+`.
    fn change(&self, block: &str) {
        let (file, change) = block.split_once('\n').unwrap();
        let path = self.0.at(file.strip_prefix("--- ").expect("a change begins with `--- ` and a file"));
        let lines = |sign: char| -> String {
            change.split_inclusive('\n').filter_map(|line| line.strip_prefix(sign)).collect()
        };
        let text = fs::read_to_string(&path).unwrap();
        let (gone, new) = (lines('-'), lines('+'));
        assert_eq!(text.matches(&gone).count(), 1, "{} has, once:\n{gone}", path.display());
        fs::write(&path, text.replacen(&gone, &new, 1)).unwrap();
    }
}

/// Asserts that a file contains a quoted block.
fn is_quoted(block: &str, file: &str) {
    let text = fs::read_to_string(Path::new(ROOT).join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    assert!(text.contains(block), "{file} does not have:\n{block}");
}

pub(super) fn page(name: &str) -> PathBuf {
    Path::new(ROOT).join("docs/src").join(name).with_extension("md")
}

pub(super) fn is_chapter(path: &Path) -> bool {
    CHAPTERS.iter().any(|name| page(name) == path)
}

#[test]
fn console_sessions_in_the_guide_match_the_output() {
    let mut commands = 0;
    for path in pages().iter().filter(|path| !is_chapter(path) && !is_run_elsewhere(path)) {
        let session = Session::begin(&path.file_stem().unwrap().to_string_lossy());
        let mut parts = parts(&fs::read_to_string(path).unwrap());
        commands += session.read(path, &mut parts);
        assert_recorded(path, &joined(&parts));
    }
    assert!(commands >= 8, "the sessions were not found");
}

#[test]
fn the_tutorial_game_passes_check_and_test_after_each_chapter() {
    let session = Session::begin("chapters");
    for name in CHAPTERS {
        let path = page(name);
        let mut parts = parts(&fs::read_to_string(&path).unwrap());
        assert!(session.read(&path, &mut parts) > 0, "{name} runs nothing");
        assert_recorded(&path, &joined(&parts));
        let said = session.run(&format!("parlour check {GAME}"));
        assert!(said.starts_with(&format!("{GAME}: no mistakes found (")), "after {name}:\n{said}");
        let said = session.run(&format!("parlour test {GAME}"));
        let is_tested = session.0.at(GAME).join("plays").exists();
        assert!(!is_tested || said.contains(" passed, 0 failed"), "after {name}:\n{said}");
    }
}

#[test]
fn the_summary_lists_all_pages_and_the_chapters_in_order() {
    let summary = fs::read_to_string(page("SUMMARY")).unwrap();
    let links = |name: &str| summary.find(&format!("({name}.md)")).unwrap_or_else(|| panic!("{name} is not listed"));
    let at: Vec<usize> = CHAPTERS.into_iter().map(links).collect();
    assert!(at.is_sorted(), "{at:?}");
    let all = pages();
    let names = all.iter().map(|path| path.file_stem().unwrap().to_str().unwrap()).filter(|name| *name != "SUMMARY");
    names.for_each(|name| _ = links(name));
}

#[test]
fn the_text_before_a_code_block_names_its_file() {
    for path in pages().into_iter().filter(|path| !is_run_elsewhere(path)) {
        let parts = parts(&fs::read_to_string(&path).unwrap());
        for pair in parts.windows(2) {
            let (before, Some(language)) = (&pair[0].1, &pair[1].0) else { continue };
            let Some((_, file)) =
                language.split_once(' ').filter(|(language, _)| ["toml", "rhai", "play", "csv"].contains(language))
            else {
                continue;
            };
            let file = file.strip_suffix(" +").unwrap_or(file);
            let below = file.split_once('/').map_or(file, |(_, below)| below);
            let is_named = ["rhai example", "rhai language", "toml example"].contains(&language.as_str())
                || file.starts_with("from ")
                || before.contains(&format!("{below}`"));
            assert!(
                is_named,
                "{}: a block is `{file}`, and the words before it do not say so:\n{before}",
                path.display()
            );
        }
    }
}

#[test]
fn links_between_pages_are_valid() {
    for path in pages() {
        let text = fs::read_to_string(&path).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link) {
            let file = link.split('#').next().unwrap();
            let is_here = file.is_empty() || link.starts_with("http") || path.parent().unwrap().join(file).exists();
            assert!(is_here, "{}: {link} leads nowhere", path.display());
        }
    }
}

/// The page is generated from the engine's vocabulary. `tests/language/vocabulary.rs` runs its examples.
#[test]
fn reference_pages_match_the_reference_command() {
    assert_recorded(&page("reference"), &run_ok(ROOT, &["reference", "--format", "markdown"]));
    let files = run_ok(ROOT, &["reference", "--files", "--format", "markdown"]);
    assert!(!files.contains("|  |"), "every key says what it is for");
    assert_recorded(&page("files"), &files);
}

#[test]
fn the_testing_page_shows_failures_that_point_to_the_changed_line() {
    let page = fs::read_to_string(Path::new(ROOT).join("docs/src/testing-rules.md")).unwrap();
    let consoles: Vec<String> = parts(&page)
        .into_iter()
        .filter(|(language, _)| language.as_deref() == Some("console"))
        .map(|it| it.1)
        .collect();
    let said = |at: usize| consoles[at].as_str();
    assert!(said(0).ends_with(" passed, 0 failed\n"), "{}", said(0));
    assert!(said(1).ends_with(" passed, 2 failed\n"), "{}", said(1));
    let leads = said(1).matches("rules/4_demand.rhai:").count();
    assert_eq!(leads, 2, "{}", said(1));
    assert_eq!(said(1).matches("seat.cash -= price / 2;").count(), 2, "{}", said(1));
    assert!(said(2).contains("went-another-way") && said(2).contains("recorded"), "{}", said(2));
    assert!(said(3).ends_with(" passed, 0 failed\n"), "{}", said(3));
}

/// The program prints each log line that the README quotes, and the failure in the README is the same as in the guide.
#[test]
fn output_in_the_readme_matches_the_program() {
    let read = |path: &str| fs::read_to_string(Path::new(ROOT).join(path)).unwrap();
    let readme = read("README.md");
    let parts = parts(&readme);
    let begins = |with: &str| parts.iter().map(|(_, text)| text).find(|text| text.starts_with(with)).unwrap();
    let (story, failure) = (begins("$ parlour run"), begins("error[expect]"));
    let (command, shown) = story.split_once('\n').unwrap();
    let arguments: Vec<&str> = command.strip_prefix("$ parlour ").unwrap().split(' ').collect();
    let told = run_ok(ROOT, &arguments);
    let mut told = told.lines();
    for line in shown.lines().filter(|line| *line != "…") {
        assert!(told.any(|one| one == line), "`{line}` is not told there");
    }
    assert!(read("docs/src/testing-rules.md").contains(failure.as_str()), "{failure}");
}
