//! How the sampler ends with rules that a test gives it.

use crate::sampler;
use parlour::agents::FirstOption;
use parlour::session::{Player, Session, Setup, Status};

/// The sampler with these rules, or the code of what is said of them.
pub(crate) fn sample(rules: &str) -> Result<parlour::session::Game, String> {
    let mut rules = rules.to_owned();
    for (name, function) in [("fn set_up(", "fn set_up() {}\n"), ("fn turn_of(", "fn turn_of(seat) {}\n")] {
        if !rules.contains(name) {
            rules.push('\n');
            rules.push_str(function);
        }
    }
    parlour::load_texts("sampler", sampler::texts(&rules)).map_err(|found| format!("refused: {}", found.0[0].code))
}

/// How a game ends that is played in one go: the code of what is said, or `fine`.
pub(crate) fn ends_inline(game: &parlour::session::Game) -> String {
    let players = (0..3).map(|_| Box::new(FirstOption) as Box<dyn Player>).collect();
    let played = game.play(&Setup::seats(3), players, true).unwrap();
    played.outcome.map_or_else(|found| found.code.to_owned(), |_| "fine".to_owned())
}

/// How the sampler ends with these rules, however it is played: the code of what is said, or `fine`.
pub(crate) fn ends(rules: &str) -> String {
    let game = match sample(rules) {
        Ok(game) => game,
        Err(refused) => return refused,
    };
    let inline = ends_inline(&game);
    let mut session = Session::start(&game, &Setup::seats(3)).unwrap();
    while session.decision().is_some() {
        session.choose(0).unwrap();
    }
    let waited = match session.status() {
        Status::Failed(found) => found.code.to_owned(),
        _ => "fine".to_owned(),
    };
    assert_eq!(inline, waited, "{rules}");
    inline
}

/// Each of these rules ends as is said beside it.
pub(crate) fn check(cases: &[(&str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(rules, expected)| {
            let found = ends(rules);
            (found != *expected).then(|| format!("{rules}\nends with {found}, not {expected}\n"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Rules of a turn that does this.
pub(crate) fn turn(body: &str) -> String {
    format!("fn turn_of(seat) {{ {body} }}")
}

/// Each turn ends as is said beside it.
pub(crate) fn check_turns(cases: &[(&str, &str)]) {
    let whole: Vec<(String, &str)> = cases.iter().map(|(body, expected)| (turn(body), *expected)).collect();
    check(&whole.iter().map(|(rules, expected)| (rules.as_str(), *expected)).collect::<Vec<_>>());
}
