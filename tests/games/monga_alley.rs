//! Invariants of Monga Alley over whole games (section 15 of the specification).

use crate::finished_game::{FinishedGame, evaluate, holds};
use parlour::model::{Language, Model, PieceId, Seat, SpaceId, ZoneId};
use parlour::session::{Choice, Decision, EventKind, Game, Session, Setup, Status};
use parlour::table::{Chance, Holder, Table};
use parlour::wording::Wording;
use std::collections::BTreeSet;
use std::sync::Arc;

fn game() -> Game {
    parlour::load(concat!(env!("CARGO_MANIFEST_DIR"), "/games/monga-alley")).unwrap()
}

/// Queries on the map of a table.
struct MapQuery {
    district: usize,
    size: usize,
    lasting: usize,
    map: ZoneId,
    tokens: ZoneId,
}

impl MapQuery {
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
        table.spaces(self.map).filter(|space| table.visible_piece(*space).is_some()).count()
    }

    fn lasting(&self, table: &Table) -> BTreeSet<SpaceId> {
        let lasts =
            |space: &SpaceId| table.cell_field(*space, self.lasting) == Some(&parlour::model::FieldValue::Flag(true));
        table.spaces(self.map).filter(lasts).collect()
    }

    fn is_temple(&self, table: &Table, space: SpaceId) -> bool {
        matches!(table.cell_field(space, self.district), Some(parlour::model::FieldValue::Nothing))
    }

    /// Returns the id of the district in which a token is.
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

/// Plays a game whose options are chosen by [`pick`].
fn play_game(players: u8, seed: u64) -> FinishedGame {
    let (game, setup) = (game(), Setup::seats(players).seed(seed));
    let layout = game.layout(&setup).unwrap();
    FinishedGame::play_with(&game, &setup, |decision, chance| pick(&layout.model, decision, chance))
}

/// Chooses an option at random. Rarely chooses an option that takes a hostess back, so that there are hostesses to fight for.
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

/// Plays random games. Calls `look` before each answer, with a function that returns the session after the answer.
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
fn invariant_3_protected_blocks_stay_visible_and_the_map_never_shrinks() {
    watch(4, 3, |before, _, after| {
        let after = after();
        let map_query = MapQuery::new(before.table());
        assert!(map_query.lasting(before.table()).is_subset(&map_query.lasting(after.table())));
        assert!(map_query.laid(before.table()) <= map_query.laid(after.table()));
    });
}

#[test]
fn invariant_6_a_placement_changes_areas_of_others_only_by_a_merge() {
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
        let map_query = MapQuery::new(before.table());
        for seat in before.model().all_seats().filter(|seat| *seat != decision.seat) {
            let tokens = map_query.tokens(before.table(), seat);
            assert_eq!(tokens, map_query.tokens(after.table(), seat));
            for token in tokens {
                looked += 1;
                assert_eq!(map_query.size(before.table(), token), map_query.size(after.table(), token));
                let alone = map_query.area(after.table(), token);
                let others = after.model().all_seats().flat_map(|seat| map_query.tokens(after.table(), seat));
                let ground = |piece: PieceId| after.table().layout().ground_space(after.table().space_of(piece));
                assert_eq!(others.filter(|other| alone.contains(&ground(*other))).count(), 1, "one token per area");
            }
        }
    });
    assert!(looked > 50, "too few areas were compared: {looked}");
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
fn invariant_5_an_area_has_at_most_one_hostess_after_a_placement() {
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
        let finished = play_game(players, 8);
        let display = finished.model().find_family("display").unwrap();
        let display = ZoneId(finished.model().family(display).zones.start);
        let mut taken = 0;
        for event in finished.events() {
            match &event.kind {
                EventKind::Moved { look, .. } if finished.model().space(look.space).zone == display => taken += 1,
                EventKind::Round(round) => assert_eq!(taken, (round - 1) * i64::from(players), "round {round}"),
                _ => {}
            }
        }
        assert_eq!(taken, 5 * i64::from(players), "one tile per turn");
    }
}

#[test]
fn invariant_9_neither_driver_nor_police_return_to_the_temple() {
    let mut returned_to_others = 0;
    watch(2, 3, |before, _, after| {
        let after = after();
        let map_query = MapQuery::new(before.table());
        let figures = ZoneId(before.model().family(before.model().find_family("figures").unwrap()).zones.start);
        for figure in before.table().pieces(figures) {
            let (was, is) = (before.table().space_of(figure), after.table().space_of(figure));
            let is_temple = |session: &Session, space| map_query.is_temple(session.table(), space);
            assert!(is_temple(before, was) || !is_temple(&after, is), "a figure has come back to the temple");
            returned_to_others += u32::from(was != is && !is_temple(before, was));
        }
    });
    assert!(returned_to_others > 10, "too few figures walked on: {returned_to_others}");
}

/// Returns the facts of the last announcement called `name`.
fn last_announcement<'s>(session: &'s Session, name: &str) -> Option<&'s Arc<[(Arc<str>, Choice)]>> {
    let wanted = session.model().find_say(name).unwrap();
    session.events().iter().rev().find_map(|event| match &event.kind {
        EventKind::Said { say, facts, .. } if *say == wanted => Some(facts),
        _ => None,
    })
}

/// Returns the number of announcements called `name`.
fn count_announcements(session: &Session, name: &str) -> usize {
    let wanted = session.model().find_say(name).unwrap();
    let is_it = |what: &EventKind| matches!(what, EventKind::Said { say, .. } if *say == wanted);
    session.events().iter().filter(|event| is_it(&event.kind)).count()
}

fn fact<'f>(facts: &'f [(Arc<str>, Choice)], name: &str) -> &'f Choice {
    &facts.iter().find(|(known, _)| **known == *name).unwrap().1
}

fn seat_in(facts: &[(Arc<str>, Choice)], name: &str) -> Seat {
    let Choice::Seat(seat) = fact(facts, name) else { panic!("{name} is not a seat") };
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
        let is_won = count_announcements(&after, "won") > count_announcements(before, "won");
        if !is_won && count_announcements(&after, "lost") == count_announcements(before, "lost") {
            return;
        }
        let facts = last_announcement(&after, "fight").unwrap().clone();
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
fn invariant_10_a_turn_has_at_most_one_merge_fight_and_one_driver_fight() {
    let mut fights = 0;
    for seed in 0..6 {
        let finished = play_game(4, seed);
        let fight = finished.model().find_say("fight").unwrap();
        let driver = finished.model().find_component("driver").unwrap();
        let is_on_map =
            |space: SpaceId| &*finished.model().family_of(finished.model().space(space).zone).id == "figures";
        let (mut has_walked, mut since) = (false, 0);
        for event in finished.events() {
            match &event.kind {
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

/// Calculates from the map how much a raid adds to each record.
fn expected_raid(session: &Session) -> Vec<i64> {
    let map_query = MapQuery::new(session.table());
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
            let tokens = map_query.tokens(table, seat).into_iter();
            let of_district = tokens.filter(|token| map_query.district_of(table, *token) == Some(word(name)));
            of_district.map(|token| map_query.size(table, token)).max().unwrap_or(0)
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
fn invariant_11_a_raid_raises_only_the_records_of_the_largest_areas() {
    let (mut hit, mut missed) = (0, 0);
    watch(3, 12, |before, decision, after| {
        if name(before, decision) != "police" {
            return;
        }
        let (mut after, mut before) = (after(), before.fork());
        let is_fight = count_announcements(&after, "fight") > count_announcements(&before, "fight");
        if is_fight || count_announcements(&after, "raid") == count_announcements(&before, "raid") {
            return;
        }
        let records = |session: &mut Session| -> Vec<i64> {
            let number = |seat: usize| match evaluate(session, format!("seats[{seat}].record")) {
                Choice::Number(number) => number,
                other => panic!("{other:?} is not a number"),
            };
            (0..3).map(number).collect()
        };
        let (old, new) = (records(&mut before), records(&mut after));
        let raised: Vec<i64> = old.iter().zip(new).map(|(old, new)| new - old).collect();
        assert_eq!(raised, expected_raid(&after));
        (hit, missed) = (hit + i32::from(raised.iter().any(|r| *r > 0)), missed + i32::from(raised == [0; 3]));
    });
    assert!(hit > 5 && missed > 0, "{hit} raids hit somebody, {missed} nobody");
}

#[test]
fn invariant_12_scores_are_numbers_times_sizes_times_values_minus_the_record() {
    let mut earned = 0;
    for seed in 0..4 {
        let mut session = play_game(5, seed).session;
        let map_query = MapQuery::new(session.table());
        for seat in session.model().all_seats() {
            let mut total = 0;
            for token in map_query.tokens(session.table(), seat) {
                let table = session.table();
                let number = match &*session.model().component(table.component(token)).id {
                    "hostess_2" => 2,
                    "hostess_3" => 3,
                    _ => 4,
                };
                let value = match map_query.district_of(table, token).unwrap() {
                    "residential" => 0,
                    "commercial" => 1,
                    "gambling" => 2,
                    _ => 3,
                };
                total += number * map_query.size(table, token) * value;
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

/// Returns whether choosing the option at index `at` leads to a decision to commit tiles to a fight.
fn leads_to_a_fight(session: &Session, at: usize) -> bool {
    let mut next = session.fork();
    next.choose(at).unwrap();
    matches!(next.status(), Status::Waiting(open) if name(&next, open) == "commit")
}

/// A move that the log entry of an answer describes is not logged again, for any reader. The results of raids and fights are logged.
#[test]
fn moves_of_a_turn_are_logged_once() {
    let mut takes = 0;
    for seed in 0..3 {
        let finished = play_game(3, seed);
        let setup = finished.session.setup().clone();
        let wording = Wording::new(finished.session.model().clone(), setup, Language::English);
        for seat in finished.model().all_seats() {
            let lines = wording.clone().for_seat(seat).narrate(finished.events());
            for line in &lines {
                let has = |text: &str| line.contains(text);
                assert!(!(has("police →") || has(" takes ") && has("→")), "{line}");
            }
            takes += lines.iter().filter(|line| line.contains(" takes D") || line.contains(" takes W")).count();
            let count = |text: &str| lines.iter().filter(|line| line.contains(text)).count();
            assert_eq!(count("holds the police die and begins"), 5, "one player begins in each round");
            let results = count("wins the area") + count("holds the area");
            assert_eq!(count(" fights "), 3 * results, "each fight logs both sides and the winner");
        }
    }
    assert!(takes > 30, "too few tiles were taken: {takes}");
}
