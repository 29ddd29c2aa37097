//! Agents: none of them peeks, none of them depends on luck it was not given, and each plays as well as it should.

#![allow(clippy::unwrap_used, reason = "what cannot be read fails the test")]

use parlour::agents::{Plan, Shelf, Spec, question};
use parlour::diagnostic::Source;
use parlour::model::Seat;
use parlour::playscript::record;
use parlour::session::{Game, Outcome, Outlook, Player, Session, Setup};
use parlour::table::Chance;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn game(name: &str) -> Game {
    let folder = ["games", "examples/games"].map(|parent| Path::new(parent).join(name));
    let folder = folder.iter().find(|folder| folder.is_dir()).unwrap();
    parlour::load(folder).unwrap_or_else(|found| panic!("{found}"))
}

/// Every folder that holds a game.
fn folders() -> Vec<PathBuf> {
    let lists = ["games", "examples/games"].iter().flat_map(|parent| Path::new(parent).read_dir().unwrap());
    let mut folders: Vec<PathBuf> = lists.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

fn agents_of(game: &Game, setup: &Setup) -> Vec<Arc<Source>> {
    game.layout(setup).unwrap().model.agents.clone()
}

fn spec(game: &Game, name: &str) -> Spec {
    let own = agents_of(game, &Setup::seats(*game.players().start()));
    let read = |path: &str| {
        let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
        Ok(Arc::new(Source { path: path.to_owned(), text }))
    };
    Spec::parse(name, &Shelf { agents: &own, read: &read }).unwrap_or_else(|unknown| panic!("{}", unknown.message))
}

/// The outcome of a game of agents.
fn play(game: &Game, setup: &Setup, agents: &[&str]) -> Outcome {
    let players = agents.iter().enumerate().map(|(seat, name)| spec(game, name).player(setup.seed, seat)).collect();
    let played = game.play(setup, players, false).unwrap_or_else(|found| panic!("{found}"));
    played.outcome.unwrap_or_else(|fault| panic!("{}", fault.message))
}

fn choice(spec: &Spec, outlook: &Outlook<'_>) -> usize {
    spec.player(11, outlook.seat().index()).choose(outlook).unwrap()
}

// ----- peeking

/// Another world in which the seat that is asked knows the same: everything it does not know lies otherwise.
fn swapped(session: &Session, chance: &mut Chance) -> Option<Session> {
    let seat = session.decision()?.seat;
    let mut world = session.imagine(seat, chance)?;
    // Others who are asked at the same time answer first, and nobody knows what.
    while world.decision()?.seat != seat {
        world.choose(0).unwrap();
    }
    Some(world)
}

#[test]
fn what_a_seat_cannot_see_changes_no_choice() {
    let mut differed = 0;
    for folder in folders() {
        let game = parlour::load(&folder).unwrap();
        let setup = Setup::seats(*game.players().end()).seed(5);
        let own = agents_of(&game, &setup);
        let names = own.iter().map(|source| source.path["agents/".len()..].trim_end_matches(".rhai").to_owned());
        let names: Vec<String> = names.chain(["random", "first", "search:6"].map(str::to_owned)).collect();
        let specs: Vec<Spec> = names.iter().map(|name| spec(&game, name)).collect();
        let mut session = Session::start(&game, &setup).unwrap();
        let (mut chance, mut swaps) = (Chance::new(5, "walk"), Chance::new(5, "swap"));
        for turn in 0..60 {
            let Some(outlook) = session.outlook() else { break };
            if turn % 6 == 1 {
                let other = swapped(&session, &mut swaps).unwrap_or_else(|| panic!("{}: no world", folder.display()));
                differed += usize::from(other.fingerprint() != session.fingerprint());
                let there = other.outlook().unwrap();
                assert_eq!(question(&outlook), question(&there), "{}: what a program is told", folder.display());
                for (name, spec) in names.iter().zip(&specs) {
                    let found = [choice(spec, &outlook), choice(spec, &there)];
                    assert_eq!(found[0], found[1], "{}: `{name}` has peeked, turn {turn}", folder.display());
                }
            }
            let at = chance.below(outlook.decision().count() as u32) as usize;
            session.choose(at).unwrap();
        }
    }
    assert!(differed > 5, "worlds that are alike prove nothing: {differed} differed");
}

// ----- the same again

#[test]
fn the_same_seed_and_worlds_give_the_same_choices_on_any_thread() {
    let game = game("goofspiel");
    let setup = Setup::seats(3).seed(3);
    for name in ["search:40", "search:40:cores=2", "search:40:score"] {
        let spec = spec(&game, name);
        let choices = || {
            let mut session = Session::start(&game, &setup).unwrap();
            let mut players: Vec<Box<dyn Player>> = (0..3).map(|seat| spec.player(3, seat)).collect();
            let mut choices = Vec::new();
            while let Some(outlook) = session.outlook().filter(|_| choices.len() < 9) {
                let at = players[outlook.seat().index()].choose(&outlook).unwrap();
                choices.push(at);
                session.choose(at).unwrap();
            }
            choices
        };
        let here = choices();
        assert_eq!(choices(), here, "{name}");
        std::thread::scope(|threads| {
            assert_eq!(threads.spawn(choices).join().unwrap(), here, "{name}");
        });
    }
}

// ----- how well they play

#[test]
fn search_plays_tic_tac_toe_without_a_mistake() {
    let game = game("tic-tac-toe");
    for seed in 0..4 {
        let setup = Setup::seats(2).seed(seed);
        let lost = |outcome: &Outcome, seat: usize| outcome.standings[seat].rank > 1;
        assert!(!lost(&play(&game, &setup, &["search:2000", "random"]), 0), "seed {seed}, first");
        assert!(!lost(&play(&game, &setup, &["random", "search:2000"]), 1), "seed {seed}, second");
        let both = play(&game, &setup, &["search:2000", "search:2000"]);
        assert_eq!(both.winners().count(), 2, "seed {seed}: two without a mistake come to a draw");
    }
}

#[test]
fn search_wins_at_connect_four_against_lots() {
    let game = game("connect-four");
    let won = (0..6_u64).filter(|seed| {
        let seat = (*seed % 2) as usize;
        let agents = if seat == 0 { ["search:100", "random"] } else { ["random", "search:100"] };
        play(&game, &Setup::seats(2).seed(*seed), &agents).standings[seat].rank == 1
    });
    assert!(won.count() >= 5);
}

#[test]
fn search_bids_with_others_at_the_same_time_better_than_by_lot() {
    let game = game("goofspiel");
    let won = (0..20_u64).filter(|seed| {
        let outcome = play(&game, &Setup::seats(2).seed(*seed), &["search:60", "random"]);
        outcome.standings[0].score > outcome.standings[1].score
    });
    let won = won.count();
    assert!(won >= 14, "{won} of 20");
}

#[test]
fn the_heuristics_of_every_game_win_more_than_their_share() {
    for folder in folders() {
        let game = parlour::load(&folder).unwrap();
        let seats = (*game.players().start()).max(2).min(*game.players().end());
        let setup = Setup::seats(seats);
        for source in agents_of(&game, &setup) {
            let name = source.path["agents/".len()..].trim_end_matches(".rhai").to_owned();
            let won = (0..5_u64).filter(|seed| {
                let seat = *seed as usize % seats as usize;
                let agents: Vec<&str> =
                    (0..seats as usize).map(|at| if at == seat { name.as_str() } else { "random" }).collect();
                play(&game, &setup.clone().seed(*seed), &agents).standings[seat].rank == 1
            });
            let won = won.count();
            assert!(won * usize::from(seats) > 5, "{}: `{name}` won {won} of 5", folder.display());
        }
    }
}

// ----- Kuhn poker

/// The position after a deal and some choices: cards by strength, choices by their written forms.
fn kuhn(game: &Game, cards: [i64; 2], choices: &[&str]) -> Session {
    for seed in 0.. {
        let mut session = Session::start(game, &Setup::seats(2).seed(seed)).unwrap();
        let first = session.table().position.first;
        let hand = |seat: Seat| {
            let model = session.model();
            let family = model.find_family("hand").unwrap();
            let zone = model.family(family).zones.clone().map(parlour::model::ZoneId).nth(seat.index()).unwrap();
            let seen = session.view(seat).seen(model.zone(zone).space());
            let (component, _) = seen[0].face.unwrap();
            let names = ["jack", "queen", "king"];
            names.iter().position(|name| **name == *model.component(component).id).unwrap() as i64 + 1
        };
        if [hand(first), hand(Seat(1 - first.0))] != cards {
            continue;
        }
        for choice in choices {
            let at = session.outlook().unwrap().written().iter().position(|option| option == choice).unwrap();
            session.choose(at).unwrap();
        }
        return session;
    }
    unreachable!("every deal comes up")
}

/// How often of a hundred search bets, or calls, with a card after some choices.
fn bets(game: &Game, card: i64, choices: &[&str], plan: &str) -> i64 {
    let other = if card == 2 { 1 } else { 2 };
    let cards = if choices.len().is_multiple_of(2) { [card, other] } else { [other, card] };
    let session = kuhn(game, cards, choices);
    let outlook = session.outlook().unwrap();
    let spec = spec(game, plan);
    let samples = 10;
    let bets = (0..samples).filter(|seed| {
        let at = spec.player(*seed, 0).choose(&outlook).unwrap();
        ["bet", "call"].contains(&outlook.written()[at].as_str())
    });
    bets.count() as i64 * 100 / samples as i64
}

#[test]
fn search_makes_no_plain_mistake_at_kuhn_poker() {
    let game = game("kuhn-poker");
    let plan = "search:1500:score";
    assert_eq!(bets(&game, 3, &["bet"], plan), 100, "a king calls");
    assert_eq!(bets(&game, 1, &["bet"], plan), 0, "a jack folds");
    assert_eq!(bets(&game, 3, &["pass", "bet"], plan), 100, "a king calls");
    assert_eq!(bets(&game, 1, &["pass", "bet"], plan), 0, "a jack folds");
    assert!(bets(&game, 3, &["pass"], plan) >= 90, "a king bets after a pass");
    assert!(bets(&game, 2, &[], plan) <= 30, "a queen hardly ever opens");
}

/// Plays an equilibrium of Kuhn poker: what is bet and called with each card, in thirds of the time.
struct Equilibrium {
    chance: Chance,
}

impl Player for Equilibrium {
    fn choose(&mut self, outlook: &Outlook<'_>) -> Result<usize, String> {
        let (model, view, seat) = (outlook.model(), outlook.view(), outlook.seat());
        let hand = model.family(model.find_family("hand").unwrap()).zones.start + u16::from(seat.0);
        let seen = view.seen(model.zone(parlour::model::ZoneId(hand)).space());
        let card = &*model.component(seen[0].face.unwrap().0).id;
        let answers = &*model.decisions[outlook.decision().id.index()].id == "answer";
        let thirds = match (card, seat == view.first(), answers) {
            ("king", ..) => 3,
            ("queen", true, true) => 2,
            ("queen", false, true) | ("jack", _, false) => 1,
            _ => 0,
        };
        Ok(usize::from(self.chance.below(3) < thirds))
    }
}

#[test]
fn search_loses_little_to_an_equilibrium_of_kuhn_poker() {
    let (game, spec) = (game("kuhn-poker"), spec(&game("kuhn-poker"), "search:100:score"));
    let games = 600;
    let total: i64 = (0..games)
        .map(|seed| {
            let seat = (seed % 2) as usize;
            let best = Box::new(Equilibrium { chance: Chance::new(seed, "equilibrium") });
            let mut players: Vec<Box<dyn Player>> = vec![spec.player(seed, seat), best];
            players.rotate_left(seat);
            let played = game.play(&Setup::seats(2).seed(seed / 2), players, false).unwrap();
            played.outcome.unwrap().standings[seat].score
        })
        .sum();
    // The seats rotate, so that an equilibrium would come to nothing; three standard errors are 0.17 chips a game.
    assert!(total * 100 / games as i64 > -20, "{total} chips in {games} games");
}

// ----- what was recorded

#[test]
fn a_recording_is_played_again() {
    let game = game("stockpile");
    let setup = Setup::seats(4).seed(9);
    let mut session = Session::start(&game, &setup).unwrap();
    let mut chance = Chance::new(1, "walk");
    while let Some(outlook) = session.outlook() {
        let at = chance.below(outlook.decision().count() as u32) as usize;
        session.choose(at).unwrap();
    }
    let play = record(&game, &setup, session.answers(), false).unwrap();
    let path = std::env::temp_dir().join(format!("parlour-recording-{}.play", std::process::id()));
    std::fs::write(&path, play.to_string()).unwrap();
    let spec = spec(&game, &format!("playscript:{}", path.display()));
    std::fs::remove_file(&path).unwrap();
    let players = (0..4).map(|seat| spec.player(9, seat)).collect();
    let played = game.play(&setup, players, false).unwrap();
    assert_eq!(played.outcome.unwrap(), *session.outcome().unwrap());
    assert_eq!(played.fingerprint, session.fingerprint());
}

// ----- programs

#[cfg(unix)]
mod programs {
    use super::{game, spec};
    use parlour::agents::Process;
    use parlour::session::Setup;
    use std::path::PathBuf;
    use std::time::{Duration, Instant};

    /// A program in the language of the shell.
    struct Script(PathBuf);

    impl Script {
        fn new(name: &str, text: &str) -> Self {
            let path = std::env::temp_dir().join(format!("parlour-{}-{name}.sh", std::process::id()));
            std::fs::write(&path, text).unwrap();
            Self(path)
        }
    }

    impl Drop for Script {
        fn drop(&mut self) {
            std::fs::remove_file(&self.0).unwrap();
        }
    }

    const GREETING: &str = "read hello; echo '{\"type\":\"hello\",\"name\":\"test\"}'\n";

    /// What comes of a game in which a program has the first seat.
    fn fault(name: &str, text: &str) -> Option<String> {
        let script = Script::new(name, text);
        let game = game("tic-tac-toe");
        let program = spec(&game, &format!("cmd:sh {}", script.0.display()));
        let players = vec![program.player(1, 0), spec(&game, "first").player(1, 1)];
        let played = game.play(&Setup::seats(2).seed(1), players, false).unwrap();
        played.outcome.err().map(|diagnostic| {
            assert_eq!(diagnostic.code, "no-answer");
            diagnostic.message
        })
    }

    #[test]
    fn a_program_plays_a_whole_game() {
        let text = format!(
            "{GREETING}id=0\nwhile read line; do case $line in *bye*) exit;; esac; id=$((id+1)); \
             echo \"{{\\\"type\\\":\\\"choose\\\",\\\"id\\\":$id,\\\"option\\\":0}}\"; done\n"
        );
        assert_eq!(fault("whole", &text), None);
    }

    #[test]
    fn what_a_program_does_wrong_is_told_and_never_replaced() {
        let cases = [
            ("crash", format!("{GREETING}exit 3\n"), "has ended (exit status: 3)"),
            ("silent-start", "exit 0\n".to_owned(), "has ended"),
            ("no-json", format!("{GREETING}read q; echo nonsense\n"), "not JSON: nonsense"),
            (
                "not-offered",
                format!("{GREETING}read q; echo '{{\"type\":\"choose\",\"id\":1,\"option\":99}}'\n"),
                "answers question 1 of 9 options",
            ),
            (
                "other-question",
                format!("{GREETING}read q; echo '{{\"type\":\"choose\",\"id\":7,\"option\":0}}'\n"),
                "answers question 1 of 9 options",
            ),
            ("rude", "read hello; echo '{\"type\":\"choose\"}'\n".to_owned(), "answers `hello` with"),
        ];
        for (name, text, wanted) in cases {
            let told = fault(name, &text).unwrap_or_else(|| panic!("{name}: no fault"));
            assert!(told.contains(wanted) && told.starts_with("`cmd:sh "), "{name}: {told}");
        }
    }

    /// What comes of a game in which a program that has a second for each message is asked for one of twenty thousand numbers.
    fn fault_of_many(name: &str, text: &str) -> String {
        let script = Script::new(name, text);
        let toml = "[game]\nid = \"many\"\nname = \"Many\"\nplayers = { min = 1, max = 1 }\n[decisions.pick]\nask = \"?\"\n\
                    [flow]\nround = [\"picking\"]\nrounds = 1\nending = \"over\"\n[phases.picking]\n\
                    steps = [{ each_seat = \"pick\" }]\n[endings]\nover = \"Over\"\n[params]\nmany = 20000\n";
        let rules = "/// Any number.\nfn pick(seat) { choose_number(seat, \"pick\", 1, many); }\n\
                     /// Nothing.\nfn score(seat) { 0 }\n";
        let game = parlour::load_texts(
            "many",
            [("game.toml".to_owned(), toml.to_owned()), ("rules/play.rhai".to_owned(), rules.to_owned())],
        )
        .unwrap_or_else(|mistakes| panic!("{mistakes}"));
        let program = Process::new(&format!("sh {}", script.0.display()), 1, "test").within(Duration::from_secs(1));
        let begin = Instant::now();
        let played = game.play(&Setup::seats(1).seed(1), vec![Box::new(program)], false).unwrap();
        assert!(begin.elapsed() < Duration::from_secs(30), "{name}: {:?}", begin.elapsed());
        played.outcome.unwrap_err().message
    }

    #[test]
    fn a_program_that_does_not_read_holds_nobody_up() {
        let told = fault_of_many("deaf", &format!("{GREETING}exec sleep 600\n"));
        assert!(told.contains("does not read what it is asked for 1 s"), "{told}");
        let told = fault_of_many("dumb", &format!("{GREETING}read question; exec sleep 600\n"));
        assert!(told.contains("is silent for 1 s"), "{told}");
    }

    #[test]
    fn a_program_that_writes_without_end_is_ended() {
        let told = fault_of_many("flood", "exec yes\n");
        assert!(told.contains("not JSON: y"), "{told}");
        let told = fault_of_many("flood-behind", &format!("{GREETING}exec yes\n"));
        assert!(told.contains("not JSON: y"), "{told}");
        // One line without an end.
        let told = fault_of_many("line", "exec tr '\\0' x < /dev/zero\n");
        assert!(told.contains("not JSON: xxx"), "{told}");
    }

    #[test]
    fn a_program_that_does_not_exist_is_told() {
        let game = game("tic-tac-toe");
        let players = (0..2).map(|seat| spec(&game, "cmd:no-such-program-here").player(1, seat)).collect();
        let played = game.play(&Setup::seats(2).seed(1), players, false).unwrap();
        assert!(played.outcome.unwrap_err().message.contains("does not start"));
    }
}

#[test]
fn plans_are_alike_where_they_are_written_alike() {
    let game = game("tic-tac-toe");
    let plan = |text: &str| -> Plan {
        let Spec::Search(plan) = spec(&game, text) else { panic!("{text}") };
        plan
    };
    assert_eq!(plan("search"), plan("search:400"));
    assert_ne!(plan("search:50"), plan("search:50ms"));
}
