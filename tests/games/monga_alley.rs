//! Invariants of Monga Alley about the course of a game (specification 15).

use crate::course::{Course, evaluate, holds};
use parlour::model::{Language, Model, PieceId, Seat, SpaceId, ZoneId};
use parlour::session::{Choice, Decision, EventKind, Game, Session, Setup, Status};
use parlour::table::{Chance, Holder, Table};
use parlour::wording::Wording;
use std::collections::BTreeSet;
use std::sync::Arc;

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

    fn is_temple(&self, table: &Table, space: SpaceId) -> bool {
        matches!(table.cell_field(space, self.district), Some(parlour::model::FieldValue::Nothing))
    }

    /// The district a token lies in, by its name.
    fn district_of(&self, table: &Table, token: PieceId) -> Option<&'static str> {
        match table.cell_field(table.space_of(token), self.district)? {
            parlour::model::FieldValue::Component(district) => {
                let id = &*table.model().component(*district).id;
                ["residential", "commercial", "gambling", "red_light"].into_iter().find(|known| *known == id)
            }
            _ => None,
        }
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

/// A whole game at random in which hostesses are seldom taken back.
fn course(players: u8, seed: u64) -> Course {
    let (game, setup) = (game(), Setup::seats(players).seed(seed));
    let layout = game.layout(&setup).unwrap();
    Course::played(&game, &setup, |decision, chance| pick(&layout.model, decision, chance))
}

/// An option at random; hostesses are seldom taken back, so that they are there to be fought for.
fn pick(model: &Model, decision: &Decision, chance: &mut Chance) -> usize {
    let count = decision.count();
    for _ in 0..8 {
        let at = chance.below(count as u32) as usize;
        let choice = decision.option(at);
        let takes_back = choice.part("recall").is_some() || &*model.decisions[decision.id.index()].id == "recall";
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
            let at = pick(session.model(), &decision, &mut chance);
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
fn invariant_5_an_area_bears_one_hostess_but_while_a_placement_is_settled() {
    let mut looked = 0;
    watch(3, 4, |before, decision, _| {
        if matches!(name(before, decision), "keep" | "commit") {
            return;
        }
        let mut before = before.fork();
        let shared = "tokens_of(seats).filter(|token| tokens_of(seats).standing_on(area(token)).count() > 1)";
        assert!(holds(&mut before, format!("{shared}.is_empty()")));
        looked += u32::from(holds(&mut before, "tokens_of(seats).count() > players"));
    });
    assert!(looked > 50, "too few positions with many hostesses: {looked}");
}

#[test]
fn invariant_8_every_tile_of_the_round_deck_is_taken_in_its_round() {
    for players in 2..=5 {
        let course = course(players, 8);
        let display = course.model().find_family("display").unwrap();
        let display = ZoneId(course.model().family(display).zones.start);
        let mut taken = 0;
        for event in course.events() {
            match &event.what {
                EventKind::Moved { look, .. } if course.model().space(look.space).zone == display => taken += 1,
                EventKind::Round(round) => assert_eq!(taken, (round - 1) * i64::from(players), "round {round}"),
                _ => {}
            }
        }
        assert_eq!(taken, 5 * i64::from(players), "one tile a turn");
    }
}

#[test]
fn invariant_9_neither_driver_nor_police_return_to_the_temple() {
    let mut returned_to_others = 0;
    watch(2, 3, |before, _, after| {
        let after = after();
        let looker = Looker::new(before.table());
        let figures = ZoneId(before.model().family(before.model().find_family("figures").unwrap()).zones.start);
        for figure in before.table().pieces(figures) {
            let (was, is) = (before.table().space_of(figure), after.table().space_of(figure));
            let is_temple = |session: &Session, space| looker.is_temple(session.table(), space);
            assert!(is_temple(before, was) || !is_temple(&after, is), "a figure has come back to the temple");
            returned_to_others += u32::from(was != is && !is_temple(before, was));
        }
    });
    assert!(returned_to_others > 10, "too few figures walked on: {returned_to_others}");
}

/// What was said last with a name: its facts.
fn last_said<'s>(session: &'s Session, name: &str) -> Option<&'s Arc<[(Arc<str>, Choice)]>> {
    let wanted = session.model().find_say(name).unwrap();
    session.events().iter().rev().find_map(|event| match &event.what {
        EventKind::Said { say, facts, .. } if *say == wanted => Some(facts),
        _ => None,
    })
}

fn count_said(session: &Session, name: &str) -> usize {
    let wanted = session.model().find_say(name).unwrap();
    let is_it = |what: &EventKind| matches!(what, EventKind::Said { say, .. } if *say == wanted);
    session.events().iter().filter(|event| is_it(&event.what)).count()
}

fn fact<'f>(facts: &'f [(Arc<str>, Choice)], name: &str) -> &'f Choice {
    &facts.iter().find(|(known, _)| **known == *name).unwrap().1
}

fn seat_in(facts: &[(Arc<str>, Choice)], name: &str) -> Seat {
    let Choice::Seat(seat) = fact(facts, name) else { panic!("{name} is no seat") };
    *seat
}

#[test]
fn invariants_2_and_10_a_fights_winner_holds_the_area_and_both_sides_draw_up() {
    let (mut won, mut lost) = (0, 0);
    watch(4, 6, |before, decision, after| {
        if name(before, decision) != "commit" {
            return;
        }
        let mut after = after();
        let is_won = count_said(&after, "won") > count_said(before, "won");
        if !is_won && count_said(&after, "lost") == count_said(before, "lost") {
            return;
        }
        let facts = last_said(&after, "fight").unwrap().clone();
        let (attacker, defender) = (seat_in(&facts, "attacker"), seat_in(&facts, "defender"));
        let (winner, loser) = if is_won { (attacker, defender) } else { (defender, attacker) };
        let (Choice::Number(size), Choice::Component(district)) = (fact(&facts, "size"), fact(&facts, "district"))
        else {
            panic!("a fight is for an area")
        };
        let district = after.model().component(*district).id.clone();
        let holder = |seat: Seat| format!("seats[{}]", seat.index());
        let fought = format!("size(area(token)) == {size} && token.space.district == component(\"{district}\")");
        let holds_area = format!("!{}.tokens.filter(|token| {fought}).is_empty()", holder(winner));
        assert!(holds(&mut after, holds_area), "the winner holds the area");
        let drawn_up = |seat| format!("{}.hand.count() >= topped_up_to || supply.is_empty()", holder(seat));
        assert!(holds(&mut after, drawn_up(winner)) && holds(&mut after, drawn_up(loser)), "both draw up");
        (won, lost) = (won + u32::from(is_won), lost + u32::from(!is_won));
    });
    assert!(won > 3 && lost > 3, "too few fights: {won} won, {lost} lost");
}

#[test]
fn invariant_10_a_turn_has_one_merge_fight_and_one_driver_fight_at_most() {
    let mut fights = 0;
    for seed in 0..6 {
        let course = course(4, seed);
        let fight = course.model().find_say("fight").unwrap();
        let driver = course.model().find_component("driver").unwrap();
        let is_on_map = |space: SpaceId| &*course.model().family_of(course.model().space(space).zone).id == "figures";
        let (mut has_walked, mut since) = (false, 0);
        for event in course.events() {
            match &event.what {
                EventKind::Step => (has_walked, since) = (false, 0),
                EventKind::Moved { look, .. } if look.component == driver && is_on_map(look.space) => {
                    assert!(!has_walked, "a driver walks once a turn");
                    (has_walked, since) = (true, 0);
                }
                EventKind::Said { say, .. } if *say == fight => {
                    (since, fights) = (since + 1, fights + 1);
                    assert_eq!(since, 1, "one fight before the driver walks and one after");
                }
                _ => {}
            }
        }
    }
    assert!(fights > 5, "too few fights: {fights}");
}

/// What a raid adds to every record, counted from the map alone.
fn raided(session: &Session) -> Vec<i64> {
    let looker = Looker::new(session.table());
    let die = session
        .table()
        .pieces(ZoneId(session.model().family(session.model().find_family("die_tray").unwrap()).zones.start));
    let die = die.last().unwrap();
    let face = &session.model().component(session.table().component(die)).faces;
    let parlour::model::FieldValue::List(names) = &face[session.table().turned(die) as usize] else {
        panic!("a face names districts")
    };
    let mut raised = vec![0; session.model().all_seats().count()];
    let word = |name: &parlour::model::FieldValue| match name {
        parlour::model::FieldValue::Component(district) => &*session.model().component(*district).id,
        _ => panic!("a face names districts"),
    };
    for name in names {
        let largest = |seat: Seat| {
            let table = session.table();
            let tokens = looker.tokens(table, seat).into_iter();
            let of_district = tokens.filter(|token| looker.district_of(table, *token) == Some(word(name)));
            of_district.map(|token| looker.size(table, token)).max().unwrap_or(0)
        };
        let sizes: Vec<i64> = session.model().all_seats().map(largest).collect();
        let most = *sizes.iter().max().unwrap();
        for (seat, size) in sizes.iter().enumerate().filter(|(_, size)| **size == most && most > 0) {
            raised[seat] += (size + 4) / 5 * 5;
        }
    }
    raised
}

#[test]
fn invariant_11_a_raid_raises_the_records_of_the_largest_areas_alone() {
    let (mut hit, mut missed) = (0, 0);
    watch(3, 12, |before, decision, after| {
        if name(before, decision) != "police" {
            return;
        }
        let (mut after, mut before) = (after(), before.fork());
        let is_fight = count_said(&after, "fight") > count_said(&before, "fight");
        if is_fight || count_said(&after, "raid") == count_said(&before, "raid") {
            return;
        }
        let records = |session: &mut Session| -> Vec<i64> {
            let number = |seat: usize| match evaluate(session, format!("seats[{seat}].record")) {
                Choice::Number(number) => number,
                other => panic!("{other:?} is no number"),
            };
            (0..3).map(number).collect()
        };
        let (old, new) = (records(&mut before), records(&mut after));
        let raised: Vec<i64> = old.iter().zip(new).map(|(old, new)| new - old).collect();
        assert_eq!(raised, raided(&after));
        (hit, missed) = (hit + i32::from(raised.iter().any(|r| *r > 0)), missed + i32::from(raised == [0; 3]));
    });
    assert!(hit > 5 && missed > 0, "{hit} raids hit, {missed} nobody");
}

#[test]
fn invariant_12_scores_are_numbers_times_sizes_times_values_less_the_record() {
    let mut earned = 0;
    for seed in 0..4 {
        let mut session = course(5, seed).session;
        let looker = Looker::new(session.table());
        for seat in session.model().all_seats() {
            let mut total = 0;
            for token in looker.tokens(session.table(), seat) {
                let table = session.table();
                let number = match &*session.model().component(table.component(token)).id {
                    "hostess_2" => 2,
                    "hostess_3" => 3,
                    _ => 4,
                };
                let value = match looker.district_of(table, token).unwrap() {
                    "residential" => 0,
                    "commercial" => 1,
                    "gambling" => 2,
                    _ => 3,
                };
                total += number * looker.size(table, token) * value;
                earned += i64::from(value > 0);
            }
            let record = evaluate(&mut session, format!("seats[{}].record", seat.index()));
            let standing = &session.outcome().unwrap().standings[seat.index()];
            assert_eq!(Choice::Number(total - standing.score), record);
        }
    }
    assert!(earned > 10, "too few hostesses earned anything: {earned}");
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
            let mut at = pick(session.model(), &decision, &mut chance);
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

/// A move that a choice has told is not told again, to whoever reads, and what comes of a raid or a fight always is.
#[test]
fn a_turn_is_told_once() {
    let mut takes = 0;
    for seed in 0..3 {
        let course = course(3, seed);
        let setup = course.session.setup().clone();
        let wording = Wording::new(course.session.model().clone(), setup, Language::English);
        for seat in course.model().all_seats() {
            let told = wording.clone().for_seat(seat).narrate(course.events());
            for line in &told {
                let tells = |what: &str| line.contains(what);
                assert!(!(tells("police →") || tells(" takes ") && tells("→")), "{line}");
            }
            takes += told.iter().filter(|line| line.contains(" takes D") || line.contains(" takes W")).count();
            let begun = |text: &str| told.iter().filter(|line| line.contains(text)).count();
            assert_eq!(begun("holds the police die and begins"), 5, "one who begins in every round");
            assert_eq!(
                begun(" fights "),
                3 * (begun("wins the area") + begun("holds the area")),
                "both sides, and who won"
            );
        }
    }
    assert!(takes > 30, "too few tiles were taken: {takes}");
}
