//! The page of a run needs nothing but itself, and the page of definitions says what the program says.

use crate::dice::{GAME, parlour, with_dice};
use crate::recorded::hold;
use parlour::simulation::DEFINITIONS;
use std::fmt::Write as _;
use std::path::Path;

fn values(text: &str, before: &str) -> Vec<String> {
    text.split(before)
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .map(|found| found.replace("&#x2f;", "/"))
        .collect()
}

#[test]
fn the_page_needs_nothing_but_itself() {
    let folder = with_dice("page");
    let (code, _, told) = parlour(&folder, "simulate dice --players 2..3 --games 60 --seed 1 --out run");
    assert_eq!(code, 0, "{told}");
    let page = folder.read("run/report.html");
    for outside in ["src=\"", "http-equiv", "@import", "url(", "<link", "fetch(", "<iframe"] {
        assert!(!page.contains(outside), "{outside}");
    }
    let links = values(&page, "href=\"");
    for link in &links {
        match link.strip_prefix('#') {
            Some(place) => assert!(page.contains(&format!("id=\"{place}\"")), "{link} leads nowhere"),
            None => assert!(folder.at("run").join(link).is_file(), "{link} is no file of the run"),
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
fn a_page_can_be_written_again_and_is_the_same() {
    let folder = with_dice("again");
    assert_eq!(parlour(&folder, "simulate dice --games 40 --seed 1 --out run").0, 0);
    let before = folder.read("run/report.html");
    assert_eq!(parlour(&folder, "report run --out again.html").0, 0);
    assert!(folder.read("again.html") == before);
    folder.write("dice/game.toml", GAME.replace("sides = 6", "sides = 8"));
    let (code, _, told) = parlour(&folder, "report run");
    assert!(code == 2 && told.contains("are not those that were played"), "{told}");
}

/// First paragraph of the guide's page.
const INTRODUCTION: &str = "This page explains every figure of a report: first what it tells you about a game, then, under \
    *Details*, how exactly it is calculated. The identifier in brackets is its name in files and targets. Reports contain the \
    same definitions. Ranges behind figures are 95 % intervals, and a finding is reported only if its interval shows it.";

#[test]
fn the_guide_defines_every_measure_as_the_report_does() {
    let mut text = format!("# What the figures mean\n\n{}\n", wrapped(INTRODUCTION));
    for known in DEFINITIONS {
        writeln!(text, "\n## {} (`{}`)\n\n{}", known.name, known.id, wrapped(known.text)).unwrap();
        if !known.details.is_empty() {
            writeln!(text, "\n{}", wrapped(&format!("*Details.* {}", known.details))).unwrap();
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src/measures.md");
    hold(&path, &text);
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
