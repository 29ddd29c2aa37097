//! Tests win probabilities and kingmaking in games for which the true values are known.

use crate::dice_game::{batch, random};
use parlour::session::{Game, Halt, Setup};
use parlour::simulation::{Batch, Figures, Follower, Margin, Measure, Prospects, Record, Verdict, compare, simulate};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Game in which the last seat cannot win. First, all seats answer an irrelevant question. Then the winner is determined by the choice of
/// the last seat (`coin = 0`), by a coin tossed at the beginning (1), or by a coin tossed now (2). With 2, the last seat may cause another
/// toss beforehand.
const GAME: &str = r#"
[game]
id = "crown"
name = "Crown"
players = { min = 3, max = 3 }
[params]
coin = 0
[values.seat]
points = 0
[decisions.cheer]
ask = "Which color do you cheer for?"
[decisions.crown]
ask = "Who is to win?"
[flow]
setup = ["toss"]
round = ["evening"]
rounds = 1
[phases.evening]
steps = [{ each_seat = "cheer" }, "crowning", { each_seat = "cheer" }]
"#;

const RULES: &str = r#"
fn toss() { if coin == 1 { crown(seats[roll(2) - 1]); } }
fn cheer(seat) { choose(seat, "cheer", ["blue", "red"]); }
fn crown(seat) { seat.points += 1; }
fn crowning() {
    if coin == 0 { crown(choose(seats[2], "crown", [seats[0], seats[1]])); }
    if coin == 2 {
        if choose(seats[2], "cheer", ["blue", "red"]) == "blue" { roll(2); }
        crown(seats[roll(2) - 1]);
    }
}
fn score(seat) { seat.points }
"#;

fn crown() -> Game {
    let texts = [("game.toml", GAME), ("rules/play.rhai", RULES)];
    parlour::load_texts("crown", crate::folder::owned_files(texts)).unwrap_or_else(|found| panic!("{found}"))
}

/// Plays a batch and measures win probabilities.
fn measured(game: &Game, setup: &Setup, games: u64) -> Figures {
    let batch = Batch { prospects: Some(Prospects { worlds: 20 }), ..batch(setup, 7, games) };
    simulate(game, &batch, &random, &()).unwrap()
}

fn mean(figures: &Figures, measure: &Measure) -> f64 {
    let estimate = figures.estimate(measure);
    assert!(estimate.count > 0, "{measure:?} was not measured");
    estimate.value
}

#[test]
fn a_seat_that_cannot_win_but_chooses_the_winner_is_a_kingmaker() {
    let found = measured(&crown(), &Setup::seats(3), 60);
    assert!((mean(&found, &Measure::Kingmaking) - 1.0).abs() < 1e-9);
    // The other two seats can win until the last seat chooses. Afterwards, one of them is asked once more although it can no longer win.
    assert!((mean(&found, &Measure::Hopeless) - 2.0).abs() < 1e-9);
    // The fourth of seven questions is decisive: before it, two seats are equally likely to win, and after it, the winner is certain.
    let early = mean(&found, &Measure::WinnerChance(3));
    assert!((early - 0.5).abs() < 0.05, "{early}");
    for tenths in [6, 9] {
        assert!((mean(&found, &Measure::WinnerChance(tenths)) - 1.0).abs() < 1e-9, "{tenths}");
        assert!((mean(&found, &Measure::FavoriteChance(tenths)) - 1.0).abs() < 1e-9, "{tenths}");
    }
    let least = mean(&found, &Measure::LeastChance);
    assert!(least > 0.25 && least < 0.5, "{least}");
}

#[test]
fn irrelevant_questions_at_the_end_do_not_hide_a_kingmaker() {
    let game = |cheers: usize| {
        let cheered = ", { each_seat = \"cheer\" }".repeat(cheers);
        let toml = GAME.replace("\"crowning\", { each_seat = \"cheer\" }", &format!("\"crowning\"{cheered}"));
        let texts = [("game.toml", toml), ("rules/play.rhai", RULES.to_owned())];
        parlour::load_texts("crown", texts.map(|(path, text)| (path.to_owned(), text)))
            .unwrap_or_else(|found| panic!("{found}"))
    };
    let setup = Setup::seats(3);
    for (cheers, kings) in [(3, 1.0), (11, 1.0), (12, 0.0)] {
        let found = measured(&game(cheers), &setup, 10);
        assert!((mean(&found, &Measure::Kingmaking) - kings).abs() < 1e-9, "{cheers}");
    }
    let found = measured(&game(5), &setup.set("params.coin", "1"), 20);
    assert!(mean(&found, &Measure::Kingmaking).abs() < 1e-9);
    assert!((mean(&found, &Measure::Hopeless) - 2.0).abs() < 1e-9);
}

#[test]
fn there_is_no_kingmaker_if_a_coin_has_decided_before() {
    let found = measured(&crown(), &Setup::seats(3).set("params.coin", "1"), 40);
    assert!(mean(&found, &Measure::Kingmaking).abs() < 1e-9);
    assert!((mean(&found, &Measure::Hopeless) - 2.0).abs() < 1e-9);
    assert!((mean(&found, &Measure::LeastChance) - 1.0).abs() < 1e-9);
}

#[test]
fn chance_rarely_looks_like_kingmaking() {
    let found = measured(&crown(), &Setup::seats(3).set("params.coin", "2"), 400);
    // The page on measures states a rate of at most one game in forty. The bound adds three standard errors.
    let kings = mean(&found, &Measure::Kingmaking);
    assert!(kings < 0.05, "{kings}");
}

#[test]
fn win_probabilities_are_measured_only_on_request() {
    let (game, setup) = (crown(), Setup::seats(3));
    let plain = simulate(&game, &batch(&setup, 7, 30), &random, &()).unwrap();
    assert_eq!(plain.estimate(&Measure::Kingmaking).count, 0);
    let found = measured(&game, &setup, 30);
    for (measure, histogram) in &plain.measures {
        assert_eq!(found.measures.get(measure), Some(histogram), "{measure:?}");
    }
    let again = measured(&game, &setup, 30);
    assert_eq!(found.measures, again.measures);
}

#[test]
fn removing_kingmaking_is_detected_in_a_comparison() {
    let game = crown();
    let version = |coin: &str| {
        let setup = Setup::seats(3).set("params.coin", coin);
        Batch { prospects: Some(Prospects { worlds: 10 }), ..batch(&setup, 7, 40) }
    };
    let (before, after) = (version("0"), version("1"));
    let compared = compare((&game, &before), (&game, &after), [&random, &random], &()).unwrap();
    let rows = compared.rows(Margin::default());
    let kingmaking = rows.iter().find(|row| row.measure == Some(Measure::Kingmaking)).unwrap();
    assert_eq!(kingmaking.verdict, Verdict::Lower);
}

#[test]
fn win_probabilities_respect_hidden_information() {
    let game = parlour::load("examples/games/kuhn-poker").unwrap_or_else(|found| panic!("{found}"));
    let found = measured(&game, &Setup::seats(2), 100);
    // At the first question, no player knows both cards, so even a king does not win with certainty.
    let early = mean(&found, &Measure::FavoriteChance(1));
    assert!(early > 0.6 && early < 0.99, "{early}");
}

/// Follower that abandons the batch after 20 checks.
struct Impatient(Arc<AtomicU32>);

impl Follower for Impatient {
    type GameData = ();

    fn keep(&self, _: &Record) {}

    fn take(&self, (): ()) -> std::io::Result<()> {
        Ok(())
    }

    fn halt(&self) -> Halt {
        let asked = self.0.clone();
        Halt::when(move || asked.fetch_add(1, Ordering::SeqCst) > 20)
    }
}

#[test]
fn abandoned_games_are_not_measured() {
    let endless = Batch { prospects: Some(Prospects { worlds: u32::MAX }), ..batch(&Setup::seats(3), 7, 10) };
    let asked = Arc::new(AtomicU32::new(0));
    let found = simulate(&crown(), &endless, &random, &Impatient(asked.clone())).unwrap();
    assert_eq!(found.games, 0, "abandoned games are not counted");
    assert!(asked.load(Ordering::SeqCst) < 100, "the batch stops soon after the request");
}
