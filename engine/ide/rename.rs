//! Renames a name in all files of a game.

use super::game_knowledge::GameKnowledge;
use super::game_knowledge::Meaning;
use super::references::references;
use super::workbench::Workbench;
use crate::diagnostic::{Diagnostic, Place, Severity, Source};
use crate::loader::{DeclaredNameKind, Files};
use crate::playscript::{self, AgentFactory, Cast, unknown_game};
use crate::session::Game;
use std::collections::BTreeMap;

/// Kinds of names that can be renamed.
const NAMEABLE: [DeclaredNameKind; 13] = [
    DeclaredNameKind::Zone,
    DeclaredNameKind::Param,
    DeclaredNameKind::Option,
    DeclaredNameKind::Value,
    DeclaredNameKind::Decision,
    DeclaredNameKind::Phase,
    DeclaredNameKind::Ending,
    DeclaredNameKind::Announcement,
    DeclaredNameKind::Alteration,
    DeclaredNameKind::Function,
    DeclaredNameKind::Kind,
    DeclaredNameKind::Component,
    DeclaredNameKind::Field,
];

/// Returns the place of the name at a byte offset, if it can be renamed.
pub(crate) fn renamable_place(known: &GameKnowledge, path: &str, at: usize) -> Option<Place> {
    let here = known.occurrence_at(path, at)?;
    let can = match here.meaning {
        Meaning::Game(category) => NAMEABLE.contains(&category),
        Meaning::Variable(..) => true,
        Meaning::Library => false,
    };
    can.then(|| here.place.clone())
}

/// Returns the edits that rename the name at a byte offset in all files, by path. Recordings whose tables depend on the name are recorded
/// again.
///
/// # Errors
/// Returns a message if the name cannot be changed, if `name` is not a valid name or has another meaning already, or if the change would
/// add errors or make a playscript fail.
pub(crate) fn rename(
    bench: &mut Workbench,
    path: &str,
    at: usize,
    name: &str,
    agent: &AgentFactory,
) -> Result<BTreeMap<String, Vec<(std::ops::Range<usize>, String)>>, String> {
    let known = bench.known().map_err(|found| in_a_line(&found.0))?;
    let Some(place) = renamable_place(&known, path, at) else {
        return Err("this cannot be given another name".to_owned());
    };
    let old = &place.source.text[place.span.clone()];
    if old == name {
        return Ok(BTreeMap::new());
    }
    // Ids of components may contain a hyphen, because rules always write them in quotes.
    let takes_hyphen =
        known.occurrence_at(path, at).is_some_and(|here| here.meaning == Meaning::Game(DeclaredNameKind::Component));
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-' && takes_hyphen);
    if !is_name {
        return Err("the new name is not valid: write letters, digits and `_`".to_owned());
    }
    let all = references(&known, path, at, true);
    if let Some(sheet) = all.iter().find(|place| place.source.file() != place.source.path) {
        return Err(format!("`{old}` stands in a workbook, which no editor of texts can change: {}", sheet.shown()));
    }
    let mut edits: BTreeMap<String, Vec<(std::ops::Range<usize>, String)>> = BTreeMap::new();
    for place in references(&known, path, at, true) {
        edits.entry(place.source.path.clone()).or_default().push((place.span, name.to_owned()));
    }
    for all in edits.values_mut() {
        all.sort_by_key(|(span, _)| span.start);
    }
    let before = bench.files().map_err(|found| in_a_line(&found.0))?;
    let after = with_edits(&before, &edits).map_err(|found| in_a_line(&found.0))?;
    let errors = |files: &Files| super::check::check(files.clone(), agent);
    let (was, _) = errors(&before);
    let (now, game) = errors(&after);
    let count = |found: &[Diagnostic]| found.iter().filter(|one| one.severity == Severity::Error).count();
    // Renaming is allowed in a game with mistakes, as long as it adds none.
    if count(&now) > count(&was) {
        let is_new = |one: &&Diagnostic| !was.iter().any(|known| known.message == one.message);
        let new: Vec<Diagnostic> = now.iter().filter(is_new).cloned().collect();
        return Err(format!("`{name}` would not do: {}", in_a_line(if new.is_empty() { &now } else { &new })));
    }
    let shift = |at: usize| {
        let before = edits.get(&place.source.path).into_iter().flatten().filter(|(span, _)| span.end <= at).count();
        (at + before * name.len()) - before * old.len()
    };
    let renamed = GameKnowledge::analyze(&after);
    let same = references(&renamed, path, shift(place.span.start), true).len();
    // If the number of references changes, another declaration has the new name already.
    if same != references(&known, path, at, true).len() {
        return Err(format!("`{name}` stands for something else already where `{old}` is named"));
    }
    if let Some(game) = game {
        if let Some(scene) = first_new_failure(&before, &after, &game, agent) {
            return Err(format!("`{name}` would not do: {scene}"));
        }
        if let Some(recording) = record_again(&before, &after, &game, agent, &mut edits) {
            return Err(format!(
                "`{name}` would not do: shuffles go by the names of zones and components, so {recording} would be another game; take its \
                 recordings away first, or give the name by hand and record them anew with `parlour test --bless`"
            ));
        }
    }
    Ok(edits)
}

fn in_a_line(found: &[Diagnostic]) -> String {
    found.first().map_or_else(String::new, Diagnostic::in_a_line)
}

fn with_edits(
    files: &Files,
    edits: &BTreeMap<String, Vec<(std::ops::Range<usize>, String)>>,
) -> Result<Files, crate::diagnostic::Diagnostics> {
    let all = files.sources.iter().chain(&files.plays);
    let changed = all.filter_map(|source| {
        let mut text = source.text.clone();
        for (span, new) in edits.get(&source.path)?.iter().rev() {
            text.replace_range(span.clone(), new);
        }
        Some((source.path.clone(), text))
    });
    let changed: Vec<(String, String)> = changed.collect();
    files.clone().with_texts(&changed)
}

/// Records those recordings again that fail after the renaming, and adds the new texts to `edits`. If a recording was valid before but
/// would lose some of its choices, stops and returns its path.
fn record_again(
    before: &Files,
    after: &Files,
    game: &Game,
    agent: &AgentFactory,
    edits: &mut BTreeMap<String, Vec<(std::ops::Range<usize>, String)>>,
) -> Option<String> {
    let holds = |game: &Game, play: &playscript::Play| {
        let lookup = lookup_only(game);
        let cast = Cast { game: &lookup, agent, covering: false };
        playscript::run(play, &cast).iter().all(|report| report.failure.is_none())
    };
    for (old, new) in before.plays.iter().zip(&after.plays) {
        let Ok(play) = playscript::parse(new) else { continue };
        if !playscript::is_recording(&play) || holds(game, &play) {
            continue;
        }
        let lookup = lookup_only(game);
        let again = playscript::record_again(&play, &Cast { game: &lookup, agent, covering: false });
        if let Some(again) = again.ok().filter(|again| again.kept == again.choices) {
            edits.insert(old.path.clone(), vec![(0..old.text.len(), playscript::with_head(&play, &again.play))]);
            continue;
        }
        let known = crate::open_files(before.clone(), before.name.clone()).ok();
        if known.zip(playscript::parse(old).ok()).is_some_and(|(known, play)| holds(&known, &play)) {
            return Some(old.path.clone());
        }
    }
    None
}

/// Returns a lookup that finds only one game.
fn lookup_only(game: &Game) -> impl Fn(&str) -> Result<Game, crate::diagnostic::Diagnostics> + '_ {
    |wanted| if wanted == game.id() { Ok(game.clone()) } else { Err(unknown_game(wanted, [game.id()])) }
}

/// Returns the failure of a scene that passed before the renaming, if there is one. Such a scene depends on the old name in a way that is
/// not tracked.
fn first_new_failure(before: &Files, after: &Files, game: &Game, agent: &AgentFactory) -> Option<String> {
    let failures = |game: &Game, source: &std::sync::Arc<Source>| {
        let lookup = lookup_only(game);
        let play = playscript::parse(source).ok().filter(|play| !playscript::is_recording(play))?;
        let reports = playscript::run(&play, &Cast { game: &lookup, agent, covering: false });
        Some(
            reports.into_iter().filter_map(|report| Some((report.scene.clone()?, report.failure?))).collect::<Vec<_>>(),
        )
    };
    let known = crate::open_files(before.clone(), before.name.clone()).ok()?;
    before.plays.iter().zip(&after.plays).find_map(|(old, new)| {
        let failed = failures(game, new)?;
        let (scene, failure) = failed.first()?;
        let failed_before = failures(&known, old)?;
        let is_new = failed_before.iter().all(|(other, _)| other != scene);
        is_new.then(|| format!("in {}, \"{scene}\" would no longer hold: {}", old.path, failure.in_a_line()))
    })
}
