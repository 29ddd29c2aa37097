//! Random games reach every declared ending, phase, decision and announcement, and call every function of the rules.

use crate::case::cases_of;
use crate::folder;
use crate::thorough::is_thorough;
use parlour::agents;
use parlour::model::Model;
use parlour::session::{EventKind, PlayedGame};
use std::collections::BTreeSet;
use std::path::Path;

/// Number of questions after which the search in a game ends, for each number of players that the game supports. A limit on questions
/// instead of games allows for more short games than long ones.
const QUESTIONS: u64 = 30_000;

/// Declared names that random games do not reach: folder of the game, kind, name, and reason.
const UNREACHED: &[(&str, &str, &str, &str)] = &[
    (
        "breakthrough",
        "ending",
        "annihilation",
        "random players break through long before; tested in tests/games/small_games.rs",
    ),
    (
        "last-will",
        "ending",
        "bankruptcy",
        "random players do not spend enough; tested in its playscripts and tests/games/last_will.rs",
    ),
    ("garrisons", "ending", "routed", "random players seldom lose every army; tested in its playscripts"),
    ("monga-alley", "decision", "discard", NO_ROOM),
    ("monga-alley", "function", "give_up_tile", NO_ROOM),
    ("monga-alley", "decision", "keep", MERGES),
    ("monga-alley", "function", "merge_fight", MERGES),
    (
        "revolution-1828",
        "decision",
        "one_tile",
        "delegates in one region hardly ever differ at random; tested in its playscripts",
    ),
    ("revolution-1828", "ending", "draw", "scores are hardly ever equal at random; tested in its playscripts"),
    ("three-winters", "function", "next_winter", "it is called after a game; tested in tests/sessions/campaign.rs"),
    ("last-will", "function", "costs_of_trade", SHOWN),
    ("last-will", "function", "costs_with", SHOWN),
    ("last-will", "function", "due_for_play", SHOWN),
    ("wall-street-1920", "function", "if_any", SHOWN),
    ("last-will", "says", "bankrupt", "random players do not spend enough; tested in its playscripts"),
];

/// Reason for functions that only calculate costs.
const SHOWN: &str = "it calculates the costs of options, which are only calculated for display";

/// Reason for everything that requires merged areas.
const MERGES: &str = "areas with hostesses hardly ever merge at random; tested in its playscripts";

/// Reason for everything that requires that no tile fits on the map.
const NO_ROOM: &str = "some tile always fits on so large a map; tested in its playscripts";

/// Prefix of the counters that are inserted into the functions of the rules.
const COUNTER: &str = "called ";

#[test]
fn everything_declared_is_reached_in_random_games() {
    for folder in folder::games() {
        let name = folder.file_name().expect("a folder has a name").to_string_lossy().into_owned();
        let expected: Things = UNREACHED
            .iter()
            .filter(|(game, ..)| *game == name)
            .map(|(_, what, word, _)| ((*what).to_owned(), (*word).to_owned()))
            .collect();
        let accepted = if is_thorough() { Things::new() } else { expected.clone() };
        let (declared, reached) = declared_and_reached(&folder, &accepted);
        let missed: BTreeSet<_> = declared.difference(&reached).cloned().collect();
        assert_eq!(missed, expected, "{name}: things that were never reached, and those in `UNREACHED`");
    }
}

/// Kinds and names of declarations in a game.
type Things = BTreeSet<(String, String)>;

/// Plays random games until everything is reached except the `accepted` declarations, or until the limit of questions is exceeded. Returns
/// the declarations of the game, and those that were reached.
fn declared_and_reached(folder: &Path, accepted: &Things) -> (Things, Things) {
    let (texts, functions) = with_counters(folder);
    let name = folder.file_name().expect("a folder has a name").to_string_lossy();
    let game = parlour::load_texts(&name, texts).unwrap_or_else(|found| panic!("{found}"));
    let mut declared: Things = functions.into_iter().map(|name| ("function".to_owned(), name)).collect();
    let mut reached = Things::new();
    let mut models = Vec::new();
    for setup in cases_of(folder).into_iter().map(|case| case.setup) {
        let model = game.layout(&setup).unwrap().model.clone();
        declare(&model, &mut declared);
        // Functions for costs and derived values are only called for display.
        let costs = model.decisions.iter().filter_map(|decision| decision.costs.as_ref());
        for function in costs.chain(model.derived.iter().map(|derived| &derived.named)) {
            declared.remove(&("function".to_owned(), function.function.to_string()));
        }
        models.push((setup, model));
    }
    let enough = QUESTIONS * u64::from(game.players().count() as u32);
    let (mut questions, mut seed) = (0, 0);
    let is_missing =
        |declared: &Things, reached: &Things| declared.difference(reached).any(|thing| !accepted.contains(thing));
    // Each seed plays one game of every case.
    while questions < enough && (seed == 0 || is_missing(&declared, &reached)) {
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

/// Adds the endings, phases, decisions and announcements that a model declares.
fn declare(model: &Model, declared: &mut Things) {
    let mut add = |what: &str, word: &str| _ = declared.insert((what.to_owned(), word.to_owned()));
    model.endings.iter().for_each(|ending| add("ending", &ending.id));
    model.phases.iter().for_each(|phase| add("phase", &phase.id));
    model.decisions.iter().for_each(|decision| add("decision", &decision.id));
    model.says.iter().for_each(|say| add("says", &say.id));
}

/// Adds the declarations that a game reached.
fn note(model: &Model, played: &PlayedGame, reached: &mut Things) {
    let mut add = |what: &str, word: &str| reached.insert((what.to_owned(), word.to_owned()));
    for chosen in &played.chosen {
        add("decision", &model.decisions[chosen.decision.index()].id);
    }
    for event in &played.events {
        match &event.kind {
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

/// Returns the files of a game with a counter inserted at the beginning of each function of its rules, and the names of these functions.
/// Files with invariants are not changed, because they do not run during a game.
fn with_counters(folder: &Path) -> (Vec<(String, String)>, Vec<String>) {
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

/// If a line begins a function, appends a call of `tally` to it, which counts the function's calls, and appends the function's name to
/// `names`. Does not change other lines or invariants.
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
