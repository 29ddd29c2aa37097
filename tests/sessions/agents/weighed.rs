//! Tests of `weighed` search, which takes the choices of other seats as evidence of their information: it prefers imagined worlds in which
//! these choices are likely. Other searches do not.

use parlour::model::{Seat, ZoneId};
use parlour::session::{Game, Session, Setup};
use parlour::table::Chance;

const DATA: &str = r#"
[game]
id = "claims"
name = "Claims"
players = { min = 2, max = 2 }
[zones.deck]
shape = "pile"
starts_with = ["card"]
face = "down"
[zones.aside]
shape = "pile"
face = "down"
[zones.hand]
per = "seat"
shape = "hand"
[values.seat]
claimed = 0
[decisions.claim]
ask = "Claim"
[decisions.guess]
ask = "Guess"
[flow]
setup = ["begin"]
round = ["play"]
rounds = 1
[phases.play]
steps = ["claims", "after", "guesses"]
"#;

const COMPONENTS: &str = r#"
[[card]]
id = "low"
count = 4
high = 0
[[card]]
id = "high"
count = 4
high = 1
"#;

const RULES: &str = r#"
fn begin() {
    deck.shuffle();
    for seat in seats { deck.draw(seat.hand); }
}
fn other() { next(first) }
fn claims() { claim(); }
fn claim() {
    let it = other();
    it.claimed = choose_number(it, "claim", 0, 1);
}
fn guesses() { choose_number(first, "guess", 0, 3); }
fn score(seat) { 0 }
"#;

/// Agent that prefers to claim the truth. Its highest-rated guess is the number of high cards that the other seat held, 0 or 1.
const AGENT: &str = r"
fn rate_claim(seat, number) { if seat.hand.top.high == number { 1 } else { 0 } }
fn rate_guess(seat, number) { if number == was_high(other()) { 1 } else { 0 } }
fn was_high(it) {
    if aside.is_empty() { it.hand.top.high } else { aside.sum(|card| card.high) - first.claimed }
}
";

/// Events between the claim and the guess: a description, the function `after` of the rules, and whether the seats lose track of a card.
const AFTER: [(&str, &str, bool); 4] = [
    ("nothing", "fn after() {}", false),
    ("something that everybody sees", "fn after() { first.claimed = 1; first.claimed = 0; }", false),
    ("the deck is shuffled", "fn after() { deck.shuffle(); }", true),
    (
        "the other's card is shuffled into others",
        "fn after() {
             first.claimed = first.hand.top.high;
             for seat in seats { seat.hand.top.move_to(aside); }
             aside.shuffle();
         }",
        true,
    ),
];

fn game(after: &str) -> Game {
    let texts = [
        ("game.toml", DATA),
        ("components/cards.toml", COMPONENTS),
        ("rules/a.rhai", RULES),
        ("rules/b.rhai", after),
        ("agents/honest.rhai", AGENT),
    ];
    parlour::load_texts("claims", crate::folder::owned_files(texts)).unwrap_or_else(|found| panic!("{found}"))
}

/// Plays until the first seat, which was dealt a low card, is asked for its guess. Before that, the other seat has claimed `number`.
fn claimed(game: &Game, number: usize) -> Session {
    for seed in 0.. {
        let mut session = Session::start(game, &Setup::seats(2).seed(seed)).unwrap();
        let first = session.table().position.first;
        assert_ne!(session.decision().unwrap().seat, first);
        let seen = session.view(first).seen(session.model().zone(hand_of(&session, first)).space());
        let (card, _) = seen[0].face.unwrap();
        if &*session.model().component(card).id == "low" {
            session.choose(number).unwrap();
            return session;
        }
    }
    unreachable!("low cards are dealt")
}

fn hand_of(session: &Session, seat: Seat) -> ZoneId {
    let model = session.model();
    let zones = model.family(model.find_family("hand").unwrap()).zones.clone();
    zones.map(ZoneId).nth(seat.index()).unwrap()
}

/// Returns the number of imagined worlds in which the other seat's card was high, out of [`WORLDS`].
fn high(session: &Session, is_weighed: bool) -> usize {
    let mut chance = Chance::new(3, "worlds");
    let mut imagination = session.observation().unwrap().imagination().unwrap();
    let advice = imagination.advice(&session.model().agents[0]).unwrap();
    if is_weighed {
        imagination.look_back(&advice, &mut chance);
    }
    let is_high = |_: &usize| {
        let world = imagination.likely_world(&advice, &mut chance).unwrap();
        world.rate(&advice).unwrap().unwrap().of_rated[1] == 1
    };
    (0..WORLDS).filter(is_high).count()
}

const WORLDS: usize = 400;

#[test]
fn worlds_that_contradict_earlier_choices_are_rare() {
    for (name, after, is_lost) in AFTER {
        let game = game(after);
        for claim in [0, 1] {
            let session = claimed(&game, claim);
            // Of the seven cards that the first seat does not know, four are high. A seat that follows the agent makes this claim in four
            // of five cases.
            let uniform = high(&session, false);
            assert!((195..=262).contains(&uniform), "{name}: {uniform} of {WORLDS}");
            let weighed = high(&session, true);
            let is_so = if claim == 1 { weighed } else { WORLDS - weighed };
            if is_lost {
                // Nobody can tell any more whose card was which, so the claim has no effect.
                assert!((195..=262).contains(&weighed), "{name}, claim {claim}: {weighed} of {WORLDS}");
            } else {
                assert!(is_so >= [245, 310][claim], "{name}, claim {claim}: {weighed} of {WORLDS}");
            }
        }
    }
}

#[test]
fn undone_choices_do_not_affect_world_weights() {
    let game = game(AFTER[0].1);
    let mut session = claimed(&game, 0);
    session.undo().unwrap();
    session.choose(1).unwrap();
    assert!(high(&session, true) >= 310);
}
