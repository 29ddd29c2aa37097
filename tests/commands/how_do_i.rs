//! Page "How do I …": every answer is a game in which `parlour check` finds no mistakes and which can be played to its end.
//!
//! The text before the first answer is the skeleton of all games. The `toml` blocks of an answer are merged into it like an overlay: tables
//! by key, and rows of components by id. A function in a `rhai` block replaces the function of the same name in the skeleton.

use crate::folder::Folder;
use crate::program::{ROOT, parlour};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use toml::{Table, Value};

/// Returns the concatenated contents of all blocks in a text that have the given language.
fn blocks(text: &str, language: &str) -> String {
    let begin = format!("\n```{language}\n");
    text.split(&begin).skip(1).map(|rest| rest.split_once("\n```\n").unwrap().0.to_owned() + "\n").collect()
}

/// Splits a script into its functions, each with the comments above it.
fn functions(script: &str) -> Vec<String> {
    let mut functions = vec![String::new()];
    for line in script.split_inclusive('\n') {
        functions.last_mut().unwrap().push_str(line);
        if line.starts_with('}') || (line.starts_with("fn ") && line.ends_with("}\n")) {
            functions.push(String::new());
        }
    }
    functions.retain(|function| !function.trim().is_empty());
    functions
}

/// Returns the name of a function.
fn name(function: &str) -> &str {
    let head = function.lines().find_map(|line| line.strip_prefix("fn ")).unwrap_or_else(|| panic!("{function}"));
    head.split('(').next().unwrap()
}

/// Merges the table `above` into the table `below`.
fn lay_over(below: &mut Table, above: Table) {
    for (key, value) in above {
        match (below.get_mut(&key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => lay_over(below, above),
            (Some(Value::Array(below)), Value::Array(above)) if above.iter().all(|row| row.get("id").is_some()) => {
                for row in above {
                    lay_row(below, row);
                }
            }
            (_, value) => _ = below.insert(key, value),
        }
    }
}

/// Merges the row of a component into the row with the same id, or appends it.
fn lay_row(below: &mut Vec<Value>, row: Value) {
    match below.iter_mut().find(|known| known.get("id") == row.get("id")) {
        Some(Value::Table(known)) => lay_over(known, row.try_into().unwrap()),
        _ => below.push(row),
    }
}

/// Returns the skeleton of the page, and its answers, each beginning with its title.
pub(super) fn page() -> (String, Vec<String>) {
    let page = fs::read_to_string(Path::new(ROOT).join("docs/src/how-do-i.md")).unwrap();
    let mut parts = page.split("\n### ").map(str::to_owned);
    (parts.next().unwrap(), parts.collect())
}

/// Writes the game of an answer to a folder.
pub(super) fn write(folder: &Folder, skeleton: &str, answer: &str) {
    let mut data: Table = blocks(skeleton, "toml").parse().unwrap();
    lay_over(&mut data, blocks(answer, "toml").parse().unwrap_or_else(|found| panic!("{answer}\n{found}")));
    let (rows, data): (Table, Table) = data.into_iter().partition(|(_, value)| value.is_array());
    let own = functions(&blocks(answer, "rhai"));
    let names: BTreeSet<&str> = own.iter().map(|function| name(function)).collect();
    let mut rules = functions(&blocks(skeleton, "rhai"));
    rules.retain(|function| !names.contains(name(function)));
    folder.write("answer/game.toml", data.to_string());
    folder.write("answer/components/all.toml", rows.to_string());
    folder.write("answer/rules/play.rhai", format!("{}{}", own.concat(), rules.concat()));
}

#[test]
fn every_recipe_passes_check() {
    let (skeleton, answers) = page();
    let mut wrong = Vec::new();
    for answer in &answers {
        let title = answer.lines().next().unwrap();
        assert!(!blocks(answer, "rhai").is_empty(), "`{title}` shows no rules");
        let folder = Folder::new("answer");
        write(&folder, &skeleton, answer);
        let checked = parlour(&folder, &["check", "answer"]);
        let is_note = |line: &str| line.is_empty() || line.starts_with("note: never reached by ");
        let is_clean = checked.out.starts_with("answer: no mistakes found (") && checked.out.lines().count() == 1;
        if !(is_clean && checked.err.lines().all(is_note)) {
            wrong.push(format!("## {title}\n{}", checked.all()));
        }
    }
    assert!(wrong.is_empty(), "{} of {} answers are wrong:\n{}", wrong.len(), answers.len(), wrong.join("\n"));
    assert!(answers.len() >= 63, "{} answers were found", answers.len());
}

/// Returns the name of the file with an answer's scenes: the anchor that links use for the title.
fn anchor(answer: &str) -> String {
    let title = answer.lines().next().unwrap().to_lowercase();
    let kept: String = title.chars().filter(|sign| sign.is_alphanumeric() || " -".contains(*sign)).collect();
    kept.replace(' ', "-")
}

/// Each answer has scenes that show its mechanism, in particular where a seat could be asked the wrong question or not at all.
#[test]
fn every_recipe_has_passing_scenes() {
    let (skeleton, answers) = page();
    let recipes = Path::new(ROOT).join("tests/commands/recipes");
    let mut wrong = Vec::new();
    for answer in &answers {
        let name = anchor(answer);
        let scenes = fs::read_to_string(recipes.join(format!("{name}.play")));
        let scenes = scenes.unwrap_or_else(|found| panic!("no scenes for `{name}`: {found}"));
        let folder = Folder::new("answer");
        write(&folder, &skeleton, answer);
        folder.write("answer/plays/scenes.play", scenes);
        let said = parlour(&folder, &["test", "answer"]).all();
        if !said.ends_with(" passed, 0 failed\n") {
            wrong.push(format!("## {name}\n{said}"));
        }
    }
    assert!(wrong.is_empty(), "{} answers play otherwise:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(fs::read_dir(recipes).unwrap().count(), answers.len(), "scenes of an answer that is not on the page");
}

/// Ensures that tests run every block on the page.
#[test]
fn every_code_block_on_the_page_is_tested() {
    let (skeleton, answers) = page();
    let count = |text: &str| text.lines().filter(|line| line.starts_with("```")).count();
    let run = |text: &str| 2 * (text.matches("\n```toml\n").count() + text.matches("\n```rhai\n").count());
    for part in answers.iter().chain([&skeleton]) {
        assert_eq!(count(part), run(part), "a block is neither `toml` nor `rhai`:\n{part}");
    }
    let titles: BTreeSet<&str> = answers.iter().map(|answer| answer.lines().next().unwrap()).collect();
    assert_eq!(titles.len(), answers.len(), "two answers have one title");
}

#[test]
fn every_recipe_is_listed_at_the_top_of_the_page() {
    let (skeleton, answers) = page();
    let listed = skeleton.rsplit_once("\nMechanics by topic:\n").unwrap().1;
    for answer in &answers {
        let link = format!("(#{})", anchor(answer));
        assert!(listed.contains(&link), "{link} is not listed");
    }
    let links = listed.matches("](#").count();
    let groups = listed.matches("\n- [").count();
    assert_eq!(links, answers.len() + groups, "what is listed has an answer");
}
