//! Tests that a view shows exactly the conclusions that hold in every world.

use super::*;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of worlds that are enumerated. Tables with more worlds are skipped.
const MAX_WORLDS: usize = 10_000;

/// Enumeration of the worlds that a seat considers possible, by dealing every mix in every way. A world is represented
/// by the list of the faces of all pieces.
struct Worlds<'a> {
    table: &'a Table,
    seat: Seat,
    mixes: Vec<u16>,
    found: BTreeSet<Vec<FaceIdentity>>,
    count: usize,
}

/// Recipient of a face from a mix.
#[derive(Clone, Copy)]
enum Output {
    Piece(PieceId),
    Input(u16, usize),
}

type Inputs = BTreeMap<(u16, usize), FaceIdentity>;

impl<'a> Worlds<'a> {
    fn enumerate(table: &'a Table, seat: Seat) -> Option<BTreeSet<Vec<FaceIdentity>>> {
        let mut mixes: Vec<(u32, u16)> = table.mixes.iter().map(|(id, mix)| (mix.order, id)).collect();
        mixes.sort_unstable();
        let mixes = mixes.into_iter().map(|(_, id)| id).collect();
        let mut worlds = Self { table, seat, mixes, found: BTreeSet::new(), count: 0 };
        let faces = table.all_pieces().map(|piece| table.print_of(piece)).collect();
        worlds.deal(0, faces, Inputs::new());
        (worlds.count < MAX_WORLDS).then_some(worlds.found)
    }

    fn knows(&self, seats: SeatSet) -> bool {
        seats & Layout::only(self.seat) != 0
    }

    fn deal(&mut self, at: usize, faces: Vec<FaceIdentity>, inputs: Inputs) {
        let Some(&id) = self.mixes.get(at) else {
            self.count += 1;
            self.found.insert(faces);
            return;
        };
        let mix = self.table.mixes.get(id);
        let known = |at: usize| self.knows(mix.special[at].known).then(|| mix.special[at].identity);
        let special = (0..mix.special.len()).map(|at| known(at).unwrap_or_else(|| inputs[&(id, at)]));
        let mut left: Vec<FaceIdentity> = mix.open.iter().copied().chain(special).collect();
        left.sort_unstable();
        let pieces = self.table.all_pieces().filter(|piece| self.table.pieces[piece.index()].mix == id);
        let mut outputs: Vec<Output> = pieces.map(Output::Piece).collect();
        for (younger, mix) in self.table.mixes.iter() {
            let from_here = (0..mix.special.len()).filter(|at| mix.special[*at].older == id);
            outputs.extend(from_here.map(|at| Output::Input(younger, at)));
        }
        self.deal_outputs(at, &outputs, &left, faces, inputs);
    }

    fn deal_outputs(
        &mut self,
        at: usize,
        outputs: &[Output],
        left: &[FaceIdentity],
        faces: Vec<FaceIdentity>,
        inputs: Inputs,
    ) {
        if self.count >= MAX_WORLDS {
            return;
        }
        let Some((output, rest)) = outputs.split_first() else { return self.deal(at + 1, faces, inputs) };
        let mut distinct = left.to_vec();
        distinct.dedup();
        for identity in distinct {
            let (mut left, mut faces, mut inputs) = (left.to_vec(), faces.clone(), inputs.clone());
            left.remove(left.binary_search(&identity).unwrap());
            match *output {
                Output::Piece(piece) => {
                    let is_known = self.knows(self.table.knowers(piece));
                    let is_possible =
                        if is_known { faces[piece.index()] == identity } else { self.table.may_have(piece, identity) };
                    if !is_possible {
                        continue;
                    }
                    faces[piece.index()] = identity;
                }
                Output::Input(id, at) => {
                    let input = self.table.mixes.get(id).special[at];
                    if self.knows(input.known) && input.identity != identity {
                        continue;
                    }
                    inputs.insert((id, at), identity);
                }
            }
            self.deal_outputs(at, rest, &left, faces, inputs);
        }
    }
}

/// Conclusions that a view draws about a space.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Conclusions {
    /// Faces that are possible at each place, from the bottom up; sorted in hands and bags.
    pub(super) places: Vec<Vec<FaceIdentity>>,
    pub(super) among: Vec<FaceIdentity>,
    pub(super) others: Vec<FaceIdentity>,
}

fn identities(faces: Vec<(ComponentId, Option<Seat>)>) -> Vec<FaceIdentity> {
    faces.into_iter().map(|(component, owner)| FaceIdentity { component, owner }).collect()
}

fn conclusions(table: &Table, seat: Seat, space: SpaceId) -> Conclusions {
    conclusions_of_view(&View::memory(table, Some(seat)), table, space)
}

pub(super) fn conclusions_of_view(view: &View<'_>, table: &Table, space: SpaceId) -> Conclusions {
    let seen = view.seen(space);
    let at = |(place, seen): (usize, &VisiblePiece<'_>)| match seen.face {
        Some(face) => identities(vec![face]),
        None => identities(view.may_be(space, place)),
    };
    let mut places: Vec<Vec<FaceIdentity>> = seen.iter().enumerate().map(at).collect();
    if table.layout.traits_of(table.layout.zone_of(space)).unordered {
        places.sort_unstable();
    }
    let hidden = view.hidden(space);
    let unknown = if table.layout.traits_of(table.layout.zone_of(space)).unordered {
        table.height(space) - seen.len()
    } else {
        seen.iter().filter(|seen| seen.face.is_none()).count()
    };
    assert_eq!(hidden.count, unknown);
    Conclusions { places, among: identities(hidden.among), others: identities(hidden.others) }
}

/// Derives the expected conclusions from the list of all worlds.
fn expected_conclusions(
    table: &Table,
    seat: Seat,
    space: SpaceId,
    worlds: &BTreeSet<Vec<FaceIdentity>>,
) -> Conclusions {
    const MOST: usize = 3;
    let is_unordered = table.layout.traits_of(table.layout.zone_of(space)).unordered;
    let knows = |piece: PieceId| (table.knowers(piece) | table.watchers(piece)) & Layout::only(seat) != 0;
    let mut concluded = Conclusions { places: vec![], among: vec![], others: vec![] };
    let mut group: Vec<PieceId> = vec![];
    for piece in table.stack_from_bottom(space) {
        let may: BTreeSet<FaceIdentity> = worlds.iter().map(|faces| faces[piece.index()]).collect();
        if knows(piece) {
            concluded.places.push(vec![table.print_of(piece)]);
            continue;
        }
        if is_unordered || may.len() > 1 {
            group.push(piece);
        }
        if !is_unordered {
            concluded.places.push(if may.len() > MOST { vec![] } else { may.into_iter().collect() });
        }
    }
    let count = |faces: &Vec<FaceIdentity>, identity: FaceIdentity| {
        group.iter().filter(|p| faces[p.index()] == identity).count()
    };
    let all: BTreeSet<FaceIdentity> = table.all_pieces().map(|piece| table.print_of(piece)).collect();
    for identity in all {
        let counts: BTreeSet<usize> = worlds.iter().map(|faces| count(faces, identity)).collect();
        let least = *counts.first().unwrap();
        if is_unordered {
            concluded.places.extend((0..least).map(|_| vec![identity]));
        } else {
            concluded.among.extend((0..least).map(|_| identity));
        }
        if counts.len() > 1 && is_unordered {
            concluded.others.push(identity);
        }
    }
    if concluded.others.len() > MOST {
        concluded.others.clear();
    }
    if is_unordered {
        concluded.places.sort_unstable();
    }
    concluded
}

/// Returns a small table with the zones of [`varied_table`].
fn small_table(seats: u8, seed: u64, backs: [&str; 2], counts: [&[u16]; 3]) -> Table {
    Box::new(seats)
        .zone("box", Shape::Bag, 1, |_| ())
        .zone("deck", Shape::Pile, 1, |_| ())
        .zone("hand", Shape::Hand, 1, |zone| zone.seen_by = FaceDownVisibility::Owner)
        .zone("discard", Shape::Pile, 1, |zone| (zone.face_up, zone.shows_top) = (true, true))
        .zone("row", Shape::Row, 2, |_| ())
        .zone("bag", Shape::Bag, 1, |_| ())
        .zone("rack", Shape::Row, 1, |zone| zone.accepts = vec![Content::Kind(KindId(1))])
        .zone("secret", Shape::Pile, 1, |zone| zone.seen_by = FaceDownVisibility::Owner)
        .kind("a", backs[0], "deck", counts[0])
        .kind("b", backs[1], "deck", counts[1])
        .kind("c", backs[0], "bag", counts[2])
        .value("cash", Owner::Seat, false)
        .value("mark", Owner::Piece(None), true)
        .value("wound", Owner::Piece(Some(KindId(0))), false)
        .table(seed)
}

#[test]
fn conclusions_are_exactly_the_facts_shared_by_all_worlds() {
    let mut chance = Chance::new(11, "concluded");
    let (mut asked, mut partly, mut skipped, mut circles) = (0, 0, 0, 0);
    let boxes: [[&[u16]; 3]; 3] =
        [[&[1, 1, 1], &[1, 1], &[1]], [&[2, 1], &[1, 1], &[1, 1]], [&[1, 1, 1, 1], &[1], &[2]]];
    for round in 0..15 {
        let backs = if round % 3 == 0 { ["x", "y"] } else { ["x", "x"] };
        let mut table = small_table(2 + round as u8 % 2, round, backs, boxes[round as usize % 3]);
        for _ in 0..90 {
            let event = Event::random(&table, &mut chance);
            if !event.apply(&mut table) || table.mix_count() == 0 {
                continue;
            }
            for seat in table.model().all_seats() {
                let Some(worlds) = Worlds::enumerate(&table, seat) else {
                    skipped += 1;
                    continue;
                };
                circles += usize::from(table.has_several_routes(seat));
                for space in (0..table.stacks.len()).map(SpaceId::at).filter(|space| table.height(*space) > 0) {
                    let found = conclusions(&table, seat, space);
                    assert_eq!(
                        found,
                        expected_conclusions(&table, seat, space, &worlds),
                        "round {round}, {event:?}, {seat:?}, {space:?}"
                    );
                    asked += 1;
                    let is_partly = found.places.iter().any(|faces| faces.len() > 1)
                        || !found.among.is_empty()
                        || !found.others.is_empty();
                    partly += usize::from(is_partly);
                }
            }
        }
    }
    assert!(
        asked > 3_000 && partly > asked / 20 && circles > 10 && skipped < asked / 20,
        "{asked} {partly} {circles} {skipped}"
    );
}

/// Checks that all conclusions drawn on a table are true in a world: faces of places, faces that are somewhere in a
/// space, and possible faces.
fn check_in_world(table: &Table, seat: Seat, world: &Table) -> Result<(), String> {
    for space in (0..table.stacks.len()).map(SpaceId::at).filter(|space| table.height(*space) > 0) {
        let concluded = conclusions(table, seat, space);
        let mut there: Vec<FaceIdentity> = world.stack_from_bottom(space).map(|piece| world.print_of(piece)).collect();
        let is_ordered = !table.layout.traits_of(table.layout.zone_of(space)).unordered;
        let take = |there: &mut Vec<FaceIdentity>, identity: &FaceIdentity| {
            let at = there.iter().position(|found| found == identity);
            at.map(|at| there.swap_remove(at)).ok_or(format!("{space:?}: {concluded:?}")).map(|_| ())
        };
        if is_ordered {
            let fits =
                |(faces, identity): (&Vec<FaceIdentity>, &FaceIdentity)| faces.is_empty() || faces.contains(identity);
            if !concluded.places.iter().zip(&there).all(fits) {
                return Err(format!("{space:?}: {concluded:?}"));
            }
            for faces in concluded.places.iter().filter(|faces| faces.len() == 1) {
                take(&mut there, &faces[0])?;
            }
        } else {
            concluded.places.iter().try_for_each(|faces| take(&mut there, &faces[0]))?;
        }
        concluded.among.iter().try_for_each(|identity| take(&mut there, identity))?;
        if !concluded.others.is_empty() && !there.iter().all(|identity| concluded.others.contains(identity)) {
            return Err(format!("{space:?}: {concluded:?}"));
        }
    }
    Ok(())
}

#[test]
fn conclusions_about_part_of_a_pile_are_reported_for_that_part() {
    let mut table = cards(2, &[1, 1, 1, 1, 1, 1, 1]).table(5);
    let deck = table.space_named("deck");
    table.shuffle(deck);
    let apart: Vec<PieceId> = table.stack(deck).take(3).collect();
    let rest = table.space_named("discard");
    let below: Vec<PieceId> = table.stack(deck).skip(3).collect();
    let names = |pieces: &[PieceId]| {
        let mut all: Vec<ComponentId> = pieces.iter().map(|piece| table.component(*piece)).collect();
        all.sort_unstable();
        all
    };
    let (bottom, top) = (names(&apart), names(&below));
    for piece in apart.iter().chain(&below) {
        table.move_piece(*piece, rest, End::Top, Some(true)).unwrap();
    }
    for pieces in [apart, below] {
        let count = pieces.len();
        for piece in pieces {
            table.move_piece(piece, deck, End::Top, Some(false)).unwrap();
        }
        let upper: Vec<PieceId> = table.stack(deck).take(count).collect();
        table.mix(&upper);
    }
    let hidden = View::memory(&table, Some(Seat(0))).hidden(deck);
    let concluded: Vec<(Vec<usize>, Vec<ComponentId>)> = hidden
        .sections
        .iter()
        .map(|section| (section.places.clone(), section.among.iter().map(|face| face.0).collect()))
        .collect();
    assert_eq!(concluded, [(vec![6, 5, 4, 3], top), (vec![2, 1, 0], bottom)]);
    assert_eq!((hidden.among.len(), hidden.among_any()), (7, vec![]));
}

#[test]
fn conclusions_hold_in_imagined_worlds_and_are_the_same_there() {
    let mut chance = Chance::new(12, "dealt");
    let (mut dealt, mut coarse) = (0, 0);
    for (seed, backs) in [(1, ["x", "x"]), (2, ["x", "y"]), (3, ["x", "x"])] {
        for seats in [2, 4] {
            let mut table = varied_table(seats, seed, backs);
            for _ in 0..40 {
                let event = Event::random(&table, &mut chance);
                if !event.apply(&mut table) {
                    continue;
                }
                let seat = Seat(chance.below(u32::from(seats)) as u8);
                let spaces = || (0..table.stacks.len()).map(SpaceId::at);
                let here: Vec<Conclusions> = spaces().map(|space| conclusions(&table, seat, space)).collect();
                for round in 0..12 {
                    let world = table.imagine(seat, &mut chance, &mut NoJudge).unwrap();
                    dealt += 1;
                    // If no deal is found, connected mixes are merged. The resulting world may contradict conclusions.
                    let is_coarse = world.mix_count() != table.mix_count();
                    coarse += usize::from(is_coarse);
                    if is_coarse {
                        continue;
                    }
                    let found = check_in_world(&table, seat, &world);
                    assert_eq!(found, Ok(()), "{event:?}, {seat:?}");
                    if round == 0 {
                        let there: Vec<Conclusions> = spaces().map(|space| conclusions(&world, seat, space)).collect();
                        assert_eq!(here, there, "{event:?}, {seat:?}");
                    }
                }
            }
        }
    }
    assert!(dealt > 1_500 && coarse * 20 < dealt, "{coarse} of {dealt}");
}

#[test]
fn of_two_cards_one_is_known_once_the_other_is_played() {
    let mut table = cards(2, &[1, 1, 1, 1]).table(5);
    table.shuffle(table.space_named("deck"));
    let drawn = [table.draw(1), table.draw(1)];
    table.show(drawn[0], 0b01);
    table.lose_track(table.hand(1));
    let hand = table.hand(1);
    let shown = table.print_of(drawn[0]);
    assert_eq!(conclusions(&table, Seat(0), hand).places, [vec![shown]], "one of the two");
    assert!(View::memory(&table, Some(Seat(0))).hidden(hand).others.len() == 3);
    table.move_piece(drawn[1], table.space_named("discard"), End::Top, None).unwrap();
    assert_eq!(conclusions(&table, Seat(0), hand).places, [vec![shown]]);
    assert_eq!(
        View::memory(&table, Some(Seat(0))).hidden(hand).count,
        0,
        "the other is played: this is what was shown"
    );
}

#[test]
fn a_card_taken_openly_into_a_hand_is_known_to_be_there() {
    let mut table = cards(2, &[3, 3, 3, 1, 1]).table(5);
    let (deck, discard) = (table.space_named("deck"), table.space_named("discard"));
    let [bought, taken] = [3, 4]
        .map(|component| table.stack(deck).find(|piece| table.component(*piece) == ComponentId(component)).unwrap());
    table.move_piece(taken, discard, End::Top, None).unwrap();
    table.move_piece(bought, discard, End::Top, None).unwrap();
    table.shuffle(deck);
    for _ in 0..6 {
        table.draw(1);
    }
    for piece in [bought, taken] {
        table.move_piece(piece, table.hand(1), End::Top, None).unwrap();
    }
    let seen = conclusions(&table, Seat(0), table.hand(1));
    let wanted = [3, 4].map(|component| vec![FaceIdentity { component: ComponentId(component), owner: None }]);
    assert_eq!(seen.places, wanted, "among these eight");
    assert_eq!(View::memory(&table, Some(Seat(0))).hidden(table.hand(1)).count, 6);
}

/// Tests that conclusions about thousands of pieces do not take long, since equal faces are dealt as a count and not one by one.
#[test]
fn conclusions_about_thousands_of_pieces_are_fast() {
    let mut table = cards(2, &[3_000, 3_000, 3_000, 1]).table(6);
    let deck = table.space_named("deck");
    table.shuffle(deck);
    for _ in 0..40 {
        table.draw(1);
    }
    for _ in 0..50 {
        let hidden = View::memory(&table, Some(Seat(0))).hidden(deck);
        assert_eq!((hidden.count, hidden.among.len()), (8_961, 3 * 2_960));
    }
}

impl Table {
    /// Returns whether some unknown pieces may have come to their places by several routes.
    fn has_several_routes(&self, seat: Seat) -> bool {
        let knows = |seats: SeatSet| seats & Layout::only(seat) != 0;
        let limits = knowledge::limits::Limits::default();
        knowledge::puzzle::Puzzle::all(self, knows, &limits).iter().any(|puzzle| !puzzle.is_plain())
    }
}
