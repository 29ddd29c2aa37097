//! How likely seats are to win as games go on, and who decides without being able to win: in games where both are known.

use crate::dice::{batch, random};
use parlour::session::{Game, Halt, Setup};
use parlour::simulation::{Batch, Figures, Follower, Margin, Measure, Prospects, Record, Verdict, compare, simulate};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The last seat cannot win. Everybody cheers, which does nothing; then the last seat crowns one of the two others, or a coin does: one that was
/// tossed before (1), or is tossed then, once more often where the last seat says so (2).
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
    parlour::load_texts("crown", crate::folder::owned(texts)).unwrap_or_else(|found| panic!("{found}"))
}

fn measured(game: &Game, setup: &Setup, games: u64) -> Figures {
    let batch = Batch { prospects: Some(Prospects { worlds: 20 }), ..batch(setup, 7, games) };
    simulate(game, &batch, &random, &()).unwrap()
}

fn mean(figures: &Figures, measure: &Measure) -> f64 {
    let estimate = figures.estimate(measure);
    assert!(estimate.count > 0, "{measure:?} is measured");
    estimate.value
}

#[test]
fn who_cannot_win_and_chooses_the_winner_is_a_kingmaker_in_every_game() {
    let found = measured(&crown(), &Setup::seats(3), 60);
    assert!((mean(&found, &Measure::Kingmaking) - 1.0).abs() < 1e-9);
    // The two others could win until the last seat chose: what they are asked afterwards shows the one who lost.
    assert!((mean(&found, &Measure::Hopeless) - 2.0).abs() < 1e-9);
    // Of seven questions the fourth crowns: up to there two seats are as likely to win, and afterwards it is known who does.
    let early = mean(&found, &Measure::WinnerChance(3));
    assert!((early - 0.5).abs() < 0.05, "{early}");
    for tenths in [6, 9] {
        assert!((mean(&found, &Measure::WinnerChance(tenths)) - 1.0).abs() < 1e-9, "{tenths}");
        assert!((mean(&found, &Measure::FavoriteChance(tenths)) - 1.0).abs() < 1e-9, "{tenths}");
    }
    let least = mean(&found, &Measure::LeastChance);
    assert!(least > 0.25 && least < 0.5, "{least}");
}

/// Questions that come last and decide nothing do not hide the one that did.
#[test]
fn what_is_asked_to_no_purpose_at_the_end_hides_no_kingmaker() {
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
fn where_a_coin_decided_before_nobody_makes_a_king_and_nothing_is_open() {
    let found = measured(&crown(), &Setup::seats(3).set("params.coin", "1"), 40);
    assert!(mean(&found, &Measure::Kingmaking).abs() < 1e-9);
    assert!((mean(&found, &Measure::Hopeless) - 2.0).abs() < 1e-9);
    assert!((mean(&found, &Measure::LeastChance) - 1.0).abs() < 1e-9);
}

#[test]
fn luck_alone_seldom_makes_a_king() {
    let found = measured(&crown(), &Setup::seats(3).set("params.coin", "2"), 400);
    // At most one game of forty, as the page of measures says: 10 of 400, and three standard errors.
    let kings = mean(&found, &Measure::Kingmaking);
    assert!(kings < 0.05, "{kings}");
}

#[test]
fn nothing_of_it_is_measured_unasked_and_the_games_are_the_same() {
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
fn a_change_that_lets_a_coin_decide_is_seen_to_take_kingmaking_away() {
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
fn hidden_hands_are_looked_at_through_the_eyes_of_who_is_asked() {
    let game = parlour::load("examples/games/kuhn-poker").unwrap_or_else(|found| panic!("{found}"));
    let found = measured(&game, &Setup::seats(2), 100);
    // Nobody knows at the first question who has the higher card: a king wins more often than not, but not surely.
    let early = mean(&found, &Measure::FavoriteChance(1));
    assert!(early > 0.6 && early < 0.99, "{early}");
}

/// Gives up when it has been asked so often.
struct Impatient(Arc<AtomicU32>);

impl Follower for Impatient {
    type Kept = ();

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
fn games_that_are_given_up_are_not_looked_at_any_longer() {
    let endless = Batch { prospects: Some(Prospects { worlds: u32::MAX }), ..batch(&Setup::seats(3), 7, 10) };
    let asked = Arc::new(AtomicU32::new(0));
    let found = simulate(&crown(), &endless, &random, &Impatient(asked.clone())).unwrap();
    assert_eq!(found.games, 0, "what was given up is not counted");
    assert!(asked.load(Ordering::SeqCst) < 100, "and it is not asked again and again");
}
