//! All options of a decision have different texts: in playscripts, on pages and in terminals, in both languages.
//!
//! Besides all games, generated games are checked, in which components and words share names, seats have equal zones, decisions have parts
//! of every type, and words look like a pass, the end of a selection, an empty list or the next part.

use crate::case::{Case, cases_of_long_tests, render_plain};
use crate::log_consistency::LANGUAGES;
use crate::random_walk::{walk, walks};
use parlour::agents;
use parlour::decision::Choice;
use parlour::diagnostic::Source;
use parlour::model::{Language, PieceId};
use parlour::playscript::matching::{Match, find};
use parlour::playscript::{self, Cast};
use parlour::session::{EventKind, Session, Setup};
use parlour::table::{Chance, View};
use parlour::wording::{Offer, Wording};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

/// Number of generated games.
const GAMES: u64 = 40;

/// Maximum number of options for which the test finds every option by its text. Finding all of them takes quadratic time.
const MAX_LOOKED_UP: usize = 60;

const DATA: &str = r#"
[game]
id = "offers"
players = { min = 2, max = 3 }

[zones.heap]
shape = "pile"
starts_with = ["good"]
[zones.store]
shape = "pile"
starts_with = ["farm"]
[zones.deck]
shape = "pile"
starts_with = ["secret"]
face = "down"
[zones.site]
shape = "row"
per = "town"
[zones.site.printed.takes]
leek = "coal fish herbs"
derby = "coal iron coal"
[zones.wharf]
shape = "pile"
per = "town"
copies = 2
[zones.lots]
shape = "pile"
copies = 3
[zones.mine]
per = "seat"
shape = "hand"
starts_with = ["tile"]
seen_by = "everybody"
[zones.hand]
per = "seat"
shape = "hand"
[zones.stand]
per = "seat"
shape = "pile"
copies = 2
[zones.field]
per = "seat"
shape = "grid"
columns = 2
rows = 2
[zones.shelf]
per = "seat"
shape = "row"
spaces = ["left", "right"]
[zones.yard]
shape = "row"
spaces = ["red", "crimson", "west"]
[zones.quarry]
shape = "grid"
printed.stone = ["red crimson ruby", "red garnet ."]
[zones.ledge]
shape = "row"
spaces = ["red", "crimson", "west"]
printed.stone = "ruby garnet ruby"
reads = "stone"
[zones.patch]
per = "seat"
shape = "ring"
printed.crop = "rye oat rye"
[zones.pit]
shape = "pile"
copies = ["red", "crimson"]
[zones.stall]
per = ["seat", "town"]
shape = "pile"
[zones.cup]
per = "seat"
shape = "hand"
starts_with = ["die"]
seen_by = "everybody"
[zones.map]
shape = "grid"
columns = 3
rows = 2
[zones.frame]
per = "seat"
shape = "hand"
starts_with = ["slab"]
seen_by = "everybody"
[cells]
G = { land = "grass" }
W = { land = "water" }

[values.piece]
harm = { start = 0 }

[words]
skip = { en = "Skip", zh-Hant = "略過" }
red = { en = "Red", zh-Hant = "紅" }
crimson = { en = "Red", zh-Hant = "紅" }
ruby = { en = "Ruby", zh-Hant = "寶石" }
garnet = { en = "Garnet", zh-Hant = "寶石" }

[flow]
setup = ["lay_out"]
round = ["play"]
rounds = 3
[phases.play]
steps = [{ each_seat = "turn_of" }]

[decisions.single]
ask = "Which?"
tell = "{seat} takes {choice}"
[decisions.several]
ask = "Which ones?"
[decisions.maybe]
ask = "Which?"
pass = { en = "Skip", zh-Hant = "略過" }
[decisions.or_not]
ask = "Which?"
[decisions.lay]
ask = "Where?"
parts = { piece = "slab", to = "map", turned = "number", way = "any" }
"#;

const BOX: &str = r#"
[[town]]
id = "leek"
name = { en = "Harbor", zh-Hant = "港" }
count = 0
[[town]]
id = "derby"
name = { en = "Harbor", zh-Hant = "港" }
count = 0
[[good]]
id = "cotton"
count = 3
[[good]]
id = "wool"
name = "Cotton"
count = 3
[[farm]]
id = "mill"
name = "Farm"
count = 2
[[farm]]
id = "barn"
name = "Farm"
count = 2
[[secret]]
id = "plan"
count = 4
[[secret]]
id = "plot"
count = 4
[[tile]]
id = "tile"
each = "seat"
count = 3
[[die]]
id = "oak"
name = "Die"
each = "seat"
faces = [1, 2, 3]
count = 2
[[die]]
id = "elm"
name = "Die"
each = "seat"
faces = [1, 2, 3]
[[die]]
id = "ash"
each = "seat"
faces = [1, 1, 2]
count = 2
[[die]]
id = "fir"
each = "seat"
faces = ["ruby", "garnet"]
count = 2
[[slab]]
id = "slate"
name = "Slab"
each = "seat"
cells = ["G W"]
[[slab]]
id = "plate"
name = "Slab"
each = "seat"
cells = ["G W"]
"#;

const COMMON: &str = r#"
fn lay_out() {
    deck.shuffle();
    for seat in seats { deck.draw(2, seat.hand); }
    for space in site.spaces.take(4) { heap.draw(1, space); }
}
/// Moves some pieces, and changes their values and sides.
fn stir(seat) {
    let all = [heap, store, lots[1], lots[2], stand_of(seat)[0], stand_of(next(seat))[1], pit["red"], seat.stall[component("leek")],
        seat.shelf["left"], next(seat).shelf["left"], yard["red"], yard["crimson"], quarry.at(1, 1), quarry.at(2, 1),
        ledge["red"], ledge["west"], seat.patch[1], seat.patch[3]];
    for n in 1..=3 {
        let from = any_of(all);
        if !from.is_empty() { from.top.move_to(any_of(all)); }
    }
    let tile = any_of(seat.mine.pieces + next(seat).mine.pieces);
    tile.harm += 1;
    any_of(seat.mine.pieces).turn_down();
    for die in seat.cup.pieces { die.roll(); }
    if !heap.is_empty() { heap.top.harm += 1; }
    if !heap.is_empty() { heap.top.turn_down(); }
}
fn stand_of(seat) { [seat.stand[1], seat.stand[2]] }
fn stalls_of(seat) { components("town").map(|town| seat.stall[town]) }
fn score(seat) { 0 }
"#;

/// Types of parts of an answer, each with an expression for the offered values.
const PARTS: [(&str, &str); 34] = [
    ("any", "[heap, store, \"heap\", 1, \"1\", true, \"yes\", seat, \"mill\"] + components(\"farm\").map(|c| c)"),
    ("any", "[heap, lots[1], seat.hand, next(seat).hand]"),
    ("number", "[1, 2, 3]"),
    ("flag", "[true, false]"),
    ("any", "[[1, 2], [2, 1], [heap], [store, heap]]"),
    ("any", "components(\"good\") + components(\"farm\") + components(\"town\")"),
    ("word", "[\"red\", \"crimson\", \"heap\"]"),
    ("word", "[\"ruby\", \"garnet\", \"red\"]"),
    ("word", "[\"red\", \"red b=red\", \"red c=red\", \"red, b red\", \"red, c red\", \"red、b red\", \"red、c red\"]"),
    ("any", "[\"red\", \"red b=red\", \"red, b red\", \"red、b red\", \"b=red\", [], \"nothing\"]"),
    ("seat", "seats"),
    ("component", "components(\"good\")"),
    ("farm", "components(\"farm\")"),
    ("good", "(heap.pieces + store.pieces + lots.pieces).where(\"kind\", \"good\")"),
    ("component", "heap.pieces + stand_of(seat)[0].pieces"),
    ("piece", "seat.cup.pieces + next(seat).cup.pieces"),
    ("piece", "seat.shelf.pieces + next(seat).shelf.pieces + yard.pieces + pit.pieces + site.pieces"),
    ("piece", "heap.pieces + store.pieces + lots.pieces"),
    ("piece", "seat.mine.pieces + next(seat).mine.pieces + seat.hand.pieces"),
    ("space", "site.spaces"),
    ("site", "site.spaces"),
    ("wharf", "wharf"),
    ("lots", "lots"),
    ("stand", "stand_of(seat) + stand_of(next(seat))"),
    ("field", "seat.field.spaces + next(seat).field.spaces"),
    ("shelf", "seat.shelf.spaces + next(seat).shelf.spaces"),
    ("yard", "yard.spaces"),
    ("quarry", "quarry.spaces"),
    ("ledge", "ledge.spaces"),
    ("patch", "seat.patch.spaces"),
    ("patch", "seat.patch.spaces + next(seat).patch.spaces"),
    ("piece", "quarry.pieces + ledge.pieces + seat.patch.pieces"),
    ("pit", "pit"),
    ("stall", "stalls_of(seat) + stalls_of(next(seat))"),
];

/// Expressions for options of decisions without parts.
const SINGLES: [&str; 15] = [
    "heap.pieces + store.pieces + lots.pieces + stand_of(seat)[0].pieces + stand_of(next(seat))[1].pieces",
    "seat.mine.pieces + next(seat).mine.pieces",
    "next(seat).hand.pieces",
    "seat.hand.pieces + next(seat).hand.pieces + deck.pieces.take(2)",
    "[heap, \"heap\", store, \"store\", 1, \"1\", true, \"yes\", \"red\", \"crimson\"]",
    "components(\"good\") + components(\"farm\") + components(\"town\")",
    "site.spaces + seat.field.spaces + next(seat).field.spaces",
    "site + wharf + lots + pit",
    "stalls_of(seat) + stalls_of(next(seat)) + stand_of(seat)",
    "seats",
    "quarry.spaces + ledge.spaces + seat.patch.spaces + next(seat).patch.spaces",
    "quarry.pieces + ledge.pieces + seat.patch.pieces + next(seat).patch.pieces",
    "seat.cup.pieces + next(seat).cup.pieces",
    "seat.shelf.spaces + next(seat).shelf.spaces + yard.spaces",
    "site.pieces + seat.shelf.pieces + next(seat).shelf.pieces + yard.pieces",
];

/// Generates the data and the rules of a game.
fn texts(seed: u64) -> (String, String) {
    let mut chance = Chance::new(seed, "offers");
    let (mut data, mut rules) = (DATA.to_owned(), COMMON.to_owned());
    let mut turn = "fn turn_of(seat) {\n".to_owned();
    let name = |at: u32| char::from(b'a' + at as u8);
    for number in 0..4_u32 {
        let mut pick = |from: usize| chance.below(from as u32) as usize;
        let parts: Vec<(&str, &str)> = (0..=pick(3)).map(|_| PARTS[pick(PARTS.len())]).collect();
        let declared: Vec<String> =
            parts.iter().zip(0..).map(|((of, _), at)| format!("{} = \"{of}\"", name(at))).collect();
        let offered: Vec<String> = parts.iter().zip(0..).map(|((_, set), at)| format!("{}: {set}", name(at))).collect();
        let told: Vec<String> = (0..parts.len() as u32).map(|at| format!("{{{}}}", name(at))).collect();
        let tell = format!("tell = \"{{seat}} takes {}\"\n", told.join(" and "));
        let tell = if pick(2) == 0 { String::new() } else { tell };
        let declared = declared.join(", ");
        let _ = writeln!(data, "[decisions.d{number}]\nask = \"Which?\"\n{tell}parts = {{ {declared} }}");
        let _ = writeln!(
            turn,
            "    choose_if_any(seat, \"d{number}\", each_of(#{{ {} }}));\n    stir(seat);",
            offered.join(", ")
        );
        let single = SINGLES[pick(SINGLES.len())];
        let _ = writeln!(turn, "    choose_if_any(seat, \"single\", {single});");
    }
    let several = SINGLES[chance.below(2) as usize];
    let _ = writeln!(turn, "    choose_some(seat, \"several\", {several}, 0, 2);");
    // Words that are also the text of an answer without a value.
    let silent = "\"skip\", \"pass\", \"done\", \"nothing\", \"yes\"";
    let _ = writeln!(turn, "    choose_or_pass(seat, \"maybe\", [{silent}, true]);");
    let _ = writeln!(turn, "    choose_or_pass(seat, \"or_not\", [{silent}, []]);");
    let _ = writeln!(turn, "    choose(seat, \"single\", [{silent}, ()]);");
    let _ = writeln!(turn, "    choose_some(seat, \"several\", [{silent}, \"\"], 1, 2);");
    let _ =
        writeln!(turn, "    choose_some(seat, \"several\", [1, \"1\", \"a\", \"b\", \"a + b\", [1, 2], []], 0, 3);");
    let _ = writeln!(turn, "    choose_order(seat, \"several\", [\"done\", \"1 + 2\", 1, \"1\", 2]);");
    let slabs = "seat.frame.pieces + next(seat).frame.pieces";
    let _ = writeln!(turn, "    choose_if_any(seat, \"lay\", || placements(map, {slabs}, []));\n}}");
    rules.push_str(&turn);
    (data, rules)
}

fn generated(seed: u64) -> Case {
    let (data, rules) = texts(seed);
    let texts = [("game.toml", &*data), ("components/box.toml", BOX), ("rules/play.rhai", &rules)];
    let game = parlour::load_texts("offers", crate::folder::owned_files(texts));
    let game = game.unwrap_or_else(|found| panic!("{found}\n{data}\n{rules}"));
    Case { game, setup: Setup::seats(2 + (seed % 2) as u8) }
}

/// Asserts that all texts are different. `form` names the kind of text in the failure message.
fn assert_distinct(case: &Case, session: &Session, form: &str, texts: &[String]) {
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, text) in texts.iter().enumerate() {
        if let Some(first) = known.insert(text, at) {
            let decision = session.decision().unwrap();
            panic!(
                "{}: {form}: options {first} and {at} are both `{text}`: {:?} and {:?}",
                case.at(session),
                decision.option(first),
                decision.option(at)
            );
        }
    }
}

/// Asserts that the texts of generated options need no numbers. Numbers are the last resort if nothing else distinguishes two things, and
/// mean nothing to a reader.
fn assert_no_numbers(case: &Case, session: &Session) {
    let decision = session.decision().unwrap();
    let wording =
        |language| Wording::new(session.model().clone(), session.setup().clone(), language).for_seat(decision.seat);
    let written = Offer::new(wording(Language::English), session.table(), decision).all_written();
    let numbered = written.iter().find(|text| text.contains('~'));
    assert!(numbered.is_none(), "{}: {numbered:?}", case.at(session));
    for language in LANGUAGES {
        let worded = Offer::new(wording(language), session.table(), decision).all_worded();
        assert_places_are_named(case, session, &worded);
        // Pieces that differ only in values, or in the seats that know them, may be numbered.
        let is_numbered = |(at, text): &(usize, &String)| {
            let numbered = text.ends_with(" (1)") || text.ends_with("（1）");
            numbered && !has_twin(session, &decision.option(*at))
        };
        let numbered = worded.iter().enumerate().find(is_numbered);
        assert!(numbered.is_none(), "{}: {numbered:?}", case.at(session));
    }
}

/// Returns a text without the number at its end that distinguishes it from equal texts.
fn unnumbered(text: &str) -> &str {
    let is_number = |number: &str| !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
    let numbered =
        |open: &str, close: &str| text.strip_suffix(close)?.rsplit_once(open).filter(|(_, number)| is_number(number));
    numbered(" (", ")").or_else(|| numbered("（", "）")).map_or(text, |(text, _)| text)
}

/// Asserts that the texts of single pieces in different spaces differ in more than a number: they name the spaces.
fn assert_places_are_named(case: &Case, session: &Session, worded: &[String]) {
    let decision = session.decision().unwrap();
    let mut spaces = BTreeMap::new();
    for (at, text) in worded.iter().enumerate() {
        let Choice::Piece(piece) = decision.option(at) else { continue };
        let space = session.table().space_of(piece);
        let known = *spaces.entry(unnumbered(text)).or_insert(space);
        assert_eq!(known, space, "{}: `{text}` does not name the space", case.at(session));
    }
}

/// Returns whether the pieces in the place of a piece are in an order, which distinguishes equal pieces.
fn is_ordered(session: &Session, piece: PieceId) -> bool {
    !session.model().family_of(session.table().zone_of(piece)).shape.is_unordered()
}

/// Returns whether a choice contains a piece with the same face and the same side up as another piece in its hand, or a piece that the seat
/// does not know.
fn has_twin(session: &Session, choice: &Choice) -> bool {
    let table = session.table();
    let view = View::new(table, Some(session.decision().unwrap().seat));
    let mut has_one = false;
    choice.each_piece(|piece| {
        let face =
            |piece: PieceId| (table.component(piece), table.owner(piece), table.is_up(piece), table.shown(piece));
        let mut others = table.stack_from_bottom(table.space_of(piece)).filter(|other| *other != piece);
        let has_equal = !is_ordered(session, piece) && others.any(|other| face(other) == face(piece));
        has_one |= has_equal || !view.knows(piece);
    });
    has_one
}

/// Asserts that the options of the open decision have different texts in every form, and that each playscript text identifies its option.
fn assert_distinct_offers(case: &Case, session: &Session) {
    let decision = session.decision().unwrap();
    let wording =
        |language| Wording::new(session.model().clone(), session.setup().clone(), language).for_seat(decision.seat);
    let written = Offer::new(wording(Language::English), session.table(), decision).all_written();
    assert_distinct(case, session, "written", &written);
    for language in LANGUAGES {
        let offer = Offer::new(wording(language), session.table(), decision);
        assert_distinct(case, session, "worded", &offer.all_worded());
        for at in 0..decision.count() {
            let parts = offer.parts(&decision.option(at)).into_iter().map(|(_, written)| written);
            let parts: Vec<String> = parts.collect();
            assert!(parts.is_empty() || parts.join(" ") == written[at], "{parts:?} are not {}", written[at]);
        }
    }
    if written.len() <= MAX_LOOKED_UP {
        for (at, text) in written.iter().enumerate() {
            assert_eq!(find(&written, text), Match::One(at), "{}: `{text}` of {written:?}", case.at(session));
        }
    }
}

/// Maximum number of options per decision that are chosen on a copy of the session, to compare the records of the answers.
const MAX_TRIED: usize = 24;

/// Returns the records of an answer: the text of the answer in event data and recordings, and the line of the log in each language. Returns
/// `None` if the rules do not record the answer.
fn records(session: &Session, at: usize) -> Option<(String, [String; 2])> {
    let asked = session.decision().unwrap().seat;
    let wording = |language| Wording::new(session.model().clone(), session.setup().clone(), language).for_seat(asked);
    let mut fork = session.fork();
    fork.choose(at).unwrap();
    let mut since = fork.events().since(session.events().len());
    let chose = since.find(|event| matches!(event.kind, EventKind::Chose { .. }))?;
    let EventKind::Chose { seat, decision, choice, appearances } = &chose.kind else { return None };
    let written = wording(Language::English).written_answer(*seat, *decision, choice, appearances);
    Some((written, LANGUAGES.map(|language| wording(language).narrate([chose]).join("\n"))))
}

/// Returns whether the log must tell two options apart. It need not where a piece is equal to another one in its place, or unknown to the
/// seat, or where a word has the text of something else: the notation of playscripts distinguishes these.
fn must_be_told_apart(session: &Session, one: &Choice, other: &Choice) -> bool {
    match (one, other) {
        (Choice::Parts(one), Choice::Parts(other)) => {
            let mut differing = one.iter().zip(other.iter()).filter(|((_, one), (_, other))| one != other);
            differing.any(|((_, one), (_, other))| must_be_told_apart(session, one, other))
        }
        (Choice::Word(_), other) | (other, Choice::Word(_)) => matches!(other, Choice::Word(_)),
        (Choice::Piece(one), Choice::Piece(other)) => {
            let (table, view) = (session.table(), View::new(session.table(), Some(session.decision().unwrap().seat)));
            let is_known = view.knows(*one) && view.knows(*other);
            let face = |piece| (table.component(piece), table.owner(piece), table.shown(piece), table.space_of(piece));
            is_known && (face(*one) != face(*other) || is_ordered(session, *one))
        }
        _ => true,
    }
}

/// Asserts that the log has different lines about different answers, and that their text in recordings is the offered text.
fn assert_distinct_records(case: &Case, session: &Session) {
    let decision = session.decision().unwrap();
    if decision.picks.is_some() {
        return;
    }
    let wording = Wording::new(session.model().clone(), session.setup().clone(), Language::English);
    let offer = Offer::new(wording.for_seat(decision.seat), session.table(), decision);
    let options: Vec<Choice> = (0..decision.count().min(MAX_TRIED)).map(|at| decision.option(at)).collect();
    let mut seen: [BTreeMap<String, Vec<usize>>; 2] = Default::default();
    for (at, option) in options.iter().enumerate() {
        let Some((written, lines)) = records(session, at) else { return };
        // Only the text of an open decision puts words in quotes that could be taken for something else.
        let offered = offer.written(option);
        assert_eq!(
            written.replace('"', ""),
            offered.replace('"', ""),
            "{}: the record of option {at}",
            case.at(session)
        );
        for (line, seen) in lines.into_iter().zip(&mut seen) {
            let same = seen.entry(line).or_default();
            for first in &*same {
                let is_same = !must_be_told_apart(session, &options[*first], option);
                assert!(is_same, "{}: options {first} and {at}: {:?}", case.at(session), records(session, at));
            }
            same.push(at);
        }
    }
}

#[test]
fn options_of_generated_games_have_different_texts() {
    let mut asked = 0;
    for seed in 0..GAMES {
        let case = generated(seed);
        walk(&case, seed, |session, _| {
            assert_distinct_offers(&case, session);
            assert_no_numbers(&case, session);
            assert_distinct_records(&case, session);
            asked += 1;
        });
    }
    assert!(asked > 1_000, "only {asked} decisions");
}

#[test]
fn options_of_all_games_have_different_texts() {
    for case in cases_of_long_tests() {
        for seed in 0..walks() {
            walk(&case, seed, |session, _| assert_distinct_offers(&case, session));
        }
    }
}

#[test]
fn recordings_of_generated_games_replay() {
    for seed in 0..GAMES / 2 {
        let case = generated(seed);
        let over = walk(&case, seed, |_, _| {});
        let play = playscript::record(&case.game, &case.seeded(seed), &over.answers().to_vec(), true).unwrap();
        let text = play.to_string();
        let source = Source { path: "recorded.play".to_owned(), text: text.clone() };
        let play = playscript::parse(&Arc::new(source)).unwrap();
        let agent = |_: &[Arc<Source>], _: &str, seed: u64, at: usize| Ok(agents::named("random", seed, at).unwrap());
        let cast = Cast { game: &|_| Ok(case.game.clone()), agent: &agent, covering: false };
        let again = playscript::resume(&play, &cast).unwrap_or_else(|found| panic!("{}\n{text}", render_plain(&found)));
        assert_eq!(again.session.answers().to_vec(), over.answers().to_vec(), "{text}");
    }
}
