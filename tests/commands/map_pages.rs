//! Maps, areas and drawn boards on the pages of a table.

use crate::folder::Folder;
use crate::program::{ROOT, run_expecting, run_ok};
use crate::visitor::{TestServer, quoted_after};

/// Game on a map of hexagons. Each player has one piece with the value `figures`.
const LAND: &str = r#"
[game]
id = "land"
name = "Land"
players = { min = 1, max = 2 }
[zones.land]
shape = "hex"
columns = 4
rows = 3
outline = "rectangle"
accepts = ["man"]
[zones.land.printed]
ground = [". . . .", ". wood . .", ". . hill ."]
[zones.camp]
per = "seat"
shape = "hand"
starts_with = ["man"]
seen_by = "everybody"
[zones.deck]
shape = "pile"
starts_with = ["card"]
face = "down"
[values.game]
level = 7
[values.seat]
coins = 5
[values.piece]
figures = { start = 4, min = 0, on = ["land"] }
[decisions.settle]
ask = "Where?"
[flow]
setup = ["enter"]
round = ["wait"]
rounds = 1
[phases.wait]
steps = [{ each_seat = "settle" }]
"#;

const MEN: &str = "[[man]]\nid = \"man\"\neach = \"seat\"\n[[card]]\nid = \"card\"\nworth = 3\ncount = 4\n";

const RULES: &str = "fn enter() { for seat in seats { let man = seat.camp.top; man.move_to(land.at(seat.number, 1)); man.figures = 3; } }\n\
    fn settle(seat) { choose(seat, \"settle\", land.empty); }\n\
    fn score(seat) { 0 }\n";

fn land(name: &str, more: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("game.toml", format!("{LAND}{more}"));
    folder.write("components/men.toml", MEN);
    folder.write("rules/play.rhai", RULES);
    folder
}

fn served(folder: &Folder) -> TestServer {
    TestServer::new(folder, &[".", "--players", "2", "--seed", "7", "--save", &folder.path_of("evening.play")])
}

/// Returns the style sheet to which a page refers.
fn style_of(server: &TestServer, page: &str) -> String {
    let address = quoted_after(page, "rel=\"stylesheet\" href=\"").unwrap().replace("&amp;", "&");
    let style = server.visitor("Ann").get(&format!("/{address}"));
    assert_eq!(style.status, 200, "{}", style.body);
    style.body
}

#[test]
fn maps_show_the_owner_of_each_link() {
    let folder = Folder::new("links");
    let game = format!("{ROOT}/examples/games/branch-lines");
    let arguments = [&*game, "--players", "2", "--seed", "7", "--save", &folder.path_of("evening.play")];
    let server = TestServer::new(ROOT, &arguments);
    let ann = server.visitor("Ann");
    let page = ann.table();
    assert_eq!(page.matches("class=\"link free\"").count(), 16, "{page}");
    assert_eq!(page.matches("class=\"node\"").count(), 8);
    assert!(!page.contains("Free tracks</span>"), "what the map shows has no box");
    let question = quoted_after(&page, "data-question=\"").unwrap();
    ann.post("/do/choose", &format!("question={question}&option=0"));
    let page = ann.table();
    assert_eq!(page.matches("class=\"link free\"").count(), 15);
    assert_eq!(page.matches("class=\"link built of-0\"").count(), 1);
}

#[test]
fn maps_color_terrain_and_label_pieces_with_numbers() {
    let folder = land("terrain", "");
    let page = served(&folder).visitor("Ann").table();
    assert_eq!(page.matches("class=\"space").count(), 12, "bare hexagons are drawn as well");
    assert!(page.contains("fill=\"#a9c59a\"") && page.contains("fill=\"#c9a878\""), "wood and hill have their colors");
    let man = page.split("<g class=\"piece of-0\"").nth(1).unwrap().split("</g>").next().unwrap();
    assert!(man.contains(">3</text>") && man.contains("Figures 3"), "{man}");
}

/// Returns the centers of the offered spaces of a grid, and the texts along its edges with their positions.
fn dots_and_names(page: &str) -> (Vec<(i32, i32)>, Vec<(String, i32, i32)>) {
    let number =
        |text: &str, name: &str| -> i32 { quoted_after(text, &format!(" {name}=\"")).unwrap().parse().unwrap() };
    let tags = || page.split('<').filter(|tag| tag.contains("class=\""));
    let dots = tags().filter(|tag| tag.contains("class=\"dot\"")).map(|tag| (number(tag, "cx"), number(tag, "cy")));
    let names = tags().filter(|tag| tag.contains("class=\"at name\""));
    let names = names.map(|tag| (tag.rsplit('>').next().unwrap().to_owned(), number(tag, "x"), number(tag, "y")));
    (dots.collect(), names.collect())
}

#[test]
fn seats_see_a_chessboard_from_their_own_sides() {
    let folder = Folder::new("sides");
    let game = format!("{ROOT}/examples/gallery/chess");
    let arguments = [&*game, "--players", "2", "--seed", "7", "--save", &folder.path_of("evening.play")];
    let server = TestServer::new(ROOT, &arguments);
    let [first, second, watcher] = ["Ann", "Ben", "to watch"].map(|who| server.visitor(who).table());
    let [(dots, first), (none, second), (_, watcher)] = [&first, &second, &watcher].map(|page| dots_and_names(page));
    assert_eq!(dots.len(), 16, "a pawn can move to each square of two rows");
    assert!(none.is_empty(), "Ben is not asked");
    assert_eq!(first.len(), 16, "eight letters and eight numbers");
    let at = |names: &[(String, i32, i32)], text: &str| {
        let found = names.iter().find(|(name, ..)| name == text).unwrap();
        (found.1, found.2)
    };
    assert!(at(&first, "a").0 < at(&first, "h").0 && at(&first, "1").1 > at(&first, "8").1);
    assert!(at(&second, "a").0 > at(&second, "h").0 && at(&second, "1").1 < at(&second, "8").1);
    assert_eq!(watcher, first, "a spectator sees the board as it is declared");
    let lowest = dots.iter().map(|dot| dot.1).max().unwrap();
    assert!((at(&first, "3").1 - lowest).abs() < 10, "dots lie on their squares");
}

#[test]
fn spaces_can_be_crossings_of_lines() {
    let folder = Folder::new("crossings");
    let game = format!("{ROOT}/examples/gallery/go");
    let arguments = [&*game, "--seed", "7", "--save", &folder.path_of("evening.play")];
    let server = TestServer::new(ROOT, &arguments);
    let page = server.visitor("Ann").table();
    assert_eq!(page.matches("class=\"rule\"").count(), 2 * 9 * 8, "lines between neighbors");
    assert_eq!(dots_and_names(&page).0.len(), 81);
    let misplaced =
        [("camp", "looks = \"crossings\""), ("camp", "first_seat = \"south\""), ("land", "looks = \"crossings\"")];
    for (zone, key) in misplaced {
        let folder = land("misplaced", "");
        let zone = format!("[zones.{zone}]");
        folder.write("game.toml", LAND.replace(&zone, &format!("{zone}\n{key}")));
        let said = run_expecting(1, &folder, &["check", "."]);
        assert!(said.contains("only for grids"), "{said}");
    }
}

#[test]
fn table_layouts_become_grid_areas_in_the_stylesheet() {
    let folder = land(
        "areas",
        "[table]\nshared = \"\"\"\nland land deck\nland land level\n\"\"\"\nmat = \"coins camp\"\nrival = [\"coins\"]\n",
    );
    let server = served(&folder);
    let page = server.visitor("Ann").table();
    assert!(page.contains("class=\"board common arranged\"") && page.contains("class=\"area area-2\""), "{page}");
    assert!(page.contains("class=\"placed area-0\""), "a value of the own mat has an area");
    let style = style_of(&server, &page);
    assert!(style.contains("grid-template-areas: \"b0 b0 b1\" \"b0 b0 b2\";"), "{style}");
}

#[test]
fn a_generated_board_drawing_passes_check_and_is_displayed() {
    let folder = land("drawn", "");
    let file = folder.path_of("faces/board.svg");
    run_ok(&folder, &["board", ".", "--out", &file]);
    let again = run_expecting(2, &folder, &["board", ".", "--out", &file]);
    assert!(again.contains("is there already"), "{again}");
    let svg = folder.read("faces/board.svg");
    assert!(svg.contains("id=\"deck\"") && svg.contains("id=\"land.2.1\""), "{svg}");
    run_ok(&folder, &["check", "."]);
    let server = served(&folder);
    let page = server.visitor("Ann").table();
    assert!(page.contains("<img src=\"picture/") && page.contains("pile\" data-k=\""), "{page}");
    assert!(page.matches("class=\"spot at-").count() == 13, "{page}");
    let style = style_of(&server, &page);
    assert!(style.contains(".drawn > .at-0 { left: "), "{style}");
    folder.write("faces/board.svg", svg.replace("id=\"deck\"", "data-place=\"dekc\""));
    let wrong = run_expecting(1, &folder, &["check", "."]);
    assert!(wrong.contains("there is no place `dekc`") && wrong.contains("did you mean `deck`?"), "{wrong}");
    assert!(wrong.contains("the zone `deck` has no place on the board"), "{wrong}");
}

#[test]
fn a_drawn_mat_has_what_belongs_to_its_viewer() {
    let folder = land("mat", "");
    let file = folder.path_of("faces/mat.svg");
    run_ok(&folder, &["board", ".", "--mat", "--out", &file]);
    let svg = folder.read("faces/mat.svg");
    assert!(svg.contains("id=\"camp\"") && !svg.contains("deck"), "{svg}");
    folder.write("faces/mat.svg", svg.replace("</svg>", "<circle id=\"coins\" cx=\"40\" cy=\"40\" r=\"9\"/></svg>"));
    run_ok(&folder, &["check", "."]);
    let server = served(&folder);
    let page = server.visitor("Ann").table();
    let own = |page: &str| {
        page.split("class=\"drawn own\"").nth(1).map(|rest| rest.split("</section>").next().unwrap().to_owned())
    };
    let mat = own(&page).expect("Ann has a drawn mat");
    assert!(mat.contains("<img src=\"picture/") && mat.contains("<b class=\"value\">5</b>"), "{mat}");
    assert_eq!(mat.matches("class=\"spot at-").count(), 2, "{mat}");
    assert!(!mat.contains("class=\"zone "), "the zone is not shown a second time: {mat}");
    let style = style_of(&server, &page);
    assert!(style.contains(".drawn.own > .at-0 { left: "), "{style}");
    // Ben has a different mat, and the host has none.
    let other = own(&server.visitor("Ben").table()).expect("Ben has one");
    assert_ne!(quoted_after(&mat, "data-k=\""), quoted_after(&other, "data-k=\""));
    assert!(!server.visitor("the host").table().contains("class=\"drawn own\""));
    folder.write("faces/mat.svg", svg.replace("id=\"camp\"", "data-place=\"camp.1\""));
    let wrong = run_expecting(1, &folder, &["check", "."]);
    assert!(wrong.contains("there is no place `camp.1`") && wrong.contains("did you mean `camp`?"), "{wrong}");
    assert!(wrong.contains("the zone `camp` has no place on the mat"), "{wrong}");
}

#[test]
fn names_of_areas_are_on_the_page_and_the_host_can_show_them() {
    let folder = land("named", "[table]\nshared = \"land deck\"\nmat = \"coins camp\"\n");
    let server = served(&folder);
    let page = server.visitor("Ann").table();
    assert!(page.contains("area-1\" data-area=\"deck\"") && page.contains("data-area=\"coins\""), "{page}");
    assert!(!page.contains("data-areas"), "{page}");
    assert!(server.visitor("the host").table().contains("<input type=\"checkbox\" data-areas>"));
}

#[test]
fn players_have_the_colors_that_the_author_chooses() {
    let folder = land("colors", "[table]\ncolors = [\"white\", \"black\"]\n");
    let server = served(&folder);
    let style = style_of(&server, &server.visitor("Ann").table());
    assert!(style.contains(".of-0 { --own: var(--s5); --own-ink: var(--ink); }"), "{style}");
    assert!(style.contains(".of-1 { --own: var(--s3); --own-ink: #fff; }"), "{style}");
    let wrong = land("no_colors", "[table]\ncolors = [\"white\", \"whit\", \"white\"]\n");
    let told = run_expecting(1, &wrong, &["check", "."]);
    assert!(told.contains("`colors` cannot be `whit`"), "{told}");
    assert!(told.contains("two players have the color `white`"), "{told}");
}

#[test]
fn boxes_of_components_show_their_values_and_are_there_if_offered() {
    let folder = Folder::new("regions");
    folder.write(
        "game.toml",
        r#"
[game]
id = "regions"
name = "Regions"
players = { min = 2, max = 2 }
[zones.supply]
shape = "pile"
starts_with = ["banner"]
[zones.square]
per = "region"
shape = "pile"
accepts = ["banner"]
[zones.gate]
per = "region"
shape = "hand"
accepts = ["man"]
[zones.stop]
per = "errand"
shape = "hand"
accepts = ["man"]
[values.seat]
won = { start = 0, per = "region", name = "votes won" }
[values.region]
tax = { start = 2, name = "the tax" }
[decisions.send]
ask = "Where?"
[flow]
setup = ["enter"]
round = ["wait"]
rounds = 1
[phases.wait]
steps = [{ each_seat = "send" }]
"#,
    );
    folder.write(
        "components/all.toml",
        "[[region]]\nid = \"north\"\n[[region]]\nid = \"south\"\n[[errand]]\nid = \"bakery\"\n[[errand]]\nid = \"mill\"\n\
         [[banner]]\nid = \"banner\"\ncount = 4\n[[man]]\nid = \"man\"\neach = \"seat\"\n",
    );
    folder.write(
        "rules/play.rhai",
        "fn enter() { for region in components(\"region\") { supply.top.move_to(square[region]); }\n\
         seats[0].won[components(\"region\")[0]] = 3; }\n\
         fn send(seat) { choose(seat, \"send\", components(\"errand\")); }\nfn score(seat) { 0 }\n",
    );
    run_ok(&folder, &["check", ".", "--games", "5"]);
    let server =
        TestServer::new(&folder, &[".", "--players", "2", "--seed", "7", "--save", &folder.path_of("evening.play")]);
    let page = server.visitor("Ann").table();
    // Each region has a box with its own values, and they are not listed again.
    let facts = page.matches("<dl class=\"facts\">").count();
    assert_eq!(facts, 2, "{page}");
    assert!(page.contains("<dt>votes won</dt><dd>Ann 3</dd>"), "{page}");
    assert_eq!(page.matches("<dt>the tax</dt><dd>2</dd>").count(), 2, "{page}");
    assert_eq!(page.matches("<dt>votes won</dt>").count(), 1, "{page}");
    // The empty places of the errands are there while somebody may choose them.
    assert!(page.contains("aria-label=\"Bakery\"") && page.contains("aria-label=\"Mill\""), "{page}");
}
