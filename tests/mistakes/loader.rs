//! Diagnostics of a game's data.
//!
//! The text of a case starts with the first part of `game.toml`, to which [`REST`] is appended. `=== path` begins another file of the game.
//! `=== game.toml` replaces the whole file, and `=== nothing` omits it. `=== --players 5`, `=== --option name=value` and `=== --set
//! path=value` set choices before the model is built. `=== link path`, `=== folder path` and `=== bytes path` (for a file that is not
//! UTF-8) create special entries in a real folder.

use crate::case::{Case, check};
use crate::folder::Folder;
use parlour::diagnostic::Diagnostics;
use parlour::faces::Faces;
use parlour::loader::{Choices, Files, Package};
use std::fs;
use std::sync::Arc;

/// Minimal end of a `game.toml`, which is appended to the text of each case.
pub(crate) const REST: &str = r#"
[game]
id = "tiny"
name = "Tiny"
players = { min = 2, max = 4 }
[flow]
setup = ["set_up"]
"#;

fn package(case: &Case) -> Result<Arc<Package>, Diagnostics> {
    let mut texts = vec![("game.toml".to_owned(), format!("{}{REST}", case.text))];
    if case.has("game.toml") || case.has("nothing") {
        texts.clear();
    }
    texts.extend(case.more.iter().filter(|(name, _)| name.contains('.') && !name.contains(' ')).cloned());
    let special: Vec<(&str, &str)> =
        ["link", "folder", "bytes"].into_iter().filter_map(|word| Some((word, case.after(word)?))).collect();
    let files = if special.is_empty() { Files::from_texts("tiny", texts)? } else { from_folder(&texts, &special)? };
    Package::parse(files)
}

/// Writes the files and the special entries to a temporary folder, and reads the game's files from there.
fn from_folder(texts: &[(String, String)], special: &[(&str, &str)]) -> Result<Files, Diagnostics> {
    let folder = Folder::new("case");
    for name in ["components", "overlays", "rules"] {
        fs::create_dir_all(folder.at(name)).unwrap();
    }
    for (path, text) in texts {
        folder.write(path, text);
    }
    for (word, path) in special {
        match *word {
            #[cfg(unix)]
            "link" => crate::unix::link(folder.at("game.toml"), folder.at(path)),
            #[cfg(not(unix))]
            "link" => unreachable!("cases with links are skipped on this system"),
            "folder" => fs::create_dir_all(folder.at(path)).unwrap(),
            _ => _ = folder.write(path, b"fn fine() {}\n// \xff\n"),
        }
    }
    Files::read(&folder.0)
}

/// Returns the choices that a case sets; `None` if it sets none.
fn choices(case: &Case) -> Option<Choices> {
    let pair = |word| case.after(word).map(|pair| pair.split_once('=').unwrap());
    let pairs = |word| pair(word).map(|(name, value)| (name.to_owned(), value.to_owned())).into_iter().collect();
    let players = case.after("--players").map(|number| number.parse().unwrap());
    let choices = Choices { players: players.unwrap_or(2), options: pairs("--option"), sets: pairs("--set") };
    case.more.iter().any(|(name, _)| name.starts_with("--")).then_some(choices)
}

/// Returns the diagnostics of a case, or `nothing`.
pub(crate) fn diagnostics(case: &Case) -> String {
    let package = match package(case) {
        Ok(package) => package,
        Err(found) => return found.to_string(),
    };
    match choices(case) {
        Some(choices) => package.build(&choices).map_or_else(|found| found.to_string(), |_| "nothing".to_owned()),
        None => Some(package.check())
            .filter(|found| !found.0.is_empty())
            .or_else(|| Some(faces(case, &package)).filter(|found| !found.0.is_empty()))
            .or_else(|| Some(package.lone_words(|_| false)).filter(|found| !found.0.is_empty()))
            .map_or("nothing".to_owned(), |found| found.to_string()),
    }
}

/// Returns the diagnostics of the card face templates.
fn faces(case: &Case, package: &Arc<Package>) -> Diagnostics {
    let file = |name: &str| case.more.iter().find(|(path, _)| *path == format!("faces/{name}"));
    Faces::check(&Arc::new(package.outline()), &|name| file(name).map(|(_, text)| text.as_bytes().to_vec()))
}

#[test]
fn diagnostics_of_data_match_the_cases() {
    check("loader", diagnostics);
}
