//! Compiled rules come to what their tree comes to when the script engine walks it: the same questions with the same options, the
//! same log, the same table, decision by decision.
//!
//! `GAMES=20 cargo test --release --test battery lockstep` plays that many games of each case.

use crate::case::{Case, cases, in_words};
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

/// Games for each case, unless the environment says otherwise.
const GAMES: u64 = 2;

/// With so many games of each case it is a hundred thousand in sum.
const ENOUGH: u64 = 200;

/// Of a small game so many times as many.
const SMALL: u64 = 20;

/// Bytes of stack for the walker, which calls itself.
const STACK: usize = 256 << 20;

#[test]
fn compiled_rules_and_walked_ones_go_in_lock_step() {
    let games = std::env::var_os("GAMES").map_or(GAMES, |games| games.to_str().unwrap().parse().unwrap());
    let of = move |case: &Case| if case.game.path().starts_with("examples") { games * SMALL } else { games };
    let all = move || {
        let cases: Vec<Case> = cases().into_iter().filter(is_walked).collect();
        let sum = cases.iter().map(of).sum::<u64>();
        println!("{sum} games");
        assert!(games < ENOUGH || sum >= 100_000, "{sum} games in sum");
        for case in &cases {
            (0..of(case)).for_each(|seed| lock_step(case, seed));
        }
    };
    thread::Builder::new().stack_size(STACK).spawn(all).unwrap().join().unwrap();
}

/// What the walker has not: the machine alone lays it out, or carries it out.
const OF_THE_MACHINE: [&str; 2] = [" respond(", " trigger("];

/// Whether the walker runs all that the rules of a game say, and asks the seats that are asked.
fn is_walked(case: &Case) -> bool {
    if !case.game.layout(&case.setup).is_ok_and(|layout| layout.model.automas.is_empty()) {
        return false;
    }
    let rules = folder::files(Path::new(case.game.path()));
    let rules = rules.iter().filter(|path| path.extension().is_some_and(|extension| extension == "rhai"));
    let mut texts = rules.map(|path| std::fs::read_to_string(path).unwrap());
    !texts.any(|text| OF_THE_MACHINE.iter().any(|word| text.contains(word)))
}

/// Chooses what was chosen before.
struct Again(Rc<RefCell<std::vec::IntoIter<u64>>>);

impl Player for Again {
    fn choose(&mut self, _: &Observation<'_>) -> Result<usize, NoAnswer> {
        Ok(self.0.borrow_mut().next().expect("a recorded choice") as usize)
    }
}

/// (What scenes arrange, the machine alone carries out.)
#[test]
fn recorded_games_are_walked_to_the_same_end() {
    // To walk is slow: of each game some, unless the environment asks for more.
    let some = if std::env::var_os("GAMES").is_some() { usize::MAX } else { 1 };
    let all = move || {
        let games: BTreeMap<String, Case> =
            cases().into_iter().filter(is_walked).map(|case| (case.game.path().to_owned(), case)).collect();
        let walked = games
            .values()
            .map(|case| recorded(&case.game).take(some).inspect(|play| walk_again(&case.game, play)).count());
        assert!(walked.sum::<usize>() > 10);
    };
    thread::Builder::new().stack_size(STACK).spawn(all).unwrap().join().unwrap();
}

/// The recorded games of a game.
fn recorded(game: &Game) -> impl Iterator<Item = Play> {
    let files = folder::files(Path::new(game.path()).join("plays")).into_iter();
    let plays = files.filter(|path| path.extension().is_some_and(|extension| extension == "play")).map(|path| {
        let text = std::fs::read_to_string(&path).unwrap();
        playscript::parse(&Arc::new(Source { path: path.display().to_string(), text })).unwrap()
    });
    plays.filter(playscript::is_recording)
}

fn walk_again(game: &Game, play: &Play) {
    let agent = |_: &[Arc<Source>], _: &str, _: u64, _: usize| Ok(Box::new(FirstOption) as Box<dyn Player>);
    let cast = Cast { game: &|_| Ok(game.clone()), agent: &agent, covering: false };
    let ours = playscript::resume(play, &cast).unwrap_or_else(|found| panic!("{}", in_words(&found))).session;
    let answers = Rc::new(RefCell::new(ours.answers().to_vec().into_iter()));
    let players = (0..ours.setup().seats).map(|_| Box::new(Again(answers.clone())) as Box<dyn Player>).collect();
    let walked = game.walked().play(ours.setup(), players, true).unwrap();
    assert_eq!(ours.outcome(), walked.outcome.as_ref().ok(), "{} {:?}", game.path(), ours.setup());
    assert_eq!(ours.fingerprint(), walked.fingerprint, "{} {:?}", game.path(), ours.setup());
    assert_eq!(*ours.events(), walked.events, "{} {:?}", game.path(), ours.setup());
}

/// Plays games both ways, one after the other.
pub(crate) fn lock_steps(games: Vec<(Case, u64)>) {
    let all = move || games.iter().for_each(|(case, seed)| lock_step(case, *seed));
    thread::Builder::new().stack_size(STACK).spawn(all).unwrap().join().unwrap();
}

/// A compiled game and what is compared with it.
struct Leader {
    case: Case,
    session: Mutex<Session>,
    chance: Mutex<Chance>,
    /// The number of the table at the question answered last.
    fingerprint: AtomicU64,
}

/// Sits in a walked game, and chooses there as in the compiled one.
struct Follower(Arc<Leader>);

impl Player for Follower {
    fn choose(&mut self, observation: &Observation<'_>) -> Result<usize, NoAnswer> {
        let mut session = self.0.session.lock().unwrap();
        if let Status::Failed(why) = session.status() {
            panic!("compiled: {}\n{}", self.0.case.at(&session), in_words(why));
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

fn lock_step(case: &Case, seed: u64) {
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
    let outcome = walked.outcome.unwrap_or_else(|why| panic!("walked: {}\n{}", case.at(&ours), in_words(&why)));
    assert_eq!(ours.outcome(), Some(&outcome), "{}", case.at(&ours));
    assert_eq!(ours.fingerprint(), walked.fingerprint, "{}", case.at(&ours));
    assert_eq!(*ours.events(), walked.events, "{}", case.at(&ours));
}
