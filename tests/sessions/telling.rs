//! Tests of the logs, drawings and endings of small games that were written for these tests.

use parlour::model::{Language, Seat, ZoneId};
use parlour::session::{Session, Setup, Status};
use parlour::table::View;
use parlour::wording::{Statement, Wording, listing};

const GAME: &str = r#"
[game]
id = "market"
players = { min = 2, max = 2 }

[zones.stock]
shape = "pile"
starts_with = ["good", "cube"]
[zones.stalls]
shape = "row"
spaces = 4
face = "up"
[zones.yards]
shape = "hand"
per = "seat"
face = "up"
[zones.heap]
shape = "pile"
face = "up"
[zones.maps]
per = "seat"
shape = "grid"
columns = [1, 2]
rows = 2
[zones.marks]
per = "seat"
over = "maps"
face = "up"

[values.seat]
coins = { start = 0, name = "coins" }
luck = { start = 0, name = "good luck" }

[decisions.take]
ask = "What do you take?"
parts = { good = "good", from = "stalls" }

[flow]
setup = ["lay_out"]
round = ["market"]
rounds = 1
ending = "plain"
finish = ["settle"]

[phases.market]
steps = [{ each_seat = "take_good" }, "tidy"]

[endings]
plain = "It is over"
grand = { en = "A grand end", zh-Hant = "盛大結局" }

[words]
thrift = { en = "thrift", zh-Hant = "節儉" }
"#;

const GOODS: &str = r#"
[[good]]
id = "cotton"
name = "Cotton"
count = 8
[[cube]]
id = "cube"
name = "Cube"
faces = [3, 4, 5]
"#;

const RULES: &str = r#"
fn lay_out() {
    for stall in stalls.spaces { stock.find("kind", "good").move_to(stall); }
}
fn take_good(seat) {
    let taken = choose(seat, "take", [#{ good: component("cotton"), from: stalls[2] }]);
    taken.from.top.move_to(heap);
    stock.find("kind", "good").move_to(stalls[2]);
}
fn tidy() {
    for stall in stalls.spaces { stall.top.move_to(stock); }
    for seat in seats { seat.luck += seat.number; }
}
fn settle() { ends_as("grand"); }
fn score(seat) { #{ luck: 2, coins: seat.coins } }
fn rank(seat) { [2 + seat.coins, #{ thrift: -seat.luck }] }
"#;

fn texts(rules: &str) -> Vec<(String, String)> {
    crate::folder::owned_files([("game.toml", GAME), ("components/goods.toml", GOODS), ("rules/play.rhai", rules)])
}

fn played() -> Session {
    let game = parlour::load_texts("market", texts(RULES)).unwrap_or_else(|found| panic!("{found}"));
    let mut session = Session::start(&game, &Setup::seats(2)).unwrap();
    while session.decision().is_some() {
        session.choose(0).unwrap();
    }
    assert!(session.outcome().is_some(), "{:?}", session.status());
    session
}

fn told(session: &Session, language: Language) -> Vec<String> {
    let wording = Wording::new(session.model().clone(), session.setup().clone(), language);
    wording.narrate(session.events()).iter().map(|line| line.trim().to_owned()).collect()
}

#[test]
fn moves_that_differ_from_the_answer_are_logged() {
    let told = told(&played(), Language::English);
    let first = told.iter().find(|line| line.starts_with("Ann:")).unwrap();
    assert!(first.contains("Stalls (2) → Heap: Cotton"), "{told:#?}");
    assert!(first.contains("Stock → Stalls (2): Cotton"), "{told:#?}");
}

#[test]
fn equal_cards_are_logged_by_space_and_returned_cards_too() {
    let told = told(&played(), Language::English);
    assert!(told.iter().any(|line| line.contains("Cotton (1), Cotton (2), Cotton (3), Cotton (4)")), "{told:#?}");
    assert!(
        told.iter().any(|line| line.contains("Stalls → Stock: Cotton (1), Cotton (2), Cotton (3), Cotton (4)")),
        "{told:#?}"
    );
}

#[test]
fn only_the_actual_ending_is_logged() {
    let session = played();
    let english = told(&session, Language::English);
    assert_eq!(english.iter().filter(|line| line.contains("A grand end")).count(), 1, "{english:#?}");
    assert!(!english.iter().any(|line| line.contains("It is over")), "{english:#?}");
    let chinese = told(&session, Language::TraditionalChinese);
    assert!(chinese.iter().any(|line| line.contains("盛大結局")), "{chinese:#?}");
}

#[test]
fn both_languages_log_the_same_statements() {
    let session = played();
    let said = |language| {
        let wording = Wording::new(session.model().clone(), session.setup().clone(), language);
        wording.statements(session.events())
    };
    let english = said(Language::English);
    assert!(english.iter().any(|said| matches!(said, Statement::Moved(_))));
    assert_eq!(english, said(Language::TraditionalChinese));
}

#[test]
fn tie_breaks_have_names() {
    let session = played();
    let outcome = session.outcome().unwrap();
    let [tie] = outcome.tie_breaks().try_into().unwrap();
    assert_eq!((tie.before.0, tie.after.0, tie.by.as_deref()), (0, 1, Some("thrift")));
    assert_eq!(tie.numbers, [1, 2], "less of it is better, and it is told without the minus");
    let model = session.model();
    assert_eq!(model.part_of_score("luck", Language::English), "good luck", "a value lends its name");
    assert_eq!(model.part_of_score("thrift", Language::TraditionalChinese), "節儉");
}

#[test]
fn zones_of_a_seat_lie_over_the_grid_of_that_seat() {
    let session = played();
    let (model, layout) = (session.model(), session.table().layout());
    let zones = |name: &str| model.family(model.find_family(name).unwrap()).zones.clone().map(ZoneId);
    for (marks, maps) in zones("marks").zip(zones("maps")) {
        assert_eq!(layout.zone_of(layout.ground_space(model.zone(marks).space())), maps);
    }
}

#[test]
fn dice_are_listed_with_their_face() {
    let session = played();
    let rows = listing(&View::whole(session.table()), session.setup());
    let stock = rows.iter().find(|row| row.place == "stock").unwrap();
    assert!(stock.content.contains("cube shown=3"), "{stock:?}");
}

#[test]
fn values_that_read_the_same_are_logged_with_their_space() {
    let mut texts = texts(RULES);
    let track = "[zones.track]\nshape = \"row\"\nspaces = [{ at = 7, worth = 4 }, { at = 8, worth = 4 }]\n\n[values.seat]\n\
                 price = { type = \"track\", reads = \"worth\", name = \"price\" }";
    texts[0].1 = texts[0].1.replace("[values.seat]", track);
    texts[2].1 =
        texts[2].1.replace("fn lay_out() {", "fn lay_out() {\n    for seat in seats { seat.price = track[7]; }");
    texts[2].1 = texts[2].1.replace("fn tidy() {", "fn tidy() {\n    for seat in seats { seat.price = track[8]; }");
    let game = parlour::load_texts("market", texts).unwrap_or_else(|found| panic!("{found}"));
    let mut session = Session::start(&game, &Setup::seats(2)).unwrap();
    while session.decision().is_some() {
        session.choose(0).unwrap();
    }
    for (language, wanted) in [
        (Language::English, "4 (space 7) → 4 (space 8)"),
        (Language::TraditionalChinese, "4（「7」格） → 4（「8」格）"),
    ] {
        let told = told(&session, language);
        assert!(told.iter().any(|line| line.replace('\n', " ").contains(wanted)), "{wanted}: {told:#?}");
    }
}

// ----- information in the log entry of an answer

/// Game in which heroes are hired from a heap into one of two hands. Some values hold the hero that the answer names, and others hold
/// another one.
const HIRING: &str = r#"
[game]
id = "hiring"
players = { min = 2, max = 2 }
[zones.heap]
shape = "pile"
starts_with = ["hero"]
[zones.hand]
per = "seat"
shape = "hand"
[zones.crew]
per = "seat"
shape = "hand"
seen_by = "everybody"
[zones.lots]
shape = "pile"
copies = 2
[zones.tray]
per = "seat"
shape = "pile"
starts_with = ["cube"]
face = "down"
seen_by = "owner"
[zones.map]
shape = "grid"
columns = 2
rows = 2
[zones.dice]
over = "map"
[cells]
G = { name = "grass" }
[values.game]
star = { type = "hero", name = "star" }
thief = { type = "seat", name = "thief" }
victim = { type = "seat", name = "victim" }
[decisions.hire]
ask = "Hire"
tell = "{seat} hires {who}"
parts = { who = "hero", from = "heap" }
[decisions.sort]
ask = "Sort"
tell = "{seat} puts {who} on {lot} and another on {other}"
parts = { who = "hero", lot = "lots", other = "lots" }
[decisions.blame]
ask = "Blame"
tell = "{seat} blames somebody"
[decisions.judge]
ask = "Judge"
tell = "{seat} judges {a} and {b}"
parts = { a = "seat", b = "seat" }
[decisions.praise]
ask = "Praise"
tell = "{seat} praises {choice}"
[flow]
round = ["play"]
rounds = 1
[phases.play]
steps = ["play"]
"#;

const HEROES: &str = r#"
[[hero]]
id = "ada"
[[hero]]
id = "bob"
[[hero]]
id = "cyd"
[[hero]]
id = "dot"
[[cube]]
id = "cube"
each = "seat"
faces = [3, 4, 5]
[[die]]
id = "die"
faces = [7, 8]
[[tile]]
id = "tile"
cells = ["G G", "G G"]
"#;

/// Plays a game with the given rules, in which every question has one answer.
fn hired(rules: &str) -> Session {
    let texts = [("game.toml", HIRING), ("components/heroes.toml", HEROES), ("rules/play.rhai", rules)];
    let game = parlour::load_texts("hiring", crate::folder::owned_files(texts));
    let game = game.unwrap_or_else(|found| panic!("{found}"));
    let mut session = Session::start(&game, &Setup::seats(2)).unwrap();
    while session.decision().is_some() {
        session.choose(0).unwrap();
    }
    assert!(session.outcome().is_some(), "{:?}", session.status());
    session
}

/// Asserts that the log of a game contains all of the wanted texts and none of the unwanted texts.
fn hears(rules: &str, wanted: &[&str], unwanted: &[&str]) {
    let told = told(&hired(rules), Language::English).join(" ");
    for wanted in wanted {
        assert!(told.contains(wanted), "{wanted}: {told}");
    }
    for unwanted in unwanted {
        assert!(!told.contains(unwanted), "{unwanted}: {told}");
    }
}

#[test]
fn the_destination_among_several_hands_is_logged() {
    let hire = |hand: &str| {
        format!(
            "fn play() {{ let it = choose(first, \"hire\", each_of(#{{ who: [heap.top], from: [heap] }})); it.who.move_to(first.{hand}); }}"
        )
    };
    hears(&hire("crew"), &["Ann hires Dot — Heap → Ann's Crew: Dot"], &[]);
    hears(&hire("hand"), &["Ann hires Dot — Heap → Ann's Hand: Dot"], &[]);
}

#[test]
fn moves_to_places_that_the_answer_names_are_logged() {
    let sort = |to: &str| {
        format!(
            "fn play() {{ let it = choose(first, \"sort\", each_of(#{{ who: [heap.top], lot: [lots[1]], other: [lots[2]] }})); it.who.move_to(it.{to}); }}"
        )
    };
    hears(&sort("lot"), &["Heap → Lots 1: Dot"], &[]);
    hears(&sort("other"), &["Heap → Lots 2: Dot"], &[]);
}

#[test]
fn effects_after_answers_of_several_seats_are_logged_separately() {
    hears(
        "fn play() { for seat in seats { choose(seat, \"praise\", seats); } heap.top.move_to(first.hand); }",
        &["Ann praises Ann", "Ben praises Ann", "Heap → Ann's Hand: Dot"],
        &["—"],
    );
    hears(
        "fn play() { choose(first, \"praise\", seats); heap.top.move_to(first.hand); }",
        &["Ann praises Ann — Heap → Ann's Hand: Dot"],
        &[],
    );
}

#[test]
fn a_piece_shown_twice_is_logged_once() {
    hears(
        "fn play() { heap.top.move_to(first.hand); first.hand.top.show(next(first)); first.hand.top.show(next(first)); }",
        &["Ann reveals Dot"],
        &["2 ×"],
    );
}

#[test]
fn values_that_repeat_the_logged_choice_are_not_logged_again() {
    hears(
        "fn play() { let it = choose(first, \"praise\", [component(\"bob\")]); game.star = it; }",
        &["Ann praises Bob"],
        &["Star", "star"],
    );
    hears("fn play() { game.thief = choose(first, \"blame\", [next(first)]); }", &["thief Ben"], &[]);
    hears(
        "fn play() { let it = choose(first, \"judge\", each_of(#{ a: [first], b: [next(first)] })); game.victim = it.b; }",
        &["Ann judges Ann and Ben — victim Ben"],
        &[],
    );
}

#[test]
fn tie_breaks_without_a_name_are_reported() {
    let session = hired("fn play() {}\nfn score(seat) { 3 }\nfn rank(seat) { [3, seat.number] }");
    let [tie] = session.outcome().unwrap().tie_breaks().try_into().unwrap();
    assert_eq!((tie.before.0, tie.after.0, tie.by, tie.numbers), (1, 0, None, [2, 1]));
}

#[test]
fn named_score_terms_are_in_component_order() {
    let rules =
        "fn play() {}\nfn score(seat) { let by = #{ start: 1 }; by[\"dot\"] = 2; by[\"ada\"] = 3; #{ by: by } }";
    let session = hired(rules);
    let (_, terms) = &session.outcome().unwrap().standings[0].workings[0];
    let names: Vec<&str> = terms.iter().filter_map(|term| term.name.as_deref()).collect();
    assert_eq!(names, ["start", "ada", "dot"]);
}

#[test]
fn dice_on_a_map_are_drawn_with_their_face() {
    let rules = "fn play() { box.find(\"kind\", \"tile\").lay(map.at(1, 1), 0, \"beside\"); let die = box.find(\"kind\", \"die\"); die.move_to(dice[map.at(2, 2)]); die.roll(); }";
    let session = hired(rules);
    let wording = Wording::new(session.model().clone(), session.setup().clone(), Language::English);
    let pictures = session.table().pictures();
    let shown = session.table().all_pieces().find_map(|piece| {
        let is_die = &*session.model().component(session.table().component(piece)).id == "die";
        is_die.then(|| format!("Die {}", 7 + session.table().turned(piece)))
    });
    let shown = shown.unwrap();
    let told = wording.picture(&pictures[0]).join(" ");
    assert!(told.contains(&shown), "{shown}: {told}");
    assert!(wording.drawing(&pictures[0], "").contains(&format!("<title>{shown}</title>")));
}

#[test]
fn faces_of_hidden_dice_are_not_revealed() {
    let session = hired("fn play() { first.tray.top.roll(); }");
    let row = |seat| {
        let rows = listing(&View::new(session.table(), seat), session.setup());
        rows.into_iter().find(|row| row.place == "Ann.tray").unwrap().content
    };
    assert!(row(Some(Seat(0))).contains("shown="), "{}", row(Some(Seat(0))));
    assert!(!row(Some(Seat(1))).contains("shown="), "{}", row(Some(Seat(1))));
    let wording = Wording::new(session.model().clone(), session.setup().clone(), Language::English);
    let other = wording.for_seat(Seat(1)).narrate(session.events()).join(" ");
    assert!(!["3", "4", "5"].iter().any(|face| other.contains(&format!("Cube: {face}"))), "{other}");
}

const DICE: &str = r#"
[game]
id = "dice"
players = { min = 2, max = 2 }
[zones.cup]
shape = "hand"
starts_with = ["die"]
[zones.tower]
name = "Tower"
shape = "hand"
quiet = true
[zones.kept]
per = "seat"
shape = "hand"
seen_by = "everybody"
[values.game]
throws = { start = 0, quiet = true, shown = false }
[decisions.again]
ask = "Again?"
tells = { yes = "{seat} throws again", no = "{seat} is content" }
[flow]
setup = ["roll_all"]
round = ["play"]
rounds = 1
[phases.play]
steps = [{ each_seat = ["roll_in_turn", "roll_again"] }, "hide"]
"#;

const DICE_RULES: &str = r#"
fn roll_all() { for die in cup.pieces { die.roll(); } }
fn roll_in_turn(seat) { roll_all(); }
fn roll_again(seat) { game.throws += 1; if confirm(seat, "again") { roll_all(); } }
fn hide() {
    cup.move_to(tower);
    for die in tower.pieces { die.roll(); }
    tower.pieces.take(1).move_to(seats.first.kept);
}
fn score(seat) { game.throws }
"#;

fn dice(game: &str, components: &str) -> Session {
    let texts = [("game.toml", game), ("components/dice.toml", components), ("rules/play.rhai", DICE_RULES)];
    let texts = crate::folder::owned_files(texts);
    let game = parlour::load_texts("dice", texts).unwrap_or_else(|found| panic!("{found}"));
    let mut session = Session::start(&game, &Setup::seats(2)).unwrap();
    while session.decision().is_some() {
        session.choose(0).unwrap();
    }
    session
}

/// Returns the number of words in a line that are numbers.
fn numbers(line: &str) -> usize {
    line.split([' ', ',']).filter(|word| word.parse::<i64>().is_ok()).count()
}

#[test]
fn consecutive_dice_rolls_are_logged_as_one() {
    let one = "[[die]]\nid = \"die\"\nfaces = [1, 2, 3]\ncount = 4\n";
    let session = dice(DICE, one);
    let told = told(&session, Language::English);
    assert!(told.iter().any(|line| line.starts_with("Rolled: ") && numbers(line) == 4), "{told:#?}");
    let by_ann = told.iter().find(|line| line.starts_with("Ann rolls ")).unwrap();
    assert_eq!((numbers(by_ann), by_ann.split(' ').count()), (4, 6), "{told:#?}");
    let again = told.iter().find(|line| line.starts_with("Ben throws again — Die: ")).unwrap();
    assert_eq!(numbers(again), 4, "{told:#?}");
    let chinese = self::told(&session, Language::TraditionalChinese);
    assert!(chinese.iter().any(|line| line.starts_with("Ann擲出 ") && numbers(line) == 4), "{chinese:#?}");
}

#[test]
fn different_kinds_of_dice_are_logged_by_name() {
    let both = "[[die]]\nid = \"red\"\nfaces = [1, 2, 3]\ncount = 2\n[[die]]\nid = \"blue\"\nfaces = [7, 8]\n";
    let told = told(&dice(DICE, both), Language::English);
    let by_ann = told.iter().find(|line| line.starts_with("Ann rolls Red ")).unwrap();
    assert!(by_ann.contains(", Blue ") && numbers(by_ann) == 3, "{told:#?}");
}

#[test]
fn quiet_zones_are_left_out_of_the_log_but_not_of_statements() {
    let one = "[[die]]\nid = \"die\"\nfaces = [1, 2, 3]\ncount = 4\n";
    let session = dice(DICE, one);
    let lines = told(&session, Language::English);
    assert!(!lines.iter().any(|line| line.contains("Tower")), "{lines:#?}");
    let wording = Wording::new(session.model().clone(), session.setup().clone(), Language::English);
    let said = wording.statements(session.events());
    let turned = said.iter().filter(|said| matches!(said, Statement::Turned { .. })).count();
    assert_eq!(turned, 24, "{said:#?}");
    let loud = told(&dice(&DICE.replace("quiet = true\n", ""), one), Language::English);
    assert!(loud.iter().any(|line| line.contains("Cup → Tower")), "{loud:#?}");
}

/// A game that logs long texts endlessly is stopped before they fill the memory.
#[test]
fn the_size_of_logged_texts_is_limited() {
    let game = r#"
[game]
id = "endless"
players = { min = 2, max = 2 }
[decisions.pick]
ask = "Which?"
[says]
told = "{text}"
[flow]
round = ["play"]
[phases.play]
steps = [{ each_seat = "turn_of" }]
"#;
    let rules = r#"
fn turn_of(seat) {
    let text = "x";
    for i in 0..12 { text += text; }
    for i in 0..50 { say("told", #{ text: `${text}${i}` }); }
    choose(seat, "pick", [`a${text}`, `b${text}`]);
}
fn score(seat) { 0 }
"#;
    let texts = [("game.toml", game), ("rules/play.rhai", rules)];
    let texts = crate::folder::owned_files(texts);
    let game = parlour::load_texts("endless", texts).unwrap_or_else(|found| panic!("{found}"));
    let mut session = Session::start(&game, &Setup::seats(2).seed(1)).unwrap();
    let mut answers = 0;
    while session.decision().is_some() {
        session.choose(0).unwrap();
        answers += 1;
    }
    let Status::Failed(found) = session.status() else { panic!("it went on to an end") };
    assert_eq!((found.code, found.message.as_str()), ("too-large", "the log of this game is full"));
    assert!((50..500).contains(&answers), "{answers} answers");
}

/// Moves of pieces count towards the log limit like texts do, even if no seat is asked in between.
#[test]
fn public_moves_count_towards_the_log_limit() {
    let game = r#"
[game]
id = "endless"
players = { min = 2, max = 2 }
[zones.left]
shape = "pile"
starts_with = ["mark"]
[zones.right]
shape = "pile"
[kinds.mark]
[flow]
round = ["play"]
[phases.play]
steps = ["swing"]
"#;
    let rules = r"
fn swing() {
    let mark = left.top;
    for i in 0..9000 { mark.move_to(right); mark.move_to(left); }
}
fn score(seat) { 0 }
";
    let marks = "[[mark]]\nid = \"mark\"\n";
    let texts = [("game.toml", game), ("components/marks.toml", marks), ("rules/play.rhai", rules)];
    let texts = texts.map(|(path, text)| (path.to_owned(), text.to_owned())).to_vec();
    let game = parlour::load_texts("endless", texts).unwrap_or_else(|found| panic!("{found}"));
    let session = Session::start(&game, &Setup::seats(2).seed(1)).unwrap();
    let Status::Failed(found) = session.status() else { panic!("it went on to an end") };
    assert_eq!(found.code, "too-large");
    assert!((900_000..1_100_000).contains(&session.events().len()), "{} events", session.events().len());
}
