//! Statistical validity: intervals have their nominal coverage, unchanged games show no differences, and known effects are measured
//! correctly.

use crate::dice_game::{GAME, RULES, batch, figures, game, random};
use parlour::report::{Weight, differences_table, findings, overall, rule};
use parlour::session::{Game, Setup};
use parlour::simulation::{Batch, Figures, Judgment, Margin, Measure, Verdict, compare, figure, judge, simulate};
use std::ops::Range;

#[test]
fn intervals_have_their_nominal_coverage() {
    let (game, setup) = (game(&[]), Setup::seats(3));
    let (mut wins, mut scores, mut all) = (0, 0, 0);
    for seed in 0..200 {
        let figures = figures(&game, &setup, seed, 100);
        for seat in 0..3 {
            all += 1;
            wins += u32::from(figures.estimate(&Measure::Win(seat)).interval.contains(1.0 / 3.0));
            scores += u32::from(figures.estimate(&Measure::Score(seat)).interval.contains(10.5));
        }
    }
    for (what, covered) in [("wins", wins), ("scores", scores)] {
        let share = f64::from(covered) / f64::from(all);
        assert!((0.93..0.97).contains(&share), "{what}: {share}");
    }
}

#[test]
fn an_unchanged_copy_with_other_seeds_shows_no_difference() {
    let (game, setup) = (game(&[]), Setup::seats(3));
    let mut quiet = 0;
    for round in 0..100 {
        let (a, b) = (batch(&setup, 2 * round, 80), batch(&setup, 2 * round + 1, 80));
        let found = compare((&game, &a), (&game, &b), [&random, &random], &()).unwrap();
        quiet += u32::from(found.rows(Margin::default()).iter().all(|row| !row.verdict.is_finding()));
    }
    assert!(quiet >= 95, "{quiet} of 100");
}

#[test]
fn an_unchanged_copy_with_the_same_seeds_is_identical() {
    let (a, b) = (game(&[]), game(&[("id = \"dice\"", "id = \"copy\"")]));
    let batch = batch(&Setup::seats(3), 4, 50);
    let found = compare((&a, &batch), (&b, &batch), [&random, &random], &()).unwrap();
    assert_eq!((found.pairs(), found.alike), (50, 50));
    let rows = found.rows(Margin::default());
    assert!(rows.iter().all(|row| row.verdict == Verdict::Identical), "{rows:#?}");
}

#[test]
fn endings_are_compared_by_their_names() {
    let endings = [("[endings]", "[endings]\nabandoned = \"Abandoned\"")];
    let (a, b) = (game(&[]), game(&endings));
    let batch = batch(&Setup::seats(3), 4, 50);
    for (one, two) in [(&a, &b), (&b, &a)] {
        let found = compare((one, &batch), (two, &batch), [&random, &random], &()).unwrap();
        let rows = found.rows(Margin::default());
        let shares = |name: &str| {
            let row = rows.iter().find(|row| row.measure == Some(Measure::Ending(name.into()))).unwrap();
            [row.a.value, row.b.value]
        };
        assert_eq!([shares("thrown"), shares("abandoned")], [[1.0, 1.0], [0.0, 0.0]]);
    }
}

#[test]
fn random_streams_are_independent() {
    let more = "let thrown = roll(sides);";
    let wasted = "let thrown = roll(sides); let wasted = any_of(seats); if wasted.points < roll(7) - 9 { return; }";
    let (a, b) = (game(&[]), game(&[(more, wasted)]));
    let batch = batch(&Setup::seats(3), 4, 50);
    let found = compare((&a, &batch), (&b, &batch), [&random, &random], &()).unwrap();
    assert_eq!(found.alike, 50, "other random draws and dice do not affect the rolls");
}

/// Statements that cause a fault in some games.
const FAULTY: &str = "let thrown = roll(sides); if seat == first && roll(4) == 4 { fault(\"no more\"); }";

#[test]
fn the_seat_gap_uses_only_compared_pairs() {
    let (a, b) = (game(&[]), game(&[("let thrown = roll(sides);", FAULTY)]));
    let batch = batch(&Setup::seats(2), 4, 200);
    let found = compare((&a, &batch), (&b, &batch), [&random, &random], &()).unwrap();
    assert!((20..150).contains(&found.pairs()), "{}", found.pairs());
    let row = &found.rows(Margin::default())[0];
    assert_eq!((row.measure.as_ref(), row.difference.value, row.a.value), (None, 0.0, row.b.value));
}

/// Loads the dice game with a component that moves only in games that fail afterwards.
fn with_bomb() -> Game {
    let zones =
        "[zones.deck]\nshape = \"pile\"\nstarts_with = [\"card\"]\n[zones.gone]\nshape = \"pile\"\n[values.seat]";
    let bomb = "let thrown = roll(sides); if roll(9) == 9 { deck.top.move_to(gone); fault(\"it goes off\"); }";
    let texts = [
        ("game.toml", GAME.replace("[values.seat]", zones)),
        ("components/cards.toml", "[[card]]\nid = \"bomb\"\n".to_owned()),
        ("rules/play.rhai", RULES.replace("let thrown = roll(sides);", bomb)),
    ];
    parlour::load_texts("dice", texts.map(|(path, text)| (path.to_owned(), text))).unwrap()
}

#[test]
fn pieces_that_move_only_in_failed_games_count_as_moved() {
    let game = with_bomb();
    let figures = figures(&game, &Setup::seats(2), 4, 60);
    assert!((10..50).contains(&figures.finished), "{}", figures.finished);
    let model = game.layout(&Setup::seats(2)).unwrap().model.clone();
    let told = findings(&model, &figures);
    assert!(told.iter().any(|finding| finding.text.contains("it goes off")), "{told:#?}");
    assert!(!told.iter().any(|finding| finding.text.contains("never moved")), "{told:#?}");
}

#[test]
fn the_score_of_all_seats_is_averaged_per_game() {
    let game = game(&[]);
    let model = game.layout(&Setup::seats(3)).unwrap().model.clone();
    // All seats have the same rolls, so three seats contain no more information than one.
    let shared = self::game(&[
        (
            "let thrown = roll(sides);",
            "let thrown = if seat == first { roll(sides) } else { game.last }; game.last = thrown;",
        ),
        ("[values.seat]", "[values.game]\nlast = 0\n[values.seat]"),
    ]);
    let half = |game, word| {
        let figures = figures(game, &Setup::seats(3), 2, 200);
        let interval = figure(&model, &figures, word).unwrap().interval;
        interval.high - interval.low
    };
    let (alone, all) = (half(&shared, "score.1"), half(&shared, "score"));
    assert!((alone - all).abs() < 1e-9, "{alone} {all}");
    assert!(half(&game, "score") < 0.75 * half(&game, "score.1"));
}

#[test]
fn counters_of_seats_are_summed_for_the_game() {
    let game = game(&[]);
    let figures = figures(&game, &Setup::seats(3), 1, 40);
    let model = game.layout(&Setup::seats(3)).unwrap().model.clone();
    let of = |word: &str| figure(&model, &figures, word).unwrap().value;
    let seats: f64 = (1..=3).map(|seat| of(&format!("tally.thrown.{seat}"))).sum();
    assert!(seats > 30.0 && (of("tally.thrown") - seats).abs() < 1e-9, "{seats}");
}

#[test]
fn a_gift_to_the_first_seat_is_measured() {
    let game = game(&[]);
    let (plain, gift) = (Setup::seats(3), Setup::seats(3).set("params.gift", "2"));
    let (a, b) = (batch(&plain, 9, 600), batch(&gift, 9, 600));
    let found = compare((&game, &a), (&game, &b), [&random, &random], &()).unwrap();
    let rows = found.rows(Margin::default());
    let row = |measure: Option<Measure>| rows.iter().find(|row| row.measure == measure).unwrap();
    let score = row(Some(Measure::Score(0)));
    assert!((score.difference.value - 2.0).abs() < 1e-9 && score.verdict == Verdict::Higher, "{score:?}");
    assert_eq!(row(Some(Measure::Score(1))).verdict, Verdict::Identical);
    assert_eq!(row(None).verdict, Verdict::Worse, "{:?}", row(None));
    let back = compare((&game, &b), (&game, &a), [&random, &random], &()).unwrap();
    assert_eq!(back.rows(Margin::default())[0].verdict, Verdict::Better);
    assert_eq!(row(Some(Measure::Rounds)).verdict, Verdict::Identical);
}

#[test]
fn a_gift_to_a_random_first_player_shows_by_place_and_not_by_seat() {
    let random_first =
        game(&[("gift = 0", "gift = 6"), ("round = [\"tossing\"]", "first = \"random\"\nround = [\"tossing\"]")]);
    let found = figures(&random_first, &Setup::seats(3), 1, 600);
    let places = found.places();
    assert_eq!(places.len(), 3);
    assert!(
        places[0].interval.low > 0.6 && places[1].interval.high < 0.33 && places[2].interval.high < 0.33,
        "{places:?}"
    );
    assert!((places.iter().map(|place| place.value).sum::<f64>() - 1.0).abs() < 1e-9);
    for seat in 0..3 {
        let share = found.estimate(&Measure::Win(seat)).interval;
        assert!(share.low < 1.0 / 3.0 && 1.0 / 3.0 < share.high, "{share:?}");
    }
    // If the first seat always begins, results by place would only repeat results by seat.
    let in_order = game(&[("gift = 0", "gift = 6")]);
    assert!(figures(&in_order, &Setup::seats(3), 1, 60).places().is_empty());
}

#[test]
fn differences_within_the_margin_are_equivalent() {
    let game = game(&[]);
    let (a, b) = (batch(&Setup::seats(3), 9, 100), batch(&Setup::seats(3).set("params.gift", "1"), 9, 100));
    let found = compare((&game, &a), (&game, &b), [&random, &random], &()).unwrap();
    let verdict = |amount: f64| {
        let rows = found.rows(Margin { share: 0.01, amount });
        rows.iter().find(|row| row.measure == Some(Measure::Score(0))).unwrap().verdict
    };
    assert_eq!((verdict(0.01), verdict(0.2)), (Verdict::Higher, Verdict::Equivalent));
}

#[test]
fn measures_match_those_calculated_by_hand() {
    let game = game(&[]);
    let figures = figures(&game, &Setup::seats(3), 1, 40);
    assert_eq!((figures.games, figures.finished, figures.asked), (40, 40, 360));
    assert_eq!(figures.histogram(&Measure::Rounds).mean(), Some(3.0));
    assert_eq!(figures.histogram(&Measure::Turns).mean(), Some(9.0));
    assert_eq!(figures.branching.mean(), Some(3.0));
    let wins: i128 = (0..3).map(|seat| figures.histogram(&Measure::Win(seat)).sum()).sum();
    assert_eq!(wins, 40 * i128::from(figures.win_unit()));
    let thrown = |seat| figures.histogram(&Measure::Tally("thrown".into(), Some(seat))).sum();
    let scored = |seat| figures.histogram(&Measure::Score(seat)).sum();
    assert_eq!([0, 1, 2].map(thrown), [0, 1, 2].map(scored));
    let red = figures.histogram(&Measure::Tally("red".into(), None));
    assert_eq!(red.total(), 40, "games without a count are included as 0");
    let offered: u64 = figures.options.values().map(|statistics| statistics.offered).sum();
    let picked: u64 = figures.options.values().map(|statistics| statistics.picked).sum();
    assert_eq!((offered, picked), (3 * 360, 360));
    let reds = figures.options.iter().find(|(key, _)| format!("{:?}", key.thing).contains("red")).unwrap().1;
    assert_eq!(i128::from(reds.picked), red.sum());
}

#[test]
fn figures_of_a_batch_equal_merged_figures_of_its_games() {
    for (game, seats, games) in [
        (with_bomb(), 3, 60),
        (crate::teams::pairs(), 4, 60),
        (parlour::load("examples/games/tic-tac-toe").unwrap(), 2, 300),
        (parlour::load("games/stockpile").unwrap(), 4, 6),
    ] {
        let of = |games: Range<u64>| {
            let batch = Batch { games, ..batch(&Setup::seats(seats), 3, 0) };
            simulate(&game, &batch, &random, &()).unwrap()
        };
        let mut alone = Figures::new(seats);
        (0..games).for_each(|at| alone.merge(&of(at..at + 1)));
        assert!(alone.games == games && alone.is_consistent());
        assert!(alone == of(0..games), "{}", game.id());
    }
}

#[test]
fn parts_of_options_are_counted_completely_or_not_at_all() {
    let asked = |options: &str| {
        let choice = format!(
            "let many = []; for number in 0..300 {{ many.push(number); }} choose(seat, \"cheer\", {options});\n    let color = \"red\";"
        );
        figures(
            &game(&[("let color = choose(seat, \"cheer\", [\"blue\", \"red\", \"green\"]);", &choice)]),
            &Setup::seats(2),
            1,
            20,
        )
    };
    // Each option combines a part that has few values with a part that has many: as a product in both orders, then as a concatenation of
    // two lists.
    for options in [
        "each_of(#{ few: [\"a\", \"b\", \"c\"], many: many })",
        "each_of(#{ many: many, more: [\"a\", \"b\", \"c\"] })",
        "each_of(#{ few: [\"a\", \"b\", \"c\"] }) + each_of(#{ many: many })",
    ] {
        let found = asked(options);
        let counted: Vec<_> = found.options.iter().filter(|(key, _)| key.part.is_some()).collect();
        assert!(counted.iter().all(|(key, _)| key.part.as_deref() != Some("many")), "{options}: too many to count");
        assert_eq!(counted.len(), 3, "{options}: {counted:?}");
        assert!(
            counted
                .iter()
                .all(|(_, statistics)| statistics.offered == found.asked && statistics.picked <= statistics.offered),
            "{options}"
        );
        assert!(
            options.contains('+')
                || counted.iter().map(|(_, statistics)| statistics.picked).sum::<u64>() == found.asked
        );
    }
}

#[test]
fn the_leader_is_determined_by_the_standing_function() {
    // The first player always leads by about 100, but loses at the end.
    let game = game(&[
        ("seat.points += thrown;", "seat.points += thrown; if seat == first && round == 1 { seat.points += 100; }"),
        (
            "fn score(seat) { seat.points }",
            "fn score(seat) { if seat == first { 0 } else { seat.points } }\n/// Points.\nfn standing(seat) { seat.points }",
        ),
    ]);
    let figures = figures(&game, &Setup::seats(2), 1, 40);
    assert_eq!(figures.histogram(&Measure::LeadChanges).max(), Some(0));
    let half = figures.estimate(&Measure::LeaderWins(2));
    assert!(half.count == 40 && half.value < 1e-9, "{half:?}");
    assert!(figures.histogram(&Measure::Comeback).min().unwrap() > 80);
}

#[test]
fn targets_are_met_open_or_missed_by_the_interval() {
    let standing = |gap: &str, games| {
        let game = game(&[("seat_win_gap = 0.2", &format!("seat_win_gap = {gap}"))]);
        let setup = Setup::seats(3).set("params.gift", "2");
        let judged = judge(&game.layout(&setup).unwrap().model, &figures(&game, &setup, 3, games));
        judged[0].standing
    };
    assert_eq!(
        [standing("0.05", 150), standing("0.25", 30), standing("0.6", 150)],
        [Judgment::Missed, Judgment::Open, Judgment::Met]
    );
}

#[test]
fn equal_differences_of_several_seats_are_merged() {
    let (a, b) = (game(&[]), game(&[("seat.points += thrown;", "seat.points += thrown + 1;")]));
    let batch = batch(&Setup::seats(3), 4, 60);
    let found = compare((&a, &batch), (&b, &batch), [&random, &random], &()).unwrap();
    let model = b.layout(&Setup::seats(3)).unwrap().model.clone();
    let table = differences_table(&model, &found.rows(Margin::default()));
    let score = table.iter().find(|row| row[0] == "score, every seat").unwrap_or_else(|| panic!("{table:#?}"));
    assert!(score[3].starts_with("+3.00 (+") && score[3].contains(" to +") && score[5] == "higher", "{score:?}");
    assert!(!table.iter().any(|row| row[0].starts_with("score, seat")), "{table:#?}");
    let one = game(&[("seat.points += thrown;", "seat.points += thrown; if seat.number < 3 { seat.points += 1; }")]);
    let found = compare((&a, &batch), (&one, &batch), [&random, &random], &()).unwrap();
    let table = differences_table(&model, &found.rows(Margin::default()));
    assert!(table.iter().any(|row| row[0] == "score, seats 1 and 2"), "{table:#?}");
}

#[test]
fn the_verdict_mentions_the_margin() {
    let (game, pairs) = (game(&[]), 100);
    let (a, b) = (batch(&Setup::seats(3), 9, pairs), batch(&Setup::seats(3).set("params.gift", "1"), 9, pairs));
    let found = compare((&game, &a), (&game, &b), [&random, &random], &()).unwrap();
    let told = |margin| {
        let rows = found.rows(Margin { share: margin, amount: margin });
        (overall(&found, &rows), rule(&rows))
    };
    let (wide, rule_then) = told(0.9);
    assert!(wide.starts_with("No evidence of a difference beyond the margin"), "{wide}");
    assert!(rule_then.ends_with("is called equivalent all the same."), "{rule_then}");
    let (narrow, rule_then) = told(0.001);
    assert!(narrow.contains("measures differ") && !rule_then.contains("equivalent"), "{narrow} {rule_then}");
}

#[test]
fn kinds_that_are_only_read_are_not_findings() {
    let zones = "[zones.heap]\nshape = \"pile\"\nstarts_with = [\"card\"]\n[values.seat]";
    let read = "let thrown = roll(sides) + component(\"spring\").tempo; if thrown > 99 { heap.top.move_to(heap); }";
    let texts = [
        ("game.toml", GAME.replace("[values.seat]", zones)),
        (
            "components/cards.toml",
            "[[card]]\nid = \"ace\"\n[[season]]\nid = \"spring\"\ntempo = 1\n[[season]]\nid = \"fall\"\ntempo = 2\n"
                .to_owned(),
        ),
        ("rules/play.rhai", RULES.replace("let thrown = roll(sides);", read)),
    ];
    let game = parlour::load_texts("dice", texts.map(|(path, text)| (path.to_owned(), text))).unwrap();
    let figures = figures(&game, &Setup::seats(2), 4, 60);
    let told = findings(&game.layout(&Setup::seats(2)).unwrap().model, &figures);
    let of =
        |word: &str| told.iter().find(|finding| finding.text.contains(word)).unwrap_or_else(|| panic!("{told:#?}"));
    assert_eq!((of("Season").weight, &*of("Season").text), (Weight::Note, "Kinds that stay in the box: Season."));
    assert!(
        of("Card").text.starts_with("Kinds of which no component ever moved: Card"),
        "cards are expected to move: {told:#?}"
    );
}
