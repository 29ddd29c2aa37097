//! Finds the mistakes in a game's files, like `parlour check` before it plays.

use crate::diagnostic::{Diagnostic, Diagnostics, Severity, Source};
use crate::loader::Files;
use crate::playscript::{self, AgentFactory, Cast, unknown_game};
use crate::session::{Game, Setup};
use std::sync::Arc;

/// Returns the mistakes and warnings for all files of a game including its playscripts, and the game if it can be played.
pub(crate) fn check(files: Files, agent: &AgentFactory) -> (Vec<Diagnostic>, Option<Game>) {
    let plays = files.plays.clone();
    let (mut found, game) = check_game(files);
    found.extend(plays.iter().flat_map(|source| check_play(game.as_ref(), source, agent)));
    (without_duplicates(found), game)
}

/// Like [`check`], without playscripts.
pub(crate) fn check_game(files: Files) -> (Vec<Diagnostic>, Option<Game>) {
    let name = files.name.clone();
    match crate::open_files(files, name).and_then(crate::open::check_game) {
        Ok(game) => {
            let mut found = game.warnings().0;
            found.extend(rule_warnings(&game));
            (without_duplicates(crate::open::drop_repeated_lone_words(Diagnostics(found)).0), Some(game))
        }
        Err(mistakes) => (without_duplicates(mistakes.0), None),
    }
}

/// Returns the mistakes in a playscript. If `game` is `None`, only syntax errors are found.
pub(crate) fn check_play(game: Option<&Game>, source: &Arc<Source>, agent: &AgentFactory) -> Vec<Diagnostic> {
    let play = match playscript::parse(source) {
        Ok(play) => play,
        Err(mistakes) => return mistakes.0,
    };
    let Some(game) = game else { return Vec::new() };
    let open_game = |wanted: &str| {
        if wanted == game.id() { Ok(game.clone()) } else { Err(unknown_game(wanted, [game.id()])) }
    };
    playscript::mistakes(&play, &Cast { game: &open_game, agent, covering: false })
}

/// Returns those warnings about the rules that are reported for every number of players and for every value of every option.
fn rule_warnings(game: &Game) -> Vec<Diagnostic> {
    let warnings = |setup: &Setup| game.host(setup).map(|(_, host)| host.warnings().to_vec()).unwrap_or_default();
    let mut players = game.players();
    let fewest = Setup::seats(players.next().unwrap_or(1));
    let mut found = warnings(&fewest);
    // Most games have no warnings, so the other setups are checked only while there are warnings left.
    let options = game.option_values();
    let chosen =
        options.iter().flat_map(|(name, values)| values.iter().map(move |value| (name.clone(), value.clone())));
    let others =
        players.map(Setup::seats).chain(chosen.map(|chosen| Setup { options: vec![chosen], ..fewest.clone() }));
    for setup in others {
        if found.is_empty() {
            break;
        }
        if game.host(&setup).is_ok() {
            let here = warnings(&setup);
            found.retain(|one| here.contains(one));
        }
    }
    found
}

fn without_duplicates(found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut all: Vec<Diagnostic> = Vec::new();
    for one in found {
        let is_known =
            |known: &Diagnostic| (known.code, &known.message, &known.marks) == (one.code, &one.message, &one.marks);
        if !all.iter().any(is_known) {
            all.push(one);
        }
    }
    all.sort_by_key(|one| one.severity == Severity::Warning);
    all
}
