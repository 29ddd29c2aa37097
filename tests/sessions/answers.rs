//! Tests of complete answers. Each complete answer is drawn with the same probability, and options state the number of complete answers to
//! which they lead.
//!
//! `PARLOUR_DRAWS=100` makes a hundred times as many draws, for ten times as many decisions.

#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "statistics are fractions; more is asked for from outside"
)]

use parlour::decision::{AnswerSpace, Choice, Decision, EventKind};
use parlour::session::{Game, Session, Setup};
use parlour::table::Chance;
use std::collections::BTreeMap;

/// Loads a game in which one seat is asked one question about items `a`, `b` and `c`. `counts` is the number of each item.
fn game(counts: &[usize], ask: &str) -> Game {
    game_with(counts, ask, "")
}

/// Loads a game with two items `a`, in which the seat is asked even if there is only one answer.
fn asked_always(ask: &str) -> Game {
    game_with(&[2], ask, "always = true\nsecret = true")
}

/// Like [`game`], but adds lines to the declaration of its decision.
fn game_with(counts: &[usize], ask: &str, lines: &str) -> Game {
    let game = r#"
[game]
id = "draws"
players = { min = 1, max = 1 }
[zones.row]
shape = "hand"
starts_with = ["card"]
seen_by = "everybody"
[zones.board]
shape = "row"
spaces = 3
[values.seat]
points = 0
[flow]
round = ["play"]
rounds = 1
[phases.play]
steps = [{ each_seat = "turn" }]
[decisions.keep]
ask = "Which?"
"#;
    let card = |(at, count): (usize, &usize)| format!("[[card]]\nid = \"{}\"\ncount = {count}\n", name(at));
    let cards: String = counts.iter().enumerate().map(card).collect();
    let rules =
        format!("fn turn(seat) {{ {ask}; seat.points = board.spaces.count(); }}\nfn score(seat) {{ seat.points }}\n");
    let texts = [
        ("game.toml".to_owned(), format!("{game}{lines}\n")),
        ("components/card.toml".to_owned(), cards),
        ("rules/play.rhai".to_owned(), rules),
    ];
    parlour::load_texts("draws", texts).unwrap_or_else(|found| panic!("{ask}: {found}"))
}

fn name(at: usize) -> char {
    char::from(b'a' + at as u8)
}

/// Returns the text of a choice.
fn word(session: &Session, choice: &Choice) -> String {
    match choice {
        Choice::Piece(piece) => {
            let model = session.model();
            model.component(session.table().component(*piece)).id.to_string()
        }
        Choice::Number(number) => number.to_string(),
        Choice::Word(word) => word.to_string(),
        Choice::Nothing => "pass".to_owned(),
        Choice::Many(all) => all.iter().map(|one| word(session, one)).collect::<Vec<_>>().join(" "),
        Choice::Parts(parts) => {
            let mut parts: Vec<String> =
                parts.iter().map(|(name, one)| format!("{name}={}", word(session, one))).collect();
            parts.sort();
            parts.join(" ")
        }
        other => format!("{other:?}"),
    }
}

/// Returns the text of the last answer. Equal items have the same text.
fn answer(session: &Session) -> String {
    let mut chosen = session.events().iter().rev().filter_map(|event| match &event.kind {
        EventKind::Chose { choice, .. } => Some(choice.clone()),
        _ => None,
    });
    let last = chosen.next().expect("something was chosen");
    let is_set = session.model().decisions.len() == 1 && matches!(last, Choice::Many(_));
    let text = word(session, &last);
    if is_set && !IS_ORDER.with(std::cell::Cell::get) {
        let mut words: Vec<&str> = text.split_whitespace().collect();
        words.sort_unstable();
        return words.join(" ");
    }
    text
}

thread_local! {
    /// Whether the order of the picks is part of the answer.
    static IS_ORDER: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Question with its expected answers. `expected` maps the text of an answer to the number of answers with this text if equal items are
/// distinguished.
struct Asked {
    name: String,
    game: Game,
    expected: BTreeMap<String, u64>,
    is_order: bool,
}

/// Returns the number of occurrences of each answer.
fn tally(answers: impl Iterator<Item = String>) -> BTreeMap<String, u64> {
    let mut expected = BTreeMap::new();
    answers.for_each(|answer| *expected.entry(answer).or_default() += 1);
    expected
}

/// Returns the subsets with `least` to `most` items, each with the number of ways in which it can be chosen if equal items are
/// distinguished.
fn subsets(items: &[char], least: usize, most: usize) -> BTreeMap<String, u64> {
    let chosen = (0_u32..1 << items.len()).filter(|bits| (least..=most).contains(&(bits.count_ones() as usize)));
    tally(chosen.map(|bits| {
        let mut kept: Vec<String> =
            (0..items.len()).filter(|at| bits >> at & 1 == 1).map(|at| items[at].to_string()).collect();
        kept.sort();
        kept.join(" ")
    }))
}

/// Returns all permutations of the items. Permutations that differ only in equal items are repeated.
fn orders(items: &[char]) -> Vec<String> {
    if items.is_empty() {
        return vec![String::new()];
    }
    let first = |at: usize| {
        let mut rest = items.to_vec();
        let one = rest.remove(at);
        orders(&rest).into_iter().map(move |rest| format!("{one} {rest}").trim().to_owned()).collect::<Vec<_>>()
    };
    (0..items.len()).flat_map(first).collect()
}

/// Returns a list of items in which each name occurs as often as `counts` states.
fn things(counts: &[usize]) -> Vec<char> {
    counts.iter().enumerate().flat_map(|(at, count)| std::iter::repeat_n(name(at), *count)).collect()
}

fn quoted(items: &[char]) -> String {
    format!("[{}]", items.iter().map(|item| format!("\"{item}\"")).collect::<Vec<_>>().join(", "))
}

/// Generates questions of every kind from a seed.
fn questions(seed: u64) -> Vec<Asked> {
    let mut chance = Chance::new(seed, "questions");
    let mut below = |bound: u32| chance.below(bound) as usize;
    let counts = [1 + below(3), below(3), 1 + below(2)];
    let items = things(&counts);
    let least = below(items.len() as u32);
    let most = least + below((items.len() - least) as u32 + 1);
    let mut mixed: Vec<char> = things(&[1 + below(2), 1 + below(3), below(2)]);
    for at in (1..mixed.len()).rev() {
        mixed.swap(at, below(at as u32 + 1));
    }
    let (low, high) = (below(5) as i64 - 2, 4 + below(5) as i64);
    let few = [1 + below(2), 1, below(2)];
    let of_pieces =
        |name: &str, counts: &[usize], ask: String, expected: BTreeMap<String, u64>, is_order: bool| Asked {
            name: format!("{name} {counts:?} {mixed:?} {least} {most}"),
            game: game(counts, &ask),
            expected,
            is_order,
        };
    let asked = |name: &str, ask: String, expected: BTreeMap<String, u64>, is_order: bool| {
        of_pieces(name, &counts, ask, expected, is_order)
    };
    let some = subsets(&items, least, most);
    let exactly = subsets(&items, least.max(1), least.max(1));
    let at_most = mixed.len().min(3);
    let product = items.iter().flat_map(|item| (1..=3).map(move |number| format!("n={number} what={item}")));
    let union = items.iter().map(ToString::to_string).chain(["x", "y"].map(str::to_owned));
    let mut in_order = items.clone();
    in_order.truncate(4);
    let order_of = quoted(&in_order);
    vec![
        asked("subset", format!("choose_some(seat, \"keep\", row, {least}, {most})"), some, false),
        asked("subset of a size", format!("choose_some(seat, \"keep\", row, {0}, {0})", least.max(1)), exactly, false),
        asked(
            "multiset of words",
            format!("choose_some(seat, \"keep\", {}, 0, {at_most})", quoted(&mixed)),
            subsets(&mixed, 0, at_most),
            false,
        ),
        asked("order", format!("choose_order(seat, \"keep\", {order_of})"), tally(orders(&in_order).into_iter()), true),
        of_pieces(
            "order of pieces",
            &few,
            "choose_order(seat, \"keep\", row)".to_owned(),
            tally(orders(&things(&few)).into_iter()),
            true,
        ),
        asked("piece", "choose(seat, \"keep\", row)".to_owned(), tally(items.iter().map(ToString::to_string)), false),
        asked(
            "piece or pass",
            "choose_or_pass(seat, \"keep\", row)".to_owned(),
            tally(items.iter().map(ToString::to_string).chain(["pass".to_owned()])),
            false,
        ),
        asked(
            "pair",
            "choose(seat, \"keep\", pairs_of(\"what\", \"n\", row, |piece| [1, 2, 3]))".to_owned(),
            tally(product.clone()),
            false,
        ),
        asked(
            "number",
            format!("choose_number(seat, \"keep\", {low}, {high})"),
            tally((low..=high).map(|number| number.to_string())),
            false,
        ),
        asked(
            "product",
            "choose(seat, \"keep\", each_of(#{ what: row, n: [1, 2, 3] }))".to_owned(),
            tally(product),
            false,
        ),
        asked(
            "union",
            "choose(seat, \"keep\", options(row) + options([\"x\", \"y\"]))".to_owned(),
            tally(union),
            false,
        ),
    ]
}

/// Draws answers by picking with `pick`, and compares their frequencies with the expected frequencies. Returns the chi-square statistic and
/// its degrees of freedom.
fn chi_square(asked: &Asked, draws: u64, pick: &mut dyn FnMut(&Decision) -> usize) -> (f64, f64) {
    let session = Session::start(&asked.game, &Setup::seats(1)).unwrap();
    IS_ORDER.with(|is_order| is_order.set(asked.is_order));
    let mut seen: BTreeMap<String, u64> = BTreeMap::new();
    for _ in 0..draws {
        let mut drawn = session.fork();
        while let Some(decision) = drawn.decision() {
            let at = pick(decision);
            drawn.choose(at).unwrap();
        }
        *seen.entry(answer(&drawn)).or_default() += 1;
    }
    let stray: Vec<&String> = seen.keys().filter(|answer| !asked.expected.contains_key(*answer)).collect();
    assert!(stray.is_empty(), "{}: {stray:?} is no answer", asked.name);
    let all: u64 = asked.expected.values().sum();
    // Answers that are expected less than five times are combined into one class.
    let (mut cells, mut few) = (Vec::new(), (0.0, 0.0));
    for (answer, ways) in &asked.expected {
        let (expected, found) =
            (draws as f64 * *ways as f64 / all as f64, seen.get(answer).copied().unwrap_or(0) as f64);
        if expected < 5.0 {
            few = (few.0 + expected, few.1 + found);
        } else {
            cells.push((expected, found));
        }
    }
    if few.0 >= 5.0 {
        cells.push(few);
    }
    let statistic = cells.iter().map(|(expected, found)| (found - expected) * (found - expected) / expected).sum();
    (statistic, cells.len().saturating_sub(1) as f64)
}

/// Returns how many standard deviations a chi-square statistic lies above its expectation (Wilson–Hilferty approximation).
fn deviations(statistic: f64, freedom: f64) -> f64 {
    if freedom == 0.0 {
        return 0.0;
    }
    let spread = 2.0 / (9.0 * freedom);
    ((statistic / freedom).cbrt() - (1.0 - spread)) / spread.sqrt()
}

fn more() -> u64 {
    std::env::var("PARLOUR_DRAWS").ok().and_then(|times| times.parse().ok()).unwrap_or(1)
}

#[test]
fn complete_answers_are_drawn_uniformly() {
    let mut chance = Chance::new(59, "answers");
    let mut sums: BTreeMap<String, (f64, f64, u64)> = BTreeMap::new();
    let (decisions, draws) = if more() > 1 { (30, 600 * more() / 10) } else { (3, 600) };
    for seed in 0..decisions {
        for asked in questions(seed) {
            let (statistic, freedom) = chi_square(&asked, draws, &mut |decision| decision.draw(&mut chance));
            let z = deviations(statistic, freedom);
            assert!(z < 4.5, "{}: chi-square {statistic:.1} of {freedom} degrees of freedom", asked.name);
            let kind: String = asked.name.split(" [").next().unwrap_or_default().to_owned();
            let sum = sums.entry(kind).or_default();
            *sum = (sum.0 + statistic, sum.1 + freedom, sum.2 + draws);
        }
    }
    for (kind, (statistic, freedom, draws)) in sums {
        let z = deviations(statistic, freedom);
        println!("{kind}: {draws} draws, chi-square {statistic:.1}, {freedom} degrees of freedom, z {z:.2}");
        assert!(z < 4.0, "{kind}: chi-square {statistic:.1} of {freedom} degrees of freedom");
    }
}

/// The test must detect the method of earlier versions, which drew each pick uniformly among its options.
#[test]
fn the_uniformity_test_detects_picks_drawn_one_by_one() {
    let mut chance = Chance::new(59, "picks");
    let mut pick = |decision: &Decision| chance.below(decision.count() as u32) as usize;
    let found = questions(1).into_iter().filter(|asked| {
        let (statistic, freedom) = chi_square(asked, 600, &mut pick);
        deviations(statistic, freedom) > 4.5
    });
    let found: Vec<String> = found.map(|asked| asked.name).collect();
    assert!(found.iter().any(|name| name.starts_with("subset")), "{found:?}");
    assert!(found.iter().any(|name| name.starts_with("piece")), "{found:?}");
}

#[test]
fn answer_counts_of_options_are_exact() {
    fn answers(session: &Session) -> u64 {
        // Returns the number of complete answers from here, as the sum of the counts that the options state.
        let Some(decision) = session.decision() else { return 1 };
        let counts = decision.answer_counts(&(0..decision.count()).collect::<Vec<_>>());
        let counts: Vec<u64> = match counts {
            Some(counts) => counts.iter().map(|count| u64::try_from(count).unwrap()).collect(),
            None => vec![1; decision.count()],
        };
        for (at, count) in counts.iter().enumerate() {
            let mut after = session.fork();
            after.choose(at).unwrap();
            if matches!(decision.answers, AnswerSpace::Single(_)) {
                continue;
            }
            // The counts stated at the next pick add up to the count stated for this option.
            if after.decision().is_some() {
                assert_eq!(answers(&after), *count, "{:?}", decision.picked);
            }
        }
        counts.iter().sum()
    }
    for seed in 0..20 {
        for asked in questions(seed) {
            let session = Session::start(&asked.game, &Setup::seats(1)).unwrap();
            if session.decision().is_some() {
                let all: u64 = asked.expected.values().sum();
                assert_eq!(answers(&session), all, "{}", asked.name);
            }
        }
    }
}

#[test]
fn answers_are_counted_and_drawn_beyond_64_bits() {
    let words: Vec<String> = (0..400).map(|at| format!("\"w{at}\"")).collect();
    let ask = format!("choose_some(seat, \"keep\", [{}], 0, 400)", words.join(", "));
    let mut session = Session::start(&game(&[1], &ask), &Setup::seats(1)).unwrap();
    let decision = session.decision().unwrap();
    let counts = decision.answer_counts(&(0..decision.count()).collect::<Vec<_>>()).unwrap();
    let all: num_bigint::BigUint = counts.iter().sum();
    assert_eq!(all, num_bigint::BigUint::from(1_u8) << 400);
    let mut chance = Chance::new(3, "many");
    while let Some(decision) = session.decision() {
        let at = decision.draw(&mut chance);
        session.choose(at).unwrap();
    }
    let kept = answer(&session).split_whitespace().count();
    assert!((150..250).contains(&kept), "half of 400 words are kept on the mean, not {kept}");
}

#[test]
fn components_listed_repeatedly_can_be_picked_repeatedly() {
    let ask = "choose_some(seat, \"keep\", [component(\"a\"), component(\"a\"), component(\"a\"), component(\"b\"), component(\"b\")], 2, 3)";
    let session = Session::start(&game(&[1, 1], ask), &Setup::seats(1)).unwrap();
    let picked = |positions: &[usize]| {
        let mut session = session.fork();
        for at in positions {
            session.choose(*at).unwrap();
        }
        assert!(session.decision().is_none(), "{:?}", session.decision());
        let chosen = session.events().iter().find_map(|event| match &event.kind {
            EventKind::Chose { choice: Choice::Many(all), .. } => Some(all.len()),
            _ => None,
        });
        chosen.unwrap()
    };
    // The three sequences of picks are a, a and done; then a, b and b; then a, a and a.
    assert_eq!((picked(&[0, 0, 2]), picked(&[0, 1, 0]), picked(&[0, 0, 0])), (2, 3, 3));
    // A piece exists only once, however often it is listed.
    let ask = "choose_some(seat, \"keep\", [row.pieces.first, row.pieces.first], 1, 1)";
    let session = Session::start(&game(&[1, 1], ask), &Setup::seats(1)).unwrap();
    assert!(session.decision().is_none(), "one piece is taken without a question");
}

/// If a decision is declared as `always`, the seat is asked even if there is nothing to pick.
#[test]
fn forced_decisions_that_are_always_asked_have_one_option() {
    let asks = [
        ("choose_some(seat, \"keep\", [], 0, 3)", 0),
        ("choose_some(seat, \"keep\", row, 0, 0)", 0),
        ("choose_some(seat, \"keep\", row.pieces.take(0), 0, 0)", 0),
        ("choose_order(seat, \"keep\", [])", 0),
        ("choose_order(seat, \"keep\", row.pieces.take(0))", 0),
        ("choose_some(seat, \"keep\", [\"x\"], 1, 1)", 1),
        ("choose_order(seat, \"keep\", [\"x\"])", 1),
        ("choose_order(seat, \"keep\", [\"x\", \"x\"])", 2),
    ];
    let mut chance = Chance::new(59, "nothing");
    for (ask, picks) in asks {
        let mut session = Session::start(&asked_always(ask), &Setup::seats(1)).unwrap();
        let decision = session.decision().unwrap_or_else(|| panic!("{ask} is not asked"));
        assert_eq!(decision.count(), 1, "{ask}");
        let counts = decision.answer_counts(&[0]).unwrap();
        assert_eq!(counts, [num_bigint::BigUint::from(if picks == 2 { 2_u8 } else { 1 })], "{ask}");
        while let Some(decision) = session.decision() {
            let at = decision.draw(&mut chance);
            session.choose(at).unwrap();
        }
        assert_eq!(answer(&session).split_whitespace().count(), picks, "{ask}");
        let spec = parlour::agents::Spec::parse("search:5", &parlour::agents::AgentShelf::EMPTY).unwrap();
        let played = asked_always(ask).play(&Setup::seats(1), vec![spec.player(1, 0)], false).unwrap();
        assert!(played.outcome.is_ok(), "{ask}: {:?}", played.outcome);
    }
}

#[test]
fn random_subset_choices_favor_no_seat() {
    let game = r#"
[game]
id = "bias"
players = { min = 4, max = 4 }
[values.seat]
life = 0
[decisions.hit]
ask = "Which two players lose a life?"
[flow]
round = ["play"]
rounds = 5
[phases.play]
steps = [{ each_seat = "turn" }]
"#;
    let rules = "/// Two of the four players (yourself too) lose a life.\n\
        fn turn(seat) {\n    for other in choose_some(seat, \"hit\", seats, 2, 2) { other.life -= 1; }\n}\n\
        fn score(seat) { seat.life }\n";
    let texts = [("game.toml".to_owned(), game.to_owned()), ("rules/play.rhai".to_owned(), rules.to_owned())];
    let game = parlour::load_texts("bias", texts).unwrap();
    let spec = parlour::agents::Spec::parse("random", &parlour::agents::AgentShelf::EMPTY).unwrap();
    let mut first = [0_u32; 4];
    for seed in 0..400 {
        let players = (0..4).map(|seat| spec.player(seed, seat)).collect();
        let played = game.play(&Setup::seats(4).seed(seed), players, false).unwrap();
        let standings = played.outcome.unwrap().standings;
        for standing in standings {
            first[standing.seat.index()] += u32::from(standing.rank == 1);
        }
    }
    // With each pick drawn separately, as in earlier versions, the seats won 69.7, 23.2, 3.5 and 3.6 % of the games.
    let (least, most) = (first.iter().min().unwrap(), first.iter().max().unwrap());
    assert!(*most < 2 * *least, "{first:?}");
}
