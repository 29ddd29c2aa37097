//! Invariants of Monga Alley about the course of a game (specification 15).

#![allow(clippy::unwrap_used, reason = "tests are to be read")]

use parlour::model::{PieceId, Seat, SpaceId, ZoneId};
use parlour::session::{Choice, Decision, Game, Happening, Session, Setup, Status};
use parlour::table::{Chance, Holder, Table};
use std::collections::BTreeSet;

fn game() -> Game {
    parlour::load(concat!(env!("CARGO_MANIFEST_DIR"), "/games/monga-alley")).unwrap()
}

/// What a test asks of a table.
struct Looker {
    district: usize,
    size: usize,
    lasting: usize,
    map: ZoneId,
    tokens: ZoneId,
}

impl Looker {
    fn new(table: &Table) -> Self {
        let model = table.model();
        let field = |name| model.cells.find_field(name).unwrap();
        let zone = |name| ZoneId(model.family(model.find_family(name).unwrap()).zones.start);
        Self {
            district: field("district"),
            size: field("size"),
            lasting: field("lasting"),
            map: zone("map"),
            tokens: zone("tokens"),
        }
    }

    fn laid(&self, table: &Table) -> usize {
        table.spaces(self.map).filter(|space| table.shows(*space).is_some()).count()
    }

    fn lasting(&self, table: &Table) -> BTreeSet<SpaceId> {
        let lasts =
            |space: &SpaceId| table.cell_field(*space, self.lasting) == Some(&parlour::model::FieldValue::Flag(true));
        table.spaces(self.map).filter(lasts).collect()
    }

    fn tokens(&self, table: &Table, seat: Seat) -> Vec<PieceId> {
        table.pieces(ZoneId(self.tokens.0 + u16::from(seat.0))).collect()
    }

    fn area(&self, table: &Table, token: PieceId) -> Vec<SpaceId> {
        table.region(table.layout().ground_space(table.space_of(token)), self.district)
    }

    fn size(&self, table: &Table, token: PieceId) -> i64 {
        let number = |space: &SpaceId| match table.cell_field(*space, self.size) {
            Some(parlour::model::FieldValue::Number(number)) => *number,
            _ => 0,
        };
        self.area(table, token).iter().map(number).sum()
    }
}

fn name<'s>(session: &'s Session, decision: &Decision) -> &'s str {
    &session.model().decisions[decision.id.index()].id
}

/// An option by lot; hostesses are seldom taken back, so that they are there to be fought for.
fn pick(session: &Session, decision: &Decision, chance: &mut Chance) -> usize {
    let count = decision.count();
    for _ in 0..8 {
        let at = chance.below(count as u32) as usize;
        let choice = decision.option(at);
        let takes_back = choice.part("recall").is_some() || name(session, decision) == "recall";
        if !takes_back || choice == Choice::Nothing {
            return at;
        }
    }
    count - 1
}

/// Plays games at random and looks at the session before and after each choice.
fn watch(players: u8, games: u64, mut look: impl FnMut(&Session, &Decision, &mut dyn FnMut() -> Session)) {
    let game = game();
    for seed in 0..games {
        let mut session = Session::start(&game, &Setup::seats(players).seed(seed)).unwrap();
        let mut chance = Chance::new(seed, "choices");
        while let Status::Waiting(decision) = session.status() {
            let decision = decision.clone();
            let at = pick(&session, &decision, &mut chance);
            let mut next = session.fork();
            next.choose(at).unwrap();
            look(&session, &decision, &mut || next.fork());
            session = next;
        }
        assert!(session.outcome().is_some(), "{:?}", session.status());
    }
}

#[test]
fn invariant_3_protected_blocks_stay_in_sight_and_the_map_never_shrinks() {
    watch(4, 3, |before, _, after| {
        let after = after();
        let looker = Looker::new(before.table());
        assert!(looker.lasting(before.table()).is_subset(&looker.lasting(after.table())));
        assert!(looker.laid(before.table()) <= looker.laid(after.table()));
    });
}

#[test]
fn invariant_6_a_placement_changes_no_area_of_another_player_but_by_a_merge() {
    let mut looked = 0;
    watch(3, 6, |before, decision, after| {
        if name(before, decision) != "place" {
            return;
        }
        let after = after();
        let Status::Waiting(next) = after.status() else { return };
        if next.seat != decision.seat || !matches!(name(&after, next), "move" | "order") {
            return;
        }
        let looker = Looker::new(before.table());
        for seat in before.model().all_seats().filter(|seat| *seat != decision.seat) {
            let tokens = looker.tokens(before.table(), seat);
            assert_eq!(tokens, looker.tokens(after.table(), seat));
            for token in tokens {
                looked += 1;
                assert_eq!(looker.size(before.table(), token), looker.size(after.table(), token));
                let alone = looker.area(after.table(), token);
                let others = after.model().all_seats().flat_map(|seat| looker.tokens(after.table(), seat));
                let ground = |piece: PieceId| after.table().layout().ground_space(after.table().space_of(piece));
                assert_eq!(others.filter(|other| alone.contains(&ground(*other))).count(), 1, "one token an area");
            }
        }
    });
    assert!(looked > 50, "too few areas were looked at: {looked}");
}

#[test]
fn invariant_7_records_are_multiples_of_five_and_never_fall() {
    let mut raised = 0;
    watch(4, 4, |before, _, after| {
        let after = after();
        let record = before.model().values.iter().position(|value| &*value.id == "record").unwrap();
        let id = parlour::model::ValueId::at(record);
        for seat in before.model().all_seats() {
            let of = |session: &Session| {
                let table = session.table();
                table.value(table.slot(id, Holder::Seat(seat)).unwrap())
            };
            assert_eq!(of(before) % 5, 0);
            assert!(of(before) <= of(&after));
            raised += u32::from(of(before) < of(&after));
        }
    });
    assert!(raised > 0);
}

#[test]
fn invariant_10_a_turn_has_two_fights_at_most_and_the_winner_holds_the_area() {
    let mut fights = 0;
    let game = game();
    for seed in 0..6 {
        let mut session = Session::start(&game, &Setup::seats(4).seed(seed)).unwrap();
        let mut chance = Chance::new(seed, "choices");
        while let Status::Waiting(decision) = session.status() {
            let at = pick(&session, &decision.clone(), &mut chance);
            session.choose(at).unwrap();
        }
        let fight = session.model().find_say("fight").unwrap();
        let mut in_turn = 0;
        for event in session.events() {
            match &event.what {
                Happening::Step => in_turn = 0,
                Happening::Said { say, .. } if *say == fight => {
                    in_turn += 1;
                    fights += 1;
                    assert!(in_turn <= 2, "more than two fights in one turn");
                }
                _ => {}
            }
        }
    }
    assert!(fights > 5, "too few fights: {fights}");
}

#[test]
fn placements_that_merge_areas_lead_to_a_fight() {
    let game = game();
    let mut merges = 0;
    for seed in 0..30 {
        let mut session = Session::start(&game, &Setup::seats(2).seed(seed)).unwrap();
        let mut chance = Chance::new(seed, "choices");
        while let Status::Waiting(decision) = session.status() {
            let decision = decision.clone();
            let mut at = pick(&session, &decision, &mut chance);
            // Placements that merge areas are listed after all others.
            let last = (0..decision.count()).rev().find(|at| decision.option(*at).part("piece").is_some());
            if let Some(last) = last.filter(|at| leads_to_a_fight(&session, *at)) {
                merges += 1;
                at = last;
            }
            session.choose(at).unwrap();
        }
    }
    assert!(merges > 0);
}

/// Whether tiles are committed right after a choice.
fn leads_to_a_fight(session: &Session, at: usize) -> bool {
    let mut next = session.fork();
    next.choose(at).unwrap();
    matches!(next.status(), Status::Waiting(open) if name(&next, open) == "commit")
}
