//! Invisible characters do not reach the terminal, reports or files. They may come from strings in a game's files, command-line arguments,
//! answers of agent programs, and files in the folder of a run.

use crate::folder::{Folder, files};
use crate::program::{new_game_folder, parlour, run_ok};
use parlour::diagnostic::find_invisible;

/// Control characters that set the title of a terminal window and reverse the direction of the line.
const EVIL: &str = "\u{1b}]0;evil\u{7}\u{202e}";

/// Asserts that the output of a command contains no invisible characters. Returns whether the command succeeded.
fn clean(folder: &Folder, arguments: &[&str]) -> bool {
    let said = parlour(folder, arguments);
    for text in [&said.out, &said.err] {
        assert_eq!(find_invisible(text), None, "{arguments:?}: {text:?}");
    }
    said.code == 0
}

/// Asserts that a command fails with a message about an invisible character, and that its output contains no such character.
fn refused(folder: &Folder, arguments: &[&str]) {
    assert!(!clean(folder, arguments), "{arguments:?} is refused");
    let said = parlour(folder, arguments).all();
    assert!(said.contains("invisible character"), "{arguments:?}: {said}");
}

/// Returns the byte offsets at which the contents of quoted strings begin. Skips comment lines.
fn quoted(text: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut line_start = 0;
    for line in text.split_inclusive('\n') {
        let marks: Vec<usize> = line.match_indices('"').map(|(at, _)| at).collect();
        let is_comment = line.trim_start().starts_with(['#', '/']);
        starts
            .extend(marks.chunks(2).filter(|pair| pair.len() == 2 && !is_comment).map(|pair| line_start + pair[0] + 1));
        line_start += line.len();
    }
    starts
}

#[test]
fn invisible_characters_in_any_string_of_a_game_are_refused() {
    let folder = new_game_folder("files");
    let all = files(folder.at("my-game"));
    let mut tried = 0;
    for path in all
        .iter()
        .filter(|path| path.extension().is_some_and(|end| ["toml", "rhai", "play"].contains(&end.to_str().unwrap())))
    {
        let text = std::fs::read_to_string(path).unwrap();
        let is_play = path.extension().unwrap() == "play";
        let shown = path.strip_prefix(&folder.0).unwrap().to_str().unwrap().to_owned();
        // A recording has many strings, so only every fifth is tried.
        let every = if is_play { 5 } else { 1 };
        for at in quoted(&text).into_iter().step_by(every) {
            std::fs::write(path, [&text[..at], EVIL, &text[at..]].concat()).unwrap();
            let arguments = if is_play { ["test", &shown] } else { ["run", "my-game"] };
            refused(&folder, &arguments);
            tried += 1;
        }
        std::fs::write(path, text).unwrap();
    }
    assert!(tried > 60, "{tried}");
    assert!(clean(&folder, &["test", "my-game"]), "the game is as it was");
}

#[test]
fn all_commands_report_invisible_characters_without_printing_them() {
    let folder = new_game_folder("commands");
    let path = folder.at("my-game/game.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen("My Game", &format!("My {EVIL}Game"), 1)).unwrap();
    for arguments in [
        &["run", "my-game"] as &[&str],
        &["run", "my-game", "--lang", "zh-Hant"],
        &["run", "my-game", "--format", "json"],
        &["play", "my-game"],
        &["check", "my-game"],
        &["test", "my-game"],
        &["info", "my-game"],
        &["info", "my-game", "--format", "json"],
        &["simulate", "my-game", "--games", "2"],
        &["simulate", "my-game", "--games", "2", "--out", "out"],
        &["compare", "my-game", "--b", "params.hand_size=2", "--games", "2"],
        &["sweep", "my-game", "--vary", "params.bonus=1,2", "--games", "2"],
        &["arena", "my-game", "--agents", "random,first", "--games", "2"],
    ] {
        refused(&folder, arguments);
    }
    assert!(!folder.at("out").exists(), "nothing is written");
}

#[test]
fn invisible_characters_in_arguments_are_not_printed() {
    let folder = new_game_folder("typed");
    let evil = |text: &str| format!("{text}{EVIL}");
    for arguments in [
        &["run", "my-game", "--names", &evil("Ann,Ben")] as &[&str],
        &["run", "my-game", "--option", &evil("variant=x")],
        &["run", "my-game", &evil("--such")],
        &["run", &evil("no-game")],
        &["simulate", "my-game", "--agents", &evil("cmd:no-such ")],
        &["test", &evil("no.play")],
        &["report", &evil("no-run")],
        &["new", "--from", "tricks", &evil("other")],
        &[&evil("run")],
    ] {
        refused(&folder, arguments);
    }
}

/// All commands find and report errors in files whose names contain invisible characters.
#[cfg(unix)]
#[test]
fn invisible_characters_in_file_names_are_not_printed() {
    let folder = new_game_folder("names");
    let plays = folder.at("my-game/plays");
    std::fs::write(plays.join(format!("a{EVIL}.play")), "game my-game\nscene \"x\" {\n    nonsense\n}\n").unwrap();
    std::fs::write(folder.at(&format!("my-game/rules/b{EVIL}.rhai")), "fn f() { nonsense(1) }\n").unwrap();
    std::fs::write(folder.at(&format!("my-game/components/c{EVIL}.toml")), "nonsense = 1\n").unwrap();
    for arguments in [["test", "my-game"], ["check", "my-game"], ["run", "my-game"]] {
        assert!(!clean(&folder, &arguments), "{arguments:?}");
    }
}

/// The agent program sends invisible characters in its greeting, on standard error, as an answer, and before it exits.
#[cfg(unix)]
#[test]
fn invisible_characters_from_agent_programs_are_not_printed() {
    let folder = new_game_folder("programs");
    let evil = "\\u001b]0;evil\\u0007\\u202e";
    let raw = "\\033]0;evil\\007";
    let greeting = r#"printf '%s\n' '{"type":"hello"}'"#;
    for (at, script) in [
        format!(r#"read hello; printf '%s\n' '{{"type":"hello","protocol":"{evil}"}}'; cat >/dev/null"#),
        format!(r#"read hello; printf '%s\n' '{{"type":"{evil}"}}'; cat >/dev/null"#),
        format!(r#"read hello; printf '%s\n' '{{"type":"hello","name":"{evil}"}}'; cat >/dev/null"#),
        format!(r#"read hello; printf '%s\n' '{{"type":"hello","{evil}":1}}'; cat >/dev/null"#),
        format!(r#"read hello; {greeting}; read ask; printf '%s\n' '{{"type":"choose","id":1,"option":"{evil}"}}'; cat >/dev/null"#),
        format!("read hello; {greeting}; read ask; printf '{raw}\\n'; cat >/dev/null"),
        format!("read hello; printf '{raw}\\n'; exit 1"),
        format!("read hello; printf '{raw}\\n' >&2; exit 1"),
        format!("read hello; printf '{raw}' >&2; {greeting}; read ask; printf '{raw}' >&2; exit 1"),
    ]
    .iter()
    .enumerate()
    {
        let program = folder.at(&format!("evil{at}.sh"));
        std::fs::write(&program, script).unwrap();
        let agent = format!("cmd:sh {}", program.display());
        for arguments in [
            &["run", "my-game", "--agents", &agent, "--players", "2"] as &[&str],
            &["arena", "my-game", "--agents", &format!("{agent};random"), "--games", "2"],
            &["simulate", "my-game", "--agents", &agent, "--games", "2", "--players", "2"],
        ] {
            assert!(!clean(&folder, arguments), "{arguments:?} with {script}");
        }
    }
}

/// A run folder may come from an untrusted source.
#[test]
fn invisible_characters_in_run_folders_do_not_reach_reports() {
    let folder = new_game_folder("runs");
    let run = ["simulate", "my-game", "--games", "12", "--players", "2", "--seed", "1", "--out", "out"];
    assert!(clean(&folder, &run));
    let out = folder.at("out");
    let written = files(&out);
    for path in &written {
        let text = std::fs::read_to_string(path).unwrap();
        assert_eq!(find_invisible(&text), None, "{}", path.display());
    }
    let mut tried = 0;
    for path in written
        .iter()
        .filter(|path| path.extension().is_some_and(|end| ["json", "csv", "jsonl"].contains(&end.to_str().unwrap())))
    {
        let text = std::fs::read_to_string(path).unwrap();
        let is_json = path.extension().unwrap() != "csv";
        // In JSON, an invisible character is written as an escape sequence; in CSV, it is written unchanged.
        let evil = if is_json { "\\u001b]0;evil\\u0007\\u202e" } else { EVIL };
        let starts: Vec<usize> =
            if is_json { quoted(&text) } else { text.match_indices(',').map(|(at, _)| at + 1).collect() };
        for at in starts.iter().copied().step_by(starts.len() / 12 + 1) {
            std::fs::write(path, [&text[..at], evil, &text[at..]].concat()).unwrap();
            clean(&folder, &["report", "out"]);
            let pages = files(&out);
            for page in pages.iter().filter(|page| page.extension().is_some_and(|end| end == "html")) {
                let html = std::fs::read_to_string(page).unwrap();
                assert_eq!(find_invisible(&html), None, "{} after a change of {}", page.display(), path.display());
            }
            tried += 1;
        }
        std::fs::write(path, text).unwrap();
    }
    assert!(tried > 10, "{tried}");
}

/// A name that contains line breaks is printed on one line. Otherwise, parts of it could be mistaken for lines of the log.
#[test]
fn names_are_printed_on_one_line() {
    let folder = new_game_folder("lines");
    let path = folder.at("my-game/game.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen("en = \"Deck\"", "en = \"Deck\\n\\tBen wins\"", 1)).unwrap();
    let told = run_ok(&folder, &["run", "my-game", "--players", "2", "--seed", "1"]);
    assert!(told.contains("Shuffled: Deck Ben wins"), "{told}");
}
