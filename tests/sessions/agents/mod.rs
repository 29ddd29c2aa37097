//! Tests of agents: no agent uses hidden information or random numbers that it was not given, and each agent plays as well as it should.

#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "what cannot be read fails the test; shares are measured"
)]

mod poker;
mod secrets;
mod subsets;
mod weighed;

use crate::folder::{Folder, games};
use crate::thorough::is_thorough;
use parlour::agents::{AgentShelf, Interruptible, Plan, Spec, question};
use parlour::diagnostic::Source;
use parlour::playscript::record;
use parlour::session::{Game, Halt, Observation, Outcome, Player, Session, Setup};
use parlour::table::Chance;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

fn game(name: &str) -> Game {
    let folder = ["games", "examples/games"].map(|parent| Path::new(parent).join(name));
    let folder = folder.iter().find(|folder| folder.is_dir()).unwrap();
    parlour::load(folder).unwrap_or_else(|found| panic!("{found}"))
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
    Spec::parse(name, &AgentShelf { agents: &own, read: &read }).unwrap_or_else(|unknown| panic!("{}", unknown.message))
}

/// Plays a game between agents, and returns its outcome.
fn play(game: &Game, setup: &Setup, agents: &[&str]) -> Outcome {
    let players = agents.iter().enumerate().map(|(seat, name)| spec(game, name).player(setup.seed, seat)).collect();
    let played = game.play(setup, players, false).unwrap_or_else(|found| panic!("{found}"));
    played.outcome.unwrap_or_else(|fault| panic!("{}", fault.message))
}

fn choice(spec: &Spec, observation: &Observation<'_>) -> usize {
    spec.player(11, observation.seat().index()).choose(observation).unwrap()
}

// ----- agents do not use hidden information

/// Imagines a world in which the asked seat has the same information, and everything that it does not know is drawn again.
fn swapped(session: &Session, chance: &mut Chance) -> Option<Session> {
    let seat = session.decision()?.seat;
    let mut world = session.imagine(seat, chance)?;
    // Seats that are asked at the same time answer first. The asked seat does not know their answers.
    while world.decision()?.seat != seat {
        world.choose(0).unwrap();
    }
    Some(world)
}

/// Games in which only future random draws are hidden, so that an imagined world is identical to the game.
const OPEN: [&str; 8] = [
    "beacons",
    "breakthrough",
    "connect-four",
    "garrisons",
    "grain-exchange",
    "little-chess",
    "revolution-1828",
    "tic-tac-toe",
];

/// Number of decisions that are checked in each game, spread over its whole length.
const LOOKED_AT: usize = 10;

/// Number of worlds that are imagined for each decision. The first world that differs from the game is compared with it.
const SWAPS: usize = 4;

/// Plays a game at random. Returns the indexes of the chosen options.
fn at_random(game: &Game, setup: &Setup) -> Vec<usize> {
    let mut session = Session::start(game, setup).unwrap();
    let mut chance = Chance::new(5, "walk");
    let mut chosen = Vec::new();
    while let Some(observation) = session.observation() {
        let at = chance.below(observation.decision().count() as u32) as usize;
        session.choose(at).unwrap();
        chosen.push(at);
    }
    chosen
}

#[test]
fn hidden_information_does_not_affect_choices_of_agents() {
    for folder in games() {
        let game = parlour::load(&folder).unwrap();
        let setup = Setup::seats(*game.players().end()).seed(5);
        let own = agents_of(&game, &setup);
        let names = own.iter().map(|source| source.path["agents/".len()..].trim_end_matches(".rhai").to_owned());
        let rating = own.iter().zip(names.clone()).filter(|(source, _)| source.text.contains("fn rate_"));
        let weighed: Vec<String> = rating.map(|(_, name)| format!("search:6:{name}:weighed")).collect();
        let names: Vec<String> =
            names.chain(["random", "first", "search:6"].map(str::to_owned)).chain(weighed).collect();
        let specs: Vec<Spec> = names.iter().map(|name| spec(&game, name)).collect();
        let chosen = at_random(&game, &setup);
        let looked_at = if is_thorough() { LOOKED_AT } else { LOOKED_AT / 2 };
        let looks: Vec<usize> = (0..looked_at).map(|look| (look * 2 + 1) * chosen.len() / (looked_at * 2)).collect();
        let mut session = Session::start(&game, &setup).unwrap();
        let (mut swaps, mut differed) = (Chance::new(5, "swap"), 0);
        for (turn, at) in chosen.iter().enumerate() {
            if looks.contains(&turn) {
                let observation = session.observation().unwrap();
                // If little is hidden, an imagined world is often identical to the game.
                let unlike = |world: &Session| world.fingerprint() != session.fingerprint();
                let worlds: Vec<Session> = (0..SWAPS).filter_map(|_| swapped(&session, &mut swaps)).collect();
                let other = worlds.iter().find(|world| unlike(world)).or(worlds.first());
                let other = other.unwrap_or_else(|| panic!("{}: no world", folder.display()));
                differed += usize::from(other.fingerprint() != session.fingerprint());
                let there = other.observation().unwrap();
                assert_eq!(question(&observation), question(&there), "{}: what a program is told", folder.display());
                for (name, spec) in names.iter().zip(&specs) {
                    let found = [choice(spec, &observation), choice(spec, &there)];
                    assert_eq!(found[0], found[1], "{}: `{name}` has peeked, turn {turn}", folder.display());
                }
            }
            session.choose(*at).unwrap();
        }
        let is_open = OPEN.contains(&folder.file_name().unwrap().to_str().unwrap());
        assert_eq!(differed == 0, is_open, "{}: worlds that are alike prove nothing", folder.display());
    }
}

// ----- results are reproducible

#[test]
fn equal_seeds_and_worlds_give_equal_choices_on_any_thread() {
    let game = game("goofspiel");
    let setup = Setup::seats(3).seed(3);
    for name in ["search:40", "search:40:cores=2", "search:40:score"] {
        let spec = spec(&game, name);
        let choices = || {
            let mut session = Session::start(&game, &setup).unwrap();
            let mut players: Vec<Box<dyn Player>> = (0..3).map(|seat| spec.player(3, seat)).collect();
            let mut choices = Vec::new();
            while let Some(observation) = session.observation().filter(|_| choices.len() < 9) {
                let at = players[observation.seat().index()].choose(&observation).unwrap();
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

#[test]
fn search_choices_do_not_depend_on_the_number_of_threads() {
    for (name, plans) in [
        ("nettles", ["search:40", "search:40:cores=2", "search:40:cores=3"]),
        ("stockpile", ["search:40", "search:40:cores=2", "search:40:cores=3"]),
        ("nettles", ["search:120:plain:cores=1", "search:120:plain:cores=2", "search:120:plain:cores=5"]),
    ] {
        let game = game(name);
        let specs = plans.map(|plan| spec(&game, plan));
        let setup = Setup::seats(3).seed(3);
        let mut session = Session::start(&game, &setup).unwrap();
        // The same players answer all questions, because a search keeps its tree from one question to the next.
        let mut players = specs.map(|spec| (0..3).map(|seat| spec.player(3, seat)).collect::<Vec<_>>());
        for question in 0..6 {
            let observation = session.observation().unwrap();
            let seat = observation.seat().index();
            let [alone, two, three] = players.each_mut().map(|seated| seated[seat].choose(&observation).unwrap());
            assert_eq!([two, three], [alone, alone], "{name}: question {question}");
            session.choose(alone).unwrap();
        }
    }
}

/// A rating that was found without imagining a world is the same in every world.
#[test]
fn ratings_without_hidden_reads_are_equal_in_every_world() {
    let mut found_without = 0;
    for folder in games() {
        let game = parlour::load(&folder).unwrap();
        let setup = Setup::seats(*game.players().end()).seed(5);
        let mut session = Session::start(&game, &setup).unwrap();
        let mut chance = Chance::new(5, "worlds");
        for at in at_random(&game, &setup) {
            let observation = session.observation().unwrap();
            let imagination = observation.imagination().unwrap();
            for source in agents_of(&game, &setup) {
                let advice = imagination.advice(&source).unwrap();
                let Some(known) = imagination.rated_as_known(&advice) else { continue };
                found_without += 1;
                let mut world = imagination.world(&mut chance).unwrap();
                while world.decision().unwrap().seat != imagination.seat() {
                    world.choose(0).unwrap();
                }
                let known: std::collections::BTreeMap<u64, i64> =
                    observation.rated_codes().into_iter().zip(known.of_rated).collect();
                let there = world.rated_codes().into_iter().zip(world.rate(&advice).unwrap().unwrap().of_rated);
                assert_eq!(there.collect::<std::collections::BTreeMap<_, _>>(), known, "{}", folder.display());
            }
            session.choose(at).unwrap();
        }
    }
    assert!(found_without > 500, "{found_without} ratings");
}

// ----- playing strength

#[test]
fn endless_searches_can_be_interrupted() {
    for (name, agent) in [("tic-tac-toe", "search:4000000000"), ("leduc-poker", "search:900000000ms:cores=2:plain")] {
        let game = game(name);
        let session = Session::start(&game, &Setup::seats(2).seed(1)).unwrap();
        let asked = AtomicU32::new(0);
        let halt = Halt::when(move || asked.fetch_add(1, Ordering::SeqCst) > 20);
        let mut player = Interruptible::new(spec(&game, agent).player(11, 0), halt);
        let why = player.choose(&session.observation().unwrap()).unwrap_err();
        assert_eq!(why.to_string(), "the games are given up", "{agent}");
    }
}

#[test]
fn search_never_loses_at_tic_tac_toe() {
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
fn search_beats_random_at_connect_four() {
    let game = game("connect-four");
    let won = (0..6_u64).filter(|seed| {
        let seat = (*seed % 2) as usize;
        let agents = if seat == 0 { ["search:100", "random"] } else { ["random", "search:100"] };
        play(&game, &Setup::seats(2).seed(*seed), &agents).standings[seat].rank == 1
    });
    assert!(won.count() >= 5);
}

/// The effect of a card counts only at the end of the deal. An agent that looks only to the end of a round would take 50 % more points than
/// the heuristic.
#[test]
fn search_takes_fewer_points_than_its_heuristic_at_nettles() {
    let game = game("nettles");
    let (mut own, mut others) = (0, 0);
    for number in 0..12_u64 {
        let seat = (number % 3) as usize;
        let mut agents = ["gardener"; 3];
        agents[seat] = "search:60";
        for standing in play(&game, &Setup::seats(3).seed(number / 3), &agents).standings {
            *if standing.seat.index() == seat { &mut own } else { &mut others } += standing.score;
        }
    }
    assert!(2 * own < others, "{own} points, and two others together {others}");
}

#[test]
fn search_beats_random_at_simultaneous_bidding() {
    let game = game("goofspiel");
    let won = (0..20_u64).filter(|seed| {
        let outcome = play(&game, &Setup::seats(2).seed(*seed), &["search:60", "random"]);
        outcome.standings[0].score > outcome.standings[1].score
    });
    let won = won.count();
    assert!(won >= 14, "{won} of 20");
}

/// Returns the smallest number of wins that is reached or exceeded by chance with a probability below 1 %. `chance` is the probability of
/// winning one game.
fn more_than_lots(games: u32, chance: f64) -> u32 {
    let exactly = |wins: u32| {
        let ways = (0..wins).map(|at| f64::from(games - at) / f64::from(at + 1)).product::<f64>();
        ways * chance.powi(wins as i32) * (1.0 - chance).powi((games - wins) as i32)
    };
    (0..=games).find(|least| (*least..=games).map(exactly).sum::<f64>() < 0.01).unwrap()
}

#[test]
fn heuristics_of_all_games_beat_their_fair_share() {
    assert_eq!([more_than_lots(24, 0.5), more_than_lots(24, 1.0 / 3.0)], [19, 15]);
    for folder in games() {
        let game = parlour::load(&folder).unwrap();
        let seats = (*game.players().start()).max(2).min(*game.players().end());
        let setup = Setup::seats(seats);
        // The agent plays all seats of a team.
        let sides = game.layout(&setup).unwrap().model.side_indices();
        let share = 1.0 / (1 + sides.iter().copied().max().unwrap()) as f64;
        for source in agents_of(&game, &setup) {
            let name = source.path["agents/".len()..].trim_end_matches(".rhai").to_owned();
            let games = 24;
            let won = (0..u64::from(games)).filter(|seed| {
                let seat = *seed as usize % seats as usize;
                let agents: Vec<&str> = (0..seats as usize)
                    .map(|at| if sides[at] == sides[seat] { name.as_str() } else { "random" })
                    .collect();
                play(&game, &setup.clone().seed(*seed), &agents).standings[seat].rank == 1
            });
            let (won, wanted) = (won.count() as u32, more_than_lots(games, share));
            assert!(
                won >= wanted,
                "{}: `{name}` won {won} of {games}, and chance alone may win {wanted}",
                folder.display()
            );
        }
    }
}

// ----- recordings

#[test]
fn the_playscript_agent_repeats_a_recording() {
    let game = game("stockpile");
    let setup = Setup::seats(4).seed(9);
    let mut session = Session::start(&game, &setup).unwrap();
    let mut chance = Chance::new(1, "walk");
    while let Some(observation) = session.observation() {
        let at = chance.below(observation.decision().count() as u32) as usize;
        session.choose(at).unwrap();
    }
    let play = record(&game, &setup, &session.answers().to_vec(), false).unwrap();
    let folder = Folder::new("recording");
    let spec = spec(&game, &format!("playscript:{}", folder.write("recording.play", play.to_string())));
    let players = (0..4).map(|seat| spec.player(9, seat)).collect();
    let played = game.play(&setup, players, false).unwrap();
    assert_eq!(played.outcome.unwrap(), *session.outcome().unwrap());
    assert_eq!(played.fingerprint, session.fingerprint());
}

// ----- agent programs

#[cfg(unix)]
mod programs {
    use super::{game, spec};
    use crate::folder::Folder;
    use parlour::agents::Process;
    use parlour::session::{Game, Setup};
    use std::time::{Duration, Instant};

    /// Writes an agent program as a shell script, and returns its command.
    fn script(folder: &Folder, text: &str) -> String {
        format!("sh {}", folder.write("program.sh", text))
    }

    const GREETING: &str = "read hello; echo '{\"type\":\"hello\",\"name\":\"test\"}'\n";

    /// Plays a game with a program in the first seat. Returns the message if the program causes a fault.
    fn fault(name: &str, text: &str) -> Option<String> {
        let folder = Folder::new(name);
        let script = script(&folder, text);
        let game = game("tic-tac-toe");
        let program = spec(&game, &format!("cmd:{script}"));
        let players = vec![program.player(1, 0), spec(&game, "first").player(1, 1)];
        let played = game.play(&Setup::seats(2).seed(1), players, false).unwrap();
        played.outcome.err().map(|diagnostic| {
            assert_eq!(diagnostic.code, "no-answer");
            diagnostic.message
        })
    }

    #[test]
    fn an_agent_program_can_play_a_whole_game() {
        let text = format!(
            "{GREETING}id=0\nwhile read line; do case $line in *bye*) exit;; esac; id=$((id+1)); \
             echo \"{{\\\"type\\\":\\\"choose\\\",\\\"id\\\":$id,\\\"option\\\":0}}\"; done\n"
        );
        assert_eq!(fault("whole", &text), None);
    }

    /// Returns the messages that a program receives in a game of tic-tac-toe. The program responds to `hello` with `greeting`, and always
    /// chooses the first option.
    fn sent(name: &str, greeting: &str) -> Vec<serde_json::Value> {
        sent_in(&game("tic-tac-toe"), name, greeting, ["PROGRAM", "first"])
    }

    /// Like [`sent`], but for any game. The program plays the seat that is called `PROGRAM` in `seats`.
    fn sent_in(game: &Game, name: &str, greeting: &str, seats: [&str; 2]) -> Vec<serde_json::Value> {
        let folder = Folder::new(name);
        let text = format!(
            "read hello; echo '{greeting}'\nid=0\nwhile read -r line; do printf '%s\\n' \"$line\" >> {}; case $line in *'\"bye\"'*) exit;; \
             *'\"over\"'*) continue;; esac; id=$((id+1)); echo \"{{\\\"type\\\":\\\"choose\\\",\\\"id\\\":$id,\\\"option\\\":0}}\"; done\n",
            folder.path_of("heard")
        );
        let script = script(&folder, &text);
        let agent = |at: usize| spec(game, &seats[at].replace("PROGRAM", &format!("cmd:{script}")));
        let players = (0..2).map(|at| agent(at).player(1, at)).collect();
        let played = game.play(&Setup::seats(2).seed(1), players, false).unwrap();
        assert!(played.outcome.is_ok());
        folder.read("heard").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn agent_programs_receive_events_since_their_turn_and_the_outcome() {
        let sent = sent("hears", r#"{"type":"hello","protocol":2}"#);
        let of_type = |name: &str| sent.iter().filter(|message| message["type"] == name).collect::<Vec<_>>();
        let asked = of_type("decide");
        assert!(asked.len() > 2);
        for question in &asked[1..] {
            // The program is informed about its own answer and about the answer of the other seat.
            let events = question["events"].as_array().unwrap();
            let chosen: Vec<_> = events.iter().filter(|event| event["event"] == "chose").collect();
            assert_eq!(chosen.iter().map(|event| event["seat"].clone()).collect::<Vec<_>>(), [1, 2], "{question}");
            let log: Vec<_> = question["log"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
            assert!(!log.is_empty() && log.iter().all(|line| !line.contains('\n')), "{question}");
        }
        let over = of_type("over");
        assert_eq!((over.len(), over[0]["ranks"][0].as_i64()), (1, Some(1)), "{over:?}");
        assert!(over[0]["events"].as_array().unwrap().iter().any(|event| event["event"] == "ended"), "{over:?}");
    }

    #[test]
    fn agent_programs_receive_simultaneous_answers_once_revealed() {
        let toml = "[game]\nid = \"both\"\nplayers = { min = 2, max = 2 }\n[values.seat]\npoints = 0\n[decisions.bid]\nask = \"How much?\"\n\
            [flow]\nround = [\"play\"]\nrounds = 3\n[phases.play]\nsteps = [\"bids\"]\n";
        let rules = "fn bids() {\n    let all = together(seats, |seat| choose_number(seat, \"bid\", 2, 4) + choose_number(seat, \"bid\", 7, 9));\n    \
            for seat in seats { seat.points += all[seat]; }\n}\nfn score(seat) { seat.points }\n";
        let texts = [("game.toml", toml), ("rules/play.rhai", rules)];
        let texts = texts.map(|(path, text)| (path.to_owned(), text.to_owned()));
        let game = parlour::load_texts("both", texts).unwrap_or_else(|found| panic!("{found}"));
        for (name, seats) in [("both-first", ["PROGRAM", "first"]), ("both-last", ["first", "PROGRAM"])] {
            let sent = sent_in(&game, name, r#"{"type":"hello","protocol":2}"#, seats);
            let own = if seats[0] == "PROGRAM" { 1 } else { 2 };
            // `heard` counts the program's own answers and the other seat's answers that the program has been told. `counts` records these
            // numbers at each question and at the end of the game.
            let mut heard = [0_usize; 2];
            let mut counts = Vec::new();
            for message in sent.iter().filter(|message| message["events"].is_array()) {
                for event in message["events"].as_array().unwrap().iter().filter(|event| event["event"] == "chose") {
                    heard[usize::from(event["seat"] != own)] += 1;
                }
                counts.push(heard);
            }
            assert_eq!(counts, [[0, 0], [1, 0], [2, 2], [3, 2], [4, 4], [5, 4], [6, 6]], "{name}");
        }
    }

    #[test]
    fn protocol_1_programs_receive_no_log_and_no_outcome() {
        for greeting in [r#"{"type":"hello"}"#, r#"{"type":"hello","protocol":1}"#] {
            let sent = sent("old", greeting);
            assert!(sent.iter().all(|message| message.get("log").is_none() && message["type"] != "over"), "{sent:?}");
        }
    }

    #[test]
    fn errors_of_agent_programs_are_reported_as_faults() {
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
            (
                "other-protocol",
                "read hello; echo '{\"type\":\"hello\",\"protocol\":3}'\n".to_owned(),
                "speaks protocol 3",
            ),
            ("rude", "read hello; echo '{\"type\":\"choose\"}'\n".to_owned(), "answers `hello` with"),
        ];
        for (name, text, wanted) in cases {
            let told = fault(name, &text).unwrap_or_else(|| panic!("{name}: no fault"));
            assert!(told.contains(wanted) && told.starts_with("`cmd:sh "), "{name}: {told}");
        }
    }

    #[test]
    fn faults_of_agent_programs_have_help() {
        let folder = Folder::new("counts-from-1");
        let program = script(&folder, &format!("{GREETING}read q; echo '{{\"option\":9}}'\n"));
        let help = |command: String| {
            let game = game("tic-tac-toe");
            let players = vec![spec(&game, &command).player(1, 0), spec(&game, "first").player(1, 1)];
            let played = game.play(&Setup::seats(2).seed(1), players, false).unwrap();
            played.outcome.unwrap_err().help.unwrap_or_default()
        };
        let told = help(format!("cmd:{program}"));
        assert!(told.contains("numbered from 0") && told.contains(r#"{"type":"choose","id":1,"option":8}"#), "{told}");
        let folder = Folder::new("stranger");
        let stranger = script(&folder, "read hello; echo '{\"type\":\"hello\",\"protocol\":3}'\n");
        let told = help(format!("cmd:{stranger}"));
        assert!(told.contains("this program speaks protocol 2"), "{told}");
        assert!(help("cmd:Cargo.toml".to_owned()).contains("`./Cargo.toml`"));
    }

    /// Plays a game in which a program is asked for one of 20,000 numbers and has one second for each message. Returns the message of the
    /// fault. The question is longer than the capacity of a pipe.
    fn fault_of_many(name: &str, text: &str) -> String {
        let folder = Folder::new(name);
        let script = script(&folder, text);
        let toml = "[game]\nid = \"many\"\nname = \"Many\"\nplayers = { min = 1, max = 1 }\n[decisions.pick]\nask = \"?\"\n\
                    [flow]\nround = [\"picking\"]\nrounds = 1\nending = \"over\"\n[phases.picking]\n\
                    steps = [{ each_seat = \"pick\" }]\n[endings]\nover = \"Over\"\n[params]\nmany = 20000\n";
        let rules = "/// Any number.\nfn pick(seat) { choose_number(seat, \"pick\", 1_000_000_000_000_000, 1_000_000_000_000_000 + many); }\n\
                     /// Nothing.\nfn score(seat) { 0 }\n";
        let game = parlour::load_texts(
            "many",
            [("game.toml".to_owned(), toml.to_owned()), ("rules/play.rhai".to_owned(), rules.to_owned())],
        )
        .unwrap_or_else(|mistakes| panic!("{mistakes}"));
        let program = Process::new(&script, 1, "test").with_deadline(Duration::from_secs(1));
        let begin = Instant::now();
        let played = game.play(&Setup::seats(1).seed(1), vec![Box::new(program)], false).unwrap();
        assert!(begin.elapsed() < Duration::from_secs(30), "{name}: {:?}", begin.elapsed());
        played.outcome.unwrap_err().message
    }

    #[test]
    fn unresponsive_agent_programs_time_out() {
        let told = fault_of_many("deaf", &format!("{GREETING}exec sleep 600\n"));
        assert!(told.contains("has not read a question for 1 s"), "{told}");
        let told = fault_of_many("dumb", &format!("{GREETING}read question; exec sleep 600\n"));
        assert!(told.contains("has not answered for 1 s"), "{told}");
    }

    /// A process that an agent program has started is ended together with the program.
    #[test]
    fn child_processes_of_agent_programs_are_killed() {
        let folder = Folder::new("left");
        let left = folder.at("left");
        let started = format!("(sleep 2; touch {}) & exec sleep 600", left.display());
        let told = fault_of_many("parent", &format!("{GREETING}read question; {started}\n"));
        assert!(told.contains("has not answered for 1 s"), "{told}");
        std::thread::sleep(Duration::from_secs(3));
        assert!(!left.exists(), "it went on after its parent had ended");
    }

    #[test]
    fn agent_programs_with_endless_output_are_stopped() {
        let told = fault_of_many("flood", "exec yes\n");
        assert!(told.contains("not JSON: y"), "{told}");
        let told = fault_of_many("flood-behind", &format!("{GREETING}exec yes\n"));
        assert!(told.contains("not JSON: y"), "{told}");
        // The program prints a single line that never ends.
        let told = fault_of_many("line", "exec tr '\\0' x < /dev/zero\n");
        assert!(told.contains("not JSON: xxx"), "{told}");
    }

    #[test]
    fn missing_agent_programs_are_reported() {
        let game = game("tic-tac-toe");
        let players = (0..2).map(|seat| spec(&game, "cmd:no-such-program-here").player(1, seat)).collect();
        let played = game.play(&Setup::seats(2).seed(1), players, false).unwrap();
        assert!(played.outcome.unwrap_err().message.contains("does not start"));
    }
}

#[test]
fn search_reuses_its_tree_for_the_next_decision() {
    let game = game("connect-four");
    let spec = spec(&game, "search:60");
    let second = |seed: u64, forgets: bool| {
        let mut session = Session::start(&game, &Setup::seats(2).seed(seed)).unwrap();
        let mut player = spec.player(seed, 0);
        let at = player.choose(&session.observation().unwrap()).unwrap();
        session.choose(at).unwrap();
        session.choose(3).unwrap();
        if forgets {
            player.taken_up(1);
        }
        player.choose(&session.observation().unwrap()).unwrap()
    };
    let others = (0..20).filter(|seed| second(*seed, false) != second(*seed, true)).count();
    assert!(others > 0, "what was found out before changes no choice");
}

#[test]
fn equivalent_search_specifications_give_equal_plans() {
    let game = game("tic-tac-toe");
    let plan = |text: &str| -> Plan {
        let Spec::Search(plan) = spec(&game, text) else { panic!("{text}") };
        plan
    };
    assert_eq!(plan("search"), plan("search:400"));
    assert_ne!(plan("search:50"), plan("search:50ms"));
}
