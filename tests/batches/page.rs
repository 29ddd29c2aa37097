//! The page of a run needs nothing but itself, and the page of definitions says what the program says.

use crate::dice::{GAME, RULES};
use parlour::simulation::DEFINITIONS;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder of a test's own, deleted afterwards.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("parlour-batches-{}-{name}", std::process::id()));
        std::fs::create_dir_all(path.join("dice/rules")).unwrap();
        std::fs::write(path.join("dice/game.toml"), GAME).unwrap();
        std::fs::write(path.join("dice/rules/play.rhai"), RULES).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Runs the program in the folder: its exit code, standard output and standard error.
    pub(crate) fn parlour(&self, arguments: &str) -> (i32, String, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_parlour"))
            .current_dir(&self.0)
            .args(arguments.split(' '))
            .output()
            .expect("it runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
    }

    pub(crate) fn text(&self, file: &str) -> String {
        std::fs::read_to_string(self.0.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left over lies in the folder for temporary files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn values(text: &str, before: &str) -> Vec<String> {
    text.split(before)
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .map(|found| found.replace("&#x2f;", "/"))
        .collect()
}

#[test]
fn the_page_needs_nothing_but_itself() {
    let folder = Folder::new("page");
    let (code, _, told) = folder.parlour("simulate dice --players 2..3 --games 60 --seed 1 --out run");
    assert_eq!(code, 0, "{told}");
    let page = folder.text("run/report.html");
    for outside in ["src=\"", "http-equiv", "@import", "url(", "<link", "fetch(", "<iframe"] {
        assert!(!page.contains(outside), "{outside}");
    }
    let links = values(&page, "href=\"");
    for link in &links {
        match link.strip_prefix('#') {
            Some(place) => assert!(page.contains(&format!("id=\"{place}\"")), "{link} leads nowhere"),
            None => assert!(folder.path().join("run").join(link).is_file(), "{link} is no file of the run"),
        }
    }
    assert!(links.iter().any(|link| link.starts_with("plays/")));
    assert!(page.contains("Bots played, not people.") && page.contains("Correlation, not cause"));
    assert!(page.matches("<svg").count() == page.matches("</svg>").count() && page.matches("<svg").count() > 10);
    assert_eq!(page.matches("role=\"img\" aria-label=\"").count(), page.matches("<svg").count());
    assert!(page.contains("@media print"));
    let rows = page.matches("<tr>").count();
    assert!(rows > 40 && page.matches("</tr>").count() == rows);
    assert!(page.contains("Endings that no game came to: This never happens"), "dead endings are told");
    assert!(!page.contains("NaN") && !page.contains("inf "), "every number is one");
}

#[test]
fn words_of_a_game_cannot_break_the_page() {
    let folder = Folder::new("escaped");
    let evil = GAME.replace("\"Dice\"", "\"<script>alert(1)</script> & \\\"x\\\"\"");
    std::fs::write(folder.path().join("dice/game.toml"), evil).unwrap();
    let (code, _, told) = folder.parlour("simulate dice --games 40 --seed 1 --out run");
    assert_eq!(code, 0, "{told}");
    let page = folder.text("run/report.html");
    assert!(!page.contains("<script>alert") && page.contains("&lt;script&gt;alert"));
    assert_eq!(page.matches("<script>").count(), 1);
}

#[test]
fn a_page_can_be_written_again_and_is_the_same() {
    let folder = Folder::new("again");
    assert_eq!(folder.parlour("simulate dice --games 40 --seed 1 --out run").0, 0);
    let before = folder.text("run/report.html");
    assert_eq!(folder.parlour("report run --out again.html").0, 0);
    assert!(folder.text("again.html") == before);
    std::fs::write(folder.path().join("dice/game.toml"), GAME.replace("sides = 6", "sides = 8")).unwrap();
    let (code, _, told) = folder.parlour("report run");
    assert!(code == 2 && told.contains("are not those that were played"), "{told}");
}

#[test]
fn the_guide_defines_every_measure_as_the_report_does() {
    let mut text =
        "# What the figures mean\n\nEvery report carries these definitions; this page is written from the same list.\n"
            .to_owned();
    for known in DEFINITIONS {
        text.push_str(&format!("\n## {} (`{}`)\n\n{}\n", known.name, known.id, wrapped(known.text)));
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src/measures.md");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert!(
        std::fs::read_to_string(&path).unwrap_or_default() == text,
        "write it anew: BLESS=1 cargo test --test batches"
    );
}

fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last_mut().unwrap();
        if last.chars().count() + word.chars().count() > 118 {
            lines.push(word.to_owned());
        } else {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(word);
        }
    }
    lines.join("\n")
}
