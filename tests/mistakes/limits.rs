//! Checks that excessive, unreadable and hostile data is refused quickly and with a location.

use crate::folder::Folder;
use crate::loader::REST;
use parlour::diagnostic::Diagnostics;
use parlour::loader::{Files, Package};
use parlour::session::Setup;
use std::sync::Arc;

fn package(game: &str, components: &str) -> Result<Arc<Package>, Diagnostics> {
    let texts = [("game.toml", format!("{game}{REST}")), ("components/a.toml", components.to_owned())];
    Package::parse(Files::from_texts("tiny", texts.map(|(path, text)| (path.to_owned(), text)))?)
}

#[test]
fn syntax_errors_of_all_files_are_reported_together() {
    let files = [("game.toml", "a = \n"), ("components/a.toml", "b = \n"), ("components/b.toml", "[\n")];
    let files = crate::folder::owned_files(files);
    let found = Package::parse(Files::from_texts("tiny", files).unwrap()).unwrap_err();
    let paths: Vec<&str> = found.0.iter().map(|found| &*found.marks[0].place.source.path).collect();
    assert_eq!(paths, ["components/a.toml", "components/b.toml", "game.toml"]);
}

#[test]
fn excessive_data_is_refused_quickly() {
    let rows = |count: i64, number: usize| {
        let rows: Vec<String> = (0..number).map(|at| format!("[[card]]\nid=\"a{at}\"\ncount={count}\n")).collect();
        rows.concat()
    };
    let lines = |number: usize, line: fn(usize) -> String| (0..number).map(line).collect::<Vec<_>>().concat();
    let cases = [
        (String::new(), rows(1000, 9), "9000 pieces"),
        ("[zones.a]\nshape=\"grid\"\ncolumns=16384\nrows=16384\n".to_owned(), String::new(), "268435456 spaces"),
        (
            "[zones.a]\nshape=\"pile\"\nper=[\"card\",\"chip\"]\n".to_owned(),
            rows(0, 200) + rows(0, 200).replace("card", "chip").replace("\"a", "\"b").as_str(),
            "8192 are allowed",
        ),
        ("[zones.a]\nshape=\"pile\"\ncopies=999999999999\n".to_owned(), String::new(), "between 0 and 1000"),
        (format!("[params]\na = {}1{}\n", "[".repeat(40), "]".repeat(40)), String::new(), "more than 32 deep"),
        (format!("[params]\na = {}\n", "[".repeat(30_000)), String::new(), "this is not TOML"),
        (format!("[params]\n{}a = 1\n", "a.".repeat(30_000)), String::new(), "more than 32 deep"),
        (format!("[{}a]\n", "a.".repeat(30_000)), String::new(), "more than 32 deep"),
        (format!("[params]\n{}", lines(5000, |at| format!("a{at}=1\n"))), String::new(), "entries in `params`"),
        (String::new(), lines(5000, |at| format!("[[k{at}]]\n")), "kinds"),
        (
            String::new(),
            format!("[[card]]\nid=\"a\"\n{}", lines(5000, |at| format!("f{at}=1\n"))),
            "fields in one table",
        ),
        ("a".repeat(65_000), String::new(), "this is not TOML"),
    ];
    for (game, components, expected) in cases {
        let found = match package(&game, &components) {
            Err(found) => found.to_string(),
            Ok(package) => package.check().to_string(),
        };
        assert!(found.contains(expected), "{expected}: {}", &found[..found.len().min(500)]);
    }
}

/// Without the limit, each case would take 4 GB of memory or more.
#[test]
fn expansions_are_counted_before_they_take_memory() {
    let each = "[card.each]\nx = \"1..60\"\ny = \"1..60\"\n";
    let lines = |number: usize, line: fn(usize) -> String| (0..number).map(line).collect::<Vec<_>>().concat();
    let ones = "1,".repeat(25_000);
    let card = format!("[[card]]\nid = \"a{{x}}_{{y}}\"\n{each}");
    let too_much = "takes up more than 16 MB";
    let cases = [
        // A row that expands to many rows and has many fields, a long list, or a long name.
        (
            String::new(),
            format!("[[card]]\nid = \"a{{x}}_{{y}}\"\n{}{each}", lines(4_000, |at| format!("f{at} = {at}\n"))),
        ),
        (String::new(), format!("[[card]]\nid = \"a{{x}}_{{y}}\"\nl = [{ones}]\n{each}")),
        (
            String::new(),
            format!(
                "[[card]]\nid = \"a{{x}}\"\nname = \"{}\"\n[card.each]\nx = \"1..4000\"\n[card.each.w]\nw = \"{}\"\n",
                "{w}".repeat(8_000),
                "n".repeat(30_000)
            ),
        ),
        // Many placeholders with short values. Replacing each of them takes time.
        (
            String::new(),
            format!("[[card]]\nid = \"a{{x}}\"\nname = \"{}\"\n[card.each]\nx = \"1..4000\"\n", "{x}".repeat(20_000)),
        ),
        // Long field defaults that apply to many components or spaces.
        (format!("[kinds.card.fields.l]\ntype = [\"number\"]\ndefault = [{ones}]\n"), card.clone()),
        (
            format!(
                "[zones.site]\nshape = \"row\"\ncopies = 900\nspaces = [{{ at = \"a\" }}, {{ at = \"b\" }}]\n\
                 [zones.site.fields.l]\ntype = [\"number\"]\ndefault = [{ones}]\n"
            ),
            String::new(),
        ),
        // Many spaces, because a zone exists once for each of many components.
        (
            format!(
                "[zones.site]\nshape = \"row\"\nper = \"card\"\nprinted = {{ v = \"{}\", w = {{ a1_1 = \"1\" }} }}\n",
                "1 ".repeat(15_000)
            ),
            card,
        ),
    ];
    for (at, (game, components)) in cases.into_iter().enumerate() {
        let found = match package(&game, &components) {
            Err(found) => found.to_string(),
            Ok(package) => package.check().to_string(),
        };
        assert!(found.contains(too_much), "{at}: {}", &found[..found.len().min(500)]);
    }
}

#[test]
fn long_names_are_refused() {
    let long = "a".repeat(60_000);
    let found = package("", &format!("[[card]]\nid = \"{long}\"\n")).unwrap().check().to_string();
    assert!(found.contains("is too long for the name of a component") && found.len() < 200_000, "{}", found.len());
}

/// Option values with the same overlay share a single variant of the game.
#[test]
fn names_of_variants_are_read_once_per_set_of_overlays() {
    let values = |of: &dyn Fn(usize) -> String| (0..800).map(of).collect::<Vec<_>>().join(", ");
    let game = format!(
        "[options.o]\nvalues = [\"n\", {}]\noverlay = {{ {} }}\n{REST}",
        values(&|at| format!("\"v{at}\"")),
        values(&|at| format!("v{at} = \"overlays/o.toml\""))
    );
    let texts = [
        ("game.toml", game),
        ("components/a.toml", "[[card]]\nid = \"a\"\n".to_owned()),
        ("overlays/o.toml", "[[card]]\nid = \"b\"\n".to_owned()),
    ];
    let files = Files::from_texts("tiny", texts.map(|(path, text)| (path.to_owned(), text))).unwrap();
    let package = Package::parse(files).unwrap();
    let players = *package.players().start();
    let model = package.build(&parlour::loader::Choices { players, ..Default::default() }).unwrap();
    assert_eq!(model.variants_with_more_names().len(), 1);
}

#[test]
fn files_beyond_the_limits_are_refused() {
    let refusal = |texts: Vec<(String, String)>| Files::from_texts("x", texts).unwrap_err().to_string();
    let file = |path: &str, length: usize| (path.to_owned(), " ".repeat(length));
    assert!(refusal(vec![file("game.toml", 65_537)]).contains("`game.toml` is larger than 64 KB"));
    assert!(refusal((0..300).map(|at| file(&format!("rules/{at}.rhai"), 1)).collect()).contains("more than 256 files"));
    assert!(
        refusal((0..20).map(|at| file(&format!("rules/{at}.rhai"), 65_000)).collect()).contains("larger than 1024 KB")
    );
    assert!(refusal(vec![file("rules/a.rhai", 1)]).contains("`x` has no file `game.toml`"));
}

#[cfg(unix)]
#[test]
fn special_files_are_refused_and_other_folders_ignored() {
    let folder = Folder::new("loader");
    let game = folder.at("game");
    for name in ["rules", "plays", "overlays/a.toml"] {
        std::fs::create_dir_all(game.join(name)).unwrap();
    }
    std::fs::write(folder.at("secret.toml"), "secret = 1").unwrap();
    std::fs::write(game.join("plays/x.rhai"), "not read").unwrap();
    std::fs::write(game.join("rules/bad.rhai"), b"fine\n\xff\n").unwrap();
    std::fs::write(game.join("Game.toml"), REST).unwrap();
    crate::unix::link(folder.at("secret.toml"), game.join("rules/link.rhai"));
    crate::unix::link(&folder, game.join("components"));
    let found = Files::read(&game).unwrap_err().to_string();
    for expected in [
        "`components` is a symbolic link",
        "`rules/link.rhai` is a symbolic link",
        "`rules/bad.rhai` is not UTF-8 text\n --> rules/bad.rhai:2:1",
        "`overlays/a.toml` is not a file",
    ] {
        assert!(found.contains(expected), "{expected}\n{found}");
    }
    for name in ["rules/link.rhai", "rules/bad.rhai", "components"] {
        std::fs::remove_file(game.join(name)).unwrap();
    }
    std::fs::remove_dir(game.join("overlays/a.toml")).unwrap();
    let found = Files::read(&game).unwrap_err().to_string();
    assert!(found.contains("help: rename `Game.toml` to `game.toml`"), "{found}");
    std::fs::rename(game.join("Game.toml"), game.join("game.toml")).unwrap();
    std::fs::write(game.join("rules/good.rhai"), "fn set_up() {}").unwrap();
    let files = Files::read(&game).unwrap();
    let paths: Vec<&str> = files.sources.iter().map(|source| &*source.path).collect();
    assert_eq!(paths, ["game.toml", "rules/good.rhai"]);
}

/// The combinations of options are counted before the data is read for each combination. The cases have thousands of option values, or
/// overlays with more combinations than fit into an integer.
#[test]
fn options_with_too_many_combinations_are_refused_quickly() {
    let list = |number: usize, of: &dyn Fn(usize) -> String| (0..number).map(of).collect::<Vec<_>>().concat();
    let words = list(4_000, &|at| format!("\"v{at}\", "));
    let each = "[[card]]\nid = \"a{x}_{y}\"\n[card.each]\nx = \"1..60\"\ny = \"1..60\"\n";
    let overlay = "values = [\"a\", \"b\"]\noverlay = { b = \"overlays/o.toml\" }\n";
    let by_word = list(600, &|at| format!("v{at} = \"overlays/o.toml\", "));
    let cases = [
        format!("[options.o]\nvalues = [{words}]\n"),
        format!("[options.o]\nvalues = [{words}]\noverlay = {{ {} }}\n", by_word.trim_end_matches(", ")),
        list(1_500, &|at| format!("[options.o{at}]\nvalues = [\"a\", \"b\"]\n")),
        list(600, &|at| format!("[options.o{at}]\n{overlay}")),
    ];
    let check = |game: String, components: &str| {
        let texts = [
            ("game.toml", game + REST),
            ("components/a.toml", components.to_owned()),
            ("overlays/o.toml", "[[card]]\nid = \"b\"\n".to_owned()),
        ];
        let files = Files::from_texts("tiny", texts.map(|(path, text)| (path.to_owned(), text))).unwrap();
        Package::parse(files).unwrap_or_else(|found| panic!("{found}")).check().to_string()
    };
    for (at, game) in cases.into_iter().enumerate() {
        let found = check(game, each);
        assert!(found.contains("which are too many to check"), "{at}: {}", &found[..found.len().min(500)]);
    }
    // The number of combinations does not fit into 64 bits, so only pairs of options are checked.
    let found = check(list(64, &|at| format!("[options.o{at}]\n{overlay}")), "[[card]]\nid = \"a\"\n");
    assert!(!found.contains("too many"), "{}", &found[..found.len().min(500)]);
}

/// A check uses every number of players with every value of every option. If all of these variants stayed in memory, a game of 1 KB could
/// take gigabytes.
#[test]
fn few_variants_of_a_game_stay_in_memory() {
    let texts = |columns: usize| {
        let game = format!(
            "[game]\nid = \"many\"\nplayers = {{ min = 2, max = 8 }}\n[options.mode]\nvalues = [\"a\", \"b\", \"c\"]\n[zones.board]\n\
             shape = \"grid\"\ncolumns = {columns}\nrows = 100\n[flow]\nround = [\"play\"]\nrounds = 1\n[phases.play]\n\
             steps = [{{ each_seat = \"turn\" }}]\n"
        );
        let rules = "fn turn(seat) { }\nfn score(seat) { 0 }\n".to_owned();
        [("game.toml".to_owned(), game), ("rules/play.rhai".to_owned(), rules)]
    };
    for (columns, most) in [(1, 16), (100, 8)] {
        let game = parlour::load_texts("many", texts(columns)).unwrap();
        let mut layouts = Vec::new();
        for seats in game.players() {
            for mode in ["a", "b", "c"] {
                let setup = Setup::seats(seats).option("mode", mode);
                let (layout, _) = game.host(&setup).unwrap();
                assert!(Arc::ptr_eq(&layout, &game.layout(&setup).unwrap()), "the last variant stays in memory");
                layouts.push(Arc::downgrade(&layout));
            }
        }
        let kept = layouts.iter().filter(|layout| layout.strong_count() > 0).count();
        assert!((2..=most).contains(&kept), "{kept} of {} variants", layouts.len());
    }
}
