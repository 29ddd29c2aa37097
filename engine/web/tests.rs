//! Tests that pages reveal nothing hidden: a seat gets the same page in the game and in every world that it cannot tell from the game.

use super::links::Viewer;
use super::piece::Drawing;
use super::question::Question;
use super::scene::{SceneBuilder, wording_of};
use crate::faces::{Addresses, Faces, board_sketch, mat_sketch};
use crate::model::{Language, Model, Seat, SpaceId};
use crate::session::{Session, Setup};
use crate::table::{Chance, View, VisiblePiece};
use crate::wording::Wording;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Returns everything from which the page of a viewer is made, as text.
fn sent(session: &Session, viewer: Viewer, faces: &[Faces; 2]) -> String {
    let mut all = String::new();
    for (language, faces) in Language::ALL.into_iter().zip(faces) {
        // If several seats are asked together, the questions of all of them are open at once.
        let ahead = match viewer {
            Viewer::Seat(seat) => session.ask_ahead(Seat(seat)),
            Viewer::Onlooker | Viewer::Host => None,
        };
        let asked = ahead.as_ref().unwrap_or(session);
        let own = asked.observation().filter(|observation| viewer == Viewer::Seat(observation.seat().0));
        let question = own.map(|observation| Question::new(&observation, None, String::new(), language));
        let wording = wording_of(session, viewer, language);
        let offered = question.as_ref().map(Question::marks).unwrap_or_default();
        let drawing = Drawing { faces, wording: &wording, model: session.model(), language };
        let scene = SceneBuilder::new(session, viewer, drawing, &offered, None).scene();
        let beats = super::table::playback(session, viewer, language, faces);
        writeln!(all, "{scene:#?}\n{question:#?}\n{:#?}\n{beats:#?}", wording.narrate(session.events())).unwrap();
    }
    all
}

/// Formats the lines of both texts around their first difference.
fn difference(one: &str, other: &str) -> String {
    let lines: Vec<(&str, &str)> = one.lines().zip(other.lines()).collect();
    let at = lines.iter().position(|(one, other)| one != other).unwrap_or(lines.len());
    let around = |text: &str| text.lines().skip(at.saturating_sub(12)).take(20).collect::<Vec<_>>().join("\n");
    format!("{}\n—— or ——\n{}", around(one), around(other))
}

/// Returns everything that a seat sees or remembers, by space.
fn remembered(session: &Session, seat: Seat) -> Vec<Vec<VisiblePiece<'_>>> {
    let view = View::memory(session.table(), Some(seat));
    (0..session.model().spaces.len()).map(SpaceId::at).map(|space| view.seen(space)).collect()
}

/// Returns whether a seat cannot distinguish `world` from the game: the seat's view, memory and question are the same. This need not hold
/// for an imagined world, since others may have drawn different pieces during the current step.
fn is_alike(session: &Session, world: &Session, seat: Seat) -> bool {
    let asked = |session: &Session| {
        session.decision().map(|open| (open.seat, open.id, open.picked.len())).filter(|(asked, ..)| *asked == seat)
    };
    let seen = |session: &Session| session.view(seat).digest();
    seen(session) == seen(world)
        && asked(session) == asked(world)
        && remembered(session, seat) == remembered(world, seat)
}

/// Returns the generated sketch of the board or of a player's mat, selected by file name. Returns `None` for other files.
fn sketch(model: &Arc<Model>, name: &str) -> Option<Vec<u8>> {
    let wording = Wording::printed(model.clone(), Language::English);
    match name {
        "board.svg" => Some(board_sketch(model, &wording).into_bytes()),
        "mat.svg" => Some(mat_sketch(model, &wording).into_bytes()),
        _ => None,
    }
}

/// Number of times that each game is played, with different seeds.
const SEEDS: u64 = 2;

/// Returns the number of moments at which an imagined world differed from the game.
///
/// # Errors
/// Returns the first difference between pages, or a message that too few worlds could be compared.
fn given_away(folder: &Path) -> Result<usize, String> {
    let game = crate::load(folder).unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    let seats = (*game.players().end()).min(3);
    let mut chance = Chance::new(7, "who looks");
    let (mut worlds, mut moved) = (0, BTreeSet::new());
    for seed in 0..SEEDS {
        let setup = Setup::seats(seats).seed(seed);
        let mut session = Session::start(&game, &setup).unwrap_or_else(|found| panic!("{found:?}"));
        let below = Addresses::Below(String::new());
        // Half of the games have a drawn board and drawn mats.
        let drawing = |name: &str| if seed % 2 == 1 { sketch(session.model(), name) } else { None };
        let faces = Language::ALL.map(|language| {
            Faces::new(session.model(), language, &below, &|name| {
                game.picture(name, crate::faces::CardPicture::LARGEST).or_else(|| drawing(name))
            })
        });
        for step in 0..160 {
            let Some(decision) = session.decision() else { break };
            let count = decision.count();
            for seat in (0..seats).map(Seat).filter(|_| step % 8 == 0) {
                let world = session.imagine(seat, &mut chance);
                let Some(world) = world.filter(|world| is_alike(&session, world, seat)) else { continue };
                worlds += 1;
                if world.fingerprint() != session.fingerprint() {
                    moved.insert((seed, step));
                }
                let viewer = Viewer::Seat(seat.0);
                let (one, other) = (sent(&session, viewer, &faces), sent(&world, viewer, &faces));
                if one != other {
                    let differing = difference(&one, &other);
                    return Err(format!(
                        "{}, seed {seed}, {step}, seat {}:
{differing}",
                        folder.display(),
                        seat.0
                    ));
                }
            }
            session.choose(chance.below(count as u32) as usize).expect("it is offered");
        }
    }
    if worlds > 10 { Ok(moved.len()) } else { Err(format!("{}: only {worlds} worlds", folder.display())) }
}

#[test]
fn pages_reveal_no_hidden_information() {
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir("games").expect("there are games").flatten().map(|entry| entry.path()).collect();
    folders.extend(["examples/games/little-tricks", "examples/gallery/cribbage"].map(PathBuf::from));
    folders.sort();
    // Each game is played on a separate thread.
    let found: Vec<Result<usize, String>> = std::thread::scope(|scope| {
        let threads: Vec<_> = folders.iter().map(|folder| scope.spawn(|| given_away(folder))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no game panics")).collect()
    });
    let failures: Vec<&str> = found.iter().filter_map(|one| one.as_ref().err()).map(String::as_str).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    // One of the games has no secrets except the order of a bag.
    let with_secrets = found.iter().flatten().filter(|moved| **moved > 3).count();
    assert!(with_secrets + 1 >= folders.len(), "{found:?}");
}
