//! Games that result from blocks of the guide. On the guide's site, a *play* button above such a block opens a page that plays the game.
//!
//! A block has a button if it writes or changes a file of a game, and if the game can then be played to its end and asks at least one
//! question. On the page "How do I …", the last block of each answer has a button. A block that quotes a file of a game in the repository
//! has a button for that game.
//!
//! `GUIDE_GAMES=FOLDER cargo test --test commands guide_games` writes all these games to `FOLDER`, with a file `blocks.json` that maps
//! blocks to games. `docs/build` makes pages from the games, and `docs/site/blocks.py` adds the buttons. Without the variable, the test
//! processes only the first chapter.

use crate::folder::{Folder, contents};
use crate::guide::{CHAPTERS, Part, Session, is_chapter, is_run_elsewhere, page, pages, parts};
use crate::how_do_i;
use crate::program::{ROOT, parlour};
use serde_json::{Map, Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Games found so far.
#[derive(Default)]
struct BlockGames {
    /// Folder to which the games are written; `None` if they are not written.
    out: Option<PathBuf>,
    /// For each page, a map from block numbers to games.
    pages: Map<String, Value>,
}

impl BlockGames {
    /// Adds the game of a block. Blocks of a page are counted from 0.
    fn add(&mut self, page: &str, block: usize, game: &str, name: &str) {
        let blocks = self.pages.entry(page).or_insert_with(|| json!({}));
        blocks[block.to_string()] = json!({ "game": game, "name": name });
    }

    /// Adds the game in a folder if it can be played.
    fn add_playable(&mut self, folder: &Path, page: &str, block: usize, name: &str) {
        if !can_be_played(folder) {
            return;
        }
        let id = format!("{page}-{block}");
        if let Some(out) = &self.out {
            for (path, content) in contents(folder) {
                let path = out.join(&id).join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, content).unwrap();
            }
        }
        self.add(page, block, &id, name);
    }

    /// Processes the blocks of a page one by one, in the folder of a session.
    fn read(&mut self, session: &Session, path: &Path) {
        let page = path.file_stem().unwrap().to_str().unwrap();
        let mut parts = parts(&fs::read_to_string(path).unwrap());
        let blocks = parts.iter_mut().filter(|(language, _)| language.is_some());
        for (block, part) in blocks.enumerate() {
            session.read(path, std::slice::from_mut(part));
            if let Some(game) = quoted_game(part) {
                self.add(page, block, &game, &game);
            } else if let Some(game) = changed_game(part) {
                let folder = session.0.at(&game);
                if folder.join("game.toml").is_file() {
                    self.add_playable(&folder, page, block, &game);
                }
            }
        }
    }

    /// Processes the answers of the page "How do I …".
    fn read_answers(&mut self) {
        let (skeleton, answers) = how_do_i::page();
        let blocks = |text: &str| parts(text).iter().filter(|(language, _)| language.is_some()).count();
        let mut end = blocks(&skeleton);
        for answer in &answers {
            end += blocks(answer);
            let folder = Folder::new("answer");
            how_do_i::write(&folder, &skeleton, answer);
            self.add_playable(&folder.at("answer"), "how-do-i", end - 1, answer.lines().next().unwrap());
        }
    }

    /// Returns the number of games of a page.
    fn count(&self, page: &str) -> usize {
        self.pages.get(page).map_or(0, |blocks| blocks.as_object().unwrap().len())
    }
}

/// Returns whether a game reaches its end and asks at least one question.
fn can_be_played(folder: &Path) -> bool {
    let run = parlour(folder, &["run", ".", "--seed", "7", "--format", "json"]);
    let Ok(game) = serde_json::from_str::<Value>(&run.out) else { return false };
    run.code == 0 && game["decisions"].as_u64() > game["forced"].as_u64()
}

/// Returns the folder name of the game in the repository from which a block quotes a file.
fn quoted_game((language, _): &Part) -> Option<String> {
    let path = Path::new(language.as_deref()?.split_once(" from ")?.1);
    let folder = path.ancestors().find(|folder| Path::new(ROOT).join(folder).join("game.toml").is_file())?;
    Some(folder.file_name()?.to_str()?.to_owned())
}

/// Returns the folder of the game whose file a block writes or changes.
fn changed_game((language, text): &Part) -> Option<String> {
    let file = match language.as_deref()?.split_once(' ') {
        None if language.as_deref() == Some("diff") => text.lines().next()?.strip_prefix("--- ")?,
        Some(("toml" | "rhai" | "html" | "csv", file)) => file,
        _ => return None,
    };
    Some(file.split_once('/')?.0.to_owned())
}

#[test]
fn code_blocks_that_complete_a_game_are_playable() {
    let mut games = BlockGames { out: std::env::var_os("GUIDE_GAMES").map(PathBuf::from), ..BlockGames::default() };
    let is_complete = games.out.is_some();
    let session = Session::begin("guide-games");
    for name in CHAPTERS.into_iter().take(if is_complete { CHAPTERS.len() } else { 1 }) {
        games.read(&session, &page(name));
    }
    // Only the first three files together are a game, so the first button is above the third block.
    assert_eq!(games.pages["first-game"].as_object().unwrap().keys().next().unwrap(), "2");
    let Some(out) = games.out.clone() else { return };
    for path in pages().iter().filter(|path| !is_chapter(path) && !is_run_elsewhere(path)) {
        games.read(&Session::begin("guide-page"), path);
    }
    games.read_answers();
    fs::write(out.join("blocks.json"), serde_json::to_string_pretty(&games.pages).unwrap()).unwrap();
    let found: Vec<String> = games.pages.keys().map(|page| format!("{page}: {}", games.count(page))).collect();
    println!("{}", found.join(", "));
    for chapter in CHAPTERS.into_iter().filter(|name| !["playscripts", "simulation"].contains(name)) {
        assert!(games.count(chapter) > 0, "no block of {chapter} can be played");
    }
    assert!(games.count("classics") > 8 && games.count("how-do-i") > 50, "{found:?}");
}
