//! Runs the examples of `docs/src/language.md`, both compiled and with the tree walker.

use crate::sampler;
use parlour::agents::FirstOption;
use parlour::session::{Game, Player, Setup};
use std::fs;
use std::path::Path;
use std::thread;

/// Example in `docs/src/language.md`.
struct Example {
    functions: String,
    statements: String,
    /// Text after `//`: an expression that equals the result, or `fault: CODE` or `refused: CODE`.
    expected: String,
}

/// Parses the examples of the page. Each example ends with a line whose comment states the expected result.
fn examples() -> Vec<Example> {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src/language.md")).unwrap();
    let blocks = page.split("```rhai language\n").skip(1).map(|rest| rest.split_once("```\n").unwrap().0);
    let mut found = Vec::new();
    for block in blocks {
        let (mut functions, mut statements) = (String::new(), String::new());
        for line in block.lines() {
            let (text, expected) =
                line.rsplit_once(" // ").map_or((line, None), |(text, expected)| (text, Some(expected)));
            let part = if text.starts_with("fn ") { &mut functions } else { &mut statements };
            part.push_str(text);
            part.push('\n');
            if let Some(expected) = expected {
                let (functions, statements) = (std::mem::take(&mut functions), std::mem::take(&mut statements));
                found.push(Example { functions, statements, expected: expected.to_owned() });
            }
        }
        assert!(functions.is_empty() && statements.trim().is_empty(), "an example without a result:\n{block}");
    }
    assert!(found.len() > 80, "only {} examples found", found.len());
    found
}

impl Example {
    fn rules(&self) -> String {
        let Self { functions, statements, expected } = self;
        let body = match expected.split_once(": ") {
            Some(("fault" | "refused", _)) => "example(seat);".to_owned(),
            _ => format!("let found = example(seat); ensure(found == {expected}, `the result is ${{found}}`);"),
        };
        format!(
            "{functions}fn example(_seat) {{ {statements} }}\nfn set_up() {{}}\nfn turn_of(seat) {{ if seat == first {{ {body} }} }}\n"
        )
    }
}

/// Plays a game.
///
/// # Errors
/// Returns `fault: CODE` on the first line, and the fault on the second line.
fn play(game: &Game) -> Result<(), String> {
    let players = (0..3).map(|_| Box::new(FirstOption) as Box<dyn Player>).collect();
    let played = game.play(&Setup::seats(3), players, false).unwrap();
    played.outcome.map(drop).map_err(|found| format!("fault: {}\n{}", found.code, found.in_a_line()))
}

/// Stack size in bytes. It is large because the tree walker is recursive.
const STACK_SIZE: usize = 256 << 20;

#[test]
fn every_example_of_the_language_has_the_stated_result() {
    let wrong = thread::Builder::new().stack_size(STACK_SIZE).spawn(failures).unwrap().join().unwrap();
    assert!(wrong.is_empty(), "{} examples fail:\n\n{}", wrong.len(), wrong.join("\n\n"));
}

/// Runs all examples. Returns descriptions of those that fail.
fn failures() -> Vec<String> {
    let mut wrong = Vec::new();
    for example in examples() {
        let game = parlour::load_texts("sampler", sampler::texts(&example.rules()));
        let found = match &game {
            Ok(game) => play(game),
            Err(found) => Err(format!("refused: {}\n{found}", found.0[0].code)),
        };
        let is_right = match &found {
            Ok(()) => !example.expected.starts_with("fault: ") && !example.expected.starts_with("refused: "),
            Err(found) => found.lines().next() == Some(&example.expected),
        };
        if !is_right {
            wrong.push(format!("{}{}  {}\n  {found:?}", example.functions, example.statements, example.expected));
        }
        // Some examples fault on purpose. The tree walker does not detect all of these faults, so such examples are not compared.
        let is_walked = found.is_ok();
        let walked = game.ok().filter(|_| is_walked).and_then(|game| play(&game.walked()).err());
        // The tree walker locks a list while a method is called on it, so a function that is passed to the method cannot use the list. The
        // compiled program allows this.
        if let Some(found) = walked.filter(|found| !found.contains("Data race")) {
            wrong.push(format!("walked: {}{}  {found}", example.functions, example.statements));
        }
    }
    wrong
}
