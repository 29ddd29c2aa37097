//! `parlour lsp`: responses and notifications that an editor receives from the real process.

use crate::editor::Editor;
use crate::folder::{files, texts};
use crate::recorded::assert_recorded;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Separator between the requests of a case and the answers.
const RULE: &str = "---\n";

/// Character that marks the position of the cursor in a case.
const CURSOR: &str = "▮";

#[test]
fn language_server_sessions_match_the_recordings() {
    for file in files("tests/cases/editor") {
        let text = fs::read_to_string(&file).unwrap();
        let asked = text.split(RULE).next().unwrap().trim_end();
        let now = format!("{asked}\n{RULE}{}", exchange(asked));
        assert_recorded(&file, &now);
    }
}

/// Runs the lines of a case and returns the requests with their answers. The first line is `game FOLDER`. The lines `in FILE`, `replace
/// TEXT`, `with TEXT` and `at TEXT` open a file, edit it and place the cursor. All other lines are requests.
fn exchange(asked: &str) -> String {
    let mut lines = asked.lines().filter(|line| !line.starts_with('#'));
    let game = lines.next().unwrap().strip_prefix("game ").unwrap();
    let mut editor = Editor::with_game(game);
    let (mut path, mut old, mut at) = (String::new(), String::new(), 0);
    let mut answers = String::new();
    for line in lines {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.replace("\\n", "\n");
        match verb {
            "in" => {
                rest.clone_into(&mut path);
                if !editor.open.contains_key(&path) {
                    editor.open(&path);
                }
            }
            "replace" => old = rest,
            "with" | "at" => {
                let found = if verb == "at" { rest.replace(CURSOR, "") } else { old.clone() };
                let text = editor.open[&path].clone();
                let start = text.find(&found).unwrap_or_else(|| panic!("`{found}` stands in {path}"));
                let new = rest.replace(CURSOR, "");
                if verb == "with" {
                    editor.change(&path, start..start + found.len(), &new);
                }
                at = start + rest.find(CURSOR).unwrap_or(0);
            }
            _ => {
                let answer = ask(&mut editor, verb, &rest, &path, at);
                writeln!(answers, "{line}\n{}", indented(&answer)).unwrap();
            }
        }
    }
    editor.close();
    answers
}

fn indented(text: &str) -> String {
    text.trim_end().lines().fold(String::new(), |all, line| all + "    " + line + "\n")
}

/// Sends the server a request about a position in a file. Returns the answer in the format of the cases.
fn ask(editor: &mut Editor, verb: &str, rest: &str, path: &str, at: usize) -> String {
    let here = editor.at(path, at);
    match verb {
        "completion" => {
            let answer = editor.request("textDocument/completion", here);
            let items = answer["items"].as_array().unwrap();
            let most = rest.parse().unwrap_or(12);
            items.iter().take(most).fold(String::new(), |all, item| {
                all + item["textEdit"]["newText"].as_str().unwrap() + detail(item) + "\n"
            })
        }
        // Reports for each of the given items whether it is offered, with its detail and its documentation.
        "offers" => {
            let answer = editor.request("textDocument/completion", here);
            let items = answer["items"].as_array().unwrap();
            let line = |wanted: &str| {
                let item = items.iter().find(|item| item["label"] == wanted);
                let about = item.and_then(|item| item["documentation"]["value"].as_str()).unwrap_or_default();
                match item {
                    Some(item) => format!("{wanted}{}\n{}", detail(item), indented(about)),
                    None => format!("{wanted} is not offered\n"),
                }
            };
            rest.split(", ").map(line).collect()
        }
        "hover" => {
            let answer = editor.request("textDocument/hover", here);
            answer["contents"]["value"].as_str().unwrap_or("nothing").to_owned()
        }
        "signature" => {
            let answer = editor.request("textDocument/signatureHelp", here);
            let all = answer["signatures"].as_array().cloned().unwrap_or_default();
            let labels = all.iter().map(|one| one["label"].as_str().unwrap().to_owned() + "\n");
            format!("{}argument {}", labels.collect::<String>(), answer["activeParameter"])
        }
        "definition" => places(editor, &editor.at(path, at).clone(), "textDocument/definition"),
        "references" => places(editor, &here, "textDocument/references"),
        "rename" => {
            let mut params = here;
            params["newName"] = json!(rest);
            match editor.try_request("textDocument/rename", params) {
                Err(message) => message,
                Ok(edit) => {
                    let root = editor.uri("");
                    let changes = edit["changes"].as_object().unwrap();
                    let line = |(uri, edits): (&String, &Value)| {
                        format!("{}: {}\n", uri.strip_prefix(&root).unwrap(), edits.as_array().unwrap().len())
                    };
                    changes.iter().map(line).collect()
                }
            }
        }
        "symbols" => {
            let answer = editor.request("textDocument/documentSymbol", here);
            let line = |one: &Value| {
                format!("{} {}:{}\n", one["name"].as_str().unwrap(), one["kind"], one["range"]["start"]["line"])
            };
            answer.as_array().unwrap().iter().map(line).collect()
        }
        "folding" => {
            let answer = editor.request("textDocument/foldingRange", here);
            let line = |one: &Value| format!("{}-{}\n", one["startLine"], one["endLine"]);
            answer.as_array().unwrap().iter().map(line).collect()
        }
        "colors" => {
            let answer = editor.request("textDocument/semanticTokens/full", here);
            format!("{} names", answer["data"].as_array().unwrap().len() / 5)
        }
        "lenses" => {
            let answer = editor.request("textDocument/codeLens", here);
            let line = |one: &Value| {
                format!("{}: {}\n", one["range"]["start"]["line"], one["command"]["title"].as_str().unwrap())
            };
            answer.as_array().unwrap().iter().map(line).collect()
        }
        "wrong" => {
            // The diagnostics that were sent last belong to the current text.
            editor.wait_for_diagnostics();
            let wanted = rest.to_owned();
            editor.wait_until(|wrong| wrong.values().flatten().any(|one| wanted.is_empty() || one["code"] == *wanted));
            told(&editor.diagnostics)
        }
        "fixes" => fixes(editor, path),
        other => panic!("`{other}` cannot be asked"),
    }
}

/// Returns the detail of a completion item, preceded by a colon, or an empty string.
fn detail(item: &Value) -> &str {
    let detail = item["detail"].as_str().unwrap_or_default();
    if detail.is_empty() { "" } else { Box::leak(format!(": {detail}").into_boxed_str()) }
}

/// Returns the locations that a request finds, one per line.
fn places(editor: &mut Editor, here: &Value, method: &str) -> String {
    let mut here = here.clone();
    here["context"] = json!({ "includeDeclaration": true });
    let answer = editor.request(method, here);
    let root = editor.uri("");
    let line = |one: &Value| {
        let path = one["uri"].as_str().unwrap().strip_prefix(&root).unwrap().to_owned();
        format!("{path} {}:{}\n", one["range"]["start"]["line"], one["range"]["start"]["character"])
    };
    answer.as_array().unwrap().iter().map(line).collect()
}

/// Returns the diagnostics of all files, one per line.
fn told(wrong: &BTreeMap<String, Vec<Value>>) -> String {
    let mut text = String::new();
    for (path, all) in wrong {
        for one in all {
            let start = &one["range"]["start"];
            let (line, character) = (&start["line"], &start["character"]);
            let code = one["code"].as_str().unwrap();
            writeln!(text, "{path} {line}:{character} {code}: {}", one["message"].as_str().unwrap()).unwrap();
        }
    }
    text
}

/// Returns the quick fixes for the diagnostics of a file, each with its edits.
fn fixes(editor: &mut Editor, path: &str) -> String {
    let mut text = String::new();
    for one in editor.diagnostics.get(path).cloned().unwrap_or_default() {
        let params = json!({
            "textDocument": { "uri": editor.uri(path) },
            "range": one["range"],
            "context": { "diagnostics": [one] },
        });
        let actions = editor.request("textDocument/codeAction", params);
        for action in actions.as_array().unwrap().iter().filter(|action| action["kind"] == "quickfix") {
            writeln!(text, "{}", action["title"].as_str().unwrap()).unwrap();
            for (_, edits) in action["edit"]["changes"].as_object().unwrap() {
                for edit in edits.as_array().unwrap() {
                    let start = &edit["range"]["start"];
                    writeln!(text, "  {}:{} {}", start["line"], start["character"], edit["newText"]).unwrap();
                }
            }
        }
    }
    text
}

/// Renames the symbol at a position in a file, applies the edits, and asserts that all playscripts still pass.
fn renamed(editor: &mut Editor, (path, at): (&str, usize), name: &str) {
    editor.open(path);
    let mut params = editor.at(path, at);
    params["newName"] = json!(name);
    let edit = editor.request("textDocument/rename", params);
    let root = editor.uri("");
    for (uri, edits) in edit["changes"].as_object().unwrap() {
        let path = uri.strip_prefix(&root).unwrap();
        let mut text = editor.folder().read(path);
        let mut edits = edits.as_array().unwrap().clone();
        edits.reverse();
        for edit in edits {
            let byte = |which: &str| {
                let line = edit["range"][which]["line"].as_u64().unwrap() as usize;
                let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
                start + edit["range"][which]["character"].as_u64().unwrap() as usize
            };
            let span = byte("start")..byte("end");
            text.replace_range(span, edit["newText"].as_str().unwrap());
        }
        editor.folder().write(path, text);
    }
    let said = crate::program::parlour(editor.folder(), &["test", "."]);
    assert_eq!(said.code, 0, "{}", said.all());
}

#[test]
fn renaming_a_zone_updates_every_file() {
    let mut editor = Editor::with_game("examples/games/little-tricks");
    let at = editor.folder().read("rules/play.rhai").find("seat.hand").unwrap() + "seat.h".len();
    renamed(&mut editor, ("rules/play.rhai", at), "held");
    let rules = editor.folder().read("rules/play.rhai");
    assert!(!rules.contains(".hand") && rules.contains("first.hand_") == rules.contains("hand_first"), "{rules}");
    assert!(editor.folder().read("game.toml").contains("[zones.held]"));
    assert!(editor.folder().read("plays/rules.play").contains("Ann.held.top"));
    editor.close();
}

#[test]
fn renaming_updates_set_statements_in_playscripts() {
    for (before, old, new, set) in [
        ("[kinds.", "card", "sheet", "kinds.card.name.en=\"Sheet\""),
        ("\n", "played_out", "all_played", "endings.played_out.en=\"Done\""),
        ("\n", "takes", "wins", "says.takes.en=\"{seat} wins\""),
    ] {
        let mut editor = Editor::with_game("examples/games/little-tricks");
        let path = if before == "[kinds." { "components/cards.toml" } else { "game.toml" };
        let play = format!("game little-tricks\nplayers Ann Ben\nset {}\nexpect asked Ann\n", set.replace('=', " = "));
        editor.folder().write("plays/set.play", play);
        let at = editor.folder().read(path).find(&format!("{before}{old}")).unwrap() + before.len() + 1;
        renamed(&mut editor, (path, at), new);
        let play = editor.folder().read("plays/set.play");
        assert!(play.contains(&format!(".{new}.")) && !play.contains(old), "{play}");
        editor.close();
    }
}

#[test]
fn renaming_a_decision_renames_the_agents_rate_function() {
    // Renames the decision at its declaration, and at the function of an agent that rates it.
    for (path, before) in [("game.toml", "[decisions."), ("agents/merchant.rhai", "fn rate_")] {
        let mut editor = Editor::with_game("examples/games/spice-caravan");
        let at = editor.folder().read(path).find(&format!("{before}give")).unwrap() + before.len() + 1;
        renamed(&mut editor, (path, at), "part_with");
        assert!(editor.folder().read("game.toml").contains("[decisions.part_with]"));
        let agent = editor.folder().read("agents/merchant.rhai");
        assert!(agent.contains("fn rate_part_with(seat, card)") && !agent.contains("rate_give"), "{agent}");
        editor.close();
    }
}

#[test]
fn renaming_components_kinds_and_fields_updates_files_or_is_refused() {
    for (game, path, before, old, new, gone) in [
        ("examples/games/kuhn-poker", "components/cards.toml", "id = \"", "jack", "knave-1", "\"jack\""),
        ("examples/games/kuhn-poker", "components/cards.toml", "", "strength", "might", "strength"),
        ("examples/games/missing-lantern", "components/lanterns.toml", "[kinds.", "lantern", "lamp", "[[lantern]]"),
        ("games/last-will", "components/companions.toml", "", "serves", "stands_for", ".serves"),
    ] {
        let mut editor = Editor::with_game(game);
        let text = editor.folder().read(path);
        let at = text.find(&format!("\n{before}{old}")).unwrap_or_else(|| panic!("{old}: {text}")) + before.len() + 2;
        renamed(&mut editor, (path, at), new);
        for (path, text) in texts(editor.folder()).into_iter().filter(|(path, _)| is_read(path)) {
            let mut code = text.lines().filter(|line| !line.trim_start().starts_with(['#', '/']));
            assert_eq!(code.find(|line| line.contains(gone)), None, "{game} {path}: {old}");
        }
        editor.close();
    }
    // Rules can build texts from this name at run time, so its uses cannot all be found. The editor is told what would fail, and no file is
    // changed.
    let mut editor = Editor::with_game("games/stockpile");
    let at = editor.folder().read("components/investors.toml").find("\"bernie\"").unwrap() + 1;
    editor.open("components/investors.toml");
    let mut params = editor.at("components/investors.toml", at);
    params["newName"] = json!("barney");
    let refused = editor.try_request("textDocument/rename", params).unwrap_err();
    assert!(refused.starts_with("`barney` would not do: in plays/tables.play, "), "{refused}");
    editor.close();
    // Shuffles depend on names. With another name, the card would have another position in the deck of a recorded game.
    let mut editor = Editor::with_game("examples/games/spice-caravan");
    let at = editor.folder().read("components/spices.toml").find("\"clove\"").unwrap() + 1;
    editor.open("components/spices.toml");
    let mut params = editor.at("components/spices.toml", at);
    params["newName"] = json!("anise");
    let refused = editor.try_request("textDocument/rename", params).unwrap_err();
    let recorded = "`anise` would not do: shuffles go by the names of zones and components, so plays/recorded_";
    assert!(refused.starts_with(recorded), "{refused}");
    editor.close();
}

/// Writes a game whose cards are in a spreadsheet.
fn with_sheet(folder: &crate::folder::Folder, sheet: &str, text: impl AsRef<[u8]>) {
    for (path, text) in texts("examples/games/kuhn-poker") {
        folder.write(&path, text);
    }
    folder.write("components/cards.toml", "");
    folder.write(sheet, text);
}

const CARDS: &str = "id,name,name.zh-Hant,strength\njack,Jack,傑克,1\nqueen,Queen,皇后,2\nking,King,國王,3\n";

#[test]
fn definitions_in_csv_files_are_found_and_renamed() {
    let folder = crate::folder::Folder::new("editor");
    with_sheet(&folder, "components/card.csv", CARDS);
    let rules = folder.read("rules/play.rhai");
    let at = rules.find("strength").unwrap();
    let mut editor = Editor::in_folder(folder);
    editor.open("rules/play.rhai");
    let here = editor.at("rules/play.rhai", at);
    assert!(places(&mut editor, &here, "textDocument/definition").contains("components/card.csv 0:21"));
    let mut params = editor.at("rules/play.rhai", at);
    params["newName"] = json!("might");
    let edit = editor.request("textDocument/rename", params);
    let uri = editor.uri("components/card.csv");
    assert_eq!(edit["changes"][&uri].as_array().unwrap().len(), 1, "{edit}");
    editor.close();
}

#[test]
fn spreadsheets_saved_by_other_programs_are_checked_again() {
    let folder = crate::folder::Folder::new("editor");
    with_sheet(&folder, "components/card.csv", CARDS);
    let mut editor = Editor::in_folder(folder);
    editor.open("rules/play.rhai");
    editor.wait_for_diagnostics();
    editor.folder().write("components/card.csv", CARDS.replace("Jack,傑克,1", "Jack,傑克,1.5"));
    editor.wait_until(|wrong| told(wrong).contains("components/card.csv"));
    editor.folder().write("components/card.csv", CARDS);
    editor.wait_until(|wrong| !told(wrong).contains("components/card.csv"));
    editor.close();
}

#[test]
fn a_quick_fix_for_a_missing_flow_function_is_offered() {
    let mut editor = Editor::with_game("examples/games/kuhn-poker");
    let rules = editor.folder().read("rules/play.rhai");
    editor.open("game.toml");
    editor.open("rules/play.rhai");
    let game = editor.folder().read("game.toml");
    let named = game.split("setup = [\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    editor.write(
        "game.toml",
        &game.replace(&format!("setup = [\"{named}\""), "setup = [\"lay_out_a_row\", \"shuffle_it\""),
    );
    editor.wait_until(|wrong| told(wrong).contains("lay_out_a_row"));
    assert!(fixes(&mut editor, "game.toml").contains("write the function `lay_out_a_row`"));
    assert!(!rules.contains("lay_out_a_row"));
    editor.close();
}

#[test]
fn run_phase_plays_until_the_next_phase_begins() {
    for (game, phase, until) in [
        ("examples/games/little-tricks", "trick", "until end"),
        ("games/stockpile", "information", "until phase supply"),
        ("games/stockpile", "selling", "until phase movement"),
    ] {
        let mut editor = Editor::with_game(game);
        editor.open("game.toml");
        let arguments = json!([editor.uri("game.toml"), phase]);
        let params = json!({ "command": "parlour.run_phase", "arguments": arguments });
        let said = editor.request("workspace/executeCommand", params);
        let said = said.as_str().unwrap();
        assert!(said.starts_with(&format!("played {until}\n")) && said.lines().count() > 5, "{game} {phase}: {said}");
        editor.close();
    }
}

#[test]
fn diagnostics_are_cleared_once_fixed() {
    let mut editor = Editor::with_game("examples/games/tic-tac-toe");
    let path =
        texts("examples/games/tic-tac-toe").into_iter().map(|(path, _)| path).find(|path| path.starts_with("rules/"));
    let path = path.unwrap();
    editor.open(&path);
    editor.wait_for_diagnostics();
    let text = editor.open[&path].clone();
    editor.change(&path, text.len()..text.len(), "fn broken( {");
    editor.wait_until(|wrong| wrong.get(&path).is_some_and(|all| !all.is_empty()));
    editor.write(&path, &text);
    editor.wait_until(|wrong| wrong.get(&path).is_some_and(Vec::is_empty));
    editor.close();
}

#[test]
fn unknown_requests_and_files_get_errors_or_null_and_commands_work() {
    let mut editor = Editor::with_game("examples/games/little-tricks");
    editor.open("rules/play.rhai");
    let unknown = editor.try_request("textDocument/knitting", json!({}));
    assert_eq!(unknown.unwrap_err(), "`textDocument/knitting` is not answered here");
    // Requests about files outside a game, and about names that are not files, have empty answers.
    for uri in ["file:///nowhere/at/all.rhai", "untitled:1"] {
        let here = json!({ "textDocument": { "uri": uri }, "position": { "line": 0, "character": 0 } });
        assert_eq!(editor.request("textDocument/hover", here), Value::Null);
    }
    let scene =
        json!({ "command": "parlour.run", "arguments": [editor.uri("plays/rules.play"), "the most points win"] });
    let said = editor.request("workspace/executeCommand", scene);
    assert!(said.as_str().unwrap().starts_with("\"the most points win\" holds"), "{said}");
    let line = json!({ "command": "parlour.table", "arguments": [editor.uri("plays/rules.play"), 9] });
    let said = editor.request("workspace/executeCommand", line);
    assert!(said.as_str().unwrap().contains("Ann.played"), "{said}");
    let phase = json!({ "command": "parlour.phase", "arguments": [editor.uri("game.toml"), "trick"] });
    let said = editor.request("workspace/executeCommand", phase);
    assert!(said.as_str().unwrap().contains("hand"), "{said}");
    editor.close();
}

/// Makes random edits that no person would make. The server must keep running, and report the same diagnostics in the end as before the
/// edits.
#[test]
fn random_edits_do_not_crash_the_language_server() {
    let edits: u64 = std::env::var("PARLOUR_EDITS").ok().and_then(|number| number.parse().ok()).unwrap_or(100);
    for (number, game) in ["examples/games/little-tricks", "games/stockpile"].into_iter().enumerate() {
        let mut editor = Editor::with_game(game);
        let all: Vec<String> = texts(game).into_iter().map(|(path, _)| path).filter(|path| is_read(path)).collect();
        for path in &all {
            editor.open(path);
        }
        let mut state = 7 + number as u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below.max(1)
        };
        let whole = editor.open.clone();
        for turn in 0..edits {
            let path = all[random(all.len())].clone();
            let text = editor.open[&path].clone();
            let mut start = random(text.len());
            while !text.is_char_boundary(start) {
                start -= 1;
            }
            let mut end = (start + random(12)).min(text.len());
            while !text.is_char_boundary(end) {
                end += 1;
            }
            let pieces = [
                "",
                ".",
                "\"",
                "{",
                "}",
                "(",
                "[zones.",
                "= ",
                "seat.",
                "choose(seat, \"",
                "縱",
                "\n",
                "scene \"",
                "😀",
            ];
            editor.change(&path, start..end, pieces[random(pieces.len())]);
            let at = start.min(editor.open[&path].len());
            let here = editor.at(&path, at);
            for method in [
                "textDocument/completion",
                "textDocument/hover",
                "textDocument/signatureHelp",
                "textDocument/definition",
                "textDocument/documentSymbol",
                "textDocument/foldingRange",
                "textDocument/semanticTokens/full",
                "textDocument/codeLens",
            ]
            .into_iter()
            .skip(random(8))
            .take(2)
            {
                editor.request(method, here.clone());
            }
            if turn % 10 == 9 {
                editor.write(&path, &whole[&path]);
            }
        }
        for (path, text) in &whole {
            editor.write(path, text);
        }
        editor.wait_until(|wrong| wrong.values().all(Vec::is_empty));
        editor.close();
    }
}

fn is_read(path: &str) -> bool {
    let end = Path::new(path).extension().and_then(|end| end.to_str());
    matches!(end, Some("toml" | "rhai")) || end == Some("play") && !path.contains("recorded")
}
