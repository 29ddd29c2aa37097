//! Bags are drawn from at random.

use crate::sampler;
use parlour::session::{Session, Setup, Status};

/// A bag of sorted pieces is drawn from at random, and what is drawn unseen is known to nobody.
#[test]
fn a_bag_is_drawn_from_at_random() {
    let rules = "fn set_up() { sack.draw(4, first.hand); } fn turn_of(seat) {}";
    let with_bag = |seed: u64| {
        let game = parlour::load_texts("sampler", with_a_bag(rules)).unwrap();
        let session = Session::start(&game, &Setup::seats(3).seed(seed)).unwrap();
        let (table, model) = (session.table(), session.model());
        let hand = model.zones.iter().position(|zone| &*zone.path == "hand").unwrap();
        let hand = parlour::model::ZoneId::at(hand);
        let drawn: Vec<_> = table.pieces(hand).collect();
        assert!(drawn.iter().all(|piece| table.knowers(*piece) == 1), "the owner alone knows what was drawn");
        let mut drawn: Vec<String> =
            drawn.iter().map(|piece| model.component(table.component(*piece)).id.to_string()).collect();
        drawn.sort();
        drawn
    };
    let all: std::collections::BTreeSet<Vec<String>> = (0..30).map(with_bag).collect();
    assert!(all.len() > 5, "{all:?}");
    assert_eq!(with_bag(7), with_bag(7));
}

/// The sampler with its cards in a bag instead of the deck.
fn with_a_bag(rules: &str) -> Vec<(String, String)> {
    let mut texts = sampler::texts(rules);
    let sack = "[zones.sack]\nshape = \"bag\"\nstarts_with = [\"card\"]\n[zones.discard]";
    for (_, text) in &mut texts {
        *text = text.replace("starts_with = [\"card\"]\n", "").replacen("[zones.discard]", sack, 1);
    }
    texts
}

/// Whether so many draws are as even as at random: chi-square, below a bound that fair draws pass in all but one case of
/// 100,000. `fair` is what each is drawn for every `whole` draws.
fn is_fair(drawn: &[u64], fair: &[u64], bound: u64) -> bool {
    let (all, whole) = (drawn.iter().sum::<u64>(), fair.iter().sum::<u64>());
    // Each in hundredths: (found − expected)² / expected.
    let terms = drawn.iter().zip(fair).map(|(found, share)| {
        let off = (found * whole).abs_diff(all * share);
        off * off * 100 / (all * share * whole)
    });
    terms.sum::<u64>() < bound * 100
}

/// Every piece of a bag is drawn as often as any other, over many seeds, whichever draw it is.
#[test]
fn a_bag_is_fair() {
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

/// What a bag gives next in the worlds that a seat imagines is at random among all it cannot tell: neither what it gives in the
/// game, nor in an order. In every position of a few games.
#[test]
fn worlds_imagined_draw_from_a_bag_at_random() {
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
            // What the seat cannot tell apart: what is in the bag and in the hands of the others.
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
                "what cannot be in the bag came out of it: {drawn:?} of {fair:?}"
            );
            assert!(is_fair(&drawn, &fair, 30), "{seat:?}, seed {seed}: {drawn:?} of {fair:?}");
            session.choose(0).unwrap();
        }
    }
}
