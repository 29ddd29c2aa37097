//! Tests of random draws from bags.

use crate::sampler;
use parlour::session::{Session, Setup, Status};

/// The bag is initially sorted. Only the owner of the hand knows the drawn pieces.
#[test]
fn bags_are_drawn_from_at_random() {
    let rules = "fn set_up() { sack.draw(4, first.hand); } fn turn_of(seat) {}";
    let draw_with = |seed: u64| {
        let game = parlour::load_texts("sampler", with_a_bag(rules)).unwrap();
        let session = Session::start(&game, &Setup::seats(3).seed(seed)).unwrap();
        let (table, model) = (session.table(), session.model());
        let hand = model.zones.iter().position(|zone| &*zone.path == "hand").unwrap();
        let hand = parlour::model::ZoneId::at(hand);
        let drawn: Vec<_> = table.pieces(hand).collect();
        assert!(drawn.iter().all(|piece| table.knowers(*piece) == 1), "only the owner knows the drawn pieces");
        let mut drawn: Vec<String> =
            drawn.iter().map(|piece| model.component(table.component(*piece)).id.to_string()).collect();
        drawn.sort();
        drawn
    };
    let all: std::collections::BTreeSet<Vec<String>> = (0..30).map(draw_with).collect();
    assert!(all.len() > 5, "{all:?}");
    assert_eq!(draw_with(7), draw_with(7));
}

/// Returns the sampler with its cards in a bag instead of the deck.
fn with_a_bag(rules: &str) -> Vec<(String, String)> {
    let mut texts = sampler::texts(rules);
    let sack = "[zones.sack]\nshape = \"bag\"\nstarts_with = [\"card\"]\n[zones.discard]";
    for (_, text) in &mut texts {
        *text = text.replace("starts_with = [\"card\"]\n", "").replacen("[zones.discard]", sack, 1);
    }
    texts
}

/// Performs a chi-square test: returns whether the statistic of the counts `drawn` is below `bound`. Fair draws exceed the bounds used here
/// once in 100,000 tests. `weights` are the expected frequencies, up to a common factor.
fn is_fair(drawn: &[u64], weights: &[u64], bound: u64) -> bool {
    let (all, total_weight) = (drawn.iter().sum::<u64>(), weights.iter().sum::<u64>());
    // Uses integer arithmetic: each term (found − expected)² / expected is calculated in hundredths.
    let terms = drawn.iter().zip(weights).map(|(found, weight)| {
        let difference = (found * total_weight).abs_diff(all * weight);
        difference * difference * 100 / (all * weight * total_weight)
    });
    terms.sum::<u64>() < bound * 100
}

/// Checks the first and the second draw separately.
#[test]
fn every_piece_of_a_bag_is_drawn_equally_often() {
    let game = parlour::load_texts(
        "sampler",
        with_a_bag("fn set_up() { sack.draw(1, lots[1]); sack.draw(1, lots[2]); } fn turn_of(seat) {}"),
    )
    .unwrap();
    for lot in 0..2 {
        let mut drawn = Vec::new();
        for seed in 0..2_000 {
            let session = Session::start(&game, &Setup::seats(3).seed(seed)).unwrap();
            let (table, model) = (session.table(), session.model());
            let first = model.zones.iter().position(|zone| zone.path.starts_with("lots")).unwrap();
            let piece = table.pieces(parlour::model::ZoneId::at(first + lot)).next().unwrap();
            drawn.resize(model.pieces.len(), 0u64);
            drawn[piece.index()] += 1;
        }
        drawn.retain(|count| *count > 0);
        assert_eq!(drawn.len(), 8, "{drawn:?}");
        assert!(is_fair(&drawn, &[1; 8], 36), "draw {}: {drawn:?}", lot + 1);
        assert!(!is_fair(&[400, 230, 230, 230, 230, 230, 230, 220], &[1; 8], 36));
    }
}

/// In worlds imagined for a seat, the next draw must be uniform among all pieces that the seat cannot see. It must not depend on the real
/// next draw or on the order in the bag. The test checks every position of a few games.
#[test]
fn imagined_worlds_draw_from_a_bag_at_random() {
    let rules = "fn set_up() { for seat in seats { sack.draw(1, seat.hand); } } fn turn_of(seat) { choose(seat, \"sure\", [true, false]); sack.draw(1, lots[seat.number], \"up\"); }";
    let game = parlour::load_texts("sampler", with_a_bag(rules)).unwrap();
    for seed in 0..3 {
        let mut session = Session::start(&game, &Setup::seats(3).seed(seed)).unwrap();
        while let Status::Waiting(open) = session.status() {
            let seat = open.seat;
            let model = session.model().clone();
            let zone = |name: &str| model.zones.iter().position(|zone| zone.path.starts_with(name)).unwrap();
            let lot = parlour::model::ZoneId::at(zone("lots") + seat.index());
            let sack = parlour::model::ZoneId::at(zone("sack"));
            // The seat cannot see the pieces in the bag and in the hands of other seats.
            let mut fair = vec![0u64; model.components.len()];
            let hands = model
                .all_seats()
                .filter(|other| *other != seat)
                .map(|other| parlour::model::ZoneId::at(zone("hand") + other.index()));
            for unseen in hands.chain([sack]) {
                session.table().pieces(unseen).for_each(|piece| fair[session.table().component(piece).index()] += 1);
            }
            let mut drawn = vec![0u64; model.components.len()];
            let mut chance = parlour::table::Chance::new(seed, "worlds");
            for _ in 0..600 {
                let mut world = session.imagine(seat, &mut chance).unwrap();
                world.choose(0).unwrap();
                let piece = world.table().pieces(lot).next().unwrap();
                drawn[world.table().component(piece).index()] += 1;
            }
            let both: Vec<(u64, u64)> = drawn.into_iter().zip(fair).filter(|(found, fair)| found + fair > 0).collect();
            let (drawn, fair): (Vec<u64>, Vec<u64>) = both.into_iter().unzip();
            assert!(
                fair.iter().all(|fair| *fair > 0),
                "a piece was drawn that cannot be in the bag: {drawn:?} of {fair:?}"
            );
            assert!(is_fair(&drawn, &fair, 30), "{seat:?}, seed {seed}: {drawn:?} of {fair:?}");
            session.choose(0).unwrap();
        }
    }
}
