//! Compares compiled rules with Rhai's tree walker in lockstep. At every decision, both must have the same options, the same events and the
//! same table.
//!
//! `GAMES=20 cargo test --release --test battery lockstep` plays 20 games per case.

use crate::case::{Case, cases, cases_of_long_tests, render_plain};
use crate::folder;
use parlour::agents::FirstOption;
use parlour::diagnostic::Source;
use parlour::playscript::{self, Cast, Play};
use parlour::session::{Decision, Game, NoAnswer, Observation, Observer, Player, Session, Status};
use parlour::table::{Chance, Table};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread;

/// Default number of games per case.
const GAMES: u64 = 2;

/// Minimum number of games per case for a full run. A full run must comprise at least 100,000 games in total.
const FULL_RUN: u64 = 200;

/// Factor that multiplies the number of games for the small games under `examples/`.
const SMALL_GAME_FACTOR: u64 = 20;

/// Stack size in bytes. It is large because the tree walker is recursive.
const STACK_SIZE: usize = 256 << 20;

#[test]
fn compiled_and_interpreted_games_are_identical() {
    let games = std::env::var_os("GAMES").map_or(GAMES, |games| games.to_str().unwrap().parse().unwrap());
    let games_of = move |case: &Case| {
        if case.game.path().starts_with("examples") { games * SMALL_GAME_FACTOR } else { games }
    };
    let all = move || {
        let cases: Vec<Case> = cases_of_long_tests().into_iter().filter(is_walked).collect();
        let sum = cases.iter().map(games_of).sum::<u64>();
        println!("{sum} games");
        assert!(games < FULL_RUN || sum >= 100_000, "only {sum} games in total");
        for case in &cases {
            (0..games_of(case)).for_each(|seed| compare_game(case, seed));
        }
    };
    thread::Builder::new().stack_size(STACK_SIZE).spawn(all).unwrap().join().unwrap();
}

/// Calls that only the virtual machine supports.
const ONLY_COMPILED: [&str; 2] = [" respond(", " trigger("];

/// Returns whether the tree walker supports everything that a game uses.
fn is_walked(case: &Case) -> bool {
    if !case.game.layout(&case.setup).is_ok_and(|layout| layout.model.automas.is_empty()) {
        return false;
    }
    let rules = folder::files(Path::new(case.game.path()));
    let rules = rules.iter().filter(|path| path.extension().is_some_and(|extension| extension == "rhai"));
    let mut texts = rules.map(|path| std::fs::read_to_string(path).unwrap());
    !texts.any(|text| ONLY_COMPILED.iter().any(|word| text.contains(word)))
}

/// Player that repeats recorded answers. All seats share the iterator.
struct Repeater(Rc<RefCell<std::vec::IntoIter<u64>>>);

impl Player for Repeater {
    fn choose(&mut self, _: &Observation<'_>) -> Result<usize, NoAnswer> {
        Ok(self.0.borrow_mut().next().expect("a recorded choice") as usize)
    }
}

/// Compares only recordings: scenes run scripts that arrange positions, which the tree walker does not support.
#[test]
fn recorded_games_have_the_same_result_when_interpreted() {
    // The tree walker is slow, so only one recording per game is compared unless `GAMES` is set.
    let limit = if std::env::var_os("GAMES").is_some() { usize::MAX } else { 1 };
    let all = move || {
        let games: BTreeMap<String, Case> =
            cases().into_iter().filter(is_walked).map(|case| (case.game.path().to_owned(), case)).collect();
        let walked = games
            .values()
            .map(|case| recordings(&case.game).take(limit).inspect(|play| walk_again(&case.game, play)).count());
        assert!(walked.sum::<usize>() > 10);
    };
    thread::Builder::new().stack_size(STACK_SIZE).spawn(all).unwrap().join().unwrap();
}

/// Returns the recordings among the playscripts of a game.
fn recordings(game: &Game) -> impl Iterator<Item = Play> {
    let files = folder::files(Path::new(game.path()).join("plays")).into_iter();
    let plays = files.filter(|path| path.extension().is_some_and(|extension| extension == "play")).map(|path| {
        let text = std::fs::read_to_string(&path).unwrap();
        playscript::parse(&Arc::new(Source { path: path.display().to_string(), text })).unwrap()
    });
    plays.filter(playscript::is_recording)
}

/// Replays a recording with compiled rules and with the tree walker, and asserts that the results are equal.
fn walk_again(game: &Game, play: &Play) {
    let agent = |_: &[Arc<Source>], _: &str, _: u64, _: usize| Ok(Box::new(FirstOption) as Box<dyn Player>);
    let cast = Cast { game: &|_| Ok(game.clone()), agent: &agent, covering: false };
    let ours = playscript::resume(play, &cast).unwrap_or_else(|found| panic!("{}", render_plain(&found))).session;
    let answers = Rc::new(RefCell::new(ours.answers().to_vec().into_iter()));
    let players = (0..ours.setup().seats).map(|_| Box::new(Repeater(answers.clone())) as Box<dyn Player>).collect();
    let walked = game.walked().play(ours.setup(), players, true).unwrap();
    assert_eq!(ours.outcome(), walked.outcome.as_ref().ok(), "{} {:?}", game.path(), ours.setup());
    assert_eq!(ours.fingerprint(), walked.fingerprint, "{} {:?}", game.path(), ours.setup());
    assert_eq!(*ours.events(), walked.events, "{} {:?}", game.path(), ours.setup());
}

/// Compares games one after another, on a thread with a large stack.
pub(crate) fn compare_all(games: Vec<(Case, u64)>) {
    let all = move || games.iter().for_each(|(case, seed)| compare_game(case, *seed));
    thread::Builder::new().stack_size(STACK_SIZE).spawn(all).unwrap().join().unwrap();
}

/// Game with compiled rules, with which the game of the tree walker is compared.
struct Leader {
    case: Case,
    session: Mutex<Session>,
    chance: Mutex<Chance>,
    /// Fingerprint of the table at the last answered decision.
    fingerprint: AtomicU64,
}

/// Player of the tree walker's game. Compares each decision with that of the compiled game, and gives the same answer in both games.
struct Follower(Arc<Leader>);

impl Player for Follower {
    fn choose(&mut self, observation: &Observation<'_>) -> Result<usize, NoAnswer> {
        let mut session = self.0.session.lock().unwrap();
        if let Status::Failed(why) = session.status() {
            panic!("compiled: {}\n{}", self.0.case.at(&session), render_plain(why));
        }
        assert_eq!(session.decision(), Some(observation.decision()), "{}", self.0.case.at(&session));
        let at = self.0.chance.lock().unwrap().below(observation.decision().count() as u32) as usize;
        self.0.fingerprint.store(session.fingerprint(), Relaxed);
        session.choose(at).unwrap();
        Ok(at)
    }
}

impl Observer for Follower {
    fn chose(&mut self, table: &Table, _: &Decision, _: usize) {
        let session = self.0.session.lock().unwrap();
        assert_eq!(
            table.fingerprint(),
            self.0.fingerprint.load(Relaxed),
            "before the last answer of {}",
            self.0.case.at(&session)
        );
    }

    fn step_begins(&mut self, _: &Arc<str>) {}

    fn turn_ends(&mut self) {}

    fn rests(&mut self, _: &Table, _: Option<&[i64]>) {}
}

/// Plays a game with compiled rules and with the tree walker in lockstep. Compares every decision and the result.
fn compare_game(case: &Case, seed: u64) {
    let leader = Arc::new(Leader {
        case: case.clone(),
        session: Mutex::new(case.start(seed)),
        chance: Mutex::new(Chance::new(seed, "lock step")),
        fingerprint: AtomicU64::new(0),
    });
    let follower = |_| Box::new(Follower(leader.clone())) as Box<dyn Player>;
    let players = (0..case.setup.seats).map(follower).collect();
    let (walked, _) = case.game.walked().watch(&case.seeded(seed), players, Follower(leader.clone()), true).unwrap();
    let ours = leader.session.lock().unwrap();
    let outcome = walked.outcome.unwrap_or_else(|why| panic!("walked: {}\n{}", case.at(&ours), render_plain(&why)));
    assert_eq!(ours.outcome(), Some(&outcome), "{}", case.at(&ours));
    assert_eq!(ours.fingerprint(), walked.fingerprint, "{}", case.at(&ours));
    assert_eq!(*ours.events(), walked.events, "{}", case.at(&ours));
}
