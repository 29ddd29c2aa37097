//! Tests that imagined worlds are uniformly distributed over all deals that look the same to a seat. Compares them with an enumeration of
//! every order of a small deck.

use super::conclusions::conclusions_of_view;
use super::*;
use crate::diagnostic::{Diagnostic, Place};
use crate::table::knowledge::domain::Domains;
use crate::table::knowledge::imagine::Deal;
use crate::table::knowledge::learned_constraints::LearnedConstraint;
use crate::table::knowledge::{enumeration, markov_chain};
use crate::table::{JudgeSource, Undealt};
use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};

/// Condition for tests, implemented by a Rust function instead of a script.
struct TestCondition(fn(&Table, Option<PieceId>) -> bool);

impl std::fmt::Debug for TestCondition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Says")
    }
}

impl Condition for TestCondition {
    fn place(&self) -> Option<Place> {
        None
    }

    fn names_pieces(&self) -> bool {
        false
    }
}

struct TestJudge;

impl JudgeSource for TestJudge {
    fn judge(&self) -> std::boxed::Box<dyn Judge + '_> {
        std::boxed::Box::new(Self)
    }
}

impl Judge for TestJudge {
    fn holds(
        &mut self,
        condition: &dyn Condition,
        table: &mut Table,
        piece: Option<PieceId>,
    ) -> Result<bool, std::boxed::Box<Diagnostic>> {
        let says = (condition as &dyn Any).downcast_ref::<TestCondition>().unwrap();
        Ok(says.0(table, piece))
    }
}

impl Table {
    /// Teaches seats a condition if it is true. Returns whether it is true.
    fn teach(
        &mut self,
        seats: SeatSet,
        pieces: &[PieceId],
        is_each: bool,
        says: fn(&Table, Option<PieceId>) -> bool,
    ) -> bool {
        let lesson = self.create_learned_condition(seats, pieces, is_each, Arc::new(TestCondition(says)));
        let holds = lesson.is_true(&mut TestJudge).unwrap();
        if holds {
            self.learn(lesson, |_, _| says as usize as u64);
        }
        holds
    }

    /// Teaches seats which one of two conditions about pieces is true.
    fn teach_which(&mut self, seats: SeatSet, pieces: &[PieceId], says: [fn(&Table, Option<PieceId>) -> bool; 2]) {
        assert!(self.teach(seats, pieces, false, says[0]) || self.teach(seats, pieces, false, says[1]));
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

/// The components on each space, from the top. Hands are sorted.
type Arrangement = Vec<Vec<u16>>;

fn arrangement(table: &Table) -> Arrangement {
    let components_on = |index: usize| {
        let space = SpaceId::at(index);
        let mut all: Vec<u16> = table.stack(space).map(|piece| table.number(piece)).collect();
        if table.layout.traits_of(table.layout.zone_of(space)).unordered {
            all.sort_unstable();
        }
        all
    };
    (0..table.stacks.len()).map(components_on).collect()
}

/// Function that applies events to a table. Returns `false` if a condition that it should teach is not true.
type Script = fn(&mut Table) -> bool;

/// Returns a table of three seats whose shuffled deck has a given order.
fn table_with_deck(counts: &[u16], order: &[FaceIdentity]) -> Table {
    let mut table = cards(3, counts).table(1);
    let deck = table.space_named("deck");
    table.shuffle(deck);
    let places: Vec<PieceId> = table.stack(deck).collect();
    for (place, identity) in places.into_iter().zip(order) {
        table.pieces[place.index()].face.identity = *identity;
    }
    table
}

/// Returns all permutations of some cards, treating equal ones as different.
fn permutations(identities: &[FaceIdentity]) -> Vec<Vec<FaceIdentity>> {
    if identities.is_empty() {
        return vec![vec![]];
    }
    let with_first = |first: usize| {
        let rest: Vec<FaceIdentity> =
            identities.iter().enumerate().filter(|(at, _)| *at != first).map(|(_, one)| *one).collect();
        permutations(&rest).into_iter().map(move |order| [vec![identities[first]], order].concat())
    };
    (0..identities.len()).flat_map(with_first).collect()
}

/// Runs a script and counts the arrangements that result from all orders of the deck that look the same to a seat.
fn every_deal(counts: &[u16], script: Script, seat: Seat, which: usize) -> (Table, BTreeMap<Arrangement, u32>) {
    let mut tables = indistinguishable_tables(counts, script, seat, which);
    let mut found = BTreeMap::new();
    for table in &tables {
        check_invariants(table);
        *found.entry(arrangement(table)).or_insert(0) += 1;
    }
    (tables.swap_remove(0), found)
}

/// Runs a script for every order of the deck. Returns the resulting tables that look the same to a seat as the true table, which comes
/// first. `which` selects the true table among all orders for which the script succeeds.
fn indistinguishable_tables(counts: &[u16], script: Script, seat: Seat, which: usize) -> Vec<Table> {
    let identities: Vec<FaceIdentity> = {
        let table = cards(3, counts).table(1);
        table.stack(table.space_named("deck")).map(|piece| table.print_of(piece)).collect()
    };
    let mut tables: Vec<Table> = permutations(&identities).iter().map(|order| table_with_deck(counts, order)).collect();
    tables.retain_mut(script);
    let truth = tables[which % tables.len()].clone();
    // The comparison includes what the seat knows about pieces that it can follow, for example which of its cards came first.
    let followed = |table: &Table| -> Vec<Option<FaceIdentity>> {
        let knows = |piece: PieceId| table.knowers(piece) & Layout::only(seat) != 0;
        table.all_pieces().map(|piece| knows(piece).then(|| table.print_of(piece))).collect()
    };
    let looks =
        |table: &Table| (table.digests(Some(seat)), View::memory(table, Some(seat)).describe(), followed(table));
    let wanted = looks(&truth);
    tables.retain(|table| looks(table) == wanted);
    let at = tables.iter().position(|table| arrangement(table) == arrangement(&truth)).unwrap();
    tables.swap(0, at);
    tables
}

/// Number of worlds imagined per arrangement.
const WORLDS_PER_ARRANGEMENT: u32 = 30;

/// Checks the frequencies of arrangements by Pearson's test. The statistic, here in thousandths, has mean `freedom` and variance `2 *
/// freedom`. It exceeds five standard deviations plus 30 less than once in a million times.
fn check_frequencies(expected: &BTreeMap<Arrangement, u32>, mut world: impl FnMut() -> Table) -> Result<(), String> {
    let all: u32 = expected.values().sum();
    let many = WORLDS_PER_ARRANGEMENT * expected.len() as u32;
    let mut seen: BTreeMap<Arrangement, u32> = BTreeMap::new();
    for _ in 0..many {
        *seen.entry(arrangement(&world())).or_insert(0) += 1;
    }
    if let Some(odd) = seen.keys().find(|arrangement| !expected.contains_key(*arrangement)) {
        return Err(format!("no deal comes to {odd:?}"));
    }
    let sum: u64 = expected
        .iter()
        .map(|(arrangement, times)| {
            let wanted = u64::from(many) * u64::from(*times) * 1_000 / u64::from(all);
            let got = 1_000 * u64::from(seen.get(arrangement).copied().unwrap_or_default());
            wanted.abs_diff(got).pow(2) / wanted
        })
        .sum();
    let freedom = expected.len() as u64 - 1;
    let bound = 1_000 * (freedom + 5 * (2 * freedom).isqrt() + 30);
    if sum > bound { Err(format!("{sum} beyond {bound}: {seen:?} for {expected:?}")) } else { Ok(()) }
}

/// Compares the worlds that each algorithm imagines with all deals.
fn check_worlds(counts: &[u16], script: Script) {
    for seat in [Seat(0), Seat(2)] {
        for which in [0, 100] {
            let (table, expected) = every_deal(counts, script, seat, which);
            check_conclusions(&table, seat, &expected);
            let mut chance = Chance::new(11, "worlds");
            check_frequencies(&expected, || table.imagine(seat, &mut chance, &mut TestJudge).unwrap()).unwrap();
            for (way, bound) in
                [("walked", None), ("every", Some(enumeration::FIRST_BOUND)), ("far", Some(enumeration::LAST_BOUND))]
            {
                let mut world = || imagine_by_force(&table, seat, bound, &mut chance);
                check_frequencies(&expected, &mut world).unwrap_or_else(|why| panic!("{way}: {why}"));
            }
        }
    }
}

/// Checks that a seat's conclusions are exactly the facts that hold in all deals.
fn check_conclusions(table: &Table, seat: Seat, expected: &BTreeMap<Arrangement, u32>) {
    const MOST: usize = 3;
    let numbers =
        |identities: &[FaceIdentity]| identities.iter().map(|identity| identity.component.0).collect::<Vec<_>>();
    for at in 0..table.stacks.len() {
        let space = SpaceId::at(at);
        let view = View::memory(table, Some(seat)).with_judges(&TestJudge);
        let seen = conclusions_of_view(&view, table, space);
        let lies: Vec<Vec<u16>> = expected.keys().map(|lie| lie[at].iter().rev().copied().collect()).collect();
        let places: Vec<Vec<u16>> = seen.places.iter().map(|identities| numbers(identities)).collect();
        let is_open = |place: usize| places[place].len() != 1;
        let is_unordered = table.layout.traits_of(table.layout.zone_of(space)).unordered;
        if !is_unordered {
            let possible = |place: usize| lies.iter().map(|lie| lie[place]).collect::<BTreeSet<u16>>();
            let possible = (0..table.height(space)).map(possible);
            let wanted: Vec<Vec<u16>> = possible
                .map(|possible| if possible.len() > MOST { vec![] } else { possible.into_iter().collect() })
                .collect();
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

/// Imagines a world by enumerating all deals within a bound, or by a random walk if `bound` is `None`.
fn imagine_by_force(table: &Table, seat: Seat, bound: Option<enumeration::Bound>, chance: &mut Chance) -> Table {
    let seats = Layout::only(seat);
    let knows = |known: SeatSet| known & seats != 0;
    let deal = Deal::new(table, knows, |piece| (table.knowers(piece) & seats != 0).then(|| table.identity(piece)));
    let taught = LearnedConstraint::all(&deal, table.lessons_of(seats));
    let domains = Domains::new(&deal, &taught, &mut TestJudge).unwrap();
    let identities = if let Some(bound) = bound {
        enumeration::enumerate_deals(&deal, &domains, &taught, &mut TestJudge, bound)
            .unwrap()
            .unwrap()
            .one(&deal, chance)
            .unwrap()
    } else {
        let begun = deal.draw_deal(None, chance).unwrap();
        markov_chain::deal(&deal, &domains, &taught, begun, chance, &mut TestJudge).unwrap().unwrap()
    };
    let mut world = table.clone();
    for (identity, piece) in identities.iter().zip(&deal.leaves) {
        world.pieces[piece.index()].face.identity = *identity;
    }
    world
}

/// Checks that a seat imagines the same world, given the same random numbers, at all tables that it cannot tell apart.
fn check_no_leak(counts: &[u16], script: Script) {
    for seat in [Seat(0), Seat(2)] {
        let tables = indistinguishable_tables(counts, script, seat, 100);
        assert!(tables.iter().map(arrangement).collect::<BTreeSet<_>>().len() > 1, "the tables differ");
        for seed in 0..20 {
            let stream = || Chance::new(seed, "same");
            let imagined = |table: &Table| table.imagine(seat, &mut stream(), &mut TestJudge).unwrap().fingerprint();
            let imagine_by_force =
                |table: &Table, bound| imagine_by_force(table, seat, bound, &mut stream()).fingerprint();
            let all = |table: &Table| {
                [
                    imagined(table),
                    imagine_by_force(table, None),
                    imagine_by_force(table, Some(enumeration::FIRST_BOUND)),
                    imagine_by_force(table, Some(enumeration::LAST_BOUND)),
                ]
            };
            let first = all(&tables[0]);
            for table in &tables[1..] {
                assert_eq!(all(table), first, "{seat:?}: {:?} and {:?}", arrangement(table), arrangement(&tables[0]));
            }
        }
    }
}

/// Returns the total variation distance, in thousandths, between the distribution of `worlds` imagined worlds and that of all deals.
fn total_variation(expected: &BTreeMap<Arrangement, u32>, worlds: u32, mut world: impl FnMut() -> Table) -> u64 {
    let mut seen: BTreeMap<Arrangement, u32> = BTreeMap::new();
    for _ in 0..worlds {
        *seen.entry(arrangement(&world())).or_insert(0) += 1;
    }
    let all: u32 = expected.values().sum();
    let lies: BTreeSet<&Arrangement> = seen.keys().chain(expected.keys()).collect();
    // Both frequencies are scaled to the product of the totals before they are compared, to stay in integers.
    let part = |of: Option<&u32>, others: u32| u64::from(of.copied().unwrap_or_default()) * u64::from(others);
    let apart =
        |arrangement: &Arrangement| part(seen.get(arrangement), all).abs_diff(part(expected.get(arrangement), worlds));
    lies.into_iter().map(apart).sum::<u64>() * 1_000 / (2 * u64::from(worlds) * u64::from(all))
}

fn deal_two(table: &mut Table) {
    for seat in [0, 1, 2, 1, 2] {
        table.draw(seat);
    }
}

/// Scripts that deal cards into hands, play or show a card, and teach conditions on one and on two hands.
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
        table.teach(0b101, &table.in_hand(1), true, |table, piece| table.number(piece.unwrap()) != 3)
            && table.teach(0b111, &[table.in_hand(1), table.in_hand(2)].concat(), false, |table, _| {
                table.sum(1) > table.sum(2)
            })
    }),
];

#[test]
fn imagined_worlds_do_not_depend_on_hidden_facts() {
    for (counts, script) in SCRIPTS {
        check_no_leak(counts, script);
    }
}

#[test]
fn worlds_have_a_small_total_variation_distance_from_all_deals() {
    for (counts, script) in SCRIPTS {
        let (table, expected) = every_deal(counts, script, Seat(0), 100);
        assert!((5..1_000).contains(&expected.len()), "{}", expected.len());
        let mut chance = Chance::new(4, "variation");
        let direct =
            total_variation(&expected, 40_000, || table.imagine(Seat(0), &mut chance, &mut TestJudge).unwrap());
        assert!(direct < 20, "{direct} of {} deals", expected.len());
        let walked = total_variation(&expected, 40_000, || imagine_by_force(&table, Seat(0), None, &mut chance));
        assert!(walked < 20, "{walked} of {} deals", expected.len());
    }
}

#[test]
fn a_table_without_lessons_always_has_a_world() {
    let mut table = cards(3, &[1, 1, 1, 1, 1, 1]).table(2);
    table.shuffle(table.space_named("deck"));
    deal_two(&mut table);
    let seat = Seat(0);
    assert!(table.without_lessons(seat, 1).is_none(), "there is nothing to leave out");
    let both = [table.in_hand(1), table.in_hand(2)].concat();
    let [one, other]: [fn(&Table, Option<PieceId>) -> bool; 2] = [|table, _| table.sum(1) > 99, |_, _| true];
    for (pieces, is_each, says) in [(table.in_hand(1), true, other), (both, false, one)] {
        let lesson = table.create_learned_condition(0b001, &pieces, is_each, Arc::new(TestCondition(says)));
        table.learn(lesson, |_, _| 1);
    }
    let imagined = |table: &Table| table.imagine(seat, &mut Chance::new(1, "none"), &mut TestJudge).map(|_| ());
    assert!(matches!(imagined(&table), Err(Undealt::Learned)));
    // The condition on two hands is left out first.
    let (fewer, _) = table.without_lessons(seat, 1).unwrap();
    assert_eq!((fewer.lessons_count(seat), table.lessons_count(seat)), (1, 2));
    assert!(imagined(&fewer).is_ok());
    assert_eq!(fewer.digests(Some(seat)), table.digests(Some(seat)), "the seat remembers that it heard it");
    let (none, _) = table.without_lessons(seat, 2).unwrap();
    assert_eq!(none.lessons_count(seat), 0);
    assert!(imagined(&none).is_ok());
}

#[test]
fn worlds_are_uniform_after_draws_and_plays() {
    check_worlds(&[1, 1, 1, 1, 1, 1], |table| {
        deal_two(table);
        table.play(table.in_hand(1)[0]);
        table.draw(1);
        true
    });
    check_worlds(&[2, 2, 1, 1], |table| {
        deal_two(table);
        table.show(table.in_hand(1)[0], 0b100);
        table.lose_track(table.hand(1));
        table.draw(1);
        true
    });
}

#[test]
fn worlds_are_uniform_under_conditions_on_single_cards() {
    check_worlds(&[1, 1, 1, 1, 1, 1], |table| {
        deal_two(table);
        let is_true = table.teach(0b111, &table.in_hand(1), true, |table, piece| table.number(piece.unwrap()) > 1);
        is_true && table.teach(0b001, &table.in_hand(2), true, |table, piece| table.number(piece.unwrap()) != 3)
    });
}

#[test]
fn a_condition_on_the_order_of_a_hand_yields_no_wrong_conclusion() {
    for which in [0, 100] {
        let script: Script = |table| {
            deal_two(table);
            table.teach(0b001, &table.in_hand(1), false, |table, _| {
                table.number(table.in_hand(1)[0]) > table.number(table.in_hand(1)[1])
            })
        };
        let (table, expected) = every_deal(&[1, 1, 1, 1, 1, 1], script, Seat(0), which);
        check_conclusions(&table, Seat(0), &expected);
    }
}

#[test]
fn worlds_are_uniform_under_a_comparison_of_two_hands() {
    for counts in [&[1, 1, 1, 1, 1, 1][..], &[2, 2, 1, 1]] {
        check_worlds(counts, |table| {
            deal_two(table);
            let about = [table.in_hand(1), table.in_hand(2)].concat();
            let higher =
                [|table: &Table, _| table.sum(1) > table.sum(2), |table: &Table, _| table.sum(1) <= table.sum(2)];
            table.teach_which(0b001, &about, higher);
            true
        });
    }
}

#[test]
fn conditions_on_a_hand_stay_with_its_cards_after_draws_and_plays() {
    check_worlds(&[1, 1, 1, 1, 1, 1, 1], |table| {
        deal_two(table);
        let is_true = table.teach(0b111, &table.in_hand(1), true, |table, piece| table.number(piece.unwrap()) < 4);
        table.draw(1);
        table.play(table.in_hand(2)[1]);
        is_true
    });
    check_worlds(&[1, 1, 1, 1, 1, 1], |table| {
        deal_two(table);
        let about = [table.in_hand(1), table.in_hand(2)].concat();
        let higher = table.teach(0b101, &about, false, |table, _| table.sum(1) > table.sum(2));
        table.draw(2);
        table.play(table.in_hand(1)[0]);
        higher
    });
}

#[test]
fn a_condition_on_one_card_does_not_reveal_its_place_in_the_hand() {
    check_worlds(&[1, 1, 1, 1, 1, 1], |table| {
        deal_two(table);
        let one = table.in_hand(1)[0];
        let is_true = table.teach(0b111, &[one], true, |table, piece| table.number(piece.unwrap()) < 2);
        table.draw(1);
        is_true
    });
}

#[test]
fn many_conditions_with_few_deals_left_are_all_respected() {
    check_worlds(&[1, 1, 1, 1, 1, 1], |table| {
        deal_two(table);
        let (one, two) = (table.in_hand(1), table.in_hand(2));
        let both = [one.clone(), two.clone()].concat();
        table.teach(0b111, &one, true, |table, piece| table.number(piece.unwrap()) != 0)
            && table.teach(0b111, &two, true, |table, piece| table.number(piece.unwrap()) != 1)
            && table.teach(0b111, &one, false, |table, _| table.sum(1) % 2 == 1)
            && table.teach(0b111, &both, false, |table, _| table.sum(1) < table.sum(2))
            && table.teach(0b111, &[table.top(table.space_named("deck")).unwrap()], true, |table, piece| {
                table.number(piece.unwrap()) < 4
            })
    });
}

#[test]
fn worlds_are_uniform_when_a_hand_is_narrowed_publicly() {
    let mut table = varied_table(2, 8, ["x", "x"]);
    table.shuffle(table.space_named("deck"));
    for _ in 0..3 {
        table.draw(1);
    }
    let all_of = |table: &Table, kind| {
        let mut hand = table.stack(table.hand(1));
        hand.all(|piece| table.model().component(table.component(piece)).kind == KindId(kind))
    };
    let kind = (0..2).find(|kind| all_of(&table, *kind));
    // Try seeds until the dealt hand contains only one kind.
    let mut seed = 8;
    let (mut table, kind) = match kind {
        Some(kind) => (table, kind),
        None => loop {
            seed += 1;
            let mut other = varied_table(2, seed, ["x", "x"]);
            other.shuffle(other.space_named("deck"));
            (0..3).for_each(|_| _ = other.draw(1));
            if let Some(kind) = (0..2).find(|kind| all_of(&other, *kind)) {
                break (other, kind);
            }
        },
    };
    let hand = table.layout.zone_of(table.hand(1));
    table.narrow(hand, Content::Kind(KindId(kind)));
    // All pieces of the kind must be in the hand equally often.
    let mut chance = Chance::new(12, "narrowed");
    let mut times: BTreeMap<u16, u32> = BTreeMap::new();
    for _ in 0..6_000 {
        let world = table.imagine(Seat(0), &mut chance, &mut NoJudge).unwrap();
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
fn conditions_on_pieces_that_nobody_can_follow_are_forgotten() {
    let mut table = cards(3, &[1, 1, 1, 1, 1, 1, 1, 1]).table(2);
    let deck = table.space_named("deck");
    table.shuffle(deck);
    for round in 0..40 {
        deal_two(&mut table);
        let about = [table.in_hand(1), table.in_hand(2)].concat();
        assert!(table.teach(0b111, &about, false, |table, _| table.sum(1) < 100));
        assert!(table.teach(0b001, &table.in_hand(1), true, |table, piece| table.number(piece.unwrap()) < 100));
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
        check_invariants(&table);
    }
}

#[test]
fn conditions_on_pieces_that_the_seat_sees_are_forgotten() {
    let mut table = cards(3, &[1, 1, 1, 1, 1, 1, 1, 1]).table(2);
    table.shuffle(table.space_named("deck"));
    deal_two(&mut table);
    let all = |_: &Table, _: Option<PieceId>| true;
    assert!(table.teach(0b010, &table.in_hand(1), true, all));
    assert_eq!(table.learned_count(), 0, "they are its own cards");
    assert!(table.teach(0b100, &table.in_hand(1), true, all));
    assert_eq!(table.learned_count(), 1);
    table.in_hand(1).into_iter().for_each(|piece| table.show(piece, 0b100));
    assert!(table.teach(0b100, &table.in_hand(0), true, all));
    assert_eq!(table.learned_count(), 1, "only what is new");
}

#[test]
fn a_condition_that_looks_at_other_hidden_pieces_is_refused() {
    let mut table = cards(3, &[1, 1, 1, 1, 1, 1, 1, 1]).table(2);
    table.shuffle(table.space_named("deck"));
    deal_two(&mut table);
    let lesson = table.create_learned_condition(
        0b001,
        &table.in_hand(1),
        false,
        Arc::new(TestCondition(|table, _| table.sum(1) + table.sum(2) < 99)),
    );
    assert_eq!(lesson.is_true(&mut TestJudge).unwrap_err().code, "learned-of-others");
    // A condition may read pieces that the seat sees itself.
    let lesson = table.create_learned_condition(
        0b001,
        &table.in_hand(1),
        false,
        Arc::new(TestCondition(|table, _| table.sum(1) + table.sum(0) < 99)),
    );
    assert!(lesson.is_true(&mut TestJudge).unwrap());
}

#[test]
fn a_false_condition_leaves_no_world() {
    let mut table = cards(3, &[1, 1, 1, 1, 1, 1]).table(2);
    table.shuffle(table.space_named("deck"));
    deal_two(&mut table);
    let lesson = table.create_learned_condition(
        0b001,
        &table.in_hand(1),
        false,
        Arc::new(TestCondition(|table, _| table.sum(1) > 99)),
    );
    assert!(!lesson.is_true(&mut TestJudge).unwrap());
    table.learn(lesson, |_, _| 1);
    let none = table.imagine(Seat(0), &mut Chance::new(1, "none"), &mut TestJudge);
    assert!(none.is_err(), "what is not so is in no world");
}

#[test]
fn the_random_walk_satisfies_conditions_on_many_cards() {
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
    // Seat 0 learns whether hand 1 has fewer cards of suit 0 than hand 2.
    let about = [table.in_hand(1), table.in_hand(2)].concat();
    let less = suits(&table, 1)[0] < suits(&table, 2)[0];
    assert!(if less {
        table.teach(0b001, &about, false, |table, _| {
            let low_cards = |seat| table.in_hand(seat).iter().filter(|piece| table.number(**piece) % 4 == 0).count();
            low_cards(1) < low_cards(2)
        })
    } else {
        table.teach(0b001, &about, false, |table, _| {
            let low_cards = |seat| table.in_hand(seat).iter().filter(|piece| table.number(**piece) % 4 == 0).count();
            low_cards(1) >= low_cards(2)
        })
    });
    for seat in [1, 2] {
        let lowest = table.in_hand(seat).iter().map(|piece| table.number(*piece)).min().unwrap();
        if lowest > 0 {
            assert!(table.teach(0b001, &table.in_hand(seat), true, |table, piece| table.number(piece.unwrap()) > 0));
        }
    }
    assert!(table.teach(0b001, &table.in_hand(1), false, |table, _| table.sum(1) > 60));
    let mut chance = Chance::new(3, "many");
    for _ in 0..50 {
        let world = table.imagine(Seat(0), &mut chance, &mut TestJudge).unwrap();
        check_invariants(&world);
        assert!(world.sum(1) > 60);
        assert_eq!(world.digests(Some(Seat(0))), table.digests(Some(Seat(0))));
    }
}
