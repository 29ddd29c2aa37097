//! Figures of games with teams: all statistics count teams instead of seats.

use crate::dice_game::{figures, random};
use parlour::report::findings;
use parlour::session::{Game, Setup};
use parlour::simulation::{FALSE_FINDINGS, Figures, Measure, judge};
use std::path::Path;

/// Game in which every seat rolls a die. The score of a team is the sum of its seats' rolls, and the first team gets a gift.
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
    parlour::load_texts("pairs", crate::folder::owned_files(texts)).unwrap_or_else(|found| panic!("{found}"))
}

fn share(figures: &Figures, seat: u8) -> f64 {
    figures.estimate(&Measure::Win(seat)).value
}

#[test]
fn teams_win_together_and_the_fair_share_counts_teams() {
    let found = figures(&pairs(), &Setup::seats(4), 1, 400);
    assert!((found.fair_share() - 0.5).abs() < 1e-9);
    assert!((share(&found, 0) - share(&found, 2)).abs() < 1e-9 && (share(&found, 1) - share(&found, 3)).abs() < 1e-9);
    assert!((share(&found, 0) + share(&found, 1) - 1.0).abs() < 1e-9);
    // Ties and margins are measured between teams.
    let tie = found.estimate(&Measure::Tie).value;
    assert!(tie > 0.0 && tie < 0.15, "{tie}");
    assert!(found.estimate(&Measure::Margin).value > 1.0);
    // The teams' scores are rarely equal, so there usually is a leader.
    assert!(found.estimate(&Measure::LeadChanges).value > 0.3);
}

#[test]
fn chance_causes_no_finding_and_a_gift_causes_one_about_the_team() {
    let game = pairs();
    let mut quiet = 0;
    for seed in 0..100 {
        let found = figures(&game, &Setup::seats(4), seed, 60);
        quiet += u32::from(found.p_values_of_seats().iter().all(|p_value| *p_value > FALSE_FINDINGS));
    }
    assert!(quiet >= 90, "{quiet} of 100");
    let setup = Setup::seats(4).set("params.gift", "6");
    let found = figures(&game, &setup, 1, 400);
    let found: Vec<String> = {
        let layout = game.layout(&setup).unwrap();
        let judged = judge(&layout.model, &found);
        assert_eq!(judged.len(), 2);
        findings(&layout.model, &found).into_iter().map(|finding| finding.text).collect()
    };
    let of_teams = |text: &&String| text.starts_with("The team of seats 1 and 3 wins");
    assert_eq!(found.iter().filter(of_teams).count(), 1, "{found:#?}");
    assert!(!found.iter().any(|text| text.starts_with("Seat ")), "{found:#?}");
}

#[test]
fn merged_figures_of_teams_equal_those_of_one_batch() {
    let game = pairs();
    let whole = figures(&game, &Setup::seats(4), 1, 60);
    let batch = |games| parlour::simulation::Batch {
        games,
        seed: 1,
        jobs: 1,
        setup: Setup::seats(4),
        prospects: None,
        campaigns: false,
    };
    let mut parts = parlour::simulation::simulate(&game, &batch(0..20), &random, &()).unwrap();
    parts.merge(&parlour::simulation::simulate(&game, &batch(20..60), &random, &()).unwrap());
    assert_eq!((parts.fair_share(), parts.leaders()), (whole.fair_share(), vec![0, 1]));
    assert_eq!(parts.p_values_of_seats(), whole.p_values_of_seats());
}

#[test]
fn the_sample_game_with_teams_works_with_three_and_four_players() {
    let game = parlour::load(Path::new("examples/games/crosswinds")).unwrap_or_else(|found| panic!("{found}"));
    for players in 3..=4 {
        let found = figures(&game, &Setup::seats(players), 1, 50);
        assert_eq!((found.finished, found.leaders()), (50, vec![0, 1]), "{players} players");
    }
}
