//! Games of a batch replayed and written as playscripts.

use super::arguments::Agents;
use crate::diagnostic::Role;
use crate::files::sanitize_file_name;
use crate::playscript;
use crate::report::{NotableGame, grouped, play_file, story_word};
use crate::session::{Game, Setup, quoted};
use crate::simulation::{Figures, Interest};

/// Maximum number of faults per batch that are written.
const MAX_FAULTS: usize = 10;

/// Returns the remarkable games of a batch, and the first game with each fault.
pub(super) fn stories(game: &Game, setup: &Setup, agents: &Agents, figures: &Figures) -> Vec<NotableGame> {
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
        stories.extend(story(
            game,
            &setup.clone().seed(notable.seed),
            agents,
            &notable.answers,
            word,
            &title,
            notable.game,
        ));
    }
    stories.extend(faults(game, setup, agents, figures));
    stories
}

/// Returns the first game with each fault.
pub(super) fn faults(game: &Game, setup: &Setup, agents: &Agents, figures: &Figures) -> Vec<NotableGame> {
    let mut stories = Vec::new();
    for fault in figures.faults.iter().take(MAX_FAULTS) {
        let title = format!("A fault: {} (game {}).", fault.message, fault.game);
        // The code may come from the folder of a run, so it must be made safe as a file name.
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
    })
}
