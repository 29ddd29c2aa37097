//! The sessions in the guide are what a person would see: every command is run, every change is made.
//!
//! In a `console` block, what stands after `$ ` is run and what follows is what it must say; a `diff` block changes a file.
//! `BLESS=1` rewrites what is said. Blocks marked `play` are read.

#![allow(clippy::unwrap_used, reason = "a test fails where it unwraps nothing")]

use parlour::diagnostic::Source;
use parlour::playscript::parse;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn pages() -> Vec<PathBuf> {
    let entries = fs::read_dir(Path::new(ROOT).join("docs/src")).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|it| it == "md")).collect();
    pages.sort();
    pages
}

/// A page cut into its fenced blocks and what stands between them: the language of a block, and its lines.
fn parts(page: &str) -> Vec<(Option<String>, String)> {
    let mut parts: Vec<(Option<String>, String)> = vec![(None, String::new())];
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

fn joined(parts: &[(Option<String>, String)]) -> String {
    let part = |(language, text): &(Option<String>, String)| match language {
        Some(language) => format!("```{language}\n{text}```\n"),
        None => text.clone(),
    };
    parts.iter().map(part).collect()
}

struct Session(PathBuf);

impl Session {
    fn begin(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("parlour-guide-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    /// Runs the commands of a block; gives the block with what they say.
    fn console(&self, block: &str) -> String {
        let commands = block.lines().filter(|line| line.starts_with("$ "));
        commands.flat_map(|line| [line, "\n", &self.run(&line[2..])].map(str::to_owned)).collect()
    }

    fn run(&self, line: &str) -> String {
        let (line, shown) = match line.split_once(" | head -") {
            Some((line, shown)) => (line, shown.parse().unwrap()),
            None => (line, usize::MAX),
        };
        let words: Vec<&str> = line.split(' ').collect();
        let said = match words[..] {
            ["cp", "-r", from, to] => {
                copy(&Path::new(ROOT).join(from), &self.0.join(to));
                String::new()
            }
            ["head", count, file] => {
                let count: usize = count[1..].parse().unwrap();
                let text = fs::read_to_string(self.0.join(file)).unwrap();
                text.split_inclusive('\n').take(count).collect()
            }
            ["parlour", ..] => {
                let run = Command::new(env!("CARGO_BIN_EXE_parlour")).current_dir(&self.0).args(&words[1..]).output();
                let output = run.unwrap();
                String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
            }
            _ => panic!("the guide runs `{line}`, which its test does not know"),
        };
        said.split_inclusive('\n').take(shown).collect()
    }

    /// Makes the change of a block: lines that are gone, and lines that stand there instead.
    fn change(&self, block: &str) {
        let (file, change) = block.split_once('\n').unwrap();
        let path = self.0.join(file.strip_prefix("--- ").expect("a change begins with `--- ` and a file"));
        let lines = |sign: char| -> String {
            change.split_inclusive('\n').filter_map(|line| line.strip_prefix(sign)).collect()
        };
        let text = fs::read_to_string(&path).unwrap();
        let (gone, new) = (lines('-'), lines('+'));
        assert_eq!(text.matches(&gone).count(), 1, "{} has, once:\n{gone}", path.display());
        fs::write(&path, text.replacen(&gone, &new, 1)).unwrap();
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() { copy(&path, &target) } else { _ = fs::copy(&path, &target).unwrap() }
    }
}

#[test]
fn every_session_of_the_guide_is_what_a_person_would_see() {
    let mut commands = 0;
    for path in pages() {
        let page = fs::read_to_string(&path).unwrap();
        let session = Session::begin(&path.file_stem().unwrap().to_string_lossy());
        let mut parts = parts(&page);
        for (language, text) in &mut parts {
            match language.as_deref() {
                Some("console") => {
                    commands += text.lines().filter(|line| line.starts_with("$ ")).count();
                    *text = session.console(text);
                }
                Some("diff") => session.change(text),
                Some("play") => {
                    let source = Source { path: path.display().to_string(), text: text.clone() };
                    parse(&Arc::new(source)).unwrap_or_else(|found| panic!("{found}"));
                }
                _ => {}
            }
        }
        let now = joined(&parts);
        if std::env::var_os("BLESS").is_some() {
            fs::write(&path, &now).unwrap();
        } else {
            assert_eq!(now, page, "set BLESS to rewrite what {} says", path.display());
        }
    }
    assert!(commands >= 8, "the sessions were not found");
}

#[test]
fn the_session_about_testing_shows_scenes_that_lead_to_the_changed_line_and_then_none() {
    let page = fs::read_to_string(Path::new(ROOT).join("docs/src/testing-rules.md")).unwrap();
    let consoles: Vec<String> = parts(&page)
        .into_iter()
        .filter(|(language, _)| language.as_deref() == Some("console"))
        .map(|it| it.1)
        .collect();
    let said = |at: usize| consoles[at].as_str();
    assert!(said(0).ends_with(" passed, 0 failed\n"), "{}", said(0));
    assert!(said(1).ends_with(" passed, 3 failed\n"), "{}", said(1));
    let leads = said(1).matches("rules/4_demand.rhai:").count();
    assert_eq!(leads, 2, "{}", said(1));
    assert_eq!(said(1).matches("seat.cash -= price / 2;").count(), 2, "{}", said(1));
    assert!(said(2).contains("went-another-way") && said(2).contains("recorded"), "{}", said(2));
    assert!(said(3).ends_with(" passed, 0 failed\n"), "{}", said(3));
}
