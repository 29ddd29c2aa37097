//! Replays games of a batch and renders them as playscripts.

use super::arguments::Agents;
use crate::diagnostic::Role;
use crate::files::sanitize_file_name;
use crate::playscript;
use crate::report::{GameLook, NotableGame, grouped, play_file, story_word};
use crate::session::{Game, Setup, quoted};
use crate::simulation::{Figures, Interest, LookAtGame, Prospects, looks_at_game};

/// Maximum number of faults per batch for which a game is rendered.
const MAX_FAULTS: usize = 10;

/// Returns the remarkable games of a batch, and the first game with each fault.
///
/// `worlds` is the number of imagined worlds for estimating win probabilities during the remarkable games; `None` for no estimates.
pub(super) fn stories(
    game: &Game,
    setup: &Setup,
    agents: &Agents,
    figures: &Figures,
    worlds: Option<u32>,
) -> Vec<NotableGame> {
    let mut stories = Vec::new();
    for (interest, notable) in &figures.notable {
        let word = story_word(*interest);
        let reason = match interest {
            Interest::Closest => format!("The closest game: a margin of {}", grouped(notable.number)),
            Interest::Widest => format!("The clearest win: a margin of {}", grouped(notable.number)),
            Interest::Longest => format!("The longest game: {} decisions", grouped(notable.number)),
            Interest::Shortest => format!("The shortest game: {} decisions", grouped(notable.number)),
            Interest::Comeback => format!("The greatest comeback: {} behind", grouped(notable.number)),
        };
        let title = format!("{reason} (game {}).", notable.game);
        let setup = setup.clone().seed(notable.seed);
        let found = story(game, &setup, agents, &notable.answers, word, &title, notable.game);
        stories.extend(found.map(|story| match worlds {
            Some(worlds) => {
                NotableGame { looks: estimate_win_chances(game, &setup, &notable.answers, worlds), ..story }
            }
            None => story,
        }));
    }
    stories.extend(faults(game, setup, agents, figures));
    stories
}

/// Returns the first game with each fault, for at most [`MAX_FAULTS`] faults.
pub(super) fn faults(game: &Game, setup: &Setup, agents: &Agents, figures: &Figures) -> Vec<NotableGame> {
    let mut stories = Vec::new();
    for fault in figures.faults.iter().take(MAX_FAULTS) {
        let title = format!("A fault: {} (game {}).", fault.message, fault.game);
        // The code may come from the folder of a run, so it must be sanitized before it becomes part of a file name.
        let code = sanitize_file_name(&fault.code);
        let word = if code == "fault" { code } else { format!("fault-{code}") };
        let found = story(game, &setup.clone().seed(fault.seed), agents, &fault.answers, &word, &title, fault.game);
        stories.extend(found.map(|story| {
            let from = format!("parlour run {} --from FILE", quoted(game.path()));
            // The playscript is stored with the page, so the command must name the game's folder.
            let text = format!("// Play up to it: {from}, where FILE is this one\n{}", story.text);
            NotableGame { command: format!("{}, or up to the fault: {from}", story.command), text, ..story }
        }));
    }
    stories
}

/// Maximum number of worlds for the win probabilities of a remarkable game, even if the folder of a run specifies more.
const MAX_WORLDS: u32 = 100;

/// Estimates the win probabilities at several positions of a game. Each estimate contains the line of its position in the playscript.
fn estimate_win_chances(game: &Game, setup: &Setup, answers: &[u64], worlds: u32) -> Vec<GameLook> {
    let found = looks_at_game(game, setup, answers, Prospects { worlds: worlds.min(MAX_WORLDS) }).unwrap_or_default();
    let look = |look: LookAtGame| {
        let before = playscript::record(game, setup, &answers[..look.answers], false).ok()?;
        // The first line of the playscript is its title.
        Some(GameLook { line: 1 + before.to_string().lines().count(), chances: look.chances })
    };
    found.into_iter().filter_map(look).collect()
}

/// Returns a game up to a position, as a playscript that can be continued.
pub(super) fn position(
    game: &Game,
    setup: &Setup,
    agents: &Agents,
    answers: &[u64],
    word: &str,
) -> Option<NotableGame> {
    let found = story(game, setup, agents, answers, word, "A position to look at.", answers.len() as u64)?;
    Some(NotableGame { command: format!("parlour run {} --from {}", quoted(game.path()), found.file), ..found })
}

/// Replays a game and returns it as a playscript, with the command that replays it.
fn story(
    game: &Game,
    setup: &Setup,
    agents: &Agents,
    answers: &[u64],
    word: &str,
    title: &str,
    number: u64,
) -> Option<NotableGame> {
    let play = playscript::record(game, setup, answers, false).ok()?;
    let one_line: Vec<&str> = title.split_whitespace().collect();
    Some(NotableGame {
        title: title.to_owned(),
        file: play_file(&format!("{}-players-{word}-{number}.{}", setup.seats, Role::Play.ending())),
        text: format!("// {}\n{play}", one_line.join(" ")),
        command: format!("{}{}", setup.command(game.path()), agents.arguments()),
        looks: Vec::new(),
    })
}
