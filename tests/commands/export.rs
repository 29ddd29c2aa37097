//! Tests of exported pages, which play a game without a server: the content of a page, and extracting the game from it.
//! `tests/browser/page.py` tests the pages in a browser, and `page/check.sh` tests that they play games exactly like the program.

use crate::folder::Folder;
use crate::program::{ROOT, assert_usage_error, run_ok};
use std::fs;
use std::path::Path;

/// Creates a folder with a file that `parlour export` accepts as the engine of pages. The file cannot be run.
fn with_engine(name: &str) -> Folder {
    let folder = Folder::new(name);
    let mark = format!("\0asm\u{1}\0\0\0parlour-page {}\n", env!("CARGO_PKG_VERSION"));
    fs::write(folder.at("engine.wasm"), mark).unwrap();
    folder
}

fn export<'a>(game: &'a str, out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["export", game, "--out", out, "--module", "engine.wasm"], more].concat()
}

#[test]
fn a_single_file_export_embeds_the_game_and_can_be_imported() {
    let folder = with_engine("export-page");
    let game = format!("{ROOT}/games/stockpile");
    run_ok(&folder.0, &export(&game, "stockpile.html", &["--single-file"]));
    let text = fs::read_to_string(folder.at("stockpile.html")).unwrap();
    assert!(text.starts_with("<!DOCTYPE html>"));
    let policy = text.split_once("Content-Security-Policy\" content=\"").unwrap().1.split_once('"').unwrap().0;
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe-inline"), "{policy}");
    assert_eq!(policy.matches("'sha256-").count(), 7, "one for each script and one for the styles: {policy}");
    run_ok(&folder.0, &["new", "own", "--from", "stockpile.html"]);
    for part in ["rules", "components", "agents", "faces"] {
        for entry in fs::read_dir(Path::new(&game).join(part)).into_iter().flatten() {
            let file = entry.unwrap().file_name();
            let before = fs::read(Path::new(&game).join(part).join(&file)).unwrap();
            assert!(before == fs::read(folder.at("own").join(part).join(&file)).unwrap(), "{file:?}");
        }
    }
    run_ok(&folder.0, &["test", "own"]);
}

#[test]
fn a_folder_export_has_no_inline_code_and_can_be_repeated() {
    let folder = with_engine("export-folder");
    for _ in 0..2 {
        run_ok(&folder.0, &export("tic-tac-toe", "site", &[]));
    }
    let text = fs::read_to_string(folder.at("site/index.html")).unwrap();
    assert!(!text.contains("<script>") && !text.contains("<style>"), "nothing is inline");
    let loaded = text.split("<script src=\"").skip(1).chain(text.split("rel=\"stylesheet\" href=\"").skip(1));
    let names: Vec<&str> = loaded.map(|part| part.split_once('"').unwrap().0).collect();
    assert_eq!(names.len(), 10);
    for name in names {
        assert!(folder.at("site").join(name).is_file(), "{name}");
    }
    fs::write(folder.at("site/mine.txt"), "mine").unwrap();
    assert_usage_error(&folder.0, &export("tic-tac-toe", "site", &[]), &["`mine.txt` in it is not of a page"]);
}

#[test]
fn several_games_are_listed_and_share_the_engine() {
    let folder = with_engine("export-several");
    run_ok(&folder.0, &["new", "mine", "--from", "little-tricks"]);
    let several = export("tic-tac-toe", "site", &["stockpile", "./mine/"]);
    for _ in 0..2 {
        run_ok(&folder.0, &several);
    }
    let list = fs::read_to_string(folder.at("site/index.html")).unwrap();
    for (name, title) in [("tic-tac-toe", "Tic-tac-toe"), ("stockpile", "Stockpile"), ("mine", "Little Tricks")] {
        let link = format!("<a href=\"{}/index.html\">{title}</a>", name.replace('-', "%2D"));
        assert!(list.contains(&link), "{name}: {list}");
        let page = folder.at("site").join(name);
        let text = fs::read_to_string(page.join("index.html")).unwrap();
        let loaded = text.split("<script src=\"").skip(1).chain(text.split("rel=\"stylesheet\" href=\"").skip(1));
        let names: Vec<&str> = loaded.map(|part| part.split_once('"').unwrap().0).collect();
        assert_eq!(names.len(), 10);
        assert!(names.iter().all(|name| name.starts_with("../") && page.join(name).is_file()), "{names:?}");
        assert_eq!(fs::read_dir(page).unwrap().count(), 1, "the engine lies beside the games");
    }
    let twice = export("tic-tac-toe", "other", &["./tic-tac-toe"]);
    assert_usage_error(&folder.0, &twice, &["two of the games are named `tic-tac-toe`"]);
    let single = export("tic-tac-toe", "two.html", &["stockpile", "--single-file"]);
    assert_usage_error(&folder.0, &single, &["a single file has one game"]);
    fs::write(folder.at("site/mine/notes.txt"), "mine").unwrap();
    assert_usage_error(&folder.0, &several, &["`notes.txt` in it is not of a page"]);
    fs::remove_file(folder.at("site/mine/notes.txt")).unwrap();
    assert_usage_error(&folder.0, &export("stockpile", "site", &[]), &["`mine` in it is not of a page"]);
}

#[cfg(unix)]
#[test]
fn export_follows_no_links_below_its_folder() {
    let folder = with_engine("export-link");
    folder.write("outside/index.html", "kept");
    fs::create_dir(folder.at("site")).unwrap();
    crate::unix::link("../outside", folder.at("site/tic-tac-toe"));
    let several = export("tic-tac-toe", "site", &["stockpile"]);
    assert_usage_error(&folder.0, &several, &["`site/tic-tac-toe` is there already"]);
    assert_eq!(folder.read("outside/index.html"), "kept");
}

#[test]
fn export_leaves_out_recordings_links_and_notes() {
    let folder = with_engine("export-secrets");
    run_ok(&folder.0, &["new", "game", "--from", "tic-tac-toe"]);
    for name in ["evening.play", "evening.play.links", "evening.play.notes", "secret.txt", "plays/evening.play.links"] {
        fs::create_dir_all(folder.at("game/plays")).unwrap();
        fs::write(folder.at("game").join(name), "unmistakable").unwrap();
    }
    run_ok(&folder.0, &export("game", "page.html", &["--single-file"]));
    assert!(!fs::read_to_string(folder.at("page.html")).unwrap().contains("unmistakable"));
}

#[test]
fn export_refuses_files_that_are_not_the_engine_module() {
    let folder = with_engine("export-engine");
    for (bytes, why) in [
        (&b"#!/bin/sh\n"[..], "is not a WebAssembly module"),
        (b"\0asm\x01\0\0\0parlour-page 0.0.1\n", "is not the engine of Parlour"),
        (b"\x1f\x8bnothing", "cannot be read"),
    ] {
        fs::write(folder.at("engine.wasm"), bytes).unwrap();
        assert_usage_error(&folder.0, &export("tic-tac-toe", "page.html", &["--single-file"]), &[why]);
        assert!(!folder.at("page.html").exists());
    }
    if option_env!("PARLOUR_PAGE").is_none() {
        let without = ["export", "tic-tac-toe", "--out", "page.html", "--single-file"];
        assert_usage_error(&folder.0, &without, &["--module target/page/engine.wasm.gz"]);
    }
}

#[test]
fn importing_a_malicious_page_writes_nothing() {
    let folder = Folder::new("export-stranger");
    let game = "[\"game.toml\",\"[game]\\nid = \\\"x\\\"\\n\"]";
    let many = format!("{}{game}", format!("{game},").repeat(2_000));
    for (files, why) in [
        ("[\"../outside.txt\",\"x\"]", "a part of its path begins with `.`"),
        ("[\"rules//x\",\"x\"]", "a part of its path is empty"),
        ("[\"rules/nul\",\"x\"]", "Windows keeps the name"),
        ("[\"faces/x.png\",{\"base64\":\"?\"}]", "cannot be read"),
        ("[\"README.md\",\"x\"]", "has no `game.toml`"),
        ("[\"Makefile\",\"x\"]", "it is not a file of a game"),
        ("[\"plays/a.play.links\",\"x\"]", "it is not a file of a game"),
        ("[\"rules/a\\u202e.rhai\",\"x\"]", "its name has an invisible character"),
        ("[\"rules/a.rhai\",\"x\"],[\"rules/A.rhai\",\"y\"]", "has two files named"),
        (&many, "has more than 1000 files"),
        ("[", "cannot be read"),
    ] {
        let head = "<!DOCTYPE html><script type=\"application/json\" id=\"parlour-game\">";
        let text = format!("{head}{{\"name\":\"x\",\"file\":\"\",\"mark\":\"\",\"files\":[{files}]}}</script>");
        fs::write(folder.at("page.html"), text).unwrap();
        assert_usage_error(&folder.0, &["new", "made", "--from", "page.html"], &[why]);
        assert!(!folder.at("made").exists() && !folder.at("outside.txt").exists());
    }
    fs::write(folder.at("page.html"), "<!DOCTYPE html>").unwrap();
    assert_usage_error(&folder.0, &["new", "made", "--from", "page.html"], &["there is no game in"]);
}
