//! Worlds are all deals of the cards that look the same to a seat, each as often as the others: held against dealing
//! every order of a small deck.

use super::conclusions::concluded_by;
use super::*;
use crate::diagnostic::{Diagnostic, Place};
use crate::table::knowledge::domain::Domains;
use crate::table::knowledge::imagine::Deal;
use crate::table::knowledge::taught::Taught;
use crate::table::knowledge::{every, walk};
use crate::table::{Judges, Undealt};
use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};

/// A condition of a test.
struct Says(fn(&Table, Option<PieceId>) -> bool);

impl std::fmt::Debug for Says {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Says")
    }
}

impl Condition for Says {
    fn place(&self) -> Option<Place> {
        None
    }

    fn names_pieces(&self) -> bool {
        false
    }
}

struct Asks;

impl Judges for Asks {
    fn judge(&self) -> std::boxed::Box<dyn Judge + '_> {
        std::boxed::Box::new(Self)
    }
}

impl Judge for Asks {
    fn holds(
        &mut self,
        condition: &dyn Condition,
        table: &mut Table,
        piece: Option<PieceId>,
    ) -> Result<bool, std::boxed::Box<Diagnostic>> {
        let says = (condition as &dyn Any).downcast_ref::<Says>().unwrap();
        Ok(says.0(table, piece))
    }
}

impl Table {
    /// Teaches something, if it holds.
    fn taught(
        &mut self,
        seats: SeatSet,
        pieces: &[PieceId],
        is_each: bool,
        says: fn(&Table, Option<PieceId>) -> bool,
    ) -> bool {
        let lesson = self.lesson(seats, pieces, is_each, Arc::new(Says(says)));
        let holds = lesson.is_true(&mut Asks).unwrap();
        if holds {
            self.learn(lesson, |_, _| says as usize as u64);
        }
        holds
    }

    /// Teaches of pieces together that something holds, or that it does not.
    fn taught_whether(&mut self, seats: SeatSet, pieces: &[PieceId], says: [fn(&Table, Option<PieceId>) -> bool; 2]) {
        assert!(self.taught(seats, pieces, false, says[0]) || self.taught(seats, pieces, false, says[1]));
    }

    fn in_hand(&self, seat: u8) -> Vec<PieceId> {
        self.stack(self.hand(seat)).collect()
    }

    fn number(&self, piece: PieceId) -> u16 {
        self.component(piece).0
    }

    fn sum(&self, seat: u8) -> u16 {
        self.stack(self.hand(seat)).map(|piece| self.number(piece)).sum()
    }

    fn play(&mut self, piece: PieceId) {
        self.move_piece(piece, self.space_named("discard"), End::Top, None).unwrap();
    }
}

/// What lies where, as far as a world says: a hand in no order.
type Lie = Vec<Vec<u16>>;

fn lie(table: &Table) -> Lie {
    let of = |index: usize| {
        let space = SpaceId::at(index);
        let mut all: Vec<u16> = table.stack(space).map(|piece| table.number(piece)).collect();
        if table.layout.traits_of(table.layout.zone_of(space)).unordered {
            all.sort_unstable();
        }
        all
    };
    (0..table.stacks.len()).map(of).collect()
}

/// What happens at a table; nothing where something is said that does not hold.
type Script = fn(&mut Table) -> bool;

/// A shuffled deck of three seats, on which the cards lie in an order.
fn dealt(counts: &[u16], order: &[Print]) -> Table {
    let mut table = cards(3, counts).table(1);
    let deck = table.space_named("deck");
    table.shuffle(deck);
    let places: Vec<PieceId> = table.stack(deck).collect();
    for (place, print) in places.into_iter().zip(order) {
        table.pieces[place.index()].face.print = *print;
    }
    table
}

/// Every order of some cards, alike ones told apart.
fn orders(prints: &[Print]) -> Vec<Vec<Print>> {
    if prints.is_empty() {
        return vec![vec![]];
    }
    let with_first = |first: usize| {
        let rest: Vec<Print> = prints.iter().enumerate().filter(|(at, _)| *at != first).map(|(_, one)| *one).collect();
        orders(&rest).into_iter().map(move |order| [vec![prints[first]], order].concat())
    };
    (0..prints.len()).flat_map(with_first).collect()
}

/// A table after a script, and how often each way to lie comes about among all orders of the deck that look the same to a seat.
fn every_deal(counts: &[u16], script: Script, seat: Seat, which: usize) -> (Table, BTreeMap<Lie, u32>) {
    let mut tables = alike_tables(counts, script, seat, which);
    let mut found = BTreeMap::new();
    for table in &tables {
        check(table);
        *found.entry(lie(table)).or_insert(0) += 1;
    }
    (tables.swap_remove(0), found)
}

/// A table after a script for every order of the deck that looks the same to a seat, first for one of all orders.
fn alike_tables(counts: &[u16], script: Script, seat: Seat, which: usize) -> Vec<Table> {
    let prints: Vec<Print> = {
        let table = cards(3, counts).table(1);
        table.stack(table.space_named("deck")).map(|piece| table.print_of(piece)).collect()
    };
    let mut tables: Vec<Table> = orders(&prints).iter().map(|order| dealt(counts, order)).collect();
    tables.retain_mut(script);
    let truth = tables[which % tables.len()].clone();
    // What a seat knows of pieces it can follow, too: which of its cards came when.
    let followed = |table: &Table| -> Vec<Option<Print>> {
        let knows = |piece: PieceId| table.knowers(piece) & Layout::only(seat) != 0;
        table.all_pieces().map(|piece| knows(piece).then(|| table.print_of(piece))).collect()
    };
    let looks =
        |table: &Table| (table.digests(Some(seat)), View::memory(table, Some(seat)).describe(), followed(table));
    let wanted = looks(&truth);
    tables.retain(|table| looks(table) == wanted);
    let at = tables.iter().position(|table| lie(table) == lie(&truth)).unwrap();
    tables.swap(0, at);
    tables
}

/// So many worlds are imagined for each way to lie.
const PER_LIE: u32 = 30;

/// Whether worlds come about as often as they should: Pearson's sum of squares, here in thousandths, has `freedom` for its mean and
/// `2 freedom` for its variance, and is beyond five deviations and 30 more less than once in a million times.
fn are_as_often(expected: &BTreeMap<Lie, u32>, mut world: impl FnMut() -> Table) -> Result<(), String> {
    let all: u32 = expected.values().sum();
    let many = PER_LIE * expected.len() as u32;
    let mut seen: BTreeMap<Lie, u32> = BTreeMap::new();
    for _ in 0..many {
        *seen.entry(lie(&world())).or_insert(0) += 1;
    }
    if let Some(odd) = seen.keys().find(|lie| !expected.contains_key(*lie)) {
        return Err(format!("no deal comes to {odd:?}"));
    }
    let sum: u64 = expected
        .iter()
        .map(|(lie, times)| {
            let wanted = u64::from(many) * u64::from(*times) * 1_000 / u64::from(all);
            let got = 1_000 * u64::from(seen.get(lie).copied().unwrap_or_default());
            wanted.abs_diff(got).pow(2) / wanted
        })
        .sum();
    let freedom = expected.len() as u64 - 1;
    let bound = 1_000 * (freedom + 5 * (2 * freedom).isqrt() + 30);
    if sum > bound { Err(format!("{sum} beyond {bound}: {seen:?} for {expected:?}")) } else { Ok(()) }
}

/// Holds worlds imagined in each way against every deal.
fn holds(counts: &[u16], script: Script) {
    for seat in [Seat(0), Seat(2)] {
        for which in [0, 100] {
            let (table, expected) = every_deal(counts, script, seat, which);
            tells_all(&table, seat, &expected);
            let mut chance = Chance::new(11, "worlds");
            are_as_often(&expected, || table.imagined(seat, &mut chance, &mut Asks).unwrap()).unwrap();
            for (way, bound) in [("walked", None), ("every", Some(every::NEAR)), ("far", Some(every::FAR))] {
                let mut world = || by_force(&table, seat, bound, &mut chance);
                are_as_often(&expected, &mut world).unwrap_or_else(|why| panic!("{way}: {why}"));
            }
        }
    }
}

/// Holds what a seat is told of a table against every deal: what is the same in all of them, and nothing else.
fn tells_all(table: &Table, seat: Seat, expected: &BTreeMap<Lie, u32>) {
    const MOST: usize = 3;
    let numbers = |prints: &[Print]| prints.iter().map(|print| print.component.0).collect::<Vec<_>>();
    for at in 0..table.stacks.len() {
        let space = SpaceId::at(at);
        let view = View::memory(table, Some(seat)).judged(&Asks);
        let seen = concluded_by(&view, table, space);
        let lies: Vec<Vec<u16>> = expected.keys().map(|lie| lie[at].iter().rev().copied().collect()).collect();
        let places: Vec<Vec<u16>> = seen.places.iter().map(|prints| numbers(prints)).collect();
        let is_open = |place: usize| places[place].len() != 1;
        let is_unordered = table.layout.traits_of(table.layout.zone_of(space)).unordered;
        if !is_unordered {
            let may = |place: usize| lies.iter().map(|lie| lie[place]).collect::<BTreeSet<u16>>();
            let may = (0..table.height(space)).map(may);
            let wanted: Vec<Vec<u16>> =
                may.map(|may| if may.len() > MOST { vec![] } else { may.into_iter().collect() }).collect();
            assert_eq!(places, wanted, "{seat:?}, {space:?}: {expected:?}");
        }
        let open = |lie: &Vec<u16>| -> Vec<u16> {
            lie.iter().enumerate().filter(|(place, _)| is_unordered || is_open(*place)).map(|(_, one)| *one).collect()
        };
        let open: Vec<Vec<u16>> = lies.iter().map(open).collect();
        let count = |lie: &[u16], number: u16| lie.iter().filter(|one| **one == number).count();
        let all: BTreeSet<u16> = open.iter().flatten().copied().collect();
        let (mut among, mut others) = (vec![], vec![]);
        for number in all {
            let counts: BTreeSet<usize> = open.iter().map(|lie| count(lie, number)).collect();
            among.extend((0..*counts.first().unwrap()).map(|_| number));
            others.extend((counts.len() > 1).then_some(number));
        }
        let found = if is_unordered { places.concat() } else { numbers(&seen.among) };
        assert_eq!(found, among, "{seat:?}, {space:?}: {expected:?}");
        if is_unordered {
            others.truncate(if others.len() > MOST { 0 } else { MOST });
            assert_eq!(numbers(&seen.others), others, "{seat:?}, {space:?}: {expected:?}");
        }
    }
}

/// A world by listing every deal within a bound, or by walking.
fn by_force(table: &Table, seat: Seat, bound: Option<every::Bound>, chance: &mut Chance) -> Table {
    let seats = Layout::only(seat);
    let knows = |known: SeatSet| known & seats != 0;
    let deal = Deal::new(table, knows, |piece| (table.knowers(piece) & seats != 0).then(|| table.print(piece)));
    let taught = Taught::all(&deal, table.lessons_of(seats));
    let domains = Domains::new(&deal, &taught, &mut Asks).unwrap();
    let prints = if let Some(bound) = bound {
        every::deals(&deal, &domains, &taught, &mut Asks, bound).unwrap().unwrap().one(&deal, chance).unwrap()
    } else {
        let begun = deal.dealt(None, chance).unwrap();
        walk::deal(&deal, &domains, &taught, begun, chance, &mut Asks).unwrap().unwrap()
    };
    let mut world = table.clone();
    for (print, piece) in prints.iter().zip(&deal.leaves) {
        world.pieces[piece.index()].face.print = *print;
    }
    world
}

/// With the same random numbers a seat imagines the same world at every table that it cannot tell from the others.
fn are_the_same(counts: &[u16], script: Script) {
    for seat in [Seat(0), Seat(2)] {
        let tables = alike_tables(counts, script, seat, 100);
        assert!(tables.iter().map(lie).collect::<BTreeSet<_>>().len() > 1, "the tables differ");
        for seed in 0..20 {
            let stream = || Chance::new(seed, "same");
            let imagined = |table: &Table| table.imagined(seat, &mut stream(), &mut Asks).unwrap().fingerprint();
            let by_force = |table: &Table, bound| by_force(table, seat, bound, &mut stream()).fingerprint();
            let all = |table: &Table| {
                [
                    imagined(table),
                    by_force(table, None),
                    by_force(table, Some(every::NEAR)),
                    by_force(table, Some(every::FAR)),
                ]
            };
            let first = all(&tables[0]);
            for table in &tables[1..] {
                assert_eq!(all(table), first, "{seat:?}: {:?} and {:?}", lie(table), lie(&tables[0]));
            }
        }
    }
}

/// Total variation distance in thousandths between worlds and all deals, from this many worlds.
fn total_variation(expected: &BTreeMap<Lie, u32>, worlds: u32, mut world: impl FnMut() -> Table) -> u64 {
    let mut seen: BTreeMap<Lie, u32> = BTreeMap::new();
    for _ in 0..worlds {
        *seen.entry(lie(&world())).or_insert(0) += 1;
    }
    let all: u32 = expected.values().sum();
    let lies: BTreeSet<&Lie> = seen.keys().chain(expected.keys()).collect();
    // Shares are compared as parts of all pairs of a world and a deal.
    let part = |of: Option<&u32>, others: u32| u64::from(of.copied().unwrap_or_default()) * u64::from(others);
    let apart = |lie: &Lie| part(seen.get(lie), all).abs_diff(part(expected.get(lie), worlds));
    lies.into_iter().map(apart).sum::<u64>() * 1_000 / (2 * u64::from(worlds) * u64::from(all))
}

fn deal_two(table: &mut Table) {
    for seat in [0, 1, 2, 1, 2] {
        table.draw(seat);
    }
}

/// Hands that were drawn into, a card played from one and another shown, and conditions on one hand and on two.
const SCRIPTS: [(&[u16], Script); 3] = [
    (&[1, 1, 1, 1, 1, 1], |table| {
        deal_two(table);
        table.play(table.in_hand(1)[0]);
        table.draw(1);
        true
    }),
    (&[2, 2, 1, 1], |table| {
        deal_two(table);
        table.show(table.in_hand(1)[0], 0b100);
        table.lose_track(table.hand(1));
        table.draw(1);
        true
    }),
    (&[1, 1, 1, 1, 1, 1, 1], |table| {
        deal_two(table);
        table.taught(0b101, &table.in_hand(1), true, |table, piece| table.number(piece.unwrap()) != 3)
            && table.taught(0b111, &[table.in_hand(1), table.in_hand(2)].concat(), false, |table, _| {
                table.sum(1) > table.sum(2)
            })
    }),
];

#[test]
fn what_a_seat_does_not_know_changes_no_world_that_it_imagines() {
    for (counts, script) in SCRIPTS {
        are_the_same(counts, script);
    }
}

#[test]
fn worlds_are_hardly_further_from_all_deals_than_chance_has_it() {
    for (counts, script) in SCRIPTS {
        let (table, expected) = every_deal(counts, script, Seat(0), 100);
        assert!((5..1_000).contains(&expected.len()), "{}", expected.len());
        let mut chance = Chance::new(4, "variation");
        let direct = total_variation(&expected, 40_000, || table.imagined(Seat(0), &mut chance, &mut Asks).unwrap());
        assert!(direct < 20, "{direct} of {} deals", expected.len());
        let walked = total_variation(&expected, 10_000, || by_force(&table, Seat(0), None, &mut chance));
        assert!(walked < 30, "{walked} of {} deals", expected.len());
    }
}

#[test]
fn a_table_without_what_was_learned_always_has_a_world() {
    let mut table = cards(3, &[1, 1, 1, 1, 1, 1]).table(2);
    table.shuffle(table.space_named("deck"));
    deal_two(&mut table);
    let seat = Seat(0);
    assert!(table.without_lessons(seat, 1).is_none(), "there is nothing to leave out");
    let both = [table.in_hand(1), table.in_hand(2)].concat();
    let [one, other]: [fn(&Table, Option<PieceId>) -> bool; 2] = [|table, _| table.sum(1) > 99, |_, _| true];
    for (pieces, is_each, says) in [(table.in_hand(1), true, other), (both, false, one)] {
        let lesson = table.lesson(0b001, &pieces, is_each, Arc::new(Says(says)));
        table.learn(lesson, |_, _| 1);
    }
    let imagined = |table: &Table| table.imagined(seat, &mut Chance::new(1, "none"), &mut Asks).map(|_| ());
    assert!(matches!(imagined(&table), Err(Undealt::Learned)));
    // The condition on two hands goes first.
    let (fewer, _) = table.without_lessons(seat, 1).unwrap();
    assert_eq!((fewer.lessons_count(seat), table.lessons_count(seat)), (1, 2));
    assert!(imagined(&fewer).is_ok());
    assert_eq!(fewer.digests(Some(seat)), table.digests(Some(seat)), "the seat remembers that it heard it");
    let (none, _) = table.without_lessons(seat, 2).unwrap();
    assert_eq!(none.lessons_count(seat), 0);
    assert!(imagined(&none).is_ok());
}

#[test]
fn worlds_of_hands_and_cards_played_from_them_are_every_deal_as_often() {
    holds(&[1, 1, 1, 1, 1, 1], |table| {
        deal_two(table);
        table.play(table.in_hand(1)[0]);
        table.draw(1);
        true
    });
    holds(&[2, 2, 1, 1], |table| {
        deal_two(table);
        table.show(table.in_hand(1)[0], 0b100);
        table.lose_track(table.hand(1));
        table.draw(1);
        true
    });
}

#[test]
fn worlds_in_which_each_of_some_cards_is_not_something_are_every_such_deal_as_often() {
    holds(&[1, 1, 1, 1, 1, 1], |table| {
        deal_two(table);
        let none = table.taught(0b111, &table.in_hand(1), true, |table, piece| table.number(piece.unwrap()) > 1);
        none && table.taught(0b001, &table.in_hand(2), true, |table, piece| table.number(piece.unwrap()) != 3)
    });
}

#[test]
fn a_condition_on_the_order_of_a_hand_tells_no_more_of_it_than_holds() {
    for which in [0, 100] {
        let script: Script = |table| {
            deal_two(table);
            table.taught(0b001, &table.in_hand(1), false, |table, _| {
                table.number(table.in_hand(1)[0]) > table.number(table.in_hand(1)[1])
            })
        };
        let (table, expected) = every_deal(&[1, 1, 1, 1, 1, 1], script, Seat(0), which);
        tells_all(&table, Seat(0), &expected);
    }
}

#[test]
fn worlds_in_which_one_hand_is_higher_are_every_such_deal_as_often() {
    for counts in [&[1, 1, 1, 1, 1, 1][..], &[2, 2, 1, 1]] {
        holds(counts, |table| {
            deal_two(table);
            let about = [table.in_hand(1), table.in_hand(2)].concat();
            let higher =
                [|table: &Table, _| table.sum(1) > table.sum(2), |table: &Table, _| table.sum(1) <= table.sum(2)];
            table.taught_whether(0b001, &about, higher);
            true
        });
    }
}

#[test]
fn what_was_learned_of_a_hand_goes_with_its_cards_when_others_come_and_some_are_played() {
    holds(&[1, 1, 1, 1, 1, 1, 1], |table| {
        deal_two(table);
        let none = table.taught(0b111, &table.in_hand(1), true, |table, piece| table.number(piece.unwrap()) < 4);
        table.draw(1);
        table.play(table.in_hand(2)[1]);
        none
    });
    holds(&[1, 1, 1, 1, 1, 1], |table| {
        deal_two(table);
        let about = [table.in_hand(1), table.in_hand(2)].concat();
        let higher = table.taught(0b101, &about, false, |table, _| table.sum(1) > table.sum(2));
        table.draw(2);
        table.play(table.in_hand(1)[0]);
        higher
    });
}

#[test]
fn what_was_learned_of_one_card_of_a_hand_does_not_say_which_it_is() {
    holds(&[1, 1, 1, 1, 1, 1], |table| {
        deal_two(table);
        let one = table.in_hand(1)[0];
        let said = table.taught(0b111, &[one], true, |table, piece| table.number(piece.unwrap()) < 2);
        table.draw(1);
        said
    });
}

#[test]
fn of_many_conditions_that_leave_few_deals_none_is_forgotten() {
    holds(&[1, 1, 1, 1, 1, 1], |table| {
        deal_two(table);
        let (one, two) = (table.in_hand(1), table.in_hand(2));
        let both = [one.clone(), two.clone()].concat();
        table.taught(0b111, &one, true, |table, piece| table.number(piece.unwrap()) != 0)
            && table.taught(0b111, &two, true, |table, piece| table.number(piece.unwrap()) != 1)
            && table.taught(0b111, &one, false, |table, _| table.sum(1) % 2 == 1)
            && table.taught(0b111, &both, false, |table, _| table.sum(1) < table.sum(2))
            && table.taught(0b111, &[table.top(table.space_named("deck")).unwrap()], true, |table, piece| {
                table.number(piece.unwrap()) < 4
            })
    });
}

#[test]
fn what_is_public_of_a_hand_is_every_deal_as_often_too() {
    let mut table = everything(2, 8, ["x", "x"]);
    table.shuffle(table.space_named("deck"));
    for _ in 0..3 {
        table.draw(1);
    }
    let all_of = |table: &Table, kind| {
        let mut hand = table.stack(table.hand(1));
        hand.all(|piece| table.model().component(table.component(piece)).kind == KindId(kind))
    };
    let kind = (0..2).find(|kind| all_of(&table, *kind));
    // Until a deal comes that can be narrowed.
    let mut seed = 8;
    let (mut table, kind) = match kind {
        Some(kind) => (table, kind),
        None => loop {
            seed += 1;
            let mut other = everything(2, seed, ["x", "x"]);
            other.shuffle(other.space_named("deck"));
            (0..3).for_each(|_| _ = other.draw(1));
            if let Some(kind) = (0..2).find(|kind| all_of(&other, *kind)) {
                break (other, kind);
            }
        },
    };
    let hand = table.layout.zone_of(table.hand(1));
    table.narrow(hand, Content::Kind(KindId(kind)));
    // Of all pieces of the kind each is in the hand as often as another.
    let mut chance = Chance::new(12, "narrowed");
    let mut times: BTreeMap<u16, u32> = BTreeMap::new();
    for _ in 0..6_000 {
        let world = table.imagined(Seat(0), &mut chance, &mut NoJudge).unwrap();
        world.stack(world.hand(1)).for_each(|piece| *times.entry(world.number(piece)).or_insert(0) += 1);
    }
    let counts: BTreeMap<u16, u32> = table
        .model()
        .components
        .iter()
        .enumerate()
        .filter(|(at, one)| one.kind == KindId(kind) && times.contains_key(&(*at as u16)))
        .map(|(at, one)| (at as u16, u32::from(one.count)))
        .collect();
    let all: u32 = counts.values().sum();
    for (component, count) in counts {
        let wanted = 18_000 * count / all;
        assert!(times[&component].abs_diff(wanted) < wanted / 8 + 100, "{component}: {times:?}");
    }
}

#[test]
fn what_nobody_can_follow_any_more_is_forgotten() {
    let mut table = cards(3, &[1, 1, 1, 1, 1, 1, 1, 1]).table(2);
    let deck = table.space_named("deck");
    table.shuffle(deck);
    for round in 0..40 {
        deal_two(&mut table);
        let about = [table.in_hand(1), table.in_hand(2)].concat();
        assert!(table.taught(0b111, &about, false, |table, _| table.sum(1) < 100));
        assert!(table.taught(0b001, &table.in_hand(1), true, |table, piece| table.number(piece.unwrap()) < 100));
        table.draw(1);
        assert_eq!(table.learned_count(), 2, "round {round}");
        for seat in 0..3 {
            for piece in table.in_hand(seat) {
                table.move_piece(piece, deck, End::Top, Some(false)).unwrap();
            }
        }
        assert_eq!(table.learned_count(), 2, "round {round}");
        table.shuffle(deck);
        assert_eq!((table.learned_count(), table.mix_count()), (0, 1), "round {round}");
        check(&table);
    }
}

#[test]
fn what_whoever_learned_it_knows_is_forgotten() {
    let mut table = cards(3, &[1, 1, 1, 1, 1, 1, 1, 1]).table(2);
    table.shuffle(table.space_named("deck"));
    deal_two(&mut table);
    let all = |_: &Table, _: Option<PieceId>| true;
    assert!(table.taught(0b010, &table.in_hand(1), true, all));
    assert_eq!(table.learned_count(), 0, "they are its own cards");
    assert!(table.taught(0b100, &table.in_hand(1), true, all));
    assert_eq!(table.learned_count(), 1);
    table.in_hand(1).into_iter().for_each(|piece| table.show(piece, 0b100));
    assert!(table.taught(0b100, &table.in_hand(0), true, all));
    assert_eq!(table.learned_count(), 1, "only what is new");
}

#[test]
fn a_condition_that_looks_at_other_hidden_pieces_is_refused() {
    let mut table = cards(3, &[1, 1, 1, 1, 1, 1, 1, 1]).table(2);
    table.shuffle(table.space_named("deck"));
    deal_two(&mut table);
    let lesson =
        table.lesson(0b001, &table.in_hand(1), false, Arc::new(Says(|table, _| table.sum(1) + table.sum(2) < 99)));
    assert_eq!(lesson.is_true(&mut Asks).unwrap_err().code, "learned-of-others");
    // What it sees itself, a seat may be told of.
    let lesson =
        table.lesson(0b001, &table.in_hand(1), false, Arc::new(Says(|table, _| table.sum(1) + table.sum(0) < 99)));
    assert!(lesson.is_true(&mut Asks).unwrap());
}

#[test]
fn where_no_deal_is_left_that_is_said() {
    let mut table = cards(3, &[1, 1, 1, 1, 1, 1]).table(2);
    table.shuffle(table.space_named("deck"));
    deal_two(&mut table);
    let lesson = table.lesson(0b001, &table.in_hand(1), false, Arc::new(Says(|table, _| table.sum(1) > 99)));
    assert!(!lesson.is_true(&mut Asks).unwrap());
    table.learn(lesson, |_, _| 1);
    let none = table.imagined(Seat(0), &mut Chance::new(1, "none"), &mut Asks);
    assert!(none.is_err(), "what is not so is in no world");
}

#[test]
fn conditions_on_many_cards_are_met_by_walking() {
    let mut table = cards(3, &[2; 26]).table(5);
    table.shuffle(table.space_named("deck"));
    for _ in 0..10 {
        (0..3).for_each(|seat| _ = table.draw(seat));
    }
    let suits = |table: &Table, seat: u8| {
        let mut all = [0; 4];
        table.in_hand(seat).iter().for_each(|piece| all[usize::from(table.number(*piece) % 4)] += 1);
        all
    };
    // What one hand has none of, and which of two has more of everything else.
    let about = [table.in_hand(1), table.in_hand(2)].concat();
    let less = suits(&table, 1)[0] < suits(&table, 2)[0];
    assert!(if less {
        table.taught(0b001, &about, false, |table, _| {
            let of = |seat| table.in_hand(seat).iter().filter(|piece| table.number(**piece) % 4 == 0).count();
            of(1) < of(2)
        })
    } else {
        table.taught(0b001, &about, false, |table, _| {
            let of = |seat| table.in_hand(seat).iter().filter(|piece| table.number(**piece) % 4 == 0).count();
            of(1) >= of(2)
        })
    });
    for seat in [1, 2] {
        let lowest = table.in_hand(seat).iter().map(|piece| table.number(*piece)).min().unwrap();
        if lowest > 0 {
            assert!(table.taught(0b001, &table.in_hand(seat), true, |table, piece| table.number(piece.unwrap()) > 0));
        }
    }
    assert!(table.taught(0b001, &table.in_hand(1), false, |table, _| table.sum(1) > 60));
    let mut chance = Chance::new(3, "many");
    for _ in 0..50 {
        let world = table.imagined(Seat(0), &mut chance, &mut Asks).unwrap();
        check(&world);
        assert!(world.sum(1) > 60);
        assert_eq!(world.digests(Some(Seat(0))), table.digests(Some(Seat(0))));
    }
}
