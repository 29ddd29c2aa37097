//! Tests that report pages are self-contained and escaped, and that the guide's page on measures matches the program.

use crate::dice_game::{GAME, parlour, with_dice};
use crate::recorded::assert_recorded;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use parlour::simulation::DEFINITIONS;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::path::Path;

/// Returns each substring between an occurrence of `before` and the next quotation mark.
fn values(text: &str, before: &str) -> Vec<String> {
    text.split(before)
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .map(|found| found.replace("&#x2f;", "/"))
        .collect()
}

#[test]
fn report_pages_are_self_contained() {
    let folder = with_dice("page");
    let (code, _, told) = parlour(&folder, "simulate dice --players 2..3 --games 60 --seed 1 --out run");
    assert_eq!(code, 0, "{told}");
    let page = folder.read("run/report.html");
    assert_eq!(page.matches("http-equiv").count(), 1, "only the policy");
    for outside in ["src=\"", "@import", "url(", "<link", "fetch(", "<iframe"] {
        assert!(!page.contains(outside), "{outside}");
    }
    let links = values(&page, "href=\"");
    for link in &links {
        match link.strip_prefix('#') {
            Some(target) => assert!(page.contains(&format!("id=\"{target}\"")), "{link} has no target"),
            None => assert!(folder.at("run").join(link).is_file(), "{link} is not a file of the run"),
        }
    }
    assert!(links.iter().any(|link| link.starts_with("plays/")));
    assert!(page.contains("Bots played, not people.") && page.contains("Correlation, not cause"));
    assert!(page.matches("<svg").count() == page.matches("</svg>").count() && page.matches("<svg").count() > 10);
    assert_eq!(page.matches("role=\"img\" aria-label=\"").count(), page.matches("<svg").count());
    assert!(page.contains("@media print"));
    let rows = page.matches("<tr>").count();
    assert!(rows > 40 && page.matches("</tr>").count() == rows);
    assert!(page.contains("Endings that no game came to: This never happens"), "unreached endings are listed");
    assert!(!page.contains("NaN") && !page.contains("inf "), "all figures are finite");
}

#[test]
fn texts_of_a_game_are_escaped_in_reports() {
    let folder = with_dice("escaped");
    let evil = GAME.replace("\"Dice\"", "\"<script>alert(1)</script> & \\\"x\\\"\"");
    folder.write("dice/game.toml", evil);
    let (code, _, told) = parlour(&folder, "simulate dice --games 40 --seed 1 --out run");
    assert_eq!(code, 0, "{told}");
    let page = folder.read("run/report.html");
    assert!(!page.contains("<script>alert") && page.contains("&lt;script&gt;alert"));
    assert_eq!(page.matches("<script>").count(), 1);
}

#[test]
fn rewriting_a_report_yields_the_same_page() {
    let folder = with_dice("again");
    assert_eq!(parlour(&folder, "simulate dice --games 40 --seed 1 --out run").0, 0);
    let before = folder.read("run/report.html");
    assert_eq!(parlour(&folder, "report run --out again.html").0, 0);
    assert!(folder.read("again.html") == before);
    folder.write("dice/game.toml", GAME.replace("sides = 6", "sides = 8"));
    let (code, _, told) = parlour(&folder, "report run");
    assert!(code == 2 && told.contains("have changed since the run"), "{told}");
}

/// First paragraph of the guide's page on measures.
const INTRODUCTION: &str = "This page explains every figure of a report: first what it tells you about a game, then, under \
    *Details*, how exactly it is calculated. The identifier in brackets is its name in files and targets. Reports contain the \
    same definitions. Ranges behind figures are 95 % intervals, and a finding is reported only if its interval shows it.";

#[test]
fn definitions_of_measures_match_the_guide() {
    let mut text = format!("# What the figures mean\n\n{}\n", wrapped(INTRODUCTION));
    for known in DEFINITIONS {
        writeln!(text, "\n## {} (`{}`)\n\n{}", known.name, known.id, wrapped(known.text)).unwrap();
        if !known.details.is_empty() {
            writeln!(text, "\n{}", wrapped(&format!("*Details.* {}", known.details))).unwrap();
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src/measures.md");
    assert_recorded(&path, &text);
}

/// Wraps a paragraph at 118 columns.
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

#[test]
fn only_the_script_of_pages_can_run() {
    let folder = with_dice("policy");
    let (code, _, told) = parlour(&folder, "simulate dice --players 2 --games 20 --seed 1 --out run");
    assert_eq!(code, 0, "{told}");
    let page = folder.read("run/report.html");
    let scripts: Vec<&str> = page.split("<script>").skip(1).filter_map(|rest| rest.split("</script>").next()).collect();
    let [script] = scripts[..] else { panic!("{} scripts", scripts.len()) };
    let hash = STANDARD.encode(Sha256::digest(script));
    let policy = values(&page, "http-equiv=\"Content-Security-Policy\" content=\"");
    let of_script = format!("default-src 'none'; script-src 'sha256-{hash}';");
    assert!(matches!(&policy[..], [policy] if policy.starts_with(&of_script)), "{policy:?}, but {of_script}");
}
