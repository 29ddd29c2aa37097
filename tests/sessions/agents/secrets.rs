//! Tests that agents do not use secrets of other seats: values that only these seats see, their secret answers, and the fact that they were
//! asked.

use super::choice;
use parlour::agents::{AgentShelf, Spec, question};
use parlour::session::{Game, Session, Setup};

const DATA: &str = r#"
[game]
id = "secrets"
name = "Secrets"
players = { min = 2, max = 2 }
[zones.tray]
shape = "pile"
starts_with = ["die"]
[zones.cup]
per = "seat"
shape = "pile"
face = "down"
seen_by = "owner"
[values.game]
told = { start = 0, seen_by = "nobody" }
[values.seat]
mind = { start = 0, min = 0, max = 8, seen_by = "owner" }
is_high = { start = false, seen_by = "owner" }
mood = { words = ["calm", "wild"], start = "calm", seen_by = "owner" }
friend = { type = "seat", seen_by = "owner" }
points = 0
[decisions.pick]
ask = "Pick"
secret = true
[decisions.claim]
ask = "Claim"
secret = true
[decisions.guess]
ask = "Guess"
[flow]
setup = ["begin"]
round = ["play"]
rounds = 1
[phases.play]
steps = ["first_step", "second_step"]
"#;

/// Rules of each case. The second seat picks a number from 1 to 8 in some way, and the first seat guesses it.
const RULES: [(&str, &str); 10] = [
    (
        "a value that its owner sees",
        "fn first_step() { let it = other(); it.mind = choose_number(other(), \"pick\", 1, 8); }
         fn second_step() { let it = other(); ask(it.mind); }",
    ),
    (
        "values of other types",
        "fn first_step() { let it = other();
             let picked = choose_number(other(), \"pick\", 1, 8);
             it.is_high = picked > 4;
             it.mood = if picked % 2 == 0 { \"wild\" } else { \"calm\" };
             if picked % 4 < 2 { it.friend = first; } else { it.friend = it; }
         }
         fn second_step() {
             let it = other();
             let number = if it.is_high { 5 } else { 1 };
             number += if it.mood == \"wild\" { 1 } else { 0 };
             ask(number + if it.friend == first { 2 } else { 0 });
         }",
    ),
    (
        "a value that nobody sees",
        "fn first_step() { game.told = choose_number(other(), \"pick\", 1, 8); }
         fn second_step() { ask(game.told); }",
    ),
    (
        "an answer in secret, in the same step",
        "fn first_step() { ask(choose_number(other(), \"pick\", 1, 8)); }
         fn second_step() {}",
    ),
    (
        "answers given together, in the same step",
        "fn first_step() { let picked = together(seats, |seat| choose_number(seat, \"pick\", 1, 8)); ask(picked[other()]); }
         fn second_step() {}",
    ),
    (
        "a die thrown unseen",
        "fn first_step() { tray.top.move_to(other().cup); throw_until(choose_number(other(), \"pick\", 1, 8)); }
         fn second_step() { let it = other(); ask(it.cup.top.shown); }",
    ),
    (
        "a die thrown unseen, in the same step",
        "fn first_step() {
             tray.top.move_to(other().cup);
             throw_until(choose_number(other(), \"pick\", 1, 8));
             let it = other();
             ask(it.cup.top.shown);
         }
         fn second_step() {}",
    ),
    (
        "a number rolled for one seat, in the same step",
        "fn first_step() {
             let it = other();
             for time in 0..choose_number(it, \"pick\", 1, 8) { it.mind = roll(8, it); }
             ask(it.mind);
         }
         fn second_step() {}",
    ),
    (
        "a draw at random, in the same step",
        "fn first_step() {
             let it = other();
             for time in 0..choose_number(it, \"pick\", 1, 8) { it.mind = any_of([1, 2, 3, 4, 5, 6, 7, 8]); }
             ask(it.mind);
         }
         fn second_step() {}",
    ),
    (
        "whether somebody was asked",
        "fn first_step() { let it = other(); it.mind = choose_number(other(), \"pick\", 1, 8); }
         fn second_step() {
             let it = other();
             if it.mind > 4 { choose_number(other(), \"claim\", 0, 1); }
             ask(it.mind);
         }",
    ),
];

const COMMON: &str = r#"
fn begin() {}
fn other() { next(first) }
fn throw_until(number) {
    let it = other();
    do { it.cup.top.roll(); } while it.cup.top.shown != number;
}
fn ask(number) {
    if choose_number(first, "guess", 1, 8) == number { first.points += 1; }
}
fn score(seat) { seat.points }
"#;

const COMPONENTS: &str = "[[die]]\nid = \"die\"\nfaces = [1, 2, 3, 4, 5, 6, 7, 8]\n";

const PEEKER: &str = "fn rate_guess(seat, number) {
    let it = other();
    let shown = if it.cup.is_empty() { 0 } else { it.cup.top.shown };
    if number == it.mind + game.told + shown { 1 } else { 0 }
}";

fn game(rules: &str) -> Game {
    let texts = [
        ("game.toml", DATA),
        ("components/dice.toml", COMPONENTS),
        ("rules/a.rhai", COMMON),
        ("rules/b.rhai", rules),
        ("agents/peeker.rhai", PEEKER),
    ];
    let texts = crate::folder::owned_files(texts);
    parlour::load_texts("secrets", texts).unwrap_or_else(|found| panic!("{found}"))
}

/// Plays until the first seat is asked for its guess. The second seat picks the number with the given index.
fn up_to_the_guess(game: &Game, number: usize) -> Session {
    let mut session = Session::start(game, &Setup::seats(2).seed(1)).unwrap();
    while let Some(asked) = session.decision() {
        if &*session.model().decisions[asked.id.index()].id == "guess" {
            return session;
        }
        let at = if asked.seat.index() == 1 && asked.count() == 8 { number } else { 0 };
        session.choose(at).unwrap();
    }
    panic!("nobody has to guess")
}

#[test]
fn hidden_values_of_other_seats_do_not_affect_choices() {
    for (name, rules) in RULES {
        let game = game(rules);
        let own = game.layout(&Setup::seats(2)).unwrap().model.agents.clone();
        let read = |path: &str| Err(path.to_owned());
        let shelf = AgentShelf { agents: &own, read: &read };
        for agent in ["peeker", "search:40", "search:40:score", "search:40:plain", "search:40:peeker:weighed"] {
            let spec = Spec::parse(agent, &shelf).unwrap_or_else(|unknown| panic!("{}", unknown.message));
            let sessions: Vec<Session> = (0..8).map(|number| up_to_the_guess(&game, number)).collect();
            let told: Vec<_> = sessions.iter().map(|session| question(&session.observation().unwrap())).collect();
            for pair in told.windows(2) {
                assert_eq!(pair[0], pair[1], "{name}: what a program is told");
            }
            let found: Vec<usize> =
                sessions.iter().map(|session| choice(&spec, &session.observation().unwrap())).collect();
            assert!(found.windows(2).all(|pair| pair[0] == pair[1]), "{name}: `{agent}` has peeked: {found:?}");
        }
    }
}

/// Cases in which pieces that everybody has seen are mixed with others and one piece is moved to a hidden zone. The variable `is_low`
/// depends on this piece, but no seat knows which piece it is.
const LOST: [(&str, &str); 3] = [
    ("which piece it is", "let taken = sack.draw(hidden); let is_low = low.contains(taken);"),
    ("where it lies", "sack.draw(hidden); let is_low = low[0].zone == hidden || low[1].zone == hidden;"),
    (
        "what another took",
        "sack.pieces.move_to(other().hand); let taken = other().hand.pieces[choose_number(other(), \"pick\", 0, 3)];
         taken.move_to(hidden); let is_low = low.contains(taken);",
    ),
];

#[test]
fn search_cannot_exploit_knowledge_that_a_step_has_lost() {
    for (name, rules) in LOST {
        let texts = [
            ("game.toml", LOSING),
            ("components/tokens.toml", TOKENS),
            (
                "rules/a.rhai",
                &format!(
                    "fn guess_step() {{ let low = tray.where(\"n\", \"<\", 2); tray.move_to(sack); {rules} {GUESSED} }} fn other() {{ next(first) }} fn score(seat) {{ seat.points }}"
                ),
            ),
        ];
        let texts = crate::folder::owned_files(texts);
        let game = parlour::load_texts("losing", texts).unwrap_or_else(|found| panic!("{found}"));
        let read = |path: &str| Err(path.to_owned());
        let shelf = AgentShelf { agents: &[], read: &read };
        let [search, random] =
            ["search:30:score", "random"].map(|agent| Spec::parse(agent, &shelf).unwrap_or_else(|_| panic!("{agent}")));
        let right: i64 = (1..=4)
            .map(|seed| {
                let players = vec![search.player(seed, 0), random.player(seed, 1)];
                let outcome = game.play(&Setup::seats(2).seed(seed), players, false).unwrap().outcome.unwrap();
                outcome.standings[0].score
            })
            .sum();
        // Each of the 64 guesses has two options. An agent that uses hidden information would always be right.
        assert!((16..=50).contains(&right), "{name}: {right} of 64 were right");
    }
}

const GUESSED: &str = "
    if (choose_number(first, \"guess\", 0, 1) == 1) == is_low { first.points += 1; }
    hidden.top.move_to(tray, \"up\");
    for zone in [sack, first.hand, other().hand] { for token in zone.pieces { token.move_to(tray, \"up\"); } }";

const TOKENS: &str = "[kinds.token]\nfields = { n = \"number\" }\n
[[token]]\nid = \"a\"\nn = 0\n[[token]]\nid = \"b\"\nn = 1\n[[token]]\nid = \"c\"\nn = 2\n[[token]]\nid = \"d\"\nn = 3\n";

const LOSING: &str = r#"
[game]
format = 1
id = "losing"
players = { min = 2, max = 2 }

[zones.tray]
shape = "pile"
starts_with = ["token"]
face = "up"

[zones.sack]
shape = "bag"

[zones.hidden]
shape = "pile"
face = "down"

[zones.hand]
per = "seat"
shape = "hand"

[values.seat]
points = { start = 0, min = 0 }

[decisions.guess]
ask = "Which?"

[decisions.pick]
ask = "Which?"
secret = true

[flow]
round = ["guessing"]
rounds = 16

[phases.guessing]
steps = ["guess_step"]
"#;
