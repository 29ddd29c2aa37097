//! The page of the guide about the language states what the machine does, and the walker: every example is run on both.

use crate::sampler;
use parlour::agents::FirstOption;
use parlour::session::{Game, Player, Setup};
use std::fs;
use std::path::Path;
use std::thread;

/// An example: its functions, its statements, and what stands behind `//`.
struct Example {
    functions: String,
    statements: String,
    expected: String,
}

/// The examples of the page: each ends with a line that says what comes of it.
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
    assert!(found.len() > 80, "the examples were not found");
    found
}

impl Example {
    fn rules(&self) -> String {
        let Self { functions, statements, expected } = self;
        // A nested function, and what stands outside of every function, are refused where they stand.
        let held = match expected.split_once(": ") {
            Some(("fault" | "refused", _)) => "example(seat);".to_owned(),
            _ => format!("let found = example(seat); ensure(found == {expected}, `it results in ${{found}}`);"),
        };
        format!(
            "{functions}fn example(_seat) {{ {statements} }}\nfn set_up() {{}}\nfn turn_of(seat) {{ if seat == first {{ {held} }} }}\n"
        )
    }
}

/// What is said of a game that is played: the code of a fault, or nothing.
fn played(game: &Game) -> Result<(), String> {
    let players = (0..3).map(|_| Box::new(FirstOption) as Box<dyn Player>).collect();
    let played = game.play(&Setup::seats(3), players, false).unwrap();
    played.outcome.map(drop).map_err(|found| format!("fault: {}\n{}", found.code, found.in_a_line()))
}

/// Bytes of stack for the walker, which calls itself.
const STACK: usize = 256 << 20;

#[test]
fn every_example_of_the_language_comes_out_as_it_says() {
    let wrong = thread::Builder::new().stack_size(STACK).spawn(what_is_wrong).unwrap().join().unwrap();
    assert!(wrong.is_empty(), "{} are wrong:\n\n{}", wrong.len(), wrong.join("\n\n"));
}

fn what_is_wrong() -> Vec<String> {
    let mut wrong = Vec::new();
    for example in examples() {
        let game = parlour::load_texts("sampler", sampler::texts(&example.rules()));
        let found = match &game {
            Ok(game) => played(game),
            Err(found) => Err(format!("refused: {}\n{found}", found.0[0].code)),
        };
        let is_right = match &found {
            Ok(()) => !example.expected.starts_with("fault: ") && !example.expected.starts_with("refused: "),
            Err(found) => found.lines().next() == Some(&example.expected),
        };
        if !is_right {
            wrong.push(format!("{}{}  {}\n  {found:?}", example.functions, example.statements, example.expected));
        }
        // What is refused on purpose where it runs goes on in the walker.
        let is_walked = found.is_ok();
        let walked = game.ok().filter(|_| is_walked).and_then(|game| played(&game.walked()).err());
        // And a function may use here what it is called for, which the walker holds on to meanwhile.
        if let Some(found) = walked.filter(|found| !found.contains("Data race")) {
            wrong.push(format!("walked: {}{}  {found}", example.functions, example.statements));
        }
    }
    wrong
}
