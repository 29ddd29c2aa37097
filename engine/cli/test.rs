//! `parlour test`: the scripted games of a game, of a file, or of everything below a folder.

use super::examples;
use super::output::{Failure, Output, usage};
use crate::agents;
use crate::diagnostic::{Diagnostics, Source};
use crate::playscript::{self, Cast, Report};
use crate::session::Game;
use crate::simulation;
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Runs scripted games and says what did not hold
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour test games/my-game               every play of a game",
    "parlour test games/my-game/plays/a.play  one file",
    "parlour test games                       everything below a folder",
    "parlour test games/my-game --filter bid  only scenes whose name has `bid` in it",
))]
pub(super) struct Test {
    /// A game's folder, a file, or a folder with games [default: here]
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,
    /// Only files and scenes with this in their name
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
}

/// What came of one file.
struct Ran {
    path: String,
    result: Result<Vec<Report>, Diagnostics>,
}

impl Test {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let mut files = Vec::new();
        gather(&self.path, &mut files).map_err(|error| usage(format!("{}: {error}", self.path.display())))?;
        files.sort();
        if files.is_empty() {
            return Err(usage(format!("there is no playscript below {}", self.path.display())));
        }
        let ran: Vec<Ran> = simulation::in_parallel(&files, |file| self.file(file));
        let (mut passed, mut failed) = (0, 0);
        for file in &ran {
            match &file.result {
                Ok(reports) => {
                    for report in reports {
                        match &report.failure {
                            None => passed += 1,
                            Some(failure) => {
                                failed += 1;
                                let scene =
                                    report.scene.as_ref().map_or_else(String::new, |scene| format!(": {scene}"));
                                output.line(format!("FAILED {}{scene}", file.path))?;
                                output.diagnostic(failure)?;
                            }
                        }
                    }
                }
                Err(mistakes) => {
                    failed += 1;
                    output.line(format!("FAILED {}", file.path))?;
                    let _ = output.mistakes(mistakes);
                }
            }
        }
        output.line(format!("{passed} passed, {failed} failed"))?;
        if failed > 0 { Err(Failure::Fault) } else { Ok(()) }
    }

    fn file(&self, path: &Path) -> Ran {
        let name = path.display().to_string();
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) => {
                let found = crate::diagnostic::Diagnostic::error("unreadable", format!("{name}: {error}"));
                return Ran { path: name, result: Err(Diagnostics(vec![found])) };
            }
        };
        let source = Arc::new(Source { path: name.clone(), text });
        let result = playscript::parse(&source).map(|mut play| {
            if let Some(filter) = &self.filter
                && !name.contains(filter.as_str())
            {
                let had_scenes = !play.scenes.is_empty();
                play.scenes.retain(|scene| scene.name.contains(filter.as_str()));
                if play.scenes.is_empty() && (had_scenes || !name.contains(filter.as_str())) {
                    return Vec::new();
                }
            }
            let home = path.parent().and_then(Path::parent).map(Path::to_path_buf);
            let cast = Cast { game: &|name| find_game(name, home.as_deref()), agent: &agents::named };
            playscript::run(&play, &cast)
        });
        Ran { path: name, result }
    }
}

/// The game a play names: the one in whose folder it lies, or one that comes with the program.
pub(super) fn find_game(name: &str, home: Option<&Path>) -> Result<Game, Diagnostics> {
    if let Some(home) = home
        && home.join("game.toml").is_file()
    {
        let game = crate::load(home)?;
        if game.id() == name {
            return Ok(game);
        }
    }
    crate::bundled(name).unwrap_or_else(|| Err(Diagnostics::default()))
}

fn gather(path: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if path.is_file() {
        files.push(path.to_path_buf());
        return Ok(());
    }
    for entry in std::fs::read_dir(path)? {
        let entry = entry?.path();
        let is_hidden = entry.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if entry.is_dir() && !is_hidden && entry.file_name().is_none_or(|name| name != "target") {
            gather(&entry, files)?;
        } else if entry.extension().is_some_and(|ending| ending == "play") {
            files.push(entry);
        }
    }
    Ok(())
}
