//! Coverage of playscripts: as a table, as JSON, and in LCOV format.

use super::output::{Failure, Output};
use super::table::TextTable;
use super::test_files::{FoundPlayscript, GameLocation, Games};
use crate::diagnostic::shown;
use crate::playscript::{Coverage, DeclarationKind};
use crate::report::Heading;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Maximum number of names in a row of the table.
const MAX_NAMES: usize = 8;

/// File name of a scene, the location of the scene's game, and the coverage of the scene.
type SceneCoverage<'r> = (&'r str, Option<&'r GameLocation>, &'r Coverage);

/// Coverage of one game by its playscripts.
pub(super) struct GameCoverage {
    game: String,
    /// Folder of the game as given by the user; prefix of the paths of its files.
    folder: String,
    coverage: Coverage,
}

impl GameCoverage {
    /// Combines the coverage of scenes by game.
    pub(super) fn by_game<'r>(
        found: &[FoundPlayscript],
        games: &Games,
        ran: impl Iterator<Item = SceneCoverage<'r>>,
    ) -> Vec<Self> {
        let mut by_game: BTreeMap<(String, String), Coverage> = BTreeMap::new();
        for (file, home, coverage) in ran {
            let name =
                found.iter().find(|found| found.name == file).and_then(FoundPlayscript::game).unwrap_or_default();
            let at_home = games.find(name, home).is_ok_and(|game| is_at(&game, home));
            let folder = match home {
                Some(GameLocation::Folder(folder)) if at_home => shown(folder),
                _ => name.to_owned(),
            };
            by_game.entry((name.to_owned(), folder)).or_default().add(coverage);
        }
        by_game.into_iter().map(|((game, folder), coverage)| Self { game, folder, coverage }).collect()
    }

    /// Prints a row for each kind of declaration, for functions and for lines. A row contains the number reached, the total and, except for
    /// lines, some names of what was not reached. Then prints, for each file, the ranges of lines that were not reached.
    pub(super) fn print(&self, output: &mut Output) -> Result<(), Failure> {
        let mut table = TextTable::new([
            Heading::text(format!("{}: reached by plays", self.game)),
            Heading::number("reached"),
            Heading::number("of"),
            Heading::text("not reached"),
        ]);
        for (kind, name) in KINDS {
            let things: Vec<(&str, u64)> = self.things(kind).collect();
            row(&mut table, name, &things);
        }
        let functions: Vec<(&str, u64)> =
            self.coverage.functions.iter().map(|((_, name), count)| (name.as_str(), *count)).collect();
        row(&mut table, "functions", &functions);
        let reached = self.coverage.lines.values().filter(|count| **count > 0).count();
        table.row(vec!["lines".into(), reached.to_string(), self.coverage.lines.len().to_string(), String::new()]);
        for line in table.lines("") {
            output.line(line)?;
        }
        for (path, ranges) in self.missed_lines() {
            output.line(format!("  {path}: {ranges}"))?;
        }
        Ok(())
    }

    fn things(&self, kind: DeclarationKind) -> impl Iterator<Item = (&str, u64)> {
        let of_sort = self.coverage.things.iter().filter(move |((known, _), _)| *known == kind);
        of_sort.map(|((_, name), count)| (name.as_str(), *count))
    }

    /// Returns the ranges of lines that were not reached, by file.
    fn missed_lines(&self) -> Vec<(String, String)> {
        let mut files: BTreeMap<&str, Vec<(usize, usize)>> = BTreeMap::new();
        let mut last: Option<&str> = None;
        for (line, count) in &self.coverage.lines {
            let ranges = files.entry(&line.path).or_default();
            let goes_on = last == Some(&line.path);
            last = (*count == 0).then_some(&line.path);
            if *count > 0 {
                continue;
            }
            match ranges.last_mut().filter(|_| goes_on) {
                Some((_, end)) => *end = line.line,
                None => ranges.push((line.line, line.line)),
            }
        }
        let range = |(from, to): &(usize, usize)| if from == to { from.to_string() } else { format!("{from}–{to}") };
        let missed = files.into_iter().filter(|(_, ranges)| !ranges.is_empty());
        missed
            .map(|(path, ranges)| (path.to_owned(), ranges.iter().map(range).collect::<Vec<_>>().join(", ")))
            .collect()
    }

    /// Returns the coverage as JSON.
    pub(super) fn document(&self) -> Value {
        let mut document = json!({ "game": self.game, "folder": self.folder });
        for (kind, name) in KINDS {
            document[name] = self.things(kind).map(|(name, count)| json!({ "name": name, "count": count })).collect();
        }
        let functions = self.coverage.functions.iter();
        document["functions"] = functions
            .map(|((line, name), count)| json!({ "name": name, "path": line.path, "line": line.line, "count": count }))
            .collect();
        let lines = self.coverage.lines.iter();
        document["lines"] =
            lines.map(|(line, count)| json!({ "path": line.path, "line": line.line, "count": count })).collect();
        document
    }

    /// Returns the coverage of functions and lines in LCOV format.
    pub(super) fn lcov(&self) -> String {
        let mut text = String::new();
        let mut paths: Vec<&str> = self.coverage.lines.keys().map(|line| line.path.as_str()).collect();
        paths.dedup();
        for path in paths {
            let _ = writeln!(text, "TN:\nSF:{}/{path}", self.folder);
            let functions = || self.coverage.functions.iter().filter(|((line, _), _)| line.path == path);
            for ((line, name), _) in functions() {
                let _ = writeln!(text, "FN:{},{name}", line.line);
            }
            for ((_, name), count) in functions() {
                let _ = writeln!(text, "FNDA:{count},{name}");
            }
            let hit = functions().filter(|(_, count)| **count > 0).count();
            let _ = writeln!(text, "FNF:{}\nFNH:{hit}", functions().count());
            let lines = || self.coverage.lines.iter().filter(|(line, _)| line.path == path);
            for (line, count) in lines() {
                let _ = writeln!(text, "DA:{},{count}", line.line);
            }
            let hit = lines().filter(|(_, count)| **count > 0).count();
            let _ = writeln!(text, "LF:{}\nLH:{hit}\nend_of_record", lines().count());
        }
        text
    }
}

const KINDS: [(DeclarationKind, &str); 5] = [
    (DeclarationKind::Phase, "phases"),
    (DeclarationKind::Decision, "decisions"),
    (DeclarationKind::Component, "components"),
    (DeclarationKind::Option, "options"),
    (DeclarationKind::Ending, "endings"),
];

/// Returns whether a game was loaded from the folder at `home`.
fn is_at(game: &crate::session::Game, home: Option<&GameLocation>) -> bool {
    matches!(home, Some(GameLocation::Folder(folder)) if shown(folder) == game.path())
}

fn row(table: &mut TextTable, name: &str, things: &[(&str, u64)]) {
    if things.is_empty() {
        return;
    }
    let missed: Vec<&str> = things.iter().filter(|(_, count)| *count == 0).map(|(name, _)| *name).collect();
    let mut names = missed.iter().take(MAX_NAMES).copied().collect::<Vec<_>>().join(", ");
    if missed.len() > MAX_NAMES {
        let _ = write!(names, " … and {} more", missed.len() - MAX_NAMES);
    }
    table.row(vec![name.into(), (things.len() - missed.len()).to_string(), things.len().to_string(), names]);
}
