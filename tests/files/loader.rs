//! Tests of the loader, which turns the files of a game into a model.

use parlour::loader::{Choices, Files, Package};
use parlour::model::{
    Component, FaceDownVisibility, FieldType, FieldValue, First, FlowCall, Label, Language, Model, Op, Seat, Setting,
    Shape, Tessellation, Value, ValueType,
};
use std::sync::Arc;

/// Smallest valid game.
const GAME: &str = r#"
[game]
id = "tiny"
name = "Tiny"
players = { min = 2, max = 4 }
[flow]
setup = ["set_up"]
"#;

fn package(files: &[(&str, &str)]) -> Result<Arc<Package>, parlour::diagnostic::Diagnostics> {
    let texts = crate::folder::owned_files(files.iter().copied());
    Package::parse(Files::from_texts("tiny", texts)?)
}

fn diagnostics(files: &[(&str, &str)]) -> String {
    match package(files) {
        Err(found) => found.to_string(),
        Ok(package) => package.check().to_string(),
    }
}

fn built(files: &[(&str, &str)], choices: &Choices) -> Model {
    match package(files).and_then(|package| package.build(choices)) {
        Ok(model) => model,
        Err(found) => panic!("{found}"),
    }
}

fn players(players: u8) -> Choices {
    Choices { players, ..Choices::default() }
}

fn with_sets(sets: &[(&str, &str)]) -> Choices {
    let sets = sets.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
    Choices { sets, ..players(3) }
}

fn with_option(name: &str, value: &str) -> Choices {
    Choices { options: vec![(name.to_owned(), value.to_owned())], ..players(3) }
}

const MARKET: &str = r#"
[game]
id = "market"
name = { en = "Market", zh-Hant = "市場" }
players = { min = 2, max = 4 }
score = "least"
provenance = "made up"

[options.board]
values = ["standard", "advanced"]
overlay = { advanced = "overlays/advanced.toml" }
[options.length]
type = "number"
min = 1
max = 9
default = "short"
[options.begins]
type = "seat"

[params]
short = 3
start_cash = { 2 = 30, 3 = 20, 4 = 10, about = "what everybody has", provenance = "page 2" }
bonus = { value = 10, about = "for the majority" }
prices = { 2 = [0, 1, 3], 3 = [0, 1], 4 = [0, 5, "last"] }

[kinds.company]
name = { en = "Company", zh-Hant = "公司" }
[kinds.card]
back = "blue"
fields = { bonus_points = { type = "number", default = 0 }, color = "word" }

[zones.market]
shape = "pile"
starts_with = ["card"]
face = "down"
refill = "discard"
[zones.discard]
shape = "pile"
shows = "top"
[zones.lots]
shape = "pile"
copies = { 2 = 2, 3 = 3, 4 = 4 }
[zones.bids]
shape = "row"
copies = "lots"
spaces = "prices"
[zones.hand]
per = "seat"
shape = "hand"
accepts = ["card", "pawn"]
[zones.side]
per = ["seat", "company"]
shape = "pile"
[zones.home]
per = "seat"
shape = "row"
spaces = 2
starts_with = ["meeple"]
[zones.map]
shape = "grid"
columns = [0, 2]
rows = 2
[zones.pawns]
over = "map"
[zones.track]
shape = "ring"
spaces = [{ at = "go", pay = 3 }, { at = "stop", pay = 0 }]

[values.game]
crisis = false
[values.seat]
cash = { start = "start_cash", min = 0 }
mood = { words = ["glad", "sad"], start = "sad", seen_by = "owner", lasts = "round" }
place = { type = "track", start = "stop" }
last = { type = "seat" }
[values.company]
price = { start = { 2 = 1, 3 = 5, 4 = 6 }, min = 0, max = 10, stops = true }
[values.piece]
loan = { start = 0, on = ["hand"], of = "card" }
[values.space]
crowd = { start = 1, in = "track" }

[decisions.bid]
ask = { en = "Place your meeple", zh-Hant = "放置競標米寶" }
parts = { lot = "lots", price = "number", to = "company", who = "seat", rest = "any" }
secret = true

[phases.supply]
name = "Supply"
steps = ["fill", { each_seat = ["place", { run = "more", until = "is_done" }] }]
when = "is_supply"
order = "turn_order"
[phases.demand]
steps = { turns = "bid", until = "all_bid" }

[flow]
setup = "set_up"
round = ["supply", "demand"]
rounds = { 2 = 8, 3 = 7, 4 = 6 }
finish = ["count"]
first = "begins"
ending = "rich"

[endings]
rich = { name = { en = "Somebody is rich", zh-Hant = "有人發財" } }
[endings.poor]
name = { en = "Everybody is poor", zh-Hant = "大家都窮" }

[says]
looks = { en = "{seat} looks", zh-Hant = "{seat}查看" }
"#;

const CARDS: &str = r#"
provenance = "the card list"
[[company]]
id = "cosmic"
count = 0
[[company]]
id = "epic"
count = 0

[[card]]
id = "card-a"
company = "cosmic"
color = "epic"
count = { 2 = 1, 3 = 2, 4 = 3 }
moves = [{ to = "epic", by = 1 }, { to = "cosmic", by = 2 }]
[[card]]
id = "card-b"
name = "The other"
company = "epic"
color = "red"
bonus_points = 4
moves = []

[[pawn]]
id = "meeple"
each = "seat"
count = 2
[[die]]
id = "die"
faces = [1, 2, 2]
"#;

const ADVANCED: &str = r#"
[params]
bonus = 20
start_cash = { 3 = 25 }
[zones.track]
spaces = ["a", "stop"]
[[card]]
id = "card-b"
count = 5
[[card]]
id = "card-a"
count = 0
[[card]]
id = "card-c"
company = "epic"
color = "blue"
moves = []
"#;

fn market() -> Vec<(&'static str, &'static str)> {
    vec![
        ("game.toml", MARKET),
        ("components/cards.toml", CARDS),
        ("overlays/advanced.toml", ADVANCED),
        ("rules/b.rhai", "fn b() {}"),
        ("rules/a.rhai", "fn a() {}"),
        ("plays/x.play", ""),
        ("README.md", ""),
        ("notes.toml", "[["),
    ]
}

fn component<'m>(model: &'m Model, id: &str) -> &'m Component {
    model.component(model.find_component(id).unwrap())
}

fn field<'m>(model: &'m Model, id: &str, field: &str) -> &'m FieldValue {
    &component(model, id).fields[&model.find_field(field).unwrap()]
}

fn value<'m>(model: &'m Model, id: &str) -> &'m Value {
    model.values.iter().find(|value| &*value.id == id).unwrap()
}

#[test]
fn a_complete_game_has_no_diagnostics() {
    assert_eq!(diagnostics(&market()), "");
}

#[test]
fn a_package_lists_players_options_and_scripts() {
    let package = package(&market()).unwrap();
    assert_eq!((package.id(), package.players()), ("market", 2..=4));
    assert_eq!(package.name().get(Language::TraditionalChinese), "市場");
    let scripts: Vec<&str> = package.scripts().iter().map(|source| &*source.path).collect();
    assert_eq!(scripts, ["rules/a.rhai", "rules/b.rhai"]);
    let values = package.option_values();
    let written: Vec<String> = values.iter().map(|(name, values)| format!("{name}: {}", values.join(" "))).collect();
    assert_eq!(written, ["board: standard advanced", "length: 1 3 9", "begins: none"]);
}

#[test]
fn a_package_can_be_shared_by_threads() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Package>();
    is_shared::<Model>();
}

#[test]
fn numbers_depend_on_the_number_of_players() {
    for (number, cash, lots, rounds) in [(2, 30, 2, 8), (3, 20, 3, 7), (4, 10, 4, 6)] {
        let model = built(&market(), &players(number));
        assert_eq!(model.params["start_cash"].value, Setting::Number(cash));
        assert_eq!(value(&model, "cash").start, cash);
        assert_eq!(model.axes(model.find_family("bids").unwrap()), [lots]);
        assert_eq!(model.flow.rounds, Some(rounds));
        assert_eq!(usize::from(component(&model, "card-a").count), lots - 1);
    }
}

#[test]
fn params_keep_their_description_and_provenance() {
    let model = built(&market(), &players(3));
    let cash = &model.params["start_cash"];
    assert_eq!(cash.about.as_ref().map(|about| about.get(Language::English)), Some("what everybody has"));
    assert_eq!(&*model.provenance["params.start_cash"], "page 2");
    assert_eq!(cash.by_players, [(2, Setting::Number(30)), (3, Setting::Number(20)), (4, Setting::Number(10))]);
    assert_eq!(model.params["prices"].value, Setting::List(vec![Setting::Number(0), Setting::Number(1)]));
    assert_eq!(&*model.provenance["game"], "made up");
    assert!(model.least_score_wins);
}

#[test]
fn fields_are_inferred_from_the_rows() {
    let model = built(&market(), &players(3));
    let card = &model.kinds[model.find_kind("card").unwrap().index()];
    let types: Vec<String> =
        card.fields.iter().map(|(id, of)| format!("{}: {of:?}", model.fields[id.index()])).collect();
    assert_eq!(
        types,
        [
            "bonus_points: Number",
            "color: Word",
            "company: Component(Some(KindId(0)))",
            "moves: List(Record({\"to\": Component(Some(KindId(0))), \"by\": Number}))"
        ]
    );
    assert_eq!(&*card.back, "blue");
    assert_eq!(&*model.provenance["kinds.card"], "the card list");
    assert_eq!(*field(&model, "card-a", "company"), FieldValue::Component(model.find_component("cosmic").unwrap()));
    assert_eq!(*field(&model, "card-a", "color"), FieldValue::Word("epic".into()));
    assert_eq!(*field(&model, "card-a", "bonus_points"), FieldValue::Number(0));
    assert_eq!(*field(&model, "card-b", "bonus_points"), FieldValue::Number(4));
    assert_eq!(*field(&model, "card-b", "moves"), FieldValue::List(Vec::new()));
    assert_eq!(component(&model, "die").faces, [1, 2, 2].map(FieldValue::Number));
    assert_eq!(component(&model, "card-a").name.get(Language::English), "Card a");
    let die = &model.kinds[model.find_kind("die").unwrap().index()];
    assert!(die.fields.values().all(|of| *of == FieldType::Number) && die.fields.is_empty());
}

#[test]
fn zones_are_laid_out_axis_by_axis() {
    let model = built(&market(), &players(2));
    let paths: Vec<&str> = model.zones.iter().map(|zone| &*zone.path).collect();
    assert_eq!(
        paths,
        [
            "box",
            "market",
            "discard",
            "lots[1]",
            "lots[2]",
            "bids[1]",
            "bids[2]",
            "hand",
            "hand",
            "side[cosmic]",
            "side[epic]",
            "side[cosmic]",
            "side[epic]",
            "home",
            "home",
            "map",
            "pawns",
            "track"
        ]
    );
    assert_eq!(model.zones[11].seat, Some(Seat(1)));
    assert_eq!(model.zones[12].of, model.find_component("epic"));
    assert_eq!(model.zones[6].copy, Some(1));
    let labels = |zone: usize| {
        let spaces = model.zones[zone].spaces.clone();
        spaces.map(|space| model.spaces[usize::from(space)].label.clone()).collect::<Vec<_>>()
    };
    assert_eq!(labels(5), [0, 1, 3].map(Label::Number));
    assert_eq!(labels(15), [(0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (2, 2)].map(|(x, y)| Label::Cell(x, y)));
    assert_eq!(labels(16), labels(15));
    assert_eq!(labels(17), ["go", "stop"].map(|word| Label::Word(word.into())));
    let last = model.spaces.last().unwrap();
    assert_eq!(last.fields["pay"], FieldValue::Number(0));
    let pawns = model.family(model.find_family("pawns").unwrap());
    assert_eq!(
        (pawns.shape, pawns.columns, pawns.rows, pawns.over),
        (Shape::Grid(Tessellation::Square), 3, 2, model.find_family("map"))
    );
}

#[test]
fn zones_have_sensible_defaults() {
    let model = built(&market(), &players(2));
    let facts = |name: &str| {
        let family = model.family(model.find_family(name).unwrap());
        (family.seen_by, family.face_up, family.shows_top)
    };
    assert_eq!(facts("box"), (FaceDownVisibility::Nobody, false, false));
    assert_eq!(facts("market"), (FaceDownVisibility::Nobody, false, false));
    assert_eq!(facts("discard"), (FaceDownVisibility::Nobody, true, true));
    assert_eq!(facts("hand"), (FaceDownVisibility::Owner, false, false));
    assert_eq!(model.family(model.find_family("market").unwrap()).refill, model.find_family("discard"));
}

#[test]
fn pieces_start_in_the_zones_that_name_them() {
    let model = built(&market(), &players(3));
    let written: Vec<String> = model
        .pieces
        .iter()
        .map(|piece| {
            let owner = piece.owner.map_or(String::new(), |seat| format!(" of {}", seat.number()));
            format!("{}{owner} in {}", model.component(piece.component).id, model.zone(piece.zone).path)
        })
        .collect();
    assert_eq!(
        written,
        [
            "die in box",
            "card-a in market",
            "card-a in market",
            "card-b in market",
            "meeple of 1 in home",
            "meeple of 1 in home",
            "meeple of 2 in home",
            "meeple of 2 in home",
            "meeple of 3 in home",
            "meeple of 3 in home"
        ]
    );
}

#[test]
fn values_occupy_consecutive_slots() {
    let model = built(&market(), &players(3));
    let slots: Vec<(&str, usize, usize)> = model.values.iter().map(|v| (&*v.id, v.slot, v.slots)).collect();
    let pieces = model.pieces.len();
    assert_eq!(
        slots,
        [
            ("crisis", 0, 1),
            ("cash", 1, 3),
            ("mood", 4, 3),
            ("place", 7, 3),
            ("last", 10, 3),
            ("price", 13, 2),
            ("loan", 15, pieces),
            ("crowd", 15 + pieces, 2)
        ]
    );
    assert_eq!(model.slots, 17 + pieces);
    assert_eq!(value(&model, "mood").start, 1);
    assert!(!value(&model, "mood").is_public());
    assert_eq!(value(&model, "place").start, 1);
    assert_eq!(value(&model, "last").start, Value::NOTHING);
    assert_eq!(value(&model, "price").start, 5);
    assert_eq!(value(&model, "crisis").kind, ValueType::Flag);
}

#[test]
fn the_flow_is_compiled() {
    let model = built(&market(), &players(3));
    let text: Vec<String> = model.flow.ops.iter().map(brief).collect();
    assert_eq!(
        text,
        [
            "set_up",
            "round",
            "phase 0 if is_supply else 12",
            "fill",
            "seats by turn_order to 11",
            "place +seat",
            "run",
            "until is_done to 10",
            "more +seat",
            "repeat 7",
            "next seat 5",
            "phase ends",
            "phase 1 to 18",
            "turns",
            "until all_bid to 17",
            "bid +seat",
            "next turn 14",
            "phase ends",
            "round ends 1",
            "finish",
            "count",
            "over"
        ]
    );
    assert_eq!(model.flow.finish, 19);
    assert_eq!(model.flow.first, First::Option("begins".into()));
    assert_eq!(model.flow.ending, model.find_ending("rich").unwrap());
    assert_eq!(model.endings[1].name.get(Language::TraditionalChinese), "大家都窮");
}

fn brief(op: &Op) -> String {
    match op {
        Op::Call(FlowCall { function, takes_seat }) => format!("{function}{}", if *takes_seat { " +seat" } else { "" }),
        Op::EachSeat { order, end } => format!("seats by {} to {end}", order.as_deref().unwrap_or("-")),
        Op::NextSeat { body } => format!("next seat {body}"),
        Op::Turns { .. } => "turns".to_owned(),
        Op::Until { function, end } => format!("until {} to {end}", function.as_deref().unwrap_or("-")),
        Op::NextTurn { body } => format!("next turn {body}"),
        Op::Run => "run".to_owned(),
        Op::Repeat { body } => format!("repeat {body}"),
        Op::PhaseBegins { phase, when: Some(when), end } => format!("phase {} if {when} else {end}", phase.0),
        Op::PhaseBegins { phase, when: None, end } => format!("phase {} to {end}", phase.0),
        Op::PhaseEnds => "phase ends".to_owned(),
        Op::RoundBegins => "round".to_owned(),
        Op::RoundEnds { begin } => format!("round ends {begin}"),
        Op::FinishBegins => "finish".to_owned(),
        Op::Over => "over".to_owned(),
    }
}

#[test]
fn a_game_without_endings_gets_a_default_ending() {
    let model = built(&[("game.toml", GAME)], &players(2));
    assert_eq!(&*model.endings[0].id, "finished");
    assert_eq!(model.endings[0].name.get(Language::TraditionalChinese), "遊戲結束");
}

#[test]
fn options_apply_their_overlay() {
    let model = built(&market(), &with_option("board", "advanced"));
    assert_eq!(model.params["bonus"].value, Setting::Number(20));
    assert_eq!(
        model.params["bonus"].about.as_ref().map(|about| about.get(Language::English)),
        Some("for the majority")
    );
    assert_eq!(model.params["start_cash"].value, Setting::Number(25));
    assert_eq!(component(&model, "card-a").count, 0);
    assert_eq!(component(&model, "card-b").count, 5);
    assert_eq!(component(&model, "card-b").name.get(Language::English), "The other");
    assert!(model.find_component("card-c").is_some());
    assert_eq!(model.spaces.last().unwrap().fields.len(), 0);
    assert_eq!(model.options["board"].value, Setting::Word("advanced".into()));
}

/// An overlay that sets `count = 0` removes the pieces, but rules and other rows may still name the component.
#[test]
fn components_removed_by_an_overlay_can_still_be_named() {
    let overlay = "[[card]]\nid = \"red\"\ncount = 0\n[[card]]\nid = \"green\"\ncount = 0\nnext = \"red\"\n";
    let game = GAME.replace("[flow]", "[options.small]\noverlay = { on = \"overlays/small.toml\" }\nvalues = [\"off\", \"on\"]\n[kinds.card]\nfields = { next = { type = \"card\" } }\n[flow]");
    let cards = "[[card]]\nid = \"red\"\nnext = \"red\"\n[[card]]\nid = \"blue\"\nnext = \"red\"\n";
    let rules = "fn set_up() { let red = component(\"red\"); }\n";
    let files = [
        ("game.toml", game.as_str()),
        ("components/cards.toml", cards),
        ("overlays/small.toml", overlay),
        ("rules/a.rhai", rules),
    ];
    let model = built(&files, &with_option("small", "on"));
    assert_eq!(component(&model, "red").count, 0);
    assert_eq!(component(&model, "green").count, 0, "an overlay may add a component without pieces");
    assert_eq!(*field(&model, "blue", "next"), FieldValue::Component(model.find_component("red").unwrap()));
    let absent = files.map(|(path, text)| {
        if path == "overlays/small.toml" { (path, "[[card]]\nid = \"rad\"\ncount = 0\n") } else { (path, text) }
    });
    assert!(diagnostics(&absent).contains("there is no card `rad`"), "{}", diagnostics(&absent));
    let texts = crate::folder::owned_files(files.iter().copied());
    let game = parlour::load_texts("tiny", texts).unwrap();
    let mut setup = parlour::session::Setup::seats(2);
    setup.options.push(("small".to_owned(), "on".to_owned()));
    let session = parlour::session::Session::start(&game, &setup).unwrap();
    assert!(!matches!(session.status(), parlour::session::Status::Failed(found) if found.code == "unknown-component"));
}

#[test]
fn options_take_numbers_and_seats() {
    assert_eq!(built(&market(), &players(3)).options["length"].value, Setting::Number(3));
    assert_eq!(built(&market(), &with_option("length", "9")).options["length"].value, Setting::Number(9));
    assert_eq!(built(&market(), &with_option("begins", "2")).options["begins"].value, Setting::Seat(Seat(1)));
    assert_eq!(built(&market(), &with_option("begins", "none")).options["begins"].value, Setting::Nothing);
}

#[test]
fn copies_of_a_zone_can_depend_on_an_option() {
    let game = MARKET.replace("copies = { 2 = 2, 3 = 3, 4 = 4 }", "copies = \"length\"");
    let files: Vec<_> =
        market().into_iter().map(|(path, text)| (path, if text == MARKET { &*game } else { text })).collect();
    for (length, lots) in [("1", 1), ("9", 9)] {
        let model = built(&files, &with_option("length", length));
        assert_eq!(model.axes(model.find_family("bids").unwrap()), [lots]);
    }
}

#[test]
fn a_set_changes_a_single_setting() {
    let set = |path, value| built(&market(), &with_sets(&[(path, value)]));
    assert_eq!(set("params.start_cash", "7").params["start_cash"].value, Setting::Number(7));
    assert_eq!(
        set("params.start_cash", "7").params["start_cash"].about.as_ref().map(|about| about.get(Language::English)),
        Some("what everybody has")
    );
    assert_eq!(set("params.start_cash.3", "7").params["start_cash"].value, Setting::Number(7));
    assert_eq!(set("params.start_cash.4", "7").params["start_cash"].value, Setting::Number(20));
    assert_eq!(set("params.bonus.3", "7").params["bonus"].value, Setting::Number(7));
    assert_eq!(set("params.bonus.2", "7").params["bonus"].value, Setting::Number(10));
    assert_eq!(set("params.short.3", "7").params["short"].value, Setting::Number(7));
    assert_eq!(value(&set("values.seat.cash.start", "99"), "cash").start, 99);
    assert_eq!(component(&set("card.card-b.count", "4"), "card-b").count, 4);
    assert_eq!(set("card.card-b.count", "0").find_component("card-b"), None);
    assert_eq!(*field(&set("card.card-b.color", "green"), "card-b", "color"), FieldValue::Word("green".into()));
    assert!(
        set("zones.market.face", "up").family(set("zones.market.face", "up").find_family("market").unwrap()).face_up
    );
    assert_eq!(set("zones.track.spaces.2.pay", "8").spaces.last().unwrap().fields["pay"], FieldValue::Number(8));
}

/// A path sets a single entry, and a table sets several entries. Bounds apply to every number in the table.
#[test]
fn entries_of_table_params_can_be_set() {
    let pay = "[params]\npay = { value = { red = 3, blue = [1, 2] }, min = 0, max = 9, about = \"what is paid\" }\n";
    let files: Vec<(&str, &str)> = market().into_iter().collect();
    let game = files[0].1.replacen("[params]\n", pay, 1);
    let files: Vec<(&str, &str)> =
        files.into_iter().map(|(path, text)| (path, if path == "game.toml" { &*game } else { text })).collect();
    let number = |value: i64| Setting::Number(value);
    let table = |red: i64| {
        Setting::Table(vec![("red".into(), number(red)), ("blue".into(), Setting::List(vec![number(1), number(2)]))])
    };
    assert_eq!(built(&files, &players(3)).params["pay"].value, table(3));
    let set = |path, value| built(&files, &with_sets(&[(path, value)])).params["pay"].clone();
    for (path, value) in [("params.pay.red", "7"), ("params.pay.value.red", "7"), ("params.pay", "{ red = 7 }")] {
        let set = set(path, value);
        assert_eq!((set.value, set.about.is_some()), (table(7), true), "{path}");
    }
    let error_of = |path, value| package(&files).unwrap().build(&with_sets(&[(path, value)])).unwrap_err().to_string();
    let misspelled = error_of("params.pay.redd", "1");
    assert!(
        misspelled.contains("there is no entry of `pay` called `redd`") && misspelled.contains("`red`"),
        "{misspelled}"
    );
    assert!(error_of("params.pay.red", "10").contains("`pay` is 10, but must be between 0 and 9"));
    assert!(error_of("params.pay", "5").contains("`pay` must be a table"));
}

/// Returns whether playing a game with these rules builds the variant of an option value that was not chosen.
fn builds_other_variants(rules: &str) -> bool {
    let game = GAME.replace(
        "[flow]",
        "[options.size]\nvalues = [\"small\", \"large\"]\noverlay = { large = \"overlays/large.toml\" }\n[flow]",
    );
    let overlay = "[zones.attic]\nshape = \"pile\"\n[flow]\nsetup = [\"set_up\", \"furnish\"]\n";
    let ending = "[endings.over]\n";
    let texts = [("game.toml", &*(game + ending)), ("overlays/large.toml", overlay), ("rules/play.rhai", rules)];
    let game = parlour::open_texts_overlaid("tiny", crate::folder::owned_files(texts), &[]).unwrap();
    let (layout, _) = game.host(&parlour::session::Setup::seats(2)).unwrap_or_else(|found| panic!("{found}"));
    layout.model.without_variants().is_none()
}

#[test]
fn only_the_chosen_variant_is_built_if_rules_need_no_other() {
    const SET_UP: &str = "fn set_up() { end_game(\"over\"); }\nfn score(seat) { 0 }\n";
    let plain = builds_other_variants(&format!("{SET_UP}fn furnish() {{}}\n"));
    assert!(!plain, "the rules name nothing from the other variant");
    let naming = builds_other_variants(&format!("{SET_UP}fn furnish() {{ attic.shuffle(); }}\n"));
    assert!(naming, "the rules name the attic of the other variant");
}

#[test]
fn different_games_have_different_fingerprints() {
    let plain = built(&market(), &players(3)).fingerprint;
    assert_eq!(plain, built(&market(), &players(3)).fingerprint);
    assert_ne!(plain, built(&market(), &players(2)).fingerprint);
    assert_ne!(plain, built(&market(), &with_option("board", "advanced")).fingerprint);
    assert_ne!(plain, built(&market(), &with_sets(&[("params.bonus", "11")])).fingerprint);
}

/// Loads a game in which each share has its own track, and the tracks have different spaces.
fn tracks() -> Arc<Package> {
    let game = r#"
[game]
id = "tracks"
players = { min = 2, max = 2 }
[zones.track]
per = "share"
shape = "row"
fields = { pays = { type = "flag", default = false } }
[zones.track.spaces]
corn = [{ at = 1, price = 1 }, { at = 2, price = 4, pays = true }]
iron = [{ at = 1, price = 2 }, { at = 2, price = 3 }, { at = 3, price = 9 }]
[zones.charms]
per = "seat"
shape = "hand"
in_force = true
[values.share]
marker = { type = "track", reads = "price", quiet = true }
[altered]
upkeep = "What a seat pays"
[decisions.pick]
ask = "Pick"
tell = "{seat} takes {one}"
tells = { two = "{seat} takes {one} and {two}" }
parts = { one = "any", two = "any" }
quiet = true
[flow]
setup = ["set_up"]
"#;
    let components = r#"
[[share]]
id = "corn"
alters = [{ what = "upkeep", color = ["red", "tan"], add = 3 }]
[[share]]
id = "iron"
alters = [{ what = "upkeep", set = 0 }]
"#;
    let texts = [("game.toml", game), ("components/shares.toml", components)];
    let files = Files::from_texts("tracks", crate::folder::owned_files(texts)).unwrap();
    Package::parse(files).unwrap()
}

#[test]
fn zones_per_component_can_have_different_spaces() {
    let model = tracks().build(&Choices { players: 2, ..Choices::default() }).unwrap();
    let family = model.family(model.find_family("track").unwrap());
    let lengths: Vec<usize> = family.zones.clone().map(|zone| model.zones[zone as usize].spaces.len()).collect();
    assert_eq!(lengths, [2, 3]);
    let facts =
        |name: &str| -> Vec<FieldValue> { model.spaces.iter().filter_map(|s| s.fields.get(name).cloned()).collect() };
    assert_eq!(facts("price"), [1, 4, 2, 3, 9].map(FieldValue::Number));
    assert_eq!(facts("pays"), [false, true, false, false, false].map(FieldValue::Flag));
}

#[test]
fn quiet_values_and_alterations_are_loaded() {
    let model = tracks().build(&Choices { players: 2, ..Choices::default() }).unwrap();
    assert!(model.values[0].is_quiet && model.decisions[0].is_quiet);
    assert_eq!(model.values[0].reads.as_deref(), Some("price"));
    assert_eq!(&*model.decisions[0].tells[0].0, "two");
    let alters: Vec<_> = model.components.iter().flat_map(|component| &component.alters).collect();
    assert_eq!((&*alters[0].what, alters[0].add, alters[0].set.as_ref()), ("upkeep", 3, None));
    let word = |word: &str| FieldValue::Word(word.into());
    assert_eq!(alters[0].only, [("color".into(), vec![word("red"), word("tan")])]);
    assert_eq!((alters[1].add, alters[1].set.as_ref()), (0, Some(&FieldValue::Number(0))));
}
