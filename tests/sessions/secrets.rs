//! A seat that must not know a secret receives the same information for every secret. The games are generated at random from everything
//! that can be secret: values of every owner, rolled numbers, dice thrown unseen, and cards that are dealt, passed on, shuffled and shown
//! to others.
//!
//! Each game is played twice with the same seed, the second time with other secrets. For each seat that must not know the secrets, the test
//! compares what the seat observes in both games: its log in both languages, its view of the table with and without memory, its questions,
//! the messages for an agent, and the worlds that it imagines.

use parlour::agents::question;
use parlour::diagnostic::render;
use parlour::model::{Language, Seat, ZoneId};
use parlour::session::{Game, Session, Setup, Status};
use parlour::table::{Chance, View};
use parlour::wording::Wording;
use std::fmt::Write as _;

const GAMES: u64 = 150;

/// Number of steps in a game.
const STEPS: usize = 14;

const GAME: &str = r#"
[game]
id = "secrets"
name = "Secrets"
players = { min = 3, max = 3 }

[params]
# Who looks on, by number; 0 for somebody without a seat. What the others keep secret is another thing where `twist` is 1.
onlooker = 0
twist = 0

[zones.deck]
shape = "pile"
starts_with = ["card"]
face = "down"
[zones.market]
shape = "row"
spaces = 3
[zones.spare]
shape = "pile"
starts_with = ["spare"]
face = "down"
[zones.grave]
shape = "pile"
face = "down"
[zones.vault]
shape = "pile"
face = "down"
[zones.hand]
per = "seat"
shape = "hand"
[zones.desk]
per = "seat"
shape = "row"
spaces = 2
face = "down"
seen_by = "nobody"
[zones.cup]
per = "seat"
shape = "row"
spaces = 2
face = "down"
seen_by = "owner"
[zones.tray]
shape = "pile"
starts_with = ["die"]

[values.game]
clock = { start = 0, seen_by = "nobody" }
weather = { words = ["dry", "wet"], start = "dry", seen_by = "nobody" }
culprit = { type = "card", seen_by = "nobody" }
open_count = 0
[values.seat]
purse = { start = 0, seen_by = "owner" }
hidden = { start = 0, seen_by = "nobody" }
is_spy = { start = false, seen_by = "owner" }
friend = { type = "seat", seen_by = "owner" }
lair = { type = "market", seen_by = "nobody" }
flash = { start = 0, seen_by = "owner", lasts = "turn" }
shown = 0
[values.piece]
mark = { start = 0, seen_by = "owner" }
inner = { start = 0, seen_by = "nobody" }
[values.card]
depth = { start = 0, seen_by = "nobody" }
[values.space]
note = { start = 0, in = "desk", seen_by = "owner" }
under = { start = 0, in = "market", seen_by = "nobody" }

[decisions.pick]
ask = "Pick one"
[decisions.point]
ask = "Which one?"
tell = "{seat} points at {choice}"
[decisions.give]
ask = "Which do you put away?"
secret = true

[flow]
setup = ["set_up"]
round = ["play", "more"]
rounds = 1
ending = "over"

[phases.play]
steps = ["happen"]
[phases.more]
steps = ["and_then"]

[endings]
over = "The game is over"

[says]
counts = "{seat} has {number} cards"
names = "{seat} has {what}"
"#;

const COMPONENTS: &str = r#"
[[card]]
id = "ace"
count = 6
[[card]]
id = "king"
count = 6
[[card]]
id = "ten"
count = 6
[kinds.spare]
back = "card"
[[spare]]
id = "sun"
count = 6
[[spare]]
id = "moon"
count = 6
[[die]]
id = "die1"
faces = [1, 2, 3, 4, 5, 6]
count = 2
[[die]]
id = "die2"
faces = [1, 2, 3, 4, 5, 6]
count = 2
[[die]]
id = "die3"
faces = [1, 2, 3, 4, 5, 6]
count = 2
"#;

const HELPERS: &str = r#"
fn set_up() {
    deck.shuffle();
    spare.shuffle();
    for seat in seats {
        deck.draw(3, seat.hand);
        for space in seat.cup.spaces { tray.where("component", component(`die${seat.number}`)).first.move_to(space); }
    }
}

/// Returns the difference between a seat's secrets in the two games. It is 0 for the onlooker, which knows its own secrets.
fn twisted(seat) { if seat.number == onlooker { 0 } else { twist } }

/// Deals one of two cards to a seat, unseen by the other seats, and puts the other card into the vault.
fn deal_secret(seat) {
    let sun = spare.where("component", component("sun")).first;
    let moon = spare.where("component", component("moon")).first;
    if twisted(seat) == 0 { sun.move_to(seat.hand); moon.move_to(vault); } else { moon.move_to(seat.hand); sun.move_to(vault); }
}

/// Sets two values of each piece. `inner` differs between the two games, and `mark` differs if `twisted` is not 0.
fn mark_each(pieces, number, twisted) {
    let at = 0;
    for piece in pieces { piece.inner = number + twist * at; piece.mark = number + twisted * at; at += 1; }
}
"#;

const BEGIN: &str = "
    let a = seats[0];
    let b = seats[1];
    let c = seats[2];
";

/// Returns one step of a script. `who` and `other` are expressions for seats in the script.
fn step(at: u32, who: &str, other: &str, number: u32) -> String {
    match at {
        // Each seat rolls dice with a different number of sides, so that an extra roll by one seat does not change the rolls of other
        // seats.
        0 => format!("for i in 0..(1 + twisted({who})) {{ {who}.purse = roll(20 + {who}.number, {who}); }}"),
        1 => format!("{who}.hidden = {number} + twist;"),
        2 => format!("game.clock = {number} + twist;"),
        3 => format!(
            "for card in {who}.hand.pieces {{ card.mark = {number} + twisted({who}); card.inner = {number} + twist; }}"
        ),
        4 => format!("{who}.desk.spaces[0].note = {number} + twisted({who});"),
        5 => format!("market.spaces[{}].under = {number} + twist;", number % 3),
        6 => format!("let ace = component(\"ace\"); ace.depth = {number} + twist;"),
        7 => format!("deal_secret({who});"),
        8 => format!("for i in 0..(1 + twisted({who})) {{ for die in {who}.cup.pieces {{ die.roll(); }} }}"),
        9 => format!("{who}.hand.pieces.take(2).move_to(grave);"),
        10 => "grave.shuffle();".to_owned(),
        11 => format!(
            "at_once(|| {{ a.hand.move_to(b.hand); b.hand.move_to(c.hand); c.hand.move_to(a.hand); }}); //{who}"
        ),
        12 => "if !deck.is_empty() { deck.draw(grave); }".to_owned(),
        13 => format!(
            "if !deck.is_empty() {{ let it = deck.top; it.move_to({who}.desk.spaces[1], \"down\"); it.mark = {number} + twist; }}"
        ),
        14 => format!("say(\"counts\", #{{ seat: {who}, number: {who}.hand.count() }});"),
        15 => format!("choose({who}, \"pick\", [1, {}]);", number + 2),
        16 => format!("if {who}.hand.count() > 1 {{ choose({who}, \"give\", {who}.hand.pieces).move_to(grave); }}"),
        17 => "game.open_count += 1;".to_owned(),
        18 => format!("{who}.hand.show({other});"),
        19 => format!("mark_each({who}.hand.pieces, {number}, twisted({who}));"),
        20 => format!("mark_each(market.pieces, {number}, 0);"),
        21 => format!("if !{who}.hand.is_empty() {{ choose({who}, \"point\", {who}.hand.pieces); }}"),
        22 => format!("choose({other}, \"point\", market.pieces + {who}.cup.pieces);"),
        23 => format!("say(\"names\", #{{ seat: {who}, what: {who}.hand.pieces }});"),
        24 => format!("say(\"names\", #{{ seat: {who}, what: {who}.cup.pieces }});"),
        25 => format!("swap({who}.cup.spaces[0].top, {who}.cup.spaces[1].top);"),
        26 => format!("game.weather = if twist == {} {{ \"wet\" }} else {{ \"dry\" }};", number % 2),
        27 => "game.culprit = if twist == 0 { component(\"ten\") } else { component(\"ace\") };".to_owned(),
        28 => format!("{who}.is_spy = twisted({who}) == 0;"),
        29 => format!("{who}.friend = if twisted({who}) == 0 {{ {other} }} else {{ () }};"),
        30 => format!("{who}.lair = market.spaces[twist + {}];", number % 2),
        31 => format!("{who}.flash = {number} + twisted({who});"),
        32 => format!("for i in 0..(1 + twist) {{ {who}.hidden = any_of([1, 2, 3, 4]); }}"),
        33 => "for i in 0..(1 + twist) { game.culprit = any_of(components(\"card\")); }".to_owned(),
        _ => "if !deck.is_empty() { deck.draw(market.spaces[0]); }".to_owned(),
    }
}

/// Number of kinds of steps.
const KINDS: u32 = 35;
/// Kind of the step in which secrets are passed from hand to hand.
const PASSING: u32 = 11;
/// Kind of the step in which a secret is shown to another seat.
const SHOWING: u32 = 18;

/// Returns whether a script depends on the secrets.
fn hides(script: &str) -> bool {
    ["twist", "deal_secret", "mark_each"].iter().any(|word| script.contains(word))
}

/// Script, and the seats that learn secrets of other seats in it.
struct Secrets {
    script: String,
    let_in: Vec<usize>,
}

fn secrets(chance: &mut Chance) -> Secrets {
    let (names, mut let_in) = (["a", "b", "c"], Vec::new());
    let mut script = format!("{HELPERS}fn happen() {{{BEGIN}");
    // In half of the games, the second step adds no secrets and only reveals what the first one hid.
    let hides_later = chance.below(2) == 0;
    // In a quarter of the games, secrets are passed on. Every seat then learns some of them, so only the view without a seat is compared.
    let (passes, shows) = (chance.below(4) == 0, chance.below(2) == 0);
    for step_at in 0..STEPS {
        if step_at == STEPS / 2 {
            write!(script, "}}\nfn and_then() {{{BEGIN}").expect("a text takes it");
        }
        let at = chance.below(KINDS);
        let (who, other) = (chance.below(3) as usize, chance.below(3) as usize);
        if at == PASSING && !passes || at == SHOWING && !shows {
            continue;
        }
        let_in.extend((at == PASSING).then_some([0, 1, 2]).into_iter().flatten());
        let_in.extend((at == SHOWING && who != other).then_some(other));
        let next = step(at, names[who], names[other], 1 + chance.below(8));
        if hides_later || step_at < STEPS / 2 || !hides(&next) {
            writeln!(script, "    {next}").expect("a text takes it");
        }
    }
    script.push_str("}\n");
    Secrets { script, let_in }
}

fn opened(text: &str, script: &str) -> Game {
    let texts = [("game.toml", text), ("components/all.toml", COMPONENTS), ("rules/rules.rhai", script)];
    let texts = crate::folder::owned_files(texts);
    parlour::load_texts("secrets", texts).unwrap_or_else(|found| panic!("{found}\n{script}"))
}

/// Returns everything that an onlooker is told and sees at each question and at the end. Also returns how many imagined worlds are
/// included.
fn heard(script: &str, seed: u64, onlooker: Option<Seat>, twist: i64) -> (Vec<String>, u32) {
    let number = onlooker.map_or(0, Seat::number);
    let text =
        GAME.replace("onlooker = 0", &format!("onlooker = {number}")).replace("twist = 0", &format!("twist = {twist}"));
    let game = opened(&text, script);
    let setup = Setup::seats(3).seed(seed);
    let mut session = Session::start(&game, &setup).unwrap_or_else(|found| panic!("{found}"));
    let (mut all, mut worlds) = (Vec::new(), 0);
    let look = |session: &Session, all: &mut Vec<String>| {
        for language in [Language::English, Language::TraditionalChinese] {
            let wording = Wording::new(session.model().clone(), session.setup().clone(), language);
            // Only seats can read the log.
            all.extend(onlooker.into_iter().flat_map(|seat| wording.clone().for_seat(seat).narrate(session.events())));
        }
        all.push(View::new(session.table(), onlooker).describe());
        all.push(View::memory(session.table(), onlooker).describe());
        let digests = View::memory(session.table(), onlooker).digest();
        all.push(format!("{digests} {:?}", session.decision().map(|decision| decision.seat)));
        if let Some(observation) = session.observation().filter(|observation| Some(observation.seat()) == onlooker) {
            all.push(question(&observation).to_string());
        }
    };
    while session.decision().is_some() {
        look(&session, &mut all);
        if let Some(seat) = onlooker {
            let world = imagine(&session, seat, script);
            // With the same seed, both games imagine the same world, provided that the replayed step contains no secrets and that no piece
            // can have taken the place of another.
            let (_, later) = script.split_once("fn and_then").expect("there are two steps");
            let phase = session.table().position.phase.expect("a phase is under way");
            let is_later = &*session.model().phases[phase.index()].id == "more";
            let is_same = is_later && !hides(later) && !script.contains("    deal_secret");
            worlds += u32::from(is_same);
            all.extend(is_same.then(|| world.to_string()));
        }
        let at = session.answers().len() % session.decision().map_or(1, parlour::decision::Decision::count);
        session.choose(at).unwrap_or_else(|error| panic!("{error:?}\n{script}"));
    }
    assert!(session.outcome().is_some(), "{}\n{script}", told(session.status()));
    look(&session, &mut all);
    (all, worlds)
}

/// Imagines a world, and asserts that the seat has the same knowledge and the same question in it. Returns the fingerprint of the world.
fn imagine(session: &Session, seat: Seat, script: &str) -> u64 {
    let mut chance = Chance::new(1, "imagine");
    let world = session.imagine(seat, &mut chance).unwrap_or_else(|| panic!("{seat:?}: no world is found\n{script}"));
    let known = |session: &Session| View::memory(session.table(), Some(seat)).digest();
    assert_eq!(known(&world), known(session), "{seat:?}\n{script}");
    let asked =
        |session: &Session| session.observation().map(|observation| (observation.seat(), observation.written()));
    if asked(session).is_some_and(|(asked, _)| asked == seat) {
        assert_eq!(asked(&world), asked(session), "{seat:?}\n{script}");
    }
    world.fingerprint()
}

/// Describes the status of a game that should be over.
fn told(status: Status<'_>) -> String {
    match status {
        Status::Failed(fault) => render(fault, false),
        other => format!("{other:?}"),
    }
}

#[test]
fn observations_do_not_depend_on_secrets_of_others() {
    let (mut differs, mut worlds) = (0, 0);
    for seed in 0..GAMES {
        let mut chance = Chance::new(seed, "secrets");
        let Secrets { script, let_in } = secrets(&mut chance);
        let onlookers = (0..3).filter(|seat| !let_in.contains(seat)).map(|seat| Some(Seat(seat as u8)));
        for onlooker in onlookers.chain([None]) {
            let (first, second) = (heard(&script, seed, onlooker, 0), heard(&script, seed, onlooker, 1));
            worlds += first.1;
            let (first, second) = (first.0, second.0);
            let unlike = first.iter().zip(&second).find(|(first, second)| first != second);
            assert!(unlike.is_none() && first.len() == second.len(), "{onlooker:?} {unlike:#?}\n{script}");
        }
        // A seat observes a difference in its own secrets. If it did not, this test would prove nothing.
        let other = Some(Seat(1));
        differs += u32::from(
            heard(&script, seed, other, 0)
                != heard(&script.replace("seat.number == onlooker", "false"), seed, other, 1),
        );
    }
    assert!(differs > GAMES as u32 / 2, "{differs}");
    assert!(worlds > GAMES as u32 / 2, "{worlds}");
}

/// If all hands are passed on at once, each seat still knows the cards that it passed on. If they are passed on one by one, the seats lose
/// track of them.
#[test]
fn cards_passed_at_once_are_tracked_and_passed_one_by_one_are_not() {
    let known = |how: &str| {
        let passing = format!(
            "{HELPERS}fn and_then() {{}}\nfn happen() {{{BEGIN}    let all = [a.hand.pieces, b.hand.pieces, c.hand.pieces];\n    {how}\n    choose(a, \"pick\", [1, 2]);\n}}\n"
        );
        let game = opened(GAME, &passing);
        let session = Session::start(&game, &Setup::seats(3)).unwrap_or_else(|found| panic!("{found}"));
        assert!(session.decision().is_some(), "{}", told(session.status()));
        let table = session.table();
        let family = table.model().families.iter().find(|family| &*family.id == "hand").unwrap();
        let hand = |seat: usize| table.model().zone(ZoneId(family.zones.start + seat as u16)).space();
        let sees = |seat: u8, whose: usize| {
            let view = View::memory(table, Some(Seat(seat)));
            (0..3).filter(|at| view.seen(hand(whose)).get(*at).is_some_and(|seen| seen.face.is_some())).count()
        };
        [sees(0, 1), sees(1, 2), sees(2, 0), sees(0, 2)]
    };
    let moves = "all[0].move_to(b.hand); all[1].move_to(c.hand); all[2].move_to(a.hand);";
    assert_eq!(known(&format!("at_once(|| {{ {moves} }});")), [3, 3, 3, 0]);
    assert_eq!(
        known("at_once(|| { a.hand.move_to(b.hand); b.hand.move_to(c.hand); c.hand.move_to(a.hand); });"),
        [3, 3, 3, 0]
    );
    assert_eq!(known(moves)[..2], [0, 0], "one by one, nobody can tell which of six cards went on");
}
