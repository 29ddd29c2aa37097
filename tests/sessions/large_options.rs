//! Tests of decisions with far more options than can be listed. Agents consider only some of the options, and an option is recognized by
//! its text.

use parlour::agents::{AgentShelf, Spec, question};
use parlour::decision::MAX_CONSIDERED;
use parlour::diagnostic::Source;
use parlour::session::{Game, Session, Setup};
use std::sync::Arc;

fn game(ask: &str) -> Game {
    let game = r#"
[game]
id = "large"
players = { min = 2, max = 2 }
[zones.board]
shape = "grid"
columns = 20
rows = 20
[values.seat]
points = 0
[decisions.pick]
ask = "Which?"
[flow]
round = ["play"]
rounds = 1
[phases.play]
steps = [{ each_seat = "turn" }]
"#;
    let rules =
        format!("fn turn(seat) {{ {ask} seat.points += board.spaces.count(); }}\nfn score(seat) {{ seat.points }}\n");
    let agent = "fn rate_pick(seat, option) { seat.number }\n";
    let texts = [("game.toml", game), ("rules/play.rhai", &*rules), ("agents/flat.rhai", agent)];
    parlour::load_texts("large", texts.map(|(path, text)| (path.to_owned(), text.to_owned())))
        .unwrap_or_else(|found| panic!("{found}"))
}

/// Returns games that ask for a number, for thirty parts with four numbers each, for three parts with spaces and numbers, and for an option
/// from two joined sets.
fn games() -> Vec<(&'static str, Game)> {
    let parts: Vec<String> = (10..40).map(|at| format!("p{at}: [1, 2, 3, 4]")).collect();
    let thirty = format!("choose(seat, \"pick\", each_of(#{{ {} }}));", parts.join(", "));
    vec![
        ("numbers", game("seat.points = choose_number(seat, \"pick\", 0, 1_000_000_000);")),
        ("wide numbers", game("choose_number(seat, \"pick\", -2_000_000_000_000_000_000, 2_000_000_000_000_000_000);")),
        ("parts", game(&thirty)),
        (
            "moves",
            game("choose_or_pass(seat, \"pick\", each_of(#{ from: board.spaces, to: board.spaces, how: [1, 2, 3] }));"),
        ),
        ("sets", game("choose(seat, \"pick\", options(0..=1_000_000_000) + options([\"none\"]));")),
    ]
}

#[test]
fn every_agent_can_choose_from_huge_option_sets() {
    for (name, game) in games() {
        let own = game.layout(&Setup::seats(2)).unwrap().model.agents.clone();
        let read = |path: &str| Err::<Arc<Source>, _>(format!("no {path}"));
        for agent in ["random", "first", "flat", "search:5", "search:20:plain"] {
            let spec = Spec::parse(agent, &AgentShelf { agents: &own, read: &read });
            let Ok(spec) = spec else { continue };
            let players = (0..2).map(|seat| spec.player(7, seat)).collect();
            let played = game.play(&Setup::seats(2).seed(7), players, true).unwrap();
            assert!(played.outcome.is_ok(), "{name} by {agent}: {:?}", played.outcome);
        }
    }
}

#[test]
fn options_of_huge_sets_are_found_by_text() {
    for (name, game) in games() {
        let session = Session::start(&game, &Setup::seats(2)).unwrap();
        let observation = session.observation().unwrap();
        let decision = observation.decision();
        let texts = observation.written();
        let last = decision.options.len() - 1;
        for at in [0, 1, last / 3, last / 2, last - 1, last] {
            let text = texts.get(at).into_owned();
            assert_eq!(text, observation.written_one(&decision.option(at)), "{name}");
            let found = parlour::playscript::matching::find_in(&texts, &text);
            assert_eq!(found, parlour::playscript::matching::Match::One(at), "{name}: {text}");
            assert_eq!(decision.position(&decision.option(at)), Some(at), "{name}");
        }
        let none = parlour::playscript::matching::find_in(&texts, "nonsense");
        assert_eq!(none, parlour::playscript::matching::Match::None, "{name}");
    }
}

#[test]
fn agent_programs_receive_a_sample_and_the_count_of_huge_sets() {
    for (name, game) in games() {
        let session = Session::start(&game, &Setup::seats(2)).unwrap();
        let message = question(&session.observation().unwrap());
        let options = message["options"].as_array().unwrap();
        assert_eq!(options.len(), MAX_CONSIDERED, "{name}");
        let count: usize = message["count"].as_str().unwrap().parse().unwrap();
        assert_eq!(count, session.decision().unwrap().count(), "{name}");
    }
}

#[test]
fn answers_from_huge_option_sets_are_recorded_and_replayed() {
    for (name, game) in games() {
        let setup = Setup::seats(2).seed(3);
        let mut session = Session::start(&game, &setup).unwrap();
        while let Some(decision) = session.decision() {
            let at = decision.options.len() / 7 * 5;
            session.choose(at).unwrap();
        }
        let answers = session.answers().to_vec();
        let play = parlour::playscript::record(&game, &setup, &answers, true).unwrap();
        let again = Session::replay(&game, &setup, &answers).unwrap();
        assert_eq!(again.fingerprint(), session.fingerprint(), "{name}");
        assert!(play.to_string().lines().count() > 4, "{name}");
    }
}

#[test]
fn option_counts_beyond_the_position_range_are_a_fault() {
    let game = game("choose_number(seat, \"pick\", -9_223_372_036_854_775_807, 9_223_372_036_854_775_807);");
    let session = Session::start(&game, &Setup::seats(2)).unwrap();
    let fault = match session.status() {
        parlour::session::Status::Failed(fault) => fault.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(fault.code, "too-many-options");
}
