//! Whoever may not know a secret is told the same whatever the secret is, in games put together by lot from all that can be
//! secret: values of everything, numbers rolled, dice thrown unseen, cards dealt, passed on, shuffled and shown to others.
//!
//! Each game is played twice with the same luck, the second time with other secrets, and looked at by each seat that may not
//! know them: its log in both languages, its table with and without its memory, its questions, and what an agent is told.

use parlour::agents::question;
use parlour::diagnostic::render;
use parlour::model::{Language, Seat, ZoneId};
use parlour::session::{Game, Session, Setup, Status};
use parlour::table::{Chance, View};
use parlour::wording::Wording;
use std::fmt::Write as _;

const GAMES: u64 = 150;

/// Steps of a game.
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
open_count = 0
[values.seat]
purse = { start = 0, seen_by = "owner" }
hidden = { start = 0, seen_by = "nobody" }
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
[decisions.give]
ask = "Which do you put away?"
secret = true

[flow]
setup = ["set_up"]
round = ["play"]
rounds = 1
ending = "over"

[phases.play]
steps = ["happen"]

[endings]
over = "The game is over"

[says]
counts = "{seat} has {number} cards"
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

/// What a secret of a seat differs by: nothing where that seat looks on.
fn twisted(seat) { if seat.number == onlooker { 0 } else { twist } }

/// Deals a seat one of two cards unseen by the others, and locks the other away.
fn deal_secret(seat) {
    let sun = spare.where("component", component("sun")).first;
    let moon = spare.where("component", component("moon")).first;
    if twisted(seat) == 0 { sun.move_to(seat.hand); moon.move_to(vault); } else { moon.move_to(seat.hand); sun.move_to(vault); }
}

fn happen() {
    let a = seats[0];
    let b = seats[1];
    let c = seats[2];
"#;

/// One thing that may happen; `who` and `other` are seats' names in the script.
fn step(at: u32, who: &str, other: &str, number: u32) -> String {
    match at {
        // Every seat has dice of its own, so that one more throw of another changes nothing for it.
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
        _ => "if !deck.is_empty() { deck.draw(market.spaces[0]); }".to_owned(),
    }
}

/// The kinds of steps in which secrets go from hand to hand.
const PASSING: u32 = 11;
/// The kind in which one seat is let in.
const SHOWING: u32 = 18;

/// A game, and the seats that are let in on what others keep secret.
struct Secrets {
    script: String,
    let_in: Vec<usize>,
}

fn secrets(chance: &mut Chance) -> Secrets {
    let (names, mut let_in) = (["a", "b", "c"], Vec::new());
    let mut script = HELPERS.to_owned();
    // In half of the games secrets change hands, and then nobody stays an onlooker but who has no seat.
    let (passes, shows) = (chance.below(4) == 0, chance.below(2) == 0);
    for _ in 0..STEPS {
        let at = chance.below(20);
        let (who, other) = (chance.below(3) as usize, chance.below(3) as usize);
        if at == PASSING && !passes || at == SHOWING && !shows {
            continue;
        }
        let_in.extend((at == PASSING).then_some([0, 1, 2]).into_iter().flatten());
        let_in.extend((at == SHOWING && who != other).then_some(other));
        writeln!(script, "    {}", step(at, names[who], names[other], 1 + chance.below(8))).expect("a text takes it");
    }
    script.push_str("}\n");
    Secrets { script, let_in }
}

fn opened(text: &str, script: &str) -> Game {
    let texts = [("game.toml", text), ("components/all.toml", COMPONENTS), ("rules/rules.rhai", script)];
    let texts = texts.map(|(path, text)| (path.to_owned(), text.to_owned()));
    parlour::load_texts("secrets", texts).unwrap_or_else(|found| panic!("{found}\n{script}"))
}

/// What an onlooker is told and sees, from question to question.
fn heard(script: &str, seed: u64, onlooker: Option<Seat>, twist: i64) -> Vec<String> {
    let number = onlooker.map_or(0, Seat::number);
    let text =
        GAME.replace("onlooker = 0", &format!("onlooker = {number}")).replace("twist = 0", &format!("twist = {twist}"));
    let game = opened(&text, script);
    let setup = Setup::seats(3).seed(seed);
    let mut session = Session::start(&game, &setup).unwrap_or_else(|found| panic!("{found}"));
    let mut all = Vec::new();
    let look = |session: &Session, all: &mut Vec<String>| {
        for language in [Language::English, Language::TraditionalChinese] {
            let wording = Wording::new(session.model().clone(), session.setup().clone(), language);
            // Who has no seat reads no log.
            all.extend(onlooker.into_iter().flat_map(|seat| wording.clone().for_seat(seat).narrate(session.events())));
        }
        all.push(View::new(session.table(), onlooker).describe());
        all.push(View::memory(session.table(), onlooker).describe());
        let digests = View::memory(session.table(), onlooker).digest();
        all.push(format!("{digests} {:?}", session.decision().map(|decision| decision.seat)));
        if let Some(outlook) = session.outlook().filter(|outlook| Some(outlook.seat()) == onlooker) {
            all.push(question(&outlook).to_string());
        }
    };
    while session.decision().is_some() {
        look(&session, &mut all);
        if let Some(seat) = onlooker {
            imagine(&session, seat, script);
        }
        session.choose(0).unwrap_or_else(|error| panic!("{error:?}\n{script}"));
    }
    assert!(session.outcome().is_some(), "{}\n{script}", told(session.status()));
    look(&session, &mut all);
    all
}

/// In a world that a seat imagines it knows what it knows.
fn imagine(session: &Session, seat: Seat, script: &str) {
    let mut chance = Chance::new(1, "imagine");
    let world = session.imagine(seat, &mut chance).unwrap_or_else(|| panic!("{seat:?}: no world is found\n{script}"));
    let known = |session: &Session| View::memory(session.table(), Some(seat)).digest();
    assert_eq!(known(&world), known(session), "{seat:?}\n{script}");
}

/// How a game stands that should be over.
fn told(status: Status<'_>) -> String {
    match status {
        Status::Failed(fault) => render(fault, false),
        other => format!("{other:?}"),
    }
}

#[test]
fn whoever_may_not_know_a_secret_is_told_the_same_whatever_it_is() {
    let mut differs = 0;
    for seed in 0..GAMES {
        let mut chance = Chance::new(seed, "secrets");
        let Secrets { script, let_in } = secrets(&mut chance);
        let onlookers = (0..3).filter(|seat| !let_in.contains(seat)).map(|seat| Some(Seat(seat as u8)));
        for onlooker in onlookers.chain([None]) {
            let (first, second) = (heard(&script, seed, onlooker, 0), heard(&script, seed, onlooker, 1));
            let unlike = first.iter().zip(&second).find(|(first, second)| first != second);
            assert!(unlike.is_none() && first.len() == second.len(), "{onlooker:?} {unlike:#?}\n{script}");
        }
        // With secrets of his own a seat is told otherwise: the law is no empty one.
        let other = Some(Seat(1));
        differs += u32::from(
            heard(&script, seed, other, 0)
                != heard(&script.replace("seat.number == onlooker", "false"), seed, other, 1),
        );
    }
    assert!(differs > GAMES as u32 / 2, "{differs}");
}

/// What passes from hand to hand at once stays known to whoever passed it; passed on one by one it is lost among the others.
#[test]
fn what_is_passed_on_at_once_is_still_known() {
    let known = |how: &str| {
        let passing = format!(
            "{HELPERS}    let all = [a.hand.pieces, b.hand.pieces, c.hand.pieces];\n    {how}\n    choose(a, \"pick\", [1, 2]);\n}}\n"
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
