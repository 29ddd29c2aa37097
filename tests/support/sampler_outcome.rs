//! Plays the sampler with the rules of a test, and reports its outcome as a diagnostic code.

use crate::sampler;
use parlour::agents::FirstOption;
use parlour::session::{Player, Session, Setup, Status};

/// Loads the sampler with the given rules. Adds empty `set_up` and `turn_of` functions if they are missing.
///
/// # Errors
/// Returns `refused: ` and the code of the first diagnostic.
pub(crate) fn load_sampler(rules: &str) -> Result<parlour::session::Game, String> {
    let mut rules = rules.to_owned();
    for (name, function) in [("fn set_up(", "fn set_up() {}\n"), ("fn turn_of(", "fn turn_of(seat) {}\n")] {
        if !rules.contains(name) {
            rules.push('\n');
            rules.push_str(function);
        }
    }
    parlour::load_texts("sampler", sampler::texts(&rules)).map_err(|found| format!("refused: {}", found.0[0].code))
}

/// Plays a game without interruption. Returns the code of the fault that ended it, or `fine`.
pub(crate) fn play_inline(game: &parlour::session::Game) -> String {
    let players = (0..3).map(|_| Box::new(FirstOption) as Box<dyn Player>).collect();
    let played = game.play(&Setup::seats(3), players, true).unwrap();
    played.outcome.map_or_else(|found| found.code.to_owned(), |_| "fine".to_owned())
}

/// Returns the outcome of the sampler with the given rules: the code of a fault, `fine`, or `refused: ` and a code.
///
/// Plays the game both in one call and answer by answer, and asserts that the outcomes are the same.
pub(crate) fn outcome(rules: &str) -> String {
    let game = match load_sampler(rules) {
        Ok(game) => game,
        Err(refused) => return refused,
    };
    let inline = play_inline(&game);
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

/// Asserts that each of the rules has the outcome next to it. Reports all failures together.
pub(crate) fn check(cases: &[(&str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(rules, expected)| {
            let found = outcome(rules);
            (found != *expected).then(|| format!("{rules}\nexpected {expected}, found {found}\n"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns rules with a `turn_of` function that has the given body.
pub(crate) fn turn_rules(body: &str) -> String {
    format!("fn turn_of(seat) {{ {body} }}")
}

/// Like [`check`], but takes bodies of `turn_of` instead of whole rules.
pub(crate) fn check_turns(cases: &[(&str, &str)]) {
    let whole: Vec<(String, &str)> = cases.iter().map(|(body, expected)| (turn_rules(body), *expected)).collect();
    check(&whole.iter().map(|(rules, expected)| (rules.as_str(), *expected)).collect::<Vec<_>>());
}
