//! The files of a game as an editor sees them, and the analysis of these files.

use super::game_knowledge::{GameKnowledge, Occurrence, PlayFile, PlayText, RuleFile};
use super::occurrences::occurrences;
use crate::analysis::infer::Text;
use crate::analysis::infer::inspection::Inspection;
use crate::analysis::names::STANDING;
use crate::analysis::program::ParsedFile;
use crate::diagnostic::{Diagnostics, Role, Source};
use crate::loader::{Files, Package, can_be_read};
use crate::model::Model;
use crate::playscript::{self, Play, StatementKind};
use crate::syntax::{OwnFunctions, bind_agent, bind_file, bind_statements, parse, parse_statements};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// The files of a game: the saved ones, overridden by the texts that are open in the editor.
pub(crate) struct Workbench {
    saved: Files,
    open: BTreeMap<String, String>,
    /// For each data file, the last text that could be parsed.
    readable: BTreeMap<String, String>,
    known: Option<Rc<GameKnowledge>>,
    /// Whether texts have changed since the last analysis.
    is_stale: bool,
    /// Next free id of an expression.
    ids: u32,
}

impl Workbench {
    /// Creates a workbench for a saved game.
    pub(crate) fn new(saved: Files) -> Self {
        Self { saved, open: BTreeMap::new(), readable: BTreeMap::new(), known: None, is_stale: true, ids: 0 }
    }

    /// Replaces the saved files, after the editor or another program has saved some.
    pub(crate) fn save(&mut self, saved: Files) {
        self.saved = saved;
        self.is_stale = true;
    }

    /// Drops the analysis. The files are analyzed again when the analysis is needed.
    pub(crate) fn forget_analysis(&mut self) {
        self.known = None;
    }

    /// Sets the text of an open file. `None` means that the file was closed.
    pub(crate) fn set(&mut self, path: &str, text: Option<String>) {
        match text {
            Some(text) => drop(self.open.insert(path.to_owned(), text)),
            None => drop(self.open.remove(path)),
        }
        self.is_stale = true;
    }

    /// Returns the current text of a file: the text in the editor if the file is open there, otherwise the saved text.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        let saved = || self.saved.sources.iter().chain(&self.saved.plays).find(|source| source.path == path);
        self.open.get(path).or_else(|| saved().map(|source| &source.text)).map(String::as_str)
    }

    /// Returns the current files: the saved ones with the texts that are open in the editor.
    ///
    /// # Errors
    /// Fails if the files exceed a limit for games.
    pub(crate) fn files(&self) -> Result<Files, Diagnostics> {
        let texts: Vec<(String, String)> = self.open.iter().map(|(path, text)| (path.clone(), text.clone())).collect();
        self.saved.clone().with_texts(&texts)
    }

    /// Returns the analysis of the current files.
    ///
    /// # Errors
    /// Fails if the files exceed a limit for games.
    pub(crate) fn known(&mut self) -> Result<Rc<GameKnowledge>, Diagnostics> {
        if let Some(known) = self.known.as_ref().filter(|_| !self.is_stale) {
            return Ok(known.clone());
        }
        let files = self.files()?;
        let mut readable = files.clone();
        for source in &mut readable.sources {
            // Scripts can be parsed partially, in contrast to TOML.
            if source.is_script() {
                continue;
            }
            if can_be_read(source) {
                self.readable.insert(source.path.clone(), source.text.clone());
            } else if let Some(text) = self.readable.get(&source.path) {
                *source = Arc::new(Source { path: source.path.clone(), text: text.clone() });
            } else if let Some(saved) = self.saved.find(&source.path) {
                *source = saved.clone();
            }
        }
        // Each keystroke uses up ids, which could overflow after days. Once the cached trees are dropped, ids can start at 0 again.
        if self.ids > u32::MAX / 2 {
            (self.ids, self.known) = (0, None);
        }
        let known = Rc::new(GameKnowledge::new(readable, &files, self.known.as_deref(), &mut self.ids));
        self.known = Some(known.clone());
        self.is_stale = false;
        Ok(known)
    }

    /// Returns the last analysis, even if files have changed since then. Meant for requests that must be fast.
    ///
    /// # Errors
    /// See [`Self::known`].
    pub(crate) fn last_known(&mut self) -> Result<Rc<GameKnowledge>, Diagnostics> {
        match &self.known {
            Some(known) => Ok(known.clone()),
            None => self.known(),
        }
    }
}

impl GameKnowledge {
    /// Analyzes files without a cache.
    pub(super) fn analyze(files: &Files) -> Self {
        Self::new(files.clone(), files, None, &mut 0)
    }

    /// Analyzes files. Reuses the parsed files of `before` that have not changed.
    fn new(readable: Files, files: &Files, before: Option<&Self>, ids: &mut u32) -> Self {
        let (package, _) = Package::parse_well(readable);
        let model = Arc::new(package.outline());
        let scripts = files.sources.iter().filter(|source| source.is_script());
        let mut rules: Vec<Rc<RuleFile>> = scripts
            .clone()
            .map(|source| {
                let kept = before.and_then(|before| before.rules.iter().find(|file| *file.source == **source));
                kept.cloned().unwrap_or_else(|| Rc::new(RuleFile::read(source, ids)))
            })
            .collect();
        let of_rules = rules.iter().filter(|file| !file.is_agent);
        let functions = OwnFunctions::of_rules(of_rules.map(|file| &file.tree));
        // If functions were added or removed, calls may refer to other functions. So all files are bound again.
        let is_same = before.is_none_or(|before| before.functions == functions);
        let before = before.filter(|_| is_same);
        if !is_same {
            rules = scripts.map(|source| Rc::new(RuleFile::read(source, ids))).collect();
        }
        for file in rules.iter_mut().filter_map(Rc::get_mut) {
            file.bind(&functions);
        }
        let plays: Vec<Rc<PlayFile>> = files
            .plays
            .iter()
            .map(|source| {
                let kept = before.and_then(|before| before.plays.iter().find(|file| *file.source == **source));
                kept.cloned().unwrap_or_else(|| Rc::new(PlayFile::read(source, &functions, ids)))
            })
            .collect();
        let read: Vec<ParsedFile<'_>> = rules
            .iter()
            .map(|file| ParsedFile { source: &file.source, tree: &file.tree, is_agent: file.is_agent, unread: &[] })
            .collect();
        let texts: Vec<Text<'_>> = plays
            .iter()
            .flat_map(|play| {
                play.texts.iter().map(|text| Text {
                    source: &text.source,
                    statements: &text.statements,
                    own: &play.own,
                })
            })
            .collect();
        let inspection = Inspection::new(&model, &read, &texts);
        let in_texts = files.sources.iter().filter(|source| !source.is_script());
        // Sheets of workbooks change only when the workbook is saved.
        let in_workbooks = package.sources().iter().filter(|source| source.file() != source.path);
        let data = in_texts.chain(in_workbooks).cloned().collect();
        let mut known = Self { package, model, data, rules, functions, plays, inspection, occurrences: Vec::new() };
        known.occurrences = occurrences(&known);
        known
    }

    /// Iterates over the model and the variants of the game that declare additional names.
    pub(crate) fn models(&self) -> impl Iterator<Item = &Model> {
        std::iter::once(&*self.model).chain(self.model.variants_with_more_names().iter().map(|model| &**model))
    }

    /// Returns the file of rules or of an agent at a path.
    pub(crate) fn rule_file(&self, path: &str) -> Option<&RuleFile> {
        self.rules.iter().find(|file| file.source.path == path).map(|file| &**file)
    }

    /// Returns the shortest occurrence at a byte offset of a file. Occurrences that end at the offset are second choice.
    pub(crate) fn occurrence_at(&self, path: &str, at: usize) -> Option<&Occurrence> {
        let mut here: Vec<&Occurrence> = self
            .occurrences
            .iter()
            .filter(|one| one.place.source.path == path && one.place.span.start <= at && at <= one.place.span.end)
            .collect();
        here.sort_by_key(|one| (one.place.span.end == at, one.place.span.len()));
        here.first().copied()
    }
}

impl RuleFile {
    fn read(source: &Arc<Source>, ids: &mut u32) -> Self {
        let tree = parse(source, ids).tree;
        Self { tree, is_agent: source.role() == Some(Role::Agent), source: source.clone() }
    }

    /// Binds the calls of a file that was just read. `rules` are the functions of the rules.
    fn bind(&mut self, rules: &OwnFunctions) {
        if self.is_agent {
            bind_agent(&mut self.tree, rules);
        } else {
            bind_file(&mut self.tree, rules);
        }
    }
}

impl PlayFile {
    fn read(source: &Arc<Source>, functions: &OwnFunctions, ids: &mut u32) -> Self {
        let play = playscript::parse(source).ok();
        let own = play.as_ref().map(names_in).unwrap_or_default();
        let texts = play.as_ref().map(playscript::texts).unwrap_or_default();
        let text = |(text, offset): (&str, usize)| {
            let source = Arc::new(Source { path: source.path.clone(), text: text.to_owned() });
            let mut statements = parse_statements(&source, ids).tree;
            bind_statements(&mut statements, functions);
            PlayText { source, offset, statements }
        };
        let texts = texts.into_iter().map(text).collect();
        Self { source: source.clone(), play, texts, own }
    }
}

/// Returns the names known only in the code of a playscript: the players, and names for the state of the game.
pub(super) fn names_in(play: &Play) -> Vec<String> {
    let statements = play.head.iter().chain(play.scenes.iter().flat_map(|scene| &scene.statements));
    let mut names: Vec<String> = Vec::new();
    for statement in statements {
        if let StatementKind::Players(players) = &statement.what {
            names.extend(players.iter().map(|player| as_identifier(player)));
        }
    }
    names.extend(STANDING.map(str::to_owned));
    names.sort();
    names.dedup();
    names
}

/// Converts a player's name to an identifier in code.
fn as_identifier(name: &str) -> String {
    let name: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    if name.starts_with(char::is_alphabetic) { name } else { format!("player_{name}") }
}
