//! Nothing in a game's files is out of reach: every ending, phase, decision, announcement and function takes part.

use crate::case::cases_of;
use crate::folder;
use parlour::agents;
use parlour::model::Model;
use parlour::session::{EventKind, Played};
use std::collections::BTreeSet;
use std::path::Path;

/// Questions asked for each number of players, over all its cases, before it is said that something is out of reach: short
/// games are played more often than long ones.
const QUESTIONS: u64 = 30_000;

/// What random games do not reach, and why: the game's folder, what it is, its name, the reason.
const OUT_OF_REACH: &[(&str, &str, &str, &str)] = &[
    (
        "breakthrough",
        "ending",
        "annihilation",
        "random players break through long before; tests/games/small_games.rs plays such a game",
    ),
    (
        "last-will",
        "ending",
        "bankruptcy",
        "random players do not spend enough; its plays and tests/games/last_will.rs play such games",
    ),
    ("monga-alley", "decision", "discard", NO_ROOM),
    ("monga-alley", "function", "give_up_tile", NO_ROOM),
    ("monga-alley", "decision", "keep", MERGES),
    ("monga-alley", "function", "merge_fight", MERGES),
    (
        "revolution-1828",
        "decision",
        "one_tile",
        "delegates in one region hardly ever differ at random; its plays choose between such",
    ),
    ("revolution-1828", "ending", "draw", "scores are hardly ever equal at random; its plays end so"),
    ("three-winters", "function", "next_winter", "it is asked once a game is over; tests/sessions/campaign.rs asks it"),
    ("last-will", "function", "costs_of_trade", SHOWN),
    ("last-will", "function", "costs_with", SHOWN),
    ("last-will", "function", "due_for_play", SHOWN),
    ("wall-street-1920", "function", "if_any", SHOWN),
    ("last-will", "says", "bankrupt", "random players do not spend enough; its plays tell of it"),
];

/// Why what only says what options cost is out of reach.
const SHOWN: &str = "it says what options cost, which is asked by whoever shows them";

/// Why what follows when areas merge is out of reach.
const MERGES: &str = "areas with hostesses hardly ever merge at random; its plays bring them together";

/// Why giving a tile up is out of reach.
const NO_ROOM: &str = "some tile always fits on so large a map; its plays leave no room";

/// The counter that a function of the rules is given for this test.
const COUNTER: &str = "called ";

#[test]
fn everything_a_game_declares_is_reached() {
    for folder in folder::games() {
        let name = folder.file_name().expect("a folder has a name").to_string_lossy().into_owned();
        let (declared, reached) = declared_and_reached(&folder);
        let excused: BTreeSet<(String, String)> = OUT_OF_REACH
            .iter()
            .filter(|(game, ..)| *game == name)
            .map(|(_, what, word, _)| ((*what).to_owned(), (*word).to_owned()))
            .collect();
        let missed: BTreeSet<_> = declared.difference(&reached).cloned().collect();
        assert_eq!(missed, excused, "{name}: what is never reached, and what is excused");
    }
}

type Words = BTreeSet<(String, String)>;

fn declared_and_reached(folder: &Path) -> (Words, Words) {
    let (texts, functions) = counted(folder);
    let name = folder.file_name().expect("a folder has a name").to_string_lossy();
    let game = parlour::load_texts(&name, texts).unwrap_or_else(|found| panic!("{found}"));
    let mut declared: Words = functions.into_iter().map(|name| ("function".to_owned(), name)).collect();
    let mut reached = Words::new();
    let mut models = Vec::new();
    for setup in cases_of(folder).into_iter().map(|case| case.setup) {
        let model = game.layout(&setup).unwrap().model.clone();
        declare(&model, &mut declared);
        // What options cost, and what is derived, is asked by whoever shows it, and is no part of play.
        let costs = model.decisions.iter().filter_map(|decision| decision.costs.as_ref());
        for function in costs.chain(model.derived.iter().map(|derived| &derived.named)) {
            declared.remove(&("function".to_owned(), function.function.to_string()));
        }
        models.push((setup, model));
    }
    let enough = QUESTIONS * u64::from(game.players().count() as u32);
    let (mut questions, mut seed) = (0, 0);
    // Every case in turn: where nothing is out of reach, no more is played than it takes to see so.
    while questions < enough && (seed == 0 || !declared.is_subset(&reached)) {
        for (setup, model) in &models {
            let players = (0..setup.seats as usize).map(|seat| agents::named("random", seed, seat).unwrap()).collect();
            let played = game.play(&setup.clone().seed(seed), players, true).unwrap();
            questions += played.decisions;
            note(model, &played, &mut reached);
        }
        seed += 1;
    }
    (declared, reached)
}

fn declare(model: &Model, declared: &mut Words) {
    let mut add = |what: &str, word: &str| _ = declared.insert((what.to_owned(), word.to_owned()));
    model.endings.iter().for_each(|ending| add("ending", &ending.id));
    model.phases.iter().for_each(|phase| add("phase", &phase.id));
    model.decisions.iter().for_each(|decision| add("decision", &decision.id));
    model.says.iter().for_each(|say| add("says", &say.id));
}

fn note(model: &Model, played: &Played, reached: &mut Words) {
    let mut add = |what: &str, word: &str| reached.insert((what.to_owned(), word.to_owned()));
    for chosen in &played.chosen {
        add("decision", &model.decisions[chosen.decision.index()].id);
    }
    for event in &played.events {
        match &event.what {
            EventKind::Phase(phase) => add("phase", &model.phases[phase.index()].id),
            EventKind::Ended(ending) => add("ending", &model.endings[ending.index()].id),
            EventKind::Said { say, .. } => add("says", &model.says[say.index()].id),
            _ => false,
        };
    }
    for (counter, _, _) in &played.tallies {
        if let Some(function) = counter.strip_prefix(COUNTER) {
            add("function", function);
        }
    }
}

/// The texts of a game with a counter at the beginning of every function of its rules, and the functions' names.
/// Files of invariants are left out: they are no part of play.
fn counted(folder: &Path) -> (Vec<(String, String)>, Vec<String>) {
    let (mut texts, mut names) = (Vec::new(), Vec::new());
    for path in folder::files(folder) {
        let text = std::fs::read_to_string(&path).expect("a file of a game is text");
        let below =
            path.strip_prefix(folder).expect("the file lies in the folder").to_string_lossy().replace('\\', "/");
        let is_rules = below.starts_with("rules/") && !below.contains("invariants");
        texts.push((
            below,
            if is_rules { text.lines().map(|line| with_counter(line, &mut names)).collect() } else { text },
        ));
    }
    (texts, names)
}

fn with_counter(line: &str, names: &mut Vec<String>) -> String {
    let function = line.strip_prefix("fn ").and_then(|rest| rest.split_once('(')).filter(|_| line.ends_with('{'));
    match function {
        Some((name, _)) if !name.starts_with("invariant_") => {
            names.push(name.to_owned());
            format!("{line} tally(\"{COUNTER}{name}\", 1);\n")
        }
        _ => format!("{line}\n"),
    }
}
