//! Figures of a game of teams: a team wins, leads and is tested as one.

use crate::dice::{figures, random};
use parlour::report::findings;
use parlour::session::{Game, Setup};
use parlour::simulation::{FALSE_FINDINGS, Figures, Measure, judge};
use std::path::Path;

/// Every seat throws a die; a team has what its seats have thrown, and a gift.
const GAME: &str = r#"
[game]
id = "pairs"
name = "Pairs"
players = { min = 4, max = 4 }
[teams.odd]
seats = [1, 3]
[teams.even]
seats = [2, 4]
[params]
gift = 0
[values.team]
points = 0
[decisions.cheer]
ask = "Which color do you cheer for?"
[flow]
setup = ["give"]
round = ["tossing"]
rounds = 4
[phases.tossing]
steps = [{ each_seat = "toss" }]
[targets]
seat_win_gap = 0.2
margin = { min = 1 }
"#;

const RULES: &str = r#"
fn give() { seats[0].team.points += gift; }
fn toss(seat) {
    seat.team.points += roll(6);
    choose(seat, "cheer", ["blue", "red"]);
}
fn score(team) { team.points }
"#;

pub(crate) fn pairs() -> Game {
    let texts = [("game.toml", GAME), ("rules/play.rhai", RULES)];
    parlour::load_texts("pairs", crate::folder::owned(texts)).unwrap_or_else(|found| panic!("{found}"))
}

fn share(figures: &Figures, seat: u8) -> f64 {
    figures.estimate(&Measure::Win(seat)).value
}

#[test]
fn a_team_wins_whole_and_the_fair_share_is_that_of_teams() {
    let found = figures(&pairs(), &Setup::seats(4), 1, 400);
    assert!((found.fair_share() - 0.5).abs() < 1e-9);
    assert!((share(&found, 0) - share(&found, 2)).abs() < 1e-9 && (share(&found, 1) - share(&found, 3)).abs() < 1e-9);
    assert!((share(&found, 0) + share(&found, 1) - 1.0).abs() < 1e-9);
    // A tie is one of teams, and there is a margin, for a team loses.
    let tie = found.estimate(&Measure::Tie).value;
    assert!(tie > 0.0 && tie < 0.15, "{tie}");
    assert!(found.estimate(&Measure::Margin).value > 1.0);
    // Two teams' sums are seldom alike, so that one of them leads.
    assert!(found.estimate(&Measure::LeadChanges).value > 0.3);
}

#[test]
fn luck_alone_is_no_finding_and_a_gift_is_one_about_the_team() {
    let game = pairs();
    let mut quiet = 0;
    for seed in 0..100 {
        let found = figures(&game, &Setup::seats(4), seed, 60);
        quiet += u32::from(found.p_values_of_seats().iter().all(|p_value| *p_value > FALSE_FINDINGS));
    }
    assert!(quiet >= 90, "{quiet} of 100");
    let setup = Setup::seats(4).set("params.gift", "6");
    let found = figures(&game, &setup, 1, 400);
    let said: Vec<String> = {
        let layout = game.layout(&setup).unwrap();
        let judged = judge(&layout.model, &found);
        assert_eq!(judged.len(), 2);
        findings(&layout.model, &found).into_iter().map(|finding| finding.text).collect()
    };
    let of_teams = |text: &&String| text.starts_with("The team of seats 1 and 3 wins");
    assert_eq!(said.iter().filter(of_teams).count(), 1, "{said:#?}");
    assert!(!said.iter().any(|text| text.starts_with("Seat ")), "{said:#?}");
}

#[test]
fn figures_of_parts_put_together_are_those_of_the_whole() {
    let game = pairs();
    let whole = figures(&game, &Setup::seats(4), 1, 60);
    let batch = |games| parlour::simulation::Batch { games, seed: 1, jobs: 1, setup: Setup::seats(4), prospects: None };
    let mut parts = parlour::simulation::simulate(&game, &batch(0..20), &random, &()).unwrap();
    parts.merge(&parlour::simulation::simulate(&game, &batch(20..60), &random, &()).unwrap());
    assert_eq!((parts.fair_share(), parts.leaders()), (whole.fair_share(), vec![0, 1]));
    assert_eq!(parts.p_values_of_seats(), whole.p_values_of_seats());
}

#[test]
fn the_sample_game_is_played_by_three_and_by_four() {
    let game = parlour::load(Path::new("examples/games/crosswinds")).unwrap_or_else(|found| panic!("{found}"));
    for players in 3..=4 {
        let found = figures(&game, &Setup::seats(players), 1, 50);
        assert_eq!((found.finished, found.leaders()), (50, vec![0, 1]), "{players} players");
    }
}
