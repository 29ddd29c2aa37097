//! Tests of effects that cards in force trigger, with their order and end, and of responses to an action.

use parlour::agents::FirstOption;
use parlour::model::{Language, Seat};
use parlour::session::{Game, Player, Session, Setup, Status};
use parlour::table::Chance;
use parlour::wording::Wording;

const GAME: &str = r#"
[game]
id = "bells"
name = "Bells"
players = { min = 2, max = 2 }

[zones.tower]
per = "seat"
shape = "row"
spaces = 3
in_force = true
[zones.store]
shape = "pile"
starts_with = ["bell"]

[values.seat]
coins = 5
[values.game]
heard = 0

[decisions.pick]
ask = "Pick one"
tell = "{seat} picks {choice}"
[decisions.reply]
ask = "Do you reply?"
pass = "say nothing"
tell = "{seat} replies {choice}"

[flow]
setup = ["hang"]
round = ["play"]
rounds = 1
[phases.play]
steps = [{ each_seat = "turn_of" }]
"#;

const BELLS: &str = r#"
[kinds.bell]
fields = { rung = { type = ["function"], default = [] }, echoed = { type = ["function"], default = [] } }
[[bell]]
id = "low"
rung = ["toll"]
[[bell]]
id = "high"
rung = ["again_once", "chime"]
echoed = ["echo"]
[[bell]]
id = "mute"
"#;

const RULES: &str = r#"
fn hang() { for bell in store.pieces { bell.move_to(first.tower.spaces.find(|space| space.is_empty())); } }
fn heard(number) { game.heard = game.heard % 100000 * 10 + number; }
fn toll(bell, seat, by) { ensure(bell.component == component("low") && seat == first && by == 7, "what it is given"); heard(1); }
fn again_once(bell, seat, by) { if game.heard == 9 { trigger("echoed", seat, by); } heard(2); }
fn chime(bell, seat, by) { heard(3); }
fn echo(bell, seat, by) { heard(4); }
fn score(seat) { seat.coins }
"#;

fn game(flow: &str, rules: &str) -> Result<Game, String> {
    let texts = [
        ("game.toml", GAME.replace("rounds = 1\n", &format!("rounds = 1\n{flow}\n"))),
        ("components/bells.toml", BELLS.to_owned()),
        ("rules/play.rhai", rules.to_owned()),
    ];
    let texts = texts.map(|(path, text)| (path.to_owned(), text)).to_vec();
    parlour::load_texts("bells", texts).map_err(|found| found.to_string())
}

fn started(flow: &str, rules: &str) -> Session {
    let game = game(flow, rules).unwrap_or_else(|found| panic!("{found}"));
    Session::start(&game, &Setup::seats(2)).unwrap_or_else(|found| panic!("{found}"))
}

/// Plays a game that faults, and returns the rendered message.
fn fault(rules: &str) -> String {
    let game = game("", rules).unwrap_or_else(|found| panic!("{found}"));
    let players = (0..2).map(|_| Box::new(FirstOption) as Box<dyn Player>).collect();
    let found = game.play(&Setup::seats(2), players, false).unwrap().outcome.expect_err("it goes on without end");
    parlour::diagnostic::render(&found, false)
}

fn log(session: &Session) -> String {
    let wording = Wording::new(session.model().clone(), session.setup().clone(), Language::English);
    wording.narrate(session.events()).join("\n")
}

#[test]
fn triggered_effects_run_after_the_step_in_declared_order() {
    let turn = "fn turn_of(seat) { if seat == first { trigger(\"rung\", seat, 7); heard(9); } \
        else { ensure(game.heard == ORDER, `${game.heard}`); choose(seat, \"pick\", [1, 2]); } }";
    for (flow, order) in [("", "92314"), ("triggers = \"first_in\"", "92314"), ("triggers = \"last_in\"", "92431")] {
        let session = started(flow, &format!("{RULES}{}", turn.replace("ORDER", order)));
        assert!(matches!(session.status(), Status::Waiting(_)), "{flow}: {}", log(&session));
    }
}

#[test]
fn triggered_effects_can_ask_and_the_queue_is_forked_and_imagined() {
    let rules = RULES.replace(
        "fn toll(bell, seat, by) {",
        "fn toll(bell, seat, by) { seat.coins += choose(seat, \"pick\", [1, 2]); ",
    );
    let turn = "fn turn_of(seat) { if seat == first { trigger(\"rung\", seat, 7); heard(9); } \
        else { ensure(game.heard == 92314, `${game.heard}`); choose(seat, \"pick\", [3, 4]); } }";
    let session = started("", &format!("{rules}{turn}"));
    let seat = session.decision().expect("the bell asks").seat;
    let others = [session.fork(), session.imagine(seat, &mut Chance::new(1, "imagine")).expect("there is a world")];
    for mut other in others.into_iter().chain([session]) {
        other.choose(1).unwrap();
        assert!(matches!(other.status(), Status::Waiting(_)), "{}", log(&other));
        assert_ne!(other.decision().unwrap().seat, seat);
    }
}

/// Rules in which both seats have bells of their own. The second seat's bells are rung first.
const BOTH: &str = r#"
fn hang() {
    for bell in store.pieces {
        let seat = if bell.component == component("high") { seats[1] } else { first };
        bell.move_to(seat.tower.spaces.find(|space| space.is_empty()));
    }
}
fn heard(number) { game.heard = game.heard * 10 + number; }
fn toll(bell, seat, by) { heard(1); }
fn again_once(bell, seat, by) { heard(2); }
fn chime(bell, seat, by) { heard(3); }
fn echo(bell, seat, by) { heard(4); }
fn score(seat) { seat.coins }
fn turn_of(seat) {
    if seat == first { trigger("rung", seats[1], 7); trigger("rung", seat, 7); return; }
    choose(seat, "pick", [1, 2]);
}
"#;

#[test]
fn turn_order_runs_effects_of_the_active_seat_first() {
    for (flow, heard) in [("", "231"), ("triggers = \"turn_order\"", "123")] {
        let session = started(flow, BOTH);
        assert!(matches!(session.status(), Status::Waiting(_)), "{flow}: {}", log(&session));
        let row = session.listing(None).into_iter().find(|row| row.place == "heard").unwrap();
        assert_eq!(row.content, heard, "{flow}");
    }
}

#[test]
fn a_seat_chooses_the_order_of_its_triggered_effects() {
    let flow = "triggers = \"turn_order\"\ntrigger_choice = \"next_bell\"";
    let asked = "ask = \"Which bell is next?\"\ntell = \"{seat} rings {choice}\"\n";
    let toml = GAME.replace("[decisions.reply]", &format!("[decisions.next_bell]\n{asked}[decisions.reply]"));
    let texts = [
        ("game.toml", toml.replace("rounds = 1\n", &format!("rounds = 1\n{flow}\n"))),
        ("components/bells.toml", BELLS.to_owned()),
        (
            "rules/play.rhai",
            RULES.replace("fn turn_of", "fn unused")
                + "fn turn_of(seat) { if seat == first { trigger(\"rung\", seat, 7); trigger(\"echoed\", seat, 7); } else { choose(seat, \"pick\", [1, 2]); } }",
        ),
        (
            "agents/ringer.rhai",
            "fn rate_next_bell(seat, bell) { if bell.piece.component == component(\"high\") { 1 } else { 0 } }"
                .to_owned(),
        ),
    ];
    let texts = texts.map(|(path, text)| (path.to_owned(), text)).to_vec();
    let game = parlour::load_texts("bells", texts).unwrap_or_else(|found| panic!("{found}"));
    for at in [0, 3] {
        let mut session = Session::start(&game, &Setup::seats(2)).unwrap();
        let decision = session.decision().expect("somebody chooses").clone();
        assert_eq!(&*session.model().decisions[decision.id.index()].id, "next_bell", "{}", log(&session));
        assert_eq!((decision.seat, decision.count()), (Seat(0), 4), "{}", log(&session));
        let copies = [session.fork(), session.imagine(Seat(0), &mut Chance::new(1, "imagine")).expect("a world")];
        session.choose(at).unwrap();
        // As long as the low bell is pending, the seat is asked again about effects that the high bell has triggered.
        while session.decision().is_some_and(|decision| decision.seat == Seat(0)) {
            session.choose(0).unwrap();
        }
        let told = log(&session);
        let first = if at == 0 {
            "again once, piece High (2) — Heard 0 → 2"
        } else {
            "echo, piece High (2) — Heard 0 → 4"
        };
        assert!(told.contains(first), "{at}: {told}");
        let answers: Vec<u64> = session.answers().iter().copied().collect();
        let again = Session::replay(&game, &Setup::seats(2), &answers).unwrap();
        assert_eq!(again.fingerprint(), session.fingerprint());
        for mut copy in copies {
            for answer in &answers {
                copy.choose(*answer as usize).unwrap();
            }
            assert_eq!(copy.fingerprint(), session.fingerprint());
        }
        session.undo_to(0).unwrap();
        assert_eq!(session.decision().unwrap().seat, Seat(0));
    }
}

#[test]
fn last_in_runs_nested_effects_before_remaining_ones() {
    let rules = "
        fn hang() { for bell in store.pieces { bell.move_to(first.tower.spaces.find(|space| space.is_empty())); } }
        fn struck(bell, seat, time) {
            game.heard = game.heard * 10 + time;
            if game.heard == 1 { trigger(\"rung\", seat, 2); }
        }
        fn score(seat) { seat.coins }
        fn turn_of(seat) { if seat == first { trigger(\"rung\", seat, 1); } else { choose(seat, \"pick\", [1, 2]); } }";
    let bells =
        "[kinds.bell]\nfields = { rung = \"function\" }\n[[bell]]\nid = \"low\"\ncount = 3\nrung = \"struck\"\n";
    for (order, heard) in [("last_in", "122211"), ("first_in", "111222")] {
        let flow = format!("rounds = 1\ntriggers = \"{order}\"\ntrigger_choice = \"pick\"\n");
        let texts = [
            ("game.toml", GAME.replace("rounds = 1\n", &flow)),
            ("components/bells.toml", bells.to_owned()),
            ("rules/play.rhai", rules.to_owned()),
        ];
        let texts = texts.map(|(path, text)| (path.to_owned(), text)).to_vec();
        let game = parlour::load_texts("bells", texts).unwrap_or_else(|found| panic!("{found}"));
        let mut session = Session::start(&game, &Setup::seats(2)).unwrap();
        while session.decision().is_some_and(|decision| decision.seat == Seat(0)) {
            session.choose(0).unwrap();
        }
        let row = session.listing(None).into_iter().find(|row| row.place == "heard").unwrap();
        assert_eq!(row.content, heard, "{order}: {}", log(&session));
    }
}

#[test]
fn trigger_choice_must_name_a_decision() {
    let found = game("trigger_choice = \"pock\"", &format!("{RULES}fn turn_of(seat) {{}}")).err().unwrap();
    assert!(
        found.contains("error[unknown-decision]: there is no decision `pock`") && found.contains("did you mean `pick`"),
        "{found}"
    );
}

#[test]
fn endless_trigger_chains_name_the_cards() {
    let rules = RULES
        .replace("fn toll(bell, seat, by) {", "fn toll(bell, seat, by) { trigger(\"echoed\", seat, by); ")
        .replace("fn echo(bell, seat, by) {", "fn echo(bell, seat, by) { trigger(\"rung\", seat, by); ");
    let told = fault(&format!("{rules}fn turn_of(seat) {{ trigger(\"rung\", seat, 7); }}"));
    assert!(told.contains("error[endless]: endless chain of triggers: `"), "{told}");
    assert!(told.contains("`high` of player 1 (echoed)") || told.contains("`high` of player 1 (rung)"), "{told}");
}

#[test]
fn unknown_events_and_handler_arity_are_checked_before_play() {
    let told =
        |turn: &str| game("", &format!("{RULES}fn turn_of(seat) {{ {turn} }}")).err().expect("something is wrong");
    let unknown = told("trigger(\"rang\", seat, 7);");
    assert!(unknown.contains("error[unknown-field]: nothing has a `rang`"), "{unknown}");
    assert!(unknown.contains("did you mean `rung`"), "{unknown}");
    let arity = told("trigger(\"rung\", seat);");
    assert!(arity.contains("error[wrong-arity]: `toll` takes 3 arguments, and `rung` passes 2"), "{arity}");
}

#[test]
fn respond_returns_the_last_answer_first() {
    let turn = "fn turn_of(seat) { if seat != first { return; } \
        let said = []; \
        let answers = respond(turn_order(next(seat)), \"reply\", \
            |other, before| if before.len() < 3 { [1, 2].map(|n| n + 10 * other.number) } else { [] }, \
            |other, choice| { other.coins += 1; said.push(choice); }); \
        said.reverse(); ensure(said == answers.map(|answer| answer.choice), \"last one first\"); \
        for answer in answers { game.heard = game.heard * 100 + answer.choice; } \
        choose(seat, \"pick\", [1, 2]); }";
    let mut session = started("", &format!("{RULES}{turn}"));
    let asked = |session: &Session| session.decision().map(|decision| decision.seat.number());
    // The second seat passes, the first seat responds, the second seat responds to that, and the first seat responds again. Then no seat
    // has a response left.
    for (seat, at) in [(2, 2), (1, 0), (2, 1), (1, 1)] {
        assert_eq!(asked(&session), Some(seat), "{}", log(&session));
        session.choose(at).unwrap();
    }
    let told = log(&session);
    assert!(told.contains("Heard 0 → 122211"), "{told}");
    assert!(told.contains("Coins 6 → 7") && told.contains("Ben replies 22 — Coins 5 → 6"), "{told}");
}

/// The function that lists the responses must not change anything. Changes made by a closure are found only during play.
#[test]
fn respond_options_must_not_change_the_game_or_ask() {
    for (does, said) in [
        ("other.coins += 1;", "error[change-while-reading]: nothing can change here"),
        ("other.tower.shuffle();", "error[change-while-reading]: nothing can change here"),
        ("confirm(other, \"reply\");", "error[choice-out-of-place]: no decision can be asked here"),
    ] {
        let turn = format!(
            "fn turn_of(seat) {{ if seat != first {{ return; }} let does = |other| {{ {does} 1 }}; \
             respond(seats, \"reply\", |other| [does.call(other)], |other, choice| other.coins += 1); }}"
        );
        let told = fault(&format!("{RULES}{turn}"));
        assert!(told.contains(said), "{does}: {told}");
    }
    // After the options have been listed, changes and questions are allowed again.
    let turn = "fn turn_of(seat) { if seat != first { return; } \
        respond([seat], \"reply\", |other| [1, 2], |other, choice| { store.shuffle(); other.coins += choose(other, \"pick\", [3, 4]); }); \
        choose(seat, \"pick\", [5, 6]); }";
    let mut session = started("", &format!("{RULES}{turn}"));
    for at in [0, 1] {
        session.choose(at).unwrap();
    }
    assert!(log(&session).contains("Coins 5 → 9"), "{}", log(&session));
    assert_eq!(session.decision().map(parlour::decision::Decision::count), Some(2));
}

#[test]
fn triggered_effects_are_logged_under_their_card() {
    let turn = "fn turn_of(seat) { if seat == first { seat.coins += 1; trigger(\"rung\", seat, 7); } }";
    let told = log(&started("", &format!("{RULES}{turn}")));
    for line in [
        "Ann's Coins 5 → 6",
        "Ann's High (2) — Heard 0 → 2",
        "Ann's High (2) — Heard 2 → 23",
        "Ann's Low (3) — Heard 23 → 231",
    ] {
        assert!(told.lines().any(|own| own.trim() == line), "{line}:\n{told}");
    }
    // An effect that changes nothing visible is not logged.
    let quiet = RULES.replace("{ heard(1); }", "{ }").replace("heard(1);", "");
    assert!(!log(&started("", &format!("{quiet}{turn}"))).contains("Low (3) —"));
}

#[test]
fn effects_after_a_response_window_are_not_logged_under_its_last_pass() {
    let turn = "fn turn_of(seat) { if seat != first { return; } \
        respond(turn_order(next(seat)), \"reply\", |other| [1, 2], |other, choice| other.coins += choice); seat.coins -= 1; }";
    let mut session = started("", &format!("{RULES}{turn}"));
    for at in [2, 2] {
        session.choose(at).unwrap();
    }
    let told = log(&session);
    let lines: Vec<&str> = told.lines().map(str::trim).collect();
    assert!(lines.contains(&"Ann chooses to say nothing") && lines.contains(&"Ann's Coins 5 → 4"), "{told}");
}

/// Triggered effects are not carried out during a trial, so they may ask, draw and end the game. A rule that carries out a move can
/// therefore be tried with any cards in force.
#[test]
fn suppose_does_not_run_triggered_effects() {
    for does in ["confirm(seat, \"pick\");", "store.shuffle();", "heard(roll(6));", "end_game(\"over\");"] {
        let rules = RULES.replace("fn toll(bell, seat, by) {", &format!("fn toll(bell, seat, by) {{ {does}"));
        let turn = "fn turn_of(seat) {
            let coins = suppose(|| { ring(seat); seat.coins });
            seat.coins = coins * 10;
        }
        fn ring(seat) { seat.coins += 1; trigger(\"rung\", seat, 7); }";
        let rules = format!("{rules}{turn}");
        let flow = "ending = \"over\"\n[endings.over]\nname = \"Over\"";
        let game = game(flow, &rules).unwrap_or_else(|found| panic!("{does}: {found}"));
        let session = Session::start(&game, &Setup::seats(2)).unwrap();
        let coins = session.outcome().unwrap().standings.iter().map(|standing| standing.score).collect::<Vec<_>>();
        assert_eq!(coins, [60, 60], "{does}");
    }
}

#[test]
fn choices_in_a_triggered_effect_are_logged_with_the_card() {
    let asking =
        RULES.replace("fn chime(bell, seat, by) {", "fn chime(bell, seat, by) { choose(seat, \"pick\", seats);");
    let asking = format!("{asking}fn turn_of(seat) {{ if seat == first {{ trigger(\"rung\", seat, 7); }} }}\n");
    let mut session = started("", &asking);
    while session.decision().is_some() {
        session.choose(0).unwrap();
    }
    let wording = Wording::new(session.model().clone(), session.setup().clone(), Language::English);
    let told = wording.narrate(session.events().iter()).join("\n");
    assert!(told.contains("Ann's High (2): Ann picks Ann") || told.contains("High: Ann picks Ann"), "{told}");
}

/// Each waiting function keeps its arguments, and a step that asks in between could trigger thousands of them.
#[test]
fn memory_of_waiting_effects_is_limited() {
    let turn = "fn turn_of(seat) { let facts = #{}; for n in 0..200 { facts[`k${n}`] = n; } \
                loop { trigger(\"rung\", first, facts); choose(seat, \"pick\", [1, 2]); } }";
    let rules = RULES.replace("fn toll", "fn toll_seven").replace("fn again_once", "fn again_once_more") + turn;
    let effects =
        "fn toll(bell, seat, facts) { heard(facts.k1); } fn again_once(bell, seat, facts) { heard(facts.k2); }";
    let mut session = started("", &(rules + effects));
    while session.decision().is_some() {
        session.choose(0).unwrap();
    }
    let Status::Failed(found) = session.status() else { panic!("the game continued") };
    assert_eq!(found.code, "too-large", "{}", found.message);
    assert!(session.answers().len() < 300, "{}", session.answers().len());
}
