//! Commands of lenses and code actions: running a scene, or showing the table at a line.

use crate::agents;
use crate::diagnostic::{Diagnostic, Role, Source};
use crate::ide;
use crate::playscript::{self, Cast, unknown_game};
use crate::session::{Game, Setup};
use std::sync::Arc;

/// Maximum number of lines of a table that are shown.
const MAX_ROWS: usize = 60;

/// Calls `run` with a [`Cast`] that knows this game and its agents.
pub(super) fn with_cast<T>(game: &Game, run: impl FnOnce(&Cast<'_>) -> T) -> T {
    let open_game =
        |wanted: &str| if wanted == game.id() { Ok(game.clone()) } else { Err(unknown_game(wanted, [game.id()])) };
    run(&Cast { game: &open_game, agent: &agents::in_play, covering: false })
}

/// Calls `run` with a [`Cast`] that knows no game.
pub(super) fn without_game<T>(run: impl FnOnce(&Cast<'_>) -> T) -> T {
    let none = |wanted: &str| Err(unknown_game(wanted, []));
    run(&Cast { game: &none, agent: &agents::in_play, covering: false })
}

/// Runs the scenes of a playscript, or one of them, and returns their results as text.
pub(super) fn run(game: &Game, path: &str, text: &str, scene: Option<&str>) -> String {
    let source = Arc::new(Source { path: path.to_owned(), text: text.to_owned() });
    let results = with_cast(game, |cast| ide::results(&source, cast, &|| false));
    let Some(results) = results else { return format!("`{path}` cannot be read as a play") };
    let wanted = results.into_iter().filter(|(name, _)| scene.is_none() || name.as_deref() == scene);
    let lines: Vec<String> = wanted
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

/// Returns the table after the lines of a playscript that end before a byte offset.
pub(super) fn table(game: &Game, path: &str, text: &str, at: usize) -> String {
    let source = Arc::new(Source { path: path.to_owned(), text: text.to_owned() });
    let Ok(play) = playscript::parse(&source) else { return format!("`{path}` cannot be read as a play") };
    match with_cast(game, |cast| playscript::table_at(&play, at, cast)) {
        Ok(rows) => shown(rows),
        Err(found) => found.in_a_line(),
    }
}

/// Returns the table at the beginning of a phase, in a game played at random.
pub(super) fn phase(game: &Game, phase: &str) -> String {
    table_or_error(game, &format!("auto until phase {phase} with random\n"))
}

/// Plays a game at random to the end of a phase. Returns the table at the beginning of the next phase, or at the end of the game.
pub(super) fn run_phase(game: &Game, phase: &str) -> String {
    let begins = format!("auto until phase {phase} with random\n");
    let setup = Setup::seats(*game.players().start());
    let Ok(layout) = game.layout(&setup) else { return table_or_error(game, &begins) };
    let phases = &layout.model.phases;
    let at = phases.iter().position(|one| *one.id == *phase).unwrap_or(0);
    let next = phases.iter().cycle().skip(at + 1).take(phases.len().saturating_sub(1));
    let ends = next.map(|next| format!("auto until phase {} with random\n", next.id));
    let ends = ends.chain(["auto until end with random\n".to_owned()]);
    // The next phase may be skipped, so the following ones are tried in order.
    let tables = ends.map(|end| (end.clone(), play_lines(game, &format!("{begins}{end}"))));
    let mut failure = String::new();
    for (end, table) in tables {
        match table {
            Ok(rows) => {
                let until = end.trim().trim_end_matches(" with random").replacen("auto until", "until", 1);
                return format!("played {until}\n{}", shown(rows));
            }
            Err(found) => failure = found.in_a_line(),
        }
    }
    failure
}

fn table_or_error(game: &Game, lines: &str) -> String {
    play_lines(game, lines).map_or_else(|found| found.in_a_line(), shown)
}

/// Plays a playscript that consists of `lines`, with the fewest players, and returns the table at its end.
fn play_lines(game: &Game, lines: &str) -> Result<Vec<String>, Box<Diagnostic>> {
    let players: Vec<String> = (1..=*game.players().start()).map(|seat| format!("P{seat}")).collect();
    let text = format!("game {}\nplayers {}\n{lines}", game.id(), players.join(" "));
    let source = Arc::new(Source { path: Role::Play.path("here"), text: text.clone() });
    let play = playscript::parse(&source).expect("names of phases are words");
    with_cast(game, |cast| playscript::table_at(&play, text.len(), cast))
}

fn shown(rows: Vec<String>) -> String {
    rows.into_iter().take(MAX_ROWS).collect::<Vec<_>>().join("\n")
}
