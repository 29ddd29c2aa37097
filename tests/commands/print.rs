//! Tests of `parlour print`, which writes sheets of pieces to print and cut out.

use crate::folder::Folder;
#[cfg(unix)]
use crate::program::command;
use crate::program::{ROOT, assert_usage_error, run_expecting, run_ok};
use std::fs;

/// Games that are included in the program.
const GAMES: [&str; 5] = ["last-will", "monga-alley", "revolution-1828", "stockpile", "wall-street-1920"];

/// Writes a small game whose cards have a custom face.
fn orchard(folder: &Folder) {
    folder.write(
        "game/game.toml",
        "[game]\nid = \"orchard\"\nname = { en = \"Orchard\", zh-Hant = \"果園\" }\nplayers = { min = 2, max = 4 }\n\
         [zones.deck]\nshape = \"pile\"\nstarts_with = [\"fruit\", \"hut\"]\n\
         [zones.path]\nshape = \"row\"\naccepts = [\"hut\"]\nprinted.gain = \"1 2 3 5 8\"\n\
         [flow]\nsetup = [\"shake\"]\n",
    );
    folder.write(
        "game/components/fruit.toml",
        "[[fruit]]\nid = \"apple\"\nname = { en = \"Apple\", zh-Hant = \"蘋果\" }\nworth = 2\ncount = 10\n\
         [[fruit]]\nid = \"pear\"\nname = { en = \"Pear <b>\", zh-Hant = \"梨\" }\nworth = 3\ncount = 2\n\
         [kinds.hut]\nsize = [20, 25]\n[[hut]]\nid = \"hut\"\neach = \"seat\"\n",
    );
    folder.write("game/rules/play.rhai", "/// The fruit are shaken off the tree.\nfn shake() { deck.shuffle(); }\n/// Fruit count.\nfn score(seat) { 0 }\n");
}

/// Prints the game without a browser and without bleed. Returns the output of the command.
fn printed(folder: &Folder, out: &str, more: &[&str]) -> String {
    run_ok(&folder.0, &[&["print", "game", "--out", out, "--browser", "none", "--bleed", "0"], more].concat())
}

/// Returns the position and size of each slot on a page, as CSS lengths: left, top, width and height.
fn slots(page: &str) -> Vec<[String; 4]> {
    let style = |part: &str| {
        let style = part.split_once('"').unwrap().0;
        let sides: Vec<String> = style.split(';').map(|side| side.split_once(':').unwrap().1.to_owned()).collect();
        <[String; 4]>::try_from(sides).unwrap()
    };
    page.split("<div class=\"slot\" style=\"").skip(1).map(style).collect()
}

#[test]
fn cards_are_printed_at_actual_size_with_aligned_backs() {
    let folder = Folder::new("print");
    orchard(&folder);
    for (paper, size, first, third) in [
        ("a4", "@page { size: 210mm 297mm; margin: 0; }", "10.5mm", "136.5mm"),
        ("letter", "@page { size: 215.9mm 279.4mm; margin: 0; }", "13.4mm", "139.5mm"),
    ] {
        printed(&folder, paper, &["--paper", paper]);
        let sheet = folder.read(&format!("{paper}/63x88-01.html"));
        assert!(sheet.contains(size), "{sheet}");
        let pages: Vec<&str> = sheet.split("<section class=\"sheet\">").skip(1).collect();
        let [fronts, backs] = pages[..] else { panic!("a front and a back") };
        let (fronts, backs) = (slots(fronts), slots(backs));
        assert_eq!((fronts.len(), backs.len()), (9, 9));
        assert!(fronts.iter().chain(&backs).all(|[_, _, wide, high]| wide == "63mm" && high == "88mm"));
        assert_eq!((fronts[0][0].as_str(), backs[0][0].as_str()), (first, third), "turned over the long edge");
        assert_eq!(fronts[0][1], backs[0][1]);
        // The other three cards are on a second sheet, and the tokens on a third one.
        assert_eq!(slots(&folder.read(&format!("{paper}/63x88-02.html"))).len(), 6);
        assert_eq!(
            slots(&folder.read(&format!("{paper}/20x25-01.html")))[0][2..],
            ["20mm".to_owned(), "25mm".to_owned()]
        );
    }
}

#[test]
fn components_boards_and_rules_are_printed_in_the_chosen_language() {
    let folder = Folder::new("print");
    orchard(&folder);
    let said = printed(&folder, "en", &[]);
    // The sheets contain the pieces of the box, and a token for the first player.
    assert!(said.starts_with("en: 17 pieces to cut out, 6 sheets"), "{said}");
    let cards = ["en/63x88-01.html", "en/63x88-02.html"].map(|file| folder.read(file)).concat();
    assert_eq!(cards.matches(">Apple</div>").count(), 10);
    assert_eq!(cards.matches(">Pear &lt;b&gt;</div>").count(), 2);
    let all = folder.read("en/all.html");
    assert!(all.contains("The fruit are shaken off the tree.") && all.contains("Fruit count."));
    for figure in [1, 2, 3, 5, 8] {
        assert!(folder.read("en/boards-01.html").contains(&format!(">{figure}</span>")));
    }
    assert_eq!(printed(&folder, "two", &["--players", "2"]).split_whitespace().nth(1), Some("15"));
    printed(&folder, "zh", &["--language", "zh-Hant"]);
    let all = folder.read("zh/all.html");
    assert!(all.contains("<html lang=\"zh-Hant\">") && all.contains(">蘋果</div>") && all.contains("規則"));
}

#[test]
fn pieces_and_boards_of_seats_are_labeled_with_player_numbers() {
    let folder = Folder::new("print");
    orchard(&folder);
    let game = folder.read("game/game.toml");
    let plots = "[zones.plot]\nname = { en = \"Plot\", zh-Hant = \"果園\" }\nper = \"seat\"\nshape = \"row\"\naccepts = [\"hut\"]\n\
                 printed.gain = \"1 2\"\n";
    folder.write("game/game.toml", game.replace("[flow]", &format!("{plots}[flow]")));
    for (out, language, plot, hut) in
        [("en", "en", "Plot of player 2", "hut (player 2)"), ("zh", "zh-Hant", "玩家2的果園", "hut（玩家2）")]
    {
        printed(&folder, out, &["--lang", language]);
        let all = folder.read(&format!("{out}/all.html"));
        assert!(all.contains(plot) && !all.contains("Ann") && !all.contains("Ben"), "{all}");
        let manifest = folder.read(&format!("{out}/manifest.json"));
        assert!(manifest.to_lowercase().contains(hut) && !manifest.contains("Ben"), "{manifest}");
    }
}

#[test]
fn faces_have_bleed_and_are_rotated_where_more_of_them_fit() {
    let folder = Folder::new("print-bleed");
    orchard(&folder);
    run_ok(&folder.0, &["print", "game", "--out", "out", "--browser", "none"]);
    let sheet = folder.read("out/63x88-01.html");
    let pages: Vec<&str> = sheet.split("<section class=\"sheet bled\"").skip(1).collect();
    let [fronts, backs] = pages[..] else { panic!("a front and a back") };
    let slots = slots(fronts);
    assert_eq!(slots.len(), 8);
    assert!(slots.iter().all(|[_, _, wide, high]| wide == "88mm" && high == "63mm"));
    assert_eq!((fronts.matches("<div class=\"under\"").count(), backs.matches("<div class=\"under\"").count()), (8, 8));
    assert!(fronts.contains("width:94mm;height:69mm"), "{fronts}");
    // The tops of fronts point left and the tops of backs point right, so that both are on the same side of a card after cutting.
    assert!(fronts.contains("rotate(-90deg)") && !fronts.contains("rotate(90deg)"));
    assert!(backs.contains("rotate(90deg)") && !backs.contains("rotate(-90deg)"));
    run_ok(&folder.0, &["print", "game", "--out", "little", "--browser", "none", "--bleed", "1.5", "--gutter", "4"]);
    assert!(folder.read("little/63x88-01.html").contains("width:66mm;height:91mm"));
    // Without bleed, lines separate faces that have no border.
    printed(&folder, "none", &[]);
    let sheet = folder.read("none/63x88-01.html");
    assert!(!sheet.contains("\"under\"") && sheet.matches("<i class=\"edge\"").count() == 12, "{sheet}");
    for wrong in ["-1", "21", "1.25", "x"] {
        let arguments = ["print", "game", "--out", "wrong", &format!("--bleed={wrong}")];
        assert_usage_error(&folder.0, &arguments, &["write millimeters from 0 to 20"]);
    }
}

/// Writes a game with a board larger than a sheet, values of several kinds, a die, and a place for cards in front of each player.
fn market(folder: &Folder) {
    folder.write(
        "game/game.toml",
        "[game]\nid = \"market\"\nname = \"Market\"\nabout = \"Sell fruit.\"\nplayers = { min = 2, max = 3 }\n\
         [zones.field]\nshape = \"grid\"\ncolumns = 12\nrows = 4\naccepts = [\"hut\"]\n\
         [zones.prices]\nshape = \"row\"\nper = \"fruit\"\nprinted.price = \"1 2 3\"\n\
         [zones.deck]\nshape = \"pile\"\nstarts_with = [\"card\"]\nface = \"down\"\n\
         [zones.cup]\nshape = \"hand\"\nstarts_with = [\"die\", \"odd\"]\n\
         [zones.store]\nper = \"seat\"\nshape = \"hand\"\naccepts = [\"card\"]\n\
         [values.seat]\ncash = { start = 20, paper = \"money\" }\nfame = { start = 0, max = 12 }\nsecret = { start = 0, quiet = true }\n\
         [values.fruit]\nmarker = { type = \"prices\", reads = \"price\" }\n\
         [decisions.keep]\nask = \"Which card do you keep?\"\n\
         [flow]\nsetup = [\"set_up\"]\nround = [\"day\"]\nrounds = 3\n[phases.day]\nsteps = [{ each_seat = \"work\" }]\n",
    );
    folder.write(
        "game/components/all.toml",
        "[kinds.hut]\nsize = [24, 24]\n[[hut]]\nid = \"hut\"\neach = \"seat\"\n\
         [[fruit]]\nid = \"apple\"\ncount = 0\n[[fruit]]\nid = \"pear\"\ncount = 0\n\
         [[card]]\nid = \"one\"\nworth = 1\ncount = 20\n\
         [[die]]\nid = \"die\"\nfaces = [1, 2, 3]\n[[odd]]\nid = \"odd\"\nfaces = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n",
    );
    folder.write(
        "game/rules/play.rhai",
        "/// Setup 1: shuffle the deck.\nfn set_up() {\n    deck.shuffle();\n    for fruit in components(\"fruit\") { fruit.marker = fruit.prices[2]; }\n}\n\
         /// Work 2: draw a card and keep it.\nfn work(seat) {\n    let drawn = deck.draw(2, seat.store);\n    let kept = choose(seat, \"keep\", drawn);\n    gain(seat, 1);\n    seat.fame += 1;\n}\n\
         /// Money 3: cash is taken from the bank.\nfn gain(seat, amount) { seat.cash += amount; }\n\
         /// End 4: the cash counts.\nfn score(seat) { seat.cash }\n",
    );
}

#[test]
fn print_covers_every_part_that_the_rules_need() {
    let folder = Folder::new("print-parts");
    market(&folder);
    let run = crate::program::parlour(&folder, &["print", "game", "--out", "out", "--browser", "none"]);
    assert_eq!(run.code, 0, "{}", run.all());
    assert!(
        run.all().contains("Take 1 × a die with 10 sides for “Odd”: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10."),
        "{}",
        run.all()
    );
    let manifest = folder.read("out/manifest.json");
    for part in [
        "marker/first",
        "marker/round",
        "money/cash/1",
        "money/cash/100",
        "marker/fame/1",
        "marker/fame/3",
        "marker/marker/2",
        "board/track-fame",
        "board/round",
        "board/die-die-1",
        "board/mat-3",
        "board/field",
        "board/prices-2",
    ] {
        assert!(manifest.contains(&format!("\"{part}\"")), "{part}: {manifest}");
    }
    for left_out in ["money/cash/500", "secret", "board/die-odd", "\"die/die\""] {
        assert!(!manifest.contains(left_out), "{left_out}: {manifest}");
    }
    let boards = boards(&folder, "out");
    // A field of 12 by 4 huts is 288 mm wide, so it is printed on two overlapping sheets.
    assert!(boards.contains("part A1 of 2 × 1") && boards.contains("part B1 of 2 × 1"), "{boards}");
    assert_eq!(boards.matches("class=\"glue down\"").count(), 2);
    assert!(boards.contains("<svg class=\"net") && boards.contains("class=\"place\""));
}

/// Returns all sheets of a print that contain boards.
fn boards(folder: &Folder, out: &str) -> String {
    let files = fs::read_dir(folder.at(out)).unwrap().map(|file| file.unwrap().path());
    let boards = files.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("boards-"));
    boards.map(|path| fs::read_to_string(path).unwrap()).collect()
}

#[test]
fn drawn_boards_and_mats_are_printed_with_room_for_the_pieces() {
    let folder = Folder::new("print-drawn");
    market(&folder);
    let drawing = |attributes: &str, places: &[(&str, &str)]| {
        let shapes: Vec<String> =
            places.iter().map(|(id, rest)| format!("<rect id=\"{id}\" y=\"5\" {rest}/>")).collect();
        let shapes = shapes.concat();
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\" {attributes} viewBox=\"0 0 400 200\">{shapes}</svg>")
    };
    let prices =
        [("prices.apple", "width=\"90\" height=\"30\""), ("prices.pear", "x=\"100\" width=\"90\" height=\"30\"")];
    let board =
        |attributes: &str| drawing(attributes, &[&prices[..], &[("deck", "width=\"40\" height=\"60\"")]].concat());
    folder.write("game/faces/board.svg", board("width=\"420mm\""));
    folder.write("game/faces/mat.svg", drawing("", &[("store", "width=\"50\" height=\"80\"")]));
    printed(&folder, "out", &[]);
    let manifest = folder.read("out/manifest.json");
    for part in ["board/board", "board/drawn-mat-1", "board/drawn-mat-3", "board/field"] {
        assert!(manifest.contains(&format!("\"{part}\"")), "{part}: {manifest}");
    }
    // Zones that are on a drawing are not printed once more.
    for left_out in ["board/prices", "board/mat-", "fruit/apple"] {
        assert!(!manifest.contains(left_out), "{left_out}: {manifest}");
    }
    let sheets = boards(&folder, "out");
    // The board states its width. A store of 50 units holds cards of 63 mm, so the mats are 504 mm wide.
    for size in ["width:420mm;height:210mm\"><img", "width:504mm;height:252mm\"><img"] {
        assert!(sheets.contains(size), "{size}: {sheets}");
    }
    assert_eq!(folder.read("out/all.html").matches("base64,").count(), 2);
    // A board that states no size is enlarged until its deck, 40 by 60 units, can hold the cards.
    folder.write("game/faces/board.svg", board(""));
    printed(&folder, "fitted", &[]);
    assert!(boards(&folder, "fitted").contains("width:630mm;height:315mm\"><img"));
}

#[test]
fn the_rulebook_covers_components_setup_play_and_end() {
    let folder = Folder::new("print-rules");
    market(&folder);
    let said = printed(&folder, "out", &["--rules"]);
    assert!(said.starts_with("out: the rulebook"), "{said}");
    assert!(!folder.at("out/63x88-01.html").exists());
    let rules = folder.read("out/rules.html");
    let mut rest = &*rules;
    for part in [
        "Market",
        "Sell fruit.",
        "In the box",
        "class=\"thumb\"",
        "Setup",
        "Shuffle the deck.",
        "class=\"table\"",
        "<h2>A round</h2>",
        "1. Day",
        "In turn order:",
        "Draw a card and keep it.",
        "The end",
        "The cash counts.",
        "Example: the first round of a game with 3 players",
        "Round 1",
        "Places on the table",
        "What the cards do",
        "worth 1",
    ] {
        rest = rest.split_once(part).unwrap_or_else(|| panic!("{part} comes next: {rest}")).1;
    }
    // Section numbers are for authors and are not printed.
    assert!(!rules.contains("Work 2") && !rules.contains("Setup 1:"), "{rules}");
}

#[test]
fn printing_card_images_requires_a_browser() {
    let folder = Folder::new("print-images");
    orchard(&folder);
    let arguments = ["print", "game", "--out", "out", "--images", "--browser", "none"];
    assert_usage_error(&folder.0, &arguments, &["pictures need a Chromium, Chrome or Edge", "install Chromium"]);
}

#[test]
fn changed_since_prints_only_changed_pieces() {
    let folder = Folder::new("print");
    orchard(&folder);
    printed(&folder, "first", &[]);
    let since = folder.path_of("first/manifest.json");
    let since = ["--changed-since", since.as_str()];
    assert!(printed(&folder, "same", &since).starts_with("nothing to print"));
    folder.change("game/components/fruit.toml", "worth = 3", "worth = 4");
    folder.change("game/components/fruit.toml", "count = 10", "count = 12");
    assert!(printed(&folder, "second", &since).starts_with("second: 4 pieces to cut out"));
    let all = folder.read("second/63x88-01.html");
    assert_eq!((all.matches(">Apple</div>").count(), all.matches(">Pear &lt;b&gt;</div>").count()), (2, 2));
    // The manifest of the second print run lists everything that has been printed so far.
    let since = folder.path_of("second/manifest.json");
    assert!(printed(&folder, "third", &["--changed-since", &since]).starts_with("nothing to print"));
    // A new face of one kind does not affect the other kinds.
    folder.write("game/faces/hut.html", "<style>b { color: red }</style><b>{{ seat_name }}</b>");
    assert!(printed(&folder, "fourth", &["--changed-since", &since]).starts_with("fourth: 4 pieces to cut out"));
    assert!(printed(&folder, "only", &["--only", "fruit"]).starts_with("only: 14 pieces to cut out, 2 sheets"));
}

#[test]
fn changed_since_lists_pieces_to_remove_and_to_add() {
    let folder = Folder::new("print");
    orchard(&folder);
    printed(&folder, "sheets", &[]);
    folder.change("game/components/fruit.toml", "id = \"pear\"", "id = \"plum\"");
    folder.change("game/components/fruit.toml", "Pear <b>", "Plum");
    folder.change("game/components/fruit.toml", "count = 10", "count = 7");
    let since = folder.path_of("sheets/manifest.json");
    // The new print replaces the previous one.
    let said = printed(&folder, "sheets", &["--changed-since", &since]);
    assert!(
        said.contains("take out: 3 × Apple, 2 × Pear <b>, 1 × The rules\nput in: 2 × Plum, 1 × The rules\n"),
        "{said}"
    );
    let page = folder.read("sheets/changes.html");
    assert!(page.contains("<h2>Take out</h2>") && page.contains("<li>2 × Pear &lt;b&gt;</li>"), "{page}");
    assert!(page.contains("<h2>Put in</h2>\n<ul>\n<li>2 × Plum</li>\n"), "{page}");
    assert!(!folder.at("sheets/boards-01.html").exists(), "what was printed before is gone");
    // Pieces to take out are not listed again, and a reduced number of pieces does not require printing.
    let said = printed(&folder, "sheets", &["--changed-since", &since]);
    assert!(said.starts_with("nothing to print"), "{said}");
    printed(&folder, "zh", &["--lang", "zh-Hant"]);
    folder.change("game/components/fruit.toml", "count = 7", "count = 6");
    let since = folder.path_of("zh/manifest.json");
    let said = printed(&folder, "zh-2", &["--lang", "zh-Hant", "--changed-since", &since]);
    assert!(said.contains("take out: 1 × 蘋果") && folder.read("zh-2/changes.html").contains("取出"), "{said}");
}

#[test]
fn components_can_be_printed_without_rules() {
    let folder = Folder::new("print");
    orchard(&folder);
    let game = folder.read("game/game.toml");
    folder.write("game/game.toml", game.split("[flow]").next().unwrap());
    fs::remove_file(folder.at("game/rules/play.rhai")).unwrap();
    assert!(printed(&folder, "out", &[]).starts_with("out: 16 pieces to cut out"));
    let said = crate::program::parlour(&folder, &["info", "game"]);
    assert!(said.code == 0 && said.all().contains("fruit") && said.all().contains("no `[flow]`"), "{}", said.all());
    // Mistakes in the game are reported.
    folder.change("game/components/fruit.toml", "count = 2", "count = \"two\"");
    let said = run_expecting(1, &folder.0, &["print", "game", "--out", "broken", "--browser", "none"]);
    assert!(said.contains("unknown-param"), "{said}");
}

#[test]
fn output_folders_with_other_files_are_not_overwritten() {
    let folder = Folder::new("print");
    orchard(&folder);
    printed(&folder, "sheets", &[]);
    printed(&folder, "sheets", &["--only", "fruit"]);
    assert!(folder.at("sheets/63x88-01.html").exists() && !folder.at("sheets/rules.html").exists());
    folder.write("sheets/notes.txt", "mine");
    assert_usage_error(
        &folder.0,
        &["print", "game", "--browser", "none", "--out", "sheets"],
        &["`sheets` is there already", "`notes.txt` in it was not written by an earlier print"],
    );
    assert_eq!(folder.read("sheets/notes.txt"), "mine");
}

#[test]
fn equal_words_share_a_color_across_kinds_and_others_differ() {
    let folder = Folder::new("print");
    orchard(&folder);
    folder.write(
        "game/components/fruit.toml",
        "[[fruit]]\nid = \"apple\"\nkeeps = \"long\"\n[[fruit]]\nid = \"pear\"\nkeeps = \"short\"\n\
         [[jam]]\nid = \"jelly\"\nkeeps = \"short\"\n[[jam]]\nid = \"sauce\"\nkeeps = \"never\"\n[[jam]]\nid = \"syrup\"\nkeeps = \"long\"\n\
         [[hut]]\nid = \"hut\"\neach = \"seat\"\n",
    );
    printed(&folder, "out", &[]);
    let all = folder.read("out/all.html");
    let tint = |name: &str| {
        let at = all.find(&format!(">{name}</div>")).unwrap_or_else(|| panic!("{name}"));
        let face = &all[all[..at].rfind("class=\"face").unwrap()..at];
        face.split("tint-").nth(1).unwrap().split('"').next().unwrap().to_owned()
    };
    assert_eq!(tint("Apple"), tint("Syrup"));
    assert_eq!(tint("Pear"), tint("Jelly"));
    assert!(tint("Sauce") != tint("Syrup") && tint("Sauce") != tint("Jelly"));
}

#[test]
fn rules_and_params_are_printed_in_the_chosen_language_if_translated() {
    let folder = Folder::new("print");
    orchard(&folder);
    folder.write(
        "game/rules/play.rhai",
        "/// The fruit are shaken\n/// off the tree.\n/// zh-Hant: 把水果從樹上\n/// 搖下來。\nfn shake() { deck.shuffle(); }\n\
         /// Fruit count: one by one.\nfn score(seat) { 0 }\n",
    );
    let game = folder.read("game/game.toml");
    folder.write(
        "game/game.toml",
        game + "[params.most]\nvalue = 3\nabout = { en = \"how many are kept\", zh-Hant = \"可保留的數量\" }\n",
    );
    printed(&folder, "en", &[]);
    let rules = folder.read("en/rules.html");
    assert!(rules.contains("The fruit are shaken off the tree.<") && rules.contains("How many are kept"), "{rules}");
    assert!(rules.contains("Fruit count: one by one.") && !rules.contains("水果"), "{rules}");
    printed(&folder, "zh", &["--lang", "zh-Hant"]);
    let rules = folder.read("zh/rules.html");
    assert!(rules.contains("把水果從樹上搖下來。") && rules.contains("可保留的數量"), "{rules}");
    assert!(rules.contains("Fruit count: one by one.") && !rules.contains("shaken"), "{rules}");
}

#[test]
fn names_in_comments_are_not_printed_as_rules() {
    let folder = Folder::new("print");
    orchard(&folder);
    let game = folder.read("game/game.toml");
    let decision = "[decisions.keep]\nask = { en = \"Which fruit do you keep?\" }\n";
    folder.write("game/game.toml", game + decision);
    folder.write(
        "game/rules/play.rhai",
        "/// The fruit are shaken off the tree.\nfn shake() {\n    /* was: choose(first, \"keep\", deck.pieces); rot(); */\n    deck.shuffle();\n}\n\
         /// Nobody keeps what is rotten.\nfn rot() { choose(first, \"keep\", deck.pieces); }\n\
         /// Fruit count.\nfn score(seat) { 0 }\n",
    );
    printed(&folder, "out", &[]);
    let rules = folder.read("out/rules.html");
    let setup = rules.split("shaken off").nth(1).unwrap().split("</li>").next().unwrap();
    assert!(!setup.contains("Which fruit") && !setup.contains("rotten"), "{rules}");
}

#[test]
fn the_number_of_rounds_is_printed_for_each_player_count() {
    let folder = Folder::new("print");
    orchard(&folder);
    let game = folder.read("game/game.toml");
    let flow = "[params]\nseasons = { 2 = 4, 3 = 3, 4 = 3 }\n[phases.season]\nsteps = [\"shake\"]\n[flow]\nround = [\"season\"]\nrounds = \"seasons\"\n";
    folder.write("game/game.toml", game.split("[flow]").next().unwrap().to_owned() + flow);
    printed(&folder, "all", &[]);
    let told = "4 rounds (for 2 players), 3 rounds (for 3 players), 3 rounds (for 4 players)";
    let rules = folder.read("all/rules.html");
    assert!(rules.contains(told), "{rules}");
    assert!(rules.contains("<td>Rounds</td><td>4</td><td>3</td><td>3</td>"), "{rules}");
    // The round track marks where it ends for each number of players.
    assert!(folder.read("all/boards-01.html").contains("last for 3, 4"));
    printed(&folder, "two", &["--players", "2"]);
    let rules = folder.read("two/rules.html");
    assert!(rules.contains("The game lasts 4 rounds.") && !rules.contains("3 rounds"), "{rules}");
}

#[test]
fn the_rulebook_lists_variants_by_what_they_change() {
    let folder = Folder::new("print-variants");
    market(&folder);
    let game = folder.read("game/game.toml");
    let option = "[options.fair]\nname = \"Fair\"\nabout = \"cards are worth the same\"\nvalues = [\"off\", \"on\"]\n\
                  overlay = { on = \"overlays/fair.toml\" }\n[options.length]\nname = \"Length\"\ntype = \"number\"\nmin = 1\nmax = 99\ndefault = 3\n\
                  [words]\non = \"fair\"\noff = \"unfair\"\n";
    folder.write("game/game.toml", game + option);
    folder.write("game/overlays/fair.toml", "[[card]]\nid = \"one\"\nworth = 7\n");
    printed(&folder, "out", &["--rules"]);
    let rules = folder.read("out/rules.html");
    let (before, variants) = rules.split_once("<h2>Variants</h2>").unwrap_or_else(|| panic!("{rules}"));
    assert!(!before.contains("worth 7") && !rules.contains("1–99"), "{rules}");
    let variants = variants.split("<h2>").next().unwrap();
    assert!(variants.contains("Cards are worth the same.") && variants.contains("worth 7"), "{variants}");
}

#[test]
fn a_component_can_have_a_text_instead_of_its_facts() {
    let folder = Folder::new("print-text");
    market(&folder);
    let game = folder.read("game/game.toml");
    folder.write("game/game.toml", game + "[words]\none = \"Sell it for 1 coin.\"\n");
    printed(&folder, "out", &["--rules"]);
    let rules = folder.read("out/rules.html");
    let index = rules.split("What the cards do").nth(1).unwrap();
    assert!(index.contains("Sell it for 1 coin.") && !index.contains("worth 1"), "{index}");
}

#[cfg(unix)]
#[test]
fn a_language_without_a_suitable_font_is_reported() {
    let folder = Folder::new("print");
    orchard(&folder);
    // The browser script writes a minimal file, and the `fc-list` script lists fonts only for English. A shell writes both scripts. If this
    // process wrote them, another test could start a process at that moment which inherits the open file, and the scripts could not be
    // started.
    let browser = "for given do case $given in --print-to-pdf=*) echo pdf > \"${given#*=}\";; esac; done";
    let fonts = "case $1 in :lang=en) echo font;; esac";
    let script =
        |name: &str, says: &str| format!("printf '#!/bin/sh\\n%s\\n' '{says}' > bin/{name} && chmod +x bin/{name}");
    let all = ["mkdir bin".to_owned(), script("browser", browser), script("fc-list", fonts)].join(" && ");
    let made = std::process::Command::new("sh").args(["-c", &all]).current_dir(&folder.0).status();
    assert!(made.unwrap().success());
    let printed = |language: &str| {
        let arguments = ["print", "game", "--out", language, "--lang", language, "--browser", "browser"];
        let said = command(&folder.0, &arguments).env("PATH", folder.path_of("bin")).output().unwrap();
        String::from_utf8_lossy(&[said.stdout, said.stderr].concat()).into_owned()
    };
    let told = "no font on this machine has the letters of `zh-Hant`";
    let said = printed("zh-Hant");
    assert!(said.contains("the same as PDF") && said.contains(told), "{said}");
    let said = printed("en");
    assert!(said.contains("the same as PDF") && !said.contains("no font"), "{said}");
}

#[test]
fn invalid_print_arguments_are_reported_before_writing() {
    let folder = Folder::new("print");
    orchard(&folder);
    folder.write("full/a.txt", "mine");
    let print = |more: &[&str], says: &[&str]| {
        assert_usage_error(&folder.0, &[&["print", "game", "--browser", "none"], more].concat(), says);
    };
    print(&["--out", "full"], &["`full` is there already", "another folder"]);
    print(&["--out", "new", "--only", "fruti"], &["no kind `fruti`", "did you mean `fruit`?"]);
    print(&["--out", "new", "--changed-since", "full/a.txt"], &["does not say what was printed", "manifest.json"]);
    print(&["--out", "new", "--players", "9"], &["for 2 to 4 players"]);
    printed(&folder, "zh", &["--lang", "zh-Hant"]);
    print(&["--out", "new", "--changed-since", "zh/manifest.json"], &["another language", "--lang zh-Hant"]);
    assert_usage_error(
        &folder.0,
        &["print", "stockpile", "--out", "new", "--changed-since", "zh/manifest.json"],
        &["is of `orchard`"],
    );
    assert_usage_error(
        &folder.0,
        &["print", "game", "--out", "new", "--browser", "no-such-program"],
        &["no program `no-such-program`"],
    );
    folder.write("game/faces/fruit.html", "{{ nmae }}");
    let said = run_expecting(1, &folder.0, &["print", "game", "--out", "broken", "--browser", "none"]);
    assert!(said.contains("error[unknown-field]") && said.contains("did you mean `name`?"), "{said}");
    assert!(!folder.at("broken").exists());
}

#[test]
fn only_pictures_inside_the_game_folder_are_embedded() {
    let folder = Folder::new("print");
    orchard(&folder);
    folder.write("secret.png", b"\x89PNG\r\n\x1a\nsecret");
    folder.write("game/faces/coin.png", b"\x89PNG\r\n\x1a\ncoin");
    folder.write("game/faces/fruit.html", "<img src=\"coin.png\" alt=\"\"><b>{{ name }}</b>");
    printed(&folder, "in", &[]);
    let page = folder.read("in/all.html");
    let (_, rule) = page.split_once("img[data-picture=\"").unwrap();
    let (name, _) = rule.split_once('"').unwrap();
    assert!(page.contains(&format!("--parlour-picture-{name}: url(data:image/png;base64,iVBORw0KGgpjb2lu)")), "{page}");
    assert!(page.contains(&format!("<img data-picture=\"{name}\"")), "{page}");
    folder.write("game/faces/fruit.html", "<img src=\"../../secret.png\" alt=\"\"><b>{{ name }}</b>");
    let said = run_expecting(1, &folder.0, &["print", "game", "--out", "out", "--browser", "none"]);
    assert!(said.contains("error[bad-picture]"), "{said}");
    #[cfg(unix)]
    {
        crate::unix::link(folder.at("secret.png"), folder.at("game/faces/linked.png"));
        folder.write("game/faces/fruit.html", "<img src=\"linked.png\" alt=\"\">");
        let said = run_expecting(1, &folder.0, &["print", "game", "--out", "out", "--browser", "none"]);
        assert!(said.contains("there is no picture `faces/linked.png`"), "{said}");
    }
}

#[test]
fn shared_pictures_are_embedded_once_per_file_that_uses_them() {
    let folder = Folder::new("print");
    orchard(&folder);
    folder.write("game/faces/coin.png", b"\x89PNG\r\n\x1a\ncoin");
    folder.write(
        "game/faces/fruit.html",
        "<style>.a { background: url(coin.png) }</style><img src=\"coin.png\" alt=\"\"><p>parlour-picture:0</p>",
    );
    printed(&folder, "out", &[]);
    let page = folder.read("out/all.html");
    assert!(page.matches("data-picture=").count() > 2, "{page}");
    assert_eq!(page.matches("base64,").count(), 1, "{page}");
    assert!(page.contains("background: var(--parlour-picture-"), "{page}");
    assert!(!folder.read("out/boards-01.html").contains("base64,"));
    // Another picture under the same name changes the look of a piece.
    let looks = |out: &str| folder.read(&format!("{out}/manifest.json"));
    folder.write("game/faces/coin.png", b"\x89PNG\r\n\x1a\nmoon");
    printed(&folder, "again", &[]);
    assert_ne!(looks("out"), looks("again"));
}

#[test]
fn sheets_that_are_too_large_are_refused_before_writing() {
    let folder = Folder::new("print");
    orchard(&folder);
    let rows: Vec<String> =
        (0..8).map(|at| format!("[[fruit]]\nid = \"many{at}\"\nname = \"Many\"\nworth = 1\ncount = 900\n")).collect();
    folder.write("game/components/many.toml", rows.concat());
    folder.write("game/faces/fruit.html", format!("<p>{}</p>", "x".repeat(60_000)));
    let said = run_expecting(2, &folder.0, &["print", "game", "--out", "out", "--browser", "none"]);
    assert!(said.contains("the sheets would be larger than 64 MB, most of it for the kind `fruit`"), "{said}");
    assert!(!folder.at("out").exists());
}

#[test]
fn overly_complex_faces_and_drawings_are_refused() {
    let folder = Folder::new("print");
    orchard(&folder);
    let refused = |face: &str, drawing: &str, why: &str| {
        folder.write("game/faces/fruit.html", face);
        folder.write("game/faces/a.svg", drawing);
        let said = run_expecting(1, &folder.0, &["print", "game", "--out", "out", "--browser", "none"]);
        assert!(said.contains(why), "{why}: {said}");
    };
    let of = |inner: &str| format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\">{inner}</svg>");
    refused(&"<div>".repeat(12_000), "", "has elements more than 64 deep within each other");
    let bold: Vec<String> = (0..1_000).map(|at| format!("<b class=\"{at}\">")).collect();
    let bold = bold.concat();
    refused(&format!("<p>{bold}</p>{}", "<p>a".repeat(6_000)), "", "64 deep within each other");
    // Closing tags that a parser ignores, and elements that it opens again in each paragraph.
    let reopened: Vec<String> = (0..50).map(|at| format!("<b class=\"{at}\"></i>")).collect();
    let reopened = reopened.concat();
    refused(&format!("<p>{reopened}</p>{}", "<p>a".repeat(2_000)), "", "has more than 4000 elements");
    let blurred = format!("<style>.g {{ filter: blur(99px) }}</style>{}", "<p class=g>x</p>".repeat(3_000));
    refused(&blurred, "", "has more than 64 filters, shadows and blended colors");
    let picture = "<img src=\"a.svg\" alt=\"\">";
    let nested: String = ["<g>", "</g>"].map(|tag| tag.repeat(12_000)).concat();
    refused(picture, &of(&nested), "the drawing `faces/a.svg` has elements more than 64 deep");
    let doubled = |at: i32| format!("<g id=\"a{at}\"><use href=\"#a{0}\"/><use href=\"#a{0}\"/></g>", at - 1);
    let uses: String = (1..30).map(doubled).collect();
    refused(
        picture,
        &of(&format!("<g id=\"a0\"><path d=\"M0 0h1\"/></g>{uses}")),
        "each `use` counted with what it draws",
    );
    refused(picture, &of("<path d=\"M0 0h9999999\"/>"), "has a number in `d`");
}

/// Returns the text nodes of a page that contain English words, except for units. Capitalized words do not count, because an English name
/// may follow a Chinese one.
fn english(page: &str) -> Vec<&str> {
    let is_english = |word: &str| word.len() > 1 && word != "mm" && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let says = |part: &&str| {
        let (tag, text) = part.split_once('>').unwrap_or_default();
        !tag.starts_with("style") && text.split(|sign: char| !sign.is_alphabetic()).any(is_english)
    };
    page.split('<').filter(says).collect()
}

#[test]
fn all_games_print_in_both_languages_without_external_resources() {
    let folder = Folder::new("print");
    for game in GAMES {
        for language in ["en", "zh-Hant"] {
            let out = folder.path_of(&format!("{game}-{language}"));
            run_ok(ROOT, &["print", &format!("games/{game}"), "--out", &out, "--lang", language, "--browser", "none"]);
            for file in fs::read_dir(&out).unwrap() {
                let path = file.unwrap().path();
                let text = fs::read_to_string(&path).unwrap();
                if path.extension().is_none_or(|ending| ending != "html") {
                    continue;
                }
                assert!(text.contains("default-src 'none'"), "{}", path.display());
                let english = if language == "en" { Vec::new() } else { english(&text) };
                assert!(english.is_empty(), "{}: {english:?}", path.display());
                for outside in ["http:", "https:", "//", "<script", "<link", "@import", "file:"] {
                    // The quoted text after `base64,` is the picture itself, which may contain any characters.
                    let found = text.split("base64,").map(|part| part.split_once('"').map_or(part, |(_, rest)| rest));
                    let is_there = text.contains(outside) && found.into_iter().any(|part| part.contains(outside));
                    assert!(!is_there, "{} has {outside}", path.display());
                }
            }
        }
    }
}

#[test]
fn cards_keep_line_breaks_and_zeros_and_long_text_is_no_heading() {
    let folder = Folder::new("print-cells");
    orchard(&folder);
    folder
        .write("game/components/fruit.toml", "[kinds.hut]\nsize = [20, 25]\n[[hut]]\nid = \"hut\"\neach = \"seat\"\n");
    let rows = |text: fn(usize) -> String| {
        let row = |at: usize| format!("f{at},Fruit {at},{at},\"{}\"\n", text(at));
        format!("id,name,cost,effect\n{}", (0..8).map(row).collect::<String>())
    };
    folder.write(
        "game/components/fruit.csv",
        rows(|at| format!("First line {at}.\nSecond line.\n\nThird after a blank.")),
    );
    printed(&folder, "lines", &[]);
    let sheet = folder.read("lines/63x88-01.html");
    assert!(sheet.contains("First line 3.<br>Second line.<br><br>Third after a blank."), "{sheet}");
    assert_eq!(sheet.matches("<b>0</b>").count(), 1, "{sheet}");
    assert!(!sheet.contains("<span class=\"group\">First line"), "{sheet}");
    // Cards are still grouped by a text field if its values are single words.
    folder.write("game/components/fruit.csv", rows(|at| ["sweet", "sour"][at % 2].to_owned()));
    printed(&folder, "groups", &[]);
    let sheet = folder.read("groups/63x88-01.html");
    assert!(sheet.contains("<span class=\"group\">"), "{sheet}");
}

/// A folder name that is only invalid on other systems does not prevent printing on this one.
#[cfg(unix)]
#[test]
fn a_reserved_output_folder_name_is_a_warning() {
    let folder = Folder::new("print-reserved");
    orchard(&folder);
    let run = command(folder.path(), &["print", "game", "--out", "sheets/con"])
        .env("PATH", folder.path_of("without-browsers"))
        .output()
        .unwrap();
    let warning = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(run.status.success(), "{warning}");
    assert!(
        warning.contains(
            "warning: `sheets/con` cannot be copied to every system: Windows keeps the name `con` for itself"
        ),
        "{warning}"
    );
    assert!(folder.at("sheets/con/all.html").is_file());
}
