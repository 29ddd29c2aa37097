//! `parlour notes`: prints the notes that people wrote at a table.

use crate::folder::Folder;
use crate::program::{ROOT, parlour, run_expecting, run_ok};
use crate::visitor::TestServer;

/// Creates a folder with a recorded game to which Ann and an onlooker have written notes.
fn with_notes() -> Folder {
    let folder = Folder::new("notes");
    run_ok(&folder, &["new", "game"]);
    let file = folder.path_of("game/evening.play");
    let served = TestServer::new(&folder, &["game", "--players", "2", "--seed", "7", "--save", &file]);
    served.visitor("Ann").post("/do/note", "text=*What*+is+%3Cb%3Etrump%3C%2Fb%3E%3F");
    served.visitor("to watch").post("/do/note", "text=%3DHYPERLINK(%22x%22)");
    drop(served);
    folder
}

#[test]
fn notes_are_printed_with_author_time_position_and_rule_changes() {
    let folder = with_notes();
    let printed = run_ok(&folder, &["notes", "game/evening.play"]);
    assert!(printed.contains("Ann · 20") && printed.contains(" UTC · "), "{printed}");
    assert!(printed.contains("before the first choice\n  *What* is <b>trump</b>?"), "{printed}");
    assert!(printed.contains("an onlooker · ") && !printed.contains("have changed"), "{printed}");
    folder.change("game/game.toml", "[params.trick_points]\nvalue = 1", "[params.trick_points]\nvalue = 5");
    let printed = run_ok(&folder, &["notes", "game/evening.play"]);
    assert_eq!(printed.matches("the rules have changed since").count(), 2, "{printed}");
    // If the rules are those of another game, the output does not say whether they have changed.
    let printed = parlour(&folder, &["notes", "game/evening.play", "--game", &format!("{ROOT}/games/stockpile")]);
    assert!(printed.out.contains("trump") && !printed.out.contains("changed") && printed.err.contains("unknown"));
}

#[test]
fn notes_in_markdown_and_csv_are_escaped() {
    let folder = with_notes();
    let page = run_ok(&folder, &["notes", "game/evening.play", "--format", "markdown"]);
    assert!(page.starts_with("# Notes on game\\/evening\\.play\n\n- **Ann · "), "{page}");
    assert!(page.contains("\n  \\*What\\* is \\<b\\>trump\\<\\/b\\>\\?\n"), "{page}");
    let table = run_ok(&folder, &["notes", "game/evening.play", "--format", "csv"]);
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines[0], "author,name,time,choices,answers,round,phase,table,rules,rules_changed,text");
    assert!(lines[1].starts_with("seat-1,Ann,20") && lines[1].ends_with(",no,*What* is <b>trump</b>?"), "{table}");
    assert!(lines[2].starts_with("watch,,20") && lines[2].ends_with(",no,\"'=HYPERLINK(\"\"x\"\")\""), "{table}");
}

#[test]
fn unreadable_notes_are_reported_and_old_notes_are_read() {
    let folder = with_notes();
    assert!(run_expecting(2, &folder, &["notes", "nowhere.play"]).contains("cannot be read"));
    folder.write("game/evening.play.notes", "{\"format\":2}\n");
    assert!(run_expecting(2, &folder, &["notes", "game/evening.play"]).contains("format 2"));
    folder.write("game/evening.play.notes", "{\"format\":1}\n{\"author\":\"seat-1\",\"text\":\"\\u001b[2J\"}\n");
    assert!(run_expecting(2, &folder, &["notes", "game/evening.play"]).contains("line 2"));
    std::fs::remove_file(folder.at("game/evening.play.notes")).unwrap();
    assert_eq!(run_ok(&folder, &["notes", "game/evening.play"]), "nobody has written anything down\n");
    // Notes that an earlier version wrote into the recording do not have a verified author.
    let recording = folder.read("game/evening.play");
    folder.write("game/evening.play", format!("{recording}note Ann: I resign\n"));
    let printed = run_ok(&folder, &["notes", "game/evening.play"]);
    assert!(printed.contains("in the recording · before the first choice\n  Ann: I resign\n"), "{printed}");
}
