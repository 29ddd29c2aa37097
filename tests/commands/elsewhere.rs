//! Command-line tests with files that were written on other systems, and with names and paths that are valid on all systems.

use crate::folder::{files, with_crlf_and_bom};
use crate::program::{ROOT, new_game_folder, parlour, run_expecting, run_ok};
use std::path::Path;

#[test]
fn recordings_with_crlf_and_bom_can_be_resumed_and_blessed() {
    let folder = new_game_folder("recording");
    run_ok(&folder, &["run", "my-game", "-p", "2", "-s", "3", "-q", "--record", "my-game/plays/whole.play"]);
    let whole = folder.read("my-game/plays/whole.play");
    let cut: Vec<&str> = whole.split_inclusive('\n').take(12).collect();
    for (file, text) in [("here.play", cut.concat()), ("there.play", with_crlf_and_bom(&cut.concat()))] {
        folder.write(file, text);
    }
    let on = |file: &str| run_ok(&folder, &["run", "my-game", "--from", file, "--agents", "first", "-q"]);
    assert_eq!(on("here.play"), on("there.play"));
    // A `format` line is added to a recording that has none. The byte order mark must not end up before or after this line.
    folder.write("my-game/plays/whole.play", with_crlf_and_bom(whole.strip_prefix("format 2\n").unwrap()));
    run_ok(&folder, &["test", "my-game", "--bless"]);
    assert_eq!(folder.read("my-game/plays/whole.play").replace("\r\n", "\n"), whole);
}

#[test]
fn agents_and_overlays_with_crlf_and_bom_behave_the_same() {
    let folder = new_game_folder("agent");
    let agent = "/// The highest first.\nfn rate_play(seat, option) {\n    option.number\n}\n";
    folder.write("here.rhai", agent);
    folder.write("there.rhai", with_crlf_and_bom(agent));
    let run = |agent: &str| run_ok(&folder, &["run", "my-game", "-p", "2", "-s", "1", "--agents", agent]);
    assert_eq!(run("script:here.rhai"), run("script:there.rhai"));
    let overlay = "[params]\nhand_size = 2\n";
    folder.write("here.toml", overlay);
    folder.write("there.toml", with_crlf_and_bom(overlay));
    let compare = |overlay: &str| {
        let told = run_ok(&folder, &["compare", "my-game", "--b", overlay, "--games", "10", "-s", "1", "-p", "2"]);
        told.replace("there.toml", "here.toml").lines().filter(|line| !line.contains(" a second")).collect::<String>()
    };
    assert_eq!(compare("here.toml"), compare("there.toml"));
}

/// `merge` reads the tables of runs. A mail program or an editor may have changed their line endings.
#[test]
fn merge_reads_tables_with_crlf_line_endings() {
    let folder = new_game_folder("tables");
    for (part, out) in [("1/2", "one"), ("2/2", "two")] {
        let parts = ["--players", "2", "--seed", "5", "--games", "20", "--shard", part, "--out", out];
        run_ok(&folder, &[&["simulate", "my-game"], &parts[..]].concat());
    }
    run_ok(&folder, &["merge", "one", "two", "--out", "here"]);
    let is_table = |path: &Path| path.extension().is_some_and(|ending| ending == "csv");
    for table in files(folder.at("one")).iter().filter(|path| is_table(path)) {
        let text = std::fs::read_to_string(table).unwrap();
        std::fs::write(table, text.replace('\n', "\r\n")).unwrap();
    }
    run_ok(&folder, &["merge", "one", "two", "--out", "there"]);
    for table in files(folder.at("here")).iter().filter(|path| is_table(path)) {
        let name = table.file_name().unwrap();
        assert_eq!(std::fs::read(table).unwrap(), std::fs::read(folder.at("there").join(name)).unwrap(), "{name:?}");
    }
}

#[test]
fn folders_with_names_reserved_on_windows_are_refused() {
    let folder = new_game_folder("reserved");
    for arguments in [
        &["simulate", "my-game", "--games", "2", "-s", "1", "--out", "aux"] as &[&str],
        &["simulate", "my-game", "--games", "2", "-s", "1", "--out", "a/nul/b"],
        &["arena", "my-game", "--agents", "first,random", "--games", "2", "-s", "1", "--out", "end."],
        &["compare", "my-game", "--b", "params.hand_size=2", "--games", "2", "-s", "1", "--out", "con"],
        &["run", "my-game", "-s", "1", "-q", "--record", "com1/a.play"],
        &["new", "a/nul/b"],
    ] {
        let said = parlour(&folder, arguments);
        assert!(said.code == 2 && said.err.contains("Windows "), "{arguments:?}: {}", said.all());
    }
    let mut there: Vec<_> = folder.0.read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    there.sort();
    assert_eq!(there, ["my-game"]);
}

#[test]
fn printed_paths_use_slashes_and_written_files_use_lf() {
    let folder = new_game_folder("paths");
    folder.change("my-game/rules/play.rhai", "deck.shuffle()", "deck.shufle()");
    let path = Path::new("my-game").join("rules");
    let told = run_expecting(1, &folder, &["check", Path::new("my-game").to_str().unwrap()]);
    assert!(told.contains(" --> rules/play.rhai:") && path.ends_with("rules"), "{told}");
    for file in files(folder.at("my-game")) {
        assert!(!std::fs::read(&file).unwrap().contains(&b'\r'), "{}", file.display());
    }
    let told = run_ok(ROOT, &["simulate", "examples/games/goofspiel", "--games", "2", "-s", "1", "-p", "2"]);
    assert!(!told.contains('\\') && !told.contains('\r'), "{told}");
}
