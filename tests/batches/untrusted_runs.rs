//! Run folders from untrusted sources: commands start no programs, write nothing outside the folder, and report inconsistencies.
#![cfg(unix)]

use crate::dice_game::{RULES, parlour, with_dice};
use crate::folder::{Folder, contents};
use crate::program;
use crate::resuming::{assert_same_files, run_and_kill};
use crate::thorough::is_thorough;
use crate::unix::{fifo, hard_link, link};
use serde_json::Value;
use std::fs;

/// Writes rules that cause a fault in some games.
fn write_faulty_rules(folder: &Folder) {
    let rules = RULES.replace("let color", "if thrown == 6 && roll(20) == 1 { fault(\"a rare one\"); }\n    let color");
    folder.write("dice/rules/play.rhai", rules);
}

/// Changes the content of a JSON file.
fn forge(folder: &Folder, file: &str, change: impl FnOnce(&mut Value)) {
    let mut found: Value = serde_json::from_str(&folder.read(file)).unwrap();
    change(&mut found);
    folder.write(file, serde_json::to_string(&found).unwrap());
}

/// Returns the agents in a manifest. Their position depends on the command.
fn agents(manifest: &mut Value) -> &mut Value {
    let is_request = manifest.get("arguments").is_some();
    if is_request { &mut manifest["arguments"]["agents"] } else { &mut manifest["agents"] }
}

const RUNS: [(&str, &str, &str); 4] = [
    ("simulate", "simulate dice --players 2 --games 3000 --seed 5", "checkpoint/2.json"),
    ("compare", "compare dice --b params.gift=3 --players 2 --games 3000 --seed 5", "checkpoint/2.json"),
    ("sweep", "sweep dice --vary params.gift=0..2 --players 2 --games 1000 --seed 5", "checkpoint/1-of-1000.json"),
    ("arena", "arena dice --agents random,first --players 2 --games 5000 --all --seed 5", "games.jsonl"),
];

#[test]
fn resuming_a_run_never_starts_programs_named_in_its_folder() {
    for (command, begin, file) in RUNS {
        let folder = with_dice("programs");
        write_faulty_rules(&folder);
        // The command must not name a file, because the manifest would then need the file's fingerprint.
        let mark = format!("touch {}", folder.path_of("started"));
        fs::write(folder.at("mine.rhai"), "").unwrap();
        run_and_kill(&folder, &format!("{begin} --jobs 1 --out run"), &format!("run/{file}"), 1);
        for outside in [format!("cmd:{mark}"), format!(" cmd=9s:{mark}"), "script:mine.rhai".to_owned()] {
            forge(&folder, "run/manifest.json", |manifest| {
                *agents(manifest) = Value::from(vec![outside.clone(), "random".to_owned()]);
            });
            let (code, _, told) = parlour(&folder, &format!("{command} --resume run"));
            assert!(code == 2 && told.contains("only the command line may select programs"), "{command}: {told}");
            assert!(told.contains("add `--agents ") && told.contains(outside.trim()), "{command}: {told}");
            // Reports can be written without starting the agents.
            let (code, told, mistakes) = parlour(&folder, "report run");
            assert_eq!(code, 0, "{command}: {told}{mistakes}");
        }
        // Runs that claim to be complete, and merged runs, must not start programs either.
        forge(&folder, "run/manifest.json", |manifest| manifest["complete"] = true.into());
        parlour(&folder, "report run");
        parlour(&folder, "merge run --out merged");
        parlour(&folder, &format!("{command} --resume run --agents random,first"));
        assert!(!folder.at("started").exists(), "{command} started a program");
    }
}

#[test]
fn agents_from_programs_and_files_must_be_named_again() {
    let folder = with_dice("named_again");
    folder.write("mine.rhai", "fn rate_cheer(seat, option) { 1 }\n");
    let begin = "simulate dice --agents script:mine.rhai,random --games 4000 --seed 5";
    let (code, _, told) = parlour(&folder, &format!("{begin} --out whole"));
    assert_eq!(code, 0, "{told}");
    run_and_kill(&folder, &format!("{begin} --jobs 1 --out run"), "run/checkpoint/2.json", 1);
    let (code, _, told) = parlour(&folder, "simulate --resume run");
    assert!(code == 2 && told.contains("add `--agents script:mine.rhai,random`"), "{told}");
    let (code, _, told) = parlour(&folder, "simulate --resume run --agents random,random");
    assert!(code == 2 && told.contains("differs from the agents of the run"), "{told}");
    let (code, _, told) = parlour(&folder, "simulate --resume run --agents script:mine.rhai,random");
    assert!(code == 0 && told.contains("going on after"), "{told}");
    assert_same_files(&contents(folder.at("whole")), &contents(folder.at("run")), "named again");
    // Writing a report does not need the agent's file.
    fs::remove_file(folder.at("mine.rhai")).unwrap();
    let (code, _, told) = parlour(&folder, "report run");
    assert_eq!(code, 0, "{told}");
}

#[test]
fn runs_resume_from_any_working_directory() {
    for (command, begin, file) in RUNS {
        let folder = with_dice("anywhere");
        fs::create_dir_all(folder.at("else/where")).unwrap();
        let run = folder.path_of("run");
        assert_eq!(parlour(&folder, &format!("{begin} --jobs 2 --out whole")).0, 0, "{command}");
        run_and_kill(&folder, &format!("{begin} --jobs 1 --out run"), &format!("run/{file}"), 1);
        for arguments in [["report", &run].as_slice(), &[command, "--resume", "../../run"], &["report", &run]] {
            let said = program::parlour(folder.at("else/where"), arguments);
            assert_eq!(said.code, 0, "{command} {arguments:?}: {}", said.all());
        }
        assert_same_files(&contents(folder.at("whole")), &contents(folder.at("run")), command);
    }
}

#[test]
fn links_in_the_folder_of_a_run_are_not_followed() {
    for &(command, begin, _) in if is_thorough() { &RUNS[..] } else { &RUNS[..1] } {
        let folder = with_dice("links");
        write_faulty_rules(&folder);
        let begin = begin.replace("000 --", " --").replace("--games 1 ", "--games 100 ");
        let begin = begin.replace("--games 3 ", "--games 100 ").replace("--games 5 ", "--games 100 ");
        assert_eq!(parlour(&folder, &format!("{begin} --out run")).0, 1, "{command}");
        let all = contents(folder.at("run"));
        let secret = folder.write("home/.profile", "keep me");
        folder.write("home/plays/keep.play", "keep me");
        let home = contents(folder.at("home"));
        let restore = || {
            let _ = fs::remove_dir_all(folder.at("run"));
            for (name, bytes) in &all {
                drop(folder.write(&format!("run/{name}"), bytes));
            }
        };
        for unfinished in [false, true] {
            for name in all.keys().map(String::as_str).chain(["plays", "checkpoint", "parlour.part"]) {
                restore();
                let place = folder.at(&format!("run/{name}"));
                if place.is_dir() {
                    fs::remove_dir_all(&place).unwrap();
                } else {
                    drop(fs::remove_file(&place));
                }
                let outside = if place.extension().is_some() { secret.clone() } else { folder.path_of("home") };
                link(outside, &place);
                if unfinished && name != "manifest.json" {
                    forge(&folder, "run/manifest.json", |manifest| manifest["complete"] = false.into());
                }
                parlour(&folder, "report run");
                parlour(&folder, &format!("{command} --resume run"));
                assert_same_files(&home, &contents(folder.at("home")), &format!("{command}, {name}"));
            }
        }
        // Files outside the folder must not change through hard links either.
        for name in all.keys().filter(|name| !name.starts_with("plays/") && *name != "manifest.json") {
            restore();
            fs::write(&secret, &all[name]).unwrap();
            let before = contents(folder.at("home"));
            fs::remove_file(folder.at(&format!("run/{name}"))).unwrap();
            hard_link(&secret, folder.at(&format!("run/{name}")));
            forge(&folder, "run/manifest.json", |manifest| manifest["complete"] = false.into());
            parlour(&folder, "report run");
            parlour(&folder, &format!("{command} --resume run"));
            assert_same_files(&before, &contents(folder.at("home")), &format!("{command}, {name}, a second name"));
            fs::write(&secret, "keep me").unwrap();
        }
    }
}

#[test]
fn pipes_devices_and_large_files_are_refused_quickly() {
    let folder = with_dice("pipes");
    assert_eq!(parlour(&folder, "simulate dice --games 20 --seed 5 --out run").0, 0);
    let all = contents(folder.at("run"));
    for name in ["manifest.json", "figures.json", "games.csv", "report.html"] {
        for sort in ["pipe", "device", "large", "folder"] {
            let place = folder.at(&format!("run/{name}"));
            fs::remove_file(&place).unwrap();
            match sort {
                "pipe" => fifo(&place),
                "device" => link("/dev/zero", &place),
                "large" => fs::File::create(&place).and_then(|file| file.set_len(1 << 40)).unwrap(),
                _ => fs::create_dir(&place).unwrap(),
            }
            for arguments in ["report run", "simulate --resume run", "merge run --out merged"] {
                let (code, _, told) = parlour(&folder, arguments);
                // For other files, the command may succeed: it ignores the file or plays its games again.
                let may_go_on = name != "manifest.json" && code == 0;
                assert!(code == 2 || may_go_on, "{arguments} with a {sort} as {name}: {code} {told}");
                let _ = fs::remove_dir_all(folder.at("merged"));
            }
            if place.is_dir() {
                fs::remove_dir_all(&place).unwrap();
            } else {
                drop(fs::remove_file(&place));
            }
            for (name, bytes) in &all {
                folder.write(&format!("run/{name}"), bytes);
            }
        }
    }
}

#[test]
fn playscripts_of_faults_stay_in_the_folder_of_the_run() {
    let folder = with_dice("codes");
    write_faulty_rules(&folder);
    assert_eq!(parlour(&folder, "simulate dice --games 200 --seed 5 --players 2 --out a/b/c/run").0, 1);
    forge(&folder, "a/b/c/run/figures.json", |figures| figures[0]["faults"][0]["code"] = "x/../../../../NAME".into());
    let (code, _, told) = parlour(&folder, "report a/b/c/run");
    assert_eq!(code, 0, "{told}");
    let found: Vec<String> = contents(&folder).into_keys().filter(|path| path.contains("NAME")).collect();
    assert!(matches!(&found[..], [path] if path.starts_with("a/b/c/run/plays/")), "{found:?}");
}

#[test]
fn forged_run_files_are_reported() {
    let folder = with_dice("forged");
    assert_eq!(parlour(&folder, "simulate dice --players 2 --games 50 --seed 5 --out run").0, 0);
    let all = contents(folder.at("run"));
    let restore = || {
        for (name, bytes) in &all {
            drop(folder.write(&format!("run/{name}"), bytes));
        }
    };
    let refused = |file: &str, change: &dyn Fn(&mut Value), why: &str| {
        restore();
        forge(&folder, file, change);
        for arguments in ["report run", "merge run --out merged"] {
            let (code, _, told) = parlour(&folder, arguments);
            // `merge` first compares the figures with the tables, so it may report another inconsistency.
            let is_said = told.contains(why) || arguments.starts_with("merge");
            assert!(code == 2 && is_said && !told.contains("panicked"), "{arguments}: {code} {told}");
            let _ = fs::remove_dir_all(folder.at("merged"));
        }
    };
    let manifest = "run/manifest.json";
    let shard = |part: u64, of: u64| {
        move |manifest: &mut Value| manifest["shard"] = serde_json::json!({"part": part, "of": of})
    };
    refused(manifest, &shard(0, 0), "there is no part 0 of 0");
    refused(manifest, &shard(1, 0), "there is no part 1 of 0");
    refused(manifest, &shard(9, 8), "there is no part 9 of 8");
    let prospects = |manifest: &mut Value| manifest["prospects"] = 4_000_000_000_u32.into();
    refused(manifest, &prospects, "cannot be measured by 4000000000 imagined worlds");
    let played = |begin: u64, end: u64| {
        move |manifest: &mut Value| manifest["batches"][0]["played"] = serde_json::json!([[begin, end]])
    };
    refused(manifest, &played(10, 5), "games 10 to 5 are not in their place");
    refused(manifest, &played(0, u64::MAX), "are not in their place");
    let figures = "run/figures.json";
    let score = |figures: &mut Value, key: &str, number: Value| {
        let measures = figures[0]["measures"].as_array_mut().unwrap();
        let found = measures.iter_mut().find(|pair| pair[0].get("score").or(pair[0].get("Score")).is_some());
        found.expect("there is a score")[1][key] = number;
    };
    for (key, number) in [
        ("min", Value::from(i64::MIN)),
        ("max", Value::from(i64::MAX)),
        ("total", Value::from(u64::MAX)),
        ("sum", Value::from(i64::MAX)),
    ] {
        refused(figures, &|figures| score(figures, key, number.clone()), "a histogram does not add up");
    }
    refused(figures, &|figures| figures[0]["blocks"] = serde_json::json!([]), "do not belong to this game");
    refused(figures, &|figures| figures[0]["sides"] = serde_json::json!([7]), "do not belong to this game");
    refused(figures, &|figures| figures[0]["phases"][0][0] = 999.into(), "do not belong to this game");
    refused(figures, &|figures| figures[0]["questions"][0][0] = 999.into(), "do not belong to this game");
}

/// The arguments in a manifest have the same bounds as on the command line.
#[test]
fn resumed_runs_have_bounded_numbers_of_worlds() {
    let folder = with_dice("worlds");
    for (command, begin, key) in [
        ("choices", "choices dice --players 2 --games 20 --worlds 10 --seed 5", "worlds"),
        ("compare", "compare dice --b params.gift=3 --players 2 --games 20 --prospects 10 --seed 5", "prospects"),
    ] {
        assert_eq!(parlour(&folder, &format!("{begin} --out {command}")).0, 0, "{command}");
        if command == "choices" {
            // A page is copied as it is, so its size is limited.
            fs::File::create(folder.at("choices/choices.html")).and_then(|page| page.set_len(100 << 20)).unwrap();
            let (code, _, told) = parlour(&folder, "report choices --out copy.html");
            assert!(code == 2 && told.contains("larger than"), "{told}");
        }
        forge(&folder, &format!("{command}/manifest.json"), |manifest| {
            manifest["complete"] = false.into();
            assert_eq!(manifest["arguments"][key], 10, "{manifest}");
            manifest["arguments"][key] = 4_000_000_000_u32.into();
        });
        let (code, _, told) = parlour(&folder, &format!("{command} --resume {command}"));
        assert!(code == 2 && told.contains("imagines 4000000000 worlds"), "{command}: {told}");
    }
}

/// Values are counted before they are combined, and each value takes a setting with its figures.
#[test]
fn resumed_searches_have_bounded_numbers_of_settings() {
    let folder = with_dice("settings");
    let dials = |count: usize, values: usize| {
        let values: Vec<String> = (0..values).map(|value| value.to_string()).collect();
        let dial = |number: usize| serde_json::json!({ "path": format!("params.gift.{number}"), "values": values });
        Value::from((0..count).map(dial).collect::<Vec<Value>>())
    };
    // The second run in the folder `sweep` is refused, so the first manifest is forged again.
    for (command, begin, forged, expected) in [
        ("sweep", "sweep dice --vary params.gift=0..2", dials(60, 3), "settings, but at most 10000 can be played"),
        ("sweep", "sweep dice --vary params.gift=0..2", dials(200, 1), "200 numbers are varied"),
        ("tune", "tune dice --target rounds<2 --vary params.gift=0,2", dials(3_000, 2), "the numbers have 9000 values"),
    ] {
        let (_, _, told) = parlour(&folder, &format!("{begin} --players 2 --games 20 --seed 5 --out {command}"));
        forge(&folder, &format!("{command}/manifest.json"), |manifest| {
            manifest["complete"] = false.into();
            assert!(manifest["arguments"]["vary"].is_array(), "{manifest} {told}");
            manifest["arguments"]["vary"] = forged;
        });
        let (code, _, told) = parlour(&folder, &format!("{command} --resume {command}"));
        assert!(code == 2 && told.contains(expected), "{command}: {code} {told}");
    }
}

#[test]
fn pages_of_finished_runs_that_may_contain_scripts_are_refused() {
    let folder = with_dice("pages");
    let (code, ..) = parlour(&folder, "compare dice --b params.gift=3 --players 2 --games 100 --seed 5 --out run");
    assert!(code == 0 || code == 1, "{code}");
    let (code, told, _) = parlour(&folder, "report run --out own.html");
    assert_eq!((code, told.trim()), (0, "own.html"));
    let page = folder.read("run/compare.html");
    let policy = page.find("default-src").unwrap();
    for other in
        [page.replacen("default-src 'none'", "default-src *", 1), format!("<!doctype html>{}", &page[policy..])]
    {
        folder.write("run/compare.html", other);
        for command in ["report run", "report run --out stolen.html"] {
            let (code, told, mistakes) = parlour(&folder, command);
            assert_eq!((code, &*told), (2, ""), "{mistakes}");
            assert!(mistakes.contains("`run/compare.html` is not a page of this version of Parlour"), "{mistakes}");
        }
    }
    assert!(!folder.at("stolen.html").exists());
}

#[test]
fn names_that_rules_invent_have_a_limit_in_a_batch() {
    let folder = with_dice("invented");
    let rules = |doublings: u8, tallies: &str| {
        let name = format!("let t = \"x\"; for i in 0..{doublings} {{ t = t + t; }}");
        let invented = format!("if seat == first && round == 1 {{ {name} {tallies} }}\n    let color");
        folder.write("dice/rules/play.rhai", RULES.replacen("let color", &invented, 1));
    };
    rules(7, "let r = roll(1000000000); for i in 0..300 { tally(`${t}${r}-${i}`, 1); }");
    let simulate = |jobs: u8, games: u32| {
        let command = format!(
            "simulate dice --players 2 --games {games} --seed 5 --jobs {jobs} --agents random --out run-{jobs}-{games}"
        );
        let (code, told, mistakes) = parlour(&folder, &command);
        assert!(code == 0 || code == 1, "{told}{mistakes}");
        folder.read(&format!("run-{jobs}-{games}/figures.json"))
    };
    let (few, many) = (simulate(1, 2), simulate(1, 120));
    assert!(few.contains("Tally") && !few.contains("dropped"));
    assert!(!many.contains("Tally") && many.contains("\"dropped\":[\"Counters\"]"));
    assert_eq!(many, simulate(2, 120), "figures do not depend on the number of threads");
    // Names are short, so that a game adds little.
    rules(9, "tally(t, 1);");
    let (_, told, mistakes) = parlour(&folder, "simulate dice --players 2 --games 2 --seed 5");
    assert!(format!("{told}{mistakes}").contains("the name of a counter has at most 256 bytes"), "{told}{mistakes}");
}
