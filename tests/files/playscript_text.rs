//! Property tests of the playscript parser: printed playscripts parse to the same playscript, and the parser never crashes on edited
//! playscripts.

use parlour::diagnostic::render;
use parlour::playscript::{Expect, Play, PlayStatement, PlayUntil, Scene, StatementKind, parse};
use proptest::collection::{btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

fn read(text: &str) -> Result<Play, parlour::diagnostic::Diagnostics> {
    parse(&crate::play::source(text))
}

// ----- generators of valid playscripts, including unusual ones

fn name() -> impl Strategy<Value = String> {
    let strange = select(vec!["Big Cho", "安", "小 安", "do", "7up", "-x", "not", "winner", "log", "a//b", "x=y", ""]);
    prop_oneof!["[A-Z][a-z]{0,5}", strange.prop_map(str::to_owned)]
}

fn word() -> impl Strategy<Value = String> {
    "[a-z股票][a-z0-9_股]{0,6}(\\[[0-9]\\])?"
}

/// Generates the free text at the end of a line. It contains no comment, fingerprint or trailing space, which the parser would cut off.
fn rest() -> impl Strategy<Value = String> {
    "[a-z0-9=_.,;:#{}()+股-]([ a-z0-9=_.,;:#{}()+股-]{0,12}[a-z0-9=_.;:#{}()股-])?"
}

fn expression() -> impl Strategy<Value = String> {
    let expressions =
        ["Ann.cash == 5", "(a || b) && c", "winner_of(x) == 1", "scores > 2", "nothing == 1", "logs(3)", "{ a; b }"];
    select(expressions.to_vec()).prop_map(str::to_owned)
}

fn place() -> impl Strategy<Value = String> {
    prop_oneof![word(), Just("\"Big Cho\".hand".to_owned()), Just("Ann.hand".to_owned())]
}

fn code() -> impl Strategy<Value = String> {
    select(vec!["", " a = 1; ", "\n    if a { b(\"}\"); } // }\n", " let 股 = #{ a: `{` }; "]).prop_map(str::to_owned)
}

fn mark() -> impl Strategy<Value = Option<u64>> {
    option::of(any::<u64>())
}

fn until() -> impl Strategy<Value = PlayUntil> {
    prop_oneof![
        word().prop_map(PlayUntil::Phase),
        any::<u64>().prop_map(PlayUntil::Round),
        word().prop_map(PlayUntil::Decision),
        Just(PlayUntil::End)
    ]
}

fn expect() -> impl Strategy<Value = Expect> {
    let plain = prop_oneof![
        expression().prop_map(Expect::That),
        (name(), word(), vec(rest(), 1..4)).prop_map(|(seat, decision, options)| Expect::Options {
            seat,
            decision,
            options
        }),
        vec(name(), 1..4).prop_map(Expect::Winners),
        (name(), any::<i64>()).prop_map(|(seat, score)| Expect::Score(seat, score)),
        word().prop_map(Expect::Ending),
        (name(), vec(log_text(), 1..3)).prop_map(|(seat, texts)| Expect::Log(seat, texts)),
        (name(), any::<bool>(), expression(), option::of(expression()))
            .prop_map(|(seat, memory, what, place)| Expect::Sight { seat, memory, what, place }),
        (name(), option::of(word())).prop_map(|(seat, decision)| Expect::Asked(seat, decision)),
        word().prop_map(Expect::Phase),
        (name(), any::<u64>()).prop_map(|(seat, rank)| Expect::Rank(seat, rank)),
        (name(), option::of(name()), any::<i64>()).prop_map(|(tally, seat, n)| Expect::Tally(tally, seat, n)),
    ];
    prop_oneof![plain.clone(), plain.prop_map(|inner| Expect::Not(Box::new(inner)))]
}

/// Generates a part of a log line.
fn log_text() -> impl Strategy<Value = String> {
    rest().prop_map(|text| text.trim().to_owned())
}

fn rows() -> impl Strategy<Value = Vec<(String, String)>> {
    let content = prop_oneof![Just(String::new()), rest()];
    vec((place().prop_map(|place| place.replace('"', "")), content), 1..4)
}

fn head() -> impl Strategy<Value = StatementKind> {
    prop_oneof![
        word().prop_map(StatementKind::Game),
        vec(name(), 1..5).prop_map(StatementKind::Players),
        any::<u64>().prop_map(StatementKind::Seed),
        (word(), rest()).prop_map(|(option, value)| StatementKind::Option(option, value)),
        (word(), rest()).prop_map(|(path, value)| StatementKind::Set(format!("params.{path}"), value)),
        vec(word(), 1..3).prop_map(StatementKind::Agents),
        (word(), option::of(any::<u64>()), option::of(name()), any::<bool>())
            .prop_map(|(phase, round, seat, after_setup)| StatementKind::Start { phase, round, seat, after_setup }),
        code().prop_map(StatementKind::Arrange),
        (option::of(word()), vec(any::<i64>(), 1..4))
            .prop_map(|(die, rolls)| StatementKind::Roll(die, rolls.iter().map(i64::to_string).collect())),
        (word(), vec(word(), 1..4)).prop_map(|(die, shown)| StatementKind::Roll(Some(die), shown)),
        (place(), vec(word(), 1..4)).prop_map(|(zone, top)| StatementKind::NextShuffle(zone, top)),
        (option::of(place()), vec(word(), 1..4)).prop_map(|(zone, drawn)| StatementKind::NextDraw(zone, drawn)),
        name().prop_map(StatementKind::NextFirst),
    ]
}

fn act() -> impl Strategy<Value = StatementKind> {
    let answer = || prop_oneof![Just(String::new()), rest()];
    prop_oneof![
        (name(), word(), answer(), mark()).prop_map(|(seat, decision, answer, mark)| StatementKind::Choice {
            seat,
            decision,
            answer,
            mark
        }),
        (name(), word(), answer()).prop_map(|(seat, decision, answer)| StatementKind::Reject {
            seat,
            decision,
            answer
        }),
        (name(), word(), answer()).prop_map(|(seat, decision, answer)| StatementKind::Allows {
            seat,
            decision,
            answer
        }),
        (name(), word(), answer()).prop_map(|(seat, decision, answer)| StatementKind::Forced {
            seat,
            decision,
            answer
        }),
        (name(), word(), any::<u64>()).prop_map(|(seat, decision, count)| StatementKind::Offers {
            seat,
            decision,
            count
        }),
        expect().prop_map(StatementKind::Expect),
        expression().prop_map(StatementKind::Do),
        (until(), option::of(word())).prop_map(|(until, agent)| StatementKind::Auto(until, agent)),
        rest().prop_map(StatementKind::Note),
        (rows(), mark()).prop_map(|(rows, mark)| StatementKind::Table { rows, mark }),
        (option::of((word(), vec((name(), any::<i64>()), 0..3))), mark()).prop_map(|(how, mark)| {
            let (ending, scores) = how.map_or((None, Vec::new()), |(ending, scores)| (Some(ending), scores));
            StatementKind::End { ending, scores, mark }
        }),
    ]
}

fn statements() -> impl Strategy<Value = Vec<PlayStatement>> {
    let what = prop_oneof![head(), act()];
    vec(what.prop_map(|what| PlayStatement { what, place: None }), 0..8)
}

fn play() -> impl Strategy<Value = Play> {
    let name = "[a-z股{}/]([ a-z股{}/]{0,10}[a-z股{}/])?";
    let scenes = (btree_set(name, 0..3), vec(statements(), 3)).prop_map(|(names, statements)| {
        names.into_iter().zip(statements).map(|(name, statements)| Scene { name, statements }).collect()
    });
    (statements(), scenes).prop_map(|(head, scenes)| Play { head, scenes })
}

// ----- edits of existing playscripts

fn corpus() -> Vec<String> {
    let page = std::fs::read_to_string("grammar/README.md").unwrap();
    let mut texts: Vec<String> =
        page.split("```play\n").skip(1).map(|block| block.split("```").next().unwrap().to_owned()).collect();
    for folder in ["games/stockpile/plays", "examples/games/goofspiel/plays"] {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "play") {
                texts.push(std::fs::read_to_string(path).unwrap().chars().take(4_000).collect());
            }
        }
    }
    texts
}

/// Texts to insert into playscripts: syntax of the format, and characters that it does not use.
const FRAGMENTS: [&str; 30] = [
    "\"",
    "{",
    "}",
    "\n",
    ":",
    "=",
    "|",
    " @ ",
    "@",
    "//",
    "+",
    ",",
    "`",
    "\\",
    "股",
    "\u{0}",
    "\r\n",
    "\t",
    "scene \"x\" {",
    "arrange {",
    "expect ",
    "expect not ",
    "end ",
    "next draw from ",
    "99999999999999999999",
    "-1",
    "table a=",
    "\u{85}",
    "é",
    "roll ",
];

fn edited_text() -> impl Strategy<Value = String> {
    let texts = corpus();
    let edit = (any::<prop::sample::Index>(), 0_usize..12, select(FRAGMENTS.to_vec()));
    (select(texts), vec(edit, 1..8)).prop_map(|(text, edits)| {
        let mut letters: Vec<char> = text.chars().collect();
        for (at, taken, scrap) in edits {
            let at = at.index(letters.len() + 1);
            let end = (at + taken).min(letters.len());
            letters.splice(at..end, scrap.chars());
        }
        letters.into_iter().collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, ..ProptestConfig::default() })]

    #[test]
    fn printed_playscripts_parse_to_the_same_playscript(play in play()) {
        let text = play.to_string();
        let again = read(&text).unwrap_or_else(|found| panic!("{found}\n{text}"));
        prop_assert_eq!(again, play, "{}", text);
    }

    #[test]
    fn edited_playscripts_parse_or_yield_diagnostics_that_render(text in edited_text()) {
        match read(&text) {
            Ok(play) => {
                let printed = play.to_string();
                let again = read(&printed).unwrap_or_else(|found| panic!("{found}\n{printed}"));
                prop_assert_eq!(again, play, "{}", printed);
            }
            Err(found) => {
                prop_assert!(!found.0.is_empty());
                for one in &found.0 {
                    prop_assert!(one.marks.iter().all(|mark| mark.place.source.text.get(mark.place.span.clone()).is_some()));
                    render(one, true);
                }
            }
        }
    }
}

#[test]
fn a_playscript_of_100_000_lines_is_parsed_and_printed() {
    let line = |at: usize| format!("Ann: bid lot={at} price=10 @ 0123456789abcdef\n");
    let text: String = (0..100_000).map(line).collect();
    let play = read(&text).unwrap();
    assert_eq!(play.head.len(), 100_000);
    assert!(play.to_string().strip_prefix("format 2\n") == Some(&*text), "the printed text equals the source");
}

#[test]
fn a_playscript_that_is_too_large_is_refused() {
    let found = read(&"note x\n".repeat(3 << 20)).unwrap_err();
    assert_eq!(found.0[0].code, "too-large");
}
