//! Tests that imagined worlds replace all information that is hidden from a seat, and look the same to that seat. Therefore nothing that a
//! seat sees reveals secrets.

use crate::case::{Case, cases_of_long_tests};
use crate::random_walk::{knowledge_digest, option_texts, walk, walks};
use parlour::agents::named;
use parlour::diagnostic::render;
use parlour::model::{ComponentId, Language, Seat, SpaceId};
use parlour::session::{ChooseError, Session, Setup, Status};
use parlour::table::{Chance, View};
use parlour::wording::Wording;

/// Interval, in answers, at which worlds are imagined.
const EVERY: usize = 3;

/// Maximum number of answers that other seats give before the seat itself is asked.
const MAX_OTHER_ANSWERS: usize = 100;

/// Interval, in answers, at which an imagined game is played to its end.
const END_EVERY: usize = 17;

#[test]
fn imagined_worlds_look_the_same_to_the_seat() {
    for case in cases_of_long_tests() {
        for seed in 0..walks() {
            let mut chance = Chance::new(seed, "imagine");
            walk(&case, seed, |session, _| {
                if session.answers().len().is_multiple_of(EVERY) {
                    for seat in session.model().clone().all_seats() {
                        let mut world = imagine(&case, session, seat, &mut chance);
                        assert_same_knowledge(&case, session, &world, seat);
                        assert_same_question(&case, session, &mut world, seat);
                        assert_same_knowledge(&case, session, &world, seat);
                    }
                }
            });
        }
    }
}

/// Plays a game at random. At intervals, asserts that worlds imagined for each seat look the same to that seat.
pub(crate) fn check_imagined_worlds(case: &Case, seed: u64) {
    let mut chance = Chance::new(seed, "imagine");
    walk(case, seed, |session, _| {
        if session.answers().len().is_multiple_of(EVERY) {
            for seat in session.model().clone().all_seats() {
                let world = imagine(case, session, seat, &mut chance);
                assert_same_knowledge(case, session, &world, seat);
            }
        }
    });
}

/// Imagines a world for a seat. Panics if no world is found.
fn imagine(case: &Case, session: &Session, seat: Seat, chance: &mut Chance) -> Session {
    session.imagine(seat, chance).unwrap_or_else(|| panic!("{}, {seat:?}: no world is found", case.at(session)))
}

/// Asserts that a seat sees and remembers the same in both sessions. On failure, prints the lines that differ.
fn assert_same_knowledge(case: &Case, session: &Session, world: &Session, seat: Seat) {
    if knowledge_digest(world, seat) == knowledge_digest(session, seat) {
        return;
    }
    let lines = |session: &Session| {
        let memory = View::memory(session.table(), Some(seat));
        memory.describe().lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let (here, there) = (lines(session), lines(world));
    let differences: Vec<_> = here.iter().zip(&there).filter(|(here, there)| here != there).collect();
    panic!("{}, {seat:?}: the imagined world looks different: {differences:#?}", case.at(session));
}

/// Number of worlds imagined per seat for checking statements about hidden pieces.
const WORLDS: usize = 2;

/// Interval, in answers, at which statements about hidden pieces are checked.
const CHECK_EVERY: usize = 37;

#[test]
fn statements_about_hidden_pieces_are_true_and_hold_in_imagined_worlds() {
    let (mut partly, mut all, mut different, mut wrong) = (0, 0, 0, 0);
    for case in cases_of_long_tests() {
        let mut chance = Chance::new(3, "imagine");
        walk(&case, 3, |session, _| {
            if !session.answers().len().is_multiple_of(CHECK_EVERY) {
                return;
            }
            for seat in session.model().clone().all_seats() {
                let listing = session.listing(Some(seat));
                let seen = session.memory(Some(seat));
                let truth = check_statements(&seen, &View::whole(session.table()));
                partly += truth.unwrap_or_else(|space| {
                    panic!("{}, {seat:?}: a statement about {space:?} is wrong", case.at(session))
                });
                for _ in 0..WORLDS {
                    let world = imagine(&case, session, seat, &mut chance);
                    all += 1;
                    different += u32::from(world.listing(Some(seat)) != listing);
                    wrong += u32::from(check_statements(&seen, &View::whole(world.table())).is_err());
                }
            }
        });
    }
    assert!(partly > 1000, "there were statements about only {partly} hidden pieces");
    assert_eq!((different, wrong), (0, 0), "of {all} worlds, in how many the statements differ, and are wrong");
}

type Face = (ComponentId, Option<Seat>);

/// Checks all statements of a view about hidden pieces against a world. Returns the number of statements about possible faces.
///
/// # Errors
/// Returns the first space for which a statement is wrong.
fn check_statements(view: &View<'_>, world: &View<'_>) -> Result<usize, SpaceId> {
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

/// Asserts that `seat` has the same decision with the same options in the session and in the imagined world. Does nothing if the session is
/// asking another seat. Seats that are asked at the same time answer first in the world, with any option, because `seat` does not know
/// their real answers.
fn assert_same_question(case: &Case, session: &Session, world: &mut Session, seat: Seat) {
    let asked = session.decision().unwrap();
    if asked.seat != seat {
        return;
    }
    for _ in 0..MAX_OTHER_ANSWERS {
        if world.decision().is_some_and(|decision| decision.seat != seat) {
            world.choose(0).unwrap();
        }
    }
    let again = world.decision().unwrap();
    assert_eq!((again.seat, again.id), (asked.seat, asked.id), "{}, {seat:?}", case.at(session));
    assert_eq!(option_texts(world), option_texts(session), "{}, {seat:?}", case.at(session));
}

/// If a step did not depend on anything that is hidden from the seat, its state is copied into imagined worlds instead of being replayed.
/// The copy must equal the replay, including all variables.
#[test]
fn copied_steps_equal_replayed_steps() {
    let (mut copied, mut all) = (0, 0);
    for case in cases_of_long_tests() {
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

/// If hidden information is replaced and the seat still sees the same, its options must be the same, too.
#[test]
fn options_do_not_reveal_hidden_information() {
    let mut dependent = 0;
    for case in cases_of_long_tests() {
        for seed in 0..walks() {
            let mut chance = Chance::new(seed, "swap");
            walk(&case, seed, |session, _| {
                let imagination = session.observation().unwrap().imagination().unwrap();
                dependent += usize::from(imagination.is_run_again());
                if let Some(found) = imagination.check_options(&mut chance) {
                    panic!("{}: {}", case.at(session), render(&found, false));
                }
            });
        }
    }
    assert!(dependent > 100, "only {dependent} steps depended on hidden information");
}

#[test]
fn imagined_games_can_be_played_to_their_end() {
    for case in cases_of_long_tests() {
        let mut chance = Chance::new(0, "imagine");
        walk(&case, 0, |session, _| {
            if session.answers().len() % END_EVERY == 1 {
                let seat = session.decision().unwrap().seat;
                let mut world = imagine(&case, session, seat, &mut chance);
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
fn imagined_worlds_have_the_same_log_for_the_seat() {
    for case in cases_of_long_tests() {
        let mut chance = Chance::new(2, "imagine");
        walk(&case, 2, |session, next| {
            if session.answers().len() % END_EVERY == 1 {
                let seat = session.decision().unwrap().seat;
                let mut world = imagine(&case, session, seat, &mut chance);
                assert_eq!(log_for(&world, seat), log_for(session, seat), "{}", case.at(session));
                let mut fork = session.fork();
                fork.choose(next).unwrap();
                assert!(fork.undo().is_ok(), "{}", case.at(session));
                world.choose(next.min(world.decision().unwrap().count() - 1)).unwrap();
                assert_eq!(world.undo(), Err(ChooseError::Imagined), "{}", case.at(session));
            }
        });
    }
}

/// Returns the log that a seat can read.
fn log_for(session: &Session, seat: Seat) -> Vec<String> {
    let wording = Wording::new(session.model().clone(), session.setup().clone(), Language::English);
    wording.for_seat(seat).narrate(session.events())
}

#[test]
fn shuffled_piles_hide_their_order() {
    for case in cases_of_long_tests() {
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
fn imagining_does_not_change_the_session() {
    for case in cases_of_long_tests() {
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

/// A variable keeps what the seat saw of a card that it has put away, and the step depends on it.
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
fn steps_that_depend_on_values_hidden_since_are_not_copied() {
    let texts = [("game.toml", STASH), ("components/cards.toml", CARDS), ("rules/play.rhai", STASHING)];
    let game =
        parlour::load_texts("stash", crate::folder::owned_files(texts)).unwrap_or_else(|found| panic!("{found}"));
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
