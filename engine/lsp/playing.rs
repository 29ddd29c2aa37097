//! What lenses and actions do: a scene is run, or the table shown as it stands at a line.

use crate::agents;
use crate::diagnostic::Source;
use crate::ide;
use crate::playscript::{self, Cast, unknown_game};
use crate::session::Game;
use std::sync::Arc;

/// Lines of a table beyond these are not shown.
const MOST_ROWS: usize = 60;

/// Runs something with the games and agents of a game.
pub(super) fn with_cast<T>(game: &Game, run: impl FnOnce(&Cast<'_>) -> T) -> T {
    let of_this =
        |wanted: &str| if wanted == game.id() { Ok(game.clone()) } else { Err(unknown_game(wanted, [game.id()])) };
    run(&Cast { game: &of_this, agent: &agents::in_play, covering: false })
}

/// Runs something where no game can be played.
pub(super) fn without_game<T>(run: impl FnOnce(&Cast<'_>) -> T) -> T {
    let none = |wanted: &str| Err(unknown_game(wanted, []));
    run(&Cast { game: &none, agent: &agents::in_play, covering: false })
}

/// How a scene of a play comes out.
pub(super) fn run(game: &Game, path: &str, text: &str, scene: Option<&str>) -> String {
    let source = Arc::new(Source { path: path.to_owned(), text: text.to_owned() });
    let results = with_cast(game, |cast| ide::results(&source, cast, &|| false));
    let Some(results) = results else { return format!("`{path}` cannot be read as a play") };
    let told = results.into_iter().filter(|(name, _)| scene.is_none() || name.as_deref() == scene);
    let lines: Vec<String> = told
        .map(|(name, result)| {
            let name = name.map_or_else(|| "the play".to_owned(), |name| format!("\"{name}\""));
            match result {
                Ok(held) => format!("{name} {held}"),
                Err(failure) => format!("{name} fails: {}", failure.in_a_line()),
            }
        })
        .collect();
    if lines.is_empty() { "there is no such scene any more".to_owned() } else { lines.join("\n") }
}

/// The table as it stands behind the lines of a play that end before a byte.
pub(super) fn table(game: &Game, path: &str, text: &str, at: usize) -> String {
    let source = Arc::new(Source { path: path.to_owned(), text: text.to_owned() });
    let Ok(play) = playscript::parse(&source) else { return format!("`{path}` cannot be read as a play") };
    match with_cast(game, |cast| playscript::table_at(&play, at, cast)) {
        Ok(rows) => rows.into_iter().take(MOST_ROWS).collect::<Vec<_>>().join("\n"),
        Err(found) => found.in_a_line(),
    }
}

/// The table where a phase begins in a game that agents play at random.
pub(super) fn phase(game: &Game, phase: &str) -> String {
    let players: Vec<String> = (1..=*game.players().start()).map(|seat| format!("P{seat}")).collect();
    let id = game.id();
    let text = format!("game {id}\nplayers {}\nauto until phase {phase} with random\n", players.join(" "));
    table(game, "plays/here.play", &text, text.len())
}
