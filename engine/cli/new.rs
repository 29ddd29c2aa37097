//! `parlour new`: creates a game from a template or from another game.

use super::game_files::{self, GameFile};
use super::output::{Failure, Output, usage};
use super::saving::write_below;
use super::{examples, page_file};
use crate::desk::{bundle, opening};
use crate::diagnostic::{GAME, Role, shown};
use crate::files::unportable_reason;
use crate::loader::{Files, Package};
use crate::model::Language;
use crate::session::quoted;
use clap::Args;
use std::path::{Component, Path, PathBuf};

/// Creates a small complete card game with tests as a starting point for your own, or copies another game under a new name
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour new my-game                       a game in the folder `my-game`",
    "parlour new games/my-game                 in another folder; the game is called `my-game`",
    "parlour new my-stocks --from stockpile    a game that comes with the program, to be changed",
    "parlour new my-chess --from chess         a sample game, to be changed",
    "parlour new my-game-2 --from my-game      a copy of a game of yours",
    "parlour new my-stocks --from page.html    the game of a page that `parlour export` has written",
    "parlour new --list                        the games that a new one may begin as",
))]
pub(super) struct New {
    /// Name of the game and of its folder, which must not exist yet
    #[arg(required_unless_present = "list")]
    name: Option<PathBuf>,
    /// Game to copy: a folder, the name of a game or sample that comes with the program, or a page written by `parlour export`
    #[arg(long, value_name = "GAME")]
    from: Option<String>,
    /// List the games and samples that come with the program
    #[arg(long, conflicts_with_all = ["name", "from"])]
    list: bool,
}

impl New {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        match &self.name {
            Some(name) => self.create(name, output),
            None => list(output),
        }
    }

    fn create(&self, name: &Path, output: &mut Output) -> Result<(), Failure> {
        let id = id_of(name)?;
        check_absent_or_empty(name)?;
        let files = match &self.from {
            None => bundle::template().into_iter().map(|(path, text)| (path, text.into_bytes())).collect(),
            Some(game) => files_of(game, name)?,
        };
        let files = rename_game(files, &id, self.from.is_none(), output)?;
        for (path, content) in &files {
            write_below(name, path, content)?;
        }
        print(name, &files, output)
    }
}

/// Returns the id of the game, which is the last component of the path. Fails if it is not a valid id.
fn id_of(folder: &Path) -> Result<String, Failure> {
    let mut below = folder.components().skip_while(|part| !matches!(part, Component::Normal(_)));
    if below.any(|part| part == Component::ParentDir) {
        let help = "give the folder without `..`";
        let message = format!("`{}` contains `..` after another folder", shown(folder));
        return Err(Failure::Usage(message, Some(help.to_owned())));
    }
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let may_begin = name.starts_with(|c: char| c.is_ascii_lowercase());
    let may_stand = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_');
    if may_begin && may_stand {
        let help = || Some(format!("use another word, as `my-{name}`"));
        return match unportable_reason(&name) {
            Some(why) => Err(Failure::Usage(format!("a game cannot be called `{name}`: {why}"), help())),
            None => Ok(name),
        };
    }
    let help = format!("use lower-case letters, digits and `-`, as `{}`", similar_id(&name));
    Err(Failure::Usage(format!("a game cannot be called `{}`", shown(folder)), Some(help)))
}

/// Checks that a folder does not exist or is empty, so that no file is overwritten.
fn check_absent_or_empty(folder: &Path) -> Result<(), Failure> {
    let is_empty = folder.read_dir().is_ok_and(|mut entries| entries.next().is_none());
    if is_empty || std::fs::symlink_metadata(folder).is_err() {
        return Ok(());
    }
    let message = format!("`{}` is there already", shown(folder));
    Err(Failure::Usage(message, Some("give the new game another name, or another folder".to_owned())))
}

/// Returns the files of `game`, which is a folder, an exported page, or the name of a game that comes with the program. `copy` is the
/// folder for the copy; it must not lie inside the game's folder.
fn files_of(game: &str, copy: &Path) -> Result<Vec<GameFile>, Failure> {
    if page_file::is_page(game) {
        return page_file::files(Path::new(game));
    }
    let folder = opening::folder_of(Path::new(game)).unwrap_or(Path::new(game));
    if folder.is_dir() && is_inside(copy, folder) {
        let message = format!("`{}` would lie inside the game it is copied from", shown(copy));
        return Err(Failure::Usage(message, Some("give it a folder beside that one".to_owned())));
    }
    game_files::read(game)
}

fn print(folder: &Path, files: &[GameFile], output: &mut Output) -> Result<(), Failure> {
    let name = shown(folder.components().collect::<PathBuf>());
    output.line(format!("{name}/"))?;
    for (path, _) in files {
        output.line(format!("  {path}"))?;
    }
    output.line("\nWhat to do next:")?;
    let name = quoted(&name);
    for (command, does) in [
        (format!("parlour run {name}"), "plays a game and prints its log"),
        (format!("parlour test {name}"), "runs its scripted games"),
        (format!("parlour check {name} --watch"), "looks for mistakes whenever you save a file"),
    ] {
        output.line(format!("  {command:<40} {does}"))?;
    }
    Ok(())
}

/// Prints the games and samples that can be copied, each with its id, title and number of players.
fn list(output: &mut Output) -> Result<(), Failure> {
    for (title, names) in [("Games", bundle::names()), ("Samples", bundle::sample_names())] {
        output.line(title)?;
        for name in names {
            let texts = bundle::files(name).unwrap_or_default();
            let package = Files::from_texts(name, texts)
                .and_then(Package::parse)
                .map_err(|mistakes| output.mistakes(&mistakes))?;
            let players = package.players();
            let players = if players.start() == players.end() {
                players.start().to_string()
            } else {
                format!("{}–{}", players.start(), players.end())
            };
            output.line(format!("  {name:<18} {} · {players} players", package.name().get(Language::English)))?;
        }
    }
    Ok(())
}

/// Derives a valid id from a name.
fn similar_id(name: &str) -> String {
    let letters = name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' });
    let word: String = letters.collect();
    let word = word.trim_matches(|c: char| !c.is_ascii_lowercase());
    if word.is_empty() { "my-game".to_owned() } else { word.to_owned() }
}

/// Returns whether a path, which may not exist yet, lies in a folder.
fn is_inside(path: &Path, folder: &Path) -> bool {
    let Ok(folder) = folder.canonicalize() else { return false };
    let above = path.ancestors().skip(1).map(|above| if above.as_os_str().is_empty() { Path::new(".") } else { above });
    above.filter_map(|above| above.canonicalize().ok()).any(|above| above.starts_with(&folder))
}

/// Renames a game in its `game.toml` and its playscripts. If `with_title` is set, also replaces its title.
fn rename_game(
    files: Vec<GameFile>,
    id: &str,
    with_title: bool,
    output: &mut Output,
) -> Result<Vec<GameFile>, Failure> {
    let texts =
        files.iter().filter_map(|(path, content)| Some((path.clone(), String::from_utf8(content.clone()).ok()?)));
    let package =
        Files::from_texts(id, texts).and_then(Package::parse).map_err(|mistakes| output.mistakes(&mistakes))?;
    let old = package.id().to_owned();
    let Some(place) = package.place_of(&["game", "id"]) else {
        return Err(usage("the game to copy has no `id` in its `game.toml`"));
    };
    let mut game = place.source.text.clone();
    let title = package.place_of(&["game", "name"]).filter(|_| with_title);
    let mut changes = vec![(place.span.clone(), format!("\"{id}\""))];
    changes.extend(title.map(|title| (title.span.clone(), format!("\"{}\"", title_of_id(id)))));
    changes.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
    for (span, text) in changes {
        game.replace_range(span, &text);
    }
    let rename = |(path, content): GameFile| {
        let content = match std::str::from_utf8(&content) {
            _ if path == GAME => game.clone().into_bytes(),
            Ok(text) if Role::Play.is_called(&path) => rename_game_in_play(text, &old, id).into_bytes(),
            _ => content,
        };
        (path, content)
    };
    Ok(files.into_iter().map(rename).collect())
}

/// Renames a game in the `game` statements of a playscript.
fn rename_game_in_play(text: &str, old: &str, new: &str) -> String {
    let rename = |line: &str| {
        let is_name = line.split_whitespace().take(2).eq(["game", old]);
        let Some((before, after)) = line.split_once("game").filter(|_| is_name) else { return line.to_owned() };
        format!("{before}game{}", after.replacen(old, new, 1))
    };
    text.split_inclusive('\n').map(rename).collect()
}

/// Converts an id to a title, such as `my-game` to `My Game`.
fn title_of_id(id: &str) -> String {
    let words: Vec<String> = id
        .split(['-', '_'])
        .filter(|word| !word.is_empty())
        .map(|word| word[..1].to_ascii_uppercase() + &word[1..])
        .collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::{rename_game_in_play, similar_id, title_of_id};

    #[test]
    fn only_lines_that_name_the_game_change() {
        let text = "// of old-game\ngame old-game // old-game\nplayers Ann Ben\nnote game old-game\n";
        let renamed = rename_game_in_play(text, "old-game", "mine");
        assert_eq!(renamed, "// of old-game\ngame mine // old-game\nplayers Ann Ben\nnote game old-game\n");
    }

    #[test]
    fn ids_and_titles_are_derived_from_names() {
        assert_eq!(similar_id("My Game!"), "my-game");
        assert_eq!(similar_id("7"), "my-game");
        assert_eq!(title_of_id("my-first_game"), "My First Game");
    }
}
