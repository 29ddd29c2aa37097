//! Tests that killed or interrupted runs can be resumed, and that the result is byte for byte that of an uninterrupted run.
#![cfg(unix)]

use crate::dice_game::{GAME, RULES, parlour, untimed, with_dice};
use crate::folder::{Folder, contents};
use crate::interruption::RunningCommand;
use crate::thorough::is_thorough;
use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::path::Path;

/// Replaces the content of a folder with the given files.
fn write_all(folder: &Path, files: &BTreeMap<String, Vec<u8>>) {
    let _ = fs::remove_dir_all(folder);
    for (name, bytes) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

/// Asserts that two sets of files have the same names and contents.
#[track_caller]
pub(crate) fn assert_same_files(whole: &BTreeMap<String, Vec<u8>>, resumed: &BTreeMap<String, Vec<u8>>, how: &str) {
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(whole), names(resumed), "{how}");
    for (name, bytes) in whole {
        assert!(bytes == &resumed[name], "{how}: `{name}` differs");
    }
}

/// Truncates a file.
fn cut(path: &Path, length: u64) {
    OpenOptions::new().write(true).open(path).unwrap().set_len(length).unwrap();
}

/// Writes a version of the game that has longer games and causes a fault in some of them.
fn write_faulty_rules(folder: &Folder) {
    let rules = RULES.replace("let color", "if thrown == 6 && roll(60) == 1 { fault(\"a rare one\"); }\n    let color");
    folder.write("dice/rules/play.rhai", rules);
    folder.write("dice/game.toml", GAME.replace("rounds = 3", "rounds = 6"));
}

const TABLES: [&str; 4] = ["games.csv", "seats.csv", "details.csv", "games.jsonl"];

/// Starts a run, and kills it as soon as `file` has at least `bytes` bytes.
pub(crate) fn run_and_kill(folder: &Folder, arguments: &str, file: &str, bytes: u64) {
    let mut run = RunningCommand::begin(folder, arguments);
    run.wait_for_file(&folder.at(file), bytes);
    run.kill();
}

const PLAY: &str = "simulate dice --players 2..3 --games 1500 --seed 5 --format json";

/// Runs [`PLAY`] without interruption in the folder `whole`. Returns its output without the timing, and its files.
fn run_completely(folder: &Folder) -> (String, BTreeMap<String, Vec<u8>>) {
    let (code, told, mistakes) = parlour(folder, &format!("{PLAY} --jobs 2 --out whole"));
    assert!(code == 1 && mistakes.contains("written to"), "{mistakes}");
    (untimed(&told), contents(folder.at("whole")))
}

#[test]
fn a_killed_run_resumes_with_the_same_result() {
    let folder = with_dice("killed");
    write_faulty_rules(&folder);
    let (said, whole) = run_completely(&folder);
    for (at, (jobs, file, bytes)) in [
        (1, "run/manifest.json", 1),
        (1, "run/checkpoint/2.json", 1),
        (2, "run/games.csv", 60_000),
        (1, "run/checkpoint/3.json", 1),
    ]
    .into_iter()
    .enumerate()
    {
        run_and_kill(&folder, &format!("{PLAY} --jobs {jobs} --out run"), file, bytes);
        assert!(!folder.at("run/figures.json").exists(), "the run was killed before its end");
        let (code, told, mistakes) =
            parlour(&folder, &format!("simulate --resume run --format json --jobs {}", at % 3 + 1));
        assert!(code == 1 && mistakes.contains("going on after"), "{mistakes}");
        assert_same_files(&whole, &contents(folder.at("run")), file);
        assert_eq!(untimed(&told), said, "the output is the same, including the first game of each fault");
        fs::remove_dir_all(folder.at("run")).unwrap();
    }
}

#[test]
fn truncated_files_are_repaired_when_resuming() {
    let folder = with_dice("torn");
    write_faulty_rules(&folder);
    let (_, whole) = run_completely(&folder);
    run_and_kill(&folder, &format!("{PLAY} --jobs 1 --out run"), "run/checkpoint/3.json", 1);
    let run = folder.at("run");
    let state = contents(&run);
    let again = |how: &str| {
        let (code, _, mistakes) = parlour(&folder, "simulate --resume run --jobs 2");
        assert!(code == 1 && mistakes.contains("going on after"), "{how}: {mistakes}");
        assert_same_files(&whole, &contents(&run), how);
    };
    let mut kept = 0;
    for name in TABLES {
        let length = state[name].len() as u64;
        let line = state[name].iter().rposition(|byte| *byte == b'\n').unwrap() as u64;
        let all = [line + 1, length / 3, line, 7, length.saturating_sub(9)];
        for &end in if is_thorough() { &all[..] } else { &all[..2] } {
            write_all(&run, &state);
            cut(&run.join(name), end);
            let (code, _, mistakes) = parlour(&folder, "simulate --resume run --jobs 2");
            assert!(code == 1 && mistakes.contains("going on after"), "{mistakes}");
            kept += u32::from(!mistakes.contains("going on after 0 of"));
            assert_same_files(&whole, &contents(&run), &format!("`{name}` of {end} bytes"));
        }
    }
    assert!(kept > TABLES.len() as u32 / 2, "complete games are not played again");
    for (name, bytes) in [("2.json", 100), ("3.json", 1), ("3.json", 0)] {
        write_all(&run, &state);
        cut(&run.join("checkpoint").join(name), bytes);
        again(&format!("`checkpoint/{name}` of {bytes} bytes"));
    }
    write_all(&run, &state);
    fs::remove_dir_all(run.join("checkpoint")).unwrap();
    for name in ["games.jsonl", "details.csv"] {
        fs::remove_file(run.join(name)).unwrap();
    }
    for name in ["manifest.part", "checkpoint.part", "report.part"] {
        fs::write(run.join(name), "{").unwrap();
    }
    again("without checkpoints and some tables");
    let is_cut = |name: &str| name != "manifest.json" && (!name.starts_with("plays/") || name.contains("-fault"));
    for (name, bytes) in whole.iter().filter(|(name, _)| is_cut(name)) {
        write_all(&run, &whole);
        cut(&run.join(name), bytes.len() as u64 / 2);
        again(&format!("half of `{name}` of a run that was finished"));
    }
}

#[test]
fn interrupted_runs_resume_and_finished_ones_have_nothing_to_do() {
    let folder = with_dice("gone-on");
    write_faulty_rules(&folder);
    let (_, whole) = run_completely(&folder);
    let mut run = RunningCommand::begin(&folder, &format!("{PLAY} --jobs 1 --out run"));
    run.wait_for_file(&folder.at("run/games.csv"), 20_000);
    run.interrupt();
    let (_, told) = run.wait();
    assert!(told.contains("parlour simulate --resume run"), "{told}");
    assert!(folder.read("run/report.html").contains("This run was not finished"));
    let (code, _, told) = parlour(&folder, "simulate dice --out run");
    assert!(code == 2 && told.contains("unfinished") && told.contains("parlour simulate --resume run"), "{told}");
    // Writing a report between the interruption and the resumption has no effect on the result.
    assert_eq!(parlour(&folder, "report run").0, 0);
    assert_eq!(parlour(&folder, "simulate --resume run").0, 1);
    assert_same_files(&whole, &contents(folder.at("run")), "interrupted");
    let (code, told, mistakes) = parlour(&folder, "simulate --resume run");
    assert!(code == 0 && told.is_empty() && mistakes.contains("nothing is left to do"), "{mistakes}");
    assert_same_files(&whole, &contents(folder.at("run")), "done");
}

#[test]
fn reports_show_the_finished_games_of_an_unfinished_run() {
    let folder = with_dice("shown");
    write_faulty_rules(&folder);
    run_and_kill(&folder, &format!("{PLAY} --jobs 1 --out run"), "run/checkpoint/3.json", 1);
    let (code, told, mistakes) = parlour(&folder, "report run");
    assert!(code == 0 && told.trim() == "run/report.html", "{told}");
    assert!(
        mistakes.contains("the run in `run` is not finished: ") && mistakes.contains(" of 3,000 games"),
        "{mistakes}"
    );
    let page = folder.read("run/report.html");
    assert!(page.contains("This run was not finished") && page.contains(" of 1,500 games were played."));
    folder.write("run/games.csv", folder.read("run/games.csv") + "3,900,1\n");
    let (code, _, told) = parlour(&folder, "merge run --out merged");
    assert!(code == 2 && told.contains("was not finished") && told.contains("parlour simulate --resume run"), "{told}");
    fs::remove_dir_all(folder.at("run/checkpoint")).unwrap();
    let (code, _, mistakes) = parlour(&folder, "report run --out page.html");
    assert!(code == 0 && mistakes.contains("0 of 3,000 games"), "{mistakes}");
}

#[test]
fn runs_that_cannot_resume_give_a_reason_and_stay_unchanged() {
    let folder = with_dice("refused");
    write_faulty_rules(&folder);
    run_and_kill(&folder, &format!("{PLAY} --jobs 1 --out run"), "run/checkpoint/3.json", 1);
    let run = folder.at("run");
    let state = contents(&run);
    let refused = |arguments: &str, why: &str| {
        let (code, _, told) = parlour(&folder, arguments);
        assert!(code == 2 && told.contains(why), "{arguments}: {told}");
        assert_same_files(&state, &contents(&run), arguments);
    };
    let rules = folder.at("dice/rules/play.rhai");
    let text = fs::read_to_string(&rules).unwrap();
    fs::write(&rules, text.replace("\"blue\"", "\"pink\"")).unwrap();
    refused("simulate --resume run", "it has not the same rules as when it began");
    fs::write(&rules, &text).unwrap();
    let manifest = String::from_utf8(state["manifest.json"].clone()).unwrap();
    let version = format!("\"parlour\": \"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(manifest.contains(&version));
    for (old, new, why) in [
        (&*version, "\"parlour\": \"0.0.1\"", "not the same version of the program"),
        ("\"game\": \"dice\"", "\"game\": \"cards\"", "not the same game"),
        ("\"path\": \"dice\"", "\"path\": \"dices\"", "there is no game `dices`"),
    ] {
        fs::write(run.join("manifest.json"), manifest.replacen(old, new, 1)).unwrap();
        let (code, _, told) = parlour(&folder, "simulate --resume run");
        assert!(code == 2 && told.contains(why), "{why}: {told}");
        fs::write(run.join("manifest.json"), &manifest).unwrap();
    }
    refused("simulate --resume run --games 5000", "cannot be used with");
    refused("simulate --resume run --seed 5", "cannot be used with");
    refused("simulate dice --resume run", "cannot be used with");
    refused("compare --resume run", "holds a run of `parlour simulate`");
    let dice = contents(folder.at("dice"));
    for command in ["simulate", "compare", "sweep", "arena"] {
        refused(&format!("{command} --resume dice"), "`dice` holds no run");
        refused(&format!("{command} --resume nowhere"), "`nowhere` holds no run");
    }
    assert_same_files(&dice, &contents(folder.at("dice")), "no run");
    assert!(!folder.at("nowhere").exists());
    // Two processes must not write to one folder.
    let mut long = RunningCommand::begin(&folder, "simulate dice --games 100000000 --seed 5 --out long");
    long.wait_for_file(&folder.at("long/checkpoint/2.json"), 1);
    refused("simulate --resume long", "another program is writing into `long`");
    long.kill();
    assert_same_files(&state, &contents(&run), "at the end");
}

/// Runs each command to its end. Then kills a second run of the command, writes its report, resumes it, and compares the results.
#[test]
fn comparisons_sweeps_and_arenas_resume() {
    let folder = with_dice("others");
    write_faulty_rules(&folder);
    let run = folder.at("run");
    let all = [
        ("compare dice --b params.gift=3 --players 2..3 --games 1500 --seed 5", "checkpoint/3.json", "compare.html"),
        ("sweep dice --vary params.gift=0..2 --games 1000 --seed 5", "checkpoint/1-of-1000.json", "sweep.html"),
        ("arena dice --agents first,random --players 2 --games 3000 --all --seed 5", "games.jsonl", "arena.html"),
        ("compare dice --b params.gift=3 --players 2..3 --games 1500 --seed 5", "checkpoint/2.json", "compare.html"),
        ("sweep dice --vary params.gift=0..3 --search --games 1000 --seed 5", "checkpoint/2-of-500.json", "sweep.html"),
        ("sweep dice --vary params.gift=0..3 --search --games 1000 --seed 5", "checkpoint/again.json", "sweep.html"),
    ];
    for &(arguments, file, page) in if is_thorough() { &all[..] } else { &all[..3] } {
        let (command, _) = arguments.split_once(' ').unwrap();
        let (code, said, mistakes) = parlour(&folder, &format!("{arguments} --jobs 2 --format json --out whole"));
        assert!(code == 1 && mistakes.contains("written to"), "{arguments}: {mistakes}");
        run_and_kill(&folder, &format!("{arguments} --jobs 1 --out run"), &format!("run/{file}"), 1);
        assert!(!run.join(page).exists(), "{arguments}: the run was killed before its end");
        let (code, told, mistakes) = parlour(&folder, "report run");
        assert!(code == 0 && told.trim() == format!("run/{page}"), "{arguments}: {told}{mistakes}");
        assert!(mistakes.contains("the run in `run` is not finished: "), "{arguments}: {mistakes}");
        assert!(folder.read(&format!("run/{page}")).contains("This run was not finished"), "{arguments}");
        let (code, _, told) = parlour(&folder, &format!("{arguments} --out run"));
        assert!(code == 2 && told.contains(&format!("parlour {command} --resume run")), "{told}");
        let (code, told, mistakes) = parlour(&folder, &format!("{command} --resume run --format json"));
        assert!(code == 1 && mistakes.contains("going on"), "{arguments}: {mistakes}");
        let all = contents(folder.at("whole"));
        assert_same_files(&all, &contents(&run), arguments);
        assert_eq!(told, said, "{arguments}");
        let (code, _, mistakes) = parlour(&folder, &format!("{command} --resume run"));
        assert!(code == 0 && mistakes.contains("nothing is left to do"), "{mistakes}");
        let (code, told, _) = parlour(&folder, "report run");
        assert!(code == 0 && told.trim() == format!("run/{page}"), "{told}");
        for name in all.keys().filter(|name| *name != "manifest.json") {
            cut(&run.join(name), 20);
            assert_eq!(parlour(&folder, &format!("{command} --resume run")).0, 1, "{name}");
            assert_same_files(&all, &contents(&run), &format!("{arguments}: `{name}` was cut"));
        }
        let rules = folder.at("dice/rules/play.rhai");
        let text = fs::read_to_string(&rules).unwrap();
        fs::write(&rules, text.replace("\"blue\"", "\"pink\"")).unwrap();
        let (code, _, told) = parlour(&folder, &format!("{command} --resume run"));
        assert!(code == 2 && told.contains("it has not the same rules as when it began"), "{told}");
        fs::write(&rules, &text).unwrap();
        fs::remove_dir_all(&run).unwrap();
        fs::remove_dir_all(folder.at("whole")).unwrap();
    }
}

/// Tests commands that write their page only at the end. Runs each command to its end. Then kills and resumes a second run, and compares
/// the results.
#[test]
fn searches_and_choice_maps_resume() {
    let folder = with_dice("searches");
    folder.write("dice/game.toml", GAME.replace("gift = 0", "gift = 6").replace("rounds = 3", "rounds = 6"));
    let run = folder.at("run");
    let tune = "tune dice --players 2 --games 900 --seed 3 --vary params.gift=0..6 --vary params.sides=4,6,8 \
                --target seat_win_gap<0.05";
    for (arguments, file, page) in [
        (tune, "checkpoint/6-1-of-900.json", "tune.html"),
        (tune, "checkpoint/2-1-of-225.json", "tune.html"),
        (tune, "checkpoint/0-1-of-900.json", "tune.html"),
        ("choices dice --players 2 --games 60 --worlds 40 --seed 5", "checkpoint/choices.json", "choices.html"),
    ] {
        let (command, _) = arguments.split_once(' ').unwrap();
        let (code, said, mistakes) = parlour(&folder, &format!("{arguments} --jobs 2 --format json --out whole"));
        assert!(code == 0 && mistakes.contains("written to"), "{arguments}: {mistakes}");
        run_and_kill(&folder, &format!("{arguments} --jobs 1 --out run"), &format!("run/{file}"), 1);
        assert!(!run.join(page).exists(), "{arguments}: the run was killed before its end");
        let (code, _, told) = parlour(&folder, "report run");
        assert!(code == 2 && told.contains(&format!("parlour {command} --resume run")), "{arguments}: {told}");
        let (code, _, told) = parlour(&folder, &format!("{arguments} --out run"));
        assert!(code == 2 && told.contains(&format!("parlour {command} --resume run")), "{told}");
        let (code, told, mistakes) = parlour(&folder, &format!("{command} --resume run --format json"));
        assert!(code == 0 && mistakes.contains("going on after"), "{arguments}: {mistakes}");
        assert_same_files(&contents(folder.at("whole")), &contents(&run), arguments);
        assert_eq!(told, said, "{arguments}");
        let (code, _, mistakes) = parlour(&folder, &format!("{command} --resume run"));
        assert!(code == 0 && mistakes.contains("nothing is left to do"), "{mistakes}");
        let (code, told, _) = parlour(&folder, "report run");
        assert!(code == 0 && told.trim() == format!("run/{page}"), "{told}");
        fs::remove_dir_all(&run).unwrap();
        fs::remove_dir_all(folder.at("whole")).unwrap();
    }
}

/// An arena stops when the ranking is clear. A resumed arena must stop at the same game, wherever it was interrupted.
#[test]
fn a_resumed_arena_stops_at_the_same_game() {
    let folder = with_dice("early");
    let rules =
        RULES.replace("if color == \"red\"", "if color == \"blue\" { seat.points += 1; }\n    if color == \"red\"");
    folder.write("dice/rules/play.rhai", rules);
    let (code, told, mistakes) =
        parlour(&folder, "arena dice --agents first,random --players 2 --games 4000 --seed 5 --out whole");
    assert!(code == 0 && told.contains("the order is clear: stopped"), "{told}{mistakes}");
    let (run, whole) = (folder.at("run"), contents(folder.at("whole")));
    let text = String::from_utf8(whole["manifest.json"].clone()).unwrap();
    let begun = text.replace("\"complete\": true", "\"complete\": false");
    let lines = &whole["games.jsonl"];
    for end in [0, 1, 50, lines.len() / 2, lines.len() - 1, lines.len()] {
        let state = [("manifest.json", begun.clone().into_bytes()), ("games.jsonl", lines[..end].to_vec())];
        write_all(&run, &state.map(|(name, bytes)| (name.to_owned(), bytes)).into());
        let (code, _, mistakes) = parlour(&folder, "arena --resume run");
        assert_eq!(code, 0, "{mistakes}");
        assert_same_files(&whole, &contents(&run), &format!("{end} bytes"));
    }
    // If a line belongs to another run, or consists of zeros that a power failure left, the game is played again.
    for stray in [&b"\0\0\0\0\n"[..], b"{\"game\":3,\"seed\":1,\"agents\":[9,9],\"ranks\":[1,2],\"scores\":[2,1]}\n"] {
        let torn = [&lines[..=lines.iter().position(|byte| *byte == b'\n').unwrap()], stray].concat();
        let state = [("manifest.json", begun.clone().into_bytes()), ("games.jsonl", torn)];
        write_all(&run, &state.map(|(name, bytes)| (name.to_owned(), bytes)).into());
        assert_eq!(parlour(&folder, "arena --resume run").0, 0);
        assert_same_files(&whole, &contents(&run), "a stray line");
    }
}
