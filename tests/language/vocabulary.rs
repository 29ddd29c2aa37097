//! Checks that each function, field and operator of the rules language is documented, and runs its example.

use crate::sampler;
use parlour::agents::FirstOption;
use parlour::diagnostic::{Diagnostic, Source};
use parlour::script::{Entry, Form, Host};
use parlour::session::{Game, Opening, Player, Session, Setup, Start, Status};
use parlour::syntax::{BinaryOp, UnaryOp};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Calls that only the virtual machine supports. Examples that contain them are not run with the tree walker.
const ONLY_COMPILED: [&str; 4] = ["respond(", "trigger(", "fault(", "range(9, 0, -3)"];

/// Runs an example in a turn of the sampler, both compiled and with the tree walker.
///
/// # Errors
/// Returns a description of the failure if the result differs from the stated one, or if the two runs differ.
fn run(example: &str) -> Result<(), String> {
    let (expression, result) = example.rsplit_once(" // ").ok_or("there is no ` // ` with a result")?;
    let check = match result {
        "ends the game" | "stops with the message" => format!("{expression}; ensure(false, \"it continued\")"),
        result => format!("let found = {{ {expression} }}; ensure(found == {result}, `the result is ${{found}}`)"),
    };
    let rules = format!("fn set_up() {{}}\nfn turn_of(seat) {{ if seat.number == 1 {{ {check}; }} }}\n");
    // These functions are only valid in a step in which the seats take turns `until` a condition holds. Here, the condition holds after the
    // first turn.
    let changes_turns = ["again(", "next_turn("].iter().any(|word| expression.contains(word));
    let until = "fn is_over() { seats.sum(\"cash\") > 15 }\n";
    let rules = if changes_turns { rules.replace("; } }\n", "; } seat.cash += 1; }\n") + until } else { rules };
    let mut texts = sampler::texts(&rules);
    if changes_turns {
        let turns = "{ turns = \"turn_of\", until = \"is_over\" }";
        texts[0].1 = texts[0].1.replace("{ each_seat = \"turn_of\" }", turns);
    }
    texts[0].1.push_str("[teams.odd]\nseats = [1, 3]\n[teams.even]\nseats = \"rest\"\n");
    let game = parlour::load_texts("sampler", texts).map_err(|found| found.to_string())?;
    let play = |game: &Game| {
        let players = (0..3).map(|_| Box::new(FirstOption) as Box<dyn Player>).collect();
        game.play(&Setup::seats(3), players, true).map_err(|found| found.to_string())
    };
    let played = play(&game)?;
    if !ONLY_COMPILED.iter().any(|word| expression.contains(word)) {
        let walked = play(&game.walked())?;
        let why = |outcome: &Result<_, Box<Diagnostic>>| {
            outcome.as_ref().err().map(|found| (found.code, found.message.clone()))
        };
        if (why(&played.outcome), played.fingerprint, &played.events)
            != (why(&walked.outcome), walked.fingerprint, &walked.events)
        {
            return Err(format!("walked: {:?}, compiled: {:?}", walked.outcome, played.outcome));
        }
    }
    match (result, played.outcome) {
        ("stops with the message", Err(found)) if found.code == "fault" => Ok(()),
        ("stops with the message", outcome) => Err(format!("{outcome:?}")),
        (_, Ok(_)) => Ok(()),
        (_, Err(found)) => Err(found.to_string_plain()),
    }
}

/// Runs an example in a script that arranges a position.
///
/// # Errors
/// Returns a description of the failure if the result differs from the stated one.
fn arrange(example: &str) -> Result<(), String> {
    let (expression, result) = example.rsplit_once(" // ").ok_or("there is no ` // ` with a result")?;
    let text = format!("let found = {{ {expression} }}; ensure(found == {result}, `the result is ${{found}}`)");
    let source = Arc::new(Source { path: "arrange".to_owned(), text });
    let rules = "fn set_up() {}\nfn turn_of(seat) {}\n";
    let game = parlour::load_texts("sampler", sampler::texts(rules)).map_err(|found| found.to_string())?;
    let opening = Opening { start: Start::Nowhere, arrange: vec![source], ..Opening::default() };
    let session = Session::open(&game, &Setup::seats(3), opening).map_err(|f| f.to_string())?;
    match session.status() {
        Status::Failed(found) => Err(found.to_string_plain()),
        _ => Ok(()),
    }
}

trait Plain {
    fn to_string_plain(&self) -> String;
}

impl Plain for Diagnostic {
    fn to_string_plain(&self) -> String {
        parlour::diagnostic::render(self, false)
    }
}

/// Returns whether no earlier entry has the same name, form, number of parameters and topic. Only such entries need an example.
fn is_first(words: &[Entry], at: usize) -> bool {
    let word = &words[at];
    let same = |other: &Entry| {
        other.name == word.name
            && other.form == word.form
            && other.params.len() == word.params.len()
            && other.topic == word.topic
    };
    !words[..at].iter().any(same)
}

#[test]
fn every_entry_has_a_description() {
    for word in Host::vocabulary() {
        let ends = word.doc.ends_with(['.', '?']);
        assert!(word.doc.starts_with(char::is_uppercase) && ends, "{}: {:?}", word.name, word.doc);
        assert_eq!(word.params.len(), word.types.len(), "{}", word.name);
    }
}

#[test]
fn every_function_has_an_example() {
    let words = Host::vocabulary();
    let missing: Vec<String> = (0..words.len())
        .filter(|at| is_first(&words, *at) && words[*at].example.is_empty())
        .map(|at| format!("{}({})", words[at].name, words[at].params.join(", ")))
        .collect();
    assert!(missing.is_empty(), "without an example: {}", missing.join("; "));
}

#[test]
fn every_example_contains_its_function() {
    for word in Host::vocabulary().into_iter().filter(|word| !word.example.is_empty() && word.form != Form::Index) {
        assert!(word.example.contains(&word.name), "{}: {}", word.name, word.example);
    }
}

#[test]
fn the_parser_and_the_vocabulary_have_the_same_operators() {
    let words = Host::vocabulary();
    let operators = words.iter().filter(|word| word.form == Form::Operator);
    let written: BTreeSet<(&str, usize)> = operators.map(|word| (&*word.name, word.types.len())).collect();
    let alone = [UnaryOp::Negate, UnaryOp::Plus, UnaryOp::Not].map(|op| (op.symbol(), 1));
    let read: BTreeSet<(&str, usize)> = BinaryOp::ALL.iter().map(|(_, sign, _)| (*sign, 2)).chain(alone).collect();
    assert_eq!(written, read);
}

#[test]
fn every_example_has_the_stated_result() {
    let mut wrong = Vec::new();
    for word in Host::vocabulary().into_iter().filter(|word| !word.example.is_empty()) {
        let found = if word.topic == "Setting up positions" { arrange(word.example) } else { run(word.example) };
        if let Err(found) = found {
            wrong.push(format!("{}\n{found}\n", word.example));
        }
    }
    assert!(wrong.is_empty(), "{} examples are wrong:\n\n{}", wrong.len(), wrong.join("\n"));
}
