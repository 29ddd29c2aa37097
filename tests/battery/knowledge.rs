//! No seat learns what it may not: a world that differs only in what is hidden from a seat looks the same to it.

use crate::case::{Case, cases};
use crate::walk::{known, walk, walks, written};
use parlour::agents::named;
use parlour::diagnostic::render;
use parlour::model::{ComponentId, Language, Seat, SpaceId};
use parlour::session::{ChooseError, Session, Setup, Status};
use parlour::table::{Chance, View};
use parlour::wording::Wording;

/// Worlds are imagined at one of so many decisions.
const EVERY: usize = 3;

/// Others who are asked at the same time give at most so many answers.
const MOST_OTHERS: usize = 100;

/// An imagined game is played to its end at one of so many decisions.
const END_EVERY: usize = 17;

#[test]
fn an_imagined_world_looks_the_same_to_the_seat_that_imagines_it() {
    for case in cases() {
        for seed in 0..walks() {
            let mut chance = Chance::new(seed, "imagine");
            walk(&case, seed, |session, _| {
                if session.answers().len().is_multiple_of(EVERY) {
                    for seat in session.model().clone().all_seats() {
                        let mut world = imagined(&case, session, seat, &mut chance);
                        same_knowledge(&case, session, &world, seat);
                        same_question(&case, session, &mut world, seat);
                        same_knowledge(&case, session, &world, seat);
                    }
                }
            });
        }
    }
}

/// Worlds imagined at some decisions of a game look the same to whoever imagines them.
pub(crate) fn hold_worlds_against_views(case: &Case, seed: u64) {
    let mut chance = Chance::new(seed, "imagine");
    walk(case, seed, |session, _| {
        if session.answers().len().is_multiple_of(EVERY) {
            for seat in session.model().clone().all_seats() {
                let world = imagined(case, session, seat, &mut chance);
                same_knowledge(case, session, &world, seat);
            }
        }
    });
}

fn imagined(case: &Case, session: &Session, seat: Seat, chance: &mut Chance) -> Session {
    session.imagine(seat, chance).unwrap_or_else(|| panic!("{}, {seat:?}: no world is found", case.at(session)))
}

/// What the seat may see and remembers is the same; what differs is shown line by line.
fn same_knowledge(case: &Case, session: &Session, world: &Session, seat: Seat) {
    if known(world, seat) == known(session, seat) {
        return;
    }
    let lines = |session: &Session| {
        let memory = View::memory(session.table(), Some(seat));
        memory.describe().lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let (here, there) = (lines(session), lines(world));
    let unlike: Vec<_> = here.iter().zip(&there).filter(|(here, there)| here != there).collect();
    panic!("{}, {seat:?}: the imagined world looks unlike: {unlike:#?}", case.at(session));
}

/// Worlds in which it is looked up whether what a seat is told holds.
const LOOKED_UP: usize = 2;

/// Decisions at which that is done, of so many one.
const LOOK_EVERY: usize = 37;

#[test]
fn what_a_seat_is_told_of_hidden_pieces_is_so_and_holds_in_the_worlds_it_imagines() {
    let (mut partly, mut all, mut unlike, mut wrong) = (0, 0, 0, 0);
    for case in cases() {
        let mut chance = Chance::new(3, "imagine");
        walk(&case, 3, |session, _| {
            if !session.answers().len().is_multiple_of(LOOK_EVERY) {
                return;
            }
            for seat in session.model().clone().all_seats() {
                let told = session.listing(Some(seat));
                let seen = session.memory(Some(seat));
                let truth = told_rightly(&seen, &View::whole(session.table()));
                partly +=
                    truth.unwrap_or_else(|space| panic!("{}, {seat:?}: {space:?} is told wrongly", case.at(session)));
                for _ in 0..LOOKED_UP {
                    let world = imagined(&case, session, seat, &mut chance);
                    all += 1;
                    unlike += u32::from(world.listing(Some(seat)) != told);
                    wrong += u32::from(told_rightly(&seen, &View::whole(world.table())).is_err());
                }
            }
        });
    }
    assert!(partly > 1000, "{partly} hidden pieces of which something was told");
    assert_eq!(
        (unlike, wrong),
        (0, 0),
        "of {all} worlds so many tell the seat something else, or are none that it may be in"
    );
}

type Face = (ComponentId, Option<Seat>);

/// Whether all that a view tells of hidden pieces holds in a world; gives of how many something is told, or where it does not hold.
fn told_rightly(view: &View<'_>, world: &View<'_>) -> Result<usize, SpaceId> {
    let mut partly = 0;
    for space in (0..view.model().spaces.len()).map(|at| SpaceId(at as u16)) {
        let (seen, hidden) = (view.seen(space), view.hidden(space));
        let mut left: Vec<Face> = world.seen(space).iter().filter_map(|seen| seen.face).collect();
        for (place, one) in seen.iter().enumerate().filter(|_| view.is_ordered(space)) {
            let may_be = view.may_be(space, place);
            partly += usize::from(!may_be.is_empty());
            let is_right =
                one.face.is_none_or(|face| face == left[place]) && (may_be.is_empty() || may_be.contains(&left[place]));
            is_right.then_some(()).ok_or(space)?;
        }
        for face in seen.iter().filter_map(|seen| seen.face).chain(hidden.among.iter().copied()) {
            let at = left.iter().position(|found| *found == face).ok_or(space)?;
            left.swap_remove(at);
        }
        partly += hidden.among.len() + hidden.others.len();
        let is_right = hidden.others.is_empty() || left.iter().all(|face| hidden.others.contains(face));
        is_right.then_some(()).ok_or(space)?;
    }
    Ok(partly)
}

/// Who is asked sees the same question with the same options. Others who are asked at the same time answer first: what they
/// answered in the game that is played is not known to the seat.
fn same_question(case: &Case, session: &Session, world: &mut Session, seat: Seat) {
    let asked = session.decision().unwrap();
    if asked.seat != seat {
        return;
    }
    for _ in 0..MOST_OTHERS {
        if world.decision().is_some_and(|decision| decision.seat != seat) {
            world.choose(0).unwrap();
        }
    }
    let again = world.decision().unwrap();
    assert_eq!((again.seat, again.id), (asked.seat, asked.id), "{}, {seat:?}", case.at(session));
    assert_eq!(written(world), written(session), "{}, {seat:?}", case.at(session));
}

/// Where a step has gone by nothing that the seat does not know, it is copied into the worlds that the seat imagines instead of being run
/// again: that comes to the same, down to every variable.
#[test]
fn a_step_that_is_copied_into_a_world_is_the_same_as_one_run_again() {
    let (mut copied, mut all) = (0, 0);
    for case in cases() {
        for seed in 0..walks() {
            let mut chance = Chance::new(seed, "imagine");
            walk(&case, seed, |session, _| {
                let imagination = session.observation().unwrap().imagination().unwrap();
                all += 1;
                if let Some(is_right) = imagination.is_copied_rightly(&mut chance) {
                    assert!(is_right, "{}", case.at(session));
                    copied += 1;
                }
            });
        }
    }
    assert!(copied > all * 8 / 10 && copied < all, "{copied} of {all} are copied");
}

/// The law of swapped worlds: where what a seat does not know is exchanged, and it sees the same, it is offered the same.
#[test]
fn what_a_seat_is_offered_tells_it_nothing_that_it_does_not_know() {
    let mut hanging = 0;
    for case in cases() {
        for seed in 0..walks() {
            let mut chance = Chance::new(seed, "swap");
            walk(&case, seed, |session, _| {
                let imagination = session.observation().unwrap().imagination().unwrap();
                hanging += usize::from(imagination.is_run_again());
                if let Some(found) = imagination.check_options(&mut chance) {
                    panic!("{}: {}", case.at(session), render(&found, false));
                }
            });
        }
    }
    assert!(hanging > 100, "in {hanging} steps hidden things were read");
}

#[test]
fn an_imagined_game_can_be_played_to_its_end() {
    for case in cases() {
        let mut chance = Chance::new(0, "imagine");
        walk(&case, 0, |session, _| {
            if session.answers().len() % END_EVERY == 1 {
                let seat = session.decision().unwrap().seat;
                let mut world = imagined(&case, session, seat, &mut chance);
                while let Status::Waiting(decision) = world.status() {
                    let at = chance.below(decision.count() as u32) as usize;
                    world.choose(at).unwrap();
                }
                assert!(world.outcome().is_some(), "{}: {:?}", case.at(session), world.status());
            }
        });
    }
}

#[test]
fn a_seat_is_told_the_same_in_the_worlds_it_imagines() {
    for case in cases() {
        let mut chance = Chance::new(2, "imagine");
        walk(&case, 2, |session, next| {
            if session.answers().len() % END_EVERY == 1 {
                let seat = session.decision().unwrap().seat;
                let mut world = imagined(&case, session, seat, &mut chance);
                assert_eq!(heard(&world, seat), heard(session, seat), "{}", case.at(session));
                let mut fork = session.fork();
                fork.choose(next).unwrap();
                assert!(fork.undo().is_ok(), "{}", case.at(session));
                world.choose(next.min(world.decision().unwrap().count() - 1)).unwrap();
                assert_eq!(world.undo(), Err(ChooseError::Imagined), "{}", case.at(session));
            }
        });
    }
}

/// The log as it is told to a seat.
fn heard(session: &Session, seat: Seat) -> Vec<String> {
    let wording = Wording::new(session.model().clone(), session.setup().clone(), Language::English);
    wording.for_seat(seat).narrate(session.events())
}

/// What is shuffled is hidden: nobody can tell the order of a pile from then on.
#[test]
fn nobody_knows_the_order_of_a_pile_that_was_shuffled() {
    for case in cases() {
        for seed in 0..walks() {
            let setup = case.seeded(seed);
            let players = (0..usize::from(setup.seats)).map(|seat| named("random", seed, seat).unwrap()).collect();
            let played = case.game.play(&setup, players, false).unwrap();
            let model = &case.game.layout(&setup).unwrap().model;
            let seen: Vec<&str> = played.seen_orders.iter().map(|family| &*model.family(*family).id).collect();
            assert!(seen.is_empty(), "{case} --seed {seed}: {seen:?}");
        }
    }
}

#[test]
fn imagining_changes_nothing_in_the_game_that_is_played() {
    for case in cases() {
        let mut chance = Chance::new(1, "imagine");
        walk(&case, 1, |session, _| {
            let before = session.fingerprint();
            let seat = session.decision().unwrap().seat;
            drop(session.imagine(seat, &mut chance));
            assert_eq!(session.fingerprint(), before, "{}", case.at(session));
        });
    }
}

const STASH: &str = r#"
[game]
format = 1
id = "stash"
name = "Stash"
players = { min = 2, max = 2 }
[zones.deck]
shape = "pile"
starts_with = ["card"]
accepts = ["card"]
face = "down"
[zones.hand]
per = "seat"
shape = "hand"
accepts = ["card"]
[zones.table]
shape = "pile"
accepts = ["card"]
face = "up"
[zones.stash]
shape = "pile"
accepts = ["card"]
face = "down"
[values.piece]
power = { start = 0, min = 0, max = 9, seen_by = "owner" }
[decisions.play]
ask = "Play?"
[flow]
setup = ["deal"]
round = ["turns"]
rounds = 2
ending = "over"
[phases.turns]
steps = [{ each_seat = "play_card" }]
[endings]
over = "It is over"
"#;

const CARDS: &str = "[[card]]\nid = \"ace\"\ncount = 6\n[[card]]\nid = \"king\"\ncount = 6\n";

const STASHING: &str = r#"
fn deal() {
    deck.shuffle();
    for seat in turn_order() {
        deck.draw(3, seat.hand);
        for card in seat.hand.pieces { card.power = 5; }
    }
}

/// What the seat saw of a card that it has put away, a variable still has, and the step goes by it.
fn play_card(seat) {
    let mine = seat.hand.pieces.first;
    let power = mine.power;
    mine.move_to(stash, "down");
    deck.top.move_to(table, "up");
    table.top.move_to(seat.hand);
    choose(seat, "play", seat.hand.pieces).move_to(table, "up");
    if mine.power != power { fault("it had another power"); }
}

fn score(seat) { seat.hand.count() }
"#;

#[test]
fn a_step_that_went_by_a_value_which_the_seat_sees_no_more_is_not_copied() {
    let texts = [("game.toml", STASH), ("components/cards.toml", CARDS), ("rules/play.rhai", STASHING)];
    let game = parlour::load_texts("stash", crate::folder::owned(texts)).unwrap_or_else(|found| panic!("{found}"));
    let mut session = Session::start(&game, &Setup::seats(2)).unwrap();
    let mut chance = Chance::new(1, "imagine");
    for _ in 0..4 {
        let imagination = session.observation().unwrap().imagination().unwrap();
        for _ in 0..8 {
            let mut world = imagination.world(&mut chance).unwrap();
            world.choose(0).unwrap_or_else(|fault| panic!("{fault}"));
        }
        session.choose(0).unwrap();
    }
}
