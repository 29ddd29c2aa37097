//! Tests that trials with `suppose`, which run on a copy of the table, leave no trace and reveal nothing to any seat.

use parlour::model::Language;
use parlour::session::{EventKind, Game, Session, Setup, Status};
use parlour::table::{Chance, View};
use parlour::wording::Wording;

const GAME: &str = r#"
[game]
id = "trials"
name = "Trials"
players = { min = 2, max = 2 }

[zones.deck]
shape = "pile"
starts_with = ["card"]
face = "down"
[zones.hand]
per = "seat"
shape = "hand"
[zones.open]
shape = "pile"

[values.seat]
coins = 5
purse = { start = 0, min = 0, max = 3, seen_by = "owner" }
[values.game]
told = 0

[decisions.pick]
ask = "Pick one"
[says]
tried = "{seat} tries"

[flow]
setup = ["deal"]
round = ["play"]
rounds = 3
[phases.play]
steps = [{ each_seat = "turn_of" }]
"#;

const CARDS: &str = r#"
[[card]]
id = "one"
points = 1
count = 6
[[card]]
id = "two"
points = 2
count = 6
[[card]]
id = "three"
points = 3
count = 6
"#;

fn game(rules: &str) -> Game {
    let dealt =
        "fn deal() { deck.shuffle(); for seat in seats { deck.draw(2, seat.hand); seat.purse = roll(3, seat); } }\n";
    let texts = [
        ("game.toml", GAME.to_owned()),
        ("components/cards.toml", CARDS.to_owned()),
        ("rules/play.rhai", format!("{dealt}{rules}\nfn score(seat) {{ seat.coins + game.told }}\n")),
    ];
    let texts = texts.map(|(path, text)| (path.to_owned(), text)).to_vec();
    parlour::load_texts("trials", texts).unwrap_or_else(|found| panic!("{found}"))
}

fn start(rules: &str, seed: u64) -> Session {
    Session::start(&game(rules), &Setup::seats(2).seed(seed)).unwrap_or_else(|found| panic!("{found}"))
}

fn log(session: &Session) -> Vec<String> {
    Wording::new(session.model().clone(), session.setup().clone(), Language::English).narrate(session.events())
}

/// Plays to the end by choosing the first option of each decision. Returns the fingerprints of the table at each decision followed by the
/// number of steps, and the log.
fn played(mut session: Session) -> (Vec<u64>, Vec<String>) {
    let mut fingerprints = Vec::new();
    while session.decision().is_some() {
        fingerprints.push(session.fingerprint());
        session.choose(0).unwrap();
    }
    match session.status() {
        Status::Over(_) => {}
        Status::Failed(found) => panic!("{}", found.message),
        _ => panic!("the game is not over"),
    }
    let steps = session.events().iter().filter(|event| matches!(event.kind, EventKind::Step)).count();
    fingerprints.push(steps as u64);
    (fingerprints, log(&session))
}

#[test]
fn suppose_leaves_no_trace() {
    let rules = |tried: &str| {
        format!(
            "fn turn_of(seat) {{ let found = {tried}; deck.shuffle(); deck.draw(1, open); \
             seat.coins += choose(seat, \"pick\", [found, open.top.points + 10]); tally(\"turns\", 1); }}"
        )
    };
    let all = "suppose(|| { seat.hand.move_to(open, \"up\"); deck.draw(2, next(seat).hand); next(seat).hand.show(seat); \
        say(\"tried\", #{ seat: seat }); tally(\"tries\", 1); seat.coins += 90; game.told = 7; again(); ends_as(\"\"); \
        suppose(|| { open.move_to(seat.hand); seat.coins = 0; seat.hand.count() }) })";
    let all = all.replace(" ends_as(\"\");", "");
    for seed in 0..5 {
        let (tried, plain) = (start(&rules(&all), seed), start(&rules("suppose(|| open.count() + 2)"), seed));
        assert_eq!(played(tried), played(plain), "seed {seed}");
    }
}

/// Returns the number of options of the open decision.
fn offered(session: &Session) -> usize {
    session.decision().expect("somebody is asked").count()
}

/// Asserts that options that depend on hidden information through a trial are the same in every world that the seat imagines. For
/// comparison, a second question of the rules depends on the same information directly.
fn options_agree(tried: &str, read: &str) {
    let rules = format!(
        "fn turn_of(seat) {{ let other = next(seat); let most = suppose(|| {{ {tried} }}); choose_number(seat, \"pick\", 0, most); \
         choose_number(seat, \"pick\", 0, {read}); }}"
    );
    let mut unlike = 0;
    for seed in 0..12 {
        let session = start(&rules, seed);
        let seat = session.decision().expect("the first seat is asked").seat;
        let mut chance = Chance::new(seed, "imagine");
        for _ in 0..12 {
            let mut world = session.imagine(seat, &mut chance).expect("there is a world");
            unlike += u32::from(lies(&world) != lies(&session));
            let most = offered(&world);
            assert_eq!(offered(&session), most, "{tried}, seed {seed}");
            world.choose(0).unwrap();
            assert_eq!(offered(&world), most, "{tried}, seed {seed}: the options go by what is so in no such world");
        }
    }
    assert!(unlike > 100, "{tried}: of 144 worlds {unlike} differ");
}

/// Describes the whole table, including hidden information.
fn lies(session: &Session) -> String {
    View::whole(session.table()).describe()
}

#[test]
fn options_from_suppose_agree_with_imagined_worlds() {
    options_agree("other.hand.sum(\"points\")", "other.hand.sum(\"points\")");
    options_agree("other.hand.move_to(open, \"up\"); open.sum(\"points\")", "other.hand.sum(\"points\")");
    options_agree("other.hand.show(seat); other.hand.sum(\"points\")", "other.hand.sum(\"points\")");
    options_agree("deck.draw(1, seat.hand); seat.hand.sum(\"points\")", "seat.hand.sum(\"points\") + deck.top.points");
    options_agree("seat.coins = other.purse; seat.coins", "other.purse");
    options_agree(
        "suppose(|| { other.hand.move_to(open, \"up\"); suppose(|| open.sum(\"points\")) })",
        "other.hand.sum(\"points\")",
    );
}
