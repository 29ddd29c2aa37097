//! Files and folders that untrusted people have prepared for commands, and inputs that are far too large.
#![cfg(unix)]

use crate::folder::{Folder, contents};
use crate::program::{self, new_game_folder, run_expecting, run_ok, run_with_input};
use crate::unix::{self, fifo, link};
use std::fs;
use std::time::{Duration, Instant};

/// Time limit for a refusal, even on a busy machine.
const LONG: Duration = Duration::from_secs(20);

/// Game in which players say numbers. A player whose numbers add up to more than 3 causes a fault.
const GUESS: &str = r#"
[game]
id = "guess"
players = { min = 2, max = 3 }
[params]
limit = 3
[values.seat]
said = { start = 0, max = 3 }
[decisions.say]
ask = "Say a number"
[flow]
round = ["play"]
rounds = 2
[phases.play]
steps = [{ each_seat = "speak" }]
"#;

const SPEAK: &str =
    "fn speak(seat) { seat.said += choose_number(seat, \"say\", 0, limit); }\nfn score(seat) { seat.said }\n";

#[test]
fn fault_playscripts_are_not_saved_through_links() {
    let folder = Folder::new("saved_link");
    folder.write("my-game/game.toml", GUESS);
    folder.write("my-game/rules/play.rhai", SPEAK);
    run_expecting(1, &folder, &["check", "my-game", "--save"]);
    let found: Vec<String> =
        contents(folder.at("my-game/plays")).into_keys().filter(|name| name.starts_with("found-")).collect();
    assert!(!found.is_empty(), "a fault is saved as a play");
    folder.write("home/.profile", "keep me");
    for name in &found {
        fs::remove_file(folder.at(&format!("my-game/plays/{name}"))).unwrap();
        link(folder.at("home/.profile"), folder.at(&format!("my-game/plays/{name}")));
    }
    program::parlour(&folder, &["check", "my-game", "--save"]);
    assert_eq!(folder.read("home/.profile"), "keep me");
    fs::remove_dir_all(folder.at("my-game/plays")).unwrap();
    link(folder.at("home"), folder.at("my-game/plays"));
    program::parlour(&folder, &["check", "my-game", "--save"]);
    assert_eq!(contents(folder.at("home")).len(), 1, "nothing is written where the link leads");
}

#[test]
fn drawings_and_tables_are_not_written_through_links() {
    let folder = Folder::new("drawn_link");
    folder.write("home/.profile", "keep me");
    run_ok(&folder, &["new", "game", "--from", "stockpile"]);
    run_ok(&folder, &["cards", "game", "--out", "cards"]);
    for name in contents(folder.at("cards")).into_keys() {
        fs::remove_file(folder.at(&format!("cards/{name}"))).unwrap();
        link(folder.at("home/nowhere"), folder.at(&format!("cards/{name}")));
    }
    // A dangling symbolic link still counts as an existing file.
    run_expecting(2, &folder, &["cards", "game", "--out", "cards"]);
    assert_eq!(contents(folder.at("home")).len(), 1);
    run_ok(&folder, &["man", "--out", "manual"]);
    fs::remove_file(folder.at("manual/parlour.1")).unwrap();
    link(folder.at("home/.profile"), folder.at("manual/parlour.1"));
    run_ok(&folder, &["man", "--out", "manual"]);
    assert_eq!(folder.read("home/.profile"), "keep me");
}

#[test]
fn the_browser_writes_into_private_unpredictable_folders() {
    let folder = new_game_folder("browser_link");
    let browser = "#!/bin/sh\nfor given do case $given in\n--print-to-pdf=*) pdf=\"${given#*=}\"; echo pdf > \"$pdf\"; dirname \"$pdf\" >> told;;\n--user-data-dir=*) echo \"${given#*=}\" >> told; stat -c %a \"${given#*=}\" >> told;;\nesac; done\n";
    let path = folder.write("browser", browser);
    fs::set_permissions(&path, unix::mode(0o755)).unwrap();
    folder.write("home/.profile", "keep me");
    let mut seen = Vec::new();
    for _ in 0..2 {
        run_ok(&folder, &["print", "my-game", "--out", "sheets", "--browser", &path]);
        assert_eq!(folder.read("sheets/all.pdf"), "pdf\n");
        fs::remove_file(folder.at("sheets/all.pdf")).unwrap();
        link(folder.at("home/.profile"), folder.at("sheets/all.pdf"));
        let told = folder.read("told");
        assert!(told.lines().any(|line| line == "700"), "{told}");
        let places: Vec<String> = told.lines().filter(|line| line.starts_with('/')).map(str::to_owned).collect();
        assert_eq!(places.len(), 2, "{told}");
        assert!(places.iter().all(|place| !fs::exists(place).unwrap()), "nothing is left: {told}");
        seen.extend(places);
        fs::remove_file(folder.at("told")).unwrap();
    }
    let before = seen.len();
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), before, "each time they are called otherwise");
    assert_eq!(folder.read("home/.profile"), "keep me");
}

#[test]
fn saved_games_are_readable_only_by_their_owner() {
    let folder = new_game_folder("kept_private");
    run_with_input(&folder, &["play", "my-game", "--seed", "7", "--save", "mine.play"], "1\nsave\nquit\n");
    assert!(unix::is_private(folder.at("mine.play")), "the seed stands in it");
    run_ok(&folder, &["run", "my-game", "--from", "mine.play", "--agents", "random", "--record", "over.play"]);
    assert!(unix::is_private(folder.at("over.play")), "so it does where agents played on");
}

#[test]
fn games_with_pipes_or_devices_are_refused_quickly() {
    let begin = Instant::now();
    for (name, is_pipe) in [("game.toml", true), ("game.toml", false), ("plays/a.play", true), ("agents/a.rhai", true)]
    {
        let folder = new_game_folder("pipes");
        let place = folder.at(&format!("my-game/{name}"));
        let _ = fs::remove_file(&place);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        if is_pipe {
            fifo(&place);
        } else {
            link("/dev/zero", &place);
        }
        program::parlour(&folder, &["check", "my-game"]);
        program::parlour(&folder, &["test", "my-game"]);
        program::parlour(&folder, &["compare", "my-game", "--b", &format!("my-game/{name}"), "--games", "1"]);
        program::parlour(&folder, &["run", "my-game", "--agents", &format!("script:my-game/{name}")]);
        program::parlour(&folder, &["draw", &format!("my-game/{name}")]);
        program::parlour(&folder, &["play", "--from", &format!("my-game/{name}")]);
    }
    assert!(begin.elapsed() < LONG * 3);
}

#[test]
fn messages_quote_long_input_only_in_part() {
    let folder = new_game_folder("long");
    let long = "x".repeat(8 << 20);
    folder.write("my-game/plays/long.play", format!("format 1\ngame my-game\n{long}\n"));
    folder.write("a.play", format!("format 1\ngame {}\n", "y".repeat(60_000)));
    folder.write("b.play", format!("format 1\ngame my-game\nplayers {}\n", "z".repeat(60_000)));
    folder.write("names.play", format!("format 1\ngame my-game\nplayers {}\n", "p ".repeat(20_000)));
    let many: Vec<String> = (0..7_000).map(|at| format!("p{at}")).collect();
    folder.write("many.play", format!("format 1\ngame my-game\nplayers {}\n", many.join(" ")));
    let begin = Instant::now();
    let argument = "q".repeat(100_000);
    for arguments in [
        ["test", "my-game"].as_slice(),
        &["check", "my-game"],
        &["test", "a.play"],
        &["test", "b.play"],
        &["test", "names.play"],
        &["test", "many.play"],
        &["play", "--from", "many.play"],
        &["run", "my-game", "--agents", &argument],
        &["run", "my-game", "--names", &argument],
        &["run", &argument],
        &["run", "my-game", "--set", &format!("{argument}=1")],
        &["run", "my-game", "--option", &format!("{argument}=1")],
        &["test", "my-game", "--format", "json"],
        &["simulate", "my-game", "--until", &argument],
    ] {
        let said = program::parlour(&folder, arguments);
        let shown: String = said.all().chars().take(300).collect();
        assert!(said.code > 0, "{shown}");
        assert!(said.all().len() < 20_000, "{} bytes: {shown}", said.all().len());
    }
    assert!(begin.elapsed() < LONG * 3);
}

/// Without limits, each of these playscripts takes minutes or more than a gigabyte of memory.
#[test]
fn huge_playscripts_are_refused_quickly() {
    let folder = new_game_folder("lines");
    let head = "format 1\ngame my-game\nplayers Ann Ben\n";
    let begin = Instant::now();
    let many: [(&str, usize, &str); 7] = [
        ("\n", 4_000_000, "at most 200000 lines"),
        ("# a\n", 3_000_000, "at most 200000 lines"),
        ("do a\n", 3_000_000, "at most 200000 lines"),
        ("do a\n", 150_000, "at most 10000 `expect`, `do` and `arrange` statements"),
        ("expect 1 == 1\n", 90_000, "at most 10000 `expect`, `do` and `arrange` statements"),
        ("x y\n", 150_000, "`x` is not a statement"),
        ("scene \"a\" {\n}\n", 90_000, "two scenes called"),
    ];
    for (line, times, expected) in many {
        folder.write("many.play", format!("{head}{}", line.repeat(times)));
        let said = program::parlour(&folder, &["test", "many.play"]).all();
        let shown: String = said.chars().take(300).collect();
        assert!(said.contains(expected), "{line}: {shown}");
        assert!(said.matches("error[").count() <= 201, "{line}: {shown}");
    }
    let scenes: Vec<String> = (0..90_000).map(|at| format!("scene \"{at}\" {{\n}}\n")).collect();
    let scenes = scenes.concat();
    folder.write("many.play", format!("format 1\ngame nothing-of-it\n{scenes}"));
    let said = program::parlour(&folder, &["test", "many.play"]).all();
    assert!(said.contains("at most 1024 scenes"), "{}", &said[..said.len().min(300)]);
    let blanks = "\n".repeat(190);
    let scenes: Vec<String> = (0..1_000).map(|at| format!("scene \"{at}\" {{\n}}\n{blanks}")).collect();
    let scenes = scenes.concat();
    folder.write("many.play", format!("format 1\ngame nothing-of-it\nplayers Ann Ben\n{scenes}"));
    let said = program::parlour(&folder, &["test", "many.play"]).all();
    assert!(said.contains("there is no game `nothing-of-it`"), "{}", &said[..said.len().min(300)]);
    for at in 0..5 {
        folder.write(&format!("my-game/plays/p{at}.play"), format!("{head}{}", "note a\n".repeat(100_000)));
    }
    for command in ["test", "check"] {
        let said = program::parlour(&folder, &[command, "my-game"]).all();
        assert!(said.contains("64 MB or 400000 lines together"), "{}", &said[..said.len().min(300)]);
    }
    assert!(begin.elapsed() < LONG * 3, "{:?}", begin.elapsed());
}

/// Without a limit, one picture on 890 sheets would take 1 GB of disk space.
#[test]
fn print_size_is_limited_before_anything_is_written() {
    let folder = Folder::new("sheets");
    folder.write("my-game/game.toml", GUESS);
    folder.write("my-game/rules/play.rhai", SPEAK);
    folder.write("my-game/components/card.toml", "[[card]]\nid = \"a{x}\"\ncount = 1000\n[card.each]\nx = \"1..8\"\n");
    folder.write("my-game/faces/card.html", "<img src=\"p.png\"><p>{{ name }}</p>");
    let mut picture = b"\x89PNG\r\n\x1a\n".to_vec();
    picture.resize(900_000, b'x');
    fs::write(folder.at("my-game/faces/p.png"), picture).unwrap();
    let said = program::parlour(&folder, &["print", "my-game", "--out", "sheets", "--browser", "none"]);
    assert!(said.code == 2 && said.err.contains("larger than 256 MB"), "{}", said.all());
    assert!(!folder.at("sheets").exists(), "nothing is written");
}

/// Without limits, each of these games takes several seconds: every mistake is compared with thousands of similar names, or every card has
/// its own long style.
#[test]
fn similar_names_and_long_styles_are_checked_quickly() {
    let folder = Folder::new("similar");
    let list = |count: usize, of: &dyn Fn(usize) -> String| (0..count).map(of).collect::<Vec<_>>().concat();
    let game = |more: &str| format!("{GUESS}{more}");
    let rules = format!("{SPEAK}fn more(seat) {{ {} }}\n", list(1_000, &|at| format!("let a = parameter_nane_{at}; ")));
    folder.write(
        "names/game.toml",
        game("").replace("limit = 3", &list(2_000, &|at| format!("parameter_name_{at} = 1\n"))),
    );
    folder.write("names/rules/play.rhai", rules);
    let grid = "[zones.board]\nshape = \"grid\"\ncolumns = 64\nrows = 64\n";
    folder.write("board/game.toml", game(grid));
    folder.write("board/rules/play.rhai", SPEAK);
    let shapes = list(800, &|at| {
        format!("<rect id=\"board.{},{}\" x=\"1\" y=\"1\" width=\"1\" height=\"1\"/>", at % 64, at / 64)
    });
    folder.write(
        "board/faces/board.svg",
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 99 99\">{shapes}</svg>"),
    );
    folder.write("styles/game.toml", game(""));
    folder.write("styles/rules/play.rhai", SPEAK);
    folder.write("styles/components/card.toml", "[[card]]\nid = \"a{x}\"\n[card.each]\nx = \"1..4096\"\n");
    let style = ".a{color:red}".repeat(4_000);
    folder.write("styles/faces/card.html", format!("<style>.{{{{ id }}}}{{color:red}}{style}</style><p>a</p>"));
    let begin = Instant::now();
    for (name, expected) in [
        ("names", "there is no `parameter_nane_0`"),
        ("board", "there is no place `board."),
        ("styles", "the faces of the game are larger than 8 MB together"),
    ] {
        let said = program::parlour(&folder, &["check", name, "--effort", "0"]);
        let shown: String = said.all().chars().take(500).collect();
        assert!(said.code == 1 && said.all().contains(expected), "{name}: {} {shown}", said.code);
        assert!(said.all().matches("error[").count() <= 200, "{name}: {}", said.all().matches("error[").count());
    }
    assert!(begin.elapsed() < LONG * 2, "{:?}", begin.elapsed());
}

/// Cards with the same style are made from it even if all styles together would exceed the limit.
#[test]
fn cards_may_share_a_long_style() {
    let folder = Folder::new("styled");
    folder.write("game/game.toml", GUESS);
    folder.write("game/rules/play.rhai", SPEAK);
    folder.write("game/components/card.toml", "[[card]]\nid = \"a{x}\"\n[card.each]\nx = \"1..400\"\n");
    folder
        .write("game/faces/card.html", format!("<style>{}</style><p>{{{{ id }}}}</p>", ".a{color:red}".repeat(4_000)));
    run_ok(&folder, &["check", "game", "--effort", "0"]);
}

/// A game that asks 4,000 times in one step, while its variables hold a megabyte that changes each time. Each copy from which answers can
/// be taken back holds the variables.
const LARGE_STEP: &str = "fn speak(seat) {
    let all = [];
    for m in 0..60 { let some = []; for n in 0..1000 { some.push(n); } all.push(some); }
    for n in 0..4000 { for m in 0..60 { all[m][n % 1000] = n + m; } choose(seat, \"say\", [1, 2]); }
}
fn score(seat) { seat.said }
";

/// Maximum address space of the program in kilobytes: the memory of a game, of the program, and space that is only reserved.
#[cfg(target_os = "linux")]
const MEMORY: u32 = 1 << 20;

/// Runs the program with at most [`MEMORY`].
#[cfg(target_os = "linux")]
fn run_in_limited_memory(folder: &Folder, arguments: &[&str]) -> program::RunOutput {
    let limited = format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"");
    let arguments = [&["-c", &limited, env!("CARGO_BIN_EXE_parlour")], arguments].concat();
    let said = std::process::Command::new("sh").args(arguments).current_dir(folder.path()).output().unwrap();
    program::RunOutput::from_output(said)
}

/// Without a limit, this game takes two gigabytes.
#[cfg(target_os = "linux")]
#[test]
fn copies_of_a_large_step_take_limited_memory() {
    let folder = Folder::new("step");
    folder.write("game/game.toml", GUESS);
    folder.write("game/rules/play.rhai", LARGE_STEP);
    let play = "format 2\ngame guess\nplayers Ann Ben\nscene \"a\" {\n    auto until end with first\n}\n";
    folder.write("game/plays/a.play", play);
    let said = run_in_limited_memory(&folder, &["test", "game/plays/a.play"]);
    assert!(said.code == 0 && said.out.contains("1 passed"), "{} {}", said.code, said.all());
}

/// Sparse files take no space on the disk. Without a limit, copying these takes more than a gigabyte.
#[cfg(target_os = "linux")]
#[test]
fn folders_with_large_files_are_not_copied() {
    let folder = Folder::new("sparse");
    folder.write("game/game.toml", GUESS);
    folder.write("game/rules/play.rhai", SPEAK);
    for at in 0..80 {
        let file = folder.write(&format!("game/faces/{at}.bin"), "");
        fs::File::options().write(true).open(file).and_then(|file| file.set_len(16 << 20)).unwrap();
    }
    let said = run_in_limited_memory(&folder, &["new", "copy", "--from", "game"]);
    assert!(said.code == 2 && said.all().contains("too large to be a game"), "{} {}", said.code, said.all());
    assert!(!folder.at("copy").exists());
}

/// Without limits, serde stores each number of a page in 32 bytes, and each of its files in 48.
#[cfg(target_os = "linux")]
#[test]
fn games_in_pages_take_limited_memory() {
    let folder = Folder::new("pages");
    let number = format!("[\"rules/a.rhai\",{{\"other\":[{}0]}}]", "0,".repeat(15_000_000));
    let files = format!("{}[\"\",\"\"]", "[\"\",\"\"],".repeat(7_000_000));
    for (files, why) in [(number, "missing field `base64`"), (files, "has more than 1000 files")] {
        let head = "<!DOCTYPE html><script type=\"application/json\" id=\"parlour-game\">";
        let page = format!("{head}{{\"name\":\"x\",\"file\":\"\",\"mark\":\"\",\"files\":[{files}]}}</script>");
        folder.write("page.html", page);
        let said = run_in_limited_memory(&folder, &["new", "copy", "--from", "page.html"]);
        assert!(said.code == 2 && said.all().contains(why), "{} {}", said.code, said.all());
    }
}

#[test]
fn language_server_messages_have_a_size_limit() {
    let folder = Folder::new("announced");
    for length in ["1000000000000000000", "18446744073709551615", "99999999999"] {
        let said = run_with_input(&folder, &["lsp"], format!("Content-Length: {length}\r\n\r\n"));
        assert_eq!(said.code, 2, "{}", said.all());
        assert!(said.err.contains("than 64 MB") || said.err.contains("no length"), "{}", said.err);
    }
}
